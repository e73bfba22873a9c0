//! The fate of each pod at the end of a run, with its reason in words. Summaries, judgements and
//! digests all take it from here, so that they cannot disagree.

use std::fmt;

use super::history::{Arming, ArmingState, Decision, History, Incarnation};
use super::{CancelReason, Context};
use crate::kernel::time::Time;
use crate::objects::{Deadline, Effect, TaintsId, Verdict, match_lists};
use crate::plan::ApiError;

/// What became of an incarnation of a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fate {
    /// The store accepted the taint manager's DELETE at this time.
    Evicted(Time),
    /// It went otherwise.
    Removed(Time),
    /// It got its `deletionTimestamp` otherwise, and is still there.
    Terminating(Time),
    /// A timer is pending that fires at this time.
    Armed(Time),
    /// It exists, is not terminating, and no timer is pending.
    Survives,
}

impl Fate {
    /// The word of every output.
    pub fn as_str(self) -> &'static str {
        match self {
            Fate::Evicted(_) => "evicted",
            Fate::Removed(_) => "removed",
            Fate::Terminating(_) => "terminating",
            Fate::Armed(_) => "armed",
            Fate::Survives => "survives",
        }
    }

    /// When it happened; of an armed one, when it will.
    pub fn time(self) -> Option<Time> {
        match self {
            Fate::Evicted(at) | Fate::Removed(at) | Fate::Terminating(at) | Fate::Armed(at) => {
                Some(at)
            }
            Fate::Survives => None,
        }
    }

    /// The fate of an incarnation.
    pub fn of(history: &History, incarnation: &Incarnation) -> Fate {
        if let Some(at) = incarnation.evicted_at() {
            return Fate::Evicted(at);
        }
        if let Some(at) = incarnation.removed_at() {
            return Fate::Removed(at);
        }
        if let Some(at) = incarnation.terminating_at() {
            return Fate::Terminating(at);
        }
        match history.pending(incarnation.pod) {
            Some(arming) => Fate::Armed(arming.fire_at),
            None => Fate::Survives,
        }
    }
}

/// Why a pod has its fate: equal for pods that share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The taint manager's decision, by number; `None` where its record is not known.
    Decision(Option<u32>),
    /// Somebody else deleted it.
    DeletedOtherwise,
    /// It has no node.
    Unscheduled,
    /// Its node does not exist.
    NodeMissing,
    /// Nobody looks at NoExecute taints.
    TaintManagerOff,
    /// Its deletion gave up after this error.
    GaveUp(Option<ApiError>),
    /// Its timer was cancelled then, and nothing came after it.
    Cancelled(Time, CancelReason),
    /// Its node has no NoExecute taint.
    NoTaint,
    /// It tolerates every NoExecute taint of its node without limit.
    ToleratesForEver,
    /// The controller's process stopped then, and its timers with it.
    TimerLost(Time),
    /// Its deletion has begun and is not through.
    DeletionRuns,
    /// The taint manager holds no timer for it, though its node's taints ask for one.
    NoTimer,
}

impl Reason {
    /// Why this incarnation has its fate.
    pub fn of(context: Context<'_>, history: &History, incarnation: &Incarnation) -> Reason {
        match Fate::of(history, incarnation) {
            Fate::Evicted(_) => {
                Reason::Decision(history.evicted_by(incarnation).map(Arming::decision_number))
            }
            Fate::Armed(_) => {
                let arming = history.pending(incarnation.pod);
                Reason::Decision(arming.map(Arming::decision_number))
            }
            Fate::Removed(_) | Fate::Terminating(_) => Reason::DeletedOtherwise,
            Fate::Survives => Reason::of_survivor(context, history, incarnation),
        }
    }

