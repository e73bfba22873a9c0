//! Another plan made of a given one: some of its times, steps, objects, faults or settings are
//! changed, and some are added or dropped.

use super::dice::Dice;
use super::draft::{Draft, Unit, step};
use super::sketch::Sketch;
use super::swarm::Swarm;
use super::weights::{Block, Trait};
use super::{Limits, SEEDS, check, end, settings, times, words};
use crate::kernel::{Span, Time};
use crate::objects::TolerationsId;
use crate::plan::{Action, NodeSpec, Plan, PodSpec, StepAction, Validation, When};
use crate::profile::Profile;

/// What is done to a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mutation {
    Retime,
    Drop,
    Copy,
    Insert,
    Swap,
    Join,
    Split,
    Taints,
    Tolerations,
    Start,
    AddFault,
    DropFault,
    Latencies,
    Version,
    Interleaving,
}

/// How often each is done, among the others.
const MUTATIONS: [(Mutation, u64); 15] = [
    // A step comes at another time: near its own, or near an instant that matters.
    (Mutation::Retime, 8),
    // A step goes.
    (Mutation::Drop, 3),
    // A step comes a second time.
    (Mutation::Copy, 2),
    // A step or a pattern comes.
    (Mutation::Insert, 6),
    // Two steps change places.
    (Mutation::Swap, 3),
    // Two steps become a burst.
    (Mutation::Join, 2),
    // A burst becomes steps.
    (Mutation::Split, 1),
    // Other taints are added.
    (Mutation::Taints, 3),
    // Tolerations change, of a pod at the start or in a step.
    (Mutation::Tolerations, 5),
    // A pod is elsewhere at the start, or a node has other taints.
    (Mutation::Start, 2),
    // Calls fail.
    (Mutation::AddFault, 2),
    // Calls do not fail.
    (Mutation::DropFault, 1),
    // Spans of calls, answers, watches, handlers, and how pods go.
    (Mutation::Latencies, 3),
    // Another version, with its own switches.
    (Mutation::Version, 3),
    // First in, first out, or drawn.
    (Mutation::Interleaving, 2),
];

/// How many a plan gets.
const HOW_MANY: [(u64, u64); 4] = [(1, 4), (2, 3), (3, 2), (5, 1)];

/// So often a change is tried that makes a plan which the loader would refuse.
const TRIES: u32 = 16;

/// Variation `run` of a plan. Where the loader would take the plan, it would take the variation.
pub fn vary(plan: &Plan, seed: u64, run: u64, limits: &Limits) -> Plan {
    let mut dice = Dice::new(seed, "vary", run);
    let mut base = plan.clone();
    if let Some(profile) = limits.profile.filter(|profile| *profile != base.config.profile) {
        set_version(&mut base, profile);
    }
    // Objects of manifests keep what the API would refuse from others.
    let lenient = check(&base).is_err();
    for _ in 0..TRIES {
        let swarm = Swarm::draw(&mut dice);
        let mut draft = Draft::of(base.clone(), dice, swarm);
        for _ in 0..draft.dice.weighted(&HOW_MANY) {
            let mutation = draft.dice.weighted(&MUTATIONS);
            draft.mutate(mutation, limits);
        }
        draft.place_units();
        draft.name_faults();
        let mut varied = draft.plan;
        dice = draft.dice;
        if !fits(&mut varied, lenient) {
            continue;
        }
        finish(&mut varied, plan.config.until, limits, &mut dice);
        return varied;
    }
    finish(&mut base, plan.config.until, limits, &mut dice);
    base
}

fn fits(plan: &mut Plan, lenient: bool) -> bool {
    let own = plan.config.api_server.validation;
    if lenient {
        plan.config.api_server.validation = Validation::Ignore;
    }
    let fits = check(plan).is_ok();
    plan.config.api_server.validation = own;
    fits
}

/// The end, where the plan had one, and the seed.
fn finish(plan: &mut Plan, until: Option<Time>, limits: &Limits, dice: &mut Dice) {
    if let Some(until) = until {
        end(plan, limits);
        plan.config.until = plan.config.until.max(Some(until));
    }
    if plan.is_random() {
        plan.config.seed = dice.below(SEEDS);
    }
}

fn set_version(plan: &mut Plan, profile: Profile) {
    let sharded = |plan: &Plan| plan.config.switches.sharded_workers;
    let before = sharded(plan);
    (plan.config.profile, plan.config.switches) = (profile, profile.switches());
    if before != sharded(plan) {
        plan.config.taint_manager.workers = settings::of(profile).taint_manager.workers;
    }
}

