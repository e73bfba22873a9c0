//! What is said about a path that leads nowhere: how far it leads, and what to do instead.

use super::{Segment, field_text};
use crate::scenario::diagnostic::nearest;
use crate::scenario::resolve::Resolver;
use crate::scenario::tree::{Node, Value};

/// Top-level settings that have an option of their own.
const OPTIONS: [(&str, &str); 3] =
    [("until", "--until"), ("seed", "--seed"), ("kubernetesVersion", "--kubernetes-version")];

/// What `--set` can do.
const RULE: &str = "`--set` changes keys that stand in the file (null deletes)";

/// How far the path leads.
pub(super) fn message(path: &str, segments: &[Segment], documents: &[Node]) -> String {
    let reached = documents.iter().map(|document| reach(document, segments)).max().unwrap_or(0);
    let before = written(&segments[..reached]);
    let here = if before.is_empty() { "the document".to_owned() } else { format!("`{before}`") };
    let lacks = match segments.get(reached) {
        Some(Segment::Key(key)) => format!("{here} has no key `{key}`"),
        Some(segment) => format!("{here} has no item `{}`", written(std::slice::from_ref(segment))),
        None => format!("{here} is not there"),
    };
    format!("the path `{path}` matches nothing in the file: {lacks}")
}

/// What to do instead.
pub(super) fn help(
    path: &str,
    segments: &[Segment],
    value: Option<&Node>,
    documents: &[Node],
    r: &Resolver,
) -> String {
    let value = value.map(|node| r.sources.slice(node.place));
    if let [Segment::Key(spec), Segment::Key(key)] = segments
        && spec == "spec"
        && let Some((_, option)) = OPTIONS.iter().find(|(known, _)| known == key)
    {
        return match value {
            Some(value) => {
                format!("write `{option} {value}`, or add `{key}: {value}` to `spec`; {RULE}")
            }
            None => "there is nothing to delete".to_owned(),
        };
    }
    if let Some(right) = documents.iter().find_map(|document| repaired(document, segments)) {
        return format!("the nearest is {}", written(&right));
    }
    let near = nearest_path(path, documents);
    if let Some(near) = &near
        && strsim::levenshtein(path, near) <= path.len() / 4
    {
        return format!("the nearest is {near}");
    }
    let near = near.map(|near| format!("the nearest is {near}"));
    let add = value.and_then(|value| addition(segments, value, documents));
    match (near, add) {
        (Some(near), Some(add)) => format!("{near}; {RULE}: {add}"),
        (None, Some(add)) => format!("{RULE}: {add}"),
        (Some(near), None) => near,
        (None, None) => RULE.to_owned(),
    }
}

/// The line that would have to be in the file.
fn addition(segments: &[Segment], value: &str, documents: &[Node]) -> Option<String> {
    let reached = documents.iter().map(|document| reach(document, segments)).max()?;
    let (before, lacking) = segments.split_at(reached);
    let mut text = value.to_owned();
    for (depth, segment) in lacking.iter().enumerate().rev() {
        let Segment::Key(key) = segment else { return None };
        text = if depth == 0 { format!("{key}: {text}") } else { format!("{{{key}: {text}}}") };
    }
    let place =
        if before.is_empty() { String::new() } else { format!(" to `{}`", written(before)) };
    Some(format!("add `{text}`{place}"))
}

/// The path with the nearest key of the file in the place of each that is not there; `None` where
/// one of them is near to nothing.
fn repaired(node: &Node, segments: &[Segment]) -> Option<Vec<Segment>> {
    let Some((first, rest)) = segments.split_first() else { return Some(Vec::new()) };
    let (first, mut deeper) = match (&node.value, first) {
        (Value::Mapping(entries), Segment::Key(wanted)) => {
            let keys = || entries.iter().map(|(key, _)| &*key.text);
            let right = keys().find(|key| key == wanted).or_else(|| nearest(wanted, keys()))?;
            let (_, child) = entries.iter().find(|(key, _)| *key.text == *right)?;
            (Segment::Key(right.to_owned()), repaired(child, rest)?)
        }
        (Value::Sequence(items), segment) => {
            let is_hit = |index: usize, item: &Node| match segment {
                Segment::Key(_) => false,
                Segment::All => true,
                Segment::Index(wanted) => index == *wanted,
                Segment::Having(key, wanted) => field_text(item, key) == Some(wanted),
            };
            let mut hits = items.iter().enumerate().filter(|(index, item)| is_hit(*index, item));
            (segment.clone(), hits.find_map(|(_, item)| repaired(item, rest))?)
        }
        _ => return None,
    };
    deeper.insert(0, first);
    Some(deeper)
}

/// How many segments lead to something.
fn reach(node: &Node, segments: &[Segment]) -> usize {
    let Some((first, rest)) = segments.split_first() else { return 0 };
    let deeper = |child: &Node| 1 + reach(child, rest);
    match (&node.value, first) {
        (Value::Mapping(entries), Segment::Key(wanted)) => {
            let found = entries.iter().filter(|(key, _)| *key.text == **wanted);
            found.map(|(_, child)| deeper(child)).max().unwrap_or(0)
        }
        (Value::Sequence(items), segment) => {
            let hits = items.iter().enumerate().filter(|(index, item)| match segment {
                Segment::Key(_) => false,
                Segment::All => true,
                Segment::Index(wanted) => index == wanted,
                Segment::Having(key, wanted) => field_text(item, key) == Some(wanted),
            });
            hits.map(|(_, item)| deeper(item)).max().unwrap_or(0)
        }
        _ => 0,
    }
}

/// Segments as a path is written.
fn written(segments: &[Segment]) -> String {
    let mut text = String::new();
    for segment in segments {
        match segment {
            Segment::Key(key) => {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(&key.replace('.', "\\."));
            }
            Segment::Index(index) => text.push_str(&format!("[{index}]")),
            Segment::All => text.push_str("[*]"),
            Segment::Having(key, value) => text.push_str(&format!("[{key}={value}]")),
        }
    }
    text
}

/// How many paths a wrong one is compared with at most.
const COMPARED: usize = 5_000;

/// The nearest path that there is, written in the manner of the wrong one.
fn nearest_path(path: &str, documents: &[Node]) -> Option<String> {
    let mut all = Vec::new();
    for document in documents {
        list_paths(document, String::new(), path, &mut all);
    }
    all.sort_unstable();
    all.dedup();
    all.into_iter().min_by_key(|candidate| strsim::levenshtein(path, candidate))
}

fn list_paths(node: &Node, prefix: String, manner: &str, all: &mut Vec<String>) {
    if all.len() >= COMPARED {
        return;
    }
    match &node.value {
        Value::Mapping(entries) => {
            for (key, child) in entries {
                let key = key.text.replace('.', "\\.");
                let dot = if prefix.is_empty() { "" } else { "." };
                list_paths(child, format!("{prefix}{dot}{key}"), manner, all);
            }
        }
        Value::Sequence(items) => {
            for (index, child) in items.iter().enumerate() {
                let name = field_text(child, "name").filter(|_| manner.contains("[name="));
                let brackets = match name {
                    Some(name) => format!("[name={name}]"),
                    None if manner.contains("[*]") => "[*]".into(),
                    None => format!("[{index}]"),
                };
                list_paths(child, format!("{prefix}{brackets}"), manner, all);
            }
        }
        _ => {}
    }
    if !prefix.is_empty() {
        all.push(prefix);
    }
}
