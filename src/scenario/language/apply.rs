//! `apply`, in a step and in a kubectl line: manifests that are created or brought to the store's
//! objects. Unlike the manifests of a dump they go through validation and admission.

use super::taints;
use super::tolerations;
use crate::plan::{Action, StepAction};
use crate::scenario::manifest::{self, Objects};
use crate::scenario::resolve::Resolver;
use crate::scenario::tree::{Node, Place, Value};

/// `apply` of a Node or Pod manifest that stands in the scenario.
pub(super) fn step(node: &Node, r: &mut Resolver) -> Option<Vec<StepAction>> {
    if let Some((message, help)) = no_manifest(node) {
        r.diagnostics.error_help(node.place, message, help);
        return None;
    }
    let actions = self::documents(std::slice::from_ref(node), None, node.place, r)?;
    let step = |action: Action| {
        let text = match &action {
            Action::ApplyNode(apply) => format!("apply node {}", r.names.node(apply.create.node)),
            Action::ApplyPod(apply) => format!("apply pod {}", r.names.pod(apply.create.pod)),
            _ => String::new(),
        };
        StepAction { action, text: text.into(), kubectl: false }
    };
    Some(actions.into_iter().map(step).collect())
}

/// What is said about an argument that is no manifest.
fn no_manifest(node: &Node) -> Option<(&'static str, String)> {
    match &node.value {
        Value::Plain(text) | Value::Quoted(text) => {
            let message = "`apply` takes a manifest in place, not a text";
            Some((message, format!("a file is applied by `kubectl: apply -f {text}`")))
        }
        Value::Mapping(entries) => {
            let has = |wanted: &str| entries.iter().any(|(key, _)| *key.text == *wanted);
            let is_short = has("name") && !["kind", "metadata", "items"].into_iter().any(has);
            let message =
                "this is written as under `nodes` or `pods`, and `apply` takes a manifest";
            let help = "use the action `createPod` or `createNode`; or write {apiVersion: v1, kind: \
                        Pod, metadata: {name: ..}, spec: {..}}";
            is_short.then(|| (message, help.to_owned()))
        }
        Value::Null | Value::Sequence(_) | Value::Skipped => None,
    }
}

/// What applying the manifests of a file, or of a step, does to the store. `place` is that of the
/// step; `namespace` is kubectl's `-n`.
pub(super) fn documents(
    documents: &[Node],
    namespace: Option<&str>,
    place: Place,
    r: &mut Resolver,
) -> Option<Vec<Action>> {
    let mut objects = Objects::default();
    let before = r.diagnostics.len();
    let default_namespace = namespace.unwrap_or("default");
    let diagnostics = &mut r.diagnostics;
    manifest::collect(documents, default_namespace, &mut r.lists, &mut objects, diagnostics);
    objects.finish();
    r.unread_nodes.add(objects.unread_nodes);
    r.unread_pods.add(objects.unread_pods);
    let mut actions = Vec::new();
    for (name, object) in &objects.nodes {
        let apply = object.apply(name, &mut r.names, &mut r.lists);
        if let Some(taints) = apply.taints {
            let list = r.lists.taints(taints).to_vec();
            taints::check(&list, object.place, &r.rules, &mut r.diagnostics);
        }
        r.create_node(name, apply.create.labels);
        actions.push(Action::ApplyNode(apply));
    }
    for (name, object) in &objects.pods {
        if namespace.is_some_and(|wanted| name.split_once('/').is_some_and(|(n, _)| n != wanted)) {
            let message = format!("the namespace of pod `{name}` is not that of `-n`");
            let help = "leave out `-n`, or apply the pod by itself";
            r.diagnostics.error_help(place, message, help);
        }
        let mut apply = object.apply(name, &mut r.names, &mut r.lists);
        r.create_pod(name, apply.create.labels);
        let mut list = r.lists.tolerations(apply.create.tolerations).to_vec();
        tolerations::check(&list, object.place, &r.rules, &mut r.diagnostics);
        r.rules.admit(&mut list);
        let admitted = r.lists.intern_tolerations(&list);
        apply.create.tolerations = admitted;
        apply.tolerations = apply.tolerations.map(|_| admitted);
        if let Some(node_name) = &object.node_name {
            r.refer_to_node(node_name, object.place);
        }
        actions.push(Action::ApplyPod(apply));
    }
    r.notices.extend(objects.notices.into_iter().map(Into::into));
    if r.diagnostics.len() > before {
        return None;
    }
    if actions.is_empty() {
        let message = "apply takes a Node or Pod manifest, and there is none";
        let help = "remove it: only Nodes and Pods are simulated";
        r.diagnostics.error_help(place, message, help);
        return None;
    }
    Some(actions)
}
