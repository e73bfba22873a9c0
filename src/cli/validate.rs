//! `taintsim validate`: checks files without running them.

use std::path::Path;

use super::args::ValidateArgs;
use super::load;
use super::output::{print, printable_path};
use super::status::{Problem, Status, say};
use super::walk;
use crate::render::{counted, printable};
use crate::scenario::{Limits, LoadOptions, Loaded};

/// Runs the command.
pub(super) fn run(arguments: &ValidateArgs) -> Result<Status, Problem> {
    let limits = arguments.limits.limits();
    load::refuse_second_stdin(arguments.files.iter())?;
    let mut status = Status::Done;
    for path in &arguments.files {
        status = status.max(match path.as_os_str() != "-" && path.is_dir() {
            true => validate_folder(path, limits)?,
            false => validate(path, true, limits)?,
        });
    }
    Ok(status)
}

fn validate_folder(folder: &Path, limits: Limits) -> Result<Status, Problem> {
    let mut status = Status::Done;
    let files = walk::files(&[folder.to_owned()])?;
    if files.is_empty() {
        let folder = printable_path(folder);
        say(&format!("notice: {folder}: no *.yaml, *.yml or *.json below it\n"));
    }
    for file in files {
        status = status.max(validate(&file.path, file.is_named, limits)?);
    }
    Ok(status)
}

/// As `test` does: what was not named, cannot be loaded and names no Scenario is somebody else's.
fn validate(path: &Path, is_named: bool, limits: Limits) -> Result<Status, Problem> {
    let input = match load::read(path, &limits) {
        Ok(input) => input,
        Err(problem) => return Ok(problem.report()),
    };
    let file = printable_path(path);
    match load::load_input(&input, &LoadOptions { limits, ..LoadOptions::default() }) {
        Ok(loaded) => {
            for notice in &loaded.notices {
                say(&format!("notice: {}\n", printable(notice)));
            }
            print(&format!("{file}: ok ({})\n", contents(&loaded)))?;
            Ok(Status::Done)
        }
        Err(Problem::Input(_)) if !is_named && !walk::mentions_scenario(input.bytes()) => {
            print(&format!("{file}: skipped (neither a scenario nor a dump)\n"))?;
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
