//! `replay --show`: the inside of the taint manager at one moment.

use clap::ValueEnum;

use super::run::too_many_events;
use super::status::Problem;
use crate::cluster::World;
use crate::kernel::Time;
use crate::plan::{Config, Plan};
use crate::render::state;
use crate::timeline::Detail;
use crate::timeline::history::History;

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
    let until = plan.config.until.unwrap_or(Config::UNBOUNDED_LIMIT);
    let limit = at.map_or(until, |at| at.min(until));
    let mut world = World::new(plan, Detail::Summary);
    let mut history = History::with_room_for(plan);
    if world.run_some(limit, events_max, &mut history) == events_max {
        return Err(too_many_events(events_max, world.now()));
    }
    // Without `at`, the end is when the last thing happened.
    let now = at.map_or(world.now(), |_| limit);
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
