//! Texts through import and the loader, and what becomes of their pods.

use std::collections::BTreeMap;

use taintsim::cluster::World;
use taintsim::import::{Import, ImportOptions};
use taintsim::kernel::time::Time;
use taintsim::scenario::{Limits, LoadOptions, Loaded, ObjectsLoader, load_text};
use taintsim::timeline::{Detail, Kind, Outcome, Record};

/// What import makes of a dump.
pub fn import(dump: &str, redact: bool) -> String {
    imported(dump, redact).0
}

/// The same, and its notices.
pub fn imported(dump: &str, redact: bool) -> (String, String) {
    let mut loader = ObjectsLoader::new(Limits::default());
    loader.text("dump.yaml", dump);
    let loaded = loader.finish().unwrap_or_else(|failure| panic!("{dump}\n{failure}"));
    let options = ImportOptions { name: "dump".into(), files: vec!["dump.yaml".into()], redact };
    let import = Import::new(loaded, options);
    let mut text = Vec::new();
    import.write(&mut text).unwrap();
    (String::from_utf8(text).unwrap(), import.notices().join("\n"))
}

pub fn load(text: &str, steps: &[&str]) -> Loaded {
    let extra_steps = steps.iter().map(ToString::to_string).collect();
    let options = LoadOptions { extra_steps, ..LoadOptions::default() };
    load_text("x.yaml", text, None, &options).unwrap_or_else(|failure| panic!("{text}\n{failure}"))
}

/// Every node and pod of a plan by name, with all that a run can depend on.
pub fn objects(loaded: &Loaded) -> BTreeMap<String, String> {
    let plan = &loaded.plan;
    let lists = &plan.lists;
    let nodes = plan.nodes.iter().map(|node| {
        let text = format!(
            "{:?} {:?} {} {:?}",
            lists.taints(node.taints),
            lists.labels(node.labels),
            node.unschedulable,
            node.termination
        );
        (format!("node {}", plan.names.node(node.node)), text)
    });
    let pods = plan.pods.iter().map(|pod| {
        let text = format!(
            "{:?} {:?} {:?} {} {} {} {}",
            pod.node.map(|node| plan.names.node(node)),
            lists.tolerations(pod.tolerations),
            lists.labels(pod.labels),
            pod.grace_period_seconds,
            pod.terminating,
            pod.disruption_target,
            pod.finished
        );
        (format!("pod {}", plan.names.pod(pod.pod)), text)
    });
    nodes.chain(pods).collect()
}

/// When the taint manager's DELETEs of each pod were accepted, and when the pod went.
pub fn fates(text: &str, steps: &[&str]) -> BTreeMap<String, Vec<(Time, bool)>> {
    fates_of(&load(text, steps))
}

/// The same of a dump under the version that its scenario has.
pub fn fates_as(scenario: &str, dump: &str, steps: &[&str]) -> BTreeMap<String, Vec<(Time, bool)>> {
    let config = load(scenario, &[]).plan.config;
    let mut loaded = load(dump, steps);
    loaded.plan.config = config;
    fates_of(&loaded)
}

fn fates_of(loaded: &Loaded) -> BTreeMap<String, Vec<(Time, bool)>> {
    let mut records: Vec<Record> = Vec::new();
    World::new(&loaded.plan, Detail::Summary).run(&mut records);
    let mut fates: BTreeMap<String, Vec<(Time, bool)>> = BTreeMap::new();
    for record in &records {
        let Some(pod) = record.pod else { continue };
        let fate = fates.entry(loaded.plan.names.pod(pod).to_owned()).or_default();
        match record.kind {
            Kind::DeleteRequested { outcome: Outcome::Ok, .. } => fate.push((record.at, false)),
            Kind::PodRemoved { .. } => fate.push((record.at, true)),
            _ => {}
        }
    }
    fates
}

/// The scenario with its example steps.
pub fn uncommented(scenario: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for line in scenario.lines() {
        inside |= line == "  # steps:";
        inside &= line.starts_with("  # ");
        match inside {
            true => out.push_str(&line.replacen("# ", "", 1)),
            false => out.push_str(line),
        }
        out.push('\n');
    }
    out
}
