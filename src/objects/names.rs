//! Names of nodes and pods, interned once when a plan is made. The model itself handles ids only.

use indexmap::IndexSet;

use super::ids::{NodeId, PodId};

/// All names of one plan. Every name that a run can meet is known before it starts.
#[derive(Clone, Debug, Default)]
pub struct Names {
    nodes: IndexSet<Box<str>>,
    pods: IndexSet<Box<str>>,
}

impl Names {
    /// The id of the node `name`, made if it is new.
    pub fn intern_node(&mut self, name: &str) -> NodeId {
        NodeId(intern(&mut self.nodes, name))
    }

    /// The id of the pod `namespace/name`, made if it is new.
    pub fn intern_pod(&mut self, namespaced_name: &str) -> PodId {
        debug_assert!(namespaced_name.contains('/'), "{namespaced_name} has no namespace");
        PodId(intern(&mut self.pods, namespaced_name))
    }

    /// The id of the node `name`, if the plan has such a name.
    pub fn find_node(&self, name: &str) -> Option<NodeId> {
        self.nodes.get_index_of(name).map(|i| NodeId(to_u32(i)))
    }

    /// The id of the pod `namespace/name`, if the plan has such a name.
    pub fn find_pod(&self, namespaced_name: &str) -> Option<PodId> {
        self.pods.get_index_of(namespaced_name).map(|i| PodId(to_u32(i)))
    }

    /// The name of a node.
    pub fn node(&self, id: NodeId) -> &str {
        &self.nodes[id.index()]
    }

    /// The `namespace/name` of a pod.
    pub fn pod(&self, id: PodId) -> &str {
        &self.pods[id.index()]
    }

    /// Namespace and name of a pod.
    pub fn pod_parts(&self, id: PodId) -> (&str, &str) {
        let full = self.pod(id);
        full.split_once('/').unwrap_or(("", full))
    }

    /// How many node names there are; ids are below this.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// How many pod names there are; ids are below this.
    pub fn pod_count(&self) -> usize {
        self.pods.len()
    }

    /// All node names in the order of their ids.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &str)> {
        self.nodes.iter().enumerate().map(|(i, name)| (NodeId(to_u32(i)), &**name))
    }

    /// All pod names in the order of their ids.
    pub fn pods(&self) -> impl Iterator<Item = (PodId, &str)> {
        self.pods.iter().enumerate().map(|(i, name)| (PodId(to_u32(i)), &**name))
    }
}

fn intern(set: &mut IndexSet<Box<str>>, name: &str) -> u32 {
    match set.get_index_of(name) {
        Some(index) => to_u32(index),
        None => to_u32(set.insert_full(name.into()).0),
    }
}

fn to_u32(index: usize) -> u32 {
    u32::try_from(index).unwrap_or_else(|_| panic!("more than 2^32 names: {index}"))
}
