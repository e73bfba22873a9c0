//! What a record says to a reader: a word for WHAT and a phrase for WHY.

use anstyle::{AnsiColor, Style};

use super::View;
use super::fields::{action_text, item_text};
use crate::objects::{Taint, Toleration};
use crate::plan::PodTermination;
use crate::timeline::fate::{decision_phrase, decisive_taint, reason_words};
use crate::timeline::history::Incarnation;
use crate::timeline::{CallPhase, EventReason, Kind, Outcome, Record};

/// The object that a record is about, as a cell: `shop/web-0`, `node/node-0`.
pub(super) fn object(view: View<'_>, record: &Record) -> String {
    let names = view.context.names();
    match (record.pod, record.node) {
        (Some(pod), _) => names.pod(pod).to_owned(),
        (None, Some(node)) => format!("node/{}", names.node(node)),
        (None, None) => "-".to_owned(),
    }
}

/// The colour of a kind on a terminal.
pub(super) fn style(kind: &Kind) -> Style {
    let color = |color: AnsiColor| Style::new().fg_color(Some(color.into()));
    match kind {
        Kind::EvictionScheduled { .. } => color(AnsiColor::Yellow),
        Kind::EvictionCancelled { .. } => color(AnsiColor::Green),
        Kind::DeleteRequested { outcome: Outcome::Ok, .. } => color(AnsiColor::Red),
        Kind::DeleteRequested { .. } | Kind::EvictionFailed | Kind::StepRejected { .. } => {
            color(AnsiColor::Red).bold()
        }
        Kind::StepApplied { .. } | Kind::NodeTaintsChanged { .. } => color(AnsiColor::Cyan),
        Kind::Note { .. } => Style::new().bold(),
        _ => Style::new(),
    }
}

/// `step 2: taint nodes node-0 k=v:NoExecute`.
pub(super) fn step_phrase(view: View<'_>, step: u32, action: u32) -> String {
    let plan = view.context.plan;
    let number = plan.steps.get(step as usize).map_or(step + 1, |s| s.number);
    format!("step {number}: {}", action_text(plan, step, action))
}

/// Why it happened, or what there is to say about it.
pub(super) fn why(view: View<'_>, record: &Record) -> String {
    let lists = view.context.lists;
    match &record.kind {
        Kind::StepApplied { step, action } => step_phrase(view, *step, *action),
        Kind::StepRejected { step, action, error } => {
            format!("{}: {error}", step_phrase(view, *step, *action))
        }
        Kind::Note { step, action } => action_text(view.context.plan, *step, *action).to_owned(),
        Kind::NodeCreated { taints } | Kind::NodeTaintsChanged { taints } => {
            taints_phrase(lists.taints(*taints))
        }
        Kind::PodCreated { tolerations, .. }
        | Kind::PodBound { tolerations, .. }
        | Kind::PodTolerationsChanged { tolerations, .. } => {
            let list = tolerations_phrase(lists.tolerations(*tolerations));
            match record.node {
                Some(node) => format!("on {}; {list}", view.context.names().node(node)),
                None => list,
            }
        }
        Kind::EvictionScheduled { .. } => scheduled(view, record),
        Kind::EvictionCancelled { reason } => {
            let words = reason_words(*reason);
            let cancelled = record.pod.and_then(|pod| view.history.newest_cancel(pod));
            match cancelled.and_then(|cancel| view.history.cancelled(cancel)) {
                Some(arming) if arming.fire_at > record.at => {
                    format!("{words} (was to fire at {})", arming.fire_at)
                }
                _ => words.to_owned(),
            }
        }
        Kind::EvictionFailed => {
            let attempts = view.context.plan.config.taint_manager.delete_retries;
            format!(
                "gave up after {attempts} attempts; forgotten until the node's NoExecute taints \
                 or the pod's tolerations change"
            )
        }
        Kind::DeleteRequested { attempt, outcome, uid, .. } => {
            let reached = uid.and_then(|uid| view.history.incarnation(uid));
            deleted(view, record, *attempt, *outcome, reached)
        }
        Kind::PodTerminating { .. } => match view.context.plan.config.termination {
            PodTermination::Never => "waits for its node, which never confirms".to_owned(),
            _ => "waits for its node to confirm".to_owned(),
        },
        Kind::PodRemoved { uid } => {
            let since = view.history.incarnation(*uid).and_then(Incarnation::terminating_at);
            since.map(|since| format!("terminating since {since}")).unwrap_or_default()
        }
        kind => inner(view, record, kind),
    }
}

