//! The metrics that the real controller exposes, in Prometheus' text format.
//!
//! Names, help and buckets: k8s v1.36 pkg/controller/tainteviction/metrics (since 1.29) and
//! component-base metrics/prometheus/workqueue, for the work queues that have names (since 1.13).
//! Counters and histograms begin anew with each process.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::kernel::Time;
use crate::objects::{NodeId, PodId};
use crate::timeline::{CallPhase, Context, Kind, Outcome, QueueName, Record, Sink};

/// `ExponentialBuckets(10e-9, 10, 10)`, as Go prints them, with their nanoseconds.
const QUEUE_BUCKETS: [(&str, i128); 10] = [
    ("1e-08", 10),
    ("1e-07", 100),
    ("1e-06", 1_000),
    ("9.999999999999999e-06", 10_000),
    ("9.999999999999999e-05", 100_000),
    ("0.001", 1_000_000),
    ("0.01", 10_000_000),
    ("0.1", 100_000_000),
    ("1", 1_000_000_000),
    ("10", 10_000_000_000),
];

const DELETION_BUCKETS: [(&str, i128); 12] = [
    ("0.005", 5_000_000),
    ("0.025", 25_000_000),
    ("0.1", 100_000_000),
    ("0.5", 500_000_000),
    ("1", 1_000_000_000),
    ("2.5", 2_500_000_000),
    ("10", 10_000_000_000),
    ("30", 30_000_000_000),
    ("60", 60_000_000_000),
    ("120", 120_000_000_000),
    ("180", 180_000_000_000),
    ("240", 240_000_000_000),
];

/// The first minor versions with the queues' metrics, and with the controller's own.
const QUEUES_SINCE: u32 = 13;
const DELETIONS_SINCE: u32 = 29;

const NANOS: i128 = 1_000_000_000;

/// A histogram over nanoseconds.
#[derive(Clone, Debug)]
struct Histogram {
    buckets: &'static [(&'static str, i128)],
    counts: Vec<u64>,
    count: u64,
    /// Nanoseconds.
    sum: i128,
}

impl Histogram {
    fn new(buckets: &'static [(&'static str, i128)]) -> Histogram {
        Histogram { buckets, counts: vec![0; buckets.len()], count: 0, sum: 0 }
    }

    fn observe(&mut self, nanos: i128) {
        for ((_, le), count) in self.buckets.iter().zip(&mut self.counts) {
            *count += u64::from(nanos <= *le);
        }
        self.count += 1;
        self.sum += nanos;
    }

    fn write(&self, name: &str, label: &str, out: &mut String) {
        let comma = if label.is_empty() { "" } else { "," };
        for ((le, _), count) in self.buckets.iter().zip(&self.counts) {
            let _ = writeln!(out, "{name}_bucket{{{label}{comma}le=\"{le}\"}} {count}");
        }
        let braced = if label.is_empty() { String::new() } else { format!("{{{label}}}") };
        let _ = writeln!(out, "{name}_bucket{{{label}{comma}le=\"+Inf\"}} {}", self.count);
        let _ = writeln!(out, "{name}_sum{braced} {}", seconds(self.sum));
        let _ = writeln!(out, "{name}_count{braced} {}", self.count);
    }
}

/// An item by its names.
type Key = (Option<PodId>, Option<NodeId>);

#[derive(Clone, Debug)]
struct Queue {
    adds: u64,
    added_at: BTreeMap<Key, Time>,
    started_at: BTreeMap<Key, Time>,
    waiting: Histogram,
    working: Histogram,
}

impl Queue {
    fn new() -> Queue {
        Queue {
            adds: 0,
            added_at: BTreeMap::new(),
            started_at: BTreeMap::new(),
            waiting: Histogram::new(&QUEUE_BUCKETS),
            working: Histogram::new(&QUEUE_BUCKETS),
        }
    }

