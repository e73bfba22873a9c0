//! What can be seen of a world from outside, at any moment of a run.

use super::world::World;
use crate::apiserver::{NodeObject, PodObject};
use crate::kernel::Time;
use crate::objects::{LabelsId, NodeId, PodId, TaintsId, TolerationsId, Uid};
use crate::taint_manager::{DispatcherView, ItemView, ShardView, WorkView};
use crate::timeline::QueueName;

/// A pod in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PodView {
    /// Its name.
    pub pod: PodId,
    /// Its incarnation.
    pub uid: Uid,
    /// `spec.nodeName`.
    pub node: Option<NodeId>,
    /// `spec.tolerations`.
    pub tolerations: TolerationsId,
    /// `metadata.labels`.
    pub labels: LabelsId,
    /// It has a `deletionTimestamp`.
    pub terminating: bool,
}

/// A node in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeView {
    /// Its name.
    pub node: NodeId,
    /// `spec.taints`.
    pub taints: TaintsId,
    /// `metadata.labels`.
    pub labels: LabelsId,
    /// `spec.unschedulable`.
    pub unschedulable: bool,
}

/// A timer of the taint manager that has not fired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimerView {
    /// The pod (by name) that it will delete.
    pub pod: PodId,
    /// When the wait began.
    pub created_at: Time,
    /// When it fires.
    pub fire_at: Time,
}

impl World<'_> {
    /// The pod of this name, if it exists.
    pub fn pod(&self, pod: PodId) -> Option<PodView> {
        self.store.pod(pod).map(|object| pod_view(pod, object))
    }

    /// Pods that exist, in the order of their creation.
    pub fn pods(&self) -> impl Iterator<Item = PodView> + '_ {
        self.store.pods().into_iter().map(|(pod, object)| pod_view(pod, &object))
    }

    /// The node of this name, if it exists.
    pub fn node(&self, node: NodeId) -> Option<NodeView> {
        self.store.node(node).map(|object| node_view(node, object))
    }

    /// Nodes that exist, in the order of their creation.
    pub fn nodes(&self) -> impl Iterator<Item = NodeView> + '_ {
        self.store.nodes().into_iter().map(|(node, object)| node_view(node, &object))
    }

    /// Armed timers, in the order of the pods' ids.
    pub fn timers(&self) -> impl Iterator<Item = TimerView> + '_ {
        self.taint_manager.timers().map(|worker| TimerView {
            pod: worker.pod,
            created_at: worker.created_at.at,
            fire_at: worker.fire_at,
        })
    }

    /// What stands under each pod's name in the timed worker queue, and orphaned timers.
    pub fn works(&self) -> impl Iterator<Item = WorkView> + '_ {
        self.taint_manager.works()
    }

    /// The taint manager's workers, in the order of their shards.
    pub fn shards(&self) -> impl Iterator<Item = ShardView> + '_ {
        self.taint_manager.shards()
    }

    /// The dispatcher of a queue.
    pub fn dispatcher(&self, queue: QueueName) -> DispatcherView {
        self.taint_manager.dispatcher_view(queue)
    }

    /// What waits in a queue, oldest first.
    pub fn queued(&self, queue: QueueName) -> impl Iterator<Item = ItemView> + '_ {
        self.taint_manager.queued(queue)
    }

    /// The NoExecute taints under which the taint manager has a node; the empty list for none.
    pub fn tainted(&self, node: NodeId) -> TaintsId {
        self.taint_manager.tainted(node)
    }

    /// Items that wait in a work queue.
    pub fn queue_length(&self, queue: QueueName) -> usize {
        self.taint_manager.queue_length(queue)
    }
}

fn pod_view(pod: PodId, object: &PodObject) -> PodView {
    PodView {
        pod,
        uid: object.uid,
        node: object.node,
        tolerations: object.tolerations,
        labels: object.labels,
        terminating: object.deletion_timestamp.is_some(),
    }
}

fn node_view(node: NodeId, object: &NodeObject) -> NodeView {
    NodeView {
        node,
        taints: object.taints,
        labels: object.labels,
        unschedulable: object.unschedulable,
    }
}
