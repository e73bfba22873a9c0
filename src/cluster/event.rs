//! Everything that can happen in the model, in one closed list.

use super::choices::Lazy;
use crate::kernel::{EventQueue, Handle, Time};
use crate::plan::{Config, Resource};
use crate::taint_manager::WorkId;
use crate::timeline::QueueName;

/// An event. The order inside an instant is that of [`Event::class`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The next event of the watch on pods arrives at the informer, if the watch is still
    /// that of this opening.
    PodWatch(u32),
    /// The next event of the watch on nodes arrives at the informer.
    NodeWatch(u32),
    /// The informer whose watch broke (by the number of the break) lists again.
    Relist(Resource, u32),
    /// The informers of a controller process (by its number) list.
    List(u32),
    /// What they listed arrives.
    Listed(u32),
    /// A deletion function goes on: it begins, its call reaches the store, its answer arrives, or
    /// it wakes.
    Deletion(WorkId),
    /// A handler (by the number of its run) goes on with the list of its node's pods.
    ListPods(u32),
    /// A dispatcher takes the head of its queue.
    Dispatch(QueueName),
    /// The worker of a shard takes an item.
    Work(u32),
    /// The time of a handler (by the number of its run) has passed.
    HandlerReturns(u32),
    /// The timer of a timed worker fires.
    Timer(WorkId),
    /// A kubelet confirms that a pod has stopped: index into the list of stopping pods.
    PodStopped(u32),
    /// A controller process (by its number) looks whether its caches are in sync.
    SyncPoll(u32),
    /// The step of this index is applied.
    Step(u32),
}

impl Event {
    /// What goes on, for the names of choices.
    pub fn goroutine(self) -> &'static str {
        match self {
            Event::PodWatch(_) | Event::Relist(Resource::Pods, _) => "PodInformer",
            Event::NodeWatch(_) | Event::Relist(Resource::Nodes, _) => "NodeInformer",
            Event::List(_) | Event::Listed(_) | Event::SyncPoll(_) => "Process",
            Event::Deletion(_) => "Deletion",
            Event::ListPods(_) | Event::Work(_) | Event::HandlerReturns(_) => "Worker",
            Event::Dispatch(QueueName::Node) => "NodeDispatcher",
            Event::Dispatch(QueueName::Pod) => "PodDispatcher",
            Event::Timer(_) => "Timer",
            Event::PodStopped(_) => "Kubelet",
            Event::Step(_) => "Burst",
        }
    }

    /// The class within an instant under `Fifo`: watch deliveries; deletion functions and API replies;
    /// dispatchers; workers; due timers; steps of the scenario.
    pub fn class(self) -> u8 {
        match self {
            Event::PodWatch(_)
            | Event::NodeWatch(_)
            | Event::Relist(..)
            | Event::List(_)
            | Event::Listed(_) => 0,
            Event::Deletion(_) | Event::ListPods(_) => 1,
            Event::Dispatch(_) => 2,
            Event::Work(_) | Event::HandlerReturns(_) => 3,
            Event::Timer(_) | Event::PodStopped(_) | Event::SyncPoll(_) => 4,
            Event::Step(_) => 5,
        }
    }
}

/// Tie-breaks are drawn below this.
const TIES: u64 = 1 << 20;
/// The class of everything that Go's scheduler may put in any order.
const ANY: u8 = 0;

/// How the order inside an instant comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// By class and sequence.
    Fifo,
    /// By a tie-break that is drawn when an event is pushed.
    Drawn,
    /// Whoever takes an event picks it; the tie-break is the place that `Fifo` would give it.
    Picked,
}

/// The kernel's queue, with this model's events. Under `Fifo` ties are broken by sequence alone.
/// Else every event but a step has one class: among all goroutines that can go on at an instant,
/// any may be next.
#[derive(Debug)]
pub struct Queue {
    events: EventQueue<Event>,
    order: Order,
    seed: u64,
    ties: Lazy,
}

impl Default for Queue {
    fn default() -> Self {
        let ties = Lazy::new("interleaving.next");
        Queue { events: EventQueue::new(), order: Order::Fifo, seed: 0, ties }
    }
}

