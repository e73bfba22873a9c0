//! A plan copied with changes: names and lists are interned anew, in the order of their first use,
//! so that what was dropped leaves no trace.

use crate::fuzz::generate::words;
use crate::objects::{
    Labels, LabelsId, NodeId, PodId, Requirement, Selector, Taint, TaintsId, Toleration,
    TolerationsId,
};
use crate::plan::{
    Action, ApplyNode, ApplyPod, Fault, FaultTarget, LabelChange, NodeSpec, NodeTarget, Plan,
    PodSpec, PodTarget, Step, StepAction, TaintChange, TaintPattern, Trigger, When,
};
use crate::scenario::rules::Rules;

/// What a copy has in the place of what the plan has. Each is asked for once for each place.
pub(super) trait Rewrite {
    /// The name of a node.
    fn node(&mut self, name: &str) -> String {
        name.to_owned()
    }
    /// The `namespace/name` of a pod.
    fn pod(&mut self, name: &str) -> String {
        name.to_owned()
    }
    /// A node's list, or one in a step.
    fn taints(&mut self, list: Vec<Taint>) -> Vec<Taint> {
        list
    }
    /// The taints that a step removes.
    fn patterns(&mut self, list: Vec<TaintPattern>) -> Vec<TaintPattern> {
        list
    }
    /// A pod's list, or one in a step; without what admission adds, where that has its defaults.
    fn tolerations(&mut self, list: Vec<Toleration>) -> Vec<Toleration> {
        list
    }
    /// The labels of an object.
    fn labels(&mut self, pairs: Vec<(Box<str>, Box<str>)>) -> Vec<(Box<str>, Box<str>)> {
        pairs
    }
    /// What a selector asks for.
    fn requirements(&mut self, all: Vec<Requirement>) -> Vec<Requirement> {
        all
    }
}

/// Nothing changes.
pub(super) struct Same;

impl Rewrite for Same {}

/// Whether all lists of tolerations are as admission with its defaults leaves them: a file then
/// says nothing about admission, and does not name what it adds.
pub(super) fn is_admitted(plan: &Plan) -> bool {
    let fits = |id: TolerationsId| before_admission(plan.lists.tolerations(id)).is_some();
    let actions = || plan.steps.iter().flat_map(|step| &step.actions);
    plan.pods.iter().all(|spec| fits(spec.tolerations))
        && actions().all(|action| match &action.action {
            Action::CreatePods(specs) => specs.iter().all(|spec| fits(spec.tolerations)),
            Action::ApplyPod(apply) => fits(apply.create.tolerations),
            Action::SetTolerations { tolerations, force: false, .. } => fits(*tolerations),
            _ => true,
        })
}

/// The list without what admission adds.
pub(super) fn before_admission(list: &[Toleration]) -> Option<&[Toleration]> {
    Rules::default().before_admission(list)
}

/// The copy.
pub(super) fn rebuild(plan: &Plan, how: &mut dyn Rewrite) -> Plan {
    let form = if is_admitted(plan) { Form::Admitted } else { Form::AsTheyAre };
    Copying::new(plan, how, form).plan()
}

/// The copy in which admission has made its additions to all lists.
pub(super) fn admit_all(plan: &Plan) -> Plan {
    Copying::new(plan, &mut Same, Form::ToAdmit).plan()
}

/// How the lists of tolerations are taken, and what is made of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Admitted,
    AsTheyAre,
    ToAdmit,
}

struct Copying<'p, 'h> {
    from: &'p Plan,
    to: Plan,
    how: &'h mut dyn Rewrite,
    form: Form,
}

impl<'p, 'h> Copying<'p, 'h> {
    fn new(from: &'p Plan, how: &'h mut dyn Rewrite, form: Form) -> Copying<'p, 'h> {
        let to = Plan { name: from.name.clone(), config: from.config.clone(), ..Plan::default() };
        Copying { from, to, how, form }
    }

