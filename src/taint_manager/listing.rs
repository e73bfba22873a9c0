//! The LIST of a node's pods that a handler makes where there is no index (up to 1.15): one try,
//! and up to five more.
//!
//! Facts: sources of 1.6 to 1.15, `getPodsAssignedToNode`. The sleep follows each retry, one that
//! succeeded included, and not the first try.

use super::pod_deletion::CLIENT_RETRIES;
use crate::apiserver::PodEvent;
use crate::cluster::state::State;
use crate::kernel::Span;
use crate::objects::{NodeId, TaintsId};
use crate::plan::ApiError;
use crate::timeline::Cause;

/// Tries after the first one.
const RETRIES: u32 = 5;
/// Sleep after each of them.
pub const SLEEP: Span = Span::from_millis(100);

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListNext {
    /// Make the call.
    Call,
    /// Make the call again after the time that the answer asked for.
    RetryAfter,
    /// Sleep for [`SLEEP`], then call [`Listing::woke`].
    Sleep,
    /// The pods are there, or (false) the node's event is dropped.
    Return(bool),
}

/// Where a listing stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ListStage {
    /// Not begun.
    #[default]
    Begin,
    /// The call is on its way to the store.
    Sent,
    /// The answer is on its way back.
    Answered(Option<ApiError>),
    /// The client waits as long as the answer asked it to.
    ToldToWait,
    /// Asleep after a retry.
    Asleep,
}

/// One run.
#[derive(Debug)]
pub struct Listing {
    /// The node.
    pub node: NodeId,
    /// Its NoExecute taints as the handler saw them.
    pub taints: TaintsId,
    /// Where it stands.
    pub stage: ListStage,
    /// Tries so far.
    pub attempt: u32,
    /// The handler.
    pub cause: Cause,
    /// The last call, or `cause` where calls are not recorded.
    pub call: Cause,
    /// What the store answered.
    pub pods: Vec<PodEvent>,
    failed: bool,
    /// How often the client has repeated the present call.
    repeated: u32,
}

impl Listing {
    /// A listing that has not begun.
    pub fn new(node: NodeId, taints: TaintsId, cause: Cause) -> Listing {
        Listing {
            node,
            taints,
            stage: ListStage::Begin,
            attempt: 0,
            cause,
            call: cause,
            pods: Vec::new(),
            failed: false,
            repeated: 0,
        }
    }

    /// Its part of [`crate::cluster::state`].
    pub fn state(&self, state: &mut State<'_>) {
        state.put((self.node, self.stage, self.attempt, self.failed, self.repeated));
        state.taints(self.taints);
        for pod in &self.pods {
            state.put(true);
            state.pod(pod);
        }
        state.put(false);
    }

    /// A call is answered.
    pub fn answered(&mut self, error: Option<ApiError>) -> ListNext {
        if error == Some(ApiError::TooManyRequests) && self.repeated < CLIENT_RETRIES {
            self.repeated += 1;
            return ListNext::RetryAfter;
        }
        self.repeated = 0;
        self.stage = ListStage::Begin;
        self.failed = error.is_some();
        match (self.attempt, error) {
            (1, None) => ListNext::Return(true),
            (1, Some(_)) => ListNext::Call,
            _ => ListNext::Sleep,
        }
    }

    /// The sleep after a retry is over.
    pub fn woke(&mut self) -> ListNext {
        debug_assert!(self.attempt <= 1 + RETRIES, "one try too many");
        if self.failed && self.attempt <= RETRIES {
            ListNext::Call
        } else {
            ListNext::Return(!self.failed)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::Lists;

    /// Tries, sleeps and the end, where the first `failures` tries fail.
    fn run(failures: u32) -> (u32, u32, bool) {
        let mut listing = Listing::new(NodeId(0), Lists::NO_TAINTS, Cause::ROOT);
        let mut sleeps = 0;
        let mut next = ListNext::Call;
        loop {
            next = match next {
                ListNext::Call => {
                    listing.attempt += 1;
                    let error = (listing.attempt <= failures).then_some(ApiError::InternalError);
                    listing.answered(error)
                }
                ListNext::RetryAfter => panic!("no answer asked for it"),
                ListNext::Sleep => {
                    sleeps += 1;
                    listing.woke()
                }
                ListNext::Return(listed) => return (listing.attempt, sleeps, listed),
            };
        }
    }

    #[test]
    fn one_try_and_five_more_each_followed_by_a_sleep() {
        assert_eq!(run(0), (1, 0, true));
        assert_eq!(run(1), (2, 1, true), "the retry sleeps although it succeeded");
        assert_eq!(run(5), (6, 5, true));
        assert_eq!(run(6), (6, 5, false), "the event is dropped");
    }
}
