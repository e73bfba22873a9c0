//! Patterns of several steps that people meet; each draws its own numbers.

use super::draft::{Draft, step};
use super::weights::{Block, FEW_SECONDS, StepKind, Trait};
use crate::kernel::{Span, Time};
use crate::objects::validation::taint as taint_problems;
use crate::objects::{Effect, Lists, NodeId, PodId, Taint, TaintsId, Toleration};
use crate::plan::{
    Action, ApiError, Fault, FaultTarget, NodeTarget, PodTarget, Resource, StepAction, TaintChange,
    TaintPattern, Trigger, Verb, When,
};

impl Draft {
    /// Adds the steps of a pattern, from a time that is drawn. The step after it may come in its
    /// middle.
    pub fn block(&mut self, block: Block) {
        let start = self.next_time();
        self.sketch.pass(start);
        self.now = start;
        match block {
            Block::Nothing => {}
            Block::Flapping => self.flapping(),
            Block::ZoneOutage => self.zone_outage(),
            Block::NotReadyUnreachable => self.not_ready_unreachable(),
            Block::Successor => self.successor(),
            Block::Webhook => self.webhook(),
            Block::Upgrade => self.upgrade(),
            Block::LateBinding => self.late_binding(),
            Block::EditedWait => self.edited_wait(),
            Block::LastMoment => self.last_moment(),
        }
        if self.now_and_then(Trait::OverlappingBlocks) {
            self.now = start;
        }
    }

    /// A taint that evicts.
    fn evicting_taint(&mut self) -> Taint {
        let mut taint = self.taint();
        taint.effect = Effect::NoExecute;
        taint
    }

    /// A taint that a pod tolerates for a while, where it tolerates any so; else one that evicts.
    fn taint_for(&mut self, pod: PodId) -> Taint {
        let list = self.plan.lists.tolerations(self.sketch.pods[pod.index()].tolerations);
        let is_finite = |toleration: &&Toleration| {
            let seconds = toleration.toleration_seconds;
            !toleration.key.is_empty() && seconds.is_some_and(|s| (1..=300).contains(&s))
        };
        let taint =
            list.iter().find(is_finite).map(|t| Taint::new(&t.key, &t.value, Effect::NoExecute));
        // The value of a comparison is no value of a taint; the API has a say in that.
        let usable = taint.filter(|taint| taint_problems(taint).is_empty());
        match usable {
            Some(taint) if self.dice.chance(700) => taint,
            _ => self.evicting_taint(),
        }
    }

    fn add(&mut self, nodes: Vec<NodeId>, add: TaintsId) -> StepAction {
        let change = TaintChange { remove: vec![], add, replace: None, overwrite: true };
        self.own(Action::Taint { nodes: NodeTarget::Names(nodes), change })
    }

    fn remove(&mut self, nodes: Vec<NodeId>, taint: &Taint) -> StepAction {
        let pattern = TaintPattern { key: taint.key.clone(), effect: Some(taint.effect.clone()) };
        let change = TaintChange {
            remove: vec![pattern],
            add: Lists::NO_TAINTS,
            replace: None,
            overwrite: true,
        };
        self.own(Action::Taint { nodes: NodeTarget::Names(nodes), change })
    }

    /// A span as a pod of the node waits, a moment less or more; else any of the few.
    fn pace(&mut self, node: NodeId) -> Span {
        let here = self.sketch.pods.iter().find(|pod| pod.node == Some(node));
        let list = here.map_or(Lists::NO_TOLERATIONS, |pod| pod.tolerations);
        let seconds = self.plan.lists.tolerations(list).iter().find_map(|t| t.toleration_seconds);
        let seconds = seconds.filter(|seconds| (1..=300).contains(seconds));
        let seconds = seconds.unwrap_or_else(|| self.dice.pick(&FEW_SECONDS)).unsigned_abs();
        let whole = Span::from_secs(seconds).0;
        Span(self.dice.pick(&[whole, whole / 2, whole - 1, whole + 1, whole + 5_000_000]))
    }

