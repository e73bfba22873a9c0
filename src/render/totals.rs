//! The counts at the end of `jsonl` and `json`: always of the whole run, whatever is shown, and
//! never one entry a pod.

use super::fields::{push_number, push_text, push_times};
use super::{Ending, View};
use crate::cluster::EndReason;
use crate::timeline::fate::Fate;
use crate::timeline::history::ArmingState;

/// Appends the fields of a `Summary` after its `kind`. Every pod is counted in exactly one of
/// `evicted`, `removedOtherwise` (gone, and not by the taint manager), `terminatingOtherwise`
/// (being deleted, and not by the taint manager), `armed` and `surviving`; each re-creation is a
/// pod.
pub(super) fn push_summary(out: &mut Vec<u8>, view: View<'_>, ending: Ending<'_>) {
    let history = view.history;
    let (mut evicted, mut removed, mut terminating, mut armed, mut surviving) =
        (0u64, 0u64, 0u64, 0u64, 0u64);
    for incarnation in history.incarnations() {
        let count = match Fate::of(history, incarnation) {
            Fate::Evicted(_) => &mut evicted,
            Fate::Removed(_) => &mut removed,
            Fate::Terminating(_) => &mut terminating,
            Fate::Armed(_) => &mut armed,
            Fate::Survives => &mut surviving,
        };
        *count += 1;
    }
    let pending = history.armings().iter().filter(|a| a.state == ArmingState::Armed).count();
    push_times(out, ending.end.at);
    push_text(out, "end", end_word(ending.end.reason));
    let counts = [
        ("records", history.records()),
        ("pods", history.incarnations().len() as u64),
        ("evicted", evicted),
        ("removedOtherwise", removed),
        ("terminatingOtherwise", terminating),
        ("armed", armed),
        ("surviving", surviving),
        ("scheduled", history.armings().len() as u64),
        ("cancelled", history.cancel_count()),
        ("failed", history.failed_deletions()),
        ("pending", pending as u64),
        ("deleteAttempts", history.delete_attempts()),
        ("stepsApplied", history.steps_applied()),
        ("stepsRejected", history.rejections().len() as u64),
        ("stepsNotApplied", ending.steps_not_applied.len() as u64),
    ];
    for (key, count) in counts {
        push_number(out, key, count);
    }
}

fn end_word(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Idle => "Idle",
        EndReason::Until => "Until",
        EndReason::Limit => "Limit",
    }
}
