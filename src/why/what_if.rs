//! What would have changed a pod's fate. Nothing here is guessed: each answer is the fate in a run
//! of the changed plan.

use super::edit::{Edit, SpecPlace};
use super::evidence::Evidence;
use super::trial::{Identity, Trials, is_same};
use super::words::{joined, quoted_step};
use crate::kernel::time::{NANOS_PER_SECOND, Time};
use crate::objects::taint::no_execute;
use crate::objects::{Effect, Operator, Taint, Toleration, Uid};
use crate::timeline::fate::{Fate, Reason};
use crate::timeline::history::{Arming, Incarnation};
use crate::timeline::{Context, Kind, Record};

/// Steps that are left out one at a time, at most; the newest.
const STEPS_AT_MOST: usize = 12;

/// Something that would have been otherwise, and what it would have led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhatIf {
    /// `Removing taint b=x:NoExecute from node-0 before 5m10s`.
    pub change: String,
    /// The pod's fate then.
    pub fate: Fate,
    /// It is the fate that the pod has: what one might think would have helped does not.
    pub in_vain: bool,
    /// What was tried.
    pub edit: Edit,
    /// The same edit at any time from the first on and before the second leads there, too; at the
    /// second it does not.
    pub range: Option<(Time, Time)>,
    /// The step that does it, as `--step` takes it.
    pub step: Option<String>,
}

impl WhatIf {
    /// What of it is still to be done at `at`.
    pub(super) fn from(mut self, at: Time) -> Option<WhatIf> {
        let (from, until) = self.range?;
        if until <= at || from > at {
            // It is too late, or there is nothing to do it to yet.
            return None;
        }
        self.range = Some((from.max(at), until));
        Some(self)
    }
}

/// Asks for one pod.
pub struct Asker<'a, 'e, 'p, 't> {
    pub(super) evidence: &'a Evidence<'e>,
    pub(super) trials: &'t mut Trials<'p>,
    pub(super) life: &'a Incarnation,
    pub(super) identity: Identity,
    pub(super) fate: Fate,
    /// Edits that go with all others: a run that is long enough to see the fate.
    pub(super) base: Vec<Edit>,
    pub(super) found: Vec<WhatIf>,
}

impl<'a, 'e, 'p, 't> Asker<'a, 'e, 'p, 't> {
    /// For a life in a run.
    pub fn new(
        evidence: &'a Evidence<'e>,
        trials: &'t mut Trials<'p>,
        life: &'a Incarnation,
    ) -> Asker<'a, 'e, 'p, 't> {
        let fate = Fate::of(&evidence.history, life);
        let identity = identity(evidence, life);
        Asker { evidence, trials, life, identity, fate, base: Vec::new(), found: Vec::new() }
    }

