//! What is wrong with an input, where, and what would be right; and how a terminal shows it.
//!
//! Text from files may hold anything, so whatever is shown is escaped here, in one place: control
//! characters and the marks that reorder text never reach a terminal.

use std::fmt::Write as _;

use super::source::{Sources, floor};
use super::tree::Place;

/// One mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Where.
    pub place: Place,
    /// What is wrong, naming the offending text.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A mistake without a hint.
    pub fn new(place: Place, message: impl Into<String>) -> Diagnostic {
        Diagnostic { place, message: message.into(), help: None }
    }

    /// Adds what would be right.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }
}

/// Collects mistakes, so that a reader sees all of them at once. After [`Diagnostics::KEPT`] it
/// only counts: a file that is wrong in a million places is wrong in one way.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    dropped: usize,
}

impl Diagnostics {
    /// How many mistakes are kept.
    pub const KEPT: usize = 200;

    /// Adds a mistake.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.list.len() < Self::KEPT {
            self.list.push(diagnostic);
        } else {
            self.dropped += 1;
        }
    }

    /// Adds a mistake without a hint.
    pub fn error(&mut self, place: Place, message: impl Into<String>) {
        self.push(Diagnostic::new(place, message));
    }

    /// Adds a mistake with what would be right.
    pub fn error_help(
        &mut self,
        place: Place,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.push(Diagnostic::new(place, message).help(help));
    }

    /// Adds several.
    pub fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        for diagnostic in diagnostics {
            self.push(diagnostic);
        }
    }

    /// Adds all of another collection, the dropped ones included.
    pub fn append(&mut self, other: Diagnostics) {
        self.dropped += other.dropped;
        self.extend(other.list);
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many there are, the dropped ones included.
    pub fn len(&self) -> usize {
        self.list.len() + self.dropped
    }

    /// The kept mistakes in the order of the sources and of the places in them.
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        // Stable: several mistakes at one place stay in the order in which they were found.
        self.list.sort_by_key(|d| (d.place.source, d.place.start));
        self.list
    }
}

/// All mistakes as text, one after the other, with a blank line between them.
pub fn render_all(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let texts: Vec<String> = diagnostics.iter().map(|d| render(d, sources)).collect();
    texts.join("\n")
}

/// One mistake as text: `file:line:column: error: message`, the line with carets, and the help.
pub fn render(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let mut out = String::new();
    let place = diagnostic.place;
    let name = escape(sources.name(place.source));
    match sources.line_column(place) {
        Some((line, column)) => {
            let _ = writeln!(out, "{name}:{line}:{column}: error: {}", escape(&diagnostic.message));
            snippet(&mut out, sources, place, line);
        }
        None => {
            let _ = writeln!(out, "{name}: error: {}", escape(&diagnostic.message));
        }
    }
    if let Some(help) = &diagnostic.help {
        let _ = writeln!(out, "help: {}", escape(help));
    }
    out
}

/// Characters of a line that are shown before and after the place, at most.
const BEFORE: usize = 60;
const AFTER: usize = 100;

/// The line of the place, with carets under the place.
fn snippet(out: &mut String, sources: &Sources, place: Place, line: u32) {
    let (text, start) = sources.line_text(place);
    let end = start + (place.end.saturating_sub(place.start)) as usize;
    // A reader that counts bytes may end a place inside a character.
    let end = floor(text, end).max(start);
    let cut_front = text[..start].char_indices().rev().nth(BEFORE).map_or(0, |(i, _)| i);
    let cut_back = text[start..].char_indices().nth(AFTER).map_or(text.len(), |(i, _)| start + i);
    let mut shown = String::new();
    if cut_front > 0 {
        shown.push('…');
    }
    shown.push_str(&escape(&text[cut_front..start]));
    let indent = shown.chars().count();
    let marked = escape(&text[start..end.min(cut_back)]);
    shown.push_str(&marked);
    shown.push_str(&escape(&text[end.min(cut_back)..cut_back]));
    if cut_back < text.len() {
        shown.push('…');
    }
    let carets = "^".repeat(marked.chars().count().max(1));
    let number = line.to_string();
    let gutter = " ".repeat(number.len());
    let _ = writeln!(out, " {number} | {}", shown.trim_end());
    let _ = writeln!(out, " {gutter} | {}{carets}", " ".repeat(indent));
}

