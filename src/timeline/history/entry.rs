//! The entries of a history: incarnations of pods, timers, cancellations, and what links records
//! to them.

use crate::kernel::time::Time;
use crate::objects::{Lists, NodeId, PodId, TaintsId, TolerationsId, Uid};
use crate::timeline::CancelReason;

/// No index.
pub(super) const NONE: u32 = u32::MAX;

/// The nearest arming or step among a record and its ancestors, in four bytes: 0 is neither, the
/// high bit marks an arming.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link(u32);

impl Link {
    const ARMING: u32 = 1 << 31;
    pub(super) const NONE: Link = Link(0);

    pub(super) fn step(index: u32) -> Link {
        Link((index + 1) & !Self::ARMING)
    }

    pub(super) fn arming(index: u32) -> Link {
        assert!(index < Self::ARMING, "more than 2^31 timers");
        Link(index | Self::ARMING)
    }

    pub(super) fn as_arming(self) -> Option<u32> {
        (self.0 & Self::ARMING != 0).then_some(self.0 & !Self::ARMING)
    }

    pub(super) fn as_step(self) -> Option<u32> {
        (self.0 & Self::ARMING == 0).then(|| self.0.checked_sub(1)).flatten()
    }
}

/// The newest entries of a name; older ones hang on them.
#[derive(Clone, Copy, Debug)]
pub(super) struct NameEntry {
    pub(super) last_incarnation: u32,
    pub(super) last_arming: u32,
    pub(super) last_cancel: u32,
}

impl Default for NameEntry {
    fn default() -> Self {
        NameEntry { last_incarnation: NONE, last_arming: NONE, last_cancel: NONE }
    }
}

/// The entries of a chain that starts at its newest, oldest first.
pub(super) fn chained<T>(entries: &[T], newest: u32, prev: fn(&T) -> u32) -> Vec<&T> {
    let mut chain = Vec::new();
    let mut next = entries.get(newest as usize);
    while let Some(entry) = next {
        chain.push(entry);
        next = entries.get(prev(entry) as usize);
    }
    chain.reverse();
    chain
}

/// One life of a pod's name.
#[derive(Clone, Debug)]
pub struct Incarnation {
    /// The name.
    pub pod: PodId,
    /// Its uid.
    pub uid: Uid,
    /// Where it was last.
    pub node: Option<NodeId>,
    /// Its last tolerations.
    pub tolerations: TolerationsId,
    /// When it came to be.
    pub created_at: Time,
    /// DELETEs of the taint manager that were meant for it, whatever became of them.
    pub delete_attempts: u32,
    pub(super) evicted_at: Time,
    pub(super) terminating_at: Time,
    pub(super) removed_at: Time,
    pub(super) evicted_by: u32,
    pub(super) prev: u32,
}

impl Incarnation {
    pub(super) fn new(pod: PodId, uid: Uid, node: Option<NodeId>, at: Time, prev: u32) -> Self {
        Incarnation {
            pod,
            uid,
            node,
            tolerations: Lists::NO_TOLERATIONS,
            created_at: at,
            delete_attempts: 0,
            evicted_at: Time::MAX,
            terminating_at: Time::MAX,
            removed_at: Time::MAX,
            evicted_by: NONE,
            prev,
        }
    }

    /// When the store accepted the taint manager's first DELETE.
    pub fn evicted_at(&self) -> Option<Time> {
        known(self.evicted_at)
    }

    /// When it got its `deletionTimestamp`.
    pub fn terminating_at(&self) -> Option<Time> {
        known(self.terminating_at)
    }

    /// When the object went.
    pub fn removed_at(&self) -> Option<Time> {
        known(self.removed_at)
    }

    /// It exists and has no `deletionTimestamp`.
    pub fn is_running(&self) -> bool {
        self.removed_at == Time::MAX && self.terminating_at == Time::MAX
    }
}

fn known(time: Time) -> Option<Time> {
    (time != Time::MAX).then_some(time)
}

/// What became of a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArmingState {
    /// It is pending.
    Armed,
    /// It was cancelled.
    Cancelled,
    /// The controller's process stopped.
    Lost,
    /// The deletion function began.
    Started,
    /// The deletion function gave up.
    Failed,
}

/// One accepted AddWork of the timed worker queue, immediate ones too.
#[derive(Clone, Debug)]
pub struct Arming {
    /// When it was accepted.
    pub at: Time,
    /// When the deletion function starts.
    pub fire_at: Time,
    /// The name.
    pub pod: PodId,
    /// What became of it.
    pub state: ArmingState,
    pub(super) ended_at: Time,
    pub(super) incarnation: u32,
    pub(super) decision: u32,
    pub(super) prev: u32,
}

impl Arming {
    /// When its wait ended: cancelled, lost or fired.
    pub fn ended_at(&self) -> Option<Time> {
        known(self.ended_at)
    }

    /// The incarnation that it was armed for.
    pub fn uid(&self) -> Uid {
        Uid(self.incarnation.wrapping_add(1))
    }

    /// Takes a later state; the wait itself ends once.
    pub(super) fn end(&mut self, at: Time, state: ArmingState) {
        self.state = state;
        self.ended_at = self.ended_at.min(at);
    }
}

/// A cancellation.
#[derive(Clone, Debug)]
pub struct Cancel {
    /// When.
    pub at: Time,
    /// Why.
    pub reason: CancelReason,
    /// The step that led to it.
    pub origin: Origin,
    pub(super) arming: u32,
    pub(super) prev: u32,
}

/// Why an eviction was scheduled. Pods that go for the same reason share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decision {
    /// The node's NoExecute taints as the controller saw them.
    pub taints: TaintsId,
    /// Index of the taint that decides.
    pub taint: u32,
    /// The pod's tolerations as the controller saw them.
    pub tolerations: TolerationsId,
    /// Index of the toleration that matched it.
    pub toleration: Option<u32>,
    /// What put the taint there.
    pub origin: Origin,
}

/// Where a node's taint came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The node had it from the start.
    Start,
    /// The step of this index.
    Step(u32),
    /// No record tells.
    Unknown,
}

/// A rejected action of a step.
#[derive(Clone, Debug)]
pub struct Rejection {
    /// When.
    pub at: Time,
    /// Index of the step.
    pub step: u32,
    /// Index of the action.
    pub action: u32,
    /// The pod that it was about.
    pub pod: Option<PodId>,
    /// The node that it was about.
    pub node: Option<NodeId>,
    /// The taints that the node had.
    pub taints: Option<TaintsId>,
    /// A node that had the taint that was to go.
    pub other_node: Option<NodeId>,
    /// In the words of kubectl and the API server.
    pub error: Box<str>,
}
