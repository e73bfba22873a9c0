//! `spec.nodes` and `spec.pods`, and the same under `createNode` and `createPod`.

use super::control_plane::TERMINATIONS;
use super::taints;
use super::tolerations;
use crate::objects::{Lists, NodeId, validation};
use crate::plan::{NodeSpec, PodSpec, Validation};
use crate::scenario::fields::Fields;
use crate::scenario::manifest::{mapping_get, text as scalar_text};
use crate::scenario::resolve::{Resolver, Unread};
use crate::scenario::scalar::{integer, string, word};
use crate::scenario::suggest::wrong_name;
use crate::scenario::tree::{Node, Place, Value};

/// The keys of a node with more below them.
const NODE_PARTS: [&str; 2] = ["labels", "taints"];
/// Those of a pod.
const POD_PARTS: [&str; 2] = ["labels", "tolerations"];

/// The nodes that one entry makes, and its name as written.
pub(super) struct Nodes<'t> {
    /// The name, with its range.
    pub name: &'t str,
    /// One for each name.
    pub specs: Vec<NodeSpec>,
}

/// The pods that one entry makes.
pub(super) struct Pods {
    /// Namespace and name, with its range.
    pub name: String,
    /// One for each name.
    pub specs: Vec<PodSpec>,
}

/// Reads one entry. With `unique`, a name that exists already is a mistake.
pub(super) fn nodes<'t>(node: &'t Node, unique: bool, r: &mut Resolver) -> Option<Nodes<'t>> {
    let before = r.diagnostics.len();
    let read = read_nodes(node, unique, r);
    if r.diagnostics.len() > before {
        r.unread_nodes.add(Unread { names: read.is_none(), labels: true });
    }
    read
}

/// As [`nodes`]; `None` where the name cannot be read.
fn read_nodes<'t>(node: &'t Node, unique: bool, r: &mut Resolver) -> Option<Nodes<'t>> {
    let mut fields = Fields::new(node, "a node", &mut r.diagnostics)?;
    if is_manifest(&fields, "node", unique, r) {
        let name = mapping_get(mapping_get(node, "metadata")?, "name").and_then(scalar_text)?;
        r.create_node(name, Lists::NO_LABELS);
        return Some(Nodes { name, specs: Vec::new() });
    }
    let name = fields.require("name");
    let labels = fields.take_or_meant("labels", &NODE_PARTS);
    let labels = labels.map(|n| taints::labels(n, &r.rules, &mut r.diagnostics));
    let taints = fields
        .take_or_meant("taints", &NODE_PARTS)
        .map(|n| taints::read(n, "`taints`", &r.rules, &mut r.diagnostics));
    let termination = fields
        .take("podTermination")
        .and_then(|n| word(n, "podTermination", &TERMINATIONS, &mut r.diagnostics));
    fields.finish(&mut r.diagnostics);

    let labels = labels.map_or(Lists::NO_LABELS, |labels| r.lists.intern_labels(&labels));
    let taints = taints.map_or(Lists::NO_TAINTS, |list| r.lists.intern_taints(&list));
    let name_place = name?.place;
    let name = string(name?, "a node's name", &mut r.diagnostics)?;
    let pattern = r.object_pattern(name, name_place)?;
    let mut specs = Vec::new();
    let mut wrong = false;
    pattern.for_each(|each| {
        if !wrong && !check_name(each, "node", validation::node_name, name_place, name, r) {
            wrong = true;
            // So that those who name it right are not told that there is no such node.
            r.unread_nodes.names = true;
        }
        if wrong {
            return;
        }
        let id = if unique {
            r.create_new_node(each, labels)
        } else {
            Some(r.create_node(each, labels))
        };
        let Some(id) = id else {
            wrong = true;
            // Of a range, the others are not made.
            r.unread_nodes.names |= pattern.count() > 1;
            let message = format!("there is a node `{each}` already");
            r.diagnostics.error_help(name_place, message, "remove one of the two, or rename it");
            return;
        };
        specs.push(NodeSpec { taints, labels, termination, ..NodeSpec::new(id) });
    });
    Some(Nodes { name, specs })
}

/// Reads one entry. With `unique`, a name that exists already is a mistake.
pub(super) fn pods(node: &Node, unique: bool, r: &mut Resolver) -> Option<Pods> {
    let before = r.diagnostics.len();
    let read = read_pods(node, unique, r);
    if r.diagnostics.len() > before {
        r.unread_pods.add(Unread { names: read.is_none(), labels: true });
    }
    read
}

