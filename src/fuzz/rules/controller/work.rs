//! Timers, deletions, their calls and their Events.

use super::{
    ATTEMPTS, CALLS, CANCEL_NEEDS_TIMER, FIRE_TIME, MARKED_ONCE, ONE_TIMER, QUIET, Report, SEEN,
    STANDING, STARTS_WHEN_DUE,
};
use crate::kernel::time::{NANOS_PER_SECOND, Span, Time};
use crate::objects::taint::no_execute;
use crate::objects::{NodeId, PodId, TaintsId, TolerationsId};
use crate::plan::{ApiError, Plan};
use crate::profile::{Condition, Switches};
use crate::timeline::{CallPhase, Context, EventReason, Kind, Outcome, Record, Standing};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Waits,
    Runs,
    Ended,
}

/// The last call of a deletion.
#[derive(Clone, Copy, Debug)]
struct Call {
    at: Time,
    attempt: u32,
    rank: u32,
    outcome: Outcome,
}

/// A piece of work, from its record on.
#[derive(Clone, Copy, Debug)]
struct Work {
    added: Time,
    fire_at: Time,
    state: State,
    cancelled: Option<Time>,
    /// When its process stopped.
    stopped: Option<Time>,
    marked: bool,
    call: Option<Call>,
    calls_after_stop: u32,
    /// The DELETE was accepted and answered.
    deleted: bool,
}

impl Work {
    fn is_immediate(&self) -> bool {
        self.fire_at == self.added
    }

    /// It stands under its name, as far as records tell.
    fn stands(&self) -> bool {
        self.stopped.is_none() && self.cancelled.is_none() && self.state != State::Ended
    }
}

#[derive(Clone, Debug, Default)]
struct OfPod {
    works: Vec<u32>,
    /// When a deletion was last seen to run.
    deletion_seen: Option<Time>,
    /// A deletion of the present process succeeded.
    has_marker: bool,
    marking: u32,
    cancelling: u32,
    tolerations: Vec<TolerationsId>,
}

/// Follows what stands under each pod's name.
#[derive(Debug, Default)]
pub struct Works {
    switches: Option<Switches>,
    retries: u32,
    interval: Span,
    works: Vec<Work>,
    pods: Vec<OfPod>,
    /// The taints that each node had.
    taints: Vec<Vec<TaintsId>>,
    /// The work of each record that is about one; 0 for none.
    root: Vec<u32>,
    down: bool,
}

impl Works {
    pub fn reset(&mut self, plan: &Plan) {
        self.switches = Some(plan.config.switches);
        self.retries = plan.config.taint_manager.delete_retries;
        self.interval = plan.config.taint_manager.retry_interval;
        self.works.clear();
        self.root.clear();
        self.pods.resize_with(plan.names.pod_count(), OfPod::default);
        for pod in &mut self.pods {
            pod.works.clear();
            pod.tolerations.clear();
            (pod.deletion_seen, pod.has_marker) = (None, false);
            (pod.marking, pod.cancelling) = (0, 0);
        }
        self.taints.resize_with(plan.names.node_count(), Vec::new);
        self.taints.iter_mut().for_each(Vec::clear);
        self.down = !plan.config.taint_manager.enabled;
    }

    pub fn record(&mut self, context: Context<'_>, record: &Record, report: &mut Report) {
        let root = match record.kind {
            Kind::EvictionScheduled { .. } => self.scheduled(context, record, report),
            Kind::EvictionStarted
            | Kind::EventRecorded { .. }
            | Kind::ApiCall { .. }
            | Kind::PodFetched { .. }
            | Kind::StatusPatched { .. }
            | Kind::DeleteRequested { .. }
            | Kind::EvictionFailed => self.root_of(record.cause),
            _ => 0,
        };
        self.root.push(root);
        match record.kind {
            Kind::NodeCreated { taints } | Kind::NodeTaintsChanged { taints } => {
                if let Some(node) = record.node {
                    self.taints[node.index()].push(taints);
                }
            }
            Kind::PodCreated { tolerations, .. }
            | Kind::PodTolerationsChanged { tolerations, .. } => {
                if let Some(pod) = record.pod {
                    self.pods[pod.index()].tolerations.push(tolerations);
                }
            }
            Kind::ControllerStopped => self.stopped(record.at),
            Kind::ControllerStarted => self.down = false,
            _ => self.of_pod(context, record, root, report),
        }
    }

