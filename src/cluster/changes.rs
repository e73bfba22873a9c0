//! From the store to whoever hears of it: the timeline, `after` steps, watches and, at their end,
//! the informers with their event handlers.

use super::choices::Drawn;
use super::event::{Event, schedule};
use super::world::World;
use crate::apiserver::{Change, NodeEvent, NodeObject, PodEvent, PodObject};
use crate::marks::Mark;
use crate::objects::taint::no_execute;
use crate::objects::{Lists, NodeId, PodId};
use crate::plan::Trigger;
use crate::timeline::{Cause, Kind, Standing, WatchKind};

impl World<'_> {
    /// Carries what has changed in the store since the last time.
    pub(super) fn carry_changes(&mut self) {
        let mut changes = std::mem::take(&mut self.changes);
        self.store.take_changes(&mut changes);
        for (change, cause) in changes.drain(..) {
            match change {
                Change::Pod(pod, old, new) => self.pod_changed(pod, old, new, cause),
                Change::Node(node, old, new) => self.node_changed(node, old, new, cause),
            }
        }
        self.changes = changes;
    }

    fn pod_changed(
        &mut self,
        pod: PodId,
        old: Option<PodObject>,
        new: Option<PodObject>,
        cause: Cause,
    ) {
        let cause = self.record_pod_change(pod, old.as_ref(), new.as_ref(), cause);
        self.store.set_pod_cause(pod, cause);
        let Some((kind, object)) = watch_event(old, new) else { return };
        let version = new.map_or(self.store.resource_version(), |new| new.resource_version);
        let event = (kind, PodEvent::of(pod, &object), version);
        let latency = self.plan.config.api_server.watch_latency.pods;
        let latency = self.choices.duration(Drawn::PodWatch, latency);
        let now = self.queue.now();
        if let Some((arrival, opening)) = self.pod_watch.send((now, latency), event, cause) {
            schedule(&mut self.queue, arrival, Event::PodWatch(opening));
        }
    }

    fn node_changed(
        &mut self,
        node: NodeId,
        old: Option<NodeObject>,
        new: Option<NodeObject>,
        cause: Cause,
    ) {
        let cause = self.record_node_change(node, old.as_ref(), new.as_ref(), cause);
        self.store.set_node_cause(node, cause);
        let Some((kind, object)) = watch_event(old, new) else { return };
        let version = new.map_or(self.store.resource_version(), |new| new.resource_version);
        let event = (kind, NodeEvent::of(node, &object), version);
        let latency = self.plan.config.api_server.watch_latency.nodes;
        let latency = self.choices.duration(Drawn::NodeWatch, latency);
        let now = self.queue.now();
        if let Some((arrival, opening)) = self.node_watch.send((now, latency), event, cause) {
            schedule(&mut self.queue, arrival, Event::NodeWatch(opening));
        }
    }

    fn record_pod_change(
        &mut self,
        pod: PodId,
        old: Option<&PodObject>,
        new: Option<&PodObject>,
        cause: Cause,
    ) -> Cause {
        let node = new.or(old).and_then(|object| object.node);
        let mut happened = |trigger| self.triggers.happened(&mut self.queue, trigger);
        let kind = match (old, new) {
            (None, Some(new)) => {
                match self.taint_manager.standing(pod) {
                    None => {}
                    Some(Standing::Timer) => self.marks.hit(Mark::RecreatedUnderTimer),
                    Some(Standing::Deletion) => self.marks.hit(Mark::RecreatedUnderDeletion),
                    Some(Standing::Marker) => self.marks.hit(Mark::RecreatedUnderMarker),
                }
                if new.node.is_some() {
                    happened(Trigger::Bound(pod));
                }
                // Uids count the plan's pods first: they are created first, and none is refused.
                let spec = self.plan.pods.get(new.uid.index() - 1);
                let manifest_uid = spec.and_then(|spec| spec.manifest_uid);
                Kind::PodCreated { uid: new.uid, tolerations: new.tolerations, manifest_uid }
            }
            (Some(old), None) => {
                happened(Trigger::Removed(pod));
                Kind::PodRemoved { uid: old.uid }
            }
            (Some(old), Some(new)) if old.node != new.node => {
                happened(Trigger::Bound(pod));
                Kind::PodBound { uid: new.uid, tolerations: new.tolerations }
            }
            (Some(old), Some(new)) if old.tolerations != new.tolerations => {
                Kind::PodTolerationsChanged { uid: new.uid, tolerations: new.tolerations }
            }
            (Some(old), Some(new)) if old.deletion_timestamp != new.deletion_timestamp => {
                Kind::PodTerminating { uid: new.uid }
            }
            _ => return cause,
        };
        self.recorder.emit(cause, Some(pod), node, kind)
    }

    fn record_node_change(
        &mut self,
        node: NodeId,
        old: Option<&NodeObject>,
        new: Option<&NodeObject>,
        cause: Cause,
    ) -> Cause {
        let kind = match (old, new) {
            (None, Some(new)) => Kind::NodeCreated { taints: new.taints },
            (Some(old), None) => Kind::NodeDeleted { taints: old.taints },
            (Some(old), Some(new)) if old.taints != new.taints => {
                Kind::NodeTaintsChanged { taints: new.taints }
            }
            _ => return cause,
        };
        let before = old.map_or(Lists::NO_TAINTS, |old| old.taints);
        let after = new.map_or(Lists::NO_TAINTS, |new| new.taints);
        let (before, after) = (self.lists.taints(before), self.lists.taints(after));
        let gained = no_execute(after)
            .any(|taint| !no_execute(before).any(|other| other.same_key_and_effect(taint)));
        let lost_all = no_execute(before).next().is_some() && no_execute(after).next().is_none();
        if gained {
            self.triggers.happened(&mut self.queue, Trigger::Tainted(node));
        }
        if lost_all {
            self.triggers.happened(&mut self.queue, Trigger::Untainted(node));
        }
        self.recorder.emit(cause, None, Some(node), kind)
    }

    /// The next event of the watch on pods is due.
    pub(super) fn pod_event_arrives(&mut self, opening: u32) {
        // None: the watch was closed meanwhile, and what was under way went with it.
        let Some((kind, event, version, cause)) = self.pod_watch.receive(opening) else {
            return;
        };
        self.pod_heard_of(kind, event, version, cause);
    }

    /// The next event of the watch on nodes is due.
    pub(super) fn node_event_arrives(&mut self, opening: u32) {
        let Some((kind, event, version, cause)) = self.node_watch.receive(opening) else { return };
        self.node_heard_of(kind, event, version, cause);
    }

    /// The pod informer applies an event and calls its event handler.
    pub(super) fn pod_heard_of(
        &mut self,
        kind: WatchKind,
        event: PodEvent,
        resource_version: u64,
        cause: Cause,
    ) {
        let record = Kind::WatchEvent { event: kind, resource_version };
        let cause = self.recorder.emit(cause, Some(event.pod), event.node, record);
        let objects = self.pod_informer.apply(kind, event);
        self.with_taint_manager(|tm, _, step| tm.pod_updated(objects, cause, step));
    }

    /// The node informer applies an event and calls its event handler.
    pub(super) fn node_heard_of(
        &mut self,
        kind: WatchKind,
        event: NodeEvent,
        resource_version: u64,
        cause: Cause,
    ) {
        let record = Kind::WatchEvent { event: kind, resource_version };
        let cause = self.recorder.emit(cause, None, Some(event.node), record);
        let taints = self.node_informer.apply(kind, event);
        self.with_taint_manager(|tm, _, step| tm.node_updated(event.node, taints, cause, step));
    }
}

/// The type of the watch event for a change, with the object that it carries.
fn watch_event<T>(old: Option<T>, new: Option<T>) -> Option<(WatchKind, T)> {
    match (old, new) {
        (None, Some(new)) => Some((WatchKind::Added, new)),
        (Some(_), Some(new)) => Some((WatchKind::Modified, new)),
        (Some(old), None) => Some((WatchKind::Deleted, old)),
        (None, None) => None,
    }
}
