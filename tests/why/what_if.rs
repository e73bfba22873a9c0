//! What `why` says would have changed a fate: each sentence is held against runs of its own.

use taintsim::kernel::Time;
use taintsim::objects::PodId;
use taintsim::plan::Plan;
use taintsim::timeline::fate::Fate;
use taintsim::why::{self, Edit, Identity, LifeAnswer, WhatIf, is_same};

use super::{EVENTS_MAX, ask, load_for_versions, scenarios};

/// The fate of the pod in a run of its own.
fn fate(plan: &Plan, life: &LifeAnswer) -> Fate {
    let (fate, _) = why::fate(plan, life.identity, EVENTS_MAX);
    fate.unwrap_or_else(|| panic!("no pod {:?}", life.identity))
}

/// The same in a changed plan, in which the pod can have the newest name.
fn renamed(plan: &Plan, changed: &Plan, what_if: &WhatIf, life: &LifeAnswer) -> Fate {
    match what_if.edit {
        Edit::OtherName { .. } => {
            let pod = PodId(plan.names.pod_count() as u32);
            why::fate(changed, Identity { pod, ..life.identity }, EVENTS_MAX).0.unwrap()
        }
        _ => fate(changed, life),
    }
}

/// The edit with its step at another time.
fn at(edit: &Edit, time: Time) -> Edit {
    match edit {
        Edit::RemoveTaints { node, taints, .. } => {
            Edit::RemoveTaints { node: *node, taints: taints.clone(), at: time }
        }
        Edit::All(edits) => Edit::All(edits.iter().map(|edit| at(edit, time)).collect()),
        other => other.clone(),
    }
}

/// Times in a range that are not those which the search has looked at.
fn samples(from: Time, before: Time) -> Vec<Time> {
    let span = before.0 - from.0;
    let inner = [1, 17, 333, 500, 821, 999].map(|part| from.0 + 1 + (span - 2) / 1_000 * part);
    inner.into_iter().chain([before.0 - 1]).map(Time).filter(|time| *time < before).collect()
}

#[test]
fn every_sentence_is_true() {
    let (mut sentences, mut ranges, mut in_vain, mut versions) = (0, 0, 0, 0);
    for file in scenarios() {
        let plans = load_for_versions(&file);
        let pods = plans.iter().flat_map(|plan| plan.names.pods().take(12).map(move |p| (plan, p)));
        for (plan, (pod, name)) in pods {
            for life in ask(plan, pod).lives {
                let place = || format!("{}: {name} ({})", file.display(), life.uid);
                assert!(is_same(fate(plan, &life), life.fate), "{}", place());
                for what_if in &life.what_ifs {
                    let said = || format!("{}: {what_if:?}", place());
                    let changed = what_if.edit.apply(plan).unwrap_or_else(|| panic!("{}", said()));
                    let found = renamed(plan, &changed, what_if, &life);
                    assert!(is_same(found, what_if.fate), "{}\nbut {found:?}", said());
                    sentences += 1;
                    in_vain += usize::from(what_if.in_vain);
                    let Some((from, before)) = what_if.range else { continue };
                    ranges += 1;
                    for time in samples(from, before) {
                        let changed = at(&what_if.edit, time).apply(plan).unwrap();
                        let found = renamed(plan, &changed, what_if, &life);
                        assert!(is_same(found, what_if.fate), "{} at {time}: {found:?}", said());
                    }
                    let late = fate(&at(&what_if.edit, before).apply(plan).unwrap(), &life);
                    assert!(!is_same(late, what_if.fate), "{} at {before}: {late:?}", said());
                }
                for other in &life.other_versions {
                    let edit = Edit::Switch(other.switch, other.setting);
                    let found = fate(&edit.apply(plan).unwrap(), &life);
                    assert!(is_same(found, other.fate), "{}: {other:?}: {found:?}", place());
                    assert!(!is_same(found, life.fate), "{}: {other:?}", place());
                    versions += 1;
                }
            }
        }
    }
    // The corpus is large enough to mean something.
    assert!(sentences > 1_500, "{sentences} sentences");
    assert!(ranges > 300, "{ranges} ranges");
    assert!(in_vain > 20, "{in_vain} in vain");
    assert!(versions > 200, "{versions} other versions");
}
