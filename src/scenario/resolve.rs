//! Names to ids while a scenario is loaded: what it creates, what it refers to, and whether the
//! two fit.
//!
//! References are checked at the end, in [`Resolver::finish`], because a step may name what a
//! later one creates. Both the scenario language and kubectl lines go through here.

use std::path::PathBuf;

use super::diagnostic::{Diagnostics, nearest};
use super::range::{NAME_LIMIT, Pattern};
use super::reader;
use super::rules::Rules;
use super::source::{Sources, relative_to};
use super::tree::{Node, Place};
use crate::objects::{Labels, LabelsId, Lists, Names, NodeId, PodId, Selector};
use crate::plan::{NodeTarget, PodTarget};

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
    /// What the reader should know, with its place.
    pub notices: Vec<(Place, String)>,
    /// What holds for objects.
    pub rules: Rules,
    /// The scenario's file: paths in it are relative to its folder.
    pub base: Option<PathBuf>,
    nodes: Vec<Known>,
    pods: Vec<Known>,
    selections: Vec<Selection>,
    labels_change: bool,
    made_by_ranges: u64,
}

/// What is known of a name.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// Something creates it.
    created: bool,
    /// Where it was first referred to before anything was seen to create it.
    referred: Option<Place>,
    /// The labels that it was created with last.
    labels: Option<LabelsId>,
}

#[derive(Debug)]
struct Selection {
    place: Place,
    selector: Selector,
    /// Of pods; for nodes `None`.
    pods_in: Option<Option<Box<str>>>,
}

impl Resolver {
    /// Notes that something creates the node.
    pub fn create_node(&mut self, name: &str, labels: LabelsId) -> NodeId {
        let id = self.names.intern_node(name);
        let known = slot(&mut self.nodes, id.index());
        known.created = true;
        known.labels = Some(labels);
        id
    }

    /// Notes that something creates the pod `namespace/name`.
    pub fn create_pod(&mut self, namespaced_name: &str, labels: LabelsId) -> PodId {
        let id = self.names.intern_pod(namespaced_name);
        let known = slot(&mut self.pods, id.index());
        known.created = true;
        known.labels = Some(labels);
        id
    }

    /// As [`Resolver::create_node`], but `None` where something creates it already.
    pub fn create_new_node(&mut self, name: &str, labels: LabelsId) -> Option<NodeId> {
        let id = self.names.intern_node(name);
        let known = slot(&mut self.nodes, id.index());
        if known.created {
            return None;
        }
        *known = Known { created: true, labels: Some(labels), ..*known };
        Some(id)
    }

    /// As [`Resolver::create_pod`], but `None` where something creates it already.
    pub fn create_new_pod(&mut self, namespaced_name: &str, labels: LabelsId) -> Option<PodId> {
        let id = self.names.intern_pod(namespaced_name);
        let known = slot(&mut self.pods, id.index());
        if known.created {
            return None;
        }
        *known = Known { created: true, labels: Some(labels), ..*known };
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
        let known = slot(&mut self.nodes, id.index());
        if !known.created {
            known.referred.get_or_insert(place);
        }
        id
    }

    /// The id of a pod that the scenario has to create somewhere.
    pub fn refer_to_pod(&mut self, namespaced_name: &str, place: Place) -> PodId {
        let id = self.names.intern_pod(namespaced_name);
        let known = slot(&mut self.pods, id.index());
        if !known.created {
            known.referred.get_or_insert(place);
        }
        id
    }

    /// The nodes of these names, ranges or `"*"`; mistakes are noted.
    pub fn node_target(&mut self, names: &[(&str, Place)]) -> Option<NodeTarget> {
        if let [("*", place)] = names {
            return Some(self.node_selector(Selector::default(), *place));
        }
        let mut ids = Vec::new();
        for (text, place) in names {
            let pattern = self.target_pattern(text, *place)?;
            pattern.for_each(|name| ids.push(self.refer_to_node(name, *place)));
        }
        Some(NodeTarget::Names(ids))
    }

