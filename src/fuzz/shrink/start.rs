//! What a step makes, and what could be so from the start, or from an object's creation on.

use super::Search;
use super::repair::{created_nodes, created_pods};
use crate::objects::{NodeId, PodId, Taint};
use crate::plan::{Action, NodeSpec, NodeTarget, Plan, PodSpec, PodTarget, TaintChange};

/// Tries it for each action, the last one first: what is made early may be what is changed late.
pub(super) fn moves(search: &mut Search<'_>) {
    let mut step = search.plan.steps.len();
    while step > 0 {
        step = (step - 1).min(search.plan.steps.len().saturating_sub(1));
        let count = search.plan.steps.get(step).map_or(0, |step| step.actions.len());
        for action in (0..count).rev() {
            for whence in [Whence::Start, Whence::Anywhere] {
                let is_there =
                    search.plan.steps.get(step).is_some_and(|step| action < step.actions.len());
                if is_there && search.offer_with(|plan| settle(plan, step, action, whence)) {
                    break;
                }
            }
        }
    }
}

/// Which of the objects of a name get it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whence {
    Start,
    /// Those that steps create, too.
    Anywhere,
}

/// Takes the action out, and gives its effect to the objects as they come.
fn settle(plan: &mut Plan, step: usize, action: usize, whence: Whence) {
    let taken = plan.steps[step].actions.remove(action).action;
    match &taken {
        Action::CreatePods(_) | Action::ApplyPod(_) => {
            for spec in created_pods(&taken) {
                if !plan.pods.iter().any(|other| other.pod == spec.pod) {
                    plan.pods.push(*spec);
                }
            }
        }
        Action::CreateNodes(_) | Action::ApplyNode(_) => {
            for spec in created_nodes(&taken) {
                if !plan.nodes.iter().any(|other| other.node == spec.node) {
                    plan.nodes.push(*spec);
                }
            }
        }
        Action::Taint { nodes: NodeTarget::Names(names), change } => {
            for name in names {
                let taints = |plan: &mut Plan, spec: &mut NodeSpec| {
                    let new = changed(plan.lists.taints(spec.taints), change, plan);
                    spec.taints = plan.lists.intern_taints(&new);
                };
                each_node(plan, *name, whence, taints);
            }
        }
        Action::BindPods { pods: PodTarget::Names(names), node } => {
            for name in names {
                each_pod(plan, *name, whence, |spec| spec.node = Some(*node));
            }
        }
        Action::SetTolerations { pods: PodTarget::Names(names), tolerations, .. } => {
            for name in names {
                each_pod(plan, *name, whence, |spec| spec.tolerations = *tolerations);
            }
        }
        _ => {}
    }
}

fn each_node(
    plan: &mut Plan,
    name: NodeId,
    whence: Whence,
    change: impl Fn(&mut Plan, &mut NodeSpec),
) {
    for index in 0..plan.nodes.len() {
        let mut spec = plan.nodes[index];
        if spec.node == name {
            change(plan, &mut spec);
            plan.nodes[index] = spec;
        }
    }
    if whence == Whence::Start {
        return;
    }
    let mut steps = std::mem::take(&mut plan.steps);
    for action in steps.iter_mut().flat_map(|step| &mut step.actions) {
        if let Action::CreateNodes(specs) = &mut action.action {
            for spec in specs.iter_mut().filter(|spec| spec.node == name) {
                change(plan, spec);
            }
        }
    }
    plan.steps = steps;
}

fn each_pod(plan: &mut Plan, name: PodId, whence: Whence, change: impl Fn(&mut PodSpec)) {
    plan.pods.iter_mut().filter(|spec| spec.pod == name).for_each(&change);
    if whence == Whence::Start {
        return;
    }
    for action in plan.steps.iter_mut().flat_map(|step| &mut step.actions) {
        if let Action::CreatePods(specs) = &mut action.action {
            specs.iter_mut().filter(|spec| spec.pod == name).for_each(&change);
        }
    }
}

/// The list after a change.
fn changed(list: &[Taint], change: &TaintChange, plan: &Plan) -> Vec<Taint> {
    if let Some(replace) = change.replace {
        return plan.lists.taints(replace).to_vec();
    }
    let names = |taint: &Taint| {
        change.remove.iter().any(|pattern| {
            let effect = pattern.effect.as_ref();
            pattern.key == taint.key && effect.is_none_or(|effect| *effect == taint.effect)
        })
    };
    let mut list: Vec<Taint> = list.iter().filter(|taint| !names(taint)).cloned().collect();
    for taint in plan.lists.taints(change.add) {
        match list.iter_mut().find(|other| other.same_key_and_effect(taint)) {
            Some(place) => *place = taint.clone(),
            None => list.push(taint.clone()),
        }
    }
    list
}
