//! YAML that cannot be parsed, in words that help: what the parser says is about its own state.

use std::ops::Range;

use super::repair::Edit;
use super::{columns, to_u32};
use crate::objects::Effect;
use crate::scenario::diagnostic::Diagnostic;
use crate::scenario::tree::Place;

/// What the parser says, what that means, and what to do.
const MEANINGS: [(&str, &str, &str); 13] = [
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
    (
        "indentation in flow construct",
        "a line inside a bracket or brace that does not end above",
        "put the missing `]` or `}` where the list or mapping ends",
    ),
    (
        "misplaced bracket",
        "a `]` or `}` without its `[` or `{`",
        "remove it, or put the opening one where the list or mapping begins",
    ),
    (
        "trailing content",
        "text after a closing quote",
        "put the whole text into the quotes, or a `,` behind them",
    ),
    ("expected node content", "a value is missing", "write the value, or quote it"),
    ("indentation in quoted scalar", OPEN_QUOTE, CLOSE_QUOTE),
    ("quoted scalar, found unexpected end", OPEN_QUOTE, CLOSE_QUOTE),
    (
        "while parsing a quoted scalar",
        "a `\\` in double quotes that begins no escape of YAML",
        "write the text in single quotes, such as 'C:\\dump.yaml', or each `\\` twice",
    ),
];

const OPEN_QUOTE: &str = "a quote that is not closed";
const CLOSE_QUOTE: &str = "put the closing quote where the text ends";

const QUOTE_STAR: &str = "a target that means all is written \"*\", with the quotes";

/// What mends the mistake that [`explain`] tells; empty where that is not known for sure.
pub(super) fn mend(text: &str, at: usize, info: &str) -> Vec<Edit> {
    let quoted =
        |range: Range<usize>| vec![Edit::insert(range.start, "\""), Edit::insert(range.end, "\"")];
    if let Some(range) = unquoted_range(text, at) {
        return quoted(range);
    }
    if merge_conflict(text).is_some() {
        return Vec::new();
    }
    if let Some(range) = foreign_first_line(text) {
        return vec![Edit::insert(range.start, "#")];
    }
    if let Some(tab) = indenting_tab(text, at, info) {
        return vec![untabbed(text, tab)];
    }
    if let Some((range, _)) = no_blank(text, at, info) {
        let colon = range.start + text[range].find(':').unwrap_or(0);
        return vec![Edit::insert(colon + 1, " ")];
    }
    let rest = &text[at..];
    // A `*name` may be an alias that lacks its anchor: what it stands for is not known.
    let is_all = rest.starts_with('*') && rest[1..].starts_with([',', ' ', '}', ']', '\r', '\n']);
    if is_all && !info.contains("tab") {
        return quoted(at..at + 1);
    }
    Vec::new()
}

/// Blanks for the indentation with a tab, to the column of the line above.
fn untabbed(text: &str, tab: usize) -> Edit {
    let start = text[..tab].rfind('\n').map_or(0, |i| i + 1);
    let line = text[start..].lines().next().unwrap_or("");
    let indent = line.len() - line.trim_start().len();
    let above = text[..start].lines().rev().take(100).find(|line| !line.trim().is_empty());
    let above = above.unwrap_or("");
    let mut column = above.len() - above.trim_start_matches([' ']).len();
    let (item, above) = (line.trim_start().starts_with("- "), above.trim());
    if !item && (above.starts_with("- ") || above.ends_with(':')) {
        column += 2;
    }
    Edit { at: start, remove: indent, insert: " ".repeat(column) }
}

/// Keys that are taken for keys where they lack the blank. Other words may be what they seem: an
/// image, a taint.
const KEYS: [&str; 26] = [
    "after",
    "apiVersion",
    "at",
    "because",
    "by",
    "effect",
    "error",
    "evictedAt",
    "first",
    "for",
    "key",
    "kind",
    "kubectl",
    "name",
    "namespace",
    "node",
    "nodeName",
    "note",
    "operator",
    "pod",
    "seed",
    "survives",
    "tolerationSeconds",
    "until",
    "value",
    "verb",
];

/// A key without a blank after its `:`, in the line of `at` or shortly above it, and its value.
fn no_blank(text: &str, at: usize, info: &str) -> Option<(Range<usize>, usize)> {
    let said = ["mapping values are not allowed", "simple key expect", "could not find expected"];
    if !said.iter().any(|said| info.contains(said)) {
        return None;
    }
    let mut end = text[at..].find('\n').map_or(text.len(), |i| at + i);
    for _ in 0..4 {
        let start = text[..end].rfind('\n').map_or(0, |i| i + 1);
        let line = text[start..end].trim_end();
        let key = line.trim_start_matches([' ', '-']);
        if let Some((name, value)) = key.split_once(':')
            && KEYS.contains(&name)
            && !value.is_empty()
            && !value.starts_with([' ', '/', ':', '\t'])
        {
            let from = start + line.len() - key.len();
            return Some((from..start + line.len(), name.len()));
        }
        end = start.checked_sub(1)?;
    }
    None
}

