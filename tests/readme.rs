//! The README's first screen is true: its scenario prints its output, and its commands name files
//! that exist.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at what it does not expect"
)]

use std::path::Path;

use assert_cmd::Command;

#[test]
fn the_scenario_prints_the_output() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("maintenance.yaml"), block("yaml")).unwrap();
    let mut command = Command::cargo_bin("taintsim").unwrap();
    let run = command.current_dir(&folder).args(["replay", "maintenance.yaml"]).assert().success();
    let printed = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    assert_eq!(printed.trim_end(), block("text"), "README.md shows something else");
}

#[test]
fn named_scenarios_exist() {
    let readme = readme();
    let named: Vec<&str> = readme
        .split(|c: char| c.is_whitespace() || c == '`')
        .filter(|word| word.starts_with("scenarios/") && word.ends_with(".yaml"))
        .collect();
    assert!(!named.is_empty(), "README.md names no scenario to replay");
    for path in named {
        assert!(root().join(path).is_file(), "README.md names {path}, which is not there");
    }
}

/// The README's first block of a language.
fn block(language: &str) -> String {
    let readme = readme();
    let (_, rest) = readme.split_once(&format!("```{language}\n")).expect("the block begins");
    let (block, _) = rest.split_once("\n```").expect("the block ends");
    block.to_owned()
}

fn readme() -> String {
    std::fs::read_to_string(root().join("README.md")).unwrap()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
