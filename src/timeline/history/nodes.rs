//! The taints of each node: now, before the last change, and ever, with what put each there.

use super::entry::Origin;
use super::to_u32;
use crate::kernel::time::Time;
use crate::objects::taint::no_execute;
use crate::objects::{Lists, NodeId, Taint, TaintsId};
use crate::plan::TaintPattern;

#[derive(Debug, Default)]
pub(super) struct NodeTable {
    nodes: Vec<Entry>,
}

#[derive(Clone, Debug, Default)]
struct Entry {
    /// `None`: there is no such node.
    taints: Option<TaintsId>,
    /// The list before the last change.
    before: Option<TaintsId>,
    /// Each taint that the node ever had, as a place in a list, with what put it there last. A
    /// controller that hears late still decides about a taint that is gone.
    origins: Vec<(TaintsId, u32, Origin)>,
    /// Each list with a NoExecute taint that the node had, and until when.
    past: Vec<(TaintsId, Time)>,
}

impl NodeTable {
    /// From `at` on the node has these taints. Those that it did not have come from `origin`.
    pub(super) fn set(
        &mut self,
        node: NodeId,
        taints: Option<TaintsId>,
        (at, origin): (Time, Origin),
        lists: &Lists,
    ) {
        if self.nodes.len() <= node.index() {
            self.nodes.resize(node.index() + 1, Entry::default());
        }
        let entry = &mut self.nodes[node.index()];
        entry.before = std::mem::replace(&mut entry.taints, taints);
        let old = entry.before.map_or(&[][..], |id| lists.taints(id));
        if let Some(id) = entry.before
            && no_execute(old).next().is_some()
        {
            match entry.past.iter_mut().rev().find(|(known, _)| *known == id) {
                Some((_, until)) => *until = at,
                None => entry.past.push((id, at)),
            }
        }
        let Some(id) = taints else { return };
        for (taint, index) in lists.taints(id).iter().zip(0..) {
            if !old.contains(taint) {
                match entry.position(taint, lists) {
                    Some(known) => entry.origins[known].2 = origin,
                    None => entry.origins.push((id, index, origin)),
                }
            }
        }
    }

    /// The node's taints; `None` where it does not exist.
    pub(super) fn taints(&self, node: NodeId) -> Option<TaintsId> {
        self.nodes.get(node.index())?.taints
    }

    /// The first node with a taint that any of these name.
    pub(super) fn with_any(&self, wanted: &[TaintPattern], lists: &Lists) -> Option<NodeId> {
        let names = |taint: &Taint| {
            let is_named = |pattern: &TaintPattern| {
                pattern.key == taint.key
                    && pattern.effect.as_ref().is_none_or(|e| *e == taint.effect)
            };
            wanted.iter().any(is_named)
        };
        let has = |entry: &Entry| entry.taints.is_some_and(|id| lists.taints(id).iter().any(names));
        self.nodes.iter().position(has).map(|index| NodeId(to_u32(index)))
    }

    /// The node's taints before they last changed.
    pub(super) fn taints_before(&self, node: NodeId) -> Option<TaintsId> {
        self.nodes.get(node.index())?.before
    }

    /// The lists with a NoExecute taint that the node had after `since` and has no more.
    pub(super) fn past(&self, node: NodeId, since: Time) -> impl Iterator<Item = TaintsId> + '_ {
        let past = self.nodes.get(node.index()).map_or(&[][..], |entry| &entry.past);
        past.iter().filter(move |(_, until)| *until > since).map(|(id, _)| *id)
    }

    /// What gave the node this taint.
    pub(super) fn origin_of(&self, node: NodeId, taint: &Taint, lists: &Lists) -> Origin {
        let found = self.nodes.get(node.index()).and_then(|entry| {
            let index = entry.position(taint, lists)?;
            Some(entry.origins[index].2)
        });
        found.unwrap_or(Origin::Unknown)
    }
}

impl Entry {
    fn position(&self, taint: &Taint, lists: &Lists) -> Option<usize> {
        self.origins
            .iter()
            .rposition(|(list, index, _)| lists.taints(*list).get(*index as usize) == Some(taint))
    }
}
