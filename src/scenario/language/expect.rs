//! `spec.expect`: what is to hold at the end.

use super::effects::{self, Known};
use super::outcome::{refuse_yes_or_no, state};
use super::read_version;
use super::targets::{self, Named};
use crate::expectation::{Check, Expectation, Moment, PodCheck};
use crate::kernel::time::Time;
use crate::plan::PodTarget;
use crate::profile::Component;
use crate::scenario::fields::{Fields, describe, items};
use crate::scenario::resolve::Resolver;
use crate::scenario::scalar::{boolean, integer, string, time, word};
use crate::scenario::tree::{Node, Value};

const MOMENTS: [(&str, Moment); 4] = [
    ("evictedAt", Moment::Evicted),
    ("armedAt", Moment::Armed),
    ("cancelledAt", Moment::Cancelled),
    ("removedAt", Moment::Removed),
];

/// The keys of which an entry has exactly one.
const CHECKS: [&str; 12] = [
    "evictedAt",
    "evictedBetween",
    "armedAt",
    "cancelledAt",
    "removedAt",
    "is",
    "survives",
    "deleteAttempts",
    "event",
    "evictions",
    "stepRejected",
    "anyOf",
];

/// The keys that stand beside a check.
const BESIDE: [&str; 6] = ["pod", "selector", "namespace", "instance", "by", "at"];

/// Keys of the language that this version does not have.
const UNSUPPORTED: [&str; 2] = ["rule", "breached"];

/// The reason of all Events of this version.
const EVENT_REASON: &str = "TaintManagerEviction";

/// How deep `anyOf` may nest.
const DEPTH_LIMIT: u32 = 8;

/// Reads the list.
pub(super) fn read(node: &Node, known: &Known<'_>, r: &mut Resolver) -> Vec<Expectation> {
    let all = list(node, known, 0, r);
    effects::check(node, &all, known, r);
    all
}

fn list(node: &Node, known: &Known<'_>, depth: u32, r: &mut Resolver) -> Vec<Expectation> {
    let what = if depth == 0 { "`expect`" } else { "`anyOf`" };
    let entries = items(node, what, &mut r.diagnostics).unwrap_or(&[]);
    entries.iter().filter_map(|entry| expectation(entry, known, depth, r)).collect()
}

fn expectation(
    node: &Node,
    known: &Known<'_>,
    depth: u32,
    r: &mut Resolver,
) -> Option<Expectation> {
    let mut fields = Fields::new(node, "an expectation", &mut r.diagnostics)?;
    let present: Vec<&str> =
        fields.keys().map(|key| &*key.text).filter(|key| CHECKS.contains(key)).collect();
    let place = fields.head();
    let check = match present.as_slice() {
        [one] => {
            let key = CHECKS.iter().find(|key| *key == one)?;
            let before = r.diagnostics.len();
            let checked = check(key, &mut fields, known, depth, r);
            if checked.is_none() && r.diagnostics.len() == before && !fields.is_missing_any() {
                let help = match example(key) {
                    Some(value) => format!("write a value, such as `{value}`"),
                    None => format!("write a value, such as `{key}: 70s`"),
                };
                r.diagnostics.error_help(place, format!("`{key}` is null"), help);
            }
            checked
        }
        [] => {
            let is_told = refuse_yes_or_no(&mut fields, r);
            fields.skip(&BESIDE);
            let is_state = |key: &str| matches!(key, "phase" | "state" | "status");
            for (_, node) in fields.entries().iter().filter(|(key, _)| is_state(&key.text)) {
                state(node, r);
            }
            if !is_told && !fields.keys().any(|key| UNSUPPORTED.contains(&&*key.text)) {
                let message = "an expectation says nothing: none of its checks is there";
                let help = match fields.key_place("at") {
                    Some(_) => "write `is: Running` beside `at`".to_owned(),
                    None => format!("write `survives: true`, or one of {}", CHECKS.join(", ")),
                };
                fields.missing(&CHECKS, message, &help);
            }
            None
        }
        more => {
            let message = format!("an expectation has one check, not {}", more.join(" and "));
            r.diagnostics.error_help(place, message, "write an entry for each");
            fields.skip(&BESIDE);
            for key in CHECKS {
                if let Some(node) = fields.take(key) {
                    check_value(key, node, known, depth, r);
                }
            }
            None
        }
    };
    let kubernetes_version = fields.take("kubernetesVersion");
    let kubernetes_version = kubernetes_version.and_then(|n| read_version(n, &mut r.diagnostics));
    let because = fields.take("because").and_then(|n| string(n, "because", &mut r.diagnostics));
    fields.know(&CHECKS);
    fields.refuse_unsupported(&UNSUPPORTED, &mut r.diagnostics);
    fields.finish(&mut r.diagnostics);
    let (check, text) = check?;
    let line = r.sources.line(place).unwrap_or(1);
    Some(Expectation {
        check,
        kubernetes_version,
        because: because.map(Box::from),
        file: r.sources.shared_name(place.source),
        line,
        text: text.into(),
    })
}

