//! One object at a time as it is written: under its new names, with what keeps it out of `spec`.

use super::fit::Reasons;
use super::redact::Redaction;
use crate::objects::{Labels, Taint, Toleration, validation};
use crate::scenario::LoadedObjects;
use crate::scenario::emit::items::{NodeItem, PodItem};
use crate::scenario::emit::sayable;
use crate::scenario::language::is_rfc3339;
use crate::scenario::manifest::{NodeObject, PodObject};
use crate::scenario::rules::Rules;

/// What stands for a time that is none, where it may be private.
const NO_TIME: &str = "redacted";

/// How objects are looked at.
pub(super) struct Viewer<'l> {
    pub(super) loaded: &'l LoadedObjects,
    pub(super) redaction: Option<&'l Redaction>,
    pub(super) rules: Rules,
}

/// A node.
pub(super) struct NodeView<'l> {
    pub(super) item: NodeItem<'l>,
    pub(super) reasons: Reasons,
}

/// A pod.
pub(super) struct PodView<'l> {
    pub(super) item: PodItem<'l>,
    pub(super) reasons: Reasons,
}

impl<'l> Viewer<'l> {
    pub(super) fn node_name(&self, name: &'l str) -> &'l str {
        self.redaction.map_or(name, |redaction| redaction.node(name))
    }

    /// Whether a node of this name can stand under `spec.nodes`.
    pub(super) fn is_node_name(&self, name: &'l str) -> bool {
        validation::node_name(self.node_name(name)).is_empty()
    }

    pub(super) fn node(&self, name: &'l str, object: &NodeObject) -> NodeView<'l> {
        let taints = object.taints.map_or(&[][..], |id| self.loaded.lists.taints(id));
        let item = NodeItem {
            name: self.node_name(name),
            labels: self.labels(&object.labels),
            taints: taints.iter().map(|taint| self.taint(taint)).collect(),
            unschedulable: object.unschedulable,
        };
        let mut reasons = Reasons::default();
        reasons.add(Reasons::CORDONED, item.unschedulable);
        reasons.add(Reasons::LABELS, !sayable::labels(&item.labels));
        reasons.add(Reasons::LISTS, !sayable::taints(&item.taints));
        NodeView { item, reasons }
    }

    pub(super) fn pod(&self, full: &'l str, object: &'l PodObject) -> PodView<'l> {
        let (namespace, name) = full.split_once('/').unwrap_or(("default", full));
        let (namespace, name) = match self.redaction {
            Some(redaction) => (redaction.namespace(namespace), redaction.pod(name)),
            None => (namespace, name),
        };
        let list = object.tolerations.map_or(&[][..], |id| self.loaded.lists.tolerations(id));
        let mut item = PodItem {
            namespace,
            name,
            // Uids are not kept: nothing depends on them.
            uid: None,
            node: object.node_name.as_deref().map(|node| self.node_name(node)),
            labels: self.labels(&object.labels),
            tolerations: list.iter().map(|toleration| self.toleration(toleration)).collect(),
            grace_period_seconds: object.grace_period_seconds,
            deletion_timestamp: object.deletion_timestamp.as_deref().map(|time| self.time(time)),
            disruption_target: object.disruption_target,
            finished: object.finished,
        };
        let admitted = self.rules.before_admission(&item.tolerations).map(<[_]>::len);
        let mut reasons = Reasons::default();
        reasons.add(Reasons::TERMINATING, item.deletion_timestamp.is_some());
        reasons.add(Reasons::FINISHED, item.finished.is_some());
        reasons.add(Reasons::DISRUPTED, item.disruption_target);
        reasons.add(Reasons::ADMISSION, admitted.is_none());
        reasons.add(Reasons::LABELS, !sayable::labels(&item.labels));
        reasons.add(Reasons::LISTS, !sayable::tolerations(&item.tolerations, &self.rules));
        let node_right = item.node.is_none_or(|node| validation::node_name(node).is_empty());
        reasons.add(Reasons::NODE_NAME, !node_right);
        if let Some(length) = admitted.filter(|_| reasons.is_empty()) {
            item.tolerations.truncate(length);
        }
        PodView { item, reasons }
    }

    fn labels(&self, labels: &Labels) -> Labels {
        match self.redaction {
            None => labels.clone(),
            Some(redaction) => {
                let entries = labels.iter();
                entries.map(|(k, v)| (redaction.key(k), redaction.label_value(k, v))).collect()
            }
        }
    }

    fn taint(&self, taint: &Taint) -> Taint {
        let Some(redaction) = self.redaction else { return taint.clone() };
        Taint {
            key: redaction.key(&taint.key).into(),
            value: redaction.value(&taint.value).into(),
            effect: taint.effect.clone(),
            time_added: taint.time_added.as_deref().map(|time| self.time(time).into()),
        }
    }

    fn toleration(&self, toleration: &Toleration) -> Toleration {
        let Some(redaction) = self.redaction else { return toleration.clone() };
        Toleration {
            key: redaction.key(&toleration.key).into(),
            value: redaction.value(&toleration.value).into(),
            ..toleration.clone()
        }
    }

    fn time<'t>(&self, time: &'t str) -> &'t str {
        if self.redaction.is_some() && !is_rfc3339(time) { NO_TIME } else { time }
    }
}
