//! `taintsim test` and `taintsim validate`.

use crate::support::{ran, stdout};

#[test]
fn a_passing_scenario_passes() {
    let text = stdout(&["test", "maintenance.yaml"]);
    let expected = "PASS  maintenance.yaml (3 expectations)\n\
                    1 passed, 0 failed, 0 unchecked, 0 skipped\n";
    assert_eq!(text, expected);
}

#[test]
fn a_failure_says_what_happened_instead() {
    let (code, text, _) = ran(&["test", "wrong.yaml"]);
    assert_eq!(code, 1);
    insta::assert_snapshot!("test-wrong", text);
}

#[test]
fn a_folder_is_walked_and_every_file_accounted_for() {
    let (code, text, _) = ran(&["test", "."]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("UNCHECKED  ./unchecked.yaml (no `expect`)\n"), "{text}");
    // A step that is never applied fails the test, with or without `expect`.
    assert!(text.contains("FAIL  ./graceful.yaml\n  step 4 (never comes)"), "{text}");
    assert!(text.ends_with("1 passed, 2 failed, 1 unchecked, 2 skipped\n"), "{text}");
}

#[test]
fn what_cannot_be_loaded_is_bad_input() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.yaml");
    std::fs::write(&path, "apiVersion: taintsim.dev/v1alpha1\nkind: Scenario\nspec: {nods: []}\n")
        .unwrap();
    let (code, text, _) = ran(&["test", "maintenance.yaml", folder.path().to_str().unwrap()]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("broken.yaml:3"), "{text}");
    let counts = "1 passed, 1 failed (1 could not be loaded), 0 unchecked, 0 skipped\n";
    assert!(text.ends_with(counts), "{text}");
    let (code, ..) = ran(&["test", "absent.yaml"]);
    assert_eq!(code, 2);
}

/// A selector of `expect` means pods that have such labels at any time of their own life.
#[test]
fn labels_count_at_any_time_of_a_pod_s_life() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("labels.yaml");
    let run = |steps: &str, expect: &str| {
        let text = format!(
            "apiVersion: taintsim.dev/v1alpha1\nkind: Scenario\nspec:\n  \
             nodes: [{{name: n}}, {{name: t, taints: ['k:NoExecute']}}]\n  \
             pods: [{{name: p, nodeName: n, labels: {{app: a}}}}]\n  \
             steps: [{steps}]\n  expect: [{expect}]\n"
        );
        std::fs::write(&path, text).unwrap();
        ran(&["test", path.to_str().unwrap()])
    };
    let recreated = "{at: 1s, deletePod: {pod: p}}, \
                     {at: 2s, createPod: {name: p, nodeName: t, labels: {app: b}}}";
    let relabelled = "{at: 1s, kubectl: label pod p app=b --overwrite}, \
                      {at: 2s, kubectl: 'taint nodes n k:NoExecute'}";
    let applied = "{at: 1s, apply: {apiVersion: v1, kind: Pod, metadata: {name: p, labels: {app: \
                   b}}, spec: {nodeName: n}}}, {at: 2s, kubectl: 'taint nodes n k:NoExecute'}";
    let cases = [
        (recreated, "{evictions: 1, selector: app=b}, {evictions: 0, selector: app=a}", 0),
        (recreated, "{selector: app=b, evictedAt: 2s}, {selector: app=a, removedAt: 1s}", 0),
        (recreated, "{selector: app=a, evictedAt: 2s}", 1),
        (relabelled, "{selector: app=b, evictedAt: 2s}, {selector: app=a, evictedAt: 2s}", 0),
        (relabelled, "{evictions: 1, selector: 'app in (a,b)'}", 0),
        (applied, "{selector: app=b, evictedAt: 2s}, {selector: app=a, evictedAt: 2s}", 0),
    ];
    for (steps, expect, code) in cases {
        let (got, out, err) = run(steps, expect);
        assert!(got == code, "{steps}: {expect}: {got}\n{out}{err}");
        let shown = stdout(&["replay", path.to_str().unwrap(), "-l", "app=b", "-o", "jsonl"]);
        assert!(shown.contains("\"kind\":\"DeleteRequested\""), "{shown}");
    }
}

/// A misspelt head, a broken text or a wrong path does not turn a test into a skipped one.
#[test]
fn what_is_meant_as_a_scenario_is_never_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.yaml");
    let file = path.to_str().unwrap();
    let cases = [
        ("apiVersion: taintsim.io/v1alpha1\nkind: Scenario\nspec: {}\n", true),
        ("apiVersion: taintsim.dev/v1alpha1\nkind: scenario\nspec: {}\n", true),
        ("{\"apiVersion\": \"taintsim/v1\", \"kind\": \"Scenario\"}", true),
        ("kind: Scenario\nspec: {nodes: [}", true),
        ("services: [", false),
        ("", false),
    ];
    for (text, is_meant) in cases {
        std::fs::write(&path, text).unwrap();
        let (code, out, _) = ran(&["test", file, "maintenance.yaml"]);
        assert_eq!(code, 2, "{text}\n{out}");
        let told = format!("FAIL  {file}\n");
        assert!(out.starts_with(&told), "{out}");
        let (code, out, _) = ran(&["test", folder.path().to_str().unwrap(), "maintenance.yaml"]);
        assert_eq!((code, out.contains(&told)), (if is_meant { 2 } else { 0 }, is_meant), "{text}");
    }
}

#[test]
fn nothing_to_test_is_bad_usage() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().to_str().unwrap();
    for path in [empty, "dump.json"] {
        let (code, out, err) = ran(&["test", path]);
        assert_eq!(code, 2, "{out}");
        let told = format!("error: nothing was tested: there is no scenario in {path};");
        assert!(err.starts_with(&told), "{err}");
    }
}

