//! Single steps: what each kind does, from what is there by then.

use super::draft::{Draft, step};
use super::sketch::{NodeSketch, names};
use super::weights::{StepKind, Trait};
use super::words;
use crate::kernel::{Span, Time};
use crate::objects::{Effect, Lists, NodeId, PodId, Taint, Toleration, TolerationsId};
use crate::plan::{
    Action, ApplyNode, ApplyPod, LabelChange, NodeTarget, PodTarget, Resource, Step, StepAction,
    TaintChange, TaintPattern, Trigger, When,
};

impl Draft {
    /// Adds a step of a kind at its time; where it re-creates something, maybe two.
    pub fn single(&mut self, kind: StepKind) {
        let at = self.next_time();
        self.sketch.pass(at);
        self.now = at;
        let mut actions = self.actions(kind);
        if actions.len() > 1 && !self.dice.chance(500) {
            // Moments between them in place of a burst.
            let last = actions.pop();
            self.burst_at(at, actions);
            self.now = self.next_time();
            self.burst_at(self.now, last.into_iter().collect());
            return;
        }
        if self.now_and_then(Trait::Bursts) {
            let other = self.swarm.steps.pick(&mut self.dice);
            // The first one counts for what the second one sees.
            for action in &actions {
                self.sketch.apply(&action.action, at, &self.plan.lists);
            }
            actions.extend(self.actions(other));
        }
        if self.swarm.has(Trait::AfterSteps) && self.dice.chance(300) {
            let when = self.waiting();
            let mut steps = vec![step(when, actions)];
            if self.dice.chance(300) {
                let follower = self.follower();
                steps.push(follower);
            }
            self.unit(at, steps);
            return;
        }
        self.burst_at(at, actions);
    }

    /// The actions of a kind: one, or the two of a re-creation.
    pub fn actions(&mut self, kind: StepKind) -> Vec<StepAction> {
        match kind {
            StepKind::RecreatePod => {
                let pod = self.pod(|pod| pod.is_there);
                let create = self.recreation(pod);
                vec![self.delete_pod(pod, Some(0)), self.own(create)]
            }
            StepKind::RecreateNode => {
                let node = self.node(true);
                let delete = self.own(Action::DeleteNodes(NodeTarget::Names(vec![node])));
                let spec = self.node_spec(node, true);
                vec![delete, self.own(Action::CreateNodes(vec![spec]))]
            }
            _ => vec![self.action(kind)],
        }
    }

    fn action(&mut self, kind: StepKind) -> StepAction {
        let action = match kind {
            StepKind::Taint => {
                let taints = self.taints();
                return self.change_taints(None, vec![], taints);
            }
            StepKind::Untaint => return self.untaint(),
            StepKind::SwapTaint => return self.swap(),
            StepKind::ReplaceTaints => return self.replace(),
            StepKind::RefreshTaint => return self.refresh(),
            StepKind::CreatePod | StepKind::RecreatePod => {
                let pod = self.pod(|pod| !pod.is_there);
                self.recreation(pod)
            }
            StepKind::DeletePod => {
                let pod = self.pod(|pod| pod.is_there);
                let grace = self.dice.pick(&[None, None, Some(0), Some(1)]);
                return self.delete_pod(pod, grace);
            }
            StepKind::BindPod => {
                let pod = self.pod(|pod| pod.is_there && pod.node.is_none());
                let node = self.node(true);
                Action::BindPods { pods: PodTarget::Names(vec![pod]), node }
            }
            StepKind::SetTolerations => {
                let pod = self.pod(|pod| pod.is_there);
                return self.set_tolerations(pod);
            }
            StepKind::ForceTolerations => {
                let pod = self.pod(|pod| pod.is_there);
                let tolerations = self.other_tolerations(pod);
                Action::SetTolerations { pods: self.pods_of(pod), tolerations, force: true }
            }
            StepKind::TouchPod => {
                let pod = self.pod(|pod| pod.is_there);
                let value = self.dice.pick(&["1", "2"]);
                let change = label_change("touched", value);
                Action::LabelPods { pods: self.pods_of(pod), change }
            }
            StepKind::ApplyPod => self.apply_pod(),
            StepKind::CreateNode | StepKind::RecreateNode => {
                let node = self.node(false);
                Action::CreateNodes(vec![self.node_spec(node, true)])
            }
            StepKind::DeleteNode => {
                let node = self.node(true);
                Action::DeleteNodes(self.nodes_of(node))
            }
            StepKind::ApplyNode => self.apply_node(),
            StepKind::Restart => Action::RestartController { down_for: self.down_time() },
            StepKind::BreakWatch => {
                let resource = self.dice.pick(&[Resource::Pods, Resource::Nodes]);
                Action::BreakWatch { resource, down_for: self.down_time() }
            }
            StepKind::Note => Action::Note("a moment".into()),
            StepKind::Cordon | StepKind::LabelNode => return self.dropped_update(kind),
        };
        self.own(action)
    }

