//! A run as lanes: what the pictures (`html`, `svg`, `gantt`, `mermaid`) draw.
//!
//! A node's lane has its taints as bands; a pod's lane has its life, its windows (armed timers) and
//! its deletions. What has no length is a mark, and marks know what caused them. The words are
//! those of the table.
//!
//! Cost: about 300 bytes a pod that is evicted. A picture of more pods than one can look at groups
//! those that share their story; see [`Rows`].

mod collect;
mod rows;
pub mod scale;

pub use collect::Collector;
pub use rows::{Row, Rows};

use indexmap::IndexSet;

use crate::cluster::EndReason;
use crate::kernel::time::Time;
use crate::objects::{NodeId, PodId};

/// A run that is over.
#[derive(Debug)]
pub struct Chart {
    /// The scenario's name.
    pub name: String,
    /// The Kubernetes version whose behaviour it is.
    pub version: String,
    /// The run's seed.
    pub seed: u64,
    /// When the last thing happened.
    pub end: Time,
    /// Why it stopped.
    pub end_reason: EndReason,
    /// Nodes that are shown, in the order of their first creation.
    pub nodes: Vec<NodeLane>,
    /// Lives of pods that are shown, in the order of their creation.
    pub pods: Vec<PodLane>,
    /// What has no length, in the order in which it happened.
    pub marks: Vec<Mark>,
    /// Numbers of the steps that were never applied.
    pub steps_not_applied: Vec<u32>,
    texts: IndexSet<String>,
}

impl Chart {
    /// A text by its number, as lanes and marks have it.
    pub fn text(&self, id: TextId) -> &str {
        self.texts.get_index(id.0 as usize).map_or("", String::as_str)
    }

    /// When a picture ends: nothing is drawn after it but timers that are still armed.
    pub fn extent(&self) -> Time {
        let armed = self.pods.iter().flat_map(|pod| &pod.windows);
        let armed = armed.filter(|window| window.end.is_none() && window.fire_at < Time::MAX);
        armed.map(|window| window.fire_at).fold(self.end, Time::max)
    }
}

/// The number of a text; many lanes share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextId(pub(super) u32);

/// A stretch of time; without an end it reaches the run's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stretch {
    /// When it begins.
    pub from: Time,
    /// When it ends.
    pub to: Option<Time>,
}

/// A node over time.
#[derive(Debug)]
pub struct NodeLane {
    /// Its name.
    pub node: NodeId,
    /// When the object exists.
    pub lives: Vec<Stretch>,
    /// Its taints, of any effect, in the order in which they came.
    pub taints: Vec<TaintBand>,
}

/// A taint on a node, with one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TaintBand {
    /// The taint as kubectl writes it.
    pub taint: TextId,
    /// Its effect is NoExecute: the taint manager looks at it.
    pub no_execute: bool,
    /// When the node has it.
    pub stretch: Stretch,
    /// Number of the step that put it there; `None`: it is there from the start, or the cause is
    /// not known.
    pub step: Option<u32>,
}

/// One life of a pod's name over time.
#[derive(Debug)]
pub struct PodLane {
    /// Its name.
    pub pod: PodId,
    /// The how many-th pod of its name, from 1.
    pub instance: u32,
    /// From its creation to its removal.
    pub life: Stretch,
    /// When it got its `deletionTimestamp`.
    pub terminating_at: Option<Time>,
    /// Its nodes, with the time since when; empty while it has none.
    pub nodes: Vec<(Time, NodeId)>,
    /// Its tolerations, as `kubectl describe` prints them, with the time since when.
    pub tolerations: Vec<(Time, TextId)>,
    /// Work that the timed queue took for it: armed timers, and work that starts at once.
    pub windows: Vec<Window>,
    /// Deletions, from `Marking` to the last answer.
    pub deletions: Vec<Stretch>,
    /// The word of its fate: `evicted`, `removed`, `terminating`, `armed` or `survives`.
    pub fate: &'static str,
    /// When that was; of an armed one, when its timer will fire.
    pub fate_at: Option<Time>,
    /// Why it has this fate.
    pub why: TextId,
}

