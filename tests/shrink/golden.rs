//! Some of the files, to be read: for each rule, and each switch that is responsible for its breach,
//! one.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use taintsim::fuzz::shrink::shrink;
use taintsim::plan::Plan;
use taintsim::profile::Switch;
use taintsim::scenario::emit;

use super::{BUDGET, breaks, finds};

/// The switches without which the rule holds.
fn responsible(plan: &Plan, rule: &str) -> Vec<&'static str> {
    let mut names = Vec::new();
    for switch in Switch::ALL {
        let own = plan.config.switches.get(switch);
        for setting in switch.settings().into_iter().filter(|setting| *setting != own) {
            let mut flipped = plan.clone();
            flipped.config.switches.set(switch, setting);
            if !flipped.config.switches.sharded_workers {
                flipped.config.taint_manager.workers = 1;
            }
            if !breaks(&flipped, rule) && !names.contains(&switch.name()) {
                names.push(switch.name());
            }
        }
    }
    names
}

#[test]
fn shrunk_files_read_well() {
    let mut pages: BTreeMap<(&str, Vec<&str>), String> = BTreeMap::new();
    for find in finds(6, 2_000) {
        let names = responsible(&find.plan, find.rule);
        let signature = (find.rule, names.clone());
        if pages.contains_key(&signature) {
            continue;
        }
        let keeps =
            &mut |plan: &Plan| breaks(plan, find.rule) && responsible(plan, find.rule) == names;
        let result = shrink(&find.plan, BUDGET, keeps);
        let header = [
            format!("{}; responsible: {}", find.rule, names.join(", ")),
            format!("run {} in {}, {} steps before", find.run, find.version, find.plan.steps.len()),
        ];
        let page = emit::scenario(&result.plan, &header, &|_| Vec::new(), None);
        pages.insert(signature, page);
    }
    let mut all = String::new();
    for page in pages.values() {
        let _ = writeln!(all, "{page}");
    }
    insta::assert_snapshot!(all);
}
