//! Reads Pod objects.

use super::PodObject;
use super::fields::{Reader, mapping_get, text};
use crate::objects::validation;
use crate::plan::PodSpec;
use crate::scenario::diagnostic::Diagnostic;
use crate::scenario::language::is_rfc3339;
use crate::scenario::suggest::wrong_name;
use crate::scenario::tree::{Node, Place, Value};

impl Reader<'_> {
    pub(super) fn pod(&mut self, object: &Node) {
        let before = self.diagnostics.len();
        let metadata = self.part(object, "metadata", "metadata");
        // The rest is read even without a right name, for its own mistakes.
        let named = self.pod_name(object, metadata, before);
        let subject = named.as_ref().map_or("pod".into(), |(name, _)| format!("pod {name}"));
        let place = named.as_ref().map_or(object.place, |(_, place)| *place);
        let labels = self.labels(metadata, &subject);
        let uid = metadata.map_or("", |part| self.uid(part, &subject));
        let timestamp = metadata.map_or("", |part| self.deletion_timestamp(part, &subject));
        let mut pod = PodObject {
            place,
            uid: (!uid.is_empty()).then(|| uid.into()),
            labels,
            node_name: None,
            tolerations: None,
            grace_period_seconds: PodSpec::DEFAULT_GRACE_PERIOD_SECONDS,
            deletion_timestamp: (!timestamp.is_empty()).then(|| timestamp.into()),
            disruption_target: false,
            finished: None,
            finalizers: metadata.is_some_and(|part| self.has_finalizers(part, &subject)),
            order: 0,
        };
        if let Some(spec) = self.part(object, "spec", &format!("{subject}: spec")) {
            self.pod_spec(spec, &subject, &mut pod);
        }
        let status = self.part(object, "status", &format!("{subject}: status"));
        pod.disruption_target = status.is_some_and(has_disruption_target);
        let phase = status.and_then(|status| mapping_get(status, "phase")).and_then(text);
        pod.finished =
            ["Succeeded", "Failed"].into_iter().find(|finished| phase == Some(*finished));
        if let Some((name, _)) = named {
            self.objects.add_pod(name, pod);
        }
    }

    /// `namespace/name`, and where the name stands. `before` is how many mistakes there were before
    /// this pod.
    fn pod_name(
        &mut self,
        object: &Node,
        metadata: Option<&Node>,
        before: usize,
    ) -> Option<(Box<str>, Place)> {
        let name = metadata.map_or("", |part| self.string(part, "name", "metadata.name"));
        let namespace =
            metadata.map_or("", |part| self.string(part, "namespace", "metadata.namespace"));
        // A namespace of a wrong type is told already, and nobody knows which it is.
        self.objects.unread_pods.names |= self.diagnostics.len() > before;
        if name.is_empty() {
            // A name or metadata of a wrong type is told already.
            if self.diagnostics.len() == before {
                let help = "write `metadata: {name: web-0}`";
                self.diagnostics.error_help(object.place, "this Pod has no metadata.name", help);
            }
            return None;
        }
        let place_of = |key: &str| {
            metadata.and_then(|part| mapping_get(part, key)).map_or(object.place, |n| n.place)
        };
        let namespace = if namespace.is_empty() { self.default_namespace } else { namespace };
        let mut right = true;
        if let Some(problem) = validation::namespace(namespace).into_iter().next() {
            let place = place_of("namespace");
            self.diagnostics.push(wrong_name("namespace", namespace, namespace, &problem, place));
            right = false;
        }
        if let Some(problem) = validation::pod_name(name).into_iter().next() {
            self.diagnostics.push(wrong_name("pod", name, name, &problem, place_of("name")));
            right = false;
        }
        right.then(|| (format!("{namespace}/{name}").into(), place_of("name")))
    }

    /// `metadata.deletionTimestamp`; empty where the pod is not terminating.
    fn deletion_timestamp<'n>(&mut self, metadata: &'n Node, subject: &str) -> &'n str {
        let path = format!("{subject}: metadata.deletionTimestamp");
        let Some(node) = mapping_get(metadata, "deletionTimestamp") else { return "" };
        // Of no time it does not matter that it has no quotes.
        let time = text(node).unwrap_or_else(|| self.string(metadata, "deletionTimestamp", &path));
        if !time.is_empty() && !is_rfc3339(time) {
            let help = "write a time such as \"2026-01-01T00:00:00Z\"; or leave it out, where the pod \
                        is not terminating";
            self.diagnostics.error_help(node.place, format!("{path} is no time: {time:?}"), help);
        }
        time
    }

    /// `metadata.uid`. The kubelet makes uids of 32 hexadecimal digits, which without quotes may
    /// look like a number: any scalar will do, since nothing depends on it.
    fn uid<'n>(&mut self, metadata: &'n Node, subject: &str) -> &'n str {
        let Some(uid) = mapping_get(metadata, "uid") else { return "" };
        let written = text(uid).filter(|text| !text.chars().any(char::is_control));
        if written.is_none() {
            let message = format!("{subject}: metadata.uid must be a string of printable text");
            self.diagnostics.error(uid.place, message);
        }
        written.unwrap_or("")
    }

    fn has_finalizers(&mut self, metadata: &Node, subject: &str) -> bool {
        let Some(list) = mapping_get(metadata, "finalizers") else { return false };
        !self.sequence(list, format_args!("{subject}: metadata.finalizers")).is_empty()
    }

    fn pod_spec(&mut self, spec: &Node, subject: &str, pod: &mut PodObject) {
        let node_name = self.string(spec, "nodeName", format_args!("{subject}: spec.nodeName"));
        if node_name.chars().any(char::is_control) {
            let place = mapping_get(spec, "nodeName").map_or(spec.place, |node| node.place);
            let message = format!("{subject}: spec.nodeName {node_name:?} has control characters");
            self.diagnostics.error(place, message);
        } else if !node_name.is_empty() {
            pod.node_name = Some(node_name.into());
        }
        pod.tolerations = self.tolerations(spec, subject);
        let key = "terminationGracePeriodSeconds";
        if let Some(seconds) = self.integer(spec, key, format_args!("{subject}: spec.{key}")) {
            pod.grace_period_seconds = self.grace_period(seconds, spec, subject);
        }
        let known = ["nodeName", "tolerations", key];
        self.notice_misspelt_keys(spec, &known, &format!("{subject}: spec"));
    }

    /// k8s v1.36 pkg/registry/core/pod: a negative grace period acts as one second.
    fn grace_period(&mut self, seconds: i64, spec: &Node, subject: &str) -> u32 {
        if seconds < 0 {
            return 1;
        }
        u32::try_from(seconds).unwrap_or_else(|_| {
            let key = "terminationGracePeriodSeconds";
            let place = mapping_get(spec, key).map_or(spec.place, |node| node.place);
            self.diagnostics.push(
                Diagnostic::new(place, format!("{subject}: spec.{key} is {seconds}"))
                    .help(format!("at most {} s (136 years) can be simulated", u32::MAX)),
            );
            PodSpec::DEFAULT_GRACE_PERIOD_SECONDS
        })
    }
}

/// Whether the condition is there exactly as the taint manager would set it: only then it has
/// nothing to patch.
///
/// k8s v1.36 pkg/controller/tainteviction `addConditionAndDeletePod`.
fn has_disruption_target(status: &Node) -> bool {
    let wanted = [
        ("type", "DisruptionTarget"),
        ("status", "True"),
        ("reason", "DeletionByTaintManager"),
        ("message", "Taint manager: deleting due to NoExecute taint"),
    ];
    let Some(Node { value: Value::Sequence(conditions), .. }) = mapping_get(status, "conditions")
    else {
        return false;
    };
    conditions.iter().any(|condition| {
        wanted.iter().all(|(key, value)| mapping_get(condition, key).and_then(text) == Some(value))
    })
}