/// What became of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WindowEnd {
    /// It is open at the end of the run.
    Open,
    /// It ran out, and the deletion began.
    Fired,
    /// The timer was cancelled.
    Cancelled,
    /// The controller's process stopped, and the timer with it.
    Lost,
}

/// A toleration window: from when the timer was armed to when it fires, or until it ends otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Window {
    /// When it was armed.
    pub from: Time,
    /// When it fires, or was to fire; equal to `from` for work that starts at once.
    pub fire_at: Time,
    /// When it ended; `None` while it is open.
    pub end: Option<Time>,
    /// How it ended.
    pub how: WindowEnd,
    /// The taint that decides, as kubectl writes it.
    pub taint: TextId,
    /// The toleration that decides, as `kubectl describe` prints it; `None`: none matches.
    pub toleration: Option<TextId>,
}

/// A point on a lane.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// When.
    pub at: Time,
    /// What.
    pub kind: MarkKind,
    /// Where.
    pub lane: Lane,
    /// In words; empty where the kind says it all.
    pub text: TextId,
    /// Index of the nearest ancestor among the marks.
    pub cause: Option<u32>,
}

/// Where a mark stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lane {
    /// Above all others: steps on no object, notes, the controller's process.
    Run,
    /// Index into [`Chart::nodes`].
    Node(u32),
    /// Index into [`Chart::pods`].
    Pod(u32),
}

/// What a mark stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MarkKind {
    /// A step was applied.
    Step,
    /// A step was refused.
    StepRejected,
    /// A text for the reader.
    Note,
    /// A node came to be (after the start).
    NodeCreated,
    /// A node's taints changed.
    TaintsChanged,
    /// A node object went.
    NodeDeleted,
    /// A pod came to be (after the start).
    PodCreated,
    /// A pod got its node.
    PodBound,
    /// A pod's tolerations changed.
    TolerationsChanged,
    /// A timer was armed, or work was added that starts at once.
    Armed,
    /// A timer was cancelled.
    Cancelled,
    /// A deletion began.
    Started,
    /// The API server accepted the taint manager's first DELETE.
    Evicted,
    /// It accepted another one.
    DeletedAgain,
    /// It refused one.
    DeleteFailed,
    /// A deletion gave up.
    GaveUp,
    /// A pod got its `deletionTimestamp`.
    Terminating,
    /// A pod object went.
    Removed,
    /// The controller's process was told to stop.
    ControllerStopped,
    /// Its workers run (again).
    ControllerStarted,
    /// A watch broke.
    WatchBroken,
    /// Its informer has listed again.
    WatchRelisted,
}

impl MarkKind {
    /// The word of the table for it.
    pub fn word(self) -> &'static str {
        match self {
            MarkKind::Step => "StepApplied",
            MarkKind::StepRejected => "StepRejected",
            MarkKind::Note => "Note",
            MarkKind::NodeCreated => "NodeCreated",
            MarkKind::TaintsChanged => "TaintsChanged",
            MarkKind::NodeDeleted => "NodeDeleted",
            MarkKind::PodCreated => "PodCreated",
            MarkKind::PodBound => "PodBound",
            MarkKind::TolerationsChanged => "PodTolerationsChanged",
            MarkKind::Armed => "EvictionScheduled",
            MarkKind::Cancelled => "EvictionCancelled",
            MarkKind::Started => "EvictionStarted",
            MarkKind::Evicted => "Evicted",
            MarkKind::DeletedAgain => "DeleteRequested",
            MarkKind::DeleteFailed => "DeleteFailed",
            MarkKind::GaveUp => "EvictionFailed",
            MarkKind::Terminating => "PodTerminating",
            MarkKind::Removed => "PodRemoved",
            MarkKind::ControllerStopped => "ControllerStopped",
            MarkKind::ControllerStarted => "ControllerStarted",
            MarkKind::WatchBroken => "WatchBroken",
            MarkKind::WatchRelisted => "WatchRelisted",
        }
    }
}

#[cfg(test)]
mod tests;
