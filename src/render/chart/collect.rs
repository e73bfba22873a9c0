//! Makes a [`Chart`] of a run's records.

use indexmap::IndexSet;

use super::{
    Chart, Lane, Mark, MarkKind, NodeLane, PodLane, Stretch, TaintBand, TextId, Window, WindowEnd,
};
use crate::kernel::time::Time;
use crate::objects::{Effect, Lists, NodeId, PodId, TaintsId, TolerationsId, Uid};
use crate::render::describe::why;
use crate::render::{Ending, View};
use crate::timeline::fate::{Fate, Reason, decisive_taint};
use crate::timeline::history::Origin;
use crate::timeline::{Kind, Outcome, Record};

/// No index.
const NONE: u32 = u32::MAX;

/// What a record hangs on: indices of the nearest among itself and its ancestors.
#[derive(Clone, Copy, Debug)]
struct Link {
    mark: u32,
    window: u32,
    deletion: u32,
}

const UNLINKED: Link = Link { mark: NONE, window: NONE, deletion: NONE };

/// Takes the records of a run as they come, at any level of detail.
#[derive(Debug, Default)]
pub struct Collector {
    nodes: Vec<NodeLane>,
    pods: Vec<PodLane>,
    marks: Vec<Mark>,
    texts: IndexSet<String>,
    /// By the `seq` of what is shown.
    links: Vec<Link>,
    /// Windows and deletions, each with its lane.
    windows: Vec<(u32, Window)>,
    deletions: Vec<(u32, Stretch)>,
    /// By [`NodeId`]: the lane, and the taints as they are.
    node_lanes: Vec<(u32, TaintsId)>,
    /// By [`Uid`], from 1.
    lanes_by_uid: Vec<u32>,
    /// By [`PodId`].
    names: Vec<Name>,
}

/// The newest lane of a pod's name, and its newest window.
#[derive(Clone, Copy, Debug)]
struct Name {
    lane: u32,
    window: u32,
    lives: u32,
}

impl Collector {
    /// A collector that has seen nothing.
    pub fn new() -> Collector {
        Collector::default()
    }

    /// How many marks there are so far.
    pub fn marks(&self) -> usize {
        self.marks.len()
    }

    /// Takes a record that is shown.
    pub fn take(&mut self, view: View<'_>, record: &Record) {
        let (seq, cause) = view.selection.numbers(record);
        let parent = cause.and_then(|seq| self.links.get(seq as usize - 1));
        let mut link = parent.copied().unwrap_or(UNLINKED);
        match &record.kind {
            Kind::NodeCreated { .. }
            | Kind::NodeTaintsChanged { .. }
            | Kind::NodeDeleted { .. } => {
                self.take_node(view, record);
            }
            _ if record.pod.is_some() => self.take_pod(view, record, &mut link),
            _ => {}
        }
        if let Some(kind) = self.mark_kind(view, record)
            && let Some(lane) = self.lane_of(record)
        {
            let text = self.intern(why(view, record));
            let cause = (link.mark != NONE).then_some(link.mark);
            link.mark = self.marks.len() as u32;
            self.marks.push(Mark { at: record.at, kind, lane, text, cause });
        }
        let index = seq as usize - 1;
        debug_assert!(index >= self.links.len(), "records are shown once, in order");
        self.links.resize(index, UNLINKED);
        self.links.push(link);
    }

    /// The chart of a run that is over.
    pub fn finish(mut self, view: View<'_>, ending: Ending<'_>) -> Chart {
        for (lane, window) in std::mem::take(&mut self.windows) {
            self.pods[lane as usize].windows.push(window);
        }
        for (lane, deletion) in std::mem::take(&mut self.deletions) {
            self.pods[lane as usize].deletions.push(deletion);
        }
        let (context, history) = (view.context, view.history);
        for life in history.incarnations() {
            let Some(lane) = self.lane_by_uid(life.uid) else { continue };
            let fate = Fate::of(history, life);
            let reason = Reason::of(context, history, life).phrase(context, history).to_string();
            let why = self.intern(reason);
            let pod = &mut self.pods[lane as usize];
            (pod.fate, pod.fate_at, pod.why) = (fate.as_str(), fate.time(), why);
        }
        Chart {
            name: context.plan.name.clone(),
            version: context.plan.config.profile.name().to_string(),
            seed: context.plan.config.seed,
            end: ending.end.at,
            end_reason: ending.end.reason,
            nodes: self.nodes,
            pods: self.pods,
            marks: self.marks,
            steps_not_applied: ending.steps_not_applied.to_vec(),
            texts: self.texts,
        }
    }

