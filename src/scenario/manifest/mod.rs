//! Kubernetes manifests: Nodes and Pods as kubectl and its neighbours write them.
//!
//! Takes List, NodeList, PodList, single objects, streams of them, arrays, lists in lists, and
//! items without a kind (told by the kind of their list, or by shape). Objects of other kinds are
//! skipped and counted. What is read is stored as it is: no admission, no validation beyond what
//! cannot be told apart otherwise (types, effects, operators, names). What a real API server would
//! have refused and the model still has a meaning for is kept, with a notice.
//!
//! Leaves out everything that the simulator does not model; unknown keys are passed over, and only
//! those that are a known key in another spelling are mentioned.

mod fields;
mod kept;
mod kind;
mod node;
mod notices;
mod plan;
mod pod;
mod survey;
mod taints;

#[cfg(test)]
mod tests;

use std::fmt::Display;

use indexmap::IndexMap;

pub use self::notices::{Notice, named};
pub use self::survey::Survey;

use self::fields::Reader;
pub(super) use self::fields::{mapping_get, text};
pub use self::kept::KEPT;
use self::kind::{Found, ItemKind};
use self::notices::Notices;
use super::diagnostic::{Diagnostic, Diagnostics, nearest};
use super::resolve::Unread;
use super::tree::{Node, Place, Value};
use crate::objects::{Labels, Lists, TaintsId, TolerationsId};

/// How deep lists may stand in lists.
const LIST_DEPTH_MAX: usize = 8;
/// How many objects a notice about several names.
const NAMED: usize = 5;

/// A Node object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeObject {
    /// Where it stands.
    pub place: Place,
    /// `metadata.labels`.
    pub labels: Labels,
    /// `spec.taints`; `None` where the manifest does not have the key.
    pub taints: Option<TaintsId>,
    /// `spec.unschedulable`.
    pub unschedulable: bool,
    /// `status.nodeInfo.kubeletVersion`.
    pub kubelet_version: Option<Box<str>>,
    /// The how-manieth object it was.
    order: usize,
}

/// A Pod object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodObject {
    /// Where it stands.
    pub place: Place,
    /// `metadata.uid`.
    pub uid: Option<Box<str>>,
    /// `metadata.labels`.
    pub labels: Labels,
    /// `spec.nodeName`; `None` where absent or empty.
    pub node_name: Option<Box<str>>,
    /// `spec.tolerations`; `None` where the manifest does not have the key.
    pub tolerations: Option<TolerationsId>,
    /// `spec.terminationGracePeriodSeconds`, or its default.
    pub grace_period_seconds: u32,
    /// `metadata.deletionTimestamp`, as written: it is terminating.
    pub deletion_timestamp: Option<Box<str>>,
    /// Its status has the condition already that the taint manager sets.
    pub disruption_target: bool,
    /// Its phase, where that is Succeeded or Failed.
    pub finished: Option<&'static str>,
    /// It has finalizers, which nothing here waits for.
    pub finalizers: bool,
    order: usize,
}

/// What manifests hold. Of several objects of one name the last one counts.
#[derive(Clone, Debug, Default)]
pub struct Objects {
    /// By name, in the order in which the objects that count stand.
    pub nodes: IndexMap<Box<str>, NodeObject>,
    /// By `namespace/name`, in the same order.
    pub pods: IndexMap<Box<str>, PodObject>,
    /// What the user should know though nothing is wrong.
    pub notices: Vec<Notice>,
    /// Node objects read, those that do not count included.
    pub nodes_read: usize,
    /// Pod objects read, those that do not count included.
    pub pods_read: usize,
    /// Objects of kinds that are not read, counted in words; empty where there are none.
    pub others: String,
    /// What is not known of nodes, since it is wrong.
    pub unread_nodes: Unread,
    /// What is not known of pods, since it is wrong.
    pub unread_pods: Unread,
    /// What is there and not read, where somebody asks; it then takes the place of the notices
    /// about skipped objects and finalizers.
    pub survey: Option<Box<Survey>>,
    skipped: IndexMap<String, (usize, Place)>,
    /// What is wrong with objects that may be meant for Nodes or Pods.
    misspelt_kinds: Vec<Diagnostic>,
    repeated: IndexMap<String, (usize, Place)>,
    told: Notices,
    /// The last source with events of a watch.
    watched: Option<u16>,
}

/// Reads the objects of `documents` into `objects`; mistakes go to `diagnostics`. A pod without a
/// namespace gets `default_namespace` (`default`, or what `kubectl -n` says). Call
/// [`Objects::finish`] after the last.
pub fn collect(
    documents: &[Node],
    default_namespace: &str,
    lists: &mut Lists,
    objects: &mut Objects,
    diagnostics: &mut Diagnostics,
) {
    let mut reader = Reader { default_namespace, lists, objects, diagnostics };
    for (index, document) in documents.iter().enumerate() {
        let next = documents.get(index + 1);
        let is_last = next.is_none_or(|next| next.place.source != document.place.source);
        reader.document(document, is_last);
    }
}

