//! `taintsim replay`, its options and its exit codes.

use std::io::Read;
use std::process::{Command, Stdio};

use crate::support::{folder, ran, stdout, taintsim};

#[test]
fn a_dump_on_stdin_and_a_step_answer_an_incident() {
    let dump = std::fs::read(folder().join("dump.json")).unwrap();
    let step = "5s taint nodes worker-3 maintenance=now:NoExecute";
    let output = taintsim(&["replay", "-", "--step", step]).write_stdin(dump).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("shop/api-0      Evicted "), "{text}");
}

#[test]
fn usage_and_input_errors_exit_with_2() {
    let cases: &[(&[&str], &str)] = &[
        (&["replay"], "FILE"),
        (&["replay", "absent.yaml"], "absent.yaml"),
        (&["replay", "compose.yml"], "compose.yml:"),
        (&["replay", "maintenance.yaml", "-o", "yaml"], "there are table, wide, jsonl"),
        (&["replay", "maintenance.yaml", "-o", "jsonl", "-o", "table"], "only one -o"),
        (&["replay", "maintenance.yaml", "-o", "perfetto", "--digest"], "give the -o a file"),
        (&["replay", "maintenance.yaml", "-o", "jsonl", "--digest"], "give the -o a file"),
        (&["replay", "maintenance.yaml", "-o", "jsonl=x", "-o", "json=x"], "two outputs go to x"),
        (&["replay", "maintenance.yaml", "-o", "jsonl=no/such/x"], "no directory no/such\n"),
        (&["replay", "maintenance.yaml", "-o", "jsonl=."], "is a directory"),
        (&["replay", "maintenance.yaml", "--until", "10"], "write 10s"),
        (&["replay", "maintenance.yaml", "--pod", "shop/web-9"], "did you mean shop/web-"),
        (&["replay", "maintenance.yaml", "-l", "app in"], "-l app in"),
        (&["replay", "maintenance.yaml", "--kubernetes-version", "2.0"], "2.0"),
        (&["replay", "-", "-f", "-"], "only once"),
        (&["replay", "maintenance.yaml", "--step", "0s drain node-0"], "drain"),
        (&["evict"], "evict"),
    ];
    for (arguments, part) in cases {
        let (code, stdout, stderr) = ran(arguments);
        assert_eq!(code, 2, "{arguments:?}: {stderr}");
        assert!(stderr.contains(part), "{arguments:?} lacks {part}: {stderr}");
        assert_eq!(stdout, "", "{arguments:?}");
    }
}

#[test]
fn options_change_the_run() {
    let until = stdout(&["replay", "maintenance.yaml", "--until", "1m"]);
    assert!(until.contains("armed"), "{until}");
    let seed = stdout(&["replay", "maintenance.yaml", "--seed", "7", "-o", "jsonl"]);
    assert!(seed.contains("\"seed\":7"), "{seed}");
    let path = "spec.pods[name=batch-0].nodeName=node-1";
    let set = stdout(&["replay", "maintenance.yaml", "--set", path, "-o", "jsonl"]);
    assert!(set.contains("\"pod\":\"default/batch-0\",\"node\":\"node-1\""), "{set}");
    let version = stdout(&["replay", "maintenance.yaml", "--kubernetes-version", "v1.36.2"]);
    assert!(version.contains("Kubernetes 1.36;"), "{version}");
    let file = stdout(&["replay", "-f", "maintenance.yaml"]);
    assert_eq!(file, stdout(&["replay", "maintenance.yaml"]));
    let both = stdout(&["replay", "maintenance.yaml", "-f", "dump.json"]);
    assert!(both.starts_with("maintenance: 4 nodes, 10 pods;"), "{both}");
}

const FILTERS: &[&[&str]] =
    &[&["--pod", "now"], &["--pod", "by-hand"], &["-n", "other"], &["-l", "app=web"]];

