#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use super::values::{instant, key, seconds, wait};
use super::*;
use crate::fuzz::generate::{Limits, generate};
use crate::kernel::{Span, Time};
use crate::objects::NodeId;
use crate::plan::{Action, NodeTarget, When};
use crate::scenario::{LoadOptions, emit, load_text};

/// A plan of a scenario's spec.
fn plan(spec: &str) -> Plan {
    let indented: String = spec.lines().map(|line| format!("  {line}\n")).collect();
    let text = format!("apiVersion: taintsim.dev/v1alpha1\nkind: Scenario\nspec:\n{indented}");
    let loaded = load_text("small.yaml", text.as_str(), None, &LoadOptions::default());
    loaded.unwrap_or_else(|failure| panic!("{}\n{text}", failure.render())).plan
}

fn page(plan: &Plan) -> String {
    emit::scenario(plan, &[], &|_| Vec::new(), None)
}

fn actions(plan: &Plan) -> impl Iterator<Item = &Action> {
    plan.steps.iter().flat_map(|step| &step.actions).map(|action| &action.action)
}

#[test]
fn good_values_are_the_cheapest() {
    let time = |text: &str| instant(Time(Span::parse(text).unwrap().0));
    let span = |text: &str| wait(Span::parse(text).unwrap());
    for better_first in [
        ["10s", "20s", "60s", "300s", "1h"],
        ["20s", "25s", "3s", "10.1s", "10.01s"],
        ["10s", "15s", "10.5s", "1ms", "1ns"],
        ["10s", "0s", "100ms", "123ms", "123456789ns"],
        ["60s", "70s", "72s", "72.5s", "72.001s"],
    ] {
        let costs = better_first.map(time);
        assert!(costs.is_sorted(), "{better_first:?}: {costs:?}");
    }
    for better_first in [
        ["0s", "10s", "5s", "100ms", "12s"],
        ["1s", "100ms", "50ms", "999ms", "1ns"],
        ["60s", "30s", "20s", "7s", "1.5s"],
    ] {
        let costs = better_first.map(span);
        assert!(costs.is_sorted(), "{better_first:?}: {costs:?}");
    }
    let numbers = [None, Some(300), Some(60), Some(10), Some(0), Some(-1), Some(7), Some(i64::MIN)];
    assert!(numbers.map(seconds).is_sorted());
    assert_eq!([key(0), key(3), key(4)], ["maintenance", "power", "key-4"]);
}

#[test]
fn a_property_that_a_plan_has_not_changes_nothing() {
    let plan = generate(1, 7, &Limits::default());
    let result = shrink(&plan, 100, &mut |_| false);
    assert_eq!((result.tries, result.exhausted), (1, false));
    assert_eq!(format!("{:?}", result.plan), format!("{plan:?}"));
}

#[test]
fn no_more_plans_are_judged_than_allowed() {
    let plan = generate(1, 7, &Limits::default());
    for budget in [0, 1, 2, 5, 20] {
        let mut judged = 0;
        let result = shrink(&plan, budget, &mut |_| {
            judged += 1;
            true
        });
        assert_eq!(judged, budget.min(result.tries));
        assert_eq!(result.tries, judged);
        assert!(result.exhausted || judged < budget, "{budget}");
    }
}

#[test]
fn where_everything_will_do_nothing_is_left() {
    for run in 0..200 {
        let plan = generate(1, run, &Limits::default());
        let small = shrink(&plan, 1_000, &mut |_| true).plan;
        assert!(small.steps.is_empty() && small.nodes.is_empty() && small.pods.is_empty());
        assert_eq!((small.names.node_count(), small.names.pod_count()), (0, 0));
        assert_eq!(small.lists.all_taints().count() + small.lists.all_tolerations().count(), 0);
        assert_eq!(small.name, plan.name);
    }
}

/// A property that can be seen in the plan.
type Property = fn(&Plan) -> bool;

