//! The state of a world as bytes: equal bytes, the same future.
//!
//! All that a run can still depend on goes in, and nothing that only names or explains: no cause,
//! no number of a record, of a step or of a process, no place in a slab, no resource version. So
//! two schedules that come to the same state by different ways give the same bytes. Lists of
//! taints, tolerations and labels go in with what they hold: their numbers depend on the way.
//!
//! The state is only whole between two events.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use super::event::Event;
use super::world::World;
use crate::apiserver::{NodeEvent, PodEvent};
use crate::kernel::Time;
use crate::objects::{LabelsId, Lists, PodId, TaintsId, TolerationsId};
use crate::plan::Resource;
use crate::timeline::WatchKind;

/// Collects the bytes. Whatever can be hashed can be put in.
#[derive(Debug)]
pub struct State<'a> {
    lists: &'a Lists,
    bytes: Vec<u8>,
}

impl Hasher for State<'_> {
    fn write(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Only how much there is; the bytes are what counts.
    fn finish(&self) -> u64 {
        self.bytes.len() as u64
    }
}

impl<'a> State<'a> {
    /// Nothing yet.
    pub fn new(lists: &'a Lists) -> State<'a> {
        State { lists, bytes: Vec::new() }
    }

    /// Another one, for a part that has to be compared with others first.
    pub fn part(&self) -> State<'a> {
        State::new(self.lists)
    }

    /// The bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Puts something in.
    pub fn put(&mut self, value: impl Hash) {
        value.hash(self);
    }

    /// Puts in a list of taints.
    pub fn taints(&mut self, id: TaintsId) {
        let lists = self.lists;
        self.put(lists.taints(id));
    }

    /// Puts in a list of taints, or that there is none.
    pub fn maybe_taints(&mut self, id: Option<TaintsId>) {
        self.put(id.is_some());
        if let Some(id) = id {
            self.taints(id);
        }
    }

    /// Puts in a list of tolerations.
    pub fn tolerations(&mut self, id: TolerationsId) {
        let lists = self.lists;
        self.put(lists.tolerations(id));
    }

    /// Puts in labels.
    pub fn labels(&mut self, id: LabelsId) {
        let lists = self.lists;
        for (key, value) in lists.labels(id).iter() {
            self.put((true, key, value));
        }
        self.put(false);
    }

    /// Puts in what an informer knows of a pod.
    pub fn pod(&mut self, event: &PodEvent) {
        let PodEvent { pod, uid, node, tolerations } = *event;
        self.put((pod, uid, node));
        self.tolerations(tolerations);
    }

    /// Puts in what an informer knows of a node.
    pub fn node(&mut self, event: &NodeEvent) {
        let NodeEvent { node, taints } = *event;
        self.put(node);
        self.taints(taints);
    }

    /// Puts in parts in an order that depends on what they are, and not on where they came from.
    pub fn sorted(&mut self, mut parts: Vec<Vec<u8>>) {
        parts.sort_unstable();
        self.put(parts);
    }
}

