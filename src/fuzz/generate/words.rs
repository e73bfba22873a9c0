//! How the timeline writes the actions: as the loader writes those of a file.

use std::fmt::Write as _;

use crate::objects::{Effect, Labels, Lists, Names, Requirement, Selector, Taint};
use crate::plan::{Action, LabelChange, NodeTarget, PodTarget, StepAction, TaintChange};

/// An action of the scenario's own words.
pub(in crate::fuzz) fn own(action: Action, names: &Names, lists: &Lists) -> StepAction {
    let text = text(&action, names, lists);
    StepAction { action, text: text.into(), kubectl: false }
}

/// An action that comes as a command of kubectl: of taints, `cordon` and labels of nodes.
pub(in crate::fuzz) fn kubectl(action: Action, names: &Names, lists: &Lists) -> StepAction {
    let text = match &action {
        Action::Taint { nodes, change } => command_of_taints(nodes, change, names, lists),
        Action::SetUnschedulable { nodes, unschedulable } => {
            let verb = if *unschedulable { "cordon" } else { "uncordon" };
            format!("{verb} {}", in_command(nodes, names))
        }
        Action::LabelNodes { nodes, change } => {
            let mut text = format!("label nodes {}", in_command(nodes, names));
            label_arguments(&mut text, change);
            text
        }
        other => text(other, names, lists),
    };
    StepAction { action, text: text.into(), kubectl: true }
}

fn text(action: &Action, names: &Names, lists: &Lists) -> String {
    let nodes = |target| node_words(target, names);
    let pods = |target| pod_words(target, names);
    match action {
        Action::Taint { nodes: target, change } => taint_text(&nodes(target), change, lists),
        Action::CreateNodes(specs) => {
            format!("create node {}", joined(specs.iter().map(|spec| names.node(spec.node))))
        }
        Action::CreatePods(specs) => {
            format!("create pod {}", joined(specs.iter().map(|spec| names.pod(spec.pod))))
        }
        Action::DeleteNodes(target) => format!("delete node {}", nodes(target)),
        Action::DeletePods { pods: target, grace_period_seconds } => match grace_period_seconds {
            Some(grace) => format!("delete pod {} (grace {grace}s)", pods(target)),
            None => format!("delete pod {}", pods(target)),
        },
        Action::BindPods { pods: target, node } => {
            format!("bind pod {} to {}", pods(target), names.node(*node))
        }
        Action::SetTolerations { pods: target, tolerations, force } => {
            let mut text = format!("set tolerations of pod {} to [", pods(target));
            for (index, toleration) in lists.tolerations(*tolerations).iter().enumerate() {
                let comma = if index > 0 { ", " } else { "" };
                let _ = write!(text, "{comma}{toleration}");
            }
            text.push_str(if *force { "] (force)" } else { "]" });
            text
        }
        Action::LabelPods { pods: target, change } => {
            let mut text = format!("touch pod {}", pods(target));
            for (key, value) in &change.set {
                let _ = write!(text, " {key}={value}");
            }
            text
        }
        Action::ApplyNode(apply) => format!("apply node {}", names.node(apply.create.node)),
        Action::ApplyPod(apply) => format!("apply pod {}", names.pod(apply.create.pod)),
        Action::BreakWatch { resource, down_for } => {
            format!("break watch on {} (for {down_for})", resource.as_str())
        }
        Action::RestartController { down_for } => {
            format!("restart controller (down for {down_for})")
        }
        Action::Note(text) => text.to_string(),
        Action::SetUnschedulable { .. } | Action::LabelNodes { .. } => String::new(),
    }
}

fn taint_text(nodes: &str, change: &TaintChange, lists: &Lists) -> String {
    let mut text = format!("taint {nodes}");
    for pattern in &change.remove {
        let _ = write!(text, " -{}", pattern.key);
        if let Some(effect) = &pattern.effect {
            let _ = write!(text, ":{}", effect.as_str());
        }
    }
    for taint in lists.taints(change.add) {
        let _ = write!(text, " +{taint}");
    }
    if let Some(list) = change.replace {
        let list: Vec<String> = lists.taints(list).iter().map(Taint::to_string).collect();
        let _ = write!(text, " =[{}]", list.join(","));
    }
    text
}

fn command_of_taints(
    nodes: &NodeTarget,
    change: &TaintChange,
    names: &Names,
    lists: &Lists,
) -> String {
    let mut text = format!("taint nodes {}", in_command(nodes, names));
    for taint in lists.taints(change.add) {
        let _ = write!(text, " {taint}");
    }
    for pattern in &change.remove {
        let effect = pattern.effect.as_ref().map_or("", Effect::as_str);
        let colon = if effect.is_empty() { "" } else { ":" };
        let _ = write!(text, " {}{colon}{effect}-", pattern.key);
    }
    if change.overwrite {
        text.push_str(" --overwrite");
    }
    text
}

fn label_arguments(text: &mut String, change: &LabelChange) {
    for (key, value) in &change.set {
        let _ = write!(text, " {key}={value}");
    }
    for key in &change.remove {
        let _ = write!(text, " {key}-");
    }
    if change.overwrite {
        text.push_str(" --overwrite");
    }
}

fn joined<'n>(parts: impl Iterator<Item = &'n str>) -> String {
    parts.collect::<Vec<_>>().join(",")
}

fn node_words(target: &NodeTarget, names: &Names) -> String {
    match target {
        NodeTarget::Names(ids) => joined(ids.iter().map(|id| names.node(*id))),
        NodeTarget::Matching(selector) if selector.0.is_empty() => "*".to_owned(),
        NodeTarget::Matching(selector) => format!("-l {}", selector_words(selector)),
    }
}

/// kubectl has its names one by one, and `--all`.
fn in_command(target: &NodeTarget, names: &Names) -> String {
    match target {
        NodeTarget::Names(ids) => {
            ids.iter().map(|id| names.node(*id)).collect::<Vec<_>>().join(" ")
        }
        NodeTarget::Matching(selector) if selector.0.is_empty() => "--all".to_owned(),
        NodeTarget::Matching(selector) => format!("-l {}", selector_words(selector)),
    }
}

fn pod_words(target: &PodTarget, names: &Names) -> String {
    match target {
        PodTarget::Names(ids) => joined(ids.iter().map(|id| names.pod(*id))),
        PodTarget::Matching { selector, .. } if selector.0.is_empty() => "*".to_owned(),
        PodTarget::Matching { selector, .. } => format!("-l {}", selector_words(selector)),
    }
}

/// The generator's selectors are of the form `key=value`.
fn selector_words(selector: &Selector) -> String {
    let words = selector.0.iter().map(|requirement| match requirement {
        Requirement::In(key, values) => match values.as_slice() {
            [one] => format!("{key}={one}"),
            many => format!("{key} in ({})", many.join(",")),
        },
        Requirement::NotIn(key, values) => format!("{key} notin ({})", values.join(",")),
        Requirement::Exists(key) => key.to_string(),
        Requirement::DoesNotExist(key) => format!("!{key}"),
    });
    words.collect::<Vec<_>>().join(",")
}

/// The selector `key=value`.
pub(super) fn selector(key: &str, value: &str) -> Selector {
    Selector(vec![Requirement::In(key.into(), vec![value.into()])])
}

/// One label.
pub(super) fn label(key: &str, value: &str) -> Labels {
    Labels::of(vec![(key.into(), value.into())])
}
