//! Everything that can happen in the model, in one closed list.

use crate::kernel::Time;
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
    /// The class within an instant: watch deliveries; deletion functions and API replies;
    /// dispatchers; workers; due timers; steps of the scenario.
    pub fn class(self) -> u8 {
        match self {
            Event::PodWatch(_) | Event::NodeWatch(_) | Event::List(_) | Event::Listed(_) => 0,
            Event::Deletion(_) | Event::ListPods(_) => 1,
            Event::Dispatch(_) => 2,
            Event::Work(_) | Event::HandlerReturns(_) => 3,
            Event::Timer(_) | Event::PodStopped(_) | Event::SyncPoll(_) => 4,
            Event::Step(_) => 5,
        }
    }
}

/// The kernel's queue, with this model's events.
pub type Queue = crate::kernel::EventQueue<Event>;

/// Adds an event in its class. Under `Fifo`, the only schedule there is so far, ties are broken by
/// sequence alone. What lies beyond the end of time (584 years), where sums saturate, never comes.
pub fn schedule(queue: &mut Queue, time: Time, event: Event) {
    if time < Time::MAX {
        queue.push(time, event.class(), 0, event);
    }
}
