//! What a campaign came to, as a text. It has no times: the same runs give the same bytes.

use std::fmt::Write as _;

use crate::fuzz::campaign::{Campaign, Row};
use crate::fuzz::finding::Finding;
use crate::marks::Mark;
use crate::scenario::limits::counted;

/// Columns of a list of marks.
const WIDTH: usize = 96;

/// The table of findings, the marks, and what it all was.
pub(super) fn text(campaign: &Campaign) -> String {
    let rows = campaign.rows();
    let mut text = table(&rows);
    let new = rows.iter().filter(|row| row.finding.is_new()).count();
    let (tally, settings) = (&campaign.tally, &campaign.settings);
    // Writing to a String does not fail.
    let _ = write!(
        text,
        "{}, {} with a breach: {} ({new} NEW)\n{} of {} marks hit",
        counted(tally.runs(), "run"),
        tally.breaching,
        counted(rows.len() as u64, "finding"),
        tally.marks.len(),
        Mark::ALL.len(),
    );
    let missed: Vec<&str> =
        Mark::ALL.iter().filter(|m| !tally.marks.contains_key(m)).map(|m| m.name()).collect();
    if !missed.is_empty() {
        text.push_str("; never:");
        let whole = textwrap::WordSplitter::NoHyphenation;
        let width = textwrap::Options::new(WIDTH).word_splitter(whole);
        for line in textwrap::wrap(&missed.join(", "), width) {
            let _ = write!(text, "\n  {line}");
        }
    }
    text.push('\n');
    let runs = match tally.ranges.as_slice() {
        [all] if all.start == 0 => format!(" --runs {}", all.end),
        _ => String::new(),
    };
    let _ = writeln!(text, "searched by: {}{runs}", settings.command());
    text
}

/// A line for each finding.
fn table(rows: &[Row<'_>]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let head = ["FINDING", "COUNT", "FIRST RUN", "STEPS", "UPSTREAM", "FILE"].map(str::to_owned);
    let mut lines = vec![head];
    lines.extend(rows.iter().map(|row| {
        let finding = row.finding;
        [
            finding.signature.to_string(),
            row.hits.runs.to_string(),
            row.hits.first.to_string(),
            steps(finding),
            finding.upstream(),
            format!("findings/{}.yaml", finding.signature.stem()),
        ]
    }));
    let width = |column: usize| lines.iter().map(|line| line[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..6).map(width).collect();
    let mut text = String::new();
    for line in &lines {
        let mut out = String::new();
        for (column, cell) in line.iter().enumerate() {
            let width = widths[column];
            let _ = match column {
                1 | 2 => write!(out, "{cell:>width$}  "),
                _ => write!(out, "{cell:<width$}  "),
            };
        }
        text.push_str(out.trim_end());
        text.push('\n');
    }
    text.push('\n');
    text
}

/// Steps before and after shrinking.
pub(super) fn steps(finding: &Finding) -> String {
    format!("{} -> {}", finding.steps_before, finding.steps_after)
}
