//! Brackets, braces and quotes that are not closed or not opened, and what lacks its comma or quotes
//! between them.

use std::ops::Range;

use super::open::Open;
use super::repair::Edit;
use super::syntax::{CLOSE_QUOTE, Fault, QUOTE, Told, quotes_around};

/// `- key: a, value: b}`: the brace that would open is missing.
pub(super) fn not_opened(fault: &Fault<'_>) -> Option<Told> {
    if !fault.says(&["mapping values are not allowed"]) {
        return None;
    }
    let start = fault.line_start();
    let line = fault.text[start..fault.line_end()].trim_end();
    let entry = line.trim_start_matches([' ', '-']);
    let (key, value) = entry.split_once(": ")?;
    let (before, _) = value.split_once(": ")?;
    let is_plain = !entry.contains(['"', '\'', '#', '{', '[']);
    if !is_plain || !value.ends_with('}') || value.matches('}').count() > 1 {
        return None;
    }
    // Before the first comma there is one key, or the key of the whole mapping and one.
    let (from, help) = match before.contains(", ") {
        true => (start + line.len() - entry.len(), format!("write `{{{entry}`")),
        false => (start + line.len() - value.len(), format!("write `{key}: {{{value}`")),
    };
    let range = from..start + line.len();
    Some(Told::new(range, "this is not YAML: a `}` without its `{`", help))
}

/// `{key: a value: b}`: the parser stops at the second `:`.
pub(super) fn comma_missing(fault: &Fault<'_>) -> Option<Told> {
    let text = fault.text;
    if !fault.says(&["',' or '}'"]) || !text[fault.at..].starts_with(": ") {
        return None;
    }
    let is_word = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    let start = text[..fault.at].trim_end_matches(is_word).len();
    let before = text[fault.line_start()..start].strip_suffix(' ')?.trim_end();
    let last = &before[before.trim_end_matches(is_word).len()..];
    let key = &text[start..fault.at];
    if key.is_empty() || last.is_empty() {
        return None;
    }
    let help = format!("put a `,` before it: `{last}, {key}:`");
    Some(Told::new(start..fault.at, format!("no `,` before the key `{key}`"), help))
}

/// What the parser says where a bracket or brace does not end.
const FLOW: [&str; 6] = [
    "',' or '}'",
    "',' or ']'",
    "indentation in flow construct",
    "invalid indentation",
    "only valid inside a block",
    "illegal placement of ':'",
];

/// A bracket, brace or quote that is not closed; told where it opens.
pub(super) fn not_closed(fault: &Fault<'_>) -> Option<Told> {
    let text = fault.text;
    if fault.says(&[
        "trailing content",
        "did not find expected key",
        "mapping values are not allowed",
    ]) {
        // The quotes before the error span lines: the first of them was to be closed in its line.
        let (from, end) = Open::before(text, fault.at).quoted?;
        let line = text[from..end].lines().next()?.trim_end();
        let is_near = text[end..fault.at].trim().is_empty() && text[from..end].contains('\n');
        return is_near.then(|| open_quote(text, from, line));
    }
    if fault.says(&["quoted scalar, found unexpected end", "indentation in quoted scalar"]) {
        let line = text[fault.at..fault.line_end()].trim_end();
        return line.starts_with(['"', '\'']).then(|| open_quote(text, fault.at, line));
    }
    if !fault.says(&FLOW) {
        return None;
    }
    let from = *Open::before(text, fault.at).brackets.last()?;
    let (sign, close) = if text[from..].starts_with('{') { ('{', '}') } else { ('[', ']') };
    let message = format!("this is not YAML: this `{sign}` is not closed");
    if text[fault.at..].starts_with(['}', ']']) {
        let other = &text[fault.at..=fault.at];
        let help = format!("put a `{close}` before the `{other}` in {}", position(text, fault.at));
        return Some(Told::new(from..from + 1, message, help));
    }
    let before = text[..fault.at].trim_end();
    let is_below = text[from..fault.line_start().max(from)].contains('\n');
    if !is_below || before.ends_with(',') && fault.says(&["',' or"]) {
        return None;
    }
    let line = text[from..].lines().next()?;
    let is_one_line = text[from + line.len()..fault.line_start()].trim().is_empty();
    let help = match is_one_line {
        true => format!("write `{}{close}`", line.trim_end().trim_end_matches(',')),
        false => format!("put a `{close}` at the end of line {}", line_of(text, before.len())),
    };
    Some(Told::new(from..from + 1, message, help))
}

