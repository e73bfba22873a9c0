//! Every switch of a behaviour profile shows: `scenarios/versions` has a file for each, and what it
//! expects does not hold any more when the switch is flipped.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it does not expect")]

use std::path::{Path, PathBuf};

use taintsim::cluster::World;
use taintsim::expectation::Expectation;
use taintsim::expectation::judge::{Evidence, Rules, judge, needed_detail};
use taintsim::fuzz::examine::EVENTS_MAX;
use taintsim::plan::{Config, Plan};
use taintsim::profile::{Profile, Setting, Switch};
use taintsim::scenario::{self, LoadOptions, Loaded};
use taintsim::timeline::history::History;

fn file_of(switch: Switch) -> PathBuf {
    let mut stem = String::new();
    for c in switch.name().chars() {
        if c.is_ascii_uppercase() {
            stem.push('-');
        }
        stem.push(c.to_ascii_lowercase());
    }
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("scenarios/versions/{stem}.yaml"))
}

fn load(file: &Path, version: Option<Profile>) -> Loaded {
    let kubernetes_version = version.map(|profile| profile.to_string());
    let options = LoadOptions { kubernetes_version, ..LoadOptions::default() };
    scenario::load(file, &options).unwrap_or_else(|failure| panic!("{}", failure.render()))
}

/// What does not hold, of the expectations about `version`.
fn failures(plan: &Plan, loaded: &Loaded, version: Option<Profile>) -> Vec<String> {
    let about: Vec<&Expectation> =
        loaded.expectations.iter().filter(|e| e.kubernetes_version == version).collect();
    let mut world = World::new(plan, needed_detail(about.iter().copied()));
    let mut history = History::default();
    let end = world.run(&mut history);
    let steps_not_applied: Vec<u32> = world.steps_not_applied().collect();
    let evidence = Evidence {
        context: world.context(),
        history: &history,
        steps_not_applied: &steps_not_applied,
        end,
        breaches: &Rules::of(about.iter().copied(), EVENTS_MAX).breaches(plan),
    };
    judge(about.iter().copied(), evidence).iter().flatten().map(ToString::to_string).collect()
}

fn flip(config: &mut Config, switch: Switch, setting: Setting) {
    config.switches.set(switch, setting);
    if switch == Switch::ShardedWorkers {
        config.taint_manager.workers = if setting == Setting::Bool(true) { 8 } else { 1 };
    }
}

#[test]
fn a_flipped_switch_shows_in_its_scenario() {
    for switch in Switch::ALL {
        let file = file_of(switch);
        let own = load(&file, None);
        assert_eq!(failures(&own.plan, &own, None), [""; 0], "{}", file.display());
        let versions: Vec<Option<Profile>> =
            own.expectations.iter().map(|e| e.kubernetes_version).chain([None]).collect();
        let original = own.plan.config.switches.get(switch);
        for setting in switch.settings().into_iter().filter(|setting| *setting != original) {
            let mut flipped = own.plan.clone();
            flip(&mut flipped.config, switch, setting);
            let seen = failures(&flipped, &own, None);
            assert!(!seen.is_empty(), "{} = {setting} is not seen by its scenario", switch.name());
        }
        // Where the file tells of an older version, it is this switch that makes the difference.
        for version in versions.into_iter().flatten() {
            let older = load(&file, Some(version));
            assert_eq!(failures(&older.plan, &older, Some(version)), [""; 0], "{version}");
            let mut flipped = older.plan.clone();
            flip(&mut flipped.config, switch, original);
            let seen = failures(&flipped, &older, Some(version));
            assert!(!seen.is_empty(), "{} explains {version}", switch.name());
        }
    }
}
