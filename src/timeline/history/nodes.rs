//! The taints of each node now, with the step that put each there.

use crate::objects::{Lists, NodeId, Taint, TaintsId};

#[derive(Debug, Default)]
pub(super) struct NodeTable {
    nodes: Vec<Entry>,
}

#[derive(Clone, Debug, Default)]
struct Entry {
    /// `None`: there is no such node.
    taints: Option<TaintsId>,
    /// Parallel to the taints.
    steps: Vec<Option<u32>>,
}

impl NodeTable {
    /// The node has these taints now. Those that it did not have come from `step`.
    pub(super) fn set(
        &mut self,
        node: NodeId,
        taints: Option<TaintsId>,
        step: Option<u32>,
        lists: &Lists,
    ) {
        if self.nodes.len() <= node.index() {
            self.nodes.resize(node.index() + 1, Entry::default());
        }
        let entry = &mut self.nodes[node.index()];
        let old = std::mem::take(entry);
        let old_list = old.taints.map_or(&[][..], |id| lists.taints(id));
        let new_list = taints.map_or(&[][..], |id| lists.taints(id));
        let origin = |taint: &Taint| match old_list.iter().position(|t| t == taint) {
            Some(index) => old.steps[index],
            None => step,
        };
        *entry = Entry { taints, steps: new_list.iter().map(origin).collect() };
    }

    /// The node's taints; `None` where it does not exist.
    pub(super) fn taints(&self, node: NodeId) -> Option<TaintsId> {
        self.nodes.get(node.index())?.taints
    }

    /// The step that gave the node this taint.
    pub(super) fn step_of(&self, node: NodeId, taint: &Taint, lists: &Lists) -> Option<u32> {
        let entry = self.nodes.get(node.index())?;
        let list = lists.taints(entry.taints?);
        let index = list.iter().position(|t| t.same_key_and_effect(taint))?;
        entry.steps[index]
    }
}
