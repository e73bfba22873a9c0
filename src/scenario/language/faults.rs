//! `spec.faults`: calls of the taint manager that fail.

use super::targets;
use crate::plan::{ApiError, Fault, PodTarget, Verb};
use crate::scenario::fields::{Fields, items};
use crate::scenario::resolve::Resolver;
use crate::scenario::scalar::{integer, string, text, word};
use crate::scenario::tree::{Node, Value};

const VERBS: [(&str, Verb); 3] =
    [("get", Verb::Get), ("patch", Verb::Patch), ("delete", Verb::Delete)];

const ERRORS: [(&str, ApiError); 6] = [
    ("InternalError", ApiError::InternalError),
    ("Conflict", ApiError::Conflict),
    ("NotFound", ApiError::NotFound),
    ("ServerTimeout", ApiError::ServerTimeout),
    ("Timeout", ApiError::Timeout),
    ("Forbidden", ApiError::Forbidden),
];

/// Codes of HTTP that people write in place of a reason.
const CODES: [(&str, &str); 5] = [
    ("403", "Forbidden"),
    ("404", "NotFound"),
    ("409", "Conflict"),
    ("500", "InternalError"),
    ("504", "Timeout"),
];

/// Keys of the language that this version does not have.
const UNSUPPORTED: [&str; 4] = ["probability", "between", "applied", "node"];

/// Reads the list.
pub(super) fn read(node: &Node, r: &mut Resolver) -> Vec<Fault> {
    let list = items(node, "`faults`", &mut r.diagnostics).unwrap_or(&[]);
    list.iter().filter_map(|item| fault(item, r)).collect()
}

fn fault(node: &Node, r: &mut Resolver) -> Option<Fault> {
    let mut fields = Fields::new(node, "a fault", &mut r.diagnostics)?;
    let before = r.diagnostics.len();
    let target = targets::take_pods(&mut fields, r);
    let diagnostics = &mut r.diagnostics;
    let target_is_wrong = diagnostics.len() > before;
    let verb = fields.require("verb");
    let verb = verb.and_then(|n| word(n, "verb", &VERBS, diagnostics));
    if let Some(node) = fields.require("resource") {
        resource(node, r);
    }
    let diagnostics = &mut r.diagnostics;
    let error = fields.require("error");
    let error = error.and_then(|n| {
        if is_text(n, "TooManyRequests") {
            let words: Vec<&str> = ERRORS.iter().map(|(word, _)| *word).collect();
            let message = "TooManyRequests is not supported by this version";
            diagnostics.error_help(n.place, message, format!("one of {}", words.join(", ")));
            return None;
        }
        if let Value::Plain(code) | Value::Quoted(code) = &n.value
            && let Some((_, reason)) = CODES.iter().find(|(known, _)| *known == &**code)
        {
            let message = format!("`error` is the API's reason, not the code {code}");
            diagnostics.error_help(n.place, message, format!("write {reason}"));
            return None;
        }
        word(n, "error", &ERRORS, diagnostics)
    });
    let message = fields.take("message").and_then(|n| string(n, "message", diagnostics));
    let first = fields.take("first").and_then(|n| integer(n, "first", 1, i64::MAX, diagnostics));
    if let Some(node) = fields.take("caller") {
        if is_text(node, "Any") {
            let message = "caller Any is not supported by this version";
            let help = "leave it out: faults hit the calls of the taint manager";
            diagnostics.error_help(node.place, message, help);
        } else {
            word(node, "caller", &[("TaintManager", ())], diagnostics);
        }
    }
    fields.refuse_unsupported(&UNSUPPORTED, diagnostics);
    fields.finish(diagnostics);
    if target_is_wrong {
        return None;
    }
    let (file, line) = (r.sources.shared_name(node.place.source), r.sources.line(node.place));
    Some(Fault {
        place: format!("{file}:{}", line.unwrap_or(1)).into(),
        verb: verb?,
        target: target.map_or_else(PodTarget::all, |named| named.target),
        error: error?,
        message: message.map(Box::from),
        first: first.and_then(|n| u64::try_from(n).ok()),
    })
}

/// The taint manager calls pods only; its subresources go by the same name.
fn resource(node: &Node, r: &mut Resolver) {
    let Some(resource) = text(node, "resource", &mut r.diagnostics) else { return };
    let help = match resource {
        "pods" => return,
        "pods/status" | "pods/binding" => "write pods: it covers the subresources",
        "pod" | "po" | "Pod" | "Pods" => "write pods, as in RBAC",
        _ => "the taint manager calls pods only; write pods",
    };
    let message = format!("a fault cannot hit the resource `{resource}`");
    r.diagnostics.error_help(node.place, message, help);
}

fn is_text(node: &Node, expected: &str) -> bool {
    matches!(&node.value, Value::Plain(text) | Value::Quoted(text) if **text == *expected)
}
