//! From manifest objects to the objects of a plan.

use super::notices::named;
use super::{NodeObject, Objects, PodObject};
use crate::objects::{Lists, Names};
use crate::plan::{ApplyNode, ApplyPod, NodeSpec, Plan, PodSpec};
use crate::scenario::diagnostic::Diagnostics;
use crate::scenario::resolve::Resolver;
use crate::scenario::tree::Place;

impl NodeObject {
    /// The node of this name as the plan creates it.
    pub fn spec(&self, name: &str, names: &mut Names, lists: &mut Lists) -> NodeSpec {
        NodeSpec {
            taints: self.taints.unwrap_or(Lists::NO_TAINTS),
            labels: lists.intern_labels(&self.labels),
            unschedulable: self.unschedulable,
            ..NodeSpec::new(names.intern_node(name))
        }
    }

    /// What `apply` of this manifest does.
    pub fn apply(&self, name: &str, names: &mut Names, lists: &mut Lists) -> ApplyNode {
        ApplyNode { create: self.spec(name, names, lists), taints: self.taints }
    }
}

impl PodObject {
    /// The pod `namespace/name` as the plan creates it. Its uid, if any, is pushed to `uids`.
    pub fn spec(
        &self,
        name: &str,
        names: &mut Names,
        lists: &mut Lists,
        uids: &mut Vec<Box<str>>,
    ) -> PodSpec {
        let manifest_uid = self.uid.as_ref().map(|uid| {
            uids.push(uid.clone());
            u32::try_from(uids.len() - 1)
                .unwrap_or_else(|_| panic!("more than 2^32 uids: {}", uids.len()))
        });
        let node = self.node_name.as_ref().map(|node| names.intern_node(node));
        PodSpec {
            tolerations: self.tolerations.unwrap_or(Lists::NO_TOLERATIONS),
            labels: lists.intern_labels(&self.labels),
            grace_period_seconds: self.grace_period_seconds,
            terminating: self.deletion_timestamp.is_some(),
            disruption_target: self.disruption_target,
            finished: self.finished.is_some(),
            manifest_uid,
            ..PodSpec::new(names.intern_pod(name), node)
        }
    }

    /// What `apply` of this manifest does, before admission. A new object does not take over a
    /// uid, a `deletionTimestamp` or a status from its manifest: the API server sets those.
    pub fn apply(&self, name: &str, names: &mut Names, lists: &mut Lists) -> ApplyPod {
        let applied = PodObject {
            uid: None,
            deletion_timestamp: None,
            disruption_target: false,
            finished: None,
            ..self.clone()
        };
        let create = applied.spec(name, names, lists, &mut Vec::new());
        ApplyPod { create, tolerations: self.tolerations }
    }
}

impl Objects {
    /// Creates the objects at the start of `plan`, nodes first. A pod on a node that nothing has
    /// gets a bare node, with a notice. Call [`Objects::finish`] before.
    pub fn into_plan(mut self, resolver: &mut Resolver, plan: &mut Plan) {
        resolver.unread_nodes.add(self.unread_nodes);
        resolver.unread_pods.add(self.unread_pods);
        resolver.misspelt_kinds.extend(std::mem::take(&mut self.misspelt_kinds));
        for (name, node) in &self.nodes {
            let spec = node.spec(name, &mut resolver.names, &mut resolver.lists);
            if resolver.is_node_created(spec.node) {
                let message = format!("the node `{name}` is both in the scenario and here");
                resolver.diagnostics.error_help(node.place, message, "remove one of the two");
                continue;
            }
            resolver.create_node(name, spec.labels);
            plan.nodes.push(spec);
        }
        self.create_missing_nodes(resolver, plan);
        for (name, pod) in &self.pods {
            let Resolver { names, lists, .. } = resolver;
            let spec = pod.spec(name, names, lists, &mut plan.manifest_uids);
            if resolver.is_pod_created(spec.pod) {
                let message = format!("the pod `{name}` is both in the scenario and here");
                resolver.diagnostics.error_help(pod.place, message, "remove one of the two");
                continue;
            }
            resolver.create_pod(name, spec.labels);
            plan.pods.push(spec);
        }
        resolver.notices.extend(self.notices.into_iter().map(Into::into));
    }

    /// Notes that there are objects, and not one Node or Pod. Comes after [`Objects::finish`].
    pub fn refuse_others_alone(&self, place: Place, diagnostics: &mut Diagnostics) {
        let is_nothing_read = self.nodes_read + self.pods_read == 0;
        if diagnostics.is_empty() && is_nothing_read && !self.others.is_empty() {
            let message = format!("there is no Node and no Pod, only {}", self.others);
            let help = "a dump is the output of `kubectl get nodes,pods -A -o yaml` (or json)";
            diagnostics.error_help(place, message, help);
        }
    }

    fn create_missing_nodes(&self, resolver: &mut Resolver, plan: &mut Plan) {
        let mut missing = Vec::new();
        let mut place = None;
        for pod in self.pods.values() {
            let Some(name) = &pod.node_name else { continue };
            let node = resolver.names.intern_node(name);
            if !resolver.is_node_created(node) {
                resolver.create_node(name, Lists::NO_LABELS);
                plan.nodes.push(NodeSpec::new(node));
                missing.push(format!("{name:?}"));
                place.get_or_insert(pod.place);
            }
        }
        if let Some(place) = place {
            let text = format!(
                "pods are on nodes that are not in the input; they get bare nodes without taints: \
                 {}",
                named(missing.iter().map(String::as_str))
            );
            resolver.notice(place, text);
        }
    }
}
