//! YAML that cannot be parsed, in words that help: what the parser says is about its own state.

use std::ops::Range;

use super::open::Open;
use super::repair::Edit;
use super::{brackets, colonless, columns, foreign};
use crate::objects::Effect;

/// What the parser said.
pub(super) struct Fault<'t> {
    /// The text, as far as it is mended.
    pub text: &'t str,
    /// The byte where the parser stopped.
    pub at: usize,
    /// Its words.
    pub info: &'t str,
}

/// A mistake: what is told, and what mends it where that is known for sure.
pub(super) struct Told {
    /// Where it is.
    pub range: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
    /// What makes the rest of the text readable.
    pub edits: Vec<Edit>,
}

impl Told {
    pub(super) fn new(
        range: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Told {
        Told { range, message: message.into(), help: Some(help.into()), edits: Vec::new() }
    }

    pub(super) fn mended(self, edits: Vec<Edit>) -> Told {
        Told { edits, ..self }
    }
}

/// The mistakes that are known, the surer ones first.
const RULES: [fn(&Fault<'_>) -> Option<Told>; 14] = [
    brackets::unquoted_range,
    |fault| foreign::merge_conflict(fault.text),
    |fault| foreign::first_line(fault.text),
    indenting_tab,
    tab_after_colon,
    no_blank,
    colonless::colonless,
    columns::wrong,
    brackets::not_opened,
    colon_in_value,
    brackets::comma_missing,
    brackets::not_closed,
    quote_in_quotes,
    sign_without_quotes,
];

/// The mistake behind what the parser says.
pub(super) fn explain(fault: &Fault<'_>) -> Told {
    if let Some(told) = RULES.iter().find_map(|rule| rule(fault)) {
        return told;
    }
    let Fault { text, at, info } = *fault;
    let range = at..at + text[at..].chars().next().map_or(0, char::len_utf8);
    match MEANINGS.iter().find(|(said, _, _)| info.contains(said)) {
        Some((_, meaning, help)) => Told::new(range, format!("this is not YAML: {meaning}"), *help),
        None => Told { help: None, ..Told::new(range, format!("this is not YAML: {info}"), "") },
    }
}

/// What the parser says, what that means, and what to do.
const MEANINGS: [(&str, &str, &str); 12] = [
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
        "misplaced bracket",
        "a `]` or `}` without its `[` or `{`",
        "remove it, or put the opening one where the list or mapping begins",
    ),
    (
        "trailing content",
        "text after a closing quote",
        "put the whole text into the quotes, or a `,` behind them",
    ),
    (
        "byte order mark",
        "an invisible character (U+FEFF) in the middle of a text",
        "remove it: it is left over where two files were joined",
    ),
    ("may not precede", "no blank after a `:`", "put a blank between the `:` and the bracket"),
    ("expected node content", "a value is missing", "write the value, or quote it"),
    (
        "while parsing a quoted scalar",
        "a `\\` in double quotes that begins no escape of YAML",
        "write the text in single quotes, such as 'C:\\dump.yaml', or each `\\` twice",
    ),
];

pub(super) const QUOTE: &str = "this is not YAML: a quote that is not closed";
pub(super) const CLOSE_QUOTE: &str = "put the closing quote where the text ends";

const QUOTE_STAR: &str = "a target that means all is written \"*\", with the quotes";

impl Fault<'_> {
    pub(super) fn line_start(&self) -> usize {
        self.text[..self.at].rfind('\n').map_or(0, |i| i + 1)
    }

    pub(super) fn line_end(&self) -> usize {
        self.text[self.at..].find('\n').map_or(self.text.len(), |i| self.at + i)
    }

    pub(super) fn says(&self, said: &[&str]) -> bool {
        said.iter().any(|said| self.info.contains(said))
    }
}

pub(super) fn quotes_around(range: &Range<usize>) -> Vec<Edit> {
    vec![Edit::insert(range.start, "\""), Edit::insert(range.end, "\"")]
}

