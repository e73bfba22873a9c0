//! Does a pod tolerate a node's NoExecute taints, and for how long?
//!
//! k8s v1.36 `pkg/apis/core/v1/helper` `GetMatchingTolerations`, `pkg/controller/tainteviction`
//! `getMinTolerationTime`, `api/core/v1` `Toleration.ToleratesTaint`: for each taint the first
//! toleration in the pod's order counts, and the least `tolerationSeconds` among those wins.

use super::taint::{Effect, Taint};
use super::toleration::{Operator, Toleration};
use crate::kernel::time::{NANOS_PER_SECOND, Span};

/// When the pod has to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deadline {
    /// Every matched toleration is without limit (or its nanoseconds wrap to a negative number,
    /// which the controller takes for the same).
    Never,
    /// This long after the taints and the pod are seen together; zero is at once.
    After(Span),
}

/// What one list of taints means for one list of tolerations. Indices point into the lists given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No toleration matches this taint, the first such in the node's order: evicted at once.
    NotTolerated {
        /// Index of the taint.
        taint: u32,
    },
    /// Every taint is tolerated.
    Tolerated {
        /// For how long.
        deadline: Deadline,
        /// Taint and toleration with the least `tolerationSeconds`; `None` where no matched
        /// toleration has any, or where there are no taints.
        minimum: Option<Minimum>,
    },
}

/// The pair that decides how long a tolerated pod stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Minimum {
    /// Index of the taint.
    pub taint: u32,
    /// Index of the toleration that matched it.
    pub toleration: u32,
    /// Its `tolerationSeconds`, as written.
    pub seconds: i64,
}

impl Toleration {
    /// Whether this toleration tolerates `taint`.
    ///
    /// Matching is done as the helper of core/v1 does it, also for combinations that the API
    /// refuses. `Gt` and `Lt` match only with `comparison_operators` (the gate
    /// `TaintTolerationComparisonOperators`).
    pub fn tolerates(&self, taint: &Taint, comparison_operators: bool) -> bool {
        if self.effect.as_ref().is_some_and(|effect| *effect != taint.effect) {
            return false;
        }
        if !self.key.is_empty() && self.key != taint.key {
            return false;
        }
        match &self.operator {
            Operator::Unset | Operator::Equal => self.value == taint.value,
            Operator::Exists => true,
            Operator::Gt => comparison_operators && compare(&self.value, &taint.value, i64::lt),
            Operator::Lt => comparison_operators && compare(&self.value, &taint.value, i64::gt),
            Operator::Other(_) => false,
        }
    }
}

/// Compares two canonical decimal 64-bit numbers (KEP-5471); anything else compares false.
fn compare(toleration: &str, taint: &str, holds: fn(&i64, &i64) -> bool) -> bool {
    match (parse_canonical(toleration), parse_canonical(taint)) {
        (Some(toleration), Some(taint)) => holds(&toleration, &taint),
        _ => false,
    }
}

/// A signed 64-bit decimal without plus sign, leading zeros, blanks or minus zero.
pub fn parse_canonical(text: &str) -> Option<i64> {
    let number: i64 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

/// In what versions differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatchRules {
    /// `Gt` and `Lt` match (the gate `TaintTolerationComparisonOperators`, 1.35).
    pub comparison_operators: bool,
    /// A toleration without seconds that is the first one used makes the whole minimum "for
    /// ever", but for one that says "at once" (1.6, before #42962).
    pub unset_first_is_forever: bool,
}

/// The verdict on `taints`, of which only the NoExecute ones count, for `tolerations`.
pub fn match_lists(taints: &[Taint], tolerations: &[Toleration], rules: MatchRules) -> Verdict {
    let mut minimum: Option<Minimum> = None;
    let mut any = false;
    let mut first_is_unset = false;
    for (taint_index, taint) in taints.iter().enumerate() {
        if taint.effect != Effect::NoExecute {
            continue;
        }
        let found = tolerations.iter().position(|t| t.tolerates(taint, rules.comparison_operators));
        let Some(toleration_index) = found else {
            return Verdict::NotTolerated { taint: to_u32(taint_index) };
        };
        first_is_unset |= !any && tolerations[toleration_index].toleration_seconds.is_none();
        any = true;
        if let Some(seconds) = tolerations[toleration_index].toleration_seconds {
            // The controller stops at the first one that is zero or less: it cannot get sooner.
            let sooner = minimum.is_none_or(|m| m.seconds > 0 && seconds < m.seconds);
            if sooner {
                minimum = Some(Minimum {
                    taint: to_u32(taint_index),
                    toleration: to_u32(toleration_index),
                    seconds,
                });
            }
        }
    }
    let deadline = match minimum {
        // Nothing to tolerate: the helper yields "all tolerated, nothing used", and the minimum of
        // nothing is zero. No caller in the controller asks this.
        None if !any => Deadline::After(Span::ZERO),
        None => Deadline::Never,
        Some(m) if m.seconds > 0 && rules.unset_first_is_forever && first_is_unset => {
            minimum = None;
            Deadline::Never
        }
        Some(m) => deadline_of(m.seconds),
    };
    Verdict::Tolerated { deadline, minimum }
}

