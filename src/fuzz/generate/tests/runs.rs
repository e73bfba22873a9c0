//! What the plans do when they run.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::*;

/// Runs a plan as long as its events last; gives its records, how it ended and the events.
fn run(plan: &Plan, most: u64) -> (Vec<Record>, EndReason, u64) {
    let mut world = World::new(plan, Detail::Summary);
    let mut records: Vec<Record> = Vec::new();
    world.run_some(plan.config.until.unwrap(), most, &mut records);
    let end = world.run(&mut records);
    (records, end.reason, world.events())
}

#[test]
fn steps_fall_on_deadlines() {
    let limits = Limits::default();
    let (mut at, mut near) = (0, 0);
    for number in 0..2_000 {
        let plan = generate(SEED, number, &limits);
        let (records, ..) = run(&plan, limits.events);
        let due = records.iter().filter_map(|record| match record.kind {
            Kind::EvictionScheduled { fire_at, created_at, .. } => {
                (fire_at > created_at).then_some(fire_at)
            }
            _ => None,
        });
        let due: BTreeSet<Time> = due.collect();
        let steps = records.iter().filter(|r| matches!(r.kind, Kind::StepApplied { .. }));
        let times: BTreeSet<Time> = steps.map(|record| record.at).collect();
        at += u32::from(times.iter().any(|time| due.contains(time)));
        near += u32::from(times.iter().any(|time| {
            let ends = Time(time.0.saturating_sub(1_000_000))..=Time(time.0 + 1_000_000);
            due.range(ends).any(|due| due != time)
        }));
    }
    assert!(at >= 150, "in {at} of 2000 runs a step is applied at a deadline");
    assert!(near >= 150, "in {near} of 2000 runs one is applied a millisecond from one");
}

/// What becomes of a plan: nothing but an end within bounds, or the test fails with the plan.
fn ends(plan: &Plan, limits: &Limits, what: &str) -> (EndReason, u64, Vec<Record>) {
    let ran = catch_unwind(AssertUnwindSafe(|| run(plan, limits.events)));
    let Ok((records, reason, events)) = ran else { panic!("{what} panics: {plan:#?}") };
    assert!(events <= limits.events, "{what} takes {events} events: {plan:#?}");
    (reason, events, records)
}

#[test]
fn every_run_ends() {
    let limits = Limits::default();
    let (mut idle, mut most, mut evicting) = (0, 0, 0);
    let (mut steps, mut rejections) = (0, 0);
    for number in 0..20_000 {
        let plan = generate(SEED, number, &limits);
        let (reason, events, records) = ends(&plan, &limits, &format!("run {number}"));
        let count = |is: fn(&Kind) -> bool| records.iter().filter(|r| is(&r.kind)).count();
        let evictions = count(|kind| matches!(kind, Kind::DeleteRequested { .. }));
        let refused = count(|kind| matches!(kind, Kind::StepRejected { .. }));
        steps += refused + count(|kind| matches!(kind, Kind::StepApplied { .. }));
        rejections += refused;
        idle += u32::from(reason == EndReason::Idle);
        evicting += u32::from(evictions > 0);
        most = most.max(events);
    }
    // What is left are deadlines of centuries.
    assert!(idle > 15_000, "{idle} of 20000 are over before their end");
    assert!(evicting > 12_000, "{evicting} of 20000 evict");
    assert!((200..limits.events / 4).contains(&most), "{most} events at most");
    // Most steps make sense, some do not.
    let share = rejections * 100 / steps;
    assert!((2..25).contains(&share), "{share} of 100 actions are refused");
}

/// What became of the pods.
fn outcomes(plan: &Plan) -> String {
    let mut world = World::new(plan, Detail::Summary);
    let mut history = History::default();
    world.run(&mut history);
    digest::outcomes(&history)
}

/// Where the version before a change behaves otherwise than it would with the change, some of a
/// few thousand plans have another outcome: so a search can find what the change mended.
#[test]
fn every_change_of_behaviour_shows() {
    let mut unseen = Vec::new();
    let shown_otherwise =
        [Switch::EventComponent, Switch::EventApiVersion, Switch::ComparisonOperators];
    for change in CHANGES.iter().filter(|change| !shown_otherwise.contains(&change.switch)) {
        // Before 1.13 an item has its pod with it: there is nothing to check its node against.
        let own = change.switch == Switch::NodeNameCheck;
        let profile = Profile::of(1, if own { change.since } else { change.since - 1 });
        let limits = Limits { profile, ..Limits::default() };
        let mut found = 0;
        for run in 0..RUNS_OF_A_CHANGE {
            let plan = generate(SEED, run, &limits);
            let mut flipped = plan.clone();
            let to = if own { Setting::Bool(false) } else { change.to };
            flipped.config.switches.set(change.switch, to);
            if change.switch == Switch::ShardedWorkers {
                flipped.config.taint_manager.workers = 8;
            }
            found += u32::from(outcomes(&plan) != outcomes(&flipped));
        }
        if found == 0 {
            unseen.push(format!("{} of 1.{}", change.switch.name(), change.since));
        }
    }
    assert!(unseen.is_empty(), "{unseen:#?}");
}