/// Keys that are taken for keys where they lack the blank. Other words may be what they seem: an
/// image, a taint.
pub(super) const KEYS: [&str; 26] = [
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

/// A key without a blank after its `:`, in the line of the error or shortly above it.
fn no_blank(fault: &Fault<'_>) -> Option<Told> {
    if !fault.says(&[
        "mapping values are not allowed",
        "simple key expect",
        "could not find expected",
    ]) {
        return None;
    }
    let text = fault.text;
    let mut end = fault.line_end();
    for _ in 0..4 {
        let start = text[..end].rfind('\n').map_or(0, |i| i + 1);
        let line = text[start..end].trim_end();
        let entry = line.trim_start_matches([' ', '-']);
        if let Some((key, value)) = entry.split_once(':')
            && KEYS.contains(&key)
            && !value.is_empty()
            && !value.starts_with([' ', '/', ':', '\t'])
        {
            let from = start + line.len() - entry.len();
            return Some(no_blank_in(from, key, value));
        }
        end = start.checked_sub(1)?;
    }
    None
}

/// `key:value` at `from`.
pub(super) fn no_blank_in(from: usize, key: &str, value: &str) -> Told {
    let colon = from + key.len();
    let message = format!("no blank after the `:` in `{key}:{value}`");
    Told::new(from..colon + 1 + value.len(), message, format!("write `{key}: {value}`"))
        .mended(vec![Edit::insert(colon + 1, " ")])
}

/// A value with a `: ` in it: `note: later: nothing`.
fn colon_in_value(fault: &Fault<'_>) -> Option<Told> {
    if !fault.says(&["mapping values are not allowed"]) {
        return None;
    }
    let start = fault.line_start();
    let line = fault.text[start..].lines().next()?.trim_end();
    let key_start = line.find(|c: char| !matches!(c, ' ' | '-'))?;
    let (key, value) = line[key_start..].split_once(": ")?;
    let value = value.trim_start();
    let value_start = start + line.len() - value.len();
    let is_plain = !value.starts_with(['"', '\'', '{', '[']) && fault.at >= value_start;
    if !is_plain || key.contains(['"', '{', '[']) {
        return None;
    }
    let value = value.split_once(" #").map_or(value, |(value, _)| value.trim_end());
    let (before, after) = value.split_once(": ")?;
    let (help, edits) = match before.contains('=') && Effect::KNOWN.contains(&after) {
        true => {
            let blank =
                Edit { at: value_start + before.len() + 1, remove: 1, insert: String::new() };
            (format!("write `{before}:{after}`, without the blank"), vec![blank])
        }
        false => {
            let quoted = format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""));
            let help = format!("quote the value: {key}: {quoted}");
            (help, vec![Edit { at: value_start, remove: value.len(), insert: quoted }])
        }
    };
    let message = "a second `: ` in the line: for YAML it would begin a mapping";
    Some(Told::new(value_start..value_start + value.len(), message, help).mended(edits))
}

/// The tab that indents the line of the error. Where the parser speaks of tabs, it may have begun
/// at a scalar of an earlier line, and the tab stands below.
fn indenting_tab(fault: &Fault<'_>) -> Option<Told> {
    let mut start = fault.line_start();
    let lines = if fault.says(&["tab"]) { 100 } else { 1 };
    for line in fault.text[start..].split_inclusive('\n').take(lines) {
        let indent = &line[..line.len() - line.trim_start().len()];
        if let Some(tab) = indent.find('\t') {
            let tab = start + tab;
            let help = "write blanks in its place: YAML is indented with blanks";
            return Some(
                Told::new(tab..tab + 1, "a line is indented with a tab", help)
                    .mended(vec![untabbed(fault.text, start)]),
            );
        }
        start += line.len();
    }
    None
}

/// Blanks for the indentation of the line at `start`, to the column of the line above.
fn untabbed(text: &str, start: usize) -> Edit {
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

/// `key:`, a tab and the value.
fn tab_after_colon(fault: &Fault<'_>) -> Option<Told> {
    let start = fault.line_start();
    let line = fault.text[start..fault.line_end()].trim_end();
    let colon = line.find(":\t").filter(|_| fault.says(&["valid YAML whitespace", "tab"]))?;
    let value = line[colon + 1..].trim_start();
    let entry = line[..colon].trim_start_matches([' ', '-']);
    let remove = line.len() - colon - 1 - value.len();
    let tab = start + colon + 1;
    let help = format!("write a blank in its place: `{entry}: {value}`");
    let edit = Edit { at: tab, remove, insert: " ".to_owned() };
    Some(Told::new(tab..tab + 1, "a tab after the `:` of a key", help).mended(vec![edit]))
}

/// A text in single quotes that has one in it: `'it's late'`.
fn quote_in_quotes(fault: &Fault<'_>) -> Option<Told> {
    let text = fault.text;
    let (from, end) =
        Open::before(text, fault.at).quoted.filter(|_| fault.says(&["trailing content"]))?;
    let line = text[from..fault.line_end()].trim_end();
    let is_in_word = text[..end - 1].ends_with(char::is_alphanumeric)
        && text[end..].starts_with(char::is_alphanumeric);
    let inner = line.strip_prefix('\'')?.trim_end_matches('\'');
    if !is_in_word || end != fault.at || inner.contains(['"', '\\', '{', '}', '[', ']']) {
        return None;
    }
    let message = "a `'` in a text in single quotes ends it";
    Some(Told::new(end - 1..end, message, format!("write \"{inner}\"")))
}

/// A value that begins with a sign that means something else in YAML.
fn sign_without_quotes(fault: &Fault<'_>) -> Option<Told> {
    let Fault { text, at, .. } = *fault;
    if !text[at..].starts_with(['@', '`', '%', '&', '*', '|', '>']) || fault.says(&["tab"]) {
        return None;
    }
    let rest = text[at..fault.line_end()].trim_end();
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
    let range = at..at + word.map_or(1, str::len);
    // A `*name` may be an alias that lacks its anchor: what it stands for is not known.
    let is_all = rest[1..].is_empty() || rest[1..].starts_with([',', ' ', '}', ']']);
    let edits = if sign == "*" && is_all { quotes_around(&(at..at + 1)) } else { Vec::new() };
    Some(Told::new(range, message, help).mended(edits))
}
