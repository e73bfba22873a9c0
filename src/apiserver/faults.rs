//! Which calls fail: the scenario's `faults`, with what they have counted and drawn.

use crate::cluster;
use crate::kernel::{Stream, Time};
use crate::objects::{LabelsId, Lists, Names, NodeId, PodId};
use crate::plan::{ApiError, Caller, Fault, FaultTarget, Resource, Verb};

/// A call at the store.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// What it wants.
    pub verb: Verb,
    /// Of what.
    pub resource: Resource,
    /// Of which pod, with its labels.
    pub pod: Option<(PodId, LabelsId)>,
    /// Of which node, with its labels.
    pub node: Option<(NodeId, LabelsId)>,
    /// [`Caller::Any`]: not the taint manager's.
    pub caller: Caller,
}

/// The fault that hits a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The reason that the caller gets.
    pub error: ApiError,
    /// Index into the plan's faults.
    pub fault: u32,
    /// The store does what was asked all the same.
    pub applied: bool,
}

#[derive(Debug, Default)]
struct State {
    /// Matching calls so far.
    count: u64,
    /// Its own stream: another fault's draws do not shift it.
    draws: Option<Stream>,
}

/// The faults of a run.
#[derive(Debug, Default)]
pub struct Faults {
    states: Vec<State>,
    seed: u64,
}

impl Faults {
    /// Nothing counted or drawn, for so many faults.
    pub fn reset(&mut self, faults: usize, seed: u64) {
        self.states.clear();
        self.states.resize_with(faults, State::default);
        self.seed = seed;
    }

    /// Their part of [`crate::cluster::state`].
    pub fn state(&self, state: &mut cluster::state::State<'_>) {
        for fault in &self.states {
            state.put((fault.count, fault.draws.as_ref().map(Stream::position)));
        }
    }

    /// The indexes of those that no call has matched.
    pub fn unmet(&self) -> impl Iterator<Item = usize> + '_ {
        self.states.iter().enumerate().filter(|(_, state)| state.count == 0).map(|(index, _)| index)
    }

    /// The fault that makes a call fail. Each fault counts the calls that match it, whatever
    /// becomes of them, and applies where its conditions hold; the first listed one that applies
    /// decides.
    pub fn check(
        &mut self,
        faults: &[Fault],
        call: Call,
        now: Time,
        (names, lists): (&Names, &Lists),
    ) -> Option<Hit> {
        let mut decides = None;
        for ((fault, state), index) in faults.iter().zip(&mut self.states).zip(0..) {
            if !matches(fault, call, names, lists) {
                continue;
            }
            state.count += 1;
            let mut is_drawn = || match fault.probability {
                None => true,
                Some(chance) => {
                    let name = || format!("faults.{index}");
                    let draws = state.draws.get_or_insert_with(|| Stream::new(self.seed, &name()));
                    draws.below(chance.of) < chance.parts
                }
            };
            let applies = fault.first.is_none_or(|first| state.count <= first)
                && fault.between.is_none_or(|(from, to)| from <= now && now < to)
                && is_drawn();
            if applies && decides.is_none() {
                let (error, applied) = (fault.error, fault.applied);
                decides = Some(Hit { error, fault: index, applied });
            }
        }
        decides
    }
}

fn matches(fault: &Fault, call: Call, names: &Names, lists: &Lists) -> bool {
    let by = fault.caller == Caller::Any || call.caller == Caller::TaintManager;
    by && fault.verb == call.verb
        && fault.resource == call.resource
        && match &fault.target {
            FaultTarget::All => true,
            FaultTarget::Pods(target) => {
                call.pod.is_some_and(|(pod, labels)| target.matches(pod, labels, names, lists))
            }
            FaultTarget::Nodes(target) => {
                call.node.is_some_and(|(node, labels)| target.matches(node, lists.labels(labels)))
            }
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{PodTarget, Probability};

    fn call(verb: Verb, pod: u32) -> Call {
        let pod = Some((PodId(pod), Lists::NO_LABELS));
        let resource = Resource::Pods;
        Call { verb, resource, pod, node: None, caller: Caller::TaintManager }
    }

    /// Which of `calls` at these seconds fail.
    fn failing(fault: Fault, seed: u64, calls: &[(Call, u64)]) -> Vec<bool> {
        let mut faults = Faults::default();
        faults.reset(1, seed);
        let vocabulary = (&Names::default(), &Lists::default());
        let fault = [fault];
        let at = |seconds: u64| Time(seconds * 1_000_000_000);
        let hit = |(call, seconds): &(Call, u64)| {
            faults.check(&fault, *call, at(*seconds), vocabulary).is_some()
        };
        calls.iter().map(hit).collect()
    }

    fn fault() -> Fault {
        Fault::new(Verb::Delete, ApiError::Conflict)
    }

    #[test]
    fn conditions_hold_together() {
        let delete = call(Verb::Delete, 0);
        let between = Some((Time(2_000_000_000), Time(4_000_000_000)));
        let calls: Vec<(Call, u64)> = (1..6).map(|second| (delete, second)).collect();
        let window = failing(Fault { between, ..fault() }, 0, &calls);
        assert_eq!(window, [false, true, true, false, false], "from the first, before the second");
        let both = failing(Fault { between, first: Some(2), ..fault() }, 0, &calls);
        assert_eq!(both, [false, true, false, false, false], "the second call is the last counted");
    }

    #[test]
    fn verb_target_and_caller_have_to_match() {
        let names = PodTarget::Names(vec![PodId(1)]);
        let one = Fault { target: FaultTarget::Pods(names), ..fault() };
        let step = Call { caller: Caller::Any, ..call(Verb::Delete, 1) };
        let calls = [
            (call(Verb::Delete, 0), 0),
            (call(Verb::Delete, 1), 0),
            (call(Verb::Patch, 1), 0),
            (step, 0),
        ];
        assert_eq!(failing(one.clone(), 0, &calls), [false, true, false, false]);
        let any = Fault { caller: Caller::Any, ..one };
        assert_eq!(failing(any, 0, &calls), [false, true, false, true]);
    }

    #[test]
    fn a_probability_is_drawn_from_the_seed() {
        let calls = vec![(call(Verb::Delete, 0), 0); 1000];
        let rare = Fault { probability: Some(Probability { parts: 1, of: 10 }), ..fault() };
        let drawn = failing(rare.clone(), 1, &calls);
        let count = drawn.iter().filter(|failed| **failed).count();
        assert!((70..130).contains(&count), "{count} of 1000");
        assert_eq!(drawn, failing(rare.clone(), 1, &calls));
        assert_ne!(drawn, failing(rare, 2, &calls));
        let never = Fault { probability: Some(Probability { parts: 0, of: 1 }), ..fault() };
        assert!(failing(never, 1, &calls).iter().all(|failed| !failed));
    }
}
