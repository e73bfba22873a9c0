//! Taints and tolerations that are left out because others are there.

use std::collections::BTreeSet;

use crate::objects::{Effect, Lists, NodeId, TaintsId, Toleration, TolerationsId};
use crate::plan::{Action, NodeTarget, Plan};

/// The plan in which no node that has had a NoExecute taint gets another one by a step; `None` where
/// none does.
pub(super) fn without_second_taints(plan: &Plan) -> Option<Plan> {
    let is_no_execute = |taints: TaintsId| {
        plan.lists.taints(taints).iter().any(|taint| taint.effect == Effect::NoExecute)
    };
    let at_start = plan.nodes.iter().filter(|node| is_no_execute(node.taints));
    let mut tainted: BTreeSet<NodeId> = at_start.map(|node| node.node).collect();
    let mut changed = plan.clone();
    let mut any = false;
    for action in changed.steps.iter_mut().flat_map(|step| &mut step.actions) {
        let (nodes, taints) = match &action.action {
            Action::Taint { nodes, change } => {
                (nodes.clone(), change.replace.unwrap_or(change.add))
            }
            Action::CreateNodes(specs) => {
                let with_taint = specs.iter().filter(|spec| is_no_execute(spec.taints));
                tainted.extend(with_taint.map(|spec| spec.node));
                continue;
            }
            _ => continue,
        };
        if taints == Lists::NO_TAINTS || !is_no_execute(taints) {
            continue;
        }
        let names: BTreeSet<NodeId> = match nodes {
            NodeTarget::Names(names) => names.into_iter().collect(),
            NodeTarget::Matching(_) => (0..plan.names.node_count() as u32).map(NodeId).collect(),
        };
        if names.is_subset(&tainted) {
            action.action = Action::nothing();
            any = true;
        }
        tainted.extend(names);
    }
    any.then_some(changed)
}

/// The plan in which each toleration is the first one for a taint; `None` where that is so.
pub(super) fn without_overlaps(plan: &Plan) -> Option<Plan> {
    let mut changed = plan.clone();
    let mut lists = std::mem::take(&mut changed.lists);
    let mut any = false;
    for_each_list(&mut changed, &mut |id| {
        if let Some(kept) = first_ones(plan, *id) {
            *id = lists.intern_tolerations(&kept);
            any = true;
        }
    });
    changed.lists = lists;
    any.then_some(changed)
}

/// The tolerations that are the first to match some taint, or match none; `None` if all are.
fn first_ones(plan: &Plan, id: TolerationsId) -> Option<Vec<Toleration>> {
    let operators = plan.config.switches.comparison_operators;
    let list = plan.lists.tolerations(id);
    let matches = |toleration: &Toleration, taint| toleration.tolerates(taint, operators);
    let is_kept = |index: &usize| {
        let mut matched = plan.lists.all_taints().filter(|taint| matches(&list[*index], taint));
        let mut any = false;
        let is_first = matched.any(|taint| {
            any = true;
            !list[..*index].iter().any(|earlier| matches(earlier, taint))
        });
        is_first || !any
    };
    let kept: Vec<Toleration> =
        (0..list.len()).filter(is_kept).map(|index| list[index].clone()).collect();
    (kept.len() < list.len()).then_some(kept)
}

/// Every list of tolerations that a pod of the plan can have.
fn for_each_list(plan: &mut Plan, each: &mut impl FnMut(&mut TolerationsId)) {
    plan.pods.iter_mut().for_each(|pod| each(&mut pod.tolerations));
    for action in plan.steps.iter_mut().flat_map(|step| &mut step.actions) {
        match &mut action.action {
            Action::CreatePods(pods) => pods.iter_mut().for_each(|pod| each(&mut pod.tolerations)),
            Action::SetTolerations { tolerations, .. } => each(tolerations),
            Action::ApplyPod(apply) => {
                each(&mut apply.create.tolerations);
                apply.tolerations.iter_mut().for_each(&mut *each);
            }
            _ => {}
        }
    }
}
