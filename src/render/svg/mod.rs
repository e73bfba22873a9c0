//! `-o svg`: a run as a picture to print: nodes with their taints, pods below them with their
//! windows, deletions and fates, over an axis that cuts long waits.
//!
//! One file, without scripts, fonts or anything from elsewhere. It is as wide as a page on its side
//! and, up to some thirty rows, no higher; pods with the same story share a row beyond that. The
//! sizes of texts are estimated, so that none covers another whatever font there is.

mod frame;
mod keys;
mod page;
mod rows;
mod style;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::chart::scale::{Pace, Room, Scale, moments};
use super::chart::{Chart, Collector, MarkKind, Rows};
use super::lanes::{Line, fates, lines, marks_of_pods, nodes_name, row_name, titles};
use super::table::counted;
use super::{Ending, Render, View};
use crate::kernel::time::Time;
use crate::timeline::Record;
use page::{Anchor, Font, Number, PX, Page, Tenth, push_escaped};

/// The picture's width: a page of A4 or Letter on its side, without its margins.
const WIDTH: Tenth = 980 * PX;
const MARGIN: Tenth = 14 * PX;
/// Where time begins and ends; names are on the left, fates on the right.
const LEFT: Tenth = 204 * PX;
const RIGHT: Tenth = 844 * PX;
/// The line of the axis.
const AXIS: Tenth = 82 * PX;
/// Lanes that are drawn one by one; of more, those with the same story share a row.
const LANES_MAX: usize = 30;
/// Rows before the rest is counted.
const ROWS_MAX: usize = 32;
/// Rows above which they are lower.
const HIGH_ROWS_MAX: usize = 18;

const NORMAL: Font = Font { class: "normal", size: 11 };
const SMALL: Font = Font { class: "normal", size: 10 };
const SOFT: Font = Font { class: "soft", size: 10 };
const BOLD: Font = Font { class: "bold", size: 11 };

/// The renderer.
#[derive(Debug, Default)]
pub struct Svg {
    collector: Collector,
}

impl Render for Svg {
    fn begin(&mut self, _: View<'_>, _: &mut Vec<u8>) {}

    fn record(&mut self, view: View<'_>, record: &Record, _: &mut Vec<u8>) {
        self.collector.take(view, record);
    }

    fn end(&mut self, view: View<'_>, ending: Ending<'_>, out: &mut Vec<u8>) {
        let chart = std::mem::take(&mut self.collector).finish(view, ending);
        out.extend_from_slice(draw(view, &chart).as_bytes());
    }
}

/// What is drawn so far, in layers from back to front.
struct Drawing<'a> {
    view: View<'a>,
    chart: &'a Chart,
    scale: Scale,
    /// Stripes and guides.
    back: Page,
    bars: Page,
    /// Symbols and texts.
    front: Page,
    /// What the legend has to explain.
    used: BTreeSet<&'static str>,
    /// The middles of cut gaps.
    cuts: Vec<Tenth>,
    /// Where the lines of the steps begin.
    step_guides: Vec<(Tenth, Tenth)>,
    /// Where the next row begins.
    y: Tenth,
}

impl Drawing<'_> {
    fn x(&self, time: Time) -> Tenth {
        LEFT + self.scale.place(time)
    }
}

fn draw(view: View<'_>, chart: &Chart) -> String {
    let room = Room { width: RIGHT - LEFT, least: 14 * PX, cut: 70 * PX };
    let scale = Scale::new(&moments(chart), room);
    let cuts = scale.gaps().iter().filter(|gap| gap.pace == Pace::Cut);
    let cuts = cuts.map(|gap| LEFT + (gap.left + gap.right) / 2).collect();
    let mut drawing = Drawing {
        view,
        chart,
        scale,
        back: Page::default(),
        bars: Page::default(),
        front: Page::default(),
        used: BTreeSet::new(),
        cuts,
        step_guides: Vec::new(),
        y: 0,
    };
    drawing.titles();
    let guides = drawing.axis();
    drawing.run_rows();
    let top = drawing.y;
    drawing.lines();
    let bottom = drawing.y;
    drawing.guides(&guides, top, bottom);
    drawing.keys();
    drawing.finish(bottom)
}