/// Text as it may be shown: control characters and marks that change the direction of text are
/// written as `\u{1b}`, tabs as a blank.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => out.push(' '),
            c if needs_escape(c) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

fn needs_escape(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || c == '\u{feff}'
}

/// The nearest of `known` to a misspelt `word`, if one is near enough to be meant.
pub fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let lower = word.to_lowercase();
    let mut best: Option<(usize, &str)> = None;
    for candidate in known {
        // A different case is the nearest of all mistakes.
        let distance = if candidate.to_lowercase() == lower {
            0
        } else {
            strsim::damerau_levenshtein(word, candidate)
        };
        if best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    let (distance, candidate) = best?;
    let longest = word.chars().count().max(candidate.chars().count());
    (distance <= (longest / 3).max(1)).then_some(candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(text: &str) -> Sources {
        let mut sources = Sources::default();
        sources.add("maint.yaml", text.to_string());
        sources
    }

    fn place(start: u32, end: u32) -> Place {
        Place { source: 0, start, end }
    }

    #[test]
    fn shows_the_line_with_carets_and_the_help() {
        let sources = sources("steps:\n  - at: 10\n");
        let diagnostic =
            Diagnostic::new(place(15, 17), "`10` is a number without a unit").help("write `10s`");
        assert_eq!(
            render(&diagnostic, &sources),
            "maint.yaml:2:9: error: `10` is a number without a unit\n \
             2 |   - at: 10\n   |         ^^\nhelp: write `10s`\n"
        );
    }

    /// Whatever bytes a place names, inside characters and past the end.
    #[test]
    fn any_place_in_any_text_can_be_shown() {
        let text = "é: “x”\r\n😀\u{2028}\n\nlast";
        let sources = sources(text);
        for start in 0..40 {
            for end in 0..40 {
                let shown = render(&Diagnostic::new(place(start, end), "here"), &sources);
                assert!(shown.contains("error: here"), "{start}..{end}");
            }
        }
    }

    #[test]
    fn never_sends_control_characters_to_a_terminal() {
        let text = "name: a\u{1b}[31mb\u{202e}\n";
        let sources = sources(text);
        let shown = render(&Diagnostic::new(place(6, 18), format!("bad {text}")), &sources);
        assert!(!shown.contains(['\u{1b}', '\u{202e}']), "{shown:?}");
        assert!(shown.contains("a\\u{1b}[31mb\\u{202e}"), "{shown}");
        assert_eq!(shown.lines().count(), 3, "{shown}");
    }

    #[test]
    fn cuts_a_long_line_around_the_place() {
        let text = format!("{}X{}", "a".repeat(5_000), "b".repeat(5_000));
        let sources = sources(&text);
        let shown = render(&Diagnostic::new(place(5_000, 5_001), "here"), &sources);
        assert!(shown.len() < 500, "{}", shown.len());
        let caret = shown.lines().nth(2).and_then(|l| l.chars().position(|c| c == '^'));
        let mark = shown.lines().nth(1).and_then(|l| l.chars().position(|c| c == 'X'));
        assert_eq!(caret, mark, "{shown}");
    }

    #[test]
    fn a_place_at_the_end_or_past_it_is_shown() {
        let sources = sources("a: b");
        for start in [4, 9] {
            let shown = render(&Diagnostic::new(place(start, start), "end"), &sources);
            assert!(shown.starts_with("maint.yaml:1:5: error: end"), "{shown}");
        }
    }

    #[test]
    fn nearest_word() {
        let known = ["tolerations", "nodeName", "labels"];
        let cases = [
            ("toleration", Some("tolerations")),
            ("nodename", Some("nodeName")),
            ("lables", Some("labels")),
            ("affinity", None),
            ("", None),
        ];
        for (word, expected) in cases {
            assert_eq!(nearest(word, known), expected, "{word}");
        }
    }

    #[test]
    fn keeps_a_bounded_number() {
        let mut diagnostics = Diagnostics::default();
        for _ in 0..Diagnostics::KEPT + 5 {
            diagnostics.error(place(0, 1), "again");
        }
        assert_eq!(diagnostics.len(), Diagnostics::KEPT + 5);
        assert_eq!(diagnostics.into_sorted().len(), Diagnostics::KEPT);
    }
}
