//! One record as a JSON object, in the order of keys that the format promises: `seq`, `atNs`,
//! `at`, `kind`, `pod`, `node`, `cause`, then the kind's own. Integers only.

use std::fmt::Write as _;
use std::io::Write as _;

use super::View;
use super::text::{push_integer, push_json_string};
use crate::cluster::choices::Choice;
use crate::kernel::time::Time;
use crate::objects::{TaintsId, TolerationsId, Uid};
use crate::plan::{Action, Plan};
use crate::timeline::{CallPhase, Context, EventReason, Item, Kind, Outcome, QueueName, Record};

/// Writes records; keeps the text of what repeats from line to line.
#[derive(Debug, Default)]
pub(super) struct RecordWriter {
    /// The last `at`, and its text as a JSON field with both forms of the time.
    time: Option<Time>,
    time_text: Vec<u8>,
    /// The last list of tolerations, and its JSON.
    tolerations: Option<TolerationsId>,
    tolerations_text: Vec<u8>,
    /// Reused for what is formatted before it is escaped.
    scratch: String,
}

impl RecordWriter {
    /// Appends the object, without a newline.
    pub(super) fn push(&mut self, out: &mut Vec<u8>, view: View<'_>, record: &Record) {
        let context = view.context;
        let (seq, cause) = view.selection.numbers(record);
        out.extend_from_slice(b"{\"seq\":");
        push_integer(out, seq);
        self.push_time(out, record.at);
        out.extend_from_slice(b",\"kind\":\"");
        out.extend_from_slice(record.kind.name().as_bytes());
        out.push(b'"');
        if let Some(pod) = record.pod {
            push_text(out, "pod", context.names().pod(pod));
        }
        if let Some(node) = record.node {
            push_text(out, "node", context.names().node(node));
        }
        if let Some(cause) = cause {
            push_number(out, "cause", cause);
        }
        self.push_own(out, context, record);
        out.push(b'}');
    }

    fn push_time(&mut self, out: &mut Vec<u8>, at: Time) {
        if self.time != Some(at) {
            self.time = Some(at);
            self.time_text.clear();
            push_times(&mut self.time_text, at);
        }
        out.extend_from_slice(&self.time_text);
    }

    fn push_own(&mut self, out: &mut Vec<u8>, context: Context<'_>, record: &Record) {
        match &record.kind {
            Kind::StepApplied { step, action } | Kind::Note { step, action } => {
                push_step(out, context.plan, *step, *action);
            }
            Kind::StepRejected { step, action, error } => {
                push_step(out, context.plan, *step, *action);
                push_text(out, "error", error);
            }
            Kind::NodeCreated { taints }
            | Kind::NodeTaintsChanged { taints }
            | Kind::NodeDeleted { taints } => self.push_taints(out, context, *taints),
            Kind::PodCreated { uid, tolerations, manifest_uid } => {
                push_uid(out, *uid);
                self.push_tolerations(out, context, *tolerations);
                let own = manifest_uid.and_then(|i| context.plan.manifest_uids.get(i as usize));
                if let Some(own) = own {
                    push_text(out, "manifestUid", own);
                }
            }
            Kind::PodBound { uid, tolerations }
            | Kind::PodTolerationsChanged { uid, tolerations } => {
                push_uid(out, *uid);
                self.push_tolerations(out, context, *tolerations);
            }
            Kind::EvictionScheduled {
                fire_at,
                created_at,
                seconds,
                taints,
                taint,
                toleration,
                ..
            } => {
                push_number(out, "fireAtNs", fire_at.0);
                push_number(out, "createdAtNs", created_at.0);
                self.push_grounds(out, context, (*seconds, *taints, *taint, *toleration));
            }
            Kind::EvictionCancelled { reason } => push_text(out, "reason", reason.as_str()),
            Kind::DeleteRequested { attempt, outcome, fault, uid }
            | Kind::PodFetched { attempt, outcome, fault, uid }
            | Kind::StatusPatched { attempt, outcome, fault, uid } => {
                push_number(out, "attempt", *attempt);
                push_outcome(out, *outcome);
                if let Some(message) = context.fault_message(*fault) {
                    push_text(out, "error", message);
                }
                if let Some(uid) = uid {
                    push_uid(out, *uid);
                }
            }
            Kind::PodsListed { attempt, outcome, fault } => {
                push_number(out, "attempt", *attempt);
                push_outcome(out, *outcome);
                if let Some(message) = context.fault_message(*fault) {
                    push_text(out, "error", message);
                }
            }
            Kind::PodTerminating { uid } | Kind::PodRemoved { uid } => push_uid(out, *uid),
            Kind::EvictionStarted
            | Kind::EvictionFailed
            | Kind::ControllerStopped
            | Kind::ControllerStarted => {}
            Kind::WatchBroken { resource } | Kind::WatchRelisted { resource } => {
                push_text(out, "resource", resource.as_str());
            }
            Kind::WorkSkipped { standing, fire_at, seconds, taints, taint, toleration, .. } => {
                push_text(out, "standing", standing.as_str());
                push_number(out, "fireAtNs", fire_at.0);
                self.push_grounds(out, context, (*seconds, *taints, *taint, *toleration));
            }
            kind => push_inner(out, context, record, kind),
        }
    }

