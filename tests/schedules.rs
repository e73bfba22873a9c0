//! The search over all schedules against runs with seeds, against itself without its table of
//! states, and by hand; and that a schedule can be had again.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may stop where it must")]

use std::collections::BTreeSet;

use taintsim::cluster::{Schedule, World, draws_besides};
use taintsim::fuzz::generate::{self, generate};
use taintsim::fuzz::interleavings::{
    Found, Grain, Interleavings, Options, Outcome, explore, outcome_of,
};
use taintsim::plan::Plan;
use taintsim::scenario::{LoadOptions, load_text};
use taintsim::timeline::{Detail, Record};

fn plan(spec: &str) -> Plan {
    let text = format!("apiVersion: taintsim.dev/v1alpha1\nkind: Scenario\nspec:\n{spec}");
    let loaded = load_text("small.yaml", text, None, &LoadOptions::default());
    loaded.unwrap_or_else(|failure| panic!("{}", failure.render())).plan
}

/// Two pods that stop at the same time, and nobody else.
const TWO_KUBELETS: &str = "
  taintManager: {enabled: false}
  podTermination: Graceful
  nodes: [{name: n}]
  pods: [{name: 'p-{1..2}', nodeName: n}]
  steps: [{at: 1s, burst: [{deletePod: {pod: p-1}}, {deletePod: {pod: p-2}}]}]
";

/// The taint goes at the moment at which the timer fires.
const DEADLINE: &str = "
  until: 1m
  nodes: [{name: n}]
  pods: [{name: p, nodeName: n, tolerations: ['k:NoExecute op=Exists for 5s']}]
  steps:
    - {at: 1s, taint: {node: n, add: ['k:NoExecute']}}
    - {at: 6s, burst: [{taint: {node: n, remove: ['k:NoExecute']}}]}
";

/// A pod and its successor in a burst with the taint, with more than one deletion at a time.
const SUCCESSOR: &str = "
  until: 1m
  nodes: [{name: n, taints: ['k:NoExecute']}, {name: m}]
  pods:
    - {name: p, nodeName: m}
    - {name: q, nodeName: m, tolerations: ['k:NoExecute op=Exists for 2s']}
  steps:
    - {at: 1s, taint: {node: m, add: ['k:NoExecute']}}
    - at: 3s
      burst:
        - {deletePod: {pod: q}}
        - {createPod: {name: q, nodeName: n}}
        - {taint: {node: m, remove: ['k:NoExecute']}}
";

/// Restart, retries and an `after` step.
const RESTART: &str = "
  until: 1m
  nodes: [{name: n}]
  pods: [{name: p, nodeName: n}, {name: q, nodeName: n}]
  faults: [{verb: delete, resource: pods, error: Conflict, first: 2}]
  steps:
    - {at: 1s, taint: {node: n, add: ['k:NoExecute']}}
    - {after: {evicted: p}, restartController: {}}
";

const SMALL: [&str; 4] = [TWO_KUBELETS, DEADLINE, SUCCESSOR, RESTART];

fn set(found: &Interleavings) -> BTreeSet<Outcome> {
    found.outcomes.iter().map(|found| found.outcome.clone()).collect()
}

fn trace(plan: &Plan, schedule: Schedule) -> (Vec<Record>, Vec<u32>) {
    let mut world = World::with_schedule(plan, Detail::Trace, schedule);
    let mut records = Vec::new();
    world.run(&mut records);
    (records, world.choice_points().iter().map(|point| point.index).collect())
}

#[test]
fn two_things_have_two_orders() {
    for merge in [true, false] {
        let found = explore(&plan(TWO_KUBELETS), Options { merge, ..Options::default() });
        assert!(found.complete);
        assert_eq!((found.runs, found.choices, found.outcomes.len()), (2, 1, 1), "{found:?}");
        assert_eq!(found.outcomes[0].schedules, 2);
        assert_eq!(found.outcomes[0].script, Some(vec![]));
    }
}

