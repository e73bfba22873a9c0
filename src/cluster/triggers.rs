//! `after` steps: what they wait for, and how often it still has to happen.

use indexmap::IndexMap;

use super::event::{Event, Queue, schedule};
use super::state::State;
use crate::kernel::Span;
use crate::plan::{Plan, Trigger, When};

#[derive(Clone, Copy, Debug)]
struct Waiting {
    step: u32,
    /// So often it has to happen from now on.
    remaining: u32,
    plus: Span,
}

/// Steps that wait for something to happen.
#[derive(Debug, Default)]
pub struct Triggers {
    waiting: IndexMap<Trigger, Vec<Waiting>>,
}

impl Triggers {
    /// All `after` steps of `plan` wait.
    pub fn reset(&mut self, plan: &Plan) {
        self.waiting.clear();
        for (step, index) in plan.steps.iter().zip(0..) {
            if let When::After { trigger, occurrence, plus } = step.when {
                let waiting = Waiting { step: index, remaining: occurrence.max(1), plus };
                self.waiting.entry(trigger).or_default().push(waiting);
            }
        }
    }

    /// Their part of [`super::state`].
    pub fn state(&self, state: &mut State<'_>) {
        for waiting in self.waiting.values().flatten() {
            state.put(waiting.remaining);
        }
    }

    /// It happened once: schedules the steps for which this was the time they wait for.
    pub fn happened(&mut self, queue: &mut Queue, trigger: Trigger) {
        if self.waiting.is_empty() {
            return;
        }
        let Some(waiting) = self.waiting.get_mut(&trigger) else { return };
        for entry in waiting.iter_mut().filter(|entry| entry.remaining > 0) {
            entry.remaining -= 1;
            if entry.remaining == 0 {
                let time = queue.now().saturating_add(entry.plus);
                schedule(queue, time, Event::Step(entry.step));
            }
        }
    }
}
