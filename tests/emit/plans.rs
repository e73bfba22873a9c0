//! Plans that no file made, from a tape of choices: right for the loader, and odd where that is
//! allowed.

use proptest::prelude::*;
use taintsim::kernel::{Span, SpanRange, Time};
use taintsim::objects::{
    Effect, LabelsId, Lists, NodeId, Operator, PodId, Requirement, Selector, Taint, TaintsId,
    Toleration, TolerationsId,
};
use taintsim::plan::{
    Action, ApiError, ApplyNode, ApplyPod, Caller, Fault, FaultTarget, LabelChange, NodeSpec,
    NodeTarget, Plan, PodSpec, PodTarget, PodTermination, Probability, Resource, Step, StepAction,
    TaintChange, TaintPattern, Trigger, Verb, When,
};
use taintsim::profile::{Profile, Setting, Switch};

use super::checked;

const NODES: [&str; 5] = ["node-0", "node-1", "node-2", "true", "10.0.0.1"];
const PODS: [&str; 7] = [
    "default/web-0",
    "default/web-1",
    "default/web-2",
    "shop/web-0",
    "shop/null",
    "shop/1",
    "kube-system/a.b",
];
const KEYS: [&str; 6] = ["a", "b", "example.com/k", "true", "1", "y-1"];
const VALUES: [&str; 6] = ["", "v", "1.5", "yes", "0x1", "-5"];
const LABELS: [&str; 3] = ["app", "example.com/x", "on"];

/// Choices, one after the other; when the tape ends, always the first.
struct Maker<'t> {
    tape: std::slice::Iter<'t, u8>,
    plan: Plan,
    random: bool,
    /// Whether steps wait for something; then all times are in the order of the file.
    waits: bool,
    /// Times of steps with a time of their own, which do not go back.
    now: u64,
}

