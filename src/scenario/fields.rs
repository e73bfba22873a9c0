//! Taking a mapping apart: known keys are taken one by one, what is left over is a mistake that
//! names the nearest known key.

use super::diagnostic::{Diagnostics, nearest};
use super::tree::{Key, Node, Place, Value};

/// The keys of one mapping, while they are being taken.
pub struct Fields<'t> {
    /// Where the mapping stands.
    pub place: Place,
    /// What the mapping is, for messages, such as `a step`.
    what: &'static str,
    entries: &'t [(Key, Node)],
    taken: Vec<bool>,
    known: Vec<&'static str>,
}

impl<'t> Fields<'t> {
    /// The keys of `node`; `None`, with a mistake noted, where it is not a mapping. Null is an
    /// empty mapping.
    pub fn new(
        node: &'t Node,
        what: &'static str,
        diagnostics: &mut Diagnostics,
    ) -> Option<Fields<'t>> {
        let entries: &[(Key, Node)] = match &node.value {
            Value::Mapping(entries) => entries,
            Value::Null => &[],
            other => {
                let message = format!("{what} is a mapping, not {}", describe(other));
                diagnostics.error(node.place, message);
                return None;
            }
        };
        let taken = vec![false; entries.len()];
        Some(Fields { place: node.place, what, entries, taken, known: Vec::new() })
    }

    /// The value of `key`; null counts as absent.
    pub fn take(&mut self, key: &'static str) -> Option<&'t Node> {
        self.take_even_null(key).filter(|node| !matches!(node.value, Value::Null))
    }

    /// The value of `key`, also where it is null.
    pub fn take_even_null(&mut self, key: &'static str) -> Option<&'t Node> {
        self.known.push(key);
        let index = self.entries.iter().position(|(k, _)| *k.text == *key)?;
        self.taken[index] = true;
        Some(&self.entries[index].1)
    }

    /// The value of a key that has to be there.
    pub fn require(
        &mut self,
        key: &'static str,
        diagnostics: &mut Diagnostics,
    ) -> Option<&'t Node> {
        let node = self.take(key);
        if node.is_none() {
            diagnostics.error(self.head(), format!("{} needs the key `{key}`", self.what));
        }
        node
    }

    /// The place of a key that is there.
    pub fn key_place(&self, key: &str) -> Option<Place> {
        self.entries.iter().find(|(k, _)| *k.text == *key).map(|(k, _)| k.place)
    }

    /// The keys that are there, in the order of the file.
    pub fn keys(&self) -> impl Iterator<Item = &'t Key> + use<'t> {
        self.entries.iter().map(|(key, _)| key)
    }

    /// Where a message about the whole mapping points: its first key.
    pub fn head(&self) -> Place {
        self.entries.first().map_or(self.place, |(key, _)| key.place)
    }

    /// Notes keys that belong to the language but not to this version of the program.
    pub fn refuse_unsupported(&mut self, keys: &[&str], diagnostics: &mut Diagnostics) {
        for (index, (key, _)) in self.entries.iter().enumerate() {
            if !self.taken[index] && keys.contains(&&*key.text) {
                self.taken[index] = true;
                let message = format!("`{}` is not supported by this version", key.text);
                diagnostics.error(key.place, message);
            }
        }
    }

    /// Takes whatever is left without a mistake: for a mapping that is wrong as a whole.
    pub fn ignore_rest(mut self) {
        self.taken.fill(true);
    }

    /// Notes every key that was not taken.
    pub fn finish(self, diagnostics: &mut Diagnostics) {
        for (index, (key, _)) in self.entries.iter().enumerate() {
            if self.taken[index] {
                continue;
            }
            let message = format!("unknown key `{}` in {}", key.text, self.what);
            let help = match nearest(&key.text, self.known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if self.known.is_empty() => "remove it".into(),
                None => format!("known keys: {}", self.known.join(", ")),
            };
            diagnostics.error_help(key.place, message, help);
        }
    }
}

/// The items of a list; `None`, with a mistake noted, where `node` is not one.
pub fn items<'t>(node: &'t Node, what: &str, diagnostics: &mut Diagnostics) -> Option<&'t [Node]> {
    match &node.value {
        Value::Sequence(items) => Some(items),
        Value::Null => Some(&[]),
        other => {
            diagnostics.error_help(
                node.place,
                format!("{what} is a list, not {}", describe(other)),
                "begin each item with `- `",
            );
            None
        }
    }
}

/// What a value is, for messages.
pub fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Plain(text) => format!("`{text}`"),
        Value::Quoted(text) => format!("the string \"{text}\""),
        Value::Sequence(_) => "a list".into(),
        Value::Mapping(_) => "a mapping".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{diagnostic::render_all, reader, source::Sources};

    fn check(text: &str, expected: &[&str]) {
        let mut sources = Sources::default();
        let source = sources.add("f", text.into());
        let mut diagnostics = Diagnostics::default();
        let documents = reader::read(&sources, source, &mut diagnostics);
        if let Some(mut fields) = Fields::new(&documents[0], "a pod", &mut diagnostics) {
            fields.require("name", &mut diagnostics);
            fields.take("tolerations");
            fields.refuse_unsupported(&["repeat"], &mut diagnostics);
            fields.finish(&mut diagnostics);
        }
        let shown = render_all(&diagnostics.into_sorted(), &sources);
        assert_eq!(shown.matches("error:").count(), expected.len(), "{shown}");
        for part in expected {
            assert!(shown.contains(part), "{shown}\nlacks {part}");
        }
    }

    #[test]
    fn names_what_is_wrong_with_a_mapping() {
        check("{name: a, tolerations: []}", &[]);
        check("{name: a, tolerations: ~}", &[]);
        check("tolerations: []", &["a pod needs the key `name`"]);
        check("{name: ~}", &["a pod needs the key `name`"]);
        check(
            "{name: a, toleration: []}",
            &["unknown key `toleration` in a pod\n 1 | {name: a, toleration: []}"],
        );
        check("{name: a, Name: b}", &["unknown key `Name` in a pod"]);
        check("{name: a, x: b}", &["unknown key `x` in a pod"]);
        check("{name: a, repeat: b}", &["`repeat` is not supported by this version"]);
        check("[a]", &["a pod is a mapping, not a list"]);
        check("a", &["a pod is a mapping, not `a`"]);
    }
}
