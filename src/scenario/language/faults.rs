//! `spec.faults`: calls that fail.

use super::targets;
use crate::kernel::Time;
use crate::plan::{ApiError, Caller, Fault, FaultTarget, Probability, Resource, Verb};
use crate::scenario::diagnostic::Diagnostics;
use crate::scenario::fields::{Fields, items};
use crate::scenario::resolve::Resolver;
use crate::scenario::scalar::{boolean, integer, string, text, time, word, wrong_type};
use crate::scenario::tree::{Node, Place, Value};

/// The words of `verb`.
pub(in crate::scenario) const VERBS: [(&str, Verb); 5] = [
    ("get", Verb::Get),
    ("list", Verb::List),
    ("create", Verb::Create),
    ("patch", Verb::Patch),
    ("delete", Verb::Delete),
];

const RESOURCES: [(&str, Resource); 2] = [("pods", Resource::Pods), ("nodes", Resource::Nodes)];

const ERRORS: [(&str, ApiError); 7] = [
    ("InternalError", ApiError::InternalError),
    ("Conflict", ApiError::Conflict),
    ("NotFound", ApiError::NotFound),
    ("TooManyRequests", ApiError::TooManyRequests),
    ("ServerTimeout", ApiError::ServerTimeout),
    ("Timeout", ApiError::Timeout),
    ("Forbidden", ApiError::Forbidden),
];

const CALLERS: [(&str, Caller); 2] = [("TaintManager", Caller::TaintManager), ("Any", Caller::Any)];

/// Codes of HTTP that people write in place of a reason.
const CODES: [(&str, &str); 6] = [
    ("403", "Forbidden"),
    ("404", "NotFound"),
    ("409", "Conflict"),
    ("429", "TooManyRequests"),
    ("500", "InternalError"),
    ("504", "Timeout"),
];

/// Reads the list.
pub(super) fn read(node: &Node, r: &mut Resolver) -> Vec<Fault> {
    let list = items(node, "`faults`", &mut r.diagnostics).unwrap_or(&[]);
    list.iter().filter_map(|item| fault(item, r)).collect()
}

fn fault(node: &Node, r: &mut Resolver) -> Option<Fault> {
    let mut fields = Fields::new(node, "a fault", &mut r.diagnostics)?;
    let verb = fields.require("verb");
    let verb_place = verb.map(|n| n.place);
    let verb = verb.and_then(|n| verb_of(n, &mut r.diagnostics));
    let resource = fields.require("resource").and_then(|n| resource(n, r));
    let target = target(&mut fields, resource.unwrap_or(Resource::Pods), verb, r);
    let diagnostics = &mut r.diagnostics;
    let error = fields.require("error").and_then(|n| error(n, diagnostics));
    let message = fields.take("message").and_then(|n| string(n, "message", diagnostics));
    let first = fields.take("first").and_then(|n| integer(n, "first", 1, i64::MAX, diagnostics));
    let caller = fields.take("caller").and_then(|n| word(n, "caller", &CALLERS, diagnostics));
    let probability = fields.take("probability").and_then(|n| probability(n, diagnostics));
    let between = fields.take("between").and_then(|n| between(n, diagnostics));
    let applied_node = fields.take("applied");
    let applied = applied_node.and_then(|n| boolean(n, "applied", diagnostics)).unwrap_or(false);
    if let (Some(node), Some(error)) = (applied_node, error)
        && applied
        && error != ApiError::Timeout
    {
        let message = format!("{} says that the store did not change", error.as_str());
        let help = "remove `applied`, or write `error: Timeout`";
        diagnostics.error_help(node.place, message, help);
    }
    fields.finish(diagnostics);
    let caller = caller.unwrap_or_default();
    if let (Some(verb), Some(resource), Some(place)) = (verb, resource, verb_place) {
        never_called(verb, resource, caller, place, diagnostics);
    }
    let (file, line) = (r.sources.shared_name(node.place.source), r.sources.line(node.place));
    Some(Fault {
        verb: verb?,
        resource: resource?,
        target: target?,
        caller,
        error: error?,
        applied,
        message: message.map(Box::from),
        first: first.and_then(|n| u64::try_from(n).ok()),
        probability,
        between,
        place: format!("{file}:{}", line.unwrap_or(1)).into(),
    })
}

