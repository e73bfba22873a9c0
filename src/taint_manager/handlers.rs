//! What a worker does with a node or a pod, and what becomes of the pods.
//!
//! k8s v1.36 pkg/controller/tainteviction/taint_eviction.go `handleNodeUpdate`,
//! `handlePodUpdate`, `processPodOnNode`; what older generations did differently is behind the
//! switches.

use super::items::{NodeItem, PodItem};
use super::timed_workers::{AddedWork, Cancelled, WorkId};
use super::{Listers, Next, Step, TaintManager};
use crate::apiserver::PodEvent;
use crate::cluster::event::{Event, schedule};
use crate::kernel::{Span, Time};
use crate::marks::Mark;
use crate::objects::matching::{overflows, shorter_is_ignored};
use crate::objects::taint::no_execute;
use crate::objects::{
    Deadline, Lists, NodeId, PodId, TaintsId, TolerationsId, Verdict, match_lists,
};
use crate::plan::Trigger;
use crate::timeline::{CancelReason, Cause, EventReason, Kind, Standing};

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

/// What a handler of a node did.
pub(super) enum Handled {
    /// All.
    Done,
    /// It needs the list of the node's pods from the API.
    Lists { node: NodeId, taints: TaintsId },
}

/// The fire time of an immediate deletion up to 1.29, later than its creation by as much: two
/// readings of the clock, of which Go's is this fine.
const CLOCK_STEP: Span = Span(1);

impl TaintManager {
    /// `handleNodeUpdate`. A node that is gone leaves its pods' timers alone.
    pub(super) fn handle_node(
        &mut self,
        item: NodeItem,
        listers: Listers<'_>,
        cause: Cause,
        step: &mut Step<'_>,
    ) -> Handled {
        let node = item.node;
        let current = self.switches.current_objects;
        let taints = if current { listers.nodes.get(node) } else { item.taints };
        let Some(taints) = taints else {
            let has_timer = |pod| self.work.standing(pod) == Some(Standing::Timer);
            let stays = listers.pods.pods_on(node).any(has_timer);
            step.marks.hit_if(Mark::NodeGoneTimersStay, stays);
            self.tainted_nodes[node.index()] = Lists::NO_TAINTS;
            return Handled::Done;
        };
        let taints = self.no_execute_part(taints, step.lists);
        // Before the pods are listed: a pod that comes later finds the taints here.
        self.tainted_nodes[node.index()] = taints;
        if !self.switches.pods_from_index {
            return Handled::Lists { node, taints };
        }
        let pods = listers.pods.pods_on(node).filter_map(|pod| listers.pods.get(pod).copied());
        if step.choices.is_random() {
            let mut pods: Vec<PodEvent> = pods.collect();
            let when = (step.queue.now(), cause);
            step.choices.order_pods(&mut pods, |object| object.pod, when, step.recorder);
            self.process_node(node, taints, pods, cause, step);
        } else {
            self.process_node(node, taints, pods, cause, step);
        }
        Handled::Done
    }

    /// What becomes of a node's pods under its taints.
    pub(super) fn process_node(
        &mut self,
        node: NodeId,
        taints: TaintsId,
        pods: impl IntoIterator<Item = PodEvent>,
        cause: Cause,
        step: &mut Step<'_>,
    ) {
        for object in pods {
            debug_assert_eq!(object.node, Some(node), "a pod of another node");
            if taints == Lists::NO_TAINTS {
                let reason = CancelReason::NodeUntainted;
                self.cancel_with_event(object.pod, Some(node), reason, cause, step);
            } else {
                let tolerations = object.tolerations;
                self.process_pod_on_node(object.pod, node, tolerations, taints, cause, step);
            }
        }
    }

