//! `-o html`: a run as one page, to be opened in a browser.
//!
//! The page is one file that loads nothing. What the run has is in a block of JSON, and a script,
//! which is the same for every run, draws it. The head and the fates are written as HTML, so that a
//! reader without scripts has the answer.
//!
//! Texts of the run are hostile: in HTML they are escaped by [`page::push_html`], in JSON `<`, `>`
//! and `&` do not appear, and the script puts them into the page as text only. The page's own
//! policy lets no other script run than the one with the known hash, and nothing be loaded.

mod compare;
mod data;
mod inner;
mod page;

pub use compare::{RunWriter, page as diff_page};

use super::summary::Summary;
use super::table::counted;
use super::{Ending, Render, View};
use crate::timeline::Record;
use data::Run;
use inner::Inner;

use super::chart::Collector;

/// The renderer.
#[derive(Debug, Default)]
pub struct Html {
    collector: Collector,
    inner: Inner,
}

impl Render for Html {
    fn begin(&mut self, _: View<'_>, _: &mut Vec<u8>) {}

    fn record(&mut self, view: View<'_>, record: &Record, _: &mut Vec<u8>) {
        self.inner.take(view, record, self.collector.marks());
        self.collector.take(view, record);
    }

    fn end(&mut self, view: View<'_>, ending: Ending<'_>, out: &mut Vec<u8>) {
        let chart = std::mem::take(&mut self.collector).finish(view, ending);
        let mut head = String::new();
        page::push_heading(&mut head, &chart.name, &facts(view, &chart));
        page::push_fates(&mut head, view, &Summary::of(view, ending));
        let mut data = b"{\"format\":1,\"runs\":[".to_vec();
        Run { chart: &chart, inner: &self.inner, view, name: "" }.push(&mut data);
        data.extend_from_slice(b"]}");
        page::push_page(out, &chart.name, &head, &data);
    }
}

/// `Kubernetes 1.36; seed 0; 1 node, 3 pods; ends at 5m10s`.
fn facts(view: View<'_>, chart: &super::chart::Chart) -> Vec<String> {
    let mut facts = vec![
        format!("Kubernetes {}", chart.version),
        format!("seed {}", chart.seed),
        format!("{}, {}", counted(chart.nodes.len(), "node"), counted(chart.pods.len(), "pod")),
        format!("last event at {}", chart.end),
    ];
    if !view.selection.is_all() {
        facts.push("only the pods that were asked for, and their nodes".to_owned());
    }
    facts
}

#[cfg(test)]
mod tests;