    fn plan(mut self) -> Plan {
        let from = self.from;
        for spec in &from.nodes {
            let spec = self.node_spec(spec);
            self.to.nodes.push(spec);
        }
        for spec in &from.pods {
            let spec = self.pod_spec(spec);
            self.to.pods.push(spec);
        }
        for (step, number) in from.steps.iter().zip(1..) {
            let step = self.step(step, number);
            self.to.steps.push(step);
        }
        for (fault, number) in from.faults.iter().zip(1..) {
            let fault = self.fault(fault, number);
            self.to.faults.push(fault);
        }
        self.to
    }

    fn node(&mut self, id: NodeId) -> NodeId {
        let name = self.how.node(self.from.names.node(id));
        self.to.names.intern_node(&name)
    }

    fn pod(&mut self, id: PodId) -> PodId {
        let name = self.how.pod(self.from.names.pod(id));
        self.to.names.intern_pod(&name)
    }

    fn taints(&mut self, id: TaintsId) -> TaintsId {
        let list = self.how.taints(self.from.lists.taints(id).to_vec());
        self.to.lists.intern_taints(&list)
    }

    fn tolerations(&mut self, id: TolerationsId, is_forced: bool) -> TolerationsId {
        let list = self.from.lists.tolerations(id);
        let bare = match self.form {
            Form::Admitted if !is_forced => before_admission(list).unwrap_or(list),
            _ => list,
        };
        let mut list = self.how.tolerations(bare.to_vec());
        if self.form != Form::AsTheyAre && !is_forced {
            Rules::default().admit(&mut list);
        }
        self.to.lists.intern_tolerations(&list)
    }

    fn labels(&mut self, id: LabelsId) -> LabelsId {
        let labels = self.from.lists.labels(id).iter();
        let pairs = labels.map(|(key, value)| (key.into(), value.into())).collect();
        let pairs = self.how.labels(pairs);
        self.to.lists.intern_labels(&Labels::of(pairs))
    }

    fn node_spec(&mut self, spec: &NodeSpec) -> NodeSpec {
        NodeSpec {
            node: self.node(spec.node),
            taints: self.taints(spec.taints),
            labels: self.labels(spec.labels),
            ..*spec
        }
    }

    fn pod_spec(&mut self, spec: &PodSpec) -> PodSpec {
        let manifest_uid = spec.manifest_uid.map(|index| {
            let uid = self.from.manifest_uids[index as usize].clone();
            self.to.manifest_uids.push(uid);
            self.to.manifest_uids.len() as u32 - 1
        });
        PodSpec {
            pod: self.pod(spec.pod),
            node: spec.node.map(|node| self.node(node)),
            tolerations: self.tolerations(spec.tolerations, false),
            labels: self.labels(spec.labels),
            manifest_uid,
            ..*spec
        }
    }

    fn step(&mut self, step: &Step, number: u32) -> Step {
        let when = match &step.when {
            When::After { trigger, occurrence, plus } => When::After {
                trigger: self.trigger(*trigger),
                occurrence: *occurrence,
                plus: *plus,
            },
            other => other.clone(),
        };
        let actions = step.actions.iter().map(|action| self.step_action(action)).collect();
        Step { number, when, actions, because: step.because.clone(), ..*step }
    }

    fn trigger(&mut self, trigger: Trigger) -> Trigger {
        match trigger {
            Trigger::Armed(pod) => Trigger::Armed(self.pod(pod)),
            Trigger::Cancelled(pod) => Trigger::Cancelled(self.pod(pod)),
            Trigger::Evicted(pod) => Trigger::Evicted(self.pod(pod)),
            Trigger::Removed(pod) => Trigger::Removed(self.pod(pod)),
            Trigger::Bound(pod) => Trigger::Bound(self.pod(pod)),
            Trigger::Tainted(node) => Trigger::Tainted(self.node(node)),
            Trigger::Untainted(node) => Trigger::Untainted(self.node(node)),
        }
    }

    fn step_action(&mut self, action: &StepAction) -> StepAction {
        let kubectl = action.kubectl;
        let action = self.action(&action.action);
        let (names, lists) = (&self.to.names, &self.to.lists);
        match kubectl {
            true => words::kubectl(action, names, lists),
            false => words::own(action, names, lists),
        }
    }

