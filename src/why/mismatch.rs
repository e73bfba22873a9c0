//! Why a toleration does not do what somebody had in mind: it does not match the taint, or another
//! one counts.

use crate::kernel::time::{NANOS_PER_SECOND, Span, Time};
use crate::objects::matching::parse_canonical;
use crate::objects::taint::no_execute;
use crate::objects::{Operator, Taint, Toleration};
use crate::timeline::Context;
use crate::timeline::history::{Arming, Decision};

/// More keys than this are not listed.
const KEYS_AT_MOST: usize = 4;

/// Why none of these tolerates the taint, of which `Gt` and `Lt` count with `operators`: `tolerations[1] has its key, but the effect NoSchedule`.
pub fn why_not_tolerated(tolerations: &[Toleration], taint: &Taint, operators: bool) -> String {
    if tolerations.is_empty() {
        return "the pod has no tolerations".into();
    }
    let near: Vec<String> = tolerations
        .iter()
        .enumerate()
        .filter_map(|(index, toleration)| {
            let but = mismatch(toleration, taint, operators)?;
            Some(match toleration.key.is_empty() {
                true => format!("tolerations[{index}] is for any key, but has {but}"),
                false => format!("tolerations[{index}] has its key, but {but}"),
            })
        })
        .collect();
    if !near.is_empty() {
        return near.join("; ");
    }
    let mut keys: Vec<&str> = Vec::new();
    for toleration in tolerations {
        if !keys.contains(&&*toleration.key) {
            keys.push(&toleration.key);
        }
    }
    match keys.len() {
        1..=KEYS_AT_MOST => {
            format!("no toleration has its key, the pod's are for {}", keys.join(", "))
        }
        _ => "no toleration has its key".into(),
    }
}

/// What keeps a toleration of the taint's key, or of none, from matching; `None` where it matches
/// or is for another key.
pub fn mismatch(toleration: &Toleration, taint: &Taint, operators: bool) -> Option<String> {
    if toleration.tolerates(taint, operators)
        || (!toleration.key.is_empty() && toleration.key != taint.key)
    {
        return None;
    }
    let effect = toleration.effect.as_ref().filter(|effect| **effect != taint.effect);
    let effect = effect
        .map(|effect| format!("the effect {}, not {}", effect.as_str(), taint.effect.as_str()));
    let value = match &toleration.operator {
        Operator::Exists => None,
        Operator::Unset | Operator::Equal if toleration.value == taint.value => None,
        Operator::Unset | Operator::Equal => Some(match (&*toleration.value, &*taint.value) {
            ("", of_taint) => format!(
                "no value, and the taint's is \"{of_taint}\" (operator Exists takes any value)"
            ),
            (own, "") => format!("the value \"{own}\", and the taint has none"),
            (own, of_taint) => format!("the value \"{own}\", and the taint's is \"{of_taint}\""),
        }),
        Operator::Gt | Operator::Lt => wrong_number(toleration, taint, operators),
        Operator::Other(text) => {
            Some(format!("the operator \"{text}\", which Kubernetes does not know"))
        }
    };
    let both: Vec<String> = effect.into_iter().chain(value).collect();
    Some(both.join(" and "))
}

/// Why `Gt` or `Lt` does not hold; `None` where it does.
fn wrong_number(toleration: &Toleration, taint: &Taint, operators: bool) -> Option<String> {
    let operator = toleration.operator.as_str();
    if !operators {
        return Some(format!("the operator {operator}, which needs a feature gate that is off"));
    }
    let (own, of_taint) = (parse_canonical(&toleration.value), parse_canonical(&taint.value));
    let has = match (own, of_taint) {
        (None, _) => format!("the value \"{}\" is no number", toleration.value),
        (_, None) => format!("the taint's value \"{}\" is no number", taint.value),
        (Some(own), Some(of_taint)) => {
            let holds = match toleration.operator {
                Operator::Gt => of_taint > own,
                _ => of_taint < own,
            };
            if holds {
                return None;
            }
            let side = if toleration.operator == Operator::Gt { "greater" } else { "less" };
            format!("the taint's value {of_taint} is not {side} than {own}")
        }
    };
    Some(format!("the operator {operator}, and {has}"))
}