/// The mistake behind what the parser says about the byte `at`.
pub(super) fn explain(text: &str, source: u16, at: usize, info: &str) -> Diagnostic {
    let place =
        |range: Range<usize>| Place { source, start: to_u32(range.start), end: to_u32(range.end) };
    if let Some(range) = unquoted_range(text, at) {
        let word = &text[range.clone()];
        return Diagnostic::new(place(range), format!("the range in `{word}` is not quoted"))
            .help(format!("in flow style (inside {{}} or []) write it as \"{word}\""));
    }
    if let Some(range) = merge_conflict(text) {
        return Diagnostic::new(place(range), "a merge conflict that nobody resolved")
            .help("keep one of the two sides, and remove the lines with <<<, === and >>>");
    }
    if let Some(range) = foreign_first_line(text) {
        return Diagnostic::new(place(range), "this line is not YAML")
            .help("remove messages and prompts of the terminal around the output of kubectl");
    }
    if let Some(tab) = indenting_tab(text, at, info) {
        return Diagnostic::new(place(tab..tab + 1), "a line is indented with a tab")
            .help("write blanks in its place: YAML is indented with blanks");
    }
    if let Some((range, name)) = no_blank(text, at, info) {
        let (key, value) = text[range.clone()].split_at(name + 1);
        let message = format!("no blank after the `:` in `{}`", &text[range.clone()]);
        return Diagnostic::new(place(range), message).help(format!("write `{key} {value}`"));
    }
    if let Some((range, message, help)) = columns::off_by_a_little(text, at, info) {
        return Diagnostic::new(place(range), message).help(help);
    }
    if let Some((range, message, help)) = colon_in_value(text, at, info) {
        return Diagnostic::new(place(range), message).help(help);
    }
    let line_end = text[at..].find('\n').map_or(text.len(), |i| at + i);
    let rest = text[at..line_end].trim_end();
    if text[at..].starts_with(['@', '`', '%', '&', '*', '|', '>']) && !info.contains("tab") {
        let word = rest.split([',', ' ', '}', ']', '#']).find(|word| !word.is_empty());
        let word = word.filter(|word| word.len() > 1);
        let sign = &text[at..at + 1];
        let message = format!("this is not YAML: a value that begins with `{sign}` has no quotes");
        let help = match (sign, word) {
            ("*", None) => QUOTE_STAR.to_owned(),
            ("*", Some(word)) => format!("write \"{word}\"; an alias needs its anchor above it"),
            (_, Some(word)) => format!("write \"{word}\""),
            (_, None) => format!("quote the value: \"{}\"", rest.trim_end_matches(['}', ']'])),
        };
        return Diagnostic::new(place(at..at + word.map_or(1, str::len)), message).help(help);
    }
    let end = at + text[at..].chars().next().map_or(0, char::len_utf8);
    match MEANINGS.iter().find(|(said, _, _)| info.contains(said)) {
        Some((_, meaning, help)) => {
            Diagnostic::new(place(at..end), format!("this is not YAML: {meaning}")).help(*help)
        }
        None => Diagnostic::new(place(at..end), format!("this is not YAML: {info}")),
    }
}

/// The first line of a conflict that git left in the file.
fn merge_conflict(text: &str) -> Option<Range<usize>> {
    let is_mark = |line: &str| line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ");
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if is_mark(line) {
            return Some(start..start + line.trim_end().len());
        }
        start += line.len();
    }
    None
}

/// A value with a `: ` in it, with what is said: `note: later: nothing`.
fn colon_in_value(text: &str, at: usize, info: &str) -> Option<(Range<usize>, String, String)> {
    if !info.contains("mapping values are not allowed") {
        return None;
    }
    let line_start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    let line = text[line_start..].lines().next()?.trim_end();
    let key_start = line.find(|c: char| !matches!(c, ' ' | '-'))?;
    let (key, value) = line[key_start..].split_once(": ")?;
    let value = value.trim_start();
    let value_start = line_start + line.len() - value.len();
    let is_plain = !value.starts_with(['"', '\'', '{', '[']) && at >= value_start;
    if !is_plain || key.contains(['"', '{', '[']) {
        return None;
    }
    let (before, after) = value.split_once(": ")?;
    let message = "a second `: ` in the line: for YAML it would begin a mapping".to_owned();
    let help = match before.contains('=') && Effect::KNOWN.contains(&after) {
        true => format!("write `{before}:{after}`, without the blank"),
        false => format!("quote the value: {key}: \"{}\"", value.replace('"', "\\\"")),
    };
    Some((value_start..value_start + value.len(), message, help))
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
    // Those that were told are comments by now.
    let mut start = 0;
    while text[start..].starts_with('#') {
        start += text[start..].find('\n')? + 1;
    }
    let text = &text[start..];
    let first = text.lines().next()?;
    let foreign = !first.trim().is_empty()
        && !begins(first)
        && !first.starts_with(['#', '%', '-', '{', '['])
        && !first.trim_end().ends_with(':');
    (foreign && text.lines().skip(1).take(20).any(begins)).then_some(start..start + first.len())
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
