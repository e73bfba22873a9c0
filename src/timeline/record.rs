//! One entry of the timeline. docs/timeline.md has the kinds, their levels and their fields, and is
//! tested against them; renderers decide how they look.

use crate::cluster::choices::Choice;
use crate::kernel::time::Time;
use crate::objects::{NodeId, PodId, TaintsId, TolerationsId, Uid};
use crate::plan::{ApiError, Resource};

/// How much is recorded. Each level includes those before it, and none changes what happens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// Steps, objects, evictions.
    #[default]
    Summary,
    /// Also the controller's inside: queues, handlers, events, each call.
    Controller,
    /// Also calls in flight and watch deliveries.
    Trace,
}

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Number of this record at this level of detail, from 1 (the output's first line has none).
    pub seq: u32,
    /// Virtual time.
    pub at: Time,
    /// `seq` of the nearest ancestor recorded at this level; `None` for a root.
    pub cause: Option<u32>,
    /// The pod that it is about.
    pub pod: Option<PodId>,
    /// The node that it is about.
    pub node: Option<NodeId>,
    /// What happened.
    pub kind: Kind,
}

/// What happened, with the kind's own fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    // Summary.
    /// An action of a step changed an object (or the controller, or is a note).
    StepApplied {
        /// Index into `plan.steps` (the step's number stands there).
        step: u32,
        /// Index into the step's actions.
        action: u32,
    },
    /// An action of a step was refused for one object.
    StepRejected {
        /// As in `StepApplied`.
        step: u32,
        /// As in `StepApplied`.
        action: u32,
        /// In the words of kubectl and the API server; has the reason, such as `NotFound`.
        error: Box<str>,
    },
    /// A node came to be.
    NodeCreated {
        /// Its taints.
        taints: TaintsId,
    },
    /// A node's taints changed.
    NodeTaintsChanged {
        /// All its taints now.
        taints: TaintsId,
    },
    /// A node object went.
    NodeDeleted {
        /// Its taints at the end.
        taints: TaintsId,
    },
    /// A pod came to be.
    PodCreated {
        /// Its uid.
        uid: Uid,
        /// Its tolerations.
        tolerations: TolerationsId,
        /// Index into `plan.manifest_uids`, for a pod of a manifest that gave one.
        manifest_uid: Option<u32>,
    },
    /// A pod got a node.
    PodBound {
        /// Its uid.
        uid: Uid,
        /// Its tolerations.
        tolerations: TolerationsId,
    },
    /// A pod's tolerations changed.
    PodTolerationsChanged {
        /// Its uid.
        uid: Uid,
        /// All its tolerations now.
        tolerations: TolerationsId,
    },
    /// The timed worker queue took work for a pod.
    EvictionScheduled {
        /// When the deletion function starts.
        fire_at: Time,
        /// When the wait began (`CreatedAt` of the timed worker).
        created_at: Time,
        /// `tolerationSeconds` of the toleration that decides; `None` where a taint is not
        /// tolerated.
        seconds: Option<i64>,
        /// The node's NoExecute taints as the controller saw them.
        taints: TaintsId,
        /// Index of the taint that decides, in that list.
        taint: u32,
        /// The pod's tolerations as the controller saw them.
        tolerations: TolerationsId,
        /// Index of the toleration that matched the taint.
        toleration: Option<u32>,
    },
    /// A timer was cancelled.
    EvictionCancelled {
        /// Why.
        reason: CancelReason,
    },
    /// The deletion function began.
    EvictionStarted,
    /// The deletion function gave up after its last attempt.
    EvictionFailed,
    /// A DELETE reached the store.
    DeleteRequested {
        /// Counted from 1.
        attempt: u32,
        /// `ok` or the API's reason.
        outcome: Outcome,
        /// Index into `plan.faults` of the one that made it fail.
        fault: Option<u32>,
        /// The object reached; only on `ok`.
        uid: Option<Uid>,
    },
    /// A pod got its `deletionTimestamp`.
    PodTerminating {
        /// Its uid.
        uid: Uid,
    },
    /// A pod object went.
    PodRemoved {
        /// Its uid.
        uid: Uid,
    },
    /// The controller's process was told to stop.
    ControllerStopped,
    /// The controller's workers run (again).
    ControllerStarted,
    /// A watch of the taint manager broke: its events are lost from now on.
    WatchBroken {
        /// What it watches.
        resource: Resource,
    },
    /// The informer of the broken watch has listed again.
    WatchRelisted {
        /// What it watches.
        resource: Resource,
    },
    /// A text for the reader; it stands in the plan's step.
    Note {
        /// As in `StepApplied`.
        step: u32,
        /// As in `StepApplied`.
        action: u32,
    },

    // Controller.
    /// The event recorder emitted an Event.
    EventRecorded {
        /// Which of the controller's two messages.
        reason: EventReason,
        /// How often this message for this pod so far, this one included.
        count: u32,
    },
    /// A GET reached the store.
    PodFetched {
        /// Counted from 1.
        attempt: u32,
        /// `ok` or the API's reason.
        outcome: Outcome,
        /// Index into `plan.faults` of the one that made it fail.
        fault: Option<u32>,
        /// The object reached; only on `ok`.
        uid: Option<Uid>,
    },
    /// A LIST of a node's pods reached the store (up to 1.15).
    PodsListed {
        /// Counted from 1.
        attempt: u32,
        /// `ok` or the API's reason.
        outcome: Outcome,
        /// Index into `plan.faults` of the one that made it fail.
        fault: Option<u32>,
    },
    /// A PATCH of the status reached the store.
    StatusPatched {
        /// Counted from 1.
        attempt: u32,
        /// `ok` or the API's reason.
        outcome: Outcome,
        /// Index into `plan.faults` of the one that made it fail.
        fault: Option<u32>,
        /// The object reached; only on `ok`.
        uid: Option<Uid>,
    },
    /// The timed worker queue did not take work for a pod: something stands under its name.
    WorkSkipped {
        /// What stands there.
        standing: Standing,
        /// When the deletion function would have started.
        fire_at: Time,
        /// As in `EvictionScheduled`.
        seconds: Option<i64>,
        /// As in `EvictionScheduled`.
        taints: TaintsId,
        /// As in `EvictionScheduled`.
        taint: u32,
        /// As in `EvictionScheduled`.
        tolerations: TolerationsId,
        /// As in `EvictionScheduled`.
        toleration: Option<u32>,
    },
    /// An informer's event handler put an item into a work queue.
    Enqueued(Item),
    /// The item was in the queue already.
    Deduplicated(Item),
    /// A dispatcher's item went into a shard's channel.
    Dispatched(Item),
    /// The shard's channel is full; the dispatcher waits.
    DispatchBlocked(Item),
    /// A worker took an item.
    HandlerStarted(Item),
    /// The worker is done with it.
    HandlerFinished(Item),

    // Trace.
    /// A call of the taint manager on its way.
    ApiCall {
        /// Lower case, as in RBAC.
        verb: &'static str,
        /// Lower case plural, as in RBAC.
        resource: &'static str,
        /// Where the call is.
        phase: CallPhase,
    },
    /// Under `interleaving: Random`: something that Go leaves open was drawn.
    ChoiceMade {
        /// What was chosen.
        choice: Choice,
        /// Out of so many.
        among: u32,
        /// Which of them, counted from 0 in the order of `Fifo`; 0 for a `Next` that was drawn.
        index: u32,
    },
    /// A watch event reached an informer.
    WatchEvent {
        /// ADDED, MODIFIED or DELETED.
        event: WatchKind,
        /// The object's version.
        resource_version: u64,
    },
}

