//! The order of steps by time, where it is known from the file alone.

use crate::kernel::time::{Span, Time};
use crate::plan::{Step, When};

/// The time of each step; `None` for steps that wait for something to happen, and those after them.
pub(in crate::scenario) fn times(steps: &[Step]) -> Vec<Option<Time>> {
    let mut above = Some(Time::ZERO);
    let time_of = |step: &Step| {
        above = match step.when {
            When::At(time) => Some(time),
            When::AfterPrevious(span) => above.map(|time| time.saturating_add(span)),
            When::After { .. } => None,
        };
        above
    };
    steps.iter().map(time_of).collect()
}

/// The time before which each step cannot be applied. What a step waits for may happen at once.
pub(super) fn earliest(steps: &[Step]) -> impl Iterator<Item = Time> {
    let mut above = Time::ZERO;
    steps.iter().map(move |step| {
        above = match step.when {
            When::At(time) => time,
            When::AfterPrevious(span) => above.saturating_add(span),
            When::After { plus, .. } => Time::ZERO.saturating_add(plus),
        };
        above
    })
}

/// Where a further step at `time` goes, and how it is written there: after the steps that are
/// applied until then. It never comes between a step and one that follows it by a span.
pub(super) fn place_of(steps: &[Step], time: Time) -> (usize, When) {
    // A step that follows another by a span is applied after those that have a time of their own.
    // To come after it, the new one has to follow it, too.
    let follows = |index: usize| {
        steps.get(index).is_some_and(|step| matches!(step.when, When::AfterPrevious(_)))
    };
    let same = times(steps).iter().rposition(|known| *known == Some(time));
    if let Some(index) = same.filter(|index| follows(*index) && !follows(index + 1)) {
        return (index + 1, When::AfterPrevious(Span::ZERO));
    }
    let later = steps.iter().position(|step| matches!(step.when, When::At(at) if at > time));
    (later.unwrap_or(steps.len()), When::At(time))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::Names;
    use crate::plan::Trigger;

    fn step(when: When) -> Step {
        let (actions, because) = (Vec::new(), None);
        Step { number: 0, when, actions, burst: false, may_be_rejected: false, because }
    }

    fn at(seconds: u64) -> Step {
        step(When::At(Time(seconds * 1_000_000_000)))
    }

    fn then(seconds: u64) -> Step {
        step(When::AfterPrevious(Span::from_secs(seconds)))
    }

    fn waiting() -> Step {
        let trigger = Trigger::Evicted(Names::default().intern_pod("default/a"));
        step(When::After { trigger, occurrence: 1, plus: Span::ZERO })
    }

    #[test]
    fn a_step_goes_after_what_is_applied_until_then() {
        let follows = When::AfterPrevious(Span::ZERO);
        for (steps, seconds, index, when) in [
            (vec![], 5, 0, None),
            (vec![at(10)], 5, 0, None),
            (vec![at(10)], 10, 1, None),
            (vec![at(10), at(20)], 15, 1, None),
            // Not between a step and its follower.
            (vec![at(10), then(10), at(30)], 15, 2, None),
            (vec![at(10), then(10), then(10)], 20, 3, None),
            // After a follower at the same time.
            (vec![at(10), then(10), at(30)], 20, 2, Some(follows.clone())),
            (vec![then(5)], 5, 1, Some(follows)),
            (vec![then(5), at(9)], 1, 1, None),
            // What waits has no known time.
            (vec![waiting(), then(10), at(30)], 10, 2, None),
            (vec![at(10), waiting(), then(10)], 5, 0, None),
        ] {
            let time = Time(seconds * 1_000_000_000);
            let expected = (index, when.unwrap_or(When::At(time)));
            assert_eq!(place_of(&steps, time), expected, "{seconds} in {steps:?}");
        }
    }
}
