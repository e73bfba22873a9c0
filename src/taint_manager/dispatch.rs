//! From the work queues through the channels to the workers.
//!
//! A dispatcher takes the head of its queue and sends it to the channel of the item's shard; where
//! that is full, it waits, and with it everything behind the item. A worker waits on both of its
//! channels; a pod item that it receives is handled after all that stands in its node channel at
//! that moment. Go chooses freely between two ready channels; under `Fifo` it is the node's.

use super::handlers::Handled;
use super::{Dispatcher, Handler, Listers, Listing, Shard, Step, TaintManager};
use crate::clientgo::Sent;
use crate::cluster::choices::Drawn;
use crate::cluster::event::{Event, Queue, schedule};
use crate::kernel::{Span, Time};
use crate::marks::{Mark, Marks};
use crate::objects::{NodeId, PodId};
use crate::timeline::{Cause, Item, Kind, QueueName};

impl TaintManager {
    /// A dispatcher takes an item.
    pub fn dispatch(&mut self, name: QueueName, step: &mut Step<'_>) {
        // What was due when its process stopped comes to the next one, which has not asked for it.
        if !self.running || *self.dispatcher(name) != Dispatcher::Awake {
            return;
        }
        *self.dispatcher(name) = Dispatcher::Idle;
        let taken = match name {
            QueueName::Node => self.node_queue.get(),
            QueueName::Pod => self.pod_queue.get(),
        };
        let Some(item) = taken else { return };
        match name {
            QueueName::Node => self.items.node_dispatched(item),
            QueueName::Pod => self.items.pod_dispatched(item),
        }
        let (pod, node, shard) = self.about(name, item);
        let channel = match name {
            QueueName::Node => &mut self.shards[shard as usize].nodes,
            QueueName::Pod => &mut self.shards[shard as usize].pods,
        };
        match channel.send(item) {
            Sent::Buffered => {
                self.record_moved(name, item, step, Kind::Dispatched);
                wake_worker(&mut self.shards, shard, step.queue);
                self.wake_dispatcher(name, step.queue);
            }
            Sent::Blocked => {
                *self.dispatcher(name) = Dispatcher::Blocked;
                step.marks.hit(match name {
                    QueueName::Node => Mark::NodeChannelFull,
                    QueueName::Pod => Mark::PodChannelFull,
                });
                let cause = self.in_flight_cause(name, item);
                let blocked = Kind::DispatchBlocked(Item { queue: name, shard });
                step.recorder.emit(cause, pod, node, blocked);
            }
        }
    }

    /// The worker of a shard takes an item.
    pub fn work(&mut self, shard: u32, listers: Listers<'_>, step: &mut Step<'_>) {
        self.shards[shard as usize].awake = false;
        if !self.running || self.shards[shard as usize].handler.is_some() {
            return;
        }
        let choice = self.choose_channel(shard, step);
        step.marks.hit_if(Mark::SelectTakesPod, choice == QueueName::Pod);
        let Received { item, unblocked } = self.shards[shard as usize].receive(choice);
        for (name, unblocked) in [QueueName::Pod, QueueName::Node].into_iter().zip(unblocked) {
            if let Some(item) = unblocked {
                self.unblock(name, item, step);
            }
        }
        if let Some((name, item)) = item {
            self.handle(shard, name, item, listers, step);
        }
    }

    /// The channel that the worker's `select` takes.
    fn choose_channel(&self, shard: u32, step: &mut Step<'_>) -> QueueName {
        let shard = &self.shards[shard as usize];
        if shard.held_pod.is_some() || shard.nodes.is_empty() || shard.pods.is_empty() {
            return QueueName::Node;
        }
        let waits = shard.nodes.first().map(|item| self.in_flight_cause(QueueName::Node, item));
        step.choices.select(step.queue.now(), waits.unwrap_or(Cause::ROOT), step.recorder)
    }

    /// A worker's handler: its effects, and what it waits for.
    fn handle(
        &mut self,
        shard: u32,
        name: QueueName,
        item: u32,
        listers: Listers<'_>,
        step: &mut Step<'_>,
    ) {
        let cause = self.record_moved(name, item, step, Kind::HandlerStarted);
        let handled = match name {
            QueueName::Node => self.handle_node(self.items.node(item), listers, cause, step),
            QueueName::Pod => {
                self.handle_pod(self.items.pod(item), listers, cause, step);
                Handled::Done
            }
        };
        match handled {
            Handled::Done => self.effects_are_done(shard, (name, item, cause), step),
            Handled::Lists { node, taints } => {
                let listing = Some(Listing::new(node, taints, cause));
                let now = step.queue.now();
                let handled = (name, item, cause);
                let run = self.keep_worker(shard, handled, (now, listing), step.marks);
                schedule(step.queue, now, Event::ListPods(run));
            }
        }
    }