    fn flapping(&mut self) {
        let node = self.node(true);
        let taint = self.evicting_taint();
        let add = self.plan.lists.intern_taints(std::slice::from_ref(&taint));
        let pace = self.pace(node);
        let gap = Span(self.dice.pick(&[0, 1, 1_000_000, pace.0, 1_000_000_000]));
        for _ in 0..self.dice.pick(&[2, 2, 3]) {
            let action = self.add(vec![node], add);
            self.step_at(self.now, action);
            self.wait(pace);
            let action = self.remove(vec![node], &taint);
            self.step_at(self.now, action);
            self.wait(gap);
        }
        if self.dice.chance(500) {
            let action = self.add(vec![node], add);
            self.step_at(self.now, action);
        }
    }

    fn zone_outage(&mut self) {
        let nodes: Vec<NodeId> = self.sketch.nodes.iter().map(|node| node.id).collect();
        let taint = self.evicting_taint();
        let add = self.plan.lists.intern_taints(std::slice::from_ref(&taint));
        let pace = self.pace(nodes[0]);
        let lag = Span::from_millis(self.dice.pick(&[0, 0, 1, 100, 10_000]));
        let together = lag == Span::ZERO && self.dice.chance(500);
        if together {
            let action = self.add(nodes.clone(), add);
            self.step_at(self.now, action);
        } else {
            let mut at = self.now;
            for node in nodes.clone() {
                let action = self.add(vec![node], add);
                self.step_at(at, action);
                at = at.saturating_add(lag);
            }
        }
        if self.dice.chance(700) {
            let at = self.wait(pace);
            let action = self.remove(nodes, &taint);
            self.step_at(at, action);
        }
    }

    /// Node lifecycle writes the new taint first, and takes the old one away then.
    fn not_ready_unreachable(&mut self) {
        let node = self.node(true);
        let taint = |key: &str| Taint::new(key, "", Effect::NoExecute);
        let mut old = taint("node.kubernetes.io/not-ready");
        let mut new = taint("node.kubernetes.io/unreachable");
        let own = [old.clone(), new.clone()];
        let list = own.map(|taint| self.plan.lists.intern_taints(&[taint]));
        let mut adds = list.into_iter().cycle();
        let first = adds.next().unwrap_or(Lists::NO_TAINTS);
        let action = self.add(vec![node], first);
        self.step_at(self.now, action);
        for _ in 0..self.dice.pick(&[1, 1, 2]) {
            let pace = self.pace(node);
            self.wait(pace);
            let add = adds.next().unwrap_or(Lists::NO_TAINTS);
            let action = self.add(vec![node], add);
            self.step_at(self.now, action);
            let between = Span::from_millis(self.dice.pick(&[0, 1, 10]));
            self.wait(between);
            let action = self.remove(vec![node], &old);
            self.step_at(self.now, action);
            std::mem::swap(&mut old, &mut new);
        }
        if self.dice.chance(400) {
            let pace = self.pace(node);
            let at = self.wait(pace);
            let action = self.remove(vec![node], &old);
            self.step_at(at, action);
        }
    }

    /// The pod that a taint evicts has a successor of its name, which may meet a taint, too.
    fn successor(&mut self) {
        let pod = self.pod(|pod| pod.is_there && pod.node.is_some());
        let node = self.home(pod);
        let taint = self.taint_for(pod);
        let add = self.plan.lists.intern_taints(&[taint]);
        let action = self.add(vec![node], add);
        self.step_at(self.now, action);
        let mut steps = Vec::new();
        for occurrence in 1..=self.dice.pick(&[1, 1, 2]) {
            let trigger = self.dice.weighted(&[
                (Trigger::Removed(pod), 6),
                (Trigger::Evicted(pod), 2),
                (Trigger::Armed(pod), 1),
            ]);
            let plus = self.moment();
            let create = self.recreation(pod);
            let create = self.own(create);
            steps.push(step(When::After { trigger, occurrence, plus }, vec![create]));
            if self.dice.chance(500) {
                let follower = self.follower();
                steps.push(follower);
            }
        }
        let at = self.now;
        self.unit(at, steps);
        let later = self.pace(node);
        self.wait(later);
        if self.dice.chance(600) {
            let again = self.evicting_taint();
            let add = self.plan.lists.intern_taints(&[again]);
            let action = self.add(vec![node], add);
            self.step_at(self.now, action);
        }
    }

