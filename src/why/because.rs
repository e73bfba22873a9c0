//! Why something happened to a pod, or did not, in a sentence: which taint, which step put it
//! there, and which toleration matched it.

use super::mismatch::why_not_tolerated;
use crate::objects::taint::no_execute;
use crate::objects::{Effect, NodeId, Taint, TaintsId, Toleration};
use crate::timeline::Context;
use crate::timeline::fate::{Fate, Reason, reason_words, seconds_of, taint_with_origin};
use crate::timeline::history::{Arming, Cancel, Decision, History, Incarnation, Origin};

/// What there is to ask.
#[derive(Clone, Copy)]
pub struct Because<'a> {
    /// Plan and lists of the run.
    pub context: Context<'a>,
    /// What became of the pods.
    pub history: &'a History,
}

impl Because<'_> {
    /// ` Taint b=x:NoExecute (step 3) matched a toleration of 60s (tolerations[0]).`
    pub fn cause(&self, arming: Option<&Arming>, life: &Incarnation) -> String {
        let Some(arming) = arming else { return String::new() };
        let context = self.context;
        let decision = self.history.decision(arming);
        let taint = taint_with_origin(context, decision);
        let earlier = match arming.uid() == life.uid {
            true => "",
            false => " That was an earlier pod of this name, whose timer lived on.",
        };
        match (seconds_of(context, decision), decision.toleration) {
            (Some(s), Some(index)) => format!(
                " Taint {taint} matched a toleration of {s}s (tolerations[{index}]).{earlier}"
            ),
            (_, Some(index)) => format!(" Taint {taint} matched tolerations[{index}].{earlier}"),
            (_, None) => {
                let why = self.why_not_tolerated(decision);
                format!(" Taint {taint} is not tolerated: {why}.{earlier}")
            }
        }
    }

    fn why_not_tolerated(&self, decision: &Decision) -> String {
        let lists = self.context.lists;
        let tolerations = lists.tolerations(decision.tolerations);
        match lists.taints(decision.taints).get(decision.taint as usize) {
            Some(taint) => why_not_tolerated(tolerations, taint, self.operators()),
            None => "no toleration matches it".into(),
        }
    }

    /// Whether `Gt` and `Lt` count.
    fn operators(&self) -> bool {
        self.context.plan.config.switches.comparison_operators
    }

    /// Why the pod's timer was never cancelled, where it was evicted.
    pub fn not_cancelled(&self, life: &Incarnation) -> String {
        let Because { context, history } = *self;
        let arming = history.evicted_by(life).filter(|arming| arming.uid() == life.uid);
        let (Some(evicted), Some(arming)) = (life.evicted_at(), arming) else {
            return self.sentence(life);
        };
        let decision = history.decision(arming);
        let Some((seconds, index)) = seconds_of(context, decision).zip(decision.toleration) else {
            let cause = self.cause(Some(arming), life);
            return format!("there was no timer to cancel: evicted at once, at {evicted}.{cause}");
        };
        let taint = context.lists.taints(decision.taints).get(decision.taint as usize);
        let stayed = life
            .node
            .zip(taint)
            .filter(|(node, taint)| history.has_taint_after(context, *node, taint, arming.fire_at));
        let Some((node, _)) = stayed else { return self.sentence(life) };
        let node = context.names().node(node);
        let taint = taint_with_origin(context, decision);
        format!(
            "its timer, set at {} for {}, ran out and it was evicted at {evicted}: taint {taint} \
             stayed on {node} for the {seconds}s of tolerations[{index}].",
            arming.at, arming.fire_at
        )
    }

    /// What became of the pod, and why.
    pub fn sentence(&self, life: &Incarnation) -> String {
        let history = self.history;
        let reason = Reason::of(self.context, history, life);
        let phrase = reason.phrase(self.context, history);
        match Fate::of(history, life) {
            Fate::Evicted(at) => {
                let cause = self.cause(history.evicted_by(life), life);
                format!("evicted at {at}.{cause}")
            }
            Fate::Armed(at) => {
                let cause = self.cause(history.pending(life.pod), life);
                format!("its timer is pending and fires at {at}.{cause}")
            }
            Fate::Removed(at) => format!("removed at {at}: {phrase}."),
            Fate::Terminating(at) => format!("terminating since {at}: {phrase}."),
            Fate::Survives => format!("it survives: {}.", self.why_it_survives(reason, life)),
        }
    }

    fn why_it_survives(&self, reason: Reason, life: &Incarnation) -> String {
        let (context, history) = (self.context, self.history);
        let phrase = || reason.phrase(context, history).to_string();
        let Some(node) = life.node else { return phrase() };
        let name = context.names().node(node);
        match reason {
            Reason::NoTaint => {
                let taints = history.taints_of(node).map_or(&[][..], |id| context.lists.taints(id));
                let others: Vec<String> = taints
                    .iter()
                    .filter(|taint| taint.effect != Effect::NoExecute)
                    .map(|taint| format!("{taint}{}", self.origin_words(node, taint)))
                    .collect();
                let evict = if others.len() == 1 { "evicts" } else { "evict" };
                let others = match others.as_slice() {
                    [] => String::new(),
                    some => format!("; {} {evict} nobody", some.join(" and ")),
                };
                format!("its node {name} has no NoExecute taint{others}")
            }
            Reason::NodeMissing => format!("its node {name} does not exist"),
            Reason::ToleratesForEver => {
                let taints = history.taints_of(node);
                self.tolerated_for_ever(node, taints, "is", life).unwrap_or_else(phrase)
            }
            Reason::Tolerated => {
                let taints = history.taints_past(life).next();
                let had = self.tolerated_for_ever(node, taints, "was", life);
                had.map_or_else(phrase, |had| format!("{had}, and is gone"))
            }
            Reason::Cancelled(at, why) => {
                let timer = history.newest_arming(life.pod);
                let set = timer.map(|t| format!(", set at {} for {},", t.at, t.fire_at));
                let cancel = history.newest_cancel(life.pod);
                let by = cancel.map(|cancel| self.step_words(cancel.origin)).unwrap_or_default();
                let why = reason_words(why);
                format!("its timer{} was cancelled at {at}{by}: {why}", set.unwrap_or_default())
            }
            _ => phrase(),
        }
    }

    /// ` It was cancelled by step 3 (taint nodes node-0 b-): the node has no …`
    pub fn cancel_words(&self, cancel: &Cancel) -> String {
        let by = self.step_words(cancel.origin);
        format!(" It was cancelled{by}: {}.", reason_words(cancel.reason))
    }

    /// ` by step 3 (taint nodes node-0 b-)`; empty where no step is known.
    fn step_words(&self, origin: Origin) -> String {
        let Origin::Step(index) = origin else { return String::new() };
        let Some(step) = self.context.plan.steps.get(index as usize) else {
            return String::new();
        };
        let text = match step.actions.as_slice() {
            [action] => &*action.text,
            // Which of them is not known here.
            _ => "a burst",
        };
        format!(" by step {} ({text})", step.number)
    }

    /// ` (step 1)`: what gave the node this taint; empty where it is not known.
    fn origin_words(&self, node: NodeId, taint: &Taint) -> String {
        let context = self.context;
        match self.history.origin_of_taint(context, node, taint) {
            Origin::Start => " (on the node from the start)".to_owned(),
            Origin::Step(step) => {
                let step = context.plan.steps.get(step as usize);
                step.map_or_else(String::new, |step| format!(" (step {})", step.number))
            }
            Origin::Unknown => String::new(),
        }
    }

    /// `taint b=x:NoExecute (step 1) is tolerated for ever by tolerations[0]`.
    fn tolerated_for_ever(
        &self,
        node: NodeId,
        taints: Option<TaintsId>,
        verb: &str,
        life: &Incarnation,
    ) -> Option<String> {
        let context = self.context;
        let tolerations = context.lists.tolerations(life.tolerations);
        let words = |taint: &Taint| {
            let matches = |toleration: &Toleration| toleration.tolerates(taint, self.operators());
            let index = tolerations.iter().position(matches)?;
            let origin = self.origin_words(node, taint);
            Some(format!("taint {taint}{origin} {verb} tolerated for ever by tolerations[{index}]"))
        };
        let taints = no_execute(context.lists.taints(taints?));
        let all: Vec<String> = taints.filter_map(words).collect();
        (!all.is_empty()).then(|| all.join(", and "))
    }
}