impl Objects {
    /// Puts the objects into their order and says in a line each what was skipped and repeated.
    pub fn finish(&mut self) {
        self.nodes.sort_by(|_, a, _, b| a.order.cmp(&b.order));
        self.pods.sort_by(|_, a, _, b| a.order.cmp(&b.order));
        self.notices.extend(self.told.take());
        let skipped = std::mem::take(&mut self.skipped);
        let repeated = std::mem::take(&mut self.repeated);
        let counts: Vec<String> =
            skipped.iter().map(|(kind, (count, _))| format!("{count} {kind}")).collect();
        self.others = counts.join(", ");
        match &mut self.survey {
            Some(survey) => {
                survey.kinds.extend(skipped.into_iter().map(|(kind, (count, _))| (kind, count)));
                self.notice_repeated(&repeated);
            }
            None => {
                self.notice_skipped(&skipped);
                self.notice_repeated(&repeated);
                self.notice_finalizers();
            }
        }
    }

    fn notice_skipped(&mut self, skipped: &IndexMap<String, (usize, Place)>) {
        let Some((_, (_, place))) = skipped.first() else { return };
        let message = format!("skipped {}: only Nodes and Pods are read", self.others);
        self.notices.push(Notice { place: *place, message, general: "objects skipped".into() });
    }

    fn notice_repeated(&mut self, repeated: &IndexMap<String, (usize, Place)>) {
        let Some((_, (_, place))) = repeated.first() else { return };
        let names: Vec<String> =
            repeated.iter().map(|(name, (count, _))| format!("{name} ({count} times)")).collect();
        let general = "some objects are there more than once, and the last one of a name counts";
        let message = format!("{general}: {}", named(names.iter().map(String::as_str)));
        let general = format!("{general} ({})", repeated.len());
        self.notices.push(Notice { place: *place, message, general });
    }

    fn notice_finalizers(&mut self) {
        let held = self.pods.iter().filter(|(_, pod)| pod.finalizers);
        let Some(place) = held.clone().next().map(|(_, pod)| pod.place) else { return };
        let count = match held.clone().count() {
            1 => "1 pod has".to_owned(),
            many => format!("{many} pods have"),
        };
        let general = format!(
            "{count} metadata.finalizers, and finalizers are not modelled: these pods go when \
             their deletion is confirmed"
        );
        let message = format!("{general}: {}", named(held.map(|(name, _)| &**name)));
        self.notices.push(Notice { place, message, general });
    }

    /// Notes a case of what `kind` says without a word from the input.
    fn notice(&mut self, kind: &str, place: Place, subject: &str, message: impl Display) {
        self.told.add(kind, place, subject, message);
    }

    fn skip(&mut self, kind: String, place: Place) {
        self.skipped.entry(kind).or_insert((0, place)).0 += 1;
    }

    fn order(&self) -> usize {
        self.nodes_read + self.pods_read
    }

    fn add_node(&mut self, name: Box<str>, mut node: NodeObject) {
        node.order = self.order();
        self.nodes_read += 1;
        let place = node.place;
        if self.nodes.insert(name.clone(), node).is_some() {
            self.repeated.entry(format!("node {name}")).or_insert((1, place)).0 += 1;
        }
    }

    fn add_pod(&mut self, name: Box<str>, mut pod: PodObject) {
        pod.order = self.order();
        self.pods_read += 1;
        let place = pod.place;
        if self.pods.insert(name.clone(), pod).is_some() {
            self.repeated.entry(format!("pod {name}")).or_insert((1, place)).0 += 1;
        }
    }
}

