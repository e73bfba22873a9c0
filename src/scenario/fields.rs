//! Taking a mapping apart: known keys are taken one by one, what is left over is a mistake that
//! names the nearest known key.
//!
//! What a mapping lacks is kept until all its keys are known: a misspelt key is told as such, and
//! not as the lack of the right one.

use super::diagnostic::{Diagnostic, Diagnostics, all_nearest, did_you_mean, nearest};
use super::reader::SAID;
use super::shapes;
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
    missing: Vec<Missing>,
}

/// Something that a mapping has to say and does not.
struct Missing {
    /// The keys, any of which would do.
    keys: Vec<&'static str>,
    message: String,
    help: Option<String>,
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
                let mut mistake = Diagnostic::new(node.place, message);
                mistake.help = shapes::mapping(what, other).map(|shape| format!("write {shape}"));
                diagnostics.push(mistake);
                return None;
            }
        };
        let taken = vec![false; entries.len()];
        Some(Fields {
            place: node.place,
            what,
            entries,
            taken,
            known: Vec::new(),
            missing: Vec::new(),
        })
    }

    /// Names keys that are not taken, or not yet, to those who misspell them.
    pub fn know(&mut self, keys: &[&'static str]) {
        for key in keys {
            if !self.known.contains(key) {
                self.known.push(key);
            }
        }
    }

    /// Passes over keys that are right, in a mapping that is wrong otherwise.
    pub fn skip(&mut self, keys: &[&'static str]) {
        self.know(keys);
        for (index, (key, _)) in self.entries.iter().enumerate() {
            self.taken[index] |= keys.contains(&&*key.text);
        }
    }

    /// Passes over one key, about which all is said.
    pub fn pass_over(&mut self, key: &Key) {
        for (index, (own, _)) in self.entries.iter().enumerate() {
            self.taken[index] |= own.text == key.text;
        }
    }

    /// The value of a key that is there, whether it is known or not.
    pub fn value(&self, key: &Key) -> Option<&'t Node> {
        self.entries.iter().find(|(own, _)| own.text == key.text).map(|(_, node)| node)
    }

    /// The nearest known key to one that is not known.
    pub fn nearest(&self, key: &str) -> Option<&'static str> {
        nearest(key, self.known.iter().copied())
    }

    /// The value of `key`; null counts as absent.
    pub fn take(&mut self, key: &'static str) -> Option<&'t Node> {
        self.take_even_null(key).filter(|node| !matches!(node.value, Value::Null))
    }

    /// The value of `key`, or of the one key that is nearest to it of `all`. That one is not taken,
    /// so that [`Fields::finish`] tells it; what stands there is read as if it were spelt right, so
    /// that its own mistakes are told at once, and no name of the file is a mystery.
    pub fn take_or_meant(&mut self, key: &'static str, all: &[&'static str]) -> Option<&'t Node> {
        self.take(key).or_else(|| {
            let is_meant = |(word, node): &&(Key, Node)| {
                if !matches!(node.value, Value::Sequence(_) | Value::Mapping(_)) {
                    return false;
                }
                let is_near = match shapes::instead(self.what, &word.text) {
                    Some((_, help)) => help == format!("did you mean `{key}`?"),
                    None => all_nearest(&word.text, all.iter().copied()) == [key],
                };
                !all.contains(&&*word.text) && is_near
            };
            // Of more keys than mistakes are told, most are no keys of this language.
            let entries = self.entries.iter().take(Diagnostics::KEPT);
            let mut found = entries.filter(is_meant).map(|(_, node)| node);
            found.next().filter(|_| found.next().is_none())
        })
    }

    /// The value of a key that is not known here, but whose presence has an answer of its own.
    pub fn take_hidden(&mut self, key: &str) -> Option<&'t Node> {
        let index = self.entries.iter().position(|(k, _)| *k.text == *key)?;
        self.taken[index] = true;
        Some(&self.entries[index].1)
    }

    /// The value of `key`, also where it is null.
    pub fn take_even_null(&mut self, key: &'static str) -> Option<&'t Node> {
        self.know(&[key]);
        let index = self.entries.iter().position(|(k, _)| *k.text == *key)?;
        self.taken[index] = true;
        Some(&self.entries[index].1)
    }

    /// The value of a key that has to be there; [`Fields::finish`] notes where it is not.
    pub fn require(&mut self, key: &'static str) -> Option<&'t Node> {
        let node = self.take(key);
        if node.is_none() {
            let message = format!("{} needs the key `{key}`", self.what);
            let help = shapes::key(self.what, key).map(|shape| format!("write `{shape}`"));
            self.missing.push(Missing { keys: vec![key], message, help });
        }
        node
    }

    /// None of `keys` is there, and one has to be. [`Fields::finish`] notes it, unless one of them
    /// is there and misspelt.
    pub fn missing(&mut self, keys: &[&'static str], message: impl Into<String>, help: &str) {
        let (message, help) = (message.into(), Some(help.to_owned()));
        self.missing.push(Missing { keys: keys.to_vec(), message, help });
    }

    /// Whether something has to be there and is not.
    pub fn is_missing_any(&self) -> bool {
        !self.missing.is_empty()
    }

    /// The place of a key that is there.
    pub fn key_place(&self, key: &str) -> Option<Place> {
        self.entries.iter().find(|(k, _)| *k.text == *key).map(|(k, _)| k.place)
    }

    /// Keys and values, in the order of the file.
    pub fn entries(&self) -> &'t [(Key, Node)] {
        self.entries
    }

    /// The keys that are there, in the order of the file.
    pub fn keys(&self) -> impl Iterator<Item = &'t Key> + use<'t> {
        self.entries.iter().map(|(key, _)| key)
    }

    /// Where a message about the whole mapping points: its first key.
    pub fn head(&self) -> Place {
        self.entries.first().map_or(self.place, |(key, _)| key.place)
    }

    /// Notes keys that belong to the language but not to this version of the program. Comes after
    /// the known keys.
    pub fn refuse_unsupported(&mut self, keys: &[&str], diagnostics: &mut Diagnostics) {
        for (index, (key, _)) in self.entries.iter().enumerate() {
            if !self.taken[index] && keys.contains(&&*key.text) {
                self.taken[index] = true;
                let message = format!("`{}` is not supported by this version", key.text);
                let help = format!("remove it; these keys work: {}", self.known.join(", "));
                diagnostics.error_help(key.place, message, help);
            }
        }
    }

    /// Takes whatever is left without a mistake: for a mapping that is wrong as a whole.
    pub fn ignore_rest(mut self) {
        self.taken.fill(true);
    }

    /// The known keys; a long list once a file.
    fn list_known(&self, diagnostics: &Diagnostics) -> String {
        const SHORT: usize = 8;
        let list = shapes::known_keys(self.what, &self.known);
        let is_told = self.known.len() > SHORT && diagnostics.have_help(&list);
        shapes::known_above(self.what).filter(|_| is_told).unwrap_or(list)
    }

    /// Notes every key that was not taken, and what is missing.
    pub fn finish(self, diagnostics: &mut Diagnostics) {
        let mut meant = Vec::new();
        let mut first_unknown = None;
        let mut is_told = false;
        let mut has_spec =
            diagnostics.is_full() || self.keys().any(|key| nearest(&key.text, ["spec"]).is_some());
        // What a merge key would have brought is not known.
        let is_whole = !self.entries.iter().any(|(key, _)| *key.text == *SAID);
        for (index, (key, _)) in self.entries.iter().enumerate() {
            if self.taken[index] || *key.text == *SAID {
                continue;
            }
            // What is only counted needs no search for what was meant.
            if diagnostics.is_full() {
                diagnostics.error(key.place, "");
                continue;
            }
            if let Some((right, help)) = shapes::instead(self.what, &key.text) {
                meant.extend(right);
                // Keys that one form stands for are one mistake.
                if help.starts_with("write `add:") && std::mem::replace(&mut is_told, true) {
                    continue;
                }
                // Below the line that the first one asks for, the others go, too.
                let lacks_spec =
                    help == shapes::BELOW_SPEC && !std::mem::replace(&mut has_spec, true);
                let help = if lacks_spec { shapes::WRITE_SPEC } else { help };
                let message = format!("unknown key `{}` in {}", key.text, self.what);
                diagnostics.error_help(key.place, message, help);
                continue;
            }
            first_unknown = first_unknown.or(Some(key.place));
            let mut near = all_nearest(&key.text, self.known.iter().copied());
            // Of keys that are equally near, one that is there is not meant.
            let is_absent = |near: &&str| self.key_place(near).is_none();
            if near.iter().any(is_absent) {
                near.retain(|near| is_absent(near));
            }
            meant.extend(&near);
            let message = format!("unknown key `{}` in {}", key.text, self.what);
            let help = match did_you_mean(&near) {
                Some(question) => question,
                None if self.known.is_empty() => "remove it".into(),
                None => self.list_known(diagnostics),
            };
            diagnostics.error_help(key.place, message, help);
        }
        // After the unknown key, where there is one: it may be all that is wrong.
        let place = first_unknown.unwrap_or(self.head());
        for missing in self.missing.into_iter().filter(|_| is_whole) {
            if !missing.keys.iter().any(|key| meant.contains(key)) {
                let Missing { message, help, .. } = missing;
                diagnostics.push(Diagnostic { place, message, help });
            }
        }
    }
}

/// The items of a list; `None`, with a mistake noted, where `node` is not one.
pub fn items<'t>(node: &'t Node, what: &str, diagnostics: &mut Diagnostics) -> Option<&'t [Node]> {
    match &node.value {
        Value::Sequence(items) => Some(items),
        Value::Null => Some(&[]),
        other => {
            let message = format!("{what} is a list, not {}", describe(other));
            diagnostics.error_help(node.place, message, shapes::list(other));
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
        Value::Skipped => "something that is not modelled".into(),
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
            fields.require("name");
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
        check("{nam: a}", &["unknown key `nam` in a pod", "did you mean `name`?"][..1]);
        check(
            "{colour: a}",
            &["help: known keys: name, tolerations", "a pod needs the key `name`"],
        );
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
