//! A finding: the smallest scenario that breaks a rule from one cause, as a file that is complete in
//! itself.

mod known;
mod signature;
mod text;

pub use known::{KNOWN, Known};
pub use signature::{Origin, Signature};

use super::cause::{Cause, Causes, Class};
use super::examine::{EVENTS_MAX, Examiner, RuleSet, rule_of};
use super::shrink::{self, without_step};
use crate::cluster::World;
use crate::plan::{Config, Plan};
use crate::timeline::Detail;

/// So many candidates are tried for one finding.
const TRIES_MAX: u64 = 4_000;
/// And so many of a scenario that takes long.
const TRIES_MIN: u64 = 40;
/// So many events all tries may take, about.
const EVENTS_OF_TRIES: u64 = 10_000_000;

/// The smallest scenario of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The run in which it was found.
    pub run: u64,
    /// What makes it the finding that it is.
    pub signature: Signature,
    /// What the rule says.
    pub sentence: &'static str,
    /// What happened instead.
    pub breach: String,
    /// Steps of the run in which it was found.
    pub steps_before: usize,
    /// Steps that are left.
    pub steps_after: usize,
    /// The scenario's file.
    pub text: String,
}

impl Finding {
    /// Shrinks the plan of a run that has a breach of the class. `found_by` is the command that runs
    /// it.
    pub fn make(
        causes: &mut Causes,
        (run, plan): (u64, &Plan),
        class: &Class,
        found_by: &str,
    ) -> Finding {
        let (mut shrunk, origin) = Finding::smallest(causes, plan, class);
        let signature = Signature { rule: class.rule.clone(), origin };
        shrunk.name = signature.stem();
        let breach = first_breach(&shrunk, &class.rule);
        let sentence = rule_of(&class.rule).map_or("", |rule| rule.sentence);
        let mut finding = Finding {
            run,
            signature,
            sentence,
            breach,
            steps_before: plan.steps.len(),
            steps_after: shrunk.steps.len(),
            text: String::new(),
        };
        let remedy = match finding.signature.origin {
            Origin::Switch(_) => causes.remedy(&shrunk, &class.rule),
            Origin::Kinds(_) => None,
        };
        finding.text = text::of(&finding, &shrunk, remedy.map(|(_, setting)| setting), found_by);
        finding
    }

    /// The smallest plan of the class, and what its breach comes from.
    fn smallest(causes: &mut Causes, plan: &Plan, class: &Class) -> (Plan, Origin) {
        let rule = &class.rule;
        let shrunk = shrink(plan, &mut |candidate| causes.has(candidate, class));
        // Of the switches that take the breach away, one may be about what another brings about.
        let remedy = causes.remedy(&shrunk, rule);
        let shrunk = match (&class.cause, remedy) {
            (Cause::Switch(switch), remedy) => {
                let switch = remedy.map_or(*switch, |(switch, _)| switch);
                match without_idle_parts(causes, &shrunk, rule) {
                    None => return (shrunk, Origin::Switch(switch)),
                    // With less in it, no switch takes the breach away: it hid it by the way.
                    Some(smaller) => smaller,
                }
            }
            (Cause::Needs(_), None) => shrunk,
            (Cause::Needs(_), Some((switch, _))) => {
                // The whole run had other breaches of the rule, which no switch takes away.
                let mut keeps = |candidate: &Plan| {
                    causes.has(candidate, class) && causes.is_of_no_switch(candidate, rule)
                };
                if !keeps(plan) {
                    return (shrunk, Origin::Switch(switch));
                }
                shrink(plan, &mut keeps)
            }
        };
        let shrunk = without_idle_parts(causes, &shrunk, rule).unwrap_or(shrunk);
        let origin = Origin::of(&shrunk);
        (shrunk, origin)
    }

    /// What upstream knows of it.
    pub fn known(&self) -> Option<&'static Known> {
        known::known(&self.signature)
    }

    /// Where upstream knows it from, or the change that it comes from; `NEW` where there is neither.
    pub fn upstream(&self) -> String {
        match (self.known(), &self.signature.origin) {
            (Some(known), _) => known.threads.to_owned(),
            (None, Origin::Switch(switch)) => format!("change ({})", known::thread_of(*switch)),
            // That versions differ is what the profiles are about.
            (None, Origin::Kinds(_)) if self.compares_versions() => "-".to_owned(),
            (None, Origin::Kinds(_)) => "NEW".to_owned(),
        }
    }

    /// Whether neither a thread nor a change upstream is known for it.
    pub fn is_new(&self) -> bool {
        let is_of_kinds = matches!(self.signature.origin, Origin::Kinds(_));
        self.known().is_none() && is_of_kinds && !self.compares_versions()
    }

    fn compares_versions(&self) -> bool {
        self.signature.rule.starts_with("diff/")
    }

    /// The name of the pod that the breach is about.
    pub fn pod(&self) -> Option<&str> {
        self.breach.strip_prefix("pod ")?.split([' ', ':']).next()
    }
}

/// What the whole run needed, the small one may not: steps and faults go without which the rule is
/// broken all the same, by no switch. `None` where each of them is needed.
fn without_idle_parts(causes: &mut Causes, shrunk: &Plan, rule: &str) -> Option<Plan> {
    let without_fault = |fault: usize| {
        let mut plan = shrunk.clone();
        plan.faults.remove(fault);
        plan
    };
    let steps = (0..shrunk.steps.len()).filter_map(|step| without_step(shrunk, step));
    let mut smaller = steps.chain((0..shrunk.faults.len()).map(without_fault));
    let smaller = smaller.find(|plan| causes.is_of_no_switch(plan, rule))?;
    let smaller = shrink(&smaller, &mut |plan| causes.is_of_no_switch(plan, rule));
    Some(without_idle_parts(causes, &smaller, rule).unwrap_or(smaller))
}

/// Fewer tries where each of them takes long.
fn shrink(plan: &Plan, keeps: &mut dyn FnMut(&Plan) -> bool) -> Plan {
    let mut world = World::new(plan, Detail::Summary);
    world.run_some(plan.config.until.unwrap_or(Config::UNBOUNDED_LIMIT), EVENTS_MAX, &mut ());
    let size = world.events() + (plan.pods.len() + plan.nodes.len()) as u64;
    let tries = (EVENTS_OF_TRIES / size.max(1)).clamp(TRIES_MIN, TRIES_MAX);
    shrink::shrink(plan, tries, keeps).plan
}

/// What the first breach of the rule says.
fn first_breach(plan: &Plan, rule: &str) -> String {
    let rules = RuleSet::one(rule).unwrap_or_default();
    let breaches = Examiner::new(&rules).examine(plan);
    breaches.into_iter().next().map(|breach| breach.text).unwrap_or_default()
}
