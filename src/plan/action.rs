//! Steps: what the scenario does to the store, and when.

use super::{NodeSpec, PodSpec, Resource};
use crate::kernel::time::{Span, Time};
use crate::objects::{
    Effect, Labels, LabelsId, Lists, Names, NodeId, PodId, Selector, TaintsId, TolerationsId,
};

/// A step of the scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Counted from 1 in the order of the file.
    pub number: u32,
    /// When it is applied.
    pub when: When,
    /// One action; several in a `burst`, applied back to back before anything is delivered.
    pub actions: Vec<StepAction>,
    /// It is a `burst`.
    pub burst: bool,
    /// A rejection is no failure for `test`.
    pub may_be_rejected: bool,
    /// Why the author put it there; printed with a failure.
    pub because: Option<Box<str>>,
}

/// One action, with the line that stands for it on the timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepAction {
    /// What it does.
    pub action: Action,
    /// How the timeline writes it, such as `taint nodes node-0 k=v:NoExecute`.
    pub text: Box<str>,
    /// It came as a kubectl command line: kubectl's own refusals apply (an absent taint or a label
    /// that would be overwritten), beside the API's.
    pub kubectl: bool,
}

/// When a step is applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum When {
    /// At this time, after all that was due then.
    At(Time),
    /// So long after the step above it was applied.
    AfterPrevious(Span),
    /// So long after something happened for the n-th time (counted from 1).
    After {
        /// What has to happen.
        trigger: Trigger,
        /// Which time it happens counts.
        occurrence: u32,
        /// How long after it.
        plus: Span,
    },
}

/// What an `after` step waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trigger {
    /// A timer for this pod was armed, or its deletion started at once (`EvictionScheduled`).
    Armed(PodId),
    /// A timer for this pod was cancelled (`EvictionCancelled`).
    Cancelled(PodId),
    /// The store accepted the taint manager's DELETE.
    Evicted(PodId),
    /// The pod object went.
    Removed(PodId),
    /// The pod got a node (at its creation, too).
    Bound(PodId),
    /// The node got a NoExecute taint (key and effect) that it did not have.
    Tainted(NodeId),
    /// The node's last NoExecute taint went.
    Untainted(NodeId),
}

/// Which nodes; asked when the step is applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeTarget {
    /// These, in this order, whether they exist or not.
    Names(Vec<NodeId>),
    /// All that exist and match, in the order of their creation; an empty selector is `"*"`.
    Matching(Selector),
}

/// Which pods; asked when the step is applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PodTarget {
    /// These, in this order, whether they exist or not.
    Names(Vec<PodId>),
    /// All that exist and match, in the order of their creation.
    Matching {
        /// Only this namespace; `None`: all.
        namespace: Option<Box<str>>,
        /// An empty selector matches all.
        selector: Selector,
    },
}

impl Action {
    /// Touches nothing: in the place of another action it keeps the step and its time.
    pub fn nothing() -> Action {
        Action::LabelPods {
            pods: PodTarget::Names(Vec::new()),
            change: LabelChange { set: Vec::new(), remove: Vec::new(), overwrite: false },
        }
    }
}

impl NodeTarget {
    /// Whether the node falls under the target.
    pub fn matches(&self, node: NodeId, labels: &Labels) -> bool {
        match self {
            NodeTarget::Names(names) => names.contains(&node),
            NodeTarget::Matching(selector) => selector.matches(labels),
        }
    }
}

impl PodTarget {
    /// Every pod.
    pub fn all() -> PodTarget {
        PodTarget::Matching { namespace: None, selector: Selector::default() }
    }

    /// Whether the pod falls under the target.
    pub fn matches(&self, pod: PodId, labels: LabelsId, names: &Names, lists: &Lists) -> bool {
        match self {
            PodTarget::Names(wanted) => wanted.contains(&pod),
            PodTarget::Matching { namespace, selector } => {
                let (pod_namespace, _) = names.pod_parts(pod);
                namespace.as_deref().is_none_or(|n| n == pod_namespace)
                    && selector.matches(lists.labels(labels))
            }
        }
    }
}