impl Maker<'_> {
    fn below(&mut self, count: usize) -> usize {
        usize::from(self.tape.next().copied().unwrap_or(0)) % count
    }

    fn is(&mut self, one_in: usize) -> bool {
        self.below(one_in) == one_in - 1
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    fn span(&mut self) -> Span {
        let seconds = [0, 1, 5, 10, 60, 70, 3_600];
        let odd = [0, 0, 0, 1, 1_500, 500_000_000];
        Span(self.of(&seconds) * 1_000_000_000 + self.of(&odd))
    }

    fn value(&mut self) -> &'static str {
        // A value of a label begins and ends with a letter or digit.
        match self.of(&VALUES) {
            "-5" => "5",
            other => other,
        }
    }

    fn taints(&mut self, most: usize, plain: bool) -> TaintsId {
        let mut list: Vec<Taint> = Vec::new();
        for _ in 0..self.below(most + 1) {
            let effects = [Effect::NoExecute, Effect::NoSchedule, Effect::PreferNoSchedule];
            let effect = effects[self.below(3)].clone();
            let mut taint = Taint::new(self.of(&KEYS), self.value(), effect);
            if !plain && self.is(6) {
                taint.time_added = Some("2026-03-01T14:02:00Z".into());
            }
            if !list.iter().any(|other| other.same_key_and_effect(&taint)) {
                list.push(taint);
            }
        }
        self.plan.lists.intern_taints(&list)
    }

    fn toleration(&mut self) -> Toleration {
        let key = if self.is(4) { "" } else { self.of(&KEYS) };
        let operators = [Operator::Exists, Operator::Unset, Operator::Equal, Operator::Gt];
        let comparison = self.plan.config.switches.comparison_operators;
        let operator = match self.below(if comparison { 4 } else { 3 }) {
            _ if key.is_empty() => Operator::Exists,
            index => operators[index].clone(),
        };
        let value = match operator {
            Operator::Exists => "",
            Operator::Gt => self.of(&["-5", "0", "9223372036854775807"]),
            _ => self.value(),
        };
        let effect = match self.below(4) {
            0 => None,
            1 => Some(Effect::NoSchedule),
            _ => Some(Effect::NoExecute),
        };
        let seconds = [0, 1, 60, 300, -1, i64::MIN, i64::MAX, 9_223_372_037];
        let toleration_seconds =
            (effect == Some(Effect::NoExecute) && self.is(2)).then(|| self.of(&seconds));
        Toleration { key: key.into(), operator, value: value.into(), effect, toleration_seconds }
    }

    fn tolerations(&mut self) -> TolerationsId {
        let mut list: Vec<Toleration> = (0..self.below(4)).map(|_| self.toleration()).collect();
        if self.is(3) {
            for key in ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"] {
                list.push(Toleration {
                    key: key.into(),
                    operator: Operator::Exists,
                    value: "".into(),
                    effect: Some(Effect::NoExecute),
                    toleration_seconds: Some(300),
                });
            }
        }
        self.plan.lists.intern_tolerations(&list)
    }

    fn labels(&mut self) -> LabelsId {
        let labels = (0..self.below(3)).map(|_| (self.of(&LABELS), self.value())).collect();
        self.plan.lists.intern_labels(&labels)
    }

    fn node(&mut self) -> NodeId {
        let nodes: Vec<NodeId> = self.plan.names.nodes().map(|(node, _)| node).collect();
        self.of(&nodes)
    }

    fn pod(&mut self) -> PodId {
        let pods: Vec<PodId> = self.plan.names.pods().map(|(pod, _)| pod).collect();
        self.of(&pods)
    }

    fn node_spec(&mut self, node: NodeId) -> NodeSpec {
        let (taints, labels) = (self.taints(2, false), self.labels());
        let terminations =
            [None, None, Some(PodTermination::Never), Some(PodTermination::Graceful)];
        let termination = self.of(&terminations);
        NodeSpec { taints, labels, termination, ..NodeSpec::new(node) }
    }

    fn pod_spec(&mut self, pod: PodId) -> PodSpec {
        let node = if self.is(5) { None } else { Some(self.node()) };
        let (tolerations, labels) = (self.tolerations(), self.labels());
        let grace_period_seconds = self.of(&[30, 30, 0, 1, u32::MAX]);
        PodSpec { tolerations, labels, grace_period_seconds, ..PodSpec::new(pod, node) }
    }

    /// A selector that an object matches with these labels; everything has no label `no`.
    fn selector(&mut self, labels: LabelsId) -> Selector {
        let labels = self.plan.lists.labels(labels);
        let pairs: Vec<(Box<str>, Box<str>)> =
            labels.iter().map(|(key, value)| (key.into(), value.into())).collect();
        let mut all = vec![Requirement::DoesNotExist("no".into())];
        if let Some((key, value)) = pairs.first().cloned() {
            all.push(match self.below(4) {
                0 => Requirement::In(key, vec![value]),
                1 => Requirement::In(key, vec!["other".into(), value]),
                2 => Requirement::NotIn(key, vec!["other".into(), "more".into()]),
                _ => Requirement::Exists(key),
            });
        }
        let skip = if all.len() > 1 && self.is(2) { 1 } else { 0 };
        Selector(all.split_off(skip))
    }

    fn node_target(&mut self) -> NodeTarget {
        match self.below(5) {
            0 => NodeTarget::Matching(Selector::default()),
            1 => {
                let labels = self.plan.nodes[0].labels;
                NodeTarget::Matching(self.selector(labels))
            }
            _ => NodeTarget::Names((0..=self.below(4)).map(|_| self.node()).collect()),
        }
    }

    fn pod_target(&mut self) -> PodTarget {
        match self.below(6) {
            0 => PodTarget::all(),
            choice @ 1..3 => {
                let first = self.plan.pods[0];
                let namespace = self.plan.names.pod_parts(first.pod).0.into();
                let namespace = (choice == 1).then_some(namespace);
                PodTarget::Matching { namespace, selector: self.selector(first.labels) }
            }
            _ => PodTarget::Names((0..=self.below(4)).map(|_| self.pod()).collect()),
        }
    }

    fn label_change(&mut self, remove: bool) -> LabelChange {
        let mut set = vec![(Box::from(self.of(&LABELS)), Box::from(self.value()))];
        let mut gone = Vec::new();
        if remove && self.is(2) {
            gone.push(Box::from("off"));
        }
        if self.is(2) && *set[0].0 != *"zone" {
            set.push(("zone".into(), self.value().into()));
        }
        LabelChange { set, remove: gone, overwrite: self.is(2) }
    }

    fn taint_action(&mut self) -> (Action, bool) {
        let kubectl = self.is(2);
        let nodes = self.node_target();
        let replace = (!kubectl && self.is(3)).then(|| self.taints(2, false));
        let add = if replace.is_some() || self.is(3) {
            self.plan.lists.intern_taints(&[])
        } else {
            self.taints(2, kubectl)
        };
        let is_needed = self.plan.lists.taints(add).is_empty() && replace.is_none();
        let remove = match is_needed || replace.is_none() && self.is(3) {
            // No key that is added.
            true => vec![TaintPattern {
                key: if is_needed { self.of(&KEYS).into() } else { "gone".into() },
                effect: if self.is(2) { Some(Effect::NoExecute) } else { None },
            }],
            false => Vec::new(),
        };
        let overwrite = self.is(2) || !kubectl;
        (Action::Taint { nodes, change: TaintChange { remove, add, replace, overwrite } }, kubectl)
    }

    fn action(&mut self) -> StepAction {
        let (action, kubectl) = match self.below(16) {
            0..=2 => self.taint_action(),
            3 => {
                let (nodes, unschedulable) = (self.node_target(), self.is(2));
                // No line names all nodes.
                let nodes = match nodes {
                    NodeTarget::Matching(all) if all.0.is_empty() => {
                        NodeTarget::Names(vec![self.node()])
                    }
                    other => other,
                };
                (Action::SetUnschedulable { nodes, unschedulable }, true)
            }
            4 => {
                let node = self.node();
                (Action::CreateNodes(vec![self.node_spec(node)]), false)
            }
            5 => {
                let pod = self.pod();
                let spec = self.pod_spec(pod);
                let alike = self.pod();
                let same = self.plan.names.pod_parts(pod).0 == self.plan.names.pod_parts(alike).0;
                let specs = match same && alike != pod {
                    true => vec![spec, PodSpec { pod: alike, ..spec }],
                    false => vec![spec],
                };
                (Action::CreatePods(specs), false)
            }
            6 => (Action::DeleteNodes(self.node_target()), self.is(2)),
            7 | 8 => {
                let pods = self.pod_target();
                let grace_period_seconds = self.of(&[None, None, Some(0), Some(1), Some(30)]);
                (Action::DeletePods { pods, grace_period_seconds }, self.is(2))
            }
            9 => (Action::BindPods { pods: self.pod_target(), node: self.node() }, false),
            10 => {
                let (pods, tolerations, force) =
                    (self.pod_target(), self.tolerations(), self.is(2));
                (Action::SetTolerations { pods, tolerations, force }, false)
            }
            11 => {
                let pods = self.pod_target();
                let kubectl = self.is(2)
                    && match &pods {
                        PodTarget::Names(names) => names.len() == 1,
                        PodTarget::Matching { .. } => true,
                    };
                (Action::LabelPods { pods, change: self.label_change(kubectl) }, kubectl)
            }
            12 => {
                let nodes = self.node_target();
                (Action::LabelNodes { nodes, change: self.label_change(true) }, true)
            }
            13 => self.apply(),
            14 => {
                let down_for = self.span();
                match self.below(3) {
                    0 => (Action::RestartController { down_for }, false),
                    1 => (Action::BreakWatch { resource: Resource::Pods, down_for }, false),
                    _ => (Action::BreakWatch { resource: Resource::Nodes, down_for }, false),
                }
            }
            _ => (Action::Note(self.of(&["", "a: b # c", "so\nit is"]).into()), false),
        };
        StepAction { action, text: "of no account".into(), kubectl }
    }

    fn apply(&mut self) -> (Action, bool) {
        if self.is(2) {
            let node = self.node();
            let mut create = NodeSpec { termination: None, ..self.node_spec(node) };
            create.unschedulable = self.is(3);
            let taints = self.is(2).then_some(create.taints);
            create.taints = taints.unwrap_or(Lists::NO_TAINTS);
            return (Action::ApplyNode(ApplyNode { create, taints }), false);
        }
        let pod = self.pod();
        let mut create = self.pod_spec(pod);
        let tolerations = self.is(2).then_some(create.tolerations);
        create.tolerations = tolerations.unwrap_or(Lists::NO_TOLERATIONS);
        (Action::ApplyPod(ApplyPod { create, tolerations }), false)
    }

    fn when(&mut self) -> When {
        match self.below(5) {
            // Between turns that follow, the draws of a burst depend on the order of the file.
            0 if !self.random => {
                let span = self.span();
                if self.waits {
                    // The loader's order: what follows is before the next time that is written.
                    self.now += span.0 + 1;
                }
                When::AfterPrevious(span)
            }
            // A step whose time was not in the order of the file gets one of its own, and may then
            // come before a step of that instant that waits for something.
            1 if self.waits => {
                let (pod, node) = (self.pod(), self.node());
                let triggers = [
                    Trigger::Armed(pod),
                    Trigger::Cancelled(pod),
                    Trigger::Evicted(pod),
                    Trigger::Removed(pod),
                    Trigger::Bound(pod),
                    Trigger::Tainted(node),
                    Trigger::Untainted(node),
                ];
                let (trigger, occurrence) = (self.of(&triggers), self.of(&[1, 1, 2]));
                When::After { trigger, occurrence, plus: self.span() }
            }
            _ => {
                self.now += self.span().0 % 100_000_000_000;
                When::At(Time(self.now))
            }
        }
    }

    fn step(&mut self, number: u32) -> Step {
        let when = self.when();
        let burst = self.is(4);
        let count = if burst { 1 + self.below(3) } else { 1 };
        let actions = (0..count).map(|_| self.action()).collect();
        let may_be_rejected = self.is(2);
        let because = self.is(4).then(|| "it has to: \"be\"".into());
        Step { number, when, actions, burst, may_be_rejected, because }
    }

    fn fault(&mut self) -> Fault {
        let verb = self.of(&[Verb::Get, Verb::Patch, Verb::Delete, Verb::List]);
        let errors = [ApiError::Conflict, ApiError::Forbidden, ApiError::TooManyRequests];
        let mut fault = Fault::new(verb, self.of(&errors));
        fault.target = match (self.is(2), verb) {
            (false, _) => FaultTarget::All,
            (true, Verb::List) => FaultTarget::Nodes(self.node_target()),
            (true, _) => FaultTarget::Pods(self.pod_target()),
        };
        if self.is(4) {
            (fault.error, fault.applied) = (ApiError::Timeout, true);
        }
        if self.is(3) {
            fault.message = Some("no: 'way'".into());
        }
        if self.is(2) {
            fault.first = Some(self.of(&[1, 2, 5]));
        }
        if self.is(3) {
            let from = self.span().0;
            fault.between = Some((Time(from), Time(from + 1 + self.span().0)));
        }
        if self.is(3) {
            fault.probability = Some(Probability { parts: self.of(&[0, 5, 99]), of: 100 });
        }
        if self.is(4) {
            fault.caller = Caller::Any;
        }
        fault
    }

    fn range(&mut self) -> SpanRange {
        let low = Span(self.of(&[0, 0, 1_000_000, 2_500_000]));
        let more = if self.is(4) { 3_000_000 } else { 0 };
        SpanRange { low, high: Span(low.0 + more) }
    }

    fn config(&mut self) {
        let minors = [36, 6, 18, 25, 29, 33, 35];
        let profile = Profile::of(1, self.of(&minors)).unwrap();
        let mut config = std::mem::take(&mut self.plan.config);
        (config.profile, config.switches) = (profile, profile.switches());
        if self.is(3) {
            let switch = self.of(&Switch::ALL);
            let settings: Vec<Setting> = switch.settings();
            config.switches.set(switch, self.of(&settings));
        }
        config.taint_manager.workers = if config.switches.sharded_workers { 8 } else { 1 };
        if self.is(3) {
            config.taint_manager.workers = 2;
        }
        config.seed = self.of(&[0, 7, u64::MAX]);
        config.until = Some(Time(1_200_000_000_000));
        self.random = self.is(3);
        self.waits = self.is(2);
        config.taint_manager.random_interleaving = self.random;
        config.taint_manager.handler_cost = self.range();
        config.taint_manager.node_channel_capacity = self.of(&[10, 1]);
        config.taint_manager.retry_interval = self.of(&[Span::from_millis(10), Span::ZERO]);
        config.api_server.latency.delete = self.range();
        config.api_server.reply_latency.get = self.range();
        config.api_server.watch_latency.pods = self.range();
        config.termination = self.of(&[PodTermination::Immediate, PodTermination::Graceful]);
        config.stop_after = self.of(&[Span::from_secs(2), Span::ZERO]);
        self.plan.config = config;
    }
}