    /// `handlePodUpdate`. A pod that is on another node than the item says is some other shard's
    /// by now, and its timer is left alone.
    pub(super) fn handle_pod(
        &mut self,
        item: PodItem,
        listers: Listers<'_>,
        cause: Cause,
        step: &mut Step<'_>,
    ) {
        let pod = item.pod;
        let current = self.switches.current_objects;
        let object = if current { listers.pods.get(pod).copied() } else { item.object };
        let Some(object) = object else {
            self.cancel_with_event(pod, item.node, CancelReason::PodGone, cause, step);
            return;
        };
        if self.switches.node_name_check && object.node != item.node {
            step.marks.hit(Mark::StalePodItemDropped);
            return;
        }
        let Some(node) = object.node else { return };
        let taints = self.tainted_nodes[node.index()];
        mark_news_of_node(node, taints, listers, step);
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
        let rules = self.switches.match_rules();
        let shorter = shorter_is_ignored(taint_list, toleration_list, rules);
        step.marks.hit_if(Mark::ShorterTolerationIgnored, shorter);
        match match_lists(taint_list, toleration_list, rules) {
            Verdict::NotTolerated { taint } => {
                grounds.taint = taint;
                self.cancel_with_event(pod, Some(node), CancelReason::NotTolerated, cause, step);
                let on_timer = self.switches.immediate_on_timer;
                let wait = if on_timer { CLOCK_STEP } else { Span::ZERO };
                self.add_work(pod, wait, grounds, cause, step);
            }
            Verdict::Tolerated { deadline: Deadline::Never, minimum } => {
                let overflow = minimum.is_some_and(|minimum| overflows(minimum.seconds));
                step.marks.hit_if(Mark::SecondsOverflowForever, overflow);
                let is_armed = self.work.standing(pod) == Some(Standing::Timer);
                let kept = is_armed && !self.switches.infinite_toleration_cancels;
                step.marks.hit_if(Mark::KeptThoughToleratedForever, kept);
                if self.switches.infinite_toleration_cancels {
                    let reason = CancelReason::ToleratedForever;
                    self.cancel_with_event(pod, Some(node), reason, cause, step);
                }
            }
            Verdict::Tolerated { deadline: Deadline::After(wait), minimum } => {
                if let Some(minimum) = minimum {
                    grounds.taint = minimum.taint;
                    grounds.toleration = Some(minimum.toleration);
                    grounds.seconds = Some(minimum.seconds);
                    step.marks.hit_if(Mark::ZeroSeconds, minimum.seconds == 0);
                    step.marks.hit_if(Mark::NegativeSeconds, minimum.seconds < 0);
                    step.marks.hit_if(Mark::SecondsOverflowShort, overflows(minimum.seconds));
                }
                if let Some(created_at) = self.work.timer_created_at(pod) {
                    // Upstream asks whether created + wait is before now + wait. The wait cancels
                    // out, and two steps never share a reading: an armed timer never moves.
                    assert!(created_at < now, "two steps read {now:?}");
                    self.record_skipped(pod, now.at.saturating_add(wait), grounds, cause, step);
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
            self.record_skipped(pod, fire_at, grounds, cause, step);
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
                    let timer = step.queue.push_cancellable(fire_at, event);
                    self.work.armed(work, timer);
                }
            }
        }
        step.triggers.happened(step.queue, Trigger::Armed(pod));
    }