    fn hear(&mut self, kind: &Kind, key: Key, at: Time) {
        match kind {
            Kind::Enqueued(_) => {
                self.adds += 1;
                self.added_at.entry(key).or_insert(at);
            }
            // The dispatcher has taken it, whether or not its channel has room.
            Kind::Dispatched(_) | Kind::DispatchBlocked(_) => {
                if self.started_at.contains_key(&key) {
                    return;
                }
                if let Some(added) = self.added_at.remove(&key) {
                    self.waiting.observe(i128::from(at.since(added).0));
                }
                self.started_at.insert(key, at);
            }
            Kind::HandlerFinished(_) => {
                if let Some(started) = self.started_at.remove(&key) {
                    self.working.observe(i128::from(at.since(started).0));
                }
            }
            _ => {}
        }
    }
}

/// Collects them from a run's records at [`crate::timeline::Detail::Trace`].
#[derive(Debug)]
pub struct Metrics {
    node_queue: Queue,
    pod_queue: Queue,
    deletions: u64,
    /// It was told to stop, and no new process works yet.
    is_down: bool,
    durations: Histogram,
    /// When the deletion of each `EvictionStarted` was to start.
    started: BTreeMap<u32, Time>,
    /// The deletions that calls on their way belong to, by the calls' numbers.
    calls: BTreeMap<u32, u32>,
}

impl Default for Metrics {
    fn default() -> Self {
        Metrics {
            node_queue: Queue::new(),
            pod_queue: Queue::new(),
            deletions: 0,
            is_down: false,
            durations: Histogram::new(&DELETION_BUCKETS),
            started: BTreeMap::new(),
            calls: BTreeMap::new(),
        }
    }
}

impl Sink for Metrics {
    fn record(&mut self, _: Context<'_>, record: &Record) {
        if let Some(item) = record.kind.item() {
            let queue = match item.queue {
                QueueName::Node => &mut self.node_queue,
                QueueName::Pod => &mut self.pod_queue,
            };
            return queue.hear(&record.kind, (record.pod, record.node), record.at);
        }
        match &record.kind {
            Kind::ControllerStarted if record.at > Time::ZERO => {
                // What was added before the workers ran is the new process's, too.
                let (nodes, pods) = (self.node_queue.clone(), self.pod_queue.clone());
                *self = Metrics::default();
                self.is_down = false;
                for (new, old) in [(&mut self.node_queue, nodes), (&mut self.pod_queue, pods)] {
                    new.adds = old.added_at.len() as u64;
                    new.added_at = old.added_at;
                }
            }
            Kind::ControllerStopped => {
                *self = Metrics::default();
                self.is_down = true;
            }
            Kind::EvictionStarted => {
                self.started.insert(record.seq, record.at);
            }
            Kind::ApiCall { verb: "delete", phase: CallPhase::Sent, .. } => {
                if let Some(cause) = record.cause.filter(|cause| self.started.contains_key(cause)) {
                    self.calls.insert(record.seq, cause);
                }
            }
            Kind::ApiCall { verb: "delete", phase: CallPhase::Answered(outcome), .. } => {
                let call = record.cause.and_then(|cause| self.calls.remove(&cause));
                if *outcome == Outcome::Ok
                    && let Some(started) = call.and_then(|call| self.started.remove(&call))
                {
                    self.deletions += 1;
                    self.durations.observe(sample(record.at.since(started).0));
                }
            }
            _ => {}
        }
    }
}

/// The sample of a deletion that took so many nanoseconds, in nanoseconds of what it claims to be.
/// The real controller multiplies nanoseconds by a second's nanoseconds in 64 bits and takes the
/// result for seconds: 5 ms are 5e15 s, and more than 9.2 s may be negative (#141311).
fn sample(nanos: u64) -> i128 {
    i128::from((nanos as i64).wrapping_mul(1_000_000_000)) * NANOS
}

impl Metrics {
    /// The page, as of `now`.
    pub fn page(&self, context: Context<'_>, now: Time) -> String {
        let minor = context.plan.config.profile.minor();
        let mut out = String::new();
        if minor < QUEUES_SINCE {
            let version = context.plan.config.profile;
            let _ = writeln!(
                out,
                "# Kubernetes {version} has no metrics of the taint manager: its work queues have \
                 names since 1.{QUEUES_SINCE}, its own metrics came with 1.{DELETIONS_SINCE}."
            );
            return out;
        }
        if self.is_down {
            out.push_str("# No process of the controller works now: nobody answers a scrape.\n");
            return out;
        }
        if minor >= DELETIONS_SINCE {
            self.write_deletions(&mut out);
        }
        self.write_queues(now, &mut out);
        out
    }

