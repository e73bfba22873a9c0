//! The answers about every scenario, as the terminal shows them.

use std::collections::BTreeSet;

use taintsim::render;
use taintsim::why::REMARKS;

use super::{ask, load, load_for_versions, scenarios};

/// Pods of a scenario that are asked about, at most.
const PODS_AT_MOST: usize = 60;

/// One page a scenario: the answer about each pod, but for those whose answer is another's with
/// another name.
#[test]
fn every_scenario_has_its_page() {
    for file in scenarios() {
        let plan = load(&file);
        let mut page = String::new();
        let mut seen = BTreeSet::new();
        for (pod, name) in plan.names.pods().take(PODS_AT_MOST) {
            let answer = ask(&plan, pod);
            assert!(!answer.exhausted, "{}: {name}", file.display());
            let text = render::why(&answer);
            let bare = name.split_once('/').map_or(name, |(_, bare)| bare);
            // Lines break elsewhere where a name is longer.
            let words: Vec<&str> = text.split_whitespace().collect();
            let nameless = words.join(" ").replace(name, "POD").replace(bare, "POD");
            if seen.insert(nameless) {
                page.push_str(&text);
                page.push('\n');
            }
        }
        let folder = file.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned();
        let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
        insta::with_settings!({prepend_module_to_snapshot => false, omit_expression => true}, {
            insta::assert_snapshot!(format!("{folder}--{stem}"), page);
        });
    }
}

/// A remark that no scenario shows would be one that nobody has read.
#[test]
fn every_remark_is_shown_by_a_scenario() {
    let mut shown = BTreeSet::new();
    for file in scenarios() {
        for plan in load_for_versions(&file) {
            for (pod, _) in plan.names.pods().take(PODS_AT_MOST) {
                let lives = ask(&plan, pod).lives;
                shown.extend(lives.iter().flat_map(|life| &life.remarks).map(|remark| remark.name));
            }
        }
    }
    let unshown: Vec<&str> =
        REMARKS.iter().map(|remark| remark.name).filter(|name| !shown.contains(name)).collect();
    assert!(unshown.is_empty(), "no scenario shows {unshown:?}");
}