#[test]
fn filters_hide_and_number_what_they_show() {
    let lines = |options: &[&str]| -> Vec<serde_json::Value> {
        let text = stdout(&[&["replay", "graceful.yaml"], options].concat());
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    // What a record says beside its numbers.
    let own = |record: &serde_json::Value| {
        let mut record = record.clone();
        let object = record.as_object_mut().unwrap();
        object.remove("seq");
        object.remove("cause");
        record
    };
    for level in ["summary", "controller", "trace"] {
        let all = lines(&["-o", "jsonl", "--detail", level]);
        let all = &all[1..all.len() - 1];
        for filter in FILTERS {
            let options = [&["-o", "jsonl", "--detail", level], *filter].concat();
            let shown = lines(&options);
            let shown = &shown[1..shown.len() - 1];
            assert!(shown.len() < all.len(), "{filter:?}");
            // Which record of the run each shown one is: they are in the same order.
            let mut rest = all.iter();
            let origins: Vec<u64> = shown
                .iter()
                .map(|record| rest.find(|known| own(known) == own(record)).unwrap())
                .map(|known| known["seq"].as_u64().unwrap())
                .collect();
            for (index, record) in shown.iter().enumerate() {
                assert_eq!(record["seq"], index + 1, "{filter:?} {level}");
                let mut cause = all[origins[index] as usize - 1]["cause"].as_u64();
                while let Some(seq) = cause.filter(|seq| !origins.contains(seq)) {
                    cause = all[seq as usize - 1]["cause"].as_u64();
                }
                let expected = cause.map(|seq| 1 + origins.binary_search(&seq).unwrap() as u64);
                assert_eq!(record["cause"].as_u64(), expected, "{filter:?} {level}: {record}");
            }
            let options = [&["replay", "graceful.yaml", "-o", "wide", "--detail", level], *filter];
            let wide = stdout(&options.concat());
            let number = |line: &str| line.split(' ').next().and_then(|n| n.parse::<usize>().ok());
            let numbers: Vec<usize> = wide.lines().skip(3).map_while(number).collect();
            assert_eq!(numbers, (1..=shown.len()).collect::<Vec<_>>(), "{filter:?}\n{wide}");
        }
    }
    let (code, _, stderr) = ran(&["replay", "maintenance.yaml", "-n", "nowhere"]);
    assert_eq!((code, stderr.contains("no pod matches")), (0, true), "{stderr}");
    // Outputs of several levels of detail are several runs, and the notice is one.
    let file = tempfile::NamedTempFile::new().unwrap();
    let trace = format!("perfetto={}", file.path().display());
    let arguments = ["replay", "maintenance.yaml", "-n", "nowhere", "-o", "table", "-o", &trace];
    let (code, _, stderr) = ran(&arguments);
    assert_eq!((code, stderr.matches("no pod matches").count()), (0, 1), "{stderr}");
}

#[test]
fn what_happens_is_the_same_at_every_level_of_detail() {
    let story = |level: &str| {
        let text = stdout(&["replay", "graceful.yaml", "-o", "jsonl", "--detail", level]);
        let parsed: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let summary_kinds = ["Step", "Node", "Eviction", "Delete", "Controller", "Note"];
        let is_summary = |kind: &str| {
            summary_kinds.iter().any(|start| kind.starts_with(start))
                || (kind.starts_with("Pod") && kind != "PodFetched")
        };
        let mut lines = Vec::new();
        for mut record in parsed {
            let object = record.as_object_mut().unwrap();
            object.remove("seq");
            object.remove("cause");
            if is_summary(object["kind"].as_str().unwrap()) {
                lines.push(record.to_string());
            }
        }
        lines
    };
    let summary = story("summary");
    assert!(summary.len() > 20, "{summary:#?}");
    assert_eq!(summary, story("controller"));
    assert_eq!(summary, story("trace"));
}

#[test]
fn causes_lead_from_an_eviction_to_a_step() {
    for level in ["summary", "controller", "trace"] {
        let text = stdout(&["replay", "maintenance.yaml", "-o", "jsonl", "--detail", level]);
        let records: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let mut evictions = 0;
        for record in records.iter().filter(|r| r["kind"] == "DeleteRequested") {
            evictions += 1;
            let mut at = record;
            while let Some(cause) = at["cause"].as_u64() {
                at = &records[usize::try_from(cause).unwrap()];
                assert_eq!(at["seq"].as_u64(), Some(cause));
            }
            assert_eq!(at["kind"], "StepApplied", "{level}: {record}");
        }
        assert_eq!(evictions, 5, "{level}");
    }
}

#[test]
fn files_are_whole_and_hold_what_stdout_would() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let output = |format: &str, name: &str| format!("{format}={}", path(name).display());
    let (jsonl, json) = (output("jsonl", "a.jsonl"), output("json", "b.json"));
    let arguments = ["replay", "maintenance.yaml", "-o", &jsonl, "-o", &json, "-o", "table"];
    let table = stdout(&arguments);
    assert_eq!(table, stdout(&["replay", "maintenance.yaml"]));
    for (format, name) in [("jsonl", "a.jsonl"), ("json", "b.json")] {
        let written = std::fs::read_to_string(path(name)).unwrap();
        assert_eq!(written, stdout(&["replay", "maintenance.yaml", "-o", format]));
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    let (code, ..) = ran(&["replay", "absent.yaml", "-o", &output("jsonl", "c.jsonl")]);
    assert_eq!((code, path("c.jsonl").exists()), (2, false));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("many.yaml");
    let text = "apiVersion: taintsim.dev/v1alpha1\nkind: Scenario\nspec:\n  \
                pods: [{name: \"web-{0..5000}\"}]\n";
    std::fs::write(&path, text).unwrap();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("taintsim"))
        .args(["replay", "-o", "jsonl", "--detail", "trace"])
        .arg(&path)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 16];
    let mut pipe = child.stdout.take().unwrap();
    pipe.read_exact(&mut first).unwrap();
    drop(pipe);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}