/// Whether some taint is tolerated for longer than by a toleration that matches it as well, and
/// stands behind the first one that does.
pub fn shorter_is_ignored(taints: &[Taint], tolerations: &[Toleration], rules: MatchRules) -> bool {
    if tolerations.len() < 2 {
        return false;
    }
    taints.iter().filter(|taint| taint.effect == Effect::NoExecute).any(|taint| {
        let matching =
            tolerations.iter().filter(|t| t.tolerates(taint, rules.comparison_operators));
        let mut seconds = matching.map(|toleration| toleration.toleration_seconds);
        let Some(first) = seconds.next() else { return false };
        seconds.flatten().any(|other| first.is_none_or(|first| other < first))
    })
}

/// Whether so many seconds are more than 64 bits of nanoseconds hold. The greatest number is none
/// of them: the controller never multiplies it.
pub fn overflows(seconds: i64) -> bool {
    seconds > i64::MAX / NANOS_PER_SECOND as i64 && seconds < i64::MAX
}

/// `tolerationSeconds` as the controller turns them into a wait: Go's `Duration(s) * time.Second`
/// wraps in 64 bits, a negative result stands for "for ever", and so does the greatest number of
/// seconds, which is the controller's start value for the minimum.
fn deadline_of(seconds: i64) -> Deadline {
    if seconds <= 0 {
        return Deadline::After(Span::ZERO);
    }
    if seconds == i64::MAX {
        return Deadline::Never;
    }
    let nanos = seconds.wrapping_mul(NANOS_PER_SECOND as i64);
    u64::try_from(nanos).map_or(Deadline::Never, |nanos| Deadline::After(Span(nanos)))
}

