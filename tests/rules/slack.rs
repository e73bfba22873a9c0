//! How much is forgiven, and no more.

use std::borrow::Cow;
use taintsim::cluster::{End, World};
use taintsim::fuzz::rules::judge;
use taintsim::plan::Plan;
use taintsim::timeline::{Detail, Kind, Record};

use crate::{DOCS, broken, spec};

/// What is broken where the records are changed before they are judged.
fn changed(plan: &Plan, change: impl Fn(&mut Vec<Record>)) -> Vec<Cow<'static, str>> {
    let mut world = World::new(plan, Detail::Summary);
    let mut records: Vec<Record> = Vec::new();
    let end: End = world.run(&mut records);
    change(&mut records);
    let breaches = judge(plan, &records, world.context(), end, DOCS);
    breaches.iter().map(|breach| breach.rule.clone()).collect()
}

/// The taint manager's DELETE and what it brought about, so much later.
fn later(nanos: u64) -> impl Fn(&mut Vec<Record>) {
    move |records| {
        for record in records {
            if matches!(record.kind, Kind::DeleteRequested { .. } | Kind::PodRemoved { .. }) {
                record.at.0 += nanos;
            }
        }
    }
}

const TAINTED: &str = "
nodes: [{name: n1}]
pods: [{name: p, nodeName: n1, tolerations: ['k:NoExecute op=Exists for 60s']}]
steps: [{at: 1s, kubectl: 'taint nodes n1 k:NoExecute'}]
";

/// With no latencies: five sleeps of 10 ms.
#[test]
fn the_slack_is_what_the_settings_add_up_to() {
    let plan = spec(TAINTED, "1.36");
    assert_eq!(changed(&plan, later(0)), [""; 0]);
    assert_eq!(changed(&plan, later(50_000_000)), [""; 0]);
    assert_eq!(changed(&plan, later(50_000_001)), ["docs/shortest-wait-late"]);
    let slow =
        format!("apiServer: {{latency: {{delete: 1s}}, watchLatency: {{nodes: 3s}}}}\n{TAINTED}");
    let slow = spec(&slow, "1.36");
    // The run itself takes 3 s for the news and 1 s for the call, of 3 s and five calls.
    assert_eq!(changed(&slow, later(4_050_000_000)), [""; 0]);
    assert_eq!(changed(&slow, later(4_050_000_001)), ["docs/shortest-wait-late"]);
}

#[test]
fn a_pod_that_nobody_deletes_is_late() {
    let gone = |records: &mut Vec<Record>| {
        records.retain(|record| {
            !matches!(record.kind, Kind::DeleteRequested { .. } | Kind::PodRemoved { .. })
        });
    };
    let plan = spec(TAINTED, "1.36");
    assert_eq!(changed(&plan, gone), ["docs/shortest-wait-late", "convergence"]);
    let bare =
        spec(&TAINTED.replace(", tolerations: ['k:NoExecute op=Exists for 60s']", ""), "1.36");
    assert_eq!(changed(&bare, gone), ["docs/untolerated-goes", "convergence"]);
}

#[test]
fn a_pod_that_tolerates_for_ever_and_goes_is_early() {
    let plan = spec(TAINTED, "1.36");
    let for_ever = spec(&TAINTED.replace(" for 60s", ""), "1.36");
    let mut world = World::new(&plan, Detail::Summary);
    let mut records: Vec<Record> = Vec::new();
    let end = world.run(&mut records);
    let other = World::new(&for_ever, Detail::Summary);
    let breaches = judge(&for_ever, &records, other.context(), end, DOCS);
    let rules: Vec<_> = breaches.iter().map(|breach| breach.rule.clone()).collect();
    assert_eq!(rules, ["docs/without-seconds-stays", "convergence"]);
}

/// What Go leaves open makes no difference to what is promised, where nothing happens at an
/// instant at which something else is due.
#[test]
fn plain_runs_break_nothing_in_any_order() {
    let text = "
apiServer: {latency: {get: 0..5ms, patch: 0..5ms, delete: 0..20ms}, watchLatency: {pods: 0..50ms, nodes: 0..50ms}}
taintManager: {handlerCost: 0..1ms}
nodes: [{name: 'n{0..3}'}]
pods:
  - {name: 'a{0..3}', nodeName: n0, tolerations: ['k:NoExecute op=Exists for 10s']}
  - {name: 'b{0..3}', nodeName: n1}
  - {name: 'c{0..3}', nodeName: n2, tolerations: ['k:NoExecute op=Exists']}
steps:
  - {at: 1s, kubectl: 'taint nodes --all k:NoExecute'}
  - {at: 5s, kubectl: 'taint nodes n0 k:NoExecute-'}
  - {at: 8s, kubectl: 'taint nodes n0 k:NoExecute'}
  - {at: 9s, createPod: {name: late, nodeName: n0}}
  - {at: 30s, kubectl: 'taint nodes --all k:NoExecute-'}
";
    for version in ["1.6", "1.18", "1.29", "1.33", "1.36"] {
        let mut plan = spec(text, version);
        plan.config.taint_manager.random_interleaving = true;
        for seed in 0..100 {
            plan.config.seed = seed;
            let broken = broken(&plan, DOCS);
            assert!(broken.is_empty(), "{version} with seed {seed}: {broken:?}");
        }
    }
}
