//! The control plane's settings: the same names, units and defaults as in the scenario language.

use crate::kernel::{Span, SpanRange, Time};
use crate::profile::{NEWEST, Profile, Switches};

/// Settings of one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The version of Kubernetes.
    pub profile: Profile,
    /// How its taint manager behaves: the profile's switches, as gates and the scenario set them.
    pub switches: Switches,
    /// The seed of every random choice.
    pub seed: u64,
    /// All that is due at or before this runs. `None`: until nothing is pending, at most
    /// [`Config::UNBOUNDED_LIMIT`].
    pub until: Option<Time>,
    /// The taint manager's settings.
    pub taint_manager: TaintManagerConfig,
    /// The API server's settings.
    pub api_server: ApiServerConfig,
    /// What a DELETE of a scheduled pod does.
    pub termination: PodTermination,
    /// How long a pod takes to stop under [`PodTermination::Graceful`]; at most its grace period.
    pub stop_after: Span,
}

impl Config {
    /// How long a run without `until` goes on at most: 24 h.
    pub const UNBOUNDED_LIMIT: Time = Time(24 * 3_600 * 1_000_000_000);
}

impl Default for Config {
    fn default() -> Self {
        Config {
            profile: NEWEST,
            switches: NEWEST.switches(),
            seed: 0,
            until: None,
            taint_manager: TaintManagerConfig::default(),
            api_server: ApiServerConfig::default(),
            termination: PodTermination::Immediate,
            stop_after: Span::from_secs(2),
        }
    }
}

/// k8s v1.36 pkg/controller/tainteviction: `UpdateWorkerSize`, `NodeUpdateChannelSize`,
/// `podUpdateChannelSize`, `retries`, and the sleep between tries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaintManagerConfig {
    /// Off: nobody looks at NoExecute taints.
    pub enabled: bool,
    /// Shards, each with one worker, one node channel and one pod channel. At least 1.
    pub workers: u32,
    /// Capacity of a shard's node channel. At least 1.
    pub node_channel_capacity: u32,
    /// Capacity of a shard's pod channel. At least 1.
    pub pod_channel_capacity: u32,
    /// Attempts of one deletion. At least 1.
    pub delete_retries: u32,
    /// Sleep after each failed attempt, the last one included.
    pub retry_interval: Span,
    /// So long each run of a handler keeps its worker.
    pub handler_cost: SpanRange,
    /// What Go leaves open is drawn from the seed; else it is first in, first out.
    pub random_interleaving: bool,
}

impl Default for TaintManagerConfig {
    fn default() -> Self {
        TaintManagerConfig {
            enabled: true,
            workers: 8,
            node_channel_capacity: 10,
            pod_channel_capacity: 1,
            delete_retries: 5,
            retry_interval: Span::from_millis(10),
            handler_cost: SpanRange::default(),
            random_interleaving: false,
        }
    }
}

/// The API server's settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ApiServerConfig {
    /// From the call until the store acts.
    pub latency: Latency,
    /// From the store's change to the caller's answer.
    pub reply_latency: Latency,
    /// From the store's change to the informer.
    pub watch_latency: WatchLatency,
    /// How the scenario's own objects and updates are checked.
    pub validation: Validation,
}

/// A span per verb; a range is drawn for each call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Latency {
    /// GET of one object.
    pub get: SpanRange,
    /// LIST, as informers start with, and handlers up to 1.15.
    pub list: SpanRange,
    /// PATCH.
    pub patch: SpanRange,
    /// DELETE.
    pub delete: SpanRange,
}

/// A span per watch; a range is drawn for each event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WatchLatency {
    /// The watch on pods.
    pub pods: SpanRange,
    /// The watch on nodes.
    pub nodes: SpanRange,
}

/// Whether the API's rules hold for what the scenario does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Validation {
    /// As the real API server.
    #[default]
    Strict,
    /// What it would refuse goes through.
    Ignore,
}

/// What a DELETE of a scheduled pod does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PodTermination {
    /// The object goes at once.
    #[default]
    Immediate,
    /// `deletionTimestamp` is set; the object goes when the pod has stopped.
    Graceful,
    /// `deletionTimestamp` is set; nobody ever confirms.
    Never,
}