impl Kind {
    /// The level from which on this kind is recorded.
    pub fn detail(&self) -> Detail {
        match self {
            Kind::EventRecorded { .. }
            | Kind::PodFetched { .. }
            | Kind::StatusPatched { .. }
            | Kind::PodsListed { .. }
            | Kind::WorkSkipped { .. }
            | Kind::Enqueued(_)
            | Kind::Deduplicated(_)
            | Kind::Dispatched(_)
            | Kind::DispatchBlocked(_)
            | Kind::HandlerStarted(_)
            | Kind::HandlerFinished(_) => Detail::Controller,
            Kind::ApiCall { .. } | Kind::WatchEvent { .. } | Kind::ChoiceMade { .. } => {
                Detail::Trace
            }
            _ => Detail::Summary,
        }
    }

    /// The work item that moves, for the kinds that are about queues and workers.
    pub fn item(&self) -> Option<&Item> {
        match self {
            Kind::Enqueued(item)
            | Kind::Deduplicated(item)
            | Kind::Dispatched(item)
            | Kind::DispatchBlocked(item)
            | Kind::HandlerStarted(item)
            | Kind::HandlerFinished(item) => Some(item),
            _ => None,
        }
    }

    /// The kind's name in every output.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::StepApplied { .. } => "StepApplied",
            Kind::StepRejected { .. } => "StepRejected",
            Kind::NodeCreated { .. } => "NodeCreated",
            Kind::NodeTaintsChanged { .. } => "NodeTaintsChanged",
            Kind::NodeDeleted { .. } => "NodeDeleted",
            Kind::PodCreated { .. } => "PodCreated",
            Kind::PodBound { .. } => "PodBound",
            Kind::PodTolerationsChanged { .. } => "PodTolerationsChanged",
            Kind::EvictionScheduled { .. } => "EvictionScheduled",
            Kind::EvictionCancelled { .. } => "EvictionCancelled",
            Kind::EvictionStarted => "EvictionStarted",
            Kind::EvictionFailed => "EvictionFailed",
            Kind::DeleteRequested { .. } => "DeleteRequested",
            Kind::PodTerminating { .. } => "PodTerminating",
            Kind::PodRemoved { .. } => "PodRemoved",
            Kind::ControllerStopped => "ControllerStopped",
            Kind::ControllerStarted => "ControllerStarted",
            Kind::WatchBroken { .. } => "WatchBroken",
            Kind::WatchRelisted { .. } => "WatchRelisted",
            Kind::Note { .. } => "Note",
            Kind::EventRecorded { .. } => "EventRecorded",
            Kind::PodFetched { .. } => "PodFetched",
            Kind::StatusPatched { .. } => "StatusPatched",
            Kind::PodsListed { .. } => "PodsListed",
            Kind::WorkSkipped { .. } => "WorkSkipped",
            Kind::Enqueued(_) => "Enqueued",
            Kind::Deduplicated(_) => "Deduplicated",
            Kind::Dispatched(_) => "Dispatched",
            Kind::DispatchBlocked(_) => "DispatchBlocked",
            Kind::HandlerStarted(_) => "HandlerStarted",
            Kind::HandlerFinished(_) => "HandlerFinished",
            Kind::ApiCall { .. } => "ApiCall",
            Kind::WatchEvent { .. } => "WatchEvent",
            Kind::ChoiceMade { .. } => "ChoiceMade",
        }
    }
}

