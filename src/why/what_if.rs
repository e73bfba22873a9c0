//! What would have changed a pod's fate. Nothing here is guessed: each answer is the fate in a run
//! of the changed plan.

use super::edit::{Edit, SpecPlace};
use super::evidence::Evidence;
use super::trial::{Trials, is_same};
use super::words::{joined, quoted_step};
use crate::kernel::time::{NANOS_PER_SECOND, Time};
use crate::objects::taint::no_execute;
use crate::objects::{Effect, NodeId, Operator, PodId, Taint, Toleration, Uid};
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
    evidence: &'a Evidence<'e>,
    trials: &'t mut Trials<'p>,
    life: &'a Incarnation,
    fate: Fate,
    /// Edits that go with all others: a run that is long enough to see the fate.
    base: Vec<Edit>,
    found: Vec<WhatIf>,
}

impl<'a, 'e, 'p, 't> Asker<'a, 'e, 'p, 't> {
    /// For a life in a run.
    pub fn new(
        evidence: &'a Evidence<'e>,
        trials: &'t mut Trials<'p>,
        life: &'a Incarnation,
    ) -> Asker<'a, 'e, 'p, 't> {
        let fate = Fate::of(&evidence.history, life);
        Asker { evidence, trials, life, fate, base: Vec::new(), found: Vec::new() }
    }

