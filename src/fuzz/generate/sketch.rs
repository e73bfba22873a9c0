//! A rough picture of the cluster while steps are drawn: which objects are there, and when pods
//! are due, so that most steps make sense and times fall on deadlines.
//!
//! It is no model. It takes every step for applied, knows no queues, latencies and faults, and a
//! wrong guess costs no more than a step that does little.

use crate::kernel::{Span, Time};
use crate::objects::{
    Deadline, Effect, LabelsId, Lists, MatchRules, NodeId, PodId, Taint, TolerationsId, Verdict,
    match_lists,
};
use crate::plan::{
    Action, NodeSpec, NodeTarget, Plan, PodSpec, PodTarget, TaintChange, TaintPattern,
};

/// A node by its name.
#[derive(Clone, Debug)]
pub(super) struct NodeSketch {
    pub id: NodeId,
    pub is_there: bool,
    pub labels: LabelsId,
    pub taints: Vec<Taint>,
}

/// A pod by its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct PodSketch {
    pub id: PodId,
    pub is_there: bool,
    pub node: Option<NodeId>,
    pub labels: LabelsId,
    pub tolerations: TolerationsId,
    /// When it is evicted, as far as can be told.
    pub due: Option<Time>,
}

/// The picture.
#[derive(Clone, Debug, Default)]
pub(super) struct Sketch {
    pub nodes: Vec<NodeSketch>,
    pub pods: Vec<PodSketch>,
    /// Instants at which something happens by itself: deadlines, starts of the controller.
    pub marks: Vec<Time>,
    rules: MatchRules,
}

/// How many marks are kept: the newest ones.
const MARKS: usize = 12;

impl Sketch {
    /// The start of a plan. All names are known, those that come later as well.
    pub fn of(plan: &Plan) -> Sketch {
        let switches = &plan.config.switches;
        let rules = MatchRules {
            comparison_operators: switches.comparison_operators,
            unset_first_is_forever: switches.unset_first_is_forever,
        };
        let absent =
            |id| NodeSketch { id, is_there: false, labels: Lists::NO_LABELS, taints: Vec::new() };
        let mut sketch = Sketch {
            nodes: plan.names.nodes().map(|(id, _)| absent(id)).collect(),
            pods: plan.names.pods().map(|(id, _)| PodSketch::absent(id)).collect(),
            marks: Vec::new(),
            rules,
        };
        for spec in &plan.nodes {
            sketch.node_comes(spec, &plan.lists);
        }
        // The controller's first look, and its informers' sync.
        let sync = Time(100_000_000);
        sketch.marks.push(sync);
        for spec in &plan.pods {
            sketch.pod_comes(spec, sync, &plan.lists);
        }
        sketch
    }

    /// Pods that are due before `now` have gone.
    pub fn pass(&mut self, now: Time) {
        for pod in self.pods.iter_mut().filter(|pod| pod.is_there) {
            if pod.due.is_some_and(|due| due < now) {
                (pod.is_there, pod.due) = (false, None);
            }
        }
    }

    /// An action is applied.
    pub fn apply(&mut self, action: &Action, now: Time, lists: &Lists) {
        match action {
            Action::Taint { nodes, change } => {
                for index in self.targeted_nodes(nodes, lists) {
                    change_taints(&mut self.nodes[index].taints, change, lists);
                    let id = self.nodes[index].id;
                    self.reckon_node(id, now, lists);
                }
            }
            Action::CreateNodes(specs) => {
                for spec in specs {
                    self.node_comes(spec, lists);
                    self.reckon_node(spec.node, now, lists);
                }
            }
            Action::ApplyNode(apply) => {
                let node = &mut self.nodes[apply.create.node.index()];
                match apply.taints {
                    Some(taints) if node.is_there => node.taints = lists.taints(taints).to_vec(),
                    _ if node.is_there => {}
                    _ => self.node_comes(&apply.create, lists),
                }
                self.reckon_node(apply.create.node, now, lists);
            }
            Action::DeleteNodes(nodes) => {
                for index in self.targeted_nodes(nodes, lists) {
                    self.nodes[index].is_there = false;
                    self.nodes[index].taints.clear();
                }
            }
            Action::CreatePods(specs) => {
                for spec in specs {
                    if !self.pods[spec.pod.index()].is_there {
                        self.pod_comes(spec, now, lists);
                    }
                }
            }
            Action::ApplyPod(apply) => {
                let pod = &mut self.pods[apply.create.pod.index()];
                if !pod.is_there {
                    self.pod_comes(&apply.create, now, lists);
                } else if let Some(tolerations) = apply.tolerations {
                    pod.tolerations = tolerations;
                    self.reckon_pod(apply.create.pod, now, lists);
                }
            }
            Action::DeletePods { pods, .. } => {
                for index in self.targeted_pods(pods, lists) {
                    let pod = &mut self.pods[index];
                    (pod.is_there, pod.due) = (false, None);
                }
            }
            Action::BindPods { pods, node } => {
                for index in self.targeted_pods(pods, lists) {
                    let pod = &mut self.pods[index];
                    pod.node = pod.node.or(Some(*node));
                    let id = pod.id;
                    self.reckon_pod(id, now, lists);
                }
            }
            Action::SetTolerations { pods, tolerations, .. } => {
                for index in self.targeted_pods(pods, lists) {
                    self.pods[index].tolerations = *tolerations;
                    let id = self.pods[index].id;
                    self.reckon_pod(id, now, lists);
                }
            }
            Action::RestartController { down_for } => {
                self.restarted(now.saturating_add(*down_for), lists);
            }
            Action::BreakWatch { down_for, .. } => self.mark(now.saturating_add(*down_for)),
            Action::SetUnschedulable { .. }
            | Action::LabelPods { .. }
            | Action::LabelNodes { .. }
            | Action::Note(_) => {}
        }
    }

