//! `taintsim why`: what it says about every scenario of the repository is read by a person, in
//! golden files, and what it says would have changed a fate is true.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it does not expect")]

mod golden;
mod what_if;
mod words;

use std::path::{Path, PathBuf};

use taintsim::objects::PodId;
use taintsim::plan::Plan;
use taintsim::scenario::{self, LoadOptions};
use taintsim::why::{Answer, answer};

/// More than any scenario has.
const EVENTS_MAX: u64 = 10_000_000;

/// Every scenario of the repository, in order.
fn scenarios() -> Vec<PathBuf> {
    // Messages name files as they are given: as from the repository's root, where tests run.
    let root = Path::new("");
    let mut files = vec![root.join("docs/examples/every-key.yaml")];
    for folder in ["basics", "facts", "incidents", "versions"] {
        for entry in std::fs::read_dir(root.join("scenarios").join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "yaml") {
                files.push(path);
            }
        }
    }
    files.sort();
    assert!(files.len() > 100, "{} scenarios", files.len());
    files
}

fn load(file: &Path) -> Plan {
    let options = LoadOptions::default();
    let loaded = scenario::load(file, &options);
    loaded.unwrap_or_else(|failure| panic!("{}", failure.render())).plan
}

/// The scenario as these versions have it, besides its own; a gate may not exist in all of them.
fn load_for_versions(file: &Path) -> Vec<Plan> {
    let mut plans = vec![load(file)];
    for version in ["1.6", "1.18", "1.29", "1.33"] {
        let kubernetes_version = Some(version.to_owned());
        let options = LoadOptions { kubernetes_version, ..LoadOptions::default() };
        plans.extend(scenario::load(file, &options).ok().map(|loaded| loaded.plan));
    }
    plans
}

fn ask(plan: &Plan, pod: PodId) -> Answer {
    answer(plan, pod, None, EVENTS_MAX).unwrap()
}
