//! Dumps of real clusters through the real loader, and a question with a known answer: when does
//! each pod go if its node gets one NoExecute taint now?
//!
//! The dumps are other people's and not part of the repository. They are in the folder that
//! `TAINTSIM_DUMPS` names, or in one next to the repository. Where there is none, the tests check
//! nothing, and say so past the capture of a test's output.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at what it does not expect"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use taintsim::cluster::World;
use taintsim::import::{Import, ImportOptions};
use taintsim::kernel::time::Time;
use taintsim::objects::{Lists, PodId};
use taintsim::plan::Plan;
use taintsim::scenario::{self, Limits, LoadOptions, Loaded, ObjectsLoader};
use taintsim::timeline::{Detail, Kind, Outcome, Record};

/// Fates of the scheduled pods of a dump, by their number. Where a dump has several pods of one
/// name (12 and 20), the last one counts.
struct Oracle {
    /// The number that the file's name begins with.
    file: &'static str,
    /// With `node.kubernetes.io/unreachable`.
    unreachable: &'static str,
    /// With `dedicated=x`, and with `node-role.kubernetes.io/etcd=true`.
    other: &'static str,
}

const fn oracle(file: &'static str, unreachable: &'static str, other: &'static str) -> Oracle {
    Oracle { file, unreachable, other }
}

/// Counted without taintsim.
const ORACLES: [Oracle; 20] = [
    oracle("01", "300s 16, never 7", "never 5, now 18"),
    oracle("02", "300s 17, never 7", "never 5, now 19"),
    oracle("03", "300s 16, never 7", "never 5, now 18"),
    oracle("04", "300s 2, never 13", "never 10, now 5"),
    oracle("05", "300s 4, never 3", "now 7"),
    oracle("06", "300s 5, never 13", "never 10, now 8"),
    oracle("07", "300s 2, never 3", "never 3, now 2"),
    oracle("08", "", ""),
    oracle("09", "300s 6, never 1", "now 7"),
    oracle("10", "", ""),
    oracle("11", "300s 1", "now 1"),
    oracle("12", "300s 4", "now 4"),
    oracle("13", "300s 1, never 1", "never 1, now 1"),
    oracle("14", "120s 5, 300s 1, never 3", "never 3, now 6"),
    oracle("15", "", ""),
    oracle("16", "30s 2", "now 2"),
    oracle("17", "never 1, now 1", "now 2"),
    oracle("18", "", ""),
    oracle("19", "now 1", "now 1"),
    oracle("20", "300s 1", "now 1"),
];

