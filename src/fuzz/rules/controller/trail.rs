//! Numbers, times, causes and versions.

use super::{CAUSES, NUMBERS, Report, VERSIONS};
use crate::kernel::Time;
use crate::plan::Plan;
use crate::timeline::{CallPhase, Context, Kind, Record, WatchKind};

/// Bits that stand for kinds of records.
type Kinds = u64;

const STEP: Kinds = 1;
const NODE: Kinds = 1 << 1;
const POD: Kinds = 1 << 2;
const SCHEDULED: Kinds = 1 << 3;
const CANCELLED: Kinds = 1 << 4;
const STARTED: Kinds = 1 << 5;
const DELETE: Kinds = 1 << 6;
const STOPPED: Kinds = 1 << 7;
const BROKEN: Kinds = 1 << 8;
const PATCHED: Kinds = 1 << 9;
const QUEUED: Kinds = 1 << 10;
const DISPATCHED: Kinds = 1 << 11;
const HANDLED: Kinds = 1 << 12;
const CALL: Kinds = 1 << 13;
const WATCH: Kinds = 1 << 14;
const OTHER: Kinds = 1 << 15;
/// Not a kind: it may be without a cause.
const ROOT: Kinds = 1 << 16;

fn kind_of(kind: &Kind) -> Kinds {
    match kind {
        Kind::StepApplied { .. } | Kind::StepRejected { .. } => STEP,
        Kind::NodeCreated { .. } | Kind::NodeTaintsChanged { .. } | Kind::NodeDeleted { .. } => {
            NODE
        }
        Kind::PodCreated { .. }
        | Kind::PodBound { .. }
        | Kind::PodTolerationsChanged { .. }
        | Kind::PodTerminating { .. }
        | Kind::PodRemoved { .. } => POD,
        Kind::EvictionScheduled { .. } => SCHEDULED,
        Kind::EvictionCancelled { .. } => CANCELLED,
        Kind::EvictionStarted => STARTED,
        Kind::DeleteRequested { .. } => DELETE,
        Kind::ControllerStopped => STOPPED,
        // An informer that has listed again hears of what it had missed.
        Kind::WatchBroken { .. } | Kind::WatchRelisted { .. } => BROKEN,
        Kind::StatusPatched { .. } => PATCHED,
        Kind::Enqueued(_) | Kind::Deduplicated(_) => QUEUED,
        Kind::Dispatched(_) => DISPATCHED,
        Kind::HandlerStarted(_) => HANDLED,
        Kind::ApiCall { .. } => CALL,
        Kind::WatchEvent { .. } => WATCH,
        _ => OTHER,
    }
}

/// What may have caused it.
fn causes_of(kind: &Kind) -> Kinds {
    match kind {
        Kind::StepApplied { .. } | Kind::StepRejected { .. } | Kind::Note { .. } => ROOT,
        // A choice may be about nothing that has a record.
        Kind::ChoiceMade { .. } => ROOT | Kinds::MAX,
        Kind::NodeCreated { .. } | Kind::PodCreated { .. } => ROOT | STEP,
        Kind::NodeTaintsChanged { .. }
        | Kind::NodeDeleted { .. }
        | Kind::PodBound { .. }
        | Kind::PodTolerationsChanged { .. }
        | Kind::ControllerStopped
        | Kind::WatchBroken { .. } => STEP,
        Kind::PodTerminating { .. } | Kind::PodRemoved { .. } => STEP | DELETE,
        Kind::EvictionScheduled { .. }
        | Kind::EvictionCancelled { .. }
        | Kind::WorkSkipped { .. }
        | Kind::HandlerFinished(_) => HANDLED,
        Kind::EvictionStarted => SCHEDULED,
        Kind::EvictionFailed => STARTED,
        Kind::EventRecorded { .. } => STARTED | CANCELLED,
        Kind::PodFetched { .. }
        | Kind::PodsListed { .. }
        | Kind::StatusPatched { .. }
        | Kind::DeleteRequested { .. } => CALL,
        Kind::ControllerStarted => STOPPED | STEP,
        Kind::WatchRelisted { .. } => BROKEN,
        Kind::Enqueued(_) | Kind::Deduplicated(_) => WATCH,
        Kind::Dispatched(_) | Kind::DispatchBlocked(_) => QUEUED,
        Kind::HandlerStarted(_) => DISPATCHED,
        Kind::ApiCall { phase: CallPhase::Sent, .. } => {
            STARTED | CALL | HANDLED | STOPPED | BROKEN | STEP
        }
        Kind::ApiCall { .. } => CALL | STOPPED | BROKEN | STEP,
        Kind::WatchEvent { .. } => NODE | POD | PATCHED | STEP | STOPPED | BROKEN,
    }
}

/// Follows the records' numbers.
#[derive(Debug, Default)]
pub struct Trail {
    kinds: Vec<Kinds>,
    last: Time,
    pods: Vec<u64>,
    nodes: Vec<u64>,
}

impl Trail {
    pub fn reset(&mut self, plan: &Plan) {
        self.kinds.clear();
        self.last = Time::ZERO;
        self.pods.clear();
        self.pods.resize(plan.names.pod_count(), 0);
        self.nodes.clear();
        self.nodes.resize(plan.names.node_count(), 0);
    }

    pub fn record(&mut self, context: Context<'_>, record: &Record, report: &mut Report) {
        let Record { seq, at, .. } = *record;
        if seq as usize != self.kinds.len() + 1 || at < self.last {
            let (last, count) = (self.last, self.kinds.len());
            report.say(&NUMBERS, at, || format!("record {seq} at {at} follows {count} at {last}"));
        }
        self.last = at;
        let cause = match record.cause {
            None => Some(ROOT),
            Some(cause) => (cause as usize).checked_sub(1).and_then(|i| self.kinds.get(i)).copied(),
        };
        if cause.is_none_or(|cause| cause & causes_of(&record.kind) == 0) {
            let cause = record.cause;
            let name = record.kind.name();
            report.say(&CAUSES, at, || format!("{name}, record {seq}, has the cause {cause:?}"));
        }
        self.kinds.push(kind_of(&record.kind));
        match record.kind {
            Kind::WatchEvent { event, resource_version } => {
                self.version(context, record, (event, resource_version), report);
            }
            Kind::ControllerStopped => {
                // What the next process lists counts from the start.
                self.pods.fill(0);
                self.nodes.fill(0);
            }
            _ => {}
        }
    }

    fn version(
        &mut self,
        context: Context<'_>,
        record: &Record,
        (event, version): (WatchKind, u64),
        report: &mut Report,
    ) {
        let known = match (record.pod, record.node) {
            (Some(pod), _) => &mut self.pods[pod.index()],
            (None, Some(node)) => &mut self.nodes[node.index()],
            (None, None) => return,
        };
        if version <= *known {
            let (names, known) = (context.names(), *known);
            let name = match (record.pod, record.node) {
                (Some(pod), _) => names.pod(pod),
                (_, node) => node.map_or("", |node| names.node(node)),
            };
            report.say(&VERSIONS, record.at, || {
                let event = event.as_str();
                format!("{event} of {name} with version {version} after {known}")
            });
        }
        *known = version;
    }
}
