//! Attempts of a deletion in words: how one failed, and which ones this level does not show.

use super::View;
use crate::timeline::fate::{GaveUp, decision_phrase, earlier_pod_phrase};
use crate::timeline::history::Incarnation;
use crate::timeline::{Outcome, Record};

/// `InternalError: admission webhook denied the request`, or `ok`; of a call that did what it
/// should all the same, `Timeout (applied, the answer was lost)`.
pub(super) fn outcome_words(view: View<'_>, outcome: Outcome, fault: Option<u32>) -> String {
    let mut words = outcome.as_str().to_owned();
    if let Some(message) = view.context.fault_message(fault) {
        words.push_str(&format!(": {message}"));
    }
    if let Outcome::Lost(_) = outcome {
        words.push_str(" (applied, the answer was lost)");
    }
    words
}

/// Why a DELETE took the pod, or what became of it instead.
pub(super) fn deleted(
    view: View<'_>,
    record: &Record,
    attempt: u32,
    (outcome, fault): (Outcome, Option<u32>),
    reached: Option<&Incarnation>,
) -> String {
    let retries = view.context.plan.config.taint_manager.delete_retries;
    let skipped = skipped(view, record);
    if let Outcome::Failed(_) = outcome {
        let skipped = skipped.map(|words| format!(" ({words})")).unwrap_or_default();
        let words = outcome_words(view, outcome, fault);
        return format!("attempt {attempt} of {retries}{skipped}: {words}");
    }
    let Some(incarnation) = reached else { return String::new() };
    let mut text = eviction(view, record, incarnation);
    if let Outcome::Lost(_) = outcome {
        let words = outcome_words(view, outcome, fault);
        text.push_str(&format!("; attempt {attempt} of {retries}: {words}"));
    } else if attempt > 1 {
        let skipped = skipped.map(|words| format!("; {words}")).unwrap_or_default();
        text.push_str(&format!(" (attempt {attempt} of {retries}{skipped})"));
    }
    text
}

fn eviction(view: View<'_>, record: &Record, incarnation: &Incarnation) -> String {
    if incarnation.evicted_at() != Some(record.at) {
        return "it is terminating already; nothing changes".to_owned();
    }
    let Some(arming) = view.history.evicted_by(incarnation) else {
        return "by the taint manager".to_owned();
    };
    let decision = view.history.decision(arming);
    if arming.uid() != incarnation.uid {
        return earlier_pod_phrase(view.context, decision);
    }
    let text = decision_phrase(view.context, decision);
    match !incarnation.is_running() && incarnation.terminating_at() < Some(record.at) {
        true => format!("{text}; it was terminating already"),
        false => text,
    }
}

/// `attempt 1 failed before its DELETE; --detail controller shows it`, of the attempts between
/// this row and the one before.
fn skipped(view: View<'_>, record: &Record) -> Option<String> {
    let skipped = view.history.trouble_of(record)?.skipped();
    let (first, last) = (skipped.start, skipped.end.checked_sub(1)?);
    Some(match skipped.len() {
        0 => return None,
        1 => {
            format!("attempt {first} failed before its DELETE; --detail controller shows it")
        }
        n => {
            let to = if n == 2 { "and" } else { "to" };
            format!(
                "attempts {first} {to} {last} failed before their DELETE; --detail controller \
                 shows them"
            )
        }
    })
}

/// Why an eviction is given up, and until when.
pub(super) fn gave_up(view: View<'_>, record: &Record) -> String {
    let attempts = view.context.plan.config.taint_manager.delete_retries;
    let unseen = GaveUp::new(attempts, view.history.trouble_of(record)).unseen_words(attempts);
    let unseen = unseen.map(|words| format!(" ({words})")).unwrap_or_default();
    let attempts = super::counted(attempts as usize, "attempt");
    format!(
        "gave up after {attempts}{unseen}; forgotten until the node's NoExecute taints or the \
         pod's tolerations change, or the controller starts anew"
    )
}
