//! What entries of a Scenario can say exactly: what passes the rules that the loader applies to
//! them. Manifests of a dump are not checked by these.

use crate::objects::{Labels, Taint, Toleration, validation};
use crate::scenario::language::is_rfc3339;
use crate::scenario::rules::Rules;

/// Whether the API would store these labels.
pub(crate) fn labels(labels: &Labels) -> bool {
    labels.iter().all(|(key, value)| {
        validation::label_key(key).is_empty() && validation::label_value(value).is_empty()
    })
}

/// Whether the API would store these taints.
pub(crate) fn taints(list: &[Taint]) -> bool {
    validation::taint_list(list).is_empty()
        && list.iter().all(|taint| {
            validation::taint(taint).is_empty()
                && taint.time_added.as_deref().is_none_or(is_rfc3339)
        })
}

/// Whether the API would store these tolerations.
pub(crate) fn tolerations(list: &[Toleration], rules: &Rules) -> bool {
    list.iter().all(|t| validation::toleration(t, rules.comparison_operators).is_empty())
}
