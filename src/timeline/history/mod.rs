//! What became of each pod: the part of the timeline that judgements, summaries and digests need,
//! kept as records pass by.
//!
//! A timer belongs to the NAME of a pod, as in the taint manager: a re-created pod of the same
//! name can inherit it. So armings and cancellations hang on names, evictions and removals on
//! incarnations. Left out on purpose: everything that does not change a pod's fate.
//!
//! Cost: linear; 64 bytes an incarnation, 48 a timer, 12 a name, 4 a record, and more for what is
//! rare (failed calls, pods that are bound late, a node's former taints): a million pods that are
//! armed and evicted take about 150 MB at `summary`.

mod entry;
mod labels;
mod nodes;
mod read;
mod trouble;

use std::collections::BTreeMap;

use indexmap::IndexSet;

pub use entry::{Arming, ArmingState, Cancel, Decision, Incarnation, Origin, Rejection};
use entry::{Link, NONE, NameEntry};
use labels::LabelTable;
use nodes::NodeTable;
pub use trouble::{FailedCall, Trouble};

use crate::kernel::time::Time;
use crate::objects::{NodeId, PodId, Uid};
use crate::plan::{Action, Plan, Verb};
use crate::timeline::{Context, EventReason, Kind, Outcome, Record, Sink};

/// A sink that keeps what became of each pod; see the module's page.
#[derive(Debug, Default)]
pub struct History {
    /// For each record the nearest arming or step among itself and its ancestors.
    links: Vec<Link>,
    names: Vec<NameEntry>,
    /// By uid, which counts from 1.
    incarnations: Vec<Incarnation>,
    armings: Vec<Arming>,
    cancels: Vec<Cancel>,
    decisions: IndexSet<Decision>,
    /// What went wrong in deletions, by the timer that began them.
    troubles: BTreeMap<u32, Trouble>,
    /// When a pod that was created without a node got one, by incarnation.
    bound: BTreeMap<u32, Time>,
    nodes: NodeTable,
    labels: LabelTable,
    rejections: Vec<Rejection>,
    /// Marking and cancelling Events by name; empty where none was fed.
    events: Vec<[u64; 2]>,
    stops: Vec<Time>,
    steps_applied: u64,
    delete_attempts: u64,
    failed_deletions: u64,
    records: u64,
}

impl Sink for History {
    fn record(&mut self, context: Context<'_>, record: &Record) {
        self.records += 1;
        let link = self.link_of(record);
        let link = self.take(context, record, link);
        let index = record.seq.saturating_sub(1) as usize;
        if self.links.len() < index {
            self.links.resize(index, Link::NONE);
        }
        self.links.push(link);
    }
}

impl History {
    /// An empty history.
    pub fn new() -> History {
        History::default()
    }

    /// An empty history with room for the plan's pods.
    pub fn with_room_for(plan: &Plan) -> History {
        History {
            names: vec![NameEntry::default(); plan.names.pod_count()],
            incarnations: Vec::with_capacity(plan.pods.len()),
            ..History::default()
        }
    }

    fn link_of(&self, record: &Record) -> Link {
        let cause = record.cause.and_then(|seq| seq.checked_sub(1));
        cause.and_then(|i| self.links.get(i as usize)).copied().unwrap_or(Link::NONE)
    }

    /// Takes in one record; gives the link for those that it causes.
    fn take(&mut self, context: Context<'_>, record: &Record, link: Link) -> Link {
        let at = record.at;
        match &record.kind {
            Kind::StepApplied { step, .. } | Kind::Note { step, .. } => {
                self.steps_applied += 1;
                let newest = record.pod.and_then(|pod| self.newest(pod));
                let newest = newest.filter(|life| life.removed_at().is_none()).map(|life| life.uid);
                self.labels.apply(context, record, newest);
                return Link::step(*step);
            }
            Kind::StepRejected { step, action, error } => {
                self.rejections.push(Rejection {
                    at,
                    step: *step,
                    action: *action,
                    pod: record.pod,
                    node: record.node,
                    taints: record.node.and_then(|node| self.nodes.taints(node)),
                    other_node: self.other_node(context, *step, *action),
                    error: error.clone(),
                });
                return Link::step(*step);
            }
            Kind::NodeCreated { taints } | Kind::NodeTaintsChanged { taints } => {
                if let Some(node) = record.node {
                    let origin = match (&record.kind, self.origin_of(link)) {
                        (Kind::NodeCreated { .. }, Origin::Unknown) => Origin::Start,
                        (_, known) => known,
                    };
                    self.nodes.set(node, Some(*taints), (at, origin), context.lists);
                }
            }
            Kind::NodeDeleted { .. } => {
                if let Some(node) = record.node {
                    self.nodes.set(node, None, (at, Origin::Unknown), context.lists);
                }
            }
            Kind::ControllerStopped => {
                self.stops.push(at);
                for arming in self.armings.iter_mut().filter(|a| a.state == ArmingState::Armed) {
                    arming.end(at, ArmingState::Lost);
                }
            }
            _ => {
                if let Some(pod) = record.pod {
                    return self.take_pod(context, record, pod, link);
                }
            }
        }
        link
    }

