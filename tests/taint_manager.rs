//! Facts of Kubernetes 1.36 that the recordings of the real controller do not reach. Each test
//! names its fact.

#![allow(clippy::expect_used, reason = "a test may stop at what it does not expect")]

use taintsim::cluster::World;
use taintsim::kernel::Time;
use taintsim::plan::Plan;
use taintsim::scenario::{LoadOptions, load_text};
use taintsim::timeline::{Detail, Kind, Record};

fn plan(spec: &str) -> Plan {
    let text = format!("apiVersion: taintsim.dev/v1alpha1\nkind: Scenario\nspec:\n{spec}");
    match load_text("test.yaml", text, None, &LoadOptions::default()) {
        Ok(loaded) => loaded.plan,
        Err(failure) => panic!("{}", failure.render()),
    }
}

fn run(plan: &Plan) -> Vec<Record> {
    let mut records = Vec::new();
    World::new(plan, Detail::Controller).run(&mut records);
    records
}

/// The story of the kinds named, one line a record: `ms kind object`.
fn story(plan: &Plan, kinds: &[&str]) -> Vec<String> {
    run(plan)
        .iter()
        .filter(|record| kinds.contains(&record.kind.name()))
        .map(|record| {
            let pod = record.pod.map(|pod| plan.names.pod_parts(pod).1);
            let object = pod.or(record.node.map(|node| plan.names.node(node))).unwrap_or("");
            format!("{} {} {object}", record.at.millis(), record.kind.name())
        })
        .collect()
}

const EVICTIONS: [&str; 5] =
    ["EvictionScheduled", "EvictionCancelled", "EvictionStarted", "EvictionFailed", "PodRemoved"];

/// A sleep follows the fifth failure: the entry goes 50 ms after the first attempt, so that a
/// taint change at 45 ms meets the old timer, and one at 55 ms starts a full new wait.
#[test]
fn the_entry_goes_after_the_sleep_that_follows_the_fifth_failure() {
    let at = |change: &str| {
        plan(&format!(
            "
  nodes: [{{name: n1}}]
  pods: [{{name: p, nodeName: n1, tolerations: ['k:NoExecute op=Exists for 10s']}}]
  faults: [{{verb: delete, resource: pods, pod: p, error: InternalError, first: 5}}]
  until: 15s
  steps:
    - {{at: 0s, taint: {{node: n1, add: ['k:NoExecute']}}}}
    - {{at: {change}, taint: {{node: n1, add: ['k=v2:NoExecute']}}}}
"
        ))
    };
    let once = ["0 EvictionScheduled p", "10000 EvictionStarted p", "10050 EvictionFailed p"];
    assert_eq!(story(&at("10045ms"), &EVICTIONS), once);
    let again = [&once[..], &["10055 EvictionScheduled p"]].concat();
    assert_eq!(story(&at("10055ms"), &EVICTIONS), again);
}

/// A finishing deletion does not remove an entry that has replaced its own (since 1.36; before,
/// the new timer could no longer be cancelled).
#[test]
fn a_finishing_deletion_keeps_the_entry_that_replaced_its_own() {
    let plan = plan(
        "
  nodes: [{name: n1}]
  pods: [{name: p, nodeName: n1, tolerations: ['k:NoExecute op=Exists for 10s']}]
  apiServer: {latency: {delete: 5s}}
  taintManager: {deleteRetries: 1}
  faults: [{verb: delete, resource: pods, pod: p, error: Forbidden, first: 1}]
  steps:
    - {at: 0s, taint: {node: n1, add: ['k:NoExecute']}}
    - {at: 12s, taint: {node: n1, replace: []}}
    - {at: 13s, taint: {node: n1, add: ['k:NoExecute']}}
    - {at: 18s, taint: {node: n1, replace: []}}
",
    );
    let expected = [
        "0 EvictionScheduled p",
        "10000 EvictionStarted p",
        "12000 EvictionCancelled p",
        "13000 EvictionScheduled p",
        "15010 EvictionFailed p",
        "18000 EvictionCancelled p",
    ];
    assert_eq!(story(&plan, &EVICTIONS), expected);
}

const WAY: [&str; 4] = ["Enqueued", "Dispatched", "DispatchBlocked", "HandlerStarted"];

