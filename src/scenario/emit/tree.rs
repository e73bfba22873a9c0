//! A small tree of YAML, written in flow style where that is short, and in block style else.

use std::fmt::Write as _;

use super::yaml::{push_key, push_string};

/// Longest line of flow style.
const LINE_CHARACTERS_MAX: usize = 98;

/// Keys whose mappings always stand in block style: what they hold reads best without quotes.
const BLOCK_KEYS: [&str; 2] = ["kubectl", "burst"];

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Yaml {
    /// A string, quoted where it could be misread.
    Text(String),
    /// What is no string: a number, a boolean, a duration.
    Plain(String),
    List(Vec<Yaml>),
    Map(Entries),
}

/// The entries of a mapping, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Entries(Vec<(String, Yaml)>);

impl Entries {
    pub(super) fn put(&mut self, key: &str, value: Yaml) {
        self.0.push((key.to_owned(), value));
    }

    pub(super) fn text(&mut self, key: &str, text: &str) {
        self.put(key, Yaml::Text(text.to_owned()));
    }

    pub(super) fn plain(&mut self, key: &str, value: impl ToString) {
        self.put(key, Yaml::Plain(value.to_string()));
    }

    /// A mapping below a key, where it has any entries.
    pub(super) fn filled(&mut self, key: &str, entries: Entries) {
        if !entries.is_empty() {
            self.put(key, Yaml::Map(entries));
        }
    }

    pub(super) fn append(&mut self, entries: Entries) {
        self.0.extend(entries.0);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Appends the entries in block style.
    pub(super) fn push(&self, out: &mut String, indent: usize) {
        for (key, value) in &self.0 {
            let _ = write!(out, "{:indent$}", "");
            push_entry(out, indent, key, value);
        }
    }

    /// Appends the entries in block style as an item of a list.
    pub(super) fn push_as_item(&self, out: &mut String, indent: usize) {
        for (index, (key, value)) in self.0.iter().enumerate() {
            let dash = if index == 0 { "- " } else { "  " };
            let _ = write!(out, "{:indent$}{dash}", "");
            push_entry(out, indent + 2, key, value);
        }
    }
}

impl Yaml {
    /// A list of texts.
    pub(super) fn texts(texts: impl IntoIterator<Item = String>) -> Yaml {
        Yaml::List(texts.into_iter().map(Yaml::Text).collect())
    }

    /// A text alone, or a list of several.
    pub(super) fn one_or_list(mut texts: Vec<String>) -> Yaml {
        match texts.len() {
            1 => Yaml::Text(texts.remove(0)),
            _ => Yaml::texts(texts),
        }
    }

    fn is_flowable(&self) -> bool {
        match self {
            Yaml::Text(_) | Yaml::Plain(_) => true,
            Yaml::List(items) => {
                let mappings = items.iter().filter(|item| matches!(item, Yaml::Map(_))).count();
                mappings < 2 && items.iter().all(Yaml::is_flowable)
            }
            Yaml::Map(entries) => entries
                .0
                .iter()
                .all(|(key, value)| !BLOCK_KEYS.contains(&key.as_str()) && value.is_flowable()),
        }
    }

    fn push_flow(&self, out: &mut String) {
        match self {
            Yaml::Text(text) if is_plain(text, false) => out.push_str(text),
            Yaml::Text(text) => push_string(out, text),
            Yaml::Plain(text) => out.push_str(text),
            Yaml::List(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { ", " });
                    item.push_flow(out);
                }
                out.push(']');
            }
            Yaml::Map(entries) => {
                out.push('{');
                for (index, (key, value)) in entries.0.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { ", " });
                    push_string(out, key);
                    out.push_str(": ");
                    value.push_flow(out);
                }
                out.push('}');
            }
        }
    }

    /// The value in flow style where it fits into the rest of a line of which `used` is used.
    fn in_line(&self, used: usize) -> Option<String> {
        if !self.is_flowable() {
            return None;
        }
        let mut flow = String::new();
        self.push_flow(&mut flow);
        let is_empty = matches!(flow.as_str(), "[]" | "{}");
        (is_empty || used + 1 + flow.chars().count() <= LINE_CHARACTERS_MAX).then_some(flow)
    }
}

