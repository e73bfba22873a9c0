//! Informers: a cache fed by a watch, read through a lister and an index.
//!
//! Applying an event gives the old and the new object, as an event handler gets them. The index on
//! `spec.nodeName` yields the pods of a node in the order in which they came to it (Go's order is
//! that of a hash map: open, so any fixed one is possible).

use crate::apiserver::{NodeEvent, PodEvent};
use crate::objects::{Names, NodeId, PodId, TaintsId};
use crate::timeline::WatchKind;

const NONE: u32 = u32::MAX;

/// Neighbours of a pod in its node's list.
#[derive(Clone, Copy, Debug)]
struct Links {
    previous: u32,
    next: u32,
}

#[derive(Clone, Copy, Debug)]
struct Ends {
    first: u32,
    last: u32,
}

/// The informer on pods.
#[derive(Debug, Default)]
pub struct PodInformer {
    cache: Vec<Option<PodEvent>>,
    links: Vec<Links>,
    index: Vec<Ends>,
}

impl PodInformer {
    /// An empty cache for a plan with these names.
    pub fn reset(&mut self, names: &Names) {
        self.cache.clear();
        self.cache.resize(names.pod_count(), None);
        self.links.clear();
        self.links.resize(names.pod_count(), Links { previous: NONE, next: NONE });
        self.index.clear();
        self.index.resize(names.node_count(), Ends { first: NONE, last: NONE });
    }

    /// The lister: the pod of this name, as last heard of.
    pub fn get(&self, pod: PodId) -> Option<&PodEvent> {
        self.cache[pod.index()].as_ref()
    }

    /// The pods in the cache, in the order of their ids.
    pub fn names(&self) -> impl Iterator<Item = PodId> + '_ {
        self.cache.iter().flatten().map(|event| event.pod)
    }

    /// The index on `spec.nodeName`.
    pub fn pods_on(&self, node: NodeId) -> impl Iterator<Item = PodId> + '_ {
        let first = self.index[node.index()].first;
        std::iter::successors((first != NONE).then_some(first), |&pod| {
            let next = self.links[pod as usize].next;
            (next != NONE).then_some(next)
        })
        .map(PodId)
    }

    /// Applies a watch event; returns what the event handlers get as old and new object.
    pub fn apply(
        &mut self,
        kind: WatchKind,
        event: PodEvent,
    ) -> (Option<PodEvent>, Option<PodEvent>) {
        let new = (kind != WatchKind::Deleted).then_some(event);
        let old = std::mem::replace(&mut self.cache[event.pod.index()], new);
        let (from, to) = (old.and_then(|o| o.node), new.and_then(|n| n.node));
        if from != to {
            if let Some(node) = from {
                self.unlink(node, event.pod.0);
            }
            if let Some(node) = to {
                self.link(node, event.pod.0);
            }
        }
        (old, new)
    }

    fn link(&mut self, node: NodeId, pod: u32) {
        let ends = &mut self.index[node.index()];
        let previous = ends.last;
        ends.last = pod;
        if previous == NONE {
            ends.first = pod;
        } else {
            self.links[previous as usize].next = pod;
        }
        self.links[pod as usize] = Links { previous, next: NONE };
    }

    fn unlink(&mut self, node: NodeId, pod: u32) {
        let Links { previous, next } = self.links[pod as usize];
        let ends = &mut self.index[node.index()];
        if previous == NONE {
            debug_assert_eq!(ends.first, pod, "the index forgot a pod");
            ends.first = next;
        } else {
            self.links[previous as usize].next = next;
        }
        if next == NONE {
            ends.last = previous;
        } else {
            self.links[next as usize].previous = previous;
        }
    }
}

/// The informer on nodes.
#[derive(Debug, Default)]
pub struct NodeInformer {
    cache: Vec<Option<TaintsId>>,
}

impl NodeInformer {
    /// An empty cache for a plan with these names.
    pub fn reset(&mut self, names: &Names) {
        self.cache.clear();
        self.cache.resize(names.node_count(), None);
    }

    /// The nodes in the cache, in the order of their ids.
    pub fn names(&self) -> impl Iterator<Item = NodeId> + '_ {
        let cached = (0u32..).zip(&self.cache).filter(|(_, taints)| taints.is_some());
        cached.map(|(id, _)| NodeId(id))
    }

    /// The lister: the taints of the node of this name, as last heard of.
    pub fn get(&self, node: NodeId) -> Option<TaintsId> {
        self.cache[node.index()]
    }

    /// Applies a watch event; returns what the event handlers get as old and new taints.
    pub fn apply(
        &mut self,
        kind: WatchKind,
        event: NodeEvent,
    ) -> (Option<TaintsId>, Option<TaintsId>) {
        let new = (kind != WatchKind::Deleted).then_some(event.taints);
        let old = std::mem::replace(&mut self.cache[event.node.index()], new);
        (old, new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::{TolerationsId, Uid};

    fn event(pod: u32, node: Option<u32>) -> PodEvent {
        PodEvent {
            pod: PodId(pod),
            uid: Uid(pod + 1),
            node: node.map(NodeId),
            tolerations: TolerationsId(0),
        }
    }

    fn informer() -> PodInformer {
        let mut names = Names::default();
        for i in 0..4 {
            names.intern_pod(&format!("ns/p{i}"));
            names.intern_node(&format!("n{i}"));
        }
        let mut informer = PodInformer::default();
        informer.reset(&names);
        informer
    }

    fn on(informer: &PodInformer, node: u32) -> Vec<u32> {
        informer.pods_on(NodeId(node)).map(|pod| pod.0).collect()
    }

    #[test]
    fn the_index_follows_binding_moving_and_deletion() {
        let mut informer = informer();
        for pod in 0..3 {
            informer.apply(WatchKind::Added, event(pod, Some(0)));
        }
        informer.apply(WatchKind::Added, event(3, None));
        assert_eq!(on(&informer, 0), [0, 1, 2]);
        informer.apply(WatchKind::Deleted, event(1, Some(0)));
        assert_eq!(on(&informer, 0), [0, 2]);
        informer.apply(WatchKind::Modified, event(3, Some(0)));
        informer.apply(WatchKind::Modified, event(0, Some(1)));
        assert_eq!(on(&informer, 0), [2, 3]);
        assert_eq!(on(&informer, 1), [0]);
        informer.apply(WatchKind::Deleted, event(3, Some(0)));
        informer.apply(WatchKind::Deleted, event(2, Some(0)));
        assert_eq!(on(&informer, 0), [0; 0]);
    }

    #[test]
    fn handlers_get_old_and_new() {
        let mut informer = informer();
        let unbound = event(2, None);
        let bound = event(2, Some(1));
        assert_eq!(informer.apply(WatchKind::Added, unbound), (None, Some(unbound)));
        assert_eq!(informer.apply(WatchKind::Modified, bound), (Some(unbound), Some(bound)));
        assert_eq!(informer.apply(WatchKind::Deleted, bound), (Some(bound), None));
        assert_eq!(informer.get(PodId(2)), None);
    }
}
