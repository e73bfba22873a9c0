//! The command line; all of it is in [`taintsim::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    taintsim::cli::main()
}
