//! `taintsim explain`: what a key of the scenario language means.

use clap::Args;

use super::output::print;
use super::status::{Problem, Status};
use crate::fuzz::examine::{diff_to, static_rules};
use crate::fuzz::rules::Rule;
use crate::profile::NEWEST;
use crate::reference::{explain, find, topic, wrapped};

#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// A key by its path, such as spec.steps.taint, or by its end; or a topic [default: the top]
    #[arg(value_name = "FIELD", default_value = "", hide_default_value = true)]
    field: String,
    /// Print all keys below it as a tree
    #[arg(short, long)]
    recursive: bool,
}

/// Runs the command.
pub(super) fn run(arguments: &ExplainArgs) -> Result<Status, Problem> {
    let found = find(&arguments.field);
    // A key that stands in one place has its own page; a word of many places may be a topic.
    if let (Err(_), Some(page)) = (&found, topic(&arguments.field)) {
        let is_rules = page.starts_with("TOPIC:    rules\n");
        print(if is_rules { page + &rules() } else { page })?;
        return Ok(Status::Done);
    }
    let (path, found) = found.map_err(Problem::Usage)?;
    print(explain(&path, found, arguments.recursive))?;
    Ok(Status::Done)
}

/// Each rule with what it says.
fn rules() -> String {
    let mut out = String::from("\nRULES:\n");
    let mut add = |name: &str, rule: &Rule| {
        out.push_str(&format!("  {name}\n"));
        wrapped(&mut out, rule.sentence, 4);
    };
    static_rules().for_each(|rule| add(rule.name, rule));
    add("diff/VERSION", &diff_to(NEWEST));
    out
}
