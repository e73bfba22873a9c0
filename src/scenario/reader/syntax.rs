//! YAML that cannot be parsed, in words that help: what the parser says is about its own state.

use std::ops::Range;

use super::open::Open;
use super::repair::Edit;
use super::{columns, foreign};
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

    fn mended(self, edits: Vec<Edit>) -> Told {
        Told { edits, ..self }
    }
}

/// The mistakes that are known, the surer ones first.
const RULES: [fn(&Fault<'_>) -> Option<Told>; 13] = [
    unquoted_range,
    |fault| foreign::merge_conflict(fault.text),
    |fault| foreign::first_line(fault.text),
    indenting_tab,
    tab_after_colon,
    no_blank,
    columns::wrong,
    not_opened,
    colon_in_value,
    comma_missing,
    not_closed,
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

const QUOTE: &str = "this is not YAML: a quote that is not closed";
const CLOSE_QUOTE: &str = "put the closing quote where the text ends";

const QUOTE_STAR: &str = "a target that means all is written \"*\", with the quotes";

impl Fault<'_> {
    fn line_start(&self) -> usize {
        self.text[..self.at].rfind('\n').map_or(0, |i| i + 1)
    }

    fn line_end(&self) -> usize {
        self.text[self.at..].find('\n').map_or(self.text.len(), |i| self.at + i)
    }

    fn says(&self, said: &[&str]) -> bool {
        said.iter().any(|said| self.info.contains(said))
    }
}

fn quotes_around(range: &Range<usize>) -> Vec<Edit> {
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
    let (before, after) = value.split_once(": ")?;
    let help = match before.contains('=') && Effect::KNOWN.contains(&after) {
        true => format!("write `{before}:{after}`, without the blank"),
        false => format!("quote the value: {key}: \"{}\"", value.replace('"', "\\\"")),
    };
    let message = "a second `: ` in the line: for YAML it would begin a mapping";
    Some(Told::new(value_start..value_start + value.len(), message, help))
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

/// `- key: a, value: b}`: the brace that would open is missing.
fn not_opened(fault: &Fault<'_>) -> Option<Told> {
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
fn comma_missing(fault: &Fault<'_>) -> Option<Told> {
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
fn not_closed(fault: &Fault<'_>) -> Option<Told> {
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
        return is_near.then(|| Told::new(from..from + line.len(), QUOTE, CLOSE_QUOTE));
    }
    if fault.says(&["quoted scalar, found unexpected end", "indentation in quoted scalar"]) {
        let line = text[fault.at..fault.line_end()].trim_end();
        let quote = line.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let is_text = line.len() > 1 && !line[1..].contains(['"', '\'', '#', ',', '}', ']']);
        let help = format!("write `{line}{quote}`");
        let help = if is_text { help } else { CLOSE_QUOTE.to_owned() };
        return Some(Told::new(fault.at..fault.at + line.len(), QUOTE, help));
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

fn line_of(text: &str, at: usize) -> usize {
    1 + text[..at].matches('\n').count()
}

fn position(text: &str, at: usize) -> String {
    let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    format!("line {}, column {}", line_of(text, at), 1 + text[start..at].chars().count())
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

/// The word around an unquoted range (`node-{0..2}`) in the line of the error, or above it where
/// the parser notices only there: braces that touch a word, which flow style does not allow.
fn unquoted_range(fault: &Fault<'_>) -> Option<Told> {
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
