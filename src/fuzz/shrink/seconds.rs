//! `tolerationSeconds` as the documentation has them.

use super::Search;
use super::lists::{distinct_tolerations, with_toleration};
use super::times::{reckoned, shifted};
use super::values::{SECONDS, seconds};
use crate::kernel::Span;
use crate::objects::Toleration;
use crate::plan::Plan;

/// Other seconds for each toleration, alone and with all that have the same ones; what comes later
/// may have to move with the end of the wait.
pub(super) fn tolerations(search: &mut Search<'_>) {
    let mut index = 0;
    while let Some(old) = distinct_tolerations(&search.plan).get(index).cloned() {
        index += 1;
        if old.toleration_seconds.is_none() {
            continue;
        }
        let better =
            SECONDS.into_iter().filter(|new| seconds(*new) < seconds(old.toleration_seconds));
        let mut plans = Vec::new();
        for new in better {
            let alone = Toleration { toleration_seconds: new, ..old.clone() };
            let alone = with_toleration(&search.plan, &old, Some(alone));
            let alike = with_all_alike(&search.plan, old.toleration_seconds, new);
            for changed in [alone, alike] {
                with_later_steps_moved(&changed, old.toleration_seconds, new, &mut plans);
                plans.push(changed);
            }
        }
        search.offer_best_value(plans);
    }
}

fn with_all_alike(plan: &Plan, old: Option<i64>, new: Option<i64>) -> Plan {
    let mut changed = plan.clone();
    for toleration in distinct_tolerations(plan) {
        if toleration.toleration_seconds == old {
            let other = Toleration { toleration_seconds: new, ..toleration.clone() };
            changed = with_toleration(&changed, &toleration, Some(other));
        }
    }
    changed
}

fn with_later_steps_moved(plan: &Plan, old: Option<i64>, new: Option<i64>, plans: &mut Vec<Plan>) {
    let (Some(old), Some(new)) = (old, new) else { return };
    // Beyond that no run goes.
    let in_a_run = 0..=86_400;
    if !(in_a_run.contains(&old) && in_a_run.contains(&new)) {
        return;
    }
    let delta = (i128::from(new) - i128::from(old)) * i128::from(Span::from_secs(1).0);
    let times = reckoned(plan);
    for first in 0..plan.steps.len() {
        let same_as_above = first > 0 && times[first - 1] == times[first];
        if !same_as_above {
            plans.extend(shifted(plan, first, delta));
        }
    }
}
