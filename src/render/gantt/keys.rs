//! What is below the lines: the steps and the fates in words, and what the signs mean.

use super::cells::{Cells, Paint, fit, width};
use super::lines::LETTERS;
use super::{Drawing, cells_of};
use crate::render::lanes::{clock, fates, steps};
use crate::render::table::counted;

/// Lines of steps and of fates before the rest is counted.
const LINES_MAX: usize = 12;

/// Signs that are no letters.
const SIGNS: [(&str, &str, &str); 14] = [
    ("noexecute", "###", "NoExecute taint"),
    ("other", "%%%", "other taint"),
    ("life", "---", "exists"),
    ("waits", "...", "has no node yet"),
    ("ending", "~~~", "terminating"),
    ("window", "[==", "timer armed"),
    ("fired", "=>", "it fired"),
    ("cancelled", "x", "it was cancelled"),
    ("lost", "!", "it was lost with the controller"),
    ("open", ")", "it is still armed, and fires here"),
    ("deletion", "***", "calls of a deletion"),
    ("down", "___", "no controller works"),
    ("stretched", "+.+", "time is drawn wider"),
    ("cut", "//", "a wait is cut"),
];

impl Drawing<'_> {
    pub(super) fn keys(&mut self) {
        let steps = steps(self.chart)
            .into_iter()
            .map(|line| [line.number.to_owned(), clock(line.at), line.text]);
        let steps: Vec<[String; 3]> = steps.collect();
        self.table(&steps);
        let fates = fates(self.chart)
            .into_iter()
            .map(|(fate, count, why)| [fate.to_owned(), counted(count, "pod"), why.to_owned()]);
        let fates: Vec<[String; 3]> = fates.collect();
        self.table(&fates);
        let not_applied = self.chart.steps_not_applied.len();
        if not_applied > 0 {
            let text = format!("{} never applied", counted(not_applied, "step"));
            self.out.extend(cells_of(&text, self.columns));
        }
        self.legend();
    }

    /// Lines of three columns, the last one cut where it is too wide.
    fn table(&mut self, lines: &[[String; 3]]) {
        if lines.is_empty() {
            return;
        }
        self.out.push(Cells::new(0));
        let shown = if lines.len() > LINES_MAX { LINES_MAX - 1 } else { lines.len() };
        let lines_shown = &lines[..shown];
        let widest = |column: usize| {
            let widths = lines_shown.iter().map(|line| width(&line[column]));
            widths.max().unwrap_or(0).min(self.columns / 4)
        };
        let (second, third) = (widest(0) + 2, widest(0) + widest(1) + 5);
        for [first, key, text] in lines_shown {
            let mut cells = Cells::new(self.columns);
            cells.write(0, &fit(first, second - 2), Paint::Plain);
            cells.write(second, &fit(key, third - second - 3), Paint::Plain);
            cells.write(third, &fit(text, self.columns - third), Paint::Plain);
            self.out.push(cells);
        }
        if shown < lines.len() {
            let text = format!("... and {} more", lines.len() - shown);
            self.out.extend(cells_of(&text, self.columns));
        }
    }

    /// The signs that occur, as many in a line as fit.
    fn legend(&mut self) {
        let mut entries: Vec<(String, &str)> = Vec::new();
        for (id, sign, words) in SIGNS {
            if self.used.contains(id) {
                entries.push((sign.to_owned(), words));
            }
        }
        for (_, letter, words, _) in LETTERS.into_iter().rev() {
            let is_known = entries.iter().any(|(_, known)| *known == words);
            if self.used.contains(words) && !is_known {
                entries.push((letter.to_string(), words));
            }
        }
        self.out.push(Cells::new(0));
        let mut line = String::new();
        for (sign, words) in entries {
            let entry = format!("{sign} {words}");
            if !line.is_empty() && line.len() + 3 + entry.len() > self.columns {
                self.out.push(Cells::of(&line));
                line.clear();
            }
            if !line.is_empty() {
                line.push_str("   ");
            }
            line.push_str(&entry);
        }
        if !line.is_empty() {
            self.out.push(Cells::of(&line));
        }
    }
}
