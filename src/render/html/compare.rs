//! `diff -o html`: what differs, and below it the lanes of the pods that differ, run by run.

use std::fmt::Write as _;

use super::data::Run;
use super::inner::Inner;
use super::page::{html, push_heading, push_notes, push_page};
use crate::profile::{Change, Switch};
use crate::render::chart::Collector;
use crate::render::diff::{since, sources};
use crate::render::{Comparison, Ending, Render, View};
use crate::timeline::Record;

/// Rows of the table of differences; further ones are counted.
const BLOCKS_MAX: usize = 500;
/// Pods of one row that are named.
const NAMED_MAX: usize = 12;

/// Writes one of the runs of a page, for [`page`] to put together.
#[derive(Debug, Default)]
pub struct RunWriter {
    collector: Collector,
    name: String,
}

impl RunWriter {
    /// For the run of this name.
    pub fn new(name: &str) -> RunWriter {
        RunWriter { name: name.to_owned(), ..RunWriter::default() }
    }
}

impl Render for RunWriter {
    fn begin(&mut self, _: View<'_>, _: &mut Vec<u8>) {}

    fn record(&mut self, view: View<'_>, record: &Record, _: &mut Vec<u8>) {
        self.collector.take(view, record);
    }

    fn end(&mut self, view: View<'_>, ending: Ending<'_>, out: &mut Vec<u8>) {
        let chart = std::mem::take(&mut self.collector).finish(view, ending);
        let inner = Inner::missing();
        Run { chart: &chart, inner: &inner, view, name: &self.name }.push(out);
    }
}

/// The page of a comparison; `runs` are what a [`RunWriter`] wrote of each.
pub fn page(comparison: &Comparison<'_>, runs: &[Vec<u8>]) -> Vec<u8> {
    let headline = comparison.headline();
    let mut head = String::new();
    push_heading(&mut head, &headline, &facts(comparison));
    push_notes(&mut head, &[comparison.summary()]);
    push_differences(&mut head, comparison);
    push_switches(&mut head, comparison);
    let mut data = b"{\"format\":1,\"runs\":[".to_vec();
    // Where no pod differs, there is nothing to draw.
    let drawn = if comparison.pods().is_empty() { &[] } else { runs };
    for (index, run) in drawn.iter().enumerate() {
        data.extend_from_slice(if index > 0 { b",\n" } else { b"" });
        data.extend_from_slice(run);
    }
    data.extend_from_slice(b"]}");
    let mut out = Vec::new();
    push_page(&mut out, &headline, &head, &data);
    out
}

fn facts(comparison: &Comparison<'_>) -> Vec<String> {
    let fact = |variant: &crate::render::Variant| {
        format!("{}: Kubernetes {}, seed {}", variant.name, variant.profile, variant.seed)
    };
    comparison.variants.iter().map(fact).collect()
}

fn push_differences(head: &mut String, comparison: &Comparison<'_>) {
    let explained = comparison.because.iter().flatten().any(Option::is_some);
    let blocks = comparison.blocks(explained);
    if blocks.is_empty() {
        return;
    }
    let mut headers = vec!["Object", "What"];
    headers.extend(comparison.variants.iter().map(|variant| variant.name.as_str()));
    headers.extend(explained.then_some("Because of"));
    push_table_head(head, "What differs", "differences", &headers);
    for (lines, labels) in blocks.iter().take(BLOCKS_MAX) {
        let mut label = labels.iter().take(NAMED_MAX).cloned().collect::<Vec<_>>().join(", ");
        if labels.len() > NAMED_MAX {
            let _ = write!(label, " and {} more", labels.len() - NAMED_MAX);
        }
        for (line, number) in lines.iter().zip(0..) {
            head.push_str("<tr>");
            if number == 0 {
                let span = lines.len();
                let label = html(&label);
                let _ = write!(head, "<th scope=\"rowgroup\" rowspan=\"{span}\">{label}</th>");
            }
            for cell in line {
                let _ = write!(head, "<td>{}</td>", html(cell));
            }
            head.push_str("</tr>\n");
        }
    }
    head.push_str("</tbody>\n</table>\n</div>\n");
    if blocks.len() > BLOCKS_MAX {
        let more = blocks.len() - BLOCKS_MAX;
        push_notes(head, &[format!("… and {more} more rows; `-o json` has all of them.")]);
    }
}

fn push_switches(head: &mut String, comparison: &Comparison<'_>) {
    let switches: Vec<(Switch, Vec<&'static Change>)> = comparison.switches();
    if switches.is_empty() {
        return;
    }
    let mut headers = vec!["Switch"];
    headers.extend(comparison.variants.iter().map(|variant| variant.name.as_str()));
    headers.extend(["Since", "Source"]);
    push_table_head(head, "Switches", "switches", &headers);
    for (switch, changes) in switches {
        let _ = write!(head, "<tr><th scope=\"row\">{}</th>", html(switch.name()));
        for variant in comparison.variants {
            let _ = write!(head, "<td>{}</td>", html(&variant.switches.get(switch).to_string()));
        }
        let since: Vec<String> = changes.iter().map(|change| since(change)).collect();
        let (since, sources) = (html(&since.join(", ")), html(&sources(&changes)));
        let _ = writeln!(head, "<td>{since}</td><td>{sources}</td></tr>");
    }
    head.push_str("</tbody>\n</table>\n</div>\n");
}

fn push_table_head(head: &mut String, label: &str, class: &str, headers: &[&str]) {
    let _ = write!(
        head,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{label}\">\n\
         <table class=\"{class}\">\n<thead><tr>"
    );
    for header in headers {
        let _ = write!(head, "<th scope=\"col\">{}</th>", html(header));
    }
    head.push_str("</tr></thead>\n<tbody>\n");
}
