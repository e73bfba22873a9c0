//! The timed worker queue: at most one piece of work per pod name, at once or on a timer.
//!
//! k8s v1.36 pkg/controller/tainteviction/timed_workers.go. Keys are names: a re-created pod
//! meets the entry of its predecessor. Work that starts at once leaves a marker under its key
//! while it runs: the key is taken, but there is no timer that could be read or cancelled.
//!
//! Generations differ in what becomes of the key when the work ends (the switches
//! `markerAfterSuccess` and `finishRemovesReplacement`), and in whether work runs that was
//! cancelled between its timer and its function (`cancelledFiredTimerRuns`). Where the end of one
//! work touches the entry of another, that other one is an orphan: its timer still fires, but
//! nobody can see or cancel it.

use crate::cluster;
use crate::kernel::{Handle, Time};
use crate::objects::PodId;
use crate::profile::Switches;
use crate::timeline::{Cause, Standing};

use super::pod_deletion::Deletion;

/// A clock reading. No two processing steps share one, however little virtual time lies between:
/// on a real clock they would not. Readings compare as a whole; their difference is that of `at`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reading {
    /// Virtual time.
    pub at: Time,
    /// Number of the processing step.
    pub step: u64,
}

/// Names a piece of work from `add` until its function has returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkId(pub u32);

/// What `add` did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddedWork {
    /// The key is taken: nothing.
    Exists,
    /// The work's function starts now.
    Immediate(WorkId),
    /// The work waits for its timer, which the caller arms.
    Timed(WorkId),
}

/// What `cancel` did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cancelled {
    /// There was no such key, or only a marker: no event.
    Nothing,
    /// There was work on a timer; the timer, if it has not fired, is the caller's to stop.
    Timer(Option<Handle>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum State {
    Free,
    /// Its timer has not fired.
    Armed,
    /// Its goroutine exists, but has not begun.
    Fired,
    /// Its function runs.
    Running,
    /// Its process is gone; what waits for an event of its function still holds it.
    Abandoned,
}

/// What stands under a key, for those who look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkState {
    /// A timer.
    Armed,
    /// A timer whose entry another deletion's end has taken away.
    Orphan,
    /// A deletion that runs, or is about to.
    Deleting,
    /// What a deletion that succeeded has left behind (up to 1.32).
    Marker,
}

/// One piece of work, or a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkView {
    /// Its key.
    pub pod: PodId,
    /// What it is.
    pub state: WorkState,
    /// When it was added; zero for a marker.
    pub added_at: Time,
    /// When it is to run, or began to; zero for a marker.
    pub fire_at: Time,
}

/// One piece of work.
#[derive(Clone, Copy, Debug)]
pub struct TimedWorker {
    /// Its key.
    pub pod: PodId,
    /// When the wait began.
    pub created_at: Reading,
    /// When it is to run.
    pub fire_at: Time,
    /// What it was scheduled by.
    pub cause: Cause,
    /// Its function, while that runs.
    pub deletion: Deletion,
    timer: Option<Handle>,
    state: State,
    /// Started without a timer: its entry is a marker.
    immediate: bool,
    cancelled: bool,
}

impl TimedWorker {
    /// Whether its key was taken away by a cancellation.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled
    }
}

const NONE: u32 = u32::MAX;
/// What a deletion that succeeded leaves under its key: a worker that is no more.
const MARKER: u32 = u32::MAX - 1;

/// The queue.
#[derive(Debug, Default)]
pub struct TimedWorkers {
    /// The entry under each name: an index into `workers`, `NONE`, or `MARKER`.
    entries: Vec<u32>,
    workers: Vec<TimedWorker>,
    free: Vec<u32>,
    /// Goroutines: fired or running work.
    goroutines: u32,
}

impl TimedWorkers {
    /// Empties the queue, for so many pod names.
    pub fn reset(&mut self, pods: usize) {
        self.entries.clear();
        self.entries.resize(pods, NONE);
        self.workers.clear();
        self.free.clear();
        self.goroutines = 0;
    }

    /// When the timer under this key was created; `None` for no key, and for a marker
    /// (`GetWorkerUnsafe`).
    pub fn timer_created_at(&self, pod: PodId) -> Option<Reading> {
        let worker = self.entry(pod)?;
        (!worker.immediate).then_some(worker.created_at)
    }

    /// What stands under this key.
    pub fn standing(&self, pod: PodId) -> Option<Standing> {
        match self.entries[pod.index()] {
            NONE => None,
            MARKER => Some(Standing::Marker),
            index => match self.workers[index as usize].state {
                State::Armed => Some(Standing::Timer),
                _ => Some(Standing::Deletion),
            },
        }
    }

