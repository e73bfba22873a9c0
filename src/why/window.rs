//! Untainting a node in time: from when to when it would have kept a pod.

use super::edit::Edit;
use super::trial::is_same;
use super::what_if::{Asker, WhatIf};
use crate::kernel::time::{NANOS_PER_SECOND, Time};
use crate::objects::taint::no_execute;
use crate::objects::{NodeId, Taint};
use crate::timeline::fate::Fate;
use crate::timeline::history::Arming;
use crate::timeline::{Context, Kind, Record};

/// Stretches between two steps in which removing a taint is tried, at most; the newest.
const INTERVALS_AT_MOST: usize = 6;

impl Asker<'_, '_, '_, '_> {
    /// Untainting in time.
    pub(super) fn about_window(&mut self, arming: &Arming, gone_at: Time) {
        let Some(node) = self.life.node else { return };
        let context = self.context();
        let decision = self.evidence.history.decision(arming);
        if decision.toleration.is_none() || arming.fire_at <= arming.at {
            return;
        }
        let decisive = context.lists.taints(decision.taints).get(decision.taint as usize);
        let Some(decisive) = decisive.cloned() else { return };
        let name = context.names().node(node).to_owned();
        let mut to = gone_at;
        for from in self.steps_before(node, arming.at.max(self.life.created_at), gone_at) {
            let taints = self.no_execute_before(node, to);
            if taints.contains(&decisive) {
                let only = |at| Edit::RemoveTaints { node, taints: vec![decisive.clone()], at };
                let words = format!("Removing taint {decisive} from {name}");
                if self.before(&words, (from, to), &only) {
                    return;
                }
                if to == gone_at && taints.len() > 1 {
                    self.in_vain(&words, (from, to), &only);
                }
            }
            let is_all = taints.len() > 1 || !taints.contains(&decisive);
            if is_all && !taints.is_empty() {
                let all = |at| Edit::RemoveTaints { node, taints: taints.clone(), at };
                let words = match taints.as_slice() {
                    [one] => format!("Removing taint {one} from {name}"),
                    _ => format!("Removing all NoExecute taints from {name}"),
                };
                if self.before(&words, (from, to), &all) {
                    return;
                }
            }
            to = from;
        }
    }

    /// Times from which on no step touches the node, the pod or the controller until the one
    /// before it in this list, or until the end; newest first, and `since` at last.
    fn steps_before(&self, node: NodeId, since: Time, end: Time) -> Vec<Time> {
        let is_near = |record: &&Record| {
            let is_step =
                matches!(record.kind, Kind::StepApplied { .. } | Kind::StepRejected { .. });
            let is_here = match (record.pod, record.node) {
                (Some(_), _) | (None, None) => true,
                (None, of) => of == Some(node),
            };
            is_step && is_here && record.at < end && record.at > since
        };
        let mut times: Vec<Time> =
            self.evidence.records.iter().filter(is_near).map(|record| record.at).collect();
        times.push(since);
        times.sort_unstable();
        times.dedup();
        times.reverse();
        times.truncate(INTERVALS_AT_MOST);
        times
    }

    /// Says that a change does not help, where it does at no time of a range.
    fn in_vain(&mut self, words: &str, (from, to): (Time, Time), edit: &dyn Fn(Time) -> Edit) {
        let span = to.0 - from.0;
        let times = [from.0 + 1, from.0 + span / 3, from.0 + span / 2, to.0 - 1].map(Time);
        let fates = times.map(|at| self.trials.fate(&self.edit(edit(at)), self.identity));
        if fates.iter().all(|fate| fate.is_some_and(|fate| is_same(fate, self.fate))) {
            let change = format!("{words} alone, at any time after {from}{}", self.base_words());
            let edit = self.edit(edit(Time(to.0 - 1)));
            let (fate, in_vain, range, step) = (self.fate, true, None, None);
            self.found.push(WhatIf { change, fate, in_vain, edit, range, step });
        }
    }

    /// Looks for the time before which the change makes the pod stay; whether there is one.
    fn before(&mut self, words: &str, range: (Time, Time), edit_at: &dyn Fn(Time) -> Edit) -> bool {
        let (from, to) = range;
        if to.0.saturating_sub(from.0) < 2 {
            return false;
        }
        let base = self.base.clone();
        let whole = |at| match base.as_slice() {
            [] => edit_at(at),
            base => Edit::All(base.iter().cloned().chain([edit_at(at)]).collect()),
        };
        // At the very time of the last step this one would come after it all the same.
        let from = Time(from.0 + 1);
        let good = self.trials.fate(&whole(from), self.identity);
        let Some(good) = good.filter(|fate| !matches!(fate, Fate::Evicted(_))) else {
            return false;
        };
        let until = self.trials.boundary((from, to), self.identity, whole, good);
        let Some(until) = until else { return false };
        let edit = whole(Time(until.0 - 1));
        let when = match range.0 > self.first_time() {
            true => format!("after {} and before {until}", range.0),
            false => format!("before {until}"),
        };
        let change = format!("{words} {when}{}", self.base_words());
        // A second is time enough for a person.
        let late = Time(until.0.saturating_sub(NANOS_PER_SECOND));
        let step_at = if late > from { late } else { Time(until.0 - 1) };
        let step = kubectl_step(self.context(), &edit_at(step_at), step_at);
        let range = Some((from, until));
        self.found.push(WhatIf { change, fate: good, in_vain: false, edit, range, step });
        true
    }

    /// When the timer was armed.
    fn first_time(&self) -> Time {
        let history = &self.evidence.history;
        let arming = history.evicted_by(self.life).or_else(|| history.pending(self.life.pod));
        arming.map_or(Time::ZERO, |arming| arming.at)
    }

    /// The NoExecute taints that the node has just before `at`.
    fn no_execute_before(&self, node: NodeId, at: Time) -> Vec<Taint> {
        let last = self.evidence.records.partition_point(|record| record.at < at);
        let last = last.checked_sub(1).and_then(|index| self.evidence.records.get(index));
        let taints = last.and_then(|record| self.evidence.taints_at(node, record.seq));
        let taints = taints.map_or(&[][..], |id| self.context().lists.taints(id));
        no_execute(taints).cloned().collect()
    }
}

/// The step of an untainting: `1m9s taint nodes node-0 b:NoExecute-`.
fn kubectl_step(context: Context<'_>, edit: &Edit, at: Time) -> Option<String> {
    let Edit::RemoveTaints { node, taints, .. } = edit else { return None };
    let words: Vec<String> =
        taints.iter().map(|taint| format!("{}:{}-", taint.key, taint.effect.as_str())).collect();
    let node = context.names().node(*node);
    Some(format!("{at} taint nodes {node} {}", words.join(" ")))
}
