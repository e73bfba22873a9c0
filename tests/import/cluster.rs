//! Made-up clusters, right and odd, as manifests.

use std::fmt::Write as _;

use proptest::collection::vec;
use proptest::prelude::*;

/// Nodes and pods as flow YAML, each a whole object.
#[derive(Clone, Debug)]
pub struct Cluster {
    pub nodes: Vec<String>,
    pub pods: Vec<String>,
}

impl Cluster {
    /// As a stream of documents.
    pub fn dump(&self) -> String {
        let mut dump = String::from("kind: List\napiVersion: v1\nitems:\n");
        for object in self.nodes.iter().chain(&self.pods) {
            writeln!(dump, "- {object}").unwrap();
        }
        if self.nodes.is_empty() && self.pods.is_empty() {
            dump.push_str("  []\n");
        }
        dump
    }
}

pub fn any() -> impl Strategy<Value = Cluster> {
    (vec(node(), 0..5), vec(pod(), 0..8)).prop_map(|(nodes, pods)| Cluster { nodes, pods })
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

fn node_name() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "(alpha|beta|gamma)-[0-2]",
        1 => Just("10.0.0.1".to_owned()),
        1 => Just("no".to_owned()),
    ]
}

fn labels() -> impl Strategy<Value = String> {
    let key = prop_oneof![
        3 => Just("app".to_owned()),
        2 => Just("acme.example/team".to_owned()),
        1 => Just("kubernetes.io/os".to_owned()),
        1 => Just("kubernetes.io/hostname".to_owned()),
        1 => Just("node-role.kubernetes.io/acme".to_owned()),
        1 => Just("acme.node-restriction.kubernetes.io/rack".to_owned()),
        1 => Just("y".to_owned()),
        1 => Just("a key: that is # odd".to_owned()),
    ];
    let value = prop_oneof![
        3 => "(storefront|payments|linux|true|alpha-0)",
        2 => "[0-9]{1,4}",
        1 => "(yes|no|on|off|null|~|1e3|0x1f|2024-01-01)",
        1 => "[ -~é\\n\\t\u{1b}\u{202e}]{0,12}",
    ];
    proptest::collection::btree_map(key, value, 0..4).prop_map(|labels| {
        let entries: Vec<String> =
            labels.iter().map(|(k, v)| format!("{}: {}", quoted(k), quoted(v))).collect();
        format!("{{{}}}", entries.join(", "))
    })
}

fn key() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        Just("dedicated"),
        Just("acme.example/gpu"),
        Just("node.kubernetes.io/unreachable"),
        Just("node.kubernetes.io/not-ready"),
        Just("odd key"),
    ]
}

fn value() -> impl Strategy<Value = &'static str> {
    prop_oneof![Just(""), Just("x"), Just("infrastructure"), Just("950"), Just("true"), Just("a b")]
}

fn effect() -> impl Strategy<Value = &'static str> {
    prop_oneof![1 => Just("NoSchedule"), 1 => Just("PreferNoSchedule"), 3 => Just("NoExecute")]
}

fn taint() -> impl Strategy<Value = String> {
    let added = prop_oneof![
        3 => Just(""),
        1 => Just(", timeAdded: 2024-01-01T00:00:00Z"),
        1 => Just(", timeAdded: lately")
    ];
    (key(), value(), effect(), added).prop_map(|(key, value, effect, added)| {
        format!("{{key: {}, value: {}, effect: {effect}{added}}}", quoted(key), quoted(value))
    })
}

fn node() -> impl Strategy<Value = String> {
    let version = prop_oneof![Just("v1.36.1"), Just("v1.29.4-eks-1"), Just("***HIDDEN***")];
    (node_name(), labels(), vec(taint(), 0..3), prop::bool::weighted(0.2), version).prop_map(
        |(name, labels, taints, unschedulable, version)| {
            format!(
                "{{kind: Node, apiVersion: v1, metadata: {{name: {}, labels: {labels}}}, \
                 spec: {{unschedulable: {unschedulable}, taints: [{}]}}, \
                 status: {{nodeInfo: {{kubeletVersion: {}}}}}}}",
                quoted(&name),
                taints.join(", "),
                quoted(version)
            )
        },
    )
}

fn toleration() -> impl Strategy<Value = String> {
    let operator = prop_oneof![1 => Just(""), 1 => Just("Equal"), 3 => Just("Exists"), 1 => Just("Gt"), 1 => Just("Lt")];
    let effect = prop_oneof![1 => Just(""), 1 => Just("NoSchedule"), 3 => Just("NoExecute")];
    let seconds = prop_oneof![
        2 => Just(None),
        3 => Just(Some(300i64)),
        2 => (-5i64..90).prop_map(Some),
        1 => Just(Some(i64::MAX)),
        1 => Just(Some(9_223_372_037))
    ];
    (prop_oneof![4 => key(), 1 => Just("")], operator, value(), effect, seconds).prop_map(
        |(key, operator, value, effect, seconds)| {
            let seconds = seconds.map(|s| format!(", tolerationSeconds: {s}")).unwrap_or_default();
            format!(
                "{{key: {}, operator: \"{operator}\", value: {}, effect: \"{effect}\"{seconds}}}",
                quoted(key),
                quoted(value)
            )
        },
    )
}

/// What admission leaves behind, or anything.
fn tolerations() -> impl Strategy<Value = String> {
    let default = |key: &str| {
        format!(
            "{{key: node.kubernetes.io/{key}, operator: Exists, effect: NoExecute, \
             tolerationSeconds: 300}}"
        )
    };
    (vec(toleration(), 0..3), 0u8..4).prop_map(move |(mut list, what)| {
        match what {
            0 => {}
            1 => list.push(default("not-ready")),
            _ => list.extend([default("not-ready"), default("unreachable")]),
        }
        list.join(", ")
    })
}

fn pod() -> impl Strategy<Value = String> {
    let node = prop_oneof![
        5 => node_name(),
        1 => Just(String::new()),
        1 => Just(" odd".to_owned()),
        1 => Just("elsewhere-{0..2}".to_owned()),
        1 => Just("elsewhere".to_owned())
    ];
    let namespace = prop_oneof![Just("default"), Just("shop-floor"), Just("kube-system")];
    let state =
        (prop::bool::weighted(0.2), prop::bool::weighted(0.2), "(Running|Succeeded|Failed)");
    let grace = prop_oneof![Just(30i64), Just(0), Just(-1), Just(4_000_000_000)];
    (("(web|db)-[0-4]", namespace), node, labels(), tolerations(), state, grace).prop_map(
        |((name, namespace), node, labels, tolerations, (terminating, disrupted, phase), grace)| {
            let deleted =
                if terminating { ", deletionTimestamp: 2024-01-01T00:00:00Z" } else { "" };
            let condition = "{type: DisruptionTarget, status: \"True\", \
                             reason: DeletionByTaintManager, \
                             message: \"Taint manager: deleting due to NoExecute taint\"}";
            let conditions = if disrupted { condition } else { "" };
            format!(
                "{{kind: Pod, apiVersion: v1, metadata: {{name: {name}, namespace: {namespace}, \
                 labels: {labels}{deleted}}}, spec: {{nodeName: {}, \
                 terminationGracePeriodSeconds: {grace}, tolerations: [{tolerations}]}}, \
                 status: {{phase: {phase}, conditions: [{conditions}]}}}}",
                quoted(&node)
            )
        },
    )
}
