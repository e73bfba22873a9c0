//! The actions of steps, and the words for them on the timeline.

use super::apply;
use super::objects;
use super::taints;
use super::targets;
use super::tolerations;
use crate::kernel::Span;
use crate::objects::{Lists, Taint};
use crate::plan::{Action, LabelChange, Resource, StepAction, TaintChange};
use crate::scenario::fields::Fields;
use crate::scenario::kubectl::{self as kubectl_line, ApplyFile};
use crate::scenario::resolve::Resolver;
use crate::scenario::scalar::{boolean, integer, span, string, word};
use crate::scenario::shapes;
use crate::scenario::tree::{Node, Place, Value};

/// The keys of actions.
pub(super) const ACTIONS: [&str; 13] = [
    "kubectl",
    "taint",
    "createPod",
    "createNode",
    "deletePod",
    "deleteNode",
    "bindPod",
    "setTolerations",
    "touchPod",
    "apply",
    "restartController",
    "breakWatch",
    "note",
];

/// Keys of the language that this version does not have.
pub(super) const UNSUPPORTED: [&str; 7] = [
    "stopHeartbeats",
    "resumeHeartbeats",
    "crashNode",
    "rebootNode",
    "setNodeReady",
    "crashZone",
    "recoverZone",
];

/// Reads the argument of the action `key`.
pub(super) fn read(key: &'static str, node: &Node, r: &mut Resolver) -> Option<Vec<StepAction>> {
    if matches!(node.value, Value::Null) && key != "restartController" {
        let help = match shapes::mapping(key, &node.value) {
            Some(shape) => format!("write `{key}: {shape}`"),
            None => format!("write `{key}: {}`", example(key)),
        };
        r.diagnostics.error_help(node.place, format!("`{key}` has no argument"), help);
        return None;
    }
    if key == "kubectl" {
        let line = string(node, key, &mut r.diagnostics)?;
        return kubectl(line, node.place, r);
    }
    let (action, text) = match key {
        "taint" => taint(node, r)?,
        "createPod" => {
            let pods = objects::pods(node, false, r)?;
            (Action::CreatePods(pods.specs), format!("create pod {}", pods.name))
        }
        "createNode" => {
            let nodes = objects::nodes(node, false, r)?;
            let text = format!("create node {}", nodes.name);
            (Action::CreateNodes(nodes.specs), text)
        }
        "deletePod" => delete_pod(node, r)?,
        "deleteNode" => {
            let mut fields = Fields::new(node, "deleteNode", &mut r.diagnostics)?;
            let nodes = targets::require_nodes(&mut fields, "deleteNode", r);
            fields.finish(&mut r.diagnostics);
            let nodes = nodes?;
            (Action::DeleteNodes(nodes.target), format!("delete node {}", nodes.text))
        }
        "bindPod" => bind_pod(node, r)?,
        "setTolerations" => set_tolerations(node, r)?,
        "touchPod" => touch_pod(node, r)?,
        "restartController" => restart(node, r)?,
        "breakWatch" => break_watch(node, r)?,
        "note" => {
            let text = string(node, key, &mut r.diagnostics)?;
            (Action::Note(text.into()), text.to_owned())
        }
        _ => return apply::step(node, r),
    };
    Some(vec![StepAction { action, text: text.into(), kubectl: false }])
}

/// The argument of an action that is no mapping of its own.
fn example(key: &str) -> &'static str {
    match key {
        "kubectl" => "cordon node-0",
        "createPod" => "{name: web-0, nodeName: node-0}",
        "createNode" => "{name: node-0}",
        "apply" => "{apiVersion: v1, kind: Pod, metadata: {name: web-0}, spec: {..}}",
        _ => "a text for the timeline",
    }
}

