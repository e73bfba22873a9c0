//! The keys of `spec` that set up the control plane.

use super::TERMINATION;
use super::text::{DURATION, DURATION_RANGE};
use crate::reference::{Field, Kind, Mapping, field};

/// The words of `podTermination`.
pub(super) const TERMINATIONS: &[&str] = &["Immediate", "Graceful", "Never"];

/// The keys of `spec`.
pub(super) const KEYS: &[Field] = &[
    field(
        "taintManager",
        Kind::Mapping(&TAINT_MANAGER),
        "The taint manager, today's taint-eviction-controller. The defaults are its own.",
        "taintManager: {workers: 4}",
    ),
    field(
        "admission",
        Kind::Mapping(&ADMISSION),
        "What admission plugins do to the scenario's pods.",
        "admission:\n  defaultTolerationSeconds: {enabled: false}",
    ),
    field(
        "apiServer",
        Kind::Mapping(&API_SERVER),
        "How long calls and watch events take, and what the API server refuses. Without it there \
         is no delay, so that times come out round.",
        "apiServer:\n  latency: {delete: 5ms}",
    ),
    field(
        "podTermination",
        TERMINATION,
        "What a DELETE does to a pod: `Immediate` removes the object, `Graceful` makes it \
         terminating and removes it after `stopAfter`, `Never` leaves it terminating. A pod that \
         is unscheduled, finished (in a manifest), or without a grace period goes at once.",
        "podTermination: Graceful",
    )
    .default("Immediate"),
    field(
        "stopAfter",
        Kind::Text(&DURATION),
        "How long pods take to stop under `Graceful`. Never longer than the grace period.",
        "podTermination: Graceful\nstopAfter: 5s",
    )
    .default("2s"),
];

pub(super) static TAINT_MANAGER: Mapping = Mapping {
    name: "TaintManager",
    about: "The taint manager, today's taint-eviction-controller.",
    groups: &[&[
        field(
            "enabled",
            Kind::Boolean,
            "Whether it runs. `false`: nobody looks at NoExecute taints. 1.27 and 1.28 cannot switch \
             it off, and later versions only with SeparateTaintEvictionController.",
            "enabled: false",
        )
        .default("true"),
        field(
            "workers",
            AT_LEAST_ONE,
            "Its shards, each with one worker. A node and its pods belong to one of them. Without \
             the switch `shardedWorkers`, as up to 1.10, the default is 1.",
            "workers: 4",
        )
        .default("8"),
        field(
            "nodeChannelCapacity",
            AT_LEAST_ONE,
            "How many node items wait in front of a worker.",
            "nodeChannelCapacity: 1",
        )
        .default("10"),
        field(
            "podChannelCapacity",
            AT_LEAST_ONE,
            "How many pod items wait in front of a worker.",
            "podChannelCapacity: 4",
        )
        .default("1"),
        field(
            "deleteRetries",
            AT_LEAST_ONE,
            "The attempts of a deletion in all. After the last one the pod is forgotten.",
            "deleteRetries: 3",
        )
        .default("5"),
        field(
            "retryInterval",
            Kind::Text(&DURATION),
            "The sleep after an attempt that failed, the last one included.",
            "retryInterval: 50ms",
        )
        .default("10ms"),
        field(
            "interleaving",
            Kind::Word(&["Fifo", "Random"]),
            "In which order things go on where Go leaves the order open. `Fifo`: first in, first \
             out. `Random`: which goroutine goes on, which ready channel a `select` takes and in \
             which order a node's pods come is drawn by the seed. A step comes after what is due at \
             its time all the same; a `burst`, also of one action, before or after it.",
            "interleaving: Random",
        )
        .default("Fifo"),
        field(
            "handlerCost",
            Kind::Text(&DURATION_RANGE),
            "How long each run of a handler keeps its worker, so that items pile up behind it.",
            "handlerCost: 1ms..5ms",
        )
        .default("0s"),
    ]],
    rules: &[],
};

const AT_LEAST_ONE: Kind = Kind::Integer { least: Some(1), greatest: Some(1_000_000), unit: None };

