//! `-o table`: the timeline for a person. One row for each thing that a reader would miss if it
//! were not there; what only repeats the row before (the calls of a deletion that works, the taints
//! that a step's line names) is left to `wide`. A summary of fates ends it.

use super::describe::{effect_words, object, step_phrase, style, why};
use super::layout::{Columns, Row};
use super::summary::Summary;
use super::taints::TaintChange;
use super::text::printable;
use super::{Ending, Render, View};
use crate::kernel::time::Time;
use crate::plan::{Action, Latency};
use crate::timeline::{Kind, Record};

const HEADERS: &[&str] = &["TIME", "OBJECT", "WHAT", "WHY"];

/// The renderer.
#[derive(Debug)]
pub struct Table {
    columns: Columns,
    /// A step's row, which waits for the record that says what the step did.
    step: Option<StepRow>,
    rows: u64,
    styled: bool,
}

#[derive(Debug)]
struct StepRow {
    /// The record that the row is of.
    applied: Record,
    /// Without an effect, the object is as before.
    unchanged: bool,
    row: Row,
}

impl Table {
    /// A table, painted where `styled`.
    pub fn new(styled: bool) -> Table {
        Table { columns: Columns::new(HEADERS, styled, 2), step: None, rows: 0, styled }
    }

    fn row(&mut self, row: Row, out: &mut Vec<u8>) {
        self.rows += 1;
        self.columns.push(row, out);
    }

    /// The row of the step before this record: with this record's word where the record is the
    /// step's effect. True then.
    fn release_step(&mut self, view: View<'_>, next: Option<&Record>, out: &mut Vec<u8>) -> bool {
        let Some(StepRow { applied, unchanged, mut row }) = self.step.take() else { return false };
        let effect = next.filter(|record| is_effect(&applied, record));
        if let Some(record) = effect {
            row.cells[2] = what(view, record).to_owned();
            row.style = style(&record.kind);
            if let Some(more) = effect_words(view, record, &row.cells[3]) {
                row.cells[3].push_str(&format!(" ({more})"));
            }
        } else if unchanged {
            row.cells[2] = "Unchanged".to_owned();
        }
        self.row(row, out);
        effect.is_some()
    }
}

impl Render for Table {
    fn begin(&mut self, view: View<'_>, out: &mut Vec<u8>) {
        out.extend_from_slice(headline(view).as_bytes());
        out.extend_from_slice(b"\n\n");
    }

    fn record(&mut self, view: View<'_>, record: &Record, out: &mut Vec<u8>) {
        if self.release_step(view, Some(record), out) || !is_shown(view, record) {
            return;
        }
        let row = Row {
            cells: vec![
                record.at.to_string(),
                object(view, record),
                what(view, record).to_owned(),
                why(view, record),
            ],
            style: style(&record.kind),
        };
        match record.kind {
            Kind::StepApplied { step, action } => {
                let mut row = row;
                row.cells[3] = step_phrase(view, step, action);
                let unchanged = always_shows(view, step, action);
                self.step = Some(StepRow { applied: record.clone(), unchanged, row });
            }
            _ => self.row(row, out),
        }
    }

    fn end(&mut self, view: View<'_>, ending: Ending<'_>, out: &mut Vec<u8>) {
        self.release_step(view, None, out);
        self.columns.finish(out);
        if self.rows == 0 {
            out.extend_from_slice(nothing(view).as_bytes());
        }
        out.push(b'\n');
        Summary::of(view, ending).write(view, self.styled, out);
    }
}

/// `maintenance: 3 nodes, 6 pods; Kubernetes 1.36; seed 0`.
pub(super) fn headline(view: View<'_>) -> String {
    let plan = view.context.plan;
    let mut text = format!(
        "{}: {}, {}; Kubernetes {}; seed {}",
        printable(&plan.name),
        counted(plan.nodes.len(), "node"),
        counted(plan.pods.len(), "pod"),
        plan.config.profile.name(),
        plan.config.seed
    );
    if !view.selection.is_all() {
        let shown = plan.pods.iter().filter(|spec| view.selection.has_pod(spec.pod)).count();
        text.push_str(&format!("; {shown} of the pods shown"));
    }
    text
}

fn nothing(view: View<'_>) -> &'static str {
    match view.context.plan.steps.is_empty() {
        true => {
            "Nothing happened. A step asks what would: --step '0s taint nodes NODE k=v:NoExecute'\n"
        }
        false => "Nothing happened to what is shown.\n",
    }
}

/// `1 node`, `2 nodes`.
pub fn counted(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}

/// Whether all that the action can change has a record.
fn always_shows(view: View<'_>, step: u32, action: u32) -> bool {
    let step = view.context.plan.steps.get(step as usize);
    let action = step.and_then(|step| step.actions.get(action as usize));
    action.is_some_and(|action| {
        matches!(action.action, Action::Taint { .. } | Action::SetTolerations { .. })
    })
}

/// Whether the record is what the step did, there and then, to the object that it was applied to.
/// What follows from that (a watch event, a start after a stop) has a row of its own.
fn is_effect(applied: &Record, record: &Record) -> bool {
    let is_same_object = match (applied.pod, applied.node) {
        (Some(pod), _) => record.pod == Some(pod),
        (None, node) => record.pod.is_none() && record.node == node,
    };
    record.cause == Some(applied.seq)
        && record.at == applied.at
        && is_same_object
        && matches!(
            record.kind,
            Kind::NodeCreated { .. }
                | Kind::NodeTaintsChanged { .. }
                | Kind::NodeDeleted { .. }
                | Kind::PodCreated { .. }
                | Kind::PodBound { .. }
                | Kind::PodTolerationsChanged { .. }
                | Kind::PodTerminating { .. }
                | Kind::PodRemoved { .. }
                | Kind::ControllerStopped
        )
}

/// The word of a row.
fn what(view: View<'_>, record: &Record) -> &'static str {
    match &record.kind {
        Kind::NodeTaintsChanged { taints } => {
            TaintChange::newest(view, record.node, *taints).word()
        }
        Kind::DeleteRequested { outcome, uid, .. } if outcome.is_applied() => {
            let reached = uid.and_then(|uid| view.history.incarnation(uid));
            match reached.is_some_and(|i| i.evicted_at() == Some(record.at)) {
                true => "Evicted",
                false => "DeleteRequested",
            }
        }
        Kind::DeleteRequested { .. } => "DeleteFailed",
        kind => kind.name(),
    }
}

/// Whether a record is more than a repetition of the rows before it.
fn is_shown(view: View<'_>, record: &Record) -> bool {
    match &record.kind {
        // The header counts what is there from the start.
        Kind::NodeCreated { .. }
        | Kind::PodCreated { .. }
        | Kind::PodBound { .. }
        | Kind::ControllerStarted => record.cause.is_some() || record.at > Time::ZERO,
        // An untolerated pod's row is its eviction, where that follows at once.
        Kind::EvictionScheduled { fire_at, .. } => {
            let instant = view.context.plan.config.api_server.latency == Latency::default();
            *fire_at > record.at || !instant
        }
        Kind::EvictionStarted => false,
        Kind::PodRemoved { uid } => {
            let life = view.history.incarnation(*uid);
            life.is_none_or(|life| life.evicted_at() != Some(record.at))
        }
        _ => true,
    }
}
