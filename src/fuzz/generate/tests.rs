#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use sha2::{Digest as _, Sha256};

use super::*;
use crate::cluster::{EndReason, World};
use crate::objects::Lists;
use crate::plan::{Action, Caller, FaultTarget, Trigger, When};
use crate::profile::{CHANGES, NEWEST, Setting, Switch};
use crate::timeline::history::History;
use crate::timeline::{Detail, Kind, Record, digest};

const SEED: u64 = 1;

/// A plan as a person would look at it.
fn page(plan: &Plan) -> String {
    let mut page = String::new();
    let config = &plan.config;
    let until = config.until.unwrap();
    let _ = writeln!(page, "{} {} seed {} until {until}", plan.name, config.profile, config.seed);
    for spec in &plan.nodes {
        let taints: Vec<_> = plan.lists.taints(spec.taints).iter().map(|t| t.to_string()).collect();
        let _ = writeln!(page, "{} [{}]", plan.names.node(spec.node), taints.join(", "));
    }
    for spec in &plan.pods {
        let list = plan.lists.tolerations(spec.tolerations);
        let tolerations: Vec<_> = list.iter().map(|t| t.to_string()).collect();
        let node = spec.node.map_or("nowhere", |node| plan.names.node(node));
        let _ =
            writeln!(page, "{} on {node} [{}]", plan.names.pod(spec.pod), tolerations.join(", "));
    }
    for step in &plan.steps {
        let when = match &step.when {
            When::At(time) => time.to_string(),
            When::AfterPrevious(span) => format!("+{span}"),
            When::After { trigger, occurrence, plus } => {
                format!("after {trigger:?} no. {occurrence} +{plus}")
            }
        };
        let texts: Vec<&str> = step.actions.iter().map(|action| &*action.text).collect();
        let burst = if step.burst { "burst " } else { "" };
        let _ = writeln!(page, "{when}: {burst}{}", texts.join(" & "));
    }
    for fault in &plan.faults {
        let between = fault.between.map(|(from, to)| format!("{from}..{to}")).unwrap_or_default();
        let _ = writeln!(
            page,
            "{:?} {} fails with {}, first {:?}, {between}",
            fault.verb,
            fault.resource.as_str(),
            fault.error.as_str(),
            fault.first
        );
    }
    page
}

