//! `taintsim replay --watch`.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::support::{folder, ran, stdout, taintsim};

/// What is on stdout, then what is on stderr.
fn both(arguments: &[&str]) -> String {
    let (code, out, err) = ran(arguments);
    assert_eq!(code, 0, "{err}");
    format!("{out}--- stderr\n{err}")
}

#[test]
fn rows_are_as_reviewed() {
    insta::assert_snapshot!("watch-maintenance", both(&["replay", "maintenance.yaml", "--watch"]));
    insta::assert_snapshot!("watch-graceful", both(&["replay", "graceful.yaml", "--watch"]));
    let arguments = ["replay", "maintenance.yaml", "--watch", "-n", "shop", "--until", "2m"];
    insta::assert_snapshot!("watch-one-namespace", both(&arguments));
}

/// A pod that comes, is bound, gets other tolerations, goes and comes again.
#[test]
fn each_change_of_a_pod_has_a_row() {
    let text = "
apiVersion: taintsim.dev/v1alpha1
kind: Scenario
spec:
  nodes: [{name: n, taints: ['k:NoExecute']}]
  pods: [{name: b, nodeName: n, tolerations: ['k:NoExecute op=Exists']}, {name: a}]
  steps:
    - {at: 61s, createPod: {name: c}}
    - {at: 2m, setTolerations: {pod: b, tolerations: ['op=Exists'], force: true}}
    - {at: 3m10s, bindPod: {pod: c, node: n}}
    - {at: 3h, createPod: {name: c}}
    - {at: 4h1m, deletePod: {pod: c}}
";
    let output = taintsim(&["replay", "-", "--watch"]).write_stdin(text).output().unwrap();
    insta::assert_snapshot!("watch-changes", String::from_utf8(output.stdout).unwrap());
}

#[test]
fn the_speed_changes_no_byte() {
    for file in ["maintenance.yaml", "graceful.yaml"] {
        let plain = ran(&["replay", file, "--watch"]);
        for speed in ["1000000x", "4321.5x"] {
            assert_eq!(plain, ran(&["replay", file, "--watch", "--speed", speed]), "{speed}");
        }
    }
}

#[test]
fn filters_and_steps_go_with_it() {
    let pod = stdout(&["replay", "maintenance.yaml", "--watch", "--pod", "shop/web-0"]);
    assert_eq!(pod.lines().count(), 3, "{pod}");
    let step = "1m delete pod web-1 -n shop";
    let arguments = ["replay", "maintenance.yaml", "--watch", "-l", "app=web", "--step", step];
    let (code, rows, steps) = ran(&arguments);
    assert_eq!(code, 0, "{steps}");
    assert!(rows.contains("\n1m0s       DELETED    web-1 "), "{rows}");
    assert!(!rows.contains("db-0") && !rows.contains("NAMESPACE"), "{rows}");
    assert!(steps.contains("# 1m0s: step 5: delete pod web-1 -n shop\n"), "{steps}");
    // A file gets what it gets without it.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("out.jsonl");
    let output = format!("jsonl={}", file.display());
    stdout(&["replay", "maintenance.yaml", "--watch", "-o", &output]);
    let written = std::fs::read_to_string(file).unwrap();
    assert_eq!(written, stdout(&["replay", "maintenance.yaml", "-o", "jsonl"]));
}

#[test]
fn what_does_not_go_with_it_is_refused() {
    let cases: &[(&[&str], &str)] = &[
        (&["--speed", "60x"], "--watch"),
        (&["--watch", "--speed", "0x"], "write 60x"),
        (&["--watch", "--speed", "-1x"], "write 60x"),
        (&["--watch", "--speed", "1e9x"], "write 60x"),
        (&["--watch", "--speed", "2000000x"], "write 60x"),
        (&["--watch", "--speed", "60"], "write 60x"),
        (&["--watch", "--speed", ""], "write 60x"),
        (&["--watch", "-o", "table"], "give the -o a file"),
        (&["--watch", "-o", "jsonl=-"], "give the -o a file"),
        (&["--watch", "--digest"], "--digest"),
        (&["--watch", "--check"], "--check"),
        (&["--watch", "--show", "timers"], "--show"),
        (&["--watch", "--metrics"], "--metrics"),
    ];
    for (arguments, part) in cases {
        let all = [&["replay", "maintenance.yaml"], *arguments].concat();
        let (code, stdout, stderr) = ran(&all);
        assert_eq!((code, stdout.as_str()), (2, ""), "{arguments:?}: {stderr}");
        assert!(stderr.contains(part), "{arguments:?} lacks {part}: {stderr}");
    }
}

fn watched(speed: &str) -> (Child, BufReader<std::process::ChildStdout>) {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("taintsim"))
        .current_dir(folder())
        .args(["replay", "maintenance.yaml", "--watch", "--speed", speed])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    (child, out)
}

/// A row is there when it is time, long before the run ends; Ctrl-C ends it.
#[cfg(unix)]
#[test]
fn rows_come_at_once_and_ctrl_c_ends_it() {
    let (mut child, mut out) = watched("1x");
    let mut line = String::new();
    // The header and the pods that are there: nothing else comes for ten seconds.
    for _ in 0..10 {
        line.clear();
        out.read_line(&mut line).unwrap();
    }
    assert!(line.contains("web-5"), "{line}");
    assert!(child.try_wait().unwrap().is_none(), "it ended");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// Who stops reading ends the run at the next row, and nothing is wrong.
#[test]
fn a_closed_pipe_ends_it() {
    let (child, mut out) = watched("10x");
    out.read_line(&mut String::new()).unwrap();
    drop(out);
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(!stderr.contains("step 2"), "{stderr}");
}