#[test]
fn digest_and_check_answer_in_place_of_the_table() {
    let digests = stdout(&["replay", "maintenance.yaml", "--digest"]);
    let lines: Vec<&str> = digests.lines().collect();
    assert_eq!(lines.len(), 2);
    for (line, name) in lines.iter().zip(["timeline", "outcomes"]) {
        let hex = line.strip_prefix(&format!("{name}  sha256:")).unwrap();
        assert!(hex.len() == 64 && hex.chars().all(|c| c.is_ascii_hexdigit()), "{line}");
    }
    let trace = stdout(&["replay", "maintenance.yaml", "-o", "jsonl", "--detail", "trace"]);
    use sha2::{Digest, Sha256};
    let hashed: String = Sha256::digest(trace).iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(lines[0].ends_with(&hashed), "the digest is that of the jsonl at trace");
    assert_eq!(digests, stdout(&["replay", "maintenance.yaml", "--digest"]));

    let check = stdout(&["replay", "maintenance.yaml", "--check"]);
    assert!(check.starts_with("The same twice: "), "{check}");
    let all = stdout(&["replay", "maintenance.yaml", "--check", "--digest", "-o", "table"]);
    assert!(all.ends_with(&format!("{digests}{check}")), "{all}");
}

#[test]
fn colour_is_for_terminals() {
    let plain = stdout(&["replay", "maintenance.yaml"]);
    assert!(!plain.contains('\u{1b}'));
    let painted = stdout(&["replay", "maintenance.yaml", "--color", "always"]);
    assert!(painted.contains("\u{1b}["));
    let stripped = anstream::adapter::strip_str(&painted).to_string();
    assert_eq!(stripped, plain);
}

#[test]
fn verbose_goes_to_stderr() {
    let (code, out, err) = ran(&["replay", "maintenance.yaml", "-v"]);
    assert_eq!(code, 0);
    assert_eq!(out, stdout(&["replay", "maintenance.yaml"]));
    assert!(err.contains("loaded maintenance.yaml: 3 nodes, 9 pods"), "{err}");
}

#[test]
fn help_shows_an_example_for_each_command() {
    for command in ["replay", "test", "validate"] {
        let help = stdout(&[command, "--help"]);
        assert!(help.contains("Example"), "{help}");
        assert!(help.contains("Exit status"), "{help}");
    }
    assert!(stdout(&["version"]).contains("Kubernetes 1.6 to 1.36"));
}

/// Ctrl-C in the middle of a run: exit code 130, and neither a half file nor a temporary one.
#[cfg(unix)]
#[test]
fn an_interrupt_leaves_nothing_behind() {
    for signal in ["-INT", "-TERM"] {
        interrupt(signal);
    }
}

