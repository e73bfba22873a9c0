//! The event queue: pops events in the order (time, class, tie-break, sequence).
//!
//! The queue is the clock: popping an event makes its time the present. Events of the present
//! instant wait in one lane per class, later ones in a [`super::ladder::Ladder`]. An event may be
//! pushed with a handle, by which it can be cancelled in O(1); the dead entry is dropped when its
//! turn comes, or swept when dead entries outnumber live ones.
//!
//! Cost: 32 bytes per pending event of 8 bytes, and 12 more with a handle. Steady runs allocate
//! nothing.

use std::collections::VecDeque;

use super::ladder::{Entry, Ladder};
use super::time::Time;

/// Classes of events within an instant; lower ones run first.
pub const CLASSES: usize = 8;

const SEQUENCE_BITS: u32 = 40;
const TIE_BITS: u32 = 20;
/// Dead entries below which no sweep is worth its while.
const SWEEP_MIN: usize = 4096;

/// Names a pending event so that it can be cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handle {
    slot: u32,
    generation: u32,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    generation: u32,
    dead: bool,
    next_free: u32,
}

/// The queue; see the module's page. Events are small and `Copy`.
#[derive(Debug)]
pub struct EventQueue<E> {
    now: Time,
    lanes: [VecDeque<Entry<E>>; CLASSES],
    /// Bit i: lane i has entries.
    occupied: u8,
    later: Ladder<E>,
    sequence: u64,
    live: usize,
    dead: usize,
    /// Slot 0 stands for "no handle" and is never used.
    slots: Vec<Slot>,
    first_free: u32,
}

impl<E: Copy> Default for EventQueue<E> {
    fn default() -> Self {
        EventQueue::new()
    }
}

impl<E: Copy> EventQueue<E> {
    /// An empty queue at time 0.
    pub fn new() -> Self {
        EventQueue {
            now: Time::ZERO,
            lanes: std::array::from_fn(|_| VecDeque::new()),
            occupied: 0,
            later: Ladder::new(),
            sequence: 0,
            live: 0,
            dead: 0,
            slots: vec![Slot { generation: 0, dead: false, next_free: 0 }],
            first_free: 0,
        }
    }

    /// Back to an empty queue at time 0, with the memory kept. Old handles become void.
    pub fn reset(&mut self) {
        self.now = Time::ZERO;
        self.lanes.iter_mut().for_each(VecDeque::clear);
        self.occupied = 0;
        self.later.clear();
        self.sequence = 0;
        self.live = 0;
        self.dead = 0;
        self.first_free = 0;
        for index in (1..self.slots.len()).rev() {
            self.slots[index].generation = self.slots[index].generation.wrapping_add(1);
            self.slots[index].dead = false;
            self.slots[index].next_free = self.first_free;
            self.first_free = index as u32;
        }
    }

    /// The present.
    pub fn now(&self) -> Time {
        self.now
    }

    /// How many events are pending, cancelled ones not counted.
    pub fn len(&self) -> usize {
        self.live
    }

    /// Whether nothing is pending.
    pub fn is_empty(&self) -> bool {
        self.live == 0
    }

    /// How many entries of a class are due at the present instant, cancelled ones included.
    pub fn waiting_now(&self, class: u8) -> usize {
        self.lanes[class as usize].len()
    }

    /// Adds an event.
    ///
    /// # Panics
    /// If `time` is past or [`Time::MAX`], or `class` is not below [`CLASSES`], or `tie` is not below 2^20: bugs of
    /// the caller.
    pub fn push(&mut self, time: Time, class: u8, tie: u32, event: E) {
        self.insert(time, class, tie, 0, event);
    }

    /// Adds an event that can be cancelled.
    ///
    /// # Panics
    /// As [`EventQueue::push`].
    pub fn push_cancellable(&mut self, time: Time, class: u8, tie: u32, event: E) -> Handle {
        let slot = self.take_slot();
        self.insert(time, class, tie, slot, event);
        Handle { slot, generation: self.slots[slot as usize].generation }
    }

    /// Cancels the event of `handle`; false if it has been popped or cancelled already.
    pub fn cancel(&mut self, handle: Handle) -> bool {
        let slot = &mut self.slots[handle.slot as usize];
        if slot.generation != handle.generation || slot.dead {
            return false;
        }
        slot.dead = true;
        self.dead += 1;
        self.live -= 1;
        if self.dead > SWEEP_MIN && self.dead > self.live {
            self.sweep();
        }
        true
    }

