//! What is there at the start: entries of `spec`, and manifests for what these cannot say.
//!
//! Manifests come after the entries, and the order of creation tells: what comes after the first
//! object that has to be a manifest is one, too.

use std::collections::BTreeSet;

use super::comment::comment;
use super::items::{self, NodeItem, PodItem};
use super::names::{one_text, range, runs};
use super::sayable;
use super::settings::termination;
use super::tree::{Entries, Yaml};
use super::words;
use crate::objects::{Labels, NodeId, validation};
use crate::plan::{Action, NodeSpec, Plan, PodSpec, Validation};
use crate::scenario::limits::counted;
use crate::scenario::rules::Rules;

/// What stands for the time of a deletion; nothing reads it.
const DELETED_AT: &str = "2026-01-01T00:00:00Z";

/// The objects at the start, each in its place.
pub(super) struct Starting<'p> {
    plan: &'p Plan,
    /// Under `spec.nodes`.
    pub(super) nodes: &'p [NodeSpec],
    /// Manifests, but for bare nodes that only manifests of pods can name.
    node_manifests: Vec<&'p NodeSpec>,
    /// Under `spec.pods`.
    pub(super) pods: &'p [PodSpec],
    pod_manifests: &'p [PodSpec],
}

impl<'p> Starting<'p> {
    /// What can stand under `spec`, whatever admission does.
    pub(super) fn new(plan: &'p Plan) -> Starting<'p> {
        let strict = plan.config.api_server.validation == Validation::Strict;
        let is_right = |node: &NodeSpec| {
            let is_named = is_node_name(plan, node.node, strict);
            let taints = plan.lists.taints(node.taints);
            let fits = sayable::taints(taints) && sayable::labels(plan.lists.labels(node.labels));
            is_named && !node.unschedulable && (!strict || fits)
        };
        let split = plan.nodes.iter().position(|node| !is_right(node));
        let (nodes, others) = plan.nodes.split_at(split.unwrap_or(plan.nodes.len()));
        let is_named = |node: &&NodeSpec| is_node_name(plan, node.node, true);
        let node_manifests: Vec<&NodeSpec> = others.iter().filter(is_named).collect();
        let mut named: BTreeSet<NodeId> = nodes.iter().map(|node| node.node).collect();
        named.extend(node_manifests.iter().map(|node| node.node));
        named.extend(nodes_of_steps(plan));
        let rules = Rules {
            comparison_operators: plan.config.switches.comparison_operators,
            ..Rules::default()
        };
        let is_right = |pod: &PodSpec| {
            let of_manifest = pod.terminating || pod.disruption_target || pod.finished;
            let tolerations = plan.lists.tolerations(pod.tolerations);
            let fits = sayable::tolerations(tolerations, &rules)
                && sayable::labels(plan.lists.labels(pod.labels));
            !of_manifest
                && pod.manifest_uid.is_none()
                && pod.node.is_none_or(|node| named.contains(&node))
                && (!strict || fits)
        };
        let split = plan.pods.iter().position(|pod| !is_right(pod));
        let (pods, pod_manifests) = plan.pods.split_at(split.unwrap_or(plan.pods.len()));
        Starting { plan, nodes, node_manifests, pods, pod_manifests }
    }

    /// Moves pods to the manifests from the first one on whose list admission would change.
    pub(super) fn admit(&mut self, rules: &Rules) {
        let lists = &self.plan.lists;
        let changes =
            |pod: &PodSpec| rules.before_admission(lists.tolerations(pod.tolerations)).is_none();
        if let Some(split) = self.pods.iter().position(changes) {
            (self.pods, self.pod_manifests) = self.plan.pods.split_at(split);
        }
    }

    /// The entries of `spec`.
    pub(super) fn push(&self, rules: &Rules, spec: &mut Entries) {
        let (nodes, pods) = (nodes(self.plan, self.nodes), pods(self.plan, self.pods, rules));
        for (key, list) in [("nodes", nodes), ("pods", pods)] {
            if !list.is_empty() {
                spec.put(key, Yaml::List(list.into_iter().map(Yaml::Map).collect()));
            }
        }
    }

    /// The documents after the scenario.
    pub(super) fn push_manifests(&self, out: &mut String) {
        if !self.node_manifests.is_empty() {
            let what = counted(self.node_manifests.len() as u64, "node");
            begin(out, &what, "spec.nodes", "NodeList");
            for node in &self.node_manifests {
                items::node_item(out, &node_item(self.plan, node));
            }
        }
        if !self.pod_manifests.is_empty() {
            let what = counted(self.pod_manifests.len() as u64, "pod");
            begin(out, &what, "spec.pods", "PodList");
            for pod in self.pod_manifests {
                items::pod_item(out, &pod_item(self.plan, pod));
            }
        }
    }
}

fn begin(out: &mut String, what: &str, key: &str, kind: &str) {
    out.push_str("---\n");
    let text = format!("{what} as a manifest: {key} cannot say the first of them exactly.");
    comment(out, 0, &text);
    out.push_str("apiVersion: v1\nkind: ");
    out.push_str(kind);
    out.push_str("\nitems:\n");
}

/// Whether an entry can name the node.
fn is_node_name(plan: &Plan, node: NodeId, strict: bool) -> bool {
    let name = plan.names.node(node);
    match strict {
        true => validation::node_name(name).is_empty(),
        false => !name.is_empty() && !name.contains(['/', ' ', '{', '}']),
    }
}

/// The nodes that steps create.
fn nodes_of_steps(plan: &Plan) -> impl Iterator<Item = NodeId> {
    let all = plan.steps.iter().flat_map(|step| &step.actions);
    all.flat_map(|action| match &action.action {
        Action::CreateNodes(nodes) => nodes.iter().map(|node| node.node).collect(),
        Action::ApplyNode(apply) => vec![apply.create.node],
        _ => Vec::new(),
    })
}

fn node_item<'p>(plan: &'p Plan, node: &NodeSpec) -> NodeItem<'p> {
    NodeItem {
        name: plan.names.node(node.node),
        labels: plan.lists.labels(node.labels).clone(),
        taints: plan.lists.taints(node.taints).to_vec(),
        unschedulable: node.unschedulable,
    }
}

