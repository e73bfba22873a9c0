//! `after`: steps that wait for something to happen.

use crate::kernel::time::Span;
use crate::objects::{NodeId, PodId, validation};
use crate::plan::{Trigger, When};
use crate::scenario::fields::Fields;
use crate::scenario::resolve::Resolver;
use crate::scenario::scalar::{integer, span, string};
use crate::scenario::suggest::name_help;
use crate::scenario::tree::{Node, Value};

type PodTrigger = fn(PodId) -> Trigger;
type NodeTrigger = fn(NodeId) -> Trigger;

/// The triggers of `after` that are about pods.
const POD_TRIGGERS: [(&str, PodTrigger); 5] = [
    ("armed", Trigger::Armed),
    ("cancelled", Trigger::Cancelled),
    ("evicted", Trigger::Evicted),
    ("removed", Trigger::Removed),
    ("bound", Trigger::Bound),
];

/// Those about nodes.
const NODE_TRIGGERS: [(&str, NodeTrigger); 2] =
    [("tainted", Trigger::Tainted), ("untainted", Trigger::Untainted)];

/// Triggers of the language that this version does not have.
const UNSUPPORTED: [&str; 2] = ["notReady", "ready"];

/// `after: {evicted: shop/web-0, plus: 30s, occurrence: 2}`.
pub(super) fn read(node: &Node, r: &mut Resolver) -> Option<When> {
    if let Value::Plain(text) | Value::Quoted(text) = &node.value
        && Span::parse(text.trim_start_matches('+')).is_ok()
    {
        let message = format!("`after` names what to wait for, and `{text}` is a time");
        let time = text.trim_start_matches('+');
        let help = format!(
            "write `at: +{time}` for a time after the step above, or `after: {{evicted: \
             shop/web-0, plus: {time}}}`"
        );
        r.diagnostics.error_help(node.place, message, help);
        return None;
    }
    let mut fields = Fields::new(node, "after", &mut r.diagnostics)?;
    let plus = fields.take("plus").map(|n| span(n, "plus", &mut r.diagnostics));
    let occurrence = fields
        .take("occurrence")
        .map(|n| integer(n, "occurrence", 1, i64::from(u32::MAX), &mut r.diagnostics));
    let mut triggers = Vec::new();
    for (key, trigger) in POD_TRIGGERS {
        let Some(node) = fields.take(key) else { continue };
        triggers.push((key, pod_name(node, key, r).map(trigger)));
    }
    for (key, trigger) in NODE_TRIGGERS {
        let Some(node) = fields.take(key) else { continue };
        triggers.push((key, node_name(node, key, r).map(trigger)));
    }
    let place = fields.head();
    let unsupported = fields.keys().any(|key| UNSUPPORTED.contains(&&*key.text));
    if triggers.is_empty() && !unsupported {
        let keys = POD_TRIGGERS.map(|(key, _)| key).into_iter();
        let keys: Vec<_> = keys.chain(NODE_TRIGGERS.map(|(key, _)| key)).collect();
        let help = "write `evicted: shop/web-0`; there are armed, cancelled, evicted, removed, bound (a pod), tainted, \
                    untainted (a node)";
        fields.missing(&keys, "`after` needs something to wait for", help);
    }
    fields.refuse_unsupported(&UNSUPPORTED, &mut r.diagnostics);
    fields.finish(&mut r.diagnostics);
    let trigger = match triggers.as_slice() {
        [(_, trigger)] => (*trigger)?,
        [] => return None,
        more => {
            let names: Vec<_> = more.iter().map(|(key, _)| *key).collect();
            let message = format!("`after` waits for one thing, not {}", names.join(" and "));
            r.diagnostics.error_help(place, message, "leave one, or write a step for each");
            return None;
        }
    };
    let plus = plus.unwrap_or(Some(Span::ZERO))?;
    let occurrence = occurrence.unwrap_or(Some(1)).and_then(|n| u32::try_from(n).ok())?;
    Some(When::After { trigger, occurrence, plus })
}

fn pod_name(node: &Node, key: &str, r: &mut Resolver) -> Option<PodId> {
    let text = single_name(node, key, "pod", r)?;
    let full = if text.contains('/') { text.to_owned() } else { format!("default/{text}") };
    Some(r.refer_to_pod(&full, node.place))
}

fn node_name(node: &Node, key: &str, r: &mut Resolver) -> Option<NodeId> {
    let text = single_name(node, key, "node", r)?;
    if validation::node_name(text).is_empty() {
        return Some(r.refer_to_node(text, node.place));
    }
    let message = format!("`{text}` is no name of a node");
    r.diagnostics.error_help(node.place, message, name_help("node", text, text));
    None
}

fn single_name<'t>(node: &'t Node, key: &str, what: &str, r: &mut Resolver) -> Option<&'t str> {
    if let Value::Sequence(_) = node.value {
        let message = format!("`{key}` waits for one {what}, not for a list");
        r.diagnostics.error_help(node.place, message, "write a step for each");
        return None;
    }
    let text = string(node, key, &mut r.diagnostics)?;
    if text.is_empty() || text.contains(['{', '*']) {
        let message = format!("`{key}` waits for one {what}, and `{text}` is not one name");
        let example = if what == "pod" { "shop/web-0" } else { "node-0" };
        r.diagnostics.error_help(node.place, message, format!("write `{key}: {example}`"));
        return None;
    }
    Some(text)
}
