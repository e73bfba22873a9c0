//! The fate of each pod at the end of a run, with its reason in words. Summaries, judgements and
//! digests all take it from here, so that they cannot disagree.

use std::fmt;

use super::history::{ArmingState, Decision, FailedCall, History, Incarnation, Origin, Trouble};
use super::{CancelReason, Context};
use crate::kernel::time::Time;
use crate::objects::{Deadline, Effect, TaintsId, Verdict, match_lists};
use crate::plan::Verb;

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
    /// The decision about an earlier pod of its name, whose timer lived on.
    EarlierPod(u32),
    /// Somebody else deleted it.
    DeletedOtherwise,
    /// It has no node.
    Unscheduled,
    /// Its node does not exist.
    NodeMissing,
    /// Nobody looks at NoExecute taints.
    TaintManagerOff,
    /// Its deletion gave up.
    GaveUp(GaveUp),
    /// Its timer was cancelled then, and nothing came after it.
    Cancelled(Time, CancelReason),
    /// Its node has no NoExecute taint, and had none while the pod was there.
    NoTaint,
    /// Its node had NoExecute taints that it tolerates without limit, and has none now.
    Tolerated,
    /// Its node had NoExecute taints, and has none now.
    TaintsGone,
    /// It tolerates every NoExecute taint of its node without limit.
    ToleratesForEver,
    /// The controller's process stopped then, and its timers with it.
    TimerLost(Time),
    /// Its deletion has begun and is not through.
    DeletionRuns,
    /// The taint manager holds no timer for it, though its node's taints ask for one.
    NoTimer,
}

/// How a deletion gave up, as far as the run's level of detail tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GaveUp {
    /// The last failed call with a record.
    last: Option<FailedCall>,
    /// Its attempts failed in different ways.
    mixed: bool,
    /// Attempts that left no record: they failed before their DELETE.
    unseen: u32,
}

impl GaveUp {
    /// After so many attempts, with what is known of them.
    pub fn new(attempts: u32, trouble: Option<&Trouble>) -> GaveUp {
        let trouble = trouble.copied().unwrap_or_default();
        GaveUp {
            last: trouble.last,
            mixed: trouble.mixed,
            unseen: attempts.saturating_sub(trouble.failures),
        }
    }

    /// `2 of 5 attempts failed before their DELETE; --detail controller shows them`.
    pub fn unseen_words(self, attempts: u32) -> Option<String> {
        let (failed, them) = match (self.unseen, attempts) {
            (0, _) => return None,
            (1, 1) => ("the attempt failed before its DELETE".to_owned(), "it"),
            (1, _) => (format!("1 of {attempts} attempts failed before its DELETE"), "it"),
            (n, _) if n == attempts => {
                (format!("all {n} attempts failed before their DELETE"), "them")
            }
            (n, _) => (format!("{n} of {attempts} attempts failed before their DELETE"), "them"),
        };
        Some(format!("{failed}; --detail controller shows {them}"))
    }
}

