//! Runs a changed plan and says what becomes of the pod then.

use std::collections::BTreeMap;

use super::edit::{Edit, SpecPlace};
use crate::cluster::World;
use crate::kernel::time::Time;
use crate::objects::{PodId, Uid};
use crate::plan::{Config, Plan};
use crate::timeline::fate::Fate;
use crate::timeline::history::History;
use crate::timeline::{Context, Detail, Kind, Record, Sink};

/// Which pod it is, in whatever way the plan is changed: numbers of pods shift where one is not
/// created, but where the plan describes it stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Its name, where no edit gives it another.
    pub pod: PodId,
    /// Where its spec stands.
    pub spec: SpecPlace,
}

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
    pub fn fate(&mut self, edit: &Edit, pod: Identity) -> Option<Fate> {
        if self.events_left == 0 {
            self.exhausted = true;
            return None;
        }
        let plan = edit.apply(self.plan)?;
        let pod = match edit.renames() {
            // The name is new, and so comes after all others.
            true => Identity { pod: PodId(self.plan.names.pod_count() as u32), ..pod },
            false => pod,
        };
        let (fate, ran) = fate(&plan, pod, self.events_left);
        self.exhausted |= ran == self.events_left;
        self.events_left -= ran;
        fate.filter(|_| !self.exhausted)
    }

    /// The first time in a range at which the change no longer has the fate that it has at the
    /// range's beginning; `None` where it has it to the end, or where it is lost and found again.
    pub fn boundary(
        &mut self,
        (from, to): (Time, Time),
        pod: Identity,
        edit: impl Fn(Time) -> Edit,
        wanted: Fate,
    ) -> Option<Time> {
        let mut is_good = |at: Time| Some(is_same(self.fate(&edit(at), pod)?, wanted));
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
        // What holds at both ends need not hold between them: other steps can come in between.
        let span = bad - from.0;
        for part in [3, 11, 29, 50, 71, 97] {
            let inside = from.0 + (u128::from(span) * part / 100) as u64;
            if inside < bad && !is_good(Time(inside))? {
                return None;
            }
        }
        Some(Time(bad))
    }
}

/// The fate of the pod in a run of the plan, where it comes to be, and how many events ran.
pub fn fate(plan: &Plan, pod: Identity, events_max: u64) -> (Option<Fate>, u64) {
    let limit = plan.config.until.unwrap_or(Config::UNBOUNDED_LIMIT);
    let mut found = Found {
        history: History::with_room_for(plan),
        steps: BTreeMap::new(),
        pod,
        uid: match pod.spec {
            SpecPlace::Start(index) => Some(Uid(index + 1)),
            SpecPlace::Step { .. } => None,
        },
    };
    let ran = World::new(plan, Detail::Summary).run_some(limit, events_max, &mut found);
    let life = found.uid.and_then(|uid| found.history.incarnation(uid));
    (life.map(|life| Fate::of(&found.history, life)), ran)
}

/// Looks for the pod that a step creates.
struct Found {
    history: History,
    /// Step and action by the number of the record that tells of them.
    steps: BTreeMap<u32, (u32, u32)>,
    pod: Identity,
    uid: Option<Uid>,
}

impl Sink for Found {
    fn record(&mut self, context: Context<'_>, record: &Record) {
        self.history.record(context, record);
        let SpecPlace::Step { step, action, .. } = self.pod.spec else { return };
        match record.kind {
            Kind::StepApplied { step: of, action: nth } if of == step => {
                self.steps.insert(record.seq, (of, nth));
            }
            Kind::PodCreated { uid, .. } => {
                let by = record.cause.and_then(|cause| self.steps.get(&cause));
                if record.pod == Some(self.pod.pod) && by == Some(&(step, action)) {
                    self.uid = Some(uid);
                }
            }
            _ => {}
        }
    }
}

/// Whether two fates read the same: the word, and the time in whole milliseconds.
pub fn is_same(a: Fate, b: Fate) -> bool {
    let time = |fate: Fate| fate.time().map(Time::millis);
    a.as_str() == b.as_str() && time(a) == time(b)
}
