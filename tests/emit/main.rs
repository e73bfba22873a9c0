//! A plan as the text of a scenario: what is written runs as what was read.
//!
//! Compared is the SHA-256 of the `jsonl` output at `trace`, of this form: without its first line,
//! which has the scenario's name; without `step` in records of steps, since `repeat` is written out
//! and so steps count otherwise; and without the `text` of an action (a note's is kept), since
//! ranges and lists of names are put together anew, and an action may become a kubectl line that
//! says the same.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at what it does not expect"
)]

mod hostile;
mod plans;

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;
use taintsim::cluster::World;
use taintsim::plan::Plan;
use taintsim::render::{Ending, Jsonl, Render, Selection, View};
use taintsim::scenario::{LoadOptions, Loaded, emit, load, load_text};
use taintsim::timeline::digest::Hasher;
use taintsim::timeline::history::History;
use taintsim::timeline::{Context, Detail, Record, Sink};

struct Run {
    history: History,
    selection: Selection,
    render: Jsonl,
    out: Vec<u8>,
}

impl Sink for Run {
    fn record(&mut self, context: Context<'_>, record: &Record) {
        self.history.record(context, record);
        let view = View { context, history: &self.history, selection: &self.selection };
        self.render.record(view, record, &mut self.out);
    }
}

/// The lines of a run in the form that is compared.
fn lines(plan: &Plan) -> Vec<String> {
    let mut world = World::new(plan, Detail::Trace);
    let (history, selection) = (History::new(), Selection::all());
    let mut run = Run { history, selection, render: Jsonl::default(), out: Vec::new() };
    let end = world.run(&mut run);
    let steps_not_applied: Vec<u32> = world.steps_not_applied().collect();
    let ending = Ending { end, steps_not_applied: &steps_not_applied };
    let view = View { context: world.context(), history: &run.history, selection: &run.selection };
    run.render.end(view, ending, &mut run.out);
    let text = String::from_utf8(run.out).unwrap();
    let normal = |line: &str| {
        let mut record: Value = serde_json::from_str(line).unwrap();
        let kind = record["kind"].as_str().unwrap().to_owned();
        let fields = record.as_object_mut().unwrap();
        fields.remove("step");
        if kind.starts_with("Step") {
            fields.remove("text");
        }
        record.to_string()
    };
    text.lines().map(normal).collect()
}

fn digest(lines: &[String]) -> String {
    let mut hasher = Hasher::new();
    for line in lines {
        writeln!(hasher, "{line}").unwrap();
    }
    hasher.finish()
}

fn written(plan: &Plan) -> String {
    emit::scenario(plan, &[], &|_| Vec::new(), None)
}

fn read(text: &str, version: Option<&str>) -> Loaded {
    let kubernetes_version = version.map(str::to_owned);
    let options = LoadOptions { kubernetes_version, ..LoadOptions::default() };
    let loaded = load_text("emitted.yaml", text, None, &options);
    loaded.unwrap_or_else(|failure| panic!("{}\n{text}", failure.render()))
}

/// The text of a plan, after everything that has to hold for it is checked.
fn checked(plan: &Plan, name: &str) -> (String, Loaded) {
    let text = written(plan);
    let again = read(&text, None);
    assert!(text.lines().all(|line| !line.ends_with(' ')), "{name}:\n{text}");
    let (own, others) = (lines(plan), lines(&again.plan));
    if digest(&own) != digest(&others) {
        let differs = own.iter().zip(&others).find(|(own, other)| own != other);
        panic!("{name}: {differs:#?}, {} and {} lines\n{text}", own.len(), others.len());
    }
    // A plan without a name has got that of the file.
    let same_name = Plan { name: plan.name.clone(), ..again.plan.clone() };
    assert_eq!(written(&same_name), text, "{name}: written again");
    (text, again)
}

