//! The feature gates of the time that touch the taint manager.

use std::fmt;

use super::{Condition, Profile, Switches};

/// How mature a gate was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Off by default.
    Alpha,
    /// On by default.
    Beta,
    /// On, and locked.
    Ga,
}

/// A gate, and what became of it.
#[derive(Clone, Copy, Debug)]
pub struct Gate {
    /// Its name.
    pub name: &'static str,
    /// Its stages, each with the minor version from which on it had it.
    pub stages: &'static [(u32, Stage)],
    /// The minor version without it, where that is known.
    pub gone: Option<u32>,
    /// What it does to the taint manager.
    pub does: &'static str,
    /// Where its stages are known from.
    pub source: &'static str,
}

/// All that are modelled.
pub const GATES: [Gate; 4] = [
    Gate {
        name: "TaintBasedEvictions",
        stages: &[(6, Stage::Alpha), (13, Stage::Beta), (18, Stage::Ga)],
        gone: Some(20),
        does: "lets node lifecycle taint dead nodes with NoExecute; the taint manager itself does \
               not look at it",
        source: "#111411, #96205",
    },
    Gate {
        name: "PodDisruptionConditions",
        stages: &[(25, Stage::Alpha), (26, Stage::Beta), (31, Stage::Ga)],
        gone: None,
        does: "gives a pod the condition DisruptionTarget before it is deleted",
        source: "#110959, #113304",
    },
    Gate {
        name: "SeparateTaintEvictionController",
        stages: &[(29, Stage::Beta), (34, Stage::Ga)],
        gone: None,
        does: "makes the taint manager a controller that can be left out (taintManager.enabled)",
        source: "#119208 (KEP-3902)",
    },
    Gate {
        name: "TaintTolerationComparisonOperators",
        stages: &[(35, Stage::Alpha)],
        gone: None,
        does: "lets tolerations use the operators Gt and Lt",
        source: "#134665 (KEP-5471)",
    },
];

/// Why a gate cannot be set so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GateRefused {
    /// This version has not got it yet.
    NotYet {
        /// The first minor version that has.
        since: u32,
    },
    /// This version has not got it any more.
    Gone {
        /// The first minor version without it.
        since: u32,
    },
    /// It is on, and cannot be switched off any more.
    Locked {
        /// Since this minor version.
        since: u32,
    },
}

impl fmt::Display for GateRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GateRefused::NotYet { since } => write!(f, "it came with 1.{since}"),
            GateRefused::Gone { since } => write!(f, "it was removed in 1.{since}"),
            GateRefused::Locked { since } => {
                write!(f, "it is generally available since 1.{since}, and locked to true")
            }
        }
    }
}

impl GateRefused {
    /// What to write instead; `is_asked`: the version is not that of the file.
    pub fn way_out(self, gate: &str, is_asked: bool) -> String {
        let (minor, or) = match self {
            GateRefused::NotYet { since } => (since, "a later one".to_owned()),
            GateRefused::Gone { since } => (since - 1, "an earlier one".to_owned()),
            GateRefused::Locked { since } => (since - 1, format!("an earlier one that has {gate}")),
        };
        match is_asked {
            true => format!("leave it out, or ask for Kubernetes 1.{minor} or {or}"),
            false => {
                format!("leave it out, or write kubernetesVersion: \"1.{minor}\" or {or}")
            }
        }
    }
}

impl Gate {
    /// The gate of this name.
    pub fn named(name: &str) -> Option<&'static Gate> {
        GATES.iter().find(|gate| gate.name == name)
    }

    /// The stage in a version.
    ///
    /// # Errors
    /// That the version has not got it.
    pub fn stage(&self, profile: Profile) -> Result<(u32, Stage), GateRefused> {
        if let Some(since) = self.gone.filter(|since| profile.minor() >= *since) {
            return Err(GateRefused::Gone { since });
        }
        let reached = self.stages.iter().rev().find(|(since, _)| *since <= profile.minor());
        let first = self.stages.first().map_or(0, |(since, _)| *since);
        reached.copied().ok_or(GateRefused::NotYet { since: first })
    }

    /// Sets the gate in a version's switches.
    ///
    /// # Errors
    /// Why that version does not let it be set so.
    pub fn set(
        &self,
        on: bool,
        profile: Profile,
        switches: &mut Switches,
    ) -> Result<(), GateRefused> {
        let (since, stage) = self.stage(profile)?;
        if stage == Stage::Ga && !on {
            return Err(GateRefused::Locked { since });
        }
        match self.name {
            "PodDisruptionConditions" if !on => switches.disruption_condition = Condition::None,
            // While it is alpha the condition is written by PATCH (#110959).
            "PodDisruptionConditions" if stage == Stage::Alpha => {
                switches.disruption_condition = Condition::Patch;
            }
            "TaintTolerationComparisonOperators" => switches.comparison_operators = on,
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(gate: &str, on: bool, minor: u32) -> Result<Switches, GateRefused> {
        let profile = Profile::of(1, minor).expect("a version that exists");
        let mut switches = profile.switches();
        let gate = Gate::named(gate).expect("a gate that exists");
        gate.set(on, profile, &mut switches).map(|()| switches)
    }

    #[test]
    fn a_gate_is_refused_where_the_version_had_it_not() {
        let refused = [
            ("PodDisruptionConditions", true, 24, GateRefused::NotYet { since: 25 }),
            ("PodDisruptionConditions", false, 31, GateRefused::Locked { since: 31 }),
            ("TaintBasedEvictions", true, 20, GateRefused::Gone { since: 20 }),
            ("TaintBasedEvictions", false, 18, GateRefused::Locked { since: 18 }),
            ("SeparateTaintEvictionController", false, 34, GateRefused::Locked { since: 34 }),
            ("TaintTolerationComparisonOperators", false, 34, GateRefused::NotYet { since: 35 }),
        ];
        for (gate, on, minor, why) in refused {
            assert_eq!(set(gate, on, minor), Err(why), "{gate} {on} in 1.{minor}");
        }
    }

    #[test]
    fn gates_decide_their_switches() {
        let condition = |on, minor| {
            set("PodDisruptionConditions", on, minor).map(|switches| switches.disruption_condition)
        };
        assert_eq!(condition(true, 25), Ok(Condition::Patch));
        assert_eq!(condition(false, 25), Ok(Condition::None));
        assert_eq!(condition(false, 27), Ok(Condition::None));
        assert_eq!(condition(true, 27), Ok(Condition::Apply));
        assert_eq!(condition(true, 36), Ok(Condition::Patch));
        let operators = set("TaintTolerationComparisonOperators", true, 35);
        assert!(operators.is_ok_and(|switches| switches.comparison_operators));
    }
}
