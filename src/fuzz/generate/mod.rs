//! The generator: from a seed and a number of a run to a plan.
//!
//! Each run first draws what is in play (`swarm`) from the tables in `weights`, then its sizes
//! and settings, then its steps in the order of time. A rough picture of the cluster (`sketch`)
//! makes most steps sensible, and gives the instants near which the interesting ones lie. All draws
//! of a run come from one stream of its own.
//!
//! A plan is one that the loader would take ([`check`]). It ends when all of it is over, with a
//! grace time behind it; faults are over before that, unless the run has some that last
//! ([`faults_over`]). Steps may be refused: whether one is, the run says.
//!
//! Cost: a few dozen small allocations a plan; about 20 µs in a debug build, its check included.

mod blocks;
mod dice;
mod draft;
mod faults;
mod settings;
mod sketch;
mod steps;
mod swarm;
mod times;
mod valid;
mod vary;
mod weights;
pub(super) mod words;

#[cfg(test)]
mod tests;

pub use valid::check;
pub use vary::vary;

use self::dice::Dice;
use self::draft::Draft;
use self::swarm::Swarm;
use self::valid::Created;
use self::weights::{PIECES, Trait};
use crate::kernel::{Span, Time};
use crate::objects::{NodeId, PodId};
use crate::plan::{Plan, PodSpec};
use crate::profile::Profile;

/// What bounds the plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The version of Kubernetes; `None`: drawn.
    pub profile: Option<Profile>,
    /// So long nothing is meant to happen at the end of a run.
    pub grace: Span,
    /// At most so many nodes.
    pub nodes: u32,
    /// At most so many pods.
    pub pods: u32,
    /// A plan with so many steps gets no more; the pattern that is being added goes to its end.
    pub steps: u32,
    /// No run of a plan takes so many events; whoever runs one may take more for a mistake.
    pub events: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            profile: None,
            grace: Span::from_secs(10),
            nodes: 8,
            pods: 10,
            steps: 32,
            events: 20_000,
        }
    }
}

/// The plan of run `run` of `seed`.
pub fn generate(seed: u64, run: u64, limits: &Limits) -> Plan {
    let mut dice = Dice::new(seed, "generate", run);
    let swarm = Swarm::draw(&mut dice);
    let config = settings::draw(limits.profile, &swarm, &mut dice);
    let plan = Plan { name: format!("fuzz-{seed}-{run}"), config, ..Plan::default() };
    let mut draft = Draft::new(plan, dice, swarm);
    draft.draw_objects(u64::from(limits.nodes), u64::from(limits.pods));
    draft.draw_steps(limits.steps as usize);
    draft.place_units();
    draft.draw_faults();
    draft.complete();
    let mut plan = draft.plan;
    end(&mut plan, limits);
    if plan.is_random() {
        plan.config.seed = draft.dice.below(SEEDS);
    }
    debug_assert_eq!(check(&plan), Ok(()), "seed {seed}, run {run}: {plan:#?}");
    plan
}

/// Seeds of the runs themselves: small enough to be read.
const SEEDS: u64 = 1_000_000;

/// When every fault of a plan is over; `None` where one may hit to the end of the run.
pub fn faults_over(plan: &Plan) -> Option<Time> {
    times::faults_over(plan)
}

/// Sets the end of the run: when all is over, and the grace time after it, in whole seconds.
fn end(plan: &mut Plan, limits: &Limits) {
    let over = times::over(plan).saturating_add(limits.grace);
    let seconds = over.0.div_ceil(Span::from_secs(1).0);
    plan.config.until = Some(Time(Span::from_secs(seconds).0));
}

impl Draft {
    fn draw_steps(&mut self, most: usize) {
        let more = if self.swarm.has(Trait::Long) { 8 } else { 0 };
        let pieces = self.dice.weighted(&PIECES) + more;
        self.now = self.first_time();
        for _ in 0..pieces {
            let steps: usize = self.units.iter().map(|unit| unit.steps.len()).sum();
            if steps >= most {
                return;
            }
            let block = self.swarm.blocks.pick(&mut self.dice);
            if block != weights::Block::Nothing && self.dice.chance(400) {
                self.block(block);
            } else {
                let kind = self.swarm.steps.pick(&mut self.dice);
                self.single(kind);
            }
        }
    }

    /// The first step comes after the start, or in the middle of it.
    fn first_time(&mut self) -> Time {
        let millis = self.dice.weighted(&[(1_000, 8), (10_000, 4), (0, 1), (100, 1), (50, 1)]);
        Time(Span::from_millis(millis).0)
    }

    /// What something names and nothing creates is there from the start.
    fn complete(&mut self) {
        let created = Created::of(&self.plan);
        for id in (0..self.plan.names.node_count() as u32).map(NodeId) {
            if !created.has_node(id) {
                let spec = self.node_spec(id, false);
                self.plan.nodes.push(spec);
            }
        }
        for id in (0..self.plan.names.pod_count() as u32).map(PodId) {
            if !created.has_pod(id) {
                let tolerations = self.sketch.pods[id.index()].tolerations;
                self.plan.pods.push(PodSpec { tolerations, ..PodSpec::new(id, None) });
            }
        }
    }
}
