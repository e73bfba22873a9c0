//! Other names for what may be private, the same throughout one run: names of nodes, pods and
//! namespaces, keys outside the domains of Kubernetes, and values.
//!
//! Equal strings of one sort stay equal and different ones different, so selectors, tolerations and
//! references mean what they meant. A label whose value is the name of a node follows the node.
//! Kept are namespace `default`, keys below kubernetes.io and k8s.io, empty values, booleans in
//! labels, operating systems and architectures, and numbers that `Gt` and `Lt` compare.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use crate::objects::{Operator, Toleration, validation};
use crate::scenario::LoadedObjects;

/// New names by old ones.
#[derive(Debug, Default)]
pub(super) struct Redaction {
    nodes: Renamed,
    namespaces: Renamed,
    pods: Renamed,
    keys: Renamed,
    values: Renamed,
    /// Numbers under a key with a toleration of operator `Gt` or `Lt`.
    numbers: BTreeSet<Box<str>>,
}

/// Names of one sort.
type Renamed = IndexMap<Box<str>, String>;

impl Redaction {
    /// Names for everything private in `loaded`.
    pub(super) fn new(loaded: &LoadedObjects) -> Redaction {
        let mut new = Redaction { numbers: compared_numbers(loaded), ..Redaction::default() };
        new.collect(loaded);
        let sorts = [&new.nodes, &new.namespaces, &new.pods, &new.keys, &new.values];
        let originals: BTreeSet<Box<str>> =
            sorts.into_iter().flat_map(|sort| sort.keys().cloned()).collect();
        for (sort, word) in [
            (&mut new.nodes, "node-"),
            (&mut new.namespaces, "namespace-"),
            (&mut new.pods, "pod-"),
            (&mut new.keys, "key-"),
            (&mut new.values, "value-"),
        ] {
            rename(sort, word, &originals);
        }
        new
    }

    fn collect(&mut self, loaded: &LoadedObjects) {
        let objects = &loaded.objects;
        let node_names = objects.nodes.keys();
        let on = objects.pods.values().filter_map(|pod| pod.node_name.as_ref());
        for name in node_names.chain(on) {
            note(&mut self.nodes, name);
        }
        for (full, _) in &objects.pods {
            let (namespace, name) = full.split_once('/').unwrap_or(("", full));
            if namespace != "default" {
                note(&mut self.namespaces, namespace);
            }
            note(&mut self.pods, name);
        }
        let node_labels = objects.nodes.values().map(|node| &node.labels);
        for labels in node_labels.chain(objects.pods.values().map(|pod| &pod.labels)) {
            for (key, value) in labels.iter() {
                self.note_key(key);
                if !is_harmless(key, value) && !self.nodes.contains_key(value) {
                    note(&mut self.values, value);
                }
            }
        }
        let taints = objects.nodes.values().filter_map(|node| node.taints);
        for taint in taints.flat_map(|id| loaded.lists.taints(id)) {
            self.note_key(&taint.key);
            self.note_value(&taint.value);
        }
        let tolerations = objects.pods.values().filter_map(|pod| pod.tolerations);
        for toleration in tolerations.flat_map(|id| loaded.lists.tolerations(id)) {
            self.note_key(&toleration.key);
            self.note_value(&toleration.value);
        }
    }

    fn note_key(&mut self, key: &str) {
        if !key.is_empty() && !is_of_kubernetes(key) {
            note(&mut self.keys, key);
        }
    }

    fn note_value(&mut self, value: &str) {
        if !value.is_empty() && !self.numbers.contains(value) {
            note(&mut self.values, value);
        }
    }

    pub(super) fn node<'t>(&'t self, name: &'t str) -> &'t str {
        renamed(&self.nodes, name)
    }

    pub(super) fn namespace<'t>(&'t self, name: &'t str) -> &'t str {
        renamed(&self.namespaces, name)
    }

    pub(super) fn pod<'t>(&'t self, name: &'t str) -> &'t str {
        renamed(&self.pods, name)
    }

    pub(super) fn key<'t>(&'t self, key: &'t str) -> &'t str {
        renamed(&self.keys, key)
    }

