//! Campaigns that are ended from outside, at whatever moment.
#![cfg(unix)]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{SEARCH, assert_same, bytes, empty, search, succeeds, word};

const RUNS: u64 = 8_000;

/// Begins a campaign, or goes on with one.
fn spawn(words: &[&str]) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin!("taintsim"))
        .args(words)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn campaign(out: &Path) -> Child {
    let runs = RUNS.to_string();
    spawn(&[&SEARCH[..], &["--runs", &runs, "--jobs", "2", "--out", word(out)]].concat())
}

fn resumed(out: &Path) -> Child {
    spawn(&["fuzz", "resume", word(out), "--jobs", "2"])
}

/// Waits until something is so; whether it came to that in time.
fn wait_until(is_so: impl Fn() -> bool) -> bool {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(60) {
        if is_so() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    false
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn kill_9_loses_at_most_what_was_not_saved() {
    let folder = empty();
    let out = |name: &str| folder.path().join(name);
    search(RUNS, &out("whole"), &[]);
    let killed = out("killed");
    let state = killed.join("state.json");
    let mut child = campaign(&killed);
    // The earliest moment from which on there is something to go on with.
    assert!(wait_until(|| state.exists()), "no state");
    child.kill().unwrap();
    child.wait().unwrap();
    let mut kills = 1;
    for millis in [0, 20, 60, 150, 300, 5, 90, 200, 450] {
        let mut child = resumed(&killed);
        std::thread::sleep(Duration::from_millis(millis));
        child.kill().unwrap();
        // One that had come to its end was not killed, and its folder is whole already.
        kills += u32::from(child.wait().unwrap().code().is_none());
    }
    assert!(kills > 3, "the campaign is too short to be killed");
    // What is left of a file that was being written is swept away.
    for left in ["state.json.unfinished", "findings/x.yaml.unfinished", "corpus/y.yaml.unfinished"]
    {
        std::fs::create_dir_all(killed.join(left).parent().unwrap()).unwrap();
        std::fs::write(killed.join(left), "half").unwrap();
    }
    succeeds(&["fuzz", "resume", word(&killed), "--fail-on", "NONE"]);
    assert_same(&out("whole"), &killed);
}

/// The most that is left by a kill before there is any state.
#[test]
fn a_folder_with_half_a_first_state_is_a_new_one() {
    let folder = empty();
    let out = |name: &str| folder.path().join(name);
    search(250, &out("whole"), &[]);
    std::fs::create_dir(out("killed")).unwrap();
    std::fs::write(out("killed").join("state.json.unfinished"), "{\n  \"form\"").unwrap();
    search(250, &out("killed"), &[]);
    assert_same(&out("whole"), &out("killed"));
    // Begun anew, and killed when only the state was there.
    let state = std::fs::read(out("killed").join("state.json")).unwrap();
    search(500, &out("more"), &[]);
    std::fs::write(out("more").join("state.json"), state).unwrap();
    succeeds(&["fuzz", "resume", word(&out("more")), "--fail-on", "NONE"]);
    assert_same(&out("whole"), &out("more"));
}

/// Ctrl-C: all that has run is told and kept.
#[test]
fn a_signal_ends_with_a_whole_report() {
    let folder = empty();
    let out = |name: &str| folder.path().join(name);
    let stopped = out("stopped");
    for (name, wait) in [("-INT", 150), ("-TERM", 10)] {
        // Far more than there is time for.
        let mut words = [&SEARCH[..], &["--runs", "100000000", "--overwrite"]].concat();
        words.extend(["--jobs", "2", "--out", word(&stopped)]);
        let child = spawn(&words);
        assert!(wait_until(|| std::fs::read_to_string(stopped.join("state.json"))
            .is_ok_and(|text| text.contains("100000000"))));
        std::thread::sleep(Duration::from_millis(wait));
        signal(&child, name);
        let asked = Instant::now();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{name}");
        assert!(asked.elapsed() < Duration::from_secs(30), "{:?}", asked.elapsed());
        let told = String::from_utf8(output.stdout).unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
        let again = format!("go on:   taintsim fuzz resume {}\n", word(&stopped));
        assert!(told.contains(&again), "{told}");
        let report = std::fs::read_to_string(stopped.join("report.txt")).unwrap();
        assert!(told.contains(&report), "{told}");
        let names: Vec<_> = bytes(&stopped).into_keys().collect();
        let is_unfinished = |path: &&std::path::PathBuf| path.to_string_lossy().contains("unfin");
        assert_eq!(names.iter().find(is_unfinished), None);
    }
    // What it has is what a campaign of as many runs has, once all blocks below are done.
    let report = std::fs::read_to_string(stopped.join("report.txt")).unwrap();
    let line = report.lines().find(|line| line.contains(" with a breach")).unwrap();
    let runs: u64 = line.split(' ').next().unwrap().parse().unwrap();
    let runs = (runs + 4_000).to_string();
    succeeds(&["fuzz", "resume", word(&stopped), "--runs", &runs, "--fail-on", "NONE"]);
    search(runs.parse().unwrap(), &out("whole"), &[]);
    assert_same(&out("whole"), &stopped);
}
