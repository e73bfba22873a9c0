//! The event recorder: counts Events of the same text, as the client's correlator does for the
//! count of an Event object. The spam filter of real clients is left out: each emission is
//! recorded.

use crate::objects::{Names, PodId};
use crate::timeline::EventReason;

/// Counts per pod name and message.
#[derive(Debug, Default)]
pub struct EventRecorder {
    marking: Vec<u32>,
    cancelling: Vec<u32>,
}

impl EventRecorder {
    /// Nothing emitted, for a plan with these names.
    pub fn reset(&mut self, names: &Names) {
        for counts in [&mut self.marking, &mut self.cancelling] {
            counts.clear();
            counts.resize(names.pod_count(), 0);
        }
    }

    /// Emits; returns how often this message was emitted for this pod, this time included.
    pub fn emit(&mut self, pod: PodId, reason: EventReason) -> u32 {
        let counts = match reason {
            EventReason::Marking => &mut self.marking,
            EventReason::Cancelling => &mut self.cancelling,
        };
        let count = &mut counts[pod.index()];
        *count += 1;
        *count
    }
}
