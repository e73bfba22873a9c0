//! The records about queues, channels and workers, kept small: the page replays them.

use indexmap::IndexSet;

use crate::objects::{NodeId, PodId};
use crate::render::View;
use crate::timeline::{Kind, QueueName, Record};

/// Records that are kept. More of them would make the page too large for a browser; then there is
/// none, and the page says so.
const RECORDS_MAX: usize = 150_000;

/// A work item: its queue's number, its names and its shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct WorkItem {
    pub(super) queue: u8,
    pub(super) pod: Option<PodId>,
    pub(super) node: Option<NodeId>,
    pub(super) shard: u32,
}

/// One move of an item.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    /// How many marks stand before it.
    pub(super) marks_before: u32,
    pub(super) at: u64,
    /// Index into [`MOVES`].
    pub(super) what: u8,
    pub(super) item: u32,
}

/// What a move is called, by its number.
pub(super) const MOVES: [&str; 6] = [
    "Enqueued",
    "Deduplicated",
    "Dispatched",
    "DispatchBlocked",
    "HandlerStarted",
    "HandlerFinished",
];

/// Takes in the moves of a run.
#[derive(Debug, Default)]
pub(super) struct Inner {
    items: IndexSet<WorkItem>,
    moves: Vec<Move>,
    dropped: bool,
}

impl Inner {
    /// Of a run whose moves are not kept.
    pub(super) fn missing() -> Inner {
        Inner { dropped: true, ..Inner::default() }
    }

    /// Takes a record that is shown; `marks` is how many marks the chart has before it.
    pub(super) fn take(&mut self, view: View<'_>, record: &Record, marks: usize) {
        let Some(item) = record.kind.item().filter(|_| !self.dropped) else { return };
        let Some(what) = what(&record.kind) else { return };
        if self.moves.len() == RECORDS_MAX || !view.selection.is_all() {
            *self = Inner::missing();
            return;
        }
        let queue = match item.queue {
            QueueName::Node => 0,
            QueueName::Pod => 1,
        };
        let item = WorkItem { queue, pod: record.pod, node: record.node, shard: item.shard };
        let item = self.items.insert_full(item).0 as u32;
        self.moves.push(Move { marks_before: marks as u32, at: record.at.0, what, item });
    }

    /// The items that moved; moves have their numbers.
    pub(super) fn items(&self) -> impl Iterator<Item = WorkItem> + '_ {
        self.items.iter().copied()
    }

    /// All moves in their order.
    pub(super) fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// There were more than are kept, or only those of some pods.
    pub(super) fn is_dropped(&self) -> bool {
        self.dropped
    }
}

fn what(kind: &Kind) -> Option<u8> {
    Some(match kind {
        Kind::Enqueued(_) => 0,
        Kind::Deduplicated(_) => 1,
        Kind::Dispatched(_) => 2,
        Kind::DispatchBlocked(_) => 3,
        Kind::HandlerStarted(_) => 4,
        Kind::HandlerFinished(_) => 5,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::Item;

    #[test]
    fn moves_are_called_as_their_records_are() {
        let item = Item { queue: QueueName::Node, shard: 0 };
        let kinds: [fn(Item) -> Kind; 6] = [
            Kind::Enqueued,
            Kind::Deduplicated,
            Kind::Dispatched,
            Kind::DispatchBlocked,
            Kind::HandlerStarted,
            Kind::HandlerFinished,
        ];
        for kind in kinds {
            let kind = kind(item);
            assert_eq!(what(&kind).map(|what| MOVES[what as usize]), Some(kind.name()));
        }
    }
}
