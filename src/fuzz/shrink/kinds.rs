//! Steps said in a plainer way.

use super::Search;
use super::observe;
use crate::kernel::Span;
use crate::objects::{Lists, NodeId, PodId, Taint};
use crate::plan::{
    Action, NodeTarget, Plan, PodSpec, PodTarget, StepAction, TaintChange, TaintPattern, When,
};

/// Actions, when they are applied, and bursts; then objects.
pub(super) fn plainer(search: &mut Search<'_>) {
    kubectl_everywhere(search);
    let mut step = 0;
    while step < search.plan.steps.len() {
        let mut action = 0;
        // What is taken may take more with it.
        while search.plan.steps.get(step).is_some_and(|step| action < step.actions.len()) {
            let plans = others(&search.plan, step, action);
            search.offer_best(plans);
            action += 1;
        }
        step += 1;
    }
    triggers(search);
    bursts(search);
    objects(search);
}

fn own(action: Action) -> StepAction {
    // The words come when the plan is built again.
    StepAction { action, text: "-".into(), kubectl: false }
}

/// All taints come by kubectl, where it has words for them.
fn kubectl_everywhere(search: &mut Search<'_>) {
    for overwrite in [false, true] {
        search.offer_with(|plan| {
            for action in plan.steps.iter_mut().flat_map(|step| &mut step.actions) {
                if let Action::Taint { change, .. } = &mut action.action
                    && change.replace.is_none()
                    && change.add != Lists::NO_TAINTS
                {
                    change.overwrite = overwrite;
                    action.kubectl = true;
                }
            }
        });
    }
}

/// The plan with something else in the place of an action.
fn others(plan: &Plan, step: usize, action: usize) -> Vec<Plan> {
    let old = &plan.steps[step].actions[action];
    let mut lists = plan.lists.clone();
    let mut new = by_names(plan, old);
    new.extend(said_otherwise(plan, &old.action, &mut lists));
    let put = |one: StepAction| {
        let mut plan = Plan { lists: lists.clone(), ..plan.clone() };
        plan.steps[step].actions[action] = one;
        plan
    };
    new.into_iter().map(put).collect()
}

/// The action on objects that are named, in the place of a selector.
fn by_names(plan: &Plan, old: &StepAction) -> Vec<StepAction> {
    let mut new = Vec::new();
    match &old.action {
        Action::Taint { nodes, .. }
        | Action::SetUnschedulable { nodes, .. }
        | Action::LabelNodes { nodes, .. }
        | Action::DeleteNodes(nodes) => new.extend(plainer_nodes(plan, nodes).map(Target::Nodes)),
        Action::DeletePods { pods, .. }
        | Action::BindPods { pods, .. }
        | Action::SetTolerations { pods, .. }
        | Action::LabelPods { pods, .. } => new.extend(plainer_pods(plan, pods).map(Target::Pods)),
        _ => {}
    }
    let put = |target: Target| {
        let mut copy = old.clone();
        match (&mut copy.action, target) {
            (
                Action::Taint { nodes, .. }
                | Action::SetUnschedulable { nodes, .. }
                | Action::LabelNodes { nodes, .. }
                | Action::DeleteNodes(nodes),
                Target::Nodes(new),
            ) => *nodes = new,
            (
                Action::DeletePods { pods, .. }
                | Action::BindPods { pods, .. }
                | Action::SetTolerations { pods, .. }
                | Action::LabelPods { pods, .. },
                Target::Pods(new),
            ) => *pods = new,
            _ => {}
        }
        copy
    };
    new.into_iter().map(put).collect()
}

enum Target {
    Nodes(NodeTarget),
    Pods(PodTarget),
}

