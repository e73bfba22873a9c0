//! What kind of object a mapping is.

use super::fields::{mapping_get, text};
use crate::scenario::tree::{Node, Value};

/// What the items of a list are when they do not say so themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ItemKind {
    Node,
    Pod,
    ByShape,
}

/// What an object turned out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Node,
    Pod,
    List(ItemKind),
    /// An object that is not read, with the words to count it by.
    Other(String),
    /// A `Status`, with its message.
    Status(String),
    /// No Kubernetes object, or it cannot be told which.
    Unknown {
        message: String,
        help: &'static str,
    },
}

/// What to do in place of a watch.
pub(super) const NO_WATCH: &str = "take a dump without `-w`, `--watch` or `?watch=1`: `kubectl get \
                                   nodes,pods -A -o json >dump.json`";

/// The kind of a mapping; `expected` is what its list says about items without a kind.
pub(super) fn of(object: &Node, expected: ItemKind) -> Found {
    let api_version = mapping_get(object, "apiVersion").and_then(text);
    let core = matches!(api_version, None | Some("v1"));
    match mapping_get(object, "kind").and_then(text) {
        Some("") | None => without_kind(object, expected),
        Some("Status") => {
            let message = mapping_get(object, "message").and_then(text);
            Found::Status(message.unwrap_or("(no message)").to_owned())
        }
        Some("List") => Found::List(expected),
        Some("NodeList") if core => Found::List(ItemKind::Node),
        Some("PodList") if core => Found::List(ItemKind::Pod),
        Some("Node") if core => Found::Node,
        Some("Pod") if core => Found::Pod,
        Some(kind @ ("Node" | "Pod" | "NodeList" | "PodList")) => {
            Found::Other(format!("{kind} of {}", api_version.unwrap_or_default()))
        }
        Some(kind) => Found::Other(kind.to_owned()),
    }
}

/// Whether there are items, but no kind to say that they are a list's.
pub(super) fn is_list_without_kind(object: &Node) -> bool {
    mapping_get(object, "kind").is_none() && mapping_get(object, "items").is_some()
}

fn without_kind(object: &Node, expected: ItemKind) -> Found {
    match expected {
        ItemKind::Node => return Found::Node,
        ItemKind::Pod => return Found::Pod,
        ItemKind::ByShape => {}
    }
    let spec_has = |keys: &[&str]| has(object, "spec", keys);
    let status_has = |keys: &[&str]| has(object, "status", keys);
    if mapping_get(object, "metadata").is_some() {
        let is_pod = spec_has(&["containers", "nodeName", "tolerations"])
            || status_has(&["podIP", "podIPs", "containerStatuses", "qosClass"]);
        let is_node = spec_has(&["podCIDR", "podCIDRs", "providerID", "taints", "unschedulable"])
            || status_has(&["nodeInfo", "capacity", "allocatable", "daemonEndpoints"]);
        match (is_node, is_pod) {
            (true, false) => return Found::Node,
            (false, true) => return Found::Pod,
            _ => {}
        }
    }
    unknown(object)
}

fn unknown(object: &Node) -> Found {
    let dump = "a manifest is the output of `kubectl get nodes,pods -A -o yaml` (or json)";
    if is_list_without_kind(object) {
        return Found::Unknown {
            message: "there are `items` but no `kind`: this list looks cut off".into(),
            help: "take the dump again; a whole one ends with `kind: List`",
        };
    }
    if mapping_get(object, "Name").is_some() || mapping_get(object, "Taints").is_some() {
        return Found::Unknown {
            message: "this looks like the output of `kubectl describe`".into(),
            help: "use `kubectl get nodes,pods -A -o yaml`",
        };
    }
    if mapping_get(object, "type").is_some() && mapping_get(object, "object").is_some() {
        return Found::Unknown {
            message: "this is an event of a watch, and no object".into(),
            help: NO_WATCH,
        };
    }
    if mapping_get(object, "metadata").is_some() {
        return Found::Unknown {
            message: "this object has no `kind`, and its shape is neither a Node's nor a Pod's"
                .into(),
            help: "add `kind: Node` or `kind: Pod`",
        };
    }
    if matches!(&object.value, Value::Mapping(entries) if entries.len() == 1)
        && mapping_get(object, "apiVersion").is_some()
    {
        return Found::Unknown {
            message: "this object is cut off: it has nothing but its `apiVersion`".into(),
            help: "take the dump again: this object is not whole, and others may be missing",
        };
    }
    let message = "this is no Kubernetes object: it has neither `kind` nor `metadata`".into();
    Found::Unknown { message, help: dump }
}

fn has(object: &Node, part: &str, keys: &[&str]) -> bool {
    let Some(Node { value: Value::Mapping(entries), .. }) = mapping_get(object, part) else {
        return false;
    };
    entries.iter().any(|(key, _)| keys.contains(&&*key.text))
}
