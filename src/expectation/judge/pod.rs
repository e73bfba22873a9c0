//! Judges what is expected of a pod.

use super::Judge;
use super::words::{count_words, times as counted_times};
use super::wrong::Happened;
use crate::cluster::EndReason;
use crate::expectation::{Moment, PodCheck, PodState};
use crate::kernel::time::Time;
use crate::objects::{PodId, Uid};
use crate::plan::{Config, PodTarget};
use crate::timeline::fate::Fate;
use crate::timeline::history::Incarnation;

/// More pods than this are counted, not named, when the same expectation fails for them.
const NAMED_AT_MOST: usize = 5;

impl<'a> Judge<'a> {
    pub(super) fn judge_pods(
        &self,
        target: &PodTarget,
        instance: Option<u32>,
        what: &PodCheck,
    ) -> Option<String> {
        let pods = self.members(target);
        if pods.is_empty() {
            return Some("no pod matches.".into());
        }
        let mut failed = Vec::new();
        for &pod in &pods {
            if let Some(reason) = self.judge_pod(pod, target, instance, what) {
                failed.push((pod, reason));
            }
        }
        let more = failed.len().saturating_sub(NAMED_AT_MOST);
        let names = self.evidence.context.names();
        match failed.as_slice() {
            [] => None,
            [(_, reason)] if pods.len() == 1 => Some(reason.clone()),
            [(pod, reason)] => Some(format!("{}: {reason}", names.pod(*pod))),
            _ => {
                let mut text = format!("fails for {} of {} pods:", failed.len(), pods.len());
                for (pod, reason) in failed.iter().take(NAMED_AT_MOST) {
                    text.push_str(&format!("\n  - {}: {reason}", names.pod(*pod)));
                }
                if more > 0 {
                    text.push_str(&format!("\n  - and {more} more"));
                }
                Some(text)
            }
        }
    }

    fn judge_pod(
        &self,
        pod: PodId,
        target: &PodTarget,
        instance: Option<u32>,
        what: &PodCheck,
    ) -> Option<String> {
        let lives = match instance {
            None => self.lives(pod, target),
            // Counted among all of the name.
            Some(_) => self.evidence.history.incarnations_of(pod),
        };
        let (Some(newest), total) = (lives.last(), lives.len()) else {
            return Some("it never existed.".into());
        };
        let lives = match instance {
            None => &lives[..],
            Some(n) => match lives.get(n as usize - usize::from(n > 0)..n as usize) {
                Some(one) if n > 0 => one,
                _ => {
                    return Some(format!(
                        "there is no instance {n}: it was created {}.",
                        counted_times(total)
                    ));
                }
            },
        };
        let subject = lives.last().unwrap_or(newest);
        match what {
            PodCheck::At { moment, times, by } => {
                self.judge_times(pod, lives, *moment, times, by.as_deref())
            }
            PodCheck::EvictedBetween { from, to, by } => {
                self.judge_between(pod, lives, *from, *to, by.as_deref())
            }
            PodCheck::StateAt { at, is } => {
                if let Some(unknown) = self.beyond_end(*at) {
                    return Some(unknown);
                }
                let state = self.state_at(pod, lives, *at);
                (state != *is).then(|| self.wrong_state(pod, lives, *at, state))
            }
            PodCheck::Survives(expected) => {
                let fate = Fate::of(self.evidence.history, subject);
                ((fate == Fate::Survives) != *expected).then(|| self.because().sentence(subject))
            }
            PodCheck::DeleteAttempts(expected) => {
                let found: u64 = lives.iter().map(|life| u64::from(life.delete_attempts)).sum();
                (found != *expected).then(|| {
                    let count = count_words(found, "DELETE attempt", *expected);
                    format!("{count}: {}", self.because().sentence(subject))
                })
            }
        }
    }

    /// Why nothing is known of this time: the run was cut off before it. After a run that came to
    /// rest everything stays as it is.
    fn beyond_end(&self, at: Time) -> Option<String> {
        let plan = self.evidence.context.plan;
        let (limit, by) = match (self.evidence.end.reason, plan.config.until) {
            (EndReason::Idle, _) => return None,
            (_, Some(until)) => (until, "`until`"),
            (_, None) => (Config::UNBOUNDED_LIMIT, "the limit without `until`"),
        };
        (at.millis() > limit.millis())
            .then(|| format!("the run ended at {limit} ({by}); nothing is known of {at}."))
    }

