//! What `spec.nodes` and `spec.pods` can say exactly. Whatever they cannot stays a manifest, for
//! reasons that stand in the scenario.
//!
//! Decided by the rules that the loader applies to entries of `spec`: validation, and admission.

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

#[cfg(test)]
mod tests {
    use super::*;

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
