//! The pages under `docs` say what the program does: their tables have the keys and fields that
//! there are and no others, and the example that uses every key does use every key.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a test may stop at what it does not expect"
)]

mod fuzzing;
mod language;
mod rules;
mod timeline;
#[path = "../reference/walk.rs"]
mod walk;

use std::path::{Path, PathBuf};

use assert_cmd::Command;

/// A page of the repository.
fn page(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

/// The part of a page under this heading, up to the next heading of the same level.
fn section<'p>(page: &'p str, heading: &str) -> &'p str {
    let (_, rest) = page.split_once(&format!("\n{heading}\n")).expect(heading);
    let level = heading.split(' ').next().unwrap();
    rest.split_once(&format!("\n{level} ")).map_or(rest, |(section, _)| section)
}

/// The cells of the tables of a text, row by row, without headers.
fn rows(text: &str) -> Vec<Vec<&str>> {
    let mut rows = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let is_rule = |next: &&str| next.starts_with("|-");
        if !line.starts_with('|') || line.starts_with("|-") || lines.peek().is_some_and(is_rule) {
            continue;
        }
        let inner = line.trim_start_matches('|').trim_end_matches('|');
        rows.push(inner.split('|').map(str::trim).collect());
    }
    rows
}

/// The words in backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// What the program prints for these arguments.
fn stdout(arguments: &[&str]) -> String {
    let mut command = Command::cargo_bin("taintsim").unwrap();
    let run = command.current_dir(root()).args(arguments).assert().success();
    String::from_utf8(run.get_output().stdout.clone()).unwrap()
}

/// Scenarios that show everything: those of the repository, those of old versions and of chance, and
/// the example with every key.
fn scenarios() -> Vec<PathBuf> {
    let files = |folder: &str| std::fs::read_dir(root().join(folder)).unwrap();
    let all = files("scenarios/basics").chain(files("scenarios/versions"));
    let mut found: Vec<PathBuf> = all.map(|entry| entry.unwrap().path()).collect();
    found.push(root().join(language::EXAMPLE));
    found.sort();
    found
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