#[test]
fn a_script_is_a_run_that_can_be_had_again() {
    for text in SMALL {
        let plan = plan(text);
        for seed in 0..20 {
            for schedule in [
                Schedule::Drawn { seed },
                Schedule::Pct { seed, depth: 1, choices: 20 },
                Schedule::Pct { seed, depth: 3, choices: 20 },
            ] {
                let (records, script) = trace(&plan, schedule.clone());
                assert!(trace(&plan, schedule).0 == records, "the same schedule, another run");
                let (again, taken) = trace(&plan, Schedule::Script(script.clone()));
                assert!(again == records && taken == script, "seed {seed}: another run");
            }
        }
    }
}

/// With and without the table of states the same outcomes are found, each by as many schedules.
#[test]
fn the_table_of_states_loses_nothing() {
    let mut compared = 0;
    let limits = generate::Limits { nodes: 2, pods: 2, steps: 3, ..Default::default() };
    let generated = (0..60).map(|run| generate(5, run, &limits));
    for plan in SMALL.into_iter().map(plan).chain(generated) {
        let options =
            Options { runs_max: 3_000, drawn: 0, seeds: 0, grain: Grain::Calls, merge: false };
        let plain = explore(&plan, options);
        if !plain.complete {
            continue;
        }
        compared += 1;
        let merged = explore(&plan, Options { merge: true, ..options });
        assert!(merged.complete && merged.runs <= plain.runs);
        let counts = |found: &Interleavings| {
            let count = |found: &Found| (found.outcome.clone(), found.schedules);
            found.outcomes.iter().map(count).collect::<BTreeSet<_>>()
        };
        assert_eq!(counts(&merged), counts(&plain), "{}", plan.name);
        let all: u128 = plain.outcomes.iter().map(|found| found.schedules).sum();
        assert_eq!(all, u128::from(plain.runs), "each run is a schedule");
    }
    assert!(compared > 30, "{compared} plans were small enough");
}

/// What seeds give under `Random`, where nothing is pruned, is among what the search finds.
#[test]
fn no_seed_gives_anything_else() {
    let limits = generate::Limits { nodes: 2, pods: 2, steps: 4, ..Default::default() };
    let generated = (0..60).map(|run| generate(8, run, &limits));
    let (mut compared, mut with_several) = (0, 0);
    for mut plan in SMALL.into_iter().map(plan).chain(generated) {
        // The seed is also that of latencies and faults, which the search leaves as they are.
        if draws_besides(&plan) {
            continue;
        }
        let options =
            Options { runs_max: 5_000, drawn: 0, seeds: 200, grain: Grain::Calls, merge: true };
        let found = explore(&plan, options);
        if !found.complete {
            continue;
        }
        compared += 1;
        let all = set(&found);
        with_several += u32::from(all.len() > 1);
        let (fifo, _) = {
            plan.config.taint_manager.random_interleaving = false;
            outcome_of(&plan, Grain::Calls, Schedule::Plan)
        };
        assert!(all.contains(&fifo), "{}: Fifo gives {fifo:?}", plan.name);
        let by_fifo = found.outcomes.iter().filter(|found| found.fifo);
        assert!(by_fifo.map(|found| &found.outcome).eq([&fifo]));
        plan.config.taint_manager.random_interleaving = true;
        for seed in 0..200 {
            plan.config.seed = seed;
            let (outcome, _) = outcome_of(&plan, Grain::Calls, Schedule::Plan);
            assert!(all.contains(&outcome), "{}, seed {seed}: {outcome:#?}", plan.name);
            let told = found.outcomes.iter().find(|found| found.seed == Some(seed));
            assert!(told.is_none_or(|found| found.outcome == outcome), "seed {seed}");
        }
    }
    assert!(compared > 25 && with_several > 8, "{compared} compared, {with_several} with several");
}

#[test]
fn a_search_that_stops_says_so_and_draws() {
    let plan = plan(SUCCESSOR);
    let all = explore(&plan, Options::default());
    assert!(all.complete && all.outcomes.len() > 1 && all.drawn == 0, "{all:?}");
    let part = explore(&plan, Options { runs_max: 3, drawn: 40, ..Options::default() });
    assert!(!part.complete);
    assert_eq!((part.runs, part.drawn), (3, 40));
    assert!(set(&part).is_subset(&set(&all)));
}