/// Notices without what follows from the number and the place of a step.
fn notices(loaded: &Loaded) -> BTreeSet<String> {
    let words = |text: &str| {
        let words = text.split(' ').map(|word| match word.parse::<u32>() {
            Ok(_) => "N",
            Err(_) => word,
        });
        words.collect::<Vec<_>>().join(" ")
    };
    loaded.notices.iter().map(|notice| words(&notice.message)).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// All files of scenarios, in order.
fn files() -> Vec<PathBuf> {
    let mut folders = vec![
        root().join("scenarios"),
        root().join("docs/examples"),
        root().join("tests/cli/scenarios"),
    ];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "yaml") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// `None`: the version of the file.
const VERSIONS: [Option<&str>; 5] = [None, Some("1.6"), Some("1.18"), Some("1.29"), Some("1.33")];

fn load_in(file: &Path, version: Option<&str>) -> Option<Loaded> {
    let kubernetes_version = version.map(str::to_owned);
    load(file, &LoadOptions { kubernetes_version, ..LoadOptions::default() }).ok()
}

#[test]
fn every_scenario_runs_as_it_is_written() {
    let mut count = 0;
    for file in files() {
        for version in VERSIONS {
            let Some(loaded) = load_in(&file, version) else {
                assert!(version.is_some(), "{} does not load", file.display());
                continue;
            };
            let name = format!("{} in {version:?}", file.display());
            let (_, again) = checked(&loaded.plan, &name);
            let (before, after) = (notices(&loaded), notices(&again));
            let new: Vec<&String> = after.difference(&before).collect();
            assert!(new.is_empty(), "{name}: {new:?}, and before {before:?}");
            count += 1;
        }
    }
    assert!(count > 400, "{count}");
}

/// What is written in the file's version is a scenario like the file in any other version, too.
#[test]
fn what_is_written_can_be_run_in_other_versions() {
    let mut count = 0;
    for file in files() {
        let loaded = load_in(&file, None).unwrap();
        let text = written(&loaded.plan);
        for version in VERSIONS.into_iter().flatten() {
            let Some(loaded) = load_in(&file, Some(version)) else { continue };
            let again = read(&text, Some(version));
            let (own, others) = (lines(&loaded.plan), lines(&again.plan));
            assert_eq!(digest(&own), digest(&others), "{} in {version}\n{text}", file.display());
            count += 1;
        }
    }
    assert!(count > 300, "{count}");
}

#[test]
fn comments_and_expectations_stand_in_their_places() {
    let file = root().join("tests/cli/scenarios/maintenance.yaml");
    let plan = load_in(&file, None).unwrap().plan;
    let header = ["A header.".to_owned(), String::new(), "x\ny: z".to_owned()];
    let comments = |index: usize| match index {
        1 => vec!["Without it: web-1 goes.".to_owned(), "#\u{2028}kind: List".to_owned()],
        _ => Vec::new(),
    };
    let expect = "expect:\n  - {pod: shop/web-0, evictedAt: 5m10s}\n";
    let text = emit::scenario(&plan, &header, &comments, Some(expect));
    assert_eq!(read(&text, None).expectations.len(), 1);
    assert_eq!(emit::step_numbers(&plan), [1, 2, 3, 4]);
    insta::assert_snapshot!(text);
}

#[test]
fn every_key_reads_well() {
    let plan = load_in(&root().join("docs/examples/every-key.yaml"), None).unwrap().plan;
    insta::assert_snapshot!(written(&plan));
}

#[test]
fn manifests_stand_for_what_entries_cannot_say() {
    let text = "\
apiVersion: taintsim.dev/v1alpha1
kind: Scenario
metadata: {name: dump}
spec:
  nodes: [{name: node-0}]
  pods: [{name: web-0, nodeName: node-0}]
---
kind: List
items:
- {kind: Node, metadata: {name: plain}}
- {kind: Node, metadata: {name: cordoned}, spec: {unschedulable: true}}
- {kind: Node, metadata: {name: after}, spec: {taints: [{key: a, effect: NoExecute}]}}
- {kind: Pod, metadata: {name: bare}, spec: {nodeName: Odd_Name}}
- kind: Pod
  metadata: {name: gone, namespace: shop, uid: 0e5, deletionTimestamp: \"2026-05-01T00:00:00Z\"}
  spec: {nodeName: after, terminationGracePeriodSeconds: 5}
- {kind: Pod, metadata: {name: done}, spec: {nodeName: after}, status: {phase: Failed}}
";
    let loaded = read(text, None);
    let (text, again) = checked(&loaded.plan, "a dump");
    assert_eq!(notices(&loaded), notices(&again));
    insta::assert_snapshot!(text);
}

/// `repeat` puts its turns between steps that follow others, where no step of a file may stand.
#[test]
fn turns_between_steps_that_follow_others_get_times() {
    let text = "\
apiVersion: taintsim.dev/v1alpha1
kind: Scenario
metadata: {name: turns}
spec:
  nodes: [{name: node-0}]
  pods: [{name: web-0, nodeName: node-0}]
  steps:
    - at: 5s
      repeat: {every: 5s, times: 4, steps: [{note: turn}]}
    - {at: 6s, note: first}
    - {at: +3s, note: between}
    - {at: +8s, note: late}
    - {at: 30s, kubectl: \"delete pod/web-0 node/node-0\"}
";
    let loaded = read(text, None);
    let (text, _) = checked(&loaded.plan, "turns");
    insta::assert_snapshot!(text);
}

/// What the fuzzer makes is what a file can say: a find becomes a scenario.
#[test]
fn generated_plans_are_sayable() {
    let limits = taintsim::fuzz::generate::Limits::default();
    for run in 0..400 {
        let plan = taintsim::fuzz::generate::generate(11, run, &limits);
        checked(&plan, &format!("run {run} of seed 11"));
    }
}