    /// Notes an instant at which something happens by itself.
    pub fn mark(&mut self, time: Time) {
        if self.marks.contains(&time) {
            return;
        }
        if self.marks.len() == MARKS {
            self.marks.remove(0);
        }
        self.marks.push(time);
    }

    fn node_comes(&mut self, spec: &NodeSpec, lists: &Lists) {
        let node = &mut self.nodes[spec.node.index()];
        node.is_there = true;
        node.labels = spec.labels;
        node.taints = lists.taints(spec.taints).to_vec();
    }

    fn pod_comes(&mut self, spec: &PodSpec, now: Time, lists: &Lists) {
        self.pods[spec.pod.index()] = PodSketch {
            id: spec.pod,
            is_there: true,
            node: spec.node,
            labels: spec.labels,
            tolerations: spec.tolerations,
            due: None,
        };
        self.reckon_pod(spec.pod, now, lists);
    }

    /// A new process waits anew for all pods, once its caches are in sync.
    fn restarted(&mut self, start: Time, lists: &Lists) {
        let sync = start.saturating_add(Span::from_millis(100));
        self.mark(start);
        self.mark(sync);
        for index in 0..self.pods.len() {
            self.pods[index].due = None;
            let id = self.pods[index].id;
            self.reckon_pod(id, sync, lists);
        }
    }

    fn reckon_node(&mut self, node: NodeId, now: Time, lists: &Lists) {
        for index in 0..self.pods.len() {
            if self.pods[index].node == Some(node) {
                let id = self.pods[index].id;
                self.reckon_pod(id, now, lists);
            }
        }
    }

    fn reckon_pod(&mut self, pod: PodId, now: Time, lists: &Lists) {
        let sketch = self.pods[pod.index()];
        let Some(node) = sketch.node.filter(|_| sketch.is_there) else { return };
        let taints = &self.nodes[node.index()].taints;
        let evicts = taints.iter().any(|taint| taint.effect == Effect::NoExecute);
        let due = if evicts {
            match match_lists(taints, lists.tolerations(sketch.tolerations), self.rules) {
                Verdict::NotTolerated { .. } => Some(now),
                Verdict::Tolerated { deadline: Deadline::Never, .. } => None,
                // A timer does not move.
                Verdict::Tolerated { deadline: Deadline::After(wait), .. } => {
                    sketch.due.or(Some(now.saturating_add(wait)))
                }
            }
        } else {
            None
        };
        self.pods[pod.index()].due = due;
        if let Some(due) = due {
            self.mark(due);
        }
    }

    fn targeted_nodes(&self, target: &NodeTarget, lists: &Lists) -> Vec<usize> {
        let is_meant =
            |node: &NodeSketch| node.is_there && target.matches(node.id, lists.labels(node.labels));
        (0..self.nodes.len()).filter(|index| is_meant(&self.nodes[*index])).collect()
    }

    fn targeted_pods(&self, target: &PodTarget, lists: &Lists) -> Vec<usize> {
        let is_meant = |pod: &PodSketch| match target {
            PodTarget::Names(names) => names.contains(&pod.id),
            // Its namespace makes no difference worth the trouble here.
            PodTarget::Matching { selector, .. } => selector.matches(lists.labels(pod.labels)),
        };
        let there = |index: &usize| self.pods[*index].is_there && is_meant(&self.pods[*index]);
        (0..self.pods.len()).filter(there).collect()
    }
}

impl PodSketch {
    fn absent(id: PodId) -> PodSketch {
        PodSketch {
            id,
            is_there: false,
            node: None,
            labels: Lists::NO_LABELS,
            tolerations: Lists::NO_TOLERATIONS,
            due: None,
        }
    }
}

/// Whether a pattern names a taint.
pub(super) fn names(pattern: &TaintPattern, taint: &Taint) -> bool {
    pattern.key == taint.key && pattern.effect.as_ref().is_none_or(|e| *e == taint.effect)
}

fn change_taints(taints: &mut Vec<Taint>, change: &TaintChange, lists: &Lists) {
    if let Some(all) = change.replace {
        *taints = lists.taints(all).to_vec();
        return;
    }
    taints.retain(|taint| !change.remove.iter().any(|pattern| names(pattern, taint)));
    for taint in lists.taints(change.add) {
        match taints.iter_mut().find(|other| other.same_key_and_effect(taint)) {
            Some(place) => *place = taint.clone(),
            None => taints.push(taint.clone()),
        }
    }
}