pub(super) static ADMISSION: Mapping = Mapping {
    name: "Admission",
    about: "What admission plugins do to the scenario's pods. They never act on manifests.",
    groups: &[&[field(
        "defaultTolerationSeconds",
        Kind::Mapping(&DEFAULT_TOLERATION_SECONDS),
        "The plugin DefaultTolerationSeconds.",
        "defaultTolerationSeconds: {notReady: 30, unreachable: 30}",
    )]],
    rules: &[],
};

static DEFAULT_TOLERATION_SECONDS: Mapping = Mapping {
    name: "DefaultTolerationSeconds",
    about: "The plugin DefaultTolerationSeconds: a pod without a toleration of \
            `node.kubernetes.io/not-ready` (or without a key) with the effect NoExecute or empty \
            gets one, and the same for `unreachable`. Acts on `pods`, `createPod`, `apply` and \
            `setTolerations`, not on manifests.",
    groups: &[&[
        field(
            "enabled",
            Kind::Boolean,
            "Whether the plugin is on, as it is in Kubernetes.",
            "enabled: false",
        )
        .default("true"),
        field(
            "notReady",
            SECONDS,
            "The `tolerationSeconds` for `node.kubernetes.io/not-ready`.",
            "notReady: 30",
        )
        .default("300"),
        field(
            "unreachable",
            SECONDS,
            "The `tolerationSeconds` for `node.kubernetes.io/unreachable`.",
            "unreachable: 30",
        )
        .default("300"),
    ]],
    rules: &[],
};

const SECONDS: Kind = Kind::Integer { least: None, greatest: None, unit: Some("seconds") };

pub(super) static API_SERVER: Mapping = Mapping {
    name: "APIServer",
    about: "How long calls and watch events take, and what the API server refuses.",
    groups: &[&[
        field(
            "latency",
            Kind::Mapping(&LATENCY),
            "From a call of the taint manager until the store acts.",
            "latency: {patch: 5ms, delete: 5ms}",
        ),
        field(
            "replyLatency",
            Kind::Mapping(&LATENCY),
            "From the store's change until the caller has the answer. The watch event may overtake \
             it.",
            "replyLatency: {delete: 20ms}",
        ),
        field(
            "watchLatency",
            Kind::Mapping(&WATCH_LATENCY),
            "From a change in the store until the controller hears of it.",
            "watchLatency: {pods: 50ms, nodes: 200ms}",
        ),
        field(
            "validation",
            Kind::Word(&["Strict", "Ignore"]),
            "`Strict` refuses what the real API refuses. `Ignore` lets it through, for tests of \
             the matcher; editors go on marking it, since the schema has the strict rules only.",
            "validation: Strict",
        )
        .default("Strict"),
    ]],
    rules: &[],
};

static LATENCY: Mapping = Mapping {
    name: "Latency",
    about: "A duration, or a range of which one is drawn for each call, for each verb of the taint \
            manager's calls.",
    groups: &[&[
        field("get", Kind::Text(&DURATION_RANGE), "Of the GET that begins an attempt.", "get: 5ms")
            .default("0s"),
        field(
            "list",
            Kind::Text(&DURATION_RANGE),
            "Of the lists at the start of a controller, after a broken watch, and of handlers up to \
             1.15. The first controller has its lists at 0s, whatever this says; only a \
             restarted one waits for them.",
            "list: 1s",
        )
        .default("0s"),
        field("patch", Kind::Text(&DURATION_RANGE), "Of the PATCH of the pod's status.", "patch: 5ms")
            .default("0s"),
        field("delete", Kind::Text(&DURATION_RANGE), "Of the DELETE of the pod.", "delete: 5ms")
            .default("0s"),
    ]],
    rules: &[],
};

static WATCH_LATENCY: Mapping = Mapping {
    name: "WatchLatency",
    about: "A duration, or a range of which one is drawn for each event, for each watch of the taint \
            manager. Order within one watch is kept.",
    groups: &[&[
        field("pods", Kind::Text(&DURATION_RANGE), "Of the watch of pods.", "pods: 50ms")
            .default("0s"),
        field("nodes", Kind::Text(&DURATION_RANGE), "Of the watch of nodes.", "nodes: 200ms")
            .default("0s"),
    ]],
    rules: &[],
};
