//! What a breach comes from: the switch of the behaviour profile without which it is not there, or
//! the kinds of things in the plan that it needs.
//!
//! Nothing is guessed: each switch is flipped and each kind of thing left out in a run, and a breach
//! has vanished where the same rule holds for the same pod.

mod ingredients;
mod lists;

pub use ingredients::Ingredient;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::examine::{Examiner, RuleSet};
use super::rules::Breach;
use crate::objects::PodId;
use crate::plan::Plan;
use crate::profile::{Condition, Setting, Switch};

/// A cause of breaches as it can be told from one run, cheaply: breaches of one class mostly come
/// from one thing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Class {
    /// The rule's name.
    pub rule: Cow<'static, str>,
    /// What the breach needs.
    pub cause: Cause,
}

/// What a breach needs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// This switch as it is.
    Switch(Switch),
    /// No switch: all of these kinds of things.
    Needs(BTreeSet<Ingredient>),
}

/// Switches in the order in which they are tried: what decides about a pod before what decides who
/// works when, which changes much by the way.
const ORDER: [Switch; 16] = [
    Switch::UnsetFirstIsForever,
    Switch::InfiniteTolerationCancels,
    Switch::MarkerAfterSuccess,
    Switch::FinishRemovesReplacement,
    Switch::CancelledFiredTimerRuns,
    Switch::NodeNameCheck,
    Switch::CurrentObjects,
    Switch::ComparisonOperators,
    Switch::PodsFromIndex,
    Switch::GracefulStop,
    Switch::ImmediateOnTimer,
    Switch::DeduplicatedItems,
    Switch::ShardedWorkers,
    Switch::DisruptionCondition,
    Switch::EventComponent,
    Switch::EventApiVersion,
];

/// So many seeds beside its own a changed plan is run with, where something is drawn.
const OTHER_SEEDS: u64 = 3;

/// The breaches of one kind in a run: by the pods' names.
type Broken = BTreeSet<(Cow<'static, str>, Option<PodId>)>;

/// Finds causes; keeps what it needs to run plans.
#[derive(Default)]
pub struct Causes {
    /// By the rules that judge.
    examiners: BTreeMap<RuleSet, Examiner>,
}

impl Causes {
    /// The classes of a run's breaches, each with the first breach of that class.
    pub fn classes<'b>(
        &mut self,
        plan: &Plan,
        breaches: &'b [Breach],
    ) -> BTreeMap<Class, &'b Breach> {
        let mut open = keys(breaches);
        let names: BTreeSet<&str> = open.iter().map(|(rule, _)| &**rule).collect();
        // A name of a breach is that of a rule.
        let Ok(rules) = RuleSet::parse(names) else { return BTreeMap::new() };
        let mut classes = BTreeMap::new();
        let mut put = |(rule, pod): &(Cow<'static, str>, Option<PodId>), cause: Cause| {
            let is_it = |breach: &&Breach| breach.rule == *rule && breach.pod == *pod;
            if let Some(breach) = breaches.iter().find(is_it) {
                classes.entry(Class { rule: rule.clone(), cause }).or_insert(breach);
            }
        };
        let mut flipped = plan.clone();
        for (switch, setting) in settings(plan) {
            if open.is_empty() {
                return classes;
            }
            set(&mut flipped, plan, switch, setting);
            let still = self.still_broken(&rules, &flipped);
            let (stay, gone): (Broken, Broken) =
                open.into_iter().partition(|key| still.contains(key));
            gone.iter().for_each(|key| put(key, Cause::Switch(switch)));
            (open, flipped.config) = (stay, plan.config.clone());
        }
        let mut needs: BTreeMap<_, BTreeSet<Ingredient>> =
            open.iter().map(|key| (key.clone(), BTreeSet::new())).collect();
        if !open.is_empty() {
            for ingredient in Ingredient::telling() {
                let Some(without) = ingredient.left_out(plan) else { continue };
                let still = self.still_broken(&rules, &without);
                let gone = needs.iter_mut().filter(|(key, _)| !still.contains(*key));
                gone.for_each(|(_, needs)| _ = needs.insert(ingredient));
            }
        }
        for (key, needs) in needs {
            put(&key, Cause::Needs(needs));
        }
        classes
    }

    /// Whether the plan has a breach of this class, or of one that needs more.
    pub fn has(&mut self, plan: &Plan, class: &Class) -> bool {
        let Ok(rules) = RuleSet::one(&class.rule) else { return false };
        let mut open = self.broken(&rules, plan);
        match &class.cause {
            Cause::Switch(switch) => {
                let mut gone = Broken::new();
                let mut flipped = plan.clone();
                for (_, setting) in settings(plan).filter(|(of, _)| of == switch) {
                    if open.is_empty() {
                        break;
                    }
                    set(&mut flipped, plan, *switch, setting);
                    let still = self.still_broken(&rules, &flipped);
                    gone.extend(open.difference(&still).cloned());
                }
                open = gone;
            }
            Cause::Needs(needs) => {
                for ingredient in needs {
                    if open.is_empty() {
                        break;
                    }
                    let Some(without) = ingredient.left_out(plan) else { return false };
                    let still = self.still_broken(&rules, &without);
                    open.retain(|key| !still.contains(key));
                }
            }
        }
        !open.is_empty()
    }

    /// The first switch and setting with which one of the rule's breaches is not there.
    pub fn remedy(&mut self, plan: &Plan, rule: &str) -> Option<(Switch, Setting)> {
        let rules = RuleSet::one(rule).ok()?;
        let broken = self.broken(&rules, plan);
        let mut flipped = plan.clone();
        for (switch, setting) in settings(plan) {
            if broken.is_empty() {
                break;
            }
            set(&mut flipped, plan, switch, setting);
            let still = self.still_broken(&rules, &flipped);
            if broken.iter().any(|key| !still.contains(key)) {
                return Some((switch, setting));
            }
            flipped.config = plan.config.clone();
        }
        None
    }

    /// Whether the rule is broken, and no switch takes that away.
    pub fn is_of_no_switch(&mut self, plan: &Plan, rule: &str) -> bool {
        let is_broken = RuleSet::one(rule).is_ok_and(|rules| !self.broken(&rules, plan).is_empty());
        is_broken && self.remedy(plan, rule).is_none()
    }

    /// What is broken in a changed plan. Where something is drawn, a change shifts the draws: then
    /// what other seeds break counts as well.
    fn still_broken(&mut self, rules: &RuleSet, changed: &Plan) -> Broken {
        let mut still = self.broken(rules, changed);
        if changed.is_random() {
            let mut changed = changed.clone();
            for _ in 0..OTHER_SEEDS {
                changed.config.seed = changed.config.seed.wrapping_add(1);
                still.append(&mut self.broken(rules, &changed));
            }
        }
        still
    }

    fn broken(&mut self, rules: &RuleSet, plan: &Plan) -> Broken {
        if !self.examiners.contains_key(rules) {
            self.examiners.insert(rules.clone(), Examiner::new(rules));
        }
        let examiner = self.examiners.get_mut(rules);
        keys(&examiner.map(|examiner| examiner.examine(plan)).unwrap_or_default())
    }
}

