//! What the loader guarantees of a plan, asked of one that was made here: a scenario file of it
//! would load.

use crate::kernel::{SpanRange, Time};
use crate::objects::validation::{taint, taint_list, toleration};
use crate::objects::{NodeId, PodId, Selector, TaintsId, TolerationsId};
use crate::plan::{
    Action, ApiError, Caller, Fault, FaultTarget, LabelChange, NodeTarget, Plan, PodSpec,
    PodTarget, Resource, Step, StepAction, TaintChange, Trigger, Validation, Verb, When,
};

/// What would keep the loader from taking a plan.
///
/// # Errors
/// The first thing that it would refuse.
pub fn check(plan: &Plan) -> Result<(), String> {
    settings(plan)?;
    let created = Created::of(plan);
    initial_objects(plan, &created)?;
    order(&plan.steps)?;
    for step in &plan.steps {
        check_step(plan, &created, step).map_err(|why| format!("step {}: {why}", step.number))?;
    }
    for (fault, number) in plan.faults.iter().zip(1..) {
        check_fault(&created, fault).map_err(|why| format!("fault {number}: {why}"))?;
    }
    Ok(())
}

fn ensure(holds: bool, why: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(why.to_owned()) }
}

/// The names that something creates at some time, and the objects as they are created.
pub(super) struct Created {
    nodes: Vec<bool>,
    pods: Vec<bool>,
    node_labels: Vec<crate::objects::LabelsId>,
    pod_labels: Vec<crate::objects::LabelsId>,
    labels: Vec<crate::objects::Labels>,
    changes_labels: bool,
}

impl Created {
    pub fn of(plan: &Plan) -> Created {
        let mut nodes: Vec<_> = plan.nodes.clone();
        let mut pods: Vec<_> = plan.pods.clone();
        let mut changes_labels = false;
        for action in plan.steps.iter().flat_map(|step| &step.actions) {
            match &action.action {
                Action::CreateNodes(specs) => nodes.extend(specs),
                Action::CreatePods(specs) => pods.extend(specs),
                Action::ApplyNode(apply) => nodes.push(apply.create),
                Action::ApplyPod(apply) => pods.push(apply.create),
                Action::LabelNodes { .. } | Action::LabelPods { .. } => changes_labels = true,
                _ => {}
            }
        }
        let mut created = Created {
            nodes: vec![false; plan.names.node_count()],
            pods: vec![false; plan.names.pod_count()],
            node_labels: nodes.iter().map(|spec| spec.labels).collect(),
            pod_labels: pods.iter().map(|spec| spec.labels).collect(),
            labels: Vec::new(),
            changes_labels,
        };
        let ids = created.node_labels.iter().chain(&created.pod_labels).copied();
        let most = ids.map(|id| id.0).max().unwrap_or(0);
        created.labels =
            (0..=most).map(|id| plan.lists.labels(crate::objects::LabelsId(id)).clone()).collect();
        nodes.iter().for_each(|spec| created.nodes[spec.node.index()] = true);
        pods.iter().for_each(|spec| created.pods[spec.pod.index()] = true);
        created
    }

    pub fn has_node(&self, id: NodeId) -> bool {
        self.nodes[id.index()]
    }

    pub fn has_pod(&self, id: PodId) -> bool {
        self.pods[id.index()]
    }

    fn node(&self, id: NodeId) -> Result<(), String> {
        ensure(self.has_node(id), "a node that nothing creates")
    }

    fn pod(&self, id: PodId) -> Result<(), String> {
        ensure(self.has_pod(id), "a pod that nothing creates")
    }

    fn node_target(&self, target: &NodeTarget) -> Result<(), String> {
        match target {
            NodeTarget::Names(ids) => {
                ensure(!ids.is_empty(), "no node is named")?;
                ids.iter().try_for_each(|id| self.node(*id))
            }
            NodeTarget::Matching(selector) => self.selects(selector, &self.node_labels),
        }
    }

    fn pod_target(&self, target: &PodTarget) -> Result<(), String> {
        match target {
            PodTarget::Names(ids) => {
                ensure(!ids.is_empty(), "no pod is named")?;
                ids.iter().try_for_each(|id| self.pod(*id))
            }
            PodTarget::Matching { selector, .. } => self.selects(selector, &self.pod_labels),
        }
    }

    /// Steps may bring labels at any time.
    fn selects(&self, selector: &Selector, of: &[crate::objects::LabelsId]) -> Result<(), String> {
        let any = of.iter().any(|id| selector.matches(&self.labels[id.index()]));
        ensure(any || (self.changes_labels && !of.is_empty()), "a selector that matches nothing")
    }
}

