//! The language as data is what the loader reads: the same keys, examples that load, defaults that
//! change nothing. And the JSON Schema that is made of it refuses nothing that the loader takes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at what it does not expect"
)]

mod data;
mod schema;
mod walk;

use std::path::{Path, PathBuf};

use serde_yaml::Value;
use taintsim::scenario::{self, Failure, LoadOptions, Loaded};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The example that uses every key.
fn example_path() -> PathBuf {
    root().join("docs/examples/every-key.yaml")
}

fn example() -> Value {
    yaml(&std::fs::read_to_string(example_path()).unwrap())
}

fn yaml(text: &str) -> Value {
    serde_yaml::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// What the loader makes of a document that stands beside the example.
fn load(document: &Value) -> Result<Loaded, Failure> {
    let text = serde_yaml::to_string(document).unwrap();
    scenario::load_text("a.yaml", text, Some(&example_path()), &LoadOptions::default())
}
