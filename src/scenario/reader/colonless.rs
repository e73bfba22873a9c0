//! Lines without the `:` of a key: `nodeName node-0`, `spec`, or what was left over in the file, as
//! `EOF`. YAML takes such a line for a text that goes on, and the parser stops at the next one.

use super::open::Open;
use super::repair::Edit;
use super::syntax::{Fault, KEYS, Told};
use crate::reference::mappings;

/// What the parser says below such a line.
const SAID: [&str; 4] = [
    "simple key expect",
    "mapping values are not allowed",
    "did not find expected key",
    "could not find expected",
];

/// Keys of objects, beside those of the language.
const OF_OBJECTS: [&str; 14] = [
    "annotations",
    "conditions",
    "creationTimestamp",
    "items",
    "labels",
    "metadata",
    "ownerReferences",
    "phase",
    "resourceVersion",
    "spec",
    "status",
    "tolerations",
    "type",
    "unschedulable",
];

/// The line without a `:` that is next to the error.
pub(super) fn colonless(fault: &Fault<'_>) -> Option<Told> {
    if !fault.says(&SAID) {
        return None;
    }
    let text = fault.text;
    // The parser stops below the line, or where the text ends.
    let is_end = text[fault.at..].trim().is_empty();
    let mut above = text[..fault.at].split_inclusive('\n').rev();
    if !is_end && !text[..fault.at].ends_with('\n') {
        above.next();
    }
    let mut start = if is_end { fault.at } else { fault.line_start() };
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let line = above.inspect(|line| start -= line.len()).find(is_code)?;
    let indent = line.len() - line.trim_start_matches(' ').len();
    let entry = line[indent..].trim_start_matches("- ").trim();
    let column = line.find(entry)?;
    let is_item = column > indent;
    let (word, rest) = entry.split_once(' ').unwrap_or((entry, ""));
    let rest = rest.trim_start();
    let is_entry =
        word.contains(':') || word == "-" || entry.contains(": ") || entry.ends_with(':');
    let signs = ['"', '\'', '{', '}', '[', ']', '|', '>', '*', '&', '!', '?', '@', '`'];
    if is_entry || entry.starts_with(signs) || is_within(text, start, line) {
        return None;
    }
    let mut below = text[start + line.len()..].lines().filter(|line| is_code(line));
    let next = below.next().unwrap_or("");
    let next_indent = next.len() - next.trim_start_matches(' ').len();
    let has_more =
        next_indent > column || next_indent == column && next[column..].starts_with("- ");
    let is_key = is_known(word);
    let is_word = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    let begins = start + column;
    let range = begins..begins + entry.len();
    let message = |word| format!("no `:` after the key `{word}`");
    let colon = vec![Edit::insert(begins + word.len(), ":")];
    let is_opening = rest.is_empty() && has_more && word.chars().all(is_word);
    if is_opening && (is_key || !is_item) {
        return Some(Told::new(range, message(word), format!("write `{word}:`")).mended(colon));
    }
    if is_key && !rest.is_empty() && !has_more {
        let help = format!("write `{word}: {rest}`");
        return Some(Told::new(range, message(word), help).mended(colon));
    }
    if is_key && rest.is_empty() && !has_more && !is_item {
        let help = format!("write `{word}:` and its value, or remove it");
        return Some(Told::new(range, message(word), help).mended(colon));
    }
    // An item may be a text, and what has more below it is no noise.
    if is_item || has_more {
        return None;
    }
    let is_field =
        indent > 0 && !rest.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric());
    let help = match is_field {
        true => format!("remove it; or write `{word}: {rest}`, if `{word}` is a key"),
        false => "remove it".to_owned(),
    };
    let blank = Edit { at: begins, remove: entry.len(), insert: " ".repeat(entry.len()) };
    let message = "this line is not YAML: it is no `key: value`, and nothing goes on in it";
    Some(Told::new(range, message, help).mended(vec![blank]))
}

fn is_known(word: &str) -> bool {
    KEYS.contains(&word)
        || OF_OBJECTS.contains(&word)
        || mappings().iter().any(|mapping| mapping.field(word).is_some())
}

/// Whether the line at `start` belongs to something that began above it: a text, a list in
/// brackets, or a value that is written over several lines.
fn is_within(text: &str, start: usize, line: &str) -> bool {
    let open = Open::before(text, start);
    if open.is_text(line) || !open.brackets.is_empty() {
        return true;
    }
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let Some(above) = text[..start].lines().rev().find(is_code) else { return false };
    let entry = above.trim_start_matches([' ', '-']);
    let has_value = !entry.trim_end().ends_with(':');
    let column = |line: &str, entry: &str| line.len() - entry.len();
    has_value && column(line, line.trim_start_matches(' ')) > column(above, entry)
}