impl Drawing<'_> {
    fn titles(&mut self) {
        let (name, rest) = titles(self.view);
        let title = Font { class: "bold", size: 17 };
        self.front.text(title, Anchor::Start, (MARGIN, 25 * PX), &name, WIDTH - 2 * MARGIN);
        let at = (MARGIN, 42 * PX);
        self.front.text(SOFT, Anchor::Start, at, &rest, WIDTH - 2 * MARGIN);
        self.y = 54 * PX;
    }

    /// Nodes with their pods, in stripes.
    fn lines(&mut self) {
        let chart = self.chart;
        let rows = Rows::new(chart, LANES_MAX);
        let lines = lines(&rows, ROWS_MAX);
        let height = if lines.len() > HIGH_ROWS_MAX { 17 * PX } else { 22 * PX };
        let marks = marks_of_pods(chart);
        for line in &lines {
            match line {
                Line::Node(lanes) => {
                    let name = nodes_name(self.view, chart, lanes);
                    let node = lanes.first().and_then(|lane| chart.nodes.get(*lane as usize));
                    if let Some(node) = node {
                        self.node_row(&name, node, height);
                    }
                }
                Line::Pod(row) => {
                    let lane = row.first() as usize;
                    let name = row_name(self.view, chart, row);
                    self.pod_row(&name, &chart.pods[lane], &marks[lane], height);
                }
                Line::More(rows, pods) => {
                    let at = (MARGIN + 12 * PX, self.y + height / 2 + 4 * PX);
                    let text = Line::more(*rows, *pods);
                    self.front.text(SOFT, Anchor::Start, at, &text, WIDTH - 2 * MARGIN);
                    self.y += height;
                }
                Line::WithoutNode => {
                    let at = (MARGIN, self.y + height / 2 + 4 * PX);
                    self.front.text(BOLD, Anchor::Start, at, "(no node)", LEFT - MARGIN);
                    self.y += height;
                }
            }
        }
    }

    /// The whole document. Rows reach down to `bottom`.
    fn finish(mut self, bottom: Tenth) -> String {
        let height = self.y + MARGIN / 2;
        let (w, h) = (Number(WIDTH), Number(height));
        let mut out = String::new();
        // Writing to a String does not fail.
        let _ = writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" \
             xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"{w}\" height=\"{h}\" \
             viewBox=\"0 0 {w} {h}\" role=\"img\" aria-labelledby=\"ts-title ts-desc\">"
        );
        let (name, rest) = titles(self.view);
        out.push_str("<title id=\"ts-title\">");
        push_escaped(&mut out, &name);
        out.push_str("</title>\n<desc id=\"ts-desc\">");
        push_escaped(&mut out, &format!("Timeline of evictions: {rest}. {}", outcome(self.chart)));
        let _ = writeln!(
            out,
            "</desc>\n<style>{}</style>\n<defs>{}</defs>",
            style::STYLE,
            style::SYMBOLS
        );
        self.cut_strips(bottom);
        let mut paper = Page::default();
        paper.rect("paper", (0, 0), WIDTH, height);
        out.push_str(&paper.body);
        out.push_str(&self.back.body);
        out.push_str(&self.bars.body);
        out.push_str(&self.front.body);
        out.push_str("</svg>\n");
        out
    }
}

/// `evicted: 2 pods; survives: 1 pod.`
fn outcome(chart: &Chart) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for (fate, count, _) in fates(chart) {
        match counts.last_mut().filter(|(known, _)| *known == fate) {
            Some((_, known)) => *known += count,
            None => counts.push((fate, count)),
        }
    }
    let words = counts.iter().map(|(fate, count)| format!("{fate}: {}", counted(*count, "pod")));
    let words: Vec<String> = words.collect();
    format!("{}.", words.join("; "))
}

/// A mark of a pod's lane: time, kind, words.
type PodMark<'a> = (Time, MarkKind, &'a str);
