//! `--set PATH=VALUE`: changes a scenario as written, before ranges expand.
//!
//! A path is dotted from the document's root: `spec.pods[*].tolerations[0].tolerationSeconds`,
//! `spec.pods[name=web-0].nodeName`; a dot in a key is written `\.`. Values are YAML scalars;
//! `null` deletes. Every key of a path has to stand in the file: what is not there is a slip more
//! often than an addition. Nothing that a path means is passed over in silence.

mod hints;
mod short_forms;

use super::diagnostic::{Diagnostics, escape};
use super::reader;
use super::resolve::Resolver;
use super::source::Sources;
use super::tree::{Key, Node, Place, Value};

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
        let (message, help) = match text.contains('=') {
            true => ("`[` without `]`", "close it, as in spec.pods[0].nodeName=node-0"),
            false => ("there is no `=`", "write PATH=VALUE, such as spec.seed=7"),
        };
        r.diagnostics.error_help(place(0, text.len()), message, help);
        return;
    };
    let (path, value) = (&text[..equals], &text[equals + 1..]);
    let path_place = place(0, equals);
    let value_place = place(equals + 1, text.len());
    let segments = match parse_path(path) {
        Ok(segments) => segments,
        Err(message) => {
            let help =
                "a path is spec.seed, spec.pods[0].nodeName or spec.pods[name=web-0].labels.app";
            return r.diagnostics.error_help(path_place, message, help);
        }
    };
    let value = match parse_value(value) {
        Ok(value) => value.map(|value| Node { place: value_place, value }),
        Err(message) => {
            let help =
                "write one value, such as 60, true or node-0; lists and mappings cannot be set";
            return r.diagnostics.error_help(value_place, message, help);
        }
    };
    let mut done = Done::default();
    for document in &mut *documents {
        change(document, &segments, value.as_ref(), "", &mut done);
    }
    let is_refused = !done.texts.is_empty() || done.unmodelled;
    if done.unmodelled {
        let message = format!("nothing at `{path}` is modelled: a change there changes nothing");
        r.diagnostics.error_help(path_place, message, "remove this `--set`");
    }
    for (place, field) in done.texts {
        let message =
            format!("the path `{path}` cannot reach into this: it is written as a string");
        let help = short_forms::as_mapping(r.sources.slice(place), &field);
        r.diagnostics.error_help(place, message, help);
    }
    if done.matched > 0 && done.unchanged == done.matched && !is_refused {
        r.notice(path_place, format!("`{path}` has this value already: nothing is changed"));
    }
    match (done.matched, done.passed_over) {
        (0, _) if is_refused => {}
        (0, _) => {
            let message = hints::message(path, &segments, documents);
            let help = hints::help(path, &segments, value.as_ref(), documents, r);
            r.diagnostics.error_help(path_place, message, help);
        }
        (_, 0) => {}
        (matched, passed_over) => {
            let all = matched + passed_over;
            let text = format!(
                "`{path}` changes {matched} of {all} places; the others have no such key and stay \
                 as they are"
            );
            r.notice(path_place, text);
        }
    }
}

/// What a change did.
#[derive(Debug, Default)]
struct Done {
    /// How many places were changed.
    matched: usize,
    /// How many of these had the value already.
    unchanged: usize,
    /// How many places `[*]` or a condition means, without the rest of the path.
    passed_over: usize,
    /// Entries written as a string, into which the path leads, and the list's key.
    texts: Vec<(Place, String)>,
    /// The path leads into a part of a dump that nobody reads.
    unmodelled: bool,
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

/// Sets or deletes what the path leads to. `list` is the key under which the node stands.
fn change(
    node: &mut Node,
    segments: &[Segment],
    value: Option<&Node>,
    list: &str,
    done: &mut Done,
) {
    if matches!(node.value, Value::Skipped) {
        done.unmodelled = true;
        return;
    }
    let Some((first, rest)) = segments.split_first() else {
        if let Some(value) = value {
            done.unchanged += usize::from(is_same(&node.value, &value.value));
            *node = value.clone();
        }
        done.matched += 1;
        return;
    };
    let delete = rest.is_empty() && value.is_none();
    match (&mut node.value, first) {
        (Value::Mapping(entries), Segment::Key(wanted)) => {
            if delete {
                let skipped = |(key, node): &(Key, Node)| {
                    *key.text == **wanted && matches!(node.value, Value::Skipped)
                };
                done.unmodelled |= entries.iter().any(skipped);
                let before = entries.len();
                entries.retain(|(key, _)| *key.text != **wanted);
                done.matched += before - entries.len();
                return;
            }
            for (_, child) in entries.iter_mut().filter(|(key, _)| *key.text == **wanted) {
                change(child, rest, value, wanted, done);
            }
        }
        (Value::Sequence(items), segment) => {
            let many = matches!(segment, Segment::All | Segment::Having(..));
            let mut index = 0;
            items.retain_mut(|item| {
                let hit = is_hit(item, index, segment, list);
                index += 1;
                if hit && delete {
                    done.matched += 1;
                    return false;
                }
                if hit && !rest.is_empty() && short_forms::is_one(item, list) {
                    done.texts.push((item.place, list.to_owned()));
                } else if hit {
                    let before = (done.matched, done.texts.len(), done.passed_over);
                    change(item, rest, value, list, done);
                    let nothing = before == (done.matched, done.texts.len(), done.passed_over);
                    done.passed_over += usize::from(many && nothing);
                }
                true
            });
        }
        _ => {}
    }
}

fn is_same(old: &Value, new: &Value) -> bool {
    match (old, new) {
        (Value::Plain(old), Value::Plain(new)) => old == new,
        (Value::Quoted(old), Value::Quoted(new)) => old == new,
        _ => false,
    }
}

fn is_hit(item: &Node, index: usize, segment: &Segment, list: &str) -> bool {
    match segment {
        Segment::Key(_) => false,
        Segment::Index(wanted) => index == *wanted,
        Segment::All => true,
        Segment::Having(key, wanted) => match short_forms::is_one(item, list) {
            true => short_forms::has(item, list, key, wanted),
            false => field_text(item, key).is_some_and(|text| text == wanted),
        },
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

fn to_u32(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
