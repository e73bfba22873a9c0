//! Diagnostics on a terminal: the message, the line with carets under the place, and the help.
//!
//! Text from files may hold anything, so whatever is shown is escaped here, in one place: control
//! characters, the marks that reorder text, and blanks that look like others never reach a
//! terminal as they are. Carets stand by the width of what is above them, not by its characters.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr as _;

use super::{Diagnostic, Extent, Located, Severity};
use crate::scenario::source::Sources;

/// All mistakes as text, one after the other, with a blank line between them.
pub fn render_all(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let texts: Vec<String> = diagnostics.iter().map(|d| render(d, sources)).collect();
    texts.join("\n")
}

/// One mistake as text: `file:line:column: error: message`, the line with carets, and the help.
pub fn render(diagnostic: &Diagnostic, sources: &Sources) -> String {
    Located::new(diagnostic, Severity::Error, sources).render(false)
}

impl Located {
    /// The text of [`render`], painted if `styled`.
    pub fn render(&self, styled: bool) -> String {
        let paint = Paint::new(styled, self.severity);
        let mut out = String::new();
        let (bold, label) = (paint.bold, paint.label);
        let _ = write!(out, "{bold}{}", escape(&self.file));
        if let Some(extent) = &self.extent {
            let _ = write!(out, ":{}:{}", extent.line, extent.column);
        }
        let word = self.severity.as_str();
        let message = escape(&self.message);
        let _ = writeln!(out, ":{bold:#} {label}{word}:{label:#} {bold}{message}{bold:#}");
        if let Some(extent) = &self.extent {
            snippet(&mut out, extent, &paint);
        }
        if let Some(help) = &self.help {
            let style = paint.help;
            let _ = writeln!(out, "{style}help:{style:#} {}", escape(help));
        }
        out
    }
}

/// The styles of one diagnostic; without colour they write nothing.
struct Paint {
    bold: Style,
    label: Style,
    gutter: Style,
    help: Style,
}

impl Paint {
    fn new(styled: bool, severity: Severity) -> Paint {
        let plain = Style::new();
        if !styled {
            return Paint { bold: plain, label: plain, gutter: plain, help: plain };
        }
        let color = match severity {
            Severity::Error => AnsiColor::Red,
            Severity::Notice => AnsiColor::Yellow,
        };
        Paint {
            bold: plain.bold(),
            label: plain.bold().fg_color(Some(color.into())),
            gutter: plain.fg_color(Some(AnsiColor::Blue.into())),
            help: plain.bold().fg_color(Some(AnsiColor::Cyan.into())),
        }
    }
}

/// The line of the place, with carets under the place. Of several lines the first one is shown.
fn snippet(out: &mut String, extent: &Extent, paint: &Paint) {
    let (before, marked, after) = extent.parts();
    let mut shown = String::new();
    if extent.text_column > 1 {
        shown.push('…');
    }
    shown.push_str(&escape(before));
    let mut indent = shown.width();
    let marked = escape(marked.trim_end());
    let width = marked.width();
    if width == 0 && !marked.is_empty() {
        // A mark that is drawn over the character before it.
        indent = indent.saturating_sub(1);
    }
    shown.push_str(&marked);
    shown.push_str(&escape(after));
    if extent.is_cut {
        shown.push('…');
    }
    let carets = "^".repeat(width.max(1));
    let number = extent.line.to_string();
    let space = " ".repeat(number.len());
    let (gutter, label) = (paint.gutter, paint.label);
    let _ = writeln!(out, " {gutter}{number} |{gutter:#} {}", shown.trim_end());
    let blank = " ".repeat(indent);
    let _ = writeln!(out, " {gutter}{space} |{gutter:#} {blank}{label}{carets}{label:#}");
}

/// Text as it may be shown: control characters, marks that change the direction of text and blanks
/// that only look like blanks are written as `\u{1b}`, tabs as a blank.
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
    let is_odd_blank = c != ' ' && c.is_whitespace();
    let is_mark = matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    // U+FFFE, U+FFFF and their like are no characters at all.
    let is_none = u32::from(c) & 0xfffe == 0xfffe || matches!(c, '\u{fdd0}'..='\u{fdef}');
    c.is_control() || is_odd_blank || is_mark || is_none
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::tree::Place;

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

    /// Wide characters take two columns, marks over a character none.
    #[test]
    fn carets_stand_under_what_they_mean() {
        for (text, start, end, expected) in [
            ("名前: x y", 8, 9, " 1 | 名前: x y\n   |       ^"),
            ("a: 名前", 3, 9, " 1 | a: 名前\n   |    ^^^^"),
            ("e\u{301}: b", 5, 6, " 1 | e\u{301}: b\n   |    ^"),
            ("e\u{301}: b", 1, 3, " 1 | e\u{301}: b\n   | ^"),
            ("\ta: b", 4, 5, " 1 |  a: b\n   |     ^"),
            ("a:\u{a0}b", 2, 4, " 1 | a:\\u{a0}b\n   |   ^"),
            ("a\u{200b}b: c", 5, 6, " 1 | a\\u{200b}b: c\n   |           ^"),
            ("a: b\u{ffff}c", 3, 4, " 1 | a: b\\u{ffff}c\n   |    ^"),
            ("a: b # c\r", 3, 4, " 1 | a: b # c\n   |    ^"),
        ] {
            let shown = render(&Diagnostic::new(place(start, end), "x"), &sources(text));
            let shown: Vec<&str> = shown.lines().skip(1).collect();
            assert_eq!(shown.join("\n"), expected, "{text:?}");
        }
    }

    #[test]
    fn paints_words_and_carets_only() {
        let sources = sources("at: 10\n");
        let diagnostic = Diagnostic::new(place(4, 6), "no unit").help("write `10s`");
        let located = Located::new(&diagnostic, Severity::Error, &sources);
        let painted = located.render(true);
        assert!(painted.contains("\u{1b}[1m\u{1b}[31merror:\u{1b}[0m"), "{painted:?}");
        assert!(painted.contains("\u{1b}[31m^^\u{1b}[0m"), "{painted:?}");
        let mut plain = String::new();
        let mut rest = painted.as_str();
        while let Some((before, from)) = rest.split_once('\u{1b}') {
            plain.push_str(before);
            rest = from.split_once('m').map_or("", |(_, rest)| rest);
        }
        plain.push_str(rest);
        assert_eq!(plain, located.render(false));
    }
}
