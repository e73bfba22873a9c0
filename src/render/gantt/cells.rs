//! A line of a terminal as cells, and texts that are cut to cells.

use std::io::Write as _;

use anstyle::{AnsiColor, Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::render::text::printable;

/// What a cell is part of: its colour, where there are colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Paint {
    #[default]
    Plain,
    Taint,
    Window,
    Evicted,
    Saved,
    Dim,
}

impl Paint {
    /// As in the table; each of them is legible on dark and on light.
    fn style(self) -> Style {
        let color = |color: AnsiColor| Style::new().fg_color(Some(color.into()));
        match self {
            Paint::Plain => Style::new(),
            Paint::Taint => color(AnsiColor::Cyan),
            Paint::Window => color(AnsiColor::Yellow),
            Paint::Evicted => color(AnsiColor::Red).bold(),
            Paint::Saved => color(AnsiColor::Green),
            Paint::Dim => Style::new().dimmed(),
        }
    }
}

/// Cells from left to right.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    /// A character with what combines with it; empty behind a wide one.
    cells: Vec<(String, Paint)>,
}

impl Cells {
    pub(super) fn new(count: usize) -> Cells {
        Cells { cells: vec![(" ".to_owned(), Paint::Plain); count] }
    }

    /// A line that is as wide as its text.
    pub(super) fn of(text: &str) -> Cells {
        let mut cells = Cells::new(text.width());
        cells.write(0, text, Paint::Plain);
        cells
    }

    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Puts the cells of another line here, from `at` on.
    pub(super) fn copy(&mut self, at: usize, other: Cells) {
        for (cell, new) in self.cells.iter_mut().skip(at).zip(other.cells) {
            *cell = new;
        }
    }

    /// A character at one place; none beyond the line.
    pub(super) fn put(&mut self, at: usize, c: char, paint: Paint) {
        if let Some(cell) = self.cells.get_mut(at) {
            *cell = (c.to_string(), paint);
        }
    }

    /// A character from `from` up to, but not at, `to`.
    pub(super) fn fill(&mut self, from: usize, to: usize, c: char, paint: Paint) {
        for at in from..to {
            self.put(at, c, paint);
        }
    }

    /// Whether nothing stands at the place.
    pub(super) fn is_free(&self, at: usize) -> bool {
        self.cells.get(at).is_some_and(|(text, _)| text == " ")
    }

    /// What stands at the place.
    pub(super) fn is(&self, at: usize, c: char) -> bool {
        self.cells.get(at).is_some_and(|(text, _)| text.starts_with(c))
    }

    /// A text that is printable, and not wider than there is room.
    pub(super) fn write(&mut self, at: usize, text: &str, paint: Paint) {
        let mut at = at;
        for c in text.chars() {
            let wide = c.width().unwrap_or(0);
            match wide {
                0 => {
                    if let Some(cell) = at.checked_sub(1).and_then(|last| self.cells.get_mut(last))
                    {
                        cell.0.push(c);
                    }
                }
                _ if at + wide > self.cells.len() => return,
                _ => {
                    self.put(at, c, paint);
                    for more in at + 1..at + wide {
                        self.cells[more] = (String::new(), paint);
                    }
                }
            }
            at += wide;
        }
    }

    /// Appends the line, without what is empty at its end.
    pub(super) fn push(&self, styled: bool, out: &mut Vec<u8>) {
        let end = self.cells.iter().rposition(|(text, _)| text != " ").map_or(0, |last| last + 1);
        let mut now = Paint::Plain;
        for (text, paint) in &self.cells[..end] {
            let paint = if text == " " { Paint::Plain } else { *paint };
            if styled && paint != now {
                // Writing to a Vec does not fail.
                let _ = write!(out, "{:#}{}", now.style(), paint.style());
                now = paint;
            }
            out.extend_from_slice(text.as_bytes());
        }
        if styled {
            let _ = write!(out, "{:#}", now.style());
        }
        out.push(b'\n');
    }
}

/// How many cells a text takes.
pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// The text with escapes for what a terminal would act on, cut to `room` with two dots.
pub(super) fn fit(text: &str, room: usize) -> String {
    let text = printable(text);
    if text.width() <= room {
        return text;
    }
    let mut used = 0;
    let mut cut = String::new();
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used + 2 > room {
            break;
        }
        cut.push(c);
    }
    cut.push_str(&".."[..room.min(2)]);
    cut
}

/// The same of a name, whose end is kept: pods of one deployment differ in their ends.
pub(super) fn fit_middle(name: &str, room: usize) -> String {
    let name = printable(name);
    if name.width() <= room || room < 12 {
        return fit(&name, room);
    }
    let part = |chars: &mut dyn Iterator<Item = char>, room: usize| {
        let mut used = 0;
        let fits = |c: &char| {
            used += c.width().unwrap_or(0);
            used <= room
        };
        chars.take_while(fits).collect::<Vec<char>>()
    };
    let head = part(&mut name.chars(), (room - 2) * 2 / 5);
    let mut tail = part(&mut name.chars().rev(), (room - 2) * 3 / 5);
    tail.reverse();
    head.into_iter().chain(['.', '.']).chain(tail).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_to_cells() {
        let cases = [
            ("web-0", 5, "web-0"),
            ("web-00", 5, "web.."),
            ("web", 2, ".."),
            ("web", 1, "."),
            ("web", 0, ""),
            ("\u{6f22}\u{5b57}\u{6f22}", 5, "\u{6f22}.."),
            ("a\u{1b}b", 9, "a\\u{1b}b"),
        ];
        for (text, room, expected) in cases {
            assert_eq!(fit(text, room), expected, "{text} in {room}");
        }
    }

    #[test]
    fn names_keep_their_ends() {
        assert_eq!(fit_middle("shop/web-7f9c5b6d8-x1", 16), "shop/..5b6d8-x1");
        assert_eq!(fit_middle("shop/web-7f9c5b6d8-x1", 9), "shop/we..");
    }

    #[test]
    fn wide_characters_take_two_cells() {
        let mut cells = Cells::new(6);
        cells.fill(0, 6, '-', Paint::Plain);
        cells.write(1, "\u{6f22}e\u{301}", Paint::Plain);
        cells.write(5, "\u{6f22}", Paint::Plain);
        let mut out = Vec::new();
        cells.push(false, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), "-\u{6f22}e\u{301}--\n");
    }

    #[test]
    fn paint_ends_where_it_began() {
        let mut cells = Cells::new(5);
        cells.put(1, 'E', Paint::Evicted);
        let mut out = Vec::new();
        cells.push(true, &mut out);
        let text = String::from_utf8(out).unwrap();
        assert!(text.starts_with(" \u{1b}[") && text.ends_with("\u{1b}[0m\n"), "{text:?}");
    }
}
