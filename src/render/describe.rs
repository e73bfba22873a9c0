//! What a record says to a reader: a word for WHAT and a phrase for WHY.

use anstyle::{AnsiColor, Style};

use super::View;
use super::attempts::{deleted, gave_up, outcome_words};
use super::fields::{action_text, item_text};
use super::taints::TaintChange;
use crate::cluster::choices::Choice;
use crate::objects::{Taint, Toleration};
use crate::plan::PodTermination;
use crate::timeline::fate::{decisive_taint, reason_words};
use crate::timeline::history::{Incarnation, Origin};
use crate::timeline::{CallPhase, EventReason, Kind, Record, Standing};

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
        Kind::DeleteRequested { outcome, .. } if outcome.is_applied() => color(AnsiColor::Red),
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
        Kind::NodeCreated { taints } | Kind::NodeDeleted { taints } => {
            taints_phrase(lists.taints(*taints))
        }
        Kind::NodeTaintsChanged { taints } => {
            let now = taints_phrase(lists.taints(*taints));
            let change = TaintChange::newest(view, record.node, *taints);
            match change.phrase("").filter(|_| !change.is_all_new()) {
                Some(change) => format!("{now} ({change})"),
                None => now,
            }
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
        Kind::EvictionFailed => gave_up(view, record),
        Kind::DeleteRequested { attempt, outcome, fault, uid } => {
            let reached = uid.and_then(|uid| view.history.incarnation(uid));
            deleted(view, record, *attempt, (*outcome, *fault), reached)
        }
        Kind::PodTerminating { .. } => match view.context.plan.config.termination {
            PodTermination::Never => "waits for its node, which never confirms".to_owned(),
            _ => "waits for its node to confirm".to_owned(),
        },
        Kind::PodRemoved { uid } => {
            let since = view.history.incarnation(*uid).and_then(Incarnation::terminating_at);
            since.map(|since| format!("terminating since {since}")).unwrap_or_default()
        }
        Kind::ControllerStopped => match view.history.timers_lost_at(record.at) {
            0 => "no timer was running".to_owned(),
            1 => "1 timer is lost".to_owned(),
            n => format!("{n} timers are lost"),
        },
        Kind::WatchBroken { resource } => format!("events about {} are lost", resource.as_str()),
        Kind::WatchRelisted { resource } => format!("{} listed again", resource.as_str()),
        Kind::ControllerStarted => {
            let stopped = view.history.last_stop();
            let stopped = stopped.map(|at| format!("stopped at {at}; ")).unwrap_or_default();
            format!(
                "{stopped}its caches are in sync (it looks every 100ms), and every wait begins anew"
            )
        }
        kind => inner(view, record, kind),
    }
}

/// What a step's row has to say about the step's effect, beyond the step's own text.
pub(super) fn effect_words(view: View<'_>, effect: &Record, said: &str) -> Option<String> {
    match &effect.kind {
        Kind::NodeTaintsChanged { taints } => {
            TaintChange::newest(view, effect.node, *taints).phrase(said)
        }
        Kind::NodeCreated { taints } => {
            let taints = view.context.lists.taints(*taints);
            let is_said = taints.iter().all(|taint| said.contains(&taint.to_string()));
            (!is_said).then(|| taints_phrase(taints))
        }
        Kind::ControllerStopped => Some(why(view, effect)),
        _ => None,
    }
}

/// Of the kinds at `controller` and `trace`.
fn inner(view: View<'_>, record: &Record, kind: &Kind) -> String {
    if let Some(item) = kind.item() {
        let text = item_text(view.context, record, item);
        return format!("{} {text}, shard {}", item.queue.as_str(), item.shard);
    }
    match kind {
        Kind::EventRecorded { reason, count } => {
            let name = record.pod.map_or("", |pod| view.context.names().pod(pod));
            let message = reason.message(name);
            match count {
                0 | 1 => format!("{}: {message}", EventReason::REASON),
                _ => format!("{}: {message} (x{count})", EventReason::REASON),
            }
        }
        Kind::PodFetched { attempt, outcome, fault, .. }
        | Kind::StatusPatched { attempt, outcome, fault, .. } => {
            format!("attempt {attempt}: {}", outcome_words(view, *outcome, *fault))
        }
        Kind::PodsListed { attempt, outcome, fault } => {
            format!("attempt {attempt}: {}", outcome_words(view, *outcome, *fault))
        }
        Kind::WorkSkipped { .. } => skipped(view, kind),
        Kind::ApiCall { verb, resource, phase } => match phase {
            CallPhase::Sent => format!("{verb} {resource}: sent"),
            CallPhase::Answered(outcome) => format!("{verb} {resource}: {}", outcome.as_str()),
        },
        Kind::ChoiceMade { choice, among, .. } => match choice {
            Choice::Next { goroutine } => format!("{goroutine} is the next of {among}"),
            Choice::Select { took } => format!("select takes {}", took.as_str()),
            Choice::PodOrder => format!("the next of {among} pods of the node"),
        },
        Kind::WatchEvent { event, resource_version } => {
            format!("{} at resourceVersion {resource_version}", event.as_str())
        }
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
    let mut taint = decisive_taint(view.context, *taints, *taint);
    let armed = record.pod.and_then(|pod| view.history.newest_arming(pod));
    if armed.is_some_and(|arming| view.history.decision(arming).origin == Origin::Start) {
        // No step above tells of it.
        taint.push_str(" (on the node from the start)");
    }
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

/// `would fire at 5m10s, for taint k=v:NoExecute; but an armed timer never moves`.
fn skipped(view: View<'_>, kind: &Kind) -> String {
    let Kind::WorkSkipped { standing, fire_at, taints, taint, toleration, .. } = kind else {
        return String::new();
    };
    let taint = decisive_taint(view.context, *taints, *taint);
    let wanted = match toleration {
        Some(_) => format!("would fire at {fire_at}, for taint {taint}"),
        None => format!("would start at once, for taint {taint}"),
    };
    format!("{wanted}; but {}", standing_words(*standing))
}

/// Why nothing comes of work for a pod.
pub(super) fn standing_words(standing: Standing) -> &'static str {
    match standing {
        Standing::Timer => "an armed timer never moves",
        Standing::Deletion => "a deletion of this name runs",
        Standing::Marker => "the marker of an earlier deletion stands under its name",
    }
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
