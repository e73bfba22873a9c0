//! How large a plan is. A pass may only make it smaller, so that passes never undo each other and
//! the search ends: there is no endless descent of lists of numbers, compared from the left.

use super::rebuild::{before_admission, is_admitted};
use super::values::{instant, names, toleration, wait};
use crate::kernel::{SpanRange, Time};
use crate::objects::{Effect, LabelsId, Lists, TaintsId, Toleration, TolerationsId};
use crate::plan::{
    Action, ApiError, Caller, Config, Fault, FaultTarget, Latency, NodeSpec, NodeTarget, Plan,
    PodSpec, PodTarget, Resource, StepAction, TaintManagerConfig, Verb, When,
};

/// The size, the most important number first.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Measure {
    /// Steps; each action of a burst counts as one.
    steps: u64,
    /// Nodes and pods, and the names and selectors of targets.
    objects: u64,
    faults: u64,
    /// Taints, tolerations, labels, and what selects them.
    entries: u64,
    /// Whatever is not the default, and ways of saying a thing that are not the plainest.
    settings: u64,
    /// How far times, seconds and names are from those that a person would write.
    roundness: u64,
}

impl Measure {
    /// Whether it has less in it than another one, whatever its values are.
    pub fn has_less_than(&self, other: &Measure) -> bool {
        let things = |m: &Measure| (m.steps, m.objects, m.faults, m.entries);
        things(self) < things(other)
    }

    /// Whether there are fewer steps, whatever else there is.
    pub fn has_fewer_steps_than(&self, other: &Measure) -> bool {
        self.steps < other.steps
    }

    pub fn of(plan: &Plan) -> Measure {
        let mut counting =
            Counting { plan, measure: Measure::default(), admitted: is_admitted(plan) };
        counting.config();
        if !counting.admitted {
            counting.measure.settings += 1;
        }
        counting.objects_at_the_start();
        counting.steps();
        for fault in &plan.faults {
            counting.fault(fault);
        }
        let mut measure = counting.measure;
        measure.roundness += names(plan);
        measure
    }
}

struct Counting<'p> {
    plan: &'p Plan,
    measure: Measure,
    admitted: bool,
}

