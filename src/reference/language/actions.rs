//! The actions of steps.

use super::objects::{
    NODE, POD, TAINTS, TOLERATIONS, namespace, node, node_selector, pod, pod_selector,
};
use super::text::{DURATION, KUBECTL_LINE, ONE_NAME, STRING, TAINT_TO_REMOVE};
use crate::reference::{Field, Kind, Mapping, Rule, field};

/// The keys of which a step has one.
pub(super) const ACTIONS: &[Field] = &[
    field(
        "kubectl",
        Kind::Text(&KUBECTL_LINE),
        "A kubectl command line. `taintsim explain kubectl` has the commands and flags that work.",
        "at: 10s\nkubectl: taint nodes node-0 maintenance=now:NoExecute",
    ),
    field(
        "taint",
        Kind::Mapping(&TAINT),
        "Changes the taints of nodes: adds, removes, or replaces the whole list.",
        "at: 10s\ntaint: {node: node-0, add: [\"maintenance=now:NoExecute\"]}",
    ),
    field(
        "createPod",
        Kind::Mapping(&POD),
        "Creates a pod, or several where the name has a range. As an entry of `spec.pods`.",
        "at: 10s\ncreatePod: {name: late-0, nodeName: node-0}",
    ),
    field(
        "createNode",
        Kind::Mapping(&NODE),
        "Creates a node, or several where the name has a range. As an entry of `spec.nodes`.",
        "at: 10s\ncreateNode: {name: late-0, taints: [\"dedicated=infra:NoExecute\"]}",
    ),
    field(
        "deletePod",
        Kind::Mapping(&DELETE_POD),
        "Deletes pods, as a user or a controller other than the taint manager does.",
        "at: 10s\ndeletePod: {pod: shop/web-0}",
    ),
    field(
        "deleteNode",
        Kind::Mapping(&DELETE_NODE),
        "Deletes nodes. The pods stay: there is no garbage collector.",
        "at: 10s\ndeleteNode: {node: node-0}",
    ),
    field(
        "bindPod",
        Kind::Mapping(&BIND_POD),
        "Sets `spec.nodeName` of pods, as a scheduler does.",
        "at: 10s\nbindPod: {pod: batch-0, node: node-0}",
    ),
    field(
        "setTolerations",
        Kind::Mapping(&SET_TOLERATIONS),
        "Sets the tolerations of live pods. The API's rule holds: tolerations are added, or change \
         their `tolerationSeconds`; and admission acts.",
        "at: 10s\nsetTolerations:\n  pod: shop/web-0\n  \
         tolerations: [\"maintenance:NoExecute op=Exists for 600s\"]\n  force: true",
    ),
    field(
        "touchPod",
        Kind::Mapping(&TOUCH_POD),
        "Sets labels of pods: an update that the taint manager does not look at.",
        "at: 10s\ntouchPod: {pod: shop/web-0, labels: {seen: \"true\"}}",
    ),
    field(
        "apply",
        Kind::Manifest,
        "A Node or Pod manifest: creates the object, or brings labels, taints and tolerations of \
         one that is there to the manifest's. Unlike other manifests it goes through validation \
         and admission.",
        "at: 10s\napply: {apiVersion: v1, kind: Node, metadata: {name: node-9, labels: {pool: \
         spare}}}",
    ),
    field(
        "restartController",
        Kind::MappingOrNothing(&RESTART),
        "Stops the taint manager's process and starts a new one: its timers are lost. The old \
         process ends only when the deletions that it is running are through; the new one needs \
         100ms more until its caches are in sync.",
        "at: 10s\nrestartController: {for: 15s}",
    ),
    field(
        "breakWatch",
        Kind::Mapping(&BREAK_WATCH),
        "Breaks a watch of the taint manager. What happens until its informer lists again it sees \
         only in the outcome: of a pod that was deleted and created again in between, an update.",
        "at: 10s\nbreakWatch: {resource: pods, for: 30s}",
    ),
    field(
        "note",
        Kind::Text(&STRING),
        "A text for the timeline.",
        "at: 10s\nnote: the maintenance window begins",
    ),
];

static TAINT: Mapping = Mapping {
    name: "TaintAction",
    about: "Changes the taints of nodes, of each in one update. `add` and `remove` change single \
            taints; `replace` sets the whole list.",
    groups: &[
        &[
            node("{node: \"node-{0..2}\", add: [\"maintenance=now:NoExecute\"]}"),
            node_selector("{selector: pool=general, add: [\"maintenance=now:NoExecute\"]}"),
        ],
        &[
            field(
                "add",
                TAINTS,
                "Taints to add. Where key and effect are there already, the value is set.",
                "{node: node-0, add: [\"maintenance=now:NoExecute\"]}",
            ),
            field(
                "remove",
                Kind::List { of: &Kind::Text(&TAINT_TO_REMOVE), least: 0, greatest: None },
                "Taints to remove, as `key` or `key:Effect`. One that is not there rejects the \
                 update.",
                "{node: node-0, remove: [maintenance]}",
            ),
            field(
                "replace",
                TAINTS,
                "The whole new list in one update. `[]` clears it.",
                "{node: node-0, replace: []}",
            ),
        ],
    ],
    rules: &[
        NODE_OR_SELECTOR,
        Rule::AtLeastOne(&["add", "remove", "replace"]),
        Rule::AtMostOne(&["replace", "add"]),
        Rule::AtMostOne(&["replace", "remove"]),
    ],
};

