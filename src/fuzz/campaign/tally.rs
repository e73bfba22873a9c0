//! What runs come to, in a form in which the parts of a campaign can be put together in any order.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::fuzz::cause::Class;
use crate::marks::{Mark, Marks};

/// How often something was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hits {
    /// In so many runs.
    pub runs: u64,
    /// The first of them.
    pub first: u64,
}

impl Hits {
    pub(super) fn add(&mut self, other: Hits) {
        self.runs = self.runs.saturating_add(other.runs);
        self.first = self.first.min(other.first);
    }
}

/// The sum of some runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The numbers of the runs: ranges in order that do not touch.
    pub ranges: Vec<Range<u64>>,
    /// Runs with a breach.
    pub breaching: u64,
    /// Events in all of them.
    pub events: u64,
    /// By class.
    pub classes: BTreeMap<Class, Hits>,
    /// By mark: in which runs, and how often in all of them.
    pub marks: BTreeMap<Mark, (Hits, u64)>,
}

impl Tally {
    /// A run has hit these marks.
    pub fn add_marks(&mut self, run: u64, events: u64, marks: &Marks) {
        self.events = self.events.saturating_add(events);
        for mark in Mark::ALL {
            let times = marks.count(mark);
            if times > 0 {
                self.add_mark(mark, (Hits { runs: 1, first: run }, times));
            }
        }
    }

    /// A run had a breach of this class.
    pub fn add_class(&mut self, class: Class, hits: Hits) {
        self.classes.entry(class).and_modify(|known| known.add(hits)).or_insert(hits);
    }

    /// A mark was hit.
    pub fn add_mark(&mut self, mark: Mark, (hits, times): (Hits, u64)) {
        let add = |(known, all): &mut (Hits, u64)| {
            known.add(hits);
            *all = all.saturating_add(times);
        };
        self.marks.entry(mark).and_modify(add).or_insert((hits, times));
    }

    /// Adds other runs.
    pub fn add(&mut self, other: &Tally) {
        self.breaching = self.breaching.saturating_add(other.breaching);
        self.events = self.events.saturating_add(other.events);
        for (class, hits) in &other.classes {
            self.add_class(class.clone(), *hits);
        }
        for (mark, hits) in &other.marks {
            self.add_mark(*mark, *hits);
        }
        other.ranges.iter().for_each(|range| self.add_range(range.clone()));
    }

    /// Puts a range in its place.
    pub fn add_range(&mut self, range: Range<u64>) {
        if range.is_empty() {
            return;
        }
        let place = self.ranges.partition_point(|known| known.start < range.start);
        debug_assert!(place == 0 || self.ranges[place - 1].end <= range.start, "run twice");
        debug_assert!(self.ranges.get(place).is_none_or(|next| range.end <= next.start));
        self.ranges.insert(place, range);
        // It touches at most its two neighbours.
        for at in [place + 1, place] {
            if at > 0 && at < self.ranges.len() && self.ranges[at - 1].end == self.ranges[at].start
            {
                self.ranges[at - 1].end = self.ranges[at].end;
                self.ranges.remove(at);
            }
        }
    }

    /// How many runs there are.
    pub fn runs(&self) -> u64 {
        self.ranges.iter().map(|range| range.end - range.start).sum()
    }

    /// A run that is in both.
    pub fn common(&self, other: &Tally) -> Option<u64> {
        let (mut ours, mut theirs) =
            (self.ranges.iter().peekable(), other.ranges.iter().peekable());
        while let (Some(one), Some(two)) = (ours.peek(), theirs.peek()) {
            let start = one.start.max(two.start);
            if start < one.end.min(two.end) {
                return Some(start);
            }
            // The one that ends first meets nothing of what is left of the others.
            if one.end <= two.end {
                ours.next()
            } else {
                theirs.next()
            };
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_join_in_any_order() {
        let parts = [0..3, 3..5, 8..9, 5..8, 12..20];
        let mut orders = vec![parts.to_vec(); 3];
        orders[1].reverse();
        orders[2].rotate_left(2);
        for order in orders {
            let mut tally = Tally::default();
            order.into_iter().for_each(|range| tally.add_range(range));
            assert_eq!(tally.ranges, [0..9, 12..20]);
            assert_eq!(tally.runs(), 17);
            let other = Tally { ranges: vec![9..12, 19..25], ..Tally::default() };
            assert_eq!(tally.common(&other), Some(19));
            assert_eq!(other.common(&tally), Some(19));
            let apart = Tally { ranges: vec![9..12, 20..25], ..Tally::default() };
            assert_eq!((tally.common(&apart), apart.common(&tally)), (None, None));
        }
    }
}