    /// The node of a pod; where it has none, any.
    fn home(&mut self, pod: PodId) -> NodeId {
        match self.sketch.pods[pod.index()].node {
            Some(node) => node,
            None => self.any_node(),
        }
    }

    /// Deletions are denied from before some are due until a while after.
    fn webhook(&mut self) {
        let pod = self.pod(|pod| pod.is_there && pod.node.is_some());
        let node = self.home(pod);
        let taint = self.taint_for(pod);
        let add = self.plan.lists.intern_taints(std::slice::from_ref(&taint));
        let action = self.add(vec![node], add);
        let at = self.now;
        self.step_at(at, action);
        let due = self.sketch.marks.last().copied().unwrap_or(at);
        let due = if due.since(at) > Span::from_secs(600) { at } else { due };
        let before = Span::from_millis(self.dice.pick(&[0, 0, 1, 1_000]));
        let after = Span::from_millis(self.dice.pick(&[1, 10, 25, 41, 50, 1_000, 10_000]));
        let from = Time(due.0.saturating_sub(before.0));
        let mut fault = Fault::new(Verb::Delete, ApiError::Forbidden);
        fault.between = Some((from, due.saturating_add(after)));
        if self.dice.chance(300) {
            fault.verb = Verb::Patch;
            fault.error = ApiError::Conflict;
        }
        if self.dice.chance(200) {
            let pod = self.any_pod();
            fault.target = FaultTarget::Pods(PodTarget::Names(vec![pod]));
        }
        self.plan.faults.push(fault);
        self.sketch.mark(due.saturating_add(after));
        if self.dice.chance(500) {
            self.during_tries(node, &taint, due);
        }
    }

    /// Something changes while a deletion is tried again and again, 10 ms apart, and maybe
    /// back, and for good after that.
    fn during_tries(&mut self, node: NodeId, taint: &Taint, due: Time) {
        self.now = due;
        let between = [5, 10, 15, 25, 45];
        let within = Span::from_millis(self.dice.pick(&between));
        self.now = self.now.saturating_add(within);
        let action = match self.dice.below(3) {
            0 => {
                let pod = self.pod(|pod| pod.node == Some(node));
                self.set_tolerations(pod)
            }
            _ => self.remove(vec![node], taint),
        };
        self.step_at(self.now, action);
        if self.dice.chance(700) {
            let within = Span::from_millis(self.dice.pick(&between));
            self.now = self.now.saturating_add(within);
            let add = self.plan.lists.intern_taints(std::slice::from_ref(taint));
            let action = self.add(vec![node], add);
            self.step_at(self.now, action);
            if self.dice.chance(600) {
                let later = Span::from_millis(self.dice.pick(&[1_000, 500, 5_000]));
                self.now = self.now.saturating_add(later);
                let action = self.remove(vec![node], taint);
                self.step_at(self.now, action);
            }
        }
    }

    /// The controller is down, or one of its watches, and something changes meanwhile.
    fn upgrade(&mut self) {
        let down_for = Span::from_millis(self.dice.pick(&[1_000, 5_000, 30_000, 100, 0]));
        let at = self.now;
        let action = match self.dice.below(4) {
            0 => {
                let resource = self.dice.pick(&[Resource::Pods, Resource::Pods, Resource::Nodes]);
                self.own(Action::BreakWatch { resource, down_for })
            }
            _ => self.own(Action::RestartController { down_for }),
        };
        self.step_at(at, action);
        let changes = self.dice.below(3);
        for _ in 0..changes {
            let within = self.dice.pick(&[0, down_for.0 / 2, down_for.0, down_for.0 + 50_000_000]);
            // A successor of the same name that nobody sees come.
            let kind = match self.dice.chance(300) {
                true => StepKind::RecreatePod,
                false => self.swarm.steps.pick(&mut self.dice),
            };
            let actions = self.actions(kind);
            self.burst_at(at.saturating_add(Span(within)), actions);
        }
        self.wait(down_for);
    }

