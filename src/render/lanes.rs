//! What the pictures that are drawn here (`svg`, `gantt`, `mermaid`) have in common: the names of
//! their rows, their steps, the fates of the pods, and when the controller was down.

use std::collections::BTreeMap;

use indexmap::{IndexMap, IndexSet};

use super::View;
use super::chart::scale::moments;
use super::chart::{Chart, Lane, MarkKind, PodLane, Row, Rows, Stretch};
use super::summary::ordinal;
use super::table::counted;
use crate::kernel::time::{NANOS_PER_MILLI, Time};

/// `shop/web-0`, or `shop/web-0 (2nd)` for a later pod of the name.
pub(super) fn pod_name(view: View<'_>, pod: &PodLane) -> String {
    let name = view.context.names().pod(pod.pod);
    match pod.instance {
        1 => name.to_owned(),
        instance => format!("{name} ({})", ordinal(instance as usize)),
    }
}

/// The name of a pod, or of many: `300 pods like shop/web-0`.
pub(super) fn row_name(view: View<'_>, chart: &Chart, row: &Row) -> String {
    let name = pod_name(view, &chart.pods[row.first() as usize]);
    match row.pods.len() {
        1 => name,
        count => format!("{count} pods like {name}"),
    }
}

/// The name of a node, or of many: `20 nodes like node-0`.
pub(super) fn nodes_name(view: View<'_>, chart: &Chart, lanes: &[u32]) -> String {
    let node = lanes.first().and_then(|lane| chart.nodes.get(*lane as usize));
    let name = node.map_or("", |node| view.context.names().node(node.node));
    match lanes.len() {
        0 | 1 => name.to_owned(),
        count => format!("{count} nodes like {name}"),
    }
}

/// A line of a picture.
#[derive(Clone, Copy, Debug)]
pub(super) enum Line<'r> {
    /// A node, or several with the same story.
    Node(&'r [u32]),
    /// A pod, or several with the same story, below its node.
    Pod(&'r Row),
    /// The heading of pods without a node.
    WithoutNode,
    /// So many rows are left out here, which stand for so many pods.
    More(usize, usize),
}

impl Line<'_> {
    /// What a line says of the rows that are left out.
    pub(super) fn more(rows: usize, pods: usize) -> String {
        let pods = counted(pods, "pod");
        match rows {
            1 => format!("... and 1 more row, of {pods}"),
            _ => format!("... and {rows} more rows, of {pods}"),
        }
    }
}

/// The lines of a picture, about `lines_max` at most. Where there are more, each node shows its
/// first pods, so that one node does not take the place of all others.
pub(super) fn lines(rows: &Rows, lines_max: usize) -> Vec<Line<'_>> {
    let groups = rows.nodes.len() + usize::from(!rows.without_node.is_empty());
    let total = rows.nodes.iter().map(|(_, pods)| pods.len()).sum::<usize>();
    let all = groups + total + rows.without_node.len();
    // A heading and what is left out take two of a group's lines.
    let pods_max = match all > lines_max {
        true => (lines_max / groups.max(1)).saturating_sub(2).max(1),
        false => usize::MAX,
    };
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (lanes, pods) in &rows.nodes {
        lines.push(Line::Node(lanes));
        push_pods(&mut lines, pods, pods_max);
    }
    if !rows.without_node.is_empty() {
        lines.push(Line::WithoutNode);
        push_pods(&mut lines, &rows.without_node, pods_max);
    }
    if lines.len() > lines_max {
        let left = lines.split_off(lines_max - 1);
        let (mut count, mut pods) = (0, 0);
        for line in left {
            let (more_rows, more_pods) = match line {
                Line::Node(_) => (1, 0),
                Line::Pod(row) => (1, row.pods.len()),
                Line::WithoutNode => (0, 0),
                Line::More(rows, pods) => (rows, pods),
            };
            (count, pods) = (count + more_rows, pods + more_pods);
        }
        lines.push(Line::More(count, pods));
    }
    lines
}

/// The first rows of a group; two that are left out are worth a line.
fn push_pods<'r>(lines: &mut Vec<Line<'r>>, pods: &'r [Row], pods_max: usize) {
    let left = pods.get(pods_max..).filter(|left| left.len() > 1).unwrap_or_default();
    lines.extend(pods[..pods.len() - left.len()].iter().map(Line::Pod));
    if !left.is_empty() {
        lines.push(Line::More(left.len(), left.iter().map(|row| row.pods.len()).sum()));
    }
}

/// `evicted at 1m10s`; of an armed pod, when its timer will fire.
pub(super) fn fate(pod: &PodLane) -> String {
    match (pod.fate, pod.fate_at) {
        ("armed", Some(at)) => format!("armed, fires at {}", clock(at)),
        (fate, Some(at)) => format!("{fate} at {}", clock(at)),
        (fate, None) => fate.to_owned(),
    }
}

/// A time to the millisecond, rounded down, where it is not finer than that from the start: a
/// picture has no room for nanoseconds.
pub(super) fn clock(time: Time) -> String {
    match time.0 % NANOS_PER_MILLI {
        finer if finer < time.0 => Time(time.0 - finer).to_string(),
        _ => time.to_string(),
    }
}

