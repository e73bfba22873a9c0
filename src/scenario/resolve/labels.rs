//! What is said about a selector that matches nothing: the labels that there are, near it.

use std::collections::BTreeSet;

use super::check::{COMPARED, LISTED, near_names};
use super::{LabelsOfStep, Resolver, Selection};
use crate::objects::{Labels, Requirement, Selector};
use crate::scenario::diagnostic::nearest;

impl Resolver {
    /// What labels there are in the place of those that nothing has; `None` where there are no
    /// objects, or the selector asks for no labels.
    pub(super) fn near_labels(&self, selection: &Selection) -> Option<String> {
        let Selector(requirements) = &selection.selector;
        let (what, namespace) = match &selection.pods_in {
            None => ("node", None),
            Some(namespace) => ("pod", namespace.as_deref()),
        };
        let sets: Vec<(&str, &Labels)> = self.label_sets(selection.pods_in.is_some());
        if let Some(wanted) = namespace {
            let elsewhere = sets.iter().find(|(_, labels)| selection.selector.matches(labels));
            if let Some((other, _)) = elsewhere {
                return Some(format!("such pods are in namespace {other}, and not in {wanted}"));
            }
        }
        if requirements.is_empty() || sets.is_empty() {
            return None;
        }
        let steps = self.changes_of(selection.pods_in.is_some());
        // What steps set is named as well; what an object lacks is not told by them.
        let by_steps = steps.iter().map(|step| &step.set);
        let named: Vec<&Labels> = sets.iter().map(|(_, labels)| *labels).chain(by_steps).collect();
        if named.iter().all(|labels| labels.is_empty()) {
            return Some(format!("the {what}s have no labels: name them instead"));
        }
        for requirement in requirements {
            let alone = Selector(vec![requirement.clone()]);
            let is_met = sets.iter().any(|(_, labels)| alone.matches(labels));
            if !is_met && !may_bring(&steps, requirement) {
                return Some(near(requirement, &named, what));
            }
        }
        let all: BTreeSet<String> = sets.iter().map(|(_, labels)| joined(labels)).collect();
        let some: Vec<String> =
            all.into_iter().filter(|set| !set.is_empty()).take(LISTED).collect();
        Some(format!("no {what} has all of these at once; there are {}", some.join("; ")))
    }

    /// What steps do to labels of pods, or of nodes.
    pub(super) fn changes_of(&self, pods: bool) -> Vec<&LabelsOfStep> {
        self.label_changes.iter().filter(|step| step.of_pods == pods).collect()
    }

    /// The namespace and the labels of each pod, or the labels of each node.
    fn label_sets(&self, pods: bool) -> Vec<(&str, &Labels)> {
        if pods {
            let all = self.names.pods().zip(&self.pods).filter(|(_, known)| known.created);
            all.take(COMPARED)
                .filter_map(|((id, _), known)| {
                    Some((self.names.pod_parts(id).0, self.lists.labels(known.labels?)))
                })
                .collect()
        } else {
            let all = self.nodes.iter().filter(|known| known.created).take(COMPARED);
            all.filter_map(|known| Some(("", self.lists.labels(known.labels?)))).collect()
        }
    }
}

/// Whether a step can make an object meet the requirement, whatever its labels were.
pub(super) fn may_bring(steps: &[&LabelsOfStep], requirement: &Requirement) -> bool {
    let removes =
        |key: &str| steps.iter().any(|step| step.removed.iter().any(|gone| **gone == *key));
    let alone = Selector(vec![requirement.clone()]);
    let sets = |key: &str| {
        let mut of_key = steps.iter().filter(|step| step.set.get(key).is_some());
        of_key.any(|step| alone.matches(&step.set))
    };
    match requirement {
        Requirement::In(key, _) | Requirement::Exists(key) => sets(key),
        Requirement::NotIn(key, _) => sets(key) || removes(key),
        Requirement::DoesNotExist(key) => removes(key),
    }
}

/// What there is in place of a requirement that no object meets.
fn near(requirement: &Requirement, sets: &[&Labels], what: &str) -> String {
    let (key, wanted) = match requirement {
        Requirement::In(key, values) => (key, values.first()),
        Requirement::DoesNotExist(key) => return format!("every {what} has the label {key}"),
        Requirement::NotIn(key, values) => {
            let pairs: Vec<String> = values.iter().map(|value| format!("{key}={value}")).collect();
            return format!("every {what} has {}", pairs.join(" or "));
        }
        Requirement::Exists(key) => (key, None),
    };
    let values: BTreeSet<&str> = sets.iter().filter_map(|labels| labels.get(key)).collect();
    if values.is_empty() {
        let all = || sets.iter().flat_map(|labels| labels.iter());
        let keys: BTreeSet<&str> = all().map(|(key, _)| key).collect();
        let pairs: BTreeSet<String> = all().map(|(key, value)| format!("{key}={value}")).collect();
        let pairs: BTreeSet<&str> = pairs.iter().map(String::as_str).collect();
        let are = if pairs.len() == 1 { "the only label is" } else { "the labels are" };
        return match nearest(key, keys.iter().copied()) {
            Some(near) => format!("no {what} has the label {key}; did you mean `{near}`?"),
            None => format!("no {what} has the label {key}; {are} {}", listed(&pairs)),
        };
    }
    let near = wanted.map(|wanted| near_names(wanted, values.iter().copied())).unwrap_or_default();
    match near.as_slice() {
        [near] => format!("did you mean `{key}={near}`?"),
        _ => format!("the values of {key} are {}", listed(&values)),
    }
}

fn joined(labels: &Labels) -> String {
    let pairs: Vec<String> = labels.iter().map(|(key, value)| format!("{key}={value}")).collect();
    pairs.join(",")
}

fn listed(words: &BTreeSet<&str>) -> String {
    let some: Vec<&str> = words.iter().copied().take(LISTED).collect();
    match words.len() - some.len() {
        0 => some.join(", "),
        more => format!("{} and {more} more", some.join(", ")),
    }
}
