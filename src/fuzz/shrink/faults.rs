//! Faults that hit always, everything, and in the plainest way.

use super::Search;
use super::times::with_window;
use super::values::instants_near;
use crate::kernel::Time;
use crate::plan::{ApiError, Caller, Fault, FaultTarget, Plan, Resource, Verb};

/// Each condition alone, and all of them at once.
pub(super) fn conditions(search: &mut Search<'_>) {
    let changes: [fn(&mut Fault); 13] = [
        |fault| {
            *fault = Fault { place: fault.place.clone(), ..Fault::new(fault.verb, fault.error) }
        },
        |fault| fault.between = None,
        |fault| fault.probability = None,
        |fault| fault.message = None,
        |fault| fault.first = None,
        |fault| fault.target = FaultTarget::All,
        |fault| fault.caller = Caller::TaintManager,
        |fault| fault.applied = false,
        |fault| (fault.applied, fault.error) = (false, ApiError::InternalError),
        |fault| fault.resource = Resource::Pods,
        |fault| fault.verb = Verb::Delete,
        |fault| {
            *fault = Fault { place: fault.place.clone(), ..Fault::new(Verb::Delete, fault.error) }
        },
        |fault| {
            *fault = Fault {
                place: fault.place.clone(),
                ..Fault::new(Verb::Delete, ApiError::InternalError)
            };
        },
    ];
    for index in (0..search.plan.faults.len()).rev() {
        for change in changes {
            search.offer_at(|plan| &mut plan.faults, index, change);
        }
        let first = search.plan.faults.get(index).and_then(|fault| fault.first);
        for first in 1..first.unwrap_or(0) {
            if search.offer_at(|plan| &mut plan.faults, index, |fault| fault.first = Some(first)) {
                break;
            }
        }
        window(search, index);
    }
}

/// From the start on where that will do, and round times.
fn window(search: &mut Search<'_>, index: usize) {
    let between = |search: &Search<'_>| search.plan.faults.get(index).and_then(|f| f.between);
    let Some((from, to)) = between(search) else { return };
    let mut windows = vec![(Time::ZERO, to)];
    windows.extend(instants_near(from).into_iter().map(|from| (from, to)));
    let plans = plans(&search.plan, index, windows);
    search.offer_best_value(plans);
    let Some((from, _)) = between(search) else { return };
    let ends = instants_near(to).into_iter().map(|to| (from, to)).collect();
    let plans = self::plans(&search.plan, index, ends);
    search.offer_best_value(plans);
}

fn plans(plan: &Plan, index: usize, windows: Vec<(Time, Time)>) -> Vec<Plan> {
    windows.into_iter().map(|window| with_window(plan, index, window)).collect()
}
