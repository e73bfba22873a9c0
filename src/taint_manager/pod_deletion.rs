//! The deletion function of one pod, as a state machine: get, patch the condition if it is not
//! there, delete; on any error sleep and try again, up to so many attempts; then give up. Without
//! the condition (up to 1.25) an attempt is the DELETE alone.
//!
//! k8s v1.36 pkg/controller/tainteviction `deletePodHandler`, `addConditionAndDeletePod`. Whoever
//! runs it carries out the [`Next`] that each call returns.

use crate::kernel::Span;
use crate::objects::Uid;
use crate::plan::{ApiError, Config};
use crate::profile::Condition;
use crate::timeline::Cause;

/// The calls that it makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PodCall {
    /// GET of the pod.
    Get,
    /// PATCH of its status.
    Patch,
    /// DELETE.
    Delete,
}

/// So often client-go repeats a call that was told to come back later (k8s v1.36 client-go
/// rest/request.go `maxRetries`), before its caller hears of it.
pub const CLIENT_RETRIES: u32 = 10;
/// What the API server's own 429 asks for in its header `Retry-After`.
pub const RETRY_AFTER: Span = Span::from_secs(1);

/// Where the function stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Not begun.
    #[default]
    Begin,
    /// Begun: a cancellation comes too late. Nothing is said or done yet.
    Begun,
    /// A call is on its way to the store.
    Sent(PodCall),
    /// The store has answered; the answer is on its way back.
    Answered(PodCall, Answer),
    /// The client waits as long as the answer to this call asked it to.
    ToldToWait(PodCall),
    /// Asleep after a failed attempt.
    Asleep,
}

/// What the store answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// GET: the pod of this uid, which has the condition or not.
    Pod {
        /// Its uid.
        uid: Uid,
        /// Whether the condition is there already.
        disruption_target: bool,
    },
    /// PATCH or DELETE: done.
    Done,
    /// The API's reason.
    Failed(ApiError),
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Make this call.
    Call(PodCall),
    /// Make this call again after [`RETRY_AFTER`].
    RetryAfter(PodCall),
    /// Sleep for the retry interval, then call [`Deletion::woke`].
    Sleep,
    /// The function returns; true if the pod's deletion was accepted.
    Return(bool),
}

/// One run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deletion {
    /// Where it stands.
    pub stage: Stage,
    /// Attempts begun.
    pub attempt: u32,
    /// How often the client has repeated the present call.
    repeated: u32,
    /// The pod that the last GET found: the PATCH is for that one only.
    pub uid: Option<Uid>,
    /// `EvictionStarted`, or its nearest recorded ancestor.
    pub cause: Cause,
    /// The last call, or `cause` where calls are not recorded.
    pub call: Cause,
}

impl Deletion {
    /// What it does next depends on this, and on nothing else of it.
    pub fn parts(&self) -> (Stage, u32, u32, Option<Uid>) {
        (self.stage, self.attempt, self.repeated, self.uid)
    }

    /// The function begins.
    pub fn begin(&mut self, cause: Cause, condition: Condition) -> Next {
        debug_assert!(matches!(self.stage, Stage::Begin | Stage::Begun), "begun twice");
        self.cause = cause;
        self.attempt = 1;
        first_call(condition)
    }

    /// A call is answered.
    pub fn answered(&mut self, verb: PodCall, answer: Answer, config: &Config) -> Next {
        let condition = config.switches.disruption_condition;
        if answer == Answer::Failed(ApiError::TooManyRequests) && self.repeated < CLIENT_RETRIES {
            self.repeated += 1;
            return Next::RetryAfter(verb);
        }
        self.repeated = 0;
        match (verb, answer) {
            (_, Answer::Failed(_)) => {
                self.stage = Stage::Asleep;
                debug_assert!(
                    self.attempt <= config.taint_manager.delete_retries,
                    "one attempt too many"
                );
                Next::Sleep
            }
            (PodCall::Get, Answer::Pod { uid, disruption_target }) => {
                self.uid = Some(uid);
                // An apply is sent whether or not it changes something.
                let needs_none = disruption_target && condition != Condition::Apply;
                Next::Call(if needs_none { PodCall::Delete } else { PodCall::Patch })
            }
            (PodCall::Patch, _) => Next::Call(PodCall::Delete),
            (PodCall::Delete | PodCall::Get, _) => Next::Return(true),
        }
    }

