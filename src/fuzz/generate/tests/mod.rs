#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod runs;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

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
