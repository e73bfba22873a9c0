//! Expectations of a scenario: what they can say. The judge is in [`judge`].
//!
//! Words: *armed* is `EvictionScheduled`; *evicted*: the store accepted the taint manager's
//! DELETE; *removed* is `PodRemoved`; *survives*: at the end the pod exists, is not terminating
//! and no timer is armed for it. Times compare in whole milliseconds, rounded down.

pub mod judge;

use std::sync::Arc;

use crate::kernel::time::Time;
use crate::plan::PodTarget;
use crate::profile::{Component, Profile};

/// One entry of `spec.expect`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// What is to hold.
    pub check: Check,
    /// Holds for this version only.
    pub kubernetes_version: Option<Profile>,
    /// Printed when it fails.
    pub because: Option<Box<str>>,
    /// File as the user named it.
    pub file: Arc<str>,
    /// Line in that file, from 1.
    pub line: u32,
    /// The entry as the author wrote it, in one line, such as `shop/web-0 evictedAt 310s`.
    pub text: Box<str>,
}

/// What is to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check {
    /// Something about pods; it has to hold for each pod that the target matches.
    Pod {
        /// Which pods: names, or all that ever existed and match.
        pods: PodTarget,
        /// Only this incarnation of the name, from 1.
        instance: Option<u32>,
        /// What about them.
        what: PodCheck,
    },
    /// So many Events were emitted.
    Event {
        /// The Event's reason; `None`: any.
        reason: Option<Box<str>>,
        /// Part of the message; `None`: any.
        message: Option<Box<str>>,
        /// `source.component`; `None`: any.
        component: Option<Component>,
        /// `involvedObject.apiVersion`; `None`: any, also none.
        api_version: Option<Box<str>>,
        /// About which pods; `None`: any.
        pod: Option<PodTarget>,
        /// How many.
        count: u64,
    },
    /// So many pods (incarnations) were evicted.
    Evictions {
        /// How many.
        count: u64,
        /// Counted among these.
        pods: PodTarget,
    },
    /// The step of this number was rejected, for one object at least.
    StepRejected(u32),
    /// A rule is broken in the run, or is not.
    Rule {
        /// Its name, as its breaches have it.
        rule: Box<str>,
        /// Whether it is broken.
        breached: bool,
        /// For each of these pods, or for none of them; `None`: whatever pod, or the run itself.
        pods: Option<PodTarget>,
    },
    /// One of these holds.
    AnyOf(Vec<Expectation>),
}

/// Something about a pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PodCheck {
    /// Something happened at these times: one per incarnation of the name; with `instance`, one.
    At {
        /// What happened.
        moment: Moment,
        /// When.
        times: Vec<Time>,
        /// The key of the taint that did it; of a cancellation, that of the timer's taint.
        by: Option<Box<str>>,
    },
    /// It was evicted at or after the first and at or before the second time.
    EvictedBetween {
        /// From, included.
        from: Time,
        /// To, included.
        to: Time,
        /// The key of the taint that did it.
        by: Option<Box<str>>,
    },
    /// Its state at this time, after all that was due then.
    StateAt {
        /// When.
        at: Time,
        /// The state.
        is: PodState,
    },
    /// It survives, or (false) does not.
    Survives(bool),
    /// So many DELETEs of the taint manager for it, whatever became of them.
    DeleteAttempts(u64),
}

/// What can happen to a pod at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// `evictedAt`.
    Evicted,
    /// `armedAt`.
    Armed,
    /// `cancelledAt`.
    Cancelled,
    /// `removedAt`.
    Removed,
}

impl Moment {
    /// The word for a sentence.
    pub fn as_str(self) -> &'static str {
        match self {
            Moment::Evicted => "evicted",
            Moment::Armed => "armed",
            Moment::Cancelled => "cancelled",
            Moment::Removed => "removed",
        }
    }
}

/// A state of a pod, for `is`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PodState {
    /// It exists, is not terminating, and no timer is armed for it.
    Running,
    /// It exists, is not terminating, and a timer is armed for it.
    Armed,
    /// It exists and is terminating.
    Terminating,
    /// It does not exist.
    Absent,
}

impl PodState {
    /// The word of the language.
    pub fn as_str(self) -> &'static str {
        match self {
            PodState::Running => "Running",
            PodState::Armed => "Armed",
            PodState::Terminating => "Terminating",
            PodState::Absent => "Absent",
        }
    }
}