/// Where a toleration that does not count would have given the expected time, why it does not:
/// ` tolerations[1] (300s) would give 5m10s, but …`; else empty.
pub(crate) fn would_have_given(
    context: Context<'_>,
    decision: &Decision,
    arming: &Arming,
    expected: Time,
) -> String {
    let tolerations = context.lists.tolerations(decision.tolerations);
    let taints = context.lists.taints(decision.taints);
    let counts = decision.toleration.map(|index| index as usize);
    let operators = context.plan.config.switches.comparison_operators;
    let gap = expected.since(arming.at);
    let fits = |toleration: &Toleration| {
        let seconds = toleration.toleration_seconds.and_then(|s| u64::try_from(s).ok());
        let nanos = seconds.filter(|s| *s > 0).and_then(|s| s.checked_mul(NANOS_PER_SECOND));
        nanos.is_some_and(|nanos| Span(nanos).millis() == gap.millis())
    };
    let other = tolerations.iter().enumerate().find(|(index, t)| Some(*index) != counts && fits(t));
    let (Some((index, toleration)), Some(counts)) = (other, counts) else { return String::new() };
    let seconds = toleration.toleration_seconds.unwrap_or_default();
    let matched = no_execute(taints).find(|taint| toleration.tolerates(taint, operators));
    let but = match matched {
        None => {
            let near = no_execute(taints).find_map(|taint| mismatch(toleration, taint, operators));
            match near {
                Some(near) => format!("it matches no taint of the node: it has {near}"),
                None => {
                    let key = &toleration.key;
                    format!("it is for the key {key}, of which the node has no NoExecute taint")
                }
            }
        }
        Some(taint) => match tolerations.iter().position(|t| t.tolerates(taint, operators)) {
            Some(first) if first < index => {
                format!("tolerations[{first}] stands above it, and the first match counts")
            }
            _ => format!(
                "it is for taint {taint}, and the fewest seconds count: those of \
                 tolerations[{counts}]"
            ),
        },
    };
    format!(" tolerations[{index}] ({seconds}s) would give {expected}, but {but}.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::Effect;

    fn toleration(key: &str, operator: &str, value: &str, effect: &str) -> Toleration {
        Toleration {
            key: key.into(),
            operator: Operator::parse(operator),
            value: value.into(),
            effect: (!effect.is_empty()).then(|| Effect::parse(effect)),
            toleration_seconds: None,
        }
    }

    #[test]
    fn a_mismatch_is_told_exactly_where_a_toleration_of_the_key_does_not_match() {
        let taint = Taint::new("b", "x", Effect::NoExecute);
        for key in ["b", "", "c"] {
            for operator in ["", "Equal", "Exists", "Gt", "Lt", "In"] {
                for value in ["", "x", "y"] {
                    for effect in ["", "NoExecute", "NoSchedule"] {
                        let toleration = toleration(key, operator, value, effect);
                        let told = mismatch(&toleration, &taint, false);
                        let is_silent = key == "c" || toleration.tolerates(&taint, false);
                        assert_eq!(told.is_none(), is_silent, "{toleration}: {told:?}");
                        assert_ne!(told.as_deref(), Some(""), "{toleration}");
                    }
                }
            }
        }
    }

    #[test]
    fn numbers_are_compared_where_the_gate_is_on() {
        let cases = [
            ("Gt", "500", "700", None),
            ("Gt", "700", "700", Some("the taint's value 700 is not greater than 700")),
            ("Lt", "500", "700", Some("the taint's value 700 is not less than 500")),
            ("Lt", "x", "700", Some("the value \"x\" is no number")),
            ("Gt", "5", "high", Some("the taint's value \"high\" is no number")),
        ];
        for (operator, own, of_taint, expected) in cases {
            let taint = Taint::new("sla", of_taint, Effect::NoExecute);
            let told = mismatch(&toleration("sla", operator, own, ""), &taint, true);
            let expected = expected.map(|why| format!("the operator {operator}, and {why}"));
            assert_eq!(told, expected, "{operator} {own} {of_taint}");
        }
    }

    #[test]
    fn the_reason_is_what_differs() {
        let with_value = Taint::new("b", "x", Effect::NoExecute);
        let without = Taint::new("b", "", Effect::NoExecute);
        let cases = [
            (
                &with_value,
                ("b", "Exists", "", "NoSchedule"),
                "the effect NoSchedule, not NoExecute",
            ),
            (&with_value, ("b", "Equal", "y", ""), "the value \"y\", and the taint's is \"x\""),
            (
                &with_value,
                ("b", "", "", "NoExecute"),
                "no value, and the taint's is \"x\" (operator Exists takes any value)",
            ),
            (&without, ("b", "Equal", "y", ""), "the value \"y\", and the taint has none"),
            (
                &with_value,
                ("b", "Gt", "1", ""),
                "the operator Gt, which needs a feature gate that is off",
            ),
            (
                &without,
                ("b", "In", "", "NoSchedule"),
                "the effect NoSchedule, not NoExecute and the operator \"In\", which Kubernetes \
                 does not know",
            ),
        ];
        for (taint, (key, operator, value, effect), expected) in cases {
            let list =
                [toleration("c", "Exists", "", ""), toleration(key, operator, value, effect)];
            let expected = format!("tolerations[1] has its key, but {expected}");
            assert_eq!(why_not_tolerated(&list, taint, false), expected);
        }
        let others = [toleration("c", "Exists", "", ""), toleration("d", "Exists", "", "")];
        let told = why_not_tolerated(&others, &without, false);
        assert_eq!(told, "no toleration has its key, the pod's are for c, d");
        assert_eq!(why_not_tolerated(&[], &without, false), "the pod has no tolerations");
    }
}
