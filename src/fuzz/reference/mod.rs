//! What the documentation promises a pod, as a pure function of what the store held when.
//!
//! The concept page "Taints and Tolerations" of kubernetes.io and the description of the field
//! `tolerationSeconds` in core/v1 say who goes, who stays, and after how long. The model has no
//! queue, no timer and no version; with the taint manager it shares the objects and what it means
//! that one toleration tolerates one taint.
//!
//! Where the pages leave something open, both readings are right. So a wait has two beginnings:
//! nothing is early that is not early by the earliest one, nor late by the latest one.
//!
//! - Two things at one instant happened in either order.
//! - A taint that goes and comes back before anybody can have looked may have been there all along.
//! - A taint whose value changes is another taint, or the same one.
//! - Where a pod's seconds change, the wait counts from the taint, or from the change.
//!
//! Several tolerations that tolerate one taint all count, whatever their order: the least seconds
//! decide, and one without seconds adds nothing.

mod slack;
mod story;

pub use slack::{Slack, hits_calls};
pub use story::{Leaving, NodeState, Outage, Phase, PodStory, Story};

use crate::kernel::time::{NANOS_PER_SECOND, Span, Time};
use crate::objects::taint::no_execute;
use crate::objects::{NodeId, Taint, TaintsId, Toleration};
use crate::timeline::Context;

/// A time in which neither the pod nor its node's taints change. Both ends belong to it.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    /// From when.
    pub from: Time,
    /// Until when.
    pub to: Time,
    /// Index into the pod's phases.
    pub phase: usize,
    /// The node's taints; `None`: the pod has no node, or the node no object.
    pub taints: Option<TaintsId>,
}

/// Which of the beginnings of a wait counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The earliest that can be meant.
    Earliest,
    /// The latest that can be meant.
    Latest,
}

/// What is promised to a pod in a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// No NoExecute taint: it stays.
    Healthy,
    /// Each taint is tolerated without limit: it stays.
    Forever,
    /// Some taint is not tolerated: it goes.
    Untolerated,
    /// It goes then.
    Until {
        /// When.
        due: Time,
        /// From when the wait counts.
        since: Time,
        /// The seconds that decide.
        seconds: i64,
    },
}

impl Promise {
    /// When the pod is due in a stretch that begins at `from`; [`Time::MAX`] for never.
    pub fn due(self, from: Time) -> Time {
        match self {
            Promise::Healthy | Promise::Forever => Time::MAX,
            Promise::Untolerated => from,
            Promise::Until { due, .. } => due,
        }
    }
}

/// A time in which the pod should be gone.
#[derive(Clone, Copy, Debug)]
pub struct Overdue {
    /// From when.
    pub from: Time,
    /// Until when it was there and due.
    pub to: Time,
    /// Index of the stretch in which it began.
    pub stretch: usize,
}

/// The model of one run.
#[derive(Clone, Copy)]
pub struct Model<'a> {
    /// What the store held.
    pub story: &'a Story,
    /// The run's lists.
    pub context: Context<'a>,
    /// What may be later.
    pub slack: Slack,
    /// Until when the run is judged.
    pub horizon: Time,
}

impl<'a> Model<'a> {
    /// The stretches of a pod's life up to `end`, oldest first. Those of one instant are there,
    /// too, and at an instant all that held before or after it.
    pub fn stretches(&self, pod: &PodStory, end: Time, into: &mut Vec<Stretch>) {
        into.clear();
        for (phase, index) in pod.phases.iter().zip(0..) {
            let next = pod.phases.get(index + 1).map_or(Time::MAX, |next| next.at);
            let (from, to) = (phase.at, next.min(end));
            if from > to {
                break;
            }
            let Some(node) = phase.node else {
                into.push(Stretch { from, to, phase: index, taints: None });
                continue;
            };
            let states = self.story.node(node);
            let first = states.partition_point(|state| state.at < from);
            for k in first..=states.len() {
                let state = k.checked_sub(1).map(|k| states[k]);
                let since = state.map_or(Time::ZERO, |state| state.at).max(from);
                let until = states.get(k).map_or(Time::MAX, |next| next.at).min(to);
                if since > to {
                    break;
                }
                let taints = state.and_then(|state| state.taints);
                into.push(Stretch { from: since, to: until, phase: index, taints });
            }
        }
    }

    /// Whether the stretch has a NoExecute taint.
    pub fn is_tainted(&self, stretch: &Stretch) -> bool {
        self.taints(stretch.taints).next().is_some()
    }

    /// What is promised in a stretch of a pod's life.
    pub fn promise(
        &self,
        pod: &PodStory,
        stretches: &[Stretch],
        index: usize,
        reading: Reading,
    ) -> Promise {
        let tolerations = self.tolerations(pod, stretches[index].phase);
        self.promise_with(pod, stretches, index, (tolerations, reading))
    }

