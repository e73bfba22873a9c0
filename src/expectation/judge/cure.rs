//! What to write in place of a step that was rejected: by the reason for it, and from what the
//! object had gone through by then.

use super::Evidence;
use crate::kernel::time::Time;
use crate::objects::{NodeId, PodId};
use crate::plan::{Action, NodeTarget, PodTarget, Step, TaintPattern, When};
use crate::timeline::history::{Incarnation, Rejection};

/// More rejections than this get no cure: whoever has so many looks at the first.
const CURED_AT_MOST: usize = 100;

/// Knows when the steps of a run were due.
pub(super) struct Cures<'a> {
    evidence: Evidence<'a>,
    /// By index; `None` where it is not a matter of the file.
    due: Vec<Option<Time>>,
    asked: usize,
}

impl<'a> Cures<'a> {
    pub(super) fn new(evidence: Evidence<'a>) -> Cures<'a> {
        let mut due: Vec<Option<Time>> = Vec::new();
        for step in &evidence.context.plan.steps {
            let before = due.last().copied().unwrap_or(Some(Time::ZERO));
            due.push(match step.when {
                When::At(at) => Some(at),
                When::AfterPrevious(span) => before.map(|at| at.saturating_add(span)),
                When::After { .. } => None,
            });
        }
        Cures { evidence, due, asked: 0 }
    }

    /// A sentence with a blank before it; empty where nothing is known that is surely right.
    pub(super) fn cure(&mut self, rejection: &Rejection, step: &Step) -> String {
        self.asked += 1;
        let action = step.actions.get(rejection.action as usize);
        let Some(action) = action.filter(|_| self.asked <= CURED_AT_MOST) else {
            return String::new();
        };
        let error = &*rejection.error;
        let found = if error.contains("(AlreadyExists)") {
            self.exists(rejection)
        } else if error.contains("(NotFound)") {
            self.missing(rejection, &action.action)
        } else if error.contains("is already assigned to node") {
            self.bound(rejection, &action.action)
        } else if error.contains("--overwrite is false") {
            Some("add `--overwrite` to the command, or remove the step".into())
        } else if let Action::Taint { nodes, change } = &action.action
            && error.starts_with("error: taint ")
        {
            self.no_taint(rejection, nodes, &change.remove)
        } else {
            None
        };
        found.map_or_else(String::new, |found| format!(" {}.", capital(&found)))
    }

    fn exists(&self, rejection: &Rejection) -> Option<String> {
        let names = self.evidence.context.names();
        if let Some(node) = rejection.node.filter(|_| rejection.pod.is_none()) {
            let name = names.node(node);
            let is_first = self.evidence.context.plan.nodes.iter().any(|spec| spec.node == node);
            let since = if is_first { " from the start" } else { "" };
            return Some(format!(
                "node {name} exists{since}: delete it in a step before, use another name, or \
                 remove this step"
            ));
        }
        let pod = rejection.pod?;
        let name = short(names.pod(pod));
        let lives = self.evidence.history.incarnations_of(pod);
        let index = lives.iter().position(|life| {
            life.created_at <= rejection.at && life.removed_at().is_none_or(|r| r >= rejection.at)
        })?;
        let life = lives[index];
        let by = self.by_step(life.created_at, rejection, |action| creates(action, pod));
        let since = format!("{name} has existed since {}{by}", life.created_at);
        let Some(removed) = life.removed_at() else {
            return Some(format!(
                "{since}, and stays: delete it in a step before, use another name, or remove this \
                 step"
            ));
        };
        let until = match life.evicted_at() {
            Some(evicted) if evicted == removed => format!("its eviction at {evicted}"),
            Some(evicted) => format!("{removed}, after its eviction at {evicted}"),
            None => format!("{removed}"),
        };
        let occurrence = match index {
            0 => String::new(),
            _ => format!(", occurrence: {}", index + 1),
        };
        Some(format!(
            "{since}, until {until}: give this step a later time, or write `after: {{removed: \
             {name}{occurrence}, plus: 5s}}` in place of its time"
        ))
    }

    fn missing(&self, rejection: &Rejection, action: &Action) -> Option<String> {
        match rejection.pod {
            Some(pod) => self.missing_pod(rejection, pod, action),
            None => self.missing_node(rejection, rejection.node?, action),
        }
    }

    fn missing_pod(&self, rejection: &Rejection, pod: PodId, action: &Action) -> Option<String> {
        let name = short(self.evidence.context.names().pod(pod));
        let lives = self.evidence.history.incarnations_of(pod);
        let next = lives.iter().find(|life| life.created_at >= rejection.at);
        let gone = lives.iter().rfind(|life| life.removed_at().is_some_and(|r| r <= rejection.at));
        let comes = next.map(|life| {
            let by = self.by_step(life.created_at, rejection, |action| creates(action, pod));
            format!("at {}{by}", life.created_at)
        });
        let Some((life, removed)) = gone.and_then(|life| Some((life, life.removed_at()?))) else {
            return Some(match comes {
                Some(comes) => {
                    format!("{name} is created only {comes}: put this step after that")
                }
                None => format!(
                    "{name} was never created in this run: create it in a step before, or remove \
                     this step"
                ),
            });
        };
        let (how, done) = self.end_of(life, rejection, action);
        let went = format!("{name} went at {removed}{how}");
        Some(match (comes, done) {
            (Some(comes), _) => {
                format!("{went}, and is created again {comes}: put this step after that")
            }
            (None, Some(done)) => format!("{went}: remove this step, {done} has done it"),
            (None, None) => {
                format!("{went}: give this step a time before {removed}, or remove this step")
            }
        })
    }

    /// How the pod went; and what has done by that all that the action wanted.
    fn end_of(
        &self,
        life: &Incarnation,
        rejected: &Rejection,
        action: &Action,
    ) -> (String, Option<String>) {
        let deletes = matches!(action, Action::DeletePods { .. });
        if let Some(evicted) = life.evicted_at() {
            let done = deletes.then(|| "its eviction".to_owned());
            let how = match life.removed_at() == Some(evicted) {
                true => ", by its eviction".to_owned(),
                false => format!(", evicted at {evicted}"),
            };
            return (how, done);
        }
        let (context, history) = (self.evidence.context, self.evidence.history);
        let deleted = life.terminating_at().or(life.removed_at());
        let step = deleted.and_then(|at| {
            self.step_at(at, rejected, |action| match action {
                Action::DeletePods { pods, .. } => history.ever_matches(context, life, pods),
                _ => false,
            })
        });
        let how = step.map(|number| format!(", deleted by step {number}")).unwrap_or_default();
        (how, step.filter(|_| deletes).map(|number| format!("step {number}")))
    }

    fn missing_node(&self, rejection: &Rejection, node: NodeId, action: &Action) -> Option<String> {
        let name = self.evidence.context.names().node(node);
        let deletes = |action: &Action| match action {
            Action::DeleteNodes(NodeTarget::Names(nodes)) => nodes.contains(&node),
            _ => false,
        };
        let creates = |action: &Action| match action {
            Action::CreateNodes(nodes) => nodes.iter().any(|spec| spec.node == node),
            Action::ApplyNode(apply) => apply.create.node == node,
            _ => false,
        };
        let (before, after) = self.evidence.context.plan.steps.split_at(rejection.step as usize);
        let does = |step: &&Step, what: &dyn Fn(&Action) -> bool| {
            !self.evidence.steps_not_applied.contains(&step.number)
                && step.actions.iter().any(|action| what(&action.action))
        };
        if let Some(step) = before.iter().rfind(|step| does(step, &deletes)) {
            let write = match action {
                Action::DeleteNodes(_) => "remove this step",
                _ => "put this step before it, or remove this step",
            };
            return Some(format!("step {} has deleted node {name}: {write}", step.number));
        }
        let step = after.iter().find(|step| does(step, &creates))?;
        Some(format!("node {name} is created only by step {}: put this step after it", step.number))
    }

    fn bound(&self, rejection: &Rejection, action: &Action) -> Option<String> {
        let Action::BindPods { node, .. } = action else { return None };
        let pod = rejection.pod?;
        let names = self.evidence.context.names();
        let name = short(names.pod(pod));
        let history = self.evidence.history;
        let lives = history.incarnations_of(pod);
        let life = lives.into_iter().rfind(|life| life.created_at <= rejection.at)?;
        let has = names.node(life.node?);
        let (at, how) = match history.bound_at(life) {
            Some(at) => {
                let binds = |action: &Action| match action {
                    Action::BindPods { pods: PodTarget::Names(pods), .. } => pods.contains(&pod),
                    Action::BindPods { .. } => true,
                    _ => false,
                };
                (at, self.by_step(at, rejection, binds))
            }
            None => {
                let created = life.created_at;
                (created, self.by_step(created, rejection, |action| creates(action, pod)))
            }
        };
        let is_made = history.bound_at(life).is_none();
        let given = format!("{name} has been on {has} since {at}{how}");
        Some(match (life.node == Some(*node), is_made) {
            (true, _) => format!("{given}: remove this step, nothing is left to do"),
            (false, true) => format!(
                "{given}, and is bound once: leave `nodeName` out where {name} is created, or \
                 remove this step"
            ),
            (false, false) => format!("{given}, and is bound once: remove this step or that one"),
        })
    }

    fn no_taint(
        &self,
        rejection: &Rejection,
        nodes: &NodeTarget,
        wanted: &[TaintPattern],
    ) -> Option<String> {
        let context = self.evidence.context;
        let name = context.names().node(rejection.node?);
        let taints = rejection.taints.map_or(&[][..], |id| context.lists.taints(id));
        let has = match taints {
            [] => "no taint".to_owned(),
            some => some.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and "),
        };
        let given = format!("node {name} has {has} at {}", rejection.at);
        let key_of = |pattern: &&TaintPattern| taints.iter().any(|taint| taint.key == pattern.key);
        if wanted.iter().any(|pattern| key_of(&pattern)) {
            return Some(format!("{given}: name that taint, or remove this step"));
        }
        let removed = self.evidence.context.plan.steps[..rejection.step as usize].iter();
        let removes = |action: &Action| match action {
            Action::Taint { nodes: NodeTarget::Names(nodes), change } => {
                rejection.node.is_some_and(|node| nodes.contains(&node))
                    && change.remove.iter().any(|pattern| wanted.contains(pattern))
            }
            _ => false,
        };
        let mut removed = removed.filter(|step| {
            step.actions.iter().any(|action| removes(&action.action))
                && !self.evidence.steps_not_applied.contains(&step.number)
                && !self.is_rejected(step)
        });
        Some(match (rejection.other_node, removed.next_back()) {
            (_, Some(step)) => {
                format!("{given}: remove this step, step {} has done it", step.number)
            }
            (Some(other), None) => {
                let other = context.names().node(other);
                let write = match nodes {
                    NodeTarget::Names(names) if names.len() == 1 => {
                        format!("write {other} in place of {name}")
                    }
                    _ => format!("leave {name} out of this step"),
                };
                format!("{given}; {other} has such a taint: {write}")
            }
            (None, None) => format!("{given}, and no node has such a taint then: remove this step"),
        })
    }

    fn is_rejected(&self, step: &Step) -> bool {
        let steps = &self.evidence.context.plan.steps;
        self.evidence
            .history
            .rejections()
            .iter()
            .any(|r| steps.get(r.step as usize).is_some_and(|own| own.number == step.number))
    }

    /// ` (step 2)`, where it is certain which step did it.
    fn by_step(&self, at: Time, rejected: &Rejection, did: impl Fn(&Action) -> bool) -> String {
        let found = self.step_at(at, rejected, did);
        found.map_or_else(String::new, |number| format!(" (step {number})"))
    }

    /// The step that did something at this time, where only one can have.
    fn step_at(
        &self,
        at: Time,
        rejected: &Rejection,
        did: impl Fn(&Action) -> bool,
    ) -> Option<u32> {
        let steps = self.evidence.context.plan.steps.iter().zip(&self.due).zip(0..);
        let mut able = steps.filter(|((step, due), index)| {
            *index != rejected.step
                && due.is_none_or(|due| due == at)
                && step.actions.iter().any(|action| did(&action.action))
                && !self.evidence.steps_not_applied.contains(&step.number)
        });
        let ((step, _), _) = able.next()?;
        able.next().is_none().then_some(step.number)
    }
}

fn creates(action: &Action, pod: PodId) -> bool {
    match action {
        Action::CreatePods(pods) => pods.iter().any(|spec| spec.pod == pod),
        Action::ApplyPod(apply) => apply.create.pod == pod,
        _ => false,
    }
}

/// As the scenario can name it.
fn short(pod: &str) -> &str {
    pod.strip_prefix("default/").unwrap_or(pod)
}

/// Names of objects stay as they are; the words around them begin a sentence.
fn capital(text: &str) -> String {
    for (small, great) in [("node ", "Node "), ("step ", "Step "), ("add ", "Add ")] {
        if let Some(rest) = text.strip_prefix(small) {
            return format!("{great}{rest}");
        }
    }
    text.to_owned()
}