/// Reads the value of a check beside another one, for its own mistakes.
fn check_value(key: &'static str, node: &Node, known: &Known<'_>, depth: u32, r: &mut Resolver) {
    match key {
        "anyOf" => {
            list(node, known, depth + 1, r);
        }
        "evictedBetween" => {
            between(node, None, r);
        }
        "is" => {
            state(node, r);
        }
        "survives" => {
            boolean(node, key, &mut r.diagnostics);
        }
        "deleteAttempts" | "evictions" | "stepRejected" => {
            count(node, key, r);
        }
        "event" => {}
        _ => {
            times(node, key, r);
        }
    }
}

/// A right value of a check that is no time.
fn example(key: &str) -> Option<&'static str> {
    Some(match key {
        "evictedBetween" => "evictedBetween: [290s, 310s]",
        "is" => "is: Running",
        "survives" => "survives: true",
        "deleteAttempts" => "deleteAttempts: 1",
        "event" => "event: {reason: TaintManagerEviction}",
        "evictions" => "evictions: 0",
        "stepRejected" => "stepRejected: 1",
        "anyOf" => "anyOf: [{..}, {..}]",
        _ => return None,
    })
}

/// Reads the one check of an entry, and how a line of text writes it.
fn check(
    key: &'static str,
    fields: &mut Fields<'_>,
    known: &Known<'_>,
    depth: u32,
    r: &mut Resolver,
) -> Option<(Check, String)> {
    match key {
        "event" => event(fields, r),
        "evictions" => {
            let node = fields.take(key)?;
            let count = count(node, key, r);
            let before = r.diagnostics.len();
            let pods = targets::take_pods(fields, r);
            if r.diagnostics.len() > before && pods.is_none() {
                return None;
            }
            let count = count?;
            let (pods, among) = match pods {
                Some(named) => (named.target, format!(" of {}", named.text)),
                None => (PodTarget::all(), String::new()),
            };
            Some((Check::Evictions { count, pods }, format!("evictions {count}{among}")))
        }
        "stepRejected" => {
            let node = fields.take(key)?;
            let number = integer(node, key, 1, i64::from(u32::MAX), &mut r.diagnostics)?;
            let number = u32::try_from(number).ok()?;
            let steps = known.step_count;
            if number > steps {
                let message = format!("there is no step {number}: the scenario has {steps}");
                let help = "write the number of a step, counted from 1 in the order of the file";
                r.diagnostics.error_help(node.place, message, help);
                return None;
            }
            Some((Check::StepRejected(number), format!("stepRejected {number}")))
        }
        "anyOf" => {
            let node = fields.take(key)?;
            if depth >= DEPTH_LIMIT {
                let help =
                    "write the inner entries into the outer list: one of them holds then, too";
                r.diagnostics.error_help(node.place, "anyOf nests too deep", help);
                return None;
            }
            let before = r.diagnostics.len();
            let inner = list(node, known, depth + 1, r);
            if inner.is_empty() {
                if r.diagnostics.len() == before {
                    let message = "anyOf is an empty list: nothing can hold";
                    let help = "write the entries of which one is to hold";
                    r.diagnostics.error_help(node.place, message, help);
                }
                return None;
            }
            let texts: Vec<&str> = inner.iter().map(|e| &*e.text).collect();
            let text = format!("anyOf [{}]", texts.join(", "));
            Some((Check::AnyOf(inner), text))
        }
        _ => pod(key, fields, known, r),
    }
}