/// Head-of-line blocking: the one pod dispatcher waits for a full shard (capacity 1), and an item
/// of another shard behind it waits as well, though its channel is empty.
#[test]
fn a_full_pod_channel_stalls_the_pods_of_all_shards() {
    let plan = plan(
        "
  nodes: [{name: node-0}]
  steps:
    - at: 1s
      burst:
        - createPod: {name: 'unscheduled-{a..c}'}
        - createPod: {name: scheduled, nodeName: node-0}
",
    );
    let story = story(&plan, &WAY);
    let expected = [
        "0 Enqueued node-0",
        "0 Dispatched node-0",
        "0 HandlerStarted node-0",
        "1000 Enqueued unscheduled-a",
        "1000 Enqueued unscheduled-b",
        "1000 Enqueued unscheduled-c",
        "1000 Enqueued scheduled",
        "1000 Dispatched unscheduled-a",
        "1000 DispatchBlocked unscheduled-b",
        "1000 Dispatched unscheduled-b",
        "1000 HandlerStarted unscheduled-a",
        "1000 DispatchBlocked unscheduled-c",
        "1000 Dispatched unscheduled-c",
        "1000 HandlerStarted unscheduled-b",
        "1000 Dispatched scheduled",
        "1000 HandlerStarted unscheduled-c",
        "1000 HandlerStarted scheduled",
    ];
    assert_eq!(story, expected);
}

/// A node channel holds 10 items; the eleventh blocks the node dispatcher.
#[test]
fn a_node_channel_holds_ten() {
    let plan = plan(
        "
  taintManager: {workers: 1}
  nodes: [{name: 'n-{00..11}'}]
",
    );
    let story = story(&plan, &["Dispatched", "DispatchBlocked", "HandlerStarted"]);
    let position = |wanted: &str| story.iter().position(|line| line == wanted).expect(wanted);
    assert_eq!(position("0 DispatchBlocked n-10"), 10);
    assert!(story[..10].iter().all(|line| line.contains("Dispatched")));
    assert_eq!(&story[11..13], ["0 Dispatched n-10", "0 HandlerStarted n-00"]);
}

/// A pod whose node is no longer that of its item is another shard's: nothing happens to its
/// timer, which so deletes the new pod on a healthy node (A pod deleted and created again under
/// its name on another node before the controller looks).
#[test]
fn an_item_with_another_node_than_the_pod_leaves_its_timer_alone() {
    let plan = plan(
        "
  nodes: [{name: node-0}, {name: node-1}]
  pods: [{name: p, nodeName: node-0, tolerations: ['k:NoExecute op=Exists for 10s']}]
  steps:
    - {at: 0s, taint: {node: node-0, add: ['k:NoExecute']}}
    - at: 5s
      burst:
        - deletePod: {pod: p}
        - createPod: {name: p, nodeName: node-1}
",
    );
    let expected = [
        "0 EvictionScheduled p",
        "5000 PodRemoved p",
        "10000 EvictionStarted p",
        "10000 PodRemoved p",
    ];
    assert_eq!(story(&plan, &EVICTIONS), expected);
    // The handlers of both items ran, and did nothing.
    let handled = story(&plan, &["HandlerStarted"]);
    assert_eq!(handled.iter().filter(|line| line.starts_with("5000")).count(), 2, "{handled:?}");
}

/// A graceful stop (1.35) waits for running deletions; the new process starts after them, and
/// what was armed is lost.
#[test]
fn a_restart_waits_for_running_deletions_and_forgets_timers() {
    let plan = plan(
        "
  nodes: [{name: n1}]
  pods:
    - {name: now, nodeName: n1}
    - {name: later, nodeName: n1, tolerations: ['k:NoExecute op=Exists for 10s']}
  faults: [{verb: delete, resource: pods, pod: now, error: ServerTimeout, first: 3}]
  steps:
    - {at: 1s, taint: {node: n1, add: ['k:NoExecute']}}
    - {at: 1015ms, restartController: {}}
",
    );
    let kinds = [&EVICTIONS[..], &["ControllerStopped", "ControllerStarted"]].concat();
    let expected = [
        "1000 EvictionScheduled now",
        "1000 EvictionScheduled later",
        "1000 EvictionStarted now",
        "1015 ControllerStopped ",
        "1030 PodRemoved now",
        "1130 ControllerStarted ",
        "1130 EvictionScheduled later",
        "11130 EvictionStarted later",
        "11130 PodRemoved later",
    ];
    assert_eq!(story(&plan, &kinds), expected);
}

/// A restart during the down time of another one moves the start; nothing starts twice.
#[test]
fn restarts_that_overlap_start_one_process() {
    let plan = plan(
        "
  nodes: [{name: n1}]
  apiServer: {latency: {list: 30ms}, replyLatency: {list: 150ms}, watchLatency: {pods: 1s}}
  steps:
    - {at: 1s, restartController: {for: 5s}}
    - {at: 2s, restartController: {for: 10s}}
    - {at: 12050ms, restartController: {}}
    - {at: 13s, createPod: {name: p, nodeName: n1}}
",
    );
    // Listed at 12.08 s, answered at 12.23 s; the polls are at 12.15, 12.25 s.
    let expected =
        ["1000 ControllerStopped ", "12050 ControllerStopped ", "12250 ControllerStarted "];
    assert_eq!(story(&plan, &["ControllerStopped", "ControllerStarted"]), expected);
    let handled = story(&plan, &["HandlerStarted"]);
    assert_eq!(handled.last().map(String::as_str), Some("14000 HandlerStarted p"));
}

