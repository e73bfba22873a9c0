//! What other versions would have made of a pod's fate: each difference of behaviour by itself, in a
//! run.

use super::edit::Edit;
use super::trial::{Identity, Trials, is_same};
use crate::profile::{CHANGES, Change, Setting, Switch, Switches};
use crate::timeline::fate::Fate;

/// A fate under another version's behaviour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherVersion {
    /// The versions that have it: `Up to 1.18`, `Since 1.19`.
    pub versions: String,
    /// The switch.
    pub switch: Switch,
    /// Its setting there.
    pub setting: Setting,
    /// Where the change is known from.
    pub source: &'static str,
    /// The pod's fate then.
    pub fate: Fate,
}

/// The settings of the profile's switches that would have changed the fate of a pod.
pub(super) fn other_versions(
    trials: &mut Trials<'_>,
    switches: Switches,
    pod: Identity,
    fate_now: Fate,
) -> Vec<OtherVersion> {
    let mut found = Vec::new();
    for switch in Switch::ALL {
        let now = switches.get(switch);
        for setting in switch.settings().into_iter().filter(|setting| *setting != now) {
            let Some((versions, change)) = versions_with(switch, setting) else { continue };
            if let Some(fate) = trials.fate(&Edit::Switch(switch, setting), pod)
                && !is_same(fate, fate_now)
            {
                let source = change.source;
                found.push(OtherVersion { versions, switch, setting, source, fate });
            }
        }
    }
    found
}

/// Which versions have a setting, and the change that the words are about.
fn versions_with(switch: Switch, setting: Setting) -> Option<(String, &'static Change)> {
    let of_switch: Vec<&Change> = CHANGES.iter().filter(|change| change.switch == switch).collect();
    if switch == Switch::ComparisonOperators {
        let change = *of_switch.first()?;
        let words = "With the feature gate TaintTolerationComparisonOperators (1.35)".to_owned();
        return (setting == Setting::Bool(true)).then_some((words, change));
    }
    if let Some(change) = of_switch.iter().find(|change| change.to == setting) {
        let next = of_switch.iter().find(|later| later.since > change.since);
        let words = match next {
            Some(next) => format!("From 1.{} to 1.{}", change.since, next.since - 1),
            None => format!("Since 1.{}", change.since),
        };
        return Some((words, change));
    }
    let first = *of_switch.first()?;
    Some((format!("Up to 1.{}", first.since - 1), first))
}
