//! Reads Node objects.

use super::NodeObject;
use super::fields::{Reader, mapping_get, text};
use crate::objects::validation;
use crate::scenario::suggest::wrong_name;
use crate::scenario::tree::Node;

impl Reader<'_> {
    pub(super) fn node(&mut self, object: &Node) {
        let before = self.diagnostics.len();
        let metadata = self.part(object, "metadata", "metadata");
        let name = metadata.map_or("", |part| self.string(part, "name", "metadata.name"));
        let place =
            metadata.and_then(|part| mapping_get(part, "name")).map_or(object.place, |n| n.place);
        if name.is_empty() {
            // A name or metadata of a wrong type is told already.
            if self.diagnostics.len() == before {
                let help = "write `metadata: {name: node-0}`";
                let message = "this Node has no metadata.name";
                self.diagnostics.error_help(object.place, message, help);
            }
        } else if let Some(problem) = validation::node_name(name).into_iter().next() {
            self.diagnostics.push(wrong_name("node", name, name, &problem, place));
        }
        // The rest is read even without a right name, for its own mistakes.
        let is_named = self.diagnostics.len() == before;
        let subject = if is_named { format!("node {name}") } else { "node".to_owned() };
        let labels = self.labels(metadata, &subject);
        let spec = self.part(object, "spec", &format!("{subject}: spec"));
        let mut node = NodeObject {
            place,
            labels,
            taints: None,
            unschedulable: false,
            kubelet_version: kubelet_version(object).map(Box::from),
            order: 0,
        };
        if let Some(spec) = spec {
            let path = format!("{subject}: spec.unschedulable");
            node.unschedulable = self.boolean(spec, "unschedulable", path);
            node.taints = self.taints(spec, &subject);
            let known = ["taints", "unschedulable"];
            self.notice_misspelt_keys(spec, &known, &format!("{subject}: spec"));
        }
        if is_named {
            self.objects.add_node(name.into(), node);
        }
    }
}

/// `status.nodeInfo.kubeletVersion`; nothing in a run depends on it, so any text will do.
fn kubelet_version(object: &Node) -> Option<&str> {
    let info = mapping_get(object, "status").and_then(|status| mapping_get(status, "nodeInfo"));
    let version = info.and_then(|info| mapping_get(info, "kubeletVersion")).and_then(text);
    version.filter(|version| !version.is_empty())
}
