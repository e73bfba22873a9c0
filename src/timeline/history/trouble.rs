//! Failed attempts of deletions, as far as the records of a level of detail show them: at
//! `summary` an attempt whose GET or PATCH failed leaves no record.

use std::ops::Range;

use crate::plan::{ApiError, Verb};

/// A call that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FailedCall {
    /// Which call of the attempt.
    pub verb: Verb,
    /// The API's reason.
    pub error: ApiError,
    /// Index into `plan.faults` of the one that made it fail.
    pub fault: Option<u32>,
}

/// What went wrong in one run of the deletion function.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trouble {
    /// Failed attempts with a record.
    pub failures: u32,
    /// The last of them.
    pub last: Option<FailedCall>,
    /// They did not all fail in the same way.
    pub mixed: bool,
    /// The newest attempt with a record, and the one with a record before it.
    newest: u32,
    previous: u32,
}

impl Trouble {
    /// Takes in the record of a call.
    pub(super) fn take(&mut self, attempt: u32, failed: Option<FailedCall>) {
        if attempt != self.newest {
            self.previous = std::mem::replace(&mut self.newest, attempt);
        }
        if let Some(call) = failed {
            self.mixed |= self.last.is_some_and(|last| last != call);
            self.last = Some(call);
            self.failures += 1;
        }
    }

    /// The attempts just before the newest one that left no record: they failed before their
    /// DELETE.
    pub fn skipped(&self) -> Range<u32> {
        self.previous + 1..self.newest.max(self.previous + 1)
    }
}
