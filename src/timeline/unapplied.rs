//! Why a step was never applied: what it waits for did not come, or the run's end came first.

use crate::cluster::{End, EndReason};
use crate::plan::{Config, Plan, Step, Trigger, When};

/// The steps that were not applied, with how the run ended.
#[derive(Clone, Copy)]
pub struct Unapplied<'a> {
    /// What ran.
    pub plan: &'a Plan,
    /// Numbers of the steps that were not applied, in the order of the plan.
    pub steps: &'a [u32],
    /// How the run ended.
    pub end: End,
}

impl Unapplied<'_> {
    /// Why the step of this number was not applied; goes on after `Step 4 was not applied: `.
    pub fn why(self, number: u32) -> String {
        let Ok(index) = self.plan.steps.binary_search_by_key(&number, |step| step.number) else {
            return String::from("it is not in the scenario");
        };
        let previous = index.checked_sub(1).map(|index| &self.plan.steps[index]);
        let ended = self.ended();
        match &self.plan.steps[index].when {
            When::At(at) => format!("it is due at {at}, and {ended}"),
            When::AfterPrevious(span) => match previous {
                Some(Step { number, .. }) if self.steps.binary_search(number).is_ok() => {
                    format!("it follows step {number}, which was not applied either")
                }
                Some(Step { number, .. }) => {
                    format!("it comes {span} after step {number}, and {ended}")
                }
                None => format!("it comes {span} after the start, and {ended}"),
            },
            When::After { trigger, occurrence, plus } => {
                let event = self.trigger_words(*trigger, *occurrence);
                match (self.end.reason, plus.0) {
                    (EndReason::Idle, _) => format!("it waits for {event}, which did not come"),
                    (_, 0) => format!("it waits for {event}, which did not come before {ended}"),
                    _ => {
                        format!(
                            "it waits for {plus} after {event}, which did not come before {ended}"
                        )
                    }
                }
            }
        }
    }

    /// `the run ended at 1m0s (until)`.
    fn ended(self) -> String {
        match (self.end.reason, self.plan.config.until) {
            (EndReason::Idle, _) => format!("the run ended at {}", self.end.at),
            (_, Some(until)) => format!("the run ended at {until} (`until`)"),
            (_, None) => {
                format!("the run ended at {}, its limit without `until`", Config::UNBOUNDED_LIMIT)
            }
        }
    }

    /// As the scenario writes it: `{cancelled: default/web-0}`.
    fn trigger_words(self, trigger: Trigger, occurrence: u32) -> String {
        let names = &self.plan.names;
        let (word, name) = match trigger {
            Trigger::Armed(pod) => ("armed", names.pod(pod)),
            Trigger::Cancelled(pod) => ("cancelled", names.pod(pod)),
            Trigger::Evicted(pod) => ("evicted", names.pod(pod)),
            Trigger::Removed(pod) => ("removed", names.pod(pod)),
            Trigger::Bound(pod) => ("bound", names.pod(pod)),
            Trigger::Tainted(node) => ("tainted", names.node(node)),
            Trigger::Untainted(node) => ("untainted", names.node(node)),
        };
        match occurrence {
            0 | 1 => format!("{{{word}: {name}}}"),
            _ => format!("{{{word}: {name}, occurrence: {occurrence}}}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::time::{Span, Time};
    use crate::timeline::fixture::{Story, time_of};

    #[test]
    fn a_step_says_what_kept_it() {
        let mut story = Story::new("unapplied");
        let node = story.node("node-0", &[]);
        let pod = story.pod("default/p", Some(node), &[]);
        for _ in 0..6 {
            story.plan_step("8m", "x");
        }
        let after = |trigger, occurrence, plus| When::After {
            trigger,
            occurrence,
            plus: Span::from_secs(plus),
        };
        let steps = &mut story.plan.steps;
        steps[1].when = When::AfterPrevious(Span::from_secs(30));
        steps[2].when = When::AfterPrevious(Span::from_secs(30));
        steps[3].when = after(Trigger::Cancelled(pod), 1, 0);
        steps[4].when = after(Trigger::Tainted(node), 2, 30);
        story.plan.config.until = Some(time_of("1m"));
        let why = |reason, number| {
            let end = End { at: Time::ZERO, reason };
            // The second step was applied, all others were not.
            Unapplied { plan: &story.plan, steps: &[1, 3, 4, 5, 6], end }.why(number)
        };
        let cases = [
            (EndReason::Until, 1, "it is due at 8m0s, and the run ended at 1m0s (`until`)"),
            (EndReason::Until, 2, "it follows step 1, which was not applied either"),
            (EndReason::Until, 3, "it comes 30s after step 2, and the run ended at 1m0s (`until`)"),
            (EndReason::Idle, 4, "it waits for {cancelled: default/p}, which did not come"),
            (
                EndReason::Until,
                4,
                "it waits for {cancelled: default/p}, which did not come before the run ended at \
                 1m0s (`until`)",
            ),
            (
                EndReason::Until,
                5,
                "it waits for 30s after {tainted: node-0, occurrence: 2}, which did not come \
                 before the run ended at 1m0s (`until`)",
            ),
        ];
        for (reason, number, expected) in cases {
            assert_eq!(why(reason, number), expected);
        }
    }
}
