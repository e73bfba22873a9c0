//! Objects as YAML: entries of `spec`, and lean manifests with the fields that the loader reads.

use std::fmt::Write as _;

use super::yaml::{Value, push_mapping, push_string};
use crate::objects::{Labels, Taint, Toleration};
use crate::plan::PodSpec;

/// A node as it is written.
pub(crate) struct NodeItem<'l> {
    pub(crate) name: &'l str,
    pub(crate) labels: Labels,
    pub(crate) taints: Vec<Taint>,
    pub(crate) unschedulable: bool,
}

/// A pod as it is written.
pub(crate) struct PodItem<'l> {
    pub(crate) namespace: &'l str,
    pub(crate) name: &'l str,
    pub(crate) uid: Option<&'l str>,
    pub(crate) node: Option<&'l str>,
    pub(crate) labels: Labels,
    pub(crate) tolerations: Vec<Toleration>,
    pub(crate) grace_period_seconds: u32,
    pub(crate) deletion_timestamp: Option<&'l str>,
    pub(crate) disruption_target: bool,
    pub(crate) finished: Option<&'static str>,
}

/// An entry of `spec.nodes`.
pub(crate) fn node_entry(out: &mut String, node: &NodeItem<'_>) {
    field(out, "    - name: ", node.name);
    labels(out, 6, &node.labels);
    taints(out, 6, &node.taints, true);
}

/// An entry of `spec.pods`.
pub(crate) fn pod_entry(out: &mut String, pod: &PodItem<'_>) {
    field(out, "    - name: ", pod.name);
    if pod.namespace != "default" {
        field(out, "      namespace: ", pod.namespace);
    }
    if let Some(node) = pod.node {
        field(out, "      nodeName: ", node);
    }
    labels(out, 6, &pod.labels);
    grace_period(out, 6, pod.grace_period_seconds);
    tolerations(out, 6, &pod.tolerations);
}

/// An item of a NodeList.
pub(crate) fn node_item(out: &mut String, node: &NodeItem<'_>) {
    out.push_str("  - metadata:\n");
    field(out, "      name: ", node.name);
    labels(out, 6, &node.labels);
    if node.unschedulable || !node.taints.is_empty() {
        out.push_str("    spec:\n");
    }
    if node.unschedulable {
        out.push_str("      unschedulable: true\n");
    }
    taints(out, 6, &node.taints, false);
}

/// An item of a PodList.
pub(crate) fn pod_item(out: &mut String, pod: &PodItem<'_>) {
    out.push_str("  - metadata:\n");
    field(out, "      name: ", pod.name);
    if pod.namespace != "default" {
        field(out, "      namespace: ", pod.namespace);
    }
    if let Some(uid) = pod.uid {
        field(out, "      uid: ", uid);
    }
    if let Some(time) = pod.deletion_timestamp {
        field(out, "      deletionTimestamp: ", time);
    }
    labels(out, 6, &pod.labels);
    let default_grace = pod.grace_period_seconds == PodSpec::DEFAULT_GRACE_PERIOD_SECONDS;
    if pod.node.is_some() || !pod.tolerations.is_empty() || !default_grace {
        out.push_str("    spec:\n");
    }
    if let Some(node) = pod.node {
        field(out, "      nodeName: ", node);
    }
    grace_period(out, 6, pod.grace_period_seconds);
    tolerations(out, 6, &pod.tolerations);
    if pod.finished.is_some() || pod.disruption_target {
        out.push_str("    status:\n");
    }
    if let Some(phase) = pod.finished {
        field(out, "      phase: ", phase);
    }
    if pod.disruption_target {
        // Word for word as the taint manager writes it; else it is not its condition.
        out.push_str(
            "      conditions:\n        - type: DisruptionTarget\n          status: \"True\"\n          \
             reason: DeletionByTaintManager\n          \
             message: \"Taint manager: deleting due to NoExecute taint\"\n",
        );
    }
}

fn field(out: &mut String, key: &str, text: &str) {
    out.push_str(key);
    push_string(out, text);
    out.push('\n');
}

fn labels(out: &mut String, indent: usize, labels: &Labels) {
    if labels.is_empty() {
        return;
    }
    let entries: Vec<(&str, Value<'_>)> =
        labels.iter().map(|(key, value)| (key, Value::Text(value))).collect();
    let _ = write!(out, "{:indent$}labels:", "");
    push_mapping(out, &entries, Some(indent + 2));
}

fn grace_period(out: &mut String, indent: usize, seconds: u32) {
    if seconds != PodSpec::DEFAULT_GRACE_PERIOD_SECONDS {
        let _ = writeln!(out, "{:indent$}terminationGracePeriodSeconds: {seconds}", "");
    }
}

/// With `short`, as kubectl writes them where that says everything.
fn taints(out: &mut String, indent: usize, list: &[Taint], short: bool) {
    if list.is_empty() {
        return;
    }
    let _ = writeln!(out, "{:indent$}taints:", "");
    for taint in list {
        let _ = write!(out, "{:indent$}  -", "");
        if short && taint.time_added.is_none() {
            // A key, an equals sign, a value and an effect: nothing that YAML could misread.
            let _ = writeln!(out, " {taint}");
            continue;
        }
        let mut entries = vec![("key", Value::Text(&taint.key))];
        if !taint.value.is_empty() {
            entries.push(("value", Value::Text(&taint.value)));
        }
        entries.push(("effect", Value::Text(taint.effect.as_str())));
        if let Some(time) = &taint.time_added {
            entries.push(("timeAdded", Value::Text(time)));
        }
        push_mapping(out, &entries, None);
    }
}

fn tolerations(out: &mut String, indent: usize, list: &[Toleration]) {
    if list.is_empty() {
        return;
    }
    let _ = writeln!(out, "{:indent$}tolerations:", "");
    for toleration in list {
        let Toleration { key, operator, value, effect, toleration_seconds } = toleration;
        let texts = [
            ("key", &**key),
            ("operator", operator.as_str()),
            ("value", value),
            ("effect", effect.as_ref().map_or("", |effect| effect.as_str())),
        ];
        let filled = texts.into_iter().filter(|(_, text)| !text.is_empty());
        let mut entries: Vec<(&str, Value<'_>)> =
            filled.map(|(name, text)| (name, Value::Text(text))).collect();
        if let Some(seconds) = toleration_seconds {
            entries.push(("tolerationSeconds", Value::Integer(*seconds)));
        }
        let _ = write!(out, "{:indent$}  -", "");
        match entries.is_empty() {
            true => out.push_str(" {}\n"),
            false => push_mapping(out, &entries, None),
        }
    }
}
