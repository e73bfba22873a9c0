//! What the API server refuses because of the state: names are unique, a bound pod stays bound,
//! tolerations of a live pod are only added to.
//!
//! Rules about the form of an object are the scenario loader's. Under `validation: Ignore` the
//! rules for a pod's spec do not hold; existence always counts.

use super::store::{NodeObject, PodObject, Store};
use crate::objects::validation::tolerations_only_added;
use crate::objects::{Lists, Names, NodeId, PodId, TolerationsId};
use crate::plan::{ApiError, Validation};

/// Why the API server refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The reason, as text: most are [`ApiError`]s, creation knows `AlreadyExists` and updates
    /// `Invalid`.
    pub reason: &'static str,
    /// The server's words.
    pub message: String,
}

impl Refused {
    fn new(reason: &'static str, message: String) -> Refused {
        Refused { reason, message }
    }

    fn exists(resource: &str, name: &str) -> Refused {
        Refused::new("AlreadyExists", format!("{resource} \"{name}\" already exists"))
    }

    fn not_found(resource: &str, name: &str) -> Refused {
        Refused::new(ApiError::NotFound.as_str(), format!("{resource} \"{name}\" not found"))
    }
}

/// As kubectl prints it.
impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Error from server ({}): {}", self.reason, self.message)
    }
}

impl Store {
    /// Whether a pod of this name can be created.
    ///
    /// # Errors
    /// `AlreadyExists`.
    pub fn check_create_pod(&self, pod: PodId, names: &Names) -> Result<(), Refused> {
        match self.pod(pod) {
            None => Ok(()),
            Some(_) => Err(Refused::exists("pods", names.pod_parts(pod).1)),
        }
    }

    /// Whether a node of this name can be created.
    ///
    /// # Errors
    /// `AlreadyExists`.
    pub fn check_create_node(&self, node: NodeId, names: &Names) -> Result<(), Refused> {
        match self.node(node) {
            None => Ok(()),
            Some(_) => Err(Refused::exists("nodes", names.node(node))),
        }
    }

    /// The pod of this name, for a caller that needs one.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn get_pod(&self, pod: PodId, names: &Names) -> Result<PodObject, Refused> {
        self.pod(pod).copied().ok_or_else(|| Refused::not_found("pods", names.pod_parts(pod).1))
    }

    /// The node of this name, for a caller that needs one.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn get_node(&self, node: NodeId, names: &Names) -> Result<NodeObject, Refused> {
        self.node(node).copied().ok_or_else(|| Refused::not_found("nodes", names.node(node)))
    }

    /// Whether a pod may get these tolerations; the pod as it is.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` where a toleration would go or change in more than its seconds
    /// (k8s v1.36 pkg/apis/core/validation `ValidatePodUpdate`).
    pub fn check_tolerations(
        &self,
        pod: PodId,
        tolerations: TolerationsId,
        validation: Validation,
        (names, lists): (&Names, &Lists),
    ) -> Result<PodObject, Refused> {
        let object = self.get_pod(pod, names)?;
        if validation == Validation::Strict {
            let (old, new) = (object.tolerations, tolerations);
            tolerations_only_added(lists.tolerations(old), lists.tolerations(new)).map_err(
                |why| {
                    let name = names.pod_parts(pod).1;
                    Refused::new("Invalid", format!("Pod \"{name}\" is invalid: {why}"))
                },
            )?;
        }
        Ok(object)
    }

    /// Whether a pod may be bound.
    ///
    /// # Errors
    /// `NotFound`; `Conflict` for a pod that has a node or is terminating.
    pub fn check_bind(
        &self,
        pod: PodId,
        validation: Validation,
        names: &Names,
    ) -> Result<(), Refused> {
        let object = self.get_pod(pod, names)?;
        if validation == Validation::Ignore {
            return Ok(());
        }
        let name = names.pod_parts(pod).1;
        let why = if object.deletion_timestamp.is_some() {
            format!("pod {name} is being deleted, cannot be assigned to a host")
        } else if let Some(bound) = object.node {
            format!("pod {name} is already assigned to node \"{}\"", names.node(bound))
        } else {
            return Ok(());
        };
        let message = format!("Operation cannot be fulfilled on pods/binding \"{name}\": {why}");
        Err(Refused::new(ApiError::Conflict.as_str(), message))
    }
}
