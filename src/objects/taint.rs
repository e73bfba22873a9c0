//! Taints, and how kubectl writes them.

use std::fmt;

/// What a taint does. An effect that Kubernetes does not know can only come from a manifest or
/// under `apiServer.validation: Ignore`; it is kept, and nothing acts on it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// New pods without a toleration are not scheduled here.
    NoSchedule,
    /// New pods without a toleration are scheduled here only if there is no better place.
    PreferNoSchedule,
    /// Pods without a toleration are evicted: the one that the taint manager looks at.
    NoExecute,
    /// Any other text, the empty one included.
    Other(Box<str>),
}

impl Effect {
    /// The three effects of core/v1.
    pub const KNOWN: [&str; 3] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

    /// Reads an effect; text that is none of the three becomes [`Effect::Other`].
    pub fn parse(text: &str) -> Effect {
        match text {
            "NoSchedule" => Effect::NoSchedule,
            "PreferNoSchedule" => Effect::PreferNoSchedule,
            "NoExecute" => Effect::NoExecute,
            other => Effect::Other(other.into()),
        }
    }

    /// The text of core/v1.
    pub fn as_str(&self) -> &str {
        match self {
            Effect::NoSchedule => "NoSchedule",
            Effect::PreferNoSchedule => "PreferNoSchedule",
            Effect::NoExecute => "NoExecute",
            Effect::Other(text) => text,
        }
    }
}

/// A node's taint. Kubernetes tells taints of one node apart by key and effect; value and
/// `timeAdded` count when lists are compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Taint {
    /// The key, such as `node.kubernetes.io/unreachable`.
    pub key: Box<str>,
    /// The value, often empty.
    pub value: Box<str>,
    /// What it does.
    pub effect: Effect,
    /// RFC 3339 text, as written. The taint manager never reads it, but a change of it makes the
    /// list unequal.
    pub time_added: Option<Box<str>>,
}

impl Taint {
    /// A taint without `timeAdded`.
    pub fn new(key: &str, value: &str, effect: Effect) -> Taint {
        Taint { key: key.into(), value: value.into(), effect, time_added: None }
    }

    /// Whether both are the same taint to the API and to kubectl: key and effect.
    pub fn same_key_and_effect(&self, other: &Taint) -> bool {
        self.key == other.key && self.effect == other.effect
    }
}

/// The taints of a list that the taint manager looks at.
pub fn no_execute(taints: &[Taint]) -> impl Iterator<Item = &Taint> {
    taints.iter().filter(|taint| taint.effect == Effect::NoExecute)
}

/// As `kubectl describe node` prints it: `key=value:Effect`, or `key:Effect` without a value.
impl fmt::Display for Taint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.value.is_empty() {
            write!(f, "{}:{}", self.key, self.effect.as_str())
        } else {
            write!(f, "{}={}:{}", self.key, self.value, self.effect.as_str())
        }
    }
}
