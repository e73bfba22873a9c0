//! The smallest plan that still has a property: what a person would write to show it.
//!
//! A plan is made smaller by passes, each of which knows one way: it takes things out, says them in
//! a plainer way, joins what need not be two, or rounds a value. A candidate counts only if it is a
//! plan that the loader would take, is smaller by [`measure`], and has the property; so every pass
//! may try what it likes. Passes are repeated until none helps. There is no chance in it: the same
//! plan and property give the same result, and shrinking that again changes nothing.
//!
//! Cost: some hundred runs of ever smaller plans, and a copy of the plan for each.

mod config;
mod drop;
mod faults;
mod kinds;
mod lists;
mod measure;
mod merge;
mod observe;
mod reasons;
mod rebuild;
mod rename;
mod repair;
mod sayable;
mod seconds;
mod start;
mod times;
mod values;

#[cfg(test)]
mod tests;

pub use reasons::{reasons, without_step};

use self::measure::Measure;
use self::rebuild::{Same, rebuild};
use crate::fuzz::generate::check;
use crate::plan::{Plan, Validation};

/// What became of a plan.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The smallest plan that was found.
    pub plan: Plan,
    /// So many plans were judged.
    pub tries: u64,
    /// No more were allowed: it may not be the smallest.
    pub exhausted: bool,
}

/// The smallest plan with a property that a plan has.
///
/// `keeps` says whether a plan has it, by running it or otherwise; it must depend on nothing but
/// the plan, and not on its name, the numbers of its steps and the words of its actions. It is
/// asked at most `budget` times.
pub fn shrink(plan: &Plan, budget: u64, keeps: &mut dyn FnMut(&Plan) -> bool) -> Shrunk {
    // Objects of manifests keep what the API would refuse from others.
    let lenient = check(plan).is_err();
    let start = rebuild(plan, &mut Same);
    let measure = Measure::of(&start);
    let mut search = Search {
        plan: start,
        measure,
        tries: 0,
        budget,
        exhausted: false,
        reseeds: false,
        lenient,
        keeps,
    };
    if !search.judge(&search.plan.clone()) {
        let (tries, exhausted) = (search.tries, search.exhausted);
        return Shrunk { plan: plan.clone(), tries, exhausted };
    }
    search.descend();
    if search.plan.is_random() {
        // What is left is left to chance. With less in it other things would be drawn, so that it
        // takes other seeds to go on.
        search.reseeds = true;
        search.descend();
    }
    let told = observe::with_refusals_told(&search.plan);
    if search.judge(&told) {
        search.plan = told;
    }
    Shrunk { plan: search.plan, tries: search.tries, exhausted: search.exhausted }
}

/// So many seeds are tried where a plan with less in it draws otherwise.
const SEEDS: u64 = 8;
/// And where it has fewer steps.
const SEEDS_FOR_A_STEP: u64 = 20;

/// One way of making a plan smaller, tried wherever it fits.
type Pass = fn(&mut Search<'_>);

/// What pays most comes first: each later try then has a smaller plan to run.
const PASSES: [Pass; 13] = [
    config::all_at_once,
    drop::steps,
    drop::faults,
    drop::pods,
    drop::nodes,
    drop::actions,
    config::one_by_one,
    start::moves,
    merge::objects,
    lists::entries,
    kinds::plainer,
    faults::conditions,
    values_pass,
];

/// Values come last, and among them those on which others depend come first.
fn values_pass(search: &mut Search<'_>) {
    rename::names(search);
    times::spans(search);
    seconds::tolerations(search);
    times::instants(search);
    config::end(search);
}

struct Search<'k> {
    plan: Plan,
    measure: Measure,
    tries: u64,
    budget: u64,
    exhausted: bool,
    /// Other seeds are tried for plans with less in them.
    reseeds: bool,
    /// The plan was none that the API would take.
    lenient: bool,
    keeps: &'k mut dyn FnMut(&Plan) -> bool,
}

