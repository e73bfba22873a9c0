//! What the taint manager does about each change of the cluster: which of its looks at the pod, or
//! at its node, come from it.

use std::collections::{BTreeMap, BTreeSet};

use crate::timeline::{Item, Kind, QueueName, Record};
use crate::why::evidence::Evidence;

/// What comes of one change.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reaction {
    /// It adds, skips or cancels work for the pod.
    pub works: bool,
    /// The first look that comes from it, by the number of its record.
    pub looked: Option<u32>,
}

/// The reactions to all changes, by the number of the change's record.
#[derive(Debug, Default)]
pub(super) struct Reactions {
    by_change: BTreeMap<u32, Reaction>,
    /// Work for the pod, whatever it comes from.
    works: BTreeSet<u32>,
}

impl Reactions {
    /// Of everything that the evidence has.
    pub(super) fn of(evidence: &Evidence<'_>) -> Reactions {
        let mut reactions = Reactions::default();
        // An item that waits already stands for further changes of its object, too.
        let mut parked: BTreeMap<(bool, Option<u32>), Vec<u32>> = BTreeMap::new();
        for record in &evidence.records {
            let change = evidence.trigger(record).map(|change| change.seq);
            match &record.kind {
                Kind::Deduplicated(item) => {
                    parked.entry(key(item, record)).or_default().extend(change);
                }
                Kind::HandlerStarted(item) => {
                    let others = parked.remove(&key(item, record)).unwrap_or_default();
                    for change in change.into_iter().chain(others) {
                        let reaction = reactions.by_change.entry(change).or_default();
                        reaction.looked.get_or_insert(record.seq);
                    }
                }
                Kind::EvictionScheduled { .. }
                | Kind::EvictionCancelled { .. }
                | Kind::WorkSkipped { .. } => {
                    reactions.works.insert(record.seq);
                    if let Some(change) = change {
                        reactions.by_change.entry(change).or_default().works = true;
                    }
                }
                _ => {}
            }
        }
        reactions
    }

    /// What comes of a change.
    pub(super) fn to(&self, change: u32) -> Reaction {
        self.by_change.get(&change).copied().unwrap_or_default()
    }

    /// Whether there is work for the pod between two records.
    pub(super) fn has_work(&self, after: u32, before: u32) -> bool {
        after < before && self.works.range(after..before).next().is_some()
    }
}

/// Which queue, and which node; pods' items are all of the one pod.
fn key(item: &Item, record: &Record) -> (bool, Option<u32>) {
    match item.queue {
        QueueName::Node => (true, record.node.map(|node| node.0)),
        QueueName::Pod => (false, None),
    }
}
