//! Plans that come from files, as `fuzz FILE` has them: with manifests, namespaces, repetitions and
//! whatever else the language can say.

use std::path::Path;

use taintsim::cluster::World;
use taintsim::fuzz::generate::{Limits, check, vary};
use taintsim::fuzz::shrink::shrink;
use taintsim::plan::Plan;
use taintsim::scenario::{self, LoadOptions};
use taintsim::timeline::{Detail, Kind, Record};

use super::sound::runs_from_its_file;

/// How many evictions were begun, given up and cancelled.
fn evictions(plan: &Plan) -> [usize; 3] {
    let mut records: Vec<Record> = Vec::new();
    World::new(plan, Detail::Summary).run(&mut records);
    let count = |is: fn(&Kind) -> bool| records.iter().filter(|r| is(&r.kind)).count();
    [
        count(|kind| matches!(kind, Kind::EvictionStarted)),
        count(|kind| matches!(kind, Kind::EvictionFailed)),
        count(|kind| matches!(kind, Kind::EvictionCancelled { .. })),
    ]
}

#[test]
fn scenarios_and_their_variations_are_made_small() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let folders = ["basics", "facts", "incidents", "versions"];
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(root.join(folder)).unwrap());
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    files.sort();
    let (mut count, mut smaller) = (0, 0);
    for path in files {
        let loaded = scenario::load(&path, &LoadOptions::default()).unwrap();
        if loaded.plan.pods.len() > 30 {
            continue;
        }
        let variations = (0..3).map(|run| vary(&loaded.plan, 1, run, &Limits::default()));
        for (plan, number) in [loaded.plan.clone()].into_iter().chain(variations).zip(0..) {
            let name = format!("variation {number} of {}", path.display());
            let own = evictions(&plan);
            let small = shrink(&plan, 1_000, &mut |plan| evictions(plan) == own).plan;
            assert_eq!(check(&small).is_ok(), check(&plan).is_ok(), "{name}");
            assert_eq!(evictions(&small), own, "{name}");
            runs_from_its_file(&small, &name);
            count += 1;
            smaller += u32::from(small.steps.len() < plan.steps.len());
        }
    }
    assert!(count > 300 && smaller > 200, "{smaller} of {count} have fewer steps");
}