impl Counting<'_> {
    /// Counts what is not as usual.
    fn setting(&mut self, is_usual: bool) {
        self.measure.settings += u64::from(!is_usual);
    }

    fn config(&mut self) {
        let Config { taint_manager, api_server, .. } = &self.plan.config;
        let usual = usual(&self.plan.config);
        let config = &self.plan.config;
        let switches = config.switches.differences(usual.switches).count();
        self.measure.settings += 2 * switches as u64;
        self.setting(config.seed == 0);
        self.measure.roundness += u64::from(config.seed.checked_ilog10().map_or(0, |n| n + 1));
        self.measure.roundness += config.seed.min(10);
        self.setting(config.until.is_none());
        let until = config.until.unwrap_or(Time::ZERO);
        self.measure.roundness += if until == Time::ZERO { 0 } else { instant(until) };
        self.setting(config.termination == usual.termination);
        self.setting(config.stop_after == usual.stop_after);
        self.measure.roundness += wait(config.stop_after);
        let own = &usual.taint_manager;
        self.setting(taint_manager.enabled == own.enabled);
        self.setting(taint_manager.workers == own.workers);
        self.setting(taint_manager.node_channel_capacity == own.node_channel_capacity);
        self.setting(taint_manager.pod_channel_capacity == own.pod_channel_capacity);
        self.setting(taint_manager.delete_retries == own.delete_retries);
        self.setting(taint_manager.retry_interval == own.retry_interval);
        // What is drawn is the hardest to follow.
        self.measure.settings += 3 * u64::from(taint_manager.random_interleaving);
        self.setting(api_server.validation == usual.api_server.validation);
        for range in ranges(config) {
            self.setting(range.is_zero());
            self.measure.settings += 2 * u64::from(range.low != range.high);
            self.measure.roundness += wait(range.low) + wait(range.high);
        }
    }

    fn objects_at_the_start(&mut self) {
        self.plan.nodes.iter().for_each(|spec| self.node(spec));
        self.plan.pods.iter().for_each(|spec| self.pod(spec));
    }

    fn node(&mut self, spec: &NodeSpec) {
        self.measure.objects += 1;
        self.taints(spec.taints);
        self.labels(spec.labels);
        self.setting(!spec.unschedulable);
        self.setting(spec.termination.is_none());
    }

    fn pod(&mut self, spec: &PodSpec) {
        self.measure.objects += 1;
        self.tolerations(spec.tolerations, false);
        self.labels(spec.labels);
        self.setting(spec.grace_period_seconds == PodSpec::DEFAULT_GRACE_PERIOD_SECONDS);
        self.setting(!spec.terminating);
        self.setting(!spec.disruption_target);
        self.setting(!spec.finished);
        self.setting(spec.manifest_uid.is_none());
    }

    fn taints(&mut self, id: TaintsId) {
        for taint in self.plan.lists.taints(id) {
            self.measure.entries += 1;
            self.measure.roundness += u64::from(taint.effect != Effect::NoExecute)
                + 2 * u64::from(!taint.value.is_empty())
                + 5 * u64::from(taint.time_added.is_some());
        }
    }

    fn tolerations(&mut self, id: TolerationsId, is_forced: bool) {
        let list = self.plan.lists.tolerations(id);
        let bare = if self.admitted && !is_forced { before_admission(list) } else { None };
        let said = bare.map_or(list.len(), <[Toleration]>::len);
        // What admission adds is not said, but where a taint has its key it counts all the same: a
        // reader would have to know of it.
        let counts = |(index, one): &(usize, &Toleration)| {
            *index < said || self.plan.lists.all_taints().any(|taint| taint.key == one.key)
        };
        let list = list.iter().enumerate().filter(counts).map(|(_, one)| toleration(one));
        let costs: Vec<u64> = list.collect();
        self.measure.entries += costs.len() as u64;
        self.measure.roundness += costs.iter().sum::<u64>();
    }

    fn labels(&mut self, id: LabelsId) {
        self.measure.entries += self.plan.lists.labels(id).iter().count() as u64;
    }

    fn steps(&mut self) {
        let mut above = None;
        for step in &self.plan.steps {
            self.measure.steps += step.actions.len() as u64;
            self.setting(!step.burst);
            self.setting(step.because.is_none());
            match &step.when {
                When::At(time) => {
                    self.measure.roundness += instant(*time);
                    // Steps of one instant are harder to read than those that come one by one.
                    self.measure.roundness += SAME_INSTANT * u64::from(above == Some(*time));
                    above = Some(*time);
                }
                When::AfterPrevious(span) => {
                    self.measure.settings += 1;
                    self.measure.roundness += wait(*span);
                }
                When::After { occurrence, plus, .. } => {
                    self.measure.settings += 2;
                    self.setting(*occurrence == 1);
                    self.measure.roundness += wait(*plus) + u64::from(*occurrence);
                }
            }
            step.actions.iter().for_each(|action| self.action(action));
        }
    }

    fn action(&mut self, action: &StepAction) {
        match &action.action {
            Action::Taint { nodes, change } => {
                self.nodes(nodes);
                self.taints(change.add);
                self.measure.entries += change.remove.len() as u64;
                let exact = change.remove.iter().filter(|pattern| pattern.effect.is_some());
                self.measure.roundness += exact.count() as u64;
                if let Some(list) = change.replace {
                    self.taints(list);
                    self.measure.settings += 2;
                }
                // What is added is said best by a line of kubectl; what is removed always is.
                let adds = change.add != Lists::NO_TAINTS;
                self.setting(!adds || action.kubectl);
                self.setting(!change.overwrite || !(adds || action.kubectl));
            }
            Action::CreateNodes(specs) => specs.iter().for_each(|spec| self.node(spec)),
            Action::CreatePods(specs) => specs.iter().for_each(|spec| self.pod(spec)),
            Action::DeleteNodes(nodes) | Action::SetUnschedulable { nodes, .. } => {
                self.nodes(nodes);
            }
            Action::DeletePods { pods, grace_period_seconds } => {
                self.pods(pods);
                self.setting(grace_period_seconds.is_none());
            }
            Action::BindPods { pods, .. } => self.pods(pods),
            Action::SetTolerations { pods, tolerations, force } => {
                self.pods(pods);
                self.tolerations(*tolerations, *force);
                self.setting(!force);
            }
            Action::LabelPods { pods, change } => {
                self.pods(pods);
                self.measure.entries += (change.set.len() + change.remove.len()) as u64;
            }
            Action::LabelNodes { nodes, change } => {
                self.nodes(nodes);
                self.measure.entries += (change.set.len() + change.remove.len()) as u64;
            }
            Action::ApplyNode(apply) => {
                self.node(&apply.create);
                self.measure.settings += 3;
            }
            Action::ApplyPod(apply) => {
                self.pod(&apply.create);
                self.measure.settings += 3;
            }
            Action::BreakWatch { down_for, .. } | Action::RestartController { down_for } => {
                self.measure.roundness += wait(*down_for);
            }
            Action::Note(_) => {}
        }
    }

    fn nodes(&mut self, target: &NodeTarget) {
        match target {
            NodeTarget::Names(names) => self.measure.objects += names.len() as u64,
            NodeTarget::Matching(selector) => {
                self.measure.objects += 2;
                self.measure.entries += selector.0.len() as u64;
            }
        }
    }

    fn pods(&mut self, target: &PodTarget) {
        match target {
            PodTarget::Names(names) => self.measure.objects += names.len() as u64,
            PodTarget::Matching { namespace, selector } => {
                self.measure.objects += 2;
                self.measure.entries += selector.0.len() as u64;
                self.setting(namespace.is_none());
            }
        }
    }

    fn fault(&mut self, fault: &Fault) {
        self.measure.faults += 1;
        match &fault.target {
            FaultTarget::All => {}
            FaultTarget::Pods(pods) => self.pods(pods),
            FaultTarget::Nodes(nodes) => self.nodes(nodes),
        }
        self.setting(fault.verb == Verb::Delete);
        self.setting(fault.resource == Resource::Pods);
        self.setting(fault.caller == Caller::TaintManager);
        self.setting(fault.error == ApiError::InternalError);
        self.setting(!fault.applied);
        self.setting(fault.message.is_none());
        self.setting(fault.first.is_none());
        self.setting(fault.probability.is_none());
        self.measure.settings += 2 * u64::from(fault.probability.is_some());
        self.measure.roundness += fault.first.unwrap_or(0);
        if let Some((from, to)) = fault.between {
            self.measure.settings += 2;
            let start = if from == Time::ZERO { 0 } else { instant(from) };
            self.measure.roundness += start + instant(to);
        }
    }
}

