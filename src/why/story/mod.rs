//! The story of one pod: what happened to it, in sentences, from the step that began it to its
//! fate.

mod reaction;
mod work;

use reaction::Reactions;

use super::evidence::Evidence;
use super::words::{NodeChange, call_failed, joined, matches, quoted_step, step_words};
use crate::kernel::time::Time;
use crate::objects::taint::no_execute;
use crate::objects::{Deadline, Lists, NodeId, TaintsId, TolerationsId, Verdict, match_lists};
use crate::plan::{PodTermination, Verb};
use crate::timeline::history::Incarnation;
use crate::timeline::{Context, Kind, Outcome, Record};

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
        failure: String::new(),
        looked_for: None,
        gone: false,
        now: 0,
        reactions: Reactions::of(evidence),
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
    /// How the last attempt failed.
    failure: String,
    /// The change because of which the taint manager last looked at the pod.
    looked_for: Option<u32>,
    /// The pod object is gone.
    gone: bool,
    /// The record that is told.
    now: u32,
    reactions: Reactions,
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
        self.now = record.seq;
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
        if !self.here || self.gone {
            if record.kind == Kind::ControllerStopped {
                self.timer = None;
            }
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
        if self.gone {
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
        let context = self.evidence.context();
        let on_node = self.taints.unwrap_or(Lists::NO_TAINTS);
        let is_tainted = no_execute(context.lists.taints(on_node)).next().is_some();
        if !context.plan.config.taint_manager.enabled {
            if is_tainted {
                self.add("Nobody looks at it: the taint manager is off.");
            }
            return;
        }
        let next = self.next_change(change);
        let reaction = self.reactions.to(change.seq);
        if reaction.looked.zip(next).is_some_and(|(look, next)| look > next) {
            self.add("Before the taint manager looks, this changes again.");
            return;
        }
        if reaction.works || self.reactions.has_work(change.seq, next.unwrap_or(u32::MAX)) {
            // That is told when it comes.
            return;
        }
        if reaction.looked.is_none() {
            match next {
                Some(_) => self.add("Before the taint manager looks, this changes again."),
                None if self.evidence.end() > change.at => {
                    self.add("The taint manager has not heard of it by the end.");
                }
                None => {}
            }
            return;
        }
        if !is_tainted {
            if change.pod.is_none() && self.timer.is_none() {
                self.add("There is no timer to cancel.");
            }
            return;
        }
        let rules = context.plan.config.switches.match_rules();
        let taints = context.lists.taints(on_node);
        let tolerations = context.lists.tolerations(self.tolerations);
        let verdict = match_lists(taints, tolerations, rules);
        if let Verdict::Tolerated { deadline: Deadline::Never, .. } = verdict {
            self.add(&matches(context, on_node, self.tolerations));
            match self.timer {
                Some(fire_at) if !context.plan.config.switches.infinite_toleration_cancels => {
                    self.add(&format!(
                        "The timer, for {fire_at}, stays: this version does not cancel it."
                    ));
                }
                _ => self.add("So the taint manager leaves the pod alone."),
            }
        }
    }

    /// The next record that changes the pod, its node or the controller.
    fn next_change(&self, change: &Record) -> Option<u32> {
        let is_change = |record: &&Record| {
            let is_here = match (record.pod, record.node) {
                (Some(_), _) => true,
                (None, node) => node.is_some() && node == self.node,
            };
            match record.kind {
                Kind::NodeTaintsChanged { .. }
                | Kind::NodeDeleted { .. }
                | Kind::PodCreated { .. }
                | Kind::PodBound { .. }
                | Kind::PodTolerationsChanged { .. }
                | Kind::PodRemoved { .. } => is_here,
                Kind::ControllerStopped => true,
                _ => false,
            }
        };
        self.evidence.after(change.seq).iter().find(is_change).map(|record| record.seq)
    }

    fn take_pod(&mut self, record: &Record) {
        if let Kind::PodCreated { uid, tolerations, .. } = record.kind {
            self.here = uid == self.life.uid;
            if self.here {
                self.created(record, tolerations);
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
                self.say(at, format!("{step}{}", list.replacen("It has", "It has now", 1)));
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
            Kind::PodRemoved { .. } => {
                self.removed(record);
                self.gone = true;
            }
            _ => self.take_work(record),
        }
        self.follow(record);
    }

    /// The object goes with the DELETE; where that is no more than a setting, it is said.
    fn gone_words(&self) -> &'static str {
        let plan = self.context().plan;
        let own = plan.nodes.iter().find(|spec| Some(spec.node) == self.node);
        let termination = own.and_then(|spec| spec.termination).unwrap_or(plan.config.termination);
        let is_setting = termination == PodTermination::Immediate;
        match is_setting && self.node.is_some() && !self.is_finished() {
            true => "The object is gone at once (podTermination: Immediate).",
            false => "The object is gone at once.",
        }
    }

    fn is_finished(&self) -> bool {
        let spec = self.context().plan.pods.get(self.life.uid.index().wrapping_sub(1));
        spec.is_some_and(|spec| spec.pod == self.life.pod && spec.finished)
    }

    /// Keeps what stands under the pod's name.
    fn follow(&mut self, record: &Record) {
        match record.kind {
            Kind::EvictionScheduled { fire_at, .. } if fire_at > record.at => {
                self.timer = Some(fire_at);
            }
            Kind::EvictionCancelled { .. } => self.timer = None,
            Kind::EvictionStarted if self.timer == Some(record.at) => {
                self.timer = None;
            }
            _ => {}
        }
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
        let spec = self.context().plan.pods.get(self.life.uid.index().wrapping_sub(1));
        if let Some(spec) = spec.filter(|spec| step.is_none() && spec.pod == self.life.pod) {
            if spec.terminating {
                text.push_str(" It is terminating already.");
            }
            if spec.finished {
                text.push_str(" It has finished: nothing of it runs.");
            }
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
            Some(Kind::DeleteRequested { .. }) if is_last => self.add(self.gone_words()),
            _ => match step {
                Some(step) if !is_last => {
                    self.say(record.at, format!("{step}It is deleted, and the object is gone."));
                }
                Some(step) => self.say(record.at, format!("{step}The object is gone.")),
                None => self.say(record.at, "Its kubelet confirms, and the object is gone."),
            },
        }
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
        let after = self.evidence.after(step.seq).iter();
        !after
            .take_while(|record| record.at == step.at)
            .any(|record| record.cause == Some(step.seq))
    }

    fn taints_of_node(&self, seq: u32) -> Option<TaintsId> {
        self.evidence.taints_at(self.node?, seq)
    }

    /// The node's NoExecute taints, with where they come from.
    fn no_execute(&self) -> Option<String> {
        let context = self.context();
        let node = self.node?;
        let origin = |taint| match self.evidence.step_of_taint(node, taint, self.now) {
            Some(number) => format!(" (step {number})"),
            None => String::new(),
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
                format!("It has the tolerations {}.", joined(&words))
            }
        }
    }
}