fn to_u32(index: usize) -> u32 {
    u32::try_from(index).unwrap_or_else(|_| panic!("a list of more than 2^32 entries: {index}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taint(key: &str, value: &str) -> Taint {
        Taint::new(key, value, Effect::NoExecute)
    }

    fn toleration(key: &str, operator: &str, value: &str, seconds: Option<i64>) -> Toleration {
        Toleration {
            key: key.into(),
            operator: Operator::parse(operator),
            value: value.into(),
            effect: Some(Effect::NoExecute),
            toleration_seconds: seconds,
        }
    }

    fn deadline(taints: &[Taint], tolerations: &[Toleration]) -> Option<Deadline> {
        match match_lists(taints, tolerations, MatchRules::default()) {
            Verdict::NotTolerated { .. } => None,
            Verdict::Tolerated { deadline, .. } => Some(deadline),
        }
    }

    #[test]
    fn plain_operators_match_as_in_the_upstream_table() {
        // core/v1 toleration_test.go, the cases without numbers.
        let cases = [
            ("foo", "Exists", "", "foo", "bar", true),
            ("foo", "Exists", "", "foo", "", true),
            ("", "Exists", "", "foo", "bar", true),
            ("foo", "Equal", "bar", "foo", "bar", true),
            ("foo", "", "bar", "foo", "bar", true),
            ("foo", "Equal", "bar", "foo", "bar2", false),
            ("foo", "In", "bar", "foo", "bar", false),
            ("foo2", "Exists", "", "foo", "bar", false),
            // The helper compares only values where the key is empty; the API refuses this.
            ("", "Equal", "", "foo", "", true),
            ("", "Equal", "", "foo", "bar", false),
        ];
        for (key, operator, value, taint_key, taint_value, expected) in cases {
            let matched = toleration(key, operator, value, None)
                .tolerates(&taint(taint_key, taint_value), false);
            assert_eq!(
                matched, expected,
                "{key} {operator} {value} against {taint_key}={taint_value}"
            );
        }
    }

    #[test]
    fn effect_matches_when_empty_or_equal() {
        let mut any_effect = toleration("k", "Exists", "", None);
        any_effect.effect = None;
        assert!(any_effect.tolerates(&taint("k", ""), false));
        let mut no_schedule = toleration("k", "Exists", "", None);
        no_schedule.effect = Some(Effect::NoSchedule);
        assert!(!no_schedule.tolerates(&taint("k", ""), false));
    }

    #[test]
    fn numeric_operators_follow_the_upstream_table() {
        // (toleration, taint, Gt, Lt); core/v1 toleration_test.go of 1.35.
        let cases = [
            ("100", "200", true, false),
            ("200", "100", false, true),
            ("100", "100", false, false),
            ("-100", "-50", true, false),
            ("-50", "-100", false, true),
            ("0", "1", true, false),
            ("0", "-1", false, true),
            ("0", "0", false, false),
            ("9223372036854775806", "9223372036854775807", true, false),
            ("0", "-9223372036854775808", false, true),
        ];
        for (value, taint_value, gt, lt) in cases {
            let taint = taint("k", taint_value);
            assert_eq!(
                toleration("k", "Gt", value, None).tolerates(&taint, true),
                gt,
                "{value} {taint_value}"
            );
            assert_eq!(
                toleration("k", "Lt", value, None).tolerates(&taint, true),
                lt,
                "{value} {taint_value}"
            );
            assert!(!toleration("k", "Gt", value, None).tolerates(&taint, false), "gate off");
        }
        for bad in ["abc", "", "0100", "+100", "100.5", "-", " 200 ", "-0", "9223372036854775808"] {
            assert!(!toleration("k", "Lt", bad, None).tolerates(&taint("k", "1"), true), "{bad}");
            assert!(!toleration("k", "Gt", "1", None).tolerates(&taint("k", bad), true), "{bad}");
        }
    }

    #[test]
    fn first_match_per_taint_wins() {
        let wildcard = toleration("", "Exists", "", None);
        let finite = toleration("k", "Exists", "", Some(10));
        let taints = [taint("k", "")];
        let ten = Some(Deadline::After(Span::from_secs(10)));
        assert_eq!(deadline(&taints, &[finite.clone(), wildcard.clone()]), ten);
        assert_eq!(deadline(&taints, &[wildcard, finite]), Some(Deadline::Never));
    }

    #[test]
    fn the_least_seconds_of_the_matched_tolerations_count() {
        // TestGetMinTolerationTime: [1,2], [1,unset], [unset,1] all give one second.
        let taints = [taint("a", ""), taint("b", "")];
        let one = Some(Deadline::After(Span::from_secs(1)));
        for (a, b) in [(Some(1), Some(2)), (Some(1), None), (None, Some(1))] {
            let tolerations = [toleration("a", "Exists", "", a), toleration("b", "Exists", "", b)];
            assert_eq!(deadline(&taints, &tolerations), one, "{a:?} {b:?}");
        }
        let unused =
            [toleration("a", "Exists", "", Some(5)), toleration("c", "Exists", "", Some(1))];
        assert_eq!(deadline(&taints[..1], &unused), Some(Deadline::After(Span::from_secs(5))));
        assert_eq!(deadline(&taints, &unused), None);
    }

    #[test]
    fn seconds_wrap_as_in_go() {
        let cases = [
            (0, Deadline::After(Span::ZERO)),
            (-5, Deadline::After(Span::ZERO)),
            (i64::MIN, Deadline::After(Span::ZERO)),
            (9_223_372_036, Deadline::After(Span(9_223_372_036_000_000_000))),
            (9_223_372_037, Deadline::Never),
            (18_446_744_074, Deadline::After(Span(290_448_384))),
            (i64::MAX, Deadline::Never),
            (1 << 55, Deadline::After(Span::ZERO)),
        ];
        for (seconds, expected) in cases {
            let tolerations = [toleration("k", "Exists", "", Some(seconds))];
            assert_eq!(deadline(&[taint("k", "")], &tolerations), Some(expected), "{seconds}");
        }
    }

    #[test]
    fn a_shorter_toleration_behind_the_first_match_is_ignored() {
        let taints = [taint("a", ""), taint("b", "")];
        let list = |tolerations: &[(&str, Option<i64>)]| -> Vec<Toleration> {
            let of = |(key, seconds): &(&str, _)| toleration(key, "Exists", "", *seconds);
            tolerations.iter().map(of).collect()
        };
        type Case<'a> = (&'a [(&'a str, Option<i64>)], bool);
        let cases: [Case<'_>; 6] = [
            (&[("a", Some(5)), ("", Some(1))], true),
            (&[("a", Some(1)), ("", Some(5))], false),
            (&[("", None), ("b", Some(5))], true),
            (&[("", Some(5)), ("b", None)], false),
            (&[("", Some(5)), ("c", Some(1))], false),
            (&[("a", Some(5)), ("b", Some(1))], false),
        ];
        for (tolerations, expected) in cases {
            let found = shorter_is_ignored(&taints, &list(tolerations), MatchRules::default());
            assert_eq!(found, expected, "{tolerations:?}");
        }
    }

    #[test]
    fn the_last_seconds_before_the_overflow() {
        let cases = [(9_223_372_036, false), (9_223_372_037, true), (-1, false), (i64::MAX, false)];
        for (seconds, expected) in cases {
            assert_eq!(overflows(seconds), expected, "{seconds}");
        }
    }

    #[test]
    fn the_minimum_names_taint_and_toleration() {
        let taints = [Taint::new("s", "", Effect::NoSchedule), taint("a", ""), taint("b", "")];
        let tolerations =
            [toleration("b", "Exists", "", Some(3)), toleration("a", "Exists", "", Some(9))];
        let Verdict::Tolerated { minimum, .. } =
            match_lists(&taints, &tolerations, MatchRules::default())
        else {
            panic!("tolerated");
        };
        assert_eq!(minimum, Some(Minimum { taint: 2, toleration: 0, seconds: 3 }));
        assert_eq!(
            match_lists(&taints, &tolerations[..1], MatchRules::default()),
            Verdict::NotTolerated { taint: 1 }
        );
    }
}
