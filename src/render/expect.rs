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
        let mut groups: IndexMap<Vec<String>, Vec<PodId>> = IndexMap::new();
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

fn push_entry(text: &mut String, view: View<'_>, entry: &[String], pods: &[PodId]) {
    let in_line = entry.join(", ");
    let names: Vec<String> = pods.iter().map(|p| scalar(view.context.names().pod(*p))).collect();
    // Writing to a String does not fail.
    let _ = match names.as_slice() {
        [name] => write!(text, "\n  - {{pod: {name}, {in_line}}}"),
        names if names.len() <= NAMES_IN_LINE => {
            write!(text, "\n  - {{pod: [{}], {in_line}}}", names.join(", "))
        }
        names => {
            let lines = names.join("\n      - ");
            let keys = entry.join("\n    ");
            write!(text, "\n  - pod:\n      - {lines}\n    {keys}")
        }
    };
}

/// What holds for a pod: for each entry its keys after `pod`, with their values.
fn entries(view: View<'_>, end: Time, pod: PodId) -> Vec<Vec<String>> {
    let lives = view.history.incarnations_of(pod);
    let mut entries = Vec::new();
    for (index, life) in lives.iter().enumerate() {
        let instance = (lives.len() > 1).then(|| format!("instance: {}", index + 1));
        let fate = instance.iter().cloned().chain(fate_keys(view, end, life));
        entries.push(fate.collect());
        if life.delete_attempts > 1 {
            let attempts = format!("deleteAttempts: {}", life.delete_attempts);
            entries.push(instance.into_iter().chain([attempts]).collect());
        }
    }
    entries
}

fn fate_keys(view: View<'_>, end: Time, life: &Incarnation) -> Vec<String> {
    let fate = Fate::of(view.history, life);
    match fate {
        Fate::Evicted(at) | Fate::Removed(at) => {
            let by = match fate {
                Fate::Evicted(_) => view.history.evicted_by(life),
                _ => None,
            };
            let key = by.and_then(|arming| taint_key(view, arming));
            let at = format!("{}At: {}", fate.as_str(), rounded(at));
            [at].into_iter().chain(key.map(|key| format!("by: {}", scalar(key)))).collect()
        }
        Fate::Terminating(_) => vec![format!("at: {}", rounded(end)), "is: Terminating".into()],
        Fate::Armed(_) => vec![format!("at: {}", rounded(end)), "is: Armed".into()],
        Fate::Survives => vec!["survives: true".into()],
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
