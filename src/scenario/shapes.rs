//! What the mappings of the scenario language look like: short samples for the help of mistakes.
//!
//! Keyed by the words that [`super::fields::Fields`] has for a mapping. A mapping without a sample
//! here gets no help, and no harm.

use super::tree::Value;

/// What a mapping looks like. `$` stands for what was written in its place, and for the last column
/// where that cannot stand there.
const MAPPINGS: [(&str, &str, &str); 24] = [
    ("`spec`", "{nodes: [..], pods: [..], steps: [..]}", ""),
    ("`metadata`", "{name: $}", "maintenance"),
    ("taintManager", "{enabled: $}", "false"),
    ("admission", "{defaultTolerationSeconds: {enabled: $}}", "false"),
    ("apiServer", "{latency: {delete: $}}", "5ms"),
    ("latency", "{delete: $}", "5ms"),
    ("replyLatency", "{delete: $}", "5ms"),
    ("watchLatency", "{pods: $}", "5ms"),
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
    ("an expectation", "{pod: shop/web-0, evictedAt: $}", "70s"),
    ("an event", "{reason: $}", "TaintManagerEviction"),
    ("a fault", "{verb: delete, resource: pods, error: $}", "InternalError"),
];

/// What the mapping `what` looks like, for someone who wrote `found` in its place.
pub(super) fn mapping(what: &str, found: &Value) -> Option<String> {
    let (Value::Plain(text) | Value::Quoted(text)) = found else { return sample(what, None) };
    let is_word = |c: char| c.is_ascii_alphanumeric() || "-_./=".contains(c);
    let word = Some(&**text).filter(|text| !text.is_empty() && text.chars().all(is_word));
    if what == "defaultTolerationSeconds" {
        let digits = word.filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        return Some(match digits {
            Some(seconds) => format!("{{notReady: {seconds}, unreachable: {seconds}}}"),
            None => format!("{{enabled: {}}}", if word == Some("true") { "true" } else { "false" }),
        });
    }
    sample(what, word)
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
        (_, "error") => "error: InternalError",
        (_, "node") => "node: node-0",
        (_, "tolerations") => "tolerations: []",
        (_, "labels") => "labels: {app: web}",
        (_, "count") => "count: 1",
        (_, "at") => "at: 70s",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_take_over_what_was_written_where_it_fits() {
        for (what, written, expected) in [
            ("latency", "5ms", "{delete: 5ms}"),
            ("latency", "fast", "{delete: 5ms}"),
            ("watchLatency", "1s", "{pods: 1s}"),
            ("defaultTolerationSeconds", "false", "{enabled: false}"),
            ("defaultTolerationSeconds", "30", "{notReady: 30, unreachable: 30}"),
            ("defaultTolerationSeconds", "off", "{enabled: false}"),
            ("taintManager", "off", "{enabled: false}"),
            ("deleteNode", "node-7", "{node: node-7}"),
            ("deletePod", "shop/web 0", "{pod: shop/web-0}"),
            ("restartController", "20s", "{for: 20s}"),
            ("a set of labels", "app=x", "{app: web}"),
        ] {
            let found = mapping(what, &Value::Plain(written.into()));
            assert_eq!(found.as_deref(), Some(expected), "{what}: {written}");
        }
        assert_eq!(mapping("a Scenario", &Value::Plain("x".into())), None);
        let list = Value::Sequence(Vec::new());
        assert_eq!(mapping("after", &list).as_deref(), Some("{evicted: shop/web-0}"));
    }
}
