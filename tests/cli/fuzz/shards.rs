//! A campaign in several processes, and its parts put together.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{SEARCH, assert_same, empty, refused, search, succeeds, word};
use crate::support::ran;

const RUNS: u64 = 1_700;

/// Puts folders together; what is printed.
fn merge(folders: &[PathBuf], out: &Path) -> String {
    let mut words = vec!["fuzz", "merge", "--fail-on", "NONE", "--out", word(out)];
    words.extend(folders.iter().map(|folder| word(folder)));
    succeeds(&words)
}

#[test]
fn shards_are_one_campaign_in_any_order() {
    let folder = empty();
    let out = |name: &str| folder.path().join(name);
    let told = search(RUNS, &out("whole"), &[]);
    let mut parts: Vec<PathBuf> = (1..=3).map(|part| out(&format!("part-{part}"))).collect();
    // The runner has one argument for each part, and two processes.
    let line = format!(
        "{} {} --runs {RUNS} --fail-on NONE --shard {{}}/3 --out {}/part-{{}}",
        assert_cmd::cargo::cargo_bin!("taintsim").display(),
        SEARCH.join(" "),
        folder.path().display()
    );
    let xargs = Command::new("xargs")
        .args(["-P", "2", "-I", "{}", "sh", "-c", &line])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn();
    let Ok(mut xargs) = xargs else {
        eprintln!("there is no xargs; shards were not tried");
        return;
    };
    xargs.stdin.take().unwrap().write_all(b"1\n2\n3\n").unwrap();
    assert!(xargs.wait().unwrap().success());

    for turn in 0..3 {
        parts.rotate_left(1);
        if turn == 2 {
            parts.reverse();
        }
        let merged = out(&format!("merged-{turn}"));
        let report = merge(&parts, &merged);
        assert!(told.replace(word(&out("whole")), word(&merged)).ends_with(&report), "{report}");
        assert_same(&out("whole"), &merged);
    }
    // Two of them first; the third by somebody else, or by nobody: what is missing is run then.
    let some = out("some");
    let report = merge(&parts[..2], &some);
    assert!(report.contains(&format!("go on:   taintsim fuzz resume {}\n", word(&some))));
    let all = out("all");
    merge(&[some.clone(), parts[2].clone()], &all);
    assert_same(&out("whole"), &all);
    succeeds(&["fuzz", "resume", word(&some), "--fail-on", "NONE"]);
    assert_same(&out("whole"), &some);
    // Into the place of one of them.
    let mut words = vec!["fuzz", "merge", "--overwrite", "--fail-on", "NONE", "--out"];
    words.extend([&parts[0], &parts[0], &parts[1], &parts[2]].map(|folder| word(folder)));
    succeeds(&words);
    assert_same(&out("whole"), &parts[0]);
}

/// A shard is stopped and goes on as a campaign does.
#[test]
fn a_shard_goes_on() {
    let folder = empty();
    let out = |name: &str| folder.path().join(name);
    search(RUNS, &out("whole"), &["--shard", "2/3"]);
    search(600, &out("part"), &["--shard", "2/3"]);
    let runs = RUNS.to_string();
    let part = out("part");
    let more = ["fuzz", "resume", word(&part), "--runs", &runs];
    succeeds(&[&more[..], &["--fail-on", "NONE"]].concat());
    assert_same(&out("whole"), &out("part"));
}

/// More parts than blocks: some have nothing to do.
#[test]
fn an_empty_shard_is_one() {
    let folder = empty();
    let out = |name: &str| folder.path().join(name);
    search(250, &out("whole"), &[]);
    search(250, &out("one"), &["--shard", "1/2"]);
    let told = search(250, &out("none"), &["--shard", "2/2"]);
    assert!(told.contains("0 runs, 0 with a breach"), "{told}");
    merge(&[out("none"), out("one")], &out("merged"));
    assert_same(&out("whole"), &out("merged"));
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let folder = empty();
    let out = |name: &str| folder.path().join(name);
    let (one, seed, rules, version) = (out("one"), out("seed"), out("rules"), out("version"));
    search(250, &one, &[]);
    search(250, &seed, &["--seed", "2"]);
    search(250, &rules, &["--rules", "docs"]);
    let newest = ["fuzz", "--runs", "250", "--fail-on", "NONE", "--out", word(&version)];
    succeeds(&newest);
    let merged = out("merged");
    for other in [&seed, &rules, &version] {
        let words = ["fuzz", "merge", word(&one), word(other), "--out", word(&merged)];
        let told = refused(&words);
        assert!(told.contains("is of another campaign: `taintsim fuzz "), "{told}");
    }
    let told = refused(&["fuzz", "merge", word(&one), word(&one), "--out", word(&merged)]);
    assert!(told.contains("one has run 0, which is there already"), "{told}");
    let told = refused(&["fuzz", "merge", word(&one), word(folder.path()), "--out", word(&merged)]);
    assert!(told.contains("holds no campaign: it has no state.json"), "{told}");
    assert!(!merged.exists(), "what is refused leaves nothing");
    let told = refused(&["fuzz", "merge", word(&one), "--out", word(&seed)]);
    assert!(told.contains("holds a campaign"), "{told}");
    assert_eq!(ran(&["fuzz", "merge"]).0, 2);
}
