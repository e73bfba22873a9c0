//! client-go's `workqueue`: first in, first out, each item at most once.
//!
//! Promises, as upstream's: an item that is added while it waits stands in the queue once; one
//! that is added while it is processed waits until `done` and then stands in the queue again; two
//! workers never hold the same item. Items are small numbers, so that the sets are arrays.

use std::collections::VecDeque;

use crate::timeline::Cause;

/// What became of an `add`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// It stands at the end of the queue.
    Queued,
    /// It is being processed, and is queued again when that is done.
    Parked,
    /// It waits already.
    Deduplicated,
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// Needs processing: stands in the queue, or is parked.
    dirty: bool,
    /// A worker holds it.
    processing: bool,
    /// The last cause with which it was added since it became dirty.
    cause: Cause,
    /// The cause with which it is processed.
    in_flight: Cause,
}

/// The queue. An item `i` must be below what [`WorkQueue::reserve`] was told.
#[derive(Debug, Default)]
pub struct WorkQueue {
    /// Every item here is dirty and not processing.
    queue: VecDeque<u32>,
    states: Vec<State>,
    shutting_down: bool,
}

impl WorkQueue {
    /// An empty queue, with the memory kept.
    pub fn reset(&mut self) {
        self.queue.clear();
        self.states.fill(State::default());
        self.shutting_down = false;
    }

    /// Makes room for items below `items`.
    pub fn reserve(&mut self, items: usize) {
        if self.states.len() < items {
            self.states.resize(items, State::default());
        }
    }

    /// Adds an item. A queue that shuts down takes nothing: `None`.
    pub fn add(&mut self, item: u32, cause: Cause) -> Option<Added> {
        if self.shutting_down {
            return None;
        }
        let state = &mut self.states[item as usize];
        state.cause = cause;
        if state.dirty {
            return Some(Added::Deduplicated);
        }
        state.dirty = true;
        if state.processing {
            return Some(Added::Parked);
        }
        self.queue.push_back(item);
        Some(Added::Queued)
    }

    /// Takes the head for processing.
    pub fn get(&mut self) -> Option<u32> {
        let item = self.queue.pop_front()?;
        let state = &mut self.states[item as usize];
        debug_assert!(state.dirty, "item {item} stands in the queue, but is not dirty");
        debug_assert!(!state.processing, "item {item} is processed twice at once");
        state.dirty = false;
        state.processing = true;
        state.in_flight = state.cause;
        Some(item)
    }

    /// Replaces the cause of an item that was just added.
    pub fn set_cause(&mut self, item: u32, cause: Cause) {
        self.states[item as usize].cause = cause;
    }

    /// The cause with which an item is processed.
    pub fn in_flight_cause(&self, item: u32) -> Cause {
        self.states[item as usize].in_flight
    }

    /// Replaces the cause with which an item is processed.
    pub fn set_in_flight_cause(&mut self, item: u32, cause: Cause) {
        self.states[item as usize].in_flight = cause;
    }

    /// Says that processing of `item` is over; true if it is queued again.
    pub fn done(&mut self, item: u32) -> bool {
        let state = &mut self.states[item as usize];
        debug_assert!(state.processing, "item {item} is done, but nobody had it");
        state.processing = false;
        if state.dirty && !self.shutting_down {
            self.queue.push_back(item);
        }
        state.dirty
    }

    /// Takes nothing from now on, and forgets what waits: the workers are gone.
    pub fn shut_down(&mut self) {
        self.shutting_down = true;
        self.queue.clear();
    }

    /// Whether it takes nothing any more.
    pub fn is_shutting_down(&self) -> bool {
        self.shutting_down
    }

    /// Whether an item has to be processed, now or when who has it is done.
    pub fn is_dirty(&self, item: u32) -> bool {
        self.states[item as usize].dirty
    }

    /// What waits, oldest first.
    pub fn waiting(&self) -> impl Iterator<Item = u32> + '_ {
        self.queue.iter().copied()
    }

    /// Items that wait.
    pub fn len(&self) -> usize {
        self.queue.len()
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue() -> WorkQueue {
        let mut queue = WorkQueue::default();
        queue.reserve(4);
        queue
    }

    #[test]
    fn an_item_stands_once_and_in_order() {
        let mut queue = queue();
        assert_eq!(queue.add(2, Cause::ROOT), Some(Added::Queued));
        assert_eq!(queue.add(1, Cause::ROOT), Some(Added::Queued));
        assert_eq!(queue.add(2, Cause::ROOT), Some(Added::Deduplicated));
        assert_eq!(queue.get(), Some(2));
        assert_eq!(queue.get(), Some(1));
        assert_eq!(queue.get(), None);
    }

    #[test]
    fn an_item_added_while_processed_comes_again_after_done() {
        let mut queue = queue();
        queue.add(3, Cause::ROOT);
        queue.get();
        assert_eq!(queue.add(3, Cause::ROOT), Some(Added::Parked));
        assert_eq!(queue.add(3, Cause::ROOT), Some(Added::Deduplicated));
        assert_eq!(queue.get(), None, "never two workers at one item");
        assert!(queue.done(3));
        assert_eq!(queue.get(), Some(3));
        assert!(!queue.done(3));
        assert!(queue.is_empty());
    }

    #[test]
    fn a_queue_that_shuts_down_takes_nothing() {
        let mut queue = queue();
        queue.add(1, Cause::ROOT);
        queue.shut_down();
        assert_eq!(queue.add(2, Cause::ROOT), None);
        assert_eq!(queue.get(), None);
        queue.reset();
        assert_eq!(queue.add(1, Cause::ROOT), Some(Added::Queued));
    }
}
