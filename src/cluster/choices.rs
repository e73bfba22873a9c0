//! What chance decides in a run: each choice draws from its own stream, in the order in which the
//! run comes to it.

use super::schedule::{ChoicePoint, Chooser, Schedule, select_words};
use crate::kernel::{Span, SpanRange, Stream, Time};
use crate::objects::PodId;
use crate::plan::{Plan, When};
use crate::timeline::{Cause, Kind, QueueName, Recorder};

/// A stream that is made when it is first drawn from: most runs draw from few or none.
#[derive(Debug)]
pub(super) struct Lazy {
    name: &'static str,
    stream: Option<Stream>,
}

impl Lazy {
    pub(super) const fn new(name: &'static str) -> Lazy {
        Lazy { name, stream: None }
    }

    pub(super) fn reset(&mut self) {
        self.stream = None;
    }

    pub(super) fn below(&mut self, seed: u64, bound: u64) -> u64 {
        self.stream.get_or_insert_with(|| Stream::new(seed, self.name)).below(bound)
    }

    /// How far the stream has been drawn from.
    fn position(&self) -> u128 {
        self.stream.as_ref().map_or(0, Stream::position)
    }
}

/// Durations that are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// `apiServer.latency`.
    Latency,
    /// `apiServer.replyLatency`.
    ReplyLatency,
    /// `apiServer.watchLatency.pods`.
    PodWatch,
    /// `apiServer.watchLatency.nodes`.
    NodeWatch,
    /// `taintManager.handlerCost`.
    HandlerCost,
}

/// The choices of a run.
#[derive(Debug)]
pub struct Choices {
    seed: u64,
    /// What Go leaves open is drawn, or picked by the schedule.
    random: bool,
    /// The order of a node's pods makes a difference.
    pod_order_counts: bool,
    /// Who picks, if not the plan's seed.
    pub(super) chooser: Option<Box<Chooser>>,
    select: Lazy,
    pod_order: Lazy,
    durations: [Lazy; 5],
}

impl Default for Choices {
    fn default() -> Self {
        Choices {
            seed: 0,
            random: false,
            pod_order_counts: true,
            chooser: None,
            select: Lazy::new("interleaving.select"),
            pod_order: Lazy::new("interleaving.podOrder"),
            durations: [
                Lazy::new("apiServer.latency"),
                Lazy::new("apiServer.replyLatency"),
                Lazy::new("apiServer.watchLatency.pods"),
                Lazy::new("apiServer.watchLatency.nodes"),
                Lazy::new("taintManager.handlerCost"),
            ],
        }
    }
}

impl Choices {
    /// Nothing drawn, for a run of this plan.
    pub(super) fn reset(&mut self, plan: &Plan, schedule: Schedule) {
        self.seed = plan.config.seed;
        self.chooser = Chooser::new(schedule);
        self.random = plan.config.taint_manager.random_interleaving || self.chooser.is_some();
        // What a handler does to one pod of its node does not touch another, and whoever it wakes
        // is picked later. Only `after` steps of one time come in the order of what they follow.
        self.pod_order_counts = self.chooser.is_none()
            || plan.steps.iter().any(|step| matches!(step.when, When::After { .. }));
        self.select.reset();
        self.pod_order.reset();
        self.durations.iter_mut().for_each(Lazy::reset);
    }

    /// Whether what Go leaves open is drawn, or picked.
    pub fn is_random(&self) -> bool {
        self.random
    }

    /// The choices that the schedule's pick has met.
    pub(super) fn points(&self) -> &[ChoicePoint] {
        self.chooser.as_ref().map_or(&[], |chooser| chooser.points())
    }

    /// How far each stream of durations has been drawn from.
    pub(super) fn positions(&self) -> [u128; 5] {
        std::array::from_fn(|index| self.durations[index].position())
    }

    /// A duration of the range: whole nanoseconds, both ends included, each equally likely.
    pub fn duration(&mut self, what: Drawn, range: SpanRange) -> Span {
        let width = range.high.0 - range.low.0;
        if width == 0 {
            return range.low;
        }
        let stream = &mut self.durations[what as usize];
        // The full range of 64 bits has one value more than a bound can say; no duration is so
        // wide that its last nanosecond would be missed.
        let offset = stream.below(self.seed, width.saturating_add(1));
        Span(range.low.0 + offset)
    }

    /// Which of its two channels a worker's `select` takes where both are ready: under `Fifo` the
    /// node's.
    pub fn select(&mut self, now: Time, cause: Cause, recorder: &mut Recorder) -> QueueName {
        if !self.random {
            return QueueName::Node;
        }
        const CHANNELS: [QueueName; 2] = [QueueName::Node, QueueName::Pod];
        let index = match &mut self.chooser {
            None => self.select.below(self.seed, 2) as u32,
            Some(chooser) => chooser.any(now, 2, || CHANNELS.map(select_words).to_vec()),
        };
        let took = CHANNELS[index as usize];
        let choice = Choice::Select { took };
        recorder.emit(cause, None, None, Kind::ChoiceMade { choice, among: 2, index });
        took
    }

    /// The order in which the index yields a node's pods: under `Fifo` that in which they came.
    pub fn order_pods<T>(
        &mut self,
        pods: &mut [T],
        id: impl Fn(&T) -> PodId,
        (now, cause): (Time, Cause),
        recorder: &mut Recorder,
    ) {
        if !self.random || !self.pod_order_counts {
            return;
        }
        for first in 0..pods.len().saturating_sub(1) {
            let among = pods.len() - first;
            let index = match &mut self.chooser {
                None => self.pod_order.below(self.seed, among as u64) as u32,
                Some(chooser) => chooser.any(now, among, || order_words(among)),
            };
            let among = among as u32;
            pods.swap(first, first + index as usize);
            let kind = Kind::ChoiceMade { choice: Choice::PodOrder, among, index };
            recorder.emit(cause, Some(id(&pods[first])), None, kind);
        }
    }
}

/// The words for which pod comes next in the index of a node.
fn order_words(among: usize) -> Vec<String> {
    let word = |place| format!("the index of the node gives pod {place} of {among} next");
    (1..=among).map(word).collect()
}

/// A choice that Go, or chance in the cluster, makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Which of several goroutines that could go on did: this one.
    Next {
        /// Which kind of goroutine.
        goroutine: &'static str,
    },
    /// Which ready channel a `select` took.
    Select {
        /// The queue of the channel.
        took: QueueName,
    },
    /// Which of a node's pods the index yielded next.
    PodOrder,
}

impl Choice {
    /// The choice's name.
    pub fn name(self) -> &'static str {
        match self {
            Choice::Next { .. } => "Next",
            Choice::Select { .. } => "Select",
            Choice::PodOrder => "PodOrder",
        }
    }
}
