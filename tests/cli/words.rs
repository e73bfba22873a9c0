//! What the table says where it is easy to mislead: lines of runs made for the purpose.

use crate::support::{ran, stdout, taintsim};

/// Runs a scenario; its table without the runs of spaces between columns.
fn replayed(spec: &str, options: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("words.yaml");
    let head = "apiVersion: taintsim.dev/v1alpha1\nkind: Scenario\nspec:\n  \
                admission: {defaultTolerationSeconds: {enabled: false}}\n";
    std::fs::write(&path, format!("{head}{spec}")).unwrap();
    let text = stdout(&[&["replay", path.to_str().unwrap()], options].concat());
    let squeeze = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    text.lines().map(|line| squeeze(line) + "\n").collect()
}

/// Each of these is a line, in this order.
fn assert_lines(text: &str, expected: &[&str]) {
    let mut lines = text.lines();
    for line in expected {
        assert!(lines.any(|known| known == *line), "lacks, or has too early: {line}\n{text}");
    }
}

#[test]
fn a_taint_change_says_what_came_changed_and_went() {
    let spec = "
  nodes: [{name: n1}]
  steps:
    - {at: 1s, kubectl: 'taint nodes n1 a=b:NoSchedule'}
    - {at: 2s, kubectl: 'taint nodes n1 x:NoExecute y:NoExecute'}
    - {at: 3s, kubectl: 'taint nodes n1 x-'}
    - {at: 4s, kubectl: 'taint nodes n1 a=c:NoSchedule --overwrite'}
    - {at: 5s, kubectl: 'taint nodes n1 a=c:NoSchedule --overwrite'}
    - {at: 6s, taint: {node: n1, replace: ['z:NoExecute']}}
    - {at: 7s, taint: {node: n1, replace: []}}
    - {at: 8s, createNode: {name: n2, taints: ['b:NoSchedule']}}
";
    let text = replayed(spec, &[]);
    assert_lines(
        &text,
        &[
            "1s node/n1 Tainted step 1: taint nodes n1 a=b:NoSchedule",
            "2s node/n1 Tainted step 2: taint nodes n1 x:NoExecute y:NoExecute",
            "3s node/n1 Untainted step 3: taint nodes n1 x- \
             (gone: x:NoExecute; left: y:NoExecute, a=b:NoSchedule)",
            "4s node/n1 Tainted step 4: taint nodes n1 a=c:NoSchedule --overwrite \
             (changed: a=b:NoSchedule to a=c:NoSchedule)",
            "5s node/n1 Unchanged step 5: taint nodes n1 a=c:NoSchedule --overwrite",
        ],
    );
    let row = |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap_or(&text);
    let replaced = row("6s node/n1 TaintsChanged step 6: ");
    assert!(replaced.ends_with("gone: a=c:NoSchedule, y:NoExecute)"), "{replaced}");
    let emptied = row("7s node/n1 Untainted step 7: ");
    assert!(emptied.ends_with(" (gone: z:NoExecute)"), "{emptied}");
    let created = row("8s node/n2 NodeCreated step 8: ");
    assert!(created.ends_with(" (taints: b:NoSchedule)"), "{created}");
    assert!(text.contains("There is no pod in this run"), "{text}");
}

const FAULTS: &str = "
  nodes: [{name: n1}]
  pods: [{name: a, nodeName: n1}]
  steps: [{at: 1s, kubectl: 'taint nodes n1 k=v:NoExecute'}]
  faults:
    - {verb: patch, resource: pods, error: Timeout, first: 1}
    - {verb: delete, resource: pods, error: InternalError, message: 'webhook says \"no\"', first: FIRST}
";

