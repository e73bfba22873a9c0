//! The labels that each incarnation of a pod ever had. Records do not carry labels; they follow
//! from the plan and from which of its actions were applied to which pod.

use std::collections::BTreeMap;

use crate::objects::{Labels, Lists, PodId, Selector, Uid};
use crate::plan::{Action, LabelChange, Plan, PodSpec};
use crate::timeline::{Context, Kind, Record};

/// A sink's part that follows labels.
#[derive(Debug, Default)]
pub(super) struct LabelTable {
    /// By uid, oldest first: of pods that a step created, and of all whose labels changed. Others
    /// have what the plan's pod of their uid has.
    changed: BTreeMap<u32, Vec<Labels>>,
    /// The last applied action: its record's `seq`, its step, its index.
    last: Option<(u32, u32, u32)>,
}

impl LabelTable {
    /// An action was applied, to `newest` where it is about a pod that exists.
    pub(super) fn apply(&mut self, context: Context<'_>, record: &Record, newest: Option<Uid>) {
        let Kind::StepApplied { step, action } = record.kind else { return };
        self.last = Some((record.seq, step, action));
        let Some(uid) = newest else { return };
        let Some(action) = action_of(context.plan, step, action) else { return };
        let Some(old) = self.of(context, uid).last() else { return };
        let new = match action {
            Action::LabelPods { change, .. } => changed(old, change),
            Action::ApplyPod(apply) => merged(old, context.lists.labels(apply.create.labels)),
            _ => return,
        };
        if new != *old {
            let known = self.of(context, uid).to_vec();
            self.changed.entry(uid.0).or_insert(known).push(new);
        }
    }

    /// A pod came to be.
    pub(super) fn create(&mut self, context: Context<'_>, record: &Record, pod: PodId, uid: Uid) {
        let step = self.last.filter(|(seq, ..)| record.cause == Some(*seq));
        let action = step.and_then(|(_, step, action)| action_of(context.plan, step, action));
        let spec = match action {
            Some(Action::CreatePods(pods)) => pods.iter().find(|spec| spec.pod == pod),
            Some(Action::ApplyPod(apply)) => Some(&apply.create),
            _ => None,
        };
        if let Some(spec) = spec {
            self.changed.insert(uid.0, vec![context.lists.labels(spec.labels).clone()]);
        }
    }

    /// All labels that the incarnation ever had, oldest first.
    pub(super) fn of<'a>(&'a self, context: Context<'a>, uid: Uid) -> &'a [Labels] {
        match self.changed.get(&uid.0) {
            Some(labels) => labels,
            None => {
                let spec = uid.index().checked_sub(1).and_then(|i| context.plan.pods.get(i));
                let id = spec.map_or(Lists::NO_LABELS, |spec: &PodSpec| spec.labels);
                std::slice::from_ref(context.lists.labels(id))
            }
        }
    }

    pub(super) fn ever_match(&self, context: Context<'_>, uid: Uid, selector: &Selector) -> bool {
        self.of(context, uid).iter().any(|labels| selector.matches(labels))
    }
}

fn action_of(plan: &Plan, step: u32, action: u32) -> Option<&Action> {
    let step = plan.steps.get(step as usize)?;
    Some(&step.actions.get(action as usize)?.action)
}

/// As the store does it; a change that kubectl refuses has no `StepApplied`.
fn changed(old: &Labels, change: &LabelChange) -> Labels {
    let mut new = old.clone();
    for (key, value) in &change.set {
        new.set(key, value);
    }
    for key in &change.remove {
        new.remove(key);
    }
    new
}

fn merged(old: &Labels, applied: &Labels) -> Labels {
    let mut new = old.clone();
    for (key, value) in applied.iter() {
        new.set(key, value);
    }
    new
}