impl Search<'_> {
    /// Repeats the passes until none of them helps.
    fn descend(&mut self) {
        let (mut at, mut quiet) = (0, 0);
        while quiet < PASSES.len() && !self.exhausted {
            let before = self.measure.clone();
            PASSES[at](self);
            quiet = if self.measure == before { quiet + 1 } else { 0 };
            at = (at + 1) % PASSES.len();
        }
    }

    /// Takes a candidate in the place of the plan, if it will do.
    fn offer(&mut self, candidate: Plan) -> bool {
        let Some((measure, candidate)) = self.ready(candidate) else { return false };
        self.take(candidate, measure)
    }

    /// The candidate as it is judged, if it is a plan and smaller.
    fn ready(&self, mut candidate: Plan) -> Option<(Measure, Plan)> {
        if self.exhausted {
            return None;
        }
        repair::repair(&mut candidate);
        let candidate = rebuild(&candidate, &mut Same);
        let measure = Measure::of(&candidate);
        (measure < self.measure && self.is_valid(&candidate)).then_some((measure, candidate))
    }

    fn take(&mut self, candidate: Plan, measure: Measure) -> bool {
        debug_assert!(measure < self.measure, "a pass may only make a plan smaller");
        if self.judge(&candidate) {
            (self.plan, self.measure) = (candidate, measure);
            return true;
        }
        self.reseeds
            && measure.has_less_than(&self.measure)
            && candidate.is_random()
            && self.take_with_a_seed(candidate)
    }

    fn take_with_a_seed(&mut self, mut candidate: Plan) -> bool {
        let fewer_steps = Measure::of(&candidate).has_fewer_steps_than(&self.measure);
        let own = candidate.config.seed;
        for seed in 0..if fewer_steps { SEEDS_FOR_A_STEP } else { SEEDS } {
            candidate.config.seed = seed;
            if seed != own && self.judge(&candidate) {
                let measure = Measure::of(&candidate);
                debug_assert!(measure < self.measure, "a seed counts less than what is gone");
                (self.plan, self.measure) = (candidate, measure);
                return true;
            }
        }
        false
    }

    /// Takes the smallest of some candidates that will do.
    fn offer_best(&mut self, candidates: Vec<Plan>) -> bool {
        let ready = candidates.into_iter().filter_map(|candidate| self.ready(candidate));
        let ready = ready.collect();
        self.take_best(ready)
    }

    /// The same for candidates that differ from the plan in times and numbers only, so that nothing
    /// has to be repaired and no words change.
    fn offer_best_value(&mut self, candidates: Vec<Plan>) -> bool {
        let measured = candidates.into_iter().map(|candidate| (Measure::of(&candidate), candidate));
        let ready = measured
            .filter(|(measure, candidate)| *measure < self.measure && self.is_valid(candidate));
        let ready = ready.collect();
        self.take_best(ready)
    }

    fn take_best(&mut self, mut ready: Vec<(Measure, Plan)>) -> bool {
        ready.sort_by(|(one, _), (other, _)| one.cmp(other));
        ready.dedup_by(|(one, _), (other, _)| one == other);
        ready.into_iter().any(|(measure, candidate)| self.take(candidate, measure))
    }

    /// Offers the plan with a change.
    fn offer_with(&mut self, change: impl FnOnce(&mut Plan)) -> bool {
        let mut candidate = self.plan.clone();
        change(&mut candidate);
        self.offer(candidate)
    }

    /// The same for one entry of a list, where it is still there: what a change that was taken
    /// makes meaningless goes with it.
    fn offer_at<T>(
        &mut self,
        list: impl FnOnce(&mut Plan) -> &mut Vec<T>,
        index: usize,
        change: impl FnOnce(&mut T),
    ) -> bool {
        let mut candidate = self.plan.clone();
        let Some(entry) = list(&mut candidate).get_mut(index) else { return false };
        change(entry);
        self.offer(candidate)
    }

    fn judge(&mut self, candidate: &Plan) -> bool {
        if self.tries >= self.budget {
            self.exhausted = true;
            return false;
        }
        self.tries += 1;
        (self.keeps)(candidate)
    }

    /// Whether a file could say the candidate, and the loader would take it.
    fn is_valid(&self, candidate: &Plan) -> bool {
        if !sayable::is_sayable(candidate) {
            return false;
        }
        if !self.lenient {
            return check(candidate).is_ok();
        }
        let mut candidate = candidate.clone();
        candidate.config.api_server.validation = Validation::Ignore;
        check(&candidate).is_ok()
    }
}
