//! What a plan can do without: kinds of steps and of bad weather that are left out to see whether a
//! breach needs them.

use std::fmt;

use super::lists;

use crate::kernel::SpanRange;
use crate::plan::{Action, ApiServerConfig, Config, Plan, PodTermination, StepAction};

/// A kind of thing in a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ingredient {
    /// Calls that fail.
    Faults,
    /// Calls and watch events that take their time.
    Latency,
    /// Handlers that keep their workers.
    HandlerCost,
    /// What Go leaves open is drawn.
    Interleaving,
    /// Pods that take their time to stop.
    Termination,
    /// Restarts of the controller.
    Restart,
    /// Watches that break.
    BreakWatch,
    /// Taints that go.
    Untaint,
    /// Tolerations that change.
    SetTolerations,
    /// Pods that others delete.
    DeletePod,
    /// Nodes that go.
    DeleteNode,
    /// Taints that come to a node that has had one.
    SecondTaint,
    /// Tolerations behind others that match the same taints.
    OverlappingTolerations,
    /// Pods that get their node later.
    Bind,
    /// Pods that come later.
    CreatePod,
    /// Nodes that come later.
    CreateNode,
    /// Manifests that are applied.
    Apply,
}

const NAMES: [(Ingredient, &str); 17] = [
    (Ingredient::Faults, "faults"),
    (Ingredient::Latency, "latency"),
    (Ingredient::HandlerCost, "handler-cost"),
    (Ingredient::Interleaving, "interleaving"),
    (Ingredient::Termination, "termination"),
    (Ingredient::Restart, "restart"),
    (Ingredient::BreakWatch, "break-watch"),
    (Ingredient::Untaint, "untaint"),
    (Ingredient::SetTolerations, "set-tolerations"),
    (Ingredient::DeletePod, "delete-pod"),
    (Ingredient::DeleteNode, "delete-node"),
    (Ingredient::SecondTaint, "second-taint"),
    (Ingredient::OverlappingTolerations, "overlapping-tolerations"),
    (Ingredient::Bind, "bind"),
    (Ingredient::CreatePod, "create-pod"),
    (Ingredient::CreateNode, "create-node"),
    (Ingredient::Apply, "apply"),
];

impl Ingredient {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Ingredient> {
        NAMES.iter().map(|(ingredient, _)| *ingredient)
    }

    /// Those that tell what a breach is about: that a pod or a node comes to be is needed for most.
    pub fn telling() -> impl Iterator<Item = Ingredient> {
        Ingredient::all().filter(|ingredient| *ingredient < Ingredient::Bind)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        NAMES[self as usize].1
    }

    /// The ingredient of this name.
    pub fn named(name: &str) -> Option<Ingredient> {
        Ingredient::all().find(|ingredient| ingredient.name() == name)
    }

    /// The plan without it; `None` where there is none of it.
    pub fn left_out(self, plan: &Plan) -> Option<Plan> {
        match self {
            Ingredient::SecondTaint => return lists::without_second_taints(plan),
            Ingredient::OverlappingTolerations => return lists::without_overlaps(plan),
            _ => {}
        }
        self.is_in(plan).then(|| {
            let mut plan = plan.clone();
            self.leave_out(&mut plan);
            plan
        })
    }

    fn is_in(self, plan: &Plan) -> bool {
        let (api, manager) = (&plan.config.api_server, &plan.config.taint_manager);
        match self {
            Ingredient::Faults => !plan.faults.is_empty(),
            Ingredient::Latency => *api != without_latency(api),
            Ingredient::HandlerCost => manager.handler_cost != SpanRange::default(),
            Ingredient::Interleaving => manager.random_interleaving,
            Ingredient::Termination => {
                plan.config.termination != PodTermination::Immediate
                    || plan.nodes.iter().any(|node| node.termination.is_some())
            }
            _ => actions(plan).any(|action| self.is_of(action)),
        }
    }

    fn leave_out(self, plan: &mut Plan) {
        let Config { api_server, taint_manager, termination, .. } = &mut plan.config;
        match self {
            Ingredient::Faults => plan.faults.clear(),
            Ingredient::Latency => *api_server = without_latency(api_server),
            Ingredient::HandlerCost => taint_manager.handler_cost = SpanRange::default(),
            Ingredient::Interleaving => taint_manager.random_interleaving = false,
            Ingredient::Termination => {
                *termination = PodTermination::Immediate;
                plan.nodes.iter_mut().for_each(|node| node.termination = None);
            }
            _ => {
                let actions = plan.steps.iter_mut().flat_map(|step| &mut step.actions);
                for StepAction { action, .. } in actions.filter(|a| self.is_of(&a.action)) {
                    *action = Action::nothing();
                }
            }
        }
    }

    /// Whether an action is of this kind.
    fn is_of(self, action: &Action) -> bool {
        Ingredient::of(action) == Some(self)
    }

    /// The kind of an action; `None` for those that nothing could happen without, or that nothing
    /// comes of.
    pub fn of(action: &Action) -> Option<Ingredient> {
        match action {
            Action::Taint { change, .. } => {
                let only_removes =
                    change.replace.is_none() && change.add == crate::objects::Lists::NO_TAINTS;
                only_removes.then_some(Ingredient::Untaint)
            }
            Action::RestartController { .. } => Some(Ingredient::Restart),
            Action::BreakWatch { .. } => Some(Ingredient::BreakWatch),
            Action::SetTolerations { .. } => Some(Ingredient::SetTolerations),
            Action::DeletePods { .. } => Some(Ingredient::DeletePod),
            Action::DeleteNodes(_) => Some(Ingredient::DeleteNode),
            Action::BindPods { .. } => Some(Ingredient::Bind),
            Action::CreatePods(_) => Some(Ingredient::CreatePod),
            Action::CreateNodes(_) => Some(Ingredient::CreateNode),
            Action::ApplyNode(_) | Action::ApplyPod(_) => Some(Ingredient::Apply),
            Action::SetUnschedulable { .. }
            | Action::LabelPods { .. }
            | Action::LabelNodes { .. }
            | Action::Note(_) => None,
        }
    }
}

impl fmt::Display for Ingredient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

fn actions(plan: &Plan) -> impl Iterator<Item = &Action> {
    plan.steps.iter().flat_map(|step| &step.actions).map(|action| &action.action)
}

/// Nothing takes time; what is let in stays as it is.
fn without_latency(api: &ApiServerConfig) -> ApiServerConfig {
    ApiServerConfig { validation: api.validation, ..ApiServerConfig::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::generate::{Limits, generate};

    #[test]
    fn names_are_in_order() {
        for (index, (ingredient, name)) in NAMES.iter().enumerate() {
            assert_eq!(*ingredient as usize, index, "{name}");
        }
    }

    #[test]
    fn what_is_left_out_is_not_there() {
        let mut seen = std::collections::BTreeSet::new();
        for run in 0..300 {
            let plan = generate(1, run, &Limits::default());
            for ingredient in Ingredient::all() {
                if let Some(without) = ingredient.left_out(&plan) {
                    seen.insert(ingredient);
                    assert_eq!(ingredient.left_out(&without).map(|plan| plan.steps), None, "{run}");
                    assert_eq!(plan.steps.len(), without.steps.len());
                }
            }
        }
        assert_eq!(seen.len(), NAMES.len(), "{seen:?}");
    }
}
