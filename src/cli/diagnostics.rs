//! `validate -o json`: what is wrong with which file, as one document for editors and CI.
//!
//! Keys are always there and in this order; what does not apply is null. The format is described in
//! `docs/diagnostics.md`.

use super::validate::{Contents, Verdict};
use crate::render::push_json_string;
use crate::scenario::diagnostic::{Extent, Located};

/// The document, from what [`file`] gave for each file.
pub(super) fn document(files: &[Vec<u8>], ok: bool) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend_from_slice(b"{\n\"apiVersion\":\"taintsim.dev/v1alpha1\",\n");
    out.extend_from_slice(format!("\"kind\":\"Diagnostics\",\n\"ok\":{ok},\n").as_bytes());
    out.extend_from_slice(b"\"files\":[");
    for (index, file) in files.iter().enumerate() {
        out.extend_from_slice(if index > 0 { b",\n" } else { b"\n" });
        out.extend_from_slice(file);
    }
    out.extend_from_slice(b"\n]\n}\n");
    out
}

/// The entry of one file.
pub(super) fn file(name: &str, verdict: &Verdict) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend_from_slice(b"{\"file\":");
    push_json_string(&mut out, name);
    let ok = !matches!(verdict, Verdict::Wrong(_));
    let skipped = matches!(verdict, Verdict::Skipped);
    out.extend_from_slice(format!(",\"ok\":{ok},\"skipped\":{skipped},\"contents\":").as_bytes());
    match verdict {
        Verdict::Right { contents, .. } => push_contents(&mut out, contents),
        Verdict::Wrong(_) | Verdict::Skipped => out.extend_from_slice(b"null"),
    }
    let more = match verdict {
        Verdict::Wrong(failure) => failure.more,
        Verdict::Right { .. } | Verdict::Skipped => 0,
    };
    out.extend_from_slice(format!(",\"more\":{more},\"diagnostics\":[").as_bytes());
    let mut first = true;
    let mut push = |located: &Located| {
        out.extend_from_slice(if first { b"\n " } else { b",\n " });
        first = false;
        push_diagnostic(&mut out, located);
    };
    match verdict {
        Verdict::Right { notices, .. } => notices.iter().for_each(push),
        Verdict::Wrong(failure) => failure.located().for_each(|located| push(&located)),
        Verdict::Skipped => {}
    }
    out.extend_from_slice(b"]}");
    out
}

fn push_contents(out: &mut Vec<u8>, contents: &Contents) {
    let Contents { is_scenario, nodes, pods, steps, expectations } = contents;
    let kind = if *is_scenario { "Scenario" } else { "Dump" };
    let text = format!(
        "{{\"kind\":\"{kind}\",\"nodes\":{nodes},\"pods\":{pods},\"steps\":{steps},\
         \"expectations\":{expectations}}}"
    );
    out.extend_from_slice(text.as_bytes());
}

fn push_diagnostic(out: &mut Vec<u8>, located: &Located) {
    let Located { file, extent, severity, message, help } = located;
    out.extend_from_slice(format!("{{\"severity\":\"{}\",\"file\":", severity.as_str()).as_bytes());
    push_json_string(out, file);
    match extent {
        Some(extent) => push_extent(out, extent),
        None => out.extend_from_slice(
            b",\"line\":null,\"column\":null,\"endLine\":null,\"endColumn\":null,\
              \"startOffset\":null,\"endOffset\":null",
        ),
    }
    out.extend_from_slice(b",\"message\":");
    push_json_string(out, message);
    out.extend_from_slice(b",\"help\":");
    push_text_or_null(out, help.as_deref());
    out.extend_from_slice(b",\"text\":");
    push_text_or_null(out, extent.as_ref().map(|extent| extent.text.as_str()));
    let column = extent.as_ref().map(|extent| extent.text_column.to_string());
    let column = column.unwrap_or_else(|| "null".to_owned());
    out.extend_from_slice(format!(",\"textColumn\":{column}}}").as_bytes());
}

fn push_extent(out: &mut Vec<u8>, extent: &Extent) {
    let Extent { line, column, end_line, end_column, start, end, .. } = extent;
    let text = format!(
        ",\"line\":{line},\"column\":{column},\"endLine\":{end_line},\"endColumn\":{end_column},\
         \"startOffset\":{start},\"endOffset\":{end}"
    );
    out.extend_from_slice(text.as_bytes());
}

fn push_text_or_null(out: &mut Vec<u8>, text: Option<&str>) {
    match text {
        Some(text) => push_json_string(out, text),
        None => out.extend_from_slice(b"null"),
    }
}
