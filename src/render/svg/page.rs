//! Shapes and texts on their way into an SVG: coordinates in tenths of a pixel, texts escaped and
//! cut to the room that they have, and an estimate of how wide a text is.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar;

use crate::render::text::push_printable;

/// Tenths of a pixel.
pub(super) type Tenth = u64;

/// One pixel.
pub(super) const PX: Tenth = 10;

/// Where a text stands on its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
}

/// The elements so far.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) body: String,
}

impl Page {
    /// Begins a group with a text that viewers show where the pointer rests.
    pub(super) fn open(&mut self, title: &str) {
        self.body.push_str("<g>");
        self.title(title);
        self.body.push('\n');
    }

    /// Ends the group.
    pub(super) fn close(&mut self) {
        self.body.push_str("</g>\n");
    }

    fn title(&mut self, title: &str) {
        self.body.push_str("<title>");
        push_escaped(&mut self.body, title);
        self.body.push_str("</title>");
    }

    /// A rectangle; without any height or width nothing.
    pub(super) fn rect(&mut self, class: &str, (x, y): (Tenth, Tenth), w: Tenth, h: Tenth) {
        if w > 0 && h > 0 {
            let [x, y, w, h] = [x, y, w, h].map(Number);
            let _ = writeln!(
                self.body,
                "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"/>"
            );
        }
    }

    /// A line.
    pub(super) fn line(&mut self, class: &str, from: (Tenth, Tenth), to: (Tenth, Tenth)) {
        if from != to {
            let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(Number);
            let _ = writeln!(
                self.body,
                "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"
            );
        }
    }

    /// A drawing of [`super::style::SYMBOLS`], its middle at `at`, with a text for the pointer.
    pub(super) fn symbol(&mut self, id: &str, at: (Tenth, Tenth), title: &str) {
        let (x, y) = (Number(at.0), Number(at.1));
        let _ = write!(self.body, "<g transform=\"translate({x} {y})\">");
        if !title.is_empty() {
            self.title(title);
        }
        let _ = writeln!(self.body, "<use href=\"#ts-{id}\" xlink:href=\"#ts-{id}\"/></g>");
    }

    /// A text that is cut where it is wider than `room`.
    pub(super) fn text(
        &mut self,
        font: Font,
        anchor: Anchor,
        at: (Tenth, Tenth),
        text: &str,
        room: Tenth,
    ) {
        self.put(font, anchor, at, &fit(text, font, room));
    }

    /// A name, whose end is kept where its middle has to go.
    pub(super) fn name(&mut self, font: Font, at: (Tenth, Tenth), name: &str, room: Tenth) {
        self.put(font, Anchor::Start, at, &fit_middle(name, font, room));
    }

    fn put(&mut self, font: Font, anchor: Anchor, at: (Tenth, Tenth), text: &str) {
        if text.is_empty() {
            return;
        }
        let (x, y) = (Number(at.0), Number(at.1));
        let anchor = if anchor == Anchor::Middle { " text-anchor=\"middle\"" } else { "" };
        let Font { class, size } = font;
        let _ = write!(
            self.body,
            "<text class=\"{class}\" font-size=\"{size}\"{anchor} x=\"{x}\" y=\"{y}\">"
        );
        push_escaped(&mut self.body, text);
        self.body.push_str("</text>\n");
    }
}

/// How a text looks; the class says its colour and weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Font {
    pub(super) class: &'static str,
    /// In pixels.
    pub(super) size: u64,
}

/// Tenths as SVG has them.
pub(super) struct Number(pub(super) Tenth);

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 % 10 {
            0 => write!(f, "{}", self.0 / 10),
            tenth => write!(f, "{}.{tenth}", self.0 / 10),
        }
    }
}

/// Appends a text as XML has it: nothing in it acts, and what XML cannot hold is an escape.
pub(super) fn push_escaped(out: &mut String, text: &str) {
    let mut shown = String::new();
    push_printable(&mut shown, text);
    for c in shown.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
}

/// How wide a text is at most in common sans-serif fonts.
pub(super) fn width(text: &str, font: Font) -> Tenth {
    text.chars().map(|c| character_width(c, font)).sum::<u64>() / 100
}

