//! The search: depth first over scripts, from the start for each.
//!
//! A run goes on with the first alternative at each choice that is new. When it is over, the last
//! choice that has an alternative left takes that one. At each choice the state of the world goes
//! into a table together with what has been seen of the outcome ([`World::state`]); where all that
//! follows from a state is known, the run stops there, and what is known counts again. So a
//! hundred thousand orders of things that have nothing to do with each other are a few runs.

use std::collections::BTreeMap;

use indexmap::IndexSet;
use sha2::{Digest, Sha256};

use super::outcome::{Grain, Outcome, Seen};
use crate::cluster::{ChoicePoint, Schedule, World};
use crate::plan::{Config, Plan};
use crate::timeline::Detail;

/// How an outcome is reached from some choice on.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// By so many schedules.
    schedules: u128,
    /// The one with the fewest departures from the order of `Fifo` has so many.
    departures: u32,
    /// What it takes, from this choice on.
    tail: u32,
}

/// By the number of the outcome.
type Tally = BTreeMap<u32, Way>;

/// A choice on the way of the present run.
#[derive(Debug)]
struct Frame {
    /// The digest of the state; `None` inside of an event, where there is none.
    state: Option<[u8; 32]>,
    among: u32,
    index: u32,
    tally: Tally,
}

/// No tail.
const END: u32 = u32::MAX;

/// A search under way.
pub(super) struct Search<'p> {
    plan: &'p Plan,
    world: World<'p>,
    seen: Seen,
    merge: bool,
    outcomes: IndexSet<Outcome>,
    frames: Vec<Frame>,
    known: BTreeMap<[u8; 32], Tally>,
    /// Scripts from their end: each takes an index, and then the tail that it names.
    tails: Vec<(u32, u32)>,
    runs: u64,
    choices: u64,
}

/// What a search has found.
pub(super) struct Result {
    pub(super) outcomes: Vec<(Outcome, u128, Vec<u32>)>,
    pub(super) runs: u64,
    /// Choices with their states: those that are different.
    pub(super) choices: u64,
    pub(super) complete: bool,
}

impl<'p> Search<'p> {
    pub(super) fn new(plan: &'p Plan, grain: Grain, merge: bool) -> Search<'p> {
        Search {
            plan,
            world: World::with_schedule(plan, DETAIL, Schedule::Script(Vec::new())),
            seen: Seen::new(plan, grain),
            merge,
            outcomes: IndexSet::new(),
            frames: Vec::new(),
            known: BTreeMap::new(),
            tails: Vec::new(),
            runs: 0,
            choices: 0,
        }
    }

    /// Searches to the end, or until so many runs have been made.
    pub(super) fn run(mut self, runs_max: u64) -> Result {
        loop {
            let found = self.run_once();
            self.runs += 1;
            if let Some(root) = self.backtrack(found, false) {
                return self.end(&root, true);
            }
            if self.runs >= runs_max {
                let root = self.backtrack(Tally::new(), true).unwrap_or_default();
                return self.end(&root, false);
            }
        }
    }

    /// One run, by the choices on the stack, to its end or to a state that is known.
    fn run_once(&mut self) -> Tally {
        let script = self.frames.iter().map(|frame| frame.index).collect();
        self.world.reset_with(self.plan, DETAIL, Schedule::Script(script));
        self.seen.reset();
        let limit = self.plan.config.until.unwrap_or(Config::UNBOUNDED_LIMIT);
        loop {
            let among = self.world.alternatives(limit, &mut self.seen);
            let is_new = self.world.choice_points().len() == self.frames.len();
            if among > 1 && is_new {
                let state = self.state();
                if let Some(tally) = state.and_then(|state| self.known.get(&state)) {
                    return tally.clone();
                }
                self.push(state, among as u32);
            }
            if among == 0 || self.world.run_some(limit, 1, &mut self.seen) == 0 {
                break;
            }
            // Choices inside of the event: a `select`, or the order of pods.
            for place in self.frames.len()..self.world.choice_points().len() {
                let among = self.world.choice_points()[place].among;
                self.push(None, among);
            }
        }
        let outcome = self.seen.outcome(&self.world);
        let number = self.outcomes.insert_full(outcome).0 as u32;
        Tally::from([(number, Way { schedules: 1, departures: 0, tail: END })])
    }

    fn push(&mut self, state: Option<[u8; 32]>, among: u32) {
        self.choices += 1;
        self.frames.push(Frame { state, among, index: 0, tally: Tally::new() });
    }

    fn state(&self) -> Option<[u8; 32]> {
        let bytes = || self.world.state(|state| self.seen.state(state));
        self.merge.then(|| Sha256::digest(bytes()).into())
    }

    /// Counts what a run has found, and goes on to the next alternative of the last choice that
    /// has one. `Some` where there is none: all that was found. `stop` leaves all that is left.
    fn backtrack(&mut self, mut below: Tally, stop: bool) -> Option<Tally> {
        while let Some(frame) = self.frames.last_mut() {
            for (outcome, way) in &below {
                let departures = way.departures + u32::from(frame.index > 0);
                let fresh = Way { schedules: 0, departures: u32::MAX, tail: END };
                let best = frame.tally.entry(*outcome).or_insert(fresh);
                best.schedules = best.schedules.saturating_add(way.schedules);
                if departures < best.departures {
                    best.departures = departures;
                    best.tail = self.tails.len() as u32;
                    self.tails.push((frame.index, way.tail));
                }
            }
            frame.index += 1;
            if frame.index < frame.among && !stop {
                return None;
            }
            let frame = self.frames.pop()?;
            if let (Some(state), false) = (frame.state, stop) {
                self.known.insert(state, frame.tally.clone());
            }
            below = frame.tally;
        }
        Some(below)
    }

    fn end(self, root: &Tally, complete: bool) -> Result {
        let script = |way: &Way| {
            let mut script = Vec::new();
            let mut next = way.tail;
            while let Some((index, tail)) = self.tails.get(next as usize) {
                script.push(*index);
                next = *tail;
            }
            while script.last() == Some(&0) {
                script.pop();
            }
            script
        };
        let found = |(number, way): (&u32, &Way)| {
            let outcome = self.outcomes.get_index(*number as usize)?.clone();
            Some((outcome, way.schedules, script(way)))
        };
        let outcomes = root.iter().filter_map(found).collect();
        Result { outcomes, runs: self.runs, choices: self.choices, complete }
    }
}

/// Events of the taint manager are there from here on.
const DETAIL: Detail = Detail::Controller;

/// One run under a schedule: its outcome, and the choices that it met.
pub(super) fn one(plan: &Plan, grain: Grain, schedule: Schedule) -> (Outcome, Vec<ChoicePoint>) {
    let mut world = World::with_schedule(plan, DETAIL, schedule);
    let mut seen = Seen::new(plan, grain);
    world.run(&mut seen);
    (seen.outcome(&world), world.choice_points().to_vec())
}