/// A pipe can be read once only, also where an expectation's version loads the text again.
#[test]
fn every_input_is_read_once() {
    let scenario = "apiVersion: taintsim.dev/v1alpha1\nkind: Scenario\nspec:\n  \
                    nodes: [{name: n}]\n  pods: [{name: p, nodeName: n}]\n  \
                    expect: [{pod: p, survives: true, kubernetesVersion: '1.36'}]\n";
    let broken = "apiVersion: taintsim.dev/v1alpha1\nkind: Scenario\nspec: {nods: []}\n";
    for (command, text, code) in [
        ("test", scenario, 0),
        ("test", broken, 2),
        ("validate", broken, 2),
        ("validate", "a: [", 2),
    ] {
        for path in ["-", "/dev/stdin"] {
            let mut command = crate::support::taintsim(&[command, path]);
            let output = command
                .write_stdin(text)
                .timeout(std::time::Duration::from_secs(20))
                .output()
                .unwrap();
            assert_eq!(output.status.code(), Some(code), "{path}: {output:?}");
            let told = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
            assert!(!told.contains("is empty"), "{told}");
        }
    }
}

#[test]
fn validate_says_what_is_in_a_file() {
    let text = stdout(&["validate", "maintenance.yaml", "dump.json"]);
    let expected = "maintenance.yaml: ok (scenario, 3 nodes, 9 pods, 4 steps, 3 expectations)\n\
                    dump.json: ok (dump, 1 node, 1 pod)\n";
    assert_eq!(text, expected);
    let (code, out, err) = ran(&["validate", "compose.yml", "dump.json"]);
    assert_eq!((code, out.as_str()), (2, "dump.json: ok (dump, 1 node, 1 pod)\n"));
    assert!(err.contains("compose.yml"), "{err}");
}

#[test]
fn validate_walks_a_directory() {
    let (code, out, err) = ran(&["validate", "."]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(out.contains("./dump.json: ok (dump, 1 node, 1 pod)\n"), "{out}");
    assert!(out.contains("./compose.yml: skipped (neither a scenario nor a dump)\n"), "{out}");
    let folder = tempfile::tempdir().unwrap();
    let (code, out, err) = ran(&["validate", folder.path().to_str().unwrap()]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("no *.yaml, *.yml or *.json below it"), "{err}");
}

/// What `-o expect` prints holds for the run that it was printed for.
#[test]
fn a_printed_expect_block_passes() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["maintenance.yaml", "graceful.yaml", "wrong.yaml"] {
        let source = std::fs::read_to_string(crate::support::folder().join(name)).unwrap();
        let without = source.split("  expect:").next().unwrap();
        // A step that never comes fails a test whatever is expected.
        let without = without.replace("after: {cancelled: now}", "at: 50s");
        let path = folder.path().join(name);
        std::fs::write(&path, &without).unwrap();
        let path = path.to_str().unwrap();
        let block = stdout(&["replay", path, "-o", "expect"]);
        let indented: String = block.lines().map(|line| format!("  {line}\n")).collect();
        std::fs::write(path, format!("{without}{indented}")).unwrap();
        let (code, text, err) = ran(&["test", path]);
        assert_eq!(code, 0, "{block}\n{text}\n{err}");
    }
}

/// What makes a rejected step right depends on why it was rejected.
#[test]
fn a_rejected_step_is_answered_by_what_makes_it_right() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rejected.yaml");
    let steps = [
        "taint nodes node-0 b=x:NoExecute",
        "taint nodes node-1 b-",
        "taint nodes node-0 c-",
        "taint nodes node-0 b:NoSchedule-",
    ];
    let mut text = String::from(
        "apiVersion: taintsim.dev/v1alpha1\nkind: Scenario\nspec:\n  \
         nodes: [{name: node-0}, {name: node-1}]\n  \
         pods:\n    \
         - {name: web-0, nodeName: node-0, tolerations: ['b:NoExecute op=Exists for 30s']}\n    \
         - {name: db-0, namespace: shop, nodeName: node-1}\n  steps:\n",
    );
    for step in steps {
        text.push_str(&format!("    - {{at: 10s, kubectl: '{step}'}}\n"));
    }
    text.push_str(
        "    - {at: 20s, createPod: {name: web-0, nodeName: node-1}}
    - {at: 20s, createPod: {name: db-0, namespace: shop}}
    - {at: 20s, bindPod: {pod: shop/db-0, node: node-1}}
    - {at: 20s, bindPod: {pod: shop/db-0, node: node-0}}
    - {at: 20s, touchPod: {pod: late, labels: {a: b}}}
    - {at: 30s, createPod: {name: late}}
    - {at: 31s, bindPod: {pod: late, node: node-1}}
    - {at: 32s, bindPod: {pod: late, node: node-1}}
    - {at: 50s, kubectl: delete pod web-0}
    - {at: 50s, touchPod: {pod: web-0, labels: {a: b}}}
    - {at: 51s, deletePod: {pod: shop/db-0, gracePeriodSeconds: 0}}
    - {at: 52s, deletePod: {pod: shop/db-0}}
    - {at: 53s, kubectl: taint nodes node-0 b-}
    - {at: 54s, kubectl: taint nodes node-0 b-}
    - {at: 55s, deleteNode: {node: node-1}}
    - {at: 56s, deleteNode: {node: node-1}}
    - {at: 57s, createNode: {name: node-0}}
",
    );
    std::fs::write(&path, text).unwrap();
    let (code, text, _) = ran(&["test", path.to_str().unwrap()]);
    assert_eq!(code, 1, "{text}");
    let first = text.lines().next().unwrap_or_default().to_owned();
    insta::assert_snapshot!("rejected", text.replace(&first, "FAIL"));
}
