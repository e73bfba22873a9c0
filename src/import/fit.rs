//! What `spec.nodes` and `spec.pods` can say exactly. Whatever they cannot stays a manifest, for
//! reasons that stand in the scenario.
//!
//! Decided by the rules that the loader applies to entries of `spec`: validation, and admission.

use crate::objects::{Labels, Taint, Toleration, validation};
use crate::scenario::language::is_rfc3339;
use crate::scenario::rules::Rules;

/// Reasons, as a set of bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Reasons(u16);

/// Each reason in words, which follow on `2 pods that spec.pods cannot say exactly:`.
const WORDS: [&str; 8] = [
    "terminating",
    "finished (phase Succeeded or Failed)",
    "with the taint manager's DisruptionTarget condition",
    "without a toleration of not-ready or unreachable, which admission would add there",
    "with labels that the API would refuse",
    "with taints or tolerations that the API would refuse",
    "on a node whose name the API would refuse",
    "cordoned",
];

impl Reasons {
    pub(super) const TERMINATING: Reasons = Reasons(1);
    pub(super) const FINISHED: Reasons = Reasons(2);
    pub(super) const DISRUPTED: Reasons = Reasons(4);
    pub(super) const ADMISSION: Reasons = Reasons(8);
    pub(super) const LABELS: Reasons = Reasons(16);
    pub(super) const LISTS: Reasons = Reasons(32);
    pub(super) const NODE_NAME: Reasons = Reasons(64);
    pub(super) const CORDONED: Reasons = Reasons(128);

    pub(super) fn is_empty(self) -> bool {
        self == Reasons::default()
    }

    pub(super) fn add(&mut self, reason: Reasons, holds: bool) {
        if holds {
            self.0 |= reason.0;
        }
    }

    /// `terminating; cordoned`.
    pub(super) fn words(self) -> String {
        let set = WORDS.iter().enumerate().filter(|(bit, _)| self.0 & (1 << bit) != 0);
        set.map(|(_, words)| *words).collect::<Vec<_>>().join("; ")
    }
}

/// Whether the API would store these labels.
pub(super) fn labels(labels: &Labels) -> bool {
    labels.iter().all(|(key, value)| {
        validation::label_key(key).is_empty() && validation::label_value(value).is_empty()
    })
}

/// Whether the API would store these taints.
pub(super) fn taints(list: &[Taint]) -> bool {
    validation::taint_list(list).is_empty()
        && list.iter().all(|taint| {
            validation::taint(taint).is_empty()
                && taint.time_added.as_deref().is_none_or(is_rfc3339)
        })
}

/// Whether the API would store these tolerations.
pub(super) fn tolerations(list: &[Toleration], rules: &Rules) -> bool {
    list.iter().all(|t| validation::toleration(t, rules.comparison_operators).is_empty())
}

/// The shortest beginning of the list that admission makes the list of; `None` where admission
/// would add something even to the whole.
pub(super) fn before_admission<'l>(
    list: &'l [Toleration],
    rules: &Rules,
) -> Option<&'l [Toleration]> {
    // Admission adds two at most.
    let lengths = list.len().saturating_sub(2)..=list.len();
    let mut beginnings = lengths.map(|length| &list[..length]);
    beginnings.find(|beginning| {
        let mut admitted = beginning.to_vec();
        rules.admit(&mut admitted);
        admitted == list
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::language::parse_toleration;

    #[test]
    fn admission_adds_what_is_left_out() {
        let list = |texts: &[&str]| -> Vec<Toleration> {
            texts.iter().map(|text| parse_toleration(text).expect(text)).collect()
        };
        let not_ready = "node.kubernetes.io/not-ready:NoExecute op=Exists for 300s";
        let unreachable = "node.kubernetes.io/unreachable:NoExecute op=Exists for 300s";
        let shorter = "node.kubernetes.io/unreachable:NoExecute op=Exists for 30s";
        let cases: [(&[&str], Option<usize>); 9] = [
            (&[], None),
            (&[not_ready], None),
            (&[not_ready, unreachable], Some(0)),
            (&[unreachable, not_ready], Some(1)),
            (&["a:NoExecute op=Exists", not_ready, unreachable], Some(1)),
            (&[not_ready, unreachable, "a:NoExecute op=Exists"], Some(3)),
            (&["op=Exists"], Some(1)),
            (&[shorter, not_ready], Some(1)),
            (&[not_ready, shorter], Some(2)),
        ];
        for (texts, expected) in cases {
            let list = list(texts);
            let kept = before_admission(&list, &Rules::default()).map(<[_]>::len);
            assert_eq!(kept, expected, "{texts:?}");
        }
    }

    #[test]
    fn each_reason_has_its_words() {
        let mut reasons = Reasons::default();
        assert!(reasons.is_empty());
        reasons.add(Reasons::CORDONED, true);
        reasons.add(Reasons::TERMINATING, true);
        reasons.add(Reasons::LABELS, false);
        assert_eq!(reasons.words(), "terminating; cordoned");
    }
}
