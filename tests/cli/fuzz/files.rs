//! The scenarios that a campaign leaves behind, and scenarios that it varies.

use std::path::Path;

use super::{SEARCH, bytes, empty, findings, search, succeeds, word};
use crate::support::ran;

/// All scenarios of the folder can be read.
fn reads(out: &Path) {
    // Tolerations that match no taint are told, too, and belong to it.
    let (findings, corpus) = (out.join("findings"), out.join("corpus"));
    let (status, _, err) = ran(&["validate", word(&findings), word(&corpus)]);
    assert_eq!((status, err.contains("error")), (0, false), "{err}");
}

#[test]
fn every_file_is_a_scenario_that_holds() {
    let folder = empty();
    let out = folder.path().join("out");
    search(1_000, &out, &[]);
    let files = findings(&out);
    assert!(files.len() > 10, "{files:?}");
    for file in &files {
        succeeds(&["test", word(file)]);
        let text = std::fs::read_to_string(file).unwrap();
        let stem = file.file_stem().unwrap().to_str().unwrap();
        assert!(text.contains(&format!("\n  name: {stem}\n")), "{text}");
        assert!(text.contains(", breached: true}\n"), "{text}");
    }
    // What leads to a mark expects nothing, and can be run.
    reads(&out);
}

/// A kept file can be had again by the command in its header.
#[test]
fn the_header_has_the_command_that_makes_the_file() {
    let folder = empty();
    let out = folder.path().join("out");
    search(750, &out, &[]);
    for file in findings(&out) {
        let text = std::fs::read_to_string(&file).unwrap();
        let command = text.lines().find_map(|line| line.strip_prefix("#     taintsim ")).unwrap();
        let words: Vec<&str> = command.split(' ').collect();
        let (status, told, _) = ran(&words);
        assert_eq!(status, 1, "{command}");
        assert!(told.split("---\n").any(|one| one == text), "{command}:\n{told}\n--- not\n{text}");
        assert_eq!(ran(&[&words[..], &["--fail-on", "NONE"]].concat()).0, 0);
    }
}

#[test]
fn a_run_alone_is_told_or_kept() {
    let quiet = [&SEARCH[..], &["--run", "1", "--rules", "controller"]].concat();
    let (status, out, err) = ran(&quiet);
    assert_eq!((status, out.as_str(), err.as_str()), (0, "", "notice: run 1 breaks no rule\n"));
    let folder = empty();
    let out = folder.path().join("out");
    let kept = ["--run", "0", "--out", word(&out), "--fail-on", "NONE"];
    let told = succeeds(&[&SEARCH[..], &kept].concat());
    assert!(told.contains("\n1 run, 1 with a breach: "), "{told}");
    let before = bytes(&out);
    assert!(before.keys().any(|path| path.starts_with("findings")), "{before:?}");
    succeeds(&["fuzz", "resume", word(&out), "--fail-on", "NONE"]);
    assert_eq!(before, bytes(&out));
}

/// What is varied.
const BASIC: &str = "scenarios/basics/untaint-cancels-the-eviction.yaml";

/// A scenario of one's own in other weather, in another version too; the state knows it.
#[test]
fn a_scenario_is_varied() {
    let folder = empty();
    let scenario = folder.path().join("mine.yaml");
    let first = Path::new(env!("CARGO_MANIFEST_DIR")).join(BASIC);
    let text = std::fs::read_to_string(first).unwrap();
    std::fs::write(&scenario, &text).unwrap();
    let out = |name: &str| folder.path().join(name);
    for (name, version) in [("own", None), ("other", Some("1.18"))] {
        let (whole, parts) = (out(name), out(&format!("{name}-parts")));
        let mut words = vec!["fuzz", word(&scenario), "--fail-on", "NONE"];
        words.extend(version.iter().flat_map(|version| ["--kubernetes-version", *version]));
        let told = succeeds(&[&words[..], &["--runs", "600", "--out", word(&whole)]].concat());
        assert!(told.contains(&format!("searched by: taintsim fuzz {} ", word(&scenario))));
        succeeds(&[&words[..], &["--runs", "300", "--out", word(&parts)]].concat());
        let more = ["fuzz", "resume", word(&parts), "--runs", "600", "--fail-on", "NONE"];
        succeeds(&more);
        super::assert_same(&whole, &parts);
        reads(&whole);
    }
    // Somebody edits it meanwhile: what has run was about something else.
    std::fs::write(&scenario, format!("# Looked at.\n{text}")).unwrap();
    succeeds(&["fuzz", "resume", word(&out("own")), "--fail-on", "NONE"]);
    let changed = text.replacen("at: 10s", "at: 11s", 1);
    assert_ne!(text, changed);
    std::fs::write(&scenario, changed).unwrap();
    let told = super::refused(&["fuzz", "resume", word(&out("own"))]);
    assert!(told.contains("mine.yaml has changed since the campaign began"), "{told}");
    std::fs::remove_file(&scenario).unwrap();
    let (status, _, told) = ran(&["fuzz", "resume", word(&out("own"))]);
    assert!(status == 2 && told.contains("cannot read ") && told.contains("mine.yaml"), "{told}");
}

/// The name of the scenario stands in every file that comes of it.
#[cfg(unix)]
#[test]
fn the_name_of_a_scenario_can_be_anything() {
    let folder = empty();
    let scenario = folder.path().join("a b\n\u{1b}[31m'*.yaml");
    let text = "apiVersion: taintsim.dev/v1alpha1\nkind: Scenario\nspec:\n  \
                nodes: [{name: n1, taints: [a:NoExecute]}]\n  pods: [{name: web, nodeName: n1}]\n";
    std::fs::write(&scenario, text).unwrap();
    let out = folder.path().join("out");
    let words = ["fuzz", word(&scenario), "--runs", "750", "--out", word(&out)];
    let (_, told, err) = ran(&words);
    let is_active = |c: char| c.is_control() && c != '\n';
    assert!(!told.contains(is_active) && !err.contains(is_active), "{told}{err}");
    assert!(told.contains("[31m"), "{told}");
    reads(&out);
    for (path, text) in bytes(&out) {
        let text = String::from_utf8(text).unwrap();
        assert!(!text.contains(is_active), "{}: {text}", path.display());
    }
    assert!(findings(&out).len() > 1);
    succeeds(&["fuzz", "resume", word(&out), "--runs", "800", "--fail-on", "NONE"]);
}
