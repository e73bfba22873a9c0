//! What steps do to pods.

use super::About;
use crate::cluster::taints::changed_labels;
use crate::cluster::world::World;
use crate::objects::{NodeId, PodId, TolerationsId};
use crate::plan::{ApplyPod, LabelChange, PodSpec, Validation, Verb};

impl World<'_> {
    pub(super) fn create_pod(&mut self, about: About, spec: &PodSpec) {
        let verdict = self.store.check_create_pod(spec.pod, &self.plan.names);
        if let Some((cause, ())) = self.judged(about, Verb::Create, verdict) {
            self.store.create_pod(spec, self.queue.now(), cause);
            self.carry_changes();
        }
    }

    pub(super) fn user_deletes_pod(
        &mut self,
        about: About,
        pod: PodId,
        grace_period_seconds: Option<u32>,
    ) {
        let verdict = self.store.get_pod(pod, &self.plan.names).map(drop);
        if let Some((cause, ())) = self.judged(about, Verb::Delete, verdict) {
            self.delete_pod(pod, grace_period_seconds, cause);
        }
    }

    pub(super) fn bind_pod(&mut self, about: About, pod: PodId, node: NodeId) {
        let validation = self.plan.config.api_server.validation;
        let verdict = self.store.check_bind(pod, validation, &self.plan.names);
        if let Some((cause, ())) = self.judged(about, Verb::Create, verdict) {
            self.store.bind_pod(pod, node, cause);
            self.carry_changes();
        }
    }

    pub(super) fn set_tolerations(
        &mut self,
        about: About,
        pod: PodId,
        tolerations: TolerationsId,
        force: bool,
    ) {
        let validation = match force {
            true => Validation::Ignore,
            false => self.plan.config.api_server.validation,
        };
        let vocabulary = (&self.plan.names, &self.lists);
        let verdict = self.store.check_tolerations(pod, tolerations, validation, vocabulary);
        let verdict = verdict.map(|object| object.labels);
        if let Some((cause, labels)) = self.judged(about, Verb::Patch, verdict) {
            self.store.update_pod_spec(pod, (labels, tolerations), cause);
            self.carry_changes();
        }
    }

    pub(super) fn label_pod(&mut self, about: About, pod: PodId, change: &LabelChange) {
        let object = match self.store.get_pod(pod, &self.plan.names) {
            Ok(object) => object,
            Err(refused) => {
                self.rejected(about, refused.to_string());
                return;
            }
        };
        match changed_labels(self.lists.labels(object.labels), change, about.kubectl) {
            Ok(labels) => {
                let Some(cause) = self.called(about, Verb::Patch) else { return };
                let labels = self.lists.intern_labels(&labels);
                self.store.update_pod_spec(pod, (labels, object.tolerations), cause);
                self.carry_changes();
            }
            Err(error) => {
                self.rejected(about, error);
            }
        }
    }

    pub(super) fn apply_pod(&mut self, about: About, manifest: &ApplyPod) {
        let spec = &manifest.create;
        let Some(&object) = self.store.pod(spec.pod) else {
            return self.create_pod(about, spec);
        };
        if spec.node.is_some() && spec.node != object.node {
            let (_, name) = self.plan.names.pod_parts(spec.pod);
            let error = format!(
                "Error from server (Invalid): Pod \"{name}\" is invalid: spec.nodeName: Forbidden: \
                 pod updates may not change it"
            );
            self.rejected(about, error);
            return;
        }
        let tolerations = manifest.tolerations.unwrap_or(object.tolerations);
        let validation = self.plan.config.api_server.validation;
        let vocabulary = (&self.plan.names, &self.lists);
        let verdict = self.store.check_tolerations(spec.pod, tolerations, validation, vocabulary);
        if let Some((cause, _)) = self.judged(about, Verb::Patch, verdict) {
            let labels = self.merged_labels(object.labels, spec.labels);
            self.store.update_pod_spec(spec.pod, (labels, tolerations), cause);
            self.carry_changes();
        }
    }
}
