//! `--set PATH=VALUE`: changes a scenario as written, before ranges expand.
//!
//! A path is dotted from the document's root: `spec.pods[*].tolerations[0].tolerationSeconds`,
//! `spec.pods[name=web-0].nodeName`; a dot in a key is written `\.`. Values are YAML scalars;
//! `null` deletes.

use super::diagnostic::{Diagnostics, escape};
use super::reader;
use super::resolve::Resolver;
use super::source::Sources;
use super::tree::{Node, Place, Value};

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Segment {
    Key(String),
    Index(usize),
    All,
    /// The items whose key has this value.
    Having(String, String),
}

/// Applies `PATH=VALUE` to the documents; mistakes go to the resolver.
pub(super) fn apply(text: &str, documents: &mut [Node], r: &mut Resolver) {
    let source = r.sources.add("--set", text.to_owned());
    let place = |start: usize, end: usize| Place { source, start: to_u32(start), end: to_u32(end) };
    let Some(equals) = find_equals(text) else {
        let help = "write PATH=VALUE, such as spec.seed=7";
        r.diagnostics.error_help(place(0, text.len()), "there is no `=`", help);
        return;
    };
    let (path, value) = (&text[..equals], &text[equals + 1..]);
    let path_place = place(0, equals);
    let value_place = place(equals + 1, text.len());
    let segments = match parse_path(path) {
        Ok(segments) => segments,
        Err(message) => return r.diagnostics.error(path_place, message),
    };
    let value = match parse_value(value) {
        Ok(value) => value.map(|value| Node { place: value_place, value }),
        Err(message) => return r.diagnostics.error(value_place, message),
    };
    let mut matched = 0;
    for document in &mut *documents {
        matched += change(document, &segments, value.as_ref());
    }
    if matched == 0 {
        let message = format!("the path `{path}` matches nothing in the file");
        match nearest_path(path, documents) {
            Some(near) => {
                r.diagnostics.error_help(path_place, message, format!("the nearest is {near}"));
            }
            None => r.diagnostics.error(path_place, message),
        }
    }
}

/// The `=` between path and value: the first one outside of brackets.
fn find_equals(text: &str) -> Option<usize> {
    let mut depth = 0u32;
    let mut escaped = false;
    for (index, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            '=' if depth == 0 => return Some(index),
            _ => {}
        }
    }
    None
}

fn parse_path(path: &str) -> Result<Vec<Segment>, String> {
    let mut segments = Vec::new();
    let mut chars = path.chars().peekable();
    let mut expect_key = true;
    while let Some(c) = chars.peek().copied() {
        if c == '[' {
            chars.next();
            let mut inside = String::new();
            loop {
                match chars.next() {
                    Some(']') => break,
                    Some(c) => inside.push(c),
                    None => return Err(format!("`[` without `]` in the path `{path}`")),
                }
            }
            segments.push(parse_brackets(&inside, path)?);
            expect_key = false;
            continue;
        }
        if c == '.' && !expect_key {
            chars.next();
            expect_key = true;
            if chars.peek().is_none() {
                return Err(format!("the path `{path}` ends with a dot"));
            }
            continue;
        }
        if !expect_key {
            return Err(format!("a dot is missing after `]` in the path `{path}`"));
        }
        let mut key = String::new();
        while let Some(c) = chars.next_if(|c| !matches!(c, '.' | '[')) {
            key.push(if c == '\\' { chars.next().unwrap_or('\\') } else { c });
        }
        if key.is_empty() {
            return Err(format!("a key is missing in the path `{path}`"));
        }
        segments.push(Segment::Key(key));
        expect_key = false;
    }
    if segments.is_empty() { Err("the path is empty".into()) } else { Ok(segments) }
}

fn parse_brackets(inside: &str, path: &str) -> Result<Segment, String> {
    if inside == "*" {
        return Ok(Segment::All);
    }
    if let Some((key, value)) = inside.split_once('=') {
        return Ok(Segment::Having(key.to_owned(), value.to_owned()));
    }
    let digits = !inside.is_empty() && inside.bytes().all(|b| b.is_ascii_digit());
    let index = if digits { inside.parse().ok() } else { None };
    index.map(Segment::Index).ok_or_else(|| {
        format!("`[{inside}]` in the path `{path}` is not [2] (from 0), [*] or [name=web-0]")
    })
}

/// A scalar; `None` is null, which deletes.
fn parse_value(text: &str) -> Result<Option<Value>, String> {
    if matches!(text.trim(), "null" | "~") {
        return Ok(None);
    }
    if text.trim().is_empty() {
        return Err("the value is missing; write null to delete, \"\" for an empty string".into());
    }
    let mut sources = Sources::default();
    let source = sources.add("value", text.to_owned());
    let mut diagnostics = Diagnostics::default();
    let mut documents = reader::read(&sources, source, &mut diagnostics);
    let value = documents.pop().map(|node| node.value);
    match value {
        Some(value @ (Value::Plain(_) | Value::Quoted(_)))
            if documents.is_empty() && diagnostics.is_empty() =>
        {
            Ok(Some(value))
        }
        _ => Err(format!("`{}` is no YAML scalar; a string may need quotes", escape(text))),
    }
}

/// Sets or deletes what the path leads to; gives how many places that were.
fn change(node: &mut Node, segments: &[Segment], value: Option<&Node>) -> usize {
    let Some((first, rest)) = segments.split_first() else {
        if let Some(value) = value {
            *node = value.clone();
        }
        return 1;
    };
    let delete = rest.is_empty() && value.is_none();
    let mut matched = 0;
    match (&mut node.value, first) {
        (Value::Mapping(entries), Segment::Key(wanted)) => {
            if delete {
                let before = entries.len();
                entries.retain(|(key, _)| *key.text != **wanted);
                return before - entries.len();
            }
            for (_, child) in entries.iter_mut().filter(|(key, _)| *key.text == **wanted) {
                matched += change(child, rest, value);
            }
        }
        (Value::Sequence(items), segment) => {
            let mut index = 0;
            items.retain_mut(|item| {
                let hit = is_hit(item, index, segment);
                index += 1;
                if hit && delete {
                    matched += 1;
                    return false;
                }
                if hit {
                    matched += change(item, rest, value);
                }
                true
            });
        }
        _ => {}
    }
    matched
}

fn is_hit(item: &Node, index: usize, segment: &Segment) -> bool {
    match segment {
        Segment::Key(_) => false,
        Segment::Index(wanted) => index == *wanted,
        Segment::All => true,
        Segment::Having(key, wanted) => field_text(item, key).is_some_and(|text| text == wanted),
    }
}

fn field_text<'t>(node: &'t Node, wanted: &str) -> Option<&'t str> {
    let Value::Mapping(entries) = &node.value else { return None };
    let (_, node) = entries.iter().find(|(key, _)| *key.text == *wanted)?;
    match &node.value {
        Value::Plain(text) | Value::Quoted(text) => Some(text),
        _ => None,
    }
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

fn to_u32(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