    /// What would be promised if the pod had these tolerations.
    pub fn promise_with(
        &self,
        pod: &PodStory,
        stretches: &[Stretch],
        index: usize,
        (tolerations, reading): (&[Toleration], Reading),
    ) -> Promise {
        let mut promise = Promise::Healthy;
        for taint in self.taints(stretches[index].taints) {
            let seconds = match self.wait(taint, tolerations) {
                None => return Promise::Untolerated,
                Some(None) => {
                    if promise == Promise::Healthy {
                        promise = Promise::Forever;
                    }
                    continue;
                }
                Some(Some(seconds)) => seconds,
            };
            let since = match reading {
                Reading::Earliest => self.earliest(pod, stretches, index, taint),
                Reading::Latest => self.latest(pod, stretches, index, taint, Some(seconds)),
            };
            let due = since.saturating_add(span(seconds));
            if due < promise.due(Time::MAX) || !matches!(promise, Promise::Until { .. }) {
                promise = Promise::Until { due, since, seconds };
            }
        }
        promise
    }

    /// Whether the pod was due at some instant from `low` to `at`.
    pub fn was_due(&self, pod: &PodStory, stretches: &[Stretch], (low, at): (Time, Time)) -> bool {
        (0..stretches.len()).rev().any(|index| {
            let stretch = &stretches[index];
            let (from, to) = (stretch.from, stretch.to.min(at));
            to >= low && self.promise(pod, stretches, index, Reading::Earliest).due(from) <= to
        })
    }

    /// From when on what happened may still be acted on at `at`.
    pub fn acted_on(&self, at: Time) -> Time {
        let back = |time: Time| Time(time.0.saturating_sub(self.slack.whole().0));
        let mut low = back(at);
        for outage in self.story.outages.iter().rev() {
            if outage.from <= at && outage.to >= low {
                low = low.min(back(outage.from));
            }
        }
        low
    }

    /// The times in which the pod was there and due.
    pub fn overdue(&self, pod: &PodStory, stretches: &[Stretch], into: &mut Vec<Overdue>) {
        into.clear();
        for (stretch, index) in stretches.iter().zip(0..) {
            if stretch.from == stretch.to {
                continue;
            }
            let promise = self.promise(pod, stretches, index, Reading::Latest);
            let from = promise.due(stretch.from).max(stretch.from);
            if from >= stretch.to {
                continue;
            }
            match into.last_mut() {
                Some(before) if before.to == from => before.to = stretch.to,
                _ => into.push(Overdue { from, to: stretch.to, stretch: index }),
            }
        }
    }

    /// Until when a pod that is due from `from` on, by a wait since `since`, may be there.
    pub fn deadline(&self, since: Time, from: Time) -> Time {
        let mut deadline = from.saturating_add(self.slack.whole());
        for outage in &self.story.outages {
            if outage.to >= since && outage.from <= deadline {
                deadline = deadline.saturating_add(outage.to.since(outage.from));
            }
        }
        deadline
    }

    /// A phase's tolerations.
    pub fn tolerations(&self, pod: &PodStory, phase: usize) -> &'a [Toleration] {
        self.context.lists.tolerations(pod.phases[phase].tolerations)
    }

    fn taints(&self, taints: Option<TaintsId>) -> impl Iterator<Item = &'a Taint> + use<'a> {
        no_execute(taints.map_or(&[], |taints| self.context.lists.taints(taints)))
    }

    /// `None`: not tolerated; `Some(None)`: for ever; else for the least seconds.
    fn wait(&self, taint: &Taint, tolerations: &[Toleration]) -> Option<Option<i64>> {
        let operators = self.context.plan.config.switches.comparison_operators;
        let mut wait = None;
        for toleration in tolerations.iter().filter(|t| t.tolerates(taint, operators)) {
            let least: Option<i64> = wait.flatten();
            let seconds = toleration.toleration_seconds;
            wait = Some(match (least, seconds) {
                (Some(least), Some(seconds)) => Some(least.min(seconds)),
                (least, seconds) => least.or(seconds),
            });
        }
        wait
    }

    /// Since when the pod and the taint, of whatever value, have been there together.
    fn earliest(&self, pod: &PodStory, stretches: &[Stretch], index: usize, taint: &Taint) -> Time {
        let node = node_of(pod, &stretches[index]);
        let mut since = stretches[index].from;
        for before in stretches[..index].iter().rev() {
            if node_of(pod, before) != node {
                break;
            }
            if self.taints(before.taints).any(|other| other.same_key_and_effect(taint)) {
                since = before.from;
            } else if since.since(before.from) > self.slack.news {
                break;
            }
        }
        since
    }

    /// Since when the pod has tolerated the very same taint for these seconds.
    fn latest(
        &self,
        pod: &PodStory,
        stretches: &[Stretch],
        index: usize,
        taint: &Taint,
        seconds: Option<i64>,
    ) -> Time {
        let node = node_of(pod, &stretches[index]);
        let mut since = stretches[index].from;
        for before in stretches[..index].iter().rev() {
            let same = node_of(pod, before) == node
                && self.taints(before.taints).any(|other| other == taint)
                && self.wait(taint, self.tolerations(pod, before.phase)) == Some(seconds);
            if !same {
                break;
            }
            since = before.from;
        }
        since
    }
}

fn node_of(pod: &PodStory, stretch: &Stretch) -> Option<NodeId> {
    pod.phases[stretch.phase].node
}

/// Zero and less is at once; what no clock can hold is never.
fn span(seconds: i64) -> Span {
    let seconds = u64::try_from(seconds).unwrap_or(0);
    Span(seconds.saturating_mul(NANOS_PER_SECOND))
}