fn keys(breaches: &[Breach]) -> Broken {
    breaches.iter().map(|breach| (breach.rule.clone(), breach.pod)).collect()
}

/// What each switch of the plan could be set to instead, in the order in which that is tried.
fn settings(plan: &Plan) -> impl Iterator<Item = (Switch, Setting)> {
    let switches = plan.config.switches;
    ORDER.into_iter().flat_map(move |switch| {
        let others = switch.settings().into_iter();
        let others = others
            .filter(move |setting| *setting != switches.get(switch) && !misleads(switch, *setting));
        others.map(move |setting| (switch, setting))
    })
}

/// Whether a setting makes breaches go away that have nothing to do with it: by what upstream has
/// mended, which hides others and is no remedy; by calls that others do not have, which take time
/// and fail; or by tolerations that match nothing otherwise.
fn misleads(switch: Switch, setting: Setting) -> bool {
    match switch {
        Switch::InfiniteTolerationCancels | Switch::PodsFromIndex => {
            setting == Setting::Bool(false)
        }
        Switch::UnsetFirstIsForever
        | Switch::MarkerAfterSuccess
        | Switch::FinishRemovesReplacement
        | Switch::CancelledFiredTimerRuns
        | Switch::ComparisonOperators => setting == Setting::Bool(true),
        Switch::DisruptionCondition => setting != Setting::Condition(Condition::None),
        _ => false,
    }
}

fn set(flipped: &mut Plan, plan: &Plan, switch: Switch, setting: Setting) {
    let config = &mut flipped.config;
    config.switches.set(switch, setting);
    let is_usual = plan.config.taint_manager.workers == plan.config.switches.usual_workers();
    if switch == Switch::ShardedWorkers && is_usual {
        config.taint_manager.workers = config.switches.usual_workers();
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.rule, self.cause)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Switch(switch) => write!(f, "by {}", switch.name()),
            Cause::Needs(needs) => {
                let names: Vec<&str> = needs.iter().map(|ingredient| ingredient.name()).collect();
                write!(f, "with {}", names.join(","))
            }
        }
    }
}