    /// Pops the next event if it is due at or before `limit`, and makes its time the present.
    pub fn pop_until(&mut self, limit: Time) -> Option<(Time, E)> {
        if limit < self.now {
            return None;
        }
        loop {
            let entry = match self.pop_lane() {
                Some(entry) => entry,
                None => self.open_next_instant(limit)?,
            };
            if self.release(entry.slot) {
                self.live -= 1;
                return Some((self.now, entry.event));
            }
        }
    }

    /// Whether something is due at or before `limit`. If so, its time is the present from now on,
    /// and what waits in the lanes can be looked at and picked.
    pub fn open_until(&mut self, limit: Time) -> bool {
        if limit < self.now {
            return false;
        }
        self.drop_dead_waiting();
        if self.occupied == 0 {
            let Some(first) = self.open_next_instant(limit) else { return false };
            let class = class_of(first.rank);
            self.lanes[class].push_front(first);
            self.occupied |= 1 << class;
            // Others of the same time can be dead.
            self.drop_dead_waiting();
        }
        true
    }

    /// What waits in the lane of a class, in its order. Only after [`EventQueue::open_until`] are
    /// cancelled ones not among them.
    pub fn waiting(&self, class: u8) -> impl Iterator<Item = E> + '_ {
        self.lanes[class as usize].iter().map(|entry| entry.event)
    }

    /// Takes what waits at this place of a lane; `None` if nothing does. As with
    /// [`EventQueue::waiting`], [`EventQueue::open_until`] comes before it.
    pub fn take_waiting(&mut self, class: u8, place: usize) -> Option<E> {
        let lane = &mut self.lanes[class as usize];
        let entry = lane.remove(place)?;
        if lane.is_empty() {
            self.occupied &= !(1 << class);
        }
        let alive = self.release(entry.slot);
        debug_assert!(alive, "a cancelled entry was picked");
        self.live -= 1;
        Some(entry.event)
    }

    /// All that is pending: time, class, what orders entries of one time, and the event. In no
    /// order that means anything.
    pub fn pending(&self) -> impl Iterator<Item = (Time, u8, u64, E)> + '_ {
        let waiting = self.lanes.iter().flatten();
        let all = waiting.chain(self.later.iter());
        let alive = all.filter(|entry| !self.slots[entry.slot as usize].dead);
        alive.map(|entry| (Time(entry.time), class_of(entry.rank) as u8, entry.rank, entry.event))
    }

    fn drop_dead_waiting(&mut self) {
        if self.dead == 0 {
            return;
        }
        for class in 0..CLASSES {
            let mut place = 0;
            while let Some(slot) = self.lanes[class].get(place).map(|entry| entry.slot) {
                if self.slots[slot as usize].dead {
                    self.lanes[class].remove(place);
                    self.release(slot);
                } else {
                    place += 1;
                }
            }
            if self.lanes[class].is_empty() {
                self.occupied &= !(1 << class);
            }
        }
    }

    /// The next entry of the present instant.
    fn pop_lane(&mut self) -> Option<Entry<E>> {
        if self.occupied == 0 {
            return None;
        }
        let index = self.occupied.trailing_zeros() as usize;
        let lane = &mut self.lanes[index];
        let entry = lane.pop_front();
        if lane.is_empty() {
            self.occupied &= !(1 << index);
        }
        debug_assert!(entry.is_some_and(|e| e.time == self.now.0), "a lane holds the present");
        entry
    }

    /// Pops the next event.
    pub fn pop(&mut self) -> Option<(Time, E)> {
        self.pop_until(Time::MAX)
    }

    /// Makes the next instant at or before `limit` the present: returns its first entry, and moves
    /// the others into the lanes.
    fn open_next_instant(&mut self, limit: Time) -> Option<Entry<E>> {
        let first = loop {
            let entry = self.later.pop_until(limit.0)?;
            // A dead entry must not move the clock.
            if entry.slot == 0 || !self.slots[entry.slot as usize].dead {
                break entry;
            }
            self.release(entry.slot);
        };
        debug_assert!(first.time >= self.now.0, "time runs backwards: {}", first.time);
        self.now = Time(first.time);
        while let Some(entry) = self.later.pop_until(first.time) {
            let class = class_of(entry.rank);
            self.lanes[class].push_back(entry);
            self.occupied |= 1 << class;
        }
        Some(first)
    }

    fn insert(&mut self, time: Time, class: u8, tie: u32, slot: u32, event: E) {
        assert!(time >= self.now, "an event at {time}, but it is {} already", self.now);
        assert!(time < Time::MAX, "an event at the end of time");
        assert!((class as usize) < CLASSES, "class {class}");
        assert!(tie < 1 << TIE_BITS, "tie-break {tie}");
        assert!(self.sequence < 1 << SEQUENCE_BITS, "2^40 events");
        let rank = (u64::from(class) << (TIE_BITS + SEQUENCE_BITS))
            | (u64::from(tie) << SEQUENCE_BITS)
            | self.sequence;
        self.sequence += 1;
        self.live += 1;
        let entry = Entry { time: time.0, rank, slot, event };
        if time > self.now {
            self.later.push(entry);
            return;
        }
        self.occupied |= 1 << class;
        let lane = &mut self.lanes[class as usize];
        match lane.back() {
            Some(last) if last.rank > rank => {
                let index = lane.partition_point(|other| other.rank < rank);
                lane.insert(index, entry);
            }
            _ => lane.push_back(entry),
        }
    }

    /// Frees the slot of an entry that leaves the queue; false if the entry is dead.
    fn release(&mut self, slot: u32) -> bool {
        if slot == 0 {
            return true;
        }
        let free = self.first_free;
        let state = &mut self.slots[slot as usize];
        let alive = !state.dead;
        if !alive {
            self.dead -= 1;
        }
        *state =
            Slot { generation: state.generation.wrapping_add(1), dead: false, next_free: free };
        self.first_free = slot;
        alive
    }

    fn take_slot(&mut self) -> u32 {
        if self.first_free == 0 {
            let slot = self.slots.len() as u32;
            self.slots.push(Slot { generation: 0, dead: false, next_free: 0 });
            return slot;
        }
        let slot = self.first_free;
        self.first_free = self.slots[slot as usize].next_free;
        slot
    }

    /// Removes dead entries for good.
    fn sweep(&mut self) {
        let mut freed = Vec::with_capacity(self.dead);
        let slots = &self.slots;
        let mut keep = |entry: &Entry<E>| {
            let dead = slots[entry.slot as usize].dead;
            if dead {
                freed.push(entry.slot);
            }
            !dead
        };
        self.later.retain(&mut keep);
        for (lane, bit) in self.lanes.iter_mut().zip(0..) {
            lane.retain(&mut keep);
            if lane.is_empty() {
                self.occupied &= !(1 << bit);
            }
        }
        for slot in freed {
            self.release(slot);
        }
        debug_assert_eq!(self.dead, 0, "a sweep leaves no dead entry");
    }
}

