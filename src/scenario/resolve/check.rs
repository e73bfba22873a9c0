//! The end of a load: whether everything that is named exists at some time.

use super::{Known, Resolver, Selection};
use crate::objects::{LabelsId, PodId};
use crate::scenario::diagnostic::{Diagnostics, nearest};
use crate::scenario::tree::Place;

impl Resolver {
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
        let matches =
            |labels: LabelsId| any_labels || selection.selector.matches(self.lists.labels(labels));
        let holds = |known: &Known| known.created && known.labels.is_some_and(matches);
        let is_in = |namespace: &Option<Box<str>>, id: PodId| {
            namespace.as_deref().is_none_or(|wanted| self.names.pod_parts(id).0 == wanted)
        };
        match &selection.pods_in {
            None => {
                self.nodes.iter().any(holds)
                    || self.earlier_node_labels.iter().copied().any(matches)
            }
            Some(namespace) => {
                let pods = self.names.pods().zip(&self.pods);
                pods.filter(|((id, _), _)| is_in(namespace, *id)).any(|(_, known)| holds(known))
                    || self
                        .earlier_pod_labels
                        .iter()
                        .any(|(id, labels)| is_in(namespace, *id) && matches(*labels))
            }
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
