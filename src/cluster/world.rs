//! One run of a plan: the event loop.

use super::choices::{Choice, Choices};
use super::event::{Event, Queue};
use super::process::Process;
use super::relist::BrokenWatches;
use super::schedule::Schedule;
use super::triggers::Triggers;
use crate::apiserver::{Change, Faults, NodeEvent, PodEvent, Store, Watch};
use crate::clientgo::{NodeInformer, PodInformer};
use crate::kernel::Time;
use crate::marks::Marks;
use crate::objects::{Lists, PodId, Uid};
use crate::plan::{Config, Fault, Plan, When};
use crate::taint_manager::{Listers, Reading, Step, TaintManager};
use crate::timeline::{Cause, Context, Detail, Kind, Record, Recorder, Sink};

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// Nothing is pending any more.
    Idle,
    /// `until` is reached; something is pending after it.
    Until,
    /// No `until` was given, and something is pending after 24 h.
    Limit,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// Time of the last event that ran.
    pub at: Time,
    /// Why.
    pub reason: EndReason,
}

/// Records that may pile up before a sink gets them while the first objects are created.
const FLUSH: usize = 1024;

/// One run of a plan. It can be stepped and looked at; see also [`super::view`].
pub struct World<'p> {
    pub(super) plan: &'p Plan,
    pub(super) lists: Lists,
    pub(super) queue: Queue,
    pub(super) recorder: Recorder,
    pub(super) store: Store,
    pub(super) faults: Faults,
    pub(super) pod_watch: Watch<PodEvent>,
    pub(super) node_watch: Watch<NodeEvent>,
    pub(super) pod_informer: PodInformer,
    pub(super) node_informer: NodeInformer,
    pub(super) taint_manager: TaintManager,
    pub(super) process: Process,
    pub(super) triggers: Triggers,
    pub(super) choices: Choices,
    pub(super) broken: BrokenWatches,
    pub(super) marks: Marks,
    pub(super) steps_applied: Vec<bool>,
    /// Pods whose kubelet will confirm: name, incarnation, and what made them terminate.
    pub(super) stopping: Vec<(PodId, Uid, Cause)>,
    /// Changes on their way from the store; kept for its memory.
    pub(super) changes: Vec<(Change, Cause)>,
    /// Processing steps so far.
    step: u64,
    started: bool,
}

impl<'p> World<'p> {
    /// A world before its start: the first step creates the objects.
    pub fn new(plan: &'p Plan, detail: Detail) -> World<'p> {
        World::with_schedule(plan, detail, Schedule::Plan)
    }

    /// A world in which `schedule` decides what Go leaves open.
    pub fn with_schedule(plan: &'p Plan, detail: Detail, schedule: Schedule) -> World<'p> {
        let mut world = World {
            plan,
            lists: plan.lists.clone(),
            queue: Queue::default(),
            recorder: Recorder::new(detail),
            store: Store::default(),
            faults: Faults::default(),
            pod_watch: Watch::default(),
            node_watch: Watch::default(),
            pod_informer: PodInformer::default(),
            node_informer: NodeInformer::default(),
            taint_manager: TaintManager::default(),
            process: Process::default(),
            triggers: Triggers::default(),
            choices: Choices::default(),
            broken: BrokenWatches::default(),
            marks: Marks::default(),
            steps_applied: Vec::new(),
            stopping: Vec::new(),
            changes: Vec::new(),
            step: 0,
            started: false,
        };
        world.reset_with(plan, detail, schedule);
        world
    }

    /// A world before its start for another plan, with the memory of this one.
    pub fn recycle<'q>(self, plan: &'q Plan, detail: Detail) -> World<'q> {
        let mut world = World {
            plan,
            lists: self.lists,
            queue: self.queue,
            recorder: self.recorder,
            store: self.store,
            faults: self.faults,
            pod_watch: self.pod_watch,
            node_watch: self.node_watch,
            pod_informer: self.pod_informer,
            node_informer: self.node_informer,
            taint_manager: self.taint_manager,
            process: self.process,
            triggers: self.triggers,
            choices: self.choices,
            broken: self.broken,
            steps_applied: self.steps_applied,
            stopping: self.stopping,
            changes: self.changes,
            marks: self.marks,
            step: self.step,
            started: self.started,
        };
        world.reset(plan, detail);
        world
    }

    /// Back to before the start, for another plan or the same one, with the memory kept.
    pub fn reset(&mut self, plan: &'p Plan, detail: Detail) {
        self.reset_with(plan, detail, Schedule::Plan);
    }

