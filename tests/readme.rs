//! The README's first screen is true: its scenario prints its output, and its commands name files
//! that exist. What the pages link to exists, too.

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

/// Every command, and of every option the short form or the long one.
#[test]
fn every_option_is_mentioned() {
    let readme = readme();
    for command in [
        "replay",
        "diff",
        "fuzz",
        "test",
        "validate",
        "explain",
        "schema",
        "profiles",
        "why",
        "completion",
        "man",
        "version",
    ] {
        assert!(readme.contains(&format!("`taintsim {command}")), "README.md has no {command}");
        let run = Command::cargo_bin("taintsim").unwrap().args([command, "-h"]).assert().success();
        let help = String::from_utf8(run.get_output().stdout.clone()).unwrap();
        for line in help.lines().map(str::trim).filter(|line| line.starts_with('-')) {
            let mut forms = line.split([' ', ',']).take_while(|w| w.is_empty() || w.contains('-'));
            let mentioned =
                forms.any(|form| form.len() > 1 && readme.contains(&format!("`{form}")));
            assert!(mentioned || line.contains("--help"), "README.md does not mention {line}");
        }
    }
}

#[test]
fn links_lead_somewhere() {
    for page in [
        "README.md",
        "ARCHITECTURE.md",
        "docs/language.md",
        "docs/timeline.md",
        "docs/comparing.md",
        "docs/tracing.md",
        "docs/why.md",
        "docs/pictures.md",
        "docs/rules.md",
        "docs/fuzzing.md",
        "docs/interleavings.md",
    ] {
        let path = root().join(page);
        let text = std::fs::read_to_string(&path).unwrap();
        for link in text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            if link.contains("://") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target =
                if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            assert!(target.is_file(), "{page} links to {link}, which is not there");
            let headings = std::fs::read_to_string(target).unwrap();
            let is_there = headings.lines().any(|line| anchor(line).is_some_and(|a| a == heading));
            assert!(heading.is_empty() || is_there, "{page} links to {link}: no such heading");
        }
    }
}

/// What a heading is called in a link.
fn anchor(line: &str) -> Option<String> {
    let heading = line.strip_prefix('#')?.trim_start_matches('#').trim();
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-');
    Some(heading.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-"))
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