    /// The value of a label.
    pub(super) fn label_value<'t>(&'t self, key: &str, value: &'t str) -> &'t str {
        match self.nodes.get(value) {
            _ if is_harmless(key, value) => value,
            Some(node) => node,
            None => renamed(&self.values, value),
        }
    }

    /// The value of a taint or toleration.
    pub(super) fn value<'t>(&'t self, value: &'t str) -> &'t str {
        match self.numbers.contains(value) {
            true => value,
            false => renamed(&self.values, value),
        }
    }
}

fn note(sort: &mut Renamed, name: &str) {
    if !sort.contains_key(name) {
        sort.insert(name.into(), String::new());
    }
}

fn renamed<'t>(sort: &'t Renamed, name: &'t str) -> &'t str {
    sort.get(name).map_or(name, String::as_str)
}

/// Numbers the names of a sort: `node-1`, `node-2`, … None of them is an original of any sort, and
/// none has one as its end: where `node-1` is private, so is the `node-1` in `node-12`.
fn rename(sort: &mut Renamed, word: &str, originals: &BTreeSet<Box<str>>) {
    let is_part = |word: &str| {
        originals.iter().any(|original| {
            let head = original.trim_end_matches(|c: char| c.is_ascii_digit());
            head.len() > 1 && word.ends_with(head)
        })
    };
    let mut word = word.to_owned();
    for _ in 0..20 {
        if !is_part(&word) {
            break;
        }
        word.push('x');
    }
    let mut number = 0u64;
    for new in sort.values_mut() {
        loop {
            number += 1;
            *new = format!("{word}{number}");
            if !originals.contains(new.as_str()) {
                break;
            }
        }
    }
}

/// Whether a key tells nothing of who uses it. In two places below Kubernetes' domains users choose
/// the words: the prefix of `….node-restriction.kubernetes.io`, and the name of a node's role.
fn is_of_kubernetes(key: &str) -> bool {
    let Some((domain, name)) = key.split_once('/') else { return false };
    let known = ["kubernetes.io", "k8s.io"].iter().any(|known| {
        domain.strip_suffix(known).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    });
    let own_words = match domain {
        "node-role.kubernetes.io" => !KNOWN_ROLES.contains(&name),
        _ => domain.ends_with("node-restriction.kubernetes.io"),
    };
    known && !own_words && validation::label_key(key).is_empty()
}

/// Roles that many clusters have.
const KNOWN_ROLES: [&str; 8] =
    ["control-plane", "controlplane", "master", "worker", "etcd", "infra", "node", "agent"];

/// Whether the value of a label tells nothing: empty, a boolean, a system or an architecture.
fn is_harmless(key: &str, value: &str) -> bool {
    let systems =
        ["linux", "windows", "amd64", "arm64", "arm", "386", "ppc64le", "s390x", "riscv64"];
    let of_system = key.strip_prefix("beta.").unwrap_or(key);
    matches!(value, "" | "true" | "false")
        || (matches!(of_system, "kubernetes.io/os" | "kubernetes.io/arch")
            && systems.contains(&value))
}

/// What `Gt` and `Lt` compare must stay in its order, so it stays.
fn compared_numbers(loaded: &LoadedObjects) -> BTreeSet<Box<str>> {
    let ids = || loaded.objects.pods.values().filter_map(|pod| pod.tolerations);
    let tolerations = || ids().flat_map(|id| loaded.lists.tolerations(id));
    let compares = |t: &&Toleration| matches!(t.operator, Operator::Gt | Operator::Lt);
    let keys: BTreeSet<&str> = tolerations().filter(compares).map(|t| &*t.key).collect();
    if keys.is_empty() {
        return BTreeSet::new();
    }
    let taints = loaded.objects.nodes.values().filter_map(|node| node.taints);
    let of_taints = taints.flat_map(|id| loaded.lists.taints(id)).map(|t| (&*t.key, &t.value));
    let of_tolerations = tolerations().map(|t| (&*t.key, &t.value));
    let all = of_taints.chain(of_tolerations).filter(|(key, _)| keys.contains(key));
    all.filter(|(_, value)| value.parse::<i64>().is_ok()).map(|(_, value)| value.clone()).collect()
}
