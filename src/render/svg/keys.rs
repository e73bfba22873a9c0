//! What is below the rows: the steps and the fates in words, and what the signs mean.

use super::page::{Anchor, PX, Page, Tenth, width};
use super::style::ORDER;
use super::{BOLD, Drawing, MARGIN, SMALL, SOFT, WIDTH};
use crate::render::lanes::{clock, fates, steps};
use crate::render::table::counted;

/// Lines of steps and of fates before the rest is counted.
const LINES_MAX: usize = 10;
const LINE: Tenth = 14 * PX;

/// Signs that are no symbols, in the legend's order.
const SIGNS: [(&str, &str); 14] = [
    ("flag", "step"),
    ("refused", "step refused"),
    ("noexecute", "NoExecute taint"),
    ("other", "other taint"),
    ("window", "timer armed, with its wait"),
    ("fired", "timer fired"),
    ("deletion", "calls of a deletion"),
    ("life", "exists"),
    ("waits", "has no node yet"),
    ("ending", "terminating"),
    ("down", "no controller works"),
    ("several", "several at once"),
    ("stretched", "time is drawn wider"),
    ("cut", "a wait is cut"),
];

/// A line of words below the picture.
struct Words<'a> {
    /// Time, or fate with its count.
    first: String,
    text: &'a str,
}

impl Drawing<'_> {
    pub(super) fn keys(&mut self) {
        self.y += 8 * PX;
        self.bars.line("axis", (MARGIN, self.y), (WIDTH - MARGIN, self.y));
        let top = self.y;
        let steps = steps(self.chart);
        let step_words: Vec<Words<'_>> = steps
            .iter()
            .map(|line| Words {
                first: format!("{} \u{b7} {}", line.number, clock(line.at)),
                text: &line.text,
            })
            .collect();
        let fates = fates(self.chart);
        let fate_words: Vec<Words<'_>> = fates
            .iter()
            .map(|(fate, count, why)| Words {
                first: format!("{fate}: {}", counted(*count, "pod")),
                text: why,
            })
            .collect();
        // Half of the page for each, or what the other does not need.
        let (whole, between) = (WIDTH - 2 * MARGIN, 24 * PX);
        let half = (whole - between) / 2;
        let needed = [wanted(&step_words), wanted(&fate_words)];
        let steps_wide = match needed {
            [steps, fates] if steps > half => steps.min((whole - between).saturating_sub(fates)),
            [steps, _] => steps,
        };
        let steps_wide = steps_wide.max(needed[0].min(half));
        let mut left = MARGIN;
        let mut deepest = top;
        if !step_words.is_empty() {
            deepest = self.column("Steps", &step_words, left, top, steps_wide);
            left += steps_wide + between;
        }
        let wide = WIDTH - MARGIN - left;
        let not_applied = self.chart.steps_not_applied.len();
        if !fate_words.is_empty() {
            deepest =
                deepest.max(self.column("What became of the pods", &fate_words, left, top, wide));
        }
        self.y = deepest;
        if not_applied > 0 {
            let text = format!("{} never applied", counted(not_applied, "step"));
            self.front.text(
                SOFT,
                Anchor::Start,
                (MARGIN, self.y + LINE),
                &text,
                WIDTH - 2 * MARGIN,
            );
            self.y += LINE;
        }
        self.legend();
    }

    /// A heading with lines; gives where it ends.
    fn column(
        &mut self,
        heading: &str,
        lines: &[Words<'_>],
        x: Tenth,
        top: Tenth,
        wide: Tenth,
    ) -> Tenth {
        let mut y = top + 18 * PX;
        self.front.text(BOLD, Anchor::Start, (x, y), heading, wide);
        let shown = if lines.len() > LINES_MAX { LINES_MAX - 1 } else { lines.len() };
        let first = first_column(lines).min(wide / 3);
        for line in &lines[..shown] {
            y += LINE;
            self.front.open(&format!("{}: {}", line.first, line.text));
            self.front.text(SMALL, Anchor::Start, (x, y), &line.first, first);
            let text_x = x + first + 8 * PX;
            self.front.text(SMALL, Anchor::Start, (text_x, y), line.text, wide - first - 8 * PX);
            self.front.close();
        }
        if shown < lines.len() {
            y += LINE;
            let text = format!("... and {} more", lines.len() - shown);
            self.front.text(SOFT, Anchor::Start, (x, y), &text, wide);
        }
        y
    }

    /// The signs that occur, in lines.
    fn legend(&mut self) {
        self.y += 20 * PX;
        let mut x = MARGIN;
        for (id, words) in SIGNS.into_iter().chain(ORDER) {
            if !self.used.contains(id) {
                continue;
            }
            let icon = if is_wide(id) { 26 * PX } else { 14 * PX };
            let wide = icon + 5 * PX + width(words, SMALL);
            if x + wide > WIDTH - MARGIN {
                x = MARGIN;
                self.y += 17 * PX;
            }
            sign(&mut self.front, id, (x, self.y));
            let at = (x + icon + 5 * PX, self.y + 35);
            self.front.text(SMALL, Anchor::Start, at, words, width(words, SMALL));
            x += wide + 16 * PX;
        }
        self.y += 8 * PX;
    }
}

/// The first lines' first words are as wide as this.
fn first_column(lines: &[Words<'_>]) -> Tenth {
    let shown = lines.iter().take(LINES_MAX);
    shown.map(|line| width(&line.first, SMALL)).max().unwrap_or(0)
}

/// How wide a column would be without a line cut, and its heading.
fn wanted(lines: &[Words<'_>]) -> Tenth {
    let texts = lines.iter().take(LINES_MAX).map(|line| width(line.text, SMALL)).max();
    (first_column(lines) + 8 * PX + texts.unwrap_or(0) + PX).max(160 * PX)
}

/// Whether a sign is drawn as a piece of a bar or a line.
fn is_wide(id: &str) -> bool {
    SIGNS.iter().any(|(known, _)| *known == id) && !matches!(id, "flag" | "refused" | "several")
}

/// An example of the sign; `y` is its middle.
fn sign(page: &mut Page, id: &str, (x, y): (Tenth, Tenth)) {
    let end = x + 26 * PX;
    match id {
        "flag" | "refused" => page.rect(id, (x, y - 6 * PX), 14 * PX, 12 * PX),
        "noexecute" | "other" | "window" | "down" => {
            page.rect(id, (x, y - 5 * PX), 26 * PX, 10 * PX);
        }
        "fired" => {
            page.rect("window", (x, y - 5 * PX), 26 * PX, 10 * PX);
            page.rect("deletion", (end - 15, y - 5 * PX), 3 * PX, 10 * PX);
        }
        "deletion" => page.rect(id, (x, y - 2 * PX), 26 * PX, 4 * PX),
        "life" | "waits" | "ending" | "stretched" => page.line(id, (x, y), (end, y)),
        "several" => page.symbol(id, (x + 7 * PX, y), ""),
        "cut" => {
            page.line("axis", (x, y), (x + 10 * PX, y));
            page.line("axis", (x + 16 * PX, y), (end, y));
            for x in [x + 10 * PX, x + 16 * PX] {
                page.line("cut", (x - 15, y + 4 * PX), (x + 15, y - 4 * PX));
            }
        }
        id => page.symbol(id, (x + 7 * PX, y), ""),
    }
}
