//! The inside of the taint manager, for those who look at it in the middle of a run.

use super::{Dispatcher, Shard, TaintManager};
use crate::kernel::Time;
use crate::objects::{NodeId, PodId};
use crate::timeline::QueueName;

/// A work item by its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ItemView {
    /// The pod, of an item of the pod queue.
    pub pod: Option<PodId>,
    /// The node.
    pub node: Option<NodeId>,
}

/// A worker with its channels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardView {
    /// What its worker handles, and since when, where that takes time.
    pub handles: Option<(ItemView, Time)>,
    /// A pod item that was received, and waits until the node channel is empty.
    pub holds: Option<ItemView>,
    /// The node channel, oldest first.
    pub nodes: Vec<ItemView>,
    /// The pod channel, oldest first.
    pub pods: Vec<ItemView>,
}

/// A dispatcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DispatcherView {
    /// Waits for its queue, or is about to take its head.
    Ready,
    /// Waits for room in the channel of this shard, with this item.
    Blocked(u32, ItemView),
}

impl TaintManager {
    /// The workers, in the order of their shards.
    pub fn shards(&self) -> impl Iterator<Item = ShardView> + '_ {
        self.shards.iter().map(|shard| ShardView {
            handles: shard
                .handler
                .as_ref()
                .map(|handler| (self.item_view(handler.queue, handler.item), handler.since)),
            holds: shard.held_pod.map(|item| self.item_view(QueueName::Pod, item)),
            nodes: shard.nodes.iter().map(|item| self.item_view(QueueName::Node, item)).collect(),
            pods: shard.pods.iter().map(|item| self.item_view(QueueName::Pod, item)).collect(),
        })
    }

    /// A queue's dispatcher.
    pub fn dispatcher_view(&self, name: QueueName) -> DispatcherView {
        let dispatcher = match name {
            QueueName::Node => self.node_dispatcher,
            QueueName::Pod => self.pod_dispatcher,
        };
        let blocked = |shard: &Shard| match name {
            QueueName::Node => shard.nodes.blocked(),
            QueueName::Pod => shard.pods.blocked(),
        };
        if dispatcher != Dispatcher::Blocked {
            return DispatcherView::Ready;
        }
        let found = (0u32..).zip(&self.shards).find_map(|(n, shard)| Some((n, blocked(shard)?)));
        match found {
            Some((shard, item)) => DispatcherView::Blocked(shard, self.item_view(name, item)),
            None => DispatcherView::Ready,
        }
    }

    /// What waits in a queue, oldest first.
    pub fn queued(&self, name: QueueName) -> impl Iterator<Item = ItemView> + '_ {
        let queue = match name {
            QueueName::Node => &self.node_queue,
            QueueName::Pod => &self.pod_queue,
        };
        queue.waiting().map(move |item| self.item_view(name, item))
    }

    fn item_view(&self, name: QueueName, item: u32) -> ItemView {
        match name {
            QueueName::Node => ItemView { pod: None, node: Some(self.items.node(item).node) },
            QueueName::Pod => {
                let item = self.items.pod(item);
                ItemView { pod: Some(item.pod), node: item.node }
            }
        }
    }
}
