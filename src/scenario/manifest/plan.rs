//! From manifest objects to the objects of a plan.

use super::{NodeObject, Objects, PodObject};
use crate::objects::{Lists, Names};
use crate::plan::{ApplyNode, ApplyPod, NodeSpec, PodSpec};

impl NodeObject {
    /// The node of this name as the plan creates it.
    pub fn spec(&self, name: &str, names: &mut Names, lists: &mut Lists) -> NodeSpec {
        NodeSpec {
            taints: self.taints.unwrap_or(Lists::NO_TAINTS),
            labels: lists.intern_labels(&self.labels),
            unschedulable: self.unschedulable,
            ..NodeSpec::new(names.intern_node(name))
        }
    }

    /// What `apply` of this manifest does.
    pub fn apply(&self, name: &str, names: &mut Names, lists: &mut Lists) -> ApplyNode {
        ApplyNode { create: self.spec(name, names, lists), taints: self.taints }
    }
}

impl PodObject {
    /// The pod `namespace/name` as the plan creates it. Its uid, if any, is pushed to `uids`.
    pub fn spec(
        &self,
        name: &str,
        names: &mut Names,
        lists: &mut Lists,
        uids: &mut Vec<Box<str>>,
    ) -> PodSpec {
        let manifest_uid = self.uid.as_ref().map(|uid| {
            uids.push(uid.clone());
            u32::try_from(uids.len() - 1)
                .unwrap_or_else(|_| panic!("more than 2^32 uids: {}", uids.len()))
        });
        let node = self.node_name.as_ref().map(|node| names.intern_node(node));
        PodSpec {
            tolerations: self.tolerations.unwrap_or(Lists::NO_TOLERATIONS),
            labels: lists.intern_labels(&self.labels),
            grace_period_seconds: self.grace_period_seconds,
            terminating: self.terminating,
            disruption_target: self.disruption_target,
            manifest_uid,
            ..PodSpec::new(names.intern_pod(name), node)
        }
    }

    /// What `apply` of this manifest does, before admission. A new object does not take over a
    /// uid, a `deletionTimestamp` or a status from its manifest: the API server sets those.
    pub fn apply(&self, name: &str, names: &mut Names, lists: &mut Lists) -> ApplyPod {
        let applied = PodObject {
            uid: None,
            terminating: false,
            disruption_target: false,
            ..self.clone()
        };
        let create = applied.spec(name, names, lists, &mut Vec::new());
        ApplyPod { create, tolerations: self.tolerations }
    }
}

impl Objects {
    /// Node names that pods name and no manifest has, each once, in the order of the pods, with
    /// the number of its pods. `known` says which other nodes there are.
    pub fn missing_nodes(&self, known: impl Fn(&str) -> bool) -> Vec<(&str, usize)> {
        let mut missing: indexmap::IndexMap<&str, usize> = indexmap::IndexMap::new();
        let named = self.pods.values().filter_map(|pod| pod.node_name.as_deref());
        for name in named.filter(|name| !self.nodes.contains_key(*name) && !known(name)) {
            *missing.entry(name).or_default() += 1;
        }
        missing.into_iter().collect()
    }
}
