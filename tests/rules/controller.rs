//! What holds inside holds everywhere.

use std::borrow::Cow;
use taintsim::cluster::World;
use taintsim::fuzz::rules::{Families, Judge, controller};
use taintsim::timeline::{Detail, Kind, Record, Sink};

use crate::{load, scenarios, spec};

const CONTROLLER: Families = Families { controller: true, docs: false, convergence: false };

/// All scenarios, in all generations, in order and with 20 draws of what Go leaves open.
#[test]
fn the_controller_keeps_its_rules() {
    let mut judge = Judge::new(CONTROLLER);
    let mut wrong = Vec::new();
    let mut runs = 0;
    for file in scenarios() {
        let versions = ["1.6", "1.12", "1.15", "1.18", "1.29", "1.33", "1.36"].map(Some);
        for version in [None].into_iter().chain(versions) {
            let Some(mut plan) = load(&file, version) else { continue };
            let large = plan.pods.len() > 500;
            for seed in 0..=if large { 2 } else { 20 } {
                if seed > 0 {
                    plan.config.taint_manager.random_interleaving = true;
                    plan.config.seed = seed;
                }
                judge.reset(&plan);
                let mut world = World::new(&plan, Detail::Trace);
                let end = world.run(&mut judge);
                runs += 1;
                for breach in judge.finish(world.context(), end) {
                    let at = breach.at;
                    wrong.push(format!(
                        "{} {version:?} seed {seed} {at}: {}: {}",
                        file.display(),
                        breach.rule,
                        breach.text
                    ));
                }
            }
        }
    }
    assert!(runs > 10_000, "{runs} runs");
    assert!(wrong.is_empty(), "{} of {runs} runs:\n{}", wrong.len(), first(&wrong));
}

/// Not all of them: one says enough.
fn first(wrong: &[String]) -> String {
    wrong.iter().take(20).map(|line| format!("{line}\n")).collect()
}

/// Each of the rules is broken by records that are not as they were.
#[test]
fn every_controller_rule_can_be_broken() {
    let text = "
apiServer: {latency: {delete: 10ms}, replyLatency: {delete: 10ms}}
podTermination: Graceful
nodes: [{name: n1}]
pods:
  - {name: p, nodeName: n1, tolerations: ['k:NoExecute op=Exists for 60s']}
  - {name: q, nodeName: n1}
  - {name: r, nodeName: n1, tolerations: ['k:NoExecute op=Exists for 90s']}
faults: [{verb: delete, resource: pods, pod: q, error: Conflict}]
steps:
  - {at: 1s, kubectl: 'taint nodes n1 k:NoExecute'}
  - {at: 5s, kubectl: 'taint nodes n1 k=v:NoExecute --overwrite'}
  - {at: 70s, kubectl: 'taint nodes n1 k:NoExecute-'}
  - {at: 80s, restartController: {for: 1s}}
";
    let plan = spec(text, "1.36");
    let mut world = World::new(&plan, Detail::Trace);
    let mut records: Vec<Record> = Vec::new();
    let end = world.run(&mut records);
    let context = world.context();
    let broken = |records: &[Record]| -> Vec<Cow<'static, str>> {
        let mut judge = Judge::new(CONTROLLER);
        judge.reset(&plan);
        records.iter().for_each(|record| judge.record(context, record));
        judge.finish(context, end).iter().map(|breach| breach.rule.clone()).collect()
    };
    assert_eq!(broken(&records), [""; 0], "as it is");
    let mut seen = std::collections::BTreeSet::new();
    // Each record in turn is dropped, doubled, or changed in some of its fields.
    for index in 0..records.len() {
        for change in 0..9 {
            let mut changed = records.clone();
            if !damage(&mut changed, index, change) {
                continue;
            }
            for (record, seq) in changed.iter_mut().zip(1..) {
                if change < 2 {
                    let moved = |cause: u32| match change {
                        0 if cause as usize > index => cause - 1,
                        1 if cause as usize > index + 1 => cause + 1,
                        _ => cause,
                    };
                    record.cause = record.cause.map(moved);
                    record.seq = seq;
                }
            }
            seen.extend(broken(&changed));
        }
    }
    let all: std::collections::BTreeSet<_> = controller::RULES.iter().map(|r| r.name).collect();
    let never: Vec<_> = all.iter().filter(|rule| !seen.contains(**rule)).collect();
    assert!(never.is_empty(), "no damage breaks {never:?}");
}

