//! Redacted scenarios: nothing private is left, and everything happens as it did.

use std::collections::BTreeMap;

use proptest::prelude::*;
use taintsim::kernel::time::Time;

use crate::cluster;
use crate::outcome::{fates, import, imported, load};

/// What the made-up clusters have and nobody else may know. Kept are numbers that `Gt` and `Lt`
/// compare, and words that a scenario has anyway.
const PRIVATE: [&str; 17] = [
    "alpha-",
    "beta-",
    "gamma-",
    "10.0.0.1",
    "elsewhere",
    "acme",
    "team",
    "gpu",
    "storefront",
    "payments",
    "shop-floor",
    "kube-system",
    "dedicated",
    "infrastructure",
    "odd key",
    "web-",
    "db-",
];

/// Fates without names.
fn sorted(fates: BTreeMap<String, Vec<(Time, bool)>>) -> Vec<Vec<(Time, bool)>> {
    let mut fates: Vec<_> = fates.into_values().collect();
    fates.sort();
    fates
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn nothing_private_is_left(cluster in cluster::any()) {
        let (scenario, notices) = imported(&cluster.dump(), true);
        for private in PRIVATE {
            prop_assert!(!scenario.contains(private), "{}: {}", private, scenario);
            prop_assert!(!notices.contains(private), "{}: {}", private, notices);
        }
        for file in ["dump.yaml", "name: dump"] {
            prop_assert!(!scenario.contains(file) && !notices.contains(file));
        }
    }

    #[test]
    fn the_same_happens_under_other_names(cluster in cluster::any()) {
        let dump = cluster.dump();
        let (plain, redacted) = (import(&dump, false), import(&dump, true));
        let counts = |text: &str| {
            let plan = load(text, &[]).plan;
            (plan.nodes.len(), plan.pods.len())
        };
        prop_assert_eq!(counts(&plain), counts(&redacted));
        let step = "0s taint nodes --all node.kubernetes.io/unreachable:NoExecute --overwrite";
        for steps in [vec![], vec![step]] {
            let steps = if counts(&plain).0 == 0 { vec![] } else { steps };
            let (plain, redacted) = (fates(&plain, &steps), fates(&redacted, &steps));
            prop_assert_eq!(sorted(plain), sorted(redacted), "{}", dump);
        }
    }
}

/// New names are none that were there, and equal strings stay equal.
#[test]
fn new_names_are_consistent() {
    let dump = "
kind: List
items:
- {kind: Node, metadata: {name: node-1, labels: {kubernetes.io/hostname: node-1, zone: value-1,
   key-1: a, kubernetes.io/os: linux}}, spec: {taints: [{key: key-1, value: a, effect: NoExecute},
   {key: capacity, value: \"950\", effect: NoExecute}]}}
- {kind: Pod, metadata: {name: pod-1, namespace: namespace-1, labels: {app: a, on: node-1}},
   spec: {nodeName: node-1, tolerations: [{key: key-1, operator: Equal, value: a},
   {key: capacity, operator: Gt, value: \"900\"}]}}
";
    let redacted = import(dump, true);
    for part in [
        "name: node-x1\n",
        "kubernetes.io/hostname: node-x1",
        "kubernetes.io/os: linux",
        "{key: key-x1, operator: Equal, value: value-x1}",
        "- key-x1=value-x1:NoExecute",
        "- key-x5=950:NoExecute",
        "{key: key-x5, operator: Gt, value: \"900\"}",
        "nodeName: node-x1",
        "name: pod-x1",
        "namespace: namespace-x1",
        "key-x1: value-x1",
        "{key-x3: value-x1, key-x4: node-x1}",
    ] {
        assert!(redacted.contains(part), "lacks {part}\n{redacted}");
    }
}
