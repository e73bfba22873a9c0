//! Limits, and inputs that are no plain files of text.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{ran, taintsim};

const HEAD: &str = "apiVersion: taintsim.dev/v1alpha1\nkind: Scenario\nspec:\n";

/// A file's path in a folder of its own.
struct Made(tempfile::TempDir);

impl Made {
    fn new() -> Made {
        Made(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, content).unwrap();
        path
    }
}

#[test]
fn each_limit_names_its_option_and_the_option_moves_it() {
    let made = Made::new();
    let pods = "  nodes: [{name: n}]\n  pods: [{name: \"web-{1..50}\", nodeName: n}]\n";
    let scenario = made.file("pods.yaml", format!("{HEAD}{pods}"));
    let deep = format!("kind: ConfigMap\ndata: {}{}\n", "[".repeat(20), "]".repeat(20));
    let deep = made.file("deep.yaml", format!("kind: Node\nmetadata: {{name: n}}\n---\n{deep}"));
    let flow = format!("kind: Node\nmetadata: {{name: n, annotations: [{}1]}}\n", "1,".repeat(20));
    let flow = made.file("flow.yaml", flow);
    let aliases =
        "kind: Node\nmetadata: {name: n, annotations: {a: &a [x, x, x], b: [*a, *a, *a]}}\n";
    let aliases = made.file("aliases.yaml", aliases);
    for (file, option, below, enough, message) in [
        (&scenario, "--max-objects", "10", "50", "makes 50 names; the limit is 10"),
        (&scenario, "--max-input-size", "10", "1Ki", "it is larger than 10 bytes"),
        (&deep, "--max-depth", "10", "21", "nested more than 10 levels deep"),
        (&scenario, "--max-values", "5", "30", "all that is read together has more than 5 values"),
        (&flow, "--max-values", "40", "100", "a list in brackets of more than 10 values"),
        (&aliases, "--max-alias-values", "11", "12", "aliases make more than 11 values"),
    ] {
        for command in ["validate", "replay"] {
            let (code, _, stderr) = ran(&[command, file, option, below]);
            assert_eq!(code, 2, "{option}: {stderr}");
            assert!(stderr.contains(message), "{option}: {stderr}");
            assert!(stderr.contains(&format!("raise it with {option} ")), "{option}: {stderr}");
            let (code, _, stderr) = ran(&[command, file, option, enough]);
            assert_eq!(code, 0, "{option}: {stderr}");
        }
        let (code, stdout, _) = ran(&["test", file, option, below]);
        assert!(code == 2 && stdout.contains(message), "{option}: {stdout}");
    }
}

/// What is only counted, or held against what came before it, costs no more for each.
#[test]
fn many_keys_taints_and_labels_take_their_time_each() {
    let made = Made::new();
    let many = |line: fn(usize) -> String| (0..100_000).map(line).collect::<String>();
    let keys = many(|n| format!("  key{n}: 1\n"));
    let keys = made.file("keys.yaml", format!("{HEAD}  nodes: [{{name: n}}]\n{keys}"));
    let taints = many(|n| format!("  - {{key: k{n}, effect: NoExecute}}\n"));
    let node = format!("kind: Node\nmetadata: {{name: n}}\nspec:\n  taints:\n{taints}");
    let labels = many(|n| format!("    k{n}: v\n"));
    let pod = format!("---\nkind: Pod\nmetadata:\n  name: p\n  labels:\n{labels}");
    let objects = made.file("objects.yaml", format!("{node}{pod}"));
    let (code, _, stderr) = ran(&["validate", &keys]);
    assert!(code == 2 && stderr.contains("99800 more"), "{}", stderr.len());
    let (code, stdout, stderr) = ran(&["validate", &objects]);
    assert_eq!((code, stdout.contains("1 node, 1 pod")), (0, true), "{stdout}{stderr}");
}

#[test]
fn a_run_with_too_many_events_is_stopped_and_leaves_no_file() {
    let made = Made::new();
    let spec = "  nodes: [{name: n}]\n  pods: [{name: \"web-{1..50}\", nodeName: n}]\n  \
                steps: [{at: 10s, kubectl: 'taint nodes n a:NoExecute'}]\n  \
                expect: [{evictions: 50}]\n";
    let scenario = made.file("outage.yaml", format!("{HEAD}{spec}"));
    let output = made.path("out.jsonl");
    let arguments = ["replay", &scenario, "-o", &format!("jsonl={output}"), "--max-events", "200"];
    let (code, _, stderr) = ran(&arguments);
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("stopped after 200 events, at 10"), "{stderr}");
    assert!(stderr.contains("raise the limit with --max-events N"), "{stderr}");
    assert_eq!(fs::read_dir(made.0.path()).unwrap().count(), 1, "no file, nor a part of one");
    let again = ran(&arguments);
    assert_eq!(again.2, stderr);
    assert_eq!(ran(&["replay", &scenario, "--digest", "--max-events", "200"]).0, 2);
    assert_eq!(ran(&["test", &scenario, "--max-events", "200"]).0, 2);
    assert_eq!(ran(&["test", &scenario]).0, 0);
    // To the event: one that is just enough is enough.
    let is_enough = |most: u64| ran(&["test", &scenario, "--max-events", &most.to_string()]).0 == 0;
    let (mut below, mut enough) = (200, 100_000);
    while enough - below > 1 {
        let middle = u64::midpoint(below, enough);
        if is_enough(middle) { enough = middle } else { below = middle }
    }
    let whole = ran(&["replay", &scenario, "--max-events", &enough.to_string()]);
    assert_eq!(whole, ran(&["replay", &scenario]));
}

