//! `spec.expect`: what is to hold at the end.

mod event;
mod pods;
mod rule;

use super::effects::{self, Known};
use super::outcome::{refuse_yes_or_no, state};
use super::read_version;
use super::targets;
use crate::expectation::{Check, Expectation};
use crate::plan::PodTarget;
use crate::scenario::fields::{Fields, items};
use crate::scenario::resolve::Resolver;
use crate::scenario::scalar::{boolean, integer, string};
use crate::scenario::tree::{Node, Value};

/// The keys of which an entry has exactly one.
const CHECKS: [&str; 13] = [
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
    "rule",
    "anyOf",
];

/// The keys that stand beside a check.
const BESIDE: [&str; 7] = ["pod", "selector", "namespace", "instance", "by", "at", "breached"];

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
            if !is_told {
                let message = "an expectation says nothing: none of its checks is there";
                let has = |key: &str| fields.key_place(key).is_some();
                let help = match (has("at"), has("breached")) {
                    (true, _) => "write `is: Running` beside `at`".to_owned(),
                    (_, true) => format!("write `{}` beside `breached`", rule::EXAMPLE),
                    _ => format!("write `survives: true`, or one of {}", CHECKS.join(", ")),
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
            pods::between(node, None, r);
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
        "rule" => {
            rule::name(node, known.profile, r);
        }
        "event" => {}
        _ => {
            pods::times(node, key, r);
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
        "rule" => rule::EXAMPLE,
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
        "event" => event::read(fields, r),
        "rule" => rule::read(fields, known, r),
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
        _ => pods::read(key, fields, known, r),
    }
}

/// A number of something.
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