    fn of_survivor(context: Context<'_>, history: &History, incarnation: &Incarnation) -> Reason {
        let pod = incarnation.pod;
        let Some(node) = incarnation.node else { return Reason::Unscheduled };
        if !context.plan.config.taint_manager.enabled {
            return Reason::TaintManagerOff;
        }
        let arming = history.newest_arming(pod).filter(|a| a.uid() == incarnation.uid);
        match arming.map(|a| a.state) {
            Some(ArmingState::Failed) => return Reason::GaveUp(history.last_error(pod)),
            Some(ArmingState::Started) => return Reason::DeletionRuns,
            _ => {}
        }
        let cancel = history.newest_cancel(pod);
        if let (Some(arming), Some(cancel)) = (arming, cancel)
            && arming.state == ArmingState::Cancelled
        {
            return Reason::Cancelled(cancel.at, cancel.reason);
        }
        let Some(taints) = history.taints_of(node) else { return Reason::NodeMissing };
        let taints = context.lists.taints(taints);
        if taints.iter().all(|t| t.effect != Effect::NoExecute) {
            return Reason::NoTaint;
        }
        let tolerations = context.lists.tolerations(incarnation.tolerations);
        let verdict = match_lists(taints, tolerations, false);
        if matches!(verdict, Verdict::Tolerated { deadline: Deadline::Never, .. }) {
            return Reason::ToleratesForEver;
        }
        match (arming.map(|a| a.state), history.last_stop()) {
            (Some(ArmingState::Lost), Some(at)) => Reason::TimerLost(at),
            _ => Reason::NoTimer,
        }
    }

    /// The reason as a phrase.
    pub fn phrase<'a>(self, context: Context<'a>, history: &'a History) -> Phrase<'a> {
        Phrase { reason: self, context, history }
    }
}

/// A [`Reason`] that can be printed.
pub struct Phrase<'a> {
    reason: Reason,
    context: Context<'a>,
    history: &'a History,
}

impl fmt::Display for Phrase<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason {
            Reason::Decision(Some(number)) => {
                decision_phrase(self.context, self.history.decision_at(number)).fmt(f)
            }
            Reason::Decision(None) => f.write_str("by the taint manager"),
            Reason::DeletedOtherwise => f.write_str("deleted, not by the taint manager"),
            Reason::Unscheduled => f.write_str("it has no node"),
            Reason::NodeMissing => f.write_str("its node does not exist"),
            Reason::TaintManagerOff => f.write_str("the taint manager is off"),
            Reason::GaveUp(Some(error)) => write!(
                f,
                "the deletion failed ({}), and the taint manager forgot the pod",
                error.as_str()
            ),
            Reason::GaveUp(None) => {
                f.write_str("the deletion failed, and the taint manager forgot the pod")
            }
            Reason::Cancelled(at, reason) => {
                write!(f, "eviction cancelled at {at}: {}", reason_words(reason))
            }
            Reason::NoTaint => f.write_str("its node has no NoExecute taint"),
            Reason::ToleratesForEver => {
                f.write_str("it tolerates its node's NoExecute taints without limit")
            }
            Reason::TimerLost(at) => write!(f, "its timer was lost with the controller at {at}"),
            Reason::DeletionRuns => f.write_str("its deletion has begun and is not through"),
            Reason::NoTimer => f.write_str(
                "the taint manager holds no timer for it, though its node's taints ask for one",
            ),
        }
    }
}

/// A cancel reason as a phrase.
pub fn reason_words(reason: CancelReason) -> &'static str {
    match reason {
        CancelReason::NodeUntainted => "the node has no NoExecute taint any more",
        CancelReason::PodGone => "the pod is gone",
        CancelReason::ToleratedForever => "every NoExecute taint is tolerated without limit now",
        CancelReason::NotTolerated => "a taint is not tolerated now, so the pod goes at once",
    }
}

/// The taint of a decision as kubectl writes it; empty where its record is broken.
pub fn decisive_taint(context: Context<'_>, taints: TaintsId, taint: u32) -> String {
    context.lists.taints(taints).get(taint as usize).map(ToString::to_string).unwrap_or_default()
}

/// `taint k=v:NoExecute (step 3) is not tolerated`, or `… tolerated for 60s`.
pub fn decision_phrase(context: Context<'_>, decision: &Decision) -> String {
    let taint = decisive_taint(context, decision.taints, decision.taint);
    let step = decision
        .step
        .and_then(|index| context.plan.steps.get(index as usize))
        .map(|step| format!(" (step {})", step.number))
        .unwrap_or_default();
    match seconds_of(context, decision) {
        Some(seconds) => format!("taint {taint}{step} is tolerated for {seconds}s"),
        None if decision.toleration.is_some() => format!("taint {taint}{step} is tolerated"),
        None => format!("taint {taint}{step} is not tolerated"),
    }
}

/// `tolerationSeconds` of the toleration that decides.
pub fn seconds_of(context: Context<'_>, decision: &Decision) -> Option<i64> {
    let list = context.lists.tolerations(decision.tolerations);
    list.get(decision.toleration? as usize)?.toleration_seconds
}
