//! What is different between two lists of a node's taints.

use super::taint::Taint;

/// The difference. As for kubectl and the API, key and effect tell taints apart.
#[derive(Debug)]
pub struct TaintDiff<'a> {
    /// Taints that are new.
    pub came: Vec<&'a Taint>,
    /// The taint as it was, and as it is with its new value.
    pub changed: Vec<(&'a Taint, &'a Taint)>,
    /// Taints that went.
    pub gone: Vec<&'a Taint>,
    /// What stayed as it was.
    pub left: Vec<&'a Taint>,
}

impl<'a> TaintDiff<'a> {
    /// From one list to the next.
    pub fn between(before: &'a [Taint], after: &'a [Taint]) -> TaintDiff<'a> {
        let in_list = |taint: &Taint, list: &'a [Taint]| {
            list.iter().find(|other| other.same_key_and_effect(taint))
        };
        let mut diff = TaintDiff {
            came: Vec::new(),
            changed: Vec::new(),
            gone: before.iter().filter(|taint| in_list(taint, after).is_none()).collect(),
            left: Vec::new(),
        };
        for taint in after {
            match in_list(taint, before) {
                None => diff.came.push(taint),
                Some(old) if old.value != taint.value => diff.changed.push((old, taint)),
                Some(_) => diff.left.push(taint),
            }
        }
        diff
    }

    /// No taint came, changed its value or went; the order may be another one.
    pub fn is_empty(&self) -> bool {
        self.came.is_empty() && self.changed.is_empty() && self.gone.is_empty()
    }
}