impl Reason {
    /// Why this incarnation has its fate.
    pub fn of(context: Context<'_>, history: &History, incarnation: &Incarnation) -> Reason {
        let arming = match Fate::of(history, incarnation) {
            Fate::Evicted(_) => history.evicted_by(incarnation),
            Fate::Armed(_) => history.pending(incarnation.pod),
            Fate::Removed(_) | Fate::Terminating(_) => return Reason::DeletedOtherwise,
            Fate::Survives => return Reason::of_survivor(context, history, incarnation),
        };
        match arming {
            None => Reason::Decision(None),
            Some(arming) if arming.uid() != incarnation.uid => {
                Reason::EarlierPod(arming.decision_number())
            }
            Some(arming) => Reason::Decision(Some(arming.decision_number())),
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
            Some(ArmingState::Failed) => {
                let attempts = context.plan.config.taint_manager.delete_retries;
                return Reason::GaveUp(GaveUp::new(attempts, history.newest_trouble(pod)));
            }
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
        let tolerations = context.lists.tolerations(incarnation.tolerations);
        let rules = context.plan.config.switches.match_rules();
        let tolerates = |taints| {
            let verdict = match_lists(taints, tolerations, rules);
            matches!(verdict, Verdict::Tolerated { deadline: Deadline::Never, .. })
        };
        if taints.iter().all(|t| t.effect != Effect::NoExecute) {
            let past: Vec<TaintsId> = history.taints_past(incarnation).collect();
            let tolerated = past.iter().all(|id| tolerates(context.lists.taints(*id)));
            return match (past.is_empty(), arming) {
                (true, _) => Reason::NoTaint,
                (false, None) if tolerated => Reason::Tolerated,
                (false, _) => Reason::TaintsGone,
            };
        }
        if tolerates(taints) {
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
            Reason::EarlierPod(number) => {
                earlier_pod_phrase(self.context, self.history.decision_at(number)).fmt(f)
            }
            Reason::DeletedOtherwise => f.write_str("deleted, not by the taint manager"),
            Reason::Unscheduled => f.write_str("it has no node"),
            Reason::NodeMissing => f.write_str("its node does not exist"),
            Reason::TaintManagerOff => f.write_str("the taint manager is off"),
            Reason::GaveUp(gave_up) => {
                let attempts = self.context.plan.config.taint_manager.delete_retries;
                let last = gave_up.last.map(|call| {
                    let at_last = if gave_up.mixed { "at last " } else { "" };
                    format!("{at_last}{}", call_phrase(self.context, call))
                });
                let known = [last, gave_up.unseen_words(attempts)];
                let known = known.into_iter().flatten().collect::<Vec<_>>().join("; ");
                write!(f, "the deletion failed ({known}), and the taint manager forgot the pod")
            }
            Reason::Cancelled(at, reason) => {
                write!(f, "eviction cancelled at {at}: {}", reason_words(reason))
            }
            Reason::NoTaint => f.write_str("its node has no NoExecute taint"),
            Reason::Tolerated => {
                f.write_str("it tolerates without limit the NoExecute taints that its node had")
            }
            Reason::TaintsGone => f.write_str("its node has no NoExecute taint any more"),
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
    let taint = taint_with_origin(context, decision);
    match seconds_of(context, decision) {
        Some(seconds) => format!("taint {taint} is tolerated for {seconds}s"),
        None if decision.toleration.is_some() => format!("taint {taint} is tolerated"),
        None => format!("taint {taint} is not tolerated"),
    }
}

/// `the timer of an earlier pod of this name, which tolerated taint k=v:NoExecute (step 3) for 60s`.
pub fn earlier_pod_phrase(context: Context<'_>, decision: &Decision) -> String {
    let taint = taint_with_origin(context, decision);
    let did = match seconds_of(context, decision) {
        Some(seconds) => format!("tolerated taint {taint} for {seconds}s"),
        None if decision.toleration.is_some() => format!("tolerated taint {taint}"),
        None => format!("did not tolerate taint {taint}"),
    };
    format!("the timer of an earlier pod of this name, which {did}")
}

/// `k=v:NoExecute (step 3)`, or `… (on the node from the start)`.
pub fn taint_with_origin(context: Context<'_>, decision: &Decision) -> String {
    let mut taint = decisive_taint(context, decision.taints, decision.taint);
    match decision.origin {
        Origin::Start => taint.push_str(" (on the node from the start)"),
        Origin::Step(index) => {
            if let Some(step) = context.plan.steps.get(index as usize) {
                taint.push_str(&format!(" (step {})", step.number));
            }
        }
        Origin::Unknown => {}
    }
    taint
}

/// `Forbidden: quota says no`; of a call before the DELETE `PATCH: Conflict`.
fn call_phrase(context: Context<'_>, call: FailedCall) -> String {
    let verb = match call.verb {
        Verb::Get => "GET: ",
        Verb::List => "LIST: ",
        Verb::Create => "POST: ",
        Verb::Patch => "PATCH: ",
        Verb::Delete => "",
    };
    match context.fault_message(call.fault) {
        Some(message) => format!("{verb}{}: {message}", call.error.as_str()),
        None => format!("{verb}{}", call.error.as_str()),
    }
}

/// `[0] maintenance:NoExecute op=Exists for 60s`; empty where none matches.
pub fn toleration_words(context: Context<'_>, decision: &Decision) -> String {
    let Some(index) = decision.toleration else { return String::new() };
    let list = context.lists.tolerations(decision.tolerations);
    list.get(index as usize).map(|found| format!("[{index}] {found}")).unwrap_or_default()
}

/// `tolerationSeconds` of the toleration that decides.
pub fn seconds_of(context: Context<'_>, decision: &Decision) -> Option<i64> {
    let list = context.lists.tolerations(decision.tolerations);
    list.get(decision.toleration? as usize)?.toleration_seconds
}