    fn of_pod(&mut self, context: Context<'_>, record: &Record, root: u32, report: &mut Report) {
        let Some(pod) = record.pod else { return };
        let name = context.names().pod(pod);
        match record.kind {
            Kind::EvictionStarted => self.started(pod, record, root, (name, report)),
            Kind::EvictionCancelled { .. } => self.cancelled(pod, record, (name, report)),
            Kind::EvictionFailed => self.failed(pod, record, root, (name, report)),
            Kind::EventRecorded { reason, count } => {
                self.event(pod, record, (root, reason, count), (name, report));
            }
            Kind::PodFetched { attempt, outcome, .. } => {
                self.call(pod, record, (root, attempt, 1, outcome), (name, report));
            }
            Kind::StatusPatched { attempt, outcome, .. } => {
                self.call(pod, record, (root, attempt, 2, outcome), (name, report));
            }
            Kind::DeleteRequested { attempt, outcome, .. } => {
                self.call(pod, record, (root, attempt, 3, outcome), (name, report));
            }
            Kind::ApiCall { verb: "delete", phase: CallPhase::Answered(Outcome::Ok), .. } => {
                if let Some(work) = self.work(root) {
                    work.state = State::Ended;
                    work.deleted = true;
                    let alive = work.stopped.is_none();
                    let of_pod = &mut self.pods[pod.index()];
                    of_pod.has_marker |= alive;
                    of_pod.deletion_seen = Some(record.at);
                }
            }
            Kind::WorkSkipped { standing, fire_at, .. } => {
                let stands = self.stands(pod, standing, record.at);
                if !stands || fire_at < record.at {
                    report.say(&STANDING, record.at, || {
                        let standing = standing.as_str();
                        format!("work for {name}, due at {fire_at}, is skipped for a {standing}")
                    });
                }
            }
            _ => {}
        }
    }

    fn root_of(&self, cause: Option<u32>) -> u32 {
        let index = cause.and_then(|cause| (cause as usize).checked_sub(1));
        index.and_then(|index| self.root.get(index)).copied().unwrap_or(0)
    }

    fn work(&mut self, root: u32) -> Option<&mut Work> {
        self.works.get_mut((root as usize).checked_sub(1)?)
    }

    /// New work; gives its number.
    fn scheduled(&mut self, context: Context<'_>, record: &Record, report: &mut Report) -> u32 {
        let Kind::EvictionScheduled { fire_at, created_at, seconds, taints, tolerations, .. } =
            record.kind
        else {
            return 0;
        };
        let (Some(pod), at) = (record.pod, record.at) else { return 0 };
        let name = context.names().pod(pod);
        if self.down {
            report.say(&QUIET, at, || format!("work for {name} at {at}, with no process"));
        }
        if !fits(at, fire_at, seconds) || created_at != at {
            report.say(&FIRE_TIME, at, || {
                format!("work for {name} of {at}, with {seconds:?} seconds, is due at {fire_at}")
            });
        }
        if !self.was_seen(context, (pod, record.node), (taints, tolerations)) {
            report.say(&SEEN, at, || {
                format!("work for {name} at {at} rests on what neither node nor pod ever had")
            });
        }
        let of_pod = &self.pods[pod.index()];
        let orphans =
            self.switches.is_some_and(|s| s.finish_removes_replacement || s.marker_after_success);
        let second = of_pod.works.iter().map(|&index| &self.works[index as usize]).find(|work| {
            let orphaned = orphans && of_pod.deletion_seen.is_some_and(|seen| seen >= work.added);
            // Work that starts at once leaves its name without a word where it is cancelled.
            work.state == State::Waits && work.stands() && !work.is_immediate() && !orphaned
        });
        if let Some(second) = second {
            let due = second.fire_at;
            report.say(&ONE_TIMER, at, || {
                format!("a second timer for {name} at {at}, beside the one due at {due}")
            });
        }
        self.works.push(Work {
            added: at,
            fire_at,
            state: State::Waits,
            cancelled: None,
            stopped: None,
            marked: false,
            call: None,
            calls_after_stop: 0,
            deleted: false,
        });
        let number = self.works.len() as u32;
        self.pods[pod.index()].works.push(number - 1);
        number
    }

    fn was_seen(
        &self,
        context: Context<'_>,
        (pod, node): (PodId, Option<NodeId>),
        (taints, tolerations): (TaintsId, TolerationsId),
    ) -> bool {
        let lists = context.lists;
        let seen = lists.taints(taints);
        let had = |had: &TaintsId| *had == taints || no_execute(lists.taints(*had)).eq(seen);
        self.pods[pod.index()].tolerations.contains(&tolerations)
            && node.is_some_and(|node| self.taints[node.index()].iter().rev().any(had))
    }

    fn started(&mut self, pod: PodId, record: &Record, root: u32, (name, report): To<'_>) {
        let at = record.at;
        self.pods[pod.index()].deletion_seen = Some(at);
        let Some(work) = self.work(root) else { return };
        let wrong = work.state != State::Waits
            || work.fire_at != at
            || work.cancelled.is_some_and(|cancelled| cancelled < at)
            || work.stopped.is_some_and(|stopped| stopped < at);
        work.state = State::Runs;
        if wrong {
            let work = *work;
            report.say(&STARTS_WHEN_DUE, at, || {
                format!("the deletion of {name} starts at {at}, of work that is {work:?}")
            });
        }
    }

    fn cancelled(&mut self, pod: PodId, record: &Record, (name, report): To<'_>) {
        let at = record.at;
        if self.down {
            report.say(&QUIET, at, || format!("{name} is cancelled at {at}, with no process"));
        }
        let works = &mut self.works;
        let of_pod = self.pods[pod.index()].works.iter().rev();
        let found = of_pod.copied().find(|&index| {
            let work = &works[index as usize];
            work.stands() && !work.is_immediate()
        });
        match found {
            Some(index) => works[index as usize].cancelled = Some(at),
            None => report.say(&CANCEL_NEEDS_TIMER, at, || {
                format!("{name} is cancelled at {at}, but has no work on a timer")
            }),
        }
    }