    /// An agent takes its start-up taint away, and the scheduler binds a pod right after.
    fn late_binding(&mut self) {
        let node = self.node(true);
        let taint = self.evicting_taint();
        let list = self.plan.lists.intern_taints(std::slice::from_ref(&taint));
        // The taint is there from the start, where the node is.
        let index = self.plan.nodes.iter().position(|spec| spec.node == node);
        match index {
            Some(index) if self.plan.nodes[index].taints == Lists::NO_TAINTS => {
                self.plan.nodes[index].taints = list;
            }
            _ => {
                let action = self.add(vec![node], list);
                self.step_at(self.now, action);
                let pace = self.pace(node);
                self.wait(pace);
            }
        }
        let action = self.remove(vec![node], &taint);
        self.step_at(self.now, action);
        let gap = Span(self.dice.pick(&[0, 1, 1_000_000, 5_000_000, 100_000_000]));
        self.wait(gap);
        let unscheduled = self.sketch.pods.iter().any(|pod| pod.is_there && pod.node.is_none());
        let action = match unscheduled {
            true => {
                let pod = self.pod(|pod| pod.is_there && pod.node.is_none());
                Action::BindPods { pods: PodTarget::Names(vec![pod]), node }
            }
            false => {
                let pod = self.pod(|pod| !pod.is_there);
                let mut spec = self.pod_spec(pod);
                spec.node = Some(node);
                Action::CreatePods(vec![spec])
            }
        };
        let action = self.own(action);
        self.step_at(self.now, action);
    }

    /// A pod's seconds change while its timer is armed.
    fn edited_wait(&mut self) {
        let pod = self.pod(|pod| pod.is_there && pod.node.is_some());
        let node = self.home(pod);
        let taint = self.taint_for(pod);
        let add = self.plan.lists.intern_taints(&[taint]);
        let action = self.add(vec![node], add);
        self.step_at(self.now, action);
        for _ in 0..self.dice.pick(&[1, 1, 2]) {
            self.now = self.next_time();
            let action = self.set_tolerations(pod);
            self.step_at(self.now, action);
        }
    }

    /// Something would save a pod, or puts another in its place, at the very instant of its
    /// deadline, or between the calls of its deletion: who is first is drawn, where interleavings
    /// are.
    fn last_moment(&mut self) {
        let pod = self.pod(|pod| pod.is_there && pod.node.is_some());
        let node = self.home(pod);
        let taint = self.taint_for(pod);
        let add = self.plan.lists.intern_taints(std::slice::from_ref(&taint));
        let action = self.add(vec![node], add);
        let at = self.now;
        self.step_at(at, action);
        let due = self.sketch.pods[pod.index()].due.unwrap_or(at);
        if due.since(at) > Span::from_secs(600) {
            return;
        }
        self.now = due.max(at).saturating_add(self.amid_calls());
        let actions = match self.dice.below(6) {
            0 => vec![self.delete_pod(pod, Some(0))],
            1 => vec![self.set_tolerations(pod)],
            2 | 3 => {
                let create = self.recreation(pod);
                vec![self.delete_pod(pod, Some(0)), self.own(create)]
            }
            _ => vec![self.remove(vec![node], &taint)],
        };
        self.burst_at(self.now, actions);
        if let Some(step) = self.units.last_mut().and_then(|unit| unit.steps.first_mut()) {
            step.burst = true;
        }
    }

    /// Nothing; or so long that a deletion's GET has its answer, and its PATCH is under way. Where
    /// the PATCH takes no time, it now and then gets some.
    fn amid_calls(&mut self) -> Span {
        let is_instant = self.plan.config.api_server.latency.patch.high == Span::ZERO;
        if is_instant && self.dice.chance(200) {
            self.plan.config.api_server.latency.patch = Span::from_millis(10).into();
        }
        let server = &self.plan.config.api_server;
        let get = server.latency.get.high.0.saturating_add(server.reply_latency.get.high.0);
        let patch = server.latency.patch.high.0 / 2;
        Span(self.dice.pick(&[0, get, get.saturating_add(patch)]))
    }
}
