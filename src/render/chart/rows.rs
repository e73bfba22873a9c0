//! Which lanes a picture shows, and where so many of them tell the same story that one stands for
//! all.

use indexmap::IndexMap;

use super::{Chart, Lane, MarkKind, PodLane, Stretch, TextId, Window};
use crate::kernel::time::Time;
use crate::objects::NodeId;

/// One line of a picture of pods.
#[derive(Debug)]
pub struct Row {
    /// Indices of the lanes that it stands for, at least one, in order; they look the same.
    pub pods: Vec<u32>,
}

impl Row {
    /// The lane that is drawn.
    pub fn first(&self) -> u32 {
        self.pods[0]
    }
}

/// The lines of a picture: the pods below their nodes.
#[derive(Debug)]
pub struct Rows {
    /// For each group of nodes its lanes (indices into [`Chart::nodes`], the first is drawn) and
    /// the lines of its pods. Nodes are grouped only where lines are.
    pub nodes: Vec<(Vec<u32>, Vec<Row>)>,
    /// Lines of pods that never had a node that is shown.
    pub without_node: Vec<Row>,
    /// Some line stands for several pods or nodes: the picture has to say so.
    pub grouped: bool,
}

/// What a lane looks like, but for its name and its node.
#[derive(PartialEq, Eq, Hash)]
struct Look {
    life: Stretch,
    terminating_at: Option<Time>,
    bound: Vec<Time>,
    tolerations: Vec<(Time, TextId)>,
    windows: Vec<Window>,
    deletions: Vec<Stretch>,
    fate: (&'static str, Option<Time>, TextId),
    marks: Vec<(Time, MarkKind)>,
}

impl Rows {
    /// The lines for `chart`, each pod its own where there are at most `lanes_max` lanes.
    pub fn new(chart: &Chart, lanes_max: usize) -> Rows {
        let grouped = chart.pods.len() + chart.nodes.len() > lanes_max;
        let mut by_node: IndexMap<Option<NodeId>, Vec<u32>> = IndexMap::new();
        for node in &chart.nodes {
            by_node.insert(Some(node.node), Vec::new());
        }
        for (pod, index) in chart.pods.iter().zip(0..) {
            let node = home(pod).filter(|node| by_node.contains_key(&Some(*node)));
            by_node.entry(node).or_default().push(index);
        }
        let looks = if grouped { looks(chart) } else { Vec::new() };
        let rows = |pods: Vec<u32>| -> (Vec<u32>, Vec<Row>) {
            let mut lines: IndexMap<u32, Vec<u32>> = IndexMap::new();
            for pod in pods {
                let look = looks.get(pod as usize).copied().unwrap_or(pod);
                lines.entry(look).or_default().push(pod);
            }
            let kinds = lines.keys().copied().collect();
            (kinds, lines.into_values().map(|pods| Row { pods }).collect())
        };
        let without_node = by_node.shift_remove(&None).map_or(Vec::new(), |pods| rows(pods).1);
        let mut nodes: Vec<(Vec<u32>, Vec<Row>)> = Vec::new();
        let mut alike: IndexMap<_, usize> = IndexMap::new();
        for (lane, pods) in (0u32..).zip(by_node.into_values()) {
            let (kinds, lines) = rows(pods);
            if grouped {
                let node = &chart.nodes[lane as usize];
                let key = (&node.lives, &node.taints, kinds);
                if let Some(known) = alike.get(&key) {
                    let (lanes, rows) = &mut nodes[*known];
                    lanes.push(lane);
                    for (row, more) in rows.iter_mut().zip(lines) {
                        row.pods.extend(more.pods);
                    }
                    continue;
                }
                alike.insert(key, nodes.len());
            }
            nodes.push((vec![lane], lines));
        }
        let grouped = nodes
            .iter()
            .any(|(lanes, rows)| lanes.len() > 1 || rows.iter().any(|row| row.pods.len() > 1))
            || without_node.iter().any(|row| row.pods.len() > 1);
        Rows { nodes, without_node, grouped }
    }
}

/// The node below which a pod stands: the last that it had.
fn home(pod: &PodLane) -> Option<NodeId> {
    pod.nodes.last().map(|(_, node)| *node)
}

/// For each pod's lane the number of its look.
fn looks(chart: &Chart) -> Vec<u32> {
    let mut marks: Vec<Vec<(Time, MarkKind)>> = vec![Vec::new(); chart.pods.len()];
    for mark in &chart.marks {
        if let Lane::Pod(lane) = mark.lane {
            marks[lane as usize].push((mark.at, mark.kind));
        }
    }
    let mut known: IndexMap<Look, ()> = IndexMap::new();
    let look = |(pod, marks): (&PodLane, Vec<(Time, MarkKind)>)| {
        let look = Look {
            life: pod.life,
            terminating_at: pod.terminating_at,
            bound: pod.nodes.iter().map(|(at, _)| *at).collect(),
            tolerations: pod.tolerations.clone(),
            windows: pod.windows.clone(),
            deletions: pod.deletions.clone(),
            fate: (pod.fate, pod.fate_at, pod.why),
            marks,
        };
        known.insert_full(look, ()).0 as u32
    };
    chart.pods.iter().zip(marks).map(look).collect()
}