/// Of the kinds at `controller` and `trace`.
fn inner(view: View<'_>, record: &Record, kind: &Kind) -> String {
    match kind {
        Kind::EventRecorded { reason, count } => {
            let name = record.pod.map_or("", |pod| view.context.names().pod(pod));
            let message = reason.message(name);
            match count {
                0 | 1 => format!("{}: {message}", EventReason::REASON),
                _ => format!("{}: {message} (x{count})", EventReason::REASON),
            }
        }
        Kind::PodFetched { attempt, outcome, .. }
        | Kind::StatusPatched { attempt, outcome, .. } => {
            format!("attempt {attempt}: {}", outcome.as_str())
        }
        Kind::Enqueued(item)
        | Kind::Deduplicated(item)
        | Kind::Dispatched(item)
        | Kind::DispatchBlocked(item)
        | Kind::HandlerStarted(item)
        | Kind::HandlerFinished(item) => {
            let text = item_text(view.context, record, item);
            format!("{} {text}, shard {}", item.queue.as_str(), item.shard)
        }
        Kind::ApiCall { verb, resource, phase } => match phase {
            CallPhase::Sent => format!("{verb} {resource}: sent"),
            CallPhase::Answered(outcome) => format!("{verb} {resource}: {}", outcome.as_str()),
        },
        Kind::WatchEvent { event, resource_version } => {
            format!("{} at resourceVersion {resource_version}", event.as_str())
        }
        Kind::ChoiceMade { choice, of, chosen } => format!("{choice}: {chosen} of 0..{of}"),
        _ => String::new(),
    }
}

/// `at 5m10s: taint k=v:NoExecute is tolerated for 300s by k:NoExecute op=Exists for 300s`.
fn scheduled(view: View<'_>, record: &Record) -> String {
    let Kind::EvictionScheduled {
        fire_at,
        created_at,
        seconds,
        taints,
        taint,
        tolerations,
        toleration,
    } = &record.kind
    else {
        return String::new();
    };
    let taint = decisive_taint(view.context, *taints, *taint);
    let Some(index) = toleration else {
        return format!("at once: no toleration for taint {taint}");
    };
    let list = view.context.lists.tolerations(*tolerations);
    let by = list.get(*index as usize).map(Toleration::to_string).unwrap_or_default();
    let mut text = format!("fires at {fire_at}: taint {taint} meets toleration {by}");
    let waited = seconds.and_then(|s| u64::try_from(s).ok());
    if *created_at < record.at && waited.is_some() {
        // An older timer's start was kept.
        text.push_str(&format!(" (counted since {created_at})"));
    }
    text
}

fn deleted(
    view: View<'_>,
    record: &Record,
    attempt: u32,
    outcome: Outcome,
    reached: Option<&Incarnation>,
) -> String {
    let retries = view.context.plan.config.taint_manager.delete_retries;
    if let Outcome::Failed(error) = outcome {
        return format!("attempt {attempt} of {retries}: {}", error.as_str());
    }
    let Some(incarnation) = reached else { return String::new() };
    if incarnation.evicted_at() != Some(record.at) {
        return "it is terminating already; nothing changes".to_owned();
    }
    let mut text = match view.history.evicted_by(incarnation) {
        Some(arming) => {
            let decision = view.history.decision(arming);
            let mut text = decision_phrase(view.context, decision);
            if arming.uid() != incarnation.uid {
                text.push_str("; the timer was armed for an earlier pod of this name");
            } else if !incarnation.is_running() && incarnation.terminating_at() < Some(record.at) {
                text.push_str("; it was terminating already");
            }
            text
        }
        None => "by the taint manager".to_owned(),
    };
    if attempt > 1 {
        text.push_str(&format!(" (attempt {attempt} of {retries})"));
    }
    text
}

/// `taints: a:NoExecute, b=c:NoSchedule`, or `no taints`.
pub(super) fn taints_phrase(taints: &[Taint]) -> String {
    match taints {
        [] => "no taints".to_owned(),
        _ => format!("taints: {}", joined(taints)),
    }
}

fn tolerations_phrase(tolerations: &[Toleration]) -> String {
    match tolerations {
        [] => "no tolerations".to_owned(),
        _ => format!("tolerations: {}", joined(tolerations)),
    }
}

fn joined(entries: &[impl ToString]) -> String {
    entries.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
