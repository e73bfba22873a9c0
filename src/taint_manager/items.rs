//! Work items: the numbers that queues and channels carry, and what they stand for.
//!
//! Where queues de-duplicate (1.13), an item is a name, and the same name is the same number. Up
//! to 1.12 items are pointers to the objects of one event: each is a number of its own, free again
//! when it has been handled.

use crate::apiserver::PodEvent;
use crate::objects::{NodeId, PodId, TaintsId};

/// An item of the pod queue: the pod's name with the node that the event named.
#[derive(Clone, Copy, Debug)]
pub struct PodItem {
    /// The pod.
    pub pod: PodId,
    /// The node that the event named.
    pub node: Option<NodeId>,
    /// The new object of the event with which the item was dispatched; `None` for a deletion.
    pub object: Option<PodEvent>,
    /// That of the last event.
    newest: Option<PodEvent>,
    /// The next item of the same pod, or `NONE`.
    next: u32,
}

impl PodItem {
    /// Name, node, and the objects: that of the dispatch, and that of the last event.
    pub fn parts(self) -> (PodId, Option<NodeId>, [Option<PodEvent>; 2]) {
        (self.pod, self.node, [self.object, self.newest])
    }
}

impl NodeItem {
    /// Name, and the taints: those of the dispatch, and those of the last event.
    pub fn parts(self) -> (NodeId, Option<TaintsId>, Option<TaintsId>) {
        (self.node, self.taints, self.newest)
    }
}

/// An item of the node queue.
#[derive(Clone, Copy, Debug)]
pub struct NodeItem {
    /// The node.
    pub node: NodeId,
    /// The taints of the new object of the event with which the item was dispatched; `None` for a
    /// deletion.
    pub taints: Option<TaintsId>,
    /// Those of the last event.
    newest: Option<TaintsId>,
}

const NONE: u32 = u32::MAX;

/// The items that exist.
#[derive(Debug, Default)]
pub struct Items {
    unique: bool,
    pods: Vec<PodItem>,
    /// The first item of each pod, or `NONE`; not for unique items.
    first_of_pod: Vec<u32>,
    free_pods: Vec<u32>,
    nodes: Vec<NodeItem>,
    free_nodes: Vec<u32>,
}

impl Items {
    /// No items, for so many names.
    pub fn reset(&mut self, unique: bool, pods: usize, nodes: usize) {
        self.unique = unique;
        self.pods.clear();
        self.free_pods.clear();
        self.free_nodes.clear();
        self.first_of_pod.clear();
        self.nodes.clear();
        if !unique {
            self.first_of_pod.resize(pods, NONE);
            self.nodes.extend((0..nodes as u32).map(|n| NodeItem {
                node: NodeId(n),
                taints: None,
                newest: None,
            }));
        }
    }

    /// The item of an event about a pod.
    pub fn pod_item(&mut self, pod: PodId, node: Option<NodeId>, object: Option<PodEvent>) -> u32 {
        let item = PodItem { pod, node, object: None, newest: object, next: NONE };
        if self.unique {
            return place(&mut self.pods, &mut self.free_pods, item);
        }
        let mut index = self.first_of_pod[pod.index()];
        while index != NONE {
            let known = &mut self.pods[index as usize];
            if known.node == node {
                known.newest = object;
                return index;
            }
            index = known.next;
        }
        let index = self.pods.len() as u32;
        self.pods.push(PodItem { next: self.first_of_pod[pod.index()], ..item });
        self.first_of_pod[pod.index()] = index;
        index
    }

    /// The item of an event about a node.
    pub fn node_item(&mut self, node: NodeId, taints: Option<TaintsId>) -> u32 {
        let item = NodeItem { node, taints: None, newest: taints };
        if self.unique {
            return place(&mut self.nodes, &mut self.free_nodes, item);
        }
        self.nodes[node.index()].newest = taints;
        node.0
    }

    /// The pod item of this number.
    pub fn pod(&self, item: u32) -> PodItem {
        self.pods[item as usize]
    }

    /// The node item of this number.
    pub fn node(&self, item: u32) -> NodeItem {
        self.nodes[item as usize]
    }

    /// A pod item leaves the queue: what the event carried is what the handler gets.
    pub fn pod_dispatched(&mut self, item: u32) {
        let item = &mut self.pods[item as usize];
        item.object = item.newest;
    }

    /// A node item leaves the queue.
    pub fn node_dispatched(&mut self, item: u32) {
        let item = &mut self.nodes[item as usize];
        item.taints = item.newest;
    }

    /// Numbers of pod items and of node items are below these.
    pub fn bounds(&self) -> (usize, usize) {
        (self.pods.len(), self.nodes.len())
    }

    /// A pod item has been handled.
    pub fn pod_done(&mut self, item: u32) {
        if self.unique {
            self.free_pods.push(item);
        }
    }

    /// A node item has been handled.
    pub fn node_done(&mut self, item: u32) {
        if self.unique {
            self.free_nodes.push(item);
        }
    }
}

fn place<T>(items: &mut Vec<T>, free: &mut Vec<u32>, item: T) -> u32 {
    if let Some(index) = free.pop() {
        items[index as usize] = item;
        return index;
    }
    items.push(item);
    (items.len() - 1) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(unique: bool) -> Items {
        let mut items = Items::default();
        items.reset(unique, 2, 2);
        items
    }

    #[test]
    fn the_same_name_is_the_same_item() {
        let mut items = items(false);
        let first = items.pod_item(PodId(1), None, None);
        let bound = items.pod_item(PodId(1), Some(NodeId(0)), None);
        assert_ne!(first, bound, "the node belongs to the name");
        items.pod_done(first);
        assert_eq!(items.pod_item(PodId(1), None, None), first);
        assert_eq!(items.node_item(NodeId(1), None), items.node_item(NodeId(1), None));
    }

    #[test]
    fn unique_items_are_never_the_same_until_they_are_done() {
        let mut items = items(true);
        let first = items.pod_item(PodId(1), None, None);
        let second = items.pod_item(PodId(1), None, None);
        assert_ne!(first, second);
        items.pod_done(first);
        assert_eq!(items.pod_item(PodId(0), None, None), first, "its place is used again");
        assert_eq!(items.pod(first).pod, PodId(0));
        let node = items.node_item(NodeId(1), None);
        assert_ne!(node, items.node_item(NodeId(1), None));
        items.node_done(node);
        assert_eq!(items.node_item(NodeId(0), None), node);
    }
}