    /// What decides about a pod: seconds, taint, toleration.
    fn push_grounds(
        &mut self,
        out: &mut Vec<u8>,
        context: Context<'_>,
        (seconds, taints, taint, toleration): (Option<i64>, TaintsId, u32, Option<u32>),
    ) {
        if let Some(seconds) = seconds {
            push_number(out, "seconds", seconds);
        }
        if let Some(taint) = context.lists.taints(taints).get(taint as usize) {
            push_key(out, "taint");
            self.push_display(out, taint);
        }
        if let Some(toleration) = toleration {
            push_number(out, "toleration", toleration);
        }
    }

    fn push_taints(&mut self, out: &mut Vec<u8>, context: Context<'_>, taints: TaintsId) {
        push_key(out, "taints");
        self.push_list(out, context.lists.taints(taints));
    }

    fn push_tolerations(&mut self, out: &mut Vec<u8>, context: Context<'_>, id: TolerationsId) {
        push_key(out, "tolerations");
        if self.tolerations != Some(id) {
            let mut text = std::mem::take(&mut self.tolerations_text);
            text.clear();
            self.push_list(&mut text, context.lists.tolerations(id));
            self.tolerations_text = text;
            self.tolerations = Some(id);
        }
        out.extend_from_slice(&self.tolerations_text);
    }

    fn push_list(&mut self, out: &mut Vec<u8>, list: &[impl std::fmt::Display]) {
        out.push(b'[');
        for (index, entry) in list.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            self.push_display(out, entry);
        }
        out.push(b']');
    }

    fn push_display(&mut self, out: &mut Vec<u8>, value: &impl std::fmt::Display) {
        self.scratch.clear();
        // Writing to a String does not fail.
        let _ = write!(self.scratch, "{value}");
        push_json_string(out, &self.scratch);
    }
}

