//! Once nothing fails and nothing changes any more, every pod's fate is the promised one.

use super::docs::Missed;
use super::{Breach, Rule};
use crate::fuzz::reference::{Model, Reading, Stretch, hits_calls};
use crate::kernel::Time;

/// The rule.
pub const RULE: Rule = Rule {
    name: "convergence",
    sentence: "At the end, with all faults over and a time of grace, each pod is gone, stays or \
               still waits as its node's taints and its tolerations have it, whenever it came to \
               that.",
    source: "the rules of docs/, looked at from the end",
    slack: "as those",
};

/// What a pod whose promise was not kept came to in the end.
pub fn judge(
    model: &Model<'_>,
    index: usize,
    missed: &Missed,
    stretches: &mut Vec<Stretch>,
) -> Option<Breach> {
    let (story, plan) = (model.story, model.context.plan);
    let still_fails = plan.faults.iter().zip(0u32..).any(|(fault, index)| {
        hits_calls(fault) && story.has_hit(index) && story.off(fault, index) > model.horizon
    });
    let grace = model.deadline(story.last_change, story.last_change);
    if still_fails || grace > model.horizon {
        return None;
    }
    let pod = &story.pods()[index];
    let name = model.context.names().pod(pod.pod);
    let breach = |text: String| {
        let at = missed.breach.at;
        let text = format!("pod {name} {text}");
        Some(Breach { rule: RULE.name.into(), at, pod: Some(pod.pod), text })
    };
    if !missed.early {
        // What was late, but went, has converged.
        return match pod.leaving {
            None => {
                breach(format!("is there at the end, and should be gone since {}", due(missed)))
            }
            Some(_) => None,
        };
    }
    // Had it not gone: would it have had to go later? A namesake after it leaves that open.
    if pod.later.is_some() {
        return None;
    }
    model.stretches(pod, model.horizon, stretches);
    let went = pod.leaving.map_or(Time::ZERO, |leaving| leaving.at);
    let goes = (0..stretches.len()).any(|index| {
        let stretch = stretches[index];
        let promise = model.promise(pod, stretches, index, Reading::Earliest);
        stretch.to >= went && promise.due(stretch.from) <= stretch.to
    });
    if goes {
        None
    } else {
        breach(format!("is gone at the end, evicted at {went}, and should stay"))
    }
}

fn due(missed: &Missed) -> Time {
    missed.breach.at
}
