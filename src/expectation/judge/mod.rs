//! Judges expectations against what a run recorded.
//!
//! A failure says what happened instead, when, and because of which taint. A selector
//! matches an incarnation whose labels match at any time of its life, at its creation or later.

mod cure;
mod pod;
mod rule;
mod words;
mod wrong;

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use cure::Cures;
pub use rule::Rules;
use words::count_words;

use super::{Check, Expectation};
use crate::cluster::End;
use crate::fuzz::rules::Breach;
use crate::objects::PodId;
use crate::plan::PodTarget;
use crate::profile::Component;
use crate::timeline::history::{History, Incarnation};
use crate::timeline::unapplied::Unapplied;
use crate::timeline::{Context, Detail, EventReason};
use crate::why::Because;

/// What a run is judged by.
#[derive(Clone, Copy)]
pub struct Evidence<'a> {
    /// Plan and lists of the run.
    pub context: Context<'a>,
    /// What became of the pods.
    pub history: &'a History,
    /// Numbers of the steps that were never applied.
    pub steps_not_applied: &'a [u32],
    /// How the run ended.
    pub end: End,
    /// Of the rules that expectations name, what is broken.
    pub breaches: &'a [Breach],
}

/// Something that should have held and did not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// File and line of the expectation; `None` for what no expectation names.
    pub place: Option<(Arc<str>, u32)>,
    /// What should have held.
    pub text: Box<str>,
    /// What happened instead.
    pub reason: String,
    /// The author's reason for it.
    pub because: Option<Box<str>>,
}

/// `maint.yaml:21 shop/web-0 evictedAt 310s: evicted at 1m10s, 240s early. Taint …`
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((file, line)) = &self.place {
            write!(f, "{file}:{line} ")?;
        }
        write!(f, "{}: {}", self.text, self.reason)?;
        match &self.because {
            Some(because) => write!(f, " Expected because: {because}"),
            None => Ok(()),
        }
    }
}

/// The level of detail that a run needs so that these can be judged.
pub fn needed_detail<'e>(expectations: impl IntoIterator<Item = &'e Expectation>) -> Detail {
    let needs_events = |e: &Expectation| match &e.check {
        Check::Event { .. } => true,
        Check::AnyOf(branches) => needed_detail(branches) > Detail::Summary,
        _ => false,
    };
    match expectations.into_iter().any(needs_events) {
        true => Detail::Controller,
        false => Detail::Summary,
    }
}

/// Judges every expectation, whatever version it is for: for each, in order, how it failed, or
/// `None` where it holds.
pub fn judge<'e>(
    expectations: impl IntoIterator<Item = &'e Expectation>,
    evidence: Evidence<'_>,
) -> Vec<Option<Failure>> {
    let steps = &evidence.context.plan.steps;
    let rejected = evidence.history.rejections().iter();
    let rejected = rejected.filter_map(|r| Some(steps.get(r.step as usize)?.number)).collect();
    let judge = Judge { evidence, rejected };
    expectations.into_iter().map(|e| judge.failure(e)).collect()
}

/// Steps that were rejected though neither the step nor an expectation allows it, and steps that
/// were never applied.
pub fn judge_steps(expectations: &[Expectation], evidence: Evidence<'_>) -> Vec<Failure> {
    let plan = evidence.context.plan;
    let mut failures = Vec::new();
    let mut named = BTreeSet::new();
    for expectation in expectations {
        note_named_steps(expectation, &mut named);
    }
    let mut cures = Cures::new(evidence);
    for rejection in evidence.history.rejections() {
        let Some(step) = plan.steps.get(rejection.step as usize) else { continue };
        if step.may_be_rejected || named.contains(&step.number) {
            continue;
        }
        let text = step.actions.get(rejection.action as usize).map_or("", |action| &*action.text);
        failures.push(Failure {
            place: None,
            text: format!("step {} ({text})", step.number).into(),
            reason: format!(
                "rejected at {}: {}.{} If the rejection is what you want to show, give the step \
                 `mayBeRejected: true`.",
                rejection.at,
                rejection.error,
                cures.cure(rejection, step)
            ),
            because: step.because.clone(),
        });
    }
    let unapplied = Unapplied::new(plan, evidence.steps_not_applied, evidence.end);
    for &number in evidence.steps_not_applied {
        let step = unapplied.step(number);
        let text = step.and_then(|s| s.actions.first()).map_or("", |action| &*action.text);
        failures.push(Failure {
            place: None,
            text: format!("step {number} ({text})").into(),
            reason: format!("never applied: {}.", unapplied.why(number)),
            because: step.and_then(|s| s.because.clone()),
        });
    }
    failures
}

