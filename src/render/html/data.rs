//! One run as JSON, as the page's script reads it.
//!
//! Times are nanoseconds as text, since a number of JavaScript holds only 104 days of them; they
//! stand in one sorted list, and everything else has indices into it, so that comparing and drawing
//! need no large numbers. Texts are in a list as well. Lanes that tell the same story are one row
//! ([`Rows`]); of its pods the first has the marks.

use indexmap::IndexSet;

use super::inner::{Inner, MOVES};
use crate::kernel::time::Time;
use crate::objects::{NodeId, PodId};
use crate::render::View;
use crate::render::chart::{Chart, Lane, Mark, NodeLane, PodLane, Row, Rows, Stretch, WindowEnd};
use crate::render::summary::ordinal;
use crate::render::text::{printable, push_json_string};

/// Lanes that are drawn one by one; where there are more, those that look the same share a row.
const LANES_MAX: usize = 120;
/// Rows that have all that can be drawn. Pods of further rows have their fate.
const ROWS_MAX: usize = 20_000;
/// No index.
const NONE: i64 = -1;

/// A run with what it is called beside others.
pub(super) struct Run<'a> {
    pub(super) chart: &'a Chart,
    pub(super) inner: &'a Inner,
    pub(super) view: View<'a>,
    /// Empty for a run that stands alone.
    pub(super) name: &'a str,
}

/// What indices point into.
struct Tables {
    times: Vec<u64>,
    texts: IndexSet<String>,
}

impl Tables {
    fn time(&self, time: Time) -> i64 {
        // Every time was collected before; see `times`.
        self.times.binary_search(&time.0).map_or(NONE, |index| index as i64)
    }

    fn maybe(&self, time: Option<Time>) -> i64 {
        time.map_or(NONE, |time| self.time(time))
    }

    fn stretch(&self, stretch: Stretch) -> String {
        format!("[{},{}]", self.time(stretch.from), self.maybe(stretch.to))
    }

    fn text(&mut self, text: &str) -> usize {
        self.texts.insert_full(printable(text)).0
    }
}

/// Which row stands for which lane.
struct Layout {
    rows: Rows,
    /// By pod's lane: the row, for the first pod of each drawn row.
    row_of: Vec<i64>,
    /// By node's lane: the group, for the first node of each.
    group_of: Vec<i64>,
}

impl Layout {
    fn new(chart: &Chart) -> Layout {
        let rows = Rows::new(chart, LANES_MAX);
        let mut row_of = vec![NONE; chart.pods.len()];
        let mut group_of = vec![NONE; chart.nodes.len()];
        for ((nodes, _), group) in rows.nodes.iter().zip(0..) {
            if let Some(first) = nodes.first() {
                group_of[*first as usize] = group;
            }
        }
        let below = rows.nodes.iter().flat_map(|(_, lines)| lines);
        for (row, index) in below.chain(&rows.without_node).take(ROWS_MAX).zip(0..) {
            row_of[row.first() as usize] = index;
        }
        Layout { rows, row_of, group_of }
    }

    /// The lane's number in the page: rows from 0, groups of nodes from -2 downwards, -1 for the
    /// run; `None` where it is not drawn.
    fn lane(&self, lane: Lane) -> Option<i64> {
        match lane {
            Lane::Run => Some(NONE),
            Lane::Node(node) => {
                Some(self.group_of[node as usize]).filter(|g| *g != NONE).map(|g| -2 - g)
            }
            Lane::Pod(pod) => Some(self.row_of[pod as usize]).filter(|row| *row != NONE),
        }
    }
}

