//! `taintsim version`.

use std::io::{self, Write};

use super::status::{Problem, Status};
use crate::plan::Config;

/// Prints the version and which Kubernetes it behaves like.
pub(super) fn run() -> Result<Status, Problem> {
    let mut stdout = io::stdout();
    writeln!(stdout, "taintsim {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(stdout, "Kubernetes {}", Config::default().profile)?;
    Ok(Status::Done)
}
