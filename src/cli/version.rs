//! `taintsim version`.

use std::io::{self, Write};

use super::status::{Problem, Status};
use crate::plan::Config;
use crate::profile::Profile;

/// Prints the version and which Kubernetes it behaves like.
pub(super) fn run() -> Result<Status, Problem> {
    let mut stdout = io::stdout();
    writeln!(stdout, "taintsim {}", env!("CARGO_PKG_VERSION"))?;
    let default = Config::default().profile;
    let oldest = Profile::all().next().unwrap_or(default);
    writeln!(stdout, "Kubernetes {oldest} to {default}, which is the default")?;
    Ok(Status::Done)
}