    /// The sleep after a failed attempt is over. It follows the last attempt as well.
    pub fn woke(&mut self, config: &Config) -> Next {
        debug_assert_eq!(self.stage, Stage::Asleep, "woken, but not asleep");
        if self.attempt == config.taint_manager.delete_retries {
            return Next::Return(false);
        }
        self.attempt += 1;
        first_call(config.switches.disruption_condition)
    }
}

/// The first call of an attempt.
fn first_call(condition: Condition) -> Next {
    Next::Call(if condition == Condition::None { PodCall::Delete } else { PodCall::Get })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(disruption_target: bool) -> Answer {
        Answer::Pod { uid: Uid(1), disruption_target }
    }

    #[test]
    fn an_attempt_is_get_patch_delete() {
        let config = Config::default();
        let mut run = Deletion::default();
        assert_eq!(run.begin(Cause::ROOT, Condition::Patch), Next::Call(PodCall::Get));
        assert_eq!(run.answered(PodCall::Get, found(false), &config), Next::Call(PodCall::Patch));
        assert_eq!(
            run.answered(PodCall::Patch, Answer::Done, &config),
            Next::Call(PodCall::Delete)
        );
        assert_eq!(run.answered(PodCall::Delete, Answer::Done, &config), Next::Return(true));
    }

    #[test]
    fn a_pod_that_has_the_condition_is_not_patched() {
        let config = Config::default();
        let mut run = Deletion::default();
        run.begin(Cause::ROOT, Condition::Patch);
        assert_eq!(run.answered(PodCall::Get, found(true), &config), Next::Call(PodCall::Delete));
    }

    #[test]
    fn without_the_condition_an_attempt_is_one_delete() {
        let mut config = Config::default();
        config.switches.disruption_condition = Condition::None;
        let mut run = Deletion::default();
        assert_eq!(run.begin(Cause::ROOT, Condition::None), Next::Call(PodCall::Delete));
        let failed = Answer::Failed(ApiError::Conflict);
        assert_eq!(run.answered(PodCall::Delete, failed, &config), Next::Sleep);
        assert_eq!(run.woke(&config), Next::Call(PodCall::Delete));
    }

    /// 1.26 to 1.28.
    #[test]
    fn an_apply_is_sent_even_if_the_condition_is_there() {
        let mut config = Config::default();
        config.switches.disruption_condition = Condition::Apply;
        let mut run = Deletion::default();
        run.begin(Cause::ROOT, Condition::Apply);
        assert_eq!(run.answered(PodCall::Get, found(true), &config), Next::Call(PodCall::Patch));
    }

    #[test]
    fn the_client_repeats_what_was_told_to_wait_ten_times() {
        let config = Config::default();
        let mut run = Deletion::default();
        run.begin(Cause::ROOT, Condition::Patch);
        let busy = Answer::Failed(ApiError::TooManyRequests);
        for repeated in 0..CLIENT_RETRIES {
            let next = run.answered(PodCall::Get, busy, &config);
            assert_eq!(next, Next::RetryAfter(PodCall::Get), "{repeated}");
            assert_eq!(run.attempt, 1, "one attempt all the while");
        }
        assert_eq!(run.answered(PodCall::Get, busy, &config), Next::Sleep);
    }

    #[test]
    fn five_failures_of_any_call_end_it_and_each_is_followed_by_a_sleep() {
        let config = Config::default();
        for failing in [PodCall::Get, PodCall::Patch, PodCall::Delete] {
            let mut run = Deletion::default();
            let mut next = run.begin(Cause::ROOT, Condition::Patch);
            let mut sleeps = 0;
            let mut failed = 0;
            let end = loop {
                next = match next {
                    Next::Call(verb) if verb == failing => {
                        failed += 1;
                        run.answered(verb, Answer::Failed(ApiError::NotFound), &config)
                    }
                    Next::Call(PodCall::Get) => run.answered(PodCall::Get, found(false), &config),
                    Next::Call(verb) => run.answered(verb, Answer::Done, &config),
                    Next::Sleep => {
                        sleeps += 1;
                        run.woke(&config)
                    }
                    Next::RetryAfter(call) => panic!("{call:?} is repeated"),
                    Next::Return(done) => break done,
                };
            };
            assert!(!end);
            assert_eq!((failed, sleeps), (5, 5), "{failing:?}");
        }
    }
}
