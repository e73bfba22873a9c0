//! `replay --show`: the inside of the taint manager at one moment.

use clap::ValueEnum;

use super::status::{Problem, Stopped};
use crate::cluster::World;
use crate::kernel::Time;
use crate::plan::{Config, Plan};
use crate::render::{Metrics, state};
use crate::timeline::history::History;
use crate::timeline::{Detail, Sink};

/// What is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Part {
    /// Armed timers and running deletions: since when, by which taint and toleration, until when
    Timers,
    /// Workers, their channels and the dispatchers
    Shards,
    /// The work queues
    Queues,
}

/// The state of a run at `at`; at its end where there is none.
pub(super) fn text(
    plan: &Plan,
    at: Option<Time>,
    parts: &[Part],
    events_max: u64,
) -> Result<Vec<u8>, Problem> {
    let mut history = History::with_room_for(plan);
    let (world, now) = run_to(plan, at, Detail::Summary, &mut history, events_max)?;
    let mut out = Vec::new();
    for part in parts {
        if !out.is_empty() {
            out.push(b'\n');
        }
        match part {
            Part::Timers => state::timers(&mut out, &world, &history, now),
            Part::Shards => state::shards(&mut out, &world, now),
            Part::Queues => state::queues(&mut out, &world, now),
        }
    }
    Ok(out)
}

/// The controller's metrics at `at`; at the run's end where there is none.
pub(super) fn metrics(plan: &Plan, at: Option<Time>, events_max: u64) -> Result<String, Problem> {
    let mut metrics = Metrics::default();
    let (world, now) = run_to(plan, at, Detail::Trace, &mut metrics, events_max)?;
    Ok(metrics.page(world.context(), now))
}

/// Runs to `at`, or to the end: when the last thing happened.
fn run_to<'p>(
    plan: &'p Plan,
    at: Option<Time>,
    detail: Detail,
    sink: &mut dyn Sink,
    events_max: u64,
) -> Result<(World<'p>, Time), Problem> {
    let until = plan.config.until.unwrap_or(Config::UNBOUNDED_LIMIT);
    if let Some(at) = at.filter(|at| *at > until) {
        let text = format!("the run ends at {until}, before --at {at}; --until {at} runs on");
        return Err(Problem::Usage(text));
    }
    let limit = at.unwrap_or(until);
    let mut world = World::new(plan, detail);
    if world.run_some(limit, events_max, sink) == events_max {
        return Err(Problem::Stopped(Stopped { events_max, at: world.now() }));
    }
    let now = at.map_or(world.now(), |_| limit);
    Ok((world, now))
}
