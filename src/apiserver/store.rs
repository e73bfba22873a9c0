//! Objects and their versions: create, get, update, patch, bind, delete.
//!
//! Whether a change may be made is asked before, in [`super::rules`]; the store asserts it.

use crate::kernel::{Span, Time};
use crate::objects::{LabelsId, Names, NodeId, PodId, TaintsId, TolerationsId, Uid};
use crate::plan::{NodeSpec, PodSpec, PodTermination};
use crate::timeline::Cause;

/// A pod object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PodObject {
    /// Its incarnation.
    pub uid: Uid,
    /// `spec.nodeName`.
    pub node: Option<NodeId>,
    /// `spec.tolerations`.
    pub tolerations: TolerationsId,
    /// `metadata.labels`.
    pub labels: LabelsId,
    /// `spec.terminationGracePeriodSeconds`.
    pub grace_period_seconds: u32,
    /// `metadata.resourceVersion`.
    pub resource_version: u64,
    /// `metadata.deletionTimestamp`: when the pod should be gone.
    pub deletion_timestamp: Option<Time>,
    /// Its status has the taint manager's `DisruptionTarget` condition.
    pub disruption_target: bool,
    /// `status.phase` is Succeeded or Failed.
    pub finished: bool,
    /// What its last change was recorded as, or the nearest recorded ancestor of that.
    pub cause: Cause,
}

/// A node object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeObject {
    /// `spec.taints`.
    pub taints: TaintsId,
    /// `metadata.labels`.
    pub labels: LabelsId,
    /// `spec.unschedulable`.
    pub unschedulable: bool,
    /// `metadata.resourceVersion`.
    pub resource_version: u64,
    /// What a DELETE of a pod here does; `None`: as for all.
    pub termination: Option<PodTermination>,
    /// What its last change was recorded as, or the nearest recorded ancestor of that.
    pub cause: Cause,
    /// The n-th node created in the run: its place in the order of creation.
    created: u32,
}

/// What changed, in the order of resource versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A pod object came, changed or went; old and new object.
    Pod(PodId, Option<PodObject>, Option<PodObject>),
    /// The same of a node.
    Node(NodeId, Option<NodeObject>, Option<NodeObject>),
}

/// What a DELETE of a pod did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deleted {
    /// The object is gone.
    Removed,
    /// It is terminating now, and stops so long from now; `None`: nobody will confirm.
    Terminating(Option<Span>),
    /// It was terminating before; nothing changed.
    AlreadyTerminating,
}

/// The objects.
#[derive(Debug, Default)]
pub struct Store {
    pods: Vec<Option<PodObject>>,
    nodes: Vec<Option<NodeObject>>,
    resource_version: u64,
    pods_created: u32,
    nodes_created: u32,
    /// Changes not yet carried away, with their causes.
    changes: Vec<(Change, Cause)>,
}

impl Store {
    /// Empties the store for a plan with these names.
    pub fn reset(&mut self, names: &Names) {
        self.pods.clear();
        self.pods.resize(names.pod_count(), None);
        self.nodes.clear();
        self.nodes.resize(names.node_count(), None);
        self.resource_version = 0;
        self.pods_created = 0;
        self.nodes_created = 0;
        self.changes.clear();
    }

    /// The pod of this name.
    pub fn pod(&self, pod: PodId) -> Option<&PodObject> {
        self.pods[pod.index()].as_ref()
    }

    /// The node of this name.
    pub fn node(&self, node: NodeId) -> Option<&NodeObject> {
        self.nodes[node.index()].as_ref()
    }

    /// All pods in the order of creation.
    pub fn pods(&self) -> Vec<(PodId, PodObject)> {
        let mut all: Vec<_> = present(&self.pods).map(|(i, pod)| (PodId(i), pod)).collect();
        all.sort_unstable_by_key(|(_, pod)| pod.uid);
        all
    }