#[test]
fn a_deletion_that_is_given_up_orphans_a_timer_that_came_meanwhile() {
    let text = "
nodes: [{name: n1}]
pods: [{name: p, nodeName: n1, tolerations: ['k:NoExecute op=Exists for 60s']}]
faults: [{verb: delete, resource: pods, error: Forbidden, between: [60s, 61s]}]
steps:
  - {at: 0s, kubectl: 'taint nodes n1 k:NoExecute'}
  - {at: 60.01s, kubectl: 'taint nodes n1 k:NoExecute-'}
  - {at: 60.045s, kubectl: 'taint nodes n1 k:NoExecute'}
  - {at: 61s, kubectl: 'taint nodes n1 k:NoExecute-'}
  - {at: 62s, kubectl: 'taint nodes n1 k:NoExecute'}
";
    for (version, cancels) in [("1.35", 1), ("1.36", 2)] {
        let plan = spec(text, version);
        assert_eq!(crate::broken(&plan, CONTROLLER), [].into(), "{version}");
        let mut records: Vec<Record> = Vec::new();
        World::new(&plan, Detail::Trace).run(&mut records);
        let is_cancel = |r: &&Record| matches!(r.kind, Kind::EvictionCancelled { .. });
        assert_eq!(records.iter().filter(is_cancel).count(), cancels, "{version}");
    }
}

/// A pod that comes while the list is on its way is newer than all that is missing in the list.
#[test]
fn what_a_list_does_not_have_went_before_it() {
    for (resource, object) in
        [("pods", "createPod: {name: p}"), ("nodes", "createNode: {name: n1}")]
    {
        let text = format!(
            "
apiServer: {{replyLatency: {{list: 10s}}}}
nodes: [{{name: n1}}, {{name: n2}}]
pods: [{{name: p, nodeName: n2}}]
steps:
  - {{at: 10s, breakWatch: {{resource: {resource}, for: 1s}}}}
  - {{at: 10s, kubectl: delete pod p}}
  - {{at: 10s, kubectl: delete node n1}}
  - {{at: 20s, {object}}}
"
        );
        for version in ["1.6", "1.36"] {
            assert_eq!(crate::broken(&spec(&text, version), CONTROLLER), [].into(), "{resource}");
        }
    }
}

fn damage(records: &mut Vec<Record>, index: usize, change: u32) -> bool {
    match change {
        0 => {
            records.remove(index);
            return true;
        }
        1 => {
            let record = records[index].clone();
            records.insert(index, record);
            return true;
        }
        _ => {}
    }
    let record = &mut records[index];
    match (change, &mut record.kind) {
        (2, _) => record.seq += 1,
        (3, _) if record.cause.is_some() => record.cause = None,
        (4, Kind::EvictionScheduled { fire_at, .. }) => fire_at.0 += 1,
        (4, Kind::WatchEvent { resource_version, .. }) => *resource_version = 0,
        (4, Kind::DeleteRequested { attempt, .. }) => *attempt += 5,
        (4, Kind::EventRecorded { count, .. }) => *count += 1,
        (4, Kind::Enqueued(item)) => item.shard = (item.shard + 1) % 8,
        (5, Kind::EvictionScheduled { taints, .. }) => *taints = taintsim::objects::TaintsId(0),
        (5, Kind::Dispatched(item)) => record.kind = Kind::DispatchBlocked(*item),
        (6, Kind::Enqueued(item)) => record.kind = Kind::Deduplicated(*item),
        (7, Kind::HandlerFinished(_)) => {
            records.remove(index);
            return false;
        }
        _ => return false,
    }
    true
}

/// Slow calls, slow watches, busy workers, restarts and broken watches, drawn for each run.
#[test]
fn the_controller_keeps_its_rules_in_bad_weather() {
    let mut judge = Judge::new(CONTROLLER);
    let mut wrong = Vec::new();
    for file in scenarios() {
        for version in ["1.6", "1.12", "1.18", "1.29", "1.33", "1.35", "1.36"] {
            let Some(plan) = load(&file, Some(version)) else { continue };
            for seed in 0..if plan.pods.len() > 500 { 1 } else { 20 } {
                let plan = crate::in_bad_weather(&plan, seed);
                judge.reset(&plan);
                let mut world = World::new(&plan, Detail::Trace);
                let end = world.run(&mut judge);
                for breach in judge.finish(world.context(), end) {
                    let (file, at, rule) = (file.display(), breach.at, breach.rule);
                    let text = breach.text;
                    wrong.push(format!("{file} {version} seed {seed} {at}: {rule}: {text}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), first(&wrong));
}
