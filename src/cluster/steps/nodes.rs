//! What steps do to nodes.

use super::About;
use crate::cluster::taints::{changed_labels, changed_taints};
use crate::cluster::world::World;
use crate::objects::NodeId;
use crate::plan::{ApplyNode, LabelChange, NodeSpec, TaintChange, Verb};

impl World<'_> {
    pub(super) fn change_taints(&mut self, about: About, node: NodeId, change: &TaintChange) {
        let mut object = match self.store.get_node(node, &self.plan.names) {
            Ok(object) => object,
            Err(refused) => {
                self.rejected(about, refused.to_string());
                return;
            }
        };
        let name = self.plan.names.node(node);
        let old = self.lists.taints(object.taints);
        match changed_taints(name, old, change, about.kubectl, &self.lists) {
            Ok(new) => {
                let Some(cause) = self.called(about, Verb::Patch) else { return };
                object.taints = self.lists.intern_taints(&new);
                self.store.update_node(node, object, cause);
                self.carry_changes();
            }
            Err(error) => {
                self.rejected(about, error);
            }
        }
    }

    pub(super) fn set_unschedulable(&mut self, about: About, node: NodeId, unschedulable: bool) {
        match self.store.get_node(node, &self.plan.names) {
            Ok(mut object) => {
                object.unschedulable = unschedulable;
                let Some(cause) = self.called(about, Verb::Patch) else { return };
                self.store.update_node(node, object, cause);
                self.carry_changes();
            }
            Err(refused) => {
                self.rejected(about, refused.to_string());
            }
        }
    }

    pub(super) fn label_node(&mut self, about: About, node: NodeId, change: &LabelChange) {
        let mut object = match self.store.get_node(node, &self.plan.names) {
            Ok(object) => object,
            Err(refused) => {
                self.rejected(about, refused.to_string());
                return;
            }
        };
        match changed_labels(self.lists.labels(object.labels), change, about.kubectl) {
            Ok(labels) => {
                let Some(cause) = self.called(about, Verb::Patch) else { return };
                object.labels = self.lists.intern_labels(&labels);
                self.store.update_node(node, object, cause);
                self.carry_changes();
            }
            Err(error) => {
                self.rejected(about, error);
            }
        }
    }

    pub(super) fn delete_node(&mut self, about: About, node: NodeId) {
        let verdict = self.store.get_node(node, &self.plan.names).map(drop);
        if let Some((cause, ())) = self.judged(about, Verb::Delete, verdict) {
            self.store.delete_node(node, cause);
            self.carry_changes();
        }
    }

    pub(super) fn create_node(&mut self, about: About, spec: &NodeSpec) {
        let verdict = self.store.check_create_node(spec.node, &self.plan.names);
        if let Some((cause, ())) = self.judged(about, Verb::Create, verdict) {
            self.store.create_node(spec, cause);
            self.carry_changes();
        }
    }

    pub(super) fn apply_node(&mut self, about: About, manifest: &ApplyNode) {
        let spec = &manifest.create;
        let Some(&object) = self.store.node(spec.node) else {
            return self.create_node(about, spec);
        };
        let mut object = object;
        let Some(cause) = self.called(about, Verb::Patch) else { return };
        object.labels = self.merged_labels(object.labels, spec.labels);
        object.unschedulable |= spec.unschedulable;
        if let Some(taints) = manifest.taints {
            object.taints = taints;
        }
        self.store.update_node(spec.node, object, cause);
        self.carry_changes();
    }
}
