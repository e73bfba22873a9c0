//! The taint manager's calls: on their way, at the store, on their way back.
//!
//! With zero latency a call acts, and with zero reply latency it returns, before anything else
//! happens: a deletion function then runs from its start to its end in one event. Where what Go
//! leaves open is drawn, others may go on before each call and before each answer.

use super::choices::Drawn;
use super::event::{Event, schedule};
use super::world::World;
use crate::apiserver::{Call, Deleted, Hit};
use crate::kernel::{Span, SpanRange};
use crate::marks::Mark;
use crate::objects::taint::no_execute;
use crate::objects::{Lists, NodeId, PodId};
use crate::plan::{ApiError, Caller, Latency, Resource, Trigger, Verb};
use crate::profile::Condition;
use crate::taint_manager::{Answer, Next, PodCall, RETRY_AFTER, Stage, WorkId};
use crate::timeline::{CallPhase, Cause, Kind, Outcome};

impl World<'_> {
    /// A deletion function goes on from where it stands.
    pub(super) fn deletion_goes_on(&mut self, work: WorkId) {
        let config = &self.plan.config;
        let stage = self.taint_manager.worker(work).deletion.stage;
        if self.taint_manager.is_abandoned(work) {
            // A call that was sent acts, and its answer reaches nobody.
            if let Stage::Sent(verb) = stage {
                self.marks.hit(Mark::AbandonedCallActs);
                self.at_store(work, verb);
            }
            return self.taint_manager.bury(work);
        }
        let mut next = match stage {
            Stage::Begin => {
                if !self.with_taint_manager(|tm, _, step| tm.deletion_begins(work, step)) {
                    return self.process_may_end();
                }
                if self.choices.is_random() {
                    return self.pause(work, Stage::Begun, Span::ZERO);
                }
                self.with_taint_manager(|tm, _, step| tm.deletion_marks(work, step))
            }
            Stage::Begun => self.with_taint_manager(|tm, _, step| tm.deletion_marks(work, step)),
            Stage::Sent(verb) => match self.act(work, verb) {
                Some(answer) => self.answered(work, verb, answer),
                None => return,
            },
            Stage::Answered(verb, answer) => self.answered(work, verb, answer),
            Stage::ToldToWait(verb) => Next::Call(verb),
            Stage::Asleep => {
                let next = self.taint_manager.deletion_mut(work).woke(config);
                self.marks.hit_if(Mark::AttemptRepeated, next != Next::Return(false));
                next
            }
        };
        loop {
            next = match next {
                Next::Call(verb) => {
                    self.send(work, verb);
                    let latency = per_verb(&config.api_server.latency, verb);
                    let latency = self.choices.duration(Drawn::Latency, latency);
                    if latency > Span::ZERO || self.choices.is_random() {
                        return self.pause(work, Stage::Sent(verb), latency);
                    }
                    match self.act(work, verb) {
                        Some(answer) => self.answered(work, verb, answer),
                        None => return,
                    }
                }
                Next::RetryAfter(verb) => {
                    self.marks.hit(Mark::ToldToWait);
                    return self.pause(work, Stage::ToldToWait(verb), RETRY_AFTER);
                }
                Next::Sleep => {
                    let interval = config.taint_manager.retry_interval;
                    return self.pause(work, Stage::Asleep, interval);
                }
                Next::Return(deleted) => {
                    self.with_taint_manager(|tm, _, step| {
                        tm.deletion_returned(work, deleted, step);
                    });
                    return self.process_may_end();
                }
            };
        }
    }

    fn pause(&mut self, work: WorkId, stage: Stage, span: Span) {
        self.taint_manager.deletion_mut(work).stage = stage;
        let now = self.queue.now();
        match span {
            Span::ZERO => self.queue.schedule_first(now, Event::Deletion(work)),
            _ => schedule(&mut self.queue, now.saturating_add(span), Event::Deletion(work)),
        }
    }

    fn send(&mut self, work: WorkId, verb: PodCall) {
        let worker = self.taint_manager.worker(work);
        let (pod, cause) = (worker.pod, worker.deletion.cause);
        let (verb, resource) = in_rbac_words(verb);
        let kind = Kind::ApiCall { verb, resource, phase: CallPhase::Sent };
        let call = self.recorder.emit(cause, Some(pod), None, kind);
        self.taint_manager.deletion_mut(work).call = call;
    }

    /// The call reaches the store. The answer, or `None` while it is on its way back.
    fn act(&mut self, work: WorkId, verb: PodCall) -> Option<Answer> {
        let answer = self.at_store(work, verb);
        let latency = per_verb(&self.plan.config.api_server.reply_latency, verb);
        let latency = self.choices.duration(Drawn::ReplyLatency, latency);
        if latency > Span::ZERO || self.choices.is_random() {
            self.pause(work, Stage::Answered(verb, answer), latency);
            return None;
        }
        Some(answer)
    }

    /// What the store does and answers.
    fn at_store(&mut self, work: WorkId, verb: PodCall) -> Answer {
        let hit = self.fault(work, verb);
        if let Some(hit) = hit.filter(|hit| !hit.applied) {
            self.record_call(work, verb, Outcome::Failed(hit.error), Some(hit.fault));
            return Answer::Failed(hit.error);
        }
        let answer = match verb {
            PodCall::Get => self.get(work, hit),
            PodCall::Patch => self.patch(work, hit),
            PodCall::Delete => self.delete(work, hit),
        };
        match (answer, hit) {
            (Answer::Pod { .. } | Answer::Done, Some(hit)) => {
                self.marks.hit(Mark::AnswerLost);
                Answer::Failed(hit.error)
            }
            _ => answer,
        }
    }

    fn answered(&mut self, work: WorkId, verb: PodCall, answer: Answer) -> Next {
        let worker = self.taint_manager.worker(work);
        let (pod, call) = (worker.pod, worker.deletion.call);
        let outcome = match answer {
            Answer::Failed(error) => Outcome::Failed(error),
            Answer::Pod { .. } | Answer::Done => Outcome::Ok,
        };
        let (rbac_verb, resource) = in_rbac_words(verb);
        let phase = CallPhase::Answered(outcome);
        let kind = Kind::ApiCall { verb: rbac_verb, resource, phase };
        self.recorder.emit(call, Some(pod), None, kind);
        let config = &self.plan.config;
        let next = self.taint_manager.deletion_mut(work).answered(verb, answer, config);
        let has_condition = matches!(answer, Answer::Pod { disruption_target: true, .. });
        self.marks.hit_if(Mark::ConditionPresent, has_condition);
        let is_busy = answer == Answer::Failed(ApiError::TooManyRequests);
        self.marks.hit_if(Mark::ToldToWaitTooOften, is_busy && next == Next::Sleep);
        next
    }

    /// The fault that makes this call fail.
    fn fault(&mut self, work: WorkId, verb: PodCall) -> Option<Hit> {
        let pod = self.taint_manager.worker(work).pod;
        let verb = match verb {
            PodCall::Get => Verb::Get,
            PodCall::Patch => Verb::Patch,
            PodCall::Delete => Verb::Delete,
        };
        self.check_faults((verb, Resource::Pods), (Some(pod), None), Caller::TaintManager)
    }

    /// The fault that makes a call fail.
    pub(super) fn check_faults(
        &mut self,
        (verb, resource): (Verb, Resource),
        (pod, node): (Option<PodId>, Option<NodeId>),
        caller: Caller,
    ) -> Option<Hit> {
        if self.plan.faults.is_empty() {
            return None;
        }
        let labels_of_pod =
            |pod| self.store.pod(pod).map_or(Lists::NO_LABELS, |object| object.labels);
        let labels_of_node =
            |node| self.store.node(node).map_or(Lists::NO_LABELS, |object| object.labels);
        let call = Call {
            verb,
            resource,
            pod: pod.map(|pod| (pod, labels_of_pod(pod))),
            node: node.map(|node| (node, labels_of_node(node))),
            caller,
        };
        let vocabulary = (&self.plan.names, &self.lists);
        self.faults.check(&self.plan.faults, call, self.queue.now(), vocabulary)
    }

    fn get(&mut self, work: WorkId, hit: Option<Hit>) -> Answer {
        let pod = self.taint_manager.worker(work).pod;
        match self.store.pod(pod).copied() {
            Some(object) => {
                self.record_done(work, PodCall::Get, hit);
                let disruption_target = object.disruption_target;
                Answer::Pod { uid: object.uid, disruption_target }
            }
            None => {
                self.marks.hit(Mark::PodNotFound);
                self.record_call(work, PodCall::Get, Outcome::Failed(ApiError::NotFound), None);
                Answer::Failed(ApiError::NotFound)
            }
        }
    }

    fn patch(&mut self, work: WorkId, hit: Option<Hit>) -> Answer {
        let worker = self.taint_manager.worker(work);
        let (pod, uid) = (worker.pod, worker.deletion.uid);
        // The patch carries the uid that the GET found (k8s v1.36 pkg/util/pod `PatchPodStatus`):
        // it is refused where the name belongs to another pod by now. An apply does not.
        let carries_uid = self.plan.config.switches.disruption_condition == Condition::Patch;
        let refused = match self.store.pod(pod) {
            None => Some(ApiError::NotFound),
            Some(object) if carries_uid && Some(object.uid) != uid => Some(ApiError::Conflict),
            Some(_) => None,
        };
        self.marks.hit_if(Mark::GoneBetweenCalls, refused == Some(ApiError::NotFound));
        self.marks.hit_if(Mark::PatchUidConflict, refused == Some(ApiError::Conflict));
        if let Some(error) = refused {
            self.record_call(work, PodCall::Patch, Outcome::Failed(error), None);
            return Answer::Failed(error);
        }
        let found = self.store.pod(pod).map(|object| object.uid);
        self.marks.hit_if(Mark::ApplyHitsNamesake, found != uid);
        let cause = self.record_done(work, PodCall::Patch, hit);
        self.store.set_disruption_target(pod, cause);
        self.carry_changes();
        Answer::Done
    }

    fn delete(&mut self, work: WorkId, hit: Option<Hit>) -> Answer {
        let pod = self.taint_manager.worker(work).pod;
        if self.store.pod(pod).is_none() {
            let has_get = self.plan.config.switches.disruption_condition != Condition::None;
            self.marks.hit(if has_get { Mark::GoneBetweenCalls } else { Mark::PodNotFound });
            self.record_call(work, PodCall::Delete, Outcome::Failed(ApiError::NotFound), None);
            return Answer::Failed(ApiError::NotFound);
        }
        self.mark_whom_it_hits(work);
        let cause = self.record_done(work, PodCall::Delete, hit);
        self.triggers.happened(&mut self.queue, Trigger::Evicted(pod));
        self.delete_pod(pod, None, cause);
        Answer::Done
    }

    /// Marks a DELETE that is for another pod than it was meant for, or for no reason any more.
    fn mark_whom_it_hits(&mut self, work: WorkId) {
        let worker = self.taint_manager.worker(work);
        let Some(object) = self.store.pod(worker.pod) else { return };
        let is_other = worker.deletion.uid.is_some_and(|uid| uid != object.uid);
        let node = object.node.and_then(|node| self.store.node(node));
        let is_tainted =
            node.is_some_and(|node| no_execute(self.lists.taints(node.taints)).next().is_some());
        self.marks.hit_if(Mark::DeleteHitsNamesake, is_other);
        self.marks.hit_if(Mark::EvictedWithoutTaint, !is_tainted);
    }

    /// Deletes a pod that is there, and has its kubelet confirm where one does.
    pub(super) fn delete_pod(
        &mut self,
        pod: PodId,
        grace_period_seconds: Option<u32>,
        cause: Cause,
    ) {
        let config = &self.plan.config;
        let kubelet = (config.termination, config.stop_after);
        let uid = self.store.pod(pod).map(|object| object.uid);
        let now = self.queue.now();
        let deleted = self.store.delete_pod(pod, grace_period_seconds, kubelet, now, cause);
        self.marks.hit_if(Mark::TerminatingDeletedAgain, deleted == Deleted::AlreadyTerminating);
        self.carry_changes();
        if let (Deleted::Terminating(Some(stops_in)), Some(uid)) = (deleted, uid) {
            let index = self.stopping.len() as u32;
            self.stopping.push((pod, uid, cause));
            let time = now.saturating_add(stops_in);
            schedule(&mut self.queue, time, Event::PodStopped(index));
        }
    }

    /// Records a call that the store carried out, whether or not the answer gets lost.
    fn record_done(&mut self, work: WorkId, verb: PodCall, hit: Option<Hit>) -> Cause {
        let outcome = hit.map_or(Outcome::Ok, |hit| Outcome::Lost(hit.error));
        self.record_call(work, verb, outcome, hit.map(|hit| hit.fault))
    }

    /// Records a call at the store.
    fn record_call(
        &mut self,
        work: WorkId,
        verb: PodCall,
        outcome: Outcome,
        fault: Option<u32>,
    ) -> Cause {
        let worker = self.taint_manager.worker(work);
        let (pod, attempt, call) = (worker.pod, worker.deletion.attempt, worker.deletion.call);
        let object = self.store.pod(pod);
        let node = object.and_then(|object| object.node);
        let uid = object.map(|object| object.uid).filter(|_| outcome.is_applied());
        let kind = match verb {
            PodCall::Get => Kind::PodFetched { attempt, outcome, fault, uid },
            PodCall::Patch => Kind::StatusPatched { attempt, outcome, fault, uid },
            PodCall::Delete => Kind::DeleteRequested { attempt, outcome, fault, uid },
        };
        self.recorder.emit(call, Some(pod), node, kind)
    }
}

fn per_verb(latency: &Latency, verb: PodCall) -> SpanRange {
    match verb {
        PodCall::Get => latency.get,
        PodCall::Patch => latency.patch,
        PodCall::Delete => latency.delete,
    }
}

fn in_rbac_words(verb: PodCall) -> (&'static str, &'static str) {
    match verb {
        PodCall::Get => ("get", "pods"),
        PodCall::Patch => ("patch", "pods/status"),
        PodCall::Delete => ("delete", "pods"),
    }
}
