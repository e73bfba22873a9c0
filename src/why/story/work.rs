//! The taint manager's part of a story: what it decides about the pod, and its deletions.

use super::Teller;
use crate::kernel::Span;
use crate::kernel::time::Time;
use crate::objects::taint::no_execute;
use crate::objects::{TaintsId, TolerationsId, Uid};
use crate::plan::{ApiError, Verb};
use crate::timeline::fate::reason_words;
use crate::timeline::{CancelReason, EventReason, Kind, Outcome, Record, Standing};
use crate::why::words::{call_failed, lag, looks, matches, taint_words};

impl Teller<'_, '_> {
    pub(super) fn take_work(&mut self, record: &Record) {
        let context = self.evidence.context();
        let at = record.at;
        match &record.kind {
            Kind::EvictionScheduled { .. } => {
                self.looked_for = self.evidence.trigger(record).map(|trigger| trigger.seq);
                self.scheduled(record);
            }
            Kind::WorkSkipped { standing, fire_at, taints, tolerations, .. } => {
                let same = *standing == Standing::Timer && self.timer == Some(*fire_at);
                let trigger = self.evidence.trigger(record);
                let is_news = trigger.is_some_and(|trigger| {
                    let changes = matches!(
                        trigger.kind,
                        Kind::NodeTaintsChanged { .. } | Kind::PodTolerationsChanged { .. }
                    );
                    changes && self.looked_for != Some(trigger.seq)
                });
                if same && !is_news {
                    // The same window, seen by another item of the same instant.
                    return;
                }
                self.looked_for = trigger.map(|trigger| trigger.seq);
                self.skipped(record, *standing, *fire_at, (*taints, *tolerations));
            }
            Kind::EvictionCancelled { reason } => {
                let pod = context.names().pod(self.life.pod);
                let message = EventReason::Cancelling.message(pod);
                let lag = match reason {
                    CancelReason::PodGone => self.lag_of(record).replace("looks at", "misses"),
                    _ => self.lag_of(record),
                };
                let why = reason_words(*reason);
                let what = match self.timer {
                    Some(fire_at) if fire_at > at => {
                        format!("cancels the timer, which was to fire at {fire_at}")
                    }
                    _ => "takes the work off its list, though its timer has fired".to_owned(),
                };
                let text = format!("{lag} and {what}: {why} (Event \"{message}\").");
                self.say(at, text);
            }
            Kind::EvictionStarted => {
                let pod = context.names().pod(self.life.pod);
                let message = EventReason::Marking.message(pod);
                let fires = match self.timer == Some(at) {
                    true => "The timer fires, and the deletion begins",
                    false => "The deletion begins",
                };
                self.say(at, format!("{fires} (Event \"{message}\")."));
            }
            Kind::PodFetched { attempt, outcome: Outcome::Failed(error), fault, .. } => {
                self.call_failed(at, Verb::Get, (*error, *fault), *attempt);
            }
            Kind::StatusPatched { outcome: Outcome::Ok, .. } => {
                let text = "Its status gets the condition DisruptionTarget.";
                match self.moments.last().is_some_and(|last| last.at == at) {
                    true => self.add(text),
                    false => self.say(at, text),
                }
            }
            Kind::StatusPatched { attempt, outcome: Outcome::Failed(error), fault, .. } => {
                self.call_failed(at, Verb::Patch, (*error, *fault), *attempt);
            }
            Kind::PodFetched { attempt, outcome: Outcome::Lost(error), .. } => {
                self.answer_lost(at, "GET", *error, *attempt);
            }
            Kind::StatusPatched { attempt, outcome: Outcome::Lost(error), .. } => {
                self.answer_lost(at, "PATCH", *error, *attempt);
            }
            Kind::DeleteRequested { attempt, outcome, fault, uid } => match outcome {
                Outcome::Failed(error) => {
                    self.call_failed(at, Verb::Delete, (*error, *fault), *attempt);
                }
                Outcome::Lost(error) => self.answer_lost(at, "DELETE", *error, *attempt),
                Outcome::Ok => self.deleted(record, *attempt, *uid),
            },
            Kind::EvictionFailed => {
                let attempts = context.plan.config.taint_manager.delete_retries;
                let text = format!(
                    "All {attempts} attempts have failed. The taint manager forgets the pod: \
                     nothing tries again until the node's NoExecute taints or the pod's \
                     tolerations change, or the controller starts anew."
                );
                self.say(at, text);
            }
            _ => {}
        }
    }

    fn deleted(&mut self, record: &Record, attempt: u32, uid: Option<Uid>) {
        let mut text = match attempt {
            1 => "The API server accepts the DELETE.".to_owned(),
            n => format!("Attempt {n}: the API server accepts the DELETE."),
        };
        let reached = uid.and_then(|uid| self.evidence.history.incarnation(uid));
        let going = |at: Option<Time>| at.is_some_and(|at| at < record.at);
        if reached.is_some_and(|l| going(l.evicted_at()) || going(l.terminating_at())) {
            text.push_str(" It was deleted before: this changes nothing.");
        }
        self.say(record.at, text);
    }