/// What a step does. Each of the objects that it names is updated on its own, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Changes `spec.taints` of nodes.
    Taint {
        /// Which nodes.
        nodes: NodeTarget,
        /// How.
        change: TaintChange,
    },
    /// Sets `spec.unschedulable` of nodes (`kubectl cordon` and `uncordon`).
    SetUnschedulable {
        /// Which nodes.
        nodes: NodeTarget,
        /// The new value.
        unschedulable: bool,
    },
    /// Creates nodes.
    CreateNodes(Vec<NodeSpec>),
    /// Creates pods.
    CreatePods(Vec<PodSpec>),
    /// Deletes nodes.
    DeleteNodes(NodeTarget),
    /// Deletes pods.
    DeletePods {
        /// Which pods.
        pods: PodTarget,
        /// `gracePeriodSeconds` of the delete options; `None`: the pod's own, 0: by force.
        grace_period_seconds: Option<u32>,
    },
    /// Sets `spec.nodeName`, as a scheduler does.
    BindPods {
        /// Which pods.
        pods: PodTarget,
        /// The node; it need not exist.
        node: NodeId,
    },
    /// Replaces `spec.tolerations`.
    SetTolerations {
        /// Which pods.
        pods: PodTarget,
        /// The new list, after admission.
        tolerations: TolerationsId,
        /// Goes past the API's rule for live pods.
        force: bool,
    },
    /// Changes labels of pods (`touchPod`, `kubectl label pods`).
    LabelPods {
        /// Which pods.
        pods: PodTarget,
        /// How.
        change: LabelChange,
    },
    /// Changes labels of nodes (`kubectl label nodes`).
    LabelNodes {
        /// Which nodes.
        nodes: NodeTarget,
        /// How.
        change: LabelChange,
    },
    /// Creates a node, or brings one to the manifest's state.
    ApplyNode(ApplyNode),
    /// Creates a pod, or brings one to the manifest's state.
    ApplyPod(ApplyPod),
    /// Breaks a watch of the controller.
    BreakWatch {
        /// On what.
        resource: Resource,
        /// So long after it the informer lists again.
        down_for: Span,
    },
    /// Stops the controller's process and starts a new one.
    RestartController {
        /// How long no process runs.
        down_for: Span,
    },
    /// A text for the reader.
    Note(Box<str>),
}

/// A change of a node's taints, in one update: first `remove`, then `add`; or `replace` alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaintChange {
    /// Taints that go. One that the node does not have rejects the change.
    pub remove: Vec<TaintPattern>,
    /// Taints that come. One with the key and effect of a taint that is there takes its place,
    /// with the new value.
    pub add: TaintsId,
    /// The whole new list.
    pub replace: Option<TaintsId>,
    /// For kubectl lines: an `add` may take the place of a taint (`--overwrite`).
    pub overwrite: bool,
}

/// Names taints by key, or by key and effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaintPattern {
    /// The key.
    pub key: Box<str>,
    /// The effect; `None`: every effect of that key.
    pub effect: Option<Effect>,
}

/// A change of labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelChange {
    /// Keys with their new values.
    pub set: Vec<(Box<str>, Box<str>)>,
    /// Keys that go.
    pub remove: Vec<Box<str>>,
    /// For kubectl lines: a value that is there may change (`--overwrite`).
    pub overwrite: bool,
}

/// `apply` of a Node manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApplyNode {
    /// The node to create where there is none.
    pub create: NodeSpec,
    /// `spec.taints`, where the manifest has the key; else the taints stay.
    pub taints: Option<TaintsId>,
}

/// `apply` of a Pod manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApplyPod {
    /// The pod to create where there is none.
    pub create: PodSpec,
    /// `spec.tolerations`, after admission, where the manifest has the key; else they stay.
    pub tolerations: Option<TolerationsId>,
}
