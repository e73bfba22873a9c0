//! `spec.steps`.

use super::actions::{apply_all, entries};
use super::kubectl::line_of_all;
use super::tree::{Entries, Yaml};
use super::words::{pod_name, span};
use crate::kernel::Span;
use crate::plan::{Plan, Step, Trigger, When};
use crate::scenario::rules::Rules;

/// A step, which comes at `when`.
pub(super) fn step(plan: &Plan, rules: &Rules, step: &Step, when: &When) -> Entries {
    let mut out = Entries::default();
    match when {
        When::At(time) => out.plain("at", span(Span(time.0))),
        When::AfterPrevious(after) => out.plain("at", format!("+{}", span(*after))),
        When::After { trigger, occurrence, plus } => {
            out.put("after", Yaml::Map(after(plan, *trigger, *occurrence, *plus)));
        }
    }
    put_actions(plan, rules, step, &mut out);
    if step.may_be_rejected {
        out.plain("mayBeRejected", true);
    }
    if let Some(because) = &step.because {
        out.text("because", because);
    }
    out
}

fn after(plan: &Plan, trigger: Trigger, occurrence: u32, plus: Span) -> Entries {
    let mut out = Entries::default();
    let (key, name) = match trigger {
        Trigger::Armed(pod) => ("armed", pod_name(plan, pod)),
        Trigger::Cancelled(pod) => ("cancelled", pod_name(plan, pod)),
        Trigger::Evicted(pod) => ("evicted", pod_name(plan, pod)),
        Trigger::Removed(pod) => ("removed", pod_name(plan, pod)),
        Trigger::Bound(pod) => ("bound", pod_name(plan, pod)),
        Trigger::Tainted(node) => ("tainted", plan.names.node(node)),
        Trigger::Untainted(node) => ("untainted", plan.names.node(node)),
    };
    out.text(key, name);
    if plus != Span::ZERO {
        out.plain("plus", span(plus));
    }
    if occurrence != 1 {
        out.plain("occurrence", occurrence);
    }
    out
}

/// The one action; or all of them, as one line or one list where the step is no burst, and that
/// can say it.
fn put_actions(plan: &Plan, rules: &Rules, step: &Step, out: &mut Entries) {
    if !step.burst && step.actions.len() > 1 {
        if let Some(line) = line_of_all(plan, &step.actions) {
            out.text("kubectl", &line);
            return;
        }
        if let Some(apply) = apply_all(plan, rules, &step.actions) {
            out.append(apply);
            return;
        }
    }
    let all = step.actions.iter().flat_map(|action| entries(plan, rules, action));
    let mut all: Vec<Entries> = all.collect();
    match all.len() {
        1 if !step.burst => out.append(all.remove(0)),
        _ => out.put("burst", Yaml::List(all.into_iter().map(Yaml::Map).collect())),
    }
}
