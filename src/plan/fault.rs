//! Calls that fail.

use super::action::{NodeTarget, PodTarget};
use crate::kernel::Time;

/// The verbs of calls that a fault can name, as in RBAC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verb {
    /// GET of an object.
    Get,
    /// LIST of a node's pods by a handler (up to 1.15). Lists of informers are not hit.
    List,
    /// POST: a new object, or a binding.
    Create,
    /// Every change of an object.
    Patch,
    /// DELETE of an object.
    Delete,
}

/// What calls are about; subresources go by the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Resource {
    /// Pods.
    Pods,
    /// Nodes.
    Nodes,
}

impl Resource {
    /// The resource's name, as in RBAC.
    pub fn as_str(self) -> &'static str {
        match self {
            Resource::Pods => "pods",
            Resource::Nodes => "nodes",
        }
    }
}

/// The API's reason for refusing a call (`metav1.StatusReason`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ApiError {
    /// 500.
    InternalError,
    /// 409: an update of something that changed.
    Conflict,
    /// 404.
    NotFound,
    /// With 429: clients wait for a second, as the answer asks, and try again (client-go: up to ten
    /// times) before their caller hears of it.
    TooManyRequests,
    /// 500 with `ServerTimeout`: try again.
    ServerTimeout,
    /// 504: the store may have changed or not.
    Timeout,
    /// 403: a webhook or authorization said no.
    Forbidden,
}

impl ApiError {
    /// The reason's text.
    pub fn as_str(self) -> &'static str {
        match self {
            ApiError::InternalError => "InternalError",
            ApiError::Conflict => "Conflict",
            ApiError::NotFound => "NotFound",
            ApiError::TooManyRequests => "TooManyRequests",
            ApiError::ServerTimeout => "ServerTimeout",
            ApiError::Timeout => "Timeout",
            ApiError::Forbidden => "Forbidden",
        }
    }
}

/// Which objects' calls a fault hits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultTarget {
    /// All.
    All,
    /// Calls on these pods, by name: a re-created pod is the same.
    Pods(PodTarget),
    /// Calls on these nodes; a LIST is one on the node whose pods it asks for.
    Nodes(NodeTarget),
}

/// Whose calls a fault hits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Caller {
    /// The taint manager's.
    #[default]
    TaintManager,
    /// Also those of the scenario's own steps, as a webhook would.
    Any,
}

/// A chance, as a decimal writes it: `parts` out of `of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probability {
    /// At most `of`.
    pub parts: u64,
    /// A power of ten.
    pub of: u64,
}

/// A rule that makes calls fail. The first listed rule that applies decides. Its conditions hold
/// together: the call is one of the `first`, its time lies in `between`, and the draw is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Which calls.
    pub verb: Verb,
    /// On what.
    pub resource: Resource,
    /// On which of them.
    pub target: FaultTarget,
    /// By whom.
    pub caller: Caller,
    /// The reason that the caller gets.
    pub error: ApiError,
    /// The store does what was asked, and only the answer is lost ([`ApiError::Timeout`]).
    pub applied: bool,
    /// The text that goes with it.
    pub message: Option<Box<str>>,
    /// Only the first so many of the calls that match fail; `None`: all.
    pub first: Option<u64>,
    /// How likely it is; `None`: certain.
    pub probability: Option<Probability>,
    /// From the first time on and before the second one; `None`: always.
    pub between: Option<(Time, Time)>,
    /// Where its entry stands: `maint.yaml:12`; for messages.
    pub place: Box<str>,
}

impl Fault {
    /// A fault of every such call of the taint manager on pods.
    pub fn new(verb: Verb, error: ApiError) -> Fault {
        Fault {
            verb,
            resource: Resource::Pods,
            target: FaultTarget::All,
            caller: Caller::TaintManager,
            error,
            applied: false,
            message: None,
            first: None,
            probability: None,
            between: None,
            place: Box::default(),
        }
    }
}
