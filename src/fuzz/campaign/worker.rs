//! One run after the other, with the same memory.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Hits, Settings, Tally};
use crate::cluster::{Schedule, World};
use crate::fuzz::cause::{Causes, Class};
use crate::fuzz::examine::Examiner;
use crate::fuzz::finding::Finding;
use crate::fuzz::rules::Breach;
use crate::plan::Plan;

/// So many seeds are tried for an order that gives what a search by priorities has shown.
const SEEDS: u64 = 32;
/// Priorities change in none, one or two places.
const DEPTHS: u64 = 3;
/// A run has about one choice in so many events.
const EVENTS_OF_A_CHOICE: u64 = 3;

/// Runs and judges the runs of a campaign.
pub(super) struct Worker<'a> {
    settings: &'a Settings,
    examiner: Examiner,
    causes: Causes,
}

impl<'a> Worker<'a> {
    pub(super) fn new(settings: &'a Settings) -> Worker<'a> {
        let examiner = Examiner::new(&settings.rules);
        Worker { settings, examiner, causes: Causes::default() }
    }

    /// What these runs come to; `None` where it was over before they were done.
    pub(super) fn run(&mut self, runs: Range<u64>, is_over: &dyn Fn() -> bool) -> Option<Tally> {
        let mut tally = Tally::default();
        for run in runs {
            if is_over() {
                return None;
            }
            let classes = self.classes(run, |world| {
                tally.add_marks(run, world.events(), world.marks());
            });
            tally.add_range(run..run + 1);
            tally.breaching += u64::from(!classes.is_empty());
            for class in classes.into_keys() {
                tally.add_class(class, Hits { runs: 1, first: run });
            }
        }
        Some(tally)
    }

    /// The smallest scenario of a class that a run has.
    pub(super) fn find(&mut self, class: &Class, run: u64) -> Finding {
        let plan = self.classes(run, |_| ()).remove(class);
        let plan =
            plan.unwrap_or_else(|| panic!("run {run} has a breach of {class} only at times"));
        Finding::make(&mut self.causes, (run, &plan), class, &self.settings.command_of(run))
    }

    /// The classes of a run's breaches, each with the plan that has it; `look` sees the end of the
    /// run.
    fn classes(&mut self, run: u64, look: impl FnOnce(&World<'_>)) -> BTreeMap<Class, Plan> {
        let plan = self.settings.plan(run);
        let mut events = 0;
        let breaches = self.examiner.examine_with(&plan, |world| {
            events = world.events();
            look(world);
        });
        let mut classes = BTreeMap::new();
        if plan.config.taint_manager.random_interleaving
            && let Some((plan, breaches)) = self.by_priorities(&plan, &breaches, (run, events))
        {
            for class in self.causes.classes(&plan, &breaches).into_keys() {
                classes.insert(class, plan.clone());
            }
        }
        if !breaches.is_empty() {
            for class in self.causes.classes(&plan, &breaches).into_keys() {
                classes.insert(class, plan.clone());
            }
        }
        classes
    }

    /// Looks for other breaches by probabilistic concurrency testing (Burckhardt et al., 2010):
    /// goroutines have priorities, which change in few places. A file cannot say such an order, so
    /// a seed is looked for that gives such a breach as well.
    fn by_priorities(
        &mut self,
        plan: &Plan,
        known: &[Breach],
        (run, events): (u64, u64),
    ) -> Option<(Plan, Vec<Breach>)> {
        let is_new = |breach: &Breach| {
            !known.iter().any(|known| known.rule == breach.rule && known.pod == breach.pod)
        };
        let schedule = Schedule::Pct {
            seed: plan.config.seed,
            depth: 1 + (run % DEPTHS) as u32,
            choices: u32::try_from(events / EVENTS_OF_A_CHOICE).unwrap_or(u32::MAX).max(1),
        };
        let shown = self.examiner.examine_schedule(plan, schedule);
        let shown: Vec<Breach> = shown.into_iter().filter(is_new).collect();
        let wanted = shown.first()?;
        let mut seeded = plan.clone();
        for _ in 0..SEEDS {
            seeded.config.seed = seeded.config.seed.wrapping_add(1);
            let breaches = self.examiner.examine(&seeded);
            if breaches.iter().any(|b| b.rule == wanted.rule && b.pod == wanted.pod) {
                return Some((seeded, breaches));
            }
        }
        None
    }
}
