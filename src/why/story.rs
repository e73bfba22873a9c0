//! The story of one pod: what happened to it, in sentences, from the step that began it to its
//! fate.

use super::evidence::Evidence;
use super::words::{
    NodeChange, call_failed, joined, lag, looks, matches, quoted_step, step_words, taint_words,
};
use crate::kernel::time::Time;
use crate::objects::taint::no_execute;
use crate::objects::{Deadline, Lists, NodeId, TaintsId, TolerationsId, Uid, Verdict, match_lists};
use crate::plan::Verb;
use crate::timeline::fate::reason_words;
use crate::timeline::history::{Incarnation, Origin};
use crate::timeline::{Context, EventReason, Kind, Outcome, Record, Standing};

/// A sentence, or a few, with its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Virtual time.
    pub at: Time,
    /// What happened.
    pub text: String,
}

/// Tells the life of a pod as far as the evidence goes.
pub fn story(evidence: &Evidence<'_>, life: &Incarnation) -> Vec<Moment> {
    let mut teller = Teller {
        evidence,
        life,
        moments: Vec::new(),
        here: false,
        node: None,
        tolerations: life.tolerations,
        taints: None,
        timer: None,
        deletions: 0,
    };
    for record in &evidence.records {
        teller.take(record);
    }
    teller.moments
}

struct Teller<'a, 'p> {
    evidence: &'a Evidence<'p>,
    life: &'a Incarnation,
    moments: Vec<Moment>,
    /// The name is this life's at this point: from its creation to that of the next one.
    here: bool,
    node: Option<NodeId>,
    tolerations: TolerationsId,
    /// Taints of the node; `None` where there is no such node.
    taints: Option<TaintsId>,
    /// When the armed timer of the name fires.
    timer: Option<Time>,
    /// Deletions that run.
    deletions: u32,
}

