//! Changes of a plan that a what-if tries.

use crate::kernel::time::Time;
use crate::objects::{Effect, Lists, NodeId, PodId, Taint, Toleration, Uid};
use crate::plan::{
    Action, ApiServerConfig, NodeTarget, Plan, PodSpec, Step, StepAction, TaintChange,
    TaintPattern, When,
};
use crate::profile::{Setting, Switch};

/// One change of a plan, or several at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// A further step takes these taints from a node.
    RemoveTaints {
        /// The node.
        node: NodeId,
        /// By key and effect; each has to be there at that time.
        taints: Vec<Taint>,
        /// When.
        at: Time,
    },
    /// A further step gives a node a taint.
    AddTaint {
        /// The node.
        node: NodeId,
        /// The taint.
        taint: Taint,
        /// When.
        at: Time,
    },
    /// The pod has these tolerations from its creation on.
    Tolerations {
        /// Where its spec stands.
        spec: SpecPlace,
        /// The whole list.
        tolerations: Vec<Toleration>,
    },
    /// The pod has a name that no other pod has.
    OtherName {
        /// Where its spec stands.
        spec: SpecPlace,
    },
    /// A taint has this effect wherever the plan gives it to a node.
    Effect {
        /// The taint as it is.
        taint: Taint,
        /// The effect in its place.
        effect: Effect,
    },
    /// An action of a step does nothing.
    DropAction {
        /// Index of the step.
        step: u32,
        /// Index of its action.
        action: u32,
    },
    /// No call fails.
    DropFaults,
    /// Calls and watch events take no time.
    NoLatency,
    /// A switch of the behaviour profile is set otherwise.
    Switch(Switch, Setting),
    /// There is a taint manager.
    Enable,
    /// The run goes on to this time.
    Until(Time),
    /// All of these.
    All(Vec<Edit>),
}

/// Where the spec of a pod stands in a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecPlace {
    /// Index into `plan.pods`.
    Start(u32),
    /// The pod of this name in an action that creates it.
    Step {
        /// Index of the step.
        step: u32,
        /// Index of its action.
        action: u32,
        /// The name.
        pod: PodId,
    },
}

impl SpecPlace {
    /// Where a pod of the start stands.
    pub fn of_start(uid: Uid) -> SpecPlace {
        SpecPlace::Start(uid.0 - 1)
    }

    fn find(self, plan: &mut Plan) -> Option<&mut PodSpec> {
        match self {
            SpecPlace::Start(index) => plan.pods.get_mut(index as usize),
            SpecPlace::Step { step, action, pod } => {
                let step = plan.steps.get_mut(step as usize)?;
                match &mut step.actions.get_mut(action as usize)?.action {
                    Action::CreatePods(specs) => specs.iter_mut().find(|spec| spec.pod == pod),
                    Action::ApplyPod(apply) => Some(&mut apply.create),
                    _ => None,
                }
            }
        }
    }
}

impl Edit {
    /// The plan with the change; `None` where there is nothing to change.
    pub fn apply(&self, plan: &Plan) -> Option<Plan> {
        let mut changed = plan.clone();
        self.change(&mut changed).then_some(changed)
    }

    /// Whether the pod has another name then.
    pub(super) fn renames(&self) -> bool {
        match self {
            Edit::OtherName { .. } => true,
            Edit::All(edits) => edits.iter().any(Edit::renames),
            _ => false,
        }
    }

