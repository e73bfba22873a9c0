//! All that can become of a plan: every order in which the model's goroutines can go on, every
//! `select` and every order of pods that makes a difference.
//!
//! These are the choices that `interleaving: Random` draws. Latencies that are ranges and faults
//! with a probability stay as the plan's seed draws them. Whether the plan says `Fifo` or `Random`
//! makes no difference.

mod outcome;
mod search;

use std::collections::BTreeMap;

pub use outcome::{Deed, Grain, Life, Outcome, PodOutcome, Refusal};

use crate::cluster::{ChoicePoint, Schedule, World, draws_besides};
use crate::plan::Plan;
use crate::timeline::Detail;
use search::Search;

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// So many runs at most; a run that ends in a state that is known counts as one.
    pub runs_max: u64,
    /// Where that is not enough for all: so many more with drawn schedules, some of them with
    /// priorities.
    pub drawn: u64,
    /// How closely outcomes are told apart.
    pub grain: Grain,
    /// So many seeds of `interleaving: Random` are tried for one that gives an outcome.
    pub seeds: u64,
    /// Whether a run stops where all that follows is known. Without it, the same is found with
    /// more runs.
    pub merge: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { runs_max: 100_000, drawn: 10_000, seeds: 1_000, grain: Grain::Fates, merge: true }
    }
}

/// An outcome, and how it comes about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What became of the pods.
    pub outcome: Outcome,
    /// So many of the schedules that were looked at lead to it; all of them, where the search is
    /// complete. `u128::MAX` stands for more than that.
    pub schedules: u128,
    /// One of them, for [`Schedule::Script`]: with as few departures from the order of `Fifo` as
    /// any of them. Where it was drawn, it need not have so few. `None` where only a seed of
    /// `interleaving: Random` is known to give it.
    pub script: Option<Vec<u32>>,
    /// `interleaving: Fifo` gives it.
    pub fifo: bool,
    /// The first seed that gives it under `interleaving: Random`, of those that were tried.
    pub seed: Option<u64>,
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interleavings {
    /// The outcomes, those with the fewest departures from `Fifo` first.
    pub outcomes: Vec<Found>,
    /// Runs of the search.
    pub runs: u64,
    /// Runs with drawn schedules, where the search was not complete.
    pub drawn: u64,
    /// Choices that the search has met, in different states.
    pub choices: u64,
    /// Whether there is no other outcome. Else the limit came first.
    pub complete: bool,
}

/// Looks for all outcomes of a plan.
pub fn explore(plan: &Plan, options: Options) -> Interleavings {
    let found = Search::new(plan, options.grain, options.merge).run(options.runs_max);
    let drawn = if found.complete { 0 } else { options.drawn };
    let mut outcomes: BTreeMap<Outcome, (u128, Option<Vec<u32>>)> = BTreeMap::new();
    for (outcome, schedules, script) in found.outcomes {
        outcomes.insert(outcome, (schedules, Some(script)));
    }
    for (outcome, schedules, script) in (0..drawn).map(|run| draw(plan, options.grain, run)) {
        let entry = outcomes.entry(outcome).or_insert((0, None));
        entry.0 = entry.0.saturating_add(schedules);
        entry.1 = entry.1.take().or(script);
    }
    let found_one = |(outcome, (schedules, script))| Found {
        outcome,
        schedules,
        script,
        fifo: false,
        seed: None,
    };
    let mut outcomes: Vec<Found> = outcomes.into_iter().map(found_one).collect();
    outcomes.sort_by_cached_key(|found| {
        let script = found.script.clone();
        (script.is_none(), script.as_deref().map(departures), script, found.outcome.clone())
    });
    look_for_settings(plan, options, &mut outcomes);
    let (runs, choices, complete) = (found.runs, found.choices, found.complete);
    Interleavings { outcomes, runs, drawn, choices, complete }
}

/// What a file has to say to have an outcome.
fn look_for_settings(plan: &Plan, options: Options, outcomes: &mut [Found]) {
    let mut plan = plan.clone();
    plan.config.taint_manager.random_interleaving = false;
    let (outcome, _) = search::one(&plan, options.grain, Schedule::Plan);
    for found in outcomes.iter_mut() {
        found.fifo = found.outcome == outcome;
    }
    plan.config.taint_manager.random_interleaving = true;
    // What was drawn with a seed is among these.
    for seed in 0..options.seeds.max(options.drawn.div_ceil(3)) {
        if outcomes.iter().all(|found| found.fifo || found.seed.is_some()) {
            return;
        }
        plan.config.seed = seed;
        let (outcome, _) = search::one(&plan, options.grain, Schedule::Plan);
        let found = outcomes.iter_mut().find(|found| found.outcome == outcome);
        if let Some(found) = found.filter(|found| found.seed.is_none()) {
            found.seed = Some(seed);
        }
    }
}

/// The outcome of one run under a schedule, and the choices that it met.
pub fn outcome_of(plan: &Plan, grain: Grain, schedule: Schedule) -> (Outcome, Vec<ChoicePoint>) {
    search::one(plan, grain, schedule)
}

/// The choices of a script, each with its alternatives in words.
pub fn follow(plan: &Plan, script: &[u32]) -> Vec<ChoicePoint> {
    let mut world = World::with_schedule(plan, Detail::Summary, Schedule::Script(script.to_vec()));
    world.tell_choices();
    world.run(&mut ());
    world.choice_points().to_vec()
}

/// One run more, with its outcome: in turn by priorities, by choices that are equally likely, and
/// as `interleaving: Random` has it with a seed, of which no script is known. That one draws where
/// the search has no choice, too, which gives it other chances.
fn draw(plan: &Plan, grain: Grain, run: u64) -> (Outcome, u128, Option<Vec<u32>>) {
    /// About as many choices as a small plan's run has for each object and step.
    const EACH: usize = 8;
    let choices = (EACH * (1 + plan.pods.len() + plan.steps.len())) as u32;
    let seed = run / 3;
    let schedule = match run % 3 {
        0 => Schedule::Pct { seed, depth: 1 + (seed % 4) as u32, choices },
        1 => Schedule::Drawn { seed },
        // Another seed would draw other durations and faults.
        _ if draws_besides(plan) => Schedule::Drawn { seed: run },
        _ => {
            let mut plan = plan.clone();
            plan.config.taint_manager.random_interleaving = true;
            plan.config.seed = seed;
            return (search::one(&plan, grain, Schedule::Plan).0, 1, None);
        }
    };
    let (outcome, points) = search::one(plan, grain, schedule);
    (outcome, 1, Some(trimmed(points.iter().map(|point| point.index).collect())))
}

fn departures(script: &[u32]) -> usize {
    script.iter().filter(|index| **index > 0).count()
}

fn trimmed(mut script: Vec<u32>) -> Vec<u32> {
    while script.last() == Some(&0) {
        script.pop();
    }
    script
}
