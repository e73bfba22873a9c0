//! From files to a plan: reading, diagnostics, the scenario language, manifests, kubectl lines.

pub mod diagnostic;
pub mod emit;
mod encoding;
pub mod fields;
pub mod input;
pub mod kubectl;
pub mod language;
pub mod limits;
pub mod load;
pub mod manifest;
mod paths;
pub mod range;
pub mod reader;
pub mod resolve;
pub mod rules;
pub mod scalar;
pub mod selector;
mod shapes;
pub mod source;
mod suggest;
pub mod tree;

pub use input::{Input, name_of};
pub use limits::Limits;
pub use load::{Failure, LoadOptions, LoadedObjects, ObjectsLoader, load, load_input, load_text};

use std::path::PathBuf;

use diagnostic::Located;

use crate::expectation::Expectation;
use crate::plan::Plan;

/// A scenario that can run, with what only its reader cares about.
#[derive(Debug)]
pub struct Loaded {
    /// What runs.
    pub plan: Plan,
    /// `spec.expect`.
    pub expectations: Vec<Expectation>,
    /// `metadata.description`.
    pub description: Option<String>,
    /// False for a plain dump: no Scenario document.
    pub is_scenario: bool,
    /// The files that were read, `-` for standard input.
    pub files: Vec<PathBuf>,
    /// What the reader should know though nothing is wrong.
    pub notices: Vec<Located>,
}
