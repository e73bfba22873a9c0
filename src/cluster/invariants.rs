//! What must hold between any two events, whatever the scenario. For tests and for whoever doubts:
//! it walks the whole world.

use super::world::World;
use crate::objects::Lists;
use crate::objects::taint::no_execute;

impl World<'_> {
    /// Checks the whole world.
    ///
    /// # Panics
    /// If something does not hold: a bug of the model.
    pub fn assert_invariants(&self) {
        self.index_agrees_with_cache();
        self.timers_are_to_come();
        if self.is_at_rest() {
            self.caches_agree_with_store();
            self.tainted_nodes_agree_with_cache();
        }
    }

    /// Everything that was told has been heard and handled: no watch event, list, queue item or
    /// channel item is under way, and the workers run.
    fn is_at_rest(&self) -> bool {
        self.is_controller_running()
            && !self.broken.is_any()
            && self.pod_watch.is_idle()
            && self.node_watch.is_idle()
            && self.taint_manager.is_at_rest()
    }

    /// The index on `spec.nodeName` has each cached pod once, under its node.
    fn index_agrees_with_cache(&self) {
        let mut indexed = 0;
        for (node, name) in self.plan.names.nodes() {
            for pod in self.pod_informer.pods_on(node) {
                let cached = self.pod_informer.get(pod).and_then(|event| event.node);
                let pod = self.plan.names.pod(pod);
                assert_eq!(cached, Some(node), "the index has {pod} on {name} at {}", self.now());
                indexed += 1;
            }
        }
        let pods = self.plan.names.pods().filter_map(|(pod, _)| self.pod_informer.get(pod));
        let bound = pods.filter(|event| event.node.is_some()).count();
        assert_eq!(indexed, bound, "pods in the index and in the cache at {}", self.now());
    }

    /// One timer at most per name is by construction; each is pending in the queue.
    fn timers_are_to_come(&self) {
        let mut armed = 0;
        for timer in self.timers() {
            assert!(timer.fire_at >= self.now(), "a timer of the past at {}", self.now());
            armed += 1;
        }
        assert!(armed <= self.queue.len(), "{armed} timers, {} events pending", self.queue.len());
    }

    fn caches_agree_with_store(&self) {
        for (pod, name) in self.plan.names.pods() {
            let stored = self.store.pod(pod).map(|object| (object.uid, object.node));
            let cached = self.pod_informer.get(pod).map(|event| (event.uid, event.node));
            assert_eq!(cached, stored, "{name} in the cache and in the store at {}", self.now());
        }
        for (node, name) in self.plan.names.nodes() {
            let stored = self.store.node(node).map(|object| object.taints);
            let cached = self.node_informer.get(node);
            assert_eq!(cached, stored, "{name} in the cache and in the store at {}", self.now());
        }
    }

    /// `taintedNodes` is the NoExecute part of what the node lister has.
    fn tainted_nodes_agree_with_cache(&self) {
        for (node, name) in self.plan.names.nodes() {
            let cached = self.node_informer.get(node).unwrap_or(Lists::NO_TAINTS);
            let expected: Vec<_> = no_execute(self.lists.taints(cached)).cloned().collect();
            let held = self.lists.taints(self.tainted(node));
            assert_eq!(held, expected, "taintedNodes of {name} at {}", self.now());
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::cluster::World;
    use crate::scenario::{LoadOptions, load_text};
    use crate::timeline::Detail;

    /// The checks see a world that is wrong.
    #[test]
    #[should_panic(expected = "in the cache and in the store")]
    fn a_lost_watch_event_is_noticed() {
        let text = "
apiVersion: taintsim.dev/v1alpha1
kind: Scenario
spec:
  nodes: [{name: n1}]
  pods: [{name: p, nodeName: n1}]
  steps: [{at: 1s, deletePod: {pod: p}}]
";
        let loaded = load_text("lost.yaml", text, None, &LoadOptions::default())
            .unwrap_or_else(|failure| panic!("{}", failure.render()));
        let mut world = World::new(&loaded.plan, Detail::Summary);
        world.run(&mut ());
        world.assert_invariants();
        world.store.create_pod(&loaded.plan.pods[0], world.now(), Default::default());
        world.assert_invariants();
    }
}
