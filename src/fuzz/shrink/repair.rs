//! Makes a plan valid again after something was taken out of it: what names an object that nothing
//! creates any more goes as well, and so do targets, changes and steps that are left empty.

use crate::kernel::Span;
use crate::objects::{Labels, LabelsId, Lists, NodeId, PodId, Selector};
use crate::plan::{
    Action, FaultTarget, NodeSpec, NodeTarget, Plan, PodSpec, PodTarget, Step, Trigger, When,
};

/// Repairs until nothing is left to do.
pub(super) fn repair(plan: &mut Plan) {
    loop {
        let there = There::of(plan);
        let mut changed = false;
        let lose = |spec: &mut PodSpec, changed: &mut bool| {
            if spec.node.is_some_and(|node| !there.has_node(node)) {
                spec.node = None;
                *changed = true;
            }
        };
        for spec in &mut plan.pods {
            lose(spec, &mut changed);
        }
        for step in &mut plan.steps {
            let before = step.actions.len();
            for action in &mut step.actions {
                changed |= there.narrow(&mut action.action);
                match &mut action.action {
                    Action::CreatePods(specs) => {
                        specs.iter_mut().for_each(|spec| lose(spec, &mut changed));
                    }
                    Action::ApplyPod(apply) => lose(&mut apply.create, &mut changed),
                    _ => {}
                }
            }
            step.actions.retain(|action| there.does_something(&action.action));
            let waits_in_vain = match step.when {
                When::After { trigger, .. } => !there.triggers(trigger),
                _ => false,
            };
            if waits_in_vain {
                step.actions.clear();
            }
            changed |= before != step.actions.len();
        }
        let faults = plan.faults.len();
        plan.faults.retain_mut(|fault| match &mut fault.target {
            FaultTarget::All => true,
            FaultTarget::Pods(pods) => {
                there.narrow_pods(pods);
                there.hits_pods(pods)
            }
            FaultTarget::Nodes(nodes) => {
                there.narrow_nodes(nodes);
                there.hits_nodes(nodes)
            }
        });
        changed |= faults != plan.faults.len();
        let steps = std::mem::take(&mut plan.steps);
        plan.steps = without(steps, &|_, step| step.actions.is_empty());
        if !changed {
            return;
        }
    }
}

/// The steps without some of them. One that followed such a step by a span follows, by both spans,
/// what that one followed.
pub(super) fn without(steps: Vec<Step>, is_gone: &dyn Fn(usize, &Step) -> bool) -> Vec<Step> {
    let mut left = Vec::with_capacity(steps.len());
    let mut gone: Option<When> = None;
    for (index, mut step) in steps.into_iter().enumerate() {
        if let (Some(above), When::AfterPrevious(span)) = (&gone, &step.when) {
            step.when = match above {
                When::At(time) => When::At(time.saturating_add(*span)),
                When::AfterPrevious(first) => {
                    When::AfterPrevious(Span(first.0.saturating_add(span.0)))
                }
                When::After { trigger, occurrence, plus } => When::After {
                    trigger: *trigger,
                    occurrence: *occurrence,
                    plus: Span(plus.0.saturating_add(span.0)),
                },
            };
        }
        if is_gone(index, &step) {
            gone = Some(step.when);
        } else {
            gone = None;
            left.push(step);
        }
    }
    left
}

/// The pods that a step creates.
pub(super) fn created_pods(action: &Action) -> &[PodSpec] {
    match action {
        Action::CreatePods(specs) => specs,
        Action::ApplyPod(apply) => std::slice::from_ref(&apply.create),
        _ => &[],
    }
}

/// The nodes that a step creates.
pub(super) fn created_nodes(action: &Action) -> &[NodeSpec] {
    match action {
        Action::CreateNodes(specs) => specs,
        Action::ApplyNode(apply) => std::slice::from_ref(&apply.create),
        _ => &[],
    }
}

/// What is there at some time.
struct There {
    nodes: Vec<(NodeId, Labels)>,
    pods: Vec<(PodId, Labels)>,
    changes_labels: bool,
}