    /// The pods of these names, ranges (`namespace/name`, or `name` in `namespace`) or `"*"`;
    /// mistakes are noted.
    pub fn pod_target(&mut self, namespace: &str, names: &[(&str, Place)]) -> Option<PodTarget> {
        if let [("*", place)] = names {
            return Some(self.pod_selector(None, Selector::default(), *place));
        }
        let mut ids = Vec::new();
        let mut full = String::new();
        for (text, place) in names {
            if text.matches('/').count() > 1 {
                let message = format!("`{text}` is no pod: a pod is `namespace/name` or `name`");
                self.diagnostics.error(*place, message);
                return None;
            }
            let pattern = self.target_pattern(text, *place)?;
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
        Some(PodTarget::Names(ids))
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

    /// Notes that a step changes labels, so that selectors may match what they do not match yet.
    pub fn labels_change(&mut self) {
        self.labels_change = true;
    }

    /// A name with ranges; counts what it makes.
    pub fn pattern(&mut self, text: &str, place: Place) -> Option<Pattern> {
        let pattern = match Pattern::parse(text) {
            Ok(pattern) => pattern,
            Err(message) => {
                self.diagnostics.error(place, message);
                return None;
            }
        };
        if pattern.count() > 1 {
            self.made_by_ranges = self.made_by_ranges.saturating_add(pattern.count());
            if self.made_by_ranges > NAME_LIMIT {
                let message = format!("the ranges make more than {NAME_LIMIT} names in all");
                self.diagnostics.error(place, message);
                return None;
            }
        }
        Some(pattern)
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
        self.pattern(text, place)
    }

    /// The documents of a file that is named at `place`, with its path relative to the scenario.
    pub fn read_documents(&mut self, path: &str, place: Place) -> Vec<Node> {
        let path = relative_to(self.base.as_deref(), path);
        match self.sources.read(&path.to_string_lossy(), Some(place)) {
            Ok(source) => reader::read(&self.sources, source, &mut self.diagnostics),
            Err(diagnostic) => {
                self.diagnostics.push(diagnostic);
                Vec::new()
            }
        }
    }

    /// Notes what the reader should know.
    pub fn notice(&mut self, place: Place, text: impl Into<String>) {
        self.notices.push((place, text.into()));
    }

    /// Checks that everything that was referred to is created somewhere.
    pub fn finish(&mut self) {
        self.check_names();
        let selections = std::mem::take(&mut self.selections);
        for selection in &selections {
            if !self.matches_any(selection) {
                let what = if selection.pods_in.is_some() { "pod" } else { "node" };
                let message = format!("this matches no {what} that the scenario ever has");
                self.diagnostics.error(selection.place, message);
            }
        }
    }

    fn check_names(&mut self) {
        let mut wrong: Vec<(Place, String, Option<String>)> = Vec::new();
        for (id, name) in self.names.nodes() {
            let Some(place) = missing(&self.nodes, id.index()) else { continue };
            if wrong.len() < Diagnostics::KEPT {
                let created = self.names.nodes().filter(|(id, _)| self.is_node_created(*id));
                let near = nearest(name, created.map(|(_, name)| name).take(COMPARED));
                let message = format!("no node `{name}` in this scenario, at any time");
                wrong.push((place, message, near.map(str::to_owned)));
            }
        }
        for (id, name) in self.names.pods() {
            let Some(place) = missing(&self.pods, id.index()) else { continue };
            if wrong.len() < Diagnostics::KEPT {
                let created = self.names.pods().filter(|(id, _)| self.is_pod_created(*id));
                let near = nearest_pod(name, created.map(|(_, name)| name).take(COMPARED));
                let message = format!("no pod `{name}` in this scenario, at any time");
                wrong.push((place, message, near));
            }
        }
        for (place, message, near) in wrong {
            match near {
                Some(near) => {
                    self.diagnostics.error_help(place, message, format!("did you mean `{near}`?"));
                }
                None => self.diagnostics.error(place, message),
            }
        }
    }

    fn matches_any(&self, selection: &Selection) -> bool {
        // Labels that steps set may make a match at any time.
        let any_labels = self.labels_change && !selection.selector.0.is_empty();
        let holds = |known: &Known| {
            known.created
                && (any_labels
                    || selection.selector.matches(
                        known.labels.map_or(&Labels::default(), |id| self.lists.labels(id)),
                    ))
        };
        match &selection.pods_in {
            None => self.nodes.iter().any(holds),
            Some(None) => self.pods.iter().any(holds),
            Some(Some(namespace)) => self.names.pods().any(|(id, _)| {
                self.names.pod_parts(id).0 == &**namespace
                    && self.pods.get(id.index()).is_some_and(holds)
            }),
        }
    }
}

/// How many names a misspelt one is compared with at most.
const COMPARED: usize = 10_000;

/// The nearest pod; the right name in another namespace is nearest of all.
fn nearest_pod<'k>(wanted: &str, known: impl Iterator<Item = &'k str>) -> Option<String> {
    let (_, wanted_name) = wanted.split_once('/')?;
    let known: Vec<&str> = known.collect();
    let other = known.iter().find(|k| k.split_once('/').is_some_and(|(_, n)| n == wanted_name));
    match other {
        Some(other) => Some((*other).to_owned()),
        None => nearest(wanted, known).map(str::to_owned),
    }
}

fn missing(list: &[Known], index: usize) -> Option<Place> {
    let known = list.get(index)?;
    if known.created { None } else { known.referred }
}

fn slot(list: &mut Vec<Known>, index: usize) -> &mut Known {
    if list.len() <= index {
        list.resize(index + 1, Known::default());
    }
    &mut list[index]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::Requirement;

    fn resolver() -> Resolver {
        let mut resolver = Resolver::default();
        resolver.sources.add("f", "text".into());
        let zone = resolver.lists.intern_labels(&[("zone", "a")].into_iter().collect());
        resolver.create_node("node-0", zone);
        resolver.create_pod("shop/web-0", Lists::NO_LABELS);
        resolver
    }

    fn mistakes(mut resolver: Resolver) -> Vec<String> {
        resolver.finish();
        let list = resolver.diagnostics.into_sorted();
        list.into_iter()
            .map(|d| format!("{} | {}", d.message, d.help.unwrap_or_default()))
            .collect()
    }

    const HERE: Place = Place { source: 0, start: 0, end: 1 };

    #[test]
    fn names_have_to_be_created_at_some_time() {
        let mut r = resolver();
        assert!(r.node_target(&[("node-{0..1}", HERE)]).is_some());
        r.create_node("node-1", Lists::NO_LABELS);
        assert_eq!(mistakes(r), Vec::<String>::new());

        let mut r = resolver();
        r.node_target(&[("nod-0", HERE)]);
        r.pod_target("default", &[("web-0", HERE)]);
        r.pod_target("default", &[("shop/wbe-0", HERE)]);
        r.pod_target("default", &[("shop/other", HERE)]);
        assert_eq!(
            mistakes(r),
            [
                "no node `nod-0` in this scenario, at any time | did you mean `node-0`?",
                "no pod `default/web-0` in this scenario, at any time | did you mean `shop/web-0`?",
                "no pod `shop/wbe-0` in this scenario, at any time | did you mean `shop/web-0`?",
                "no pod `shop/other` in this scenario, at any time | ",
            ]
        );
    }

    #[test]
    fn selectors_have_to_match_something() {
        let zone = |value: &str| Selector(vec![Requirement::In("zone".into(), vec![value.into()])]);
        let mut r = resolver();
        r.node_selector(zone("a"), HERE);
        r.pod_selector(Some("shop"), Selector::default(), HERE);
        assert_eq!(mistakes(r), Vec::<String>::new());

        let mut r = resolver();
        r.node_selector(zone("b"), HERE);
        r.pod_selector(Some("other"), Selector::default(), HERE);
        assert_eq!(mistakes(r).len(), 2);

        let mut r = resolver();
        r.node_selector(zone("b"), HERE);
        r.labels_change();
        assert_eq!(mistakes(r), Vec::<String>::new());
    }

    #[test]
    fn stars_and_bad_names() {
        let mut r = resolver();
        assert_eq!(r.node_target(&[("*", HERE)]), Some(NodeTarget::Matching(Selector::default())));
        assert_eq!(r.pod_target("default", &[("*", HERE)]), Some(PodTarget::all()));
        assert_eq!(r.pod_target("default", &[("shop/*", HERE)]), None);
        assert_eq!(r.pod_target("default", &[("a/b/c", HERE)]), None);
        assert_eq!(r.node_target(&[("n{0..x}", HERE)]), None);
        assert_eq!(mistakes(r).len(), 3);
    }
}
