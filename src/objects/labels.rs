//! Labels and `kubectl -l` selectors.

/// A label set, sorted by key, each key once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Labels(Vec<(Box<str>, Box<str>)>);

impl Labels {
    /// The value of `key`.
    pub fn get(&self, key: &str) -> Option<&str> {
        let index = self.0.binary_search_by(|(k, _)| (**k).cmp(key)).ok()?;
        Some(&self.0[index].1)
    }

    /// These labels; of several of one key the last. For many, this is faster than one by one.
    pub fn of(pairs: Vec<(Box<str>, Box<str>)>) -> Labels {
        let mut pairs = pairs;
        // Stable: the last of one key stays the last.
        pairs.sort_by(|(one, _), (other, _)| one.cmp(other));
        pairs.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                std::mem::swap(later, kept);
            }
            same
        });
        Labels(pairs)
    }

    /// Sets `key` to `value`, whether it was there or not.
    pub fn set(&mut self, key: &str, value: &str) {
        match self.0.binary_search_by(|(k, _)| (**k).cmp(key)) {
            Ok(index) => self.0[index].1 = value.into(),
            Err(index) => self.0.insert(index, (key.into(), value.into())),
        }
    }

    /// Removes `key`; false if it was not there.
    pub fn remove(&mut self, key: &str) -> bool {
        let found = self.0.binary_search_by(|(k, _)| (**k).cmp(key));
        if let Ok(index) = found {
            self.0.remove(index);
        }
        found.is_ok()
    }

    /// Keys and values in the order of the keys.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(k, v)| (&**k, &**v))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<K: AsRef<str>, V: AsRef<str>> FromIterator<(K, V)> for Labels {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(iter: I) -> Self {
        let mut labels = Labels::default();
        for (key, value) in iter {
            labels.set(key.as_ref(), value.as_ref());
        }
        labels
    }
}

/// One requirement of a selector.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Requirement {
    /// `key in (a,b)`; `key=a` is `key in (a)`.
    In(Box<str>, Vec<Box<str>>),
    /// `key notin (a,b)` and `key!=a`: also true where the key is absent.
    NotIn(Box<str>, Vec<Box<str>>),
    /// `key`.
    Exists(Box<str>),
    /// `!key`.
    DoesNotExist(Box<str>),
}

/// A label selector: all requirements must hold. An empty selector matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Selector(pub Vec<Requirement>);

impl Selector {
    /// Whether `labels` meet every requirement.
    pub fn matches(&self, labels: &Labels) -> bool {
        self.0.iter().all(|requirement| match requirement {
            Requirement::In(key, values) => {
                labels.get(key).is_some_and(|v| values.iter().any(|want| **want == *v))
            }
            Requirement::NotIn(key, values) => {
                labels.get(key).is_none_or(|v| values.iter().all(|other| **other != *v))
            }
            Requirement::Exists(key) => labels.get(key).is_some(),
            Requirement::DoesNotExist(key) => labels.get(key).is_none(),
        })
    }
}