#[cfg(unix)]
fn interrupt(signal: &str) {
    let folder = tempfile::tempdir().unwrap();
    let out = tempfile::tempdir().unwrap();
    let path = folder.path().join("many.yaml");
    let text = "apiVersion: taintsim.dev/v1alpha1\nkind: Scenario\nspec:\n  \
                pods: [{name: \"web-{0..400000}\"}]\n";
    std::fs::write(&path, text).unwrap();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("taintsim"))
        .args(["replay", "--detail", "trace"])
        .arg(&path)
        .arg("-o")
        .arg(format!("jsonl={}", out.path().join("out.jsonl").display()))
        .spawn()
        .unwrap();
    let files = || std::fs::read_dir(out.path()).unwrap().count();
    while files() == 0 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let pid = child.id().to_string();
    Command::new("kill").args([signal, &pid]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(files(), 0);
}

/// What cannot be written is told, whatever else goes wrong, and nothing is overwritten unasked.
#[cfg(unix)]
#[test]
fn no_output_is_lost_in_silence() {
    let source = std::fs::read(folder().join("maintenance.yaml")).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("own.yaml"), &source).unwrap();
    std::os::unix::fs::symlink("own.yaml", path("link")).unwrap();
    std::os::unix::fs::symlink("same", path("other")).unwrap();
    let run = |arguments: &[String]| {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("taintsim"));
        command.current_dir(dir.path()).args(["replay", "own.yaml", "-o"]).args(arguments);
        command
    };
    let out = |format: &str, file: &str| format!("{format}={file}");
    let more = "-o".to_owned();
    for other in ["./same".to_owned(), path("same"), "other".to_owned()] {
        let arguments = [out("jsonl", "same"), more.clone(), out("json", &other)];
        let output = run(&arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{other}: {output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("two outputs go to"));
    }
    for file in ["own.yaml".to_owned(), "./own.yaml".to_owned(), path("own.yaml"), "link".into()] {
        let output = run(&[out("jsonl", &file)]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{file}: {output:?}");
        assert_eq!(std::fs::read(path("own.yaml")).unwrap(), source);
    }
    let full = out("json", "/dev/full");
    for arguments in
        [["jsonl".to_owned(), more.clone(), full.clone()], [full, more, "jsonl".into()]]
    {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = run(&arguments).stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
        let output = output.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.starts_with("error: cannot write /dev/full: "), "{told}");
    }
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut help = Command::new(assert_cmd::cargo::cargo_bin!("taintsim"));
    assert_eq!(help.arg("--help").stdout(full).status().unwrap().code(), Some(2));
}

/// `… - -o json=FILE < FILE` would leave neither.
#[cfg(unix)]
#[test]
fn what_is_redirected_to_stdin_is_not_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("dump.json");
    let dump = "{\"kind\": \"Node\", \"metadata\": {\"name\": \"n\"}}\n";
    std::fs::write(&path, dump).unwrap();
    let name = path.to_str().unwrap();
    let into = format!("json={name}");
    for arguments in [
        &["replay", "-", "-o", &into][..],
        &["replay", "/dev/stdin", "-o", &into],
        &["replay", "-f", "-", "-o", &into],
        &["import", "-", "-o", name],
        &["test", "-", "--junit", name],
    ] {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("taintsim"));
        command.args(arguments).stdin(std::fs::File::open(&path).unwrap());
        let output = command.output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains("is read for this run as stdin"), "{arguments:?}: {error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), dump, "{arguments:?}");
    }
    // Another file than that is written.
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("taintsim"));
    let other = dir.path().join("other.yaml");
    command.args(["import", "-", "-o", other.to_str().unwrap()]);
    let status = command.stdin(std::fs::File::open(&path).unwrap()).status().unwrap();
    assert!(status.success() && other.is_file());
}

/// A trace shows what goes on inside, whatever --detail says.
#[test]
fn a_trace_has_every_detail() {
    let trace = stdout(&["replay", "maintenance.yaml", "-o", "perfetto"]);
    let arguments = ["replay", "maintenance.yaml", "-o", "perfetto", "--detail", "trace"];
    assert!(trace == stdout(&arguments), "two levels of detail differ");
    for part in ["\"WatchEvent\"", "\"delete pods\"", "shard 0: worker"] {
        assert!(trace.contains(part), "{part}");
    }
    // Beside it the table is as without it.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace.json");
    let output = format!("perfetto={}", file.display());
    let table = stdout(&["replay", "maintenance.yaml", "-o", &output, "-o", "table"]);
    assert_eq!(table, stdout(&["replay", "maintenance.yaml"]));
    assert!(std::fs::read_to_string(file).unwrap() == trace, "a file differs from stdout");
}
