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

    /// The fault that makes a call of the taint manager on this pod fail, by its index. The first
    /// listed one that applies decides and counts the call; one that has had its `first` calls
    /// applies no more.
    pub fn check(
        &mut self,
        faults: &[Fault],
        verb: Verb,
        (pod, labels): (PodId, LabelsId),
        (names, lists): (&Names, &Lists),
    ) -> Option<u32> {
        for ((fault, count), index) in faults.iter().zip(&mut self.counts).zip(0..) {
            let spent = fault.first.is_some_and(|first| *count >= first);
            if !spent && fault.verb == verb && fault.target.matches(pod, labels, names, lists) {
                *count += 1;
                return Some(index);
            }
        }
        None
    }
}
