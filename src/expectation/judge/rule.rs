//! Judges which rules a run breaks.

use super::words::times;
use super::{Expectation, Judge};
use crate::expectation::Check;
use crate::fuzz::examine::{Examiner, RUNS_TO_ITS_END, RuleSet, rule_of};
use crate::fuzz::rules::Breach;
use crate::kernel::time::Time;
use crate::objects::PodId;
use crate::plan::{Plan, PodTarget};

/// The rules that expectations name. Runs are examined by these and no others, and not at all
/// where there are none.
pub struct Rules {
    examiner: Option<Examiner>,
}

impl Rules {
    /// Those of these expectations, in runs of at most so many events.
    pub fn of<'e>(
        expectations: impl IntoIterator<Item = &'e Expectation>,
        events_max: u64,
    ) -> Rules {
        let mut names = Vec::new();
        expectations.into_iter().for_each(|expectation| note_rules(expectation, &mut names));
        if names.is_empty() {
            return Rules { examiner: None };
        }
        // A run that does not come to its end says nothing about the others.
        names.push(RUNS_TO_ITS_END.name);
        // Their reader has refused what names no rule.
        let mut examiner = RuleSet::parse(names).ok().map(|set| Examiner::new(&set));
        if let Some(examiner) = &mut examiner {
            examiner.limit_events(events_max);
        }
        Rules { examiner }
    }

    /// Whether no expectation names one.
    pub fn is_empty(&self) -> bool {
        self.examiner.is_none()
    }

    /// What is broken in the run of a plan: the plan runs once more for it, or as often as the
    /// rules ask for.
    pub fn breaches(&mut self, plan: &Plan) -> Vec<Breach> {
        self.examiner.as_mut().map(|examiner| examiner.examine(plan)).unwrap_or_default()
    }
}

fn note_rules<'e>(expectation: &'e Expectation, names: &mut Vec<&'e str>) {
    match &expectation.check {
        Check::Rule { rule, .. } => names.push(rule),
        Check::AnyOf(branches) => branches.iter().for_each(|branch| note_rules(branch, names)),
        _ => {}
    }
}

/// More breaches than this are counted, not told.
const TOLD_AT_MOST: usize = 3;

impl Judge<'_> {
    pub(super) fn judge_rule(
        &self,
        rule: &str,
        breached: bool,
        pods: Option<&PodTarget>,
    ) -> Option<String> {
        let is_endless = |breach: &&Breach| breach.rule == RUNS_TO_ITS_END.name;
        if let Some(endless) = self.evidence.breaches.iter().find(is_endless)
            && rule != RUNS_TO_ITS_END.name
        {
            return Some(format!("nothing is known: the run has no end: {}.", endless.text));
        }
        let of_rule = self.evidence.breaches.iter().filter(|breach| breach.rule == rule);
        let of_rule: Vec<&Breach> = of_rule.collect();
        let members = pods.map(|pods| self.members(pods));
        if members.as_ref().is_some_and(Vec::is_empty) {
            return Some("no pod matches.".into());
        }
        match (breached, members) {
            (true, None) => of_rule.is_empty().then(|| self.kept(rule, None, &of_rule)),
            (true, Some(pods)) => {
                let is_broken = |pod| of_rule.iter().any(|breach| breach.pod == Some(pod));
                let kept: Vec<PodId> = pods.into_iter().filter(|pod| !is_broken(*pod)).collect();
                (!kept.is_empty()).then(|| self.kept(rule, Some(&kept), &of_rule))
            }
            (false, members) => {
                let is_meant = |breach: &&Breach| {
                    members
                        .as_ref()
                        .is_none_or(|pods| breach.pod.is_some_and(|p| pods.contains(&p)))
                };
                let broken: Vec<&Breach> = of_rule.into_iter().filter(is_meant).collect();
                (!broken.is_empty()).then(|| self.broken(rule, &broken))
            }
        }
    }

    /// No pod broke it, or none of these, whatever others did.
    fn kept(&self, rule: &str, pods: Option<&[PodId]>, others: &[&Breach]) -> String {
        let version = self.evidence.context.plan.config.profile;
        let whose = pods.map(|pods| format!(" for {}", self.named(pods.iter().copied())));
        let mut others: Vec<PodId> = others.iter().filter_map(|breach| breach.pod).collect();
        others.sort_unstable();
        others.dedup();
        let others = match others.is_empty() {
            true => String::new(),
            false => format!("; it is for {}", self.named(others.into_iter())),
        };
        let whose = whose.unwrap_or_default();
        format!("not broken{whose} in Kubernetes {version}{others}. {}", sentence(rule))
    }

    /// It is broken, and should not be.
    fn broken(&self, rule: &str, breaches: &[&Breach]) -> String {
        let version = self.evidence.context.plan.config.profile;
        let rule = sentence(rule);
        if let [only] = breaches {
            let text = told(only);
            let sep = if text.starts_with("at ") { " " } else { ": " };
            return format!("broken in Kubernetes {version}{sep}{text}. {rule}");
        }
        let mut text = format!("broken {} in Kubernetes {version}:", times(breaches.len()));
        for breach in breaches.iter().take(TOLD_AT_MOST) {
            text.push_str(&format!("\n  - {}", told(breach)));
        }
        match breaches.len().saturating_sub(TOLD_AT_MOST) {
            0 => {}
            more => text.push_str(&format!("\n  - and {more} more")),
        }
        format!("{text}\n{rule}")
    }

    /// `shop/web-0, shop/web-1 and 7 more`.
    fn named(&self, pods: impl ExactSizeIterator<Item = PodId>) -> String {
        let names = self.evidence.context.names();
        let more = match pods.len().saturating_sub(TOLD_AT_MOST) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let named: Vec<&str> = pods.take(TOLD_AT_MOST).map(|pod| names.pod(pod)).collect();
        format!("{}{more}", named.join(", "))
    }
}

/// What the rule says, and who says so.
fn sentence(rule: &str) -> String {
    let rule = rule_of(rule);
    rule.map(|rule| format!("The rule ({}): {}", rule.source, rule.sentence)).unwrap_or_default()
}

/// A breach with its time; what is about a run as a whole has none.
fn told(breach: &Breach) -> String {
    match breach.at {
        Time::ZERO => breach.text.clone(),
        at => format!("at {at}: {}", breach.text),
    }
}