    /// The handler keeps its worker; gives the run's number.
    fn keep_worker(
        &mut self,
        shard: u32,
        (queue, item, cause): (QueueName, u32, Cause),
        (since, listing): (Time, Option<Listing>),
        marks: &mut Marks,
    ) -> u32 {
        let is_at_it = |shard: &Shard| shard.handler.is_some();
        marks.hit_if(Mark::WorkersOverlap, self.shards.iter().any(is_at_it));
        self.handler_runs += 1;
        let run = self.handler_runs;
        self.shards[shard as usize].handler =
            Some(Handler { run, queue, item, cause, since, listing });
        run
    }

    /// A handler has done what it does; it returns when its time has passed.
    fn effects_are_done(
        &mut self,
        shard: u32,
        handled: (QueueName, u32, Cause),
        step: &mut Step<'_>,
    ) {
        let cost = step.choices.duration(Drawn::HandlerCost, step.handler_cost);
        if cost == Span::ZERO {
            return self.handler_returns(shard, handled.0, handled.1, step);
        }
        let now = step.queue.now();
        let run = self.keep_worker(shard, handled, (now, None), step.marks);
        let end = now.saturating_add(cost);
        schedule(step.queue, end, Event::HandlerReturns(run));
    }

    /// The time of a handler has passed.
    pub fn handler_time_passed(&mut self, run: u32, step: &mut Step<'_>) {
        let Some(shard) = self.shard_of_run(run) else { return };
        if let Some(Handler { queue, item, .. }) = self.shards[shard as usize].handler.take() {
            self.handler_returns(shard, queue, item, step);
        }
    }

    /// The list that a handler waits for; `None` if its process is gone.
    pub fn listing_mut(&mut self, run: u32) -> Option<&mut Listing> {
        let shard = self.shard_of_run(run)?;
        self.shards[shard as usize].handler.as_mut()?.listing.as_mut()
    }

    /// A handler has its list, or gives up.
    pub fn list_returned(&mut self, run: u32, listed: bool, step: &mut Step<'_>) {
        let Some(shard) = self.shard_of_run(run) else { return };
        let Some(handler) = self.shards[shard as usize].handler.take() else { return };
        if let Some(listing) = handler.listing.filter(|_| listed) {
            let Listing { node, taints, pods, .. } = listing;
            self.process_node(node, taints, pods, handler.cause, step);
        }
        self.effects_are_done(shard, (handler.queue, handler.item, handler.cause), step);
    }

    /// Whether this run of a handler has not returned.
    pub fn has_run(&self, run: u32) -> bool {
        self.shard_of_run(run).is_some()
    }

    /// The shard whose worker this run of a handler keeps.
    pub fn shard_of_run(&self, run: u32) -> Option<u32> {
        let is_run = |shard: &Shard| shard.handler.as_ref().is_some_and(|h| h.run == run);
        self.shards.iter().position(is_run).map(|index| index as u32)
    }

    fn handler_returns(&mut self, shard: u32, name: QueueName, item: u32, step: &mut Step<'_>) {
        self.record_moved(name, item, step, Kind::HandlerFinished);
        match name {
            QueueName::Node => {
                self.node_queue.done(item);
                self.items.node_done(item);
            }
            QueueName::Pod => {
                self.pod_queue.done(item);
                self.items.pod_done(item);
            }
        }
        self.wake_dispatcher(name, step.queue);
        if self.shards[shard as usize].is_ready() {
            wake_worker(&mut self.shards, shard, step.queue);
        }
    }

    /// A receive let a blocked dispatcher go on.
    fn unblock(&mut self, name: QueueName, item: u32, step: &mut Step<'_>) {
        debug_assert_eq!(*self.dispatcher(name), Dispatcher::Blocked, "unblocked, not blocked");
        self.record_moved(name, item, step, Kind::Dispatched);
        *self.dispatcher(name) = Dispatcher::Idle;
        self.wake_dispatcher(name, step.queue);
    }

    /// Records a move of an item, which becomes the item's cause.
    fn record_moved(
        &mut self,
        name: QueueName,
        item: u32,
        step: &mut Step<'_>,
        kind: fn(Item) -> Kind,
    ) -> Cause {
        let (pod, node, shard) = self.about(name, item);
        let cause = self.in_flight_cause(name, item);
        let recorded = step.recorder.emit(cause, pod, node, kind(Item { queue: name, shard }));
        match name {
            QueueName::Node => self.node_queue.set_in_flight_cause(item, recorded),
            QueueName::Pod => self.pod_queue.set_in_flight_cause(item, recorded),
        }
        recorded
    }