    fn take_node(&mut self, view: View<'_>, record: &Record) {
        let Some(node) = record.node else { return };
        let (lane, before) = self.node_lane(node);
        let at = record.at;
        let now = match record.kind {
            Kind::NodeCreated { taints } => {
                self.nodes[lane as usize].lives.push(Stretch { from: at, to: None });
                taints
            }
            Kind::NodeTaintsChanged { taints } => taints,
            _ => {
                let lives = &mut self.nodes[lane as usize].lives;
                lives.iter_mut().filter(|life| life.to.is_none()).for_each(|l| l.to = Some(at));
                Lists::NO_TAINTS
            }
        };
        self.node_lanes[node.index()].1 = now;
        let lists = view.context.lists;
        let (old, new) = (lists.taints(before), lists.taints(now));
        for gone in old.iter().filter(|taint| !new.contains(taint)) {
            let text = self.intern(gone.to_string());
            let bands = self.nodes[lane as usize].taints.iter_mut();
            let open = bands.filter(|band| band.taint == text && band.stretch.to.is_none());
            open.for_each(|band| band.stretch.to = Some(at));
        }
        for came in new.iter().filter(|taint| !old.contains(taint)) {
            let step = match view.history.origin_of_taint(view.context, node, came) {
                Origin::Step(index) => view.context.plan.steps.get(index as usize),
                Origin::Start | Origin::Unknown => None,
            };
            let band = TaintBand {
                taint: self.intern(came.to_string()),
                no_execute: came.effect == Effect::NoExecute,
                stretch: Stretch { from: at, to: None },
                step: step.map(|step| step.number),
            };
            self.nodes[lane as usize].taints.push(band);
        }
    }

    fn take_pod(&mut self, view: View<'_>, record: &Record, link: &mut Link) {
        let Some(pod) = record.pod else { return };
        let at = record.at;
        match &record.kind {
            Kind::PodCreated { uid, tolerations, .. } => {
                self.create(view, record, pod, *uid, *tolerations);
            }
            Kind::PodBound { uid, .. } | Kind::PodTolerationsChanged { uid, .. } => {
                let Some(lane) = self.lane_by_uid(*uid) else { return };
                let lane = lane as usize;
                if let (Kind::PodBound { .. }, Some(node)) = (&record.kind, record.node) {
                    self.pods[lane].nodes.push((at, node));
                }
                if let Kind::PodTolerationsChanged { tolerations, .. } = record.kind {
                    let text = self.tolerations(view, tolerations);
                    self.pods[lane].tolerations.push((at, text));
                }
            }
            Kind::EvictionScheduled { .. } => link.window = self.arm(view, record, pod),
            Kind::EvictionCancelled { .. } => {
                let newest = self.names.get(pod.index()).map_or(NONE, |name| name.window);
                self.end_window(newest, at, WindowEnd::Cancelled);
            }
            Kind::EvictionStarted => {
                self.end_window(link.window, at, WindowEnd::Fired);
                if let Some(lane) = self.newest_lane(pod) {
                    link.deletion = self.deletions.len() as u32;
                    self.deletions.push((lane, Stretch { from: at, to: None }));
                }
            }
            Kind::EvictionFailed => self.end_deletion(link.deletion, at),
            // Where the answer was lost, the deletion goes on with its next attempt.
            Kind::DeleteRequested { outcome: Outcome::Ok, .. } => {
                self.end_deletion(link.deletion, at);
            }
            Kind::PodTerminating { uid } => {
                if let Some(lane) = self.lane_by_uid(*uid) {
                    let known = &mut self.pods[lane as usize].terminating_at;
                    *known = known.or(Some(at));
                }
            }
            Kind::PodRemoved { uid } => {
                if let Some(lane) = self.lane_by_uid(*uid) {
                    self.pods[lane as usize].life.to = Some(at);
                }
            }
            _ => {}
        }
    }