fn event(fields: &mut Fields<'_>, r: &mut Resolver) -> Option<(Check, String)> {
    let node = fields.take("event")?;
    let is_inside = matches!(&node.value, Value::Mapping(entries)
        if entries.iter().any(|(key, _)| *key.text == *"count"));
    let counted = if is_inside { fields.take("count") } else { fields.require("count") };
    let counted = counted.and_then(|n| count(n, "count", r));
    let mut inner = Fields::new(node, "an event", &mut r.diagnostics)?;
    let before = r.diagnostics.len();
    let reason = inner.take("reason").and_then(|n| {
        let reason = string(n, "reason", &mut r.diagnostics)?;
        if reason != EVENT_REASON {
            let message = format!("no Event of the taint manager has the reason `{reason}`");
            r.diagnostics.error_help(n.place, message, format!("write {EVENT_REASON}"));
        }
        Some(reason)
    });
    let message = inner.take("message").and_then(|n| string(n, "message", &mut r.diagnostics));
    let component = inner
        .take("component")
        .and_then(|n| word(n, "component", &Component::WORDS, &mut r.diagnostics));
    let api_version = inner
        .take("apiVersion")
        .and_then(|n| word(n, "apiVersion", &[("v1", "v1")], &mut r.diagnostics));
    let pod = targets::take_pods(&mut inner, r);
    inner.finish(&mut r.diagnostics);
    if r.diagnostics.len() > before {
        return None;
    }
    let mut text = String::from("event");
    if let Some(reason) = reason {
        text.push_str(&format!(" {reason}"));
    }
    if let Some(message) = message {
        text.push_str(&format!(" \"{message}\""));
    }
    if let Some(component) = component {
        text.push_str(&format!(" from {}", component.as_str()));
    }
    if let Some(version) = api_version {
        text.push_str(&format!(" apiVersion {version}"));
    }
    if let Some(pod) = &pod {
        text.push_str(&format!(" on {}", pod.text));
    }
    let count = counted?;
    text.push_str(&format!(" count {count}"));
    let check = Check::Event {
        reason: reason.map(Box::from),
        message: message.map(Box::from),
        component,
        api_version: api_version.map(Box::from),
        pod: pod.map(|named| named.target),
        count,
    };
    Some((check, text))
}

/// A check about pods.
fn pod(
    key: &'static str,
    fields: &mut Fields<'_>,
    known: &Known<'_>,
    r: &mut Resolver,
) -> Option<(Check, String)> {
    let pods = targets::require_pods(fields, "an expectation about a pod", r);
    let instance = fields
        .take("instance")
        .and_then(|n| integer(n, "instance", 1, i64::from(u32::MAX), &mut r.diagnostics))
        .and_then(|n| u32::try_from(n).ok());
    let takes_by = key == "evictedBetween" || MOMENTS.iter().any(|(word, _)| *word == key);
    let by = if takes_by { fields.take("by") } else { None };
    let by = by.and_then(|n| effects::taint_key(n, known, r));
    let (what, mut words) = match key {
        "is" => state_at(fields, r)?,
        "survives" => {
            let survives = boolean(fields.take(key)?, key, &mut r.diagnostics)?;
            (PodCheck::Survives(survives), format!("survives {survives}"))
        }
        "deleteAttempts" => {
            let attempts = count(fields.take(key)?, key, r)?;
            (PodCheck::DeleteAttempts(attempts), format!("deleteAttempts {attempts}"))
        }
        "evictedBetween" => between(fields.take(key)?, by, r)?,
        _ => {
            let moment = MOMENTS.iter().find(|(word, _)| *word == key)?.1;
            let node = fields.take(key)?;
            let (times, text) = times(node, key, r)?;
            if instance.is_some() && times.len() > 1 {
                let message = "with `instance` there is one time";
                let help = "leave `instance` out: a list has a time for each pod of the name";
                r.diagnostics.error_help(node.place, message, help);
                return None;
            }
            let by = by.map(Box::from);
            (PodCheck::At { moment, times, by }, format!("{key} {text}"))
        }
    };
    if let Some(by) = by {
        words.push_str(&format!(" by {by}"));
    }
    if let Some(instance) = instance {
        words.push_str(&format!(" instance {instance}"));
    }
    let Named { target, text } = pods?;
    Some((Check::Pod { pods: target, instance, what }, format!("{text} {words}")))
}