/// The own fields of the kinds at `controller` and `trace`.
fn push_inner(out: &mut Vec<u8>, context: Context<'_>, record: &Record, kind: &Kind) {
    if let Some(item) = kind.item() {
        push_text(out, "queue", item.queue.as_str());
        push_number(out, "shard", item.shard);
        push_text(out, "item", &item_text(context, record, item));
        return;
    }
    match kind {
        Kind::EventRecorded { reason, count } => {
            push_text(out, "reason", EventReason::REASON);
            let name = record.pod.map_or("", |pod| context.names().pod(pod));
            push_text(out, "message", &reason.message(name));
            let switches = &context.plan.config.switches;
            push_text(out, "component", switches.event_component.as_str());
            if switches.event_api_version {
                push_text(out, "apiVersion", "v1");
            }
            push_number(out, "count", *count);
        }
        Kind::ApiCall { verb, resource, phase } => {
            push_text(out, "verb", verb);
            push_text(out, "resource", resource);
            match phase {
                CallPhase::Sent => push_text(out, "phase", "Sent"),
                CallPhase::Answered(outcome) => {
                    push_text(out, "phase", "Answered");
                    push_outcome(out, *outcome);
                }
            }
        }
        Kind::ChoiceMade { choice, among, index } => {
            push_text(out, "choice", choice.name());
            push_number(out, "among", *among);
            match choice {
                Choice::Next { goroutine } => push_text(out, "took", goroutine),
                Choice::Select { took } => push_text(out, "took", took.as_str()),
                Choice::PodOrder => push_number(out, "index", *index),
            }
        }
        Kind::WatchEvent { event, resource_version } => {
            push_text(out, "event", event.as_str());
            push_number(out, "resourceVersion", *resource_version);
        }
        // The kinds at `summary` are written by the caller.
        _ => {}
    }
}

/// What the item is called in its queue: the node, or the pod with the node that it carries.
pub(super) fn item_text(context: Context<'_>, record: &Record, item: &Item) -> String {
    let node = record.node.map_or("", |node| context.names().node(node));
    match item.queue {
        QueueName::Node => node.to_owned(),
        QueueName::Pod => {
            let pod = record.pod.map_or("", |pod| context.names().pod(pod));
            if node.is_empty() { pod.to_owned() } else { format!("{pod}@{node}") }
        }
    }
}

/// The text that stands for an action on the timeline; of a note, what it says.
pub(super) fn action_text(plan: &Plan, step: u32, action: u32) -> &str {
    let Some(step) = plan.steps.get(step as usize) else { return "" };
    match step.actions.get(action as usize) {
        Some(step_action) => match &step_action.action {
            Action::Note(text) => text,
            _ => &step_action.text,
        },
        None => "",
    }
}

/// `,"atNs":…,"at":"…"`.
pub(super) fn push_times(out: &mut Vec<u8>, at: Time) {
    push_number(out, "atNs", at.0);
    // Writing to a Vec does not fail, and a duration needs no escapes.
    let _ = write!(out, ",\"at\":\"{at}\"");
}

pub(super) fn push_key(out: &mut Vec<u8>, key: &str) {
    out.extend_from_slice(b",\"");
    out.extend_from_slice(key.as_bytes());
    out.extend_from_slice(b"\":");
}

pub(super) fn push_text(out: &mut Vec<u8>, key: &str, text: &str) {
    push_key(out, key);
    push_json_string(out, text);
}

pub(super) fn push_number(out: &mut Vec<u8>, key: &str, number: impl itoa::Integer) {
    push_key(out, key);
    push_integer(out, number);
}

fn push_step(out: &mut Vec<u8>, plan: &Plan, step: u32, action: u32) {
    let number = plan.steps.get(step as usize).map_or(step + 1, |s| s.number);
    push_number(out, "step", number);
    push_text(out, "text", action_text(plan, step, action));
}

fn push_outcome(out: &mut Vec<u8>, outcome: Outcome) {
    push_text(out, "outcome", outcome.as_str());
    if let Outcome::Lost(_) = outcome {
        push_key(out, "applied");
        out.extend_from_slice(b"true");
    }
}

fn push_uid(out: &mut Vec<u8>, uid: Uid) {
    // As `Uid` prints itself, without the detour through the formatter: a run of a million pods
    // writes four million of them.
    const ZEROS: &[u8] = b"000000000000";
    push_key(out, "uid");
    out.extend_from_slice(b"\"00000000-0000-0000-0000-");
    let mut buffer = itoa::Buffer::new();
    let digits = buffer.format(uid.0).as_bytes();
    out.extend_from_slice(&ZEROS[digits.len()..]);
    out.extend_from_slice(digits);
    out.push(b'"');
}
