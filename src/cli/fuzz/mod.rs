//! `taintsim fuzz`: searches for what breaks.

mod interleavings;

use clap::{Args, Subcommand};

use super::status::{Problem, Status};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, arg_required_else_help = true)]
pub(super) struct FuzzArgs {
    #[command(subcommand)]
    command: Option<FuzzCommand>,
}

#[derive(Debug, Subcommand)]
enum FuzzCommand {
    /// List all that can become of a small scenario, whatever is left open by Go
    #[command(after_help = INTERLEAVINGS_HELP)]
    Interleavings(Box<interleavings::InterleavingsArgs>),
}

const INTERLEAVINGS_HELP: &str = "\
All that `interleaving: Random` draws is tried: which goroutine goes on, which channel a select
takes, the order of a node's pods. Two outcomes are the same if every pod has the same fate at the
same time, in whole milliseconds, and the same Events. Durations that are ranges and faults with a
probability stay as the seed draws them. The file may say Fifo as well as Random.

Exit status: 0 done, also where the search was stopped before its end, which a notice says; 2 bad \
input or usage; 3 a bug in taintsim; 130 interrupted.

Example:
  taintsim fuzz interleavings race.yaml";

/// Runs the command.
pub(super) fn run(arguments: &FuzzArgs) -> Result<Status, Problem> {
    match &arguments.command {
        Some(FuzzCommand::Interleavings(arguments)) => interleavings::run(arguments),
        None => Err(Problem::Usage("say what to do, such as `fuzz interleavings FILE`".into())),
    }
}
