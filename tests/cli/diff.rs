//! `taintsim diff`: what differs between versions, settings and files, and which switch it is.

use serde_json::Value;
use taintsim::profile::{CHANGES, Switch};

use crate::support::{folder, ran, taintsim};

/// Where the scenario of a switch is, seen from the folder of the tests' scenarios.
fn file_of(switch: Switch) -> String {
    let mut stem = String::new();
    for c in switch.name().chars() {
        if c.is_ascii_uppercase() {
            stem.push('-');
        }
        stem.push(c.to_ascii_lowercase());
    }
    format!("../../../scenarios/versions/{stem}.yaml")
}

/// What a comparison that finds something prints.
fn differing(arguments: &[&str]) -> String {
    let all = [&["diff"], arguments].concat();
    let (code, out, err) = ran(&all);
    assert_eq!((code, err.as_str()), (1, ""), "{all:?}: {out}");
    out
}

fn json(arguments: &[&str]) -> Value {
    let text = differing(&[arguments, &["-o", "json"]].concat());
    serde_json::from_str(&text).unwrap()
}

#[test]
fn comparisons_are_as_reviewed() {
    let infinite = file_of(Switch::InfiniteTolerationCancels);
    let condition = file_of(Switch::DisruptionCondition);
    let unset = file_of(Switch::UnsetFirstIsForever);
    let seconds = "spec.pods[name=web].tolerations[1].tolerationSeconds=60,90";
    let mut page = String::new();
    for arguments in [
        &[&infinite, "--versions", "1.18,1.19"][..],
        &[&infinite, "--versions", "v1.19.4-eks-1,1.18", "-o", "json"],
        &[&condition, "--versions", "1.25,1.28,1.29"],
        &[&unset, "--vary", seconds],
        &[&unset, "--vary", seconds, "--until", "75s", "-o", "json"],
        &["maintenance.yaml", "graceful.yaml"],
    ] {
        let shown = arguments.join(" ").replace("../../../", "");
        page.push_str(&format!("$ taintsim diff {shown}\n{}\n", differing(arguments)));
    }
    insta::assert_snapshot!("diff", page);
}

/// The scenario of a switch, run for the versions on both sides of each of its changes: the switch
/// is named, alone, and with the source of the table.
#[test]
fn each_switch_is_named_by_its_scenario() {
    for change in CHANGES {
        // 1.12 had the check not, but did without it: its handlers worked with captured objects.
        // The operators wait for a gate in every version.
        if matches!(change.switch, Switch::NodeNameCheck | Switch::ComparisonOperators) {
            continue;
        }
        let versions = format!("1.{},1.{}", change.since - 1, change.since);
        let file = file_of(change.switch);
        let found = json(&[&file, "--versions", &versions]);
        let named = found["differences"].as_array().unwrap().iter().any(|row| {
            let because = &row["because"][0];
            because["kind"] == "Alone"
                && because["switches"] == serde_json::json!([change.switch.name()])
        });
        assert!(named, "{file} {versions}: {found}");
        let switches = found["switches"].as_array().unwrap();
        let own = switches.iter().find(|one| one["switch"] == change.switch.name()).unwrap();
        assert_eq!(own["changes"][0]["source"], change.source);
    }
}

/// The two that no version shows by itself show when they are set.
#[test]
fn what_the_scenario_sets_differs_too() {
    let gate = "spec.featureGates.TaintTolerationComparisonOperators=true,false";
    let found = json(&[&file_of(Switch::ComparisonOperators), "--vary", gate]);
    assert_eq!(found["differences"][0]["values"][1]["fate"], "evicted");
    assert_eq!(found["differences"][0]["because"], serde_json::json!([]));

    let temporary = tempfile::tempdir().unwrap();
    let path = folder().join(file_of(Switch::NodeNameCheck));
    let text = std::fs::read_to_string(&path).unwrap();
    let off = text.replace("\nspec:\n", "\nspec:\n  switches: {nodeNameCheck: false}\n");
    let other = temporary.path().join("off.yaml");
    std::fs::write(&other, &off).unwrap();
    let found = json(&[path.to_str().unwrap(), other.to_str().unwrap()]);
    assert_eq!(found["summary"]["podsDiffering"], 1);
    // What the scenario sets holds in both versions, so that the switch cannot be what differs.
    let other = other.to_str().unwrap();
    let (code, out, _) = ran(&["diff", other, "--versions", "1.13,1.14"]);
    assert!(code == 0 && out.contains("Nothing differs: 1 pod with the same fates"), "{out}");
}

