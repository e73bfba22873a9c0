//! Behaviour profiles: how the taint manager of each minor version of Kubernetes behaves.
//!
//! A profile is a set of named [`Switches`], made from one table of changes. The model reads
//! switches and never versions.

mod gates;
mod switches;
mod table;

pub use gates::{GATES, Gate, GateRefused, Stage};
pub use switches::{Component, Condition, Setting, Switch, Switches};
pub use table::{CHANGES, Change};

use std::fmt;

use crate::kernel::Span;

/// The profile of one minor version of Kubernetes 1.x.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Profile {
    minor: u32,
    name: &'static str,
}

const NAMES: [&str; 31] = [
    "1.6", "1.7", "1.8", "1.9", "1.10", "1.11", "1.12", "1.13", "1.14", "1.15", "1.16", "1.17",
    "1.18", "1.19", "1.20", "1.21", "1.22", "1.23", "1.24", "1.25", "1.26", "1.27", "1.28", "1.29",
    "1.30", "1.31", "1.32", "1.33", "1.34", "1.35", "1.36",
];
const OLDEST_MINOR: u32 = 6;

/// The newest profile: the default.
pub const NEWEST: Profile = Profile { minor: 36, name: "1.36" };

/// Minor versions whose behaviour was recorded from the real controller; that of the others is
/// derived from these and from the sources that the table names.
const RECORDED: [u32; 5] = [6, 19, 29, 33, 36];

impl Profile {
    /// All profiles, the newest last.
    pub fn all() -> impl DoubleEndedIterator<Item = Profile> + ExactSizeIterator {
        NAMES
            .iter()
            .enumerate()
            .map(|(index, name)| Profile { minor: OLDEST_MINOR + index as u32, name })
    }

    /// The profile of Kubernetes `major`.`minor`.
    pub fn of(major: u32, minor: u32) -> Option<Profile> {
        Profile::all().find(|profile| major == 1 && profile.minor == minor)
    }

    /// Such as `1.36`.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// The 36 of 1.36.
    pub fn minor(self) -> u32 {
        self.minor
    }

    /// Whether this version's behaviour was recorded; else it is derived.
    pub fn is_recorded(self) -> bool {
        RECORDED.contains(&self.minor)
    }

    /// How this version behaves with its gates at their defaults.
    pub fn switches(self) -> Switches {
        let mut switches = table::FIRST;
        for change in self.changes_so_far() {
            switches.set(change.switch, change.to);
        }
        switches
    }

    /// What is new in this version.
    pub fn changes(self) -> impl Iterator<Item = &'static Change> {
        CHANGES.iter().filter(move |change| change.since == self.minor)
    }

    /// The change that gave a switch its setting in this version; `None` where it is that of 1.6.
    pub fn origin(self, switch: Switch) -> Option<&'static Change> {
        self.changes_so_far().filter(|change| change.switch == switch).last()
    }

    /// What happened to a switch from one version to the other, whichever of them is the newer one.
    pub fn changes_between(self, other: Profile, switch: Switch) -> Vec<&'static Change> {
        let (older, newer) = (self.min(other), self.max(other));
        let is_between = |since| older.minor < since && since <= newer.minor;
        let changes = CHANGES.iter().filter(|change| change.switch == switch);
        changes.filter(|change| is_between(change.since)).collect()
    }

    /// Where the default of `nodeMonitorGracePeriod` is known from.
    pub const GRACE_PERIOD_SOURCE: &str = "#126287";

    /// Default of `nodeMonitorGracePeriod`: 50 s since 1.32, before that 40 s.
    pub fn node_monitor_grace_period(self) -> Span {
        Span::from_secs(if self.minor >= 32 { 50 } else { 40 })
    }

    /// Why the taint manager of this version cannot be switched off, where it cannot.
    pub fn cannot_be_disabled(self, separate_controller: bool) -> Option<&'static str> {
        match self.minor {
            27 | 28 => Some(
                "the flag --enable-taint-manager is gone since 1.27 (#115840), and the taint \
                 manager is a controller that can be left out only since 1.29",
            ),
            29.. if !separate_controller => Some(
                "with SeparateTaintEvictionController off it is a part of node lifecycle, and \
                 always on",
            ),
            _ => None,
        }
    }

    fn changes_so_far(self) -> impl Iterator<Item = &'static Change> {
        CHANGES.iter().filter(move |change| change.since <= self.minor)
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl fmt::Debug for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_their_minors() {
        for profile in Profile::all() {
            assert_eq!(profile.name(), format!("1.{}", profile.minor()));
            assert_eq!(Profile::of(1, profile.minor()), Some(profile));
        }
        assert_eq!(Profile::all().last(), Some(NEWEST));
        assert_eq!(Profile::of(1, 5), None);
        assert_eq!(Profile::of(2, 6), None);
    }

    /// A change that changes nothing, or the switch of which never changes, is a mistake in the
    /// table. The operators wait for their gate.
    #[test]
    fn every_change_changes_something() {
        for change in CHANGES.iter().filter(|c| c.switch != Switch::ComparisonOperators) {
            let before = Profile::of(1, change.since - 1).map(Profile::switches);
            let before = before.expect("a change comes after the first version");
            assert_ne!(before.get(change.switch), change.to, "{change:?}");
        }
        for switch in Switch::ALL {
            assert!(CHANGES.iter().any(|change| change.switch == switch), "{}", switch.name());
        }
    }
}
