//! A plan while it is drawn: its objects, and the units of steps that become its list.

use super::dice::Dice;
use super::sketch::Sketch;
use super::swarm::Swarm;
use super::times;
use super::weights::{
    FEW_SECONDS, HUGE_SECONDS, KEYS, NEGATIVE_SECONDS, NODE_NAMES, NODES, NUMBERS, POD_NAMES, PODS,
    Seconds, TAINT_NUMBERS, TOLERATIONS, TimeKind, Trait, VALUES,
};
use super::words;
use crate::kernel::{Span, Time};
use crate::objects::{Effect, NodeId, Operator, PodId, Taint, TaintsId, Toleration, TolerationsId};
use crate::plan::{NodeSpec, Plan, PodSpec, PodTermination, Step, StepAction, Validation, When};

/// Steps that stay together: the first has its time or waits, the others follow it.
pub(super) struct Unit {
    /// Where it goes among the others.
    pub at: Time,
    pub steps: Vec<Step>,
}

/// See the module's page.
pub(super) struct Draft {
    pub plan: Plan,
    pub dice: Dice,
    pub swarm: Swarm,
    pub sketch: Sketch,
    /// Keys of taints in play.
    pub keys: Vec<Box<str>>,
    pub units: Vec<Unit>,
    /// The time of the step before.
    pub now: Time,
}

/// One millisecond in nanoseconds.
const MILLI: u64 = 1_000_000;
const SECOND: u64 = 1_000 * MILLI;

impl Draft {
    /// A draft of a plan that has its settings and nothing else.
    pub fn new(plan: Plan, dice: Dice, swarm: Swarm) -> Draft {
        let (keys, units, now) = (Vec::new(), Vec::new(), Time::ZERO);
        Draft { plan, dice, swarm, sketch: Sketch::default(), keys, units, now }
    }

    /// Whether the run has a trait and, where it has, a coin shows heads.
    pub fn now_and_then(&mut self, what: Trait) -> bool {
        self.swarm.has(what) && self.dice.chance(500)
    }

    /// Draws the names and what is there at the start.
    pub fn draw_objects(&mut self, most_nodes: u64, most_pods: u64) {
        let many = if self.swarm.has(Trait::Many) { 3 } else { 0 };
        let nodes = (self.dice.weighted(&NODES) + many).min(most_nodes).max(1);
        let pods = (self.dice.weighted(&PODS) + many).min(most_pods).max(1);
        self.draw_keys();
        let first = self.dice.below(NODE_NAMES.len() as u64);
        for index in 0..nodes {
            let name = (first + index) % NODE_NAMES.len() as u64;
            self.plan.names.intern_node(NODE_NAMES[name as usize]);
        }
        for name in POD_NAMES.iter().take(usize::try_from(pods).unwrap_or(1)) {
            self.plan.names.intern_pod(name);
        }
        for id in 0..self.plan.names.node_count() as u32 {
            let spec = self.node_spec(NodeId(id), self.swarm.has(Trait::AlreadyTainted));
            self.plan.nodes.push(spec);
        }
        // The last pods may come later only.
        let later = if pods > 1 { self.dice.below(pods) } else { 0 };
        for id in 0..(pods - later) as u32 {
            let spec = self.pod_spec(PodId(id));
            self.plan.pods.push(spec);
        }
        self.sketch = Sketch::of(&self.plan);
    }

    fn draw_keys(&mut self) {
        let first = self.dice.index(KEYS.len());
        for offset in 0..=self.dice.index(3) {
            self.keys.push(KEYS[(first + offset) % KEYS.len()].into());
        }
    }

    /// A node as it may come.
    pub fn node_spec(&mut self, node: NodeId, may_be_tainted: bool) -> NodeSpec {
        let mut spec = NodeSpec::new(node);
        if may_be_tainted && self.dice.chance(600) {
            spec.taints = self.taints();
        }
        if self.swarm.has(Trait::Selectors) {
            let zone = self.dice.pick(&["a", "b"]);
            spec.labels = self.plan.lists.intern_labels(&words::label("zone", zone));
        }
        if self.swarm.has(Trait::Termination) && self.dice.chance(150) {
            let all = [PodTermination::Graceful, PodTermination::Never, PodTermination::Immediate];
            spec.termination = Some(self.dice.pick(&all));
        }
        spec
    }

    /// A pod as it may come.
    pub fn pod_spec(&mut self, pod: PodId) -> PodSpec {
        let unscheduled = self.now_and_then(Trait::Unscheduled);
        let node = (!unscheduled).then(|| self.any_node());
        let tolerations = self.tolerations();
        let mut spec = PodSpec { tolerations, ..PodSpec::new(pod, node) };
        if self.swarm.has(Trait::Selectors) {
            let app = self.dice.pick(&["web", "db"]);
            spec.labels = self.plan.lists.intern_labels(&words::label("app", app));
        }
        if self.swarm.has(Trait::Termination) {
            spec.grace_period_seconds = self.dice.pick(&[30, 30, 1, 0]);
        }
        spec
    }

    /// Any node, there or not.
    pub fn any_node(&mut self) -> NodeId {
        NodeId(self.dice.below(self.plan.names.node_count() as u64) as u32)
    }