const NODE_OR_SELECTOR: Rule = Rule::ExactlyOne(&["node", "selector"]);
const POD_OR_SELECTOR: Rule = Rule::ExactlyOne(&["pod", "selector"]);
const NAMESPACE_WITH_SELECTOR: Rule = Rule::Needs(&["namespace"], &["selector"]);

static DELETE_POD: Mapping = Mapping {
    name: "DeletePodAction",
    about: "Deletes pods.",
    groups: &[&[
        pod("{pod: \"shop/web-{0..2}\"}"),
        pod_selector("{selector: app=web}"),
        namespace("{selector: app=web, namespace: shop}"),
        field(
            "gracePeriodSeconds",
            Kind::Integer { least: Some(0), greatest: Some(u32::MAX), unit: Some("seconds") },
            "The grace period of the deletion. 0: by force.",
            "{pod: shop/web-0, gracePeriodSeconds: 0}",
        )
        .absent("the pod's own"),
    ]],
    rules: &[POD_OR_SELECTOR, NAMESPACE_WITH_SELECTOR],
};

static DELETE_NODE: Mapping = Mapping {
    name: "DeleteNodeAction",
    about: "Deletes nodes. The pods stay: there is no garbage collector.",
    groups: &[&[node("{node: node-0}"), node_selector("{selector: pool=general}")]],
    rules: &[NODE_OR_SELECTOR],
};

static BIND_POD: Mapping = Mapping {
    name: "BindPodAction",
    about: "Binds pods to a node.",
    groups: &[&[
        pod("{pod: batch-0, node: node-0}"),
        pod_selector("{selector: app=batch, node: node-0}"),
        namespace("{selector: app=web, namespace: shop, node: node-0}"),
        field(
            "node",
            Kind::Text(&ONE_NAME),
            "The one node that the pods are bound to.",
            "{pod: batch-0, node: node-0}",
        )
        .required(),
    ]],
    rules: &[POD_OR_SELECTOR, NAMESPACE_WITH_SELECTOR],
};

static SET_TOLERATIONS: Mapping = Mapping {
    name: "SetTolerationsAction",
    about: "Sets the tolerations of live pods.",
    groups: &[&[
        pod("{pod: shop/web-0, tolerations: [\"op=Exists\"]}"),
        pod_selector("{selector: app=web, tolerations: [\"op=Exists\"]}"),
        namespace("{selector: app=web, namespace: shop, tolerations: [\"op=Exists\"]}"),
        field(
            "tolerations",
            TOLERATIONS,
            "The whole new list.",
            "{pod: shop/web-0, tolerations: [\"maintenance:NoExecute op=Exists for 600s\"]}",
        )
        .required(),
        field(
            "force",
            Kind::Boolean,
            "Whether to go past the API's rule for live pods and past admission.",
            "{pod: shop/web-0, tolerations: [], force: true}",
        )
        .default("false"),
    ]],
    rules: &[POD_OR_SELECTOR, NAMESPACE_WITH_SELECTOR],
};

static TOUCH_POD: Mapping = Mapping {
    name: "TouchPodAction",
    about: "Sets labels of pods.",
    groups: &[&[
        pod("{pod: shop/web-0, labels: {seen: \"true\"}}"),
        pod_selector("{selector: app=web, labels: {seen: \"true\"}}"),
        namespace("{selector: app=web, namespace: shop, labels: {seen: \"true\"}}"),
        field(
            "labels",
            Kind::Labels,
            "The labels to set. Others of the pod stay.",
            "{pod: shop/web-0, labels: {seen: \"true\"}}",
        )
        .required(),
    ]],
    rules: &[POD_OR_SELECTOR, NAMESPACE_WITH_SELECTOR],
};

static RESTART: Mapping = Mapping {
    name: "RestartControllerAction",
    about: "Stops the taint manager's process and starts a new one.",
    groups: &[&[field(
        "for",
        Kind::Text(&DURATION),
        "How long no taint manager runs. `for: 15s` at 4m is a `ControllerStarted` at 4m15.1s.",
        "{for: 15s}",
    )
    .default("0s")]],
    rules: &[],
};

static BREAK_WATCH: Mapping = Mapping {
    name: "BreakWatchAction",
    about: "Breaks a watch of the taint manager.",
    groups: &[&[
        field(
            "resource",
            Kind::Word(&["pods", "nodes"]),
            "What the watch is on.",
            "{resource: nodes, for: 30s}",
        )
        .required(),
        field(
            "for",
            Kind::Text(&DURATION),
            "How long until the informer lists again. The list itself takes \
             `apiServer.latency.list`.",
            "{resource: pods, for: 30s}",
        )
        .default("0s"),
    ]],
    rules: &[],
};