fn pod_item<'p>(plan: &'p Plan, pod: &PodSpec) -> PodItem<'p> {
    let (namespace, name) = plan.names.pod_parts(pod.pod);
    let uid = pod.manifest_uid.and_then(|index| plan.manifest_uids.get(index as usize));
    PodItem {
        namespace,
        name,
        uid: uid.map(|uid| &**uid),
        node: pod.node.map(|node| plan.names.node(node)),
        labels: plan.lists.labels(pod.labels).clone(),
        tolerations: plan.lists.tolerations(pod.tolerations).to_vec(),
        grace_period_seconds: pod.grace_period_seconds,
        deletion_timestamp: pod.terminating.then_some(DELETED_AT),
        disruption_target: pod.disruption_target,
        finished: pod.finished.then_some("Succeeded"),
    }
}

/// Entries of nodes: one for those in a row that differ only in a number of their names.
pub(super) fn nodes(plan: &Plan, specs: &[NodeSpec]) -> Vec<Entries> {
    let mut list = Vec::new();
    let mut rest = specs;
    while let Some(first) = rest.first() {
        let alike = rest.iter().take_while(|node| is_alike_node(node, first));
        let names: Vec<&str> = alike.map(|node| plan.names.node(node.node)).collect();
        for (_, name) in runs(&names) {
            list.push(node_entry(plan, first, &name));
        }
        rest = &rest[names.len()..];
    }
    list
}

/// One entry for all nodes, where there is one.
pub(super) fn nodes_in_one(plan: &Plan, specs: &[NodeSpec]) -> Option<Entries> {
    let first = specs.first().filter(|first| specs.iter().all(|n| is_alike_node(n, first)))?;
    let names: Vec<&str> = specs.iter().map(|node| plan.names.node(node.node)).collect();
    Some(node_entry(plan, first, &one_text(&names)?))
}

fn is_alike_node(one: &NodeSpec, other: &NodeSpec) -> bool {
    NodeSpec { node: other.node, ..*one } == *other
}

