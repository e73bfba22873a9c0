//! Numbers records and links them to their causes, at one level of detail.

use std::num::NonZeroU32;

use super::record::{Detail, Kind, Record};
use crate::kernel::time::Time;
use crate::objects::{NodeId, PodId};

/// The nearest recorded ancestor of something. What carries one on (an object, a queued item, a
/// timer) keeps it as it is, at every level of detail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cause(Option<NonZeroU32>);

impl Cause {
    /// No ancestor: the start of the run.
    pub const ROOT: Cause = Cause(None);
}

/// Builds records at its level and drops the others unbuilt.
#[derive(Debug, Default)]
pub struct Recorder {
    detail: Detail,
    now: Time,
    seq: u32,
    pending: Vec<Record>,
}

impl Recorder {
    /// A recorder of records up to `detail`.
    pub fn new(detail: Detail) -> Recorder {
        Recorder { detail, ..Recorder::default() }
    }

    /// The level of detail.
    pub fn detail(&self) -> Detail {
        self.detail
    }

    /// Sets the time that records get.
    pub fn advance(&mut self, now: Time) {
        debug_assert!(now >= self.now, "the timeline runs backwards: {now} after {}", self.now);
        self.now = now;
    }

    /// Records that `kind` happened because of `cause`. Returns what is the cause of its effects:
    /// the new record, or `cause` where this level leaves the record out.
    pub fn emit(
        &mut self,
        cause: Cause,
        pod: Option<PodId>,
        node: Option<NodeId>,
        kind: Kind,
    ) -> Cause {
        if kind.detail() > self.detail {
            return cause;
        }
        self.seq =
            self.seq.checked_add(1).unwrap_or_else(|| panic!("2^32 records at {}", self.now));
        self.pending.push(Record {
            seq: self.seq,
            at: self.now,
            cause: cause.0.map(NonZeroU32::get),
            pod,
            node,
            kind,
        });
        Cause(NonZeroU32::new(self.seq))
    }

    /// Takes the records that no sink has seen yet.
    pub fn drain(&mut self) -> impl Iterator<Item = Record> + '_ {
        self.pending.drain(..)
    }

    /// Records so far.
    pub fn count(&self) -> u32 {
        self.seq
    }
}
