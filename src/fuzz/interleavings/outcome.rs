//! What became of a run, as far as two schedules are told apart by it.
//!
//! It is collected while the run goes, from nothing but what happened to each pod in its order, so
//! that what is collected so far can be part of a state: two runs in the same state that have seen
//! the same come to the same outcomes.

use crate::cluster::World;
use crate::cluster::state::State;
use crate::objects::{NodeId, PodId, Uid};
use crate::plan::Plan;
use crate::taint_manager::WorkState;
use crate::timeline::{Context, EventReason, Kind, Record, Sink};

/// How closely outcomes are told apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grain {
    /// By the fate of each pod and by its Events.
    #[default]
    Fates,
    /// Also by each call for it, and by what the call met.
    Calls,
}

/// Something that was done about a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Deed {
    /// The Event `Marking for deletion`.
    Marking,
    /// The Event `Cancelling deletion`.
    Cancelling,
    /// A GET, with `ok` or the API's reason, and the object that it reached.
    Get(&'static str, Option<Uid>),
    /// A PATCH of the status.
    Patch(&'static str, Option<Uid>),
    /// A DELETE.
    Delete(&'static str, Option<Uid>),
}

/// How a pod ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Life {
    /// When it came to be, in whole milliseconds, as all times here.
    pub created_ms: u64,
    /// The word of a [`crate::timeline::fate::Fate`].
    pub fate: &'static str,
    /// When it happened; of an armed one, when it will.
    pub at_ms: Option<u64>,
}

/// What became of the pods of one name.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PodOutcome {
    /// Each pod that had it, in the order of their creation.
    pub lives: Vec<Life>,
    /// What was done, each with its time, in its order.
    pub deeds: Vec<(u64, Deed)>,
}

/// An action of a step that was refused.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Refusal {
    /// When.
    pub at_ms: u64,
    /// Index of the step.
    pub step: u32,
    /// Index of the action.
    pub action: u32,
    /// The pod that it was about.
    pub pod: Option<PodId>,
    /// The node that it was about.
    pub node: Option<NodeId>,
    /// In the words of kubectl and the API server.
    pub error: Box<str>,
}

/// What became of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Outcome {
    /// By the number of the pod's name.
    pub pods: Vec<PodOutcome>,
    /// In the order of time, steps and actions.
    pub refused: Vec<Refusal>,
    /// Numbers of the steps that were not applied.
    pub unapplied: Vec<u32>,
}

#[derive(Clone, Copy, Debug, Hash)]
struct Course {
    uid: Uid,
    created_ms: u64,
    evicted_ms: Option<u64>,
    terminating_ms: Option<u64>,
    removed_ms: Option<u64>,
}

#[derive(Clone, Debug, Default, Hash)]
struct PodSeen {
    lives: Vec<Course>,
    deeds: Vec<(u64, Deed)>,
}

/// A sink that collects an outcome.
#[derive(Debug)]
pub(super) struct Seen {
    grain: Grain,
    pods: Vec<PodSeen>,
    refused: Vec<Refusal>,
}

impl Seen {
    pub(super) fn new(plan: &Plan, grain: Grain) -> Seen {
        let pods = vec![PodSeen::default(); plan.names.pod_count()];
        Seen { grain, pods, refused: Vec::new() }
    }

    /// Back to nothing, for a run of the same plan.
    pub(super) fn reset(&mut self) {
        for pod in &mut self.pods {
            pod.lives.clear();
            pod.deeds.clear();
        }
        self.refused.clear();
    }

    /// What has been seen, for [`World::state`].
    pub(super) fn state(&self, state: &mut State<'_>) {
        state.put(&self.pods);
        let mut refused: Vec<&Refusal> = self.refused.iter().collect();
        refused.sort_unstable();
        state.put(refused);
    }

