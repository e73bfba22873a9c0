//! `taintsim validate`: checks files without running them.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::args::ValidateArgs;
use super::load::load_file;
use super::status::{Problem, Status, say};
use super::walk;
use crate::render::{counted, printable};
use crate::scenario::{LoadOptions, Loaded};

/// Runs the command.
pub(super) fn run(arguments: &ValidateArgs) -> Result<Status, Problem> {
    let mut status = Status::Done;
    for path in &arguments.files {
        status = status.max(match path != "-" && Path::new(path).is_dir() {
            true => validate_folder(path)?,
            false => validate(path, || false)?,
        });
    }
    Ok(status)
}

fn validate_folder(folder: &str) -> Result<Status, Problem> {
    let mut status = Status::Done;
    let files = walk::files(&[PathBuf::from(folder)])?;
    if files.is_empty() {
        say(&format!("notice: {}: no *.yaml, *.yml or *.json below it\n", printable(folder)));
    }
    for file in files {
        // As `test` does: what cannot be loaded and names no Scenario is somebody else's.
        let is_foreign = || !walk::mentions_scenario(&file);
        status = status.max(validate(&file.to_string_lossy(), is_foreign)?);
    }
    Ok(status)
}

fn validate(file: &str, is_foreign: impl Fn() -> bool) -> Result<Status, Problem> {
    match load_file(file, &LoadOptions::default()) {
        Ok(loaded) => {
            for notice in &loaded.notices {
                say(&format!("notice: {}\n", printable(notice)));
            }
            writeln!(io::stdout(), "{}: ok ({})", printable(file), contents(&loaded))?;
            Ok(Status::Done)
        }
        Err(Problem::Input(_)) if is_foreign() => {
            let line = "skipped (neither a scenario nor a dump)";
            writeln!(io::stdout(), "{}: {line}", printable(file))?;
            Ok(Status::Done)
        }
        Err(problem) => Ok(problem.report()),
    }
}

/// `scenario, 3 nodes, 6 pods, 2 steps, 4 expectations`.
fn contents(loaded: &Loaded) -> String {
    let plan = &loaded.plan;
    let objects =
        format!("{}, {}", counted(plan.nodes.len(), "node"), counted(plan.pods.len(), "pod"));
    match loaded.is_scenario {
        true => format!(
            "scenario, {objects}, {}, {}",
            counted(plan.steps.len(), "step"),
            counted(loaded.expectations.len(), "expectation")
        ),
        false => format!("dump, {objects}"),
    }
}
