//! What the search over all schedules has found: what all of them share is said once, then each
//! outcome with what is its own, and with one way to it.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::text::printable;
use crate::cluster::ChoicePoint;
use crate::fuzz::interleavings::{Deed, Found, Interleavings, Life, PodOutcome, Refusal};
use crate::kernel::time::{NANOS_PER_MILLI, Time};
use crate::objects::PodId;
use crate::plan::Plan;
use crate::timeline::EventReason;

/// So many names stand in a line.
const NAMES_IN_LINE: usize = 3;

/// The answer as a text. `ways` are the choices of each outcome's script.
pub fn interleavings(plan: &Plan, found: &Interleavings, ways: &[Vec<ChoicePoint>]) -> String {
    let mut text = head(found);
    let is_shared = |pod: PodId| {
        let of = |one: &Found| one.outcome.pods[pod.index()].clone();
        found.outcomes.windows(2).all(|pair| of(&pair[0]) == of(&pair[1]))
    };
    let (shared, own): (Vec<PodId>, Vec<PodId>) =
        plan.names.pods().map(|(pod, _)| pod).partition(|pod| is_shared(*pod));
    let single = found.outcomes.len() == 1;
    if let Some(first) = found.outcomes.first()
        && !shared.is_empty()
    {
        text.push_str(if single { "\n" } else { "\nIn all of them:\n" });
        push_pods(&mut text, plan, first, &shared);
    }
    for ((one, way), number) in found.outcomes.iter().zip(ways).zip(1..) {
        if !single {
            let _ = write!(text, "\nOutcome {number}");
            push_count(&mut text, found, one);
        }
        push_pods(&mut text, plan, one, &own);
        push_steps(&mut text, plan, one);
        push_way(&mut text, one, way, single);
    }
    text
}

/// `2 outcomes in 14 schedules, which are all (9 runs, 7 choices)`.
fn head(found: &Interleavings) -> String {
    let Interleavings { runs, drawn, choices, complete, .. } = found;
    let outcomes = count(found.outcomes.len() as u128, "outcome");
    let schedules = found.outcomes.iter().fold(0u128, |sum, one| sum.saturating_add(one.schedules));
    let runs = count(u128::from(*runs), "run");
    let choices = count(u128::from(*choices), "choice");
    let schedules = many(schedules, "schedule");
    if *complete {
        return format!("{outcomes} in {schedules}; there is no other ({runs}, {choices}).\n");
    }
    let drawn = count(u128::from(*drawn), "drawn schedule");
    format!(
        "{outcomes} so far: NOT COMPLETE, there can be others. The search stopped after {runs}, \
         and {drawn} came on top; {schedules} seen.\n"
    )
}

fn push_count(text: &mut String, found: &Interleavings, one: &Found) {
    // Writing to a String does not fail.
    let _ = match found.complete {
        true => writeln!(text, ": {}", many(one.schedules, "schedule")),
        false => writeln!(text, ": {} of those seen", many(one.schedules, "schedule")),
    };
}

/// Pods that share what became of them share a line.
fn push_pods(text: &mut String, plan: &Plan, one: &Found, pods: &[PodId]) {
    let mut lines: indexmap::IndexMap<String, Vec<&str>> = indexmap::IndexMap::new();
    for pod in pods {
        let words = pod_words(&one.outcome.pods[pod.index()]);
        lines.entry(words).or_default().push(plan.names.pod(*pod));
    }
    let label = |names: &[&str]| {
        let shown = names.iter().take(NAMES_IN_LINE).map(|name| printable(name));
        let mut label = shown.collect::<Vec<_>>().join(", ");
        if names.len() > NAMES_IN_LINE {
            let _ = write!(label, " and {} others", names.len() - NAMES_IN_LINE);
        }
        label
    };
    let labels: Vec<String> = lines.values().map(|names| label(names)).collect();
    let width = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    for (label, words) in labels.iter().zip(lines.keys()) {
        let _ = writeln!(text, "  {label:width$}  {words}");
    }
}

fn pod_words(pod: &PodOutcome) -> String {
    let lives = match pod.lives.as_slice() {
        [] => "never there".to_owned(),
        [life] => life_words(life),
        several => {
            let word =
                |life: &Life| format!("that of {}: {}", at(life.created_ms), life_words(life));
            several.iter().map(word).collect::<Vec<_>>().join("; ")
        }
    };
    let events = pod
        .deeds
        .iter()
        .filter_map(|(ms, deed)| Some(format!("{} at {}", event_word(*deed)?, at(*ms))));
    let events: Vec<String> = events.collect();
    match events.is_empty() {
        true => format!("{lives}; no Events"),
        false => format!("{lives}; Events: {}", events.join(", ")),
    }
}

fn life_words(life: &Life) -> String {
    match (life.fate, life.at_ms) {
        (fate, None) => fate.to_owned(),
        ("armed", Some(ms)) => format!("armed, fires at {}", at(ms)),
        ("terminating", Some(ms)) => format!("terminating since {}", at(ms)),
        (fate, Some(ms)) => format!("{fate} at {}", at(ms)),
    }
}