impl Draft {
    /// A draft of a whole plan, whose steps are units again.
    fn of(mut plan: Plan, dice: Dice, swarm: Swarm) -> Draft {
        if plan.nodes.is_empty() && plan.names.node_count() == 0 {
            let node = plan.names.intern_node("node-0");
            plan.nodes.push(NodeSpec::new(node));
        }
        if plan.pods.is_empty() && plan.names.pod_count() == 0 {
            let pod = plan.names.intern_pod("default/web-0");
            plan.pods.push(PodSpec::new(pod, None));
        }
        let mut keys: Vec<Box<str>> = Vec::new();
        let taints = plan.lists.all_taints().map(|taint| &taint.key);
        for key in taints.chain(plan.lists.all_tolerations().map(|t| &t.key)) {
            // A plan of many keys keeps a few: they are meant to collide.
            if !key.is_empty() && !keys.contains(key) && keys.len() < 4 {
                keys.push(key.clone());
            }
        }
        if keys.is_empty() {
            keys.push("maintenance".into());
        }
        let steps = std::mem::take(&mut plan.steps);
        let at: Vec<Time> = times::reckoned(&steps).collect();
        let mut draft = Draft::new(plan, dice, swarm);
        draft.keys = keys;
        for (mut step, at) in steps.into_iter().zip(at) {
            match draft.units.last_mut() {
                Some(unit) if matches!(step.when, When::AfterPrevious(_)) => unit.steps.push(step),
                _ => {
                    if let When::AfterPrevious(span) = step.when {
                        step.when = When::At(Time::ZERO.saturating_add(span));
                    }
                    draft.units.push(Unit { at, steps: vec![step] });
                }
            }
        }
        draft.replay(Time::ZERO);
        draft
    }

    /// Draws the picture of the cluster at a time.
    fn replay(&mut self, until: Time) {
        self.sketch = Sketch::of(&self.plan);
        let mut order: Vec<&Unit> = self.units.iter().filter(|unit| unit.at <= until).collect();
        order.sort_by_key(|unit| unit.at);
        for unit in order {
            self.sketch.pass(unit.at);
            for action in unit.steps.iter().flat_map(|step| &step.actions) {
                self.sketch.apply(&action.action, unit.at, &self.plan.lists);
            }
        }
        self.sketch.pass(until);
        self.now = until;
    }

    fn mutate(&mut self, mutation: Mutation, limits: &Limits) {
        match mutation {
            Mutation::Retime => self.retime(),
            Mutation::Insert => self.insert(limits),
            Mutation::Drop | Mutation::Copy | Mutation::Swap | Mutation::Join | Mutation::Split => {
                self.rearrange(mutation);
            }
            Mutation::Taints => self.other_taints(),
            Mutation::Tolerations => self.other_tolerations_somewhere(),
            Mutation::Start => self.other_start(),
            Mutation::AddFault => {
                self.replay(self.now);
                let fault = self.fault();
                self.plan.faults.push(fault);
            }
            Mutation::DropFault => {
                if !self.plan.faults.is_empty() {
                    let index = self.dice.index(self.plan.faults.len());
                    self.plan.faults.remove(index);
                }
            }
            Mutation::Latencies => {
                settings::vary(&mut self.plan.config, &self.swarm, &mut self.dice)
            }
            Mutation::Version => {
                if limits.profile.is_none() && self.plan.config.taint_manager.enabled {
                    let profile = settings::version(&mut self.dice);
                    set_version(&mut self.plan, profile);
                }
            }
            Mutation::Interleaving => {
                let setting = &mut self.plan.config.taint_manager.random_interleaving;
                *setting = !*setting;
            }
        }
    }

    fn some_unit(&mut self) -> Option<usize> {
        let count = self.units.len();
        (count > 0).then(|| self.dice.index(count))
    }

    fn retime(&mut self) {
        let Some(index) = self.some_unit() else { return };
        let follower = self.dice.index(self.units[index].steps.len());
        let moment = self.moment();
        match &mut self.units[index].steps[follower].when {
            When::AfterPrevious(span) | When::After { plus: span, .. } => *span = moment,
            When::At(_) => self.move_unit(index),
        }
    }

    /// A unit with a time of its own gets another one.
    fn move_unit(&mut self, index: usize) {
        let own = self.units[index].at;
        let at = if self.dice.chance(400) {
            let step = self.dice.pick(&[1, 1_000_000, 5_000_000, 10_000_000, 1_000_000_000]);
            match self.dice.chance(500) {
                true => own.saturating_add(Span(step)),
                false => Time(own.0.saturating_sub(step)),
            }
        } else {
            // After any other step, near what is due by then.
            let other = self.dice.index(self.units.len());
            let from = if other == index { Time::ZERO } else { self.units[other].at };
            self.replay(from);
            self.next_time()
        };
        self.units[index].at = at;
        self.units[index].steps[0].when = When::At(at);
    }

    fn insert(&mut self, limits: &Limits) {
        let steps: usize = self.units.iter().map(|unit| unit.steps.len()).sum();
        if steps >= (limits.steps as usize).max(steps / 2 + 16) {
            return;
        }
        let at = self.some_unit().map_or(Time(Span::from_secs(1).0), |index| self.units[index].at);
        self.replay(at);
        let block = self.swarm.blocks.pick(&mut self.dice);
        if block != Block::Nothing && self.dice.chance(300) {
            self.block(block);
        } else {
            let kind = self.swarm.steps.pick(&mut self.dice);
            self.single(kind);
        }
    }

