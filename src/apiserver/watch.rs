//! A watch: the changes of one resource on their way to one informer, in order.

use std::collections::VecDeque;

use super::store::{NodeObject, PodObject};
use crate::kernel::{Span, Time};
use crate::objects::{NodeId, PodId, TaintsId, TolerationsId, Uid};
use crate::timeline::{Cause, WatchKind};

/// A pod as a watch event carries it: what an informer of the taint manager reads of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PodEvent {
    /// Name of the pod.
    pub pod: PodId,
    /// Its incarnation.
    pub uid: Uid,
    /// `spec.nodeName`.
    pub node: Option<NodeId>,
    /// `spec.tolerations`.
    pub tolerations: TolerationsId,
}

/// A node as a watch event carries it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeEvent {
    /// Name of the node.
    pub node: NodeId,
    /// `spec.taints`.
    pub taints: TaintsId,
}

impl PodEvent {
    /// What a watch carries of this object.
    pub fn of(pod: PodId, object: &PodObject) -> PodEvent {
        PodEvent { pod, uid: object.uid, node: object.node, tolerations: object.tolerations }
    }
}

impl NodeEvent {
    /// What a watch carries of this object.
    pub fn of(node: NodeId, object: &NodeObject) -> NodeEvent {
        NodeEvent { node, taints: object.taints }
    }
}

/// Events under way. `open` is false while nobody watches: then nothing is kept.
#[derive(Debug)]
pub struct Watch<T> {
    open: bool,
    /// Counts openings: an arrival that was scheduled under an earlier one is void.
    generation: u32,
    /// No event arrives before the one ahead of it, nor before the list that the watch follows.
    last_arrival: Time,
    under_way: VecDeque<(WatchKind, T, u64, Cause)>,
}

impl<T> Default for Watch<T> {
    fn default() -> Self {
        Watch { open: false, generation: 0, last_arrival: Time::ZERO, under_way: VecDeque::new() }
    }
}

impl<T: Copy> Watch<T> {
    /// Whether nothing is under way.
    pub fn is_idle(&self) -> bool {
        self.under_way.is_empty()
    }

    /// Whether arrivals of this opening still count.
    pub fn is_of(&self, generation: u32) -> bool {
        self.open && self.generation == generation
    }

    /// What is under way, in order.
    pub fn under_way(&self) -> impl Iterator<Item = (WatchKind, &T)> + '_ {
        self.under_way.iter().map(|(kind, event, ..)| (*kind, event))
    }

    /// Before this time nothing arrives that is sent from now on.
    pub fn last_arrival(&self) -> Time {
        self.last_arrival
    }

    /// Whether somebody watches.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Closes the watch and forgets what is under way.
    pub fn close(&mut self) {
        self.open = false;
        self.under_way.clear();
    }

    /// Watches from now on; the first event arrives at or after `not_before`.
    pub fn open(&mut self, not_before: Time) {
        debug_assert!(!self.open && self.under_way.is_empty(), "one informer a watch");
        self.open = true;
        self.generation += 1;
        self.last_arrival = not_before;
    }

    /// Puts an event under way; returns when it arrives and under which opening of the watch, or
    /// `None` where nobody watches.
    pub fn send(
        &mut self,
        (now, latency): (Time, Span),
        (kind, object, resource_version): (WatchKind, T, u64),
        cause: Cause,
    ) -> Option<(Time, u32)> {
        if !self.open {
            return None;
        }
        let arrival = now.saturating_add(latency).max(self.last_arrival);
        self.last_arrival = arrival;
        self.under_way.push_back((kind, object, resource_version, cause));
        Some((arrival, self.generation))
    }

    /// Takes the next event: the one whose arrival is due. `None` for an arrival that was
    /// scheduled before the watch was closed.
    pub fn receive(&mut self, generation: u32) -> Option<(WatchKind, T, u64, Cause)> {
        if !self.open || generation != self.generation {
            return None;
        }
        let event = self.under_way.pop_front();
        debug_assert!(event.is_some(), "an arrival without an event");
        event
    }
}
