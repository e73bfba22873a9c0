//! `--seeds A..B`: the same again under every seed of a range.

use std::str::FromStr;

/// Seeds from the first to the last, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seeds {
    first: u64,
    last: u64,
}

impl Seeds {
    pub(super) fn iter(self) -> impl Iterator<Item = u64> {
        self.first..=self.last
    }
}

impl FromStr for Seeds {
    type Err = String;

    fn from_str(text: &str) -> Result<Seeds, String> {
        let wanted =
            || format!("`{text}` is no range of seeds; write such as 0..99, both included");
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let number = |part: &str| part.parse::<u64>().map_err(|_| wanted());
        let (first, last) = (number(first)?, number(last)?);
        if first > last {
            return Err(format!("`{text}` ends before it begins; write {last}..{first}"));
        }
        Ok(Seeds { first, last })
    }
}

/// What happened to one expectation under several seeds.
#[derive(Debug, Default)]
pub(super) struct Failures {
    first: Option<(u64, String)>,
    failed: u64,
    seeds: u64,
}

impl Failures {
    /// Under one more seed it failed by this, or held.
    pub(super) fn add(&mut self, seed: u64, failure: Option<String>) {
        self.seeds += 1;
        if let Some(failure) = failure {
            self.failed += 1;
            self.first.get_or_insert((seed, failure));
        }
    }

    /// What is told: the failure under the first seed that has one.
    pub(super) fn told(self, over_seeds: bool) -> Option<String> {
        let (seed, failure) = self.first?;
        if !over_seeds {
            return Some(failure);
        }
        let (failed, seeds) = (self.failed, self.seeds);
        Some(format!("{failure} First with seed {seed}; {failed} of {seeds} seeds fail."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_are_included() {
        let seeds = |text: &str| text.parse().map(|seeds: Seeds| seeds.iter().collect::<Vec<_>>());
        assert_eq!(seeds("3..5"), Ok(vec![3, 4, 5]));
        assert_eq!(seeds("7"), Ok(vec![7]));
        assert!(seeds("5..3").unwrap_err().contains("write 3..5"));
        for wrong in ["", "..", "1..", "a..b", "-1..2", "1...3"] {
            assert!(seeds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_first_seed_that_fails_is_told() {
        let mut failures = Failures::default();
        failures.add(1, None);
        failures.add(2, Some("evicted at 10s.".into()));
        failures.add(3, Some("evicted at 11s".into()));
        let told = "evicted at 10s. First with seed 2; 2 of 3 seeds fail.";
        assert_eq!(failures.told(true).as_deref(), Some(told));
        assert_eq!(Failures::default().told(true), None);
    }
}