fn fingerprint(plan: &Plan) -> String {
    let hash = Sha256::digest(page(plan).as_bytes());
    hash[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The same bytes for the same seed and run, today and tomorrow. A change of the tables changes
/// them; the reproducing commands of earlier finds then no longer do.
#[test]
fn plans_are_pinned() {
    let limits = Limits::default();
    let digests: Vec<String> =
        (0..5).map(|run| fingerprint(&generate(SEED, run, &limits))).collect();
    assert_eq!(digests, PINNED);
    for run in 0..500 {
        let (one, other) = (generate(SEED, run, &limits), generate(SEED, run, &limits));
        assert_eq!(format!("{one:?}"), format!("{other:?}"), "run {run}");
    }
    let other_seed = generate(SEED + 1, 0, &limits);
    assert_ne!(page(&other_seed), page(&generate(SEED, 0, &limits)));
}

const PINNED: [&str; 5] = [
    "63b88a168edab761",
    "4c4c82bd10c6a254",
    "acd601b5c2bb7d96",
    "4a09dfe48ff2bd45",
    "b2bf2ccf23ea0ad5",
];

#[test]
fn a_few_plans_to_be_read() {
    let limits = Limits { profile: Some(NEWEST), ..Limits::default() };
    let pages: Vec<String> = (0..6).map(|run| page(&generate(SEED, run, &limits))).collect();
    insta::assert_snapshot!(pages.join("\n"));
}

#[test]
fn a_version_that_is_given_is_kept() {
    for profile in crate::profile::Profile::all() {
        let limits = Limits { profile: Some(profile), ..Limits::default() };
        for run in 0..20 {
            let plan = generate(SEED, run, &limits);
            assert_eq!(plan.config.profile, profile);
            assert_eq!(vary(&plan, SEED, run, &limits).config.profile, profile);
        }
    }
}

/// What an action is, more finely than its variant says.
fn kind(action: &Action) -> &'static str {
    match action {
        Action::Taint { change, .. } => {
            match (change.replace, change.remove.is_empty(), change.add == Lists::NO_TAINTS) {
                (Some(_), ..) => "replace",
                (None, true, _) => "taint",
                (None, false, true) => "untaint",
                (None, false, false) => "swap",
            }
        }
        Action::SetUnschedulable { .. } => "cordon",
        Action::CreateNodes(_) => "createNode",
        Action::CreatePods(_) => "createPod",
        Action::DeleteNodes(_) => "deleteNode",
        Action::DeletePods { .. } => "deletePod",
        Action::BindPods { .. } => "bindPod",
        Action::SetTolerations { force: true, .. } => "force",
        Action::SetTolerations { .. } => "setTolerations",
        Action::LabelPods { .. } => "touchPod",
        Action::LabelNodes { .. } => "labelNode",
        Action::ApplyNode(_) => "applyNode",
        Action::ApplyPod(_) => "applyPod",
        Action::BreakWatch { .. } => "breakWatch",
        Action::RestartController { .. } => "restart",
        Action::Note(_) => "note",
    }
}

const KINDS: [&str; 19] = [
    "applyNode",
    "applyPod",
    "bindPod",
    "breakWatch",
    "cordon",
    "createNode",
    "createPod",
    "deleteNode",
    "deletePod",
    "force",
    "labelNode",
    "note",
    "replace",
    "restart",
    "setTolerations",
    "swap",
    "taint",
    "touchPod",
    "untaint",
];

fn trigger(trigger: Trigger) -> &'static str {
    match trigger {
        Trigger::Armed(_) => "armed",
        Trigger::Cancelled(_) => "cancelled",
        Trigger::Evicted(_) => "evicted",
        Trigger::Removed(_) => "removed",
        Trigger::Bound(_) => "bound",
        Trigger::Tainted(_) => "tainted",
        Trigger::Untainted(_) => "untainted",
    }
}

/// Counts what occurs, each thing once a plan.
fn features(plan: &Plan) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut has = |feature: String| {
        all.insert(feature);
    };
    let config = &plan.config;
    has(format!("version {}", config.profile));
    has(format!("random {}", plan.is_random()));
    has(format!("interleaving {}", config.taint_manager.random_interleaving));
    has(format!("termination {:?}", config.termination));
    has(format!("validation {:?}", config.api_server.validation));
    for step in &plan.steps {
        if let When::After { trigger: one, .. } = step.when {
            has(format!("trigger {}", trigger(one)));
        }
        if step.burst {
            has("burst".into());
        }
        for action in &step.actions {
            has(format!("step {}", kind(&action.action)));
            if action.kubectl {
                has(format!("kubectl {}", kind(&action.action)));
            }
        }
    }
    for fault in &plan.faults {
        has(format!("verb {:?}", fault.verb));
        has(format!("error {}", fault.error.as_str()));
        has(format!("caller {:?}", fault.caller));
        for (feature, holds) in [
            ("first", fault.first.is_some()),
            ("probability", fault.probability.is_some()),
            ("between", fault.between.is_some()),
            ("lasting", fault.between.is_none()),
            ("applied", fault.applied),
            ("on nodes", matches!(fault.target, FaultTarget::Nodes(_))),
            ("on pods", matches!(fault.target, FaultTarget::Pods(_))),
            ("of any caller", fault.caller == Caller::Any),
        ] {
            if holds {
                has(format!("fault {feature}"));
            }
        }
    }
    for toleration in plan.lists.all_tolerations() {
        has(format!("operator {:?}", toleration.operator.as_str()));
        if toleration.key.is_empty() {
            has("wildcard".into());
        }
        let seconds = match toleration.toleration_seconds {
            None => "unset",
            Some(0) => "zero",
            Some(..0) => "negative",
            Some(9_000_000_000..) => "huge",
            Some(_) => "some",
        };
        has(format!("seconds {seconds}"));
    }
    all
}

