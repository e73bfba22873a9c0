//! Which calls fail: the scenario's `faults`, with what they have counted.

use crate::objects::{LabelsId, Lists, Names, PodId};
use crate::plan::{Fault, Verb};

/// The faults of a run.
#[derive(Debug, Default)]
pub struct Faults {
    /// Matching calls so far, per fault.
    counts: Vec<u64>,
}

impl Faults {
    /// Nothing counted, for so many faults.
    pub fn reset(&mut self, faults: usize) {
        self.counts.clear();
        self.counts.resize(faults, 0);
    }

    /// The indexes of those that no call has matched.
    pub fn unmet(&self) -> impl Iterator<Item = usize> + '_ {
        self.counts.iter().enumerate().filter(|(_, count)| **count == 0).map(|(index, _)| index)
    }

    /// The fault that makes a call of the taint manager on this pod fail, by its index. Each fault
    /// counts the calls that match it, whatever becomes of them, and applies to its `first` ones;
    /// the first listed fault that applies decides.
    pub fn check(
        &mut self,
        faults: &[Fault],
        verb: Verb,
        (pod, labels): (PodId, LabelsId),
        (names, lists): (&Names, &Lists),
    ) -> Option<u32> {
        let mut decides = None;
        for ((fault, count), index) in faults.iter().zip(&mut self.counts).zip(0..) {
            if fault.verb == verb && fault.target.matches(pod, labels, names, lists) {
                *count += 1;
                let applies = fault.first.is_none_or(|first| *count <= first);
                decides = decides.or(applies.then_some(index));
            }
        }
        decides
    }
}
