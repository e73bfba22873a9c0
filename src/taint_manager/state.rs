//! The taint manager's part of [`crate::cluster::state`].

use super::timed_workers::WorkId;
use super::{Shard, TaintManager};
use crate::cluster::state::State;

impl TaintManager {
    /// All that what it does next depends on. Counts of Events do not, nor what is remembered to
    /// save work.
    pub fn state(&self, state: &mut State<'_>) {
        state.put((self.running, self.node_dispatcher, self.pod_dispatcher));
        state.put((self.node_queue.is_shutting_down(), self.pod_queue.is_shutting_down()));
        for item in self.node_queue.waiting() {
            self.node_item(item, state);
        }
        state.put(false);
        for item in self.pod_queue.waiting() {
            self.pod_item(item, state);
        }
        state.put(false);
        for shard in &self.shards {
            self.shard(shard, state);
        }
        for taints in &self.tainted_nodes {
            state.taints(*taints);
        }
        self.work.state(state);
    }

    /// One piece of work.
    pub fn work_state(&self, work: WorkId, state: &mut State<'_>) {
        self.work.worker_state(work, state);
    }

    fn shard(&self, shard: &Shard, state: &mut State<'_>) {
        state.put(shard.awake);
        for item in shard.nodes.iter().chain(shard.nodes.blocked()) {
            self.node_item(item, state);
        }
        state.put((false, shard.nodes.len(), shard.nodes.blocked().is_some()));
        for item in shard.pods.iter().chain(shard.pods.blocked()) {
            self.pod_item(item, state);
        }
        state.put((false, shard.pods.len(), shard.pods.blocked().is_some()));
        state.put(shard.held_pod.is_some());
        if let Some(item) = shard.held_pod {
            self.pod_item(item, state);
        }
        state.put(shard.handler.is_some());
        let Some(handler) = &shard.handler else { return };
        state.put(handler.queue);
        match handler.queue {
            crate::timeline::QueueName::Node => self.node_item(handler.item, state),
            crate::timeline::QueueName::Pod => self.pod_item(handler.item, state),
        }
        state.put(handler.listing.is_some());
        if let Some(listing) = &handler.listing {
            listing.state(state);
        }
    }

    /// An item by what it stands for: where items are not names, its number depends on the way.
    fn node_item(&self, item: u32, state: &mut State<'_>) {
        let (node, taints, newest) = self.items.node(item).parts();
        state.put((true, node, self.node_queue.is_dirty(item)));
        state.maybe_taints(taints);
        state.maybe_taints(newest);
    }

    fn pod_item(&self, item: u32, state: &mut State<'_>) {
        let (pod, node, objects) = self.items.pod(item).parts();
        state.put((true, pod, node, self.pod_queue.is_dirty(item)));
        for object in objects {
            state.put(object.is_some());
            if let Some(object) = object {
                state.pod(&object);
            }
        }
    }
}
