//! Text as YAML: scalars that every reader of YAML 1.1 and 1.2 takes for strings, and mappings in
//! one line where they are short.

use std::fmt::Write as _;

/// Longest line in flow style, from its first character.
const FLOW_CHARACTERS_MAX: usize = 88;
/// YAML gives up on keys of more than 1024 characters that are not marked as keys.
const PLAIN_KEY_BYTES_MAX: usize = 200;

/// Words that some version of YAML reads as a boolean or null.
const WORDS: [&str; 9] = ["true", "false", "yes", "no", "on", "off", "y", "n", "null"];

/// Appends a string: plain where nobody can misread it, else in double quotes.
pub(crate) fn push_string(out: &mut String, text: &str) {
    if is_plain(text) {
        out.push_str(text);
        return;
    }
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            ' '..='~' => out.push(c),
            _ if c.is_alphanumeric() => out.push(c),
            _ if u32::from(c) <= 0xffff => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            _ => {
                let _ = write!(out, "\\U{:08x}", u32::from(c));
            }
        }
    }
    out.push('"');
}

fn is_plain(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'/'))
        && !WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// A value in a mapping that this module writes.
pub(crate) enum Value<'t> {
    Text(&'t str),
    Integer(i64),
}

impl Value<'_> {
    fn push(&self, out: &mut String) {
        match self {
            Value::Text(text) => push_string(out, text),
            Value::Integer(number) => {
                let _ = write!(out, "{number}");
            }
        }
    }
}

/// Appends `{key: value, …}` and the end of the line where that is short; else, where `indent`
/// says how deep the lines below may stand, a line for each entry. There is at least one entry.
pub(crate) fn push_mapping(out: &mut String, entries: &[(&str, Value<'_>)], indent: Option<usize>) {
    let mut flow = String::from("{");
    for (index, (key, value)) in entries.iter().enumerate() {
        if index > 0 {
            flow.push_str(", ");
        }
        push_string(&mut flow, key);
        flow.push_str(": ");
        value.push(&mut flow);
    }
    flow.push('}');
    let Some(indent) = indent.filter(|_| flow.len() > FLOW_CHARACTERS_MAX) else {
        let _ = writeln!(out, " {flow}");
        return;
    };
    out.push('\n');
    for (key, value) in entries {
        let _ = write!(out, "{:indent$}", "");
        push_key(out, key, indent);
        out.push_str(": ");
        value.push(out);
        out.push('\n');
    }
}

/// Appends the key of a mapping in block style, up to its `:`, where the line's indent is there.
pub(crate) fn push_key(out: &mut String, key: &str, indent: usize) {
    if key.len() > PLAIN_KEY_BYTES_MAX {
        out.push_str("? ");
        push_string(out, key);
        let _ = write!(out, "\n{:indent$}", "");
    } else {
        push_string(out, key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn string(text: &str) -> String {
        let mut out = String::new();
        push_string(&mut out, text);
        out
    }

    #[test]
    fn what_could_be_misread_is_quoted() {
        for plain in ["a", "node-1", "node.kubernetes.io/not-ready", "NoExecute", "nothing", "e3"] {
            assert_eq!(string(plain), plain);
        }
        for text in [
            "",
            "1",
            "-1",
            "0x1",
            "1e3",
            "true",
            "Yes",
            "NO",
            "y",
            "~",
            "Null",
            ".inf",
            "a: b",
            "a b",
            "a#",
            "- a",
            "[",
            "{a}",
            "*",
            "&a",
            "!a",
            "%",
            "@",
            "2024-01-01",
            "a\nb",
            "é",
        ] {
            assert!(string(text).starts_with('"'), "{text}");
        }
        assert_eq!(string("a\u{1b}\"\\\u{202e}\u{1f600}"), r#""a\u001b\"\\\u202e\U0001f600""#);
    }

    proptest! {
        #[test]
        fn every_string_comes_back(text in any::<String>(), key in "\\PC{0,300}") {
            let read: String = serde_yaml::from_str(&string(&text)).unwrap();
            prop_assert_eq!(&read, &text);
            let mut out = String::from("m:");
            push_mapping(&mut out, &[(&key, Value::Text(&text))], Some(2));
            let mut sources = crate::scenario::source::Sources::default();
            let mut diagnostics = crate::scenario::diagnostic::Diagnostics::default();
            let source = sources.add("x", out.clone());
            let read = crate::scenario::reader::read(&sources, source, &mut diagnostics);
            prop_assert!(diagnostics.is_empty(), "{}: {:?}", out, diagnostics);
            let shown = format!("{read:?}");
            prop_assert!(shown.contains(&format!("Quoted({text:?})"))
                || shown.contains(&format!("Plain({text:?})")), "{}: {}", out, shown);
        }
    }
}