/// Appends `key: value` and the end of the line; the line's indent is there.
fn push_entry(out: &mut String, indent: usize, key: &str, value: &Yaml) {
    let before = out.len();
    push_key(out, key, indent);
    out.push(':');
    let used = indent + out.len() - before;
    match value {
        Yaml::Text(_) | Yaml::Plain(_) => push_scalar(out, value),
        Yaml::List(_) | Yaml::Map(_) => match (value.in_line(used), value) {
            (Some(flow), _) => {
                let _ = writeln!(out, " {flow}");
            }
            (None, Yaml::Map(entries)) => {
                out.push('\n');
                entries.push(out, indent + 2);
            }
            (None, other) => {
                out.push('\n');
                push_items(out, indent + 2, other);
            }
        },
    }
}

/// Appends the items of a list in block style.
fn push_items(out: &mut String, indent: usize, list: &Yaml) {
    let Yaml::List(items) = list else { return };
    for item in items {
        match (item, item.in_line(indent + 1)) {
            (Yaml::Text(_) | Yaml::Plain(_), _) => {
                let _ = write!(out, "{:indent$}-", "");
                push_scalar(out, item);
            }
            (Yaml::Map(entries), None) => entries.push_as_item(out, indent),
            (_, flow) => {
                // A list in a list has no block style here: nothing of the language has one.
                let mut flow = flow.unwrap_or_default();
                if flow.is_empty() {
                    item.push_flow(&mut flow);
                }
                let _ = writeln!(out, "{:indent$}- {flow}", "");
            }
        }
    }
}

/// Appends a blank, a scalar in block style and the end of the line.
fn push_scalar(out: &mut String, value: &Yaml) {
    out.push(' ');
    match value {
        Yaml::Text(text) if is_plain(text, true) => out.push_str(text),
        other => other.push_flow(out),
    }
    out.push('\n');
}

/// Whether a text of several words, or with what kubectl writes into them, can stand without
/// quotes: nothing in it ends a scalar or begins a comment. In a block, brackets and commas do
/// neither.
fn is_plain(text: &str, in_block: bool) -> bool {
    let mut one_word = String::new();
    push_string(&mut one_word, text);
    if one_word == text {
        return true;
    }
    let is_allowed = |byte: u8| {
        let common = byte.is_ascii_alphanumeric() || b"-_./=: ".contains(&byte);
        common || in_block && b"{},()!'+<>%".contains(&byte)
    };
    // One word that is quoted for another reason than its `=` and `:` stays so.
    let is_more = text.contains(['=', ':', ' ']) || in_block && text.contains('{');
    is_more
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(is_allowed)
        && !text.ends_with([':', ' '])
        && !text.contains(": ")
        && !text.contains("  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_is_flow_and_long_is_block() {
        let mut pod = Entries::default();
        pod.text("name", "web-{0..2}");
        pod.put("tolerations", Yaml::texts(["maintenance:NoExecute op=Exists for 60s".into()]));
        let mut out = String::new();
        let mut spec = Entries::default();
        spec.put("pods", Yaml::List(vec![Yaml::Map(pod.clone())]));
        pod.text("namespace", &"n".repeat(60));
        spec.put("more", Yaml::List(vec![Yaml::Map(pod)]));
        spec.push(&mut out, 2);
        assert_eq!(
            out,
            format!(
                "  pods: [{{name: \"web-{{0..2}}\", tolerations: [maintenance:NoExecute op=Exists for \
                 60s]}}]\n  more:\n    - name: web-{{0..2}}\n      tolerations: [maintenance:NoExecute \
                 op=Exists for 60s]\n      namespace: {}\n",
                "n".repeat(60)
            )
        );
    }

    #[test]
    fn quotes_stand_where_they_have_to() {
        for (text, flow, block) in [
            ("a", true, true),
            ("true", false, false),
            ("a b", true, true),
            ("taint nodes node-{0..2} a=b:NoExecute", false, true),
            ("delete pod -l 'app in (a,b)'", false, true),
            ("a: b", false, false),
            ("a #b", false, false),
            ("a:", false, false),
            ("a ", false, false),
            ("- a", false, false),
            ("op=Exists", true, true),
            (":NoExecute op=Exists", false, false),
            ("web-{0..2}", false, true),
            ("{a,b}-0", false, false),
            ("1m", false, false),
            ("é", false, false),
        ] {
            assert_eq!((is_plain(text, false), is_plain(text, true)), (flow, block), "{text}");
        }
    }
}
