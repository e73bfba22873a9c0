//! Pending entries in exact order, for a few or for millions.
//!
//! Few entries live in a binary heap. Beyond [`SPILL`] the later ones move into buckets of time
//! (rungs); a bucket is sorted only when its turn comes, and one that is too full becomes a finer
//! rung. So an entry costs O(1) amortised however many are pending, and order is exact: buckets
//! only sort coarsely, the final order is always that of [`Entry`].
//!
//! Invariant: every entry in `bottom` and `heap` is before `horizon`, every other is at or after
//! it. A push before the horizon goes to the heap, so dead entries that are skipped move no floor
//! that a later push could fall below.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Entries beyond which the heap hands its later half to buckets.
const SPILL: usize = 1024;
/// Entries that a bucket may have to be sorted as it is.
const BUCKET_MAX: usize = 128;
/// Entries that a bucket gets on average.
const BUCKET_MEAN: usize = 32;
/// Rungs beyond which a bucket is sorted whatever its size: times so close do not spread.
const RUNGS_MAX: usize = 12;

/// One pending event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<E> {
    /// Nanoseconds.
    pub time: u64,
    /// Order within one time; unique.
    pub rank: u64,
    /// Slot of the cancellation handle; 0 for none.
    pub slot: u32,
    pub event: E,
}

impl<E> Entry<E> {
    /// Time, then rank, as one number: one comparison without a branch.
    fn key(&self) -> u128 {
        (u128::from(self.time) << 64) | u128::from(self.rank)
    }
}

impl<E> PartialEq for Entry<E> {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl<E> Eq for Entry<E> {}

impl<E> PartialOrd for Entry<E> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> Ord for Entry<E> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

/// Buckets of equal width over `start..end`.
#[derive(Debug)]
struct Rung<E> {
    start: u64,
    /// Exclusive; entries at or after it belong to the rung below or to `far`.
    end: u64,
    width: u64,
    /// The next bucket to take; those before it are empty.
    current: usize,
    buckets: Vec<Vec<Entry<E>>>,
}

#[derive(Debug)]
pub(super) struct Ladder<E> {
    /// Sorted, the next entry last.
    bottom: Vec<Entry<E>>,
    heap: BinaryHeap<Reverse<Entry<E>>>,
    horizon: u64,
    /// Coarse to fine; each covers a part of one bucket of the rung before it.
    rungs: Vec<Rung<E>>,
    far: Vec<Entry<E>>,
    /// Emptied buckets and rungs, kept for their memory.
    spare_buckets: Vec<Vec<Entry<E>>>,
    spare_rungs: Vec<Vec<Vec<Entry<E>>>>,
}

impl<E: Copy> Ladder<E> {
    pub(super) fn new() -> Self {
        Ladder {
            bottom: Vec::new(),
            heap: BinaryHeap::new(),
            horizon: u64::MAX,
            rungs: Vec::new(),
            far: Vec::new(),
            spare_buckets: Vec::new(),
            spare_rungs: Vec::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.bottom.clear();
        self.heap.clear();
        self.far.clear();
        while let Some(rung) = self.rungs.pop() {
            self.retire(rung);
        }
        self.horizon = u64::MAX;
    }

    pub(super) fn push(&mut self, entry: Entry<E>) {
        if entry.time < self.horizon || self.horizon == u64::MAX {
            self.heap.push(Reverse(entry));
            if self.heap.len() > SPILL && self.rungs.len() < RUNGS_MAX {
                self.spill();
            }
            return;
        }
        for rung in self.rungs.iter_mut().rev() {
            if entry.time < rung.end {
                debug_assert!(entry.time >= rung.start, "an entry before its rung");
                // In range: the quotient is below the number of buckets, a usize.
                let index = ((entry.time - rung.start) / rung.width) as usize;
                debug_assert!(index >= rung.current, "an entry for a bucket that has gone");
                rung.buckets[index].push(entry);
                return;
            }
        }
        self.far.push(entry);
    }

    /// Takes the next entry, if its time is at or before `limit`.
    pub(super) fn pop_until(&mut self, limit: u64) -> Option<Entry<E>> {
        if self.bottom.is_empty() && self.heap.is_empty() && !self.refill() {
            return None;
        }
        let sorted = self.bottom.last();
        let heaped = self.heap.peek().map(|Reverse(entry)| entry);
        let from_heap = match (sorted, heaped) {
            (Some(sorted), Some(heaped)) => heaped < sorted,
            (sorted, _) => sorted.is_none(),
        };
        let next = if from_heap { heaped } else { sorted };
        if next.is_none_or(|entry| entry.time > limit) {
            return None;
        }
        if from_heap { self.heap.pop().map(|Reverse(entry)| entry) } else { self.bottom.pop() }
    }

    /// Every entry, in no order that means anything.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Entry<E>> {
        let heap = self.heap.iter().map(|Reverse(entry)| entry);
        let rungs = self.rungs.iter().flat_map(|rung| rung.buckets.iter().flatten());
        self.bottom.iter().chain(heap).chain(rungs).chain(&self.far)
    }

