//! Runs a changed plan and says what becomes of the pod then.

use super::edit::Edit;
use crate::cluster::World;
use crate::kernel::time::Time;
use crate::objects::{PodId, Uid};
use crate::plan::{Config, Plan};
use crate::timeline::Detail;
use crate::timeline::fate::Fate;
use crate::timeline::history::History;

/// Tries changes of a plan, as long as there are events left to spend.
#[derive(Debug)]
pub struct Trials<'p> {
    plan: &'p Plan,
    events_left: u64,
    /// Something was not tried, or not to its end.
    exhausted: bool,
}

impl<'p> Trials<'p> {
    /// Trials of changes of `plan`, with so many events in all of them together.
    pub fn new(plan: &'p Plan, events_max: u64) -> Trials<'p> {
        Trials { plan, events_left: events_max, exhausted: false }
    }

    /// Whether something could not be tried.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// The fate of the pod with the change; `None` where there is nothing to change, the pod does
    /// not come to be then, or there are no events left.
    pub fn fate(&mut self, edit: &Edit, (pod, uid): (PodId, Uid)) -> Option<Fate> {
        if self.events_left == 0 {
            self.exhausted = true;
            return None;
        }
        let plan = edit.apply(self.plan)?;
        let limit = plan.config.until.unwrap_or(Config::UNBOUNDED_LIMIT);
        let mut history = History::with_room_for(&plan);
        let mut world = World::new(&plan, Detail::Summary);
        let ran = world.run_some(limit, self.events_left, &mut history);
        self.exhausted |= ran == self.events_left;
        self.events_left -= ran;
        if self.exhausted {
            return None;
        }
        let life = history.incarnation(uid)?;
        // Without a step, the number can be that of another pod.
        let is_it = life.pod == pod || matches!(edit, Edit::OtherName { .. });
        is_it.then(|| Fate::of(&history, life))
    }

    /// The first time in `from..=to` for which the change no longer has the fate that `holds`
    /// wants; it does at `from`, and holds up to there and not after. `None` where it does not
    /// even at `from`.
    pub fn boundary(
        &mut self,
        (from, to): (Time, Time),
        life: (PodId, Uid),
        edit: impl Fn(Time) -> Edit,
        holds: impl Fn(Fate) -> bool,
    ) -> Option<Time> {
        let mut is_good = |at: Time| Some(holds(self.fate(&edit(at), life)?));
        let (mut good, mut bad) = (from.0, to.0);
        if is_good(to)? || !is_good(from)? {
            return None;
        }
        // Mostly it is good to the last moment.
        if bad - good > 1 && is_good(Time(bad - 1))? {
            good = bad - 1;
        }
        while bad - good > 1 {
            let middle = good + (bad - good) / 2;
            match is_good(Time(middle))? {
                true => good = middle,
                false => bad = middle,
            }
        }
        Some(Time(bad))
    }
}

/// Whether two fates read the same: the word, and the time in whole milliseconds.
pub fn is_same(a: Fate, b: Fate) -> bool {
    let time = |fate: Fate| fate.time().map(Time::millis);
    a.as_str() == b.as_str() && time(a) == time(b)
}
