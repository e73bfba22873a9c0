//! A diagnostic as its user gets it: with the file's name, lines, columns and the text of the line,
//! and without the sources that it came from.
//!
//! Costs what finding the column costs, which is the length of the line; the text that is kept is
//! bounded, since a dump may be one line of a hundred megabytes.

use std::sync::Arc;

use super::Diagnostic;
use crate::scenario::source::Sources;
use crate::scenario::tree::Place;

/// Characters of a line that are kept before and after the place, at most; a line that is no longer
/// than `AFTER` is kept whole.
const BEFORE: usize = 60;
const AFTER: usize = 100;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The input is refused.
    Error,
    /// Nothing is wrong, and still the reader should know.
    Notice,
}

impl Severity {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Notice => "notice",
        }
    }
}

/// A diagnostic that stands by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// The file as the user named it, `<stdin>`, or the option that has the text.
    pub file: Arc<str>,
    /// Where in the file; `None` where there is no text, as in a file that cannot be read.
    pub extent: Option<Extent>,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
}

/// A place as its user counts: lines and columns from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The line of the first character.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// The line of the last character.
    pub end_line: u32,
    /// One past its column.
    pub end_column: u32,
    /// The first byte, from 0, not counting a byte order mark.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The text of the first line, or what of it is around the place.
    pub text: String,
    /// The column at which `text` begins: 1 where the line is not cut in front.
    pub text_column: u32,
    /// The line goes on after `text`.
    pub is_cut: bool,
}

impl Located {
    /// Finds the place in the sources.
    pub fn new(diagnostic: &Diagnostic, severity: Severity, sources: &Sources) -> Located {
        Located {
            file: sources.shared_name(diagnostic.place.source),
            extent: Extent::new(diagnostic.place, sources),
            severity,
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
        }
    }

    /// All in one line: `file:line: message`.
    pub fn one_line(&self) -> String {
        let line = self.extent.as_ref().map_or(1, |extent| extent.line);
        super::escape(&format!("{}:{line}: {}", self.file, self.message))
    }
}

impl Extent {
    fn new(place: Place, sources: &Sources) -> Option<Extent> {
        let (line, column) = sources.line_column(place)?;
        let (text, at) = sources.line_text(place);
        // Blanks and line ends after a value belong to nobody.
        let length = sources.slice(place).trim_end().len();
        let start = sources.start(place);
        let end_place = Place { start: start + to_u32(length), ..place };
        let (end_line, end_column) = sources.line_column(end_place)?;
        // Columns can be counted in a line that is shown whole.
        let (from, to) = match text.char_indices().nth(AFTER) {
            None => (0, text.len()),
            Some(_) => (
                text[..at].char_indices().rev().nth(BEFORE - 1).map_or(0, |(i, _)| i),
                text[at..].char_indices().nth(AFTER).map_or(text.len(), |(i, _)| at + i),
            ),
        };
        let shown = &text[from..to];
        Some(Extent {
            line,
            column,
            end_line,
            end_column,
            start,
            end: end_place.start,
            text: shown.trim_end_matches('\r').to_owned(),
            text_column: column - to_u32(text[from..at].chars().count()),
            is_cut: to < text.len(),
        })
    }

    /// The text of the first line before the place, in it, and after it.
    pub(super) fn parts(&self) -> (&str, &str, &str) {
        let characters = |count: u32| {
            let found = self.text.char_indices().nth(count as usize);
            found.map_or(self.text.len(), |(index, _)| index)
        };
        let start = characters(self.column - self.text_column);
        let end = match self.end_line == self.line {
            true => characters(self.end_column - self.text_column).max(start),
            false => self.text.len(),
        };
        (&self.text[..start], &self.text[start..end], &self.text[end..])
    }
}

fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(text: &str, start: u32, end: u32) -> Extent {
        let mut sources = Sources::default();
        let source = sources.add("a.yaml", text.into());
        let place = Place { source, start, end };
        let diagnostic = Diagnostic::new(place, "here");
        Located::new(&diagnostic, Severity::Error, &sources).extent.expect("a place")
    }

    #[test]
    fn lines_and_columns_of_both_ends() {
        for (text, start, end, expected, parts) in [
            ("a: bcd\n", 3, 6, (1, 4, 1, 7), ("a: ", "bcd", "")),
            ("a: bcd # x\r\n", 3, 6, (1, 4, 1, 7), ("a: ", "bcd", " # x")),
            // Without the blank lines below a block.
            ("a:\n  b: c\n\n  \nd: e\n", 5, 14, (2, 3, 2, 7), ("  ", "b: c", "")),
            ("a: [b,\n  c]\n", 3, 11, (1, 4, 2, 5), ("a: ", "[b,", "")),
            ("ä: ö\n", 4, 6, (1, 4, 1, 5), ("ä: ", "ö", "")),
            ("a: b", 9, 9, (1, 5, 1, 5), ("a: b", "", "")),
        ] {
            let found = extent(text, start, end);
            let lines = (found.line, found.column, found.end_line, found.end_column);
            assert_eq!(lines, expected, "{text}");
            assert_eq!(found.parts(), parts, "{text}");
        }
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let text = format!("{}X{}", "a".repeat(5_000), "b".repeat(5_000));
        let found = extent(&text, 5_000, 5_001);
        assert_eq!((found.column, found.text_column, found.is_cut), (5_001, 4_941, true));
        assert_eq!(found.parts(), (&*"a".repeat(60), "X", &*"b".repeat(99)));
        let whole = extent(&text[..100], 50, 51);
        assert_eq!((whole.text_column, whole.is_cut, whole.text.len()), (1, false, 100));
    }
}
