//! Actions as kubectl lines, where one says them exactly.

use super::words::{node_names, selector};
use crate::objects::validation::{self, label_key, label_value};
use crate::objects::{Effect, NodeId, PodId, Selector};
use crate::plan::{
    Action, LabelChange, NodeTarget, Plan, PodTarget, StepAction, TaintChange, TaintPattern,
};

/// The line of one action.
pub(super) fn line(plan: &Plan, step_action: &StepAction) -> Option<String> {
    let StepAction { action, kubectl, .. } = step_action;
    let mut line = Line::default();
    match action {
        Action::Taint { nodes, change } => {
            line.words(["taint", "nodes"]);
            line.nodes(plan, nodes)?;
            line.taints(plan, change, *kubectl)?;
        }
        Action::SetUnschedulable { nodes, unschedulable } => {
            line.word(if *unschedulable { "cordon" } else { "uncordon" });
            line.cordoned(plan, nodes);
        }
        Action::DeletePods { pods, grace_period_seconds } => {
            line.words(["delete", "pod"]);
            line.pods(plan, pods)?;
            line.grace_period(*grace_period_seconds);
        }
        Action::DeleteNodes(nodes) => {
            line.words(["delete", "node"]);
            line.nodes(plan, nodes)?;
        }
        // `touchPod` says this as well, and in fewer words.
        Action::LabelPods { change, .. } if !kubectl && is_touch(change) => return None,
        Action::LabelPods { pods, change } => {
            line.words(["label", "pods"]);
            line.pods(plan, pods)?;
            line.labels(change, *kubectl)?;
        }
        Action::LabelNodes { nodes, change } => {
            line.words(["label", "nodes"]);
            line.nodes(plan, nodes)?;
            line.labels(change, *kubectl)?;
        }
        _ => return None,
    }
    Some(line.finish())
}

/// Whether `touchPod` can say the change: it sets labels in the order of their keys.
pub(super) fn is_touch(change: &LabelChange) -> bool {
    let is_ordered = change.set.is_sorted_by(|(one, _), (other, _)| one < other);
    change.remove.is_empty() && is_ordered
}

/// One line for several actions of a step that is no burst: `delete pod/web-0 node/node-0`.
pub(super) fn line_of_all(plan: &Plan, actions: &[StepAction]) -> Option<String> {
    let mut line = Line::default();
    let first = actions.first()?;
    let flags = match &first.action {
        Action::DeletePods { .. } | Action::DeleteNodes(_) => {
            line.word("delete");
            Line::default()
        }
        Action::LabelPods { change, .. } | Action::LabelNodes { change, .. } => {
            line.word("label");
            let mut flags = Line::default();
            flags.labels(change, first.kubectl)?;
            flags
        }
        _ => return None,
    };
    let mut above = None;
    for step_action in actions {
        let (resource, names) = match (&step_action.action, &first.action) {
            (
                Action::DeletePods { pods: PodTarget::Names(pods), grace_period_seconds: None },
                Action::DeletePods { .. } | Action::DeleteNodes(_),
            ) => ("pod", pods_of_default(plan, pods)?),
            (
                Action::DeleteNodes(NodeTarget::Names(nodes)),
                Action::DeletePods { .. } | Action::DeleteNodes(_),
            ) => ("node", nodes_of_line(plan, nodes)?),
            (
                Action::LabelPods { pods: PodTarget::Names(pods), change },
                Action::LabelPods { change: common, .. }
                | Action::LabelNodes { change: common, .. },
            ) if change == common => ("pod", pods_of_default(plan, pods)?),
            (
                Action::LabelNodes { nodes: NodeTarget::Names(nodes), change },
                Action::LabelPods { change: common, .. }
                | Action::LabelNodes { change: common, .. },
            ) if change == common => ("node", nodes_of_line(plan, nodes)?),
            _ => return None,
        };
        // Neighbours of one kind would be one action.
        if above.replace(resource) == Some(resource) || step_action.kubectl != first.kubectl {
            return None;
        }
        for name in names {
            line.word(&format!("{resource}/{name}"));
        }
    }
    line.0.extend(flags.0);
    Some(line.finish())
}

fn pods_of_default(plan: &Plan, pods: &[PodId]) -> Option<Vec<String>> {
    let (namespace, names) = pods_of_line(plan, pods)?;
    (namespace == "default").then_some(names)
}

/// The words of a line, with their quotes.
#[derive(Debug, Default)]
struct Line(Vec<String>);

impl Line {
    fn word(&mut self, word: &str) {
        let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./=:,{}".contains(&byte);
        self.0.push(match !word.is_empty() && word.bytes().all(is_safe) {
            true => word.to_owned(),
            false => shell_words::quote(word).into_owned(),
        });
    }

