//! The scenario's steps act on the store: directly, with no latency and no fault.
//!
//! Each action on each object is one update and one record: `StepApplied`, or `StepRejected` with
//! the words of kubectl or the API server. A rejection stops neither the other objects nor the
//! other actions of a burst.

mod nodes;
mod pods;

use super::event::{Event, schedule};
use super::world::World;
use crate::apiserver::{NodeObject, Refused};
use crate::kernel::{Span, Time};
use crate::marks::Mark;
use crate::objects::{LabelsId, Lists, NodeId, PodId};
use crate::plan::{Action, ApiError, Caller, NodeTarget, PodTarget, Resource, Verb, When};
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
        self.marks.hit_if(Mark::AfterStep, matches!(step.when, When::After { .. }));
        for (step_action, action) in step.actions.iter().zip(0..) {
            let kubectl = step_action.kubectl;
            let about = About { step: index, action, kubectl, pod: None, node: None };
            self.apply(about, &step_action.action);
        }
        if let Some(next) = plan.steps.get(index as usize + 1)
            && let When::AfterPrevious(span) = next.when
        {
            let time = self.queue.now().saturating_add(span);
            self.schedule_step(time, index + 1);
        }
    }

    /// Schedules a step. A burst is not ordered against what is due at its time, unless a step
    /// before it may have that time, too: the model rests between two steps.
    pub(super) fn schedule_step(&mut self, time: Time, index: u32) {
        let steps = &self.plan.steps;
        let before = index.checked_sub(1).map(|before| &steps[before as usize].when);
        let is_first_of_its_time = match (before, &steps[index as usize].when) {
            (None, _) => true,
            (Some(_), When::AfterPrevious(span)) => *span > Span::ZERO,
            (Some(When::At(before)), When::At(_)) => *before < time,
            (Some(_), _) => false,
        };
        if steps[index as usize].burst && is_first_of_its_time {
            self.queue.schedule_burst(time, index);
        } else {
            schedule(&mut self.queue, time, Event::Step(index));
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
            Action::BreakWatch { resource, down_for } => {
                if !self.plan.config.taint_manager.enabled {
                    self.rejected(about, "the taint manager is not enabled".to_owned());
                } else if !self.is_watching(*resource) {
                    let resource = resource.as_str();
                    let error = format!(
                        "nobody watches {resource}: the watch is broken, or the controller down"
                    );
                    self.rejected(about, error);
                } else {
                    let cause = self.applied(about);
                    self.break_watch(*resource, *down_for, cause);
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

    /// An action calls the API: the cause of what it changes, or `None` where a fault keeps the
    /// call from the store. Where only the answer is lost, who made the call takes it for refused.
    fn called(&mut self, about: About, verb: Verb) -> Option<Cause> {
        let resource = if about.pod.is_some() { Resource::Pods } else { Resource::Nodes };
        // The node of an action on a pod is what the pod is about, not whom the call is for.
        let node = about.node.filter(|_| about.pod.is_none());
        let hit = self.check_faults((verb, resource), (about.pod, node), Caller::Any);
        let Some(hit) = hit else { return Some(self.applied(about)) };
        let message = match &self.plan.faults[hit.fault as usize].message {
            Some(message) => message.to_string(),
            None => fault_words(hit.error).to_owned(),
        };
        let error = format!("Error from server ({}): {message}", hit.error.as_str());
        let cause = self.rejected(about, error);
        hit.applied.then_some(cause)
    }

    fn rejected(&mut self, about: About, error: String) -> Cause {
        self.marks.hit(Mark::StepRejected);
        let kind =
            Kind::StepRejected { step: about.step, action: about.action, error: error.into() };
        self.recorder.emit(Cause::ROOT, about.pod, about.node, kind)
    }

    /// Records the verdict of the API server. If it does not refuse: the cause of what follows,
    /// and what it found.
    fn judged<T>(
        &mut self,
        about: About,
        verb: Verb,
        verdict: Result<T, Refused>,
    ) -> Option<(Cause, T)> {
        match verdict {
            Ok(found) => self.called(about, verb).map(|cause| (cause, found)),
            Err(refused) => {
                self.rejected(about, refused.to_string());
                None
            }
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

/// What the API server says with a reason, where the fault has no words of its own.
fn fault_words(error: ApiError) -> &'static str {
    match error {
        ApiError::InternalError => {
            "an error on the server has prevented the request from succeeding"
        }
        ApiError::Conflict => {
            "the object has been modified; please apply your changes to the latest version"
        }
        ApiError::NotFound => "the server could not find the requested resource",
        ApiError::TooManyRequests => {
            "the server has received too many requests and has asked us to try again later"
        }
        ApiError::ServerTimeout => {
            "the server cannot complete the requested operation at this time, try again later"
        }
        ApiError::Timeout => "the server was unable to return a response in the time allotted",
        ApiError::Forbidden => "the request is forbidden",
    }
}
