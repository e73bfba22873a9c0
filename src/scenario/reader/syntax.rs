//! YAML that cannot be parsed, in words that help: what the parser says is about its own state.

use std::ops::Range;

use super::{columns, to_u32};
use crate::scenario::diagnostic::Diagnostic;
use crate::scenario::tree::Place;

/// What the parser says, what that means, and what to do.
const MEANINGS: [(&str, &str, &str); 9] = [
    (
        "mapping values are not allowed",
        "a `:` where no key can stand",
        "look for a missing quote or a wrong indentation in this line or above it",
    ),
    ("simple key expect", "a line that is no `key: value`", "put a `:` and a blank after the key"),
    (
        "did not find expected key",
        "a line that fits no mapping around it",
        "keys of one mapping begin in the same column",
    ),
    (
        "did not find expected '-' indicator",
        "a line that fits no list around it",
        "items of one list begin with `- ` in the same column",
    ),
    (
        "',' or '}'",
        "a mapping in braces that does not end",
        "put a `,` between entries, `}` at the end",
    ),
    (
        "',' or ']'",
        "a list in brackets that does not end",
        "put a `,` between items, `]` at the end",
    ),
    ("unknown anchor", "an alias (`*name`) without its anchor (`&name`)", QUOTE_STAR),
    ("alias", "an alias (`*`) without a name", QUOTE_STAR),
    ("anchor", "an anchor (`&`) without a name", "quote a value that begins with `&`"),
];

const QUOTE_STAR: &str = "a target that means all is written \"*\", with the quotes";

/// The mistake behind what the parser says about the byte `at`.
pub(super) fn explain(text: &str, source: u16, at: usize, info: &str) -> Diagnostic {
    let place =
        |range: Range<usize>| Place { source, start: to_u32(range.start), end: to_u32(range.end) };
    if let Some(range) = unquoted_range(text, at) {
        let word = &text[range.clone()];
        return Diagnostic::new(place(range), format!("the range in `{word}` is not quoted"))
            .help(format!("in flow style (inside {{}} or []) write it as \"{word}\""));
    }
    if let Some(range) = foreign_first_line(text) {
        return Diagnostic::new(place(range), "this line is not YAML")
            .help("remove messages and prompts of the terminal around the output of kubectl");
    }
    if let Some(tab) = indenting_tab(text, at, info) {
        return Diagnostic::new(place(tab..tab + 1), "a line is indented with a tab")
            .help("YAML is indented with blanks");
    }
    if let Some((range, message, help)) = columns::off_by_a_little(text, at, info) {
        return Diagnostic::new(place(range), message).help(help);
    }
    let end = at + text[at..].chars().next().map_or(0, char::len_utf8);
    match MEANINGS.iter().find(|(said, _, _)| info.contains(said)) {
        Some((_, meaning, help)) => {
            Diagnostic::new(place(at..end), format!("this is not YAML: {meaning}")).help(*help)
        }
        None => Diagnostic::new(place(at..end), format!("this is not YAML: {info}")),
    }
}

/// The tab that indents the line of `at`. Where the parser speaks of tabs, it may have begun at a
/// scalar of an earlier line, and the tab stands below.
fn indenting_tab(text: &str, at: usize, info: &str) -> Option<usize> {
    let mut start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    let speaks_of_tabs = info.contains("tab");
    for line in text[start..].split_inclusive('\n').take(if speaks_of_tabs { 100 } else { 1 }) {
        let indent = &line[..line.len() - line.trim_start().len()];
        if let Some(tab) = indent.find('\t') {
            return Some(start + tab);
        }
        start += line.len();
    }
    None
}

/// The first line, where a manifest or scenario begins only after it.
fn foreign_first_line(text: &str) -> Option<Range<usize>> {
    let begins = |line: &str| line.starts_with("apiVersion:") || line.starts_with("kind:");
    let first = text.lines().next()?;
    let foreign = !first.trim().is_empty()
        && !begins(first)
        && !first.starts_with(['#', '%', '-', '{', '['])
        && !first.trim_end().ends_with(':');
    (foreign && text.lines().skip(1).take(20).any(begins)).then_some(0..first.len())
}

/// The word around an unquoted range (`node-{0..2}`) in the line of a syntax error, if there is
/// one: braces that touch a word, which flow style does not allow.
fn unquoted_range(text: &str, at: usize) -> Option<std::ops::Range<usize>> {
    let line_start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    // The parser may notice only in the line below.
    let previous = text[..line_start.saturating_sub(1)].rfind('\n').map_or(0, |i| i + 1);
    let line_end = text[at..].find('\n').map_or(text.len(), |i| at + i);
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    for start in [line_start, previous] {
        let line = &text[start..line_end];
        let mut from = 0;
        while let Some(open) = line[from..].find('{').map(|i| from + i) {
            from = open + 1;
            let Some(close) = line[open..].find('}').map(|i| open + i) else { break };
            let inside = &line[open + 1..close];
            let ranged = inside.contains("..") || inside.contains(',');
            let simple = inside.chars().all(|c| is_word(c) || c == ',');
            let word = line[..open].trim_end_matches(is_word).len();
            let quoted = line[..word].ends_with(['"', '\'']);
            if !ranged
                || !simple
                || quoted
                || word == open && !line[close + 1..].starts_with(is_word)
            {
                continue;
            }
            let rest = &line[close + 1..];
            let tail = rest.find(|c| !is_word(c) && c != '{').unwrap_or(rest.len());
            let tail = if rest[..tail].contains('{') { 0 } else { tail };
            return Some(start + word..start + close + 1 + tail);
        }
    }
    None
}
