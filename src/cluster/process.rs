//! The controller's process: start, cache sync, graceful stop, restart.
//!
//! At the start of a run the caches are in sync at once. A later process lists, and looks every
//! 100 ms whether its caches are in sync (client-go `WaitForCacheSync`); only then do its
//! dispatchers and workers start. A process that is told to stop ends when its running deletions
//! have returned (`CancelAndWait`, 1.35); timers are lost.

use super::choices::Drawn;
use super::event::{Event, schedule};
use super::state::State;
use super::world::World;
use crate::apiserver::{NodeEvent, PodEvent};
use crate::kernel::{Span, Time};
use crate::timeline::{CallPhase, Cause, Kind, Outcome, WatchKind};

/// Period of the poll for cache sync.
const SYNC_POLL: Span = Span::from_millis(100);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Phase {
    /// No process.
    #[default]
    Down,
    /// Told to stop; running deletions are awaited.
    Stopping,
    /// Up; caches not in sync yet.
    Syncing {
        /// The lists have arrived.
        synced: bool,
    },
    /// Dispatchers and workers run.
    Running,
}

/// What there is of the controller at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Controller {
    /// Dispatchers and workers run.
    Running,
    /// It is up, and waits for its caches to be in sync.
    Starting,
    /// It was told to stop, and waits for its running deletions.
    Stopping,
    /// Nothing runs until this time.
    Down(Time),
    /// There is none in this run.
    Absent,
}

/// The process that runs, or comes next.
#[derive(Debug, Default)]
pub struct Process {
    phase: Phase,
    /// Counts processes: events of an earlier one are void.
    number: u32,
    /// When the next process may start.
    start_at: Time,
    /// What caused it to start.
    cause: Cause,
    /// It has sent its lists.
    lists_sent: bool,
    /// Lists under way: object, version, and why the informer hears of it.
    nodes: Vec<(NodeEvent, u64, Cause)>,
    pods: Vec<(PodEvent, u64, Cause)>,
}

impl Process {
    /// Which process runs, or comes next.
    pub(super) fn number(&self) -> u32 {
        self.number
    }

    /// Its part of [`super::state`].
    pub(super) fn state(&self, state: &mut State<'_>) {
        state.put((self.phase, self.start_at, self.lists_sent));
        state.put((self.nodes.len(), self.pods.len()));
        self.nodes.iter().for_each(|(event, ..)| state.node(event));
        self.pods.iter().for_each(|(event, ..)| state.pod(event));
    }
}

