//! The scenario's steps act on the store: directly, with no latency and no fault.
//!
//! Each action on each object is one update and one record: `StepApplied`, or `StepRejected` with
//! the words of kubectl or the API server. A rejection stops neither the other objects nor the
//! other actions of a burst.

use super::event::{Event, schedule};
use super::taints::{changed_labels, changed_taints};
use super::world::World;
use crate::apiserver::{NodeObject, Refused};
use crate::objects::{LabelsId, Lists, NodeId, PodId, TaintsId, TolerationsId};
use crate::plan::{
    Action, ApplyNode, ApplyPod, LabelChange, NodeSpec, NodeTarget, PodSpec, PodTarget,
    TaintChange, Validation, When,
};
use crate::timeline::{Cause, Kind};

/// An action that is being applied: its place in the plan, and the object that it is about.
#[derive(Clone, Copy)]
struct About {
    step: u32,
    action: u32,
    kubectl: bool,
    pod: Option<PodId>,
    node: Option<NodeId>,
}

impl About {
    fn pod(self, pod: PodId) -> About {
        About { pod: Some(pod), ..self }
    }

    fn node(self, node: NodeId) -> About {
        About { node: Some(node), ..self }
    }
}

impl<'p> World<'p> {
    /// Applies a step, and schedules the one that follows it by a span.
    pub(super) fn apply_step(&mut self, index: u32) {
        let plan = self.plan;
        let step = &plan.steps[index as usize];
        debug_assert!(!self.steps_applied[index as usize], "step {} twice", step.number);
        self.steps_applied[index as usize] = true;
        for (step_action, action) in step.actions.iter().zip(0..) {
            let kubectl = step_action.kubectl;
            let about = About { step: index, action, kubectl, pod: None, node: None };
            self.apply(about, &step_action.action);
        }
        if let Some(next) = plan.steps.get(index as usize + 1)
            && let When::AfterPrevious(span) = next.when
        {
            let time = self.queue.now().saturating_add(span);
            schedule(&mut self.queue, time, Event::Step(index + 1));
        }
    }

    fn apply(&mut self, about: About, action: &'p Action) {
        match action {
            Action::Taint { nodes, change } => {
                self.for_nodes(about, nodes, |world, about, node| {
                    world.change_taints(about, node, change);
                });
            }
            Action::SetUnschedulable { nodes, unschedulable } => {
                self.for_nodes(about, nodes, |world, about, node| {
                    world.set_unschedulable(about, node, *unschedulable);
                });
            }
            Action::LabelNodes { nodes, change } => {
                self.for_nodes(about, nodes, |world, about, node| {
                    world.label_node(about, node, change);
                });
            }
            Action::DeleteNodes(nodes) => {
                self.for_nodes(about, nodes, Self::delete_node);
            }
            Action::CreateNodes(specs) => {
                for spec in specs {
                    self.create_node(about.node(spec.node), spec);
                }
            }
            Action::CreatePods(specs) => {
                for spec in specs {
                    self.create_pod(about.pod(spec.pod), spec);
                }
            }
            Action::DeletePods { pods, grace_period_seconds } => {
                self.for_pods(about, pods, |world, about, pod| {
                    world.user_deletes_pod(about, pod, *grace_period_seconds);
                });
            }
            Action::BindPods { pods, node } => {
                self.for_pods(about, pods, |world, about, pod| {
                    world.bind_pod(about, pod, *node);
                });
            }
            Action::SetTolerations { pods, tolerations, force } => {
                self.for_pods(about, pods, |world, about, pod| {
                    world.set_tolerations(about, pod, *tolerations, *force);
                });
            }
            Action::LabelPods { pods, change } => {
                self.for_pods(about, pods, |world, about, pod| {
                    world.label_pod(about, pod, change);
                });
            }
            Action::ApplyNode(manifest) => {
                self.apply_node(about.node(manifest.create.node), manifest);
            }
            Action::ApplyPod(manifest) => self.apply_pod(about.pod(manifest.create.pod), manifest),
            Action::RestartController { down_for } => {
                if self.plan.config.taint_manager.enabled {
                    let cause = self.applied(about);
                    self.restart_controller(*down_for, cause);
                } else {
                    self.rejected(about, "the taint manager is not enabled".to_owned());
                }
            }
            Action::Note(_) => {
                let kind = Kind::Note { step: about.step, action: about.action };
                self.emit(Cause::ROOT, kind);
            }
        }
    }