impl Run<'_> {
    /// Appends the run as an object.
    pub(super) fn push(&self, out: &mut Vec<u8>) {
        let layout = Layout::new(self.chart);
        let mut tables = Tables { times: self.times(&layout), texts: IndexSet::new() };
        self.push_facts(out, &tables);
        out.extend_from_slice(b",\n\"groups\":[");
        let mut drawn = 0;
        for (index, (nodes, rows)) in layout.rows.nodes.iter().enumerate() {
            out.extend_from_slice(if index > 0 { b",\n" } else { b"\n" });
            self.push_group(out, &mut tables, nodes, rows, &mut drawn);
        }
        if !layout.rows.without_node.is_empty() {
            out.extend_from_slice(if layout.rows.nodes.is_empty() { b"\n" } else { b",\n" });
            self.push_group(out, &mut tables, &[], &layout.rows.without_node, &mut drawn);
        }
        out.push(b']');
        let kept = self.push_marks(out, &mut tables, &layout);
        self.push_inner(out, &mut tables, &kept);
        let times = tables.times.iter().map(|ns| format!("\"{ns}\"")).collect::<Vec<_>>().join(",");
        out.extend_from_slice(format!(",\n\"times\":[{times}],\n\"texts\":[").as_bytes());
        for (index, text) in tables.texts.iter().enumerate() {
            out.extend_from_slice(if index > 0 { b"," } else { b"" });
            push_json_string(out, text);
        }
        out.extend_from_slice(b"]}");
    }

    fn push_facts(&self, out: &mut Vec<u8>, tables: &Tables) {
        let chart = self.chart;
        let config = &self.view.context.plan.config;
        out.extend_from_slice(b"{\"name\":");
        push_json_string(out, &printable(self.name));
        out.extend_from_slice(b",\"scenario\":");
        push_json_string(out, &printable(&chart.name));
        let facts = format!(
            ",\"kubernetes\":\"{}\",\"seed\":\"{}\",\"end\":{},\"extent\":{},\"reason\":\"{:?}\",\
             \"pods\":{},\"nodes\":{},\n\"manager\":{{\"enabled\":{},\"workers\":{},\
             \"nodeChannel\":{},\"podChannel\":{},\"deduplicates\":{}}}",
            chart.version,
            chart.seed,
            tables.time(chart.end),
            tables.time(chart.extent()),
            chart.end_reason,
            chart.pods.len(),
            chart.nodes.len(),
            config.taint_manager.enabled,
            config.taint_manager.workers,
            config.taint_manager.node_channel_capacity,
            config.taint_manager.pod_channel_capacity,
            config.switches.deduplicated_items,
        );
        out.extend_from_slice(facts.as_bytes());
    }

    /// Every time that the page speaks of, sorted.
    fn times(&self, layout: &Layout) -> Vec<u64> {
        let chart = self.chart;
        let mut times = vec![Time::ZERO, chart.end, chart.extent()];
        let mut stretch = |stretch: &Stretch| {
            times.push(stretch.from);
            times.extend(stretch.to);
        };
        for node in &chart.nodes {
            node.lives.iter().for_each(&mut stretch);
            node.taints.iter().for_each(|band| stretch(&band.stretch));
        }
        for pod in &chart.pods {
            stretch(&pod.life);
            pod.deletions.iter().for_each(&mut stretch);
        }
        for pod in &chart.pods {
            times.extend(pod.terminating_at.into_iter().chain(pod.fate_at));
            times.extend(pod.nodes.iter().map(|(at, _)| *at));
            times.extend(pod.tolerations.iter().map(|(at, _)| *at));
            for window in &pod.windows {
                times.extend([window.from, window.fire_at]);
                times.extend(window.end);
            }
        }
        let drawn = |mark: &&Mark| layout.lane(mark.lane).is_some();
        times.extend(chart.marks.iter().filter(drawn).map(|mark| mark.at));
        let mut times: Vec<u64> = times.into_iter().map(|time| time.0).collect();
        times.extend(self.inner.moves().iter().map(|moved| moved.at));
        times.sort_unstable();
        times.dedup();
        times
    }

    fn push_group(
        &self,
        out: &mut Vec<u8>,
        tables: &mut Tables,
        nodes: &[u32],
        rows: &[Row],
        drawn: &mut usize,
    ) {
        let lanes = nodes.iter().map(|node| &self.chart.nodes[*node as usize]);
        let names: Vec<String> = lanes.clone().map(|lane| self.node_name(lane.node)).collect();
        out.extend_from_slice(b"{\"names\":");
        push_names(out, &names);
        if let Some(lane) = lanes.clone().next() {
            self.push_node(out, tables, lane);
        }
        out.extend_from_slice(b",\"rows\":[");
        let room = ROWS_MAX.saturating_sub(*drawn).min(rows.len());
        for (index, row) in rows[..room].iter().enumerate() {
            out.extend_from_slice(if index > 0 { b",\n " } else { b"\n " });
            self.push_row(out, tables, row);
        }
        *drawn += room;
        out.extend_from_slice(b"],\"rest\":[");
        let rest = rows[room..].iter().flat_map(|row| &row.pods);
        for (index, pod) in rest.enumerate() {
            let lane = &self.chart.pods[*pod as usize];
            out.extend_from_slice(if index > 0 { b",\n[" } else { b"\n[" });
            push_json_string(out, &self.pod_name(lane));
            let why = tables.text(self.chart.text(lane.why));
            let fate = tables.text(lane.fate);
            let fate = format!(",{fate},{},{why}]", tables.maybe(lane.fate_at));
            out.extend_from_slice(fate.as_bytes());
        }
        out.extend_from_slice(b"]}");
    }

    fn push_node(&self, out: &mut Vec<u8>, tables: &mut Tables, lane: &NodeLane) {
        let lives: Vec<String> = lane.lives.iter().map(|life| tables.stretch(*life)).collect();
        let band = |band: &crate::render::chart::TaintBand| {
            let text = tables.text(self.chart.text(band.taint));
            let step = band.step.map_or(0, i64::from);
            let no_execute = i64::from(band.no_execute);
            let (from, to) = (tables.time(band.stretch.from), tables.maybe(band.stretch.to));
            format!("[{text},{no_execute},{from},{to},{step}]")
        };
        let taints: Vec<String> = lane.taints.iter().map(band).collect();
        let text = format!(",\"lives\":[{}],\"taints\":[{}]", lives.join(","), taints.join(","));
        out.extend_from_slice(text.as_bytes());
    }

    fn push_row(&self, out: &mut Vec<u8>, tables: &mut Tables, row: &Row) {
        let chart = self.chart;
        let lane = &chart.pods[row.first() as usize];
        let names = row.pods.iter().map(|pod| self.pod_name(&chart.pods[*pod as usize]));
        out.extend_from_slice(b"{\"pods\":");
        push_names(out, &names.collect::<Vec<_>>());
        let fate = tables.text(lane.fate);
        let why = tables.text(chart.text(lane.why));
        let (life, fate_at) = (tables.stretch(lane.life), tables.maybe(lane.fate_at));
        let terminating = tables.maybe(lane.terminating_at);
        let mut on = Vec::new();
        for (at, node) in &lane.nodes {
            let name = tables.text(&self.node_name(*node));
            on.push(format!("[{},{name}]", tables.time(*at)));
        }
        let mut tolerations = Vec::new();
        for (at, text) in &lane.tolerations {
            let text = tables.text(chart.text(*text));
            tolerations.push(format!("[{},{text}]", tables.time(*at)));
        }
        let mut windows = Vec::new();
        for window in &lane.windows {
            let taint = tables.text(chart.text(window.taint));
            let toleration = window.toleration.map(|text| tables.text(chart.text(text)) as i64);
            let how = match window.how {
                WindowEnd::Open => 0,
                WindowEnd::Fired => 1,
                WindowEnd::Cancelled => 2,
                WindowEnd::Lost => 3,
            };
            windows.push(format!(
                "[{},{},{},{how},{taint},{}]",
                tables.time(window.from),
                tables.time(window.fire_at),
                tables.maybe(window.end),
                toleration.unwrap_or(NONE)
            ));
        }
        let deletions: Vec<String> = lane.deletions.iter().map(|d| tables.stretch(*d)).collect();
        let text = format!(
            ",\"fate\":{fate},\"fateAt\":{fate_at},\"why\":{why},\"life\":{life},\
             \"terminating\":{terminating},\"nodes\":[{}],\"tolerations\":[{}],\"windows\":[{}],\
             \"deletions\":[{}]}}",
            on.join(","),
            tolerations.join(","),
            windows.join(","),
            deletions.join(",")
        );
        out.extend_from_slice(text.as_bytes());
    }

    /// Appends the marks that are drawn; gives how many of them are before each of all marks.
    fn push_marks(&self, out: &mut Vec<u8>, tables: &mut Tables, layout: &Layout) -> Vec<u32> {
        let marks = &self.chart.marks;
        let mut before: Vec<u32> = Vec::with_capacity(marks.len() + 1);
        // The number of each mark in the page, or that of its nearest ancestor there.
        let mut shown: Vec<i64> = Vec::with_capacity(marks.len());
        let mut count = 0;
        out.extend_from_slice(b",\n\"marks\":[");
        for mark in marks {
            before.push(count as u32);
            let cause = mark.cause.map_or(NONE, |cause| shown[cause as usize]);
            let Some(lane) = layout.lane(mark.lane) else {
                shown.push(cause);
                continue;
            };
            out.extend_from_slice(if count > 0 { b",\n" } else { b"\n" });
            let kind = tables.text(mark.kind.word());
            let text = tables.text(self.chart.text(mark.text));
            let at = tables.time(mark.at);
            out.extend_from_slice(format!("[{at},{kind},{lane},{text},{cause}]").as_bytes());
            shown.push(count);
            count += 1;
        }
        before.push(count as u32);
        out.push(b']');
        before
    }

    /// Appends items and moves. A move is four numbers: marks before it and its time, both less
    /// those of the move before, what it is, and the item.
    fn push_inner(&self, out: &mut Vec<u8>, tables: &mut Tables, kept: &[u32]) {
        let why = match (self.inner.is_dropped(), self.view.selection.is_all()) {
            (false, _) => "",
            (true, true) => "too much happens inside for a page",
            (true, false) => "only some of the pods are shown here",
        };
        out.extend_from_slice(format!(",\n\"insideIsMissing\":\"{why}\",\"moves\":").as_bytes());
        push_names(out, &MOVES.map(str::to_owned));
        out.extend_from_slice(b",\n\"items\":[");
        for (index, item) in self.inner.items().enumerate() {
            let pod = item.pod.map(|pod| self.view.context.names().pod(pod));
            let node = item.node.map(|node| self.view.context.names().node(node));
            let name = match (pod, node) {
                (Some(pod), Some(node)) => format!("{pod}@{node}"),
                (name, node) => name.or(node).unwrap_or("").to_owned(),
            };
            let name = tables.text(&name);
            let comma = if index > 0 { "," } else { "" };
            let text = format!("{comma}[{},{name},{}]", item.queue, item.shard);
            out.extend_from_slice(text.as_bytes());
        }
        out.extend_from_slice(b"],\n\"inside\":[");
        let (mut marks, mut time) = (0, 0);
        for (index, moved) in self.inner.moves().iter().enumerate() {
            let before = kept.get(moved.marks_before as usize).copied().map_or(marks, i64::from);
            let at = tables.time(Time(moved.at));
            let comma = if index > 0 { "," } else { "" };
            let text =
                format!("{comma}{},{},{},{}", before - marks, at - time, moved.what, moved.item);
            out.extend_from_slice(text.as_bytes());
            (marks, time) = (before, at);
        }
        out.push(b']');
    }

    fn node_name(&self, node: NodeId) -> String {
        printable(self.view.context.names().node(node))
    }

    /// `shop/web-0`, or `shop/web-0 (2nd)` where several pods have had the name.
    fn pod_name(&self, lane: &PodLane) -> String {
        let name = printable(self.view.context.names().pod(lane.pod));
        match self.lives(lane.pod) {
            0 | 1 => name,
            _ => format!("{name} ({})", ordinal(lane.instance as usize)),
        }
    }

    /// How many pods have had the name.
    fn lives(&self, pod: PodId) -> usize {
        let newest = self.view.history.newest(pod);
        newest.map_or(0, |life| self.view.history.instance(life).1)
    }
}

fn push_names(out: &mut Vec<u8>, names: &[String]) {
    out.push(b'[');
    for (index, name) in names.iter().enumerate() {
        out.extend_from_slice(if index > 0 { b"," } else { b"" });
        push_json_string(out, name);
    }
    out.push(b']');
}