    fn context(&self) -> Context<'a> {
        self.evidence.context()
    }

    fn id(&self) -> (PodId, Uid) {
        (self.life.pod, self.life.uid)
    }

    fn edit(&self, edit: Edit) -> Edit {
        match self.base.as_slice() {
            [] => edit,
            base => Edit::All(base.iter().cloned().chain([edit]).collect()),
        }
    }

    /// Tries a change, and keeps what it leads to where that is another fate, or where `tell` says
    /// that it is worth telling that it is not.
    fn ask(&mut self, change: String, edit: Edit, tell: bool) -> Option<Fate> {
        let edit = self.edit(edit);
        let fate = self.trials.fate(&edit, self.id())?;
        let in_vain = is_same(fate, self.fate);
        if !in_vain || tell {
            self.found.push(WhatIf { change, fate, in_vain, edit, range: None });
        }
        Some(fate)
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
        let edit = Edit::Until(long);
        let until = Edit::Until(long);
        let Some(fate) = self.ask(format!("A run that goes on (--until {long})"), edit, false)
        else {
            return;
        };
        self.base.push(until);
        if let (Fate::Evicted(at), Some(arming)) =
            (fate, self.evidence.history.pending(self.life.pod))
        {
            self.fate = fate;
            self.about_window(arming, at);
            self.about_tolerations(arming);
        }
    }

    /// Untainting in time.
    fn about_window(&mut self, arming: &Arming, gone_at: Time) {
        let Some(node) = self.life.node else { return };
        let context = self.context();
        let decision = self.evidence.history.decision(arming);
        if decision.toleration.is_none() || arming.fire_at <= arming.at {
            return;
        }
        let decisive = context.lists.taints(decision.taints).get(decision.taint as usize);
        let Some(decisive) = decisive.cloned() else { return };
        // Nothing else must bring or take NoExecute taints from here to the eviction.
        let from = self.last_change(node, gone_at).max(arming.at).max(self.life.created_at);
        let taints: Vec<Taint> = self.no_execute_before(node, gone_at);
        if !taints.contains(&decisive) || from >= gone_at {
            return;
        }
        let name = context.names().node(node).to_owned();
        let only = |at| Edit::RemoveTaints { node, taints: vec![decisive.clone()], at };
        let words = format!("Removing taint {decisive} from {name}");
        if self.before(&words, (from, gone_at), &only) || taints.len() == 1 {
            return;
        }
        let late = Time(gone_at.0 - 1);
        self.ask(format!("{words} alone, at any time after {from}"), only(late), true);
        let all = |at| Edit::RemoveTaints { node, taints: taints.clone(), at };
        self.before(&format!("Removing all NoExecute taints from {name}"), (from, gone_at), &all);
    }

    /// Looks for the time before which the change makes the pod stay; whether there is one.
    fn before(&mut self, words: &str, range: (Time, Time), edit: &dyn Fn(Time) -> Edit) -> bool {
        let (from, to) = range;
        if to.0 - from.0 < 2 {
            return false;
        }
        let base = self.base.clone();
        let whole = |at| match base.as_slice() {
            [] => edit(at),
            base => Edit::All(base.iter().cloned().chain([edit(at)]).collect()),
        };
        let id = self.id();
        // At the very time of the last change the step could come before it.
        let from = Time(from.0 + 1);
        let good = self.trials.fate(&whole(from), id).filter(|f| !matches!(f, Fate::Evicted(_)));
        let Some(good) = good else { return false };
        let holds = |fate| is_same(fate, good);
        let Some(until) = self.trials.boundary((from, to), id, whole, holds) else { return false };
        let edit = whole(Time(until.0 - 1));
        let when = match range.0 > self.first_time() {
            true => format!("after {} and before {until}", range.0),
            false => format!("before {until}"),
        };
        self.found.push(WhatIf {
            change: format!("{words} {when}"),
            fate: good,
            in_vain: false,
            edit,
            range: Some((from, until)),
        });
        true
    }

    /// When the timer was armed.
    fn first_time(&self) -> Time {
        let history = &self.evidence.history;
        let arming = history.evicted_by(self.life).or_else(|| history.pending(self.life.pod));
        arming.map_or(Time::ZERO, |arming| arming.at)
    }

    /// When the node's taints last changed before `at`.
    fn last_change(&self, node: NodeId, at: Time) -> Time {
        let mut of_node = self.evidence.records.iter().filter(|record| {
            let is_change = matches!(
                record.kind,
                Kind::NodeTaintsChanged { .. }
                    | Kind::NodeCreated { .. }
                    | Kind::NodeDeleted { .. }
            );
            is_change && record.node == Some(node) && record.at < at
        });
        of_node.next_back().map_or(Time::ZERO, |record| record.at)
    }

    /// The NoExecute taints that the node has just before `at`.
    fn no_execute_before(&self, node: NodeId, at: Time) -> Vec<Taint> {
        let last = self.evidence.records.iter().take_while(|record| record.at < at).last();
        let taints = last.and_then(|record| self.evidence.taints_at(node, record.seq));
        let taints = taints.map_or(&[][..], |id| self.context().lists.taints(id));
        no_execute(taints).cloned().collect()
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
        self.ask(format!("tolerations[{index}] without tolerationSeconds"), with(None), true);
        self.enough_seconds(arming, index, &with);
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
        let needed = later.at.since(arming.at).0 / NANOS_PER_SECOND + 1;
        let Ok(needed) = i64::try_from(needed) else { return };
        let id = self.id();
        let stays = |asker: &mut Self, seconds| {
            let edit = asker.edit(with(Some(seconds)));
            asker.trials.fate(&edit, id) == Some(Fate::Survives)
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
        let own = self.context().lists.tolerations(self.life.tolerations).to_vec();
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
        if let Some(spec) = self.spec() {
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

    /// Where the pod's spec stands.
    fn spec(&self) -> Option<SpecPlace> {
        if let Some((step, action)) = self.spec_step() {
            return Some(SpecPlace::Step { step, action, pod: self.life.pod });
        }
        let spec = self.context().plan.pods.get(self.life.uid.index().checked_sub(1)?)?;
        (spec.pod == self.life.pod).then(|| SpecPlace::of_start(self.life.uid))
    }

    fn created(&self) -> Option<&'a Record> {
        let mut records = self.evidence.records.iter();
        records.find(|record| match record.kind {
            Kind::PodCreated { uid, .. } => uid == self.life.uid,
            _ => false,
        })
    }

    /// The step and action that created the pod.
    fn spec_step(&self) -> Option<(u32, u32)> {
        let created = self.created()?;
        match self.evidence.causes(created).next()?.kind {
            Kind::StepApplied { step, action } => Some((step, action)),
            _ => None,
        }
    }
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