    /// Whether the work under this key is to run later than `time`.
    pub fn fires_after(&self, pod: PodId, time: Time) -> bool {
        self.entry(pod).is_some_and(|worker| worker.fire_at > time)
    }

    /// Whether this work, and not another one or nothing, stands under its key.
    pub fn has_entry(&self, work: WorkId) -> bool {
        self.entries[self.workers[work.0 as usize].pod.index()] == work.0
    }

    /// Adds work, unless the key is taken (`AddWork`). The delay counts from `created_at`, not
    /// from now: `fire_at` is a wish of that clock.
    pub fn add(
        &mut self,
        pod: PodId,
        created_at: Reading,
        fire_at: Time,
        immediate: bool,
        cause: Cause,
    ) -> AddedWork {
        if self.entries[pod.index()] != NONE {
            return AddedWork::Exists;
        }
        let worker = TimedWorker {
            pod,
            created_at,
            fire_at,
            cause,
            deletion: Deletion::default(),
            timer: None,
            state: if immediate { State::Fired } else { State::Armed },
            immediate,
            cancelled: false,
        };
        let index = match self.free.pop() {
            Some(index) => {
                debug_assert_eq!(self.workers[index as usize].state, State::Free, "work reused");
                self.workers[index as usize] = worker;
                index
            }
            None => {
                self.workers.push(worker);
                (self.workers.len() - 1) as u32
            }
        };
        self.entries[pod.index()] = index;
        if immediate {
            self.goroutines += 1;
            AddedWork::Immediate(WorkId(index))
        } else {
            AddedWork::Timed(WorkId(index))
        }
    }

    /// Tells what recorded the addition.
    pub fn set_cause(&mut self, work: WorkId, cause: Cause) {
        self.workers[work.0 as usize].cause = cause;
    }

    /// Tells the timer that the caller armed for timed work.
    pub fn armed(&mut self, work: WorkId, timer: Handle) {
        let worker = &mut self.workers[work.0 as usize];
        debug_assert_eq!(worker.state, State::Armed, "a timer for work that has none");
        worker.timer = Some(timer);
    }

    /// Removes the key (`CancelWork`). Running work goes on.
    pub fn cancel(&mut self, pod: PodId) -> Cancelled {
        let index = std::mem::replace(&mut self.entries[pod.index()], NONE);
        if index >= MARKER {
            return Cancelled::Nothing;
        }
        let worker = &mut self.workers[index as usize];
        if worker.immediate {
            return Cancelled::Nothing;
        }
        worker.cancelled = true;
        let timer = worker.timer.take();
        if worker.state == State::Armed {
            debug_assert!(timer.is_some(), "armed, but without a timer");
            self.release(WorkId(index));
        }
        Cancelled::Timer(timer)
    }

    /// The timer fired: a goroutine is there to run the function.
    pub fn fired(&mut self, work: WorkId) {
        let worker = &mut self.workers[work.0 as usize];
        assert_eq!(worker.state, State::Armed, "the timer of pod {:?} fired", worker.pod);
        worker.state = State::Fired;
        worker.timer = None;
        self.goroutines += 1;
    }

    /// The goroutine runs for the first time; false if the work has been cancelled by now, and the
    /// function does not begin.
    pub fn begin(&mut self, work: WorkId, switches: &Switches) -> bool {
        let worker = &mut self.workers[work.0 as usize];
        assert_eq!(worker.state, State::Fired, "work of pod {:?} begins", worker.pod);
        if worker.cancelled && !switches.cancelled_fired_timer_runs {
            self.goroutines -= 1;
            self.release(work);
            return false;
        }
        worker.state = State::Running;
        true
    }

    /// The function returned: the entry goes, or becomes a marker.
    pub fn finish(&mut self, work: WorkId, deleted: bool, switches: &Switches) {
        let worker = &self.workers[work.0 as usize];
        assert_eq!(worker.state, State::Running, "work of pod {:?} ends", worker.pod);
        let entry = &mut self.entries[worker.pod.index()];
        if deleted && switches.marker_after_success {
            *entry = MARKER;
        } else if *entry == work.0 || switches.finish_removes_replacement {
            *entry = NONE;
        }
        self.goroutines -= 1;
        self.release(work);
    }

    /// The process is told to stop, and cancels everything that has not begun (`CancelAndWait`,
    /// 1.35): every key is forgotten, the timers to stop go into `timers`. Work that started
    /// without a timer runs, begun or not. Timers of orphans end with the process.
    pub fn cancel_all(&mut self, timers: &mut Vec<Handle>) {
        for pod in 0..self.entries.len() as u32 {
            if let Cancelled::Timer(Some(timer)) = self.cancel(PodId(pod)) {
                timers.push(timer);
            }
        }
        self.stop_timers(timers);
    }

