//! Nodes, pods, taints and tolerations, and the keys that stand for objects.

use super::TERMINATION;
use super::text::{
    NAMES, NODE_NAMES, RFC_3339, SELECTOR, STRING, TAINT_TEXT, TARGETS, TOLERATION_TEXT,
};
use crate::reference::{Field, Kind, Mapping, field};

/// An entry of `nodes`.
pub(super) static NODE: Mapping = Mapping {
    name: "Node",
    about: "A node, or several where the name has a range.",
    groups: &[&[
        field(
            "name",
            Kind::Text(&NAMES),
            "The name of the node. A range makes several nodes.",
            "name: node-{0..2}",
        )
        .required(),
        field(
            "labels",
            Kind::Labels,
            "The labels of the node.",
            "name: node-0\nlabels: {topology.kubernetes.io/zone: zone-a}",
        ),
        field(
            "taints",
            TAINTS,
            "The taints that the node has. Those with the effect NoExecute act from the start of \
             the run.",
            "name: node-0\ntaints: [dedicated=infra:NoExecute]",
        ),
        field(
            "podTermination",
            TERMINATION,
            "What a DELETE does to the pods of this node: `Immediate` removes the object, \
             `Graceful` makes it terminating and removes it after `stopAfter`, `Never` leaves it \
             terminating, as on a node that is lost.",
            "name: node-0\npodTermination: Never",
        )
        .absent("that of spec"),
    ]],
    rules: &[],
};

/// An entry of `pods`.
pub(super) static POD: Mapping = Mapping {
    name: "Pod",
    about: "A pod, or several where the name has a range.",
    groups: &[&[
        field(
            "name",
            Kind::Text(&NAMES),
            "The name of the pod, without the namespace. A range makes several pods.",
            "{name: \"web-{0..5}\"}",
        )
        .required(),
        field(
            "namespace",
            Kind::Text(&STRING),
            "The namespace of the pod.",
            "name: web-0\nnamespace: shop",
        )
        .default("default"),
        field(
            "nodeName",
            Kind::Either(&[
                Kind::Text(&NODE_NAMES),
                Kind::List { of: &Kind::Text(&NODE_NAMES), least: 0, greatest: None },
            ]),
            "The node that the pod is bound to: a name, a range, or a list of these. The pods of a \
             range go over these nodes in turn.",
            "name: web-{0..5}\nnodeName: node-{0..2}",
        )
        .absent("unscheduled"),
        field("labels", Kind::Labels, "The labels of the pod.", "name: web-0\nlabels: {app: web}"),
        field(
            "tolerations",
            TOLERATIONS,
            "The tolerations of the pod. Admission may add those of `not-ready` and `unreachable`.",
            "name: web-0\ntolerations:\n  - {key: maintenance, operator: Exists, effect: \
             NoExecute, tolerationSeconds: 300}\n  - \"dedicated=infra:NoExecute for 60s\"",
        ),
        field(
            "terminationGracePeriodSeconds",
            Kind::Integer { least: Some(0), greatest: Some(u32::MAX), unit: Some("seconds") },
            "How long the pod may take to stop once it is deleted; 0: it goes at once.",
            "name: web-0\nterminationGracePeriodSeconds: 60",
        )
        .default("30"),
    ]],
    rules: &[],
};

/// A list of taints.
pub(super) const TAINTS: Kind = Kind::List {
    of: &Kind::Either(&[Kind::Text(&TAINT_TEXT), Kind::Mapping(&TAINT)]),
    least: 0,
    greatest: None,
};

static TAINT: Mapping = Mapping {
    name: "Taint",
    about: "A taint as in core/v1. In its place a text may stand: `key=value:Effect`, or \
            `key:Effect`.",
    groups: &[&[
        field(
            "key",
            Kind::Text(&STRING),
            "The key of the taint.",
            "{key: maintenance, value: now, effect: NoExecute}",
        )
        .required(),
        field(
            "value",
            Kind::Text(&STRING),
            "The value of the taint.",
            "{key: maintenance, value: now, effect: NoExecute}",
        )
        .default("\"\""),
        field(
            "effect",
            Kind::Word(EFFECTS),
            "What the taint does to pods that do not tolerate it. The taint manager evicts pods \
             for NoExecute only.",
            "{key: maintenance, effect: NoExecute}",
        )
        .required(),
        field(
            "timeAdded",
            Kind::Text(&RFC_3339),
            "When the taint was added. The taint manager does not read it, and neither does \
             taintsim.",
            "{key: maintenance, effect: NoExecute, timeAdded: \"2026-03-01T14:02:00Z\"}",
        ),
    ]],
    rules: &[],
};

