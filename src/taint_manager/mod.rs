//! The taint manager (taint-eviction-controller), of any generation: the switches of a
//! [`crate::profile`] say which.
//!
//! Two work queues, a dispatcher for each, shards with one worker each, and the timed worker queue
//! that deletes pods. The taint manager sees the cluster only through informers and its calls;
//! every goroutine of the real one is a small state machine that an event drives.
//!
//! Facts: k8s v1.36 pkg/controller/tainteviction.

mod dispatch;
mod handlers;
mod items;
mod listing;
pub mod pod_deletion;
mod shard;
mod state;
mod timed_workers;
mod view;

pub use listing::{ListNext, ListStage, Listing, SLEEP as LIST_RETRY_SLEEP};
pub use pod_deletion::{Answer, CLIENT_RETRIES, Next, PodCall, RETRY_AFTER, Stage};
pub use timed_workers::{Reading, TimedWorker, WorkId, WorkState, WorkView};
pub use view::{DispatcherView, ItemView, ShardView};

use crate::apiserver::PodEvent;
use crate::clientgo::{Added, Channel, EventRecorder, NodeInformer, PodInformer, WorkQueue};
use crate::cluster::choices::Choices;
use crate::cluster::event::{Event, Queue, schedule};
use crate::cluster::triggers::Triggers;
use crate::kernel::{Handle, SpanRange, Time};
use crate::marks::{Mark, Marks};
use crate::objects::taint::no_execute;
use crate::objects::{Lists, NodeId, PodId, TaintsId};
use crate::plan::Plan;
use crate::profile::Switches;
use crate::timeline::{Cause, EventReason, Item, Kind, QueueName, Recorder, Standing};
use items::Items;
use timed_workers::TimedWorkers;

/// What the taint manager may use besides its own state, at one processing step.
pub struct Step<'a> {
    /// The run's lists.
    pub lists: &'a mut Lists,
    /// The clock and what comes.
    pub queue: &'a mut Queue,
    /// The timeline.
    pub recorder: &'a mut Recorder,
    /// `after` steps.
    pub triggers: &'a mut Triggers,
    /// The clock as this step reads it.
    pub reading: Reading,
    /// How long a handler keeps its worker.
    pub handler_cost: SpanRange,
    /// What chance decides.
    pub choices: &'a mut Choices,
    /// What is counted.
    pub marks: &'a mut Marks,
}

/// The listers.
#[derive(Clone, Copy)]
pub struct Listers<'a> {
    /// Pods, with the index on `spec.nodeName`.
    pub pods: &'a PodInformer,
    /// Nodes.
    pub nodes: &'a NodeInformer,
}

/// A worker and its channels.
#[derive(Debug)]
struct Shard {
    nodes: Channel<u32>,
    pods: Channel<u32>,
    /// A pod item that was received, but waits until the node channel is empty.
    held_pod: Option<u32>,
    /// An event for the worker is pending.
    awake: bool,
    /// The handler that keeps the worker.
    handler: Option<Handler>,
}

/// A handler that does not return at once.
#[derive(Debug)]
struct Handler {
    /// Names this run of it: events of others are void.
    run: u32,
    queue: QueueName,
    item: u32,
    cause: Cause,
    /// When it began.
    since: Time,
    /// It waits for the list of its node's pods; else for its time to pass.
    listing: Option<Listing>,
}

/// A dispatcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Dispatcher {
    /// Waits for its queue.
    Idle,
    /// An event for it is pending.
    Awake,
    /// Waits for room in a channel.
    Blocked,
}

/// The process's memory, and the way of its items.
#[derive(Debug)]
pub struct TaintManager {
    /// Dispatchers and workers run: caches were in sync, and nobody told it to stop.
    running: bool,
    switches: Switches,
    node_queue: WorkQueue,
    pod_queue: WorkQueue,
    items: Items,
    node_dispatcher: Dispatcher,
    pod_dispatcher: Dispatcher,
    shards: Vec<Shard>,
    /// Handlers that did not return at once, so far.
    handler_runs: u32,
    /// Shard of each node's name; the last entry is that of the empty name.
    shard_of: Vec<u32>,
    /// NoExecute taints per node name; the empty list is "absent".
    tainted_nodes: Vec<TaintsId>,
    work: TimedWorkers,
    /// When the last timer fired: only a mark looks at it.
    last_fired: Option<Time>,
    events: EventRecorder,
    /// The NoExecute part of each interned list of taints, where known.
    no_execute: Vec<Option<TaintsId>>,
}

impl Default for TaintManager {
    fn default() -> Self {
        TaintManager {
            running: false,
            switches: crate::profile::NEWEST.switches(),
            node_queue: WorkQueue::default(),
            pod_queue: WorkQueue::default(),
            items: Items::default(),
            node_dispatcher: Dispatcher::Idle,
            pod_dispatcher: Dispatcher::Idle,
            shards: Vec::new(),
            handler_runs: 0,
            shard_of: Vec::new(),
            tainted_nodes: Vec::new(),
            work: TimedWorkers::default(),
            last_fired: None,
            events: EventRecorder::default(),
            no_execute: Vec::new(),
        }
    }
}