fn class_of(rank: u64) -> usize {
    (rank >> (TIE_BITS + SEQUENCE_BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drain(queue: &mut EventQueue<u32>) -> Vec<(u64, u32)> {
        std::iter::from_fn(|| queue.pop()).map(|(time, event)| (time.0, event)).collect()
    }

    #[test]
    fn order_is_time_class_tie_sequence() {
        let mut queue = EventQueue::new();
        queue.push(Time(5), 2, 0, 4);
        queue.push(Time(5), 1, 9, 3);
        queue.push(Time(5), 1, 0, 1);
        queue.push(Time(5), 1, 0, 2);
        queue.push(Time(1), 7, 0, 0);
        assert_eq!(drain(&mut queue), [(1, 0), (5, 1), (5, 2), (5, 3), (5, 4)]);
    }

    #[test]
    fn events_of_the_present_keep_class_and_tie() {
        let mut queue = EventQueue::new();
        queue.push(Time(5), 3, 0, 0);
        assert_eq!(queue.pop(), Some((Time(5), 0)));
        queue.push(Time(5), 4, 0, 9);
        queue.push(Time(5), 0, 7, 2);
        queue.push(Time(5), 0, 3, 1);
        queue.push(Time(5), 0, 7, 3);
        assert_eq!(drain(&mut queue), [(5, 1), (5, 2), (5, 3), (5, 9)]);
    }

    #[test]
    fn a_limit_leaves_the_clock_and_later_events_alone() {
        let mut queue = EventQueue::new();
        queue.push(Time(10), 0, 0, 1);
        assert_eq!(queue.pop_until(Time(9)), None);
        assert_eq!(queue.now(), Time::ZERO);
        queue.push(Time(3), 0, 0, 0);
        assert_eq!(drain(&mut queue), [(3, 0), (10, 1)]);
    }

    #[test]
    fn what_waits_is_seen_in_order_and_taken_from_any_place() {
        let mut queue = EventQueue::new();
        queue.push(Time(5), 0, 2, 2);
        queue.push(Time(5), 0, 1, 1);
        let dead = queue.push_cancellable(Time(5), 0, 1, 9);
        queue.push(Time(5), 0, 3, 3);
        queue.push(Time(5), 5, 0, 8);
        queue.push(Time(7), 0, 0, 4);
        queue.cancel(dead);
        assert!(!queue.open_until(Time(4)), "nothing is due");
        assert_eq!(queue.now(), Time::ZERO);
        assert!(queue.open_until(Time(9)) && queue.open_until(Time(9)), "twice is as once");
        assert_eq!(queue.waiting(0).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(queue.take_waiting(0, 1), Some(2));
        assert_eq!(queue.take_waiting(0, 7), None);
        let late = queue.push_cancellable(Time(5), 0, 0, 0);
        queue.open_until(Time(9));
        assert_eq!(queue.waiting(0).collect::<Vec<_>>(), [0, 1, 3]);
        queue.cancel(late);
        let mut pending: Vec<_> = queue.pending().map(|(at, _, _, event)| (at.0, event)).collect();
        pending.sort_unstable();
        assert_eq!(pending, [(5, 1), (5, 3), (5, 8), (7, 4)]);
        assert_eq!(drain(&mut queue), [(5, 1), (5, 3), (5, 8), (7, 4)]);
    }

    #[test]
    fn cancelled_events_neither_run_nor_move_the_clock() {
        let mut queue = EventQueue::new();
        let first = queue.push_cancellable(Time(5), 0, 0, 1);
        let second = queue.push_cancellable(Time(5), 0, 0, 2);
        assert!(queue.cancel(first));
        assert!(!queue.cancel(first), "a second time");
        assert_eq!(queue.len(), 1);
        assert_eq!(queue.pop(), Some((Time(5), 2)));
        assert!(!queue.cancel(second), "after it ran");
        let last = queue.push_cancellable(Time(90), 0, 0, 3);
        assert!(queue.cancel(last));
        assert_eq!(queue.pop(), None);
        assert_eq!(queue.now(), Time(5));
        queue.push(Time(6), 0, 0, 4);
        assert_eq!(queue.pop(), Some((Time(6), 4)));
    }

    #[test]
    fn a_handle_does_not_reach_the_next_user_of_its_slot() {
        let mut queue = EventQueue::new();
        let old = queue.push_cancellable(Time(1), 0, 0, 1);
        queue.pop();
        queue.push_cancellable(Time(2), 0, 0, 2);
        assert!(!queue.cancel(old));
        assert_eq!(queue.pop(), Some((Time(2), 2)));
        queue.push_cancellable(Time(3), 0, 0, 3);
        queue.reset();
        assert!(queue.is_empty());
        queue.push_cancellable(Time(1), 0, 0, 4);
        assert_eq!(drain(&mut queue), [(1, 4)]);
    }

    #[test]
    fn sweeping_keeps_what_is_alive() {
        let mut queue = EventQueue::new();
        let handles: Vec<Handle> = (0..20_000u32)
            .map(|i| queue.push_cancellable(Time(u64::from(i % 977) * 1_000_003), 1, 0, i))
            .collect();
        for (i, handle) in handles.iter().enumerate() {
            if i % 10 != 3 {
                assert!(queue.cancel(*handle));
            }
        }
        assert_eq!(queue.len(), 2_000);
        assert!(queue.dead <= SWEEP_MIN.max(queue.live) + 1, "{} dead", queue.dead);
        let popped = drain(&mut queue);
        assert_eq!(popped.len(), 2_000);
        assert!(popped.iter().all(|(_, event)| event % 10 == 3));
        assert!(popped.windows(2).all(|pair| pair[0].0 <= pair[1].0));
    }

    #[test]
    #[should_panic(expected = "but it is 5ns already")]
    fn the_past_is_closed() {
        let mut queue = EventQueue::new();
        queue.push(Time(5), 0, 0, 1);
        queue.pop();
        queue.push(Time(4), 0, 0, 2);
    }
}