#[test]
fn inputs_that_are_no_text_are_told_by_name() {
    let made = Made::new();
    let dump = "kind: Node\nmetadata: {name: n}\n";
    let utf16 = |text: &str| -> Vec<u8> {
        format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect()
    };
    let (code, stdout, stderr) = ran(&["validate", &made.file("wide.yaml", utf16(dump))]);
    assert!(code == 0 && stdout.contains("ok (dump, 1 node"), "{stderr}");
    assert!(stderr.contains("wide.yaml:1: this is UTF-16 text"), "{stderr}");
    for (name, bytes, expected) in [
        ("my dump.gz", &b"\x1f\x8b\x08\x00"[..], "my dump.gz' | taintsim replay -"),
        ("latin.yaml", b"a: b\nc: \xfc\n", "byte 0xfc at offset 8, line 2, column 4"),
        ("nul.yaml", b"a: b\nc: \0\n", "a NUL byte at offset 8, line 2, column 4"),
        ("empty.yaml", b"", "the input is empty"),
    ] {
        let (code, _, stderr) = ran(&["validate", &made.file(name, bytes)]);
        assert_eq!(code, 2, "{name}: {stderr}");
        assert!(stderr.contains(expected), "{name}: {stderr}");
    }
    let (code, _, stderr) = ran(&["replay", &made.path("")]);
    assert!(code == 2 && stderr.contains("it is a directory, not a file"), "{stderr}");
    let (code, _, stderr) = ran(&["validate", "-", "/dev/stdin"]);
    assert!(code == 2 && stderr.contains("stdin (`-`) can be read only once"), "{stderr}");
    let output = taintsim(&["replay", "-"]).write_stdin(b"BZh9").output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("… | bzip2 -dc | taintsim replay -"));
}

#[cfg(unix)]
#[test]
fn pipes_devices_and_sockets() {
    let made = Made::new();
    let dump = made.file("dump.yaml", "kind: Node\nmetadata: {name: n}\n");
    let fifo = made.path("fifo.yaml");
    if !Command::new("mkfifo").arg(&fifo).status().is_ok_and(|status| status.success()) {
        eprintln!("notice: there is no mkfifo here, so nothing is checked");
        return;
    }
    // A folder's pipe is left alone: opening it would wait for a writer.
    let (code, stdout, _) = ran(&["validate", &made.path("")]);
    assert_eq!((code, stdout.lines().count()), (0, 1), "{stdout}");
    // One that is named is read, and read once.
    let writer = std::thread::spawn({
        let (dump, fifo) = (dump.clone(), fifo.clone());
        move || fs::copy(dump, fifo).unwrap()
    });
    let (code, stdout, stderr) = ran(&["replay", &dump, "-f", &fifo]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("1 node"), "{stdout}");
    writer.join().unwrap();

    let _socket = std::os::unix::net::UnixListener::bind(made.path("socket")).unwrap();
    let (code, _, stderr) = ran(&["replay", &made.path("socket")]);
    assert!(code == 2 && stderr.contains("it is a socket, not a file"), "{stderr}");
    if Path::new("/dev/zero").exists() {
        let (code, _, stderr) = ran(&["validate", "/dev/zero"]);
        assert!(
            code == 2 && stderr.contains("/dev/zero: error: a NUL byte at offset 0"),
            "{stderr}"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let made = Made::new();
    let path = made.file("secret.yaml", "kind: Node\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o0)).unwrap();
    if fs::read(&path).is_ok() {
        eprintln!("notice: this user can read every file, so nothing is checked");
        return;
    }
    let (code, _, stderr) = ran(&["validate", &path]);
    assert!(code == 2 && stderr.contains("permission denied"), "{stderr}");
}

#[test]
fn a_change_to_what_is_not_modelled_is_refused() {
    let made = Made::new();
    let pod = "kind: Pod\nmetadata: {name: a, annotations: {x: y}}\n\
               spec: {nodeName: n, containers: [{name: c, image: i}]}\n";
    let dump = made.file("dump.yaml", pod);
    for path in ["spec.containers[0].image=x", "metadata.annotations=x", "spec.containers=null"] {
        let (code, _, stderr) = ran(&["replay", &dump, "--set", path]);
        assert_eq!(code, 2, "{path}: {stderr}");
        assert!(stderr.contains("is modelled: a change there changes nothing"), "{path}: {stderr}");
    }
    let (code, _, stderr) = ran(&["replay", &dump, "--set", "spec.nodeName=m"]);
    assert_eq!(code, 0, "{stderr}");
}