/// The quote at `from`, which nothing closes in its line. The text ends with the line, or before
/// the brackets there that close what is open.
fn open_quote(text: &str, from: usize, line: &str) -> Told {
    let range = from..from + line.len();
    let inner = line.trim_end_matches(['}', ']']);
    let closing = line[inner.len()..].chars().map(|c| if c == '}' { '{' } else { '[' });
    let open = Open::before(text, from).brackets;
    let mut open_signs = open.iter().rev().map(|at| text[*at..].chars().next());
    let closes = closing.map(Some).all(|sign| open_signs.next() == Some(sign));
    let is_text =
        inner.len() > 1 && !inner[1..].contains(['"', '\'', '#', ',', '{', '}', '[', ']']);
    if !is_text || !closes || inner.len() == line.len() && !open.is_empty() {
        return Told::new(range, QUOTE, CLOSE_QUOTE);
    }
    let quote = &line[..1];
    let edit = Edit::insert(from + inner.len(), quote);
    Told::new(range, QUOTE, format!("write `{inner}{quote}`")).mended(vec![edit])
}

fn line_of(text: &str, at: usize) -> usize {
    1 + text[..at].matches('\n').count()
}

fn position(text: &str, at: usize) -> String {
    let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    format!("line {}, column {}", line_of(text, at), 1 + text[start..at].chars().count())
}

/// The word around an unquoted range (`node-{0..2}`) in the line of the error, or above it where
/// the parser notices only there: braces that touch a word, which flow style does not allow.
pub(super) fn unquoted_range(fault: &Fault<'_>) -> Option<Told> {
    let text = fault.text;
    let start = fault.line_start();
    let previous = text[..start.saturating_sub(1)].rfind('\n').map_or(0, |i| i + 1);
    let line_end = fault.line_end();
    [start, previous].into_iter().find_map(|start| {
        let range = range_in(&text[start..line_end])?;
        let range = start + range.start..start + range.end;
        // In block style it needs no quotes.
        if Open::before(text, range.start).brackets.is_empty()
            && !text[range.clone()].starts_with('{')
        {
            return None;
        }
        let word = &text[range.clone()];
        let message = format!("the range in `{word}` is not quoted");
        let help = format!("in flow style (inside {{}} or []) write it as \"{word}\"");
        let edits = quotes_around(&range);
        Some(Told::new(range, message, help).mended(edits))
    })
}

/// As [`unquoted_range`], in some lines. Each byte is looked at a few times only: a dump may be
/// one long line.
fn range_in(lines: &str) -> Option<Range<usize>> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    let mut from = 0;
    while let Some(close) = lines[from..].find('}').map(|i| from + i) {
        let open = lines[from..close].rfind('{').map(|i| from + i);
        from = close + 1;
        let Some(open) = open else { continue };
        let inside = &lines[open + 1..close];
        let ranged = inside.contains("..") || inside.contains(',');
        let simple = inside.chars().all(|c| is_word(c) || c == ',');
        let word = lines[..open].trim_end_matches(is_word).len();
        let quoted = lines[..word].ends_with(['"', '\'']);
        let rest = &lines[close + 1..];
        if !ranged || !simple || quoted || word == open && !rest.starts_with(is_word) {
            continue;
        }
        let tail = rest.find(|c| !is_word(c) && c != '{').unwrap_or(rest.len());
        let tail = if rest[..tail].contains('{') { 0 } else { tail };
        return Some(word..close + 1 + tail);
    }
    None
}