fn settings(plan: &Plan) -> Result<(), String> {
    let settings = &plan.config.taint_manager;
    let numbers = [
        settings.workers,
        settings.node_channel_capacity,
        settings.pod_channel_capacity,
        settings.delete_retries,
    ];
    ensure(numbers.iter().all(|number| *number >= 1), "a setting of 0")?;
    let api = &plan.config.api_server;
    let (calls, replies) = (&api.latency, &api.reply_latency);
    let ranges = [
        [calls.get, calls.list, calls.patch, calls.delete],
        [replies.get, replies.list, replies.patch, replies.delete],
        [
            api.watch_latency.pods,
            api.watch_latency.nodes,
            settings.handler_cost,
            settings.handler_cost,
        ],
    ];
    let is_range = |range: &SpanRange| range.low <= range.high;
    ensure(ranges.iter().flatten().all(is_range), "a range that ends before it begins")
}

fn initial_objects(plan: &Plan, created: &Created) -> Result<(), String> {
    let mut nodes: Vec<NodeId> = plan.nodes.iter().map(|spec| spec.node).collect();
    let mut pods: Vec<PodId> = plan.pods.iter().map(|spec| spec.pod).collect();
    nodes.sort_unstable();
    pods.sort_unstable();
    ensure(nodes.windows(2).all(|two| two[0] != two[1]), "a node twice at the start")?;
    ensure(pods.windows(2).all(|two| two[0] != two[1]), "a pod twice at the start")?;
    for spec in &plan.nodes {
        taints(plan, spec.taints)?;
    }
    plan.pods.iter().try_for_each(|spec| pod_spec(plan, created, spec))
}

fn pod_spec(plan: &Plan, created: &Created, spec: &PodSpec) -> Result<(), String> {
    spec.node.map_or(Ok(()), |node| created.node(node))?;
    tolerations(plan, spec.tolerations)
}

fn taints(plan: &Plan, id: TaintsId) -> Result<(), String> {
    if plan.config.api_server.validation == Validation::Ignore {
        return Ok(());
    }
    let list = plan.lists.taints(id);
    let own = list.iter().flat_map(taint).next();
    let problem = own.or_else(|| taint_list(list).into_iter().map(|(_, problem)| problem).next());
    problem.map_or(Ok(()), |problem| Err(format!("taint {problem}")))
}

fn tolerations(plan: &Plan, id: TolerationsId) -> Result<(), String> {
    if plan.config.api_server.validation == Validation::Ignore {
        return Ok(());
    }
    let operators = plan.config.switches.comparison_operators;
    let list = plan.lists.tolerations(id).iter();
    let problem = list.flat_map(|one| toleration(one, operators)).next();
    problem.map_or(Ok(()), |problem| Err(format!("toleration {problem}")))
}

/// Steps stand in the order of their times, and are numbered in it. Numbers may have gaps: a file
/// that repeats a step has several of one number.
fn order(steps: &[Step]) -> Result<(), String> {
    let (mut floor, mut waits, mut follows) = (Time::ZERO, false, false);
    for step in steps {
        match step.when {
            When::AfterPrevious(span) => {
                if !waits {
                    floor = floor.saturating_add(span);
                }
                follows = true;
            }
            When::After { occurrence, .. } => {
                ensure(occurrence >= 1, "an occurrence of 0")?;
                (waits, follows) = (true, false);
            }
            When::At(time) => {
                ensure(time >= floor, "a step before the one above it")?;
                let stays_behind = follows && !waits && time == floor;
                ensure(!stays_behind, "a step that would overtake the one above it")?;
                (floor, waits, follows) = (time, false, false);
            }
        }
        ensure(floor < Time::MAX, "a step at the end of time")?;
    }
    Ok(())
}

fn check_step(plan: &Plan, created: &Created, step: &Step) -> Result<(), String> {
    ensure(!step.actions.is_empty(), "no action")?;
    ensure(step.burst || step.actions.len() == 1, "several actions, and no burst")?;
    if let When::After { trigger, .. } = &step.when {
        match trigger {
            Trigger::Armed(pod)
            | Trigger::Cancelled(pod)
            | Trigger::Evicted(pod)
            | Trigger::Removed(pod)
            | Trigger::Bound(pod) => created.pod(*pod)?,
            Trigger::Tainted(node) | Trigger::Untainted(node) => created.node(*node)?,
        }
    }
    step.actions.iter().try_for_each(|action| check_action(plan, created, action))
}