    /// The outcome of the run, which is over.
    pub(super) fn outcome(&self, world: &World<'_>) -> Outcome {
        let is_timer = |state| matches!(state, WorkState::Armed | WorkState::Orphan);
        let timers: Vec<_> = world.works().filter(|work| is_timer(work.state)).collect();
        let of = |(index, seen): (usize, &PodSeen)| {
            let newest = seen.lives.last().map(|life| life.uid);
            let timers = timers.iter().filter(|work| work.pod.index() == index);
            let fires = timers.map(|work| work.fire_at.millis()).min();
            let life = |course: &Course| course.end(fires.filter(|_| Some(course.uid) == newest));
            let lives = seen.lives.iter().map(life).collect();
            PodOutcome { lives, deeds: seen.deeds.clone() }
        };
        let mut refused = self.refused.clone();
        refused.sort_unstable();
        let unapplied = world.steps_not_applied().collect();
        Outcome { pods: self.pods.iter().enumerate().map(of).collect(), refused, unapplied }
    }

    fn about_pod(&mut self, context: Context<'_>, pod: PodId, ms: u64, kind: &Kind) {
        let Some(seen) = self.pods.get_mut(pod.index()) else { return };
        let calls = self.grain == Grain::Calls;
        let deed = match kind {
            Kind::PodCreated { uid, .. } => {
                // A pod of a dump can be terminating from the start.
                let spec = context.plan.pods.get(uid.index() - 1).filter(|spec| spec.pod == pod);
                let terminating = spec.is_some_and(|spec| spec.terminating);
                return seen.lives.push(Course {
                    uid: *uid,
                    created_ms: ms,
                    evicted_ms: None,
                    terminating_ms: terminating.then_some(ms),
                    removed_ms: None,
                });
            }
            Kind::PodTerminating { uid } => {
                return seen.change(*uid, |life| _ = life.terminating_ms.get_or_insert(ms));
            }
            Kind::PodRemoved { uid } => {
                return seen.change(*uid, |life| life.removed_ms = Some(ms));
            }
            Kind::EventRecorded { reason: EventReason::Marking, .. } => Deed::Marking,
            Kind::EventRecorded { reason: EventReason::Cancelling, .. } => Deed::Cancelling,
            Kind::DeleteRequested { outcome, uid, .. } => {
                if let Some(uid) = uid {
                    seen.change(*uid, |life| _ = life.evicted_ms.get_or_insert(ms));
                }
                Deed::Delete(outcome.as_str(), *uid)
            }
            Kind::PodFetched { outcome, uid, .. } => Deed::Get(outcome.as_str(), *uid),
            Kind::StatusPatched { outcome, uid, .. } => Deed::Patch(outcome.as_str(), *uid),
            _ => return,
        };
        if calls || matches!(deed, Deed::Marking | Deed::Cancelling) {
            seen.deeds.push((ms, deed));
        }
    }
}

impl PodSeen {
    fn change(&mut self, uid: Uid, change: impl FnOnce(&mut Course)) {
        if let Some(life) = self.lives.iter_mut().find(|life| life.uid == uid) {
            change(life);
        }
    }
}

impl Course {
    /// As [`crate::timeline::fate::Fate`] has it; `fires` is the timer of its name.
    fn end(&self, fires: Option<u64>) -> Life {
        let Course { created_ms, evicted_ms, terminating_ms, removed_ms, .. } = *self;
        let (fate, at_ms) = match (evicted_ms, removed_ms, terminating_ms, fires) {
            (Some(ms), ..) => ("evicted", Some(ms)),
            (None, Some(ms), ..) => ("removed", Some(ms)),
            (None, None, Some(ms), _) => ("terminating", Some(ms)),
            (None, None, None, Some(ms)) => ("armed", Some(ms)),
            (None, None, None, None) => ("survives", None),
        };
        Life { created_ms, fate, at_ms }
    }
}

impl Sink for Seen {
    fn record(&mut self, context: Context<'_>, record: &Record) {
        let ms = record.at.millis();
        if let Kind::StepRejected { step, action, error } = &record.kind {
            self.refused.push(Refusal {
                at_ms: ms,
                step: *step,
                action: *action,
                pod: record.pod,
                node: record.node,
                error: error.clone(),
            });
        } else if let Some(pod) = record.pod {
            self.about_pod(context, pod, ms, &record.kind);
        }
    }
}
