//! What the mappings of the scenario language look like: short samples for the help of mistakes.
//!
//! Keyed by the words that [`super::fields::Fields`] has for a mapping. A mapping without a sample
//! here gets no help, and no harm.

use super::tree::Value;

/// What a mapping looks like. `$` stands for what was written in its place, and for the last column
/// where that cannot stand there.
const MAPPINGS: [(&str, &str, &str); 29] = [
    ("`spec`", "{nodes: [..], pods: [..], steps: [..]}", ""),
    ("`metadata`", "{name: $}", "maintenance"),
    ("taintManager", "{enabled: $}", "false"),
    ("`featureGates`", "{TaintTolerationComparisonOperators: $}", "true"),
    ("`switches`", "{markerAfterSuccess: $}", "true"),
    ("admission", "{defaultTolerationSeconds: {enabled: $}}", "false"),
    ("apiServer", "{latency: {delete: $}}", "5ms"),
    ("latency", "{get: $, list: $, patch: $, delete: $}", "5ms"),
    ("replyLatency", "{get: $, list: $, patch: $, delete: $}", "5ms"),
    ("watchLatency", "{pods: $, nodes: $}", "5ms"),
    ("a node", "{name: $}", "node-0"),
    ("a pod", "{name: $, nodeName: node-0}", "web-0"),
    ("a set of labels", "{app: $}", "web"),
    ("a step", "{at: 10s, kubectl: cordon node-0}", ""),
    ("an action of a burst", "{kubectl: cordon node-0}", ""),
    ("after", "{evicted: $}", "shop/web-0"),
    ("taint", "{node: $, add: [maintenance=now:NoExecute]}", "node-0"),
    ("deletePod", "{pod: $}", "shop/web-0"),
    ("deleteNode", "{node: $}", "node-0"),
    ("bindPod", "{pod: $, node: node-0}", "shop/web-0"),
    ("setTolerations", "{pod: $, tolerations: [..]}", "shop/web-0"),
    ("touchPod", "{pod: $, labels: {app: web}}", "shop/web-0"),
    ("restartController", "{for: $}", "15s"),
    ("breakWatch", "{resource: $}", "pods"),
    ("repeat", "{every: 1m, times: $, steps: [{kubectl: cordon node-0}]}", "5"),
    ("a repeated step", "{at: +5s, kubectl: cordon node-0}", ""),
    ("an expectation", "{pod: shop/web-0, evictedAt: $}", "70s"),
    ("an event", "{reason: $}", "TaintManagerEviction"),
    ("a fault", "{verb: delete, resource: pods, error: $}", "InternalError"),
];

/// Where `taintsim explain` has a mapping.
const EXPLAINED: [(&str, &str); 28] = [
    ("`spec`", "spec"),
    ("`metadata`", "metadata"),
    ("taintManager", "spec.taintManager"),
    ("`featureGates`", "spec.featureGates"),
    ("`switches`", "spec.switches"),
    ("admission", "spec.admission"),
    ("apiServer", "spec.apiServer"),
    ("latency", "spec.apiServer.latency"),
    ("replyLatency", "spec.apiServer.replyLatency"),
    ("watchLatency", "spec.apiServer.watchLatency"),
    ("a node", "spec.nodes"),
    ("a pod", "spec.pods"),
    ("a taint", "spec.nodes.taints"),
    ("a toleration", "spec.pods.tolerations"),
    ("a step", "spec.steps"),
    ("after", "spec.steps.after"),
    ("taint", "spec.steps.taint"),
    ("deletePod", "spec.steps.deletePod"),
    ("deleteNode", "spec.steps.deleteNode"),
    ("bindPod", "spec.steps.bindPod"),
    ("setTolerations", "spec.steps.setTolerations"),
    ("touchPod", "spec.steps.touchPod"),
    ("restartController", "spec.steps.restartController"),
    ("breakWatch", "spec.steps.breakWatch"),
    ("repeat", "spec.steps.repeat"),
    ("a repeated step", "spec.steps.repeat.steps"),
    ("an expectation", "spec.expect"),
    ("a fault", "spec.faults"),
];