/// A patch carries the uid that the GET found: a pod that was swapped between them fails the
/// attempt, and the next attempt reaches the new pod.
#[test]
fn a_pod_swapped_between_get_and_patch_costs_an_attempt() {
    let plan = plan(
        "
  nodes: [{name: n1}]
  pods: [{name: p, nodeName: n1}]
  apiServer: {latency: {patch: 100ms}}
  steps:
    - {at: 1s, taint: {node: n1, add: ['k:NoExecute']}}
    - at: 1050ms
      burst:
        - deletePod: {pod: p}
        - createPod: {name: p, nodeName: n1, tolerations: ['k:NoExecute op=Exists']}
",
    );
    let patches: Vec<_> = run(&plan)
        .into_iter()
        .filter_map(|record| match record.kind {
            Kind::StatusPatched { attempt, outcome, .. } => {
                Some((record.at.millis(), attempt, outcome.as_str()))
            }
            _ => None,
        })
        .collect();
    assert_eq!(patches, [(1100, 1, "Conflict"), (1210, 2, "ok")]);
    assert_eq!(story(&plan, &["PodRemoved"]), ["1050 PodRemoved p", "1210 PodRemoved p"]);
}

/// A world can be stepped, run to a time, and run to the next record of a kind; it can be looked
/// at in between.
#[test]
fn a_world_can_be_stepped_and_looked_at() {
    let plan = plan(
        "
  nodes: [{name: n1}]
  pods: [{name: p, nodeName: n1, tolerations: ['k:NoExecute op=Exists for 10s']}]
  steps: [{at: 1s, taint: {node: n1, add: ['k:NoExecute', 's:NoSchedule']}}]
",
    );
    let mut world = World::new(&plan, Detail::Summary);
    let pod = plan.names.find_pod("default/p").expect("named in the plan");
    let node = plan.names.find_node("n1").expect("named in the plan");
    world.run_until(Time(500_000_000), &mut ());
    assert!(world.pod(pod).is_some());
    assert_eq!(world.timers().count(), 0);
    let armed = world.run_to_next(Time::MAX, &mut (), |record| {
        matches!(record.kind, Kind::EvictionScheduled { .. })
    });
    assert_eq!(armed.map(|record| record.at), Some(Time(1_000_000_000)));
    let timers: Vec<_> = world.timers().collect();
    assert_eq!(timers.len(), 1);
    assert_eq!((timers[0].pod, timers[0].fire_at), (pod, Time(11_000_000_000)));
    assert_eq!(world.context().lists.taints(world.tainted(node)).len(), 1, "NoExecute only");
    let mut last = None;
    while let Some((time, event)) = world.step(&mut ()) {
        last = Some((time, event));
    }
    assert_eq!(last.map(|(time, _)| time), Some(Time(11_000_000_000)));
    assert!(world.pod(pod).is_none());
}

/// DefaultTolerationSeconds acts on updates too: what an update leaves out comes back. An update
/// that is forced goes past the API server, and past admission with it.
#[test]
fn admission_acts_on_updates_that_are_not_forced() {
    let plan = plan(
        "
  nodes: [{name: n1}]
  pods: [{name: p, nodeName: n1}]
  steps:
    - {at: 1s, setTolerations: {pod: p, tolerations: ['k:NoExecute op=Exists']}}
    - {at: 2s, setTolerations: {pod: p, tolerations: ['k:NoExecute op=Exists'], force: true}}
",
    );
    let mut records: Vec<Record> = Vec::new();
    let mut world = World::new(&plan, Detail::Summary);
    world.run(&mut records);
    let counts: Vec<usize> = records
        .iter()
        .filter_map(|record| match record.kind {
            Kind::PodTolerationsChanged { tolerations, .. } => {
                Some(world.context().lists.tolerations(tolerations).len())
            }
            _ => None,
        })
        .collect();
    assert_eq!(counts, [3, 1]);
}