    /// An action in the scenario's own words.
    pub fn own(&self, action: Action) -> StepAction {
        words::own(action, &self.plan.names, &self.plan.lists)
    }

    /// Updates of nodes that the taint manager has to drop; kubectl has the words for them.
    fn dropped_update(&mut self, kind: StepKind) -> StepAction {
        let node = self.node(true);
        let nodes = self.nodes_of(node);
        let action = match kind {
            StepKind::Cordon => {
                Action::SetUnschedulable { nodes, unschedulable: self.dice.chance(500) }
            }
            _ => {
                let value = self.dice.pick(&["a", "b"]);
                Action::LabelNodes { nodes, change: label_change("zone", value) }
            }
        };
        words::kubectl(action, &self.plan.names, &self.plan.lists)
    }

    /// A change of taints, of `node` or of one that is there, sometimes as kubectl makes it.
    pub fn change_taints(
        &mut self,
        node: Option<NodeId>,
        remove: Vec<TaintPattern>,
        add: crate::objects::TaintsId,
    ) -> StepAction {
        let node = match node {
            Some(node) => node,
            None => self.node(true),
        };
        let nodes = self.nodes_of(node);
        // kubectl has no `timeAdded`, and refuses to remove what it adds.
        let lists = &self.plan.lists;
        let is_plain = lists.taints(add).iter().all(|taint| {
            taint.time_added.is_none() && !remove.iter().any(|pattern| names(pattern, taint))
        });
        let by_kubectl = is_plain && self.now_and_then(Trait::Kubectl);
        let overwrite = !by_kubectl || self.dice.chance(500);
        let change = TaintChange { remove, add, replace: None, overwrite };
        let action = Action::Taint { nodes, change };
        match by_kubectl {
            true => words::kubectl(action, &self.plan.names, &self.plan.lists),
            false => self.own(action),
        }
    }

    fn replace_taints(&mut self, node: NodeId, list: &[Taint]) -> StepAction {
        let replace = Some(self.plan.lists.intern_taints(list));
        let nodes = self.nodes_of(node);
        let change =
            TaintChange { remove: vec![], add: Lists::NO_TAINTS, replace, overwrite: true };
        self.own(Action::Taint { nodes, change })
    }

    /// A node that has a taint, with one of its taints.
    fn tainted(&mut self) -> Option<(NodeId, Taint)> {
        let has_some = |node: &&NodeSketch| node.is_there && !node.taints.is_empty();
        let count = self.sketch.nodes.iter().filter(has_some).count();
        if count == 0 {
            return None;
        }
        let which = self.dice.index(count);
        let node = self.sketch.nodes.iter().filter(has_some).nth(which)?;
        let taint = self.dice.index(node.taints.len());
        Some((node.id, node.taints[taint].clone()))
    }

    fn pattern(&mut self, taint: &Taint) -> TaintPattern {
        let effect = self.dice.chance(700).then(|| taint.effect.clone());
        TaintPattern { key: taint.key.clone(), effect }
    }

    fn untaint(&mut self) -> StepAction {
        let (node, taint) = match self.tainted() {
            Some((node, taint)) => (Some(node), taint),
            None => (None, self.taint()),
        };
        let pattern = self.pattern(&taint);
        self.change_taints(node, vec![pattern], Lists::NO_TAINTS)
    }

