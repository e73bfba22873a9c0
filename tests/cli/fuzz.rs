//! `taintsim fuzz`: campaigns, what they leave in their folders, and what stops them.

mod damage;
mod files;
mod kills;
mod mistakes;
mod shards;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::support::ran;

/// The runs of the campaigns here: small, and with findings.
const SEARCH: [&str; 3] = ["fuzz", "--kubernetes-version", "1.18"];

/// A folder that the test has for itself.
fn empty() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// A path as an argument.
fn word(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Searches so many runs into a folder, with further arguments; what it prints.
fn search(runs: u64, folder: &Path, more: &[&str]) -> String {
    let runs = runs.to_string();
    let into = ["--runs", &runs, "--out", word(folder), "--fail-on", "NONE"];
    succeeds(&[&SEARCH[..], &into, more].concat())
}

/// What it prints, with exit status 0 and nothing to complain about.
fn succeeds(arguments: &[&str]) -> String {
    let (status, out, err) = ran(arguments);
    assert_eq!((status, err.as_str()), (0, ""), "{arguments:?}");
    out
}

/// The error that is told, with exit status 2.
fn refused(arguments: &[&str]) -> String {
    let (status, out, err) = ran(arguments);
    assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}: {err}");
    assert!(err.starts_with("error: "), "{arguments:?}: {err}");
    err
}

/// Every file below a folder, by its path in it.
fn bytes(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in std::fs::read_dir(inner).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).unwrap().to_owned();
            files.insert(name, std::fs::read(&path).unwrap());
        }
    }
    files
}

/// Two folders have the same files with the same bytes.
fn assert_same(one: &Path, other: &Path) {
    let (one, other) = (bytes(one), bytes(other));
    let names = |files: &BTreeMap<PathBuf, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&one), names(&other));
    for (path, text) in &one {
        let same = other[path] == *text;
        assert!(
            same,
            "{}:\n{}\n--- and\n{}",
            path.display(),
            String::from_utf8_lossy(text),
            String::from_utf8_lossy(&other[path])
        );
    }
}

/// The campaign's files of findings.
fn findings(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder.join("findings")).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// What one campaign prints, and what its folder holds, for a person to read.
#[test]
fn a_campaign_is_as_reviewed() {
    let folder = empty();
    let out = folder.path().join("out");
    let mut page = search(750, &out, &[]).replace(word(&out), "out");
    assert!(page.contains(" 0 "), "{page}");
    page.push_str("\nfiles:\n");
    for path in bytes(&out).keys() {
        page.push_str(&format!("{}\n", path.display()));
    }
    insta::assert_snapshot!("fuzz", page);
}

#[test]
fn neither_threads_nor_repetition_show() {
    let folder = empty();
    let out = |name: &str| folder.path().join(name);
    // More blocks than go together with one thread.
    let told = search(1_600, &out("one"), &["--jobs", "1"]);
    for (name, jobs) in [("again", "1"), ("two", "2"), ("five", "5")] {
        let again = search(1_600, &out(name), &["--jobs", jobs]);
        assert_eq!(told, again.replace(word(&out(name)), word(&out("one"))), "--jobs {jobs}");
        assert_same(&out("one"), &out(name));
    }
}

#[test]
fn a_campaign_goes_on_as_if_it_had_not_stopped() {
    let folder = empty();
    let out = |name: &str| folder.path().join(name);
    search(1_000, &out("whole"), &[]);
    // Also in the middle of a block, and twice.
    search(430, &out("parts"), &[]);
    for runs in ["500", "501", "1000"] {
        let parts = out("parts");
        let more = ["fuzz", "resume", word(&parts), "--runs", runs, "--fail-on", "NONE"];
        assert!(succeeds(&more).contains(&format!("\n{runs} runs, ")), "{runs}");
    }
    assert_same(&out("whole"), &out("parts"));
    // There is nothing left to do.
    succeeds(&["fuzz", "resume", word(&out("parts")), "--fail-on", "NONE"]);
    assert_same(&out("whole"), &out("parts"));
    let told = refused(&["fuzz", "resume", word(&out("parts")), "--runs", "999"]);
    assert!(told.contains("run 999 has run; write 1000 or more"), "{told}");
}