/// The width of a character in thousandths of a pixel.
fn character_width(c: char, font: Font) -> u64 {
    let table = if font.class.contains("bold") { &BOLD_ADVANCES } else { &ADVANCES };
    let printable = (c as usize).checked_sub(0x20).and_then(|index| table.get(index));
    let thousandths = match printable {
        Some(advance) => u64::from(*advance),
        // As terminals count: a wide one is as wide as its font is high.
        None => match c.width() {
            Some(0) => 0,
            Some(2) => 1100,
            _ => 1000,
        },
    };
    thousandths * font.size
}

/// The widths of the printable ASCII characters in DejaVu Sans, in thousandths of the font's size.
/// Helvetica and Arial are narrower, and Verdana is about as wide.
const ADVANCES: [u16; 95] = [
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
];

/// The same of DejaVu Sans Bold.
const BOLD_ADVANCES: [u16; 95] = [
    348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365, 696, 696, 696,
    696, 696, 696, 696, 696, 696, 696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830, 683,
    683, 821, 837, 372, 372, 775, 637, 995, 837, 850, 733, 850, 770, 720, 682, 812, 774, 1103, 771,
    724, 725, 457, 365, 457, 838, 500, 500, 675, 716, 593, 716, 678, 435, 716, 712, 343, 343, 665,
    343, 1042, 712, 687, 716, 716, 493, 595, 478, 712, 652, 924, 645, 652, 582, 712, 365, 712, 838,
];

/// The text, or its beginning and an ellipsis where it is wider than `room`.
fn fit(text: &str, font: Font, room: Tenth) -> String {
    let mut shown = String::new();
    push_printable(&mut shown, text);
    if width(&shown, font) <= room {
        return shown;
    }
    let room = (room * 100).saturating_sub(character_width('\u{2026}', font));
    let mut used = 0;
    let mut cut = String::new();
    for c in shown.chars() {
        used += character_width(c, font);
        if used > room {
            break;
        }
        cut.push(c);
    }
    if !cut.is_empty() {
        cut.push('\u{2026}');
    }
    cut
}

/// The text, or its beginning and its end with an ellipsis between them: pods of one deployment
/// differ in their ends.
fn fit_middle(text: &str, font: Font, room: Tenth) -> String {
    let mut shown = String::new();
    push_printable(&mut shown, text);
    if width(&shown, font) <= room {
        return shown;
    }
    let room = (room * 100).saturating_sub(character_width('\u{2026}', font));
    let within = |chars: &mut dyn Iterator<Item = char>, room: u64| {
        let mut used = 0;
        let mut part = Vec::new();
        for c in chars {
            used += character_width(c, font);
            if used > room {
                break;
            }
            part.push(c);
        }
        part
    };
    let head = within(&mut shown.chars(), room * 2 / 5);
    let mut tail = within(&mut shown.chars().rev(), room * 3 / 5);
    tail.reverse();
    if head.is_empty() || tail.is_empty() {
        return fit(text, font, room / 100);
    }
    head.into_iter().chain(['\u{2026}']).chain(tail).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_and_escaped() {
        let font = Font { class: "normal", size: 10 };
        assert_eq!(fit("shop/web-0", font, 1_000), "shop/web-0");
        assert_eq!(fit("shop/web-0", font, 400), "shop/\u{2026}");
        assert_eq!(fit("shop/web-0", font, 50), "");
        assert_eq!(fit_middle("shop/web-7f9c5b6d8-x1", font, 800), "shop/\u{2026}b6d8-x1");
        let mut out = String::new();
        push_escaped(&mut out, "<a href=\"x\">&\u{1b}\u{ffff}");
        assert_eq!(out, "&lt;a href=&quot;x&quot;&gt;&amp;\\u{1b}\\u{ffff}");
        for room in 0..900 {
            let text = fit("a-Wide_name/w\u{6f22}\u{5b57}\u{1f600}mM", font, room);
            assert!(width(&text, font) <= room, "{text:?} in {room}");
            let text = fit_middle("shop/a-Wide_name-7f9c5b6d8-\u{6f22}-x1", font, room);
            assert!(width(&text, font) <= room, "{text:?} in {room}");
        }
    }

    #[test]
    fn numbers_have_one_place() {
        assert_eq!([0, 5, 10, 123].map(|n| Number(n).to_string()), ["0", "0.5", "1", "12.3"]);
    }
}
