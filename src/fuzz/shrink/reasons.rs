//! Why a step is needed: what becomes of the plan without it.

use super::rebuild::{Same, rebuild};
use super::repair::{repair, without};
use crate::fuzz::generate::check;
use crate::plan::Plan;

/// The plan without one of its steps, and without what names the objects that only it creates.
/// `None` where that is no plan, or the plan has no such step.
///
/// Steps are numbered anew.
pub fn without_step(plan: &Plan, index: usize) -> Option<Plan> {
    if index >= plan.steps.len() {
        return None;
    }
    let mut rest = plan.clone();
    let steps = std::mem::take(&mut rest.steps);
    rest.steps = without(steps, &|place, _| place == index);
    repair(&mut rest);
    let rest = rebuild(&rest, &mut Same);
    (check(&rest).is_ok() || check(plan).is_err()).then_some(rest)
}

/// What `outcome` says of the plan without each of its steps, in their order.
pub fn reasons<T>(plan: &Plan, outcome: &mut dyn FnMut(&Plan) -> T) -> Vec<Option<T>> {
    let each = (0..plan.steps.len()).map(|index| without_step(plan, index));
    each.map(|rest| rest.map(|rest| outcome(&rest))).collect()
}