    fn create(
        &mut self,
        view: View<'_>,
        record: &Record,
        pod: PodId,
        uid: Uid,
        tolerations: TolerationsId,
    ) {
        let lane = self.pods.len() as u32;
        let fresh = Name { lane: NONE, window: NONE, lives: 0 };
        let names_needed = self.names.len().max(pod.index() + 1);
        self.names.resize(names_needed, fresh);
        let name = &mut self.names[pod.index()];
        (name.lane, name.lives) = (lane, name.lives + 1);
        let instance = name.lives;
        self.lanes_by_uid.resize(self.lanes_by_uid.len().max(uid.index()), NONE);
        self.lanes_by_uid[uid.index() - 1] = lane;
        let text = self.tolerations(view, tolerations);
        let life = view.history.incarnation(uid);
        self.pods.push(PodLane {
            pod,
            instance,
            life: Stretch { from: record.at, to: None },
            // A pod of a dump can be terminating from the start.
            terminating_at: life.and_then(|life| life.terminating_at()),
            nodes: record.node.map(|node| (record.at, node)).into_iter().collect(),
            tolerations: vec![(record.at, text)],
            windows: Vec::new(),
            deletions: Vec::new(),
            fate: "",
            fate_at: None,
            why: text,
        });
    }

    fn arm(&mut self, view: View<'_>, record: &Record, pod: PodId) -> u32 {
        let Kind::EvictionScheduled { fire_at, taints, taint, tolerations, toleration, .. } =
            record.kind
        else {
            return NONE;
        };
        let Some(lane) = self.newest_lane(pod) else { return NONE };
        let context = view.context;
        let taint = self.intern(decisive_taint(context, taints, taint));
        let list = context.lists.tolerations(tolerations);
        let toleration = toleration.and_then(|index| list.get(index as usize));
        let toleration = toleration.map(|toleration| self.intern(toleration.to_string()));
        let index = self.windows.len() as u32;
        self.names[pod.index()].window = index;
        let (from, how) = (record.at, WindowEnd::Open);
        self.windows.push((lane, Window { from, fire_at, end: None, how, taint, toleration }));
        index
    }

    fn end_window(&mut self, index: u32, at: Time, how: WindowEnd) {
        if let Some((_, window)) = self.windows.get_mut(index as usize)
            && window.end.is_none()
        {
            (window.end, window.how) = (Some(at), how);
        }
    }

    fn end_deletion(&mut self, index: u32, at: Time) {
        if let Some((_, deletion)) = self.deletions.get_mut(index as usize) {
            deletion.to = deletion.to.or(Some(at));
        }
    }

