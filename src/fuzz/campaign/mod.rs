//! A campaign: many runs, judged, and what they come to.
//!
//! Runs are numbered, and each is a pure function of its number and the settings. They go in blocks,
//! which threads take and whose results are put together in the order of the blocks: neither the
//! number of threads nor how the runs are split over processes shows in the result. A class of
//! breaches stands for its first run; that one is shrunk to a finding.

mod settings;
mod state;
mod tally;
mod worker;

pub use settings::{Base, Settings};
pub use state::{State, StateError};
pub use tally::{Hits, Tally};

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use rayon::prelude::*;

use self::worker::Worker;

use super::cause::Class;
use super::finding::{Finding, Signature};

/// So many runs go together.
pub const BLOCK: u64 = 250;
/// A campaign has at most so many.
pub const RUNS_MAX: u64 = 1_000_000_000_000;

/// A campaign so far.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// What it searches.
    pub settings: Settings,
    /// What its runs came to.
    pub tally: Tally,
    /// The smallest scenario of each class.
    pub findings: BTreeMap<Class, Finding>,
}

/// A line of the table of findings: all classes with one signature.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The finding of the class that was met first.
    pub finding: &'a Finding,
    /// The rule's breaches by this, counted once in a run and class.
    pub hits: Hits,
}

impl Campaign {
    /// Nothing has run.
    pub fn new(settings: Settings) -> Campaign {
        Campaign { settings, tally: Tally::default(), findings: BTreeMap::new() }
    }

    /// Runs these runs, each range by one thread of the present pool. Gives the findings that are
    /// new in the table, as if one block had run after the other.
    pub fn advance(&mut self, blocks: &[Range<u64>]) -> Vec<Finding> {
        self.advance_until(blocks, &|| false)
    }

    /// The same, but a block that is at work when `is_over` says so has not run.
    pub fn advance_until(
        &mut self,
        blocks: &[Range<u64>],
        is_over: &(dyn Fn() -> bool + Sync),
    ) -> Vec<Finding> {
        let settings = &self.settings;
        let tallies: Vec<Tally> = blocks
            .par_iter()
            .map_init(|| Worker::new(settings), |worker, block| worker.run(block.clone(), is_over))
            .flatten()
            .collect();
        let mut before = self.tally.clone();
        tallies.iter().for_each(|tally| self.tally.add(tally));
        self.shrink_new();
        std::mem::swap(&mut before, &mut self.tally);
        let mut known: BTreeSet<Signature> =
            self.rows().into_iter().map(|row| row.finding.signature.clone()).collect();
        let mut new = Vec::new();
        // What is new does not depend on how many blocks go together.
        for tally in &tallies {
            let mut classes = tally.classes.keys();
            let has_new = classes.any(|class| !self.tally.classes.contains_key(class));
            self.tally.add(tally);
            if !has_new {
                continue;
            }
            for row in self.rows() {
                if known.insert(row.finding.signature.clone()) {
                    new.push(row.finding.clone());
                }
            }
        }
        debug_assert_eq!(self.tally, before, "the same sum");
        new
    }

    /// Makes the findings of classes that have none.
    fn shrink_new(&mut self) {
        let settings = &self.settings;
        // A run before the one that it was found in may have joined the campaign.
        let has_finding = |class: &Class, hits: &Hits| {
            self.findings.get(class).is_some_and(|finding| finding.run == hits.first)
        };
        let new = self.tally.classes.iter().filter(|(class, hits)| !has_finding(class, hits));
        let mut new: Vec<(&Class, u64)> = new.map(|(class, hits)| (class, hits.first)).collect();
        new.sort_by_key(|(_, first)| *first);
        let made: Vec<Finding> = new
            .par_iter()
            .map_init(|| Worker::new(settings), |worker, (class, run)| worker.find(class, *run))
            .collect();
        let new: Vec<Class> = new.into_iter().map(|(class, _)| class.clone()).collect();
        self.findings.extend(new.into_iter().zip(made));
    }

    /// Adds the runs of another campaign with the same settings, none of which is in this one.
    pub fn merge(&mut self, other: &Campaign) {
        assert!(self.settings.is_same(&other.settings), "campaigns of different settings");
        for (class, hits) in &other.tally.classes {
            let is_earlier =
                self.tally.classes.get(class).is_none_or(|known| hits.first < known.first);
            if is_earlier && let Some(finding) = other.findings.get(class) {
                self.findings.insert(class.clone(), finding.clone());
            }
        }
        self.tally.add(&other.tally);
    }

    /// The table of findings: what was met first stands first. What needs more than another finding
    /// of its rule is counted with that one.
    pub fn rows(&self) -> Vec<Row<'_>> {
        let mut rows: BTreeMap<&Signature, Row<'_>> = BTreeMap::new();
        for (class, hits) in &self.tally.classes {
            let Some(finding) = self.findings.get(class) else { continue };
            let row = Row { finding, hits: *hits };
            let Some(known) = rows.get_mut(&finding.signature) else {
                rows.insert(&finding.signature, row);
                continue;
            };
            if hits.first < known.hits.first {
                known.finding = finding;
            }
            known.hits.add(*hits);
        }
        let mut rows = absorbed(rows.into_values().collect());
        rows.sort_by_key(|row| row.hits.first);
        rows
    }

    /// The blocks of a shard (one of `count`, from 0) of the first `runs` runs that have not run.
    pub fn blocks(
        &self,
        runs: Option<u64>,
        (shard, count): (u64, u64),
    ) -> impl Iterator<Item = Range<u64>> + use<> {
        let end = runs.unwrap_or(RUNS_MAX);
        let done = self.tally.ranges.clone();
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let blocks = (shard..end.div_ceil(BLOCK)).step_by(count);
        let ranges = blocks.map(move |block| block * BLOCK..(block * BLOCK + BLOCK).min(end));
        ranges.flat_map(move |range| without(range, &done))
    }
}

