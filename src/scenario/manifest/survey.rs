//! What a dump has and the simulator does not look at: kinds of objects, and fields of Nodes and
//! Pods, each with a count. Only names of kinds and fields are kept, never a value; the one
//! exception is the kind of an owner, which says who would create a pod again.

use indexmap::IndexMap;

use super::fields::{mapping_get, text};
use crate::scenario::tree::{Node, Value};

/// Counts by kind, and by field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// Objects of kinds that are not read.
    pub kinds: IndexMap<String, usize>,
    /// Fields that are passed over, by `Pod spec.containers`: how many objects have something there.
    pub fields: IndexMap<Box<str>, usize>,
    /// Pods by the kind of their controller (or first owner).
    pub owners: IndexMap<Box<str>, usize>,
}

/// Fields of Nodes that are read.
const NODE_FIELDS: [(&str, &[&str]); 3] =
    [("metadata", &["name", "labels"]), ("spec", &["taints", "unschedulable"]), ("status", &[])];

/// Fields of Pods that are read; of the status, what stands beside what is read is told elsewhere.
const POD_FIELDS: [(&str, &[&str]); 3] = [
    ("metadata", &["name", "namespace", "labels", "deletionTimestamp"]),
    ("spec", &["nodeName", "tolerations", "terminationGracePeriodSeconds"]),
    ("status", &["phase"]),
];

/// How many fields of other names than the API's are told apart.
const FIELDS_MAX: usize = 500;

impl Survey {
    pub(super) fn node(&mut self, object: &Node) {
        self.object("Node", object, &NODE_FIELDS);
    }

    pub(super) fn pod(&mut self, object: &Node) {
        self.object("Pod", object, &POD_FIELDS);
        let metadata = mapping_get(object, "metadata");
        let owners = metadata.and_then(|part| mapping_get(part, "ownerReferences"));
        if let Some(Node { value: Value::Sequence(owners), .. }) = owners {
            let is_controller = |owner: &&Node| {
                mapping_get(owner, "controller").and_then(text).is_some_and(|t| t == "true")
            };
            let owner = owners.iter().find(is_controller).or(owners.first());
            if let Some(kind) = owner.and_then(|o| mapping_get(o, "kind")).and_then(text) {
                *self.owners.entry(kind.into()).or_insert(0) += 1;
            }
        }
    }

    fn object(&mut self, kind: &str, object: &Node, known: &[(&str, &[&str])]) {
        let Value::Mapping(parts) = &object.value else { return };
        for (key, part) in parts {
            if matches!(&*key.text, "kind" | "apiVersion") {
                continue;
            }
            let Some((_, read)) = known.iter().find(|(part, _)| **part == *key.text) else {
                self.count(&format!("{kind} {}", key.text), part);
                continue;
            };
            let Value::Mapping(fields) = &part.value else { continue };
            for (field, value) in fields {
                if !read.contains(&&*field.text) {
                    self.count(&format!("{kind} {}.{}", key.text, field.text), value);
                }
            }
        }
    }

    fn count(&mut self, path: &str, value: &Node) {
        let empty = match &value.value {
            Value::Null => true,
            Value::Sequence(items) => items.is_empty(),
            Value::Mapping(entries) => entries.is_empty(),
            Value::Plain(_) | Value::Quoted(_) | Value::Skipped => false,
        };
        if empty {
            return;
        }
        if let Some(count) = self.fields.get_mut(path) {
            *count += 1;
        } else if self.fields.len() < FIELDS_MAX {
            self.fields.insert(path.into(), 1);
        }
    }
}