    /// Keeps only the entries for which `keep` says so.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(&Entry<E>) -> bool) {
        self.bottom.retain(&mut keep);
        self.heap.retain(|Reverse(entry)| keep(entry));
        self.far.retain(&mut keep);
        for rung in &mut self.rungs {
            for bucket in &mut rung.buckets {
                bucket.retain(&mut keep);
            }
        }
    }

    /// Moves what is before the horizon into buckets of its own.
    fn spill(&mut self) {
        let mut entries = self.take_bucket();
        entries.append(&mut self.bottom);
        entries.extend(self.heap.drain().map(|Reverse(entry)| entry));
        if self.rungs.is_empty() && self.far.is_empty() {
            self.far.append(&mut entries);
            self.spare(entries);
            // Whatever comes is at or after the least of them or takes its place in the heap.
            self.horizon = self.far.iter().map(|entry| entry.time).min().unwrap_or(u64::MAX);
        } else {
            let end = self.horizon;
            self.horizon = self.add_rung(entries, end);
        }
    }

    /// Builds a rung of `entries`, all before `end`; returns its start.
    fn add_rung(&mut self, mut entries: Vec<Entry<E>>, end: u64) -> u64 {
        let start = entries.iter().map(|entry| entry.time).min().unwrap_or(end);
        let count = (entries.len() / BUCKET_MEAN).max(2);
        let width = (end - start).div_ceil(count as u64).max(1);
        let mut buckets = self.spare_rungs.pop().unwrap_or_default();
        debug_assert!(buckets.is_empty(), "a retired rung keeps no buckets");
        let needed = (end - start).div_ceil(width) as usize;
        debug_assert!(needed <= count, "{needed} buckets for {count}");
        for _ in 0..needed {
            buckets.push(self.spare_buckets.pop().unwrap_or_default());
        }
        for entry in entries.drain(..) {
            buckets[((entry.time - start) / width) as usize].push(entry);
        }
        self.spare(entries);
        self.rungs.push(Rung { start, end, width, current: 0, buckets });
        start
    }

    /// Makes the next bucket the bottom; false if nothing is left.
    fn refill(&mut self) -> bool {
        debug_assert!(self.bottom.is_empty() && self.heap.is_empty(), "refill over entries");
        loop {
            let Some(rung) = self.rungs.last_mut() else {
                if self.far.is_empty() {
                    self.horizon = u64::MAX;
                    return false;
                }
                let entries = std::mem::take(&mut self.far);
                self.far = self.take_bucket();
                let last = entries.iter().map(|entry| entry.time).max().unwrap_or(0);
                // No overflow: the queue takes no event at the end of time.
                self.horizon = self.add_rung(entries, last + 1);
                continue;
            };
            while rung.current < rung.buckets.len() && rung.buckets[rung.current].is_empty() {
                rung.current += 1;
            }
            if rung.current == rung.buckets.len() {
                let end = rung.end;
                if let Some(rung) = self.rungs.pop() {
                    self.retire(rung);
                }
                self.horizon = end;
                continue;
            }
            let bucket = std::mem::take(&mut rung.buckets[rung.current]);
            rung.current += 1;
            let bucket_end = rung
                .start
                .saturating_add(rung.width.saturating_mul(rung.current as u64))
                .min(rung.end);
            if self.must_split(&bucket) {
                self.horizon = self.add_rung(bucket, bucket_end);
                continue;
            }
            let emptied = std::mem::replace(&mut self.bottom, bucket);
            self.spare(emptied);
            self.bottom.sort_unstable_by(|a, b| b.cmp(a));
            self.horizon = bucket_end;
            return true;
        }
    }

    fn must_split(&self, bucket: &[Entry<E>]) -> bool {
        bucket.len() > BUCKET_MAX
            && self.rungs.len() < RUNGS_MAX
            && bucket.iter().any(|entry| entry.time != bucket[0].time)
    }

    fn take_bucket(&mut self) -> Vec<Entry<E>> {
        self.spare_buckets.pop().unwrap_or_default()
    }

    fn retire(&mut self, mut rung: Rung<E>) {
        for bucket in rung.buckets.drain(..) {
            self.spare(bucket);
        }
        self.spare_rungs.push(rung.buckets);
    }

    /// Keeps a bucket for its memory, if it has any: one that became the bottom left none.
    fn spare(&mut self, mut bucket: Vec<Entry<E>>) {
        if bucket.capacity() > 0 {
            bucket.clear();
            self.spare_buckets.push(bucket);
        }
    }
}
