//! `-o gantt`: a run as lanes in a terminal, one line for a node, a taint or a pod.
//!
//! Plain ASCII, so that it is the same in a terminal, a mail and the log of a CI job; only names
//! may have other characters. Colours come on top where they are asked for, and say nothing that
//! the characters do not say. No line is wider than what the command line gives as width.

mod cells;
mod keys;
mod lines;

use std::collections::BTreeSet;

use super::chart::scale::{Pace, Room, Scale, moments};
use super::chart::{Chart, Collector, Rows};
use super::lanes::{
    Line, clock, fate, lines, marks_of_pods, nodes_name, row_name, times_by_weight, titles,
};
use super::{Ending, Render, View};
use crate::kernel::time::Time;
use crate::timeline::Record;
use cells::{Cells, Paint, fit, fit_middle, width};

/// The least width that anything can be drawn in.
const COLUMNS_MIN: usize = 40;
/// The width where nobody says another.
pub const COLUMNS_DEFAULT: usize = 100;
/// Lanes that are drawn one by one; of more, those with the same story share a row.
const LANES_MAX: usize = 30;
/// Rows before the rest is counted.
const ROWS_MAX: usize = 40;
/// What is between the columns.
const BETWEEN: usize = 2;

/// The renderer.
#[derive(Debug)]
pub struct Gantt {
    collector: Collector,
    styled: bool,
    columns: usize,
}

impl Gantt {
    /// Lanes in so many columns of a terminal, painted where `styled`.
    pub fn new(styled: bool, columns: usize) -> Gantt {
        Gantt { collector: Collector::new(), styled, columns: columns.max(COLUMNS_MIN) }
    }
}

impl Render for Gantt {
    fn begin(&mut self, _: View<'_>, _: &mut Vec<u8>) {}

    fn record(&mut self, view: View<'_>, record: &Record, _: &mut Vec<u8>) {
        self.collector.take(view, record);
    }

    fn end(&mut self, view: View<'_>, ending: Ending<'_>, out: &mut Vec<u8>) {
        let chart = std::mem::take(&mut self.collector).finish(view, ending);
        let rows = Rows::new(&chart, LANES_MAX);
        Drawing::new(view, &chart, &rows, self.columns).draw(self.styled, out);
    }
}

struct Drawing<'a> {
    view: View<'a>,
    chart: &'a Chart,
    lines: Vec<Line<'a>>,
    scale: Scale,
    columns: usize,
    /// Columns of the names, of the time, of the fates.
    names: usize,
    plot: usize,
    fates: usize,
    /// The columns of time that belong to no moment.
    cuts: Vec<usize>,
    /// What the legend has to explain.
    used: BTreeSet<&'static str>,
    out: Vec<Cells>,
}