    /// A node that has a taint which this action is to remove.
    fn other_node(&self, context: Context<'_>, step: u32, action: u32) -> Option<NodeId> {
        /// Whoever has more rejections looks at the first of them.
        const LOOKED_FOR_AT_MOST: usize = 100;
        let step = context.plan.steps.get(step as usize)?;
        match &step.actions.get(action as usize)?.action {
            Action::Taint { change, .. } if self.rejections.len() < LOOKED_FOR_AT_MOST => {
                self.nodes.with_any(&change.remove, context.lists)
            }
            _ => None,
        }
    }

    fn take_pod(&mut self, context: Context<'_>, record: &Record, pod: PodId, link: Link) -> Link {
        let at = record.at;
        match &record.kind {
            Kind::PodCreated { uid, tolerations, .. } => {
                self.create(context, pod, *uid, record.node, at);
                self.labels.create(context, record, pod, *uid);
                self.incarnation_mut(*uid).tolerations = *tolerations;
            }
            Kind::PodBound { uid, tolerations }
            | Kind::PodTolerationsChanged { uid, tolerations } => {
                if matches!(record.kind, Kind::PodBound { .. }) {
                    self.bound.insert(uid.0, at);
                }
                let incarnation = self.incarnation_mut(*uid);
                incarnation.tolerations = *tolerations;
                incarnation.node = record.node.or(incarnation.node);
            }
            Kind::EvictionScheduled { .. } => return self.arm(context, record, pod, link),
            Kind::EvictionCancelled { reason } => {
                let name = self.name_mut(pod);
                let (arming, prev) = (name.last_arming, name.last_cancel);
                self.name_mut(pod).last_cancel = to_u32(self.cancels.len());
                let origin = link.as_step().map_or(Origin::Unknown, Origin::Step);
                self.cancels.push(Cancel { at, reason: *reason, origin, arming, prev });
                if let Some(arming) = self.armings.get_mut(arming as usize)
                    && arming.state == ArmingState::Armed
                {
                    arming.end(at, ArmingState::Cancelled);
                }
            }
            Kind::EvictionStarted => self.end_arming(link, at, ArmingState::Started),
            Kind::EvictionFailed => {
                self.failed_deletions += 1;
                self.end_arming(link, at, ArmingState::Failed);
            }
            Kind::DeleteRequested { attempt, outcome, fault, uid } => {
                self.note_call(link, Verb::Delete, *attempt, (*outcome, *fault));
                self.delete(pod, *outcome, *uid, at, link);
            }
            Kind::PodFetched { attempt, outcome, fault, .. } => {
                self.note_call(link, Verb::Get, *attempt, (*outcome, *fault));
            }
            Kind::StatusPatched { attempt, outcome, fault, .. } => {
                self.note_call(link, Verb::Patch, *attempt, (*outcome, *fault));
            }
            Kind::PodTerminating { uid } => {
                let incarnation = self.incarnation_mut(*uid);
                incarnation.terminating_at = incarnation.terminating_at.min(at);
            }
            Kind::PodRemoved { uid } => self.incarnation_mut(*uid).removed_at = at,
            Kind::EventRecorded { reason, .. } => {
                if self.events.len() <= pod.index() {
                    self.events.resize(pod.index() + 1, [0; 2]);
                }
                self.events[pod.index()][usize::from(*reason == EventReason::Cancelling)] += 1;
            }
            _ => {}
        }
        link
    }

