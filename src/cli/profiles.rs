//! `taintsim profiles`: the behaviour of each Kubernetes version.

use clap::{ArgAction, Args, ValueEnum};

use super::output::print;
use super::status::{Problem, Status};
use crate::profile::Profile;
use crate::render::{profile_changes, profile_changes_json, profiles, profiles_json};
use crate::scenario::language;

#[derive(Debug, Args)]
pub(super) struct ProfilesArgs {
    /// Print only what changed from the first of these versions to the second
    #[arg(value_names = ["A", "B"], num_args = 2, action = ArgAction::Set)]
    #[arg(value_parser = language::profile)]
    versions: Vec<Profile>,
    /// table; or json: one document with fixed keys
    #[arg(
        short,
        long,
        value_name = "FORMAT",
        default_value = "table",
        hide_possible_values = true
    )]
    output: AnswerFormat,
}

/// The formats of an answer that is no timeline.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum AnswerFormat {
    Table,
    Json,
}

/// Runs the command.
pub(super) fn run(arguments: &ProfilesArgs) -> Result<Status, Problem> {
    print(match (arguments.versions.as_slice(), arguments.output) {
        ([here, there], AnswerFormat::Table) => profile_changes(*here, *there),
        ([here, there], AnswerFormat::Json) => profile_changes_json(*here, *there),
        (_, AnswerFormat::Table) => profiles(),
        (_, AnswerFormat::Json) => profiles_json(),
    })?;
    Ok(Status::Done)
}
