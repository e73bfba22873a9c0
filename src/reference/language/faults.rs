//! `spec.faults`.

use super::objects::{namespace, pod, pod_selector};
use super::text::STRING;
use crate::reference::{Kind, Mapping, Rule, field};

/// An entry of `faults`.
pub(super) static FAULT: Mapping = Mapping {
    name: "Fault",
    about: "Calls of the taint manager that fail. Each entry counts the calls that fit it and \
            applies to its `first` ones; the store does not change. Every error, NotFound too, \
            ends the attempt; after `retryInterval` the next one begins with GET again.",
    groups: &[
        &[
            field(
                "verb",
                Kind::Word(&["get", "patch", "delete"]),
                "Which calls: those of a deletion, in this order.",
                "{verb: patch, resource: pods, error: Conflict, first: 1}",
            )
            .required(),
            field(
                "resource",
                Kind::Word(&["pods"]),
                "What the calls are about. It covers the subresource that the patch goes to.",
                "{verb: get, resource: pods, error: ServerTimeout}",
            )
            .required(),
            pod("{verb: delete, resource: pods, pod: shop/web-0, error: Timeout, first: 1}")
                .absent("all pods"),
            pod_selector("{verb: delete, resource: pods, selector: app=web, error: Timeout}")
                .absent("all pods"),
            namespace(
                "{verb: delete, resource: pods, selector: app=web, namespace: shop, \
                 error: Timeout}",
            ),
        ],
        &[
            field(
                "error",
                Kind::Word(&[
                    "InternalError",
                    "Conflict",
                    "NotFound",
                    "ServerTimeout",
                    "Timeout",
                    "Forbidden",
                ]),
                "The API's reason for the failure.",
                "{verb: delete, resource: pods, error: InternalError, first: 2}",
            )
            .required(),
            field(
                "message",
                Kind::Text(&STRING),
                "The server's words for it.",
                "verb: delete\nresource: pods\nerror: Forbidden\nmessage: 'admission webhook \
                 \"guard.example.com\" denied the request'",
            ),
            field(
                "first",
                Kind::Integer { least: Some(1), greatest: None, unit: None },
                "Only the first so many calls fail, counted over all pods that fit. A re-created \
                 pod is the same by name.",
                "{verb: delete, resource: pods, error: InternalError, first: 2}",
            )
            .absent("all calls"),
            field(
                "caller",
                Kind::Word(&["TaintManager"]),
                "Whose calls fail. `TaintManager` is the only value of this version.",
                "{verb: get, resource: pods, error: Timeout, caller: TaintManager}",
            )
            .default("TaintManager"),
        ],
    ],
    rules: &[Rule::AtMostOne(&["pod", "selector"]), Rule::Needs(&["namespace"], &["selector"])],
};
