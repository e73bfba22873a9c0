//! The LIST of a node's pods, as handlers make it up to 1.15: on its way, at the store, on its
//! way back.

use super::choices::Drawn;
use super::event::{Event, schedule};
use super::world::World;
use crate::apiserver::PodEvent;
use crate::kernel::Span;
use crate::marks::Mark;
use crate::plan::{ApiError, Caller, Resource, Verb};
use crate::taint_manager::{LIST_RETRY_SLEEP, ListNext, ListStage, RETRY_AFTER};
use crate::timeline::{CallPhase, Kind, Outcome};

impl World<'_> {
    /// The listing of a handler goes on from where it stands.
    pub(super) fn list_goes_on(&mut self, run: u32) {
        // None: the process is gone, and the answer reaches nobody.
        let Some(listing) = self.taint_manager.listing_mut(run) else { return };
        let mut next = match listing.stage {
            ListStage::Begin | ListStage::ToldToWait => ListNext::Call,
            ListStage::Asleep => listing.woke(),
            ListStage::Sent => match self.list(run) {
                Some(next) => next,
                None => return,
            },
            ListStage::Answered(error) => self.listed(run, error),
        };
        loop {
            next = match next {
                ListNext::Call => {
                    self.send_list(run);
                    let latency = self.plan.config.api_server.latency.list;
                    let latency = self.choices.duration(Drawn::Latency, latency);
                    if latency > Span::ZERO || self.choices.is_random() {
                        return self.pause_list(run, ListStage::Sent, latency);
                    }
                    match self.list(run) {
                        Some(next) => next,
                        None => return,
                    }
                }
                ListNext::RetryAfter => {
                    self.marks.hit(Mark::ToldToWait);
                    return self.pause_list(run, ListStage::ToldToWait, RETRY_AFTER);
                }
                ListNext::Sleep => {
                    return self.pause_list(run, ListStage::Asleep, LIST_RETRY_SLEEP);
                }
                ListNext::Return(listed) => {
                    self.marks.hit_if(Mark::ListGivenUp, !listed);
                    return self.with_taint_manager(|tm, _, step| {
                        tm.list_returned(run, listed, step);
                    });
                }
            };
        }
    }

    fn pause_list(&mut self, run: u32, stage: ListStage, span: Span) {
        if let Some(listing) = self.taint_manager.listing_mut(run) {
            listing.stage = stage;
            let now = self.queue.now();
            match span {
                Span::ZERO => self.queue.schedule_first(now, Event::ListPods(run)),
                _ => schedule(&mut self.queue, now.saturating_add(span), Event::ListPods(run)),
            }
        }
    }

    fn send_list(&mut self, run: u32) {
        let Some(listing) = self.taint_manager.listing_mut(run) else { return };
        // A call that the client repeats is the same attempt.
        let is_attempt = listing.stage != ListStage::ToldToWait;
        listing.attempt += u32::from(is_attempt);
        self.marks.hit_if(Mark::ListRetried, is_attempt && listing.attempt > 1);
        let (node, cause) = (listing.node, listing.cause);
        let kind = Kind::ApiCall { verb: "list", resource: "pods", phase: CallPhase::Sent };
        let call = self.recorder.emit(cause, None, Some(node), kind);
        if let Some(listing) = self.taint_manager.listing_mut(run) {
            listing.call = call;
        }
    }

    /// The call reaches the store. What comes next, or `None` while the answer is on its way.
    fn list(&mut self, run: u32) -> Option<ListNext> {
        let listing = self.taint_manager.listing_mut(run)?;
        let (node, attempt, call) = (listing.node, listing.attempt, listing.call);
        let call_of = ((Verb::List, Resource::Pods), (None, Some(node)));
        let hit = self.check_faults(call_of.0, call_of.1, Caller::TaintManager);
        let error = hit.map(|hit| hit.error);
        let outcome = error.map_or(Outcome::Ok, Outcome::Failed);
        let fault = hit.map(|hit| hit.fault);
        self.recorder.emit(call, None, Some(node), Kind::PodsListed { attempt, outcome, fault });
        if error.is_none() {
            let pods = self.store.pods_on(node).into_iter();
            let pods: Vec<_> = pods.map(|(pod, object)| PodEvent::of(pod, &object)).collect();
            self.taint_manager.listing_mut(run)?.pods = pods;
        }
        let latency = self.plan.config.api_server.reply_latency.list;
        let latency = self.choices.duration(Drawn::ReplyLatency, latency);
        if latency > Span::ZERO || self.choices.is_random() {
            self.pause_list(run, ListStage::Answered(error), latency);
            return None;
        }
        Some(self.listed(run, error))
    }

    /// The answer reaches the handler.
    fn listed(&mut self, run: u32, error: Option<ApiError>) -> ListNext {
        let Some(listing) = self.taint_manager.listing_mut(run) else {
            return ListNext::Return(false);
        };
        let next = listing.answered(error);
        let is_busy = error == Some(ApiError::TooManyRequests);
        self.marks.hit_if(Mark::ToldToWaitTooOften, is_busy && next != ListNext::RetryAfter);
        let (node, call) = (listing.node, listing.call);
        let phase = CallPhase::Answered(error.map_or(Outcome::Ok, Outcome::Failed));
        let kind = Kind::ApiCall { verb: "list", resource: "pods", phase };
        self.recorder.emit(call, None, Some(node), kind);
        next
    }
}