fn node_entry(plan: &Plan, spec: &NodeSpec, name: &str) -> Entries {
    let mut entries = Entries::default();
    entries.text("name", name);
    entries.filled("labels", words::labels(plan.lists.labels(spec.labels)));
    let taints = plan.lists.taints(spec.taints);
    if !taints.is_empty() {
        entries.put("taints", Yaml::List(taints.iter().map(words::taint).collect()));
    }
    if let Some(own) = spec.termination {
        entries.text("podTermination", termination(own));
    }
    entries
}

/// Entries of pods: one for those in a row that differ only in a number of their names, and whose
/// nodes come in turn.
pub(super) fn pods(plan: &Plan, specs: &[PodSpec], rules: &Rules) -> Vec<Entries> {
    let mut list = Vec::new();
    let mut rest = specs;
    while let Some(first) = rest.first() {
        let alike = rest.iter().take_while(|pod| is_alike_pod(plan, pod, first));
        let names: Vec<&str> = alike.map(|pod| plan.names.pod_parts(pod.pod).1).collect();
        for (count, name) in runs(&names) {
            list.push(pod_entry(plan, &rest[..count], &name, rules));
            rest = &rest[count..];
        }
    }
    list
}

/// One entry for all pods, where there is one.
pub(super) fn pods_in_one(plan: &Plan, specs: &[PodSpec], rules: &Rules) -> Option<Entries> {
    let first = specs.first()?;
    if !specs.iter().all(|pod| is_alike_pod(plan, pod, first)) {
        return None;
    }
    let names: Vec<&str> = specs.iter().map(|pod| plan.names.pod_parts(pod.pod).1).collect();
    Some(pod_entry(plan, specs, &one_text(&names)?, rules))
}

fn is_alike_pod(plan: &Plan, one: &PodSpec, other: &PodSpec) -> bool {
    let same_place = one.node.is_some() == other.node.is_some()
        && plan.names.pod_parts(one.pod).0 == plan.names.pod_parts(other.pod).0;
    same_place && PodSpec { pod: other.pod, node: other.node, ..*one } == *other
}

fn pod_entry(plan: &Plan, specs: &[PodSpec], name: &str, rules: &Rules) -> Entries {
    let mut entries = Entries::default();
    let Some(spec) = specs.first() else { return entries };
    entries.text("name", name);
    let (namespace, _) = plan.names.pod_parts(spec.pod);
    if namespace != "default" {
        entries.text("namespace", namespace);
    }
    let nodes: Vec<NodeId> = specs.iter().filter_map(|pod| pod.node).collect();
    if !nodes.is_empty() {
        let in_turn = &nodes[..turn(&nodes)];
        let names: Vec<&str> = in_turn.iter().map(|node| plan.names.node(*node)).collect();
        entries.put(
            "nodeName",
            match range(&names) {
                Some(range) => Yaml::Text(range),
                None => Yaml::one_or_list(words::node_names(plan, in_turn)),
            },
        );
    }
    entries.filled("labels", words::labels(plan.lists.labels(spec.labels)));
    if spec.grace_period_seconds != PodSpec::DEFAULT_GRACE_PERIOD_SECONDS {
        entries.plain("terminationGracePeriodSeconds", spec.grace_period_seconds);
    }
    let list = plan.lists.tolerations(spec.tolerations);
    let list = rules.before_admission(list).unwrap_or(list);
    if !list.is_empty() {
        entries.put("tolerations", Yaml::List(list.iter().map(words::toleration).collect()));
    }
    entries
}

/// How many nodes come in turn.
fn turn(nodes: &[NodeId]) -> usize {
    let repeats =
        |length: &usize| nodes.iter().skip(*length).eq(nodes.iter().take(nodes.len() - length));
    (1..=nodes.len()).find(repeats).unwrap_or(nodes.len())
}

/// The metadata of a manifest.
pub(super) fn metadata(name: &str, namespace: Option<&str>, labels: &Labels) -> Yaml {
    let mut entries = Entries::default();
    entries.text("name", name);
    if let Some(namespace) = namespace.filter(|namespace| *namespace != "default") {
        entries.text("namespace", namespace);
    }
    entries.filled("labels", words::labels(labels));
    Yaml::Map(entries)
}
