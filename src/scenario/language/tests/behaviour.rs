//! `featureGates` and `switches`.

use super::{HEAD, check_mistake, spec};
use crate::profile::Condition;
use crate::scenario::{LoadOptions, load_text};

#[test]
fn gates_and_switches_change_the_version() {
    let switches = |text: &str| spec(text).plan.config.switches;
    assert_eq!(switches("  kubernetesVersion: \"1.27\"\n").disruption_condition, Condition::Apply);
    let off = "  kubernetesVersion: \"1.27\"\n  featureGates: {PodDisruptionConditions: false}\n";
    assert_eq!(switches(off).disruption_condition, Condition::None);
    // A switch goes against the gate.
    let patch =
        format!("{off}  switches: {{disruptionCondition: Patch, markerAfterSuccess: false}}\n");
    let both = switches(&patch);
    assert_eq!((both.disruption_condition, both.marker_after_success), (Condition::Patch, false));
    let workers = |text: &str| spec(text).plan.config.taint_manager.workers;
    assert_eq!(workers("  kubernetesVersion: \"1.10\"\n"), 1);
    assert_eq!(workers("  kubernetesVersion: \"1.11\"\n"), 8);
    assert_eq!(workers("  switches: {shardedWorkers: false}\n"), 1);
    assert_eq!(workers("  switches: {shardedWorkers: false}\n  taintManager: {workers: 3}\n"), 3);
}

#[test]
fn the_gate_lets_operators_in() {
    let pods = "  pods: [{name: a, tolerations: [{key: k, operator: Gt, value: \"5\", effect: \
                NoExecute}]}]\n";
    check_mistake(pods, "operator");
    spec(&format!("  featureGates: {{TaintTolerationComparisonOperators: true}}\n{pods}"));
    spec(&format!("  switches: {{comparisonOperators: true}}\n{pods}"));
}

#[test]
fn gates_are_refused_where_the_version_has_them_not() {
    for (version, gate, expected) in [
        (
            "1.24",
            "PodDisruptionConditions: true",
            "Kubernetes 1.24 cannot set PodDisruptionConditions: it came with 1.25 | leave it out, \
             or write kubernetesVersion: \"1.25\" or a later one",
        ),
        (
            "1.31",
            "PodDisruptionConditions: false",
            "locked to true | leave it out, or write kubernetesVersion: \"1.30\" or an earlier one \
             that has PodDisruptionConditions",
        ),
        (
            "1.20",
            "TaintBasedEvictions: true",
            "it was removed in 1.20 | leave it out, or write kubernetesVersion: \"1.19\" or an \
             earlier one",
        ),
        ("1.36", "PodDisruptionCondition: true", "| did you mean `PodDisruptionConditions`?"),
        ("1.36", "PodDisruptionConditions: yes", "write true"),
    ] {
        let text = format!("  kubernetesVersion: \"{version}\"\n  featureGates: {{{gate}}}\n");
        check_mistake(&text, expected);
    }
    check_mistake(
        "  featureGates: TaintBasedEvictions=true\n",
        "| write {TaintBasedEvictions: true}",
    );
    check_mistake(
        "  switches: {markerAfterSucces: true}\n",
        "| did you mean `markerAfterSuccess`?",
    );
    check_mistake("  switches: {eventComponent: x}\n", "is one of controllermanager, taint-c");
}

#[test]
fn the_taint_manager_is_left_out_where_the_version_lets_it() {
    let of = |version: &str, gates: &str| {
        format!(
            "  kubernetesVersion: \"{version}\"\n  featureGates: {{{gates}}}\n  \
             taintManager: {{enabled: false}}\n"
        )
    };
    for version in ["1.6", "1.26", "1.29", "1.36"] {
        assert!(!spec(&of(version, "")).plan.config.taint_manager.enabled, "{version}");
    }
    let separate = "SeparateTaintEvictionController: false";
    for (version, gates) in [("1.27", ""), ("1.28", ""), ("1.29", separate)] {
        let expected =
            format!("the taint manager of Kubernetes {version} is on | write enabled: true");
        check_mistake(&of(version, gates), &expected);
    }
}

/// The version of the command line decides, and the mistake is where the gate stands.
#[test]
fn a_gate_that_the_asked_version_has_not_is_shown_where_it_stands() {
    let text = format!(
        "{HEAD}  kubernetesVersion: \"1.35\"\n  \
         featureGates: {{TaintTolerationComparisonOperators: true}}\n"
    );
    let load = |version: Option<&str>| {
        let kubernetes_version = version.map(str::to_owned);
        let options = LoadOptions { kubernetes_version, ..LoadOptions::default() };
        load_text("f.yaml", text.clone(), None, &options)
    };
    assert!(load(None).is_ok_and(|loaded| loaded.plan.config.switches.comparison_operators));
    let shown = load(Some("1.19")).expect_err("1.19 has no such gate").render();
    let expected = "f.yaml:5:54: error: Kubernetes 1.19 cannot set \
                    TaintTolerationComparisonOperators: it came with 1.35";
    assert!(shown.starts_with(expected), "{shown}");
    // `kubernetesVersion` is right already: writing it anew would change nothing.
    assert!(shown.contains("or ask for Kubernetes 1.35 or a later one"), "{shown}");
}