/// More than the instants of a few steps one by one.
const SAME_INSTANT: u64 = 25;

/// The settings of the plan's version, and no others.
pub(super) fn usual(config: &Config) -> Config {
    let switches = config.profile.switches();
    let workers = config.switches.usual_workers();
    Config {
        profile: config.profile,
        switches,
        taint_manager: TaintManagerConfig { workers, ..TaintManagerConfig::default() },
        ..Config::default()
    }
}

/// All spans that may be ranges.
pub(super) fn ranges(config: &Config) -> [SpanRange; 11] {
    let api = &config.api_server;
    let Latency { get, list, patch, delete } = api.latency;
    let replies = api.reply_latency;
    [
        get,
        list,
        patch,
        delete,
        replies.get,
        replies.list,
        replies.patch,
        replies.delete,
        api.watch_latency.pods,
        api.watch_latency.nodes,
        config.taint_manager.handler_cost,
    ]
}

/// The same, to be changed.
pub(super) fn ranges_mut(config: &mut Config) -> [&mut SpanRange; 11] {
    let Latency { get, list, patch, delete } = &mut config.api_server.latency;
    let replies = &mut config.api_server.reply_latency;
    [
        get,
        list,
        patch,
        delete,
        &mut replies.get,
        &mut replies.list,
        &mut replies.patch,
        &mut replies.delete,
        &mut config.api_server.watch_latency.pods,
        &mut config.api_server.watch_latency.nodes,
        &mut config.taint_manager.handler_cost,
    ]
}
