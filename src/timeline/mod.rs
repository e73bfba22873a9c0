//! The timeline: what happened, when, to what, and because of what.
//!
//! The model appends [`Record`]s; sinks turn them into output, judgements and digests. The
//! timeline is append-only and nothing in the model reads it.

pub mod digest;
pub mod fate;
#[cfg(test)]
pub(crate) mod fixture;
pub mod history;
mod record;
mod recorder;
pub mod unapplied;

pub use record::{
    CallPhase, CancelReason, Detail, EventReason, Item, Kind, Outcome, QueueName, Record, Standing,
    WatchKind,
};
pub use recorder::{Cause, Recorder};

use crate::objects::{Lists, Names};
use crate::plan::Plan;

/// What a sink needs to turn ids into words. The lists are those of the run: a superset of the
/// plan's.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The plan that runs.
    pub plan: &'a Plan,
    /// The run's interned lists.
    pub lists: &'a Lists,
}

impl<'a> Context<'a> {
    /// The names of the plan.
    pub fn names(&self) -> &'a Names {
        &self.plan.names
    }

    /// The text that a fault gives with its error.
    pub fn fault_message(&self, fault: Option<u32>) -> Option<&'a str> {
        self.plan.faults.get(fault? as usize)?.message.as_deref()
    }
}

/// Takes records in the order of `seq`.
pub trait Sink {
    /// One record.
    fn record(&mut self, context: Context<'_>, record: &Record);
}

/// Takes nothing.
impl Sink for () {
    fn record(&mut self, _: Context<'_>, _: &Record) {}
}

/// Keeps everything: for tests and small runs.
impl Sink for Vec<Record> {
    fn record(&mut self, _: Context<'_>, record: &Record) {
        self.push(record.clone());
    }
}
