//! Names to ids while a scenario is loaded: what it creates, what it refers to, and whether the
//! two fit.
//!
//! References are checked at the end, in [`Resolver::finish`], because a step may name what a
//! later one creates. Both the scenario language and kubectl lines go through here.

mod check;
mod labels;

pub use self::check::Unread;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::diagnostic::{Diagnostic, Diagnostics};
use super::limits::{Limits, counted};
use super::load::KEPT;
use super::range::Pattern;
use super::reader;
use super::rules::Rules;
use super::source::{Sources, relative_to};
use super::tree::{Node, Place};
use crate::objects::{Labels, LabelsId, Lists, Names, NodeId, PodId, Selector};
use crate::plan::{LabelChange, NodeTarget, PodTarget};

/// The state of a load; see the module's page.
#[derive(Debug, Default)]
pub struct Resolver {
    /// All names so far; becomes the plan's.
    pub names: Names,
    /// All lists so far; becomes the plan's.
    pub lists: Lists,
    /// The texts that were read.
    pub sources: Sources,
    /// The mistakes found so far.
    pub diagnostics: Diagnostics,
    /// What the reader should know.
    pub notices: Vec<Diagnostic>,
    /// What holds for objects.
    pub rules: Rules,
    /// The scenario's file: paths in it are relative to its folder.
    pub base: Option<PathBuf>,
    /// There is no Scenario, only manifests; for words.
    pub is_dump: bool,
    /// The command line changes values of the scenario: what its author expects may not hold.
    pub is_overridden: bool,
    /// What is not known of nodes.
    pub unread_nodes: Unread,
    /// What is not known of pods.
    pub unread_pods: Unread,
    /// Where pods are named in commands of kubectl, which have the namespace in a flag, and whether
    /// it is the only name there.
    pub in_commands: BTreeMap<Place, bool>,
    /// What is wrong with manifests that may be meant for Nodes or Pods; told where a name is not
    /// found.
    pub misspelt_kinds: Vec<Diagnostic>,
    nodes: Vec<Known>,
    pods: Vec<Known>,
    /// Labels of nodes that are created more than once, but for the last.
    earlier_node_labels: Vec<LabelsId>,
    /// The same of pods.
    earlier_pod_labels: Vec<(PodId, LabelsId)>,
    selections: Vec<Selection>,
    /// Names that nothing was seen to create when they were referred to, each with its place.
    references: Vec<(Reference, Place)>,
    label_changes: Vec<LabelsOfStep>,
    objects_made: u64,
    names_referred: u64,
}

/// What is known of a name.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// Something creates it.
    created: bool,
    /// The labels that it was created with last.
    labels: Option<LabelsId>,
}

impl Known {
    /// Notes a creation; gives other labels that an earlier one had.
    fn create(&mut self, labels: LabelsId) -> Option<LabelsId> {
        self.created = true;
        self.labels.replace(labels).filter(|before| *before != labels)
    }
}

/// What a name refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Reference {
    Node(NodeId),
    Pod(PodId),
}

#[derive(Debug)]
struct Selection {
    place: Place,
    selector: Selector,
    /// Of pods; for nodes `None`.
    pods_in: Option<Option<Box<str>>>,
}

/// What a step does to labels, of whichever objects of its kind.
#[derive(Debug)]
struct LabelsOfStep {
    of_pods: bool,
    set: Labels,
    removed: Vec<Box<str>>,
}

impl Resolver {
    /// Notes that something creates the node.
    pub fn create_node(&mut self, name: &str, labels: LabelsId) -> NodeId {
        let id = self.names.intern_node(name);
        if let Some(before) = slot(&mut self.nodes, id.index()).create(labels) {
            self.earlier_node_labels.push(before);
        }
        id
    }

    /// Notes that something creates the pod `namespace/name`.
    pub fn create_pod(&mut self, namespaced_name: &str, labels: LabelsId) -> PodId {
        let id = self.names.intern_pod(namespaced_name);
        if let Some(before) = slot(&mut self.pods, id.index()).create(labels) {
            self.earlier_pod_labels.push((id, before));
        }
        id
    }