    fn event(
        &mut self,
        pod: PodId,
        record: &Record,
        (root, reason, count): (u32, EventReason, u32),
        (name, report): To<'_>,
    ) {
        let at = record.at;
        let of_pod = &mut self.pods[pod.index()];
        let expected = match reason {
            EventReason::Marking => &mut of_pod.marking,
            EventReason::Cancelling => &mut of_pod.cancelling,
        };
        *expected += 1;
        let mut wrong = count != *expected;
        if reason == EventReason::Marking {
            wrong |= self.work(root).is_none_or(|work| std::mem::replace(&mut work.marked, true));
        }
        if wrong {
            report.say(&MARKED_ONCE, at, || format!("{reason:?} number {count} of {name} at {at}"));
        }
    }

    fn call(
        &mut self,
        pod: PodId,
        record: &Record,
        (root, attempt, rank, outcome): (u32, u32, u32, Outcome),
        (name, report): To<'_>,
    ) {
        let at = record.at;
        self.pods[pod.index()].deletion_seen = Some(at);
        let (retries, interval) = (self.retries, self.interval);
        let condition = self.switches.map_or(Condition::Patch, |s| s.disruption_condition);
        let graceful = self.switches.is_some_and(|s| s.graceful_stop);
        let first = if condition == Condition::None { 3 } else { 1 };
        let Some(work) = self.work(root) else { return };
        let before = work.call;
        let failed = |call: Call| call.outcome != Outcome::Ok;
        let in_order = match before {
            None => attempt == 1 && rank == first,
            Some(call) if call.attempt == attempt => match call.outcome {
                Outcome::Ok => rank > call.rank,
                // The client repeats what was told to come back later.
                Outcome::Failed(error) | Outcome::Lost(error) => {
                    error == ApiError::TooManyRequests && rank == call.rank
                }
            },
            Some(call) => attempt == call.attempt + 1 && rank == first && failed(call),
        };
        let slept =
            before.is_none_or(|call| call.attempt == attempt || at.since(call.at) >= interval);
        work.calls_after_stop += u32::from(work.stopped.is_some_and(|stopped| stopped < at));
        let lingers = work.calls_after_stop > 1 && !graceful;
        let wrong = !in_order || work.state != State::Runs || lingers || work.deleted;
        work.call = Some(Call { at, attempt, rank, outcome });
        if wrong {
            report.say(&CALLS, at, || {
                format!("call {rank} of attempt {attempt} for {name} at {at} after {before:?}")
            });
        }
        if attempt == 0 || attempt > retries || !slept {
            report.say(&ATTEMPTS, at, || {
                format!("attempt {attempt} of {retries} for {name} at {at} after {before:?}")
            });
        }
    }

    fn failed(&mut self, pod: PodId, record: &Record, root: u32, (name, report): To<'_>) {
        let (at, retries) = (record.at, self.retries);
        // What ends takes its name's entry with it, whosever that is by now.
        self.pods[pod.index()].deletion_seen = Some(at);
        let Some(work) = self.work(root) else { return };
        let last = work.call;
        work.state = State::Ended;
        if last.is_none_or(|call| call.attempt != retries || call.outcome == Outcome::Ok) {
            report.say(&ATTEMPTS, at, || format!("{name} is given up at {at} after {last:?}"));
        }
    }

    fn stands(&self, pod: PodId, standing: Standing, at: Time) -> bool {
        let of_pod = &self.pods[pod.index()];
        let mut works = of_pod.works.iter().map(|&index| &self.works[index as usize]);
        match standing {
            Standing::Timer => works.any(|work| work.stands() && work.state == State::Waits),
            Standing::Deletion => works.any(|work| work.stands() && work.fire_at <= at),
            Standing::Marker => {
                of_pod.has_marker && self.switches.is_some_and(|s| s.marker_after_success)
            }
        }
    }

    fn stopped(&mut self, at: Time) {
        self.down = true;
        for work in self.works.iter_mut().filter(|work| work.state != State::Ended) {
            work.stopped.get_or_insert(at);
        }
        for pod in &mut self.pods {
            pod.has_marker = false;
            pod.works.clear();
        }
    }
}

/// The pod's name, and where breaches go.
type To<'a> = (&'a str, &'a mut Report);

/// Whether work of `at` with these seconds is due at `fire_at`. Up to 1.29 what is not tolerated
/// waits for a nanosecond.
fn fits(at: Time, fire_at: Time, seconds: Option<i64>) -> bool {
    let wait = fire_at.since(at).0;
    match seconds {
        None => wait <= 1,
        Some(seconds) if seconds <= 0 => wait == 0,
        Some(seconds) => {
            let wrapped = (i128::from(seconds) * i128::from(NANOS_PER_SECOND)) as i64;
            fire_at == at.saturating_add(Span(u64::try_from(wrapped).unwrap_or(0))) && wrapped >= 0
        }
    }
}
