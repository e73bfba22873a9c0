//! `-o wide`: every record of the level of detail, one row each, with its number and its cause.

use super::describe::{object, style, why};
use super::layout::{Columns, Row};
use super::summary::Summary;
use super::table::headline;
use super::{Ending, Render, View};
use crate::objects::Uid;
use crate::timeline::{Kind, Record};

const HEADERS: &[&str] = &["SEQ", "TIME", "OBJECT", "NODE", "UID", "KIND", "CAUSE", "DETAILS"];

/// The renderer.
#[derive(Debug)]
pub struct Wide {
    columns: Columns,
    styled: bool,
}

impl Wide {
    /// A wide table, painted where `styled`.
    pub fn new(styled: bool) -> Wide {
        Wide { columns: Columns::new(HEADERS, styled, 5), styled }
    }
}

impl Render for Wide {
    fn begin(&mut self, view: View<'_>, out: &mut Vec<u8>) {
        out.extend_from_slice(headline(view).as_bytes());
        out.extend_from_slice(b"\n\n");
    }

    fn record(&mut self, view: View<'_>, record: &Record, out: &mut Vec<u8>) {
        let none = || "<none>".to_owned();
        let known = record.pod.and_then(|pod| view.history.newest(pod));
        let node = record.node.or_else(|| known.and_then(|life| life.node));
        let (seq, cause) = view.selection.numbers(record);
        let cells = vec![
            seq.to_string(),
            record.at.to_string(),
            object(view, record),
            node.map_or_else(none, |node| view.context.names().node(node).to_owned()),
            uid(&record.kind).map_or_else(none, |uid| uid.to_string()),
            record.kind.name().to_owned(),
            cause.map_or_else(none, |cause| cause.to_string()),
            why(view, record),
        ];
        self.columns.push(Row { cells, style: style(&record.kind) }, out);
    }

    fn end(&mut self, view: View<'_>, ending: Ending<'_>, out: &mut Vec<u8>) {
        self.columns.finish(out);
        out.push(b'\n');
        Summary::of(view, ending).write(view, self.styled, out);
    }
}

/// The uid that a kind carries.
fn uid(kind: &Kind) -> Option<Uid> {
    match kind {
        Kind::PodCreated { uid, .. }
        | Kind::PodBound { uid, .. }
        | Kind::PodTolerationsChanged { uid, .. }
        | Kind::PodTerminating { uid }
        | Kind::PodRemoved { uid } => Some(*uid),
        Kind::DeleteRequested { uid, .. }
        | Kind::PodFetched { uid, .. }
        | Kind::StatusPatched { uid, .. } => *uid,
        _ => None,
    }
}