impl TaintManager {
    /// The state before the first process.
    pub fn reset(&mut self, plan: &Plan) {
        let names = &plan.names;
        self.switches = plan.config.switches;
        self.handler_runs = 0;
        let workers = plan.config.taint_manager.workers;
        assert!(workers > 0, "a taint manager without workers");
        self.shard_of.clear();
        self.shard_of.extend(names.nodes().map(|(_, name)| shard::shard(name, workers)));
        self.shard_of.push(shard::shard("", workers));
        self.work.reset(names.pod_count());
        self.last_fired = None;
        self.events.reset(names);
        self.no_execute.clear();
        self.pod_queue = WorkQueue::default();
        self.node_queue = WorkQueue::default();
        self.new_process(plan);
    }

    /// A new process: empty memory, workers not yet running.
    pub fn new_process(&mut self, plan: &Plan) {
        debug_assert!(!self.work.has_goroutines(), "the process before it still deletes");
        let config = &plan.config.taint_manager;
        self.running = false;
        let unique = !self.switches.deduplicated_items;
        self.items.reset(unique, plan.names.pod_count(), plan.names.node_count());
        self.node_queue.reset();
        self.pod_queue.reset();
        self.node_dispatcher = Dispatcher::Idle;
        self.pod_dispatcher = Dispatcher::Idle;
        self.shards.clear();
        self.shards.extend((0..config.workers).map(|_| Shard {
            nodes: Channel::new(config.node_channel_capacity as usize),
            pods: Channel::new(config.pod_channel_capacity as usize),
            held_pod: None,
            awake: false,
            handler: None,
        }));
        self.tainted_nodes.clear();
        self.tainted_nodes.resize(plan.names.node_count(), Lists::NO_TAINTS);
    }

    /// Caches are in sync: dispatchers and workers start.
    pub fn start_workers(&mut self, queue: &mut Queue) {
        debug_assert!(!self.running, "started twice");
        self.running = true;
        self.wake_dispatcher(QueueName::Node, queue);
        self.wake_dispatcher(QueueName::Pod, queue);
    }

    /// Told to stop: dispatchers and workers end, timers are cancelled, and no key is left.
    /// Deletions that run go on (graceful stop, 1.35), or end where they are.
    pub fn stop(&mut self, step: &mut Step<'_>) {
        self.running = false;
        self.node_queue.shut_down();
        self.pod_queue.shut_down();
        let mut timers: Vec<Handle> = Vec::new();
        if self.switches.graceful_stop {
            self.work.cancel_all(&mut timers);
            step.marks.hit_if(Mark::StopWaitsForDeletion, self.work.has_goroutines());
        } else {
            step.marks.hit_if(Mark::StopAbandonsDeletion, self.work.has_goroutines());
            self.work.abandon_all(&mut timers);
        }
        step.marks.hit_if(Mark::StopLosesTimers, !timers.is_empty());
        // A handler that has not returned ends with its worker.
        self.shards.iter_mut().for_each(|shard| shard.handler = None);
        for timer in timers {
            let stopped = step.queue.cancel(timer);
            debug_assert!(stopped, "an armed timer was not pending");
        }
    }

    /// Whether some deletion runs.
    pub fn is_deleting(&self) -> bool {
        self.work.has_goroutines()
    }

    /// Event handler for nodes: enqueues the node if its NoExecute taints differ. The comparison
    /// is that of whole lists: order, values and `timeAdded` count.
    pub fn node_updated(
        &mut self,
        node: NodeId,
        (old, new): (Option<TaintsId>, Option<TaintsId>),
        cause: Cause,
        step: &mut Step<'_>,
    ) {
        if let (Some(old), Some(new)) = (old, new)
            && self.no_execute_part(old, step.lists) == self.no_execute_part(new, step.lists)
        {
            return;
        }
        let index = self.items.node_item(node, new);
        self.reserve();
        let item = Item { queue: QueueName::Node, shard: self.shard_of[node.index()] };
        let added = self.node_queue.add(index, cause);
        Self::record_added(added, &mut self.node_queue, index, cause, step, |kind, recorder| {
            recorder.emit(cause, None, Some(node), kind(item))
        });
        self.wake_dispatcher(QueueName::Node, step.queue);
    }

