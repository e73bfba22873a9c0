//! `taintsim completion`: a script with which a shell completes commands, options and files.

use std::io::{self, Write};

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::args::Cli;
use super::status::{Problem, Status};

#[derive(Debug, Args)]
pub(super) struct CompletionArgs {
    /// The shell that the script is for
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Prints the script.
pub(super) fn run(arguments: &CompletionArgs) -> Result<Status, Problem> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "taintsim", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Status::Done)
}
