//! What a worker does with a node or a pod, and what becomes of the pods.
//!
//! k8s v1.36 pkg/controller/tainteviction/taint_eviction.go `handleNodeUpdate`,
//! `handlePodUpdate`, `processPodOnNode`.

use super::timed_workers::{AddedWork, Cancelled, WorkId};
use super::{Listers, Next, Step, TaintManager};
use crate::cluster::event::{Event, schedule};
use crate::kernel::{Span, Time};
use crate::objects::{
    Deadline, Lists, NodeId, PodId, TaintsId, TolerationsId, Verdict, match_lists,
};
use crate::plan::Trigger;
use crate::timeline::{CancelReason, Cause, EventReason, Kind};

/// Why work is added; what the record says about it.
#[derive(Clone, Copy)]
struct Grounds {
    node: NodeId,
    taints: TaintsId,
    taint: u32,
    tolerations: TolerationsId,
    toleration: Option<u32>,
    seconds: Option<i64>,
}

impl TaintManager {
    /// `handleNodeUpdate`. A node that is gone leaves its pods' timers alone.
    pub(super) fn handle_node(
        &mut self,
        node: NodeId,
        listers: Listers<'_>,
        cause: Cause,
        step: &mut Step<'_>,
    ) {
        let Some(taints) = listers.nodes.get(node) else {
            self.tainted_nodes[node.index()] = Lists::NO_TAINTS;
            return;
        };
        let taints = self.no_execute_part(taints, step.lists);
        // Before the pods are listed: a pod that comes later finds the taints here.
        self.tainted_nodes[node.index()] = taints;
        for pod in listers.pods.pods_on(node) {
            if taints == Lists::NO_TAINTS {
                self.cancel_with_event(pod, Some(node), CancelReason::NodeUntainted, cause, step);
            } else if let Some(object) = listers.pods.get(pod) {
                debug_assert_eq!(object.node, Some(node), "the index and the cache disagree");
                self.process_pod_on_node(pod, node, object.tolerations, taints, cause, step);
            }
        }
    }

    /// `handlePodUpdate`. `node` is that of the item: a pod that is elsewhere by now is some
    /// other shard's, and its timer is left alone.
    pub(super) fn handle_pod(
        &mut self,
        pod: PodId,
        node: Option<NodeId>,
        listers: Listers<'_>,
        cause: Cause,
        step: &mut Step<'_>,
    ) {
        let Some(object) = listers.pods.get(pod) else {
            self.cancel_with_event(pod, node, CancelReason::PodGone, cause, step);
            return;
        };
        if object.node != node {
            return;
        }
        let Some(node) = node else { return };
        let taints = self.tainted_nodes[node.index()];
        if taints != Lists::NO_TAINTS {
            self.process_pod_on_node(pod, node, object.tolerations, taints, cause, step);
        }
    }

    /// `processPodOnNode`. `taints` are NoExecute taints, at least one.
    fn process_pod_on_node(
        &mut self,
        pod: PodId,
        node: NodeId,
        tolerations: TolerationsId,
        taints: TaintsId,
        cause: Cause,
        step: &mut Step<'_>,
    ) {
        debug_assert_ne!(taints, Lists::NO_TAINTS, "a pod processed without taints");
        let now = step.reading;
        let mut grounds =
            Grounds { node, taints, taint: 0, tolerations, toleration: None, seconds: None };
        let (taint_list, toleration_list) =
            (step.lists.taints(taints), step.lists.tolerations(tolerations));
        match match_lists(taint_list, toleration_list, false) {
            Verdict::NotTolerated { taint } => {
                grounds.taint = taint;
                self.cancel_with_event(pod, Some(node), CancelReason::NotTolerated, cause, step);
                self.add_work(pod, Span::ZERO, grounds, cause, step);
            }
            Verdict::Tolerated { deadline: Deadline::Never, .. } => {
                self.cancel_with_event(
                    pod,
                    Some(node),
                    CancelReason::ToleratedForever,
                    cause,
                    step,
                );
            }
            Verdict::Tolerated { deadline: Deadline::After(wait), minimum } => {
                if let Some(minimum) = minimum {
                    grounds.taint = minimum.taint;
                    grounds.toleration = Some(minimum.toleration);
                    grounds.seconds = Some(minimum.seconds);
                }
                if let Some(created_at) = self.work.timer_created_at(pod) {
                    // Upstream asks whether created + wait is before now + wait. The wait cancels
                    // out, and two steps never share a reading: an armed timer never moves.
                    assert!(created_at < now, "two steps read {now:?}");
                    return;
                }
                self.add_work(pod, wait, grounds, cause, step);
            }
        }
    }