/// Why a timer was cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CancelReason {
    /// The node has no NoExecute taint any more.
    NodeUntainted,
    /// The pod is not in the lister.
    PodGone,
    /// Every matched toleration is without limit now.
    ToleratedForever,
    /// Some taint is not tolerated now: the pod goes at once instead.
    NotTolerated,
}

impl CancelReason {
    /// The reason's text.
    pub fn as_str(self) -> &'static str {
        match self {
            CancelReason::NodeUntainted => "NodeUntainted",
            CancelReason::PodGone => "PodGone",
            CancelReason::ToleratedForever => "ToleratedForever",
            CancelReason::NotTolerated => "NotTolerated",
        }
    }
}

/// What keeps work for a pod out of the timed worker queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standing {
    /// An armed timer: it never moves.
    Timer,
    /// A deletion that runs, or is about to.
    Deletion,
    /// The marker of a deletion that succeeded (up to 1.32).
    Marker,
}

impl Standing {
    /// The word of every output.
    pub fn as_str(self) -> &'static str {
        match self {
            Standing::Timer => "Timer",
            Standing::Deletion => "Deletion",
            Standing::Marker => "Marker",
        }
    }
}

/// Which of its two messages the taint manager emitted. Both have reason `TaintManagerEviction`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventReason {
    /// `Marking for deletion Pod ns/name`.
    Marking,
    /// `Cancelling deletion of Pod ns/name`.
    Cancelling,
}

impl EventReason {
    /// `reason` of both Events.
    pub const REASON: &'static str = "TaintManagerEviction";

    /// The Event's message for a pod's `namespace/name`.
    pub fn message(self, namespaced_name: &str) -> String {
        match self {
            EventReason::Marking => format!("Marking for deletion Pod {namespaced_name}"),
            EventReason::Cancelling => format!("Cancelling deletion of Pod {namespaced_name}"),
        }
    }
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It did what was asked.
    Ok,
    /// The API's reason against it.
    Failed(ApiError),
    /// It did what was asked, and the caller got this reason in place of the answer.
    Lost(ApiError),
}

impl Outcome {
    /// `ok`, or the reason.
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::Ok => "ok",
            Outcome::Failed(error) | Outcome::Lost(error) => error.as_str(),
        }
    }

    /// Whether the store did what was asked.
    pub fn is_applied(self) -> bool {
        matches!(self, Outcome::Ok | Outcome::Lost(_))
    }
}

/// Which work queue, by its metrics name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QueueName {
    /// `noexec_taint_node`.
    Node,
    /// `noexec_taint_pod`.
    Pod,
}

impl QueueName {
    /// The queue's metrics name.
    pub fn as_str(self) -> &'static str {
        match self {
            QueueName::Node => "noexec_taint_node",
            QueueName::Pod => "noexec_taint_pod",
        }
    }
}

/// A work item on its way. Its `item` field is the record's `node`, or `pod` with the `node` that
/// the item carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// The queue.
    pub queue: QueueName,
    /// The shard that it belongs to.
    pub shard: u32,
}

/// Where a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallPhase {
    /// The caller sent it.
    Sent,
    /// The caller has the answer.
    Answered(Outcome),
}

/// The type of a watch event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WatchKind {
    /// The object is new.
    Added,
    /// The object changed.
    Modified,
    /// The object went.
    Deleted,
}

impl WatchKind {
    /// The type's text.
    pub fn as_str(self) -> &'static str {
        match self {
            WatchKind::Added => "ADDED",
            WatchKind::Modified => "MODIFIED",
            WatchKind::Deleted => "DELETED",
        }
    }
}