impl World<'_> {
    /// The state as bytes; see the module's page. `observed` adds what the outcome of the run
    /// depends on besides.
    pub fn state(&self, observed: impl FnOnce(&mut State<'_>)) -> Vec<u8> {
        let mut state = State::new(&self.lists);
        state.put(self.now());
        self.objects(&mut state);
        self.caches(&mut state);
        self.broken.state(&mut state);
        self.process.state(&mut state);
        self.taint_manager.state(&mut state);
        self.triggers.state(&mut state);
        self.faults.state(&mut state);
        state.put(self.choices.positions());
        state.put(&self.steps_applied);
        self.coming(&mut state);
        observed(&mut state);
        state.into_bytes()
    }

    fn objects(&self, state: &mut State<'_>) {
        state.put(self.store.pods_created());
        for (pod, object) in self.store.pods() {
            state.put((true, pod, object.uid, object.node, object.grace_period_seconds));
            state.put((object.deletion_timestamp, object.disruption_target, object.finished));
            state.tolerations(object.tolerations);
            state.labels(object.labels);
        }
        state.put(false);
        for (node, object) in self.store.nodes() {
            state.put((true, node, object.unschedulable, object.termination));
            state.taints(object.taints);
            state.labels(object.labels);
        }
        state.put(false);
    }

    fn caches(&self, state: &mut State<'_>) {
        let now = self.now();
        state.put((self.pod_watch.is_open(), self.pod_watch.last_arrival().max(now)));
        self.pods_under_way(state);
        state.put(false);
        state.put((self.node_watch.is_open(), self.node_watch.last_arrival().max(now)));
        for (kind, event) in self.node_watch.under_way() {
            state.put((true, kind));
            state.node(event);
        }
        state.put(false);
        for event in self.pod_informer.names().filter_map(|pod| self.pod_informer.get(pod)) {
            state.put(true);
            state.pod(event);
        }
        state.put(false);
        for (node, _) in self.plan.names.nodes() {
            state.maybe_taints(self.node_informer.get(node));
            for pod in self.pod_informer.pods_on(node) {
                state.put((true, pod));
            }
            state.put(false);
        }
    }

    /// The watch on pods, each event with its arrival, but for those that will tell the informer
    /// what it knows by then: they are delivered as soon as they are first, and change nothing.
    /// The PATCHes of deletions make such, and their order would make states differ.
    fn pods_under_way(&self, state: &mut State<'_>) {
        let is_delivery = |event: &Event| matches!(event, Event::PodWatch(_));
        let deliveries = self.queue.pending().filter(|(_, event)| is_delivery(event));
        let deliveries = deliveries.filter(|(_, event)| !self.is_void(*event));
        let mut arrivals: Vec<Time> = deliveries.map(|(time, _)| time).collect();
        arrivals.sort_unstable();
        let mut told: BTreeMap<PodId, (WatchKind, PodEvent)> = BTreeMap::new();
        for ((kind, event), arrival) in self.pod_watch.under_way().zip(arrivals) {
            let before = told.insert(event.pod, (kind, *event));
            let known = match before {
                Some((WatchKind::Deleted, _)) => None,
                Some((_, event)) => Some(event),
                None => self.pod_informer.get(event.pod).copied(),
            };
            if kind != WatchKind::Modified || known != Some(*event) {
                state.put((true, kind, arrival));
                state.pod(event);
            }
        }
    }

    /// What is pending.
    fn coming(&self, state: &mut State<'_>) {
        let mut parts = Vec::with_capacity(self.queue.len());
        for (time, event) in self.queue.pending() {
            // The watch on pods has its own.
            if matches!(event, Event::PodWatch(_)) && !self.is_void(event) {
                continue;
            }
            let mut part = state.part();
            part.put(time);
            self.event(event, &mut part);
            parts.push(part.into_bytes());
        }
        state.sorted(parts);
        // Plain steps of one time come in the order of their sequence.
        state.put(self.queue.pending_steps());
    }

    /// An event by what it is about; its numbers depend on the way.
    fn event(&self, event: Event, state: &mut State<'_>) {
        if self.is_void(event) {
            return state.put("void");
        }
        match event {
            Event::PodWatch(_) => state.put("pods"),
            Event::NodeWatch(_) => state.put("nodes"),
            Event::Relist(Resource::Pods, _) => state.put("relist pods"),
            Event::Relist(Resource::Nodes, _) => state.put("relist nodes"),
            Event::List(_) => state.put("list"),
            Event::Listed(_) => state.put("listed"),
            Event::SyncPoll(_) => state.put("poll"),
            Event::Deletion(work) => {
                state.put("deletion");
                self.taint_manager.work_state(work, state);
            }
            Event::Timer(work) => {
                state.put("timer");
                self.taint_manager.work_state(work, state);
            }
            Event::ListPods(run) => state.put(("list of", self.taint_manager.shard_of_run(run))),
            Event::HandlerReturns(run) => {
                state.put(("returns", self.taint_manager.shard_of_run(run)));
            }
            Event::Dispatch(queue) => state.put(("dispatch", queue)),
            Event::Work(shard) => state.put(("work", shard)),
            Event::PodStopped(index) => {
                let (pod, uid, _) = self.stopping[index as usize];
                state.put(("stopped", pod, uid));
            }
            Event::Step(index) => state.put(("step", index)),
        }
    }
}