    /// `AddWork` with the fire time now + `wait`.
    fn add_work(
        &mut self,
        pod: PodId,
        wait: Span,
        grounds: Grounds,
        cause: Cause,
        step: &mut Step<'_>,
    ) {
        let immediate = wait == Span::ZERO;
        let (start, now) = (step.reading, step.queue.now());
        let fire_at = now.saturating_add(wait);
        let added = self.work.add(pod, start, fire_at, immediate, cause);
        if added == AddedWork::Exists {
            return;
        }
        let recorded = step.recorder.emit(
            cause,
            Some(pod),
            Some(grounds.node),
            Kind::EvictionScheduled {
                fire_at,
                created_at: start.at,
                seconds: grounds.seconds,
                taints: grounds.taints,
                taint: grounds.taint,
                tolerations: grounds.tolerations,
                toleration: grounds.toleration,
            },
        );
        match added {
            AddedWork::Exists => {}
            AddedWork::Immediate(work) => {
                self.work.set_cause(work, recorded);
                schedule(step.queue, now, Event::Deletion(work));
            }
            AddedWork::Timed(work) => {
                self.work.set_cause(work, recorded);
                let event = Event::Timer(work);
                // A timer beyond the end of time, where the sum saturates, never fires.
                if fire_at < Time::MAX {
                    let timer = step.queue.push_cancellable(fire_at, event.class(), 0, event);
                    self.work.armed(work, timer);
                }
            }
        }
        step.triggers.happened(step.queue, Trigger::Armed(pod));
    }

    /// `cancelWorkWithEvent`: an event only where there was work on a timer.
    fn cancel_with_event(
        &mut self,
        pod: PodId,
        node: Option<NodeId>,
        reason: CancelReason,
        cause: Cause,
        step: &mut Step<'_>,
    ) {
        let Cancelled::Timer(timer) = self.work.cancel(pod) else { return };
        if let Some(timer) = timer {
            let stopped = step.queue.cancel(timer);
            debug_assert!(stopped, "an armed timer was not pending");
        }
        let kind = Kind::EvictionCancelled { reason };
        let recorded = step.recorder.emit(cause, Some(pod), node, kind);
        self.emit_event(pod, EventReason::Cancelling, recorded, step);
        step.triggers.happened(step.queue, Trigger::Cancelled(pod));
    }

    /// A timer fires: its function gets a goroutine.
    pub fn timer_fired(&mut self, work: WorkId, step: &mut Step<'_>) {
        debug_assert_eq!(self.work.get(work).fire_at, step.queue.now(), "fired early or late");
        self.work.fired(work);
        schedule(step.queue, step.queue.now(), Event::Deletion(work));
    }

    /// A deletion function begins; `None` if its work was cancelled before.
    pub fn deletion_begins(&mut self, work: WorkId, step: &mut Step<'_>) -> Option<Next> {
        if !self.work.begin(work) {
            return None;
        }
        let worker = self.work.get(work);
        let (pod, cause) = (worker.pod, worker.cause);
        let recorded = step.recorder.emit(cause, Some(pod), None, Kind::EvictionStarted);
        self.emit_event(pod, EventReason::Marking, recorded, step);
        Some(self.work.deletion_mut(work).begin(recorded))
    }

    /// A deletion function returned.
    pub fn deletion_returned(&mut self, work: WorkId, deleted: bool, step: &mut Step<'_>) {
        let (pod, cause) = (self.work.get(work).pod, self.work.get(work).deletion.cause);
        if !deleted {
            step.recorder.emit(cause, Some(pod), None, Kind::EvictionFailed);
        }
        self.work.finish(work);
    }

    /// The work of this id.
    pub fn worker(&self, work: WorkId) -> &super::TimedWorker {
        self.work.get(work)
    }

    /// The running function of this work.
    pub fn deletion_mut(&mut self, work: WorkId) -> &mut super::pod_deletion::Deletion {
        self.work.deletion_mut(work)
    }
}