/// With `--for` it depends on the machine how many runs there are, and on nothing else.
#[test]
fn a_campaign_for_a_time_is_one_of_some_runs() {
    let folder = empty();
    let out = |name: &str| folder.path().join(name);
    let (timed, counted) = (out("timed"), out("counted"));
    let time = ["--for", "1ms", "--jobs", "2", "--fail-on", "NONE", "--out", word(&timed)];
    let told = succeeds(&[&SEARCH[..], &time].concat());
    assert!(told.contains(&format!("go on:   taintsim fuzz resume {} --for", word(&timed))));
    let told = refused(&["fuzz", "resume", word(&timed)]);
    assert!(told.contains("say with --runs or --for how long it goes on"), "{told}");
    let more = ["--for", "1ms", "--jobs", "2", "--fail-on", "NONE"];
    succeeds(&[&["fuzz", "resume", word(&timed)], &more[..]].concat());
    // More than two rounds of blocks have, with two threads.
    let more = ["--runs", "4500", "--jobs", "2", "--fail-on", "NONE"];
    succeeds(&[&["fuzz", "resume", word(&timed)], &more[..]].concat());
    search(4_500, &counted, &[]);
    assert_same(&timed, &counted);
}

#[test]
fn the_exit_status_says_what_was_found() {
    let folder = empty();
    let out = folder.path().join("out");
    let run = |fail_on: &str| {
        let more = ["--runs", "250", "--overwrite", "--out", word(&out), "--fail-on", fail_on];
        ran(&[&SEARCH[..], &more].concat())
    };
    let (status, told, err) = run("any");
    assert_eq!((status, err.as_str()), (1, ""));
    let news = usize::from(!told.contains(" (0 NEW)"));
    assert_eq!(run("NEW").0, i32::try_from(news).unwrap());
    assert_eq!(run("NONE").0, 0);
    // As with the other commands that continue a campaign.
    for (fail_on, expected) in [("ANY", 1), ("NONE", 0)] {
        assert_eq!(ran(&["fuzz", "resume", word(&out), "--fail-on", fail_on]).0, expected);
    }
    // What nothing is found by.
    let calm = ["--runs", "250", "--overwrite", "--out", word(&out), "--rules", "controller"];
    let (status, told, err) = ran(&[&SEARCH[..], &calm].concat());
    assert_eq!((status, err.as_str()), (0, ""), "{told}");
    assert!(told.starts_with("\n250 runs") || told.starts_with("250 runs, 0 with a breach"));
    assert!(findings(&out).is_empty(), "--overwrite leaves nothing of the campaign before");
}

/// Nobody reads what is told: the campaign goes on all the same, and says how it went.
#[cfg(unix)]
#[test]
fn a_closed_pipe_changes_nothing() {
    let folder = empty();
    let out = |name: &str| folder.path().join(name);
    search(750, &out("read"), &[]);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let unread = out("unread");
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("taintsim"));
    let arguments = [&SEARCH[..], &["--runs", "750", "--out", word(&unread)]].concat();
    let status = command.args(arguments).stdout(writer).status().unwrap();
    assert_eq!(status.code(), Some(1));
    assert_same(&out("read"), &unread);
}

/// `random` is told, so that it can be had again.
#[test]
fn a_random_seed_is_told() {
    let folder = empty();
    let out = folder.path().join("out");
    let (_, told, _) = ran(&["fuzz", "--seed", "random", "--runs", "1", "--out", word(&out)]);
    let (_, rest) = told.split_once("searched by: taintsim fuzz --seed ").unwrap();
    let seed = rest.lines().next().unwrap().strip_suffix(" --runs 1").unwrap();
    assert!(seed.parse::<u64>().is_ok(), "{told}");
}
