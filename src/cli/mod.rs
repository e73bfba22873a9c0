//! The command line: parses arguments, calls a command, turns what it says into an exit code.
//!
//! Everything that the rest of the crate must not do happens here: files, standard streams, the
//! wall clock of the progress bar, colour. Data goes to stdout, all else to stderr.

mod args;
mod check;
mod completion;
mod diagnostics;
mod diff;
mod explain;
mod fuzz;
mod import;
mod junit;
mod limits;
mod load;
mod man;
mod output;
mod pace;
mod profiles;
mod progress;
mod replay;
mod run;
mod schema;
mod seeds;
mod show;
mod sink;
mod status;
mod test;
mod validate;
mod vary;
mod version;
mod walk;
mod why;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use args::{Cli, Command};
use status::Status;

use crate::render::printable;

/// Runs the program with the arguments of its process.
pub fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    status::guard(&arguments, || run(&arguments))
}

fn run(arguments: &[OsString]) -> Status {
    let parsed = Cli::command()
        .try_get_matches_from(arguments)
        .and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            // What came with the arguments is not for the terminal to act on.
            let has_control =
                |word: &OsString| word.to_string_lossy().chars().any(char::is_control);
            if error.use_stderr() && arguments.iter().any(has_control) {
                let text = error.render().to_string();
                text.lines().for_each(|line| status::say(&format!("{}\n", printable(line))));
                return Status::BadInput;
            }
            // Help and version go to stdout, mistakes to stderr; a closed pipe is no error.
            let printed = error.print().and_then(|()| std::io::stdout().flush());
            return match (error.use_stderr(), printed) {
                (true, _) => Status::BadInput,
                (false, Ok(())) => Status::Done,
                (false, Err(error)) => status::Problem::from(error).report(),
            };
        }
    };
    status::paint_stderr(cli.color);
    if cli.verbose {
        start_log(cli.color.is_on(&std::io::stderr()));
    }
    output::remove_unfinished_on_interrupt();
    let done = match cli.command {
        Command::Replay(arguments) => replay::run(&arguments, cli.color),
        Command::Why(arguments) => why::run(&arguments),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Test(arguments) => test::run_all(&arguments, cli.color),
        Command::Validate(arguments) => validate::run(&arguments),
        Command::Import(arguments) => import::run(&arguments),
        Command::Fuzz(arguments) => fuzz::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Schema => schema::run(),
        Command::Profiles(arguments) => profiles::run(&arguments),
        Command::Completion(arguments) => completion::run(&arguments),
        Command::Man(arguments) => man::run(&arguments),
        Command::Version => version::run(),
    };
    done.unwrap_or_else(|problem| problem.report())
}

fn start_log(color: bool) {
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::DEBUG)
        .with_writer(std::io::stderr)
        .with_ansi(color)
        .with_target(false)
        .without_time()
        .init();
}
