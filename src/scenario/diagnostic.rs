//! What is wrong with an input, where, and what would be right.

use super::tree::Place;

/// One mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Where.
    pub place: Place,
    /// What is wrong, naming the offending text.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
}