fn plan(tape: &[u8]) -> Plan {
    let plan = Plan { name: "made".into(), ..Plan::default() };
    let mut maker = Maker { tape: tape.iter(), plan, random: false, waits: false, now: 0 };
    maker.config();
    let count = 1 + maker.below(NODES.len());
    let nodes: Vec<NodeId> =
        NODES[..count].iter().map(|name| maker.plan.names.intern_node(name)).collect();
    let count = 1 + maker.below(PODS.len());
    let pods: Vec<PodId> =
        PODS[..count].iter().map(|name| maker.plan.names.intern_pod(name)).collect();
    for node in nodes {
        let spec = maker.node_spec(node);
        maker.plan.nodes.push(spec);
    }
    for pod in pods {
        let spec = maker.pod_spec(pod);
        maker.plan.pods.push(spec);
    }
    if maker.is(3) {
        let last = maker.plan.pods.last_mut().unwrap();
        (last.terminating, last.manifest_uid) = (true, Some(0));
        maker.plan.manifest_uids.push("0e5".into());
    }
    for number in 1..=maker.below(8) {
        let step = maker.step(number as u32);
        maker.plan.steps.push(step);
    }
    for _ in 0..maker.below(3) {
        let fault = maker.fault();
        maker.plan.faults.push(fault);
    }
    maker.plan
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_plan_runs_as_it_is_written(tape in prop::collection::vec(any::<u8>(), 0..400)) {
        checked(&plan(&tape), "a plan");
    }
}
