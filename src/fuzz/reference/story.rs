//! What the store held, and when: all that the reference model looks at.

use crate::kernel::Time;
use crate::objects::{NodeId, PodId, TaintsId, TolerationsId, Uid};
use crate::plan::{Action, Fault, Plan, PodSpec, Resource};
use crate::timeline::{Context, Kind, Outcome, Record, Sink};

/// A node's object from this time on.
#[derive(Clone, Copy, Debug)]
pub struct NodeState {
    /// Since when.
    pub at: Time,
    /// Its taints; `None`: there is no such object.
    pub taints: Option<TaintsId>,
}

/// A pod's node and tolerations from this time on.
#[derive(Clone, Copy, Debug)]
pub struct Phase {
    /// Since when.
    pub at: Time,
    /// `spec.nodeName`.
    pub node: Option<NodeId>,
    /// `spec.tolerations`.
    pub tolerations: TolerationsId,
}

/// When a pod began to go.
#[derive(Clone, Copy, Debug)]
pub struct Leaving {
    /// When the store accepted its deletion.
    pub at: Time,
    /// The taint manager asked for it.
    pub evicted: bool,
}

/// One pod, from its creation on.
#[derive(Clone, Debug)]
pub struct PodStory {
    /// Its name.
    pub pod: PodId,
    /// Its incarnation.
    pub uid: Uid,
    /// What it was, oldest first; at least one.
    pub phases: Vec<Phase>,
    /// When it began to go.
    pub leaving: Option<Leaving>,
    /// Calls of the taint manager for it that a fault made fail: when, and which fault.
    pub refused: Vec<(Time, u32)>,
    /// Index of the pod that had the name before.
    pub earlier: Option<usize>,
    /// Index of the pod that has the name after it.
    pub later: Option<usize>,
    /// It was terminating from the start: nothing is promised.
    pub exempt: bool,
}

/// A time in which the taint manager did not hear of everything.
#[derive(Clone, Copy, Debug)]
pub struct Outage {
    /// From when.
    pub from: Time,
    /// Until when; [`Time::MAX`] where it did not end.
    pub to: Time,
    /// The process was down; else a watch was broken.
    pub down: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Hits {
    count: u64,
    last: Time,
}

/// The story of one run. It is a sink: records at `Summary` suffice where nothing fails.
#[derive(Debug, Default)]
pub struct Story {
    nodes: Vec<Vec<NodeState>>,
    pods: Vec<PodStory>,
    used: usize,
    current: Vec<Option<usize>>,
    /// Times without the process, or without a watch.
    pub outages: Vec<Outage>,
    down_since: Option<Time>,
    broken_since: [Option<Time>; 2],
    hits: Vec<Hits>,
    /// Changes in the store so far.
    pub changes: u64,
    /// The last of them, or of the outages' ends.
    pub last_change: Time,
}

impl Story {
    /// Before a run of this plan, with the memory kept.
    pub fn reset(&mut self, plan: &Plan) {
        self.nodes.iter_mut().for_each(Vec::clear);
        self.nodes.resize_with(plan.names.node_count(), Vec::new);
        self.used = 0;
        self.current.clear();
        self.current.resize(plan.names.pod_count(), None);
        self.outages.clear();
        self.down_since = None;
        self.broken_since = [None; 2];
        self.hits.clear();
        self.hits.resize(plan.faults.len(), Hits::default());
        self.changes = 0;
        self.last_change = Time::ZERO;
    }

    /// All pods of the run, in the order of their creation.
    pub fn pods(&self) -> &[PodStory] {
        &self.pods[..self.used]
    }

    /// What a node was, oldest first; before the first one it is not there.
    pub fn node(&self, node: NodeId) -> &[NodeState] {
        &self.nodes[node.index()]
    }

    /// Ends the story: what is open stays so.
    pub fn end(&mut self) {
        if let Some(from) = self.down_since.take() {
            self.outages.push(Outage { from, to: Time::MAX, down: true });
        }
        for broken in &mut self.broken_since {
            if let Some(from) = broken.take() {
                self.outages.push(Outage { from, to: Time::MAX, down: false });
            }
        }
        self.outages.sort_by_key(|outage| outage.from);
    }

    /// From when on a fault hits nothing any more; [`Time::MAX`] where that is not known.
    pub fn off(&self, fault: &Fault, index: u32) -> Time {
        let hits = self.hits[index as usize];
        let window = fault.between.map_or(Time::MAX, |(_, to)| to);
        let first = match (fault.first, fault.probability) {
            (Some(first), None) if hits.count >= first => hits.last,
            _ => Time::MAX,
        };
        window.min(first)
    }

    /// Whether a fault has hit a call.
    pub fn has_hit(&self, index: u32) -> bool {
        self.hits[index as usize].count > 0
    }

    fn node_is(&mut self, node: Option<NodeId>, at: Time, taints: Option<TaintsId>) {
        if let Some(node) = node {
            self.nodes[node.index()].push(NodeState { at, taints });
        }
        self.changed(at);
    }

    fn changed(&mut self, at: Time) {
        self.changes += 1;
        self.last_change = at;
    }

