//! Which pods an output shows, and how it numbers what it shows; the run is the same whatever is
//! shown.

use crate::expectation::judge::PodLabels;
use crate::objects::{NodeId, PodId, Selector};
use crate::plan::{Plan, PodTarget};
use crate::timeline::Record;

/// The pods that are shown, and the nodes that they are ever on. Labels are those that the
/// scenario first gives a pod.
#[derive(Debug, Default)]
pub struct Selection {
    /// `None`: everything is shown.
    shown: Option<Shown>,
}

#[derive(Debug)]
struct Shown {
    pods: Vec<bool>,
    nodes: Vec<bool>,
    numbers: Numbers,
}

/// The numbers of what is shown, by the numbers of the run.
#[derive(Debug, Default)]
struct Numbers {
    /// For each record of the run the number of the nearest that is shown, among itself and its
    /// ancestors; 0: none is.
    nearest: Vec<u32>,
    shown: u32,
}

impl Selection {
    /// Everything.
    pub fn all() -> Selection {
        Selection::default()
    }

    /// Pods that meet all of what is given: namespace, labels, name (`namespace/name`).
    pub fn new(
        plan: &Plan,
        namespace: Option<&str>,
        selector: Option<&Selector>,
        pod: Option<PodId>,
    ) -> Selection {
        if namespace.is_none() && selector.is_none() && pod.is_none() {
            return Selection::all();
        }
        let labels = PodLabels::of(plan);
        let target = PodTarget::Matching {
            namespace: namespace.map(Into::into),
            selector: selector.cloned().unwrap_or_default(),
        };
        let is_shown = |id| labels.matches(&target, id, plan) && pod.is_none_or(|only| only == id);
        let pods: Vec<bool> = plan.names.pods().map(|(id, _)| is_shown(id)).collect();
        let nodes = vec![false; plan.names.node_count()];
        let mut shown = Shown { pods, nodes, numbers: Numbers::default() };
        for spec in &plan.pods {
            if let (true, Some(node)) = (shown.has_pod(spec.pod), spec.node) {
                shown.nodes[node.index()] = true;
            }
        }
        Selection { shown: Some(shown) }
    }

    /// Whether everything is shown.
    pub fn is_all(&self) -> bool {
        self.shown.is_none()
    }

    /// Whether the pod is shown.
    pub fn has_pod(&self, pod: PodId) -> bool {
        self.shown.as_ref().is_none_or(|shown| shown.has_pod(pod))
    }

    /// Whether the node holds or held a pod that is shown.
    pub fn has_node(&self, node: NodeId) -> bool {
        self.shown.as_ref().is_none_or(|shown| shown.nodes.get(node.index()) == Some(&true))
    }

    /// Whether the record is shown; takes in where pods come to be, and numbers what is shown. It
    /// has to see every record of the run.
    pub fn admits(&mut self, record: &Record) -> bool {
        let Some(shown) = &mut self.shown else { return true };
        let admitted = shown.admits(record);
        shown.numbers.take(record, admitted);
        admitted
    }

    /// `seq` and `cause` of a record that is shown, in the numbers of what is shown: the cause is
    /// the nearest ancestor that is shown.
    pub fn numbers(&self, record: &Record) -> (u32, Option<u32>) {
        match &self.shown {
            None => (record.seq, record.cause),
            Some(Shown { numbers, .. }) => (numbers.of(Some(record.seq)), numbers.cause(record)),
        }
    }
}

impl Numbers {
    fn take(&mut self, record: &Record, admitted: bool) {
        let number = match admitted {
            true => {
                self.shown += 1;
                self.shown
            }
            false => self.of(record.cause),
        };
        let index = record.seq.saturating_sub(1) as usize;
        self.nearest.resize(index.max(self.nearest.len()), 0);
        self.nearest.push(number);
    }

    fn of(&self, seq: Option<u32>) -> u32 {
        let index = seq.and_then(|seq| seq.checked_sub(1));
        index.and_then(|index| self.nearest.get(index as usize)).copied().unwrap_or(0)
    }

    fn cause(&self, record: &Record) -> Option<u32> {
        Some(self.of(record.cause)).filter(|number| *number > 0)
    }
}

impl Shown {
    fn admits(&mut self, record: &Record) -> bool {
        match (record.pod, record.node) {
            (Some(pod), node) => {
                let has = self.has_pod(pod);
                if let (true, Some(node)) = (has, node)
                    && let Some(slot) = self.nodes.get_mut(node.index())
                {
                    *slot = true;
                }
                has
            }
            (None, Some(node)) => self.nodes.get(node.index()) == Some(&true),
            (None, None) => true,
        }
    }

    fn has_pod(&self, pod: PodId) -> bool {
        self.pods.get(pod.index()) == Some(&true)
    }
}