    fn create(
        &mut self,
        context: Context<'_>,
        pod: PodId,
        uid: Uid,
        node: Option<NodeId>,
        at: Time,
    ) {
        assert_eq!(uid.index(), self.incarnations.len() + 1, "uids count up, at {at}");
        let prev = self.name_mut(pod).last_incarnation;
        self.name_mut(pod).last_incarnation = uid.0 - 1;
        let mut incarnation = Incarnation::new(pod, uid, node, at, prev);
        // A pod of a dump can be terminating from the start.
        let spec = context.plan.pods.get(uid.index() - 1).filter(|spec| spec.pod == pod);
        if spec.is_some_and(|spec| spec.terminating) {
            incarnation.terminating_at = at;
        }
        self.incarnations.push(incarnation);
    }

    fn arm(&mut self, context: Context<'_>, record: &Record, pod: PodId, link: Link) -> Link {
        let Kind::EvictionScheduled { fire_at, taints, taint, tolerations, toleration, .. } =
            record.kind
        else {
            return link;
        };
        let incarnation = self.name_mut(pod).last_incarnation;
        let node = record
            .node
            .or_else(|| self.incarnations.get(incarnation as usize).and_then(|i| i.node));
        let decisive = context.lists.taints(taints).get(taint as usize);
        let origin = node.zip(decisive).map_or(Origin::Unknown, |(node, taint)| {
            self.nodes.origin_of(node, taint, context.lists)
        });
        let decision = Decision { taints, taint, tolerations, toleration, origin };
        let decision = match self.armings.last() {
            // Neighbours mostly go for the same reason.
            Some(last) if self.decisions.get_index(last.decision as usize) == Some(&decision) => {
                last.decision
            }
            _ => to_u32(self.decisions.insert_full(decision).0),
        };
        let index = to_u32(self.armings.len());
        let prev = std::mem::replace(&mut self.name_mut(pod).last_arming, index);
        self.armings.push(Arming {
            at: record.at,
            fire_at,
            ended_at: Time::MAX,
            pod,
            incarnation,
            decision,
            prev,
            state: ArmingState::Armed,
        });
        Link::arming(index)
    }

    fn end_arming(&mut self, link: Link, at: Time, state: ArmingState) {
        if let Some(arming) = link.as_arming().and_then(|i| self.armings.get_mut(i as usize)) {
            arming.end(at, state);
        }
    }

    fn delete(&mut self, pod: PodId, outcome: Outcome, uid: Option<Uid>, at: Time, link: Link) {
        self.delete_attempts += 1;
        let reached = match uid {
            Some(uid) => uid.0 - 1,
            None => self.name_mut(pod).last_incarnation,
        };
        let Some(incarnation) = self.incarnations.get_mut(reached as usize) else { return };
        incarnation.delete_attempts += 1;
        if outcome.is_applied() && incarnation.evicted_at == Time::MAX {
            incarnation.evicted_at = at;
            incarnation.evicted_by = link.as_arming().unwrap_or(NONE);
        }
    }

    /// Keeps what a deletion's first attempt does not get through.
    fn note_call(
        &mut self,
        link: Link,
        verb: Verb,
        attempt: u32,
        (outcome, fault): (Outcome, Option<u32>),
    ) {
        let failed = match outcome {
            Outcome::Failed(error) | Outcome::Lost(error) => {
                Some(FailedCall { verb, error, fault })
            }
            Outcome::Ok => None,
        };
        if let Some(arming) = link.as_arming()
            && (failed.is_some() || attempt > 1)
        {
            self.troubles.entry(arming).or_default().take(attempt, failed);
        }
    }

    fn origin_of(&self, link: Link) -> Origin {
        match (link.as_arming(), link.as_step()) {
            (Some(arming), _) => self.decision(&self.armings[arming as usize]).origin,
            (None, Some(step)) => Origin::Step(step),
            (None, None) => Origin::Unknown,
        }
    }

    fn name_mut(&mut self, pod: PodId) -> &mut NameEntry {
        if self.names.len() <= pod.index() {
            self.names.resize(pod.index() + 1, NameEntry::default());
        }
        &mut self.names[pod.index()]
    }

    fn incarnation_mut(&mut self, uid: Uid) -> &mut Incarnation {
        let created = self.incarnations.len();
        let index = uid.index().wrapping_sub(1);
        assert!(index < created, "pod {uid} acts before its creation ({created} created)");
        &mut self.incarnations[index]
    }
}

fn to_u32(index: usize) -> u32 {
    u32::try_from(index).unwrap_or_else(|_| panic!("more than 2^32 entries: {index}"))
}

#[cfg(test)]
mod tests;
