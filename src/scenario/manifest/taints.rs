//! Reads the taints of Nodes and the tolerations of Pods.
//!
//! Refused is what has no meaning: an effect or operator that does not exist, a taint without key
//! or effect, a number of seconds that is none. What has a meaning to the taint manager although
//! the API would not store it today is kept, with a notice.

use super::fields::{Reader, mapping_get};
use crate::kernel::time::NANOS_PER_SECOND;
use crate::objects::validation;
use crate::objects::{Effect, Operator, Taint, TaintsId, Toleration, TolerationsId};
use crate::scenario::diagnostic::{Diagnostic, nearest};
use crate::scenario::tree::{Node, Place, Value};

impl Reader<'_> {
    /// `spec.taints`; `None` where the key is not there. A null is the empty list: kubectl's way
    /// through jq prints it so.
    pub(super) fn taints(&mut self, spec: &Node, subject: &str) -> Option<TaintsId> {
        if !has_key(spec, "taints") {
            return None;
        }
        let mut list = Vec::new();
        let mut places = Vec::new();
        if let Some(node) = mapping_get(spec, "taints") {
            let items = self.sequence(node, format_args!("{subject}: spec.taints"));
            for (index, item) in items.iter().enumerate() {
                let path = format!("{subject}: spec.taints[{index}]");
                if let Some(taint) = self.taint(item, &path) {
                    list.push(taint);
                    places.push(item.place);
                }
            }
        }
        for (index, problem) in validation::taint_list(&list) {
            let message = format_args!(
                "{subject}: spec.taints: {}: the API would refuse it; kept as it is",
                problem.message
            );
            let kind = "taints twice on one node, which the API would refuse; kept as they are";
            self.notice(kind, places[index], subject, message);
        }
        Some(self.lists.intern_taints(&list))
    }

    fn taint(&mut self, item: &Node, path: &str) -> Option<Taint> {
        if !matches!(item.value, Value::Mapping(_)) {
            let message = format!("{path} must be a mapping with key, value and effect");
            self.diagnostics.error(item.place, message);
            return None;
        }
        self.notice_misspelt_keys(item, &["key", "value", "effect", "timeAdded"], path);
        let before = self.diagnostics.len();
        let key = self.string(item, "key", format_args!("{path}.key"));
        let is_key_told = self.diagnostics.len() > before;
        let value = self.string(item, "value", format_args!("{path}.value"));
        let before_effect = self.diagnostics.len();
        let effect = self.string(item, "effect", format_args!("{path}.effect"));
        let is_effect_told = self.diagnostics.len() > before_effect;
        let time_added = self.string(item, "timeAdded", format_args!("{path}.timeAdded"));
        let mut right = self.diagnostics.len() == before;
        if key.is_empty() && !is_key_told {
            self.diagnostics.error(item.place, format!("{path} has no key"));
            right = false;
        }
        if effect.is_empty() && !is_effect_told {
            let message = format!("{path} has no effect");
            let help = format!("one of {}", Effect::KNOWN.join(", "));
            self.diagnostics.push(Diagnostic::new(item.place, message).help(help));
            right = false;
        } else if !effect.is_empty() {
            right &= self.check_word(item, "effect", effect, &Effect::KNOWN, path);
        }
        let taint = Taint {
            time_added: (!time_added.is_empty()).then(|| time_added.into()),
            ..Taint::new(key, value, Effect::parse(effect))
        };
        if right {
            for problem in validation::taint(&taint) {
                let kind = kept("taints", problem.field);
                let message = format!("{path}.{problem}: the API would refuse it; kept as it is");
                self.notice(&kind, item.place, subject_of(path), message);
            }
        }
        right.then_some(taint)
    }

    /// `spec.tolerations`; `None` where the key is not there.
    pub(super) fn tolerations(&mut self, spec: &Node, subject: &str) -> Option<TolerationsId> {
        if !has_key(spec, "tolerations") {
            return None;
        }
        let mut list = Vec::new();
        if let Some(node) = mapping_get(spec, "tolerations") {
            let items = self.sequence(node, format_args!("{subject}: spec.tolerations"));
            for (index, item) in items.iter().enumerate() {
                let path = format!("{subject}: spec.tolerations[{index}]");
                list.extend(self.toleration(item, &path));
            }
        }
        Some(self.lists.intern_tolerations(&list))
    }

    fn toleration(&mut self, item: &Node, path: &str) -> Option<Toleration> {
        if !matches!(item.value, Value::Mapping(_)) {
            let message = format!("{path} must be a mapping with key, operator, value, effect");
            self.diagnostics.error(item.place, message);
            return None;
        }
        let known = ["key", "operator", "value", "effect", "tolerationSeconds"];
        self.notice_misspelt_keys(item, &known, path);
        let effect = self.string(item, "effect", format_args!("{path}.effect"));
        let operator = self.string(item, "operator", format_args!("{path}.operator"));
        let operators = ["Equal", "Exists", "Gt", "Lt"];
        let effect_right = self.check_word(item, "effect", effect, &Effect::KNOWN, path);
        let operator_right = self.check_word(item, "operator", operator, &operators, path);
        let right = effect_right && operator_right;
        let toleration = Toleration {
            key: self.string(item, "key", format_args!("{path}.key")).into(),
            operator: Operator::parse(operator),
            value: self.string(item, "value", format_args!("{path}.value")).into(),
            effect: (!effect.is_empty()).then(|| Effect::parse(effect)),
            toleration_seconds: self.integer(
                item,
                "tolerationSeconds",
                format_args!("{path}.tolerationSeconds"),
            ),
        };
        if right {
            self.notice_odd_toleration(&toleration, item.place, path);
        }
        right.then_some(toleration)
    }

    fn notice_odd_toleration(&mut self, toleration: &Toleration, place: Place, path: &str) {
        for problem in validation::toleration(toleration, false) {
            let message = match toleration.operator {
                Operator::Gt | Operator::Lt if problem.field == "operator" => {
                    format!("{path}.{problem}: it tolerates nothing")
                }
                _ => format!("{path}.{problem}: the API would refuse it; kept as it is"),
            };
            let kind = kept("tolerations", problem.field);
            self.notice(&kind, place, subject_of(path), message);
        }
        let seconds = toleration.toleration_seconds.unwrap_or(0);
        let seconds_max = i64::MAX / NANOS_PER_SECOND as i64;
        if seconds > seconds_max && seconds != i64::MAX {
            let message = format_args!(
                "{path}.tolerationSeconds: {seconds} s overflow the controller's 64 bits of \
                 nanoseconds; they wrap around as they do there"
            );
            let kind = "tolerationSeconds that overflow 64 bits of nanoseconds, and wrap around";
            self.notice(kind, place, subject_of(path), message);
        }
    }

    /// Whether `word` is empty or one of `known`; else says which could have been meant.
    fn check_word(
        &mut self,
        item: &Node,
        key: &str,
        word: &str,
        known: &[&'static str],
        path: &str,
    ) -> bool {
        if word.is_empty() || known.contains(&word) {
            return true;
        }
        let place = mapping_get(item, key).map_or(item.place, |node| node.place);
        let message = format!("{path}.{key}: there is no {key} {word:?}");
        let help = match nearest(word, known.iter().copied()) {
            Some(near) => format!("did you mean {near}?"),
            None => format!("one of {}", known.join(", ")),
        };
        self.diagnostics.push(Diagnostic::new(place, message).help(help));
        false
    }
}

/// The kind of notices about a field that the API would refuse.
fn kept(what: &str, field: &str) -> String {
    format!("{what} whose {field} the API would refuse; kept as they are")
}

/// The object that a path begins with: `pod shop/web-0: spec.tolerations[0]`.
fn subject_of(path: &str) -> &str {
    path.split(": ").next().unwrap_or_default()
}

fn has_key(node: &Node, key: &str) -> bool {
    matches!(&node.value, Value::Mapping(entries) if entries.iter().any(|(k, _)| *k.text == *key))
}