    /// Any pod, there or not.
    pub fn any_pod(&mut self) -> PodId {
        PodId(self.dice.below(self.plan.names.pod_count() as u64) as u32)
    }

    /// A node that is there or not, where one is so; else any.
    pub fn node(&mut self, is_there: bool) -> NodeId {
        let fit = self.sketch.nodes.iter().filter(|node| node.is_there == is_there);
        let count = fit.clone().count();
        if count == 0 || self.senseless() {
            return self.any_node();
        }
        let index = self.dice.index(count);
        self.sketch.nodes.iter().filter(|node| node.is_there == is_there).nth(index).map_or(
            // There are `count` of them.
            NodeId(0),
            |node| node.id,
        )
    }

    /// A pod for which something holds, where there is one; else any.
    pub fn pod(&mut self, fits: impl Fn(&super::sketch::PodSketch) -> bool) -> PodId {
        let count = self.sketch.pods.iter().filter(|pod| fits(pod)).count();
        if count == 0 || self.senseless() {
            return self.any_pod();
        }
        let index = self.dice.index(count);
        let found = self.sketch.pods.iter().filter(|pod| fits(pod)).nth(index);
        found.map_or(PodId(0), |pod| pod.id)
    }

    /// Whether a step is drawn that makes little sense.
    fn senseless(&mut self) -> bool {
        self.swarm.has(Trait::Refused) && self.dice.chance(300)
    }

    /// One taint.
    pub fn taint(&mut self) -> Taint {
        let key = self.dice.index(self.keys.len());
        let value = self.value();
        let effect = match self.swarm.has(Trait::OtherEffects) && self.dice.chance(300) {
            true if self.dice.chance(700) => Effect::NoSchedule,
            true => Effect::PreferNoSchedule,
            false => Effect::NoExecute,
        };
        let mut taint = Taint::new(&self.keys[key], value, effect);
        if self.dice.chance(60) {
            taint.time_added = Some(self.dice.pick(&TIMES_ADDED).into());
        }
        taint
    }

    /// A list of one or two taints.
    pub fn taints(&mut self) -> TaintsId {
        let first = self.taint();
        if !self.dice.chance(300) {
            return self.plan.lists.intern_taints(&[first]);
        }
        let second = self.taint();
        match first.same_key_and_effect(&second) {
            true => self.plan.lists.intern_taints(&[first]),
            false => self.plan.lists.intern_taints(&[first, second]),
        }
    }