#[test]
fn an_attempt_that_failed_before_its_delete_is_told() {
    let text = replayed(&FAULTS.replace("FIRST", "1"), &[]);
    assert_lines(
        &text,
        &[
            "1.01s default/a DeleteFailed attempt 2 of 5 (attempt 1 failed before its DELETE; \
             --detail controller shows it): InternalError: webhook says \"no\"",
            "1.02s default/a Evicted taint k=v:NoExecute (step 1) is not tolerated (attempt 3 of 5)",
        ],
    );
    let none = FAULTS.lines().filter(|line| !line.contains("FIRST"));
    let none = replayed(&none.map(|line| format!("{line}\n")).collect::<String>(), &[]);
    assert!(none.contains("(attempt 2 of 5; attempt 1 failed before its DELETE; "), "{none}");
    let text = replayed(&FAULTS.replace("FIRST", "9"), &[]);
    let unseen = "1 of 5 attempts failed before its DELETE; --detail controller shows it";
    assert!(text.contains(&format!("gave up after 5 attempts ({unseen}); forgotten")), "{text}");
    let fate = format!("the deletion failed (InternalError: webhook says \"no\"; {unseen}), and");
    assert!(text.contains(&fate), "{text}");

    let text = replayed(&FAULTS.replace("FIRST", "9"), &["--detail", "controller"]);
    assert!(text.contains("StatusPatched attempt 1: Timeout\n"), "{text}");
    assert!(!text.contains("before its DELETE"), "{text}");
    assert!(text.contains("the deletion failed (at last InternalError: webhook"), "{text}");
}

#[test]
fn a_fault_s_message_is_in_every_output() {
    let spec = FAULTS.replace("FIRST", "1");
    let wide = replayed(&spec, &["-o", "wide"]);
    assert!(wide.contains("InternalError: webhook says \"no\"\n"), "{wide}");
    let jsonl = replayed(&spec, &["-o", "jsonl"]);
    let fields = r#""outcome":"InternalError","error":"webhook says \"no\""}"#;
    assert!(jsonl.contains(fields), "{jsonl}");
}

#[test]
fn a_stale_timer_and_each_of_two_pods_of_one_name_are_told() {
    let spec = "
  nodes: [{name: n1}, {name: n2}]
  pods: [{name: sts-0, nodeName: n1, tolerations: ['m:NoExecute op=Exists for 30s']}]
  steps:
    - {at: 1s, kubectl: 'taint nodes n1 m=x:NoExecute'}
    - at: 5s
      burst: [{deletePod: {pod: sts-0}}, {createPod: {name: sts-0, nodeName: n2}}]
";
    let why = "the timer of an earlier pod of this name, which tolerated taint m=x:NoExecute \
               (step 1) for 30s";
    let text = replayed(spec, &[]);
    assert_lines(
        &text,
        &[
            &format!("31s default/sts-0 Evicted {why}"),
            &format!("evicted 1 {why} default/sts-0 (2nd)"),
            "removed 1 deleted, not by the taint manager default/sts-0 (1st)",
        ],
    );
    let armed = replayed(spec, &["--until", "10s"]);
    assert_lines(&armed, &[&format!("armed 1 fires at 31s: {why} default/sts-0 (2nd)")]);
}

#[test]
fn survivors_know_what_their_node_had() {
    let spec = "
  nodes: [{name: n1}]
  pods: [{name: ever, nodeName: n1, tolerations: ['m:NoExecute op=Exists']}]
  steps:
    - {at: 1s, kubectl: 'taint nodes n1 m=x:NoExecute'}
    - {at: 2s, kubectl: 'taint nodes n1 m-'}
";
    let expected =
        "survives 1 it tolerates without limit the NoExecute taints that its node had default/ever";
    assert_lines(&replayed(spec, &[]), &[expected]);
}

#[test]
fn a_taint_from_the_start_is_told() {
    let spec = "
  nodes: [{name: n1, taints: ['m=x:NoExecute']}]
  pods:
    - {name: a, nodeName: n1}
    - {name: b, nodeName: n1, tolerations: ['m:NoExecute op=Exists for 30s']}
";
    assert_lines(
        &replayed(spec, &[]),
        &[
            "0s default/b EvictionScheduled fires at 30s: taint m=x:NoExecute (on the node from \
             the start) meets toleration m:NoExecute op=Exists for 30s",
            "0s default/a Evicted taint m=x:NoExecute (on the node from the start) is not tolerated",
            "Taints that are on a node from the start count from 0s in full, as after a restart of \
             the controller: it does not read timeAdded.",
        ],
    );
}

