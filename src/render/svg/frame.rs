//! What is around the rows: the axis with its times and cuts, the steps, and what happens to the
//! controller.

use super::page::{Anchor, Font, PX, Tenth, width};
use super::style::symbol;
use super::{BOLD, Drawing, LEFT, MARGIN, RIGHT, SMALL, WIDTH};
use crate::kernel::time::Span;
use crate::render::chart::MarkKind;
use crate::render::chart::scale::{Gap, Pace};
use crate::render::lanes::{absences, clock, run_marks, steps, times_by_weight};

/// What is between two texts at least.
const BETWEEN: Tenth = 6 * PX;

/// The numbers of steps.
const FLAG: Font = Font { class: "bold on", size: 9 };

/// Texts of one line that must not touch.
#[derive(Default)]
struct Spaces {
    taken: Vec<(Tenth, Tenth)>,
}

impl Spaces {
    /// Takes the place, unless a part of it is taken.
    fn take(&mut self, from: Tenth, to: Tenth) -> bool {
        let free = self.taken.iter().all(|(a, b)| to + BETWEEN <= *a || *b + BETWEEN <= from);
        if free {
            self.taken.push((from, to));
        }
        free
    }
}

impl Drawing<'_> {
    /// The axis, with as many times as there is room for; gives the places of these.
    pub(super) fn axis(&mut self) -> Vec<Tenth> {
        let baseline = self.y + 10 * PX;
        let line = super::AXIS;
        let mut spaces = Spaces::default();
        let mut ticks = Vec::new();
        for time in times_by_weight(self.chart) {
            let text = clock(time);
            let half = width(&text, SMALL) / 2;
            let x = self.x(time);
            if x + half < WIDTH && spaces.take(x.saturating_sub(half), x + half) {
                self.front.text(SMALL, Anchor::Middle, (x, baseline), &text, 2 * half + PX);
                self.bars.line("axis", (x, line - 4 * PX), (x, line));
                ticks.push(x);
            }
        }
        let mut lengths = Spaces::default();
        for gap in self.scale.gaps().to_vec() {
            let (from, to) = (LEFT + gap.left, LEFT + gap.right);
            let class = match gap.pace {
                Pace::Stretched => "stretched",
                Pace::Linear | Pace::Cut => "axis",
            };
            self.bars.line(class, (from, line), (to, line));
            match gap.pace {
                Pace::Stretched => {
                    self.used.insert("stretched");
                }
                Pace::Cut => self.cut_length(&gap, &mut lengths, line),
                Pace::Linear => {}
            }
        }
        if self.scale.gaps().is_empty() {
            self.bars.line("axis", (LEFT, line), (RIGHT, line));
        }
        self.y = line + 4 * PX;
        ticks
    }

    /// How long a cut gap is, above it.
    fn cut_length(&mut self, gap: &Gap, lengths: &mut Spaces, line: Tenth) {
        self.used.insert("cut");
        let font = Font { class: "soft", size: 9 };
        let middle = LEFT + (gap.left + gap.right) / 2;
        for text in [format!("+{}", gap.length()), format!("+{}", short(gap.length()))] {
            let half = width(&text, font) / 2;
            if lengths.take(middle.saturating_sub(half), middle + half) {
                let at = (middle, line - 6 * PX);
                self.front.text(font, Anchor::Middle, at, &text, 2 * half + PX);
                return;
            }
        }
    }

    /// The rows above the nodes: steps, and what happens to the controller and to watches.
    pub(super) fn run_rows(&mut self) {
        self.steps_row();
        let marks = run_marks(self.chart);
        let down = absences(self.chart, MarkKind::ControllerStopped, MarkKind::ControllerStarted);
        if marks.is_empty() && down.is_empty() {
            self.y += 4 * PX;
            return;
        }
        let height = 20 * PX;
        let middle = self.y + height / 2;
        let at = (MARGIN, middle + 4 * PX);
        self.front.text(BOLD, Anchor::Start, at, "controller, notes", LEFT - MARGIN - 10 * PX);
        for stretch in down {
            let (from, to) = (self.x(stretch.from), self.x(stretch.to.unwrap_or(self.chart.end)));
            let until = stretch.to.map_or("the end".to_owned(), |to| to.to_string());
            self.bars.open(&format!("no controller works from {} to {until}", stretch.from));
            self.bars.rect("down", (from, self.y + 3 * PX), to - from, height - 6 * PX);
            self.bars.close();
            self.used.insert("down");
        }
        let mut last: Option<Tenth> = None;
        for (time, kind, text) in &marks {
            let (Some(id), x) = (symbol(*kind), self.x(*time)) else { continue };
            if last.is_some_and(|last| x < last + 11 * PX) {
                continue;
            }
            last = Some(x);
            let near = marks.iter().filter(|(at, kind, _)| {
                symbol(*kind).is_some() && (x..x + 11 * PX).contains(&self.x(*at))
            });
            let words =
                near.clone().map(|(at, kind, text)| format!("{at} {}: {text}", kind.word()));
            let words: Vec<String> = words.take(20).collect();
            let several = near.count() > 1;
            let title = if several { words.join("; ") } else { format!("{time} {text}") };
            self.front.symbol(id, (x, middle), &title);
            self.used.insert(id);
            if several {
                self.front.symbol("several", (x + 70, middle - 60), "");
                self.used.insert("several");
            }
        }
        self.y += height;
    }

    /// Flags with the numbers of the steps.
    fn steps_row(&mut self) {
        let lines = steps(self.chart);
        if lines.is_empty() {
            return;
        }
        let height = 20 * PX;
        let at = (MARGIN, self.y + height / 2 + 4 * PX);
        self.front.text(BOLD, Anchor::Start, at, "steps", LEFT - MARGIN - 10 * PX);
        // Flags that would touch become one, which may then touch the one before it.
        let mut flags: Vec<(usize, usize)> = Vec::new();
        let place = |(first, last): (usize, usize)| {
            let x = (self.x(lines[first].at) + self.x(lines[last].at)) / 2;
            (x, flag_width(&span(lines[first].number, lines[last].number)))
        };
        for index in 0..lines.len() {
            let mut flag = (index, index);
            while let Some(before) = flags.last() {
                let ((x, wide), (before_x, before_wide)) = (place(flag), place(*before));
                if x >= before_x + (before_wide + wide) / 2 + 20 {
                    break;
                }
                flag.0 = before.0;
                flags.pop();
            }
            flags.push(flag);
        }
        let flags: Vec<_> = flags.into_iter().map(|flag| (place(flag), flag)).collect();
        for ((x, wide), (first, last)) in flags {
            let text = span(lines[first].number, lines[last].number);
            let words = lines[first..=last].iter().take(20);
            let words =
                words.map(|line| format!("{} step {}: {}", line.at, line.number, line.text));
            let words: Vec<String> = words.collect();
            let refused = lines[first..=last].iter().any(|line| line.rejected);
            let class = if refused { "refused" } else { "flag" };
            self.used.insert(class);
            let y = self.y + 3 * PX;
            self.bars.open(&words.join("; "));
            self.bars.rect(class, (x.saturating_sub(wide / 2), y), wide, 14 * PX);
            self.bars.close();
            self.front.text(FLAG, Anchor::Middle, (x, y + 105), &text, wide);
            for line in &lines[first..=last] {
                let guide = (self.x(line.at), self.y + 17 * PX);
                // Lines that are closer to each other would be an area.
                if self.step_guides.last().is_none_or(|(last, _)| last + 60 <= guide.0) {
                    self.step_guides.push(guide);
                }
            }
        }
        self.y += height;
    }

    /// Lines through all rows, at the times of the axis and at the steps.
    pub(super) fn guides(&mut self, ticks: &[Tenth], top: Tenth, bottom: Tenth) {
        for x in ticks {
            self.back.line("grid", (*x, top), (*x, bottom));
        }
        for (x, from) in std::mem::take(&mut self.step_guides) {
            self.back.line("guide", (x, from), (x, bottom));
        }
    }

    /// Two strokes, and nothing between them, where a wait is cut.
    pub(super) fn cut_strips(&mut self, bottom: Tenth) {
        let line = super::AXIS;
        for x in self.cuts.clone() {
            self.bars.rect("gap", (x - 25, line - 4 * PX), 5 * PX, bottom - line + 4 * PX);
            for x in [x - 25, x + 25] {
                self.bars.line("cut", (x - 15, line + 4 * PX), (x + 15, line - 4 * PX));
                self.bars.line("grid", (x, line + 4 * PX), (x, bottom));
            }
        }
    }
}

fn flag_width(text: &str) -> Tenth {
    (width(text, FLAG) + 6 * PX).max(14 * PX)
}

/// `2`, or `2-4`.
fn span(first: &str, last: &str) -> String {
    match first == last {
        true => first.to_owned(),
        false => format!("{first}\u{2013}{last}"),
    }
}

/// A length in its two greatest units: `166h39m`, for where there is no room for more.
fn short(span: Span) -> String {
    let text = span.to_string();
    let mut units = 0;
    let end = text.char_indices().find(|(index, c)| {
        let follows_unit = *index > 0 && text.as_bytes()[index - 1].is_ascii_alphabetic();
        units += usize::from(c.is_ascii_digit() && follows_unit);
        units == 2
    });
    text[..end.map_or(text.len(), |(index, _)| index)].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::fixture::time_of;

    #[test]
    fn lengths_are_short() {
        for (text, expected) in
            [("166h39m59.999s", "166h39m"), ("10.5s", "10.5s"), ("3m20.001s", "3m20.001s")]
        {
            assert_eq!(short(Span(time_of(text).0)), expected);
        }
    }
}