    /// As [`Resolver::create_node`], but `None` where something creates it already.
    pub fn create_new_node(&mut self, name: &str, labels: LabelsId) -> Option<NodeId> {
        let id = self.names.intern_node(name);
        let known = slot(&mut self.nodes, id.index());
        if known.created {
            return None;
        }
        known.create(labels);
        Some(id)
    }

    /// As [`Resolver::create_pod`], but `None` where something creates it already.
    pub fn create_new_pod(&mut self, namespaced_name: &str, labels: LabelsId) -> Option<PodId> {
        let id = self.names.intern_pod(namespaced_name);
        let known = slot(&mut self.pods, id.index());
        if known.created {
            return None;
        }
        known.create(labels);
        Some(id)
    }

    /// Whether something is known to create the node.
    pub fn is_node_created(&self, id: NodeId) -> bool {
        self.nodes.get(id.index()).is_some_and(|known| known.created)
    }

    /// Whether something is known to create the pod.
    pub fn is_pod_created(&self, id: PodId) -> bool {
        self.pods.get(id.index()).is_some_and(|known| known.created)
    }

    /// The id of a node that the scenario has to create somewhere.
    pub fn refer_to_node(&mut self, name: &str, place: Place) -> NodeId {
        let id = self.names.intern_node(name);
        if !self.is_node_created(id) {
            self.references.push((Reference::Node(id), place));
        }
        id
    }

    /// The id of a pod that the scenario has to create somewhere.
    pub fn refer_to_pod(&mut self, namespaced_name: &str, place: Place) -> PodId {
        let id = self.names.intern_pod(namespaced_name);
        if !self.is_pod_created(id) {
            self.references.push((Reference::Pod(id), place));
        }
        id
    }

    /// The nodes of these names, ranges or `"*"`; mistakes are noted.
    pub fn node_target(&mut self, names: &[(&str, Place)]) -> Option<NodeTarget> {
        if let [("*", place)] = names {
            return Some(self.node_selector(Selector::default(), *place));
        }
        let mut ids = Vec::new();
        let mut is_right = true;
        for (text, place) in names {
            match self.target_pattern(text, *place) {
                Some(pattern) => {
                    pattern.for_each(|name| ids.push(self.refer_to_node(name, *place)));
                }
                None => is_right = false,
            }
        }
        is_right.then_some(NodeTarget::Names(ids))
    }

    /// The pods of these names, ranges (`namespace/name`, or `name` in `namespace`) or `"*"`;
    /// mistakes are noted.
    pub fn pod_target(&mut self, namespace: &str, names: &[(&str, Place)]) -> Option<PodTarget> {
        if let [("*", place)] = names {
            return Some(self.pod_selector(None, Selector::default(), *place));
        }
        let mut ids = Vec::new();
        let mut is_right = true;
        let mut full = String::new();
        for (text, place) in names {
            if text.matches('/').count() > 1 {
                let message = format!("`{text}` is no pod: a pod is `namespace/name` or `name`");
                let help = match text.rsplitn(3, '/').collect::<Vec<_>>().as_slice() {
                    [name, namespace, _] => format!("write `{namespace}/{name}`"),
                    _ => "write `shop/web-0`".to_owned(),
                };
                self.diagnostics.error_help(*place, message, help);
                is_right = false;
                continue;
            }
            let Some(pattern) = self.target_pattern(text, *place) else {
                is_right = false;
                continue;
            };
            pattern.for_each(|name| {
                let name = if name.contains('/') {
                    name
                } else {
                    full.clear();
                    full.extend([namespace, "/", name]);
                    &full
                };
                ids.push(self.refer_to_pod(name, *place));
            });
        }
        is_right.then_some(PodTarget::Names(ids))
    }

    /// The nodes that a selector matches.
    pub fn node_selector(&mut self, selector: Selector, place: Place) -> NodeTarget {
        let target = NodeTarget::Matching(selector.clone());
        self.selections.push(Selection { place, selector, pods_in: None });
        target
    }

    /// The pods that a selector matches, in one namespace or in all.
    pub fn pod_selector(
        &mut self,
        namespace: Option<&str>,
        selector: Selector,
        place: Place,
    ) -> PodTarget {
        let namespace: Option<Box<str>> = namespace.map(Box::from);
        self.selections.push(Selection {
            place,
            selector: selector.clone(),
            pods_in: Some(namespace.clone()),
        });
        PodTarget::Matching { namespace, selector }
    }