#[test]
fn everything_occurs() {
    let limits = Limits::default();
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let mut pairs: BTreeSet<(&str, &str)> = BTreeSet::new();
    for run in 0..5_000 {
        let plan = generate(SEED, run, &limits);
        for feature in features(&plan) {
            *counts.entry(feature).or_default() += 1;
        }
        let actions = plan.steps.iter().flat_map(|step| &step.actions);
        let kinds: Vec<&str> = actions.map(|action| kind(&action.action)).collect();
        for (index, first) in kinds.iter().enumerate() {
            pairs.extend(kinds[index + 1..].iter().map(|second| (*first, *second)));
        }
    }
    let mut least: Vec<(String, u32)> = Vec::new();
    let mut want = |feature: String, count: u32| least.push((feature, count));
    for kind in KINDS {
        want(format!("step {kind}"), if kind == "note" { 15 } else { 60 });
    }
    for profile in crate::profile::Profile::all() {
        want(format!("version {profile}"), 60);
    }
    for (name, count) in [
        ("trigger armed", 100),
        ("trigger cancelled", 50),
        ("trigger evicted", 100),
        ("trigger removed", 200),
        ("trigger bound", 25),
        ("trigger tainted", 50),
        ("trigger untainted", 50),
        ("burst", 800),
        ("verb Get", 100),
        ("verb List", 80),
        ("verb Create", 80),
        ("verb Patch", 150),
        ("verb Delete", 400),
        ("error InternalError", 150),
        ("error Conflict", 150),
        ("error NotFound", 80),
        ("error TooManyRequests", 80),
        ("error ServerTimeout", 80),
        ("error Timeout", 150),
        ("error Forbidden", 300),
        ("caller TaintManager", 500),
        ("caller Any", 150),
        ("fault first", 300),
        ("fault probability", 150),
        ("fault between", 800),
        ("fault lasting", 30),
        ("fault applied", 80),
        ("fault on nodes", 80),
        ("fault on pods", 300),
        ("termination Graceful", 500),
        ("termination Never", 200),
        ("validation Ignore", 120),
        ("interleaving true", 1_200),
        ("kubectl taint", 150),
        ("kubectl untaint", 50),
        ("operator \"Exists\"", 3_000),
        ("operator \"Equal\"", 400),
        ("operator \"\"", 150),
        ("operator \"Gt\"", 3),
        ("operator \"Lt\"", 3),
        ("operator \"In\"", 20),
        ("wildcard", 600),
        ("seconds some", 3_000),
        ("seconds unset", 1_500),
        ("seconds zero", 300),
        ("seconds negative", 150),
        ("seconds huge", 250),
    ] {
        want(name.into(), count);
    }
    let short: Vec<String> = least
        .iter()
        .map(|(feature, count)| (feature, *count, counts.get(feature).copied().unwrap_or(0)))
        .filter(|(_, wanted, found)| found < wanted)
        .map(|(feature, wanted, found)| format!("{feature}: {found} of {wanted}"))
        .collect();
    assert!(short.is_empty(), "{short:#?}\n{counts:#?}");
    let unknown = counts.keys().filter_map(|feature| feature.strip_prefix("step "));
    assert!(unknown.into_iter().all(|kind| KINDS.contains(&kind)), "{counts:#?}");

    let all = KINDS.len() * KINDS.len();
    assert!(pairs.len() * 10 > all * 9, "{} of {all} pairs", pairs.len());

    // Random interleavings in 3 of 10, and ranges and chances in some others.
    let random = counts["random true"];
    assert!((1_600..2_300).contains(&random), "{random} of 5000 are random");
}

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