    fn words<'w>(&mut self, words: impl IntoIterator<Item = &'w str>) {
        words.into_iter().for_each(|word| self.word(word));
    }

    fn selector(&mut self, of: &Selector) {
        self.words(["-l", &selector(of)]);
    }

    fn nodes(&mut self, plan: &Plan, target: &NodeTarget) -> Option<()> {
        match target {
            NodeTarget::Names(nodes) => {
                let names = nodes_of_line(plan, nodes)?;
                self.words(names.iter().map(String::as_str));
            }
            NodeTarget::Matching(all) if all.0.is_empty() => self.word("--all"),
            NodeTarget::Matching(some) => self.selector(some),
        }
        Some(())
    }

    /// The nodes of `cordon`, which has no flag for all, and takes the name of the kind for no node.
    fn cordoned(&mut self, plan: &Plan, target: &NodeTarget) {
        match target {
            NodeTarget::Matching(all) if all.0.is_empty() => {
                let nodes: Vec<NodeId> = plan.names.nodes().map(|(node, _)| node).collect();
                self.words(node_names(plan, &nodes).iter().map(String::as_str));
            }
            NodeTarget::Matching(some) => self.selector(some),
            NodeTarget::Names(nodes) => {
                let names = node_names(plan, nodes);
                let is_kind = names.iter().any(|name| ["node", "nodes", "no"].contains(&&**name));
                for name in names {
                    self.word(&if is_kind { format!("node/{name}") } else { name });
                }
            }
        }
    }

    fn pods(&mut self, plan: &Plan, target: &PodTarget) -> Option<()> {
        let namespace = match target {
            PodTarget::Names(pods) => {
                let (namespace, names) = pods_of_line(plan, pods)?;
                self.words(names.iter().map(String::as_str));
                Some(namespace)
            }
            PodTarget::Matching { namespace, selector } => {
                match selector.0.is_empty() {
                    true => self.word("--all"),
                    false => self.selector(selector),
                }
                namespace.as_deref()
            }
        };
        match namespace {
            None => self.word("-A"),
            Some("default") => {}
            Some(right) if validation::namespace(right).is_empty() => self.words(["-n", right]),
            Some(_) => return None,
        }
        Some(())
    }

    fn grace_period(&mut self, seconds: Option<u32>) {
        match seconds {
            None => {}
            Some(0) => self.words(["--grace-period=0", "--force"]),
            Some(seconds) => self.word(&format!("--grace-period={seconds}")),
        }
    }

    /// What is added and removed. Of an action of the scenario's own only removals are the same:
    /// it adds in another order.
    fn taints(&mut self, plan: &Plan, change: &TaintChange, kubectl: bool) -> Option<()> {
        let TaintChange { remove, add, replace: None, overwrite } = change else { return None };
        let add = plan.lists.taints(*add);
        if add.is_empty() && remove.is_empty() || !kubectl && !add.is_empty() {
            return None;
        }
        for (index, taint) in add.iter().enumerate() {
            let is_right = validation::taint(taint).is_empty() && taint.time_added.is_none();
            let again = add[..index].iter().any(|other| other.same_key_and_effect(taint));
            let goes = |pattern: &TaintPattern| {
                let same = pattern.effect.as_ref().is_none_or(|effect| *effect == taint.effect);
                same && pattern.key == taint.key
            };
            if !is_right || again || remove.iter().any(goes) {
                return None;
            }
            self.word(&taint.to_string());
        }
        for pattern in remove {
            let is_known = |effect: &Effect| !matches!(effect, Effect::Other(_));
            let is_right = label_key(&pattern.key).is_empty();
            if !is_right || !pattern.effect.as_ref().is_none_or(is_known) {
                return None;
            }
            self.word(&format!("{}-", super::words::pattern(pattern)));
        }
        if *overwrite && kubectl {
            self.word("--overwrite");
        }
        Some(())
    }

    /// What an action of the scenario's own sets, it sets whatever was there.
    fn labels(&mut self, change: &LabelChange, kubectl: bool) -> Option<()> {
        let LabelChange { set, remove, overwrite } = change;
        if set.is_empty() && remove.is_empty() {
            return None;
        }
        for (index, (key, value)) in set.iter().enumerate() {
            let is_right = label_key(key).is_empty() && label_value(value).is_empty();
            let again = set[..index].iter().any(|(other, _)| other == key);
            if !is_right || again || remove.contains(key) {
                return None;
            }
            self.word(&format!("{key}={value}"));
        }
        for key in remove {
            if !label_key(key).is_empty() {
                return None;
            }
            self.word(&format!("{key}-"));
        }
        if *overwrite || !kubectl {
            self.word("--overwrite");
        }
        Some(())
    }

    fn finish(self) -> String {
        self.0.join(" ")
    }
}

/// Names of nodes that a line can have. One that the API would refuse is known to the loader by
/// then, so that letters are enough.
fn nodes_of_line(plan: &Plan, nodes: &[NodeId]) -> Option<Vec<String>> {
    let is_right = |node: &NodeId| {
        let name = plan.names.node(*node).as_bytes();
        let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
        let ends = [name.first(), name.last()];
        name.iter().all(is_inner)
            && ends.iter().all(|end| end.is_some_and(u8::is_ascii_alphanumeric))
    };
    nodes.iter().all(is_right).then(|| node_names(plan, nodes)).filter(|names| !names.is_empty())
}

/// Names of pods that a line can have, and the namespace that all of them have.
fn pods_of_line<'p>(plan: &'p Plan, pods: &[PodId]) -> Option<(&'p str, Vec<String>)> {
    let (namespace, _) = plan.names.pod_parts(*pods.first()?);
    let parts: Vec<(&str, &str)> = pods.iter().map(|pod| plan.names.pod_parts(*pod)).collect();
    let is_right =
        |(own, name): &(&str, &str)| *own == namespace && validation::pod_name(name).is_empty();
    let names: Vec<&str> = parts.iter().map(|(_, name)| *name).collect();
    parts.iter().all(is_right).then(|| (namespace, super::names::folded(&names)))
}