    fn write_deletions(&self, out: &mut String) {
        let name = "taint_eviction_controller_pod_deletion_duration_seconds";
        let help = "Latency, in seconds, between the time when a taint effect has been activated \
                    for the Pod and its deletion via TaintEvictionController.";
        head(name, help, "histogram", out);
        self.durations.write(name, "", out);
        let name = "taint_eviction_controller_pod_deletions_total";
        let help = "Total number of Pods deleted by TaintEvictionController since its start.";
        head(name, help, "counter", out);
        let _ = writeln!(out, "{name} {}", self.deletions);
    }

    fn write_queues(&self, now: Time, out: &mut String) {
        let queues = [(QueueName::Node, &self.node_queue), (QueueName::Pod, &self.pod_queue)];
        let label = |queue: QueueName| format!("name=\"{}\"", queue.as_str());
        let running = |queue: &Queue| {
            let times = queue.started_at.values();
            times.map(|started| i128::from(now.since(*started).0)).collect::<Vec<_>>()
        };
        let gauge = |name, help, kind, value: &dyn Fn(&Queue) -> String, out: &mut String| {
            head(name, help, kind, out);
            for (queue, state) in queues {
                let _ = writeln!(out, "{name}{{{}}} {}", label(queue), value(state));
            }
        };
        let help = "Total number of adds handled by workqueue";
        gauge("workqueue_adds_total", help, "counter", &|q| q.adds.to_string(), out);
        let help = "Current depth of workqueue";
        gauge("workqueue_depth", help, "gauge", &|q| q.added_at.len().to_string(), out);
        let help = "How many seconds has the longest running processor for workqueue been running.";
        let longest = |q: &Queue| seconds(running(q).into_iter().max().unwrap_or(0));
        gauge("workqueue_longest_running_processor_seconds", help, "gauge", &longest, out);
        let name = "workqueue_queue_duration_seconds";
        let help = "How long in seconds an item stays in workqueue before being requested.";
        head(name, help, "histogram", out);
        for (queue, state) in queues {
            state.waiting.write(name, &label(queue), out);
        }
        let help = "How many seconds of work has done that is in progress and hasn't been observed \
                    by work_duration.";
        let unfinished = |q: &Queue| seconds(running(q).into_iter().sum());
        gauge("workqueue_unfinished_work_seconds", help, "gauge", &unfinished, out);
        let name = "workqueue_work_duration_seconds";
        head(
            name,
            "How long in seconds processing an item from workqueue takes.",
            "histogram",
            out,
        );
        for (queue, state) in queues {
            state.working.write(name, &label(queue), out);
        }
    }
}

fn head(name: &str, help: &str, kind: &str, out: &mut String) {
    let _ = writeln!(out, "# HELP {name} [ALPHA] {help}\n# TYPE {name} {kind}");
}

/// Nanoseconds as a decimal of seconds, exactly.
fn seconds(nanos: i128) -> String {
    let sign = if nanos < 0 { "-" } else { "" };
    let (whole, rest) = (nanos.abs() / NANOS, nanos.abs() % NANOS);
    let fraction = format!("{rest:09}");
    let fraction = fraction.trim_end_matches('0');
    if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_exact() {
        assert_eq!(seconds(0), "0");
        assert_eq!(seconds(1_500_000_000), "1.5");
        assert_eq!(seconds(1), "0.000000001");
        assert_eq!(seconds(-2_000_000_000), "-2");
    }

    #[test]
    fn buckets_are_cumulative_and_include_their_bound() {
        let mut histogram = Histogram::new(&QUEUE_BUCKETS);
        histogram.observe(10);
        histogram.observe(2_000_000_000);
        assert_eq!(histogram.counts, [1, 1, 1, 1, 1, 1, 1, 1, 1, 2]);
        assert_eq!((histogram.count, histogram.sum), (2, 2_000_000_010));
    }

    /// #141311: what the released controllers report.
    #[test]
    fn deletion_samples_are_as_wrong_as_the_real_ones() {
        assert_eq!(seconds(sample(5_000_000)), "5000000000000000");
        assert!(sample(10_000_000_000) < 0);
    }
}