    /// A taint goes and one that its pattern does not name comes.
    fn swap(&mut self) -> StepAction {
        let (node, old) = match self.tainted() {
            Some((node, taint)) => (Some(node), taint),
            None => (None, self.taint()),
        };
        let mut new = self.taint();
        if new.key == old.key {
            let all = self.keys.len();
            let next = self.keys.iter().position(|key| *key == old.key).map_or(0, |at| at + 1);
            new.key = self.keys[next % all].clone();
        }
        let pattern = self.pattern(&old);
        let remove = if names(&pattern, &new) { vec![] } else { vec![pattern] };
        let add = self.plan.lists.intern_taints(&[new]);
        self.change_taints(node, remove, add)
    }

    fn replace(&mut self) -> StepAction {
        let node = self.node(true);
        let mut list = self.sketch.nodes[node.index()].taints.clone();
        match self.dice.below(4) {
            0 => list.clear(),
            1 => list.reverse(),
            2 => {
                let new = self.taint();
                list.retain(|taint| !taint.same_key_and_effect(&new));
                list.insert(0, new);
            }
            _ => {
                let new = self.taints();
                list = self.plan.lists.taints(new).to_vec();
            }
        }
        self.replace_taints(node, &list)
    }

    /// A taint that is there, with another value or time.
    fn refresh(&mut self) -> StepAction {
        let (node, mut taint) = match self.tainted() {
            Some((node, taint)) => (Some(node), taint),
            None => (None, self.taint()),
        };
        if self.dice.chance(500) {
            taint.value = self.value().into();
        } else {
            let other = match &taint.time_added {
                Some(time) if **time == *"2026-01-01T00:00:00Z" => "2026-01-01T00:00:01Z",
                _ => "2026-01-01T00:00:00Z",
            };
            taint.time_added = Some(other.into());
        }
        let add = self.plan.lists.intern_taints(&[taint]);
        self.change_taints(node, vec![], add)
    }

    /// A pod of this name comes: mostly as it was, here or elsewhere.
    pub fn recreation(&mut self, pod: PodId) -> Action {
        let before = self.sketch.pods[pod.index()];
        let mut spec = self.pod_spec(pod);
        if self.dice.chance(600) {
            spec.tolerations = before.tolerations;
        }
        if before.node.is_some() && self.dice.chance(400) {
            spec.node = before.node;
        }
        Action::CreatePods(vec![spec])
    }

    pub(super) fn delete_pod(&mut self, pod: PodId, grace: Option<u32>) -> StepAction {
        let pods = self.pods_of(pod);
        self.own(Action::DeletePods { pods, grace_period_seconds: grace })
    }

    /// A change of tolerations as the API lets it be.
    pub fn set_tolerations(&mut self, pod: PodId) -> StepAction {
        let old = self.sketch.pods[pod.index()].tolerations;
        let mut list = self.plan.lists.tolerations(old).to_vec();
        self.edit(&mut list);
        let tolerations = self.plan.lists.intern_tolerations(&list);
        let pods = PodTarget::Names(vec![pod]);
        self.own(Action::SetTolerations { pods, tolerations, force: false })
    }

    /// Gives one other seconds, or adds one at either end.
    pub(super) fn edit(&mut self, list: &mut Vec<Toleration>) {
        let evicting = |toleration: &Toleration| toleration.effect == Some(Effect::NoExecute);
        if !list.is_empty() && self.dice.chance(650) {
            let index = self.dice.index(list.len());
            if evicting(&list[index]) {
                list[index].toleration_seconds = self.seconds();
                return;
            }
        }
        let new = self.toleration();
        let index = if self.dice.chance(500) { 0 } else { list.len() };
        list.insert(index, new);
    }

    /// Tolerations that the API would not let a live pod have after those that it has.
    fn other_tolerations(&mut self, pod: PodId) -> TolerationsId {
        let old = self.sketch.pods[pod.index()].tolerations;
        let mut list = self.plan.lists.tolerations(old).to_vec();
        match self.dice.below(3) {
            0 if !list.is_empty() => {
                let index = self.dice.index(list.len());
                list.remove(index);
            }
            1 if list.len() > 1 => list.reverse(),
            _ => return self.tolerations(),
        }
        self.plan.lists.intern_tolerations(&list)
    }

    fn apply_pod(&mut self) -> Action {
        let pod = self.any_pod();
        let mut create = self.pod_spec(pod);
        let sketch = self.sketch.pods[pod.index()];
        if sketch.is_there {
            create.node = sketch.node;
        }
        let mut list = self.plan.lists.tolerations(sketch.tolerations).to_vec();
        self.edit(&mut list);
        create.tolerations = self.plan.lists.intern_tolerations(&list);
        Action::ApplyPod(ApplyPod { create, tolerations: Some(create.tolerations) })
    }