/// A kubectl command line.
pub(super) fn kubectl(line: &str, place: Place, r: &mut Resolver) -> Option<Vec<StepAction>> {
    let mut apply = |file: ApplyFile<'_>, r: &mut Resolver| {
        let before = r.diagnostics.len();
        let documents = r.read_documents(file.file, file.place);
        if r.diagnostics.len() > before {
            return Err(Vec::new());
        }
        apply::documents(&documents, file.namespace, file.place, r).ok_or_else(Vec::new)
    };
    match kubectl_line::parse(line, place, r, &mut apply) {
        Ok(actions) => Some(actions),
        Err(diagnostics) => {
            r.diagnostics.extend(diagnostics);
            None
        }
    }
}

fn taint(node: &Node, r: &mut Resolver) -> Option<(Action, String)> {
    let mut fields = Fields::new(node, "taint", &mut r.diagnostics)?;
    let before = r.diagnostics.len();
    let nodes = targets::require_nodes(&mut fields, "taint", r);
    let diagnostics = &mut r.diagnostics;
    let add = fields.take("add").map(|n| taints::read(n, "`add`", &r.rules, diagnostics));
    let remove = fields.take("remove").map(|n| taints::patterns(n, &r.rules, diagnostics));
    let replace_place = fields.key_place("replace");
    let replace =
        fields.take("replace").map(|n| taints::read(n, "`replace`", &r.rules, diagnostics));
    match (replace_place, add.is_some() || remove.is_some()) {
        (Some(place), true) => {
            let help = "`replace` sets the whole list; `add` and `remove` change single taints";
            let message = "`replace` stands beside `add` or `remove`";
            diagnostics.error_help(place, message, help);
        }
        (Some(place), false) if replace.is_none() => {
            diagnostics.error_help(place, "`replace` is null", "`replace: []` clears the list");
        }
        (None, false) => {
            let message = "`taint` changes nothing: it needs `add`, `remove` or `replace`";
            let help = "write `add: [maintenance=now:NoExecute]` or `remove: [maintenance]`";
            fields.missing(&["add", "remove", "replace"], message, help);
        }
        _ => {}
    }
    fields.finish(diagnostics);
    if diagnostics.len() > before {
        return None;
    }
    let nodes = nodes?;
    let mut text = format!("taint {}", nodes.text);
    for pattern in remove.iter().flatten() {
        text.push_str(&format!(" -{}", pattern.key));
        if let Some(effect) = &pattern.effect {
            text.push_str(&format!(":{}", effect.as_str()));
        }
    }
    for taint in add.iter().flatten() {
        text.push_str(&format!(" +{taint}"));
    }
    if let Some(list) = &replace {
        let list: Vec<String> = list.iter().map(Taint::to_string).collect();
        text.push_str(&format!(" =[{}]", list.join(",")));
    }
    let change = TaintChange {
        remove: remove.unwrap_or_default(),
        add: add.map_or(Lists::NO_TAINTS, |list| r.lists.intern_taints(&list)),
        replace: replace.map(|list| r.lists.intern_taints(&list)),
        overwrite: true,
    };
    Some((Action::Taint { nodes: nodes.target, change }, text))
}

fn delete_pod(node: &Node, r: &mut Resolver) -> Option<(Action, String)> {
    let mut fields = Fields::new(node, "deletePod", &mut r.diagnostics)?;
    let pods = targets::require_pods(&mut fields, "deletePod", r);
    let key = "gracePeriodSeconds";
    let before = r.diagnostics.len();
    let grace = fields
        .take(key)
        .and_then(|n| integer(n, key, 0, i64::from(u32::MAX), &mut r.diagnostics))
        .and_then(|n| u32::try_from(n).ok());
    fields.finish(&mut r.diagnostics);
    if r.diagnostics.len() > before {
        return None;
    }
    let pods = pods?;
    let mut text = format!("delete pod {}", pods.text);
    if let Some(grace) = grace {
        text.push_str(&format!(" (grace {grace}s)"));
    }
    Some((Action::DeletePods { pods: pods.target, grace_period_seconds: grace }, text))
}