    /// Notes that a step changes labels of pods or nodes, so that selectors may match what they do
    /// not match yet.
    pub fn labels_change(&mut self, of_pods: bool, change: &LabelChange) {
        let set = change.set.iter().map(|(key, value)| (key, value)).collect();
        self.label_changes.push(LabelsOfStep { of_pods, set, removed: change.remove.clone() });
    }

    /// The name, with ranges, of objects to create; counts what it makes.
    pub fn object_pattern(&mut self, text: &str, place: Place) -> Option<Pattern> {
        let pattern = self.parse_pattern(text, place)?;
        self.objects_made = self.objects_made.saturating_add(pattern.count() - 1);
        let limits = self.sources.limits();
        if self.objects_made > limits.objects {
            let most = counted(limits.objects, "object");
            let message = format!("the ranges make more than {most} in all");
            self.diagnostics.error_help(place, message, limits.raise(Limits::OBJECTS_FLAG));
            return None;
        }
        Some(pattern)
    }

    /// The name, with ranges, of objects that are referred to; counts what it names.
    pub fn reference_pattern(&mut self, text: &str, place: Place) -> Option<Pattern> {
        let pattern = self.parse_pattern(text, place)?;
        self.names_referred = self.names_referred.saturating_add(pattern.count() - 1);
        let limits = self.sources.limits();
        if self.names_referred > limits.target_names() {
            // Ten at least.
            let most = limits.target_names();
            let message = format!("the targets name more than {most} objects in all");
            let raise = limits.raise(Limits::OBJECTS_FLAG);
            let help = format!("use a selector or \"*\", or {raise}: a tenth of it is enough");
            self.diagnostics.error_help(place, message, help);
            return None;
        }
        Some(pattern)
    }

    fn parse_pattern(&mut self, text: &str, place: Place) -> Option<Pattern> {
        let pattern = Pattern::parse(text, self.sources.limits());
        pattern.map_err(|message| self.diagnostics.error(place, message)).ok()
    }

    fn target_pattern(&mut self, text: &str, place: Place) -> Option<Pattern> {
        if text.is_empty() || text.contains('*') {
            self.diagnostics.error_help(
                place,
                format!("`{text}` is no name"),
                "`\"*\"` stands alone and means all; for some, use a range, a list or `selector`",
            );
            return None;
        }
        self.reference_pattern(text, place)
    }

    /// The documents of a file that is named at `place`, with its path relative to the scenario.
    pub fn read_documents(&mut self, path: &str, place: Place) -> Vec<Node> {
        let before = self.diagnostics.len();
        let documents = match path {
            "" => {
                let help = "name a file, such as \"dump.yaml\", or remove it";
                self.diagnostics.error_help(place, "the path of a manifest is empty", help);
                Vec::new()
            }
            _ => self.documents_at(&relative_to(self.base.as_deref(), path), place),
        };
        self.note_unread_since(before);
        documents
    }

    /// Nobody knows what would have been in what could not be read since there were `before`
    /// mistakes.
    pub fn note_unread_since(&mut self, before: usize) {
        if self.diagnostics.len() > before {
            self.unread_nodes = Unread::ALL;
            self.unread_pods = Unread::ALL;
        }
    }

    fn documents_at(&mut self, path: &Path, place: Place) -> Vec<Node> {
        match self.sources.read(path, Some(place)) {
            Ok(source) => reader::read_kept(&self.sources, source, KEPT, &mut self.diagnostics),
            Err(mut diagnostic) => {
                let help = match path.to_string_lossy().contains(['*', '?']) {
                    true => "there are no wildcards here: name each file by itself",
                    false => "name a file; its path is relative to the folder of the scenario",
                };
                diagnostic.help.get_or_insert_with(|| help.into());
                self.diagnostics.push(diagnostic);
                Vec::new()
            }
        }
    }

    /// Notes what the reader should know.
    pub fn notice(&mut self, place: Place, text: impl Into<String>) {
        self.notices.push(Diagnostic::new(place, text));
    }
}

fn slot(list: &mut Vec<Known>, index: usize) -> &mut Known {
    if list.len() <= index {
        list.resize(index + 1, Known::default());
    }
    &mut list[index]
}

#[cfg(test)]
mod tests;
