//! `-o mermaid`: a run as a Mermaid `gantt`, which GitHub, GitLab and many wikis draw.
//!
//! A section for each node with its taints, the timers of its pods as bars, and evictions as
//! milestones. Mermaid's axis is linear and made of dates, so the run begins on the first of
//! January 2001, and lengths are written where it matters. GitHub takes 50,000 characters: pods
//! with the same story share a row, and what is left out is counted in a comment.

mod text;

use super::chart::{Chart, Collector, MarkKind, NodeLane, PodLane, Row, Rows, WindowEnd};
use super::lanes::{absences, clock, fate, nodes_name, row_name, run_marks, steps, titles};
use super::{Ending, Render, View};
use crate::kernel::time::{NANOS_PER_MILLI, NANOS_PER_SECOND, Span, Time};
use crate::timeline::Record;
use text::{date, escaped, shortened};

/// Lanes that are drawn one by one; of more, those with the same story share a row.
const LANES_MAX: usize = 40;
/// Tasks before the rest is counted: what one can still look at.
const TASKS_MAX: usize = 150;
/// Steps before the rest is counted: the pods are what it is about.
const STEPS_MAX: usize = 30;
/// Tasks above which the axis is on both sides.
const TASKS_LOW_MAX: usize = 20;
/// Characters before the rest is counted: GitHub takes 50,000, and a frame comes on top.
const CHARACTERS_MAX: usize = 45_000;
/// Characters of a task's text, of a pod's name in it, and of a section's name: what GitHub's width
/// has room for beside a bar, and before all of them.
const TASK_TEXT_MAX: usize = 64;
const POD_NAME_MAX: usize = 38;
const SECTION_NAME_MAX: usize = 26;
/// Pixels of one of them.
const CHARACTER_WIDTH: usize = 7;

/// Ticks of the axis: their length in milliseconds, and Mermaid's word for it.
const INTERVALS: [(u64, &str); 21] = [
    (1, "1millisecond"),
    (5, "5millisecond"),
    (10, "10millisecond"),
    (50, "50millisecond"),
    (100, "100millisecond"),
    (500, "500millisecond"),
    (1_000, "1second"),
    (5_000, "5second"),
    (10_000, "10second"),
    (30_000, "30second"),
    (60_000, "1minute"),
    (300_000, "5minute"),
    (600_000, "10minute"),
    (1_800_000, "30minute"),
    (3_600_000, "1hour"),
    (10_800_000, "3hour"),
    (21_600_000, "6hour"),
    (43_200_000, "12hour"),
    (86_400_000, "1day"),
    (604_800_000, "1week"),
    (2_592_000_000, "1month"),
];
/// Ticks at most, as far as an interval gives so few.
const TICKS_MAX: u64 = 9;
const DAY_MILLIS: u64 = 86_400_000;

/// The renderer.
#[derive(Debug, Default)]
pub struct Mermaid {
    collector: Collector,
}