/// Two switches that only together let the pod live: 1.18 with the one or the other evicts it.
#[test]
fn switches_that_do_it_together_are_named_together() {
    let text = "
apiVersion: taintsim.dev/v1alpha1
kind: Scenario
metadata: {name: together}
spec:
  nodes: [{name: node-0}]
  apiServer: {latency: {patch: 20ms}}
  pods:
    - name: web
      nodeName: node-0
      tolerations: [{key: a, effect: NoExecute, operator: Exists, tolerationSeconds: 60}]
  steps:
    - {at: 10s, kubectl: 'taint nodes node-0 a:NoExecute'}
    - {at: 70.01s, restartController: {}}
";
    let run = taintsim(&["diff", "-", "--versions", "1.25,1.35", "-o", "json"])
        .write_stdin(text)
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(1), "{run:?}");
    let found: Value = serde_json::from_slice(&run.stdout).unwrap();
    let rows = found["differences"].as_array().unwrap();
    let together = serde_json::json!(["disruptionCondition", "gracefulStop"]);
    let fate = rows.iter().find(|row| row["field"] == "fate").unwrap();
    assert_eq!(fate["because"][0]["kind"], "Together", "{found:#}");
    assert_eq!(fate["because"][0]["switches"], together, "{found:#}");
}

#[test]
fn the_same_is_the_same() {
    for arguments in [
        &["maintenance.yaml", "maintenance.yaml"][..],
        &["maintenance.yaml", "--versions", "1.20,1.24"],
        &["maintenance.yaml", "--vary", "spec.pods[name=batch-0].nodeName=node-1,'node-1'"],
    ] {
        let (code, out, err) = ran(&[&["diff"], arguments].concat());
        assert_eq!((code, err.as_str()), (0, ""), "{arguments:?}: {out}");
        assert!(out.contains("\nNothing differs: "), "{out}");
    }
    let same = ["diff", "maintenance.yaml", "maintenance.yaml", "-o", "json"];
    let found: Value = serde_json::from_str(&ran(&same).1).unwrap();
    assert_eq!((&found["same"], &found["differences"]), (&true.into(), &serde_json::json!([])));
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let cases: &[(&[&str], &str)] = &[
        (
            &["maintenance.yaml"],
            "Give a second FILE, or --versions 1.18,1.19, or --vary PATH=V1,V2",
        ),
        (&["maintenance.yaml", "--versions", "1.18"], "--versions 1.18 is only one; write two"),
        (&["maintenance.yaml", "--versions", "1.18,v1.18.3"], "--versions has 1.18 twice"),
        (
            &["maintenance.yaml", "--versions", "1.5,1.6"],
            "there is no behaviour profile for Kubernetes 1.5; this program knows 1.6 to 1.36",
        ),
        (
            &["maintenance.yaml", "graceful.yaml", "--versions", "1.18,1.19"],
            "are three ways to compare; give one of them",
        ),
        (&["maintenance.yaml", "--vary", "spec.seed=1"], "write spec.seed=1,ANOTHER"),
        (
            &["maintenance.yaml", "--vary", "spec.sed=1,2"],
            "notice: --vary is one --set for each run; this is spec.sed=1:\n--set:1:1: error: ",
        ),
        (&["-", "-"], "stdin (`-`) can be read only once"),
        (&["maintenance.yaml", "-f", "-", "--versions", "1.18,1.19"], "once for each run"),
        (&["absent.yaml", "maintenance.yaml"], "absent.yaml"),
        (&["maintenance.yaml", "wrong.yaml", "--max-events", "3"], "stopped after 3 events"),
    ];
    for (arguments, part) in cases {
        let (code, out, err) = ran(&[&["diff"], *arguments].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}: {err}");
        assert!(err.contains(part), "{arguments:?} lacks {part}: {err}");
    }
}