/// What the calls are about; `None` where it is wrong.
fn target(
    fields: &mut Fields<'_>,
    resource: Resource,
    verb: Option<Verb>,
    r: &mut Resolver,
) -> Option<FaultTarget> {
    fields.know(&["node", "pod", "selector", "namespace"]);
    let before = r.diagnostics.len();
    let of_nodes = resource == Resource::Nodes || verb == Some(Verb::List);
    let target = if of_nodes {
        targets::take_nodes(fields, r).map(|named| FaultTarget::Nodes(named.target))
    } else {
        targets::take_pods(fields, r).map(|named| FaultTarget::Pods(named.target))
    };
    let wrong: &[&str] = if of_nodes { &["pod", "namespace"] } else { &["node"] };
    for key in wrong {
        let Some(node) = fields.take_hidden(key) else { continue };
        let (message, help) = match (of_nodes, resource) {
            (true, Resource::Pods) => (
                "a list is one of all pods of a node".to_owned(),
                format!("write `node: node-0` in the place of `{key}`: the node of the list"),
            ),
            (true, Resource::Nodes) => (
                format!("the resource is nodes, and `{key}` is about pods"),
                format!("write `node: node-0` in the place of `{key}`"),
            ),
            (false, _) => (
                "the resource is pods, and `node` names nodes".to_owned(),
                "write `pod: shop/web-0` or `selector: app=web` in its place".to_owned(),
            ),
        };
        r.diagnostics.error_help(node.place, message, help);
    }
    (r.diagnostics.len() == before).then(|| target.unwrap_or(FaultTarget::All))
}

fn verb_of(node: &Node, diagnostics: &mut Diagnostics) -> Option<Verb> {
    if let Value::Plain(text) | Value::Quoted(text) = &node.value {
        let meant = match &**text {
            "update" | "apply" => Some("patch: every change of an object is one"),
            "post" => Some("create"),
            "put" => Some("patch"),
            "watch" => Some("a step `breakWatch` instead: a watch is broken, it does not fail"),
            _ => None,
        };
        if let Some(meant) = meant {
            let message = format!("a fault has no verb `{text}`");
            diagnostics.error_help(node.place, message, format!("write {meant}"));
            return None;
        }
    }
    word(node, "verb", &VERBS, diagnostics)
}

fn error(node: &Node, diagnostics: &mut Diagnostics) -> Option<ApiError> {
    if let Value::Plain(code) | Value::Quoted(code) = &node.value
        && let Some((_, reason)) = CODES.iter().find(|(known, _)| *known == &**code)
    {
        let message = format!("`error` is the API's reason, not the code {code}");
        diagnostics.error_help(node.place, message, format!("write {reason}"));
        return None;
    }
    word(node, "error", &ERRORS, diagnostics)
}

/// Subresources go by the name of their resource.
fn resource(node: &Node, r: &mut Resolver) -> Option<Resource> {
    let resource = text(node, "resource", &mut r.diagnostics)?;
    if let Some((_, known)) = RESOURCES.iter().find(|(word, _)| *word == resource) {
        return Some(*known);
    }
    let help = match resource {
        "pods/status" | "pods/binding" | "pods/eviction" => {
            "write pods: it covers the subresources"
        }
        "nodes/status" => "write nodes: it covers the subresources",
        "pod" | "po" | "Pod" | "Pods" => "write pods, as in RBAC",
        "node" | "no" | "Node" | "Nodes" => "write nodes, as in RBAC",
        _ => "write pods or nodes: there are no others here",
    };
    let message = format!("a fault cannot hit the resource `{resource}`");
    r.diagnostics.error_help(node.place, message, help);
    None
}