/// So many plans are looked at for each change.
const RUNS_OF_A_CHANGE: u64 = 4_000;

#[test]
fn variations_are_plans_and_end() {
    let limits = Limits::default();
    let mut same = 0;
    for number in 0..3_000 {
        let plan = generate(SEED, number % 50, &limits);
        let varied = vary(&plan, SEED, number, &limits);
        assert_eq!(check(&varied), Ok(()), "variation {number}: {varied:#?}");
        ends(&varied, &limits, &format!("variation {number}"));
        same += u32::from(page(&plan) == page(&varied));
    }
    assert!(same < 600, "{same} of 3000 are no variation that shows");
    let plan = generate(SEED, 3, &limits);
    let (one, other) = (vary(&plan, SEED, 7, &limits), vary(&plan, SEED, 7, &limits));
    assert_eq!(format!("{one:?}"), format!("{other:?}"));
}

/// The repository's own scenarios are varied as any user's would be.
#[test]
fn scenarios_are_varied() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let mut files: Vec<_> = ["basics", "facts", "incidents", "versions"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(root.join(folder)).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "yaml"))
        .collect();
    files.sort();
    let limits = Limits::default();
    let mut varied = 0;
    for path in &files {
        let text = std::fs::read_to_string(path).unwrap();
        let name = path.to_string_lossy();
        let options = crate::scenario::LoadOptions::default();
        let loaded = crate::scenario::load_text(&name, &*text, path.parent(), &options);
        let Ok(loaded) = loaded else { continue };
        if loaded.plan.pods.len() > 100 {
            continue;
        }
        // What the loader takes, the check takes.
        assert_eq!(check(&loaded.plan), Ok(()), "{name}");
        for run in 0..20 {
            let plan = vary(&loaded.plan, SEED, run, &limits);
            assert_eq!(check(&plan), Ok(()), "{name}, variation {run}: {plan:#?}");
            let mut world = World::new(&plan, Detail::Summary);
            world.run_some(Time(Span::from_secs(86_400).0), 50_000, &mut Vec::new());
            varied += 1;
        }
    }
    assert!(varied > 400, "{varied} variations");
}

#[test]
fn faults_are_over_before_the_end() {
    let limits = Limits::default();
    let mut lasting = 0;
    for run in 0..5_000 {
        let plan = generate(SEED, run, &limits);
        match faults_over(&plan) {
            Some(over) => {
                let end = plan.config.until.unwrap();
                assert!(over.saturating_add(limits.grace) <= end, "run {run}: {over}, {end}");
            }
            None => lasting += 1,
        }
    }
    assert!((20..300).contains(&lasting), "{lasting} of 5000 have faults that last");
}

type Spoil = fn(&mut Plan);

#[test]
fn the_check_refuses_what_the_loader_refuses() {
    let limits = Limits { profile: Some(NEWEST), ..Limits::default() };
    let good = (0..).map(|run| generate(SEED, run, &limits));
    let good = good.into_iter().find(|p| p.steps.len() > 3 && !p.faults.is_empty()).unwrap();
    assert_eq!(check(&good), Ok(()));
    let spoil: [(&str, Spoil); 6] = [
        ("a step before the one above it", |plan| {
            plan.steps[0].when = When::At(Time(u64::MAX / 2));
            plan.steps[1].when = When::At(Time(5));
        }),
        ("a node twice at the start", |plan| {
            let first = plan.nodes[0];
            plan.nodes.push(first);
        }),
        ("no action", |plan| plan.steps[0].actions.clear()),
        ("the first 0 calls", |plan| plan.faults[0].first = Some(0)),
        ("no time between", |plan| plan.faults[0].between = Some((Time(5), Time(5)))),
        ("a setting of 0", |plan| plan.config.taint_manager.workers = 0),
    ];
    for (why, spoil) in spoil {
        let mut plan = good.clone();
        spoil(&mut plan);
        let refused = check(&plan).unwrap_err();
        assert!(refused.ends_with(why), "{refused}; not {why}");
    }
}