    /// The same, and `schedule` decides what Go leaves open.
    pub fn reset_with(&mut self, plan: &'p Plan, detail: Detail, schedule: Schedule) {
        self.plan = plan;
        self.lists.clone_from(&plan.lists);
        self.choices.reset(plan, schedule);
        self.queue.reset(&plan.config, self.choices.chooser.is_some());
        self.recorder = Recorder::new(detail);
        self.store.reset(&plan.names);
        self.faults.reset(plan.faults.len(), plan.config.seed);
        self.pod_watch.close();
        self.node_watch.close();
        self.pod_informer.reset(&plan.names);
        self.node_informer.reset(&plan.names);
        self.taint_manager.reset(plan);
        self.process = Process::default();
        self.triggers.reset(plan);
        self.broken = BrokenWatches::default();
        self.marks = Marks::default();
        self.steps_applied.clear();
        self.steps_applied.resize(plan.steps.len(), false);
        self.stopping.clear();
        self.changes.clear();
        self.step = 0;
        self.started = false;
    }

    /// The present virtual time.
    pub fn now(&self) -> Time {
        self.queue.now()
    }

    /// How many events have run.
    pub fn events(&self) -> u64 {
        self.step
    }

    /// The rare paths that this run has taken so far.
    pub fn marks(&self) -> &Marks {
        &self.marks
    }