    /// The process is gone, with its timers and goroutines (up to 1.34). What is under way of a
    /// function is told by [`TimedWorkers::is_abandoned`] when it arrives.
    pub fn abandon_all(&mut self, timers: &mut Vec<Handle>) {
        self.entries.fill(NONE);
        self.stop_timers(timers);
        for worker in &mut self.workers {
            if matches!(worker.state, State::Fired | State::Running) {
                worker.state = State::Abandoned;
            }
        }
        self.goroutines = 0;
    }

    fn stop_timers(&mut self, timers: &mut Vec<Handle>) {
        for index in 0..self.workers.len() as u32 {
            let worker = &mut self.workers[index as usize];
            if worker.state == State::Armed {
                timers.extend(worker.timer.take());
                self.release(WorkId(index));
            }
        }
    }

    /// Whether the process of this work is gone.
    pub fn is_abandoned(&self, work: WorkId) -> bool {
        self.workers[work.0 as usize].state == State::Abandoned
    }

    /// The last event of abandoned work has come.
    pub fn bury(&mut self, work: WorkId) {
        assert!(self.is_abandoned(work), "buried alive");
        self.release(work);
    }

    /// Whether some function runs or is about to.
    pub fn has_goroutines(&self) -> bool {
        self.goroutines > 0
    }

    /// The work of this id.
    pub fn get(&self, work: WorkId) -> &TimedWorker {
        &self.workers[work.0 as usize]
    }

    /// The running function of this work.
    pub fn deletion_mut(&mut self, work: WorkId) -> &mut Deletion {
        &mut self.workers[work.0 as usize].deletion
    }

    /// Armed timers in the order of the pods' ids.
    pub fn armed_timers(&self) -> impl Iterator<Item = &TimedWorker> + '_ {
        self.entries
            .iter()
            .filter(|&&index| index < MARKER)
            .map(|&index| &self.workers[index as usize])
            .filter(|worker| worker.state == State::Armed)
    }

    /// Everything that is there, in the order of the pods' ids, orphans after their entry.
    pub fn view(&self) -> impl Iterator<Item = WorkView> + '_ {
        let marker = |pod| WorkView {
            pod,
            state: WorkState::Marker,
            added_at: Time::ZERO,
            fire_at: Time::ZERO,
        };
        let markers = (0u32..).zip(&self.entries).filter(|(_, index)| **index == MARKER);
        let mut all: Vec<WorkView> = markers.map(|(pod, _)| marker(PodId(pod))).collect();
        for (index, worker) in (0u32..).zip(&self.workers) {
            let state = match worker.state {
                State::Free | State::Abandoned => continue,
                State::Armed if self.entries[worker.pod.index()] == index => WorkState::Armed,
                State::Armed => WorkState::Orphan,
                State::Fired | State::Running => WorkState::Deleting,
            };
            let (added_at, fire_at) = (worker.created_at.at, worker.fire_at);
            all.push(WorkView { pod: worker.pod, state, added_at, fire_at });
        }
        all.sort_by_key(|work| (work.pod.0, work.fire_at));
        all.into_iter()
    }

    /// Its part of [`crate::cluster::state`].
    pub fn state(&self, state: &mut cluster::state::State<'_>) {
        for index in &self.entries {
            state.put(match *index {
                NONE => 0u8,
                MARKER => 1,
                _ => 2,
            });
        }
        let live = (0u32..).zip(&self.workers).filter(|(_, worker)| worker.state != State::Free);
        let of = |(index, _)| {
            let mut part = state.part();
            self.worker_state(WorkId(index), &mut part);
            part.into_bytes()
        };
        let parts = live.map(of).collect();
        state.sorted(parts);
    }

    /// One piece of work: its number depends on the way, and so does not count.
    pub fn worker_state(&self, work: WorkId, state: &mut cluster::state::State<'_>) {
        let worker = self.get(work);
        let is_entry = self.entries[worker.pod.index()] == work.0;
        state.put((worker.pod, worker.state, is_entry, worker.fire_at));
        state.put((worker.immediate, worker.cancelled, worker.timer.is_some()));
        if !matches!(worker.state, State::Armed | State::Fired) {
            state.put(worker.deletion.parts());
        }
    }

    fn entry(&self, pod: PodId) -> Option<&TimedWorker> {
        let index = self.entries[pod.index()];
        (index < MARKER).then(|| &self.workers[index as usize])
    }

    fn release(&mut self, work: WorkId) {
        self.workers[work.0 as usize].state = State::Free;
        self.free.push(work.0);
    }
}

#[cfg(test)]
mod tests;
