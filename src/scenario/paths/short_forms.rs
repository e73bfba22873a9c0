//! Taints and tolerations that are written as a string: `--set` cannot change a part of one.

use crate::objects::{Taint, Toleration};
use crate::scenario::language::{parse_toleration, split_taint};
use crate::scenario::reader::not_a_string;
use crate::scenario::tree::{Node, Value};

/// Keys of lists whose entries may be strings that stand for mappings.
const TAINTS: [&str; 3] = ["taints", "add", "replace"];
const TOLERATIONS: &str = "tolerations";

/// Whether an item of the list under `list` is a string that stands for a mapping.
pub(super) fn is_one(item: &Node, list: &str) -> bool {
    let known = list == TOLERATIONS || TAINTS.contains(&list);
    known && matches!(item.value, Value::Plain(_) | Value::Quoted(_))
}

/// Whether the mapping that the item stands for has this value under `key`.
pub(super) fn has(item: &Node, list: &str, key: &str, wanted: &str) -> bool {
    let (Value::Plain(text) | Value::Quoted(text)) = &item.value else { return false };
    fields(text, list).iter().any(|(own, value)| *own == key && value == wanted)
}

/// How the entry is written as a mapping; `source` is its text in the file.
pub(super) fn as_mapping(source: &str, list: &str) -> String {
    let text = source.trim_matches(['"', '\'']);
    let word = |(key, value): &(&str, String)| match *key {
        "tolerationSeconds" => format!("{key}: {value}"),
        _ => format!("{key}: {}", scalar(value)),
    };
    let words: Vec<String> = fields(text, list).iter().map(word).collect();
    match words.is_empty() {
        true => "write it as a mapping with the keys key, operator, value and effect".to_owned(),
        false => format!("write it as {{{}}}", words.join(", ")),
    }
}

fn fields(text: &str, list: &str) -> Vec<(&'static str, String)> {
    if list == TOLERATIONS {
        return parse_toleration(text)
            .map(|toleration| of_toleration(&toleration))
            .unwrap_or_default();
    }
    let Some((key, value, effect)) = split_taint(text) else { return Vec::new() };
    of_taint(&Taint::new(key, value, crate::objects::Effect::parse(effect)))
}

fn of_taint(taint: &Taint) -> Vec<(&'static str, String)> {
    let mut fields = vec![("key", taint.key.to_string())];
    if !taint.value.is_empty() {
        fields.push(("value", taint.value.to_string()));
    }
    fields.push(("effect", taint.effect.as_str().to_owned()));
    fields
}

fn of_toleration(toleration: &Toleration) -> Vec<(&'static str, String)> {
    let mut fields = Vec::new();
    for (key, value) in [
        ("key", &*toleration.key),
        ("operator", toleration.operator.as_str()),
        ("value", &*toleration.value),
        ("effect", toleration.effect.as_ref().map_or("", |effect| effect.as_str())),
    ] {
        if !value.is_empty() {
            fields.push((key, value.to_owned()));
        }
    }
    let seconds = toleration.toleration_seconds;
    fields.extend(seconds.map(|seconds| ("tolerationSeconds", seconds.to_string())));
    fields
}

/// Text as a YAML scalar: quoted where it would be read as something else.
fn scalar(text: &str) -> String {
    let is_safe = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    let plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(is_safe)
        && !not_a_string(text);
    if plain { text.to_owned() } else { format!("\"{text}\"") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_rewritten_as_mappings() {
        for (text, list, expected) in [
            (
                "\"dedicated=infra:NoExecute for 60s\"",
                "tolerations",
                "write it as {key: dedicated, value: infra, effect: NoExecute, tolerationSeconds: 60}",
            ),
            (
                "m:NoExecute op=Exists",
                "tolerations",
                "write it as {key: m, operator: Exists, effect: NoExecute}",
            ),
            ("a=1:NoExecute", "taints", "write it as {key: a, value: \"1\", effect: NoExecute}"),
            ("a=true:NoExecute", "add", "write it as {key: a, value: \"true\", effect: NoExecute}"),
            (
                "a b",
                "tolerations",
                "write it as a mapping with the keys key, operator, value and effect",
            ),
        ] {
            assert_eq!(as_mapping(text, list), expected, "{text}");
        }
    }
}