    fn rearrange(&mut self, mutation: Mutation) {
        let (Some(one), Some(other)) = (self.some_unit(), self.some_unit()) else { return };
        let (early, late) = (one.min(other), one.max(other));
        match mutation {
            Mutation::Drop => drop(self.units.remove(one)),
            Mutation::Copy => {
                self.replay(self.units[other].at);
                let at = self.next_time();
                let mut steps = self.units[one].steps.clone();
                if let When::At(_) = steps[0].when {
                    steps[0].when = When::At(at);
                }
                self.unit(at, steps);
            }
            Mutation::Swap => {
                let (before, after) = self.units.split_at_mut(late);
                if let (Some(one), Some(other)) = (before.get_mut(early), after.first_mut()) {
                    std::mem::swap(&mut one.at, &mut other.at);
                    std::mem::swap(&mut one.steps[0].when, &mut other.steps[0].when);
                }
            }
            Mutation::Join if early != late => {
                let unit = self.units.remove(late);
                let actions = unit.steps.into_iter().flat_map(|step| step.actions);
                let first = &mut self.units[early].steps[0];
                first.actions.extend(actions);
                first.burst = true;
            }
            _ => {
                let unit = &mut self.units[one];
                if let Some(index) = unit.steps.iter().position(|step| step.actions.len() > 1) {
                    let actions = unit.steps[index].actions.split_off(1);
                    unit.steps[index].burst = false;
                    let span = Span(self.dice.pick(&[0, 1, 1_000_000, 10_000_000]));
                    unit.steps.insert(index + 1, step(When::AfterPrevious(span), actions));
                }
            }
        }
    }

    /// Does something to an action of a kind, where there is one; its words follow.
    fn change_action(&mut self, is_meant: impl Fn(&Action) -> bool, new: impl FnOnce(&mut Action)) {
        let all = || self.units.iter().flat_map(|unit| &unit.steps).flat_map(|step| &step.actions);
        let count = all().filter(|action| is_meant(&action.action)).count();
        if count == 0 {
            return;
        }
        let which = self.dice.index(count);
        let steps = self.units.iter_mut().flat_map(|unit| &mut unit.steps);
        let mut meant = steps
            .flat_map(|step| &mut step.actions)
            .filter(|action: &&mut StepAction| is_meant(&action.action));
        let Some(place) = meant.nth(which) else { return };
        let mut action = place.action.clone();
        new(&mut action);
        let (names, lists) = (&self.plan.names, &self.plan.lists);
        *place = match place.kubectl {
            true => words::kubectl(action, names, lists),
            false => words::own(action, names, lists),
        };
    }

    fn other_taints(&mut self) {
        let taints = self.taints();
        let is_meant = |action: &Action| matches!(action, Action::Taint { change, .. } if change.remove.is_empty());
        self.change_action(is_meant, |action| {
            if let Action::Taint { change, .. } = action {
                match &mut change.replace {
                    Some(replace) => *replace = taints,
                    None => change.add = taints,
                }
            }
        });
    }

    /// Other tolerations for a pod at the start, or in a step that has some.
    fn other_tolerations_somewhere(&mut self) {
        if !self.plan.pods.is_empty() && self.dice.chance(600) {
            let index = self.dice.index(self.plan.pods.len());
            let old = self.plan.pods[index].tolerations;
            self.plan.pods[index].tolerations = self.near_tolerations(old);
            return;
        }
        let of = |action: &Action| match action {
            Action::SetTolerations { tolerations, .. } => Some(*tolerations),
            Action::CreatePods(specs) => specs.first().map(|spec| spec.tolerations),
            _ => None,
        };
        let steps = self.units.iter().flat_map(|unit| &unit.steps);
        let old = steps.flat_map(|step| &step.actions).find_map(|action| of(&action.action));
        let Some(old) = old else { return };
        let new = self.near_tolerations(old);
        self.change_action(
            |action| of(action).is_some(),
            |action| match action {
                Action::SetTolerations { tolerations, .. } => *tolerations = new,
                Action::CreatePods(specs) => {
                    specs.iter_mut().for_each(|spec| spec.tolerations = new)
                }
                _ => {}
            },
        );
    }

    /// The list with one edit, or reversed, or another one.
    fn near_tolerations(&mut self, old: TolerationsId) -> TolerationsId {
        let mut list = self.plan.lists.tolerations(old).to_vec();
        match self.dice.below(8) {
            0 => return self.tolerations(),
            1 => list.reverse(),
            2 if !list.is_empty() => {
                let index = self.dice.index(list.len());
                list.remove(index);
            }
            _ => self.edit(&mut list),
        }
        self.plan.lists.intern_tolerations(&list)
    }

    fn other_start(&mut self) {
        if !self.plan.pods.is_empty() && self.dice.chance(500) {
            let index = self.dice.index(self.plan.pods.len());
            let unscheduled = self.now_and_then(Trait::Unscheduled);
            let node = (!unscheduled).then(|| self.any_node());
            self.plan.pods[index].node = node;
        } else if !self.plan.nodes.is_empty() {
            let index = self.dice.index(self.plan.nodes.len());
            self.plan.nodes[index].taints = self.taints();
        }
    }
}
