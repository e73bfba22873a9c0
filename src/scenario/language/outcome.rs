//! Words for what becomes of a pod: the states, and what people write in their place.

use crate::expectation::PodState;
use crate::scenario::fields::Fields;
use crate::scenario::resolve::Resolver;
use crate::scenario::scalar::{text, word};
use crate::scenario::tree::{Node, Value};

const STATES: [(&str, PodState); 4] = [
    ("Running", PodState::Running),
    ("Armed", PodState::Armed),
    ("Terminating", PodState::Terminating),
    ("Absent", PodState::Absent),
];

/// A state; what Kubernetes and kubectl call it otherwise is told as what it is here.
pub(super) fn state(node: &Node, r: &mut Resolver) -> Option<PodState> {
    let text = text(node, "is", &mut r.diagnostics)?;
    let help = match text.to_ascii_lowercase().as_str() {
        "pending" | "scheduled" | "tolerated" => {
            "write Armed where its timer is pending, and Running where it has none"
        }
        "evicted" | "deleted" | "removed" | "gone" | "succeeded" | "failed" | "notfound" => {
            "write Absent; with `podTermination` Graceful or Never it is Terminating before that"
        }
        "survives" | "surviving" | "alive" | "ready" | "healthy" => "write Running",
        _ => return word(node, "is", &STATES, &mut r.diagnostics),
    };
    let states = STATES.map(|(word, _)| word).join(", ");
    let message = format!("`is` is one of {states}, not `{text}`");
    r.diagnostics.error_help(node.place, message, help);
    None
}

/// Notes keys that say what became of a pod with yes or no, such as `evicted: false`.
pub(super) fn refuse_yes_or_no(fields: &mut Fields<'_>, r: &mut Resolver) -> bool {
    let before = r.diagnostics.len();
    let has_time = fields.key_place("at").is_some();
    for (key, node) in fields.entries() {
        let Value::Plain(value) = &node.value else { continue };
        let is = match value.to_ascii_lowercase().as_str() {
            "true" | "yes" => true,
            "false" | "no" => false,
            _ => continue,
        };
        let help = match (&*key.text, is) {
            ("armed", true) if has_time => "write `is: Armed`",
            ("armed", false) if has_time => "write `is: Running`",
            ("evicted", true) if has_time => "write `evictedAt: 70s`, with its time, and no `at`",
            ("evicted" | "removed" | "deleted", false) if has_time => {
                "write `is: Running`, or `is: Armed` where its timer is pending"
            }
            ("evicted", true) => "write `evictedAt: 70s`, with its time",
            ("removed" | "deleted", true) => "write `removedAt: 70s`, with its time",
            ("armed", true) => "write `armedAt: 70s`, with its time",
            ("cancelled" | "canceled", true) => "write `cancelledAt: 70s`, with its time",
            ("evicted" | "removed" | "deleted" | "armed", false) => "write `survives: true`",
            _ => continue,
        };
        let message = format!("unknown key `{}` in an expectation", key.text);
        r.diagnostics.error_help(key.place, message, help);
        fields.pass_over(key);
    }
    r.diagnostics.len() > before
}