    /// Names and lists, for sinks and readers.
    pub fn context(&self) -> Context<'_> {
        Context { plan: self.plan, lists: &self.lists }
    }

    /// Numbers of the steps that have not been applied.
    pub fn steps_not_applied(&self) -> impl Iterator<Item = u32> + '_ {
        let numbered = self.plan.steps.iter().zip(&self.steps_applied);
        numbered.filter(|&(_, &applied)| !applied).map(|(step, _)| step.number)
    }

    /// The faults that no call has met so far.
    pub fn faults_unmet(&self) -> impl Iterator<Item = &'p Fault> + '_ {
        self.faults.unmet().map(|index| &self.plan.faults[index])
    }

    /// Runs to the plan's end.
    pub fn run(&mut self, sink: &mut dyn Sink) -> End {
        let until = self.plan.config.until;
        self.run_until(until.unwrap_or(Config::UNBOUNDED_LIMIT), sink);
        let reason = match until {
            _ if self.queue.is_empty() => EndReason::Idle,
            Some(_) => EndReason::Until,
            None => EndReason::Limit,
        };
        End { at: self.queue.now(), reason }
    }

    /// Runs all that is due at or before `time`.
    pub fn run_until(&mut self, time: Time, sink: &mut dyn Sink) {
        while self.step_until(time, sink).is_some() {}
    }

    /// Runs events that are due at or before `time`, `most` of them at most; gives how many ran.
    pub fn run_some(&mut self, time: Time, most: u64, sink: &mut dyn Sink) -> u64 {
        let mut ran = 0;
        while ran < most && self.step_until(time, sink).is_some() {
            ran += 1;
        }
        ran
    }

    /// Runs until a record that `wanted` accepts, or to `limit`; returns that record. What the
    /// same event caused besides has happened as well.
    pub fn run_to_next(
        &mut self,
        limit: Time,
        sink: &mut dyn Sink,
        mut wanted: impl FnMut(&Record) -> bool,
    ) -> Option<Record> {
        let mut watcher = Watcher { inner: sink, wanted: &mut wanted, found: None };
        loop {
            let ran = self.step_until(limit, &mut watcher).is_some();
            if watcher.found.is_some() || !ran {
                return watcher.found;
            }
        }
    }

    /// Runs the next event, whenever it is due; `None` if nothing is pending.
    pub fn step(&mut self, sink: &mut dyn Sink) -> Option<(Time, Event)> {
        self.step_until(Time::MAX, sink)
    }

    /// Runs the next event if it is due at or before `limit`.
    fn step_until(&mut self, limit: Time, sink: &mut dyn Sink) -> Option<(Time, Event)> {
        self.start_once(sink);
        let (now, event, among, index) = match self.choices.chooser {
            None => {
                let (now, event) = self.queue.pop_until(limit)?;
                (now, event, self.queue.ready() as u32 + 1, 0)
            }
            Some(_) => self.pick_until(limit)?,
        };
        self.recorder.advance(now);
        self.step += 1;
        if among > 1 {
            let choice = Choice::Next { goroutine: event.goroutine() };
            self.emit(Cause::ROOT, Kind::ChoiceMade { choice, among, index });
        }
        self.handle(event);
        self.flush(sink);
        Some((now, event))
    }

    /// Starts, if it has not started.
    pub(super) fn start_once(&mut self, sink: &mut dyn Sink) {
        if !self.started {
            self.started = true;
            self.start(sink);
        }
    }

    /// Creates the first objects, starts the controller, and schedules the steps.
    fn start(&mut self, sink: &mut dyn Sink) {
        let plan = self.plan;
        for (index, node) in plan.nodes.iter().enumerate() {
            self.store.create_node(node, Cause::ROOT);
            self.carry_changes();
            if index % FLUSH == 0 {
                self.flush(sink);
            }
        }
        for (index, pod) in plan.pods.iter().enumerate() {
            self.store.create_pod(pod, Time::ZERO, Cause::ROOT);
            self.carry_changes();
            if index % FLUSH == 0 {
                self.flush(sink);
            }
        }
        if plan.config.taint_manager.enabled {
            self.first_process();
        }
        for (step, index) in plan.steps.iter().zip(0..) {
            match step.when {
                When::At(time) => self.schedule_step(time, index),
                // The first step follows the start of the run.
                When::AfterPrevious(span) if index == 0 => {
                    self.schedule_step(Time::ZERO.saturating_add(span), 0);
                }
                When::AfterPrevious(_) | When::After { .. } => {}
            }
        }
        self.flush(sink);
    }

    /// Every cause of change, on one screen.
    fn handle(&mut self, event: Event) {
        match event {
            Event::PodWatch(opening) => self.pod_event_arrives(opening),
            Event::NodeWatch(opening) => self.node_event_arrives(opening),
            Event::Relist(resource, number) => self.relist(resource, number),
            Event::List(process) => self.informers_list(process),
            Event::Listed(process) => self.lists_arrive(process),
            Event::Deletion(work) => self.deletion_goes_on(work),
            Event::ListPods(run) => self.list_goes_on(run),
            Event::HandlerReturns(run) => self.with_taint_manager(|tm, _, step| {
                tm.handler_time_passed(run, step);
            }),
            Event::Dispatch(queue) => self.with_taint_manager(|tm, _, step| {
                tm.dispatch(queue, step);
            }),
            Event::Work(shard) => self.with_taint_manager(|tm, listers, step| {
                tm.work(shard, listers, step);
            }),
            Event::Timer(work) => self.with_taint_manager(|tm, _, step| {
                tm.timer_fired(work, step);
            }),
            Event::PodStopped(index) => self.pod_stopped(index),
            Event::SyncPoll(process) => self.sync_poll(process),
            Event::Step(index) => self.apply_step(index),
        }
    }

    /// Lends the taint manager what it may use.
    pub(super) fn with_taint_manager<T>(
        &mut self,
        run: impl FnOnce(&mut TaintManager, Listers<'_>, &mut Step<'_>) -> T,
    ) -> T {
        let mut step = Step {
            reading: Reading { at: self.queue.now(), step: self.step },
            handler_cost: self.plan.config.taint_manager.handler_cost,
            lists: &mut self.lists,
            queue: &mut self.queue,
            recorder: &mut self.recorder,
            triggers: &mut self.triggers,
            choices: &mut self.choices,
            marks: &mut self.marks,
        };
        let listers = Listers { pods: &self.pod_informer, nodes: &self.node_informer };
        run(&mut self.taint_manager, listers, &mut step)
    }

    fn pod_stopped(&mut self, index: u32) {
        let (pod, uid, cause) = self.stopping[index as usize];
        if self.store.confirm_deletion(pod, uid, cause) {
            self.carry_changes();
        }
    }

    /// Records about something of the world itself.
    pub(super) fn emit(&mut self, cause: Cause, kind: Kind) -> Cause {
        self.recorder.emit(cause, None, None, kind)
    }

    fn flush(&mut self, sink: &mut dyn Sink) {
        let context = Context { plan: self.plan, lists: &self.lists };
        for record in self.recorder.drain() {
            sink.record(context, &record);
        }
    }
}

/// Passes records on and keeps the first one wanted.
struct Watcher<'a> {
    inner: &'a mut dyn Sink,
    wanted: &'a mut dyn FnMut(&Record) -> bool,
    found: Option<Record>,
}

impl Sink for Watcher<'_> {
    fn record(&mut self, context: Context<'_>, record: &Record) {
        if self.found.is_none() && (self.wanted)(record) {
            self.found = Some(record.clone());
        }
        self.inner.record(context, record);
    }
}
