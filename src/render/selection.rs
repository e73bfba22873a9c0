//! Which pods an output shows; the run is the same whatever is shown.

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
        let mut shown = Shown { pods, nodes: vec![false; plan.names.node_count()] };
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

    /// Whether the record is shown; takes in where pods come to be.
    pub fn admits(&mut self, record: &Record) -> bool {
        let Some(shown) = &mut self.shown else { return true };
        match (record.pod, record.node) {
            (Some(pod), node) => {
                let has = shown.has_pod(pod);
                if let (true, Some(node)) = (has, node)
                    && let Some(slot) = shown.nodes.get_mut(node.index())
                {
                    *slot = true;
                }
                has
            }
            (None, Some(node)) => shown.nodes.get(node.index()) == Some(&true),
            (None, None) => true,
        }
    }
}

impl Shown {
    fn has_pod(&self, pod: PodId) -> bool {
        self.pods.get(pod.index()) == Some(&true)
    }
}