impl World<'_> {
    /// Whether a process runs, or when the next one starts.
    pub fn controller(&self) -> Controller {
        match self.process.phase {
            Phase::Running => Controller::Running,
            _ if !self.plan.config.taint_manager.enabled => Controller::Absent,
            Phase::Syncing { .. } => Controller::Starting,
            Phase::Stopping => Controller::Stopping,
            Phase::Down if self.queue.now() >= self.process.start_at => Controller::Starting,
            Phase::Down => Controller::Down(self.process.start_at),
        }
    }

    /// Whether the first lists of a process have arrived.
    pub(super) fn has_first_lists(&self) -> bool {
        matches!(self.process.phase, Phase::Running | Phase::Syncing { synced: true })
    }

    /// Whether dispatchers and workers run.
    pub(super) fn is_controller_running(&self) -> bool {
        self.process.phase == Phase::Running
    }

    /// The process that runs from the start, its caches in sync.
    pub(super) fn first_process(&mut self) {
        self.open_watches(Time::ZERO);
        self.take_lists();
        self.deliver_lists();
        self.process.phase = Phase::Running;
        self.taint_manager.start_workers(&mut self.queue);
    }

    /// The process is told to stop, and a new one starts `down_for` later, or when it has ended.
    pub(super) fn restart_controller(&mut self, down_for: Span, cause: Cause) {
        let now = self.queue.now();
        let mut cause = cause;
        match self.process.phase {
            Phase::Running | Phase::Syncing { .. } => {
                cause = self.emit(cause, Kind::ControllerStopped);
                self.with_taint_manager(|tm, _, step| tm.stop(step));
                self.broken.forget();
                self.pod_watch.close();
                self.node_watch.close();
            }
            Phase::Stopping | Phase::Down => {}
        }
        self.process.number += 1;
        self.process.phase = Phase::Stopping;
        self.process.start_at = self.process.start_at.max(now.saturating_add(down_for));
        self.process.cause = cause;
        self.process_may_end();
    }

    /// Ends a stopping process whose deletions have all returned.
    pub(super) fn process_may_end(&mut self) {
        if self.process.phase == Phase::Stopping && !self.taint_manager.is_deleting() {
            self.process.phase = Phase::Down;
            let start = self.process.start_at.max(self.queue.now());
            self.process.lists_sent = false;
            schedule(&mut self.queue, start, Event::List(self.process.number));
            // The first look comes at once, and seldom finds the caches in sync.
            let poll = Event::SyncPoll(self.process.number);
            match self.choices.is_random() {
                true => self.queue.schedule_first(start, poll),
                false => schedule(&mut self.queue, start.saturating_add(SYNC_POLL), poll),
            }
        }
    }

    /// A new process starts, and sends its lists; or they reach the store.
    pub(super) fn informers_list(&mut self, process: u32) {
        if process != self.process.number {
            return;
        }
        if !self.process.lists_sent {
            self.process.lists_sent = true;
            self.record_list_calls(CallPhase::Sent);
            let latency = self.plan.config.api_server.latency.list;
            let latency = self.choices.duration(Drawn::Latency, latency);
            if latency > Span::ZERO {
                let arrival = self.queue.now().saturating_add(latency);
                return schedule(&mut self.queue, arrival, Event::List(process));
            }
        }
        self.lists_act(process);
    }

    /// A new process's lists reach the store, and its watches open.
    fn lists_act(&mut self, process: u32) {
        self.taint_manager.new_process(self.plan);
        self.pod_informer.reset(&self.plan.names);
        self.node_informer.reset(&self.plan.names);
        self.process.phase = Phase::Syncing { synced: false };
        self.take_lists();
        let reply = self.plan.config.api_server.reply_latency.list;
        let reply = self.choices.duration(Drawn::ReplyLatency, reply);
        let arrival = self.queue.now().saturating_add(reply);
        self.open_watches(self.after_list(arrival));
        if reply == Span::ZERO {
            self.lists_arrive(process);
        } else {
            schedule(&mut self.queue, arrival, Event::Listed(process));
        }
    }

    /// The lists arrive.
    pub(super) fn lists_arrive(&mut self, process: u32) {
        if process != self.process.number {
            return;
        }
        self.record_list_calls(CallPhase::Answered(Outcome::Ok));
        self.deliver_lists();
        self.process.phase = Phase::Syncing { synced: true };
    }

    /// Are the caches in sync? Then the workers start.
    pub(super) fn sync_poll(&mut self, process: u32) {
        if process != self.process.number {
            return;
        }
        if self.process.phase == (Phase::Syncing { synced: true }) {
            self.process.phase = Phase::Running;
            self.emit(self.process.cause, Kind::ControllerStarted);
            self.taint_manager.start_workers(&mut self.queue);
        } else {
            let next = self.queue.now().saturating_add(SYNC_POLL);
            schedule(&mut self.queue, next, Event::SyncPoll(process));
        }
    }

    fn open_watches(&mut self, not_before: Time) {
        self.node_watch.open(not_before);
        self.pod_watch.open(not_before);
    }

    /// Lists the store. What a first process finds, it hears of because somebody made it so; what
    /// a later one finds, because the process started.
    fn take_lists(&mut self) {
        let Process { number, cause, .. } = self.process;
        let why = |object: Cause| if number == 0 { object } else { cause };
        let nodes = self.store.nodes();
        let nodes =
            nodes.iter().map(|(n, o)| (NodeEvent::of(*n, o), o.resource_version, why(o.cause)));
        self.process.nodes = nodes.collect();
        let pods = self.store.pods();
        let pods =
            pods.iter().map(|(p, o)| (PodEvent::of(*p, o), o.resource_version, why(o.cause)));
        self.process.pods = pods.collect();
    }

    /// First nodes, then pods, in the order of creation.
    fn deliver_lists(&mut self) {
        for (node, version, cause) in std::mem::take(&mut self.process.nodes) {
            self.node_heard_of(WatchKind::Added, node, version, cause);
        }
        for (pod, version, cause) in std::mem::take(&mut self.process.pods) {
            self.pod_heard_of(WatchKind::Added, pod, version, cause);
        }
    }

    fn record_list_calls(&mut self, phase: CallPhase) {
        for resource in ["nodes", "pods"] {
            self.emit(self.process.cause, Kind::ApiCall { verb: "list", resource, phase });
        }
    }
}
