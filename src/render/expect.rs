//! `-o expect`: an `expect` block that holds for this run, to be pasted under `spec`. Pods that
//! share their fate share an entry.

use std::fmt::Write as _;

use indexmap::IndexMap;

use super::{Ending, Render, View};
use crate::kernel::time::{NANOS_PER_MILLI, Time};
use crate::objects::PodId;
use crate::timeline::Record;
use crate::timeline::fate::Fate;
use crate::timeline::history::{Arming, Incarnation};

/// So many names stand in one line; more get a line each.
const NAMES_IN_LINE: usize = 4;

/// The renderer.
#[derive(Debug, Default)]
pub struct Expect;

impl Render for Expect {
    fn begin(&mut self, _: View<'_>, _: &mut Vec<u8>) {}

    fn record(&mut self, _: View<'_>, _: &Record, _: &mut Vec<u8>) {}

    fn end(&mut self, view: View<'_>, ending: Ending<'_>, out: &mut Vec<u8>) {
        let mut groups: IndexMap<String, Vec<PodId>> = IndexMap::new();
        for (pod, _) in view.context.names().pods() {
            if !view.selection.has_pod(pod) {
                continue;
            }
            for entry in entries(view, ending.end.at, pod) {
                groups.entry(entry).or_default().push(pod);
            }
        }
        let mut text = String::from("expect:");
        let mut any = false;
        for (entry, pods) in &groups {
            any = true;
            push_entry(&mut text, view, entry, pods);
        }
        for number in rejected_steps(view) {
            any = true;
            let _ = write!(text, "\n  - {{stepRejected: {number}}}");
        }
        text.push_str(if any { "\n" } else { " []\n" });
        out.extend_from_slice(text.as_bytes());
    }
}

fn push_entry(text: &mut String, view: View<'_>, entry: &str, pods: &[PodId]) {
    let names: Vec<String> = pods.iter().map(|p| scalar(view.context.names().pod(*p))).collect();
    // Writing to a String does not fail.
    let _ = match names.as_slice() {
        [name] => write!(text, "\n  - {{pod: {name}, {entry}}}"),
        names if names.len() <= NAMES_IN_LINE => {
            write!(text, "\n  - {{pod: [{}], {entry}}}", names.join(", "))
        }
        names => {
            let lines = names.join("\n      - ");
            // In block style each key has its own line.
            let keys = entry.replace(", ", "\n    ");
            write!(text, "\n  - pod:\n      - {lines}\n    {keys}")
        }
    };
}

/// What holds for a pod, each as the keys of an entry in flow style after `pod`.
fn entries(view: View<'_>, end: Time, pod: PodId) -> Vec<String> {
    let lives = view.history.incarnations_of(pod);
    let several = lives.len() > 1;
    let mut entries = Vec::new();
    for (index, life) in lives.iter().enumerate() {
        let instance = match several {
            true => format!("instance: {}, ", index + 1),
            false => String::new(),
        };
        entries.push(format!("{instance}{}", fate_keys(view, end, life)));
        if life.delete_attempts > 1 {
            entries.push(format!("{instance}deleteAttempts: {}", life.delete_attempts));
        }
    }
    entries
}

fn fate_keys(view: View<'_>, end: Time, life: &Incarnation) -> String {
    match Fate::of(view.history, life) {
        Fate::Evicted(at) => {
            let key = view.history.evicted_by(life).and_then(|arming| taint_key(view, arming));
            match key {
                Some(key) => format!("evictedAt: {}, by: {}", rounded(at), scalar(key)),
                None => format!("evictedAt: {}", rounded(at)),
            }
        }
        Fate::Removed(at) => format!("removedAt: {}", rounded(at)),
        Fate::Terminating(_) => format!("at: {}, is: Terminating", rounded(end)),
        Fate::Armed(_) => format!("at: {}, is: Armed", rounded(end)),
        Fate::Survives => "survives: true".to_owned(),
    }
}

fn taint_key<'a>(view: View<'a>, arming: &Arming) -> Option<&'a str> {
    let decision = view.history.decision(arming);
    let taint = view.context.lists.taints(decision.taints).get(decision.taint as usize)?;
    Some(&taint.key)
}

/// Steps that were rejected though they do not allow it, each once.
fn rejected_steps(view: View<'_>) -> Vec<u32> {
    let steps = &view.context.plan.steps;
    let rejected = view.history.rejections().iter().filter_map(|r| steps.get(r.step as usize));
    let mut numbers: Vec<u32> =
        rejected.filter(|step| !step.may_be_rejected).map(|step| step.number).collect();
    numbers.dedup();
    numbers
}

/// Expectations compare whole milliseconds; finer digits would only be noise.
fn rounded(at: Time) -> Time {
    Time(at.millis() * NANOS_PER_MILLI)
}

/// A YAML scalar that reads back as this text, in flow style too.
fn scalar(text: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '/' | '_' | '-');
    let starts_well = text.starts_with(|c: char| c.is_ascii_alphanumeric());
    if starts_well
        && text.chars().all(is_word)
        && serde_yaml::to_string(text).is_ok_and(|yaml| yaml.trim_end() == text)
    {
        return text.to_owned();
    }
    // A JSON string is a double-quoted YAML scalar.
    let mut quoted = Vec::new();
    super::text::push_json_string(&mut quoted, text);
    String::from_utf8_lossy(&quoted).into_owned()
}