/// The keys of a mapping, and the command that says what they mean.
pub(super) fn known_keys(what: &str, keys: &[&str]) -> String {
    let keys = keys.join(", ");
    match EXPLAINED.iter().find(|(known, _)| *known == what) {
        Some((_, path)) => format!("known keys: {keys} (see `taintsim explain {path}`)"),
        None => format!("known keys: {keys}"),
    }
}

/// What to write where these keys were listed above already.
pub(super) fn known_above(what: &str) -> Option<String> {
    let (_, path) = EXPLAINED.iter().find(|(known, _)| *known == what)?;
    Some(format!("remove it, or write one of the keys that `taintsim explain {path}` lists"))
}

/// What the mapping `what` looks like, for someone who wrote `found` in its place.
pub(super) fn mapping(what: &str, found: &Value) -> Option<String> {
    if let (Value::Sequence(items), "a set of labels") = (found, what) {
        let pairs: Option<Vec<String>> = items.iter().map(|item| label(&item.value)).collect();
        return pairs.map(|pairs| format!("{{{}}}", pairs.join(", ")));
    }
    let (Value::Plain(text) | Value::Quoted(text)) = found else { return sample(what, None) };
    let has_keys = ["`spec`", "`metadata`", "taintManager", "admission", "apiServer", "after"];
    if let Some(help) = key_without_blank(text).filter(|_| has_keys.contains(&what)) {
        return Some(help);
    }
    let keys = ["name", "namespace", "node", "nodeName", "pod", "at", "app", "zone"];
    if text.split_once(':').is_some_and(|(key, _)| keys.contains(&key))
        && let Some(help) = key_without_blank(text)
    {
        return Some(help);
    }
    let is_set = ["a set of labels", "`featureGates`"].contains(&what);
    if let (true, Some((key, value))) = (is_set, text.split_once('=')) {
        return Some(format!("{{{key}: {value}}}"));
    }
    let is_word = |c: char| c.is_ascii_alphanumeric() || "-_./=".contains(c);
    let word = Some(&**text).filter(|text| !text.is_empty() && text.chars().all(is_word));
    // A latency without a unit is one of milliseconds: so say those who give a latency.
    let millis = word.filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    if let (Some(millis), true) = (millis, what.ends_with("atency")) {
        return sample(what, Some(&format!("{millis}ms")));
    }
    if what == "defaultTolerationSeconds" {
        let digits = word.filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        return Some(match digits {
            Some(seconds) => format!("{{notReady: {seconds}, unreachable: {seconds}}}"),
            None => format!("{{enabled: {}}}", if word == Some("true") { "true" } else { "false" }),
        });
    }
    sample(what, word)
}

/// `app=web` as an entry of a mapping.
fn label(value: &Value) -> Option<String> {
    let (Value::Plain(text) | Value::Quoted(text)) = value else { return None };
    text.split_once('=').map(|(key, value)| format!("{key}: {value}"))
}

/// A key and its value as one word: `seed:7`, `seed 7`.
fn key_without_blank(text: &str) -> Option<String> {
    let is_key = |key: &str| key.len() > 1 && key.bytes().all(|byte| byte.is_ascii_alphabetic());
    let (key, value) = text.split_once(':').or_else(|| text.split_once(' '))?;
    let value = value.trim_matches(|c: char| c.is_whitespace());
    let is_one = !value.is_empty() && !value.contains([' ', ':', '/']);
    (is_key(key) && is_one).then(|| format!("`{key}: {value}`, with a colon and a blank"))
}