/// What is asked for is left, and nothing beside it.
#[test]
fn what_matters_is_left() {
    let cases: [(&str, Property); 6] = [
        ("{for: 0s}", |plan| {
            actions(plan).any(|action| matches!(action, Action::RestartController { .. }))
        }),
        ("kubectl: delete node node-0", |plan| {
            actions(plan).any(|action| matches!(action, Action::DeleteNodes(_)))
        }),
        ("kubectl: delete pod web-0", |plan| {
            actions(plan).any(|action| matches!(action, Action::DeletePods { .. }))
        }),
        ("tolerations: [maintenance:NoExecute op=Exists for 300s]", |plan| {
            plan.lists
                .all_tolerations()
                .any(|t| t.key.len() > 3 && !t.key.contains('/') && t.toleration_seconds.is_some())
        }),
        ("faults: [{verb: delete, resource: pods, error: InternalError}]", |plan| {
            !plan.faults.is_empty()
        }),
        ("interleaving: Random", |plan| plan.config.taint_manager.random_interleaving),
    ];
    for (left, property) in cases {
        let limits = Limits::default();
        // Without the lists that nothing uses, which a property of lists would see.
        let plans = (0..).map(|run| rebuild(&generate(1, run, &limits), &mut Same));
        let plans = plans.filter(&property);
        for plan in plans.take(20) {
            let small = shrink(&plan, 5_000, &mut |plan| property(plan)).plan;
            let text = page(&small);
            assert!(text.contains(left), "{text}");
            assert!(small.steps.len() <= 1 && text.lines().count() <= 12, "{text}");
        }
    }
}

#[test]
fn every_plan_that_is_judged_can_be_written() {
    for run in 0..60 {
        let plan = generate(3, run, &Limits::default());
        let count = |plan: &Plan| actions(plan).count().min(3) + plan.pods.len().min(1);
        let wanted = count(&plan);
        shrink(&plan, 400, &mut |candidate| {
            assert_eq!(check(candidate), Ok(()), "run {run}");
            let text = page(candidate);
            let loaded = load_text("small.yaml", text.as_str(), None, &LoadOptions::default());
            let loaded = loaded.unwrap_or_else(|failure| panic!("{}\n{text}", failure.render()));
            let again = Plan { name: candidate.name.clone(), ..loaded.plan };
            assert_eq!(page(&again), text, "run {run}");
            count(candidate) >= wanted
        });
    }
}

#[test]
fn a_step_goes_with_what_only_it_creates() {
    let plan = plan(
        "nodes: [{name: node-0}]\nsteps:\n- {at: 10s, createPod: {name: a, nodeName: node-0}}\n\
         - {at: +5s, kubectl: delete pod a}\n- {at: +5s, kubectl: cordon node-0}\n\
         - {after: {removed: a}, kubectl: uncordon node-0}\n\
         - {at: 40s, createNode: {name: node-1}}",
    );
    let times = |plan: Option<Plan>| -> Vec<When> {
        plan.unwrap().steps.into_iter().map(|step| step.when).collect()
    };
    let at = |seconds| When::At(Time(Span::from_secs(seconds).0));
    // Without the pod: nothing deletes it, and nothing waits for that.
    assert_eq!(times(without_step(&plan, 0)), [at(20), at(40)]);
    // The one that followed comes at its own time.
    assert_eq!(times(without_step(&plan, 1))[1], When::AfterPrevious(Span::from_secs(10)));
    assert_eq!(without_step(&plan, 4).unwrap().names.node_count(), 1);
    assert!(without_step(&plan, 5).is_none());
    let counts = reasons(&plan, &mut |rest| rest.steps.len());
    assert_eq!(counts, [Some(2), Some(4), Some(4), Some(4), Some(4)]);
}

#[test]
fn names_are_given_in_the_order_of_their_use() {
    let plan = plan(
        "nodes: [{name: x}, {name: b}, {name: a}]\npods: [{name: z, namespace: shop, nodeName: a}]\n\
         steps: [{at: 7s, kubectl: \"taint nodes b a key=v:NoExecute\"}]",
    );
    let both = |plan: &Plan| {
        let taints = actions(plan).any(|action| match action {
            Action::Taint { nodes: NodeTarget::Names(names), .. } => names.len() == 2,
            _ => false,
        });
        taints && plan.pods.len() == 1
    };
    let small = shrink(&plan, 1_000, &mut |plan| both(plan)).plan;
    let names: Vec<(NodeId, &str)> = small.names.nodes().collect();
    assert_eq!(names, [(NodeId(0), "node-0"), (NodeId(1), "node-1")]);
    assert_eq!(&*small.steps[0].actions[0].text, "taint nodes node-0 node-1 maintenance:NoExecute");
    assert_eq!(small.pods[0].node, Some(NodeId(1)));
    assert_eq!(small.names.pod(small.pods[0].pod), "default/web-0");
}
