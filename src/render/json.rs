//! `-o json`: the lines of `jsonl` as one document: what ran, `records`, `summary`. It is written
//! as the run goes on, so it costs no memory either.

use super::fields::RecordWriter;
use super::jsonl::push_header;
use super::totals::push_summary;
use super::{Ending, Render, View};
use crate::timeline::Record;

/// The renderer.
#[derive(Debug, Default)]
pub struct Json {
    writer: RecordWriter,
    any: bool,
}

impl Render for Json {
    fn begin(&mut self, view: View<'_>, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\n\"kind\":\"Timeline\"");
        push_header(out, view.context.plan);
        out.extend_from_slice(b",\n\"records\":[");
    }

    fn record(&mut self, view: View<'_>, record: &Record, out: &mut Vec<u8>) {
        out.extend_from_slice(if self.any { b",\n" } else { b"\n" });
        self.any = true;
        self.writer.push(out, view, record);
    }

    fn end(&mut self, view: View<'_>, ending: Ending<'_>, out: &mut Vec<u8>) {
        out.extend_from_slice(b"\n],\n\"summary\":{\"kind\":\"Summary\"");
        push_summary(out, view, ending);
        out.extend_from_slice(b"}\n}\n");
    }
}
