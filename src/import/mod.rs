//! From manifests to a scenario: what `taintsim import` prints.
//!
//! Promises: the text is a scenario that loads; replaying it gives each pod the fate and the time
//! that replaying the manifests gives it. What `spec.nodes` and `spec.pods` can say exactly stands
//! there; whatever they cannot say stands as a lean manifest in the same stream. What is not
//! modelled is named in the header, without its values. With redaction, nothing private is left:
//! neither in the text nor in the notices.
//!
//! Leaves out: uids, and everything that the loader does not read. The order of objects is that of
//! the files, but those in `spec` come first. Objects are written one at a time; beside what was
//! loaded, there are only a few bytes for each.

mod fit;
mod header;
mod left_out;
mod redact;
mod version;
mod view;

use std::collections::BTreeMap;
use std::io::{self, Write};

use indexmap::IndexSet;

use self::fit::Reasons;
use self::header::Examples;
use self::redact::Redaction;
use self::version::Version;
use self::view::{NodeView, Viewer};
use crate::render::counted;
use crate::scenario::LoadedObjects;
use crate::scenario::emit::comment::comment;
use crate::scenario::emit::{items, yaml};
use crate::scenario::manifest::named;
use crate::scenario::rules::Rules;

/// What is asked for beside the manifests.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// `metadata.name`.
    pub name: String,
    /// The files, as comments name them.
    pub files: Vec<String>,
    /// Replace what may be private.
    pub redact: bool,
}

/// A scenario that is ready to be written.
#[derive(Debug)]
pub struct Import {
    loaded: LoadedObjects,
    options: ImportOptions,
    redaction: Option<Redaction>,
    version: Version,
    /// Why a node cannot stand under `spec.nodes`, in the order of the nodes.
    node_reasons: Vec<Reasons>,
    pod_reasons: Vec<Reasons>,
    /// Nodes that pods name and that are not there, and can stand under `spec.nodes`.
    missing: IndexSet<Box<str>>,
    /// The same that cannot.
    missing_odd: IndexSet<Box<str>>,
}

/// Keys for an example taint.
const EXAMPLE_KEYS: [&str; 3] = ["maintenance", "example", "taintsim-example"];

impl Import {
    /// Decides where each object stands.
    pub fn new(loaded: LoadedObjects, options: ImportOptions) -> Import {
        let redaction = options.redact.then(|| Redaction::new(&loaded));
        let import = Import {
            version: version::of(&loaded.objects),
            loaded,
            options,
            redaction,
            node_reasons: Vec::new(),
            pod_reasons: Vec::new(),
            missing: IndexSet::new(),
            missing_odd: IndexSet::new(),
        };
        let viewer = import.viewer();
        let objects = &import.loaded.objects;
        let nodes = objects.nodes.iter().map(|(name, node)| viewer.node(name, node).reasons);
        let node_reasons = nodes.collect();
        let pods = objects.pods.iter().map(|(name, pod)| viewer.pod(name, pod).reasons);
        let pod_reasons = pods.collect();
        let named: IndexSet<&str> =
            objects.pods.values().filter_map(|pod| pod.node_name.as_deref()).collect();
        let missing = named.into_iter().filter(|name| !objects.nodes.contains_key(*name));
        let (right, odd): (Vec<&str>, Vec<&str>) =
            missing.partition(|name| viewer.is_node_name(name));
        let missing = right.into_iter().map(Box::from).collect();
        let missing_odd = odd.into_iter().map(Box::from).collect();
        Import { node_reasons, pod_reasons, missing, missing_odd, ..import }
    }