/// Calls that nobody makes are no faults.
fn never_called(
    verb: Verb,
    resource: Resource,
    caller: Caller,
    place: Place,
    diagnostics: &mut Diagnostics,
) {
    let by_taint_manager = resource == Resource::Pods && verb != Verb::Create;
    let by_steps = caller == Caller::Any && !matches!(verb, Verb::Get | Verb::List);
    if by_taint_manager || by_steps {
        return;
    }
    let word = VERBS.iter().find(|(_, known)| *known == verb).map_or("", |(word, _)| *word);
    let message = format!("nobody that this fault hits ever calls {word} on {}", resource.as_str());
    let help = match verb {
        Verb::Get | Verb::List => "write `resource: pods`: nodes are neither got nor listed",
        _ => {
            "write `caller: Any`: these are calls of the scenario's steps, not the taint manager's"
        }
    };
    diagnostics.error_help(place, message, help);
}

/// A decimal between 0 and 1, read as text: no float decides anything.
fn probability(node: &Node, diagnostics: &mut Diagnostics) -> Option<Probability> {
    let written = text(node, "probability", diagnostics)?;
    let parsed = parse_probability(written);
    if parsed.is_none() {
        let message = format!("`probability` is a decimal from 0 to 1, not `{written}`");
        let help = match written.strip_suffix('%').and_then(|n| n.trim().parse::<u8>().ok()) {
            Some(percent) if percent < 100 => format!("write 0.{percent:02}"),
            Some(100) => "write 1".to_owned(),
            _ => "write such as 0.1, with at most 18 digits behind the point".to_owned(),
        };
        diagnostics.error_help(node.place, message, help);
    }
    parsed
}

fn parse_probability(text: &str) -> Option<Probability> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_decimal =
        digits(whole) && digits(fraction) && !(whole.is_empty() && fraction.is_empty());
    if !is_decimal || fraction.len() > 18 || (text.contains('.') && fraction.is_empty()) {
        return None;
    }
    let of = 10u64.pow(u32::try_from(fraction.len()).ok()?);
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let fraction: u64 = if fraction.is_empty() { 0 } else { fraction.parse().ok()? };
    let parts = whole.checked_mul(of)?.checked_add(fraction)?;
    (parts <= of).then_some(Probability { parts, of })
}

fn between(node: &Node, diagnostics: &mut Diagnostics) -> Option<(Time, Time)> {
    let Value::Sequence(times) = &node.value else {
        wrong_type(node, "`between`", "a list such as `[10s, 20s]`", &node.value, diagnostics);
        return None;
    };
    let [from, to] = times.as_slice() else {
        let message = "`between` is a list of two times";
        let help = "write `between: [10s, 20s]`: from the first on, and before the second";
        diagnostics.error_help(node.place, message, help);
        return None;
    };
    let (from, to) = (time(from, "between", diagnostics), time(to, "between", diagnostics));
    let (from, to) = (from?, to?);
    if from >= to {
        let message = format!("no time is at or after {from} and before {to}");
        let help = match from == to {
            true => format!("write a second time that is later than {to}"),
            false => format!("write [{to}, {from}]"),
        };
        diagnostics.error_help(node.place, message, help);
        return None;
    }
    Some((from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_exact_decimals() {
        let read = |text| parse_probability(text).map(|chance| (chance.parts, chance.of));
        assert_eq!(read("0.1"), Some((1, 10)));
        assert_eq!(read("0.250"), Some((250, 1000)));
        assert_eq!(read("0"), Some((0, 1)));
        assert_eq!(read("1"), Some((1, 1)));
        assert_eq!(read("1.0"), Some((10, 10)));
        assert_eq!(read(".5"), Some((5, 10)));
        for wrong in ["", ".", "1.1", "2", "-0.1", "0.", "1e-3", "10%", "0.0000000000000000001"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