    /// Event handler for pods: enqueues the pod if its tolerations or its node differ. Status,
    /// labels and `deletionTimestamp` do not count.
    pub fn pod_updated(
        &mut self,
        (old, new): (Option<PodEvent>, Option<PodEvent>),
        cause: Cause,
        step: &mut Step<'_>,
    ) {
        if let (Some(old), Some(new)) = (old, new)
            && old.tolerations == new.tolerations
            && old.node == new.node
        {
            step.marks.hit_if(Mark::ReplacedPodDropped, old.uid != new.uid);
            return;
        }
        let Some(event) = new.or(old) else { return };
        let index = self.items.pod_item(event.pod, event.node, new);
        self.reserve();
        let item = Item { queue: QueueName::Pod, shard: self.shard_of_item(event.node) };
        let added = self.pod_queue.add(index, cause);
        Self::record_added(added, &mut self.pod_queue, index, cause, step, |kind, recorder| {
            recorder.emit(cause, Some(event.pod), event.node, kind(item))
        });
        self.wake_dispatcher(QueueName::Pod, step.queue);
    }

    fn record_added(
        added: Option<Added>,
        queue: &mut WorkQueue,
        item: u32,
        cause: Cause,
        step: &mut Step<'_>,
        emit: impl FnOnce(fn(Item) -> Kind, &mut Recorder) -> Cause,
    ) {
        step.marks.hit_if(Mark::ItemParked, added == Some(Added::Parked));
        step.marks.hit_if(Mark::ItemDeduplicated, added == Some(Added::Deduplicated));
        let recorded = match added {
            Some(Added::Queued | Added::Parked) => emit(Kind::Enqueued, step.recorder),
            Some(Added::Deduplicated) => emit(Kind::Deduplicated, step.recorder),
            None => return,
        };
        if recorded != cause {
            queue.set_cause(item, recorded);
        }
    }

    fn wake_dispatcher(&mut self, name: QueueName, queue: &mut Queue) {
        let (dispatcher, waiting) = match name {
            QueueName::Node => (&mut self.node_dispatcher, !self.node_queue.is_empty()),
            QueueName::Pod => (&mut self.pod_dispatcher, !self.pod_queue.is_empty()),
        };
        if self.running && waiting && *dispatcher == Dispatcher::Idle {
            *dispatcher = Dispatcher::Awake;
            schedule(queue, queue.now(), Event::Dispatch(name));
        }
    }

    /// Room for every item that exists.
    fn reserve(&mut self) {
        let (pods, nodes) = self.items.bounds();
        self.pod_queue.reserve(pods);
        self.node_queue.reserve(nodes);
    }

    fn shard_of_item(&self, node: Option<NodeId>) -> u32 {
        let index = node.map_or(self.shard_of.len() - 1, NodeId::index);
        self.shard_of[index]
    }

    /// The list of only the NoExecute taints of `taints`.
    fn no_execute_part(&mut self, taints: TaintsId, lists: &mut Lists) -> TaintsId {
        if let Some(Some(known)) = self.no_execute.get(taints.index()) {
            return *known;
        }
        let part: Vec<_> = no_execute(lists.taints(taints)).cloned().collect();
        let part = lists.intern_taints(&part);
        if self.no_execute.len() <= taints.index() {
            self.no_execute.resize(taints.index() + 1, None);
        }
        self.no_execute[taints.index()] = Some(part);
        part
    }

    fn emit_event(&mut self, pod: PodId, reason: EventReason, cause: Cause, step: &mut Step<'_>) {
        let count = self.events.emit(pod, reason);
        step.recorder.emit(cause, Some(pod), None, Kind::EventRecorded { reason, count });
    }

    /// What stands under a pod's name.
    pub fn standing(&self, pod: PodId) -> Option<Standing> {
        self.work.standing(pod)
    }

    /// Armed timers in the order of the pods' ids.
    pub fn timers(&self) -> impl Iterator<Item = &TimedWorker> + '_ {
        self.work.armed_timers()
    }

    /// What stands under each pod's name, and orphaned timers.
    pub fn works(&self) -> impl Iterator<Item = WorkView> + '_ {
        self.work.view()
    }

    /// The NoExecute taints under which the taint manager has a node; empty for none.
    pub fn tainted(&self, node: NodeId) -> TaintsId {
        self.tainted_nodes[node.index()]
    }

    /// Whether every item has been handled.
    pub fn is_at_rest(&self) -> bool {
        let idle = self.node_queue.is_empty() && self.pod_queue.is_empty();
        idle && self.shards.iter().all(|shard| shard.handler.is_none() && !shard.is_ready())
    }

    /// Whether an item of this pod, or of any node, is on its way to a worker or with one.
    pub fn has_items_for(&self, pod: PodId) -> bool {
        let is_of = |item: u32| self.items.pod(item).pod == pod;
        !self.node_queue.is_empty()
            || self.pod_queue.waiting().any(is_of)
            || self.shards.iter().any(|shard| {
                let pods = shard.pods.iter().chain(shard.pods.blocked()).chain(shard.held_pod);
                !shard.nodes.is_empty() || shard.handler.is_some() || pods.into_iter().any(is_of)
            })
    }

    /// Items that wait in a work queue.
    pub fn queue_length(&self, name: QueueName) -> usize {
        match name {
            QueueName::Node => self.node_queue.len(),
            QueueName::Pod => self.pod_queue.len(),
        }
    }
}