    fn for_nodes(
        &mut self,
        about: About,
        target: &'p NodeTarget,
        mut run: impl FnMut(&mut Self, About, NodeId),
    ) {
        match target {
            NodeTarget::Names(names) => {
                for &node in names {
                    run(self, about.node(node), node);
                }
            }
            NodeTarget::Matching(selector) => {
                let nodes = self.store.nodes();
                let matching = |(_, object): &(_, NodeObject)| {
                    selector.matches(self.lists.labels(object.labels))
                };
                let nodes: Vec<_> = nodes.into_iter().filter(matching).collect();
                if nodes.is_empty() {
                    self.rejected(
                        about,
                        "No resources found: no node matches (NotFound)".to_owned(),
                    );
                }
                for (node, _) in nodes {
                    run(self, about.node(node), node);
                }
            }
        }
    }

    fn for_pods(
        &mut self,
        about: About,
        target: &'p PodTarget,
        mut run: impl FnMut(&mut Self, About, PodId),
    ) {
        match target {
            PodTarget::Names(names) => {
                for &pod in names {
                    run(self, about.pod(pod), pod);
                }
            }
            PodTarget::Matching { .. } => {
                let (names, lists) = (&self.plan.names, &self.lists);
                let pods: Vec<PodId> = self
                    .store
                    .pods()
                    .into_iter()
                    .filter(|(pod, object)| target.matches(*pod, object.labels, names, lists))
                    .map(|(pod, _)| pod)
                    .collect();
                if pods.is_empty() {
                    self.rejected(
                        about,
                        "No resources found: no pod matches (NotFound)".to_owned(),
                    );
                }
                for pod in pods {
                    run(self, about.pod(pod), pod);
                }
            }
        }
    }

    fn applied(&mut self, about: About) -> Cause {
        let kind = Kind::StepApplied { step: about.step, action: about.action };
        self.recorder.emit(Cause::ROOT, about.pod, about.node, kind)
    }

    fn rejected(&mut self, about: About, error: String) {
        let kind =
            Kind::StepRejected { step: about.step, action: about.action, error: error.into() };
        self.recorder.emit(Cause::ROOT, about.pod, about.node, kind);
    }

    /// Records the verdict of the API server. If it does not refuse: the cause of what follows,
    /// and what it found.
    fn judged<T>(&mut self, about: About, verdict: Result<T, Refused>) -> Option<(Cause, T)> {
        match verdict {
            Ok(found) => Some((self.applied(about), found)),
            Err(refused) => {
                self.rejected(about, refused.to_string());
                None
            }
        }
    }

    fn change_taints(&mut self, about: About, node: NodeId, change: &TaintChange) {
        let object = match self.store.get_node(node, &self.plan.names) {
            Ok(object) => object,
            Err(refused) => return self.rejected(about, refused.to_string()),
        };
        let name = self.plan.names.node(node);
        let old = self.lists.taints(object.taints);
        match changed_taints(name, old, change, about.kubectl, &self.lists) {
            Ok(new) => {
                let cause = self.applied(about);
                let taints = self.lists.intern_taints(&new);
                self.set_taints(node, taints, cause);
            }
            Err(error) => self.rejected(about, error),
        }
    }

    fn set_taints(&mut self, node: NodeId, taints: TaintsId, cause: Cause) {
        if let Some(&object) = self.store.node(node) {
            let mut object = object;
            object.taints = taints;
            self.store.update_node(node, object, cause);
            self.carry_changes();
        }
    }

    fn set_unschedulable(&mut self, about: About, node: NodeId, unschedulable: bool) {
        match self.store.get_node(node, &self.plan.names) {
            Ok(mut object) => {
                object.unschedulable = unschedulable;
                let cause = self.applied(about);
                self.store.update_node(node, object, cause);
                self.carry_changes();
            }
            Err(refused) => self.rejected(about, refused.to_string()),
        }
    }

    fn label_node(&mut self, about: About, node: NodeId, change: &LabelChange) {
        let mut object = match self.store.get_node(node, &self.plan.names) {
            Ok(object) => object,
            Err(refused) => return self.rejected(about, refused.to_string()),
        };
        match changed_labels(self.lists.labels(object.labels), change, about.kubectl) {
            Ok(labels) => {
                let cause = self.applied(about);
                object.labels = self.lists.intern_labels(&labels);
                self.store.update_node(node, object, cause);
                self.carry_changes();
            }
            Err(error) => self.rejected(about, error),
        }
    }

