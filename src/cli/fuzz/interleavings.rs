//! stub
use crate::cli::status::{Problem, Status};
use clap::Args;
#[derive(Debug, Args)]
pub(in crate::cli) struct InterleavingsArgs {}
pub(super) fn run(_: &InterleavingsArgs) -> Result<Status, Problem> {
    Ok(Status::Done)
}