    /// The pods of a node in the order of creation: a LIST by `spec.nodeName`, which looks at
    /// every pod, as the real one does.
    pub fn pods_on(&self, node: NodeId) -> Vec<(PodId, PodObject)> {
        let all = (0u32..).zip(&self.pods);
        let on = |(id, pod): (u32, &Option<PodObject>)| {
            pod.as_ref().filter(|pod| pod.node == Some(node)).map(|pod| (PodId(id), *pod))
        };
        let mut pods: Vec<_> = all.filter_map(on).collect();
        pods.sort_unstable_by_key(|(_, pod)| pod.uid);
        pods
    }

    /// All nodes in the order of creation.
    pub fn nodes(&self) -> Vec<(NodeId, NodeObject)> {
        let mut all: Vec<_> = present(&self.nodes).map(|(i, node)| (NodeId(i), node)).collect();
        all.sort_unstable_by_key(|(_, node)| node.created);
        all
    }

    /// Says what the last change of a pod was recorded as. No change of the object.
    pub fn set_pod_cause(&mut self, pod: PodId, cause: Cause) {
        if let Some(object) = &mut self.pods[pod.index()] {
            object.cause = cause;
        }
    }

    /// Says what the last change of a node was recorded as. No change of the object.
    pub fn set_node_cause(&mut self, node: NodeId, cause: Cause) {
        if let Some(object) = &mut self.nodes[node.index()] {
            object.cause = cause;
        }
    }

    /// Takes the changes that nobody has carried away yet.
    pub fn take_changes(&mut self, into: &mut Vec<(Change, Cause)>) {
        into.append(&mut self.changes);
    }

    /// Creates a pod; [`Store::check_create_pod`] must have found nothing against it.
    pub fn create_pod(&mut self, spec: &PodSpec, now: Time, cause: Cause) -> Uid {
        assert!(self.pod(spec.pod).is_none(), "a second pod of one name");
        self.pods_created += 1;
        let uid = Uid(self.pods_created);
        let object = PodObject {
            uid,
            node: spec.node,
            tolerations: spec.tolerations,
            labels: spec.labels,
            grace_period_seconds: spec.grace_period_seconds,
            resource_version: 0,
            deletion_timestamp: spec.terminating.then_some(now),
            disruption_target: spec.disruption_target,
            finished: spec.finished,
            cause,
        };
        self.write_pod(spec.pod, Some(object), cause);
        uid
    }

    /// Creates a node; [`Store::check_create_node`] must have found nothing against it.
    pub fn create_node(&mut self, spec: &NodeSpec, cause: Cause) {
        assert!(self.node(spec.node).is_none(), "a second node of one name");
        self.nodes_created += 1;
        let object = NodeObject {
            taints: spec.taints,
            labels: spec.labels,
            unschedulable: spec.unschedulable,
            resource_version: 0,
            termination: spec.termination,
            cause,
            created: self.nodes_created,
        };
        self.write_node(spec.node, Some(object), cause);
    }

    /// Replaces a node's object by a changed one. An update that changes nothing makes no version.
    pub fn update_node(&mut self, node: NodeId, object: NodeObject, cause: Cause) {
        if self.nodes[node.index()] != Some(object) {
            self.write_node(node, Some(object), cause);
        }
    }

    /// Sets a pod's labels and tolerations, in one update.
    pub fn update_pod_spec(
        &mut self,
        pod: PodId,
        (labels, tolerations): (LabelsId, TolerationsId),
        cause: Cause,
    ) {
        self.update_pod(pod, cause, |object| {
            object.labels = labels;
            object.tolerations = tolerations;
        });
    }

    /// Sets a pod's node.
    pub fn bind_pod(&mut self, pod: PodId, node: NodeId, cause: Cause) {
        self.update_pod(pod, cause, |object| object.node = Some(node));
    }

    /// Sets a pod's `DisruptionTarget` condition.
    pub fn set_disruption_target(&mut self, pod: PodId, cause: Cause) {
        self.update_pod(pod, cause, |object| object.disruption_target = true);
    }