    fn in_flight_cause(&self, name: QueueName, item: u32) -> Cause {
        match name {
            QueueName::Node => self.node_queue.in_flight_cause(item),
            QueueName::Pod => self.pod_queue.in_flight_cause(item),
        }
    }

    /// Pod, node and shard of an item.
    fn about(&self, name: QueueName, item: u32) -> (Option<PodId>, Option<NodeId>, u32) {
        match name {
            QueueName::Node => {
                let node = self.items.node(item).node;
                (None, Some(node), self.shard_of_item(Some(node)))
            }
            QueueName::Pod => {
                let item = self.items.pod(item);
                (Some(item.pod), item.node, self.shard_of_item(item.node))
            }
        }
    }

    fn dispatcher(&mut self, name: QueueName) -> &mut Dispatcher {
        match name {
            QueueName::Node => &mut self.node_dispatcher,
            QueueName::Pod => &mut self.pod_dispatcher,
        }
    }
}

/// What a worker's turn gives.
struct Received {
    /// What it handles now.
    item: Option<(QueueName, u32)>,
    /// Items of dispatchers (pod, node) that were blocked on its channels.
    unblocked: [Option<u32>; 2],
}

impl Shard {
    /// What the worker handles next. `choice` is the channel that its `select` takes where both
    /// are ready. A pod item that is received waits until the node channel is found empty.
    fn receive(&mut self, choice: QueueName) -> Received {
        let mut unblocked = [None; 2];
        let take_pod = self.nodes.is_empty() || choice == QueueName::Pod;
        if self.held_pod.is_none()
            && take_pod
            && let Some(received) = self.pods.receive()
        {
            self.held_pod = Some(received.item);
            unblocked[0] = received.unblocked;
        }
        let item = match self.nodes.receive() {
            Some(received) => {
                unblocked[1] = received.unblocked;
                Some((QueueName::Node, received.item))
            }
            None => self.held_pod.take().map(|item| (QueueName::Pod, item)),
        };
        Received { item, unblocked }
    }

    /// Whether the worker finds something to do.
    pub(super) fn is_ready(&self) -> bool {
        self.held_pod.is_some() || !self.nodes.is_empty() || !self.pods.is_empty()
    }
}

fn wake_worker(shards: &mut [Shard], shard: u32, queue: &mut Queue) {
    let state = &mut shards[shard as usize];
    if !state.awake && state.handler.is_none() {
        state.awake = true;
        schedule(queue, queue.now(), Event::Work(shard));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clientgo::Channel;

    fn shard() -> Shard {
        Shard {
            nodes: Channel::new(10),
            pods: Channel::new(1),
            held_pod: None,
            awake: false,
            handler: None,
        }
    }

    fn handled(shard: &mut Shard, choice: QueueName) -> Option<(QueueName, u32)> {
        shard.receive(choice).item
    }

    /// Whichever channel the `select` takes, the pod comes after all nodes that were dispatched,
    /// those that came during the drain included.
    #[test]
    fn a_pod_waits_until_the_node_channel_is_empty() {
        for choice in [QueueName::Pod, QueueName::Node] {
            let mut shard = shard();
            shard.pods.send(7);
            shard.nodes.send(1);
            assert_eq!(handled(&mut shard, choice), Some((QueueName::Node, 1)));
            shard.nodes.send(2);
            assert_eq!(handled(&mut shard, choice), Some((QueueName::Node, 2)));
            assert!(shard.is_ready());
            assert_eq!(handled(&mut shard, choice), Some((QueueName::Pod, 7)));
            assert!(!shard.is_ready());
            assert_eq!(handled(&mut shard, choice), None);
        }
    }

    /// A `select` that took the pod frees its place in the channel before the nodes are drained.
    #[test]
    fn a_held_pod_has_left_its_channel() {
        let mut shard = shard();
        shard.pods.send(7);
        shard.pods.send(8);
        shard.nodes.send(1);
        let received = shard.receive(QueueName::Pod);
        assert_eq!(received.item, Some((QueueName::Node, 1)));
        assert_eq!(received.unblocked, [Some(8), None]);
        assert_eq!(handled(&mut shard, QueueName::Pod), Some((QueueName::Pod, 7)));
        assert_eq!(handled(&mut shard, QueueName::Pod), Some((QueueName::Pod, 8)));
    }
}