    pub(super) fn value(&mut self) -> &'static str {
        if self.plan.config.switches.comparison_operators {
            self.dice.pick(&TAINT_NUMBERS)
        } else if self.swarm.has(Trait::Values) {
            self.dice.pick(&VALUES)
        } else {
            ""
        }
    }

    /// A list of tolerations, in any order.
    pub fn tolerations(&mut self) -> TolerationsId {
        let mut list = Vec::with_capacity(6);
        for _ in 0..self.dice.weighted(&TOLERATIONS) {
            let toleration = self.toleration();
            list.push(toleration);
        }
        if self.swarm.has(Trait::DefaultTolerations) {
            admit(&mut list);
        }
        self.plan.lists.intern_tolerations(&list)
    }

    /// One toleration, as the API takes it, unless it takes all.
    pub fn toleration(&mut self) -> Toleration {
        let is_wildcard = self.swarm.has(Trait::Wildcards) && self.dice.chance(300);
        let key: Box<str> = match is_wildcard {
            true => Box::default(),
            false => self.keys[self.dice.index(self.keys.len())].clone(),
        };
        let compares = self.plan.config.switches.comparison_operators && self.dice.chance(400);
        let (operator, value) = match () {
            () if is_wildcard => (Operator::Exists, ""),
            () if compares => {
                let operator = if self.dice.chance(500) { Operator::Gt } else { Operator::Lt };
                (operator, self.dice.pick(&NUMBERS))
            }
            () if self.swarm.has(Trait::Values) && self.dice.chance(500) => {
                let operator =
                    if self.dice.chance(700) { Operator::Equal } else { Operator::Unset };
                (operator, self.value())
            }
            () => (Operator::Exists, ""),
        };
        let toleration_seconds = self.seconds();
        let effect = match self.swarm.has(Trait::OtherEffects) && toleration_seconds.is_none() {
            true if self.dice.chance(300) => None,
            true if self.dice.chance(200) => Some(Effect::NoSchedule),
            _ => Some(Effect::NoExecute),
        };
        let mut toleration =
            Toleration { key, operator, value: value.into(), effect, toleration_seconds };
        if self.plan.config.api_server.validation == Validation::Ignore && self.dice.chance(300) {
            self.misshape(&mut toleration);
        }
        toleration
    }

    /// Makes something of it that the API refuses.
    fn misshape(&mut self, toleration: &mut Toleration) {
        match self.dice.below(4) {
            0 => toleration.operator = Operator::Other("In".into()),
            1 => toleration.effect = None,
            2 => (toleration.key, toleration.operator) = (Box::default(), Operator::Equal),
            _ => (toleration.operator, toleration.value) = (Operator::Exists, "a".into()),
        }
    }

    /// `tolerationSeconds`.
    pub fn seconds(&mut self) -> Option<i64> {
        match self.swarm.seconds.pick(&mut self.dice) {
            Seconds::Some => Some(self.dice.pick(&FEW_SECONDS)),
            Seconds::Forever => None,
            Seconds::Zero => Some(0),
            Seconds::Negative => Some(self.dice.pick(&NEGATIVE_SECONDS)),
            Seconds::Huge => Some(self.dice.pick(&HUGE_SECONDS)),
        }
    }

    /// The time of the next step, at or after that of the step before.
    pub fn next_time(&mut self) -> Time {
        let now = self.now;
        let after = |nanos: u64| now.saturating_add(Span(nanos));
        match self.swarm.times.pick(&mut self.dice) {
            TimeKind::Same => now,
            TimeKind::Tick => after(self.dice.pick(&[1, 1_000, MILLI])),
            TimeKind::Deadline => self.near_mark().unwrap_or_else(|| after(10 * SECOND)),
            TimeKind::Retry => after(self.dice.pick(&[5, 10, 15, 20, 40, 45, 50, 55]) * MILLI),
            TimeKind::Lag => after(self.lag()),
            TimeKind::Fraction => after((1 + self.dice.below(2_000)) * MILLI),
            TimeKind::Round => after(self.dice.pick(&[1, 2, 5, 10, 30]) * SECOND),
        }
    }

    /// A time at, just before or just after one of the marks that lie ahead.
    fn near_mark(&mut self) -> Option<Time> {
        let ahead = self.sketch.marks.iter().copied().filter(|mark| *mark > self.now);
        // Beyond a day there are the deadlines of centuries.
        let ahead = ahead.filter(|mark| mark.0 < 86_400 * SECOND);
        let ahead: Vec<Time> = ahead.collect();
        if ahead.is_empty() {
            return None;
        }
        let mark = self.dice.pick(&ahead).0;
        let time = match self.dice.below(8) {
            0..3 => mark,
            3 => mark - self.dice.pick(&[1, MILLI]).min(mark),
            4 => mark + self.dice.pick(&[1, MILLI]),
            5 => mark + self.dice.pick(&[5, 10, 15, 45, 55]) * MILLI,
            6 => mark + self.lag(),
            _ => mark - self.lag().min(mark),
        };
        Some(Time(time.max(self.now.0)))
    }

    /// One of the plan's latencies, and a nanosecond more or less.
    fn lag(&mut self) -> u64 {
        let config = &self.plan.config;
        let api = &config.api_server;
        let lags = [
            api.latency.delete.high.0,
            api.latency.get.high.0,
            api.reply_latency.delete.high.0,
            api.reply_latency.patch.high.0,
            api.watch_latency.pods.high.0,
            api.watch_latency.nodes.high.0,
            config.taint_manager.handler_cost.high.0,
            config.stop_after.0,
            api.latency.delete.high.0 + api.watch_latency.pods.high.0,
        ];
        let lag = self.dice.pick(&lags).max(1);
        self.dice.pick(&[lag, lag - 1, lag + 1, lag / 2])
    }

    /// Adds a step of one action at a time.
    pub fn step_at(&mut self, at: Time, action: StepAction) {
        self.burst_at(at, vec![action]);
    }

    /// Adds a step of actions with nothing between them; one alone is a plain step.
    pub fn burst_at(&mut self, at: Time, actions: Vec<StepAction>) {
        for action in &actions {
            self.sketch.apply(&action.action, at, &self.plan.lists);
        }
        let mut step = step(When::At(at), actions);
        // A burst, also one of one action, is not ordered against what is due at its time. Where
        // that is drawn, it is a race worth having at a deadline.
        let races = self.swarm.has(Trait::RandomInterleaving) && self.sketch.marks.contains(&at);
        let per_mille = if races { 500 } else { 300 };
        step.burst |= (races || self.swarm.has(Trait::Bursts)) && self.dice.chance(per_mille);
        self.units.push(Unit { at, steps: vec![step] });
    }

    /// Adds a step that waits, and steps that follow it.
    pub fn unit(&mut self, at: Time, steps: Vec<Step>) {
        self.units.push(Unit { at, steps });
    }

    /// Puts the units in order and makes them the plan's steps.
    pub fn place_units(&mut self) {
        let mut units = std::mem::take(&mut self.units);
        units.sort_by_key(|unit| unit.at);
        self.plan.steps.extend(units.into_iter().flat_map(|unit| unit.steps));
        times::in_order(&mut self.plan.steps);
    }
}

/// What `timeAdded` may say.
const TIMES_ADDED: [&str; 2] = ["2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"];

/// A step; whether it is refused is for the run to say.
pub(super) fn step(when: When, actions: Vec<StepAction>) -> Step {
    let burst = actions.len() > 1;
    Step { number: 0, when, actions, burst, may_be_rejected: true, because: None }
}

/// What admission adds: a run that has it has it everywhere.
fn admit(list: &mut Vec<Toleration>) {
    crate::scenario::rules::Rules::default().admit(list);
}