    fn pod_comes(&mut self, plan: &Plan, (pod, uid): (PodId, Uid), phase: Phase) {
        let earlier = self.last_of(pod);
        let index = self.used;
        if let Some(earlier) = earlier {
            self.pods[earlier].later = Some(index);
        }
        let exempt = is_terminating(plan, pod, index);
        match self.pods.get_mut(index) {
            Some(story) => {
                story.phases.clear();
                story.phases.push(phase);
                story.refused.clear();
                (story.pod, story.uid) = (pod, uid);
                (story.leaving, story.earlier, story.later) = (None, earlier, None);
                story.exempt = exempt;
            }
            None => self.pods.push(PodStory {
                pod,
                uid,
                phases: vec![phase],
                leaving: None,
                refused: Vec::new(),
                earlier,
                later: None,
                exempt,
            }),
        }
        self.used += 1;
        self.current[pod.index()] = Some(index);
        self.changed(phase.at);
    }

    /// The last pod of this name so far, there or not.
    fn last_of(&self, pod: PodId) -> Option<usize> {
        self.current[pod.index()]
    }

    fn pod_mut(&mut self, uid: Uid) -> Option<&mut PodStory> {
        self.pods[..self.used].get_mut((uid.0 as usize).checked_sub(1)?)
    }

    fn leaves(&mut self, uid: Uid, at: Time, evicted: bool) {
        if let Some(pod) = self.pod_mut(uid) {
            pod.leaving.get_or_insert(Leaving { at, evicted });
        }
        self.changed(at);
    }

    fn called(&mut self, record: &Record, outcome: Outcome, fault: Option<u32>) {
        let Some(fault) = fault else { return };
        let hits = &mut self.hits[fault as usize];
        hits.count += 1;
        hits.last = record.at;
        if let (Some(pod), Outcome::Failed(_)) = (record.pod, outcome)
            && let Some(index) = self.current[pod.index()]
        {
            self.pods[index].refused.push((record.at, fault));
        }
    }

    fn close(&mut self, from: Option<Time>, to: Time, down: bool) {
        if let Some(from) = from {
            self.outages.push(Outage { from, to, down });
            self.last_change = to;
        }
    }
}

impl Sink for Story {
    fn record(&mut self, context: Context<'_>, record: &Record) {
        let at = record.at;
        match record.kind {
            Kind::NodeCreated { taints } | Kind::NodeTaintsChanged { taints } => {
                self.node_is(record.node, at, Some(taints));
            }
            Kind::NodeDeleted { .. } => self.node_is(record.node, at, None),
            Kind::PodCreated { uid, tolerations, .. } => {
                let Some(pod) = record.pod else { return };
                let phase = Phase { at, node: record.node, tolerations };
                self.pod_comes(context.plan, (pod, uid), phase);
            }
            Kind::PodBound { uid, tolerations }
            | Kind::PodTolerationsChanged { uid, tolerations } => {
                let node = record.node;
                if let Some(pod) = self.pod_mut(uid) {
                    pod.phases.push(Phase { at, node, tolerations });
                }
                self.changed(at);
            }
            Kind::PodTerminating { uid } | Kind::PodRemoved { uid } => self.leaves(uid, at, false),
            Kind::DeleteRequested { outcome, fault, uid, .. } => {
                self.called(record, outcome, fault);
                if let Some(uid) = uid.filter(|_| outcome.is_applied()) {
                    self.leaves(uid, at, true);
                }
            }
            Kind::PodFetched { outcome, fault, .. }
            | Kind::StatusPatched { outcome, fault, .. }
            | Kind::PodsListed { outcome, fault, .. } => self.called(record, outcome, fault),
            Kind::ControllerStopped => {
                self.down_since.get_or_insert(at);
            }
            Kind::ControllerStarted => {
                let down = self.down_since.take();
                self.close(down, at, true);
                for slot in 0..2 {
                    // Its informers went with the process.
                    let broken = self.broken_since[slot].take();
                    self.close(broken, at, false);
                }
            }
            Kind::WatchBroken { resource } => {
                self.broken_since[slot(resource)].get_or_insert(at);
            }
            Kind::WatchRelisted { resource } => {
                let broken = self.broken_since[slot(resource)].take();
                self.close(broken, at, false);
            }
            _ => {}
        }
    }
}

fn slot(resource: Resource) -> usize {
    match resource {
        Resource::Pods => 0,
        Resource::Nodes => 1,
    }
}

/// Whether the pod came with a `deletionTimestamp`. Of pods that a step creates, only the name is
/// known.
fn is_terminating(plan: &Plan, pod: PodId, index: usize) -> bool {
    if let Some(spec) = plan.pods.get(index) {
        return spec.terminating;
    }
    let is = |spec: &PodSpec| spec.pod == pod && spec.terminating;
    plan.steps.iter().flat_map(|step| &step.actions).any(|action| match &action.action {
        Action::CreatePods(specs) => specs.iter().any(is),
        Action::ApplyPod(manifest) => is(&manifest.create),
        _ => false,
    })
}
