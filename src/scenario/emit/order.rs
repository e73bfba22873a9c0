//! The order and the times in which steps are written. The loader wants the times of a file in
//! order, and puts a step at the time of one that follows by a span behind that; a plan need not
//! be so, since `repeat` and `--step` put steps between others.

use crate::kernel::{Span, Time};
use crate::plan::{Step, When};
use crate::scenario::language::step_times;

/// Steps that stay together: their indexes, each with its time as it is written.
type Block = Vec<(usize, When)>;

/// Indexes of all steps in the order of the file, each with its time as it is written there.
pub(super) fn written(steps: &[Step]) -> Block {
    if is_read_back(steps) {
        return steps.iter().map(|step| step.when.clone()).enumerate().collect();
    }
    // Blocks of a step whose time is known and those after it whose times are not. At one time,
    // what follows another step comes after those that have the time of their own.
    let mut blocks: Vec<((Time, bool), Block)> = Vec::new();
    let times = step_times(steps);
    for ((index, step), time) in steps.iter().enumerate().zip(times) {
        match (time, blocks.last_mut()) {
            (Some(time), _) => {
                // The first one follows the start, as any time does.
                let follows = index > 0 && matches!(step.when, When::AfterPrevious(_));
                blocks.push(((time, follows), vec![(index, When::At(time))]));
            }
            (None, Some((_, block))) => block.push((index, step.when.clone())),
            (None, None) => {
                blocks.push(((Time::ZERO, false), vec![(index, step.when.clone())]));
            }
        }
    }
    blocks.sort_by_key(|(key, _)| *key);
    blocks.into_iter().flat_map(|(_, block)| block).collect()
}

/// Whether the loader reads the steps as they are, in this order.
fn is_read_back(steps: &[Step]) -> bool {
    let (mut floor, mut waits, mut follows) = (Time::ZERO, false, false);
    for step in steps {
        match step.when {
            When::After { .. } => (waits, follows) = (true, false),
            When::AfterPrevious(Span(span)) => {
                if !waits {
                    floor = floor.saturating_add(Span(span));
                }
                follows = true;
            }
            When::At(time) if time < floor => return false,
            When::At(time) if follows && !waits && time == floor => return false,
            When::At(time) => (floor, waits, follows) = (time, false, false),
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::Names;
    use crate::plan::Trigger;

    fn steps(texts: &str) -> Vec<Step> {
        let when = |text: &str| match (text.strip_prefix('+'), text) {
            (Some(span), _) => When::AfterPrevious(Span::parse(span).expect(text)),
            (None, "?") => {
                let trigger = Trigger::Evicted(Names::default().intern_pod("default/a"));
                When::After { trigger, occurrence: 1, plus: Span::ZERO }
            }
            (None, time) => When::At(Time(Span::parse(time).expect(text).0)),
        };
        let step = |text: &str| Step {
            number: 1,
            when: when(text),
            actions: Vec::new(),
            burst: false,
            may_be_rejected: false,
            because: None,
        };
        texts.split(' ').map(step).collect()
    }

    #[test]
    fn times_come_in_order() {
        for (texts, expected) in [
            ("10s 20s", "10s 20s"),
            ("+5s +5s 10.5s", "+5s +5s 10.5s"),
            ("20s 10s", "10s 20s"),
            ("10s +10s 15s", "10s 15s 20s"),
            ("10s +10s 20s", "10s 20s 20s"),
            ("10s ? +1s 10s", "10s ? +1s 10s"),
            ("10s ? +1s 5s", "5s 10s ? +1s"),
            ("? +1s 5s", "? +1s 5s"),
        ] {
            let steps = steps(texts);
            let order = written(&steps);
            let words = order.iter().map(|(_, when)| match when {
                When::At(time) => time.to_string(),
                When::AfterPrevious(span) => format!("+{span}"),
                When::After { .. } => "?".to_owned(),
            });
            assert_eq!(words.collect::<Vec<_>>().join(" "), expected, "{texts}");
        }
        let order: Vec<usize> = written(&steps("10s +10s 20s")).iter().map(|(i, _)| *i).collect();
        assert_eq!(order, [0, 2, 1], "what follows is applied last at its time");
        let order: Vec<usize> = written(&steps("+5s 5s")).iter().map(|(i, _)| *i).collect();
        assert_eq!(order, [0, 1]);
    }
}
