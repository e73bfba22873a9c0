//! The API server's rules for taints, tolerations, labels and names.
//!
//! Asked about objects that a scenario creates or changes; objects from manifests were stored by a
//! real API server and are not checked again. Messages are in the API server's words as far as
//! those are short, with the fix where it is not plain. Nothing here depends on the state of the
//! cluster except [`tolerations_only_added`], which compares two lists.

mod name;

pub use name::{label_key, label_value, namespace, node_name, pod_name};

use std::fmt;

use std::collections::BTreeSet;

use super::matching::parse_canonical;
use super::taint::{Effect, Taint};
use super::toleration::{Operator, Toleration};

/// A rule of the API that a value breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The field, as core/v1 spells it, such as `key` or `tolerationSeconds`.
    pub field: &'static str,
    /// What the rule says about the value, naming it.
    pub message: String,
}

/// As the API server writes it: `key: must be ...`.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}

/// The feature gate behind the operators `Gt` and `Lt`.
const COMPARISON_GATE: &str = "TaintTolerationComparisonOperators";

/// What is wrong with a taint by itself.
///
/// k8s v1.36 pkg/apis/core/validation `validateNodeTaints`: the
/// key is a label key, the value a label value, the effect one of three and required.
pub fn taint(taint: &Taint) -> Vec<Problem> {
    let mut problems = required_key(&taint.key);
    problems.extend(label_value_in("value", &taint.value));
    if let Effect::Other(text) = &taint.effect {
        problems.push(unknown_effect(text));
    }
    problems
}

/// What is wrong with a list of taints as a whole: one of key and effect may be there once. Each
/// problem comes with the index of the later taint.
pub fn taint_list(taints: &[Taint]) -> Vec<(usize, Problem)> {
    let mut seen = BTreeSet::new();
    let repeats = |index: &usize| {
        let Taint { key, effect, .. } = &taints[*index];
        !seen.insert((&**key, effect.as_str()))
    };
    let repeated = (0..taints.len()).filter(repeats);
    repeated
        .map(|index| {
            let Taint { key, effect, .. } = &taints[index];
            let message = format!(
                "taints must be unique by key and effect pair; {key}:{} is there twice",
                effect.as_str()
            );
            (index, Problem { field: "taints", message })
        })
        .collect()
}

/// What is wrong with a toleration. `comparison_operators` is the gate
/// `TaintTolerationComparisonOperators`.
///
/// k8s v1.36 pkg/apis/core/validation `ValidateTolerations`.
pub fn toleration(toleration: &Toleration, comparison_operators: bool) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut wrong = |field, message: String| problems.push(Problem { field, message });

    let Toleration { key, operator, value, effect, toleration_seconds } = toleration;
    if key.is_empty() {
        if *operator != Operator::Exists {
            wrong(
                "operator",
                "must be Exists when key is empty, which means every key and value".into(),
            );
        }
    } else {
        label_key(key).into_iter().for_each(|message| wrong("key", message));
    }
    match effect {
        // That it must be NoExecute, too, is the same mistake.
        Some(Effect::Other(text)) if !text.is_empty() => {
            wrong("effect", unknown_effect(text).message);
        }
        Some(Effect::NoExecute) => {}
        _ if toleration_seconds.is_some() => {
            wrong("effect", "must be NoExecute when tolerationSeconds is set".into());
        }
        _ => {}
    }
    match operator {
        Operator::Unset | Operator::Equal => {
            label_value(value).into_iter().for_each(|message| wrong("value", message));
        }
        Operator::Exists if !value.is_empty() => {
            wrong("value", format!("must be empty when operator is Exists, but is {value:?}"));
        }
        Operator::Exists => {}
        Operator::Gt | Operator::Lt if !comparison_operators => {
            wrong(
                "operator",
                format!(
                    "{} needs the feature gate {COMPARISON_GATE}, which is off (alpha since 1.35)",
                    operator.as_str()
                ),
            );
        }
        Operator::Gt | Operator::Lt => {
            if parse_canonical(value).is_none() {
                wrong(
                    "value",
                    format!(
                        "must be a 64-bit decimal without plus sign, leading zeros or blanks when \
                     operator is {}, but is {value:?}",
                        operator.as_str()
                    ),
                );
            }
        }
        Operator::Other(text) => {
            let known =
                if comparison_operators { "Equal, Exists, Gt, Lt" } else { "Equal, Exists" };
            wrong("operator", format!("unsupported value {text:?}; supported are {known}"));
        }
    }
    problems
}

/// Whether tolerations of a live pod may change from `old` to `new`: whatever is in `old` must
/// still be there, except that its `tolerationSeconds` may differ; anything may be added, in any
/// order.
///
/// k8s v1.36 pkg/apis/core/validation `ValidatePodUpdate`, `validateOnlyAddedTolerations`. As
/// there, one new toleration can stand for several equal old ones.
///
/// # Errors
/// In the API server's words, with the toleration that is missing.
pub fn tolerations_only_added(old: &[Toleration], new: &[Toleration]) -> Result<(), String> {
    let kept = |old: &Toleration| {
        new.iter().any(|new| {
            new.key == old.key
                && new.operator == old.operator
                && new.value == old.value
                && new.effect == old.effect
        })
    };
    match old.iter().find(|old| !kept(old)) {
        None => Ok(()),
        Some(missing) => Err(format!(
            "spec.tolerations: Forbidden: existing toleration can not be modified except its \
             tolerationSeconds, and \"{missing}\" is missing from the new list"
        )),
    }
}

fn required_key(key: &str) -> Vec<Problem> {
    if key.is_empty() {
        return vec![Problem { field: "key", message: "must not be empty".into() }];
    }
    label_key(key).into_iter().map(|message| Problem { field: "key", message }).collect()
}

fn label_value_in(field: &'static str, value: &str) -> impl Iterator<Item = Problem> {
    label_value(value).into_iter().map(move |message| Problem { field, message })
}

fn unknown_effect(text: &str) -> Problem {
    let known = Effect::KNOWN.join(", ");
    let message = if text.is_empty() {
        format!("must not be empty; one of {known}")
    } else {
        format!("unsupported value {text:?}; supported are {known}")
    };
    Problem { field: "effect", message }
}

#[cfg(test)]
mod tests;
