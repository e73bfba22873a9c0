//! `{rule: NAME, breached: …}` in `expect`: what `taintsim test` says of it.

use crate::support::ran;

/// A stricter second taint does not shorten the wait, in any version.
const SCENARIO: &str = "apiVersion: taintsim.dev/v1alpha1
kind: Scenario
spec:
  nodes: [{name: n1}, {name: n2}]
  pods:
    - {name: web, nodeName: n1, labels: {app: web}, tolerations: &t ['a:NoExecute op=Exists for 60s', 'b:NoExecute op=Exists for 300s']}
    - {name: 'other-{0..3}', nodeName: n1, tolerations: *t}
    - {name: calm, nodeName: n2, labels: {app: web}, tolerations: *t}
  steps:
    - {at: 10s, kubectl: 'taint nodes n1 b=x:NoExecute'}
    - {at: 40s, kubectl: 'taint nodes n1 a=x:NoExecute'}
";

/// Where the expectation stands.
const LINE: &str = "  maint.yaml:13 ";

/// The code and the output of a test of the scenario with this expectation.
fn tested(scenario: &str, expectation: &str, more: &[&str]) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("maint.yaml");
    std::fs::write(&path, format!("{scenario}  expect:\n    - {expectation}\n")).unwrap();
    let arguments = [&["test", path.to_str().unwrap()], more].concat();
    let (code, out, err) = ran(&arguments);
    assert_eq!(err, "", "{expectation}");
    (code, out.replace(&format!("{}/", folder.path().display()), ""))
}

#[test]
fn what_is_so_holds() {
    for holds in [
        "{rule: docs/shortest-wait-late, breached: true}",
        "{rule: docs/shortest-wait-late, breached: true, pod: [web, other-2]}",
        "{rule: docs/shortest-wait-late, breached: false, pod: calm}",
        "{rule: docs/shortest-wait-late, breached: true, pod: web, kubernetesVersion: '1.6'}",
        "{rule: docs/same-name, breached: false}",
        "{rule: convergence, breached: false}",
        "{rule: controller/one-timer, breached: false}",
        "{rule: controller/runs-to-its-end, breached: false}",
        "{rule: determinism, breached: false}",
        "{rule: diff/1.35, breached: false}",
        "{rule: diff/v1.36.2, breached: false, kubernetesVersion: '1.33'}",
        "{anyOf: [{evictions: 1}, {rule: docs/shortest-wait-late, breached: true}]}",
    ] {
        let (code, out) = tested(SCENARIO, holds, &[]);
        assert_eq!(code, 0, "{holds}: {out}");
    }
}

#[test]
fn what_is_not_so_is_told_with_the_rule() {
    let mut told = String::new();
    for case in [
        "{rule: docs/shortest-wait-late, breached: false, pod: web}",
        "{rule: docs/shortest-wait-late, breached: false, pod: web, because: the second wait is shorter}",
        "{rule: docs/shortest-wait-late, breached: false, kubernetesVersion: '1.6'}",
        "{rule: docs/shortest-wait-late, breached: true, pod: calm}",
        "{rule: docs/shortest-wait-late, breached: true, selector: app=web}",
        "{rule: docs/same-name, breached: true}",
        "{rule: convergence, breached: true, pod: web}",
        "{rule: controller/one-timer, breached: true}",
        "{rule: determinism, breached: true}",
        "{rule: diff/1.35, breached: true}",
        "{anyOf: [{rule: docs/gone-node, breached: true}, {evictions: 0}]}",
    ] {
        let (code, out) = tested(SCENARIO, case, &[]);
        assert_eq!(code, 1, "{case}: {out}");
        let lines: Vec<&str> = out.lines().collect();
        assert!(lines[1].starts_with(LINE), "{case}: {out}");
        told.push_str(&format!("{case}\n{}\n", lines[1..lines.len() - 1].join("\n")));
    }
    insta::assert_snapshot!("rules", told);
}

/// Versions disagree about the second pod of the name.
#[test]
fn another_version_is_told_with_both_fates() {
    let scenario = "apiVersion: taintsim.dev/v1alpha1
kind: Scenario
spec:
  kubernetesVersion: '1.33'
  apiServer: {replyLatency: {delete: 20ms}}
  nodes: [{name: n1}]
  pods: [{name: p, nodeName: n1, tolerations: &t ['k:NoExecute op=Exists for 60s']}]
  steps:
    - {at: 1s, kubectl: 'taint nodes n1 k:NoExecute'}
    - {at: 70s, createPod: {name: p, nodeName: n1, tolerations: *t}}
";
    let (code, out) = tested(scenario, "{rule: diff/1.32, breached: false}", &[]);
    assert_eq!(code, 1, "{out}");
    let text = "broken in Kubernetes 1.33: pod default/p: evicted at 1m1s, then evicted at 2m10s in \
                1.33, evicted at 1m1s, then survives in 1.32. The rule (";
    assert!(out.contains(text), "{out}");
    for holds in [
        "{rule: diff/1.32, breached: true, pod: p}",
        "{rule: diff/1.33, breached: true, pod: p, kubernetesVersion: '1.32'}",
        "{rule: docs/same-name, breached: true, pod: p, kubernetesVersion: '1.32'}",
        "{rule: docs/same-name, breached: false}",
    ] {
        let (code, out) = tested(scenario, holds, &[]);
        assert_eq!(code, 0, "{holds}: {out}");
    }
}

/// Each seed has an examination of its own.
#[test]
fn rules_are_judged_under_each_seed() {
    let scenario = "apiVersion: taintsim.dev/v1alpha1
kind: Scenario
spec:
  nodes: [{name: n1}]
  pods: [{name: p, nodeName: n1}]
  faults: [{verb: delete, resource: pods, error: Forbidden, probability: 0.8, between: [0s, 1m]}]
  steps: [{at: 10s, kubectl: 'taint nodes n1 k:NoExecute'}]
";
    let kept = "{rule: docs/tried-again, breached: false, pod: p}";
    let (code, out) = tested(scenario, kept, &["--seeds", "0..19"]);
    assert_eq!(code, 1, "{out}");
    let (_, first) = out.split_once(" First with seed ").expect(&out);
    let (first, count) = first.split_once("; ").expect(&out);
    let count: u32 = count.split(' ').next().unwrap().parse().unwrap();
    assert!((1..20).contains(&count), "{out}");
    assert!(out.contains(&format!("default/p --seed {first} First")), "{out}");
    let first: u32 = first.parse().unwrap();
    let failed = (0..20u32).filter(|seed| {
        let (code, _) = tested(scenario, kept, &["--seeds", &seed.to_string()]);
        assert!(*seed >= first || code == 0, "seed {seed} fails before {first}");
        code == 1
    });
    assert_eq!(failed.count(), count as usize);
}

#[test]
fn the_report_has_the_same_text() {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report.xml");
    let case = "{rule: docs/shortest-wait-late, breached: false, pod: web}";
    let (code, out) = tested(SCENARIO, case, &["--junit", report.to_str().unwrap()]);
    assert_eq!(code, 1);
    let line = out.lines().nth(1).unwrap().trim_start().replace('\'', "&apos;");
    let xml = std::fs::read_to_string(report).unwrap();
    let said = line.split_once(" taintsim why ").unwrap().0.split_once(' ').unwrap().1;
    assert_eq!(xml.matches(said).count(), 2, "{said}\n{xml}");
    let name = "name=\"rule docs/shortest-wait-late breached false for web\"";
    assert!(xml.contains(name), "{xml}");
}
