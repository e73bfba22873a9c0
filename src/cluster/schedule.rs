//! Who decides what Go leaves open, and what was decided.
//!
//! Under [`Schedule::Plan`] it is the plan: first in, first out, or drawn from its seed. The other
//! schedules pick one of all that could go on, each time that there are several: a script, for
//! those who try all schedules, or priorities, which find rare orders with few runs (PCT:
//! Burckhardt, Kothari, Musuvathi, Nagarakatte, "A Randomized Scheduler with Probabilistic
//! Guarantees of Finding Bugs", 2010). What is drawn of latencies and faults stays the plan's.

use std::collections::BTreeMap;

use super::event::Event;
use crate::kernel::{Stream, Time};
use crate::timeline::QueueName;

/// Who decides what Go leaves open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Schedule {
    /// The plan: in the order of `Fifo`, or drawn from the plan's seed.
    #[default]
    Plan,
    /// The k-th choice of the run takes the alternative with the k-th of these numbers, the last
    /// one where there are fewer. After the end of the script each takes number 0, which is the
    /// one that `Fifo` would take.
    Script(Vec<u32>),
    /// Each choice is drawn, each alternative equally likely.
    Drawn {
        /// What is drawn from; not the plan's seed.
        seed: u64,
    },
    /// Each goroutine gets a priority when it first comes to a choice, and the highest one goes
    /// on. `depth` is one more than the number of places where the one that would go on falls
    /// behind all others.
    Pct {
        /// What priorities and places are drawn from; not the plan's seed.
        seed: u64,
        /// At least 1.
        depth: u32,
        /// The places are among so many of the first choices: about as many as a run has.
        choices: u32,
    },
}

/// A choice that a run met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoicePoint {
    /// When.
    pub at: Time,
    /// What was taken: a number below that of the alternatives.
    pub index: u32,
    /// Between so many.
    pub among: u32,
    /// Each alternative in words, where the run was asked for them.
    pub alternatives: Vec<String>,
}

/// A goroutine of the model, for its priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Goroutine {
    PodInformer,
    NodeInformer,
    Process,
    Dispatcher(bool),
    Worker(u32),
    Handler(u32),
    Deletion(u32),
    Timer(u32),
    Kubelet(u32),
    Step(u32),
}

/// What the choices come from.
#[derive(Debug)]
enum Source {
    Script(Vec<u32>),
    Drawn(Stream),
    Priorities(Priorities),
}

/// Carries out a schedule that is not the plan's.
#[derive(Debug)]
pub(super) struct Chooser {
    source: Source,
    tells: bool,
    points: Vec<ChoicePoint>,
    /// What is ready, kept for its memory.
    pub(super) ready: Vec<Event>,
}

impl Chooser {
    /// `None` where the plan decides.
    pub(super) fn new(schedule: Schedule) -> Option<Box<Chooser>> {
        let source = match schedule {
            Schedule::Plan => return None,
            Schedule::Script(script) => Source::Script(script),
            Schedule::Drawn { seed } => Source::Drawn(Stream::new(seed, "schedule")),
            Schedule::Pct { seed, depth, choices } => {
                Source::Priorities(Priorities::new(seed, depth, choices))
            }
        };
        Some(Box::new(Chooser { source, tells: false, points: Vec::new(), ready: Vec::new() }))
    }

    /// The alternatives are wanted in words.
    pub(super) fn tell(&mut self) {
        self.tells = true;
    }

    /// Whether the alternatives are wanted in words.
    pub(super) fn tells(&self) -> bool {
        self.tells
    }

    /// The choices so far.
    pub(super) fn points(&self) -> &[ChoicePoint] {
        &self.points
    }

    /// Which of what is ready goes on; there are at least two.
    pub(super) fn next(&mut self, at: Time, words: Vec<String>) -> u32 {
        let place = self.points.len();
        let index = match &mut self.source {
            Source::Script(script) => scripted(script, place, self.ready.len()),
            Source::Drawn(draws) => draws.below(self.ready.len() as u64) as u32,
            Source::Priorities(priorities) => priorities.highest(&self.ready, place),
        };
        self.note(at, index, self.ready.len(), words)
    }

    /// One of `among`, which are no goroutines.
    pub(super) fn any(
        &mut self,
        at: Time,
        among: usize,
        words: impl FnOnce() -> Vec<String>,
    ) -> u32 {
        let place = self.points.len();
        let index = match &mut self.source {
            Source::Script(script) => scripted(script, place, among),
            Source::Drawn(draws) => draws.below(among as u64) as u32,
            Source::Priorities(priorities) => priorities.draws.below(among as u64) as u32,
        };
        let words = if self.tells { words() } else { Vec::new() };
        self.note(at, index, among, words)
    }

    fn note(&mut self, at: Time, index: u32, among: usize, alternatives: Vec<String>) -> u32 {
        self.points.push(ChoicePoint { at, index, among: among as u32, alternatives });
        index
    }
}

