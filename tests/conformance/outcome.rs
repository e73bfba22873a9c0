//! The form of the recordings, and how a timeline is brought into it.

use std::fmt;

use taintsim::objects::Uid;
use taintsim::plan::{Action, Plan};
use taintsim::timeline::{EventReason, Kind, Outcome, Record};

/// One thing that the controller did, or an operation that was refused.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    /// Whole milliseconds.
    pub ms: u64,
    /// `namespace/name` of the pod, or the node's name.
    pub object: String,
    /// What.
    pub kind: LineKind,
    /// An Event's message, `ok`, the API's reason, or `operation: reason`.
    pub detail: String,
    /// Which incarnation an `ok` call reached.
    pub uid: Option<u32>,
}

/// What a line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LineKind {
    /// An Event was emitted.
    Event,
    /// A GET.
    GetPod,
    /// A PATCH of the status.
    PatchStatus,
    /// A DELETE of the controller.
    DeletePod,
    /// An operation of the scenario was refused.
    StepRejected,
}

impl Line {
    /// An Event that says that a deletion was cancelled.
    pub fn is_cancel(&self) -> bool {
        self.kind == LineKind::Event && self.detail == EventReason::Cancelling.message(&self.object)
    }

    /// An Event that says that a deletion begins.
    pub fn is_mark(&self) -> bool {
        self.kind == LineKind::Event && self.detail == EventReason::Marking.message(&self.object)
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line { ms, object, kind, detail, uid } = self;
        write!(f, "{ms:>8} ms {kind:?} {object}: {detail}")?;
        uid.map_or(Ok(()), |uid| write!(f, " u{uid}"))
    }
}

/// What of a timeline the recordings would have, in its order.
pub fn lines(plan: &Plan, records: &[Record]) -> Vec<Line> {
    records.iter().filter_map(|record| line(plan, record)).collect()
}

fn line(plan: &Plan, record: &Record) -> Option<Line> {
    let pod = record.pod.map(|pod| plan.names.pod(pod).to_owned());
    let node = record.node.map(|node| plan.names.node(node).to_owned());
    let object = pod.or(node).unwrap_or_default();
    let call = |outcome: Outcome, uid: Option<Uid>| (outcome.as_str().to_owned(), uid);
    let (kind, (detail, uid)) = match &record.kind {
        Kind::EventRecorded { reason, .. } => (LineKind::Event, (reason.message(&object), None)),
        Kind::PodFetched { outcome, uid, .. } => (LineKind::GetPod, call(*outcome, *uid)),
        Kind::StatusPatched { outcome, uid, .. } => (LineKind::PatchStatus, call(*outcome, *uid)),
        Kind::DeleteRequested { outcome, uid, .. } => (LineKind::DeletePod, call(*outcome, *uid)),
        Kind::StepRejected { step, action, error } => {
            (LineKind::StepRejected, (refusal(plan, *step, *action, error), None))
        }
        _ => return None,
    };
    Some(Line { ms: record.at.millis(), object, kind, detail, uid: uid.map(|uid| uid.0) })
}

/// What the recordings say of an action that was refused.
pub fn refusal(plan: &Plan, step: u32, action: u32, error: &str) -> String {
    let action = &plan.steps[step as usize].actions[action as usize].action;
    format!("{}: {}", operation(action), reason(error))
}

/// The recordings' word for an action.
fn operation(action: &Action) -> &'static str {
    match action {
        Action::Taint { .. } => "setTaints",
        Action::CreateNodes(_) => "createNode",
        Action::CreatePods(_) => "createPod",
        Action::DeleteNodes(_) => "deleteNode",
        Action::DeletePods { .. } => "deletePod",
        Action::BindPods { .. } => "bindPod",
        Action::SetTolerations { .. } => "setTolerations",
        Action::LabelPods { .. } => "touchPod",
        other => panic!("the recordings have no operation {other:?}"),
    }
}

/// The API's reason in the text of a refusal.
fn reason(error: &str) -> &str {
    let known = ["NotFound", "AlreadyExists", "Conflict", "Invalid", "Forbidden"];
    known.into_iter().find(|reason| error.contains(reason)).unwrap_or(error)
}
