//! What the run of a plan says about its steps: when they were applied, and which were refused.

use crate::cluster::World;
use crate::kernel::Time;
use crate::plan::Plan;
use crate::timeline::{Context, Detail, Kind, Record, Sink};

/// More events than any run of the generator's plans has.
const EVENTS: u64 = 100_000;

/// What was seen of each step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// When it was applied first.
    pub at: Option<Time>,
    /// An action of it was refused.
    pub is_refused: bool,
}

#[derive(Debug)]
struct Watcher(Vec<Seen>);

impl Sink for Watcher {
    fn record(&mut self, _context: Context<'_>, record: &Record) {
        let (step, is_refused) = match record.kind {
            Kind::StepApplied { step, .. } | Kind::Note { step, .. } => (step, false),
            Kind::StepRejected { step, .. } => (step, true),
            _ => return,
        };
        if let Some(seen) = self.0.get_mut(step as usize) {
            seen.at = seen.at.or(Some(record.at));
            seen.is_refused |= is_refused;
        }
    }
}

/// Runs the plan and looks at its steps.
pub(super) fn steps(plan: &Plan) -> Vec<Seen> {
    let mut watcher = Watcher(vec![Seen::default(); plan.steps.len()]);
    let mut world = World::new(plan, Detail::Summary);
    let end = plan.config.until.unwrap_or(crate::plan::Config::UNBOUNDED_LIMIT);
    world.run_some(end, EVENTS, &mut watcher);
    watcher.0
}

/// The plan in which just those steps may be refused that are.
pub(super) fn with_refusals_told(plan: &Plan) -> Plan {
    let mut plan = plan.clone();
    let seen = steps(&plan);
    for (step, seen) in plan.steps.iter_mut().zip(seen) {
        step.may_be_rejected = seen.is_refused;
    }
    plan
}
