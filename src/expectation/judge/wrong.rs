//! What happened to a pod in place of what was expected: another time, number, state or taint.

use super::words::{at_list, times as counted_times};
use super::{Evidence, Judge};
use crate::expectation::PodState;
use crate::kernel::time::{NANOS_PER_MILLI, NANOS_PER_SECOND, Span, Time};
use crate::objects::PodId;
use crate::timeline::history::{Arming, Cancel, Incarnation};
use crate::why::mismatch::would_have_given;

/// Something that happened to an incarnation.
pub(super) struct Happened<'a> {
    pub at: Time,
    pub life: &'a Incarnation,
    /// The timer that led to it.
    pub arming: Option<&'a Arming>,
    /// The cancellation that it is.
    pub cancel: Option<&'a Cancel>,
}

impl Judge<'_> {
    /// It happened to more incarnations than there are times, or to fewer.
    pub(super) fn wrong_count(
        &self,
        happened: &[Vec<Happened<'_>>],
        times: &[Time],
        word: &str,
        newest: &Incarnation,
    ) -> String {
        let all = || happened.iter().flatten();
        let at = at_list(all().map(|h| h.at));
        let found = format!("{word} {} ({at})", counted_times(happened.len()));
        let expected = times.len();
        if happened.len() > expected {
            return format!(
                "{found}, {expected} expected: pick one with `instance`, or list a time for each."
            );
        }
        let is_met = |time: &&Time| all().any(|h| h.at.millis() == time.millis());
        let unmet: Vec<Time> = times.iter().filter(|time| !is_met(time)).copied().collect();
        let missed = match unmet.is_empty() {
            true => String::new(),
            false => format!(", but not {}", at_list(unmet)),
        };
        format!(
            "{found}, {expected} expected{missed}. In the end: {}",
            self.because().sentence(newest)
        )
    }

    /// It happened, but not then: by how much, and why when it did.
    pub(super) fn wrong_time(
        &self,
        happened: &[Happened<'_>],
        expected: Time,
        word: &str,
    ) -> String {
        let nearest = happened.iter().min_by_key(|h| h.at.millis().abs_diff(expected.millis()));
        let Some(nearest) = nearest else { return format!("not {word}.") };
        let off = nearest.at.millis().abs_diff(expected.millis()) * NANOS_PER_MILLI;
        let side = if nearest.at < expected { "early" } else { "late" };
        let cause = match nearest.cancel {
            Some(cancel) => self.because().cancel_words(cancel),
            None => {
                let cause = self.because().cause(nearest.arming, nearest.life);
                format!("{cause}{}", self.timer_words(nearest, expected))
            }
        };
        let off = seconds(Span(off));
        match happened.len() {
            1 => format!("{word} at {}, {off} {side}.{cause}", nearest.at),
            more => format!(
                "{word} {} ({}), the nearest {off} {side}.{cause}",
                counted_times(more),
                at_list(happened.iter().map(|h| h.at))
            ),
        }
    }

    /// When the timer was set that led to something at a time that was not expected, and which
    /// other toleration would have led to the expected one.
    fn timer_words(&self, happened: &Happened<'_>, expected: Time) -> String {
        let Evidence { context, history, .. } = self.evidence;
        let arming = happened.arming.filter(|a| a.at < a.fire_at && a.at < happened.at);
        let Some(arming) = arming else { return String::new() };
        let decision = history.decision(arming);
        let other = would_have_given(context, decision, arming, expected);
        format!(" Its timer was set at {} for {}.{other}", arming.at, arming.fire_at)
    }

    /// What the pod was instead at that time, since when, and why.
    pub(super) fn wrong_state(
        &self,
        pod: PodId,
        lives: &[&Incarnation],
        at: Time,
        state: PodState,
    ) -> String {
        let history = self.evidence.history;
        let is_due = |time: Time| time.millis() <= at.millis();
        let word = state.as_str();
        let Some(life) = lives.iter().rfind(|life| is_due(life.created_at)) else {
            let first = lives.first().map(|life| format!(": created only at {}", life.created_at));
            return format!("{word} at {at}{}.", first.unwrap_or_default());
        };
        let armings = history.armings_of(pod);
        let timer = armings.iter().rfind(|a| is_due(a.at) && !a.ended_at().is_some_and(is_due));
        match (state, timer) {
            (PodState::Armed, Some(timer)) => {
                let cause = self.because().cause(Some(timer), life);
                format!("{word} at {at}: armed at {}, fires at {}.{cause}", timer.at, timer.fire_at)
            }
            _ => format!("{word} at {at}. In the end: {}", self.because().sentence(life)),
        }
    }

    /// It happened then, but another taint did it.
    pub(super) fn wrong_taint(&self, hit: &Happened<'_>, by: &str, word: &str) -> String {
        if hit.arming.is_none() {
            return format!(
                "{word} at {}, but not by a taint with the key `{by}`: no taint led to it.",
                hit.at
            );
        }
        let cause = self.because().cause(hit.arming, hit.life);
        format!("{word} at {}, but not by a taint with the key `{by}`.{cause}", hit.at)
    }
}

/// Whole seconds as seconds, however many: `240s`, not `4m0s`.
fn seconds(span: Span) -> String {
    match span.0 % NANOS_PER_SECOND {
        0 => format!("{}s", span.0 / NANOS_PER_SECOND),
        _ => span.to_string(),
    }
}