/// Times that add up past the end of time never come; nothing breaks on the way there.
#[test]
fn what_lies_beyond_the_end_of_time_never_comes() {
    let plan = plan(
        "
  nodes: [{name: n1}]
  pods: [{name: p, nodeName: n1}]
  apiServer: {latency: {get: 5000000h}}
  taintManager: {retryInterval: 18446744073709551615ns}
  faults: [{verb: get, resource: pods, error: Timeout}]
  until: 5124095h
  steps:
    - {at: 1s, taint: {node: n1, add: ['k:NoExecute']}}
    - {after: {armed: p, plus: 18446744073709551615ns}, note: never}
    - {at: 3s, restartController: {for: 18446744073709551615ns}}
    - {at: 18446744073709551614ns, note: never}
",
    );
    let kinds = [&EVICTIONS[..], &["Note", "ControllerStarted"]].concat();
    assert_eq!(story(&plan, &kinds), ["1000 EvictionScheduled p", "1000 EvictionStarted p"]);
}

/// The first step's `+` counts from the start of the run.
#[test]
fn a_first_step_can_follow_the_start() {
    let plan = plan(
        "
  nodes: [{name: n1}]
  pods: [{name: p, nodeName: n1}]
  steps:
    - {at: +1s, taint: {node: n1, add: ['k:NoExecute']}}
    - {at: +1s, note: done}
",
    );
    assert_eq!(story(&plan, &["PodRemoved", "Note"]), ["1000 PodRemoved p", "2000 Note "]);
}

/// `first` counts a fault's matching calls, also those that another fault has failed.
#[test]
fn each_fault_counts_all_calls_that_match_it() {
    let plan = plan(
        "
  nodes: [{name: n1}]
  pods: [{name: p, nodeName: n1}]
  faults:
    - {verb: delete, resource: pods, error: Conflict, first: 1}
    - {verb: delete, resource: pods, error: InternalError, first: 2}
  steps: [{at: 1s, taint: {node: n1, add: ['k:NoExecute']}}]
",
    );
    let outcomes: Vec<&str> = run(&plan)
        .iter()
        .filter_map(|record| match record.kind {
            Kind::DeleteRequested { outcome, .. } => Some(outcome.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(outcomes, ["Conflict", "InternalError", "ok"]);
}

/// A finished pod has nothing to stop: its object goes at once, whatever `podTermination` says
/// (k8s pkg/registry/core/pod `CheckGracefulDelete`). So has one without a grace period.
#[test]
fn a_finished_pod_goes_at_once() {
    let text = "
apiVersion: taintsim.dev/v1alpha1
kind: Scenario
spec:
  podTermination: Never
  pods: [{name: zero-grace, nodeName: n1, terminationGracePeriodSeconds: 0}]
  nodes: [{name: n1}]
  steps: [{at: 1s, taint: {node: n1, add: ['k:NoExecute']}}]
---
{apiVersion: v1, kind: Pod, metadata: {name: done}, spec: {nodeName: n1}, status: {phase: Succeeded}}
---
{apiVersion: v1, kind: Pod, metadata: {name: runs}, spec: {nodeName: n1}, status: {phase: Running}}
";
    let loaded = load_text("finished.yaml", text, None, &LoadOptions::default());
    let plan = loaded.unwrap_or_else(|failure| panic!("{}", failure.render())).plan;
    let expected =
        ["1000 PodRemoved zero-grace", "1000 PodRemoved done", "1000 PodTerminating runs"];
    assert_eq!(story(&plan, &["PodRemoved", "PodTerminating"]), expected);
}

/// P4 of the design: every record but steps, notes and the first objects names what caused it, and
/// from every eviction the chain leads back to one of those.
#[test]
fn every_cause_leads_back_to_a_step_or_to_the_first_objects() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/basics");
    let mut evictions = 0;
    for entry in std::fs::read_dir(folder).expect("part of the repository") {
        let file = entry.expect("a readable folder").path();
        let Ok(loaded) = taintsim::scenario::load(&file, &LoadOptions::default()) else {
            panic!("{} does not load", file.display());
        };
        for detail in [Detail::Summary, Detail::Controller, Detail::Trace] {
            let mut records: Vec<Record> = Vec::new();
            let mut world = World::new(&loaded.plan, detail);
            while world.step(&mut records).is_some() {
                world.assert_invariants();
            }
            for (record, seq) in records.iter().zip(1..) {
                assert_eq!(record.seq, seq);
                let mut root = record;
                while let Some(cause) = root.cause {
                    assert!(cause < root.seq, "{}: a cause after its effect", file.display());
                    root = &records[cause as usize - 1];
                }
                let is_root = matches!(
                    root.kind,
                    Kind::StepApplied { .. }
                        | Kind::StepRejected { .. }
                        | Kind::Note { .. }
                        | Kind::NodeCreated { .. }
                        | Kind::PodCreated { .. }
                );
                assert!(is_root, "{} {detail:?}: {root:?} has no cause", file.display());
                evictions += u32::from(matches!(record.kind, Kind::DeleteRequested { .. }));
            }
        }
    }
    assert!(evictions > 100, "only {evictions} evictions seen");
}