impl Queue {
    /// An empty queue at time 0, for a run under this configuration, in which somebody picks what
    /// goes on or not.
    pub(super) fn reset(&mut self, config: &Config, picked: bool) {
        self.events.reset();
        self.order = match (picked, config.taint_manager.random_interleaving) {
            (true, _) => Order::Picked,
            (false, true) => Order::Drawn,
            (false, false) => Order::Fifo,
        };
        self.seed = config.seed;
        self.ties.reset();
    }

    /// The present.
    pub fn now(&self) -> Time {
        self.events.now()
    }

    /// How many events are pending.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether nothing is pending.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Takes the next event if it is due at or before `limit`, and makes its time the present.
    pub fn pop_until(&mut self, limit: Time) -> Option<(Time, Event)> {
        self.events.pop_until(limit)
    }

    /// Under `Random`: how many goroutines could go on at this very time.
    pub fn ready(&self) -> usize {
        if self.order == Order::Drawn { self.events.waiting_now(ANY) } else { 0 }
    }

    /// Whether something is due at or before `limit`; its time is then the present.
    pub(super) fn open_until(&mut self, limit: Time) -> bool {
        self.events.open_until(limit)
    }

    /// What may be next, in the order of `Fifo`; nothing where only steps are left.
    pub(super) fn pickable(&self) -> impl Iterator<Item = Event> + '_ {
        self.events.waiting(ANY)
    }

    /// Takes the first of what may be next that is this event.
    pub(super) fn pick(&mut self, event: Event) -> Option<Event> {
        let place = self.pickable().position(|other| other == event)?;
        self.events.take_waiting(ANY, place)
    }

    /// All that is pending but steps, with its time; in no order that means anything.
    pub(super) fn pending(&self) -> impl Iterator<Item = (Time, Event)> + '_ {
        let all = self.events.pending().filter(|(.., event)| !matches!(event, Event::Step(_)));
        all.map(|(time, _, _, event)| (time, event))
    }

    /// The steps that are pending, in their order: time, class and index.
    pub(super) fn pending_steps(&self) -> Vec<(Time, u8, u32)> {
        let steps = self.events.pending().filter_map(|(time, class, rank, event)| match event {
            Event::Step(index) => Some((time, rank, class, index)),
            _ => None,
        });
        let mut steps: Vec<_> = steps.collect();
        steps.sort_unstable();
        steps.into_iter().map(|(time, _, class, index)| (time, class, index)).collect()
    }

    /// Adds an event that can be cancelled.
    pub fn push_cancellable(&mut self, time: Time, event: Event) -> Handle {
        let (class, tie) = self.rank(event);
        self.events.push_cancellable(time, class, tie, event)
    }

    /// Cancels an event; false if it has been taken or cancelled already.
    pub fn cancel(&mut self, handle: Handle) -> bool {
        self.events.cancel(handle)
    }

    /// Class and tie-break of an event.
    fn rank(&mut self, event: Event) -> (u8, u32) {
        match (self.order, event) {
            (Order::Fifo, _) | (_, Event::Step(_)) => (event.class(), 0),
            (Order::Drawn, _) => (ANY, self.draw_tie()),
            // 0 is for what goes before its class.
            (Order::Picked, _) => (ANY, u32::from(event.class()) + 1),
        }
    }

    fn draw_tie(&mut self) -> u32 {
        self.ties.below(self.seed, TIES) as u32
    }

    /// Schedules a burst, which under `Random` timers of its instant do not precede.
    pub fn schedule_burst(&mut self, time: Time, step: u32) {
        let event = Event::Step(step);
        let tie = match self.order {
            Order::Fifo => return schedule(self, time, event),
            Order::Drawn if time < Time::MAX => self.draw_tie(),
            _ => u32::from(event.class()) + 1,
        };
        if time < Time::MAX {
            self.events.push(time, ANY, tie, event);
        }
    }

    /// Adds an event that `Fifo` has no place for, because it would go before all others of its
    /// time: a goroutine that has nothing to wait for, and could be overtaken all the same.
    pub(super) fn schedule_first(&mut self, time: Time, event: Event) {
        if self.order != Order::Picked {
            schedule(self, time, event);
        } else if time < Time::MAX {
            self.events.push(time, ANY, 0, event);
        }
    }
}

/// Adds an event in its class. What lies beyond the end of time (584 years), where sums saturate,
/// never comes.
pub fn schedule(queue: &mut Queue, time: Time, event: Event) {
    if time < Time::MAX {
        let (class, tie) = queue.rank(event);
        queue.events.push(time, class, tie, event);
    }
}