    fn answer_lost(&mut self, at: Time, verb: &str, error: ApiError, attempt: u32) {
        let attempts = self.context().plan.config.taint_manager.delete_retries;
        let error = error.as_str();
        let text = format!(
            "Attempt {attempt} of {attempts} fails: the API server does the {verb}, but the answer \
             is lost, and the taint manager hears {error}."
        );
        self.say(at, text);
    }

    fn call_failed(&mut self, at: Time, verb: Verb, error: (ApiError, Option<u32>), attempt: u32) {
        let attempts = self.context().plan.config.taint_manager.delete_retries;
        let text = call_failed(self.context(), verb, error, attempt, Some(attempts));
        let how = text.split_once(" fails: ").map_or("", |(_, how)| how).to_owned();
        match attempt > 1 && how == self.failure {
            true => self.say(at, format!("Attempt {attempt} of {attempts} fails in the same way.")),
            false => self.say(at, text),
        }
        self.failure = how;
    }

    fn scheduled(&mut self, record: &Record) {
        let Kind::EvictionScheduled {
            fire_at,
            created_at,
            seconds,
            taints,
            taint,
            tolerations,
            toleration,
        } = record.kind
        else {
            return;
        };
        let looks = self.lag_of(record);
        let context = self.evidence.context();
        let how = matches(context, taints, tolerations);
        let stale = self.stale(record, taints, taint);
        let (taint, at) = (taint_words(context, taints, taint), record.at);
        let then = match (toleration, seconds) {
            (None, _) if fire_at > at => {
                "So the pod is to go at once: in this version by a timer of a nanosecond."
                    .to_owned()
            }
            (None, _) => "So the pod is to go at once.".to_owned(),
            (Some(_), Some(seconds)) if seconds <= 0 => {
                format!("{seconds} seconds are none: the pod is to go at once.")
            }
            (Some(index), Some(seconds)) => {
                let of = match no_execute(context.lists.taints(taints)).count() {
                    0 | 1 => String::new(),
                    _ => format!(", the {seconds}s of tolerations[{index}] for {taint}"),
                };
                let since = match created_at < at {
                    true => format!(", counted since {created_at}"),
                    false => String::new(),
                };
                match fire_at {
                    Time::MAX => format!(
                        "The window begins now{of}: a timer is armed that fires after the end of \
                         time (584 years)."
                    ),
                    _ => {
                        format!("The window begins now{of}: a timer is armed for {fire_at}{since}.")
                    }
                }
            }
            (Some(_), None) => format!("A timer is armed for {fire_at}."),
        };
        match self.cancelled_just_now(record) {
            true => self.say(at, format!("{how}{stale} {then}")),
            false => self.say(at, format!("{looks}. {how}{stale} {then}")),
        }
    }

    /// Says that the taint that decides is gone from the API server.
    fn stale(&self, record: &Record, taints: TaintsId, index: u32) -> &'static str {
        let context = self.evidence.context();
        let taint = context.lists.taints(taints).get(index as usize);
        let node = record.node.or(self.node);
        let now = node.and_then(|node| self.evidence.taints_at(node, record.seq));
        let now = now.map_or(&[][..], |id| context.lists.taints(id));
        match taint.is_some_and(|taint| !now.contains(taint)) {
            true if !context.plan.config.switches.current_objects => {
                " Only its item still carries this taint: it is gone from the API server."
            }
            true => " Only its cache still has this taint: it is gone from the API server.",
            false => "",
        }
    }

    /// The same look has cancelled a timer before.
    fn cancelled_just_now(&self, record: &Record) -> bool {
        let before = self.evidence.before(record.seq).iter().rev();
        before.take_while(|other| other.at == record.at).any(|other| {
            let is_cancel = matches!(other.kind, Kind::EvictionCancelled { .. });
            is_cancel && other.cause == record.cause && other.pod == record.pod
        })
    }

    fn skipped(
        &mut self,
        record: &Record,
        standing: Standing,
        fire_at: Time,
        (taints, tolerations): (TaintsId, TolerationsId),
    ) {
        let looks = self.lag_of(record);
        let how = matches(self.context(), taints, tolerations);
        let would = match fire_at <= record.at.saturating_add(Span(1)) {
            true => "That would be now".to_owned(),
            false => format!("That would be {fire_at}"),
        };
        let but = match (standing, self.timer) {
            (Standing::Timer, Some(timer)) => {
                format!("but an armed timer never moves: it stays at {timer}.")
            }
            (Standing::Timer, None) => "but an armed timer never moves.".to_owned(),
            (Standing::Deletion, _) => {
                "but a deletion of this name runs already: nothing is added.".to_owned()
            }
            (Standing::Marker, _) => {
                "but the marker of an earlier deletion stands under its name: nothing is added, \
                 and the pod stays as long as the marker does."
                    .to_owned()
            }
        };
        self.say(record.at, format!("{looks}. {how} {would}; {but}"));
    }

    /// `The taint manager looks at the pod`, with how late and why where it is late.
    fn lag_of(&self, record: &Record) -> String {
        let Some(trigger) = self.evidence.trigger(record) else { return looks() };
        let words = lag(self.evidence, trigger, record);
        // An item of the pod and one of its node at one instant are two looks.
        let before = self.moments.last().filter(|last| last.at == record.at);
        match before.is_some_and(|last| last.text.starts_with(&looks())) {
            true => words.replacen("looks at the pod", "looks at the pod again", 1),
            false => words,
        }
    }
}
