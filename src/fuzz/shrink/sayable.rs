//! What a file can say of a plan that the loader would take: the limits of `scenario::emit` that a
//! pass could run into.

use crate::objects::validation;
use crate::objects::{Effect, Taint};
use crate::plan::{Action, FaultTarget, Plan, PodTarget, StepAction, TaintChange, TaintPattern};

/// Whether `scenario::emit` says the plan as it is.
pub(super) fn is_sayable(plan: &Plan) -> bool {
    let actions = plan.steps.iter().flat_map(|step| &step.actions);
    let of_faults = plan.faults.iter().all(|fault| match &fault.target {
        FaultTarget::Pods(pods) => !is_bare_namespace(pods),
        _ => true,
    });
    starts_with_entries(plan) && of_faults && actions.into_iter().all(|one| can_be_said(plan, one))
}

/// What only a manifest can say comes last, and an entry's own key then stands nowhere.
fn starts_with_entries(plan: &Plan) -> bool {
    let manifest = plan.nodes.iter().position(|spec| spec.unschedulable);
    let entry = plan.nodes.iter().rposition(|spec| spec.termination.is_some());
    manifest.zip(entry).is_none_or(|(manifest, entry)| entry < manifest)
}

/// A namespace and no selector: only kubectl has words for it.
fn is_bare_namespace(pods: &PodTarget) -> bool {
    match pods {
        PodTarget::Matching { namespace: Some(_), selector } => selector.0.is_empty(),
        _ => false,
    }
}

fn can_be_said(plan: &Plan, action: &StepAction) -> bool {
    match &action.action {
        Action::Taint { change, .. } => !action.kubectl || is_line(plan, change),
        Action::BindPods { pods, .. } | Action::SetTolerations { pods, .. } => {
            !is_bare_namespace(pods)
        }
        Action::LabelPods { pods, .. } => action.kubectl || !is_bare_namespace(pods),
        _ => true,
    }
}

/// Whether a line of kubectl makes the change.
fn is_line(plan: &Plan, change: &TaintChange) -> bool {
    let add = plan.lists.taints(change.add);
    let is_right = |(index, taint): (usize, &Taint)| {
        let again = add[..index].iter().any(|other| other.same_key_and_effect(taint));
        !again && taint.time_added.is_none() && validation::taint(taint).is_empty()
    };
    let is_named = |pattern: &TaintPattern| {
        let known = !matches!(pattern.effect, Some(Effect::Other(_)));
        known && validation::label_key(&pattern.key).is_empty()
    };
    change.replace.is_none()
        && add.iter().enumerate().all(is_right)
        && change.remove.iter().all(is_named)
}