fn state_at(fields: &mut Fields<'_>, r: &mut Resolver) -> Option<(PodCheck, String)> {
    let is = state(fields.take("is")?, r);
    let at = fields.require("at");
    let at = at.and_then(|n| time(n, "at", &mut r.diagnostics));
    let (is, at) = (is?, at?);
    Some((PodCheck::StateAt { at, is }, format!("at {at} is {}", is.as_str())))
}

fn between(node: &Node, by: Option<&str>, r: &mut Resolver) -> Option<(PodCheck, String)> {
    let what = "evictedBetween";
    let Value::Sequence(times) = &node.value else {
        let message = format!("{what} is a list of two times, not {}", describe(&node.value));
        let help = match &node.value {
            Value::Plain(text) | Value::Quoted(text) if text.contains("..") => {
                format!("write `[{}]`", text.replace("..", ", "))
            }
            _ => "write `[290s, 310s]`".to_owned(),
        };
        r.diagnostics.error_help(node.place, message, help);
        return None;
    };
    let [from, to] = times.as_slice() else {
        let message = format!("{what} is a list of two times, not of {}", times.len());
        r.diagnostics.error_help(node.place, message, "write `[290s, 310s]`");
        return None;
    };
    let from_time = time(from, what, &mut r.diagnostics);
    let to_time = time(to, what, &mut r.diagnostics);
    let (from_time, to_time) = (from_time?, to_time?);
    if from_time > to_time {
        let message = format!("{what} ends at {to_time}, before it begins at {from_time}");
        let help = format!("write `[{to_time}, {from_time}]`");
        r.diagnostics.error_help(node.place, message, help);
        return None;
    }
    let text = format!("{what} [{from_time}, {to_time}]");
    Some((PodCheck::EvictedBetween { from: from_time, to: to_time, by: by.map(Box::from) }, text))
}

/// One time or a list of times, and the words as written.
fn times(node: &Node, key: &str, r: &mut Resolver) -> Option<(Vec<Time>, String)> {
    let Value::Sequence(list) = &node.value else {
        if matches!(&node.value, Value::Plain(text) if &**text == "never") {
            let message = format!("`{key}` is a time, not `never`");
            let help = "a pod that is never evicted has `survives: true`";
            r.diagnostics.error_help(node.place, message, help);
            return None;
        }
        if let Value::Plain(text) = &node.value
            && let "true" | "false" | "yes" | "no" = &**text
        {
            let message = format!("`{key}` is a time, not `{text}`");
            let help = match (key, &**text) {
                (_, "true" | "yes") => format!("write the time, such as `{key}: 70s`"),
                ("cancelledAt", _) => {
                    "leave it out; a timer that runs out has `evictedAt: 70s`, with its time"
                        .to_owned()
                }
                _ => "write `survives: true` in its place".to_owned(),
            };
            r.diagnostics.error_help(node.place, message, help);
            return None;
        }
        let at = time(node, key, &mut r.diagnostics)?;
        return Some((vec![at], r.sources.slice(node.place).to_owned()));
    };
    if list.is_empty() {
        let help = "a pod that is never evicted has `survives: true`";
        r.diagnostics.error_help(
            node.place,
            format!("the list of times under `{key}` is empty"),
            help,
        );
        return None;
    }
    let found: Vec<_> = list.iter().map(|item| time(item, key, &mut r.diagnostics)).collect();
    let found: Option<Vec<Time>> = found.into_iter().collect();
    let words: Vec<&str> = list.iter().map(|item| r.sources.slice(item.place)).collect();
    let text = format!("[{}]", words.join(", "));
    Some((found?, text))
}

fn count(node: &Node, what: &str, r: &mut Resolver) -> Option<u64> {
    if let Value::Plain(text) = &node.value
        && let "true" | "false" = &**text
    {
        let message = format!("{what} is an integer, not `{text}`");
        let help = match &**text {
            "true" => "write how many, such as 1",
            _ => "write 0",
        };
        r.diagnostics.error_help(node.place, message, help);
        return None;
    }
    let number = integer(node, what, 0, i64::MAX, &mut r.diagnostics)?;
    u64::try_from(number).ok()
}
