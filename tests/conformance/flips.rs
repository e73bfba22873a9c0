//! Flipping a switch must show: in the recordings, or in a test of its own that [`OWN_TESTS`]
//! names.

use std::fmt::Write as _;

use taintsim::profile::Switch;

use crate::case::{self, Case};
use crate::{GENERATIONS, differs};

/// Switches that no recording reaches, each with the test that its flip makes fail.
const OWN_TESTS: [(&str, &str); 0] = [];

#[test]
fn every_flip_of_a_switch_is_seen() {
    let cases: Vec<Case> = case::hand_made().into_iter().chain(case::random()).collect();
    let mut report = String::new();
    for switch in Switch::ALL {
        let mut seen = Vec::new();
        for generation in GENERATIONS {
            let flipped = cases.iter().filter(|case| differs_when_flipped(case, generation, switch));
            seen.push(flipped.count());
        }
        writeln!(report, "{} {seen:?}", switch.name()).unwrap();
    }
    panic!("{report}");
}

fn differs_when_flipped(case: &Case, generation: &str, switch: Switch) -> bool {
    let plan = crate::plan(case, generation);
    let original = plan.config.switches.get(switch);
    switch.settings().into_iter().filter(|setting| *setting != original).any(|setting| {
        let mut plan = plan.clone();
        plan.config.switches.set(switch, setting);
        if switch == Switch::ShardedWorkers {
            plan.config.taint_manager.workers = if plan.config.switches.sharded_workers { 8 } else { 1 };
        }
        differs(case, generation, &plan)
    })
}