fn sample(what: &str, word: Option<&str>) -> Option<String> {
    let (_, shape, instead) = MAPPINGS.iter().find(|(known, _, _)| *known == what)?;
    // What is no name, duration or word of its place stays out of it.
    let fits = |word: &&str| match *instead {
        "false" => matches!(*word, "true" | "false"),
        "5ms" | "15s" | "70s" => word.starts_with(|c: char| c.is_ascii_digit()),
        _ => !word.contains('=') && !word.bytes().all(|byte| byte.is_ascii_digit()),
    };
    Some(shape.replace('$', word.filter(fits).unwrap_or(instead)))
}

/// How the list is written for which `found` stands.
pub(super) fn list(found: &Value) -> String {
    let (Value::Mapping(_), Some(text)) = (found, found_word(found)) else {
        return match found_word(found) {
            Some(text) => format!("write [{text}], or begin each item with `- `"),
            None => "begin each item with `- `".into(),
        };
    };
    match text.strip_prefix('-') {
        Some(key) => format!("put a blank after the `-`: `- {key}: ..`"),
        None => format!("begin each item with `- `, such as `- {text}: ..`"),
    }
}

/// The first key of a mapping, or a word.
fn found_word(found: &Value) -> Option<String> {
    match found {
        Value::Mapping(entries) => entries.first().map(|(key, _)| key.text.to_string()),
        Value::Plain(text) if !text.contains(char::is_whitespace) => Some(text.to_string()),
        Value::Quoted(text) if !text.contains('"') => Some(format!("\"{text}\"")),
        _ => None,
    }
}

/// A key that means something elsewhere: the right key beside it, where there is one, and what to
/// write.
pub(super) fn instead(what: &str, key: &str) -> Option<(Option<&'static str>, &'static str)> {
    let found = INSTEAD.iter().find(|(mapping, wrong, ..)| *mapping == what && *wrong == key);
    found.map(|(_, _, right, help)| (Some(*right).filter(|right| !right.is_empty()), *help))
}

/// What to do with a key of `spec` that stands beside it, and where there is no `spec`.
pub(super) const BELOW_SPEC: &str = "indent it below `spec:`";
pub(super) const WRITE_SPEC: &str = "write a line `spec:` above it, and indent it below that";

const ACTS_ON_ALL: &str =
    "remove `mode`: a step acts on all that `node`, `pod` or `selector` names";