impl<'a> Drawing<'a> {
    fn new(view: View<'a>, chart: &'a Chart, rows: &'a Rows, columns: usize) -> Drawing<'a> {
        let lines = lines(rows, ROWS_MAX);
        let (mut names, mut fates) = ("controller".len(), 0);
        for line in &lines {
            match line {
                Line::Node(lanes) => names = width(&nodes_name(view, chart, lanes)).max(names),
                Line::Pod(row) => {
                    names = (width(&row_name(view, chart, row)) + 2).max(names);
                    fates = width(&fate(&chart.pods[row.first() as usize])).max(fates);
                }
                Line::WithoutNode | Line::More(..) => {}
            }
        }
        let names = names.min(columns * 3 / 10);
        // Where there is no room, the marks and the summary have to do.
        let fates = if columns < 64 { 0 } else { fates.min(columns / 4) };
        let plot = columns - names - BETWEEN - if fates > 0 { fates + BETWEEN } else { 0 };
        let room = Room { width: plot as u64 - 1, least: 2, cut: 8 };
        let scale = Scale::new(&moments(chart), room);
        let cut = scale.gaps().iter().filter(|gap| gap.pace == Pace::Cut);
        // Not more columns than there are.
        let cuts = cut.map(|gap| ((gap.left + gap.right) / 2) as usize).collect();
        let (used, out) = (BTreeSet::new(), Vec::new());
        Drawing { view, chart, lines, scale, columns, names, plot, fates, cuts, used, out }
    }

    /// The column of a time, in the columns of time.
    fn column(&self, time: Time) -> usize {
        self.scale.place(time) as usize
    }

    fn draw(mut self, styled: bool, out: &mut Vec<u8>) {
        let (name, rest) = titles(self.view);
        for line in cells_of(&format!("{name}: {rest}"), self.columns) {
            self.out.push(line);
        }
        self.out.push(Cells::new(0));
        self.axis();
        self.run_lines();
        let marks = marks_of_pods(self.chart);
        let lines = std::mem::take(&mut self.lines);
        for line in &lines {
            match line {
                Line::Node(lanes) => {
                    let name = nodes_name(self.view, self.chart, lanes);
                    let node = lanes.first().and_then(|lane| self.chart.nodes.get(*lane as usize));
                    if let Some(node) = node {
                        self.node_lines(&name, node);
                    }
                }
                Line::Pod(row) => {
                    let name = row_name(self.view, self.chart, row);
                    let lane = row.first() as usize;
                    self.pod_line(&name, &self.chart.pods[lane], &marks[lane]);
                }
                Line::More(rows, pods) => {
                    let text = Line::more(*rows, *pods);
                    self.out.push(Cells::of(&fit(&format!("  {text}"), self.columns)));
                }
                Line::WithoutNode => self.line("(no node)", Cells::new(0), ("", Paint::Plain)),
            }
        }
        self.keys();
        for line in &self.out {
            line.push(styled, out);
        }
    }

    /// A line of the picture: its name, its columns of time, its fate.
    fn line(&mut self, name: &str, plot: Cells, (fate, paint): (&str, Paint)) {
        let mut line = Cells::new(self.columns);
        line.write(0, &fit_middle(name, self.names), Paint::Plain);
        line.copy(self.names + BETWEEN, plot);
        if self.fates > 0 {
            let at = self.names + BETWEEN + self.plot + BETWEEN;
            line.write(at, &fit(fate, self.fates), paint);
        }
        self.out.push(line);
    }

    /// The lengths of what is cut, the times, and the axis.
    fn axis(&mut self) {
        let mut lengths = Cells::new(self.plot);
        let mut axis = Cells::new(self.plot);
        axis.fill(0, self.plot, '-', Paint::Dim);
        for gap in self.scale.gaps() {
            let (from, to) = (gap.left as usize, gap.right as usize);
            match gap.pace {
                Pace::Linear => {}
                Pace::Stretched => {
                    self.used.insert("stretched");
                    axis.fill(from, to, '.', Paint::Dim);
                }
                Pace::Cut => {
                    self.used.insert("cut");
                    let middle = (from + to) / 2;
                    axis.fill(middle, middle + 2, '/', Paint::Plain);
                    let text = format!("+{}", gap.length());
                    let at = (middle + 1).saturating_sub(text.len() / 2);
                    place(&mut lengths, at, &text);
                }
            }
        }
        let mut times = Cells::new(self.plot);
        for time in times_by_weight(self.chart) {
            let at = self.column(time);
            let text = clock(time);
            let before = (at + 1).saturating_sub(text.len());
            // Behind its column, or else up to it.
            if place(&mut times, at, &text) || place(&mut times, before, &text) {
                axis.put(at, '+', Paint::Plain);
            }
        }
        if !self.cuts.is_empty() {
            self.line("", lengths, ("", Paint::Plain));
        }
        self.line("", times, ("", Paint::Plain));
        self.line("", axis, ("", Paint::Plain));
    }
}

/// Writes a text at `at`, or as near before it as it fits, where nothing is near it.
fn place(cells: &mut Cells, at: usize, text: &str) -> bool {
    let wide = width(text);
    let Some(last) = cells.len().checked_sub(wide) else { return false };
    let at = at.min(last);
    let from = at.saturating_sub(1);
    let to = (at + wide + 1).min(cells.len());
    let free = (from..to).all(|at| cells.is_free(at));
    if free {
        cells.write(at, text, Paint::Plain);
    }
    free
}

/// The lines of a text that is broken between words, or where it has none within a line.
fn cells_of(text: &str, columns: usize) -> Vec<Cells> {
    let text = super::text::printable(text);
    let mut lines: Vec<String> = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ') {
        let wide = width(word);
        if used > 0 && used + 1 + wide > columns {
            lines.push(String::new());
            used = 0;
        }
        for (c, first) in word.chars().zip((0..).map(|n| n == 0)) {
            let Some(line) = lines.last_mut() else { break };
            if first && used > 0 {
                line.push(' ');
                used += 1;
            }
            let wide = unicode_width::UnicodeWidthChar::width(c).unwrap_or(0);
            if used + wide > columns {
                lines.push(c.to_string());
                used = wide;
                continue;
            }
            line.push(c);
            used += wide;
        }
    }
    lines.iter().map(|line| Cells::of(line)).collect()
}
