//! Plans that break a promise of the documentation, made small: what is left still breaks it, can
//! be written as a scenario, and is what a person would have written.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it does not expect")]

mod files;
mod golden;
mod sound;

use std::collections::BTreeMap;

use taintsim::cluster::World;
use taintsim::fuzz::generate::{Limits, generate};
use taintsim::fuzz::rules::{self, Breach, Families, Judge};
use taintsim::fuzz::shrink::{Shrunk, shrink};
use taintsim::plan::Plan;
use taintsim::profile::Profile;

const DOCS: Families = Families { controller: false, docs: true, convergence: false };

/// More tries than any plan needs.
const BUDGET: u64 = 20_000;

/// Runs and judges.
fn breaches(plan: &Plan) -> Vec<Breach> {
    let mut judge = Judge::new(DOCS);
    judge.reset(plan);
    let mut world = World::new(plan, DOCS.detail(plan));
    let end = world.run(&mut judge);
    judge.finish(world.context(), end)
}

/// Whether a run breaks a rule, for whatever pod.
fn breaks(plan: &Plan, rule: &str) -> bool {
    breaches(plan).iter().any(|breach| breach.rule == rule)
}

/// A plan that breaks a rule.
struct Find {
    run: u64,
    version: Profile,
    rule: &'static str,
    plan: Plan,
}

/// Plans of seed 1 that break a rule, with the first rule that each of them breaks: so many of each
/// rule and version at most, since some are broken far more often than others.
fn finds(of_each: usize, runs: u64) -> Vec<Find> {
    let mut finds = Vec::new();
    for minor in [18, 29, 32, 36] {
        let version = Profile::of(1, minor).unwrap();
        let limits = Limits { profile: Some(version), ..Limits::default() };
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for run in 0..runs {
            let plan = generate(1, run, &limits);
            let Some(breach) = breaches(&plan).into_iter().next() else { continue };
            let rule = rules::all().find(|rule| rule.name == breach.rule).unwrap().name;
            let count = counts.entry(rule).or_default();
            if *count < of_each {
                *count += 1;
                finds.push(Find { run, version, rule, plan });
            }
        }
    }
    finds
}

fn shrunk(find: &Find) -> Shrunk {
    shrink(&find.plan, BUDGET, &mut |plan| breaks(plan, find.rule))
}
