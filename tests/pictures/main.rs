//! The pictures of runs: what a person sees is in golden files, and what has to hold for every
//! picture is checked over all scenarios and over hostile names.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod gantt;
mod goldens;
mod mermaid;
mod support;
mod svg;