/// Mapping, wrong key, right key, help.
const INSTEAD: &[(&str, &str, &str, &str)] = &[
    ("a Scenario", "nodes", "spec", BELOW_SPEC),
    ("a Scenario", "pods", "spec", BELOW_SPEC),
    ("a Scenario", "steps", "spec", BELOW_SPEC),
    ("a Scenario", "expect", "spec", BELOW_SPEC),
    ("a Scenario", "faults", "spec", BELOW_SPEC),
    ("a Scenario", "manifests", "spec", BELOW_SPEC),
    ("a Scenario", "name", "", "write `metadata: {name: ..}`"),
    ("a Scenario", "description", "", "write `metadata: {description: ..}`"),
    ("`metadata`", "namespace", "", "remove it: each pod has a `namespace` of its own"),
    ("`spec`", "expectations", "", "did you mean `expect`?"),
    ("a pod", "node", "", "did you mean `nodeName`?"),
    ("a pod", "pod", "name", "did you mean `name`?"),
    ("a pod", "ns", "", "did you mean `namespace`?"),
    ("a pod", "image", "", "remove it: what runs in a pod does not matter here"),
    ("a node", "node", "name", "did you mean `name`?"),
    ("a toleration", "op", "operator", "did you mean `operator`?"),
    ("a toleration", "timeout", "", "did you mean `tolerationSeconds`?"),
    ("a toleration", "for", "", "did you mean `tolerationSeconds`?"),
    ("a pod", "replicas", "", "a range makes several pods: `name: \"web-{0..2}\"`"),
    ("a pod", "replicaCount", "", "a range makes several pods: `name: \"web-{0..2}\"`"),
    ("a pod", "count", "", "a range makes several pods: `name: \"web-{0..2}\"`"),
    ("a pod", "podLabels", "labels", "did you mean `labels`?"),
    ("a node", "replicas", "", "a range makes several nodes: `name: \"node-{0..2}\"`"),
    ("a node", "count", "", "a range makes several nodes: `name: \"node-{0..2}\"`"),
    ("a node", "nodeLabels", "labels", "did you mean `labels`?"),
    ("a step", "action", "", "remove it: the action is the key, as in `taint: {..}`"),
    ("a pod", "containers", "", "remove it: what runs in a pod does not matter here"),
    ("a node", "unschedulable", "", "remove it, or write a step `kubectl: cordon NODE`"),
    ("a taint", "operator", "", "remove it: tolerations have an operator, taints have none"),
    ("a taint", "tolerationSeconds", "", "remove it: it belongs to the tolerations of a pod"),
    ("taint", "key", "add", "write `add: [\"key=value:NoExecute\"]`"),
    ("taint", "value", "add", "write `add: [\"key=value:NoExecute\"]`"),
    ("taint", "effect", "add", "write `add: [\"key=value:NoExecute\"]`"),
    ("taint", "mode", "", ACTS_ON_ALL),
    ("deletePod", "mode", "", ACTS_ON_ALL),
    ("deleteNode", "mode", "", ACTS_ON_ALL),
    ("bindPod", "mode", "", ACTS_ON_ALL),
    ("setTolerations", "mode", "", ACTS_ON_ALL),
    ("touchPod", "mode", "", ACTS_ON_ALL),
    ("taint", "pod", "node", "only nodes have taints: write `node: node-0`"),
    ("bindPod", "nodeName", "node", "did you mean `node`?"),
    ("deletePod", "force", "", "write `gracePeriodSeconds: 0`"),
    ("restartController", "after", "", "did you mean `for`?"),
    ("restartController", "duration", "", "did you mean `for`?"),
    ("restartController", "period", "", "did you mean `for`?"),
    ("a step", "time", "at", "did you mean `at`?"),
    ("a step", "delay", "at", "did you mean `at`?"),
    ("a step", "when", "at", "did you mean `at`?"),
    ("a step", "reason", "", "did you mean `because`?"),
    (
        "a step",
        "expect",
        "",
        "`expect` is a key of `spec`: move it there, to the column of `steps`",
    ),
    (
        "a step",
        "faults",
        "",
        "`faults` is a key of `spec`: move it there, to the column of `steps`",
    ),
    ("a step", "until", "", "`until` is a key of `spec`: move it there, to the column of `steps`"),
    ("a step", "comment", "", "write `because: ..`, or a YAML comment after `#`"),
    ("a step", "description", "", "write `because: ..`, or a YAML comment after `#`"),
    ("an action of a burst", "at", "kubectl", "remove it: the time of a burst is that of its step"),
    ("an action of a burst", "burst", "kubectl", "write its actions here: a burst has no burst"),
    ("after", "deleted", "removed", "did you mean `removed`?"),
    ("after", "delay", "", "did you mean `plus`?"),
    ("after", "wait", "", "did you mean `plus`?"),
    ("after", "after", "", "did you mean `plus`?"),
    ("after", "offset", "", "did you mean `plus`?"),
    ("a fault", "times", "", "did you mean `first`?"),
    ("a fault", "count", "", "did you mean `first`?"),
    ("a fault", "reason", "error", "did you mean `error`?"),
    ("a fault", "status", "error", "did you mean `error`?"),
    ("a fault", "code", "error", "did you mean `error`?"),
    ("a fault", "kind", "resource", "did you mean `resource`?"),
    ("an event", "count", "", "move it beside `event`: {event: {reason: ..}, count: 1}"),
    ("an expectation", "phase", "is", "did you mean `is`?"),
    ("an expectation", "state", "is", "did you mean `is`?"),
    ("an expectation", "status", "is", "did you mean `is`?"),
    ("an expectation", "evicted", "evictedAt", "did you mean `evictedAt`?"),
    ("an expectation", "evictTime", "evictedAt", "did you mean `evictedAt`?"),
    ("an expectation", "cancelled", "cancelledAt", "did you mean `cancelledAt`?"),
    ("an expectation", "canceled", "cancelledAt", "did you mean `cancelledAt`?"),
    ("an expectation", "removed", "removedAt", "did you mean `removedAt`?"),
    ("an expectation", "armed", "armedAt", "did you mean `armedAt`?"),
    ("an expectation", "reason", "", "did you mean `because`?"),
    ("an expectation", "at", "", "remove it: `at` goes with `is`"),
    ("an expectation", "by", "", "remove it: `by` goes with the times of evictions"),
    ("an expectation", "instance", "", "remove it: `instance` goes with `pod`"),
    ("an expectation", "broken", "breached", "did you mean `breached`?"),
    ("an expectation", "rules", "rule", "write an entry for each rule, with `rule` and `breached`"),
];