/// How many pods have which fate and why, most first within a fate.
pub(super) fn fates(chart: &Chart) -> Vec<(&'static str, usize, &str)> {
    let mut groups: IndexMap<(&'static str, &str), usize> = IndexMap::new();
    for pod in &chart.pods {
        *groups.entry((pod.fate, chart.text(pod.why))).or_default() += 1;
    }
    let order = ["evicted", "removed", "terminating", "armed", "survives"];
    let place = |fate: &str| order.iter().position(|known| *known == fate);
    let groups = groups.into_iter().map(|((fate, why), count)| (fate, count, why));
    let mut groups: Vec<_> = groups.collect();
    groups.sort_by_key(|(fate, count, _)| (place(fate), usize::MAX - *count));
    groups
}

/// A step that was applied or refused, or a note, for the key below a picture.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct StepLine<'a> {
    /// When.
    pub(super) at: Time,
    /// Its number, as a flag has it; empty for what has none.
    pub(super) number: &'a str,
    /// What it did.
    pub(super) text: String,
    /// It was refused.
    pub(super) rejected: bool,
}

/// The steps in the order in which they happened; one line for a step with many actions.
pub(super) fn steps(chart: &Chart) -> Vec<StepLine<'_>> {
    let mut lines: IndexMap<(&str, Time, bool), IndexSet<&str>> = IndexMap::new();
    for mark in &chart.marks {
        let rejected = mark.kind == MarkKind::StepRejected;
        if !rejected && mark.kind != MarkKind::Step {
            continue;
        }
        let (number, text) = numbered(chart.text(mark.text));
        // An action has a mark for each of its objects.
        lines.entry((number, mark.at, rejected)).or_default().insert(text);
    }
    let line = |((number, at, rejected), texts): ((_, _, bool), IndexSet<&str>)| {
        let mut text = texts.first().copied().unwrap_or_default().to_owned();
        if rejected {
            text.insert_str(0, "rejected: ");
        }
        match texts.len() {
            0 | 1 => {}
            2 => text.push_str(" (and 1 more action)"),
            count => text.push_str(&format!(" (and {} more actions)", count - 1)),
        }
        StepLine { at, number, text, rejected }
    };
    lines.into_iter().map(line).collect()
}

/// The number and the text of `step 2: taint nodes node-0 k-`, as marks have it.
fn numbered(text: &str) -> (&str, &str) {
    let parts = text.strip_prefix("step ").and_then(|rest| rest.split_once(": "));
    parts.filter(|(number, _)| number.bytes().all(|b| b.is_ascii_digit())).unwrap_or(("", text))
}

/// Steps, but also what happens to the controller and what is noted, for the lane of the run.
pub(super) fn run_marks(chart: &Chart) -> Vec<(Time, MarkKind, &str)> {
    let marks = chart.marks.iter().filter(|mark| mark.lane == Lane::Run);
    let marks = marks.filter(|mark| !matches!(mark.kind, MarkKind::Step | MarkKind::StepRejected));
    marks.map(|mark| (mark.at, mark.kind, chart.text(mark.text))).collect()
}

/// When something was away: from each `begin` to the next `end`, or to the end of the run.
pub(super) fn absences(chart: &Chart, begin: MarkKind, end: MarkKind) -> Vec<Stretch> {
    let mut found: Vec<Stretch> = Vec::new();
    for mark in &chart.marks {
        let open = found.last_mut().filter(|stretch| stretch.to.is_none());
        match open {
            None if mark.kind == begin => found.push(Stretch { from: mark.at, to: None }),
            Some(stretch) if mark.kind == end => stretch.to = Some(mark.at),
            _ => {}
        }
    }
    found
}

/// The marks of each pod's lane, in order: their times, kinds and words.
pub(super) fn marks_of_pods(chart: &Chart) -> Vec<Vec<(Time, MarkKind, &str)>> {
    let mut found = vec![Vec::new(); chart.pods.len()];
    for mark in &chart.marks {
        if let Lane::Pod(lane) = mark.lane
            && let Some(marks) = found.get_mut(lane as usize)
        {
            marks.push((mark.at, mark.kind, chart.text(mark.text)));
        }
    }
    found
}

/// Times for the axis, those that a reader wants first before the others.
pub(super) fn times_by_weight(chart: &Chart) -> Vec<Time> {
    let mut weights: BTreeMap<Time, u8> = BTreeMap::new();
    let mut set = |time: Time, weight: u8| {
        let known = weights.entry(time).or_insert(weight);
        *known = weight.min(*known);
    };
    for time in moments(chart) {
        set(time, 3);
    }
    for mark in &chart.marks {
        match mark.kind {
            MarkKind::Step | MarkKind::StepRejected => set(mark.at, 1),
            MarkKind::Evicted | MarkKind::Cancelled | MarkKind::Armed => set(mark.at, 2),
            _ => {}
        }
    }
    set(Time::ZERO, 0);
    set(chart.extent(), 0);
    let mut times: Vec<(u8, Time)> = weights.into_iter().map(|(t, w)| (w, t)).collect();
    times.sort_unstable();
    times.into_iter().map(|(_, time)| time).collect()
}

/// `maintenance`, and what is known of the run: `2 nodes, 4 pods; Kubernetes 1.36; seed 0`.
pub(super) fn titles(view: View<'_>) -> (String, String) {
    let headline = super::table::headline(view);
    let name = super::text::printable(&view.context.plan.name);
    let rest = headline.strip_prefix(&name).and_then(|rest| rest.strip_prefix(": "));
    (name, rest.unwrap_or_default().to_owned())
}
