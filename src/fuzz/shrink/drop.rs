//! Takes things out: halves first, then ever smaller parts, then single ones.

use std::ops::Range;

use super::Search;
use super::repair::{created_pods, without};
use crate::objects::{NodeId, PodId};
use crate::plan::{Action, FaultTarget, NodeTarget, Plan, PodTarget};

/// So many steps are few enough to try each two of them.
const FEW: usize = 9;

/// Steps; also two that are needed only for each other.
pub(super) fn steps(search: &mut Search<'_>) {
    parts(search, |plan| plan.steps.len(), without_steps);
    let mut late = search.plan.steps.len();
    while late > 1 {
        late = (late - 1).min(search.plan.steps.len().saturating_sub(1));
        let mut early = late;
        // Neighbours were tried together, if their places were even.
        while early > 0 && search.plan.steps.len() <= FEW {
            early -= 1;
            let steps = std::mem::take(&mut search.plan.steps);
            let left = without(steps.clone(), &|index, _| index == early || index == late);
            search.plan.steps = steps;
            if search.offer_with(|plan| plan.steps = left) {
                break;
            }
        }
    }
}

fn without_steps(plan: &mut Plan, gone: Range<usize>) {
    let steps = std::mem::take(&mut plan.steps);
    plan.steps = without(steps, &|index, _| gone.contains(&index));
}

/// Faults.
pub(super) fn faults(search: &mut Search<'_>) {
    parts(search, |plan| plan.faults.len(), |plan, gone| drop(plan.faults.drain(gone)));
}

/// Pods, with all that names them.
pub(super) fn pods(search: &mut Search<'_>) {
    parts(
        search,
        |plan| plan.names.pod_count(),
        |plan, gone| without_pods(plan, &|pod| gone.contains(&pod.index())),
    );
    // Pods of the start that a step creates again.
    parts(search, |plan| plan.pods.len(), |plan, gone| drop(plan.pods.drain(gone)));
}

/// Nodes, with all that names them; and with their pods.
pub(super) fn nodes(search: &mut Search<'_>) {
    for with_pods in [true, false] {
        parts(
            search,
            |plan| plan.names.node_count(),
            |plan, gone| {
                let is_gone = |node: NodeId| gone.contains(&node.index());
                if with_pods {
                    let pods = pods_on(plan, &is_gone);
                    without_pods(plan, &|pod| pods.contains(&pod));
                }
                without_nodes(plan, &is_gone);
            },
        );
    }
    parts(search, |plan| plan.nodes.len(), |plan, gone| drop(plan.nodes.drain(gone)));
}

fn pods_on(plan: &Plan, is_gone: &dyn Fn(NodeId) -> bool) -> Vec<PodId> {
    let actions = plan.steps.iter().flat_map(|step| &step.actions);
    let all = plan.pods.iter().chain(actions.flat_map(|action| created_pods(&action.action)));
    all.filter(|spec| spec.node.is_some_and(is_gone)).map(|spec| spec.pod).collect()
}

fn without_pods(plan: &mut Plan, is_gone: &dyn Fn(PodId) -> bool) {
    plan.pods.retain(|spec| !is_gone(spec.pod));
    for step in &mut plan.steps {
        for action in &mut step.actions {
            if let Action::CreatePods(specs) = &mut action.action {
                specs.retain(|spec| !is_gone(spec.pod));
            }
        }
        step.actions.retain(|action| match &action.action {
            Action::ApplyPod(apply) => !is_gone(apply.create.pod),
            _ => true,
        });
    }
}

fn without_nodes(plan: &mut Plan, is_gone: &dyn Fn(NodeId) -> bool) {
    plan.nodes.retain(|spec| !is_gone(spec.node));
    for step in &mut plan.steps {
        for action in &mut step.actions {
            if let Action::CreateNodes(specs) = &mut action.action {
                specs.retain(|spec| !is_gone(spec.node));
            }
        }
        step.actions.retain(|action| match &action.action {
            Action::ApplyNode(apply) => !is_gone(apply.create.node),
            _ => true,
        });
    }
}

/// Actions of bursts, and single objects of actions and faults.
pub(super) fn actions(search: &mut Search<'_>) {
    if search.plan.steps.iter().any(|step| step.actions.len() > 1) {
        parts(search, action_count, |plan, gone| {
            let mut index = 0;
            for step in &mut plan.steps {
                step.actions.retain(|_| {
                    index += 1;
                    !gone.contains(&(index - 1))
                });
            }
        });
    }
    if object_count(&search.plan) > action_count(&search.plan) {
        parts(search, object_count, without_objects);
    }
}

fn action_count(plan: &Plan) -> usize {
    plan.steps.iter().map(|step| step.actions.len()).sum()
}

/// So many objects are named by actions and faults, or created by them.
fn object_count(plan: &Plan) -> usize {
    let mut count = 0;
    let mut counted = plan.clone();
    retain_objects(&mut counted, &mut || {
        count += 1;
        true
    });
    count
}

fn without_objects(plan: &mut Plan, gone: Range<usize>) {
    let mut index = 0;
    retain_objects(plan, &mut || {
        index += 1;
        !gone.contains(&(index - 1))
    });
}

fn retain_objects(plan: &mut Plan, keep: &mut dyn FnMut() -> bool) {
    let actions = plan.steps.iter_mut().flat_map(|step| &mut step.actions);
    for action in actions.map(|action| &mut action.action) {
        match action {
            Action::Taint { nodes: NodeTarget::Names(ids), .. }
            | Action::SetUnschedulable { nodes: NodeTarget::Names(ids), .. }
            | Action::LabelNodes { nodes: NodeTarget::Names(ids), .. }
            | Action::DeleteNodes(NodeTarget::Names(ids)) => ids.retain(|_| keep()),
            Action::DeletePods { pods: PodTarget::Names(ids), .. }
            | Action::BindPods { pods: PodTarget::Names(ids), .. }
            | Action::SetTolerations { pods: PodTarget::Names(ids), .. }
            | Action::LabelPods { pods: PodTarget::Names(ids), .. } => ids.retain(|_| keep()),
            Action::CreateNodes(specs) => specs.retain(|_| keep()),
            Action::CreatePods(specs) => specs.retain(|_| keep()),
            _ => {}
        }
    }
    for fault in &mut plan.faults {
        match &mut fault.target {
            FaultTarget::Pods(PodTarget::Names(ids)) => ids.retain(|_| keep()),
            FaultTarget::Nodes(NodeTarget::Names(ids)) => ids.retain(|_| keep()),
            _ => {}
        }
    }
}

/// Offers the plan without halves, quarters, … of what `count` counts, the last ones first: what
/// comes late has the least that depends on it.
pub(super) fn parts(
    search: &mut Search<'_>,
    count: impl Fn(&Plan) -> usize,
    without: impl Fn(&mut Plan, Range<usize>),
) {
    let mut size = count(&search.plan).div_ceil(2);
    while size > 0 {
        let mut end = count(&search.plan);
        while end > 0 {
            let start = end.saturating_sub(size);
            search.offer_with(|plan| without(plan, start..end));
            end = start.min(count(&search.plan));
        }
        size = if size == 1 { 0 } else { size.div_ceil(2) };
    }
}
