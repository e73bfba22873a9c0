//! Expectations of Events.

use super::super::targets;
use super::count;
use crate::expectation::Check;
use crate::profile::Component;
use crate::scenario::fields::Fields;
use crate::scenario::resolve::Resolver;
use crate::scenario::scalar::{string, word};
use crate::scenario::tree::Value;

/// The reason of all Events of this version.
const EVENT_REASON: &str = "TaintManagerEviction";

/// Reads `event` with `count`.
pub(super) fn read(fields: &mut Fields<'_>, r: &mut Resolver) -> Option<(Check, String)> {
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
