//! What holds in every run of the modelled version. A breach is a mistake of the model, or of the
//! rule.
//!
//! The records at `Trace` are all that is looked at: what stands where is worked out from them
//! again, in another way than the taint manager's.

mod queues;
mod tainted;
mod trail;
mod work;

use super::{Breach, Rule};
use crate::kernel::Time;
use crate::plan::Plan;
use crate::timeline::{Context, Record};
use queues::Queues;
use tainted::Tainted;
use trail::Trail;
use work::Works;

const fn rule(name: &'static str, sentence: &'static str, source: &'static str) -> Rule {
    Rule { name, sentence, source, slack: "none" }
}

const TIMELINE: &str = "docs/timeline.md";
const CLIENT_GO: &str = "client-go util/workqueue";
const TAINT_EVICTION: &str = "pkg/controller/tainteviction/taint_eviction.go";
const TIMED_WORKERS: &str = "pkg/controller/tainteviction/timed_workers.go";

const NUMBERS: Rule = rule(
    "controller/numbers",
    "Records are numbered without a gap, and time never runs backwards.",
    TIMELINE,
);
const CAUSES: Rule = rule(
    "controller/causes",
    "Every record has an earlier cause of a fitting kind, or is of a kind that begins something.",
    TIMELINE,
);
const VERSIONS: Rule = rule(
    "controller/versions-grow",
    "Of one object, an informer hears only of ever newer versions.",
    "the API's concept of resourceVersion",
);
const ONE_TIMER: Rule = rule(
    "controller/one-timer",
    "A pod's name has at most one timer; another one only where the end of a deletion has \
     orphaned the first.",
    TIMED_WORKERS,
);
const FIRE_TIME: Rule = rule(
    "controller/fire-time",
    "Work is due tolerationSeconds after it was added, wrapped in 64 bits of nanoseconds.",
    TAINT_EVICTION,
);
const SEEN: Rule = rule(
    "controller/seen-in-the-store",
    "Work rests on taints and tolerations that the node and the pod had.",
    TAINT_EVICTION,
);
const TAINTED_NODES: Rule = rule(
    "controller/tainted-nodes",
    "The controller has a node under the NoExecute taints that it had when the node was last \
     handled.",
    TAINT_EVICTION,
);
const STARTS_WHEN_DUE: Rule = rule(
    "controller/starts-when-due",
    "A deletion starts once, when its work is due, not after it was cancelled or its process \
     stopped.",
    TIMED_WORKERS,
);
const CANCEL_NEEDS_TIMER: Rule = rule(
    "controller/cancel-needs-timer",
    "Only work on a timer can be cancelled, and only once; then comes one Cancelling Event.",
    TIMED_WORKERS,
);
const MARKED_ONCE: Rule = rule(
    "controller/marked-once",
    "Each deletion emits one Marking Event; Events of one message are counted.",
    TAINT_EVICTION,
);
const ATTEMPTS: Rule = rule(
    "controller/attempts",
    "A deletion makes at most deleteRetries attempts, each a sleep after one that failed, and \
     gives up only after the last.",
    TAINT_EVICTION,
);
const CALLS: Rule = rule(
    "controller/calls-in-order",
    "An attempt is GET, PATCH, DELETE, or DELETE alone where there is no condition; nothing \
     follows an accepted DELETE.",
    TAINT_EVICTION,
);
const STANDING: Rule = rule(
    "controller/skipped-for-a-reason",
    "Work is skipped only while a timer, a deletion or a marker stands under the pod's name.",
    TIMED_WORKERS,
);
const QUIET: Rule = rule(
    "controller/quiet-when-down",
    "Without a running process nothing is dispatched, handled, scheduled or cancelled.",
    TAINT_EVICTION,
);
const QUEUE: Rule = rule(
    "controller/queue",
    "An item waits once, leaves its queue only if it was put there, and a second one is dropped \
     only while the first one waits.",
    CLIENT_GO,
);
const KEY_TWICE: Rule = rule("controller/no-key-twice", "No two workers hold one item.", CLIENT_GO);
const CAPACITY: Rule = rule(
    "controller/channel-capacity",
    "No channel holds more than it can, and a dispatcher waits only for one that is full.",
    TAINT_EVICTION,
);
const DISPATCHER: Rule = rule(
    "controller/one-dispatcher",
    "A dispatcher that waits sends nothing else before.",
    TAINT_EVICTION,
);
const WORKER: Rule = rule(
    "controller/one-worker",
    "A worker handles one item at a time, of those in its channels, and a pod only when its node \
     channel is empty.",
    TAINT_EVICTION,
);
const SHARD: Rule = rule(
    "controller/shard",
    "An item goes to the shard of its node's name: FNV-1a modulo the workers.",
    TAINT_EVICTION,
);

/// The rules of this family.
pub const RULES: [Rule; 20] = [
    NUMBERS,
    CAUSES,
    VERSIONS,
    ONE_TIMER,
    FIRE_TIME,
    SEEN,
    TAINTED_NODES,
    STARTS_WHEN_DUE,
    CANCEL_NEEDS_TIMER,
    MARKED_ONCE,
    ATTEMPTS,
    CALLS,
    STANDING,
    QUIET,
    QUEUE,
    KEY_TWICE,
    CAPACITY,
    DISPATCHER,
    WORKER,
    SHARD,
];

/// Collects breaches: of each rule the first.
#[derive(Debug, Default)]
struct Report {
    breaches: Vec<Breach>,
}

impl Report {
    fn say(&mut self, rule: &Rule, at: Time, text: impl FnOnce() -> String) {
        if self.breaches.iter().all(|breach| breach.rule != rule.name) {
            self.breaches.push(Breach { rule: rule.name.into(), at, pod: None, text: text() });
        }
    }
}

/// Watches a run by these rules.
#[derive(Debug, Default)]
pub struct Watcher {
    trail: Trail,
    works: Works,
    queues: Queues,
    tainted: Tainted,
    report: Report,
}

impl Watcher {
    /// Before a run of this plan.
    pub fn reset(&mut self, plan: &Plan) {
        self.trail.reset(plan);
        self.works.reset(plan);
        self.queues.reset(plan);
        self.tainted.reset(plan);
        self.report.breaches.clear();
    }

    /// One record.
    pub fn record(&mut self, context: Context<'_>, record: &Record) {
        self.trail.record(context, record, &mut self.report);
        self.works.record(context, record, &mut self.report);
        self.queues.record(context, record, &mut self.report);
        self.tainted.record(context, record, &mut self.report);
    }

    /// The breaches of the run, in the order in which they came.
    pub fn finish(&mut self, into: &mut Vec<Breach>) {
        into.append(&mut self.report.breaches);
    }
}
