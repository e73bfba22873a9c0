//! Actions in the form of the language, where no kubectl line says them.

use super::objects::{metadata, nodes, nodes_in_one, pods, pods_in_one};
use super::tree::{Entries, Yaml};
use super::words::{self, node_target, pod_target, span};
use crate::plan::{
    Action, ApplyNode, ApplyPod, LabelChange, Plan, PodSpec, StepAction, TaintChange,
};
use crate::scenario::rules::Rules;

/// The key of the action and its argument; several where one cannot say it.
pub(super) fn entries(plan: &Plan, rules: &Rules, step_action: &StepAction) -> Vec<Entries> {
    if let Some(line) = super::kubectl::line(plan, step_action) {
        return vec![keyed("kubectl", Yaml::Text(line))];
    }
    match &step_action.action {
        Action::CreateNodes(specs) => {
            let one = nodes_in_one(plan, specs).map(|one| vec![one]);
            let all = one.unwrap_or_else(|| nodes(plan, specs)).into_iter();
            all.map(|entry| keyed("createNode", Yaml::Map(entry))).collect()
        }
        Action::CreatePods(specs) => {
            let one = pods_in_one(plan, specs, rules).map(|one| vec![one]);
            let all = one.unwrap_or_else(|| pods(plan, specs, rules)).into_iter();
            all.map(|entry| keyed("createPod", Yaml::Map(entry))).collect()
        }
        other => vec![own(plan, rules, other)],
    }
}

/// `apply` of several manifests at once, as `kubectl apply -f` of a file does it.
pub(super) fn apply_all(plan: &Plan, rules: &Rules, actions: &[StepAction]) -> Option<Entries> {
    // A list has its nodes first.
    let is_node = |action: &StepAction| matches!(action.action, Action::ApplyNode(_));
    if !actions.is_sorted_by_key(|action| !is_node(action)) {
        return None;
    }
    let items = actions.iter().map(|action| match &action.action {
        Action::ApplyNode(apply) => Some(node_manifest(plan, apply)),
        Action::ApplyPod(apply) => Some(pod_manifest(plan, rules, apply)),
        _ => None,
    });
    let items: Option<Vec<Yaml>> = items.collect();
    let mut list = Entries::default();
    list.text("apiVersion", "v1");
    list.text("kind", "List");
    list.put("items", Yaml::List(items?));
    Some(keyed("apply", Yaml::Map(list)))
}

fn keyed(key: &str, value: Yaml) -> Entries {
    let mut entries = Entries::default();
    entries.put(key, value);
    entries
}

fn own(plan: &Plan, rules: &Rules, action: &Action) -> Entries {
    let mut inner = Entries::default();
    let key = match action {
        Action::Taint { nodes, change } => {
            node_target(plan, nodes, &mut inner);
            taint_change(plan, change, &mut inner);
            "taint"
        }
        Action::DeletePods { pods, grace_period_seconds } => {
            pod_target(plan, pods, &mut inner);
            if let Some(seconds) = grace_period_seconds {
                inner.plain("gracePeriodSeconds", seconds);
            }
            "deletePod"
        }
        Action::DeleteNodes(nodes) => {
            node_target(plan, nodes, &mut inner);
            "deleteNode"
        }
        Action::BindPods { pods, node } => {
            pod_target(plan, pods, &mut inner);
            inner.text("node", plan.names.node(*node));
            "bindPod"
        }
        Action::SetTolerations { pods, tolerations, force } => {
            pod_target(plan, pods, &mut inner);
            let list = plan.lists.tolerations(*tolerations);
            // What is forced goes past admission, too.
            let admitted = rules.before_admission(list).filter(|_| !force);
            let list = admitted.unwrap_or(list).iter().map(words::toleration).collect();
            inner.put("tolerations", Yaml::List(list));
            if *force {
                inner.plain("force", true);
            }
            "setTolerations"
        }
        Action::LabelPods { pods, change } => {
            pod_target(plan, pods, &mut inner);
            inner.put("labels", Yaml::Map(labels_set(change)));
            "touchPod"
        }
        Action::ApplyNode(apply) => return keyed("apply", node_manifest(plan, apply)),
        Action::ApplyPod(apply) => return keyed("apply", pod_manifest(plan, rules, apply)),
        Action::BreakWatch { resource, down_for } => {
            inner.text("resource", resource.as_str());
            inner.plain("for", span(*down_for));
            "breakWatch"
        }
        Action::RestartController { down_for } => {
            inner.plain("for", span(*down_for));
            "restartController"
        }
        Action::Note(text) => return keyed("note", Yaml::Text(text.to_string())),
        // Always said by a line, or by the caller.
        Action::SetUnschedulable { .. }
        | Action::LabelNodes { .. }
        | Action::CreateNodes(_)
        | Action::CreatePods(_) => {
            let text = "an action that cannot be written";
            return keyed("note", Yaml::Text(text.to_owned()));
        }
    };
    keyed(key, Yaml::Map(inner))
}

fn taint_change(plan: &Plan, change: &TaintChange, inner: &mut Entries) {
    let list = |id| Yaml::List(plan.lists.taints(id).iter().map(words::taint).collect());
    if let Some(replace) = change.replace {
        inner.put("replace", list(replace));
        return;
    }
    if !plan.lists.taints(change.add).is_empty() || change.remove.is_empty() {
        inner.put("add", list(change.add));
    }
    if !change.remove.is_empty() {
        inner.put("remove", Yaml::texts(change.remove.iter().map(words::pattern)));
    }
}

fn labels_set(change: &LabelChange) -> Entries {
    let mut entries = Entries::default();
    for (key, value) in &change.set {
        entries.text(key, value);
    }
    entries
}

fn manifest(kind: &str, metadata: Yaml, spec: Entries) -> Yaml {
    let mut entries = Entries::default();
    entries.text("apiVersion", "v1");
    entries.text("kind", kind);
    entries.put("metadata", metadata);
    entries.filled("spec", spec);
    Yaml::Map(entries)
}

fn node_manifest(plan: &Plan, apply: &ApplyNode) -> Yaml {
    let mut spec = Entries::default();
    if apply.create.unschedulable {
        spec.plain("unschedulable", true);
    }
    if let Some(taints) = apply.taints {
        let list = plan.lists.taints(taints).iter().map(words::taint_mapping).collect();
        spec.put("taints", Yaml::List(list));
    }
    let labels = plan.lists.labels(apply.create.labels);
    manifest("Node", metadata(plan.names.node(apply.create.node), None, labels), spec)
}

fn pod_manifest(plan: &Plan, rules: &Rules, apply: &ApplyPod) -> Yaml {
    let create = &apply.create;
    let mut spec = Entries::default();
    if let Some(node) = create.node {
        spec.text("nodeName", plan.names.node(node));
    }
    if create.grace_period_seconds != PodSpec::DEFAULT_GRACE_PERIOD_SECONDS {
        spec.plain("terminationGracePeriodSeconds", create.grace_period_seconds);
    }
    if let Some(tolerations) = apply.tolerations {
        let list = plan.lists.tolerations(tolerations);
        let list = rules.before_admission(list).unwrap_or(list);
        let list = list.iter().map(words::toleration_mapping).collect();
        spec.put("tolerations", Yaml::List(list));
    }
    let (namespace, name) = plan.names.pod_parts(create.pod);
    manifest("Pod", metadata(name, Some(namespace), plan.lists.labels(create.labels)), spec)
}