    pub(super) fn context(&self) -> Context<'a> {
        self.evidence.context()
    }

    pub(super) fn edit(&self, edit: Edit) -> Edit {
        match self.base.as_slice() {
            [] => edit,
            base => Edit::All(base.iter().cloned().chain([edit]).collect()),
        }
    }

    /// Tries a change, and keeps what it leads to where that is another fate, or where `tell` says
    /// that it is worth telling that it is not.
    fn ask(&mut self, change: String, edit: Edit, tell: bool) -> Option<Fate> {
        let edit = self.edit(edit);
        let change = format!("{change}{}", self.base_words());
        let fate = self.trials.fate(&edit, self.identity)?;
        let in_vain = is_same(fate, self.fate);
        if !in_vain || tell {
            self.found.push(WhatIf { change, fate, in_vain, edit, range: None, step: None });
        }
        Some(fate)
    }

    /// What goes with a change besides.
    pub(super) fn base_words(&self) -> &'static str {
        if self.base.is_empty() { "" } else { ", in a run that goes on" }
    }

    /// What would have changed the fate.
    pub fn what_ifs(mut self) -> Vec<WhatIf> {
        let (context, history) = (self.context(), &self.evidence.history);
        let reason = Reason::of(context, history, self.life);
        match self.fate {
            Fate::Evicted(at) => {
                if let Some(arming) = history.evicted_by(self.life) {
                    self.about_window(arming, at);
                    self.about_tolerations(arming);
                    if matches!(reason, Reason::EarlierPod(_)) {
                        self.other_name();
                    }
                }
            }
            Fate::Armed(fire_at) => self.about_armed(fire_at),
            Fate::Survives => self.about_survivor(reason),
            Fate::Removed(_) | Fate::Terminating(_) => {}
        }
        self.without_steps();
        self.without_trouble();
        self.found
    }

    /// A pod whose timer is armed at the end: what a longer run would bring.
    fn about_armed(&mut self, fire_at: Time) {
        if fire_at == Time::MAX {
            return;
        }
        let long = Time(fire_at.0.saturating_add(NANOS_PER_SECOND));
        let until = Edit::Until(long);
        let words = format!("A run that goes on (--until {long})");
        let Some(fate) = self.ask(words, until.clone(), false) else { return };
        self.base.push(until);
        if let (Fate::Evicted(at), Some(arming)) =
            (fate, self.evidence.history.pending(self.life.pod))
        {
            self.fate = fate;
            self.about_window(arming, at);
            self.about_tolerations(arming);
        }
    }

    /// Other tolerations.
    fn about_tolerations(&mut self, arming: &Arming) {
        let context = self.context();
        let decision = *self.evidence.history.decision(arming);
        let Some(spec) = self.spec().filter(|_| !self.tolerations_changed()) else { return };
        let own = context.lists.tolerations(self.life.tolerations).to_vec();
        let taints: Vec<Taint> =
            no_execute(context.lists.taints(decision.taints)).cloned().collect();
        let operators = context.plan.config.switches.comparison_operators;
        let Some(index) = decision.toleration else {
            let is_bare = |taint: &&Taint| !own.iter().any(|t| t.tolerates(taint, operators));
            let added: Vec<Toleration> = taints.iter().filter(is_bare).map(forever).collect();
            let words: Vec<String> = added.iter().map(ToString::to_string).collect();
            let noun = if added.len() == 1 { "A toleration" } else { "Tolerations" };
            let tolerations = own.iter().cloned().chain(added).collect();
            let change = format!("{noun} {}", joined(&words));
            self.ask(change, Edit::Tolerations { spec, tolerations }, false);
            return;
        };
        if arming.uid() != self.life.uid {
            return;
        }
        let with = |seconds: Option<i64>| {
            let mut tolerations = own.clone();
            if let Some(toleration) = tolerations.get_mut(index as usize) {
                toleration.toleration_seconds = seconds;
            }
            Edit::Tolerations { spec, tolerations }
        };
        let one = format!("tolerations[{index}] without tolerationSeconds");
        let fate = self.ask(one, with(None), true);
        if fate.is_some_and(|fate| matches!(fate, Fate::Evicted(_))) {
            let mut tolerations = own.clone();
            tolerations.iter_mut().for_each(|toleration| toleration.toleration_seconds = None);
            let words = "All its tolerations without tolerationSeconds".to_owned();
            self.ask(words, Edit::Tolerations { spec, tolerations }, false);
        }
        self.enough_seconds(arming, index, &with);
        self.other_match(spec, &own, index, taints.get(decision.taint as usize));
    }

    /// Where a later toleration matches the taint, too: what it would give.
    fn other_match(
        &mut self,
        spec: SpecPlace,
        own: &[Toleration],
        index: u32,
        taint: Option<&Taint>,
    ) {
        let operators = self.context().plan.config.switches.comparison_operators;
        let Some((taint, first)) = taint.zip(own.get(index as usize)) else { return };
        let later = own.iter().skip(index as usize + 1);
        let has_other = later.into_iter().any(|other| other.tolerates(taint, operators));
        if has_other && !is_admitted(std::slice::from_ref(taint)) {
            let mut tolerations = own.to_vec();
            tolerations.remove(index as usize);
            let words = format!("Without tolerations[{index}] ({first})");
            self.ask(words, Edit::Tolerations { spec, tolerations }, false);
        }
    }

    /// As many seconds as last until the taint goes by itself.
    fn enough_seconds(&mut self, arming: &Arming, index: u32, with: &dyn Fn(Option<i64>) -> Edit) {
        let Some(node) = self.life.node else { return };
        let later = self.evidence.records.iter().find(|record| {
            record.node == Some(node)
                && record.at >= arming.fire_at
                && matches!(record.kind, Kind::NodeTaintsChanged { .. })
        });
        let Some(later) = later else { return };
        let wait = later.at.since(arming.at).0;
        let needed = wait / NANOS_PER_SECOND + 1;
        let Ok(needed) = i64::try_from(needed) else { return };
        let stays = |asker: &mut Self, seconds| {
            let edit = asker.edit(with(Some(seconds)));
            asker.trials.fate(&edit, asker.identity) == Some(Fate::Survives)
        };
        if needed < 2 || !stays(self, needed) || stays(self, needed - 1) {
            return;
        }
        let now = self.context().lists.tolerations(self.life.tolerations);
        let now = now.get(index as usize).and_then(|toleration| toleration.toleration_seconds);
        let now = now.map(|seconds| format!(" in place of {seconds}")).unwrap_or_default();
        let change =
            format!("{needed} tolerationSeconds{now} in tolerations[{index}], and not one less");
        self.ask(change, with(Some(needed)), false);
    }

    fn about_survivor(&mut self, reason: Reason) {
        match reason {
            Reason::TaintManagerOff => {
                self.ask("With a taint manager".to_owned(), Edit::Enable, false);
            }
            Reason::NoTaint => self.with_no_execute(),
            Reason::ToleratesForEver | Reason::Tolerated => self.without_tolerations(),
            Reason::GaveUp(_) => self.tainted_again(),
            Reason::NoTimer | Reason::EarlierPod(_) => self.other_name(),
            _ => {}
        }
    }

    /// The node's other taints with the effect that evicts.
    fn with_no_execute(&mut self) {
        let context = self.context();
        let taints = self.life.node.and_then(|node| self.evidence.history.taints_of(node));
        let taints = taints.map_or(&[][..], |id| context.lists.taints(id));
        for taint in taints.iter().filter(|taint| taint.effect != Effect::NoExecute).take(3) {
            let effect = Effect::NoExecute;
            let words = format!("Taint {taint} with the effect NoExecute");
            self.ask(words, Edit::Effect { taint: taint.clone(), effect }, false);
        }
    }

    fn without_tolerations(&mut self) {
        let Some(spec) = self.spec().filter(|_| !self.tolerations_changed()) else { return };
        let past = self.evidence.history.taints_past(self.life).collect::<Vec<_>>();
        let now = self.life.node.and_then(|node| self.evidence.history.taints_of(node));
        let lists = self.context().lists;
        if past.into_iter().chain(now).any(|id| is_admitted(lists.taints(id))) {
            // The admission plugin would give back a toleration that is left out.
            return;
        }
        let own = lists.tolerations(self.life.tolerations).to_vec();
        for (index, toleration) in own.iter().enumerate() {
            let mut tolerations = own.clone();
            tolerations.remove(index);
            let words = format!("Without tolerations[{index}] ({toleration})");
            self.ask(words, Edit::Tolerations { spec, tolerations }, false);
        }
    }

    /// A forgotten deletion: something that makes the taint manager look again.
    fn tainted_again(&mut self) {
        let Some(node) = self.life.node else { return };
        let at = Time(self.evidence.end().0.saturating_add(NANOS_PER_SECOND));
        let taint = Taint::new("look-again", "", Effect::NoExecute);
        let name = self.context().names().node(node);
        let words = format!(
            "One more NoExecute taint on {name} at {at}, which makes the taint \
                             manager look again"
        );
        let mut edits = vec![Edit::AddTaint { node, taint, at }];
        let until = self.context().plan.config.until;
        if until.is_some_and(|until| until <= at) {
            edits.insert(0, Edit::Until(Time(at.0.saturating_add(NANOS_PER_SECOND))));
        }
        self.ask(words, Edit::All(edits), false);
    }

    fn other_name(&mut self) {
        let created = self.created().map_or(0, |record| record.seq);
        let is_named = self.evidence.after(created).iter().any(|record| {
            let is_step =
                matches!(record.kind, Kind::StepApplied { .. } | Kind::StepRejected { .. });
            is_step && record.pod == Some(self.life.pod)
        });
        // Steps that name the pod would go on to name the other.
        if let (false, Some(spec)) = (is_named, self.spec()) {
            let words = "Under a name that no pod had before".to_owned();
            self.ask(words, Edit::OtherName { spec }, false);
        }
    }

    /// Leaves out, one at a time, the steps that touched the pod or its node.
    fn without_steps(&mut self) {
        let context = self.context();
        let last = self.fate.time().unwrap_or(Time::MAX);
        let created = self.created().map_or(0, |record| record.seq);
        let creates = self.spec_step();
        let mut steps: Vec<(u32, u32, Time)> = Vec::new();
        for record in &self.evidence.records {
            let Kind::StepApplied { step, action } = record.kind else { continue };
            let is_near = match (record.pod, record.node) {
                // What came before it is about an earlier pod of its name.
                (Some(_), _) | (None, None) => record.seq > created,
                (None, Some(node)) => Some(node) == self.life.node,
            };
            let is_known = steps.iter().any(|known| (known.0, known.1) == (step, action));
            if is_near && creates != Some((step, action)) && record.at <= last && !is_known {
                steps.push((step, action, record.at));
            }
        }
        let skipped = steps.len().saturating_sub(STEPS_AT_MOST);
        for (step, action, at) in steps.into_iter().skip(skipped) {
            let words = quoted_step(context, step, action);
            let number = |index: u32| context.plan.steps.get(index as usize).map(|s| s.number);
            // The turns of a `repeat` share their number.
            let turns =
                context.plan.steps.iter().filter(|other| Some(other.number) == number(step));
            let when = if turns.count() > 1 { format!(" at {at}") } else { String::new() };
            let words = format!("Without s{}{when}", words.trim_start_matches('S'));
            self.ask(words, Edit::DropAction { step, action }, false);
        }
    }

    /// Leaves out what an ideal cluster does not have.
    fn without_trouble(&mut self) {
        let faults = self.context().plan.faults.len();
        if faults > 0 {
            let noun = if faults == 1 { "the fault" } else { "the faults" };
            self.ask(format!("Without {noun}"), Edit::DropFaults, false);
        }
        let words = "With calls and watch events that take no time".to_owned();
        self.ask(words, Edit::NoLatency, false);
    }

    fn tolerations_changed(&self) -> bool {
        let uid = self.life.uid;
        let mut records = self.evidence.records.iter();
        records.any(|record| match record.kind {
            Kind::PodTolerationsChanged { uid: of, .. } => of == uid,
            _ => false,
        })
    }

    /// Where the pod's spec stands; `None` where a manifest gives it to several.
    fn spec(&self) -> Option<SpecPlace> {
        match self.identity.spec {
            SpecPlace::Start(index) => {
                let spec = self.context().plan.pods.get(index as usize)?;
                (spec.pod == self.life.pod).then_some(self.identity.spec)
            }
            step @ SpecPlace::Step { .. } => Some(step),
        }
    }

    fn created(&self) -> Option<&'a Record> {
        created(self.evidence, self.life.uid)
    }

    /// The step and action that created the pod.
    fn spec_step(&self) -> Option<(u32, u32)> {
        match self.identity.spec {
            SpecPlace::Step { step, action, .. } => Some((step, action)),
            SpecPlace::Start(_) => None,
        }
    }
}