fn check_action(plan: &Plan, created: &Created, action: &StepAction) -> Result<(), String> {
    ensure(!action.text.is_empty(), "an action without words")?;
    match &action.action {
        Action::Taint { nodes, change } => {
            created.node_target(nodes)?;
            taint_change(plan, change, action.kubectl)
        }
        Action::CreateNodes(specs) => {
            ensure(!specs.is_empty(), "no node to create")?;
            specs.iter().try_for_each(|spec| taints(plan, spec.taints))
        }
        Action::CreatePods(specs) => {
            ensure(!specs.is_empty(), "no pod to create")?;
            specs.iter().try_for_each(|spec| pod_spec(plan, created, spec))
        }
        Action::DeleteNodes(nodes) => created.node_target(nodes),
        Action::DeletePods { pods, .. } => created.pod_target(pods),
        Action::BindPods { pods, node } => {
            created.node(*node)?;
            created.pod_target(pods)
        }
        Action::SetTolerations { pods, tolerations: list, .. } => {
            created.pod_target(pods)?;
            tolerations(plan, *list)
        }
        Action::LabelPods { pods, change } => {
            created.pod_target(pods)?;
            label_change(change, action.kubectl)
        }
        Action::LabelNodes { nodes, change } => {
            ensure(action.kubectl, "only kubectl labels nodes")?;
            created.node_target(nodes)?;
            label_change(change, true)
        }
        Action::SetUnschedulable { nodes, .. } => {
            ensure(action.kubectl, "only kubectl cordons")?;
            created.node_target(nodes)
        }
        Action::ApplyNode(apply) => taints(plan, apply.create.taints),
        Action::ApplyPod(apply) => pod_spec(plan, created, &apply.create),
        Action::BreakWatch { .. } | Action::RestartController { .. } | Action::Note(_) => Ok(()),
    }
}

fn taint_change(plan: &Plan, change: &TaintChange, kubectl: bool) -> Result<(), String> {
    let add = plan.lists.taints(change.add);
    taints(plan, change.add)?;
    if let Some(replace) = change.replace {
        let alone = add.is_empty() && change.remove.is_empty();
        ensure(alone && !kubectl, "a new list beside other changes")?;
        return taints(plan, replace);
    }
    ensure(!add.is_empty() || !change.remove.is_empty(), "a change of taints that changes none")?;
    let both = |taint| change.remove.iter().any(|pattern| super::sketch::names(pattern, taint));
    ensure(!kubectl || !add.iter().any(both), "kubectl adds and removes the same taint")?;
    let plain = add.iter().all(|taint| taint.time_added.is_none());
    ensure(!kubectl || plain, "kubectl has no timeAdded")?;
    ensure(kubectl || change.overwrite, "the scenario's own words overwrite")
}

fn label_change(change: &LabelChange, kubectl: bool) -> Result<(), String> {
    ensure(kubectl || change.remove.is_empty(), "only kubectl takes labels away")?;
    let is_empty = change.set.is_empty() && change.remove.is_empty();
    ensure(!(kubectl && is_empty), "no label changes")
}

/// Whether somebody makes calls that such a fault hits.
pub(super) fn is_ever_made(verb: Verb, resource: Resource, caller: Caller) -> bool {
    let by_taint_manager = resource == Resource::Pods && verb != Verb::Create;
    by_taint_manager || (caller == Caller::Any && !matches!(verb, Verb::Get | Verb::List))
}

fn check_fault(created: &Created, fault: &Fault) -> Result<(), String> {
    let made = is_ever_made(fault.verb, fault.resource, fault.caller);
    ensure(made, "nobody makes such a call")?;
    let of_nodes = fault.resource == Resource::Nodes || fault.verb == Verb::List;
    match &fault.target {
        FaultTarget::All => {}
        FaultTarget::Pods(pods) => {
            ensure(!of_nodes, "pods as the target of calls on nodes")?;
            created.pod_target(pods)?;
        }
        FaultTarget::Nodes(nodes) => {
            ensure(of_nodes, "nodes as the target of calls on pods")?;
            created.node_target(nodes)?;
        }
    }
    let may_be_applied = fault.error == ApiError::Timeout;
    ensure(!fault.applied || may_be_applied, "applied, and the store did not change")?;
    ensure(fault.first.is_none_or(|first| first >= 1), "the first 0 calls")?;
    ensure(fault.between.is_none_or(|(from, to)| from < to), "no time between")?;
    ensure(fault.probability.is_none_or(|p| p.parts <= p.of), "a chance above 1")
}