    fn delete_node(&mut self, about: About, node: NodeId) {
        let verdict = self.store.get_node(node, &self.plan.names).map(drop);
        if let Some((cause, ())) = self.judged(about, verdict) {
            self.store.delete_node(node, cause);
            self.carry_changes();
        }
    }

    fn create_node(&mut self, about: About, spec: &NodeSpec) {
        let verdict = self.store.check_create_node(spec.node, &self.plan.names);
        if let Some((cause, ())) = self.judged(about, verdict) {
            self.store.create_node(spec, cause);
            self.carry_changes();
        }
    }

    fn create_pod(&mut self, about: About, spec: &PodSpec) {
        let verdict = self.store.check_create_pod(spec.pod, &self.plan.names);
        if let Some((cause, ())) = self.judged(about, verdict) {
            self.store.create_pod(spec, self.queue.now(), cause);
            self.carry_changes();
        }
    }

    fn user_deletes_pod(&mut self, about: About, pod: PodId, grace_period_seconds: Option<u32>) {
        let verdict = self.store.get_pod(pod, &self.plan.names).map(drop);
        if let Some((cause, ())) = self.judged(about, verdict) {
            self.delete_pod(pod, grace_period_seconds, cause);
        }
    }

    fn bind_pod(&mut self, about: About, pod: PodId, node: NodeId) {
        let validation = self.plan.config.api_server.validation;
        let verdict = self.store.check_bind(pod, validation, &self.plan.names);
        if let Some((cause, ())) = self.judged(about, verdict) {
            self.store.bind_pod(pod, node, cause);
            self.carry_changes();
        }
    }

    fn set_tolerations(
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
        if let Some((cause, labels)) = self.judged(about, verdict) {
            self.store.update_pod_spec(pod, (labels, tolerations), cause);
            self.carry_changes();
        }
    }

    fn label_pod(&mut self, about: About, pod: PodId, change: &LabelChange) {
        let object = match self.store.get_pod(pod, &self.plan.names) {
            Ok(object) => object,
            Err(refused) => return self.rejected(about, refused.to_string()),
        };
        match changed_labels(self.lists.labels(object.labels), change, about.kubectl) {
            Ok(labels) => {
                let cause = self.applied(about);
                let labels = self.lists.intern_labels(&labels);
                self.store.update_pod_spec(pod, (labels, object.tolerations), cause);
                self.carry_changes();
            }
            Err(error) => self.rejected(about, error),
        }
    }

    fn apply_node(&mut self, about: About, manifest: &ApplyNode) {
        let spec = &manifest.create;
        let Some(&object) = self.store.node(spec.node) else {
            return self.create_node(about, spec);
        };
        let mut object = object;
        let cause = self.applied(about);
        object.labels = self.merged_labels(object.labels, spec.labels);
        object.unschedulable |= spec.unschedulable;
        if let Some(taints) = manifest.taints {
            object.taints = taints;
        }
        self.store.update_node(spec.node, object, cause);
        self.carry_changes();
    }

    fn apply_pod(&mut self, about: About, manifest: &ApplyPod) {
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
            return self.rejected(about, error);
        }
        let tolerations = manifest.tolerations.unwrap_or(object.tolerations);
        let validation = self.plan.config.api_server.validation;
        let vocabulary = (&self.plan.names, &self.lists);
        let verdict = self.store.check_tolerations(spec.pod, tolerations, validation, vocabulary);
        if let Some((cause, _)) = self.judged(about, verdict) {
            let labels = self.merged_labels(object.labels, spec.labels);
            self.store.update_pod_spec(spec.pod, (labels, tolerations), cause);
            self.carry_changes();
        }
    }

    /// The labels of an object after an apply that names some.
    fn merged_labels(&mut self, old: LabelsId, applied: LabelsId) -> LabelsId {
        if applied == Lists::NO_LABELS {
            return old;
        }
        let mut labels = self.lists.labels(old).clone();
        for (key, value) in self.lists.labels(applied).iter() {
            labels.set(key, value);
        }
        self.lists.intern_labels(&labels)
    }
}