/// Actions that do much the same.
fn said_otherwise(plan: &Plan, old: &Action, lists: &mut Lists) -> Vec<StepAction> {
    let mut new = Vec::new();
    match old {
        Action::Taint { nodes, change } => {
            for (change, kubectl) in plainer_changes(plan, change, lists) {
                let action = Action::Taint { nodes: nodes.clone(), change };
                new.push(StepAction { kubectl, ..own(action) });
            }
        }
        Action::DeletePods { pods, .. } => {
            new.push(own(Action::DeletePods { pods: pods.clone(), grace_period_seconds: None }));
        }
        Action::SetTolerations { pods, tolerations, .. } => {
            let (pods, tolerations) = (pods.clone(), *tolerations);
            new.push(own(Action::SetTolerations { pods, tolerations, force: false }));
        }
        Action::ApplyNode(apply) => {
            new.push(own(Action::CreateNodes(vec![apply.create])));
            let add = apply.create.taints;
            let change = TaintChange { remove: Vec::new(), add, replace: None, overwrite: true };
            let nodes = NodeTarget::Names(vec![apply.create.node]);
            new.push(own(Action::Taint { nodes, change }));
        }
        Action::ApplyPod(apply) => {
            new.push(own(Action::CreatePods(vec![apply.create])));
            if let Some(tolerations) = apply.tolerations {
                let pods = PodTarget::Names(vec![apply.create.pod]);
                new.push(own(Action::SetTolerations { pods, tolerations, force: false }));
            }
        }
        _ => {}
    }
    new
}

/// Each node by its name, and all of them.
fn plainer_nodes(plan: &Plan, target: &NodeTarget) -> impl Iterator<Item = NodeTarget> {
    let is_selector = matches!(target, NodeTarget::Matching(_));
    let all: Vec<NodeId> = plan.names.nodes().map(|(id, _)| id).collect();
    let each: Vec<NodeTarget> = all.iter().map(|id| NodeTarget::Names(vec![*id])).collect();
    each.into_iter().chain([NodeTarget::Names(all)]).filter(move |_| is_selector)
}

fn plainer_pods(plan: &Plan, target: &PodTarget) -> impl Iterator<Item = PodTarget> {
    let is_selector = matches!(target, PodTarget::Matching { .. });
    let all: Vec<PodId> = plan.names.pods().map(|(id, _)| id).collect();
    let each: Vec<PodTarget> = all.iter().map(|id| PodTarget::Names(vec![*id])).collect();
    each.into_iter().chain([PodTarget::Names(all)]).filter(move |_| is_selector)
}

/// Changes in the place of one, each with whether it comes by kubectl.
fn plainer_changes(
    plan: &Plan,
    change: &TaintChange,
    lists: &mut Lists,
) -> Vec<(TaintChange, bool)> {
    let mut new = Vec::new();
    if let Some(list) = change.replace {
        let there = plan.lists.taints(list);
        let named: Vec<TaintPattern> = others_than(plan, there);
        let none = Lists::NO_TAINTS;
        for (remove, add) in [(Vec::new(), list), (named.clone(), none), (named, list)] {
            for (kubectl, overwrite) in [(true, false), (true, true), (false, true)] {
                let remove = remove.clone();
                new.push((TaintChange { remove, add, replace: None, overwrite }, kubectl));
            }
        }
        for taint in there {
            let add = lists.intern_taints(std::slice::from_ref(taint));
            let change = TaintChange { remove: Vec::new(), add, replace: None, overwrite: false };
            new.push((change, true));
        }
        return new;
    }
    new.push((TaintChange { overwrite: false, ..change.clone() }, true));
    new.push((TaintChange { overwrite: true, ..change.clone() }, true));
    for index in 0..change.remove.len() {
        let mut shorter = change.clone();
        shorter.remove[index].effect = None;
        new.push((shorter.clone(), true));
        new.push((TaintChange { overwrite: true, ..shorter }, false));
    }
    new
}

/// Patterns of the plan's taints that are not in a list.
fn others_than(plan: &Plan, there: &[Taint]) -> Vec<TaintPattern> {
    let mut patterns: Vec<TaintPattern> = Vec::new();
    for taint in plan.lists.all_taints() {
        let pattern = TaintPattern { key: taint.key.clone(), effect: None };
        if !there.iter().any(|one| one.key == taint.key) && !patterns.contains(&pattern) {
            patterns.push(pattern);
        }
    }
    patterns
}

