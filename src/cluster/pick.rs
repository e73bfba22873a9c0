//! Which of all that could go on does, where the schedule picks it; see [`super::schedule`].
//!
//! What cannot make a difference is no choice: two events that are the same (the next delivery of
//! one watch), an event that has become void, a delivery without news, and a step of a deletion that nothing else could
//! notice or disturb before it ([`World::is_private`]). The last is a persistent set of one event
//! (Godefroid): whatever the others do before it, they could do after it, with the same result.

use super::event::Event;
use super::world::World;
use crate::apiserver::PodEvent;
use crate::kernel::{SpanRange, Time};
use crate::plan::{Plan, Resource, Verb};
use crate::taint_manager::{Answer, PodCall, Stage, WorkId};
use crate::timeline::{QueueName, Sink, WatchKind};

use super::schedule::ChoicePoint;

impl World<'_> {
    /// The choices that the run has met so far, where its schedule is not the plan's.
    pub fn choice_points(&self) -> &[ChoicePoint] {
        self.choices.points()
    }

    /// Keeps the alternatives of each choice in words from now on.
    pub fn tell_choices(&mut self) {
        if let Some(chooser) = &mut self.choices.chooser {
            chooser.tell();
        }
    }

    /// Between how many goroutines the next event at or before `limit` is a choice: 1 is none, and
    /// 0 says that nothing is due. Only where the schedule is not the plan's.
    pub fn alternatives(&mut self, limit: Time, sink: &mut dyn Sink) -> usize {
        self.start_once(sink);
        if self.choices.chooser.is_none() || !self.queue.open_until(limit) {
            return 0;
        }
        self.gather();
        self.choices.chooser.as_ref().map_or(0, |chooser| chooser.ready.len().max(1))
    }

    /// Picks the next event at or before `limit`: with its time, and which of how many it is.
    pub(super) fn pick_until(&mut self, limit: Time) -> Option<(Time, Event, u32, u32)> {
        if !self.queue.open_until(limit) {
            return None;
        }
        self.gather();
        let now = self.queue.now();
        let mut chooser = self.choices.chooser.take()?;
        let (among, index) = match chooser.ready.len() {
            0 | 1 => (1, 0),
            among => {
                let words = match chooser.tells() {
                    true => chooser.ready.iter().map(|event| self.words(*event)).collect(),
                    false => Vec::new(),
                };
                (among as u32, chooser.next(now, words))
            }
        };
        let picked = chooser.ready.get(index as usize).copied();
        self.choices.chooser = Some(chooser);
        match picked {
            Some(event) => self.queue.pick(event).map(|event| (now, event, among, index)),
            // A step, after all that was due at its time.
            None => self.queue.pop_until(limit).map(|(now, event)| (now, event, 1, 0)),
        }
    }

    /// Fills the chooser's list of what could be next.
    fn gather(&mut self) {
        let Some(mut chooser) = self.choices.chooser.take() else { return };
        chooser.ready.clear();
        for event in self.queue.pickable() {
            if !chooser.ready.contains(&event) {
                chooser.ready.push(event);
            }
        }
        if chooser.ready.len() > 1 {
            let burst = chooser.ready.iter().any(|event| matches!(event, Event::Step(_)));
            let alone = |event: &&Event| {
                self.is_void(**event)
                    || self.is_no_news(**event)
                    || (!burst && self.is_private(**event, &chooser.ready))
            };
            if let Some(event) = chooser.ready.iter().find(alone).copied() {
                chooser.ready.clear();
                chooser.ready.push(event);
            }
        }
        self.choices.chooser = Some(chooser);
    }

    /// Whether nothing comes of an event, now or later.
    pub(super) fn is_void(&self, event: Event) -> bool {
        match event {
            Event::PodWatch(opening) => !self.pod_watch.is_of(opening),
            Event::NodeWatch(opening) => !self.node_watch.is_of(opening),
            Event::Relist(resource, number) => !self.broken.is_of(resource, number),
            Event::List(process) | Event::Listed(process) | Event::SyncPoll(process) => {
                process != self.process.number()
            }
            Event::ListPods(run) | Event::HandlerReturns(run) => !self.taint_manager.has_run(run),
            _ => false,
        }
    }

    /// Whether a delivery tells an informer what it knows: its handlers drop that, and whatever
    /// else happens before it goes behind it in the watch.
    fn is_no_news(&self, event: Event) -> bool {
        match event {
            Event::PodWatch(_) => self.pod_watch.under_way().next().is_some_and(|(kind, event)| {
                kind == WatchKind::Modified && self.pod_informer.get(event.pod) == Some(event)
            }),
            Event::NodeWatch(_) => {
                self.node_watch.under_way().next().is_some_and(|(kind, event)| {
                    kind == WatchKind::Modified
                        && self.node_informer.get(event.node) == Some(event.taints)
                })
            }
            _ => false,
        }
    }

    /// Whether a step of a deletion is its own affair: nothing that can happen at this instant,
    /// with no burst to come, reads what it writes or writes what it reads.
    fn is_private(&self, event: Event, ready: &[Event]) -> bool {
        let Event::Deletion(work) = event else { return false };
        if self.taint_manager.is_abandoned(work) {
            return false;
        }
        let config = &self.plan.config;
        let worker = self.taint_manager.worker(work);
        let deletion = &worker.deletion;
        let draws = |range: SpanRange| range.low != range.high;
        let latency = &config.api_server.latency;
        let sends_alone = ![latency.get, latency.patch, latency.delete].into_iter().any(draws);
        match deletion.stage {
            // The next call goes out, or the function sleeps: nobody sees either.
            Stage::Answered(PodCall::Delete, Answer::Done) => false,
            Stage::Answered(..) | Stage::ToldToWait(_) => sends_alone,
            Stage::Asleep => sends_alone && deletion.attempt < config.taint_manager.delete_retries,
            // An Event, or a look at the pod: private while nobody else has to do with the pod.
            Stage::Begin => self.is_alone_with_its_pod(work, ready),
            Stage::Begun => sends_alone && self.is_alone_with_its_pod(work, ready),
            Stage::Sent(PodCall::Get) => {
                !draws(config.api_server.reply_latency.get)
                    && !has_faults(self.plan, Verb::Get)
                    && self.is_alone_with_its_pod(work, ready)
            }
            Stage::Sent(_) => false,
        }
    }

    /// Whether nobody else can come to this work's pod at this instant, before the work itself
    /// writes the pod: what comes to a pod is a watch event, an item of it or of a node on its way
    /// to a worker, its kubelet, its timer, and another deletion of its name.
    fn is_alone_with_its_pod(&self, work: WorkId, ready: &[Event]) -> bool {
        let pod = self.taint_manager.worker(work).pod;
        let is_other = |event: &Event| match *event {
            Event::Deletion(other) => other != work && self.taint_manager.worker(other).pod == pod,
            Event::Timer(other) => self.taint_manager.worker(other).pod == pod,
            Event::PodStopped(index) => self.stopping[index as usize].0 == pod,
            Event::NodeWatch(_) | Event::Relist(..) | Event::Step(_) => true,
            Event::List(_) | Event::Listed(_) | Event::SyncPoll(_) => true,
            Event::PodWatch(_) | Event::Dispatch(_) | Event::Work(_) => false,
            Event::ListPods(_) | Event::HandlerReturns(_) => true,
        };
        self.is_controller_running()
            && !self.broken.is_any()
            && self.node_watch.is_idle()
            && !self.pod_watch.under_way().any(|(_, event)| event.pod == pod)
            && !self.taint_manager.has_items_for(pod)
            && !ready.iter().any(is_other)
    }

    /// What would go on, for a person.
    fn words(&self, event: Event) -> String {
        let names = &self.plan.names;
        match event {
            Event::PodWatch(_) => match self.pod_watch.under_way().next() {
                Some((kind, PodEvent { pod, .. })) => {
                    format!("the pod informer hears: {} {}", kind.as_str(), names.pod(*pod))
                }
                None => "the pod informer".to_owned(),
            },
            Event::NodeWatch(_) => match self.node_watch.under_way().next() {
                Some((kind, event)) => node_heard(kind, names.node(event.node)),
                None => "the node informer".to_owned(),
            },
            Event::Relist(Resource::Pods, _) => "the pod informer lists again".to_owned(),
            Event::Relist(Resource::Nodes, _) => "the node informer lists again".to_owned(),
            Event::List(_) | Event::Listed(_) => "the new process lists".to_owned(),
            Event::SyncPoll(_) => "the new process looks whether its caches are in sync".to_owned(),
            Event::Deletion(work) => self.deletion_words(work),
            Event::ListPods(_) => "the list of a handler".to_owned(),
            Event::Dispatch(queue) => {
                let head = self.queued(queue).next();
                let pod = head.and_then(|item| item.pod).map(|pod| names.pod(pod));
                let node = head.and_then(|item| item.node).map(|node| names.node(node));
                let which = if queue == QueueName::Node { "node" } else { "pod" };
                match pod.or(node) {
                    Some(name) => format!("the {which} dispatcher takes {name}"),
                    None => format!("the {which} dispatcher, whose queue is empty"),
                }
            }
            Event::Work(shard) => format!("worker {shard} takes {}", self.next_of(shard)),
            Event::HandlerReturns(_) => "a handler returns".to_owned(),
            Event::Timer(work) => {
                let pod = names.pod(self.taint_manager.worker(work).pod);
                format!("the timer of {pod} fires")
            }
            Event::PodStopped(index) => {
                let pod = names.pod(self.stopping[index as usize].0);
                format!("the kubelet says that {pod} has stopped")
            }
            Event::Step(index) => {
                format!("step {} is applied", self.plan.steps[index as usize].number)
            }
        }
    }

    fn deletion_words(&self, work: WorkId) -> String {
        let worker = self.taint_manager.worker(work);
        let pod = self.plan.names.pod(worker.pod);
        let verb = |call| match call {
            PodCall::Get => "GET",
            PodCall::Patch => "PATCH",
            PodCall::Delete => "DELETE",
        };
        match worker.deletion.stage {
            Stage::Begin => format!("the deletion of {pod} begins"),
            Stage::Begun => format!("the deletion of {pod} marks it"),
            Stage::Sent(call) => format!("the {} of {pod} reaches the API server", verb(call)),
            Stage::Answered(PodCall::Delete, Answer::Done) => {
                format!("the deletion of {pod} returns")
            }
            Stage::Answered(call, _) => {
                format!("the deletion of {pod} has the answer to its {}", verb(call))
            }
            Stage::ToldToWait(call) => format!("the {} of {pod} is repeated", verb(call)),
            Stage::Asleep => format!("the deletion of {pod} wakes"),
        }
    }

    /// What waits in the channels of a worker.
    fn next_of(&self, shard: u32) -> String {
        let names = &self.plan.names;
        let Some(view) = self.shards().nth(shard as usize) else { return "nothing".to_owned() };
        let pods = view.holds.iter().chain(&view.pods).filter_map(|item| item.pod);
        let nodes = view.nodes.iter().filter_map(|item| item.node);
        let nodes = nodes.map(|node| names.node(node));
        let waiting: Vec<&str> = nodes.chain(pods.map(|pod| names.pod(pod))).collect();
        match waiting.as_slice() {
            [] => "nothing".to_owned(),
            [one] => (*one).to_owned(),
            several => format!("one of {}", several.join(", ")),
        }
    }
}

fn node_heard(kind: WatchKind, node: &str) -> String {
    format!("the node informer hears: {} {node}", kind.as_str())
}

fn has_faults(plan: &Plan, verb: Verb) -> bool {
    plan.faults.iter().any(|fault| fault.verb == verb)
}

/// Whether the plan has durations or faults that are drawn: those stay as its seed has them,
/// whatever the schedule.
pub fn draws_besides(plan: &Plan) -> bool {
    let mut fixed = plan.clone();
    fixed.config.taint_manager.random_interleaving = false;
    fixed.is_random()
}