    fn judge_times(
        &self,
        pod: PodId,
        lives: &[&Incarnation],
        moment: Moment,
        times: &[Time],
        by: Option<&str>,
    ) -> Option<String> {
        let happened = self.happened(pod, lives, moment);
        let word = moment.as_str();
        let newest = lives.last()?;
        if happened.is_empty() {
            let instead = match moment {
                Moment::Cancelled => self.because().not_cancelled(newest),
                _ => self.because().sentence(newest),
            };
            return Some(format!("not {word}: {instead}"));
        }
        if happened.len() != times.len() {
            return Some(self.wrong_count(&happened, times, word, newest));
        }
        let wrong: Vec<String> = happened
            .iter()
            .zip(times)
            .enumerate()
            .filter_map(|(index, (of_one, expected))| {
                let wrong = self.wrong_moment(of_one, *expected, word, by)?;
                Some(match times.len() {
                    1 => wrong,
                    all => format!("Time {} of {all}, {expected}: {wrong}", index + 1),
                })
            })
            .collect();
        let all_but_one = times.len() > 1 && wrong.len() == 1;
        let rest = if all_but_one { " All other times are right." } else { "" };
        (!wrong.is_empty()).then(|| format!("{}{rest}", wrong.join(" ")))
    }

    /// What speaks against this time, and this taint, for one incarnation.
    fn wrong_moment(
        &self,
        of_one: &[Happened<'_>],
        expected: Time,
        word: &str,
        by: Option<&str>,
    ) -> Option<String> {
        let hits: Vec<_> = of_one.iter().filter(|h| h.at.millis() == expected.millis()).collect();
        let Some(hit) = hits.first() else {
            return Some(self.wrong_time(of_one, expected, word));
        };
        let by = by?;
        let is_right = hits.iter().any(|h| self.key_of(h).as_deref() == Some(by));
        (!is_right).then(|| self.wrong_taint(hit, by, word))
    }

    fn judge_between(
        &self,
        pod: PodId,
        lives: &[&Incarnation],
        from: Time,
        to: Time,
        by: Option<&str>,
    ) -> Option<String> {
        let happened = self.happened(pod, lives, Moment::Evicted);
        let (Some(newest), all) = (lives.last(), happened.iter().flatten()) else { return None };
        let Some(first) = all.clone().next() else {
            return Some(format!("not evicted: {}", self.because().sentence(newest)));
        };
        let within =
            |h: &&Happened<'_>| from.millis() <= h.at.millis() && h.at.millis() <= to.millis();
        let Some(hit) = all.clone().find(within) else {
            let nearest = if first.at < from { from } else { to };
            return Some(self.wrong_time(std::slice::from_ref(first), nearest, "evicted"));
        };
        match by {
            Some(by) if !all.filter(within).any(|h| self.key_of(h).as_deref() == Some(by)) => {
                Some(self.wrong_taint(hit, by, "evicted"))
            }
            _ => None,
        }
    }

    /// For each incarnation to which it happened, how often and when.
    fn happened(
        &self,
        pod: PodId,
        lives: &[&Incarnation],
        moment: Moment,
    ) -> Vec<Vec<Happened<'a>>> {
        let history = self.evidence.history;
        let of_uid = |uid: Uid| -> Vec<Happened<'a>> {
            let Some(life) = history.incarnation(uid) else { return Vec::new() };
            match moment {
                Moment::Evicted => {
                    let arming = history.evicted_by(life);
                    life.evicted_at()
                        .map(|at| Happened { at, life, arming, cancel: None })
                        .into_iter()
                        .collect()
                }
                Moment::Removed => {
                    let arming = history.evicted_by(life);
                    life.removed_at()
                        .map(|at| Happened { at, life, arming, cancel: None })
                        .into_iter()
                        .collect()
                }
                Moment::Armed => {
                    let armings = history.armings_of(pod).into_iter().filter(|a| a.uid() == uid);
                    armings
                        .map(|a| Happened { at: a.at, life, arming: Some(a), cancel: None })
                        .collect()
                }
                Moment::Cancelled => {
                    let cancels = history.cancels_of(pod).into_iter().filter(|(_, u)| *u == uid);
                    let arming = |c| history.cancelled(c);
                    cancels
                        .map(|(c, _)| Happened {
                            at: c.at,
                            life,
                            arming: arming(c),
                            cancel: Some(c),
                        })
                        .collect()
                }
            }
        };
        lives.iter().map(|life| of_uid(life.uid)).filter(|times| !times.is_empty()).collect()
    }

    fn state_at(&self, pod: PodId, lives: &[&Incarnation], at: Time) -> PodState {
        let is_due = |time: Option<Time>| time.is_some_and(|t| t.millis() <= at.millis());
        let exists =
            |life: &&&Incarnation| is_due(Some(life.created_at)) && !is_due(life.removed_at());
        let Some(life) = lives.iter().find(exists) else { return PodState::Absent };
        if is_due(life.terminating_at()) {
            return PodState::Terminating;
        }
        let armings = self.evidence.history.armings_of(pod);
        match armings.iter().any(|a| is_due(Some(a.at)) && !is_due(a.ended_at())) {
            true => PodState::Armed,
            false => PodState::Running,
        }
    }

    /// The key of the taint that did it.
    fn key_of(&self, happened: &Happened<'_>) -> Option<String> {
        let decision = self.evidence.history.decision(happened.arming?);
        let list = self.evidence.context.lists.taints(decision.taints);
        list.get(decision.taint as usize).map(|taint| taint.key.to_string())
    }
}
