//! `spec.faults`.

use super::objects::{namespace, node, pod};
use super::text::{DURATION, PROBABILITY, SELECTOR, STRING};
use crate::reference::{Kind, Mapping, Rule, field};

/// An entry of `faults`.
pub(super) static FAULT: Mapping = Mapping {
    name: "Fault",
    about: "Calls to the API server that fail. An entry applies to a call that fits it, is one of \
            the `first`, lies in `between` and is drawn by `probability`. The store does not \
            change, but for `applied`. Of a deletion every error, NotFound too, ends the attempt; \
            after `retryInterval` the next one begins with GET again.",
    groups: &[
        &[
            field(
                "verb",
                Kind::Word(&["get", "list", "create", "patch", "delete"]),
                "Which calls. A deletion of the taint manager is get, patch and delete, in this \
                 order; its handlers list a node's pods up to 1.15. `create`, a pod's binding \
                 among it, and calls on nodes are the steps' (`caller: Any`).",
                "{verb: patch, resource: pods, error: Conflict, first: 1}",
            )
            .required(),
            field(
                "resource",
                Kind::Word(&["pods", "nodes"]),
                "What the calls are about. It covers the subresources.",
                "{verb: get, resource: pods, error: ServerTimeout}",
            )
            .required(),
            pod("{verb: delete, resource: pods, pod: shop/web-0, error: Timeout, first: 1}")
                .absent("all pods"),
            node("{verb: patch, resource: nodes, node: node-0, caller: Any, error: Conflict}")
                .absent("all nodes"),
            field(
                "selector",
                Kind::Text(&SELECTOR),
                "The pods whose labels this selector fits; of calls on nodes, and of lists, the \
                 nodes.",
                "{verb: delete, resource: pods, selector: app=web, error: Timeout}",
            )
            .absent("all"),
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
                    "TooManyRequests",
                    "ServerTimeout",
                    "Timeout",
                    "Forbidden",
                ]),
                "The API's reason for the failure. Of TooManyRequests the caller hears only after it has \
                 tried again ten times, a second apart, as client-go does.",
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
                Kind::Word(&["TaintManager", "Any"]),
                "Whose calls fail: the taint manager's, or also those of the steps, as with a \
                 webhook. A step that meets a fault is a `StepRejected`.",
                "{verb: delete, resource: pods, error: Forbidden, caller: Any}",
            )
            .default("TaintManager"),
            field(
                "applied",
                Kind::Boolean,
                "Whether the store does what was asked, and only the answer is lost. With the \
                 error Timeout only.",
                "{verb: delete, resource: pods, error: Timeout, applied: true, first: 1}",
            )
            .default("false"),
            field(
                "probability",
                Kind::Text(&PROBABILITY),
                "How likely a call fails, drawn for each call by the seed.",
                "{verb: delete, resource: pods, error: InternalError, probability: 0.1}",
            )
            .absent("certain"),
            field(
                "between",
                Kind::List { of: &Kind::Text(&DURATION), least: 2, greatest: Some(2) },
                "From the first time on, and before the second one.",
                "{verb: get, resource: pods, error: ServerTimeout, between: [10s, 20s]}",
            )
            .absent("always"),
        ],
    ],
    rules: &[Rule::AtMostOne(&["pod", "node", "selector"]), Rule::Needs(&["namespace"], &["selector"])],
};
