//! Keys and list items that stand a column or two beside their like: what the parser makes of them
//! is far from what went wrong.

use std::ops::Range;

/// How many columns beside its like something still belongs to it.
const BESIDE: usize = 2;
/// How many lines above are looked at.
const LINES: usize = 100;

/// What the parser says where the columns are wrong.
const SAID: [&str; 4] = [
    "mapping values are not allowed",
    "did not find expected key",
    "did not find expected '-' indicator",
    "simple key expect",
];

/// What begins a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Begins {
    Key,
    Item,
}

/// The key or item in the line of `at` that is a little beside those above, with what is said.
pub(super) fn off_by_a_little(
    text: &str,
    at: usize,
    info: &str,
) -> Option<(Range<usize>, String, String)> {
    if !SAID.iter().any(|said| info.contains(said)) {
        return None;
    }
    let line_start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    let line = text[line_start..].lines().next()?;
    let column = line.len() - line.trim_start_matches(' ').len();
    let (begins, end) = first_of(&line[column..])?;
    // A second `:` in the line is another mistake.
    if at > line_start + column + end {
        return None;
    }
    for above in text[..line_start].lines().rev().take(LINES) {
        for (theirs, their_column) in beginnings(above) {
            let beside = their_column.abs_diff(column);
            if theirs == begins && beside == 0 {
                return None;
            }
            if theirs == begins && beside <= BESIDE {
                return Some(words(begins, line_start + column, end, column, their_column));
            }
        }
    }
    None
}

fn words(
    begins: Begins,
    start: usize,
    length: usize,
    column: usize,
    right: usize,
) -> (Range<usize>, String, String) {
    let (column, right) = (column + 1, right + 1);
    let (what, like) = match begins {
        Begins::Key => ("key", "keys of one mapping"),
        Begins::Item => ("item", "items of one list"),
    };
    let message = format!(
        "this {what} begins in column {column}, and the nearest {what} above in column {right}"
    );
    let help = format!("{like} begin in the same column: move it to column {right}");
    (start..start + length, message, help)
}

/// What a line without its indentation begins with, and how long that is.
fn first_of(line: &str) -> Option<(Begins, usize)> {
    if line.starts_with("- ") {
        return Some((Begins::Item, 1));
    }
    let is_key = |c: char| c.is_ascii_alphanumeric() || "._/-\"'".contains(c);
    let end = line.find(|c| !is_key(c)).filter(|end| *end > 0)?;
    let rest = &line[end..];
    (rest == ":" || rest.starts_with(": ")).then_some((Begins::Key, end))
}

/// All that begins in a line, each with its column: in `- a: b` an item and a key.
fn beginnings(line: &str) -> Vec<(Begins, usize)> {
    let mut found = Vec::new();
    let mut column = line.len() - line.trim_start_matches(' ').len();
    while let Some((begins, _)) = first_of(&line[column..]) {
        found.push((begins, column));
        if begins == Begins::Key {
            break;
        }
        let rest = &line[column + 1..];
        column += 1 + rest.len() - rest.trim_start_matches(' ').len();
    }
    found
}