    /// Says that a pod's name is taken, so that nothing comes of this work.
    fn record_skipped(
        &mut self,
        pod: PodId,
        fire_at: Time,
        grounds: Grounds,
        cause: Cause,
        step: &mut Step<'_>,
    ) {
        let Some(standing) = self.work.standing(pod) else { return };
        step.marks.hit(match standing {
            Standing::Timer => Mark::SkippedForTimer,
            Standing::Deletion => Mark::SkippedForDeletion,
            Standing::Marker => Mark::SkippedForMarker,
        });
        let is_earlier = standing == Standing::Timer && self.work.fires_after(pod, fire_at);
        step.marks.hit_if(Mark::EarlierDeadlineIgnored, is_earlier);
        let Grounds { node, taints, taint, tolerations, toleration, seconds } = grounds;
        let kind = Kind::WorkSkipped {
            standing,
            fire_at,
            seconds,
            taints,
            taint,
            tolerations,
            toleration,
        };
        step.recorder.emit(cause, Some(pod), Some(node), kind);
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
        let is_marker = self.work.standing(pod) == Some(Standing::Marker);
        step.marks.hit_if(Mark::MarkerCancelled, is_marker && reason != CancelReason::PodGone);
        let Cancelled::Timer(timer) = self.work.cancel(pod) else { return };
        step.marks.hit(match (timer, reason) {
            (None, _) => Mark::CancelAfterFire,
            (_, CancelReason::NodeUntainted) => Mark::CancelledUntainted,
            (_, CancelReason::PodGone) => Mark::CancelledPodGone,
            (_, CancelReason::ToleratedForever) => Mark::CancelledToleratedForever,
            (_, CancelReason::NotTolerated) => Mark::CancelledNotTolerated,
        });
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
        step.marks.hit_if(Mark::OrphanTimerFired, !self.work.has_entry(work));
        let fired_before = self.last_fired.replace(step.queue.now());
        step.marks.hit_if(Mark::TimersFireTogether, fired_before == self.last_fired);
        self.work.fired(work);
        schedule(step.queue, step.queue.now(), Event::Deletion(work));
    }

    /// A deletion function begins; false if its work was cancelled before.
    pub fn deletion_begins(&mut self, work: WorkId, step: &mut Step<'_>) -> bool {
        let is_cancelled = self.work.get(work).is_cancelled();
        let begins = self.work.begin(work, &self.switches);
        step.marks.hit_if(Mark::CancelledTimerStopped, !begins);
        step.marks.hit_if(Mark::CancelledTimerRuns, begins && is_cancelled);
        begins
    }

    /// A deletion function that has begun says so.
    pub fn deletion_marks(&mut self, work: WorkId, step: &mut Step<'_>) -> Next {
        let worker = self.work.get(work);
        let (pod, cause) = (worker.pod, worker.cause);
        let recorded = step.recorder.emit(cause, Some(pod), None, Kind::EvictionStarted);
        self.emit_event(pod, EventReason::Marking, recorded, step);
        let condition = self.switches.disruption_condition;
        self.work.deletion_mut(work).begin(recorded, condition)
    }

    /// A deletion function returned.
    pub fn deletion_returned(&mut self, work: WorkId, deleted: bool, step: &mut Step<'_>) {
        let (pod, cause) = (self.work.get(work).pod, self.work.get(work).deletion.cause);
        if !deleted {
            step.marks.hit(Mark::EvictionGivenUp);
            step.recorder.emit(cause, Some(pod), None, Kind::EvictionFailed);
        }
        let is_taken = |standing| matches!(standing, Some(Standing::Timer | Standing::Deletion));
        let is_replaced = !self.work.has_entry(work) && is_taken(self.work.standing(pod));
        self.work.finish(work, deleted, &self.switches);
        if is_replaced {
            step.marks.hit(match is_taken(self.work.standing(pod)) {
                true => Mark::ReplacementKept,
                false => Mark::ReplacementOrphaned,
            });
        }
    }

    /// Whether the process of this work is gone.
    pub fn is_abandoned(&self, work: WorkId) -> bool {
        self.work.is_abandoned(work)
    }

    /// The last event of abandoned work has come.
    pub fn bury(&mut self, work: WorkId) {
        self.work.bury(work);
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

/// Marks a pod that is handled while the last news of its node wait to be handled.
fn mark_news_of_node(node: NodeId, handled: TaintsId, listers: Listers<'_>, step: &mut Step<'_>) {
    let Some(cached) = listers.nodes.get(node) else {
        return step.marks.hit(Mark::PodOnUnknownNode);
    };
    let is_tainted = no_execute(step.lists.taints(cached)).next().is_some();
    let was_tainted = handled != Lists::NO_TAINTS;
    step.marks.hit_if(Mark::PodBeforeNode, is_tainted && !was_tainted);
    step.marks.hit_if(Mark::PodUnderStaleTaints, was_tainted && !is_tainted);
}