impl Reader<'_> {
    fn document(&mut self, document: &Node, is_last: bool) {
        match &document.value {
            // At the top nothing is skipped.
            Value::Null | Value::Skipped => {}
            Value::Sequence(items) => self.items(items, ItemKind::ByShape, 1),
            // Dumps are cut off at their end, where a list has its kind. What another document
            // follows is whole.
            Value::Mapping(_) if !is_last && kind::is_list_without_kind(document) => {
                let text = "this list has no `kind`; read as List";
                self.objects.notice("lists without `kind`", document.place, "", text);
                self.list(document, ItemKind::ByShape, 0);
            }
            Value::Mapping(_) => self.object(document, ItemKind::ByShape, 0),
            Value::Plain(_) | Value::Quoted(_) => self.no_object(
                Diagnostic::new(document.place, "this is text and no Kubernetes object").help(
                    "a manifest is the output of `kubectl get nodes,pods -A -o yaml` (or json), \
                     without messages or prompts of the terminal around it",
                ),
            ),
        }
    }

    fn items(&mut self, items: &[Node], item_kind: ItemKind, depth: usize) {
        for item in items {
            match &item.value {
                // Caches of kubelets write `null` and `{}` for what they have lost.
                Value::Null | Value::Skipped => {}
                Value::Mapping(entries) if entries.is_empty() => {}
                Value::Mapping(_) => self.object(item, item_kind, depth),
                Value::Sequence(_) | Value::Plain(_) | Value::Quoted(_) => {
                    let message = "an item of a list must be an object";
                    self.no_object(Diagnostic::new(item.place, message));
                }
            }
        }
    }

    fn object(&mut self, object: &Node, item_kind: ItemKind, depth: usize) {
        match kind::of(object, item_kind) {
            Found::Node => {
                if let Some(survey) = &mut self.objects.survey {
                    survey.node(object);
                }
                let before = (self.diagnostics.len(), self.objects.nodes_read);
                self.node(object);
                if self.diagnostics.len() > before.0 {
                    let names = self.objects.nodes_read == before.1;
                    self.objects.unread_nodes.add(Unread { names, labels: true });
                }
            }
            Found::Pod => {
                if let Some(survey) = &mut self.objects.survey {
                    survey.pod(object);
                }
                let before = (self.diagnostics.len(), self.objects.pods_read);
                self.pod(object);
                if self.diagnostics.len() > before.0 {
                    let names = self.objects.pods_read == before.1;
                    self.objects.unread_pods.add(Unread { names, labels: true });
                }
            }
            Found::List(kind) if depth < LIST_DEPTH_MAX => self.list(object, kind, depth),
            Found::List(_) => self.no_object(Diagnostic::new(
                object.place,
                format!("lists stand in lists more than {LIST_DEPTH_MAX} deep"),
            )),
            Found::Other(kind) => self.other(object, kind),
            Found::Status(message) => self.no_object(
                Diagnostic::new(
                    object.place,
                    format!("this is an answer of the API server, not an object: {message}"),
                )
                .help("run the kubectl command again with the needed permissions"),
            ),
            Found::Unknown { message, help } => {
                // A watch has a line for each; the first tells what it is.
                let source = object.place.source;
                if help == kind::NO_WATCH && self.objects.watched.replace(source) == Some(source) {
                    return;
                }
                self.no_object(Diagnostic::new(object.place, message).help(help));
            }
        }
    }

    fn list(&mut self, list: &Node, kind: ItemKind, depth: usize) {
        match mapping_get(list, "items").map(|items| (&items.value, items.place)) {
            Some((Value::Sequence(items), place)) => {
                if items.is_empty() {
                    self.objects.notice("empty lists", place, "", "this list is empty");
                }
                self.items(items, kind, depth + 1);
            }
            None | Some((Value::Null, _)) => {
                self.objects.notice("empty lists", list.place, "", "this list has no items");
            }
            Some((_, place)) => self.no_object(Diagnostic::new(place, "`items` must be a list")),
        }
    }

    /// Notes a mistake in the place of objects of which nothing is known.
    fn no_object(&mut self, mistake: Diagnostic) {
        self.diagnostics.push(mistake);
        self.objects.unread_nodes = Unread::ALL;
        self.objects.unread_pods = Unread::ALL;
    }

    /// Keeps what is wrong with the kind of an object that may be meant for a Node or Pod.
    fn misspelt(&mut self, object: &Node, name: &str) {
        let part = |key| fields::mapping_get(object, key);
        let (Some(near), Some(kind)) = (nearest(name, ["Node", "Pod"]), part("kind")) else {
            return;
        };
        let (place, written) = match (near == name, part("apiVersion")) {
            (true, Some(version)) => (version.place, "apiVersion: v1".to_owned()),
            _ => (kind.place, format!("kind: {near}")),
        };
        let message = format!("this is no {near}, and what it describes is left out");
        let mistake = Diagnostic::new(place, message).help(format!("write `{written}`"));
        self.objects.misspelt_kinds.push(mistake);
    }

    fn other(&mut self, object: &Node, kind: String) {
        if kind.starts_with("Scenario") {
            let help = "a Scenario is a document of its own, or a file: take it out of the list";
            let mistake = Diagnostic::new(object.place, "a Scenario in a list of manifests");
            return self.no_object(mistake.help(help));
        }
        let name = kind.split(' ').next().unwrap_or_default();
        if name == "Stage" {
            let text = "a Stage of KWOK is skipped: taintsim has the taint manager itself, and steps \
                        say what else happens";
            return self.objects.notice("stages are skipped", object.place, "", text);
        }
        self.misspelt(object, name);
        let known = ["Node", "Pod", "List", "NodeList", "PodList"];
        match nearest(name, known).filter(|near| near.eq_ignore_ascii_case(name) && *near != name) {
            Some(near) => self.objects.notice(
                "kinds in another spelling are skipped",
                object.place,
                "",
                format_args!("kind {name:?} is skipped: kinds are case-sensitive, right is {near}"),
            ),
            None => self.objects.skip(kind, object.place),
        }
    }
}