#[test]
fn pods_of_real_dumps_meet_their_fates() {
    let Some(files) = dumps() else { return };
    assert_eq!(files.len(), ORACLES.len(), "dumps found: {files:?}");
    let mut report = String::new();
    for (file, oracle) in files.iter().zip(&ORACLES) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        assert!(name.starts_with(oracle.file), "{name} stands where {} should", oracle.file);
        for (taint, expected) in [
            ("node.kubernetes.io/unreachable", oracle.unreachable),
            ("dedicated=x", oracle.other),
            ("node-role.kubernetes.io/etcd=true", oracle.other),
        ] {
            match fates(file, taint) {
                Ok(got) if got == expected => {}
                Ok(got) => writeln!(report, "{name}, {taint}: {got}, not {expected}").unwrap(),
                Err(error) => writeln!(report, "{name}, {taint}: {error}").unwrap(),
            }
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

/// One of the nodes has NoExecute taints already, so the dump alone is a scenario. Its pod tolerates
/// unreachable for 30s, but not out-of-service; the other pod's node has no taint.
#[test]
fn a_dump_alone_is_a_scenario() {
    let Some(files) = dumps() else { return };
    let file = files.iter().find(|file| file.to_string_lossy().contains("/16-")).unwrap();
    let loaded = load(file, &[]).unwrap();
    assert!(!loaded.is_scenario);
    let evicted_at = evictions(&run(&loaded.plan));
    let evicted: Vec<(&str, Time)> =
        evicted_at.iter().map(|(pod, at)| (loaded.plan.names.pod(*pod), *at)).collect();
    assert_eq!(evicted, [("default/test-deployment-57fb685899-66wmp", Time::ZERO)]);
}

/// Import keeps what a dump does: the same pods are evicted at the same times, of the scenario that
/// it makes as of the dump, and of the redacted one under other names.
#[test]
fn imported_dumps_meet_the_same_fates() {
    let Some(files) = dumps() else { return };
    for file in &files {
        let plain = import(file, false);
        let redacted = import(file, true);
        let load = |text: &str, steps: &[String]| {
            let options = LoadOptions { extra_steps: steps.to_vec(), ..LoadOptions::default() };
            scenario::load_text("x.yaml", text, None, &options).map_err(|failure| failure.render())
        };
        let has_nodes = !load(&plain, &[]).expect("a scenario").plan.nodes.is_empty();
        let lines = ["x=y", "node.kubernetes.io/unreachable", "node.kubernetes.io/not-ready"];
        for line in lines.map(|taint| format!("0s taint nodes --all {taint}:NoExecute --overwrite"))
        {
            let steps = if has_nodes { vec![line] } else { Vec::new() };
            let of = |loaded: Loaded| {
                let times = evictions(&run(&loaded.plan));
                let name = |pod: PodId| loaded.plan.names.pod(pod).to_owned();
                times.into_iter().map(|(pod, at)| (name(pod), at)).collect::<BTreeMap<_, _>>()
            };
            let imported = load(&plain, &steps).expect("a scenario");
            // The scenario has the version of the nodes; a dump has the newest, unless told.
            let options = LoadOptions {
                extra_steps: steps.clone(),
                kubernetes_version: Some(imported.plan.config.profile.to_string()),
                ..LoadOptions::default()
            };
            let dump = of(scenario::load(file, &options).expect("a dump"));
            let imported = of(imported);
            assert_eq!(dump, imported, "{}, {steps:?}", file.display());
            let renamed = of(load(&redacted, &steps).expect("a scenario"));
            let sorted = |fates: BTreeMap<String, Time>| {
                let mut times: Vec<Time> = fates.into_values().collect();
                times.sort();
                times
            };
            assert_eq!(sorted(imported), sorted(renamed), "{}, {steps:?}", file.display());
        }
    }
}

/// No name of a node or pod, and no value of a label, is left in the redacted scenario of a dump,
/// but for words that keys of Kubernetes and the language have as well.
#[test]
fn redacted_dumps_name_nobody() {
    let Some(files) = dumps() else { return };
    for file in &files {
        let redacted = import(file, true);
        let plan = load(file, &[]).expect("a dump").plan;
        let labels = plan.nodes.iter().map(|n| n.labels).chain(plan.pods.iter().map(|p| p.labels));
        let values = labels.flat_map(|id| plan.lists.labels(id).iter().map(|(_, value)| value));
        let names = plan.names.nodes().map(|(_, name)| name);
        let pods = plan.names.pods().filter_map(|(_, name)| name.split_once('/'));
        let pods = pods.flat_map(|(namespace, name)| [namespace, name]);
        let is_told = |word: &&str| !word.contains("kubernetes.io/") && !word.contains("k8s.io/");
        let told: Vec<&str> = redacted
            .lines()
            .filter(|line| !line.starts_with('#'))
            .flat_map(|line| line.split_whitespace().filter(is_told))
            .collect();
        let told = told.join(" ");
        let harmless = ["default", "linux", "amd64", "arm64", "true", "false", "node", "name"];
        for private in values.chain(names).chain(pods) {
            let is_left =
                private.len() >= 4 && !harmless.contains(&private) && told.contains(private);
            assert!(!is_left, "{}: {private}\n{redacted}", file.display());
        }
    }
}

fn import(file: &Path, redact: bool) -> String {
    let mut loader = ObjectsLoader::new(Limits::default());
    loader.file(file);
    let loaded = loader.finish().unwrap_or_else(|failure| panic!("{failure}"));
    let options = ImportOptions { name: "x".into(), files: vec!["x".into()], redact };
    let mut text = Vec::new();
    Import::new(loaded, options).write(&mut text).expect("memory");
    String::from_utf8(text).expect("text")
}

/// `300s 16, never 7`: when the pods of a dump go if all nodes get this taint now.
fn fates(file: &Path, taint: &str) -> Result<String, String> {
    // Without nodes there is nothing to taint, and `--all` would be refused.
    if load(file, &[])?.plan.nodes.is_empty() {
        return Ok(String::new());
    }
    let step = format!("0s taint nodes --all {taint}:NoExecute");
    let mut plan = load(file, &[step])?.plan;
    // The question is about this taint alone.
    for node in &mut plan.nodes {
        node.taints = Lists::NO_TAINTS;
    }
    let evicted_at = evictions(&run(&plan));
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for pod in plan.pods.iter().filter(|pod| pod.node.is_some()) {
        let fate = match evicted_at.get(&pod.pod) {
            None => "never".to_owned(),
            Some(&Time::ZERO) => "now".to_owned(),
            Some(at) => format!("{}s", at.0 / 1_000_000_000),
        };
        *counts.entry(fate).or_default() += 1;
    }
    let parts: Vec<String> = counts.iter().map(|(fate, count)| format!("{fate} {count}")).collect();
    Ok(parts.join(", "))
}

/// When the store first accepted a DELETE of the taint manager for each pod.
fn evictions(records: &[Record]) -> BTreeMap<PodId, Time> {
    let mut times = BTreeMap::new();
    for record in records {
        if let (Kind::DeleteRequested { outcome: Outcome::Ok, .. }, Some(pod)) =
            (&record.kind, record.pod)
        {
            times.entry(pod).or_insert(record.at);
        }
    }
    times
}

fn run(plan: &Plan) -> Vec<Record> {
    let mut records = Vec::new();
    World::new(plan, Detail::Summary).run(&mut records);
    records
}

fn load(file: &Path, steps: &[String]) -> Result<Loaded, String> {
    let options = LoadOptions { extra_steps: steps.to_vec(), ..LoadOptions::default() };
    scenario::load(file, &options).map_err(|failure| failure.render())
}

/// The dumps in the order of their names. Where the folder that is asked for by name is not there,
/// the test fails.
fn dumps() -> Option<Vec<PathBuf>> {
    let named = std::env::var_os("TAINTSIM_DUMPS").map(PathBuf::from);
    let must_exist = named.is_some();
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/real-manifests");
    let folder = named.unwrap_or_else(beside);
    let Ok(entries) = std::fs::read_dir(&folder) else {
        assert!(!must_exist, "TAINTSIM_DUMPS: there is no folder {}", folder.display());
        // The test harness keeps what `eprintln!` prints to itself where a test passes.
        let notice = format!("SKIPPED: no dumps of real clusters at {}\n", folder.display());
        io::stderr().write_all(notice.as_bytes()).unwrap();
        return None;
    };
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| !path.ends_with("README.md"))
        .collect();
    files.sort();
    Some(files)
}
