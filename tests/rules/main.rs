//! The rules of `fuzz` over the scenarios of the repository and over small ones of their own.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it does not expect")]

mod controller;
mod slack;
mod small;
mod table;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use taintsim::cluster::World;
use taintsim::fuzz::rules::{Breach, Families, Judge};
use taintsim::kernel::{Span, SpanRange, Stream, Time};
use taintsim::plan::{
    Action, Latency, Plan, PodTermination, Resource, Step, StepAction, WatchLatency, When,
};
use taintsim::scenario::{self, LoadOptions, load_text};

const DOCS: Families = Families { controller: false, docs: true, convergence: true };

/// Every scenario of the repository, in order, by its path below the root.
fn scenarios() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![PathBuf::from("docs/examples/every-key.yaml")];
    for folder in ["basics", "facts", "incidents", "versions"] {
        for entry in std::fs::read_dir(root.join("scenarios").join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "yaml") {
                files.push(path.strip_prefix(root).unwrap().to_owned());
            }
        }
    }
    files.sort();
    assert!(files.len() > 100, "{} scenarios", files.len());
    files
}

/// A file as a version has it; `None` where that version refuses it, as it does other gates.
fn load(file: &Path, version: Option<&str>) -> Option<Plan> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let kubernetes_version = version.map(str::to_owned);
    let options = LoadOptions { kubernetes_version, ..LoadOptions::default() };
    scenario::load(&path, &options).ok().map(|loaded| loaded.plan)
}

/// A scenario's spec as a version has it.
fn spec(text: &str, version: &str) -> Plan {
    let indented: String = text.lines().map(|line| format!("  {line}\n")).collect();
    let text = format!("apiVersion: taintsim.dev/v1alpha1\nkind: Scenario\nspec:\n{indented}");
    let kubernetes_version = Some(version.to_owned());
    let options = LoadOptions { kubernetes_version, ..LoadOptions::default() };
    let loaded = load_text("small.yaml", text.as_str(), None, &options);
    loaded.unwrap_or_else(|failure| panic!("{}\n{text}", failure.render())).plan
}

/// Runs and judges.
fn breaches(plan: &Plan, families: Families) -> Vec<Breach> {
    let mut judge = Judge::new(families);
    judge.reset(plan);
    let mut world = World::new(plan, families.detail(plan));
    let end = world.run(&mut judge);
    judge.finish(world.context(), end)
}

/// The names of the rules that a run breaks.
fn broken(plan: &Plan, families: Families) -> BTreeSet<Cow<'static, str>> {
    breaches(plan, families).iter().map(|breach| breach.rule.clone()).collect()
}

/// The plan with slow calls, slow watches, busy workers, restarts and broken watches.
fn in_bad_weather(plan: &Plan, seed: u64) -> Plan {
    let mut plan = plan.clone();
    let mut draws = Stream::new(seed, "tests.weather");
    let spans = [0, 1, 5_000_000, 20_000_000, 500_000_000, 3_000_000_000];
    let mut draw = |among: usize| draws.below(among as u64) as usize;
    let mut range = |most: usize| SpanRange { low: Span::ZERO, high: Span(spans[draw(most)]) };
    let api = &mut plan.config.api_server;
    for latency in [&mut api.latency, &mut api.reply_latency] {
        *latency = Latency { get: range(6), list: range(6), patch: range(6), delete: range(6) };
    }
    api.watch_latency = WatchLatency { pods: range(6), nodes: range(6) };
    plan.config.taint_manager.handler_cost = range(4);
    plan.config.taint_manager.random_interleaving = draw(4) > 0;
    plan.config.seed = seed;
    let terminations = [PodTermination::Immediate, PodTermination::Graceful, PodTermination::Never];
    plan.config.termination = terminations[draw(3)];
    for _ in 0..draw(4) {
        let down_for = Span(spans[draw(6)]);
        let action = match draw(3) {
            0 => Action::RestartController { down_for },
            1 => Action::BreakWatch { resource: Resource::Pods, down_for },
            _ => Action::BreakWatch { resource: Resource::Nodes, down_for },
        };
        let at = Time(draw(200) as u64 * 500_000_000);
        let number = plan.steps.len() as u32 + 1;
        let action = StepAction { action, text: "weather".into(), kubectl: false };
        plan.steps.push(Step {
            number,
            when: When::At(at),
            actions: vec![action],
            burst: false,
            may_be_rejected: true,
            because: None,
        });
    }
    plan
}