impl Teller<'_, '_> {
    fn context(&self) -> Context<'_> {
        self.evidence.context()
    }

    fn say(&mut self, at: Time, text: impl Into<String>) {
        self.moments.push(Moment { at, text: text.into() });
    }

    fn add(&mut self, text: &str) {
        if let Some(moment) = self.moments.last_mut() {
            moment.text.push(' ');
            moment.text.push_str(text);
        }
    }

    fn node_name(&self) -> String {
        let name = |node| self.context().names().node(node);
        self.node.map_or("no node", name).to_owned()
    }

    fn take(&mut self, record: &Record) {
        match (record.pod, record.node) {
            (Some(_), _) => self.take_pod(record),
            (None, Some(node)) if self.here && self.node == Some(node) => {
                self.take_node(record);
            }
            (None, Some(_)) => {}
            (None, None) => self.take_controller(record),
        }
    }

    fn take_controller(&mut self, record: &Record) {
        if !self.here || self.life.removed_at().is_some_and(|at| at < record.at) {
            return;
        }
        match &record.kind {
            Kind::ControllerStopped => {
                let step = self.step_of(record).unwrap_or_default();
                let lost = match self.timer.take() {
                    Some(fire_at) => format!("its timer, for {fire_at}, is lost"),
                    None => "it had no timer that could be lost".to_owned(),
                };
                self.say(record.at, format!("{step}The controller stops: {lost}."));
            }
            Kind::ControllerStarted if record.at > Time::ZERO => {
                let text = "A new controller has its caches in sync and looks at all nodes and \
                            pods: every wait begins anew.";
                self.say(record.at, text);
            }
            Kind::WatchBroken { resource } => {
                let (step, resource) = (self.step_of(record), resource.as_str());
                let step = step.unwrap_or_default();
                let text = format!(
                    "{step}The taint manager's watch of {resource} breaks: it does not hear what \
                     happens to {resource} now."
                );
                self.say(record.at, text);
            }
            Kind::WatchRelisted { resource } => {
                let resource = resource.as_str();
                self.say(record.at, format!("The taint manager lists {resource} again."));
            }
            _ => {}
        }
    }

    fn take_node(&mut self, record: &Record) {
        if self.life.removed_at().is_some_and(|at| at < record.at) {
            return;
        }
        let node = self.node_name();
        match &record.kind {
            Kind::NodeTaintsChanged { taints } => self.taints_changed(record, *taints),
            Kind::NodeCreated { taints } => {
                self.taints = Some(*taints);
                let step = self.step_of(record).unwrap_or_default();
                let has = match self.no_execute() {
                    None => "It has no NoExecute taint".to_owned(),
                    Some(taints) => format!("It has {taints}"),
                };
                self.say(record.at, format!("{step}Node {node} is created. {has}."));
                self.nothing_follows(record);
            }
            Kind::NodeDeleted { .. } => {
                self.taints = None;
                let step = self.step_of(record).unwrap_or_default();
                let timers = match self.timer {
                    Some(fire_at) => {
                        format!("The taint manager leaves the timer, for {fire_at}, alone.")
                    }
                    None => "The pod object stays.".to_owned(),
                };
                self.say(record.at, format!("{step}Node {node} is deleted. {timers}"));
            }
            Kind::StepRejected { step, action, error } => {
                let step = quoted_step(self.context(), *step, *action);
                self.say(record.at, format!("{step} is refused: {error}."));
            }
            Kind::PodsListed { attempt, outcome: Outcome::Failed(error), fault } => {
                let failed =
                    call_failed(self.context(), Verb::List, (*error, *fault), *attempt, None);
                self.say(record.at, format!("{failed} The pods of the node are not known."));
            }
            _ => {}
        }
    }

    fn taints_changed(&mut self, record: &Record, taints: TaintsId) {
        let before = self.taints.replace(taints).unwrap_or(Lists::NO_TAINTS);
        let lists = self.evidence.context().lists;
        let change = NodeChange::between(lists.taints(before), lists.taints(taints));
        let step = self.step_of(record);
        let node = self.node_name();
        let text = match step {
            Some(step) => format!("{step}{}", change.sentence(&node)),
            None => change.sentence(&node),
        };
        self.say(record.at, text);
        if change.is_looked_at() {
            self.nothing_follows(record);
        } else {
            self.add("The taint manager looks at NoExecute taints only.");
        }
    }

    /// Where the taint manager does nothing about a change of the node or the pod, why.
    fn nothing_follows(&mut self, change: &Record) {
        let context = self.context();
        if !context.plan.config.taint_manager.enabled {
            self.add("Nobody looks at it: the taint manager is off.");
            return;
        }
        let reacts = |record: &&Record| {
            let about = matches!(
                record.kind,
                Kind::EvictionScheduled { .. }
                    | Kind::EvictionCancelled { .. }
                    | Kind::WorkSkipped { .. }
            );
            about
                && record.pod.is_some()
                && self.evidence.trigger(record).map(|trigger| trigger.seq) == Some(change.seq)
        };
        let later = self.evidence.records.iter().filter(|record| record.seq > change.seq);
        let mut later = later.peekable();
        if later.peek().is_none() || later.any(|record| reacts(&record)) {
            return;
        }
        let rules = context.plan.config.switches.match_rules();
        let taints = context.lists.taints(self.taints.unwrap_or(Lists::NO_TAINTS));
        let tolerations = context.lists.tolerations(self.tolerations);
        if no_execute(taints).next().is_none() {
            if self.timer.is_none() && change.node.is_some() && change.pod.is_none() {
                self.add("There is no timer to cancel.");
            }
            return;
        }
        let verdict = match_lists(taints, tolerations, rules);
        let text = match verdict {
            Verdict::Tolerated { deadline: Deadline::Never, .. } => {
                let on_node = self.taints.unwrap_or(Lists::NO_TAINTS);
                let how = matches(context, on_node, self.tolerations);
                let timer = match self.timer {
                    Some(fire_at) if !context.plan.config.switches.infinite_toleration_cancels => {
                        format!("The timer, for {fire_at}, stays: this version does not cancel it.")
                    }
                    _ => "So the taint manager leaves the pod alone.".to_owned(),
                };
                format!("{how} {timer}")
            }
            _ => "The taint manager never looks at the pod because of this alone: another change \
                  comes before it gets there, or it does not hear of it."
                .to_owned(),
        };
        self.add(&text);
    }

    fn take_pod(&mut self, record: &Record) {
        if let Kind::PodCreated { uid, tolerations, .. } = record.kind {
            self.here = uid == self.life.uid;
            if self.here {
                self.created(record, tolerations);
            } else if self.timer.is_some() {
                self.timer = self.timer_left(record);
            }
            return;
        }
        if !self.here {
            // An earlier pod's timer can live on.
            self.follow(record);
            return;
        }
        let at = record.at;
        match &record.kind {
            Kind::PodBound { tolerations, .. } => {
                self.tolerations = *tolerations;
                self.node = record.node;
                self.taints = self.taints_of_node(record.seq);
                let step = self.step_of(record).unwrap_or_default();
                let node = self.node_name();
                let has = self.node_has();
                self.say(at, format!("{step}It is bound to {node}. {has}"));
                self.nothing_follows(record);
            }
            Kind::PodTolerationsChanged { tolerations, .. } => {
                self.tolerations = *tolerations;
                let step = self.step_of(record).unwrap_or_default();
                let list = self.tolerations_sentence();
                self.say(at, format!("{step}Its tolerations change. {list}"));
                self.nothing_follows(record);
            }
            Kind::StepApplied { step, action } if self.is_without_effect(record) => {
                let step = quoted_step(self.context(), *step, *action);
                self.say(at, format!("{step} changes nothing that the taint manager looks at."));
            }
            Kind::StepRejected { step, action, error } => {
                let step = quoted_step(self.context(), *step, *action);
                self.say(at, format!("{step} is refused: {error}."));
            }
            Kind::PodTerminating { .. } => {
                let step = self.step_of(record).map(|step| format!("{step}It is deleted. "));
                let text = "It is terminating: it has its deletionTimestamp, and the object stays \
                            until its kubelet confirms.";
                self.say(at, format!("{}{text}", step.unwrap_or_default()));
            }
            Kind::PodRemoved { .. } => self.removed(record),
            _ => self.take_work(record),
        }
        self.follow(record);
    }

    /// Keeps what stands under the pod's name.
    fn follow(&mut self, record: &Record) {
        match record.kind {
            Kind::EvictionScheduled { fire_at, .. } if fire_at > record.at => {
                self.timer = Some(fire_at);
            }
            Kind::EvictionCancelled { .. } => self.timer = None,
            Kind::EvictionStarted => {
                self.deletions += 1;
                if self.timer == Some(record.at) {
                    self.timer = None;
                }
            }
            Kind::EvictionFailed => self.deletions = self.deletions.saturating_sub(1),
            Kind::DeleteRequested { outcome, .. } if outcome == Outcome::Ok => {
                self.deletions = self.deletions.saturating_sub(1);
            }
            _ => {}
        }
    }

    /// The timer of the name, where it is still armed when the next pod of the name comes.
    fn timer_left(&self, record: &Record) -> Option<Time> {
        self.timer.filter(|fire_at| *fire_at > record.at)
    }

    fn created(&mut self, record: &Record, tolerations: TolerationsId) {
        self.tolerations = tolerations;
        self.node = record.node;
        self.taints = self.taints_of_node(record.seq);
        let step = self.step_of(record);
        let mut text = match (&step, self.node) {
            (Some(step), Some(_)) => format!("{step}It is created on {}.", self.node_name()),
            (Some(step), None) => format!("{step}It is created, without a node."),
            (None, Some(_)) => format!("It is on {} from the start.", self.node_name()),
            (None, None) => "It is there from the start, without a node.".to_owned(),
        };
        text.push(' ');
        text.push_str(&self.tolerations_sentence());
        if self.node.is_some() {
            text.push(' ');
            text.push_str(&self.node_has());
        }
        self.say(record.at, text);
        if let Some(fire_at) = self.timer {
            self.add(&format!(
                "The timer of an earlier pod of this name is still armed, for {fire_at}: it belongs \
                 to the name."
            ));
        }
        self.nothing_follows(record);
    }

    fn removed(&mut self, record: &Record) {
        let cause = self.evidence.causes(record).next();
        let step = self.step_of(record);
        let is_last = self.moments.last().is_some_and(|last| last.at == record.at);
        match cause.map(|cause| &cause.kind) {
            Some(Kind::DeleteRequested { .. }) if is_last => {
                self.add("The object is gone at once.")
            }
            _ => match step {
                Some(step) if !is_last => {
                    self.say(record.at, format!("{step}It is deleted, and the object is gone."));
                }
                Some(step) => self.say(record.at, format!("{step}The object is gone.")),
                None => self.say(record.at, "Its kubelet confirms, and the object is gone."),
            },
        }
    }

    fn take_work(&mut self, record: &Record) {
        let context = self.evidence.context();
        let at = record.at;
        match &record.kind {
            Kind::EvictionScheduled { .. } => self.scheduled(record),
            Kind::WorkSkipped { standing, fire_at, taints, tolerations, .. } => {
                if *standing == Standing::Timer && self.timer == Some(*fire_at) {
                    // The same window, seen by another item of the same instant.
                    return;
                }
                self.skipped(record, *standing, *fire_at, (*taints, *tolerations));
            }
            Kind::EvictionCancelled { reason } => {
                let pod = context.names().pod(self.life.pod);
                let message = EventReason::Cancelling.message(pod);
                let lag = self.lag_of(record);
                let why = reason_words(*reason);
                let what = match self.deletions {
                    0 => "cancels the timer",
                    _ => "takes the work off its list, but the deletion is under way and goes on",
                };
                let fire_at = match (self.timer, self.deletions) {
                    (Some(fire_at), 0) if fire_at > at => {
                        format!(", which was to fire at {fire_at}")
                    }
                    _ => String::new(),
                };
                let text = format!("{lag} and {what}{fire_at}: {why} (Event \"{message}\").");
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
            Kind::StatusPatched { attempt, outcome: Outcome::Failed(error), fault, .. } => {
                self.call_failed(at, Verb::Patch, (*error, *fault), *attempt);
            }
            Kind::DeleteRequested { attempt, outcome, fault, uid } => match outcome {
                Outcome::Failed(error) => {
                    self.call_failed(at, Verb::Delete, (*error, *fault), *attempt);
                }
                Outcome::Lost(error) => {
                    let text = format!(
                        "The API server accepts the DELETE, but the answer is lost: the taint \
                         manager hears {}.",
                        error.as_str()
                    );
                    self.say(at, text);
                }
                Outcome::Ok => self.deleted(record, *attempt, *uid),
            },
            Kind::EvictionFailed => {
                let attempts = context.plan.config.taint_manager.delete_retries;
                let text = format!(
                    "All {attempts} attempts have failed. The taint manager forgets the pod: \
                     nothing tries again until the node's NoExecute taints or the pod's \
                     tolerations change."
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
        if reached.is_some_and(|life| life.evicted_at() != Some(record.at)) {
            text.push_str(" It was deleted before: this changes nothing.");
        }
        self.say(record.at, text);
    }

    fn call_failed(
        &mut self,
        at: Time,
        verb: Verb,
        error: (crate::plan::ApiError, Option<u32>),
        attempt: u32,
    ) {
        let attempts = self.context().plan.config.taint_manager.delete_retries;
        let text = call_failed(self.context(), verb, error, attempt, Some(attempts));
        self.say(at, text);
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
        let (taint, at) = (taint_words(context, taints, taint), record.at);
        let then = match (toleration, seconds) {
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
                format!("The window begins now{of}: a timer is armed for {fire_at}{since}.")
            }
            (Some(_), None) => format!("A timer is armed for {fire_at}."),
        };
        self.say(at, format!("{looks}. {how} {then}"));
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
        let would = match fire_at <= record.at.saturating_add(crate::kernel::Span(1)) {
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
        lag(self.evidence, trigger, record)
    }

    /// `Step 2 (taint nodes …): `, where the record comes from a step.
    fn step_of(&self, record: &Record) -> Option<String> {
        let cause = self.evidence.causes(record).next()?;
        match cause.kind {
            Kind::StepApplied { step, action } => Some(step_words(self.context(), step, action)),
            _ => None,
        }
    }

    /// Whether nothing follows from a step there and then.
    fn is_without_effect(&self, step: &Record) -> bool {
        let mut after = self.evidence.records.iter().filter(|record| record.seq > step.seq);
        !after.any(|record| record.cause == Some(step.seq))
    }

    fn taints_of_node(&self, seq: u32) -> Option<TaintsId> {
        self.evidence.taints_at(self.node?, seq)
    }

    /// The node's NoExecute taints, with where they come from.
    fn no_execute(&self) -> Option<String> {
        let context = self.context();
        let node = self.node?;
        let origin = |taint| match self.evidence.history.origin_of_taint(context, node, taint) {
            Origin::Step(index) => {
                let step = context.plan.steps.get(index as usize);
                step.map_or_else(String::new, |step| format!(" (step {})", step.number))
            }
            Origin::Start | Origin::Unknown => String::new(),
        };
        let taints = no_execute(context.lists.taints(self.taints?));
        let words: Vec<String> = taints.map(|taint| format!("{taint}{}", origin(taint))).collect();
        match words.as_slice() {
            [] => None,
            [one] => Some(format!("the taint {one}")),
            more => Some(format!("the taints {}", joined(more))),
        }
    }

    fn node_has(&self) -> String {
        let node = self.node_name();
        match (self.taints, self.no_execute()) {
            (None, _) => format!("There is no node {node}."),
            (_, Some(taints)) => format!("{node} has {taints}."),
            (_, None) => format!("{node} has no NoExecute taint."),
        }
    }

    fn tolerations_sentence(&self) -> String {
        let list = self.context().lists.tolerations(self.tolerations);
        match list {
            [] => "It has no tolerations.".to_owned(),
            [one] => format!("It has one toleration: {one}."),
            more => {
                let words: Vec<String> =
                    more.iter().enumerate().map(|(i, t)| format!("[{i}] {t}")).collect();
                format!("Its tolerations are {}.", joined(&words))
            }
        }
    }
}