    fn apply_node(&mut self) -> Action {
        let node = self.any_node();
        let mut create = self.node_spec(node, true);
        // A manifest has no such thing.
        create.termination = None;
        let taints = self.dice.chance(700).then_some(create.taints);
        if taints.is_none() {
            create.taints = Lists::NO_TAINTS;
        }
        Action::ApplyNode(ApplyNode { create, taints })
    }

    /// How long a controller or a watch is down.
    fn down_time(&mut self) -> Span {
        Span::from_millis(self.dice.pick(&[0, 0, 1, 100, 1_000, 5_000, 30_000]))
    }

    /// This node, or now and then all or some more.
    pub fn nodes_of(&mut self, node: NodeId) -> NodeTarget {
        if self.now_and_then(Trait::SeveralTargets) {
            let all = self.sketch.nodes.iter().filter(|other| other.is_there);
            let ids: Vec<NodeId> = all.map(|other| other.id).collect();
            if ids.len() > 1 {
                return NodeTarget::Names(ids);
            }
        }
        if self.now_and_then(Trait::Selectors) {
            if self.dice.chance(300) {
                return NodeTarget::Matching(Default::default());
            }
            if let Some(zone) = self.label_of(self.sketch.nodes[node.index()].labels, "zone") {
                return NodeTarget::Matching(words::selector("zone", &zone));
            }
        }
        NodeTarget::Names(vec![node])
    }

    /// This pod, or now and then others like it.
    pub fn pods_of(&mut self, pod: PodId) -> PodTarget {
        if self.now_and_then(Trait::Selectors)
            && let Some(app) = self.label_of(self.sketch.pods[pod.index()].labels, "app")
        {
            let selector = words::selector("app", &app);
            return PodTarget::Matching { namespace: None, selector };
        }
        let pods = &self.sketch.pods;
        let there = pods.iter().filter(|other| other.is_there || other.id == pod).count();
        if there > 1 && self.swarm.has(Trait::SeveralTargets) && self.dice.chance(150) {
            let pods = &self.sketch.pods;
            let ids = pods.iter().filter(|other| other.is_there || other.id == pod);
            return PodTarget::Names(ids.map(|other| other.id).collect());
        }
        PodTarget::Names(vec![pod])
    }

    fn label_of(&self, labels: crate::objects::LabelsId, key: &str) -> Option<Box<str>> {
        self.plan.lists.labels(labels).get(key).map(Box::from)
    }

    /// What a step may wait for.
    pub fn waiting(&mut self) -> When {
        let (pod, node) = (self.any_pod(), self.any_node());
        let trigger = self.dice.weighted(&[
            (Trigger::Armed(pod), 4),
            (Trigger::Evicted(pod), 4),
            (Trigger::Removed(pod), 4),
            (Trigger::Cancelled(pod), 2),
            (Trigger::Bound(pod), 1),
            (Trigger::Tainted(node), 2),
            (Trigger::Untainted(node), 2),
        ]);
        let occurrence = self.dice.weighted(&[(1, 6), (2, 1)]);
        When::After { trigger, occurrence, plus: self.moment() }
    }

    /// A short span after something.
    pub fn moment(&mut self) -> Span {
        let before = self.now;
        match self.dice.below(4) {
            0 | 1 => Span::ZERO,
            2 => Span(self.dice.pick(&[1, 1_000_000, 5_000_000, 10_000_000])),
            _ => self.next_time().since(before),
        }
    }

    /// A step that comes some time after the one above.
    pub fn follower(&mut self) -> Step {
        let span = self.moment();
        let kind = self.swarm.steps.pick(&mut self.dice);
        let actions = self.actions(kind);
        step(When::AfterPrevious(span), actions)
    }

    /// Time passes without a step.
    pub fn wait(&mut self, span: Span) -> Time {
        self.now = self.now.saturating_add(span);
        self.sketch.pass(self.now);
        self.now
    }
}

fn label_change(key: &str, value: &str) -> LabelChange {
    LabelChange { set: vec![(key.into(), value.into())], remove: Vec::new(), overwrite: true }
}
