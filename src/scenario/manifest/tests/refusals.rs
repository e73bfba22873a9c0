//! What is refused, and in which words.

use super::{check, pod, refused};

#[test]
fn what_is_no_object_is_refused() {
    for (text, message) in [
        ("{foo: bar}", "neither `kind` nor `metadata`"),
        ("{kind: List, items: [{apiVersion: v1}]}", "this object is cut off"),
        ("just words", "this is text"),
        ("apiVersion: v1\nitems: []\n", "this list looks cut off"),
        ("{kind: Pod, metadata: {name: p}}\n---\nitems: []\n", "this list looks cut off"),
        ("Name: n1\nRoles: <none>\n", "kubectl describe"),
        ("{metadata: {name: x}}", "no `kind`"),
        ("{kind: Status, message: pods is forbidden}", "pods is forbidden"),
        ("{kind: List, items: {}}", "`items` must be a list"),
        ("{kind: List, items: [7]}", "an item of a list must be an object"),
        ("{kind: Pod}", "this Pod has no metadata.name"),
        ("{kind: Node, metadata: {}}", "this Node has no metadata.name"),
        ("{kind: Node, metadata: {name: N1}}", "RFC 1123 subdomain"),
        ("{kind: Node, metadata: {name: 12}}", "write \"12\" in quotes"),
        ("{kind: Pod, metadata: {name: p, namespace: a.b}}", "RFC 1123 label"),
        ("{kind: Pod, metadata: {name: a/b}}", "RFC 1123 subdomain"),
        ("{kind: Pod, metadata: {name: p}, spec: []}", "pod default/p: spec must be a mapping"),
        (
            "{kind: Pod, metadata: {name: p, labels: {a: []}}}",
            "metadata.labels[a] must be a string",
        ),
        ("{kind: Node, metadata: {name: n}, spec: {unschedulable: yes}}", "must be true or false"),
        ("{kind: Node, metadata: {name: n}, spec: {taints: {}}}", "spec.taints must be a list"),
    ] {
        refused(text, &[message]);
    }
    let mut nested = "{kind: Pod, metadata: {name: p}}".to_owned();
    for _ in 0..10 {
        nested = format!("{{kind: List, items: [{nested}]}}");
    }
    refused(&nested, &["more than 8 deep"]);
}

#[test]
fn taints_and_tolerations_without_meaning_are_refused() {
    for (taint, message) in [
        ("{key: a}", "node n: spec.taints[0] has no effect"),
        ("{key: a, effect: \"\"}", "has no effect"),
        ("{effect: NoExecute}", "spec.taints[0] has no key"),
        ("{key: a, effect: NoExecut}", "did you mean NoExecute?"),
        ("null", "spec.taints[0] must be a mapping"),
        ("{key: a, value: 1, effect: NoExecute}", "spec.taints[0].value must be a string"),
    ] {
        let text = format!("{{kind: Node, metadata: {{name: n}}, spec: {{taints: [{taint}]}}}}");
        refused(&text, &[message]);
    }
    for (toleration, message) in [
        ("{key: a, operator: In}", "there is no operator \"In\""),
        ("{key: a, operator: exists}", "did you mean Exists?"),
        (
            "{key: a, operator: Exists, effect: NoExecut}",
            "tolerations[0].effect: there is no effect",
        ),
        ("null", "spec.tolerations[0] must be a mapping"),
    ] {
        refused(&pod(toleration), &[message]);
    }
}

#[test]
fn toleration_seconds_are_strict_integers() {
    let with = |seconds: &str| {
        pod(&format!(
            "{{key: a, operator: Exists, effect: NoExecute, tolerationSeconds: {seconds}}}"
        ))
    };
    for (seconds, printed) in [
        ("300", " for 300s"),
        ("0", " for 0s"),
        ("-0", " for 0s"),
        ("-5", " for -5s"),
        ("9223372036854775807", " for 9223372036854775807s"),
        ("null", ""),
        ("~", ""),
    ] {
        check(&with(seconds), &format!("| default/p@n[a:NoExecute op=Exists{printed}]"));
    }
    for (seconds, message) in [
        ("\"300\"", "write 300 without quotes"),
        ("300s", "must be an integer, not 300s"),
        ("300.0", "must be an integer, not 300.0"),
        ("3e2", "must be an integer, not 3e2"),
        ("+300", "must be an integer, not +300"),
        ("0454", "must be an integer, not 0454"),
        ("0o454", "must be an integer"),
        ("0x12C", "must be an integer"),
        ("3_00", "must be an integer"),
        (".inf", "must be an integer"),
        ("9223372036854775808", "does not fit into 64 bits"),
        ("[1]", "must be an integer"),
    ] {
        refused(&with(seconds), &["pod default/p: spec.tolerations[0].tolerationSeconds", message]);
    }
}
