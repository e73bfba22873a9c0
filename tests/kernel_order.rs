//! The kernel's order is exact: whatever is pushed, cancelled and popped, it pops what a sorted
//! list would.

use std::collections::BTreeMap;

use proptest::prelude::*;
use taintsim::kernel::{EventQueue, Handle, Time};

#[derive(Clone, Debug)]
enum Operation {
    /// After so many nanoseconds, in a class, with a tie-break.
    Push {
        delay: u64,
        class: u8,
        tie: u32,
        cancellable: bool,
    },
    /// The pending cancellable event of this index, modulo their number.
    Cancel(usize),
    Pop,
    /// Pops what is due within so many nanoseconds.
    PopUntil(u64),
    /// Many at once, spread over a span: drives the queue into its buckets.
    Bulk {
        count: u16,
        span: u64,
    },
}

fn delay() -> impl Strategy<Value = u64> {
    prop_oneof![
        3 => Just(0),
        3 => 1..5u64,
        3 => 0..1_000_000u64,
        2 => 0..600_000_000_000u64,
        1 => Just(300_000_000_000u64),
        1 => 0..u64::MAX / 4,
    ]
}

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        6 => (delay(), 0..8u8, prop_oneof![4 => Just(0), 1 => 0..1u32 << 20], any::<bool>())
            .prop_map(|(delay, class, tie, cancellable)| {
                Operation::Push { delay, class, tie, cancellable }
            }),
        2 => any::<usize>().prop_map(Operation::Cancel),
        6 => Just(Operation::Pop),
        1 => (0..1_000_000u64).prop_map(Operation::PopUntil),
        1 => (1..4_000u16, delay()).prop_map(|(count, span)| Operation::Bulk { count, span }),
    ]
}

/// The dumb way: a map sorted by (time, class, tie, sequence).
#[derive(Default)]
struct Reference {
    now: u64,
    sequence: u64,
    pending: BTreeMap<(u64, u8, u32, u64), u64>,
}

impl Reference {
    fn push(&mut self, time: u64, class: u8, tie: u32) -> ((u64, u8, u32, u64), u64) {
        let key = (time, class, tie, self.sequence);
        self.pending.insert(key, self.sequence);
        self.sequence += 1;
        (key, self.sequence - 1)
    }

    fn pop_until(&mut self, limit: u64) -> Option<(Time, u64)> {
        let (&key, _) = self.pending.first_key_value()?;
        if key.0 > limit {
            return None;
        }
        self.now = key.0;
        self.pending.remove(&key).map(|event| (Time(key.0), event))
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn pops_what_a_sorted_list_would(operations in prop::collection::vec(operation(), 1..200)) {
        let mut queue: EventQueue<u64> = EventQueue::new();
        let mut reference = Reference::default();
        let mut handles: Vec<(Handle, (u64, u8, u32, u64))> = Vec::new();
        for operation in operations {
            match operation {
                Operation::Push { delay, class, tie, cancellable } => {
                    let time = reference.now.saturating_add(delay).min(u64::MAX - 1);
                    let (key, event) = reference.push(time, class, tie);
                    if cancellable {
                        let handle = queue.push_cancellable(Time(time), class, tie, event);
                        handles.push((handle, key));
                    } else {
                        queue.push(Time(time), class, tie, event);
                    }
                }
                Operation::Bulk { count, span } => {
                    for i in 0..u64::from(count) {
                        let offset = if span == 0 { 0 } else { (i * 7_919_113) % span };
                        let time = reference.now.saturating_add(offset).min(u64::MAX - 1);
                        let class = (i % 6) as u8;
                        let (_, event) = reference.push(time, class, 0);
                        queue.push(Time(time), class, 0, event);
                    }
                }
                Operation::Cancel(index) if !handles.is_empty() => {
                    let (handle, key) = handles.swap_remove(index % handles.len());
                    let was_pending = reference.pending.remove(&key).is_some();
                    prop_assert_eq!(queue.cancel(handle), was_pending);
                }
                Operation::Cancel(_) => {}
                Operation::Pop => prop_assert_eq!(queue.pop(), reference.pop_until(u64::MAX)),
                Operation::PopUntil(span) => {
                    let limit = reference.now.saturating_add(span);
                    prop_assert_eq!(queue.pop_until(Time(limit)), reference.pop_until(limit));
                }
            }
            prop_assert_eq!(queue.len(), reference.pending.len());
            prop_assert_eq!(queue.now(), Time(reference.now));
        }
        while let Some(expected) = reference.pop_until(u64::MAX) {
            prop_assert_eq!(queue.pop(), Some(expected));
        }
        prop_assert!(queue.pop().is_none());
    }
}