/// Steps that wait come at the time at which they did.
fn triggers(search: &mut Search<'_>) {
    let waits = |plan: &Plan| plan.steps.iter().any(|step| !matches!(step.when, When::At(_)));
    if !waits(&search.plan) {
        return;
    }
    let seen = observe::steps(&search.plan);
    search.offer_with(|plan| {
        for (step, seen) in plan.steps.iter_mut().zip(&seen) {
            if let Some(time) = seen.at {
                step.when = When::At(time);
            }
        }
        // Steps that waited may have come in another order than that of the file.
        plan.steps.sort_by_key(|step| match step.when {
            When::At(time) => time,
            _ => crate::kernel::Time::MAX,
        });
    });
    let mut index = 0;
    while index < search.plan.steps.len() {
        let seen = observe::steps(&search.plan);
        if let When::After { .. } | When::AfterPrevious(_) = search.plan.steps[index].when {
            if let Some(time) = seen[index].at {
                let at = When::At(time);
                search.offer_at(|plan| &mut plan.steps, index, |step| step.when = at);
            }
            search.offer_at(
                |plan| &mut plan.steps,
                index,
                |step| {
                    if let When::After { occurrence, .. } = &mut step.when {
                        *occurrence = 1;
                    }
                },
            );
        }
        index += 1;
    }
}

/// A burst of one is a plain step; one of several may be steps of one instant, or one by one.
fn bursts(search: &mut Search<'_>) {
    let mut index = 0;
    while index < search.plan.steps.len() {
        if search.plan.steps[index].burst {
            for apart in [Span::from_secs(10), Span::ZERO] {
                // A change that is taken leaves the loop, so the step is still there.
                if search.offer_with(|plan| take_apart(plan, index, apart)) {
                    break;
                }
            }
        }
        index += 1;
    }
    search.offer_with(|plan| plan.steps.iter_mut().for_each(|step| step.because = None));
}

fn take_apart(plan: &mut Plan, index: usize, apart: Span) {
    let step = plan.steps.remove(index);
    for (place, action) in step.actions.iter().enumerate() {
        let when = match (&step.when, place) {
            (When::At(time), _) => {
                When::At(time.saturating_add(Span(apart.0.saturating_mul(place as u64))))
            }
            (first, 0) => first.clone(),
            _ => When::AfterPrevious(apart),
        };
        let actions = vec![action.clone()];
        let single = crate::plan::Step { when, actions, burst: false, ..step.clone() };
        plan.steps.insert(index + place, single);
    }
}

/// Nodes and pods without what few have.
fn objects(search: &mut Search<'_>) {
    search.offer_with(|plan| {
        for spec in &mut plan.nodes {
            (spec.termination, spec.unschedulable) = (None, false);
        }
        plan.pods.iter_mut().for_each(plain_pod);
        for action in plan.steps.iter_mut().flat_map(|step| &mut step.actions) {
            match &mut action.action {
                Action::CreateNodes(specs) => specs.iter_mut().for_each(|spec| {
                    (spec.termination, spec.unschedulable) = (None, false);
                }),
                Action::CreatePods(specs) => specs.iter_mut().for_each(plain_pod),
                _ => {}
            }
        }
    });
    for index in 0..search.plan.nodes.len() {
        search.offer_at(|plan| &mut plan.nodes, index, |spec| spec.termination = None);
        search.offer_at(|plan| &mut plan.nodes, index, |spec| spec.unschedulable = false);
    }
    for index in 0..search.plan.pods.len() {
        search.offer_at(|plan| &mut plan.pods, index, plain_pod);
        search.offer_at(|plan| &mut plan.pods, index, |spec| spec.grace_period_seconds = 30);
        search.offer_at(|plan| &mut plan.pods, index, |spec| spec.terminating = false);
    }
}

fn plain_pod(spec: &mut PodSpec) {
    *spec = PodSpec {
        tolerations: spec.tolerations,
        labels: spec.labels,
        ..PodSpec::new(spec.pod, spec.node)
    };
}