impl Render for Mermaid {
    fn begin(&mut self, _: View<'_>, _: &mut Vec<u8>) {}

    fn record(&mut self, view: View<'_>, record: &Record, _: &mut Vec<u8>) {
        self.collector.take(view, record);
    }

    fn end(&mut self, view: View<'_>, ending: Ending<'_>, out: &mut Vec<u8>) {
        let chart = std::mem::take(&mut self.collector).finish(view, ending);
        let mut diagram = Diagram { body: String::new(), tasks: 0, left_out: 0 };
        diagram.run(&chart);
        let rows = Rows::new(&chart, LANES_MAX);
        let mut longest = 0;
        for (lanes, pods) in &rows.nodes {
            let name = nodes_name(view, &chart, lanes);
            longest = longest.max(name.chars().count());
            diagram.section(&name);
            let node = lanes.first().and_then(|lane| chart.nodes.get(*lane as usize));
            if let Some(node) = node {
                diagram.node(&chart, node);
            }
            pods.iter().for_each(|row| diagram.pod(view, &chart, row));
        }
        if !rows.without_node.is_empty() {
            diagram.section("(no node)");
            rows.without_node.iter().for_each(|row| diagram.pod(view, &chart, row));
        }
        let text = diagram.finish(view, &chart, longest.clamp(9, SECTION_NAME_MAX));
        out.extend_from_slice(text.as_bytes());
    }
}

/// Where the axis ends. It is linear: of timers that fire long after the run's end, only the
/// beginning is drawn.
fn reach(chart: &Chart) -> Time {
    match chart.end {
        Time::ZERO => chart.extent(),
        end => chart.extent().min(Time(end.0.saturating_mul(4))),
    }
}

/// A diagram in the making.
struct Diagram {
    body: String,
    tasks: usize,
    left_out: usize,
}

impl Diagram {
    fn section(&mut self, name: &str) {
        if self.is_full() {
            return;
        }
        self.body.push_str(&format!(
            "    section {}\n",
            escaped(&shortened(name, SECTION_NAME_MAX), SECTION_NAME_MAX)
        ));
    }

    fn is_full(&self) -> bool {
        self.tasks >= TASKS_MAX || self.body.len() >= CHARACTERS_MAX
    }

    /// A bar.
    fn bar(&mut self, name: &str, tag: &str, from: Time, to: Time) {
        // Mermaid does not draw what has no length.
        let to = if to.millis() > from.millis() {
            to
        } else {
            from.saturating_add(Span::from_millis(1))
        };
        self.task(name, &format!("{tag}{}, {}", date(from), date(to)));
    }

    fn milestone(&mut self, name: &str, tag: &str, at: Time) {
        self.task(name, &format!("milestone, {tag}{}, 0ms", date(at)));
    }

    fn task(&mut self, name: &str, data: &str) {
        if self.is_full() {
            self.left_out += 1;
            return;
        }
        self.tasks += 1;
        self.body.push_str(&format!("    {} :{data}\n", escaped(name, TASK_TEXT_MAX)));
    }

    /// The run as a whole, its steps, and what happens to the controller.
    fn run(&mut self, chart: &Chart) {
        self.section("run");
        self.bar(&format!("until {}", clock(chart.end)), "done, ", Time::ZERO, chart.end);
        let steps = steps(chart);
        self.left_out += steps.len().saturating_sub(STEPS_MAX);
        for line in steps.into_iter().take(STEPS_MAX) {
            let tag = if line.rejected { "crit, " } else { "" };
            let name = format!("step {} at {}, {}", line.number, clock(line.at), line.text);
            self.milestone(&name, tag, line.at);
        }
        let (stopped, started) = (MarkKind::ControllerStopped, MarkKind::ControllerStarted);
        for stretch in absences(chart, stopped, started) {
            let to = stretch.to.unwrap_or(chart.end);
            self.bar("no controller works", "crit, ", stretch.from, to);
        }
        for (at, kind, text) in run_marks(chart) {
            match kind {
                MarkKind::Note => self.milestone(&format!("note, {text}"), "done, ", at),
                MarkKind::WatchBroken => self.milestone("watch broken", "crit, ", at),
                MarkKind::WatchRelisted => self.milestone("listed again", "done, ", at),
                _ => {}
            }
        }
    }

    fn node(&mut self, chart: &Chart, node: &NodeLane) {
        for (life, number) in node.lives.iter().zip(1..) {
            if life.from > Time::ZERO || number > 1 {
                self.milestone(&format!("node created at {}", clock(life.from)), "", life.from);
            }
            if let Some(to) = life.to {
                self.milestone(&format!("node deleted at {}", clock(to)), "crit, ", to);
            }
        }
        for band in &node.taints {
            let tag = if band.no_execute { "crit, " } else { "done, " };
            let to = band.stretch.to.unwrap_or(chart.end);
            let name = format!("taint {}", chart.text(band.taint));
            self.bar(&name, tag, band.stretch.from, to);
        }
        if node.taints.is_empty() && !self.is_full() {
            // Mermaid draws a section only with a task.
            let life = node.lives.first();
            let from = life.map_or(Time::ZERO, |life| life.from);
            let to = life.and_then(|life| life.to).unwrap_or(chart.end);
            self.bar("no taint", "done, ", from, to);
        }
    }

