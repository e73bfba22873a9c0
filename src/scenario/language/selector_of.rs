//! What a selector that is written as a mapping means: as in manifests of Kubernetes, in Chaos Mesh
//! and in Litmus.

use crate::scenario::tree::{Key, Node, Value};

/// The keys and their values that say the same, from what was written; `None` where not all of it
/// can be said.
pub(super) fn in_words(entries: &[(Key, Node)], of_nodes: bool) -> Option<String> {
    let mut namespaces = Vec::new();
    let mut names = Vec::new();
    let mut labels = Vec::new();
    for (key, node) in entries {
        match (&*key.text, &node.value) {
            ("nodes" | "nodeNames" | "names", Value::Sequence(_)) if of_nodes => {
                names.extend(texts(node)?);
            }
            ("namespaces", Value::Sequence(_)) if !of_nodes => namespaces.extend(texts(node)?),
            ("namespace", _) if !of_nodes => namespaces.extend(text(node)),
            ("pods", Value::Mapping(inner)) if !of_nodes => {
                for (namespace, list) in inner {
                    let own = texts(list)?.into_iter();
                    names.extend(own.map(|name| format!("{}/{name}", namespace.text)));
                }
            }
            ("matchLabels" | "labelSelectors" | "nodeSelectors", Value::Mapping(inner)) => {
                for (label, value) in inner {
                    labels.push(format!("{}={}", label.text, text(value)?));
                }
            }
            (label, _) => labels.push(format!("{label}={}", text(node)?)),
        }
    }
    let key = if of_nodes { "node" } else { "pod" };
    let labels = labels.join(",");
    match (names.as_slice(), labels.as_str(), namespaces.as_slice()) {
        ([], "", _) => None,
        ([one], "", []) => Some(format!("`{key}: {one}` in place of `selector`")),
        (some, "", []) => Some(format!("`{key}: [{}]` in place of `selector`", some.join(", "))),
        ([], labels, []) => Some(format!("`selector: {labels}`")),
        ([], labels, [one]) => {
            Some(format!("`selector: {labels}`, and beside it `namespace: {one}`"))
        }
        ([], labels, some) => Some(format!(
            "`selector: {labels}`, with `namespace: {}`, in an entry for each namespace",
            some[0]
        )),
        _ => None,
    }
}

fn text(node: &Node) -> Option<String> {
    match &node.value {
        Value::Plain(text) | Value::Quoted(text) => Some(text.to_string()),
        _ => None,
    }
}

fn texts(node: &Node) -> Option<Vec<String>> {
    let Value::Sequence(items) = &node.value else { return None };
    items.iter().map(text).collect()
}