fn scripted(script: &[u32], place: usize, among: usize) -> u32 {
    let wanted = script.get(place).copied().unwrap_or(0);
    wanted.min((among - 1) as u32)
}

/// The words for the two channels of a worker.
pub(super) fn select_words(took: QueueName) -> String {
    let channel = match took {
        QueueName::Node => "node",
        QueueName::Pod => "pod",
    };
    format!("the worker's select takes the {channel} channel, of two that are ready")
}

/// The priorities of PCT.
#[derive(Debug)]
struct Priorities {
    draws: Stream,
    /// Places of the choices at which the highest priority falls behind.
    falls: Vec<usize>,
    /// Those that fell count down from here.
    lowest: u64,
    of: BTreeMap<Goroutine, u64>,
}

/// Drawn priorities are at or above this.
const FALLEN: u64 = 1 << 32;

impl Priorities {
    fn new(seed: u64, depth: u32, choices: u32) -> Priorities {
        let mut places = Stream::new(seed, "pct.falls");
        let fall = |_| places.below(u64::from(choices.max(1))) as usize;
        let falls = (1..depth).map(fall).collect();
        let draws = Stream::new(seed, "pct.priorities");
        Priorities { draws, falls, lowest: FALLEN, of: BTreeMap::new() }
    }

    fn highest(&mut self, ready: &[Event], place: usize) -> u32 {
        for event in ready {
            let draws = &mut self.draws;
            let draw = || FALLEN + draws.below(1 << 48);
            self.of.entry(goroutine(*event)).or_insert_with(draw);
        }
        let best = self.best(ready);
        let falls = self.falls.iter().filter(|fall| **fall == place).count();
        if falls == 0 {
            return best as u32;
        }
        self.lowest -= 1;
        self.of.insert(goroutine(ready[best]), self.lowest);
        self.best(ready) as u32
    }

    /// The place of the one with the highest priority, the first of equals.
    fn best(&self, ready: &[Event]) -> usize {
        let priority = |event: &Event| self.of.get(&goroutine(*event)).copied().unwrap_or(0);
        let mut best = 0;
        for (place, event) in ready.iter().enumerate() {
            if priority(event) > priority(&ready[best]) {
                best = place;
            }
        }
        best
    }
}

/// Whose turn an event is. A piece of work that ends leaves its number, and its priority, to
/// another.
fn goroutine(event: Event) -> Goroutine {
    use crate::plan::Resource;
    match event {
        Event::PodWatch(_) | Event::Relist(Resource::Pods, _) => Goroutine::PodInformer,
        Event::NodeWatch(_) | Event::Relist(Resource::Nodes, _) => Goroutine::NodeInformer,
        Event::List(_) | Event::Listed(_) | Event::SyncPoll(_) => Goroutine::Process,
        Event::Deletion(work) => Goroutine::Deletion(work.0),
        Event::Timer(work) => Goroutine::Timer(work.0),
        Event::Dispatch(queue) => Goroutine::Dispatcher(queue == QueueName::Pod),
        Event::Work(shard) => Goroutine::Worker(shard),
        Event::ListPods(run) | Event::HandlerReturns(run) => Goroutine::Handler(run),
        Event::PodStopped(index) => Goroutine::Kubelet(index),
        Event::Step(index) => Goroutine::Step(index),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picks(schedule: Schedule, choices: usize) -> Vec<u32> {
        let mut chooser = Chooser::new(schedule).expect("not the plan's");
        chooser.ready = vec![Event::Work(1), Event::Work(2), Event::Work(3)];
        (0..choices).map(|_| chooser.next(Time(1), Vec::new())).collect()
    }

    #[test]
    fn a_script_is_followed_and_goes_on_with_the_first() {
        assert_eq!(picks(Schedule::Script(vec![2, 1, 9]), 5), [2, 1, 2, 0, 0]);
        assert!(Chooser::new(Schedule::Plan).is_none());
    }

    /// With depth 1 the same one goes on for ever; each more lets one fall behind, once.
    #[test]
    fn priorities_change_as_often_as_the_depth_says() {
        let mut firsts = [0; 3];
        for seed in 0..60 {
            let of_depth = |depth| picks(Schedule::Pct { seed, depth, choices: 10 }, 10);
            let steady = of_depth(1);
            firsts[steady[0] as usize] += 1;
            assert!(steady.iter().all(|pick| *pick == steady[0]), "{steady:?}");
            for depth in 2..4 {
                let picked = of_depth(depth);
                assert_eq!(picked, of_depth(depth), "the same again");
                let changes = picked.windows(2).filter(|pair| pair[0] != pair[1]).count();
                assert!(changes < depth as usize, "{picked:?}");
            }
        }
        assert!(firsts.iter().all(|count| *count > 5), "{firsts:?}");
    }
}