/// The record of a pod's creation.
fn created<'a>(evidence: &'a Evidence<'_>, uid: Uid) -> Option<&'a Record> {
    evidence.records.iter().find(|record| match record.kind {
        Kind::PodCreated { uid: of, .. } => of == uid,
        _ => false,
    })
}

/// Which pod a life is, for trials.
pub(super) fn identity(evidence: &Evidence<'_>, life: &Incarnation) -> Identity {
    let cause = created(evidence, life.uid).and_then(|record| evidence.causes(record).next());
    let spec = match cause.map(|cause| &cause.kind) {
        Some(Kind::StepApplied { step, action }) => {
            SpecPlace::Step { step: *step, action: *action, pod: life.pod }
        }
        _ => SpecPlace::of_start(life.uid),
    };
    Identity { pod: life.pod, spec }
}

/// Whether there is a taint that admission adds a toleration for.
fn is_admitted(taints: &[Taint]) -> bool {
    no_execute(taints).any(|taint| {
        let key = taint.key.strip_prefix("node.kubernetes.io/");
        key.is_some_and(|key| matches!(key, "not-ready" | "unreachable"))
    })
}

/// An unlimited toleration of a taint.
fn forever(taint: &Taint) -> Toleration {
    Toleration {
        key: taint.key.clone(),
        operator: Operator::Exists,
        value: "".into(),
        effect: Some(Effect::NoExecute),
        toleration_seconds: None,
    }
}