/// Without what needs more than another finding of the same rule does, which is counted there.
fn absorbed(rows: Vec<Row<'_>>) -> Vec<Row<'_>> {
    let origin = |row: &Row<'_>| row.finding.signature.origin.clone();
    let is_within = |one: &Row<'_>, other: &Row<'_>| {
        one.finding.signature.rule == other.finding.signature.rule
            && origin(one).is_within(&origin(other))
    };
    let is_smallest = |row: &&Row<'_>| !rows.iter().any(|other| is_within(other, row));
    let mut smallest: Vec<Row<'_>> = rows.iter().filter(is_smallest).copied().collect();
    for row in rows.iter().filter(|row| !is_smallest(row)) {
        // The one that it is met with first.
        let within = smallest.iter_mut().filter(|one| is_within(one, row));
        if let Some(one) = within.min_by_key(|one| one.finding.run) {
            one.hits.runs += row.hits.runs;
        }
    }
    smallest
}

/// What is left of a range without those that are done, which are in order.
fn without(range: Range<u64>, done: &[Range<u64>]) -> Vec<Range<u64>> {
    let mut left = Vec::new();
    let mut start = range.start;
    let first = done.partition_point(|known| known.end <= range.start);
    for known in done[first..].iter().take_while(|known| known.start < range.end) {
        left.push(start..known.start.max(start));
        start = start.max(known.end);
    }
    left.push(start..range.end);
    left.retain(|part| !part.is_empty());
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::examine::RuleSet;
    use crate::profile::Profile;

    fn campaign() -> Campaign {
        of_seed(1)
    }

    fn of_seed(seed: u64) -> Campaign {
        let version = Profile::of(1, 18);
        Campaign::new(Settings { seed, version, rules: RuleSet::usual(), base: None })
    }

    /// Blocks of several seeds, of which each has findings of its own to shrink.
    #[test]
    fn findings_are_complete() {
        for seed in [2, 3, 4] {
            let mut campaign = of_seed(seed);
            campaign.advance(&[0..BLOCK, BLOCK..2 * BLOCK]);
            let rows = campaign.rows();
            assert!(rows.len() > 10, "seed {seed}");
            for Row { finding, .. } in rows {
                assert!(finding.steps_after <= 8, "{}", finding.text);
                for part in ["breached: true", "\n#     taintsim fuzz ", "# This scenario in"] {
                    assert!(finding.text.contains(part), "{part}: {}", finding.text);
                }
            }
        }
    }

    #[test]
    fn what_is_told_does_not_depend_on_how_many_blocks_go_together() {
        let (mut together, mut alone) = (campaign(), campaign());
        let blocks: Vec<Range<u64>> = together.blocks(Some(600), (0, 1)).collect();
        assert_eq!(blocks, [0..250, 250..500, 500..600]);
        let told = together.advance(&blocks);
        assert!(!told.is_empty());
        let told_alone: Vec<Finding> =
            blocks.iter().flat_map(|block| alone.advance(std::slice::from_ref(block))).collect();
        assert_eq!(told, told_alone);
        assert_eq!((&together.tally, &together.findings), (&alone.tally, &alone.findings));
    }

    #[test]
    fn a_block_that_is_stopped_has_not_run() {
        let mut stopped = campaign();
        let blocks = [0..250, 250..500];
        assert_eq!(stopped.advance_until(&blocks, &|| true), []);
        assert_eq!(stopped.tally, Tally::default());
        let left: Vec<Range<u64>> = stopped.blocks(Some(500), (0, 1)).collect();
        assert_eq!(left, blocks);
    }

    #[test]
    fn a_shard_has_every_nth_block() {
        let blocks = |shard| campaign().blocks(Some(1_400), (shard, 3)).collect::<Vec<_>>();
        assert_eq!(blocks(0), [0..250, 750..1_000]);
        assert_eq!(blocks(1), [250..500, 1_000..1_250]);
        assert_eq!(blocks(2), [500..750, 1_250..1_400]);
        let last = campaign().blocks(None, (999_999, 1_000_000)).next();
        assert_eq!(last, Some(999_999 * BLOCK..1_000_000 * BLOCK));
    }

    #[test]
    fn what_is_done_is_not_done_again() {
        let ranges = |text: &str| -> Vec<Range<u64>> {
            let range = |part: &str| {
                let (from, to) = part.split_once("..").unwrap();
                from.parse().unwrap()..to.parse().unwrap()
            };
            text.split_whitespace().map(range).collect()
        };
        for (range, done, left) in [
            (0..10, "", "0..10"),
            (0..10, "0..10", ""),
            (0..10, "0..4", "4..10"),
            (0..10, "3..5 7..20", "0..3 5..7"),
            (5..10, "0..6 9..12", "6..9"),
        ] {
            assert_eq!(without(range.clone(), &ranges(done)), ranges(left), "{range:?} - {done}");
        }
    }
}