    /// What its reader should know, a line each.
    pub fn notices(&self) -> Vec<String> {
        let mut notices: Vec<String> = match self.redaction {
            Some(_) => self.loaded.objects.notices.iter().map(|n| n.general.clone()).collect(),
            None => self.loaded.objects.notices.iter().map(|n| self.loaded.line(n)).collect(),
        };
        notices.extend(self.version.notice.clone());
        if !self.missing.is_empty() || !self.missing_odd.is_empty() {
            let viewer = self.viewer();
            let all = self.missing.iter().chain(&self.missing_odd);
            let names: Vec<String> =
                all.map(|name| format!("{:?}", viewer.node_name(name))).collect();
            notices.push(format!(
                "pods are on {} that the input does not have; they get bare nodes without taints: \
                 {}",
                counted(names.len(), "node"),
                named(names.iter().map(String::as_str))
            ));
        }
        if let Some(survey) = &self.loaded.objects.survey {
            notices.extend(left_out::summary(survey, self.redaction.is_some()));
        }
        notices
    }

    /// Writes the scenario.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let viewer = self.viewer();
        let mut text = String::new();
        self.write_header(&viewer, &mut text);
        out.write_all(text.as_bytes())?;
        self.write_spec_nodes(&viewer, out)?;
        self.write_spec_pods(&viewer, out)?;
        self.write_node_manifests(&viewer, out)?;
        self.write_pod_manifests(&viewer, out)
    }

    fn viewer(&self) -> Viewer<'_> {
        let redaction = self.redaction.as_ref();
        Viewer { loaded: &self.loaded, redaction, rules: Rules::default() }
    }

    fn write_header(&self, viewer: &Viewer<'_>, text: &mut String) {
        let objects = &self.loaded.objects;
        let counts = format!(
            "{}, {}",
            counted(objects.nodes.len() + self.missing.len() + self.missing_odd.len(), "node"),
            counted(objects.pods.len(), "pod")
        );
        let files = &self.options.files;
        let from = match (self.options.redact, files.as_slice()) {
            (true, files) => {
                format!(
                    "{}, with other names for what may be private",
                    counted(files.len(), "file")
                )
            }
            (false, files) => files.join(", "),
        };
        comment(text, 0, &format!("Made by `taintsim import` from {from}: {counts}."));
        comment(text, 0, "Run it: taintsim replay THIS-FILE");
        comment(
            text,
            0,
            "The run begins like a controller that has just been restarted: NoExecute taints that \
             nodes have already act at 0s. Tolerations of not-ready and unreachable for 300s stand \
             only where admission would not add the same.",
        );
        let survey = objects.survey.as_deref();
        let lines = survey.map(|survey| left_out::lines(survey, self.redaction.is_some()));
        if let Some(lines) = lines.filter(|lines| !lines.is_empty()) {
            comment(text, 0, "Not in here, because taintsim does not model it:");
            for line in lines {
                comment(text, 0, &format!("- {line}"));
            }
        }
        text.push_str("apiVersion: taintsim.dev/v1alpha1\nkind: Scenario\nmetadata:\n  name: ");
        let name = if self.options.redact { "redacted" } else { &self.options.name };
        yaml::push_string(text, name);
        text.push_str("\nspec:\n");
        comment(text, 2, &format!("kubernetesVersion: {}.", self.version.comment));
        if let Some(profile) = self.version.profile {
            text.push_str("  kubernetesVersion: ");
            yaml::push_string(text, profile.name());
            text.push('\n');
        }
        header::steps(text, &self.examples(viewer));
    }

    fn examples<'v>(&'v self, viewer: &Viewer<'v>) -> Examples<'v> {
        let objects = &self.loaded.objects;
        let is_worker = |node: &NodeView<'_>| {
            let roles = ["control-plane", "master"];
            let label = |role| format!("node-role.kubernetes.io/{role}");
            roles.iter().all(|role| node.item.labels.get(&label(role)).is_none())
        };
        let views = || objects.nodes.iter().map(|(name, node)| viewer.node(name, node));
        let node = views().find(is_worker).or_else(|| views().next());
        let has =
            |key: &str| node.iter().any(|node| node.item.taints.iter().any(|t| *t.key == *key));
        let key = EXAMPLE_KEYS.into_iter().find(|key| !has(key)).unwrap_or(EXAMPLE_KEYS[0]);
        let missing = self.missing.first().map(|name| viewer.node_name(name));
        let pod = objects.pods.first().map(|(name, pod)| viewer.pod(name, pod));
        Examples {
            node: node.map(|node| node.item.name).or(missing),
            key,
            pod: pod.map(|pod| (pod.item.namespace, pod.item.name)),
        }
    }

    fn write_spec_nodes(&self, viewer: &Viewer<'_>, out: &mut dyn Write) -> io::Result<()> {
        let mut text = String::new();
        let fitting = self.node_reasons.iter().any(|reasons| reasons.is_empty());
        text.push_str(match fitting || !self.missing.is_empty() {
            true => "  nodes:\n",
            false => "  nodes: []\n",
        });
        for ((name, node), reasons) in self.loaded.objects.nodes.iter().zip(&self.node_reasons) {
            if reasons.is_empty() {
                items::node_entry(&mut text, &viewer.node(name, node).item);
                flush(&mut text, out)?;
            }
        }
        if !self.missing.is_empty() {
            comment(&mut text, 4, "Not in the dump, but pods are on them; without taints:");
        }
        for name in &self.missing {
            text.push_str("    - name: ");
            yaml::push_string(&mut text, viewer.node_name(name));
            text.push('\n');
            flush(&mut text, out)?;
        }
        flush(&mut text, out)
    }

    fn write_spec_pods(&self, viewer: &Viewer<'_>, out: &mut dyn Write) -> io::Result<()> {
        let mut text = String::new();
        text.push_str(match self.pod_reasons.iter().any(|reasons| reasons.is_empty()) {
            true => "  pods:\n",
            false => "  pods: []\n",
        });
        for ((name, pod), reasons) in self.loaded.objects.pods.iter().zip(&self.pod_reasons) {
            if reasons.is_empty() {
                items::pod_entry(&mut text, &viewer.pod(name, pod).item);
                flush(&mut text, out)?;
            }
        }
        flush(&mut text, out)
    }

    fn write_node_manifests(&self, viewer: &Viewer<'_>, out: &mut dyn Write) -> io::Result<()> {
        let objects = &self.loaded.objects;
        for (reasons, indices) in groups(&self.node_reasons) {
            let mut text = String::new();
            let what = counted(indices.len(), "node");
            begin_group(&mut text, &what, reasons, "spec.nodes", "NodeList");
            for index in indices {
                if let Some((name, node)) = objects.nodes.get_index(index) {
                    items::node_item(&mut text, &viewer.node(name, node).item);
                    flush(&mut text, out)?;
                }
            }
        }
        Ok(())
    }

    fn write_pod_manifests(&self, viewer: &Viewer<'_>, out: &mut dyn Write) -> io::Result<()> {
        let objects = &self.loaded.objects;
        for (reasons, indices) in groups(&self.pod_reasons) {
            let mut text = String::new();
            let what = counted(indices.len(), "pod");
            begin_group(&mut text, &what, reasons, "spec.pods", "PodList");
            for index in indices {
                if let Some((name, pod)) = objects.pods.get_index(index) {
                    items::pod_item(&mut text, &viewer.pod(name, pod).item);
                    flush(&mut text, out)?;
                }
            }
        }
        Ok(())
    }
}

/// The objects of each set of reasons, by their index.
fn groups(reasons: &[Reasons]) -> BTreeMap<Reasons, Vec<usize>> {
    let mut groups: BTreeMap<Reasons, Vec<usize>> = BTreeMap::new();
    for (index, reasons) in reasons.iter().enumerate().filter(|(_, r)| !r.is_empty()) {
        groups.entry(*reasons).or_default().push(index);
    }
    groups
}

fn begin_group(text: &mut String, what: &str, reasons: Reasons, entry: &str, kind: &str) {
    text.push_str("---\n");
    comment(text, 0, &format!("{what} that {entry} cannot say exactly: {}.", reasons.words()));
    text.push_str("apiVersion: v1\nkind: ");
    text.push_str(kind);
    text.push_str("\nitems:\n");
}

fn flush(text: &mut String, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(text.as_bytes())?;
    text.clear();
    Ok(())
}