/// The steps whose rejection is expected.
fn note_named_steps(expectation: &Expectation, named: &mut BTreeSet<u32>) {
    match &expectation.check {
        Check::StepRejected(number) => {
            named.insert(*number);
        }
        Check::AnyOf(branches) => {
            branches.iter().for_each(|branch| note_named_steps(branch, named));
        }
        _ => {}
    }
}

struct Judge<'a> {
    evidence: Evidence<'a>,
    /// Numbers of the steps that were rejected.
    rejected: BTreeSet<u32>,
}

impl<'a> Judge<'a> {
    /// Says why.
    fn because(&self) -> Because<'a> {
        Because { context: self.evidence.context, history: self.evidence.history }
    }

    fn failure(&self, expectation: &Expectation) -> Option<Failure> {
        let reason = self.contradiction(&expectation.check)?;
        Some(Failure {
            place: Some((expectation.file.clone(), expectation.line)),
            text: expectation.text.clone(),
            reason,
            because: expectation.because.clone(),
        })
    }

    /// What speaks against the check; `None` where it holds.
    fn contradiction(&self, check: &Check) -> Option<String> {
        match check {
            Check::Pod { pods, instance, what } => self.judge_pods(pods, *instance, what),
            Check::Event { reason, message, component, api_version, pod, count } => {
                let reason = reason.as_deref();
                let found = match self.events_have(*component, api_version.as_deref()) {
                    true => self.count_events(reason, message.as_deref(), pod.as_ref()),
                    false => 0,
                };
                (found != *count).then(|| {
                    let emitted = self.emitted(pod.as_ref());
                    format!("{}{emitted}.", count_words(found, "such event", *count))
                })
            }
            Check::Evictions { count, pods } => {
                let evicted = self.evicted(pods);
                let found = evicted.len() as u64;
                (found != *count).then(|| {
                    let list = in_short(&evicted);
                    format!("{}{list}.", count_words(found, "eviction", *count))
                })
            }
            Check::StepRejected(number) => {
                let rejected = self.rejected.contains(number);
                (!rejected).then(|| self.not_rejected(*number))
            }
            Check::Rule { rule, breached, pods } => self.judge_rule(rule, *breached, pods.as_ref()),
            Check::AnyOf(branches) => self.judge_branches(branches),
        }
    }

    fn judge_branches(&self, branches: &[Expectation]) -> Option<String> {
        let mut text = String::from("none of these holds:");
        for branch in branches {
            let reason = self.contradiction(&branch.check)?;
            text.push_str(&format!("\n  - {}: {reason}", branch.text));
        }
        Some(text)
    }

    /// Each eviction among these pods: `shop/web-0 at 1m10s`.
    fn evicted(&self, pods: &PodTarget) -> Vec<String> {
        let mut evicted = Vec::new();
        for pod in self.members(pods) {
            let name = self.evidence.context.names().pod(pod);
            let times = self.lives(pod, pods).into_iter().filter_map(Incarnation::evicted_at);
            evicted.extend(times.map(|at| format!("{name} at {at}")));
        }
        evicted
    }

    /// The Events of these pods, whatever was asked for.
    fn emitted(&self, pods: Option<&PodTarget>) -> String {
        let mut emitted = Vec::new();
        for pod in self.members(pods.unwrap_or(&PodTarget::all())) {
            let name = self.evidence.context.names().pod(pod);
            for kind in [EventReason::Marking, EventReason::Cancelling] {
                let count = self.evidence.history.events(pod, kind);
                if count > 0 {
                    let (reason, message) = (EventReason::REASON, kind.message(name));
                    let switches = &self.evidence.context.plan.config.switches;
                    let component = switches.event_component.as_str();
                    let version = match switches.event_api_version {
                        true => "",
                        false => ", without apiVersion",
                    };
                    emitted.push(format!(
                        "{count} of {reason} \"{message}\" from {component}{version}"
                    ));
                }
            }
        }
        match emitted.is_empty() {
            true => ": the taint manager emitted none about them".into(),
            false => format!("; the taint manager emitted{}", in_short(&emitted)),
        }
    }

    /// What became of the step instead.
    fn not_rejected(&self, number: u32) -> String {
        let Evidence { context, steps_not_applied, end, .. } = self.evidence;
        let unapplied = Unapplied::new(context.plan, steps_not_applied, end);
        let step = unapplied.step(number).and_then(|step| step.actions.first());
        let text = step.map_or("", |action| &*action.text);
        match steps_not_applied.contains(&number) {
            true => format!("step {number} ({text}) was never applied: {}.", unapplied.why(number)),
            false => format!("step {number} ({text}) was applied, and nothing was rejected."),
        }
    }

    /// Whether the Events of this version are from this component and name this apiVersion.
    fn events_have(&self, component: Option<Component>, api_version: Option<&str>) -> bool {
        let switches = &self.evidence.context.plan.config.switches;
        component.is_none_or(|component| component == switches.event_component)
            && api_version.is_none_or(|version| switches.event_api_version && version == "v1")
    }

    fn count_events(
        &self,
        reason: Option<&str>,
        message: Option<&str>,
        pods: Option<&PodTarget>,
    ) -> u64 {
        if reason.is_some_and(|reason| reason != EventReason::REASON) {
            return 0;
        }
        let pods = self.members(pods.unwrap_or(&PodTarget::all()));
        let mut count = 0;
        for pod in pods {
            let name = self.evidence.context.names().pod(pod);
            for kind in [EventReason::Marking, EventReason::Cancelling] {
                let emitted = self.evidence.history.events(pod, kind);
                if emitted > 0 && message.is_none_or(|part| kind.message(name).contains(part)) {
                    count += emitted;
                }
            }
        }
        count
    }

    /// The incarnations of a name that fall under the target, oldest first.
    fn lives(&self, pod: PodId, target: &PodTarget) -> Vec<&'a Incarnation> {
        let Evidence { context, history, .. } = self.evidence;
        let mut lives = history.incarnations_of(pod);
        lives.retain(|life| history.ever_matches(context, life, target));
        lives
    }

    /// The pods that the target names, each once, or those that ever existed and match.
    fn members(&self, target: &PodTarget) -> Vec<PodId> {
        let plan = self.evidence.context.plan;
        match target {
            PodTarget::Names(names) => {
                let mut pods = names.clone();
                let mut seen = BTreeSet::new();
                pods.retain(|pod| seen.insert(*pod));
                pods
            }
            PodTarget::Matching { .. } => plan
                .names
                .pods()
                .map(|(pod, _)| pod)
                .filter(|pod| !self.lives(*pod, target).is_empty())
                .collect(),
        }
    }
}

/// `: a, b`, and how many more.
fn in_short(entries: &[String]) -> String {
    const NAMED_AT_MOST: usize = 5;
    if entries.is_empty() {
        return String::new();
    }
    let named = entries.len().min(NAMED_AT_MOST);
    let more = match entries.len() - named {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(": {}{more}", entries[..named].join(", "))
}

#[cfg(test)]
mod tests;