fn event_word(deed: Deed) -> Option<&'static str> {
    match deed {
        Deed::Marking => Some("Marking"),
        Deed::Cancelling => Some("Cancelling"),
        Deed::Get(..) | Deed::Patch(..) | Deed::Delete(..) => None,
    }
}

fn push_steps(text: &mut String, plan: &Plan, one: &Found) {
    for Refusal { at_ms, step, error, .. } in &one.outcome.refused {
        let number = plan.steps.get(*step as usize).map_or(0, |step| step.number);
        let _ = writeln!(text, "  step {number} rejected at {}: {}", at(*at_ms), printable(error));
    }
    for number in &one.outcome.unapplied {
        let _ = writeln!(text, "  step {number} not applied");
    }
}

/// How a file has this outcome, and what one of its schedules does otherwise than `Fifo`.
fn push_way(text: &mut String, one: &Found, way: &[ChoicePoint], single: bool) {
    if single && one.fifo {
        return;
    }
    // Writing to a String does not fail.
    let seed = |seed| format!("  interleaving: Random with seed {seed} gives it");
    let _ = match (one.fifo, one.seed, &one.script) {
        (true, ..) => return text.push_str("  interleaving: Fifo gives it\n"),
        (false, Some(number), None) => return text.push_str(&(seed(number) + "\n")),
        (false, Some(number), Some(_)) => writeln!(text, "{}, and so does", seed(number)),
        (false, None, _) => writeln!(text, "  no seed that was tried gives it; one way to it is"),
    };
    let departures = way.iter().filter(|point| point.index > 0);
    text.push_str("  the order of Fifo, except that\n");
    for point in departures {
        let alternative = |index: u32| {
            let words = point.alternatives.get(index as usize);
            printable(words.map_or("", String::as_str))
        };
        let (at, took, first) = (point.at, alternative(point.index), alternative(0));
        let _ = writeln!(text, "    at {at} {took}\n      before {first}");
    }
}

/// The answer as one document with fixed keys.
pub fn interleavings_json(plan: &Plan, found: &Interleavings, ways: &[Vec<ChoicePoint>]) -> String {
    let outcome = |(one, way): (&Found, &Vec<ChoicePoint>)| {
        let pods = plan.names.pods();
        let pods = pods.map(|(pod, name)| pod_json(name, &one.outcome.pods[pod.index()]));
        let pods: Vec<Value> = pods.collect();
        let refused = one.outcome.refused.iter().map(|refusal| {
            let step = plan.steps.get(refusal.step as usize).map(|step| step.number);
            json!({"step": step, "atMs": refusal.at_ms, "error": refusal.error})
        });
        let refused: Vec<Value> = refused.collect();
        let departures = way.iter().filter(|point| point.index > 0).map(|point| {
            json!({
                "atNs": point.at.0,
                "among": point.among,
                "took": point.alternatives.get(point.index as usize),
                "before": point.alternatives.first(),
            })
        });
        let departures: Vec<Value> = departures.collect();
        json!({
            "schedules": one.schedules.to_string(),
            "pods": pods,
            "rejected": refused,
            "notApplied": one.outcome.unapplied,
            "fifo": one.fifo,
            "seed": one.seed,
            "script": one.script,
            "departures": departures,
        })
    };
    let outcomes: Vec<Value> = found.outcomes.iter().zip(ways).map(outcome).collect();
    let document = json!({
        "kind": "Interleavings",
        "scenario": plan.name,
        "kubernetesVersion": plan.config.profile.name(),
        "complete": found.complete,
        "runs": found.runs,
        "drawn": found.drawn,
        "choices": found.choices,
        "outcomes": outcomes,
    });
    format!("{document:#}\n")
}

fn pod_json(name: &str, pod: &PodOutcome) -> Value {
    let life = |life: &Life| {
        let mut fields = Map::new();
        fields.insert("createdAtMs".into(), life.created_ms.into());
        fields.insert("fate".into(), life.fate.into());
        if let Some(ms) = life.at_ms {
            fields.insert("atMs".into(), ms.into());
        }
        Value::Object(fields)
    };
    let event = |(ms, deed): &(u64, Deed)| {
        let reason = match deed {
            Deed::Marking => EventReason::Marking,
            Deed::Cancelling => EventReason::Cancelling,
            Deed::Get(..) | Deed::Patch(..) | Deed::Delete(..) => return None,
        };
        Some(json!({"atMs": ms, "message": reason.message(name)}))
    };
    let lives: Vec<Value> = pod.lives.iter().map(life).collect();
    let events: Vec<Value> = pod.deeds.iter().filter_map(event).collect();
    json!({"pod": name, "lives": lives, "events": events})
}

fn at(ms: u64) -> Time {
    Time(ms.saturating_mul(NANOS_PER_MILLI))
}

fn count(number: u128, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Of which there can be more than fit into a number.
fn many(number: u128, what: &str) -> String {
    /// Beyond this nobody counts digits.
    const WRITTEN_OUT: u128 = 10_000_000_000;
    if number < WRITTEN_OUT {
        return count(number, what);
    }
    let more = if number == u128::MAX { "more than " } else { "about " };
    format!("{more}10^{} {what}s", number.ilog10())
}
