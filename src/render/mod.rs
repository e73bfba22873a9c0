//! Turns a timeline into text: one file per format.
//!
//! A renderer sees the records, the names and what became of the pods, and appends to a byte
//! buffer that its caller empties: nothing of the run is held, and the bytes depend on the run
//! alone.

mod age;
mod attempts;
pub mod chart;
mod describe;
mod diff;
mod expect;
mod fields;
mod gantt;
pub mod html;
mod interleavings;
mod json;
mod jsonl;
mod lanes;
mod layout;
mod mermaid;
mod metrics;
mod perfetto;
mod profiles;
mod selection;
pub mod state;
mod summary;
mod svg;
mod table;
mod taints;
mod text;
mod totals;
mod watch;
mod why;
mod wide;

pub use diff::{Comparison, Variant};
pub use expect::Expect;
pub use gantt::{COLUMNS_DEFAULT, Gantt};
pub use html::Html;
pub use interleavings::{interleavings, interleavings_json};
pub use json::Json;
pub use jsonl::Jsonl;
pub use mermaid::Mermaid;
pub use metrics::Metrics;
pub use perfetto::Perfetto;
pub use profiles::{profile_changes, profile_changes_json, profiles, profiles_json};
pub use selection::Selection;
pub use svg::Svg;
pub use table::{Table, counted};
pub use text::{printable, push_json_string};
pub use watch::{Watch, WatchSteps};
pub use why::{verdicts, verdicts_json, why, why_json};
pub use wide::Wide;

use crate::cluster::End;
use crate::timeline::history::History;
use crate::timeline::{Context, Record};

/// What a renderer can look at. The history has taken in the record that is being rendered.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// Plan and lists of the run.
    pub context: Context<'a>,
    /// What became of the pods so far.
    pub history: &'a History,
    /// Which pods are shown.
    pub selection: &'a Selection,
}

/// How the run ended.
#[derive(Clone, Copy)]
pub struct Ending<'a> {
    /// When and why.
    pub end: End,
    /// Numbers of the steps that were never applied.
    pub steps_not_applied: &'a [u32],
}

/// One output format.
pub trait Render {
    /// Before the first record.
    fn begin(&mut self, view: View<'_>, out: &mut Vec<u8>);
    /// One record that is to be shown.
    fn record(&mut self, view: View<'_>, record: &Record, out: &mut Vec<u8>);
    /// After the last record.
    fn end(&mut self, view: View<'_>, ending: Ending<'_>, out: &mut Vec<u8>);
}

#[cfg(test)]
mod tests;
