//! `taintsim validate`: checks files without running them.

use std::io::{self, Write};

use super::args::ValidateArgs;
use super::load::load_file;
use super::status::{Problem, Status, say};
use crate::render::{counted, printable};
use crate::scenario::{LoadOptions, Loaded};

/// Runs the command.
pub(super) fn run(arguments: &ValidateArgs) -> Result<Status, Problem> {
    let mut status = Status::Done;
    for file in &arguments.files {
        match load_file(file, &LoadOptions::default()) {
            Ok(loaded) => {
                for notice in &loaded.notices {
                    say(&format!("notice: {}\n", printable(notice)));
                }
                writeln!(io::stdout(), "{}: ok ({})", printable(file), contents(&loaded))?;
            }
            Err(problem) => status = status.max(problem.report()),
        }
    }
    Ok(status)
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