/// A list of tolerations.
pub(super) const TOLERATIONS: Kind = Kind::List {
    of: &Kind::Either(&[Kind::Text(&TOLERATION_TEXT), Kind::Mapping(&TOLERATION)]),
    least: 0,
    greatest: None,
};

static TOLERATION: Mapping = Mapping {
    name: "Toleration",
    about: "A toleration as in core/v1. In its place a text may stand, as `kubectl describe pod` \
            prints it: `key=value:NoExecute for 60s`, `key:NoExecute op=Exists`.",
    groups: &[&[
        field(
            "key",
            Kind::Text(&STRING),
            "The key of the taints that are tolerated. An empty key matches every taint; the \
             operator is `Exists` then.",
            "{key: maintenance, operator: Exists, effect: NoExecute}",
        )
        .default("\"\""),
        field(
            "operator",
            Kind::WordOrEmpty(&["Equal", "Exists", "Gt", "Lt"]),
            "Whether the taint's value has to be equal, or does not matter; with the gate \
             TaintTolerationComparisonOperators also whether it is a greater or a lesser integer \
             than the toleration's.",
            "{key: maintenance, operator: Exists}",
        )
        .default("Equal"),
        field(
            "value",
            Kind::Text(&STRING),
            "The value that the taint has to have. With `Exists` there is none.",
            "{key: maintenance, operator: Equal, value: now, effect: NoExecute}",
        )
        .default("\"\""),
        field(
            "effect",
            Kind::WordOrEmpty(EFFECTS),
            "The effect of the taints that are tolerated. Empty: every effect.",
            "{key: maintenance, operator: Exists, effect: NoExecute}",
        )
        .absent("every effect"),
        field(
            "tolerationSeconds",
            Kind::Integer { least: None, greatest: None, unit: Some("seconds") },
            "How long a NoExecute taint is tolerated, in seconds without a unit. 0 and less: the \
             pod is evicted at once. It stands with the effect NoExecute only.",
            "{key: maintenance, operator: Exists, effect: NoExecute, tolerationSeconds: 300}",
        )
        .absent("without limit"),
    ]],
    rules: &[],
};

const EFFECTS: &[&str] = &["NoExecute", "NoSchedule", "PreferNoSchedule"];

/// `node`, wherever one or several nodes are named.
pub(super) const fn node(example: &'static str) -> Field {
    field(
        "node",
        TARGETS,
        "Which nodes: a name, a range, a list of these, or `\"*\"` for all.",
        example,
    )
}

/// `selector`, in the place of `node`.
pub(super) const fn node_selector(example: &'static str) -> Field {
    field(
        "selector",
        Kind::Text(&SELECTOR),
        "Which nodes, by their labels, as for `kubectl -l`. Stands in the place of `node`.",
        example,
    )
}

/// `pod`, wherever one or several pods are named.
pub(super) const fn pod(example: &'static str) -> Field {
    field(
        "pod",
        TARGETS,
        "Which pods: `namespace/name`, or `name` in the namespace `default`; a range, a list of \
         these, or `\"*\"` for all.",
        example,
    )
}

/// `selector`, in the place of `pod`.
pub(super) const fn pod_selector(example: &'static str) -> Field {
    field(
        "selector",
        Kind::Text(&SELECTOR),
        "Which pods, by their labels, as for `kubectl -l`. Stands in the place of `pod`; covers \
         all namespaces where there is no `namespace` beside it.",
        example,
    )
}

/// `namespace`, beside the `selector` of pods.
pub(super) const fn namespace(example: &'static str) -> Field {
    field(
        "namespace",
        Kind::Text(&STRING),
        "The namespace in which `selector` looks for pods.",
        example,
    )
    .absent("all namespaces")
}