#[test]
fn steps_that_until_cut_off_say_so() {
    let spec = "
  nodes: [{name: n1}]
  pods: [{name: a, nodeName: n1}]
  steps:
    - {at: 1s, note: first}
    - {at: +2m, note: second}
    - {at: 8m, note: third}
    - {after: {evicted: a}, note: fourth}
";
    let text = replayed(spec, &["--until", "1m"]);
    let cut = "the run ended at 1m0s (`until`).";
    assert_lines(
        &text,
        &[
            &format!("Step 2 was not applied: it comes 2m0s after step 1, and {cut}"),
            &format!("Step 3 was not applied: it is due at 8m0s, and {cut}"),
            &format!(
                "Step 4 was not applied: it waits for {{evicted: default/a}}, which did not come \
                 before {cut}"
            ),
        ],
    );
}

#[test]
fn a_restart_says_what_it_does_to_timers() {
    let spec = "
  nodes: [{name: n1, taints: ['m=x:NoExecute']}]
  pods: [{name: b, nodeName: n1, tolerations: ['m:NoExecute op=Exists for 30s']}]
  steps: [{at: 1s, restartController: {for: 5s}}]
";
    assert_lines(
        &replayed(spec, &[]),
        &[
            "1s - ControllerStopped step 1: restart controller (down for 5s) (1 timer is lost)",
            "6.1s - ControllerStarted stopped at 1s; its caches are in sync (it looks every 100ms), \
             and every wait begins anew",
        ],
    );
}

/// A step's row takes in what the step does there and then, and nothing that comes of it later.
#[test]
fn a_step_s_row_is_about_the_step() {
    let spec = "
  apiServer: {latency: {list: 2s}}
  nodes: [{name: n1, taints: ['m=x:NoExecute']}]
  pods: [{name: b, nodeName: n1, tolerations: ['m:NoExecute op=Exists for 99s']}]
  steps:
    - {at: 10s, kubectl: 'label pod b app=x'}
    - {at: 12s, restartController: {for: 1s}}
    - {at: 12500ms, restartController: {}}
    - {at: 40s, kubectl: 'label pod b app=y --overwrite'}
";
    for level in ["summary", "controller", "trace"] {
        let text = replayed(spec, &["--detail", level]);
        let wide = replayed(spec, &["--detail", level, "-o", "wide"]);
        for line in text.lines().filter(|line| line.contains(" step ")) {
            let [at, object, what] = line.splitn(4, ' ').collect::<Vec<_>>()[..3] else {
                panic!("{line}")
            };
            let is_whole = ["StepApplied", "ControllerStopped"].contains(&what);
            assert!(is_whole, "{level}: {line}");
            let seen = format!(" {at} {object} ");
            assert!(wide.lines().any(|l| l.contains(&seen) && l.contains(what)), "{line}\n{wide}");
        }
        // What `wide` says of starts and watch events, the table says too, at the same times.
        for kind in ["ControllerStarted", "WatchEvent", "Enqueued"] {
            let times = |text: &str, column: usize| -> Vec<String> {
                let rows = text.lines().filter(|l| l.split(' ').any(|word| word == kind));
                rows.filter_map(|l| l.split(' ').nth(column).map(str::to_owned)).collect()
            };
            let shown = times(&text, 0);
            let mut all = times(&wide, 1);
            // The first start is the header's.
            all.retain(|at| kind != "ControllerStarted" || at != "0s");
            assert_eq!(shown, all, "{level} {kind}\n{text}\n{wide}");
        }
    }
}

#[test]
fn a_dump_without_pods_is_told() {
    let nodes = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n";
    let arguments = ["replay", "-", "--step", "1s taint nodes n1 a:NoExecute"];
    let output = taintsim(&arguments).write_stdin(nodes).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("There is no pod in this run"), "{text} {:?}", output.status);
    let text = stdout(&["replay", "dump.json"]);
    assert!(!text.contains("There is no pod"), "{text}");
}

/// Also in what the parser of the arguments says.
#[test]
fn arguments_send_no_control_characters_to_a_terminal() {
    for arguments in [&["replay", "s.yaml", "--seed", "\u{1b}]0;x\u{7}"][..], &["\u{1b}[31mreplay"]]
    {
        let (code, _, told) = ran(arguments);
        assert_eq!(code, 2, "{told}");
        assert!(!told.chars().any(|c| c.is_control() && c != '\n'), "{told:?}");
    }
    let (_, _, told) = ran(&["replay", "s.yaml", "--seed", "1x"]);
    assert!(told.contains("write a whole number from 0 to 18446744073709551615"), "{told}");
}
