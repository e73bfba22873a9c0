//! The end of a load: whether everything that is named exists at some time.

use indexmap::{IndexMap, IndexSet};

use super::labels::may_bring;
use super::{Known, Reference, Resolver, Selection};
use crate::objects::{LabelsId, PodId, Selector};
use crate::scenario::diagnostic::{Diagnostic, Diagnostics, all_nearest, did_you_mean};
use crate::scenario::tree::Place;

/// What is not known of some objects, since they could not be read: that they are named, or
/// selected, is no mistake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unread {
    /// The names of some.
    pub names: bool,
    /// The labels of some.
    pub labels: bool,
}

impl Unread {
    /// Nothing is known of some of them.
    pub const ALL: Unread = Unread { names: true, labels: true };

    /// What is not known of these and those.
    pub fn add(&mut self, other: Unread) {
        self.names |= other.names;
        self.labels |= other.labels;
    }
}

impl Resolver {
    /// Checks that everything that was referred to is created somewhere.
    pub fn finish(&mut self) {
        let before = self.diagnostics.len();
        self.check_names();
        if self.diagnostics.len() > before {
            let skipped = std::mem::take(&mut self.misspelt_kinds);
            self.diagnostics.extend(skipped);
        }
        let selections = std::mem::take(&mut self.selections);
        // Each costs a pass over all objects, and many entries may ask for the same.
        let mut matched = IndexSet::new();
        for selection in &selections {
            let key = (&selection.selector, &selection.pods_in);
            let unread = match &selection.pods_in {
                Some(_) => self.unread_pods,
                None => self.unread_nodes,
            };
            if matched.contains(&key) || unread.names || unread.labels {
                continue;
            }
            if self.diagnostics.len() >= Diagnostics::KEPT {
                break;
            }
            if self.matches_any(selection) {
                matched.insert(key);
            } else {
                let what = if selection.pods_in.is_some() { "pod" } else { "node" };
                let whole = if self.is_dump { "the dump has" } else { "the scenario ever has" };
                let message = format!("this matches no {what} that {whole}");
                let help = self.near_labels(selection).unwrap_or_else(|| {
                    let list = if selection.pods_in.is_some() { self.pods() } else { self.nodes() };
                    known_names(what, "", &list, self.is_dump)
                });
                self.diagnostics.error_help(selection.place, message, help);
            }
        }
    }