    fn change(&self, plan: &mut Plan) -> bool {
        match self {
            Edit::RemoveTaints { node, taints, at } => {
                let patterns = taints.iter().map(|taint| TaintPattern {
                    key: taint.key.clone(),
                    effect: Some(taint.effect.clone()),
                });
                let remove = patterns.collect();
                let change =
                    TaintChange { remove, add: Lists::NO_TAINTS, replace: None, overwrite: false };
                add_step(plan, *node, change, *at);
            }
            Edit::AddTaint { node, taint, at } => {
                let add = plan.lists.intern_taints(std::slice::from_ref(taint));
                let change =
                    TaintChange { remove: Vec::new(), add, replace: None, overwrite: false };
                add_step(plan, *node, change, *at);
            }
            Edit::Tolerations { spec, tolerations } => {
                let list = plan.lists.intern_tolerations(tolerations);
                let Some(spec) = spec.find(plan) else { return false };
                spec.tolerations = list;
            }
            Edit::OtherName { spec } => {
                let Some(old) = spec.find(plan).map(|spec| spec.pod) else { return false };
                let mut name = format!("{}-under-another-name", plan.names.pod(old));
                while plan.names.find_pod(&name).is_some() {
                    name.push('-');
                }
                let other = plan.names.intern_pod(&name);
                let Some(spec) = spec.find(plan) else { return false };
                spec.pod = other;
            }
            Edit::Effect { taint, effect } => return set_effect(plan, taint, effect),
            Edit::DropAction { step, action } => {
                let step = plan.steps.get_mut(*step as usize);
                let action = step.and_then(|step| step.actions.get_mut(*action as usize));
                let Some(action) = action else { return false };
                action.action = Action::nothing();
            }
            Edit::DropFaults => {
                if plan.faults.is_empty() {
                    return false;
                }
                plan.faults.clear();
            }
            Edit::NoLatency => {
                let ideal = ApiServerConfig {
                    validation: plan.config.api_server.validation,
                    ..ApiServerConfig::default()
                };
                if plan.config.api_server == ideal {
                    return false;
                }
                plan.config.api_server = ideal;
            }
            Edit::Switch(switch, setting) => {
                let config = &mut plan.config;
                if *switch == Switch::ShardedWorkers {
                    // As the profiles have it.
                    let mut switches = config.switches;
                    switches.set(*switch, *setting);
                    config.taint_manager.workers = switches.usual_workers();
                }
                config.switches.set(*switch, *setting);
            }
            Edit::Enable => plan.config.taint_manager.enabled = true,
            Edit::Until(until) => plan.config.until = Some(*until),
            Edit::All(edits) => return edits.iter().all(|edit| edit.change(plan)),
        }
        true
    }
}

/// Adds a step behind all others, so that none of them changes its time.
fn add_step(plan: &mut Plan, node: NodeId, change: TaintChange, at: Time) {
    let action = Action::Taint { nodes: NodeTarget::Names(vec![node]), change };
    let number = plan.steps.last().map_or(0, |step| step.number) + 1;
    plan.steps.push(Step {
        number,
        when: When::At(at),
        actions: vec![StepAction { action, text: "what if".into(), kubectl: false }],
        burst: false,
        may_be_rejected: true,
        because: None,
    });
}

fn set_effect(plan: &mut Plan, taint: &Taint, effect: &Effect) -> bool {
    let mut any = false;
    let mut lists = std::mem::take(&mut plan.lists);
    let mut edit = |id: &mut crate::objects::TaintsId| {
        let mut list = lists.taints(*id).to_vec();
        for known in list.iter_mut().filter(|known| known.same_key_and_effect(taint)) {
            known.effect = effect.clone();
            any = true;
        }
        *id = lists.intern_taints(&list);
    };
    plan.nodes.iter_mut().for_each(|spec| edit(&mut spec.taints));
    for action in plan.steps.iter_mut().flat_map(|step| &mut step.actions) {
        match &mut action.action {
            Action::Taint { change, .. } => {
                edit(&mut change.add);
                change.replace.iter_mut().for_each(&mut edit);
                for pattern in &mut change.remove {
                    let is_it = pattern.key == taint.key;
                    if is_it && pattern.effect.as_ref() == Some(&taint.effect) {
                        pattern.effect = Some(effect.clone());
                    }
                }
            }
            Action::CreateNodes(specs) => specs.iter_mut().for_each(|spec| edit(&mut spec.taints)),
            Action::ApplyNode(apply) => {
                edit(&mut apply.create.taints);
                apply.taints.iter_mut().for_each(&mut edit);
            }
            _ => {}
        }
    }
    plan.lists = lists;
    any
}
