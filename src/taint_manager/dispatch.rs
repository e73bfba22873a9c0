//! From the work queues through the channels to the workers.
//!
//! A dispatcher takes the head of its queue and sends it to the channel of the item's shard; where
//! that is full, it waits, and with it everything behind the item. A worker waits on both of its
//! channels; a pod item that it receives is handled after all that stands in its node channel at
//! that moment. Go chooses freely between two ready channels; under `Fifo` it is the node's.

use super::{Dispatcher, Listers, NONE, PodItem, Shard, Step, TaintManager};
use crate::clientgo::Sent;
use crate::cluster::event::{Event, Queue, schedule};
use crate::objects::{NodeId, PodId};
use crate::timeline::{Cause, Item, Kind, QueueName};

impl TaintManager {
    /// A dispatcher takes an item.
    pub fn dispatch(&mut self, name: QueueName, step: &mut Step<'_>) {
        *self.dispatcher(name) = Dispatcher::Idle;
        if !self.running {
            return;
        }
        let taken = match name {
            QueueName::Node => self.node_queue.get(),
            QueueName::Pod => self.pod_queue.get(),
        };
        let Some(item) = taken else { return };
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
                let cause = self.in_flight_cause(name, item);
                let blocked = Kind::DispatchBlocked(Item { queue: name, shard });
                step.recorder.emit(cause, pod, node, blocked);
            }
        }
    }

    /// The worker of a shard takes an item.
    pub fn work(&mut self, shard: u32, listers: Listers<'_>, step: &mut Step<'_>) {
        self.shards[shard as usize].awake = false;
        if !self.running {
            return;
        }
        let Received { item, unblocked } = self.shards[shard as usize].receive(QueueName::Node);
        for (name, unblocked) in [QueueName::Pod, QueueName::Node].into_iter().zip(unblocked) {
            if let Some(item) = unblocked {
                self.unblock(name, item, step);
            }
        }
        if let Some((name, item)) = item {
            self.handle(name, item, listers, step);
        }
        if self.shards[shard as usize].is_ready() {
            wake_worker(&mut self.shards, shard, step.queue);
        }
    }

    /// A worker's handler, from its start to `Done`.
    fn handle(&mut self, name: QueueName, item: u32, listers: Listers<'_>, step: &mut Step<'_>) {
        let cause = self.record_moved(name, item, step, Kind::HandlerStarted);
        match name {
            QueueName::Node => self.handle_node(NodeId(item), listers, cause, step),
            QueueName::Pod => {
                let PodItem { pod, node, .. } = self.pod_items[item as usize];
                self.handle_pod(pod, node, listers, cause, step);
            }
        }
        self.record_moved(name, item, step, Kind::HandlerFinished);
        let queue = match name {
            QueueName::Node => &mut self.node_queue,
            QueueName::Pod => &mut self.pod_queue,
        };
        queue.done(item);
        self.wake_dispatcher(name, step.queue);
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
        debug_assert_ne!(item, NONE, "no item");
        match name {
            QueueName::Node => (None, Some(NodeId(item)), self.shard_of_item(Some(NodeId(item)))),
            QueueName::Pod => {
                let PodItem { pod, node, .. } = self.pod_items[item as usize];
                (Some(pod), node, self.shard_of_item(node))
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
    if !state.awake {
        state.awake = true;
        schedule(queue, queue.now(), Event::Work(shard));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clientgo::Channel;

    fn shard() -> Shard {
        Shard { nodes: Channel::new(10), pods: Channel::new(1), held_pod: None, awake: false }
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