    /// Deletes a pod. `grace_period_seconds` are those of the delete options.
    ///
    /// A pod that is unscheduled, finished, or without a grace period goes at once: no kubelet has
    /// to confirm (k8s v1.36 pkg/registry/core/pod `CheckGracefulDelete`).
    ///
    /// # Panics
    /// If there is no such pod: the caller has to ask before.
    pub fn delete_pod(
        &mut self,
        pod: PodId,
        grace_period_seconds: Option<u32>,
        (termination, stop_after): (PodTermination, Span),
        now: Time,
        cause: Cause,
    ) -> Deleted {
        let Some(object) = self.pod(pod) else {
            panic!("a pod that is not there cannot go, at {now}");
        };
        let forced = grace_period_seconds == Some(0);
        let grace = grace_period_seconds.unwrap_or(object.grace_period_seconds);
        if !forced && object.deletion_timestamp.is_some() {
            return Deleted::AlreadyTerminating;
        }
        let here = object.node.and_then(|node| self.node(node)).and_then(|node| node.termination);
        let termination = here.unwrap_or(termination);
        let nothing_to_stop = grace == 0 || object.node.is_none() || object.finished;
        let at_once = nothing_to_stop || termination == PodTermination::Immediate;
        if at_once {
            self.write_pod(pod, None, cause);
            return Deleted::Removed;
        }
        let grace = Span::from_secs(u64::from(grace));
        self.update_pod(pod, cause, |object| {
            object.deletion_timestamp = Some(now.saturating_add(grace));
        });
        let stops = (termination == PodTermination::Graceful).then(|| stop_after.min(grace));
        Deleted::Terminating(stops)
    }

    /// The kubelet's confirmation that the pod of this uid has stopped: the object goes. False if
    /// it is gone already.
    pub fn confirm_deletion(&mut self, pod: PodId, uid: Uid, cause: Cause) -> bool {
        let there = self.pod(pod).is_some_and(|object| object.uid == uid);
        if there {
            self.write_pod(pod, None, cause);
        }
        there
    }

    /// Deletes a node. Its pods stay.
    pub fn delete_node(&mut self, node: NodeId, cause: Cause) {
        assert!(self.node(node).is_some(), "a node that is not there cannot go");
        self.write_node(node, None, cause);
    }

    fn update_pod(&mut self, pod: PodId, cause: Cause, change: impl FnOnce(&mut PodObject)) {
        let Some(mut object) = self.pods[pod.index()] else {
            debug_assert!(false, "an update of a pod that is not there");
            return;
        };
        change(&mut object);
        if self.pods[pod.index()] != Some(object) {
            self.write_pod(pod, Some(object), cause);
        }
    }

    fn write_pod(&mut self, pod: PodId, mut object: Option<PodObject>, cause: Cause) {
        self.resource_version += 1;
        if let Some(object) = &mut object {
            debug_assert!(object.resource_version < self.resource_version, "versions only grow");
            object.resource_version = self.resource_version;
        }
        let old = std::mem::replace(&mut self.pods[pod.index()], object);
        debug_assert!(old.is_some() || object.is_some(), "a pod that is not there cannot go");
        self.changes.push((Change::Pod(pod, old, object), cause));
    }

    fn write_node(&mut self, node: NodeId, mut object: Option<NodeObject>, cause: Cause) {
        self.resource_version += 1;
        if let Some(object) = &mut object {
            debug_assert!(object.resource_version < self.resource_version, "versions only grow");
            object.resource_version = self.resource_version;
        }
        let old = std::mem::replace(&mut self.nodes[node.index()], object);
        debug_assert!(old.is_some() || object.is_some(), "a node that is not there cannot go");
        self.changes.push((Change::Node(node, old, object), cause));
    }

    /// How many pods there have been: the uid of the newest.
    pub fn pods_created(&self) -> u32 {
        self.pods_created
    }

    /// The latest resource version.
    pub fn resource_version(&self) -> u64 {
        self.resource_version
    }
}

/// The objects that exist, with their indices.
fn present<T: Copy>(objects: &[Option<T>]) -> impl Iterator<Item = (u32, T)> + '_ {
    objects.iter().zip(0u32..).filter_map(|(object, index)| Some((index, (*object)?)))
}