/// How the key `key` of the mapping `what` is written.
pub(super) fn key(what: &str, key: &str) -> Option<&'static str> {
    Some(match (what, key) {
        (_, "apiVersion") => "apiVersion: taintsim.dev/v1alpha1",
        (_, "kind") => "kind: Scenario",
        (_, "spec") => "spec: {nodes: [..], pods: [..], steps: [..]}",
        ("a node", "name") => "name: node-0",
        ("a pod", "name") => "name: web-0",
        ("a taint", "key") => "key: maintenance",
        (_, "effect") => "effect: NoExecute",
        (_, "verb") => "verb: delete",
        (_, "resource") => "resource: pods",
        ("repeat", "every") => "every: 1m",
        ("repeat", "times") => "times: 5",
        ("repeat", "steps") => "steps: [{kubectl: cordon node-0}]",
        (_, "error") => "error: InternalError",
        (_, "node") => "node: node-0",
        (_, "tolerations") => "tolerations: []",
        (_, "labels") => "labels: {app: web}",
        (_, "count") => "count: 1",
        (_, "breached") => "breached: true",
        (_, "at") => "at: 70s",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_explained_is_there() {
        for (what, path) in EXPLAINED {
            let (_, found) = crate::reference::find(path).unwrap_or_else(|error| panic!("{error}"));
            assert!(found.mapping().is_some(), "{what}: {path} has no keys");
        }
    }

    #[test]
    fn samples_take_over_what_was_written_where_it_fits() {
        for (what, written, expected) in [
            ("latency", "5ms", "{get: 5ms, list: 5ms, patch: 5ms, delete: 5ms}"),
            ("watchLatency", "100", "{pods: 100ms, nodes: 100ms}"),
            ("latency", "fast", "{get: 5ms, list: 5ms, patch: 5ms, delete: 5ms}"),
            ("watchLatency", "1s", "{pods: 1s, nodes: 1s}"),
            ("defaultTolerationSeconds", "false", "{enabled: false}"),
            ("defaultTolerationSeconds", "30", "{notReady: 30, unreachable: 30}"),
            ("defaultTolerationSeconds", "off", "{enabled: false}"),
            ("taintManager", "off", "{enabled: false}"),
            ("deleteNode", "node-7", "{node: node-7}"),
            ("deletePod", "shop/web 0", "{pod: shop/web-0}"),
            ("restartController", "20s", "{for: 20s}"),
            ("a set of labels", "app=x", "{app: x}"),
        ] {
            let found = mapping(what, &Value::Plain(written.into()));
            assert_eq!(found.as_deref(), Some(expected), "{what}: {written}");
        }
        assert_eq!(mapping("a Scenario", &Value::Plain("x".into())), None);
        let list = Value::Sequence(Vec::new());
        assert_eq!(mapping("after", &list).as_deref(), Some("{evicted: shop/web-0}"));
    }
}
