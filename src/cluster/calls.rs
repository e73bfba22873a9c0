//! The taint manager's calls: on their way, at the store, on their way back.
//!
//! With zero latency a call acts, and with zero reply latency it returns, before anything else
//! happens: a deletion function then runs from its start to its end in one event. Where what Go
//! leaves open is drawn, others may go on before each call and before each answer.

use super::choices::Drawn;
use super::event::{Event, schedule};
use super::world::World;
use crate::apiserver::Deleted;
use crate::kernel::{Span, SpanRange};
use crate::objects::{Lists, NodeId, PodId};
use crate::plan::{ApiError, Latency, Trigger, Verb};
use crate::profile::Condition;
use crate::taint_manager::{Answer, Next, Stage, WorkId};
use crate::timeline::{CallPhase, Cause, Kind, Outcome};

impl World<'_> {
    /// A deletion function goes on from where it stands.
    pub(super) fn deletion_goes_on(&mut self, work: WorkId) {
        let config = &self.plan.config;
        let stage = self.taint_manager.worker(work).deletion.stage;
        if self.taint_manager.is_abandoned(work) {
            // A call that was sent acts, and its answer reaches nobody.
            if let Stage::Sent(verb) = stage {
                self.at_store(work, verb);
            }
            return self.taint_manager.bury(work);
        }
        let mut next = match stage {
            Stage::Begin => {
                if !self.taint_manager.deletion_begins(work) {
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
            Stage::Asleep => self.taint_manager.deletion_mut(work).woke(config),
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
        let time = self.queue.now().saturating_add(span);
        schedule(&mut self.queue, time, Event::Deletion(work));
    }

    fn send(&mut self, work: WorkId, verb: Verb) {
        let worker = self.taint_manager.worker(work);
        let (pod, cause) = (worker.pod, worker.deletion.cause);
        let (verb, resource) = in_rbac_words(verb);
        let kind = Kind::ApiCall { verb, resource, phase: CallPhase::Sent };
        let call = self.recorder.emit(cause, Some(pod), None, kind);
        self.taint_manager.deletion_mut(work).call = call;
    }

    /// The call reaches the store. The answer, or `None` while it is on its way back.
    fn act(&mut self, work: WorkId, verb: Verb) -> Option<Answer> {
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
    fn at_store(&mut self, work: WorkId, verb: Verb) -> Answer {
        match self.fault(work, verb) {
            Some((error, fault)) => {
                self.record_call(work, verb, Outcome::Failed(error), Some(fault));
                Answer::Failed(error)
            }
            None => match verb {
                Verb::Get => self.get(work),
                Verb::Patch => self.patch(work),
                Verb::Delete => self.delete(work),
            },
        }
    }

    fn answered(&mut self, work: WorkId, verb: Verb, answer: Answer) -> Next {
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
        self.taint_manager.deletion_mut(work).answered(verb, answer, config)
    }

    /// The fault that makes this call fail: its reason, and its index.
    fn fault(&mut self, work: WorkId, verb: Verb) -> Option<(ApiError, u32)> {
        let pod = self.taint_manager.worker(work).pod;
        let labels = self.store.pod(pod).map_or(Lists::NO_LABELS, |object| object.labels);
        let vocabulary = (&self.plan.names, &self.lists);
        let fault = self.faults.check(&self.plan.faults, verb, (pod, labels), vocabulary)?;
        Some((self.plan.faults[fault as usize].error, fault))
    }

    /// The fault that makes the LIST of a node's pods fail.
    pub(super) fn list_fault(&mut self, _node: NodeId) -> Option<(ApiError, u32)> {
        None
    }

    fn get(&mut self, work: WorkId) -> Answer {
        let pod = self.taint_manager.worker(work).pod;
        match self.store.pod(pod).copied() {
            Some(object) => {
                self.record_call(work, Verb::Get, Outcome::Ok, None);
                let disruption_target = object.disruption_target;
                Answer::Pod { uid: object.uid, disruption_target }
            }
            None => {
                self.record_call(work, Verb::Get, Outcome::Failed(ApiError::NotFound), None);
                Answer::Failed(ApiError::NotFound)
            }
        }
    }

    fn patch(&mut self, work: WorkId) -> Answer {
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
        if let Some(error) = refused {
            self.record_call(work, Verb::Patch, Outcome::Failed(error), None);
            return Answer::Failed(error);
        }
        let cause = self.record_call(work, Verb::Patch, Outcome::Ok, None);
        self.store.set_disruption_target(pod, cause);
        self.carry_changes();
        Answer::Done
    }

    fn delete(&mut self, work: WorkId) -> Answer {
        let pod = self.taint_manager.worker(work).pod;
        if self.store.pod(pod).is_none() {
            self.record_call(work, Verb::Delete, Outcome::Failed(ApiError::NotFound), None);
            return Answer::Failed(ApiError::NotFound);
        }
        let cause = self.record_call(work, Verb::Delete, Outcome::Ok, None);
        self.triggers.happened(&mut self.queue, Trigger::Evicted(pod));
        self.delete_pod(pod, None, cause);
        Answer::Done
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
        self.carry_changes();
        if let (Deleted::Terminating(Some(stops_in)), Some(uid)) = (deleted, uid) {
            let index = self.stopping.len() as u32;
            self.stopping.push((pod, uid, cause));
            let time = now.saturating_add(stops_in);
            schedule(&mut self.queue, time, Event::PodStopped(index));
        }
    }

    /// Records a call at the store.
    fn record_call(
        &mut self,
        work: WorkId,
        verb: Verb,
        outcome: Outcome,
        fault: Option<u32>,
    ) -> Cause {
        let worker = self.taint_manager.worker(work);
        let (pod, attempt, call) = (worker.pod, worker.deletion.attempt, worker.deletion.call);
        let object = self.store.pod(pod);
        let node = object.and_then(|object| object.node);
        let uid = object.map(|object| object.uid).filter(|_| outcome == Outcome::Ok);
        let kind = match verb {
            Verb::Get => Kind::PodFetched { attempt, outcome, fault, uid },
            Verb::Patch => Kind::StatusPatched { attempt, outcome, fault, uid },
            Verb::Delete => Kind::DeleteRequested { attempt, outcome, fault, uid },
        };
        self.recorder.emit(call, Some(pod), node, kind)
    }
}

fn per_verb(latency: &Latency, verb: Verb) -> SpanRange {
    match verb {
        Verb::Get => latency.get,
        Verb::Patch => latency.patch,
        Verb::Delete => latency.delete,
    }
}

fn in_rbac_words(verb: Verb) -> (&'static str, &'static str) {
    match verb {
        Verb::Get => ("get", "pods"),
        Verb::Patch => ("patch", "pods/status"),
        Verb::Delete => ("delete", "pods"),
    }
}