    /// A pod, or many with the same story.
    fn pod(&mut self, view: View<'_>, chart: &Chart, row: &Row) {
        let pod = &chart.pods[row.first() as usize];
        let name = shortened(&row_name(view, chart, row), POD_NAME_MAX);
        let mut waited = false;
        for window in &pod.windows {
            let end = window.end.unwrap_or(window.fire_at.min(reach(chart)));
            if end <= window.from {
                continue;
            }
            waited = true;
            let length = window.fire_at.since(window.from);
            let (tag, how) = match window.how {
                WindowEnd::Fired => ("active, ", "fired".to_owned()),
                WindowEnd::Cancelled => ("done, ", format!("cancelled at {}", clock(end))),
                WindowEnd::Lost => ("done, ", format!("lost at {}", clock(end))),
                WindowEnd::Open => ("active, ", "still armed".to_owned()),
            };
            self.bar(&format!("{name} waits {length}, {how}"), tag, window.from, end);
        }
        self.fate(chart, pod, &name, waited);
    }

    fn fate(&mut self, chart: &Chart, pod: &PodLane, name: &str, waited: bool) {
        let words = format!("{name} {}", fate(pod));
        match (pod.fate, pod.fate_at) {
            ("evicted", Some(at)) => self.milestone(&words, "crit, ", at),
            ("removed" | "terminating", Some(at)) => self.milestone(&words, "", at),
            _ if waited => {}
            _ => self.bar(&words, "done, ", pod.life.from, pod.life.to.unwrap_or(chart.end)),
        }
    }

    fn finish(self, view: View<'_>, chart: &Chart, longest: usize) -> String {
        let padding = 20 + longest * CHARACTER_WIDTH;
        // Mermaid's own word for it, topAxis on a line, is an error in Mermaid.
        let top = if self.tasks > TASKS_LOW_MAX { ", \"topAxis\": true" } else { "" };
        let (name, rest) = titles(view);
        let millis = reach(chart).0.max(NANOS_PER_SECOND) / NANOS_PER_MILLI;
        let interval = INTERVALS.into_iter().find(|(length, _)| millis / length <= TICKS_MAX);
        let format = match millis {
            0..5_000 => "%M:%S.%L",
            5_000..=DAY_MILLIS => "%H:%M:%S",
            // The first day of the run is the first of the year.
            _ if millis <= 300 * DAY_MILLIS => "day %j %H:%M",
            _ => "%Y-%m-%d",
        };
        let title = escaped(&format!("{name} ({})", rest.replace(';', ",")), 2 * TASK_TEXT_MAX);
        let mut text = format!(
            "%%{{init: {{\"gantt\": {{\"leftPadding\": {padding}{top}}}}}}}%%\n\
             %% Made by taintsim. The run begins on 2001-01-01 at 00:00:00, in every time zone.\n\
             gantt\n    title {title}\n    dateFormat YYYY-MM-DD HH:mm:ss.SSS\n    \
             axisFormat {format}\n    todayMarker off\n"
        );
        // Of more than some months Mermaid finds its own.
        if let Some((_, interval)) = interval {
            text.push_str(&format!("    tickInterval {interval}\n"));
        }
        if self.left_out > 0 {
            text.push_str(&format!(
                "    %% {} more tasks are left out, so that the diagram can be drawn.\n",
                self.left_out
            ));
        }
        text.push_str(&self.body);
        text
    }
}
