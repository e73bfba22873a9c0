//! `taintsim explain`: what a key of the scenario language means.

use clap::Args;

use super::output::print;
use super::status::{Problem, Status};
use crate::reference::{explain, find};

#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// A key by its path, such as spec.steps.taint, or by the end of its path [default: the top]
    #[arg(value_name = "FIELD", default_value = "", hide_default_value = true)]
    field: String,
    /// Print all keys below it as a tree
    #[arg(short, long)]
    recursive: bool,
}

/// Runs the command.
pub(super) fn run(arguments: &ExplainArgs) -> Result<Status, Problem> {
    let (path, found) = find(&arguments.field).map_err(Problem::Usage)?;
    print(explain(&path, found, arguments.recursive))?;
    Ok(Status::Done)
}