fn bind_pod(node: &Node, r: &mut Resolver) -> Option<(Action, String)> {
    let mut fields = Fields::new(node, "bindPod", &mut r.diagnostics)?;
    let node = fields.require("node");
    let pods = targets::require_pods(&mut fields, "bindPod", r);
    fields.finish(&mut r.diagnostics);
    let place = node?.place;
    let name = string(node?, "node", &mut r.diagnostics)?;
    if name.is_empty() || name.contains(['{', '*']) {
        let message = format!("a pod is bound to one node, and `{name}` is not one name");
        r.diagnostics.error_help(place, message, "write one name, such as `node: node-0`");
        return None;
    }
    let id = r.refer_to_node(name, place);
    let pods = pods?;
    let text = format!("bind pod {} to {name}", pods.text);
    Some((Action::BindPods { pods: pods.target, node: id }, text))
}

fn set_tolerations(node: &Node, r: &mut Resolver) -> Option<(Action, String)> {
    let mut fields = Fields::new(node, "setTolerations", &mut r.diagnostics)?;
    let before = r.diagnostics.len();
    let pods = targets::require_pods(&mut fields, "setTolerations", r);
    let list = fields.require("tolerations");
    let list = list.map(|n| tolerations::read(n, &r.rules, &mut r.diagnostics));
    let force = fields.take("force").and_then(|n| boolean(n, "force", &mut r.diagnostics));
    fields.finish(&mut r.diagnostics);
    if r.diagnostics.len() > before {
        return None;
    }
    let (pods, mut list, force) = (pods?, list?, force.unwrap_or(false));
    let words: Vec<String> = list.iter().map(ToString::to_string).collect();
    let mut text = format!("set tolerations of pod {} to [{}]", pods.text, words.join(", "));
    if force {
        text.push_str(" (force)");
    }
    // Admission acts on updates as well; what is forced goes past the API server.
    if !force {
        r.rules.admit(&mut list);
    }
    let tolerations = r.lists.intern_tolerations(&list);
    Some((Action::SetTolerations { pods: pods.target, tolerations, force }, text))
}

fn touch_pod(node: &Node, r: &mut Resolver) -> Option<(Action, String)> {
    let mut fields = Fields::new(node, "touchPod", &mut r.diagnostics)?;
    let before = r.diagnostics.len();
    let pods = targets::require_pods(&mut fields, "touchPod", r);
    let labels = fields.require("labels");
    let labels = labels.map(|n| taints::labels(n, &r.rules, &mut r.diagnostics));
    fields.finish(&mut r.diagnostics);
    if r.diagnostics.len() > before {
        return None;
    }
    let (pods, labels) = (pods?, labels?);
    r.labels_change();
    let set: Vec<_> = labels.iter().map(|(k, v)| (k.into(), v.into())).collect();
    let words: Vec<String> = labels.iter().map(|(k, v)| format!("{k}={v}")).collect();
    let text = format!("touch pod {} {}", pods.text, words.join(" "));
    let change = LabelChange { set, remove: Vec::new(), overwrite: true };
    Some((Action::LabelPods { pods: pods.target, change }, text))
}

fn break_watch(node: &Node, r: &mut Resolver) -> Option<(Action, String)> {
    let diagnostics = &mut r.diagnostics;
    let mut fields = Fields::new(node, "breakWatch", diagnostics)?;
    let words = [("pods", Resource::Pods), ("nodes", Resource::Nodes)];
    let resource =
        fields.require("resource").and_then(|n| word(n, "resource", &words, diagnostics));
    let down_for = fields.take("for").map(|n| span(n, "for", diagnostics));
    fields.finish(diagnostics);
    let (resource, down_for) = (resource?, down_for.unwrap_or(Some(Span::ZERO))?);
    let text = format!("break watch on {} (for {down_for})", resource.as_str());
    Some((Action::BreakWatch { resource, down_for }, text))
}

fn restart(node: &Node, r: &mut Resolver) -> Option<(Action, String)> {
    let mut fields = Fields::new(node, "restartController", &mut r.diagnostics)?;
    let down_for = fields.take("for").map(|n| span(n, "for", &mut r.diagnostics));
    fields.finish(&mut r.diagnostics);
    let down_for = down_for.unwrap_or(Some(Span::ZERO))?;
    let text = format!("restart controller (down for {down_for})");
    Some((Action::RestartController { down_for }, text))
}
