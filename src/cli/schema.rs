//! `taintsim schema`: the JSON Schema of scenarios, for editors.

use super::output::print;
use super::status::{Problem, Status};
use crate::reference::json_schema;

/// Prints the schema.
pub(super) fn run() -> Result<Status, Problem> {
    print(format!("{:#}\n", json_schema()))?;
    Ok(Status::Done)
}