    /// Where objects were looked for.
    fn whole(&self) -> &'static str {
        match self.is_dump {
            true => "in this dump",
            false => "in this scenario, at any time",
        }
    }

    fn check_names(&mut self) {
        let is_missing = |(reference, _): &&(Reference, Place)| match reference {
            Reference::Node(id) => !self.unread_nodes.names && !self.is_node_created(*id),
            Reference::Pod(id) => !self.unread_pods.names && !self.is_pod_created(*id),
        };
        let mut missing = self.references.iter().filter(is_missing).peekable();
        if missing.peek().is_none() {
            return;
        }
        let (nodes, pods) = (self.nodes(), self.pods());
        // What to write for a name is the same at all its places, and costs a pass over all names.
        let mut helps: IndexMap<Reference, (Vec<&str>, String)> = IndexMap::new();
        // A range that goes too far names many; they are one mistake.
        let mut told: IndexMap<Place, (Diagnostic, Reference, bool)> = IndexMap::new();
        for &(reference, place) in missing {
            if let Some((_, first, many)) = told.get_mut(&place) {
                *many |= *first != reference;
                continue;
            }
            if told.len() >= Diagnostics::KEPT {
                break;
            }
            let (what, name, names) = match reference {
                Reference::Node(id) => ("node", self.names.node(id), &nodes),
                Reference::Pod(id) => ("pod", self.names.pod(id), &pods),
            };
            let (near, help) = helps.entry(reference).or_insert_with(|| {
                let known = names.iter().copied().take(COMPARED);
                let near = match reference {
                    Reference::Node(_) => near_names(name, known),
                    Reference::Pod(_) => nearest_pods(name, known),
                };
                let help = did_you_mean(&near);
                let help = help.unwrap_or_else(|| known_names(what, name, names, self.is_dump));
                (near, help)
            });
            let help = match reference {
                Reference::Node(_) => None,
                Reference::Pod(_) => self.in_command(place, name, near),
            }
            .unwrap_or_else(|| help.clone());
            let message = format!("no {what} `{name}` {}", self.whole());
            told.insert(place, (Diagnostic::new(place, message).help(help), reference, false));
        }
        for (mut mistake, _, many) in told.into_values() {
            if many {
                mistake.message.push_str("; nor are other names of this range");
            }
            self.diagnostics.push(mistake);
        }
    }

    /// What to write in a command of kubectl, which has the namespace in a flag.
    fn in_command(&self, place: Place, wanted: &str, near: &[&str]) -> Option<String> {
        let is_alone = self.in_commands.get(&place)?;
        let [near] = near else { return None };
        let ((namespace, name), (asked, written)) =
            (near.split_once('/')?, wanted.split_once('/')?);
        if name != written {
            return Some(format!("did you mean `{name}`?"));
        }
        let is_in = format!("it is in namespace {namespace}");
        Some(match (is_alone, asked) {
            (false, _) => format!("{is_in}: write a command for it alone, with `-n {namespace}`"),
            (true, "default") => {
                format!("{is_in}: write `{} -n {namespace}`", self.sources.slice(place))
            }
            (true, _) => {
                format!("{is_in}: write `-n {namespace}` in place of the namespace {asked}")
            }
        })
    }

    /// The names of all nodes that something creates.
    fn nodes(&self) -> Vec<&str> {
        let created = self.names.nodes().filter(|(id, _)| self.is_node_created(*id));
        created.map(|(_, name)| name).collect()
    }

    /// The names of all pods that something creates.
    fn pods(&self) -> Vec<&str> {
        let created = self.names.pods().filter(|(id, _)| self.is_pod_created(*id));
        created.map(|(_, name)| name).collect()
    }

    fn matches_any(&self, selection: &Selection) -> bool {
        // Steps may bring labels at any time.
        let steps = self.changes_of(selection.pods_in.is_some());
        let asked = selection.selector.0.iter();
        let left = Selector(asked.filter(|asked| !may_bring(&steps, asked)).cloned().collect());
        let matches = |labels: LabelsId| left.matches(self.lists.labels(labels));
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
pub(super) const COMPARED: usize = 10_000;

/// How many names a list in a hint has at most.
pub(super) const LISTED: usize = 8;

/// What there is in place of a name that there is not; first what differs from it in its number.
fn known_names(what: &str, name: &str, names: &[&str], is_dump: bool) -> String {
    let mut names = names.to_vec();
    let own_stem = stem(name);
    names.sort_by_key(|known| stem(known) != own_stem);
    match names.as_slice() {
        [] if is_dump => {
            format!("the dump has no {what}s; take it with `kubectl get nodes,pods -A -o yaml`")
        }
        [] => format!("there are no {what}s; a Scenario has them under `spec.{what}s`"),
        [one] => format!("the only {what} is {one}"),
        few if few.len() <= LISTED => format!("the {what}s are {}", few.join(", ")),
        many => {
            let (count, some) = (many.len(), many[..LISTED].join(", "));
            format!("there are {count} {what}s, such as {some}")
        }
    }
}

/// A name without its digits.
fn stem(name: &str) -> String {
    name.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// The names that are near enough to be meant. One that differs in its number alone is as near as
/// all of its kind, and any of them may be meant.
pub(super) fn near_names<'k>(
    wanted: &str,
    known: impl IntoIterator<Item = &'k str>,
) -> Vec<&'k str> {
    let mut near = all_nearest(wanted, known);
    let own_stem = stem(wanted);
    if near.iter().any(|name| stem(name) == own_stem) {
        near.clear();
    }
    near
}

/// The nearest pods: the right name in another namespace, else a name like it in the same. What
/// two names share of their namespaces does not make them alike.
fn nearest_pods<'k>(wanted: &str, known: impl Iterator<Item = &'k str>) -> Vec<&'k str> {
    let Some((namespace, name)) = wanted.split_once('/') else { return Vec::new() };
    let known: Vec<(&str, &str, &str)> =
        known.filter_map(|full| full.split_once('/').map(|(ns, own)| (full, ns, own))).collect();
    let named = |is: &dyn Fn(&str, &str) -> bool| -> Vec<&'k str> {
        known.iter().filter(|(_, ns, own)| is(ns, own)).map(|(full, ..)| *full).collect()
    };
    let others = named(&|_, own| own == name);
    if !others.is_empty() {
        return others;
    }
    let here = known.iter().filter(|(_, ns, _)| *ns == namespace).map(|(_, _, own)| *own);
    let near = near_names(name, here);
    named(&|ns, own| ns == namespace && near.contains(&own))
}
