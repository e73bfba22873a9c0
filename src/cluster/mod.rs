//! The world: wires store, watches, informers and taint manager to the kernel, and runs a plan.

use crate::kernel::time::Time;
use crate::objects::{LabelsId, NodeId, PodId, TaintsId, TolerationsId, Uid};
use crate::plan::Plan;
use crate::timeline::{Context, Detail, Sink};

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// Nothing is pending any more.
    Idle,
    /// `until` is reached; something may be pending after it.
    Until,
    /// No `until` was given, and something is pending after 24 h.
    Limit,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// Time of the last event that ran (not of `until`).
    pub at: Time,
    /// Why.
    pub reason: EndReason,
}

/// A pod in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PodView {
    /// Its name.
    pub pod: PodId,
    /// Its incarnation.
    pub uid: Uid,
    /// `spec.nodeName`.
    pub node: Option<NodeId>,
    /// `spec.tolerations`.
    pub tolerations: TolerationsId,
    /// `metadata.labels`.
    pub labels: LabelsId,
    /// It has a `deletionTimestamp`.
    pub terminating: bool,
}

/// A node in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeView {
    /// Its name.
    pub node: NodeId,
    /// `spec.taints`.
    pub taints: TaintsId,
    /// `metadata.labels`.
    pub labels: LabelsId,
    /// `spec.unschedulable`.
    pub unschedulable: bool,
}

/// A timer of the taint manager that has not fired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimerView {
    /// The pod (by name) that it will delete.
    pub pod: PodId,
    /// When the wait began.
    pub created_at: Time,
    /// When it fires.
    pub fire_at: Time,
}

/// One run of a plan.
pub struct World<'p> {
    plan: &'p Plan,
}

impl<'p> World<'p> {
    /// A world at the start of `plan`: nothing has run. The first `step` creates the objects.
    pub fn new(plan: &'p Plan, _detail: Detail) -> World<'p> {
        World { plan }
    }
    /// Runs to the plan's end.
    pub fn run(&mut self, _sink: &mut dyn Sink) -> End {
        unimplemented!()
    }
    /// Runs all that is due at or before `time`.
    pub fn run_until(&mut self, _time: Time, _sink: &mut dyn Sink) {
        unimplemented!()
    }
    /// The present virtual time.
    pub fn now(&self) -> Time {
        unimplemented!()
    }
    /// Names and lists, for sinks and readers.
    pub fn context(&self) -> Context<'_> {
        let _ = self.plan;
        unimplemented!()
    }
    /// The pod of this name, if it exists.
    pub fn pod(&self, _pod: PodId) -> Option<PodView> {
        unimplemented!()
    }
    /// Pods that exist, in the order of their creation.
    pub fn pods(&self) -> impl Iterator<Item = PodView> + '_ {
        std::iter::empty()
    }
    /// The node of this name, if it exists.
    pub fn node(&self, _node: NodeId) -> Option<NodeView> {
        unimplemented!()
    }
    /// Armed timers, in the order of the pods' ids.
    pub fn timers(&self) -> impl Iterator<Item = TimerView> + '_ {
        std::iter::empty()
    }
    /// Numbers of the steps that have not been applied (an `after` that did not come).
    pub fn steps_not_applied(&self) -> impl Iterator<Item = u32> + '_ {
        std::iter::empty()
    }
}
