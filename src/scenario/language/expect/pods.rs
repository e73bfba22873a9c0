//! Expectations of pods: when something happened to them, and what they were then.

use super::super::effects::{self, Known};
use super::super::outcome::state;
use super::super::targets::{self, Named};
use super::count;
use crate::expectation::{Check, Moment, PodCheck};
use crate::kernel::time::Time;
use crate::scenario::fields::{Fields, describe};
use crate::scenario::resolve::Resolver;
use crate::scenario::scalar::{boolean, integer, time};
use crate::scenario::tree::{Node, Value};

const MOMENTS: [(&str, Moment); 4] = [
    ("evictedAt", Moment::Evicted),
    ("armedAt", Moment::Armed),
    ("cancelledAt", Moment::Cancelled),
    ("removedAt", Moment::Removed),
];

/// A check about pods.
pub(super) fn read(
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

pub(super) fn between(
    node: &Node,
    by: Option<&str>,
    r: &mut Resolver,
) -> Option<(PodCheck, String)> {
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
pub(super) fn times(node: &Node, key: &str, r: &mut Resolver) -> Option<(Vec<Time>, String)> {
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