impl There {
    fn of(plan: &Plan) -> There {
        let actions = || plan.steps.iter().flat_map(|step| &step.actions).map(|one| &one.action);
        let nodes = plan.nodes.iter().chain(actions().flat_map(created_nodes));
        let pods = plan.pods.iter().chain(actions().flat_map(created_pods));
        let labels = |id: LabelsId| plan.lists.labels(id).clone();
        There {
            nodes: nodes.map(|spec| (spec.node, labels(spec.labels))).collect(),
            pods: pods.map(|spec| (spec.pod, labels(spec.labels))).collect(),
            changes_labels: actions().any(|action| {
                matches!(action, Action::LabelNodes { .. } | Action::LabelPods { .. })
            }),
        }
    }

    fn has_node(&self, node: NodeId) -> bool {
        self.nodes.iter().any(|(id, _)| *id == node)
    }

    fn has_pod(&self, pod: PodId) -> bool {
        self.pods.iter().any(|(id, _)| *id == pod)
    }

    /// Takes the names that are not there out of a target; true if there were some.
    fn narrow_nodes(&self, target: &mut NodeTarget) -> bool {
        let NodeTarget::Names(ids) = target else { return false };
        let before = ids.len();
        ids.retain(|id| self.has_node(*id));
        before != ids.len()
    }

    fn narrow_pods(&self, target: &mut PodTarget) -> bool {
        let PodTarget::Names(ids) = target else { return false };
        let before = ids.len();
        ids.retain(|id| self.has_pod(*id));
        before != ids.len()
    }

    fn hits_nodes(&self, target: &NodeTarget) -> bool {
        match target {
            NodeTarget::Names(ids) => !ids.is_empty(),
            NodeTarget::Matching(selector) => self.selects(selector, self.nodes_labels()),
        }
    }

    fn hits_pods(&self, target: &PodTarget) -> bool {
        match target {
            PodTarget::Names(ids) => !ids.is_empty(),
            PodTarget::Matching { selector, .. } => {
                self.selects(selector, self.pods.iter().map(|(_, labels)| labels))
            }
        }
    }

    fn nodes_labels(&self) -> impl Iterator<Item = &Labels> {
        self.nodes.iter().map(|(_, labels)| labels)
    }

    /// Where labels change, any object may come to match.
    fn selects<'l>(&self, selector: &Selector, of: impl Iterator<Item = &'l Labels>) -> bool {
        let mut of = of;
        of.any(|labels| self.changes_labels || selector.matches(labels))
    }

    fn triggers(&self, trigger: Trigger) -> bool {
        match trigger {
            Trigger::Armed(pod)
            | Trigger::Cancelled(pod)
            | Trigger::Evicted(pod)
            | Trigger::Removed(pod)
            | Trigger::Bound(pod) => self.has_pod(pod),
            Trigger::Tainted(node) | Trigger::Untainted(node) => self.has_node(node),
        }
    }

    fn narrow(&self, action: &mut Action) -> bool {
        match action {
            Action::Taint { nodes, .. }
            | Action::SetUnschedulable { nodes, .. }
            | Action::LabelNodes { nodes, .. }
            | Action::DeleteNodes(nodes) => self.narrow_nodes(nodes),
            Action::DeletePods { pods, .. }
            | Action::BindPods { pods, .. }
            | Action::SetTolerations { pods, .. }
            | Action::LabelPods { pods, .. } => self.narrow_pods(pods),
            _ => false,
        }
    }

    /// Whether the action has an object and something to do.
    fn does_something(&self, action: &Action) -> bool {
        match action {
            Action::Taint { nodes, change } => {
                let changes = change.replace.is_some()
                    || change.add != Lists::NO_TAINTS
                    || !change.remove.is_empty();
                changes && self.hits_nodes(nodes)
            }
            Action::SetUnschedulable { nodes, .. } | Action::DeleteNodes(nodes) => {
                self.hits_nodes(nodes)
            }
            Action::LabelNodes { nodes, change } => {
                !(change.set.is_empty() && change.remove.is_empty()) && self.hits_nodes(nodes)
            }
            Action::LabelPods { pods, change } => {
                !(change.set.is_empty() && change.remove.is_empty()) && self.hits_pods(pods)
            }
            Action::BindPods { pods, node } => self.has_node(*node) && self.hits_pods(pods),
            Action::DeletePods { pods, .. } | Action::SetTolerations { pods, .. } => {
                self.hits_pods(pods)
            }
            Action::CreateNodes(specs) => !specs.is_empty(),
            Action::CreatePods(specs) => !specs.is_empty(),
            Action::ApplyNode(_)
            | Action::ApplyPod(_)
            | Action::BreakWatch { .. }
            | Action::RestartController { .. }
            | Action::Note(_) => true,
        }
    }
}