/// As [`pods`]; `None` where the name cannot be read.
fn read_pods(node: &Node, unique: bool, r: &mut Resolver) -> Option<Pods> {
    let mut fields = Fields::new(node, "a pod", &mut r.diagnostics)?;
    if is_manifest(&fields, "pod", unique, r) {
        let metadata = mapping_get(node, "metadata")?;
        let part = |key: &str| mapping_get(metadata, key).and_then(scalar_text);
        let name = format!("{}/{}", part("namespace").unwrap_or("default"), part("name")?);
        r.create_pod(&name, Lists::NO_LABELS);
        return Some(Pods { name, specs: Vec::new() });
    }
    let name = fields.require("name");
    let namespace = fields.take("namespace");
    let node_names = fields.take("nodeName");
    let labels = fields.take_or_meant("labels", &POD_PARTS);
    let labels = labels.map(|n| taints::labels(n, &r.rules, &mut r.diagnostics));
    let tolerations = fields.take_or_meant("tolerations", &POD_PARTS);
    let mut tolerations =
        tolerations.map(|n| tolerations::read(n, &r.rules, &mut r.diagnostics)).unwrap_or_default();
    let grace_key = "terminationGracePeriodSeconds";
    let grace = fields
        .take(grace_key)
        .and_then(|n| integer(n, grace_key, 0, i64::from(u32::MAX), &mut r.diagnostics));
    let before = r.diagnostics.len();
    fields.finish(&mut r.diagnostics);
    // An unknown key may have been meant as the namespace.
    r.unread_pods.names |= namespace.is_none() && r.diagnostics.len() > before;

    r.rules.admit(&mut tolerations);
    let tolerations = r.lists.intern_tolerations(&tolerations);
    let labels = labels.map_or(Lists::NO_LABELS, |labels| r.lists.intern_labels(&labels));
    let grace = grace.and_then(|n| u32::try_from(n).ok());
    let grace_period_seconds = grace.unwrap_or(PodSpec::DEFAULT_GRACE_PERIOD_SECONDS);
    let nodes = node_names.map(|node| node_list(node, r)).unwrap_or_default();

    let namespace_text = match namespace {
        Some(node) => string(node, "a pod's namespace", &mut r.diagnostics)?,
        None => "default",
    };
    let namespace_place = namespace.map_or(node.place, |node| node.place);
    if !check_name(
        namespace_text,
        "namespace",
        validation::namespace,
        namespace_place,
        namespace_text,
        r,
    ) {
        return None;
    }
    let name_place = name?.place;
    let name = string(name?, "a pod's name", &mut r.diagnostics)?;
    if name.contains('/') {
        let message = format!("`{name}` is no pod name");
        let (namespace, own) = name.split_once('/').unwrap_or(("", name));
        let help = format!("write `name: {own}` and `namespace: {namespace}`");
        r.diagnostics.error_help(name_place, message, help);
        // So that those who name it are not told that there is no such pod.
        if let Some(pattern) = r.object_pattern(own, name_place) {
            pattern.for_each(|each| {
                r.create_pod(&format!("{namespace}/{each}"), labels);
            });
        }
        return Some(Pods { name: name.to_owned(), specs: Vec::new() });
    }
    let pattern = r.object_pattern(name, name_place)?;
    let mut specs = Vec::with_capacity(usize::try_from(pattern.count()).unwrap_or(0));
    let mut full = String::new();
    let mut wrong = false;
    pattern.for_each(|each| {
        if !wrong && !check_name(each, "pod", validation::pod_name, name_place, name, r) {
            wrong = true;
            r.unread_pods.names = true;
        }
        if wrong {
            return;
        }
        full.clear();
        full.extend([namespace_text, "/", each]);
        let id = if unique {
            r.create_new_pod(&full, labels)
        } else {
            Some(r.create_pod(&full, labels))
        };
        let Some(id) = id else {
            wrong = true;
            r.unread_pods.names |= pattern.count() > 1;
            let message = format!("there is a pod `{full}` already");
            r.diagnostics.error_help(name_place, message, "remove one of the two, or rename it");
            return;
        };
        let node = if nodes.is_empty() { None } else { Some(nodes[specs.len() % nodes.len()]) };
        specs.push(PodSpec { tolerations, labels, grace_period_seconds, ..PodSpec::new(id, node) });
    });
    Some(Pods { name: format!("{namespace_text}/{name}"), specs })
}

/// The nodes of `nodeName`: a name, a range, or a list of these.
fn node_list(node: &Node, r: &mut Resolver) -> Vec<NodeId> {
    let one;
    let items: &[Node] = match &node.value {
        Value::Sequence(items) => items,
        _ => {
            one = [node.clone()];
            &one
        }
    };
    let mut nodes = Vec::new();
    for item in items {
        let Some(text) = string(item, "a node's name", &mut r.diagnostics) else { continue };
        if text.is_empty() || text.contains('*') {
            let help = "leave `nodeName` out for an unscheduled pod";
            r.diagnostics.error_help(item.place, format!("`{text}` is no node name"), help);
            continue;
        }
        if let Some(pattern) = r.reference_pattern(text, item.place) {
            pattern.for_each(|name| nodes.push(r.refer_to_node(name, item.place)));
        }
    }
    nodes
}

/// Whether a name is one that the API takes; a mistake is noted where it is not.
fn check_name(
    name: &str,
    what: &str,
    rule: fn(&str) -> Vec<String>,
    place: Place,
    written: &str,
    r: &mut Resolver,
) -> bool {
    // Names are keys of everything here, so some have no meaning even where rules are off.
    let impossible = name.is_empty() || name.contains(['/', ' ']);
    if r.rules.validation == Validation::Ignore && !impossible {
        return true;
    }
    let problems = rule(name);
    for problem in &problems {
        r.diagnostics.push(wrong_name(what, name, written, problem, place));
    }
    problems.is_empty()
}

/// A manifest in the place of an entry; a mistake is noted.
fn is_manifest(fields: &Fields<'_>, what: &str, unique: bool, r: &mut Resolver) -> bool {
    let place = ["metadata", "spec"].into_iter().find_map(|key| fields.key_place(key));
    let Some(place) = place.filter(|_| fields.key_place("name").is_none()) else { return false };
    let flat = match what {
        "node" => "{name: node-0, labels: {..}, taints: [..]}",
        _ => "{name: web-0, namespace: shop, nodeName: node-0, tolerations: [..]}",
    };
    let whole = match unique {
        true => "put the manifest below the Scenario, after a line `---`",
        false => "use the action `apply`, which takes a manifest",
    };
    let message = format!("this is a manifest, and a {what} is written without metadata and spec");
    r.diagnostics.error_help(place, message, format!("write {flat}; or {whole}"));
    true
}
