//! The simulator against the recordings of the real controller in `data/`.
//!
//! Each recording's scenario is written in the scenario language, loaded by the real loader, run,
//! and its timeline compared with what the controller did; `data/README.md` has the rules. What
//! differs is reported for all cases at once.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a test may stop at what it does not expect, and prints what it found"
)]

mod case;
mod compare;
mod interleavings;
mod outcome;
mod scenario;
mod story;

use std::fmt::Write as _;

use case::Case;
use outcome::Line;
use taintsim::cluster::World;
use taintsim::kernel::time::Time;
use taintsim::plan::Plan;
use taintsim::timeline::{Detail, Record};

/// The generations of the recordings, named after the version that each was made of.
const GENERATIONS: [&str; 5] = ["1.6", "1.19", "1.29", "1.33", "1.36"];
const NEWEST: &str = "1.36";

/// Cases printed in full when many differ.
const SHOWN: usize = 8;

#[test]
fn hand_made_cases_are_as_recorded() {
    let cases = case::hand_made();
    assert_eq!(cases.len(), 80, "hand-made cases read from data/cases");
    check_all(&cases);
}

#[test]
fn random_cases_are_as_recorded() {
    let cases = case::random();
    assert_eq!(cases.len(), 600, "cases read from data/random.jsonl");
    check_all(&cases);
}

/// Runs each case, and fails with a report of all that differ from every recorded outcome.
fn check_all(cases: &[Case]) {
    let mut report = String::new();
    let mut differing = 0;
    for generation in GENERATIONS {
        for case in cases {
            let Err(difference) = check(case, generation) else { continue };
            differing += 1;
            if differing <= SHOWN {
                let Case { name, description, .. } = case;
                writeln!(report, "\n=== {name} of {generation}: {description}\n{difference}")
                    .unwrap();
            } else {
                writeln!(report, "=== {} of {generation}", case.name).unwrap();
            }
        }
    }
    let all = cases.len() * GENERATIONS.len();
    assert!(differing == 0, "{differing} of {all} cases differ:\n{report}");
}

/// Seeds of `interleaving: Random` that each case with several outcomes is run under.
const SEEDS: u64 = 200;

/// Where the real controller showed several outcomes, the choices reach each of them.
#[test]
fn random_interleavings_reach_every_recorded_outcome() {
    let mut report = String::new();
    let mut cases = 0;
    for case in case::hand_made().iter().chain(&case::random()) {
        for generation in GENERATIONS {
            let recorded = case.outcomes(generation);
            if recorded.len() < 2 {
                continue;
            }
            cases += 1;
            let mut plan = plan(case, generation);
            plan.config.taint_manager.random_interleaving = true;
            let restarts = case.scenario.restarts_ms();
            let mut seen = vec![0; recorded.len()];
            for seed in 0..SEEDS {
                plan.config.seed = seed;
                let got = outcome::lines(&plan, &run(&plan, Detail::Controller));
                let found = recorded.iter().position(|one| compare::equal(one, &got, &restarts));
                if let Some(index) = found {
                    seen[index] += 1;
                }
            }
            if seen.contains(&0) {
                writeln!(report, "{} of {generation}: {seen:?}", case.name).unwrap();
            }
        }
    }
    assert!(cases >= 17, "{cases} cases with several outcomes");
    assert!(report.is_empty(), "outcomes that no seed of {SEEDS} gave:\n{report}");
}

/// Whatever is drawn, a run keeps the model's own rules, and two runs are the same.
#[test]
fn random_interleavings_keep_the_rules() {
    for case in case::hand_made() {
        for generation in GENERATIONS {
            let mut plan = plan(&case, generation);
            plan.config.taint_manager.random_interleaving = true;
            for seed in 0..10 {
                plan.config.seed = seed;
                let mut world = World::new(&plan, Detail::Trace);
                let mut records = Vec::new();
                let until = plan.config.until.unwrap();
                while world.run_some(until, 1, &mut records) > 0 {
                    world.assert_invariants();
                }
                assert!(records == run(&plan, Detail::Trace), "{}: two runs differ", case.name);
                let told = outcome::lines(&plan, &records);
                let restarts = case.scenario.restarts_ms();
                let quiet = outcome::lines(&plan, &run(&plan, Detail::Controller));
                assert!(compare::equal(&told, &quiet, &restarts), "{}: detail tells", case.name);
            }
        }
    }
}

/// The plan of a case.
fn plan(case: &Case, generation: &str) -> Plan {
    scenario::load(&case.name, &scenario::text(case, generation)).unwrap()
}

