//! Calls that fail, near the times at which calls are made.

use super::draft::Draft;
use super::times;
use super::weights::{FAULT_ERRORS, FAULT_VERBS, Trait};
use crate::kernel::{Span, Time};
use crate::plan::{
    ApiError, Caller, Fault, FaultTarget, NodeTarget, PodTarget, Probability, Resource, Verb,
};

impl Draft {
    /// Draws the faults, when all steps are there.
    pub fn draw_faults(&mut self) {
        if self.swarm.has(Trait::Faults) {
            for _ in 0..self.dice.weighted(&[(1, 5), (2, 2), (3, 1)]) {
                let fault = self.fault();
                self.plan.faults.push(fault);
            }
        }
        self.name_faults();
    }

    /// Gives the faults that come from no file the words that stand for their places.
    pub fn name_faults(&mut self) {
        for (fault, number) in self.plan.faults.iter_mut().zip(1..) {
            if fault.place.is_empty() {
                fault.place = format!("fault {number}").into();
            }
        }
    }

    /// One fault of a kind of call that somebody makes.
    pub fn fault(&mut self) -> Fault {
        let verb = self.dice.weighted(&FAULT_VERBS);
        let error = self.dice.weighted(&FAULT_ERRORS);
        let mut fault = Fault::new(verb, error);
        let by_steps = !matches!(verb, Verb::Get | Verb::List);
        if verb == Verb::Create || (by_steps && self.dice.chance(250)) {
            fault.caller = Caller::Any;
            if self.dice.chance(400) {
                fault.resource = Resource::Nodes;
            }
        }
        fault.target = self.fault_target(verb, fault.resource);
        fault.applied = error == ApiError::Timeout && self.dice.chance(600);
        if self.dice.chance(400) {
            fault.first = Some(self.dice.pick(&[1, 2, 3, 4, 5, 6]));
        }
        if self.dice.chance(200) {
            let (parts, of) = self.dice.pick(&[(5, 10), (1, 10), (9, 10), (25, 100), (0, 1)]);
            fault.probability = Some(Probability { parts, of });
        }
        let lasts = self.swarm.has(Trait::LastingFaults) && self.dice.chance(700);
        if !lasts {
            fault.between = Some(self.window());
        }
        if self.dice.chance(100) {
            fault.message = Some("denied by a webhook".into());
        }
        fault
    }

    fn fault_target(&mut self, verb: Verb, resource: Resource) -> FaultTarget {
        if self.dice.chance(600) {
            return FaultTarget::All;
        }
        match (verb, resource) {
            (Verb::List, _) | (_, Resource::Nodes) => {
                let node = self.any_node();
                FaultTarget::Nodes(NodeTarget::Names(vec![node]))
            }
            (_, Resource::Pods) => {
                let pod = self.any_pod();
                FaultTarget::Pods(PodTarget::Names(vec![pod]))
            }
        }
    }

    /// A time from which on and one before which it holds: around a mark or a step.
    fn window(&mut self) -> (Time, Time) {
        let placed = times::reckoned(&self.plan.steps);
        let steps = placed.chain(self.units.iter().map(|unit| unit.at));
        let marks = self.sketch.marks.iter().copied().filter(|mark| mark.0 < HORIZON);
        let centres: Vec<Time> = steps.chain(marks).collect();
        let centre = if centres.is_empty() { Time::ZERO } else { self.dice.pick(&centres) };
        let before = self.dice.pick(&[0, 0, 1, 1_000_000, 1_000_000_000]);
        let after = self.dice.pick(&[1, 5, 10, 25, 50, 100, 1_000, 10_000, 60_000]);
        let from = Time(centre.0.saturating_sub(before));
        (from, centre.saturating_add(Span::from_millis(after)))
    }
}

/// Marks beyond two hours are deadlines that no run sees.
const HORIZON: u64 = 7_200_000_000_000;
