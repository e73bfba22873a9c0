//! What holds for the objects of a scenario: the settings that loading depends on, and the
//! admission of pods.

use crate::objects::{Effect, Operator, Toleration};
use crate::plan::Validation;

/// The settings that loading depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// `apiServer.validation`.
    pub validation: Validation,
    /// The gate `TaintTolerationComparisonOperators`.
    pub comparison_operators: bool,
    /// `admission.defaultTolerationSeconds.enabled`.
    pub default_toleration_seconds: bool,
    /// Seconds for `node.kubernetes.io/not-ready`.
    pub not_ready_seconds: i64,
    /// Seconds for `node.kubernetes.io/unreachable`.
    pub unreachable_seconds: i64,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            validation: Validation::Strict,
            comparison_operators: false,
            default_toleration_seconds: true,
            not_ready_seconds: 300,
            unreachable_seconds: 300,
        }
    }
}

impl Rules {
    /// What admission adds to a pod that is created or updated.
    ///
    /// k8s v1.36 plugin/pkg/admission/defaulttolerationseconds: a key is left alone where any
    /// toleration has that key or none, and the effect NoExecute or none; operator and value are not
    /// looked at.
    pub fn admit(&self, tolerations: &mut Vec<Toleration>) {
        if !self.default_toleration_seconds {
            return;
        }
        let defaults = [
            ("node.kubernetes.io/not-ready", self.not_ready_seconds),
            ("node.kubernetes.io/unreachable", self.unreachable_seconds),
        ];
        let own = tolerations.len();
        for (key, seconds) in defaults {
            let covered = tolerations[..own].iter().any(|t| {
                (t.key.is_empty() || *t.key == *key)
                    && t.effect.as_ref().is_none_or(|effect| *effect == Effect::NoExecute)
            });
            if !covered {
                tolerations.push(Toleration {
                    key: key.into(),
                    operator: Operator::Exists,
                    value: Box::default(),
                    effect: Some(Effect::NoExecute),
                    toleration_seconds: Some(seconds),
                });
            }
        }
    }

    /// The shortest beginning of the list that admission makes the list of; `None` where admission
    /// would add something even to the whole.
    pub fn before_admission<'l>(&self, list: &'l [Toleration]) -> Option<&'l [Toleration]> {
        // Admission adds two at most.
        let lengths = list.len().saturating_sub(2)..=list.len();
        let mut beginnings = lengths.map(|length| &list[..length]);
        beginnings.find(|beginning| {
            let mut admitted = beginning.to_vec();
            self.admit(&mut admitted);
            admitted == list
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A toleration with operator Exists, or Equal where there is a value.
    fn toleration(text: &str) -> Toleration {
        crate::scenario::language::parse_toleration(text).expect(text)
    }

    #[test]
    fn admission_leaves_covered_keys_alone() {
        let cases: [(&[&str], usize); 7] = [
            (&[], 2),
            (&["other:NoExecute op=Exists"], 3),
            (&["op=Exists"], 1),
            (&[":NoExecute op=Exists for 5s"], 1),
            (&[":NoSchedule op=Exists"], 3),
            (&["node.kubernetes.io/not-ready:NoExecute op=Exists for 5s"], 2),
            (&["node.kubernetes.io/not-ready=x:NoSchedule"], 3),
        ];
        for (texts, expected) in cases {
            let mut list: Vec<_> = texts.iter().map(|t| toleration(t)).collect();
            Rules::default().admit(&mut list);
            assert_eq!(list.len(), expected, "{texts:?}");
        }
        let mut list = Vec::new();
        Rules { not_ready_seconds: 7, ..Rules::default() }.admit(&mut list);
        assert_eq!(list[0].to_string(), "node.kubernetes.io/not-ready:NoExecute op=Exists for 7s");
        assert_eq!(
            list[1].to_string(),
            "node.kubernetes.io/unreachable:NoExecute op=Exists for 300s"
        );
        let mut list = Vec::new();
        Rules { default_toleration_seconds: false, ..Rules::default() }.admit(&mut list);
        assert!(list.is_empty());
    }

    #[test]
    fn admission_adds_what_is_left_out() {
        let list = |texts: &[&str]| -> Vec<Toleration> {
            texts.iter().map(|text| toleration(text)).collect()
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
            let kept = Rules::default().before_admission(&list).map(<[_]>::len);
            assert_eq!(kept, expected, "{texts:?}");
        }
    }
}
