//! `-o jsonl`: one JSON object a line. The first line says what ran, the last counts.

use super::fields::{RecordWriter, push_number, push_text};
use super::totals::push_summary;
use super::{Ending, Render, View};
use crate::plan::Plan;
use crate::timeline::Record;

/// The version of the records' form; it grows when a reader would have to change.
pub(super) const FORMAT: u32 = 1;

/// The renderer.
#[derive(Debug, Default)]
pub struct Jsonl {
    writer: RecordWriter,
}

impl Render for Jsonl {
    fn begin(&mut self, view: View<'_>, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"kind\":\"Timeline\"");
        push_header(out, view.context.plan);
        out.extend_from_slice(b"}\n");
    }

    fn record(&mut self, view: View<'_>, record: &Record, out: &mut Vec<u8>) {
        self.writer.push(out, view, record);
        out.push(b'\n');
    }

    fn end(&mut self, view: View<'_>, ending: Ending<'_>, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"kind\":\"Summary\"");
        push_summary(out, view, ending);
        out.extend_from_slice(b"}\n");
    }
}

/// The fields that say what ran, each with a comma before it.
pub(super) fn push_header(out: &mut Vec<u8>, plan: &Plan) {
    push_number(out, "format", FORMAT);
    push_text(out, "version", env!("CARGO_PKG_VERSION"));
    push_text(out, "scenario", &plan.name);
    push_number(out, "seed", plan.config.seed);
    push_text(out, "profile", plan.config.profile.name());
}