    fn action(&mut self, action: &Action) -> Action {
        match action {
            Action::Taint { nodes, change } => {
                Action::Taint { nodes: self.nodes(nodes), change: self.taint_change(change) }
            }
            Action::SetUnschedulable { nodes, unschedulable } => {
                Action::SetUnschedulable { nodes: self.nodes(nodes), unschedulable: *unschedulable }
            }
            Action::CreateNodes(specs) => {
                Action::CreateNodes(specs.iter().map(|spec| self.node_spec(spec)).collect())
            }
            Action::CreatePods(specs) => {
                Action::CreatePods(specs.iter().map(|spec| self.pod_spec(spec)).collect())
            }
            Action::DeleteNodes(nodes) => Action::DeleteNodes(self.nodes(nodes)),
            Action::DeletePods { pods, grace_period_seconds } => Action::DeletePods {
                pods: self.pods(pods),
                grace_period_seconds: *grace_period_seconds,
            },
            Action::BindPods { pods, node } => {
                Action::BindPods { pods: self.pods(pods), node: self.node(*node) }
            }
            Action::SetTolerations { pods, tolerations, force } => Action::SetTolerations {
                pods: self.pods(pods),
                tolerations: self.tolerations(*tolerations, *force),
                force: *force,
            },
            Action::LabelPods { pods, change } => {
                Action::LabelPods { pods: self.pods(pods), change: self.label_change(change) }
            }
            Action::LabelNodes { nodes, change } => {
                Action::LabelNodes { nodes: self.nodes(nodes), change: self.label_change(change) }
            }
            Action::ApplyNode(apply) => {
                let create = self.node_spec(&apply.create);
                Action::ApplyNode(ApplyNode { create, taints: apply.taints.map(|_| create.taints) })
            }
            Action::ApplyPod(apply) => {
                let create = self.pod_spec(&apply.create);
                let tolerations = apply.tolerations.map(|_| create.tolerations);
                Action::ApplyPod(ApplyPod { create, tolerations })
            }
            Action::BreakWatch { .. } | Action::RestartController { .. } | Action::Note(_) => {
                action.clone()
            }
        }
    }

    fn taint_change(&mut self, change: &TaintChange) -> TaintChange {
        TaintChange {
            remove: self.how.patterns(change.remove.clone()),
            add: self.taints(change.add),
            replace: change.replace.map(|list| self.taints(list)),
            overwrite: change.overwrite,
        }
    }

    fn label_change(&mut self, change: &LabelChange) -> LabelChange {
        let set = self.how.labels(change.set.clone());
        let gone = change.remove.iter().map(|key| (key.clone(), Box::default())).collect();
        let remove = self.how.labels(gone).into_iter().map(|(key, _)| key).collect();
        LabelChange { set, remove, overwrite: change.overwrite }
    }

    fn nodes(&mut self, target: &NodeTarget) -> NodeTarget {
        match target {
            NodeTarget::Names(ids) => {
                let mut names = Vec::new();
                for id in ids.iter().map(|id| self.node(*id)) {
                    if !names.contains(&id) {
                        names.push(id);
                    }
                }
                NodeTarget::Names(names)
            }
            NodeTarget::Matching(selector) => NodeTarget::Matching(self.selector(selector)),
        }
    }

    fn pods(&mut self, target: &PodTarget) -> PodTarget {
        match target {
            PodTarget::Names(ids) => {
                let mut names = Vec::new();
                for id in ids.iter().map(|id| self.pod(*id)) {
                    if !names.contains(&id) {
                        names.push(id);
                    }
                }
                PodTarget::Names(names)
            }
            PodTarget::Matching { namespace, selector } => PodTarget::Matching {
                namespace: namespace.clone(),
                selector: self.selector(selector),
            },
        }
    }

    fn selector(&mut self, selector: &Selector) -> Selector {
        Selector(self.how.requirements(selector.0.clone()))
    }

    fn fault(&mut self, fault: &Fault, number: u32) -> Fault {
        let target = match &fault.target {
            FaultTarget::All => FaultTarget::All,
            FaultTarget::Pods(pods) => FaultTarget::Pods(self.pods(pods)),
            FaultTarget::Nodes(nodes) => FaultTarget::Nodes(self.nodes(nodes)),
        };
        Fault { target, place: format!("fault {number}").into(), ..fault.clone() }
    }
}
