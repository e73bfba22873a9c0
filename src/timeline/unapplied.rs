//! Why a step was never applied: what it waits for did not come, or the run's end came first.

use std::collections::{BTreeMap, BTreeSet};

use crate::cluster::{End, EndReason};
use crate::plan::{Config, Plan, Step, Trigger, When};

/// The steps that were not applied, with how the run ended.
pub struct Unapplied<'a> {
    plan: &'a Plan,
    /// Numbers of the steps that were not applied.
    steps: BTreeSet<u32>,
    /// Where the step of a number is in the plan.
    places: BTreeMap<u32, usize>,
    end: End,
}

impl<'a> Unapplied<'a> {
    /// Of the steps with these numbers, in a run that ended so.
    pub fn new(plan: &'a Plan, steps: &[u32], end: End) -> Unapplied<'a> {
        // A step that the command line adds has a number of its own, wherever its place is.
        let places = plan.steps.iter().zip(0..).map(|(step, place)| (step.number, place));
        Unapplied { plan, steps: steps.iter().copied().collect(), places: places.collect(), end }
    }

    /// The step of this number.
    pub fn step(&self, number: u32) -> Option<&'a Step> {
        self.plan.steps.get(*self.places.get(&number)?)
    }

    /// Why the step of this number was not applied; goes on after `Step 4 was not applied: `.
    pub fn why(&self, number: u32) -> String {
        let Some(&index) = self.places.get(&number) else {
            return String::from("it is not in the scenario");
        };
        let previous = index.checked_sub(1).map(|index| &self.plan.steps[index]);
        let ended = self.ended();
        match &self.plan.steps[index].when {
            When::At(at) => format!("it is due at {at}, and {ended}"),
            When::AfterPrevious(span) => match previous {
                Some(Step { number, .. }) if self.steps.contains(number) => {
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
    fn ended(&self) -> String {
        match (self.end.reason, self.plan.config.until) {
            (EndReason::Idle, _) => format!("the run ended at {}", self.end.at),
            (_, Some(until)) => format!("the run ended at {until} (`until`)"),
            (_, None) => {
                format!("the run ended at {}, its limit without `until`", Config::UNBOUNDED_LIMIT)
            }
        }
    }

    /// As the scenario writes it: `{cancelled: default/web-0}`.
    fn trigger_words(&self, trigger: Trigger, occurrence: u32) -> String {
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
            Unapplied::new(&story.plan, &[1, 3, 4, 5, 6], end).why(number)
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