    fn mark_kind(&mut self, view: View<'_>, record: &Record) -> Option<MarkKind> {
        let is_later = record.cause.is_some() || record.at > Time::ZERO;
        Some(match &record.kind {
            Kind::StepApplied { .. } => MarkKind::Step,
            Kind::StepRejected { .. } => MarkKind::StepRejected,
            Kind::Note { .. } => MarkKind::Note,
            Kind::NodeCreated { .. } if is_later => MarkKind::NodeCreated,
            Kind::NodeTaintsChanged { .. } => MarkKind::TaintsChanged,
            Kind::NodeDeleted { .. } => MarkKind::NodeDeleted,
            Kind::PodCreated { .. } if is_later => MarkKind::PodCreated,
            Kind::PodBound { .. } if is_later => MarkKind::PodBound,
            Kind::PodTolerationsChanged { .. } => MarkKind::TolerationsChanged,
            Kind::EvictionScheduled { .. } => MarkKind::Armed,
            Kind::EvictionCancelled { .. } => MarkKind::Cancelled,
            Kind::EvictionStarted => MarkKind::Started,
            Kind::EvictionFailed => MarkKind::GaveUp,
            Kind::DeleteRequested { outcome, uid, .. } if outcome.is_applied() => {
                let reached = uid.and_then(|uid| view.history.incarnation(uid));
                match reached.is_some_and(|life| life.evicted_at() == Some(record.at)) {
                    true => MarkKind::Evicted,
                    false => MarkKind::DeletedAgain,
                }
            }
            Kind::DeleteRequested { .. } => MarkKind::DeleteFailed,
            Kind::PodTerminating { .. } => MarkKind::Terminating,
            Kind::PodRemoved { .. } => MarkKind::Removed,
            Kind::ControllerStopped => {
                for index in 0..self.windows.len() as u32 {
                    self.end_window(index, record.at, WindowEnd::Lost);
                }
                // A process that does not wait for its deletions takes them with it.
                if !view.context.plan.config.switches.graceful_stop {
                    for index in 0..self.deletions.len() as u32 {
                        self.end_deletion(index, record.at);
                    }
                }
                MarkKind::ControllerStopped
            }
            Kind::ControllerStarted if is_later => MarkKind::ControllerStarted,
            Kind::WatchBroken { .. } => MarkKind::WatchBroken,
            Kind::WatchRelisted { .. } => MarkKind::WatchRelisted,
            _ => return None,
        })
    }

    /// Where a record's mark stands; `None` where its object has no lane.
    fn lane_of(&self, record: &Record) -> Option<Lane> {
        let reached = match record.kind {
            Kind::DeleteRequested { uid, .. } => uid,
            Kind::PodCreated { uid, .. }
            | Kind::PodBound { uid, .. }
            | Kind::PodTolerationsChanged { uid, .. }
            | Kind::PodTerminating { uid }
            | Kind::PodRemoved { uid } => Some(uid),
            _ => None,
        };
        match (record.pod, record.node) {
            (Some(pod), _) => {
                let reached = reached.and_then(|uid| self.lane_by_uid(uid));
                let newest = self.newest_lane(pod).filter(|lane| {
                    // A step that creates a pod stands before its lane is there, and is not about
                    // a pod of its name that is gone.
                    let is_step =
                        matches!(record.kind, Kind::StepApplied { .. } | Kind::StepRejected { .. });
                    !is_step || self.pods[*lane as usize].life.to.is_none()
                });
                Some(reached.or(newest).map_or(Lane::Run, Lane::Pod))
            }
            (None, Some(node)) => match self.node_lanes.get(node.index()) {
                Some((lane, _)) if *lane != NONE => Some(Lane::Node(*lane)),
                _ => Some(Lane::Run),
            },
            (None, None) => Some(Lane::Run),
        }
    }

    fn node_lane(&mut self, node: NodeId) -> (u32, TaintsId) {
        let needed = self.node_lanes.len().max(node.index() + 1);
        self.node_lanes.resize(needed, (NONE, Lists::NO_TAINTS));
        let entry = &mut self.node_lanes[node.index()];
        if entry.0 == NONE {
            entry.0 = self.nodes.len() as u32;
            self.nodes.push(NodeLane { node, lives: Vec::new(), taints: Vec::new() });
        }
        *entry
    }

    fn newest_lane(&self, pod: PodId) -> Option<u32> {
        self.names.get(pod.index()).map(|name| name.lane).filter(|lane| *lane != NONE)
    }

    fn lane_by_uid(&self, uid: Uid) -> Option<u32> {
        let lane = self.lanes_by_uid.get(uid.index().checked_sub(1)?)?;
        Some(*lane).filter(|lane| *lane != NONE)
    }

    fn tolerations(&mut self, view: View<'_>, list: TolerationsId) -> TextId {
        let list = view.context.lists.tolerations(list);
        let texts: Vec<String> = list.iter().map(ToString::to_string).collect();
        self.intern(texts.join(", "))
    }

    fn intern(&mut self, text: String) -> TextId {
        TextId(self.texts.insert_full(text).0 as u32)
    }
}
