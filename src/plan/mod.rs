//! A plan: a scenario made ready to run. Names are numbers, ranges are expanded, lists are
//! interned, and everything that can be wrong before a run has been refused.
//!
//! The scenario loader makes plans from files; a fuzzer or an embedding program makes them with
//! [`Plan`]'s own methods. A [`crate::cluster::World`] runs one.

mod action;
mod config;
mod fault;

pub use action::{
    Action, ApplyNode, ApplyPod, LabelChange, NodeTarget, PodTarget, Step, StepAction, TaintChange,
    TaintPattern, Trigger, When,
};
pub use config::{
    ApiServerConfig, Config, Latency, PodTermination, TaintManagerConfig, Validation, WatchLatency,
};
pub use fault::{ApiError, Caller, Fault, FaultTarget, Probability, Resource, Verb};

use crate::objects::{LabelsId, Lists, Names, NodeId, PodId, TaintsId, TolerationsId};

/// Everything that a run needs; see the module's page.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// `metadata.name`, or the stem of the file's name.
    pub name: String,
    /// The control plane's settings.
    pub config: Config,
    /// All names that the run can meet.
    pub names: Names,
    /// The lists known before the run; a run adds its own.
    pub lists: Lists,
    /// Nodes that exist at the start, in the order of their creation.
    pub nodes: Vec<NodeSpec>,
    /// Pods that exist at the start, in the order of their creation.
    pub pods: Vec<PodSpec>,
    /// What happens to them, in the order of the file.
    pub steps: Vec<Step>,
    /// The calls that fail, in the order of the file.
    pub faults: Vec<Fault>,
    /// The uids that manifests gave to their pods; [`PodSpec::manifest_uid`] points here.
    pub manifest_uids: Vec<Box<str>>,
}

/// A node to be created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeSpec {
    /// Its name.
    pub node: NodeId,
    /// `spec.taints`.
    pub taints: TaintsId,
    /// `metadata.labels`.
    pub labels: LabelsId,
    /// `spec.unschedulable`, as `kubectl cordon` sets it.
    pub unschedulable: bool,
    /// What a DELETE of a pod on this node does; `None`: as the scenario says for all.
    pub termination: Option<PodTermination>,
}

/// A pod to be created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PodSpec {
    /// Its namespace and name.
    pub pod: PodId,
    /// `spec.nodeName`; `None` is unscheduled. The node need not exist.
    pub node: Option<NodeId>,
    /// `spec.tolerations`, after admission.
    pub tolerations: TolerationsId,
    /// `metadata.labels`.
    pub labels: LabelsId,
    /// `spec.terminationGracePeriodSeconds`.
    pub grace_period_seconds: u32,
    /// It has a `deletionTimestamp` already (manifests only), and keeps it: nothing confirms.
    pub terminating: bool,
    /// Its status has the condition already that the taint manager would patch (manifests only).
    pub disruption_target: bool,
    /// Its phase is Succeeded or Failed (manifests only): nothing runs that would have to stop.
    pub finished: bool,
    /// Index into [`Plan::manifest_uids`].
    pub manifest_uid: Option<u32>,
}

impl Plan {
    /// Whether anything in a run is drawn: else the seed makes no difference.
    pub fn is_random(&self) -> bool {
        let Config { taint_manager, api_server, .. } = &self.config;
        let ApiServerConfig { latency, reply_latency, watch_latency, .. } = api_server;
        let verbs = |l: &Latency| [l.get, l.list, l.patch, l.delete];
        let mut ranges = vec![taint_manager.handler_cost, watch_latency.pods, watch_latency.nodes];
        ranges.extend(verbs(latency));
        ranges.extend(verbs(reply_latency));
        taint_manager.random_interleaving
            || ranges.iter().any(|range| range.low != range.high)
            || self.faults.iter().any(|fault| fault.probability.is_some())
    }
}

impl NodeSpec {
    /// A node without taints and labels.
    pub fn new(node: NodeId) -> NodeSpec {
        NodeSpec {
            node,
            taints: Lists::NO_TAINTS,
            labels: Lists::NO_LABELS,
            unschedulable: false,
            termination: None,
        }
    }
}

impl PodSpec {
    /// The default of `spec.terminationGracePeriodSeconds` in core/v1.
    pub const DEFAULT_GRACE_PERIOD_SECONDS: u32 = 30;

    /// A pod without tolerations and labels.
    pub fn new(pod: PodId, node: Option<NodeId>) -> PodSpec {
        PodSpec {
            pod,
            node,
            tolerations: Lists::NO_TOLERATIONS,
            labels: Lists::NO_LABELS,
            grace_period_seconds: Self::DEFAULT_GRACE_PERIOD_SECONDS,
            terminating: false,
            disruption_target: false,
            finished: false,
            manifest_uid: None,
        }
    }
}