/// Whether a run is one of the recorded outcomes; else what differs from the nearest of them.
fn check(case: &Case, generation: &str) -> Result<(), String> {
    let text = scenario::text(case, generation);
    let plan = scenario::load(&case.name, &text)?;
    let got = outcome::lines(&plan, &run(&plan, Detail::Controller));
    let restarts = case.scenario.restarts_ms();
    let recorded = case.outcomes(generation);
    assert!(!recorded.is_empty(), "{} has no outcome of {generation}", case.name);
    if recorded.iter().any(|expected| compare::equal(expected, &got, &restarts)) {
        return Ok(());
    }
    let mut report = String::new();
    for (n, expected) in recorded.iter().enumerate() {
        writeln!(report, "--- outcome {} of {} (- recorded, + got)", n + 1, recorded.len())
            .unwrap();
        report.push_str(&compare::diff(expected, &got, &restarts));
    }
    let scenario: serde_json::Value = serde_json::from_str(&text).unwrap();
    writeln!(report, "--- scenario\n{scenario}").unwrap();
    Err(report)
}

fn run(plan: &Plan, detail: Detail) -> Vec<Record> {
    let mut records = Vec::new();
    World::new(plan, detail).run(&mut records);
    records
}

/// What happens, and why, does not depend on how much of it is recorded.
#[test]
fn detail_levels_tell_the_same_story() {
    let mut report = String::new();
    for case in case::hand_made().iter().chain(&case::random()) {
        let plan = match scenario::load(&case.name, &scenario::text(case, NEWEST)) {
            Ok(plan) => plan,
            Err(error) => {
                writeln!(report, "{}: {error}", case.name).unwrap();
                continue;
            }
        };
        let summary = story::of(&run(&plan, Detail::Summary));
        for detail in [Detail::Controller, Detail::Trace] {
            if let Some(difference) = story::difference(&summary, &story::of(&run(&plan, detail))) {
                writeln!(report, "{}: Summary and {detail:?}: {difference}", case.name).unwrap();
            }
        }
        if run(&plan, Detail::Trace) != run(&plan, Detail::Trace) {
            writeln!(report, "{}: two runs differ", case.name).unwrap();
        }
    }
    assert!(report.is_empty(), "{report}");
}

/// A campaign reuses one world, and a lesson stops in the middle: neither may show.
#[test]
fn a_reused_or_interrupted_world_tells_the_same_story() {
    let cases = case::hand_made();
    let plans: Vec<Plan> = cases
        .iter()
        .map(|case| scenario::load(&case.name, &scenario::text(case, NEWEST)).unwrap())
        .collect();
    let mut world = World::new(&plans[0], Detail::Trace);
    for (case, plan) in cases.iter().zip(&plans) {
        let fresh = run(plan, Detail::Trace);

        let mut reused = Vec::new();
        world.reset(plan, Detail::Trace);
        world.run(&mut reused);
        assert!(fresh == reused, "{}: another story after a reset", case.name);

        let mut pieces = Vec::new();
        world.reset(plan, Detail::Trace);
        for at_ms in [0, 999, 1_000, 6_000, 11_005, 16_100] {
            if at_ms <= case.scenario.until_ms {
                world.run_until(Time(at_ms * 1_000_000), &mut pieces);
            }
        }
        world.run(&mut pieces);
        assert!(fresh == pieces, "{}: another story when run in pieces", case.name);
    }
}

/// The recordings keep their own rules; if not, the comparison rests on sand.
#[test]
fn recordings_are_as_their_readme_says() {
    for case in case::hand_made().iter().chain(&case::random()) {
        let restarts = case.scenario.restarts_ms();
        for lines in GENERATIONS.map(|generation| case.outcomes(generation)).into_iter().flatten() {
            assert!(
                lines.is_sorted_by_key(|line: &Line| line.ms),
                "{} is not in the order of time",
                case.name
            );
            assert!(compare::equal(&lines, &lines, &restarts), "{} differs from itself", case.name);
            for index in 0..lines.len() {
                let mut fewer = lines.clone();
                let line = fewer.remove(index);
                assert!(
                    line.is_cancel() || !compare::equal(&lines, &fewer, &restarts),
                    "{}: {line} does not count",
                    case.name
                );
            }
            let until = case.scenario.until_ms;
            assert!(
                lines.iter().all(|line| line.ms <= until),
                "{} goes on after its end",
                case.name
            );
        }
    }
}
