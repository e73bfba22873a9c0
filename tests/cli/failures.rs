//! How `taintsim test` tells each way in which an expectation can fail.

use crate::support::ran;

const SCENARIO: &str = "apiVersion: taintsim.dev/v1alpha1
kind: Scenario
spec:
  admission: {defaultTolerationSeconds: {enabled: false}}
  nodes: [{name: n1}, {name: n2}, {name: n3}, {name: n4, taints: ['s=x:NoExecute']}, {name: n5}]
  pods:
    - {name: web, nodeName: n1, tolerations: ['c:NoExecute op=Exists', 'b:NoExecute op=Exists for 60s']}
    - {name: bare, nodeName: n1}
    - {name: calm, nodeName: n3}
    - {name: loose}
    - {name: kept, nodeName: n2, tolerations: ['b:NoExecute op=Exists for 300s']}
    - {name: ever, nodeName: n4, tolerations: ['s:NoExecute op=Exists']}
    - {name: long, nodeName: n1, tolerations: ['b:NoExecute op=Exists for 3600s']}
    - {name: soft, nodeName: n1, tolerations: ['b:NoSchedule op=Exists', 'b=y:NoExecute for 60s']}
    - {name: twice, nodeName: n1, tolerations: ['b:NoExecute op=Exists for 60s', 'b=x:NoExecute for 300s']}
    - {name: both, nodeName: n5, tolerations: ['b=x:NoExecute for 300s', 'd:NoExecute op=Exists for 60s', 'b:NoExecute for 90s']}
  steps:
    - {at: 10s, kubectl: 'taint nodes n1 n2 b=x:NoExecute'}
    - {at: 70s, kubectl: 'taint nodes n2 b-'}
    - {at: 80s, createPod: {name: bare, nodeName: n1}}
    - {at: 90s, kubectl: 'delete pod calm'}
    - {at: 95s, kubectl: 'taint nodes n5 b=x:NoExecute d:NoExecute'}
    - {at: 3m, note: too late}
  until: 160s
";

/// What is expected, and what is said instead.
const CASES: &[&str] = &[
    "{pod: web, evictedAt: 310s}",
    "{pod: web, evictedAt: 1s}",
    "{pod: web, evictedAt: 70s, by: d}",
    "{pod: web, evictedBetween: [80s, 90s]}",
    "{pod: web, evictedBetween: [1s, 2s]}",
    "{pod: web, armedAt: 11s}",
    "{pod: web, cancelledAt: 11s}",
    "{pod: web, removedAt: 11s}",
    "{pod: web, survives: true}",
    "{pod: web, deleteAttempts: 0}",
    "{pod: web, at: 20s, is: Running}",
    "{pod: web, at: 80s, is: Armed}",
    "{pod: web, at: 10m, is: Absent}",
    "{pod: bare, evictedAt: 10s}",
    "{pod: bare, evictedAt: [10s, 80s, 90s]}",
    "{pod: bare, evictedAt: [10s, 90s]}",
    "{pod: bare, evictedAt: [11s, 90s], by: b}",
    "{pod: bare, cancelledAt: 10s}",
    "{pod: soft, survives: true}",
    "{pod: soft, evictedAt: 70s}",
    "{pod: twice, evictedAt: 310s}",
    "{pod: both, evictedAt: 395s}",
    "{pod: both, evictedAt: 185s}",
    "{pod: bare, instance: 2, evictedAt: 10s}",
    "{pod: bare, instance: 3, evictedAt: 10s}",
    "{pod: calm, evictedAt: 10s}",
    "{pod: calm, evictedAt: 10s, because: everything on n3 goes}",
    "{pod: loose, evictedAt: 10s}",
    "{pod: kept, evictedAt: 310s}",
    "{pod: kept, cancelledAt: 75s}",
    "{pod: kept, survives: false}",
    "{pod: ever, evictedBetween: [0s, 2m]}",
    "{pod: ever, armedAt: 0s}",
    "{pod: long, evictedAt: 3610s}",
    "{pod: long, survives: true}",
    "{pod: [web, bare, calm], survives: true}",
    "{pod: '*', at: 5s, is: Armed}",
    "{event: {reason: TaintManagerEviction, message: Killing, pod: web}, count: 1}",
    "{event: {message: Cancelling, pod: web}, count: 1}",
    "{event: {message: Cancelling, pod: ever}, count: 1}",
    "{evictions: 1}",
    "{stepRejected: 1}",
    "{stepRejected: 6}",
    "{anyOf: [{pod: web, evictedAt: 1s}, {evictions: 9}]}",
    "{pod: web, evictedAt: 310s, kubernetesVersion: '1.36'}",
];

#[test]
fn each_failure_says_what_happened_instead_and_why() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("maint.yaml");
    let mut told = String::new();
    for case in CASES {
        std::fs::write(&path, format!("{SCENARIO}  expect:\n    - {case}\n")).unwrap();
        let (code, out, err) = ran(&["test", path.to_str().unwrap()]);
        assert_eq!(code, 1, "{case}: {out}{err}");
        let out = out.replace(&format!("{}/", folder.path().display()), "");
        let lines: Vec<&str> = out.lines().collect();
        // Each run also tells of the step that `until` cuts off.
        let of_case = lines[1..lines.len() - 1].iter().filter(|l| !l.starts_with("  step 6 "));
        assert!(lines[1].starts_with("  maint.yaml:26 "), "{case}: {out}");
        told.push_str(&format!("{case}\n"));
        told.extend(of_case.map(|line| format!("{line}\n")));
    }
    insta::assert_snapshot!("failures", told);
}

/// A fault that made no difference is no failure, and its author should know.
#[test]
fn a_fault_that_no_call_met_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("faults.yaml");
    let text = "apiVersion: taintsim.dev/v1alpha1
kind: Scenario
spec:
  nodes: [{name: n, taints: ['b:NoExecute']}]
  pods: [{name: p, nodeName: n}, {name: q}]
  faults:
    - {pod: p, verb: delete, resource: pods, error: Conflict, first: 1}
    - {pod: q, verb: delete, resource: pods, error: Conflict}
  expect: [{pod: p, deleteAttempts: 2}]
";
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap();
    let told = format!(
        "notice: {path}:8: this fault met no call: the taint manager sent no DELETE of a pod it is \
         for\n"
    );
    for command in ["test", "replay"] {
        let (code, out, err) = ran(&[command, path]);
        assert_eq!((code, err), (0, told.clone()), "{command}: {out}");
    }
}

/// 2^64 ns are 18446744073.7 s: what comes after them never happens.
#[test]
fn a_timer_beyond_the_end_of_time_never_fires() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("end.yaml");
    let text = "apiVersion: taintsim.dev/v1alpha1
kind: Scenario
spec:
  until: 18446744073709551615ns
  nodes: [{name: n}]
  pods:
    - {name: near, nodeName: n, tolerations: ['b:NoExecute op=Exists for 3s']}
    - {name: far, nodeName: n, tolerations: ['b:NoExecute op=Exists for 4s']}
  steps: [{at: 18446744070s, kubectl: 'taint nodes n b:NoExecute'}]
  expect:
    - {pod: near, evictedAt: 18446744073s}
    - {pod: far, deleteAttempts: 0}
    - {pod: far, at: 18446744073.709s, is: Armed}
";
    std::fs::write(&path, text).unwrap();
    let (code, out, err) = ran(&["test", path.to_str().unwrap()]);
    assert_eq!(code, 0, "{out}{err}");
}
