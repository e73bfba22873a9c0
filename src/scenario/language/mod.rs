//! The scenario language: from the tree of a Scenario document to a plan.
//!
//! One file per part of `spec`. Everything is read even where something is wrong, so that all
//! mistakes of a file are shown at once; a plan is used only if there were none.

mod action_of;
mod actions;
mod after;
mod apply;
mod behaviour;
mod control_plane;
mod effects;
mod expect;
mod faults;
mod foreign;
mod objects;
mod order;
mod outcome;
mod repeat;
mod selector_of;
mod steps;
mod taints;
mod targets;
mod tolerations;
mod unmatched;
mod version;

#[cfg(test)]
mod tests;

pub use version::{node_versions, of_most, profile};

pub(crate) use taints::is_rfc3339;

pub(super) use behaviour::default_workers;
pub(super) use control_plane::TERMINATIONS;
pub(super) use faults::VERBS;
pub(super) use order::times as step_times;
pub(super) use taints::split as split_taint;
pub(crate) use tolerations::parse as parse_toleration;

use self::steps::StepReader;
use super::diagnostic::Diagnostics;
use super::fields::{Fields, items};
use super::manifest::{self, Objects, mapping_get};
use super::reader::not_a_string;
use super::resolve::{Resolver, Unread};
use super::scalar::{string, text, time, unsigned};
use super::tree::{Node, Place, Value};
use crate::expectation::Expectation;
use crate::kernel::time::Time;
use crate::plan::{Config, Plan, Step};
use crate::profile::Profile;

/// The value of `apiVersion`.
pub(super) const API_VERSION: &str = "taintsim.dev/v1alpha1";

/// What to write in place of a version that there is not.
pub(super) const VERSION_HELP: &str = "write \"1.36\", or leave it out: that is the default";

/// Parts of `spec` that this version does not have.
const UNSUPPORTED: [&str; 5] = ["nodeLifecycle", "workloads", "startTime", "lesson", "exercise"];

/// The keys of `spec` with lists or mappings below them.
const SECTIONS: [&str; 9] = [
    "taintManager",
    "admission",
    "apiServer",
    "nodes",
    "pods",
    "manifests",
    "steps",
    "faults",
    "expect",
];

/// The keys of a Scenario.
const PARTS: [&str; 4] = ["apiVersion", "kind", "metadata", "spec"];

/// What stands beside the files: the command line's part of a load.
#[derive(Debug, Default)]
pub(super) struct Additions<'a> {
    /// Manifests from the scenario's own stream.
    pub documents: &'a [Node],
    /// Manifests from further files.
    pub further: &'a [Node],
    /// `AT KUBECTL-LINE`, each with its place.
    pub steps: &'a [(String, Place)],
    /// In place of `spec.kubernetesVersion`.
    pub profile: Option<Profile>,
    /// In place of `spec.seed`.
    pub seed: Option<u64>,
    /// In place of `spec.until`.
    pub until: Option<Time>,
}

/// What a Scenario document says.
#[derive(Debug, Default)]
pub(super) struct Read {
    /// The plan, but for names and lists, which the resolver has.
    pub plan: Plan,
    /// `spec.expect`.
    pub expectations: Vec<Expectation>,
    /// `metadata.description`.
    pub description: Option<String>,
}

/// Reads a Scenario document; without one, the defaults hold for what `additions` bring.
pub(super) fn read(document: Option<&Node>, additions: &Additions<'_>, r: &mut Resolver) -> Read {
    let mut out = Read::default();
    let spec = document.and_then(|node| header(node, &mut out, r));
    let mut spec = spec.and_then(|node| Fields::new(node, "`spec`", &mut r.diagnostics));
    if let Some(spec) = &mut spec {
        settings(spec, additions, &mut out, r);
    } else {
        let config = &mut out.plan.config;
        config.profile = additions.profile.unwrap_or(config.profile);
        behaviour::of_profile(config);
    }
    let config = &mut out.plan.config;
    config.seed = additions.seed.unwrap_or(config.seed);
    config.until = additions.until.or(config.until);

    let mut manifests = Objects::default();
    let mut expect = None;
    let mut steps = StepReader::default();
    // Of taints: what is wrong with pods says nothing of them.
    let mut has_all_taints = true;
    if let Some(spec) = &mut spec {
        own_objects(spec, &mut out.plan, r);
        let before = r.diagnostics.len();
        collect(additions.documents, &mut manifests, r);
        if let Some(list) = spec.take_or_meant("manifests", &SECTIONS) {
            manifest_files(list, &mut manifests, r);
        }
        collect(additions.further, &mut manifests, r);
        manifests.finish();
        manifests.into_plan(r, &mut out.plan);
        if let Some(node) = spec.take_or_meant("steps", &SECTIONS) {
            steps.read(node, r);
        }
        has_all_taints = r.diagnostics.len() == before;
        if let Some(node) = spec.take_or_meant("faults", &SECTIONS) {
            out.plan.faults = faults::read(node, r);
        }
        expect = spec.take_or_meant("expect", &SECTIONS);
    } else {
        collect(additions.documents, &mut manifests, r);
        collect(additions.further, &mut manifests, r);
        manifests.finish();
        if document.is_none() {
            let first = additions.documents.first().map(|node| node.place).unwrap_or_default();
            let place = Place { end: first.start + 1, ..first };
            manifests.refuse_others_alone(place, &mut r.diagnostics);
            if additions.profile.is_none() {
                other_version(&manifests, place, r);
            }
        }
        manifests.into_plan(r, &mut out.plan);
    }
    let before = r.diagnostics.len();
    for (line, place) in additions.steps {
        steps.extra(line, *place, r);
    }
    if let Some(node) = expect {
        has_all_taints &= r.diagnostics.len() == before && !r.is_overridden;
        has_all_taints &= r.unread_nodes == Unread::default();
        let (step_count, steps) = (steps.count(), steps.steps.as_slice());
        let is_own = additions.profile.is_none() && !r.is_overridden;
        let profile = is_own.then_some(out.plan.config.profile);
        let known = effects::Known { step_count, steps, has_all_taints, profile };
        out.expectations = expect::read(node, &known, r);
    }
    late_steps(&steps.steps, &out.plan, document, r);
    out.plan.steps = steps.steps;
    if let Some(mut spec) = spec {
        spec.refuse_unsupported(&UNSUPPORTED, &mut r.diagnostics);
        spec.finish(&mut r.diagnostics);
    }
    if let Some(document) = document {
        unmatched::notice(document, r);
    }
    out
}

/// `apiVersion`, `kind` and `metadata`; gives `spec`.
fn header<'t>(node: &'t Node, out: &mut Read, r: &mut Resolver) -> Option<&'t Node> {
    let diagnostics = &mut r.diagnostics;
    let mut fields = Fields::new(node, "a Scenario", diagnostics)?;
    for (key, right) in [("apiVersion", API_VERSION), ("kind", "Scenario")] {
        let Some(node) = fields.require(key) else { continue };
        let Some(given) = text(node, key, diagnostics) else { continue };
        if given != right {
            let message = format!("{key} of a Scenario is {right}, not `{given}`");
            diagnostics.error_help(node.place, message, format!("write {right}"));
        }
    }
    let metadata = fields.take_or_meant("metadata", &PARTS);
    if let Some(mut inner) = metadata.and_then(|n| Fields::new(n, "`metadata`", diagnostics)) {
        let name = inner.take("name").and_then(|n| string(n, "name", diagnostics));
        out.plan.name = name.unwrap_or("").into();
        let description = inner.take("description");
        let description = description.and_then(|n| string(n, "description", diagnostics));
        out.description = description.map(str::to_owned);
        inner.finish(diagnostics);
    }
    let spec = fields.require("spec").or_else(|| fields.take_or_meant("spec", &PARTS));
    fields.finish(diagnostics);
    spec
}

/// The settings of `spec`, which everything after them depends on.
fn settings(spec: &mut Fields<'_>, additions: &Additions<'_>, out: &mut Read, r: &mut Resolver) {
    let diagnostics = &mut r.diagnostics;
    let config = &mut out.plan.config;
    if let Some(profile) = spec.take("kubernetesVersion").and_then(|n| read_version(n, diagnostics))
    {
        config.profile = profile;
    }
    config.profile = additions.profile.unwrap_or(config.profile);
    let gates =
        behaviour::read(spec, additions.profile.is_some(), config, &mut r.rules, diagnostics);
    if let Some(node) = spec.take("seed") {
        config.seed = unsigned(node, "seed", diagnostics).unwrap_or(0);
    }
    if let Some(node) = spec.take("until") {
        config.until = time(node, "until", diagnostics);
    }
    control_plane::read(spec, config, &gates, &mut r.rules, diagnostics);
}

/// The profile of a `kubernetesVersion`; a mistake is noted where there is none.
fn read_version(node: &Node, diagnostics: &mut Diagnostics) -> Option<Profile> {
    if let Value::Plain(text) = &node.value
        && not_a_string(text)
    {
        let (message, help) = match profile(text) {
            Ok(_) => (
                format!("kubernetesVersion is a string, not the bare number `{text}`"),
                format!("write \"{text}\", with the quotes"),
            ),
            // The quotes alone would not do.
            Err(message) => (message, VERSION_HELP.to_owned()),
        };
        diagnostics.error_help(node.place, message, help);
        return None;
    }
    let text = string(node, "kubernetesVersion", diagnostics)?;
    profile(text).map_err(|error| diagnostics.error_help(node.place, error, VERSION_HELP)).ok()
}

/// `spec.nodes` and `spec.pods`.
fn own_objects(spec: &mut Fields<'_>, plan: &mut Plan, r: &mut Resolver) {
    if let Some(list) = spec.take_or_meant("nodes", &SECTIONS) {
        for item in items(list, "`nodes`", &mut r.diagnostics).unwrap_or(&[]) {
            if let Some(nodes) = objects::nodes(item, true, r) {
                plan.nodes.extend(nodes.specs);
            }
        }
    }
    if let Some(list) = spec.take_or_meant("pods", &SECTIONS) {
        for item in items(list, "`pods`", &mut r.diagnostics).unwrap_or(&[]) {
            if let Some(pods) = objects::pods(item, true, r) {
                plan.pods.extend(pods.specs);
            }
        }
    }
}

fn manifest_files(list: &Node, manifests: &mut Objects, r: &mut Resolver) {
    for item in items(list, "`manifests`", &mut r.diagnostics).unwrap_or(&[]) {
        if let Value::Mapping(entries) = &item.value {
            // It is read all the same: others name its object.
            match entries.iter().any(|(key, _)| *key.text == *"kind") {
                true => collect(std::slice::from_ref(item), manifests, r),
                false => (r.unread_nodes, r.unread_pods) = (Unread::ALL, Unread::ALL),
            }
            let message = "a manifest's path is a string, not a mapping";
            let help = "write the path of a file; a manifest itself goes below the Scenario, after \
                        a line `---`";
            r.diagnostics.error_help(item.place, message, help);
            continue;
        }
        let Some(path) = string(item, "a manifest's path", &mut r.diagnostics) else { continue };
        let mut documents = r.read_documents(path, item.place);
        super::load::refuse_scenarios(&mut documents, item.place, r);
        collect(&documents, manifests, r);
    }
}

fn collect(documents: &[Node], manifests: &mut Objects, r: &mut Resolver) {
    manifest::collect(documents, "default", &mut r.lists, manifests, &mut r.diagnostics);
}

/// A dump alone is run as of the newest version: its reader should know where the cluster has
/// another one.
fn other_version(manifests: &Objects, place: Place, r: &mut Resolver) {
    let Some(((major, minor), _)) = of_most(&node_versions(manifests)) else { return };
    let newest = Config::default().profile;
    if let Some(profile) = Profile::of(major, minor).filter(|profile| *profile != newest) {
        let text = format!(
            "the nodes run {profile}, and {newest} is simulated: add \
             `--kubernetes-version {profile}` for theirs"
        );
        r.notice(place, text);
    }
}

/// The place of a step of the file by its number; of the document, where it is none of its own.
fn place_of_step(document: &Node, number: u32) -> Place {
    let place = document.place;
    let steps = mapping_get(document, "spec").and_then(|spec| mapping_get(spec, "steps"));
    let step = match steps.map(|steps| &steps.value) {
        Some(Value::Sequence(steps)) => steps.get(number as usize - 1),
        _ => None,
    };
    step.map_or(Place { end: place.start, ..place }, |step| step.place)
}

/// Steps that the end of the run cuts off are no mistake, but their reader should know.
fn late_steps(steps: &[Step], plan: &Plan, document: Option<&Node>, r: &mut Resolver) {
    let end = plan.config.until.unwrap_or(Config::UNBOUNDED_LIMIT);
    let late = steps.iter().zip(order::earliest(steps)).filter(|(_, time)| *time > end);
    let late = late.map(|(step, _)| step.number).min();
    if let Some(number) = late {
        let place = document.map(|document| place_of_step(document, number)).unwrap_or_default();
        let mut text = format!("step {number} comes after the end of the run at {end}");
        if plan.config.until.is_none() {
            text.push_str(": without `until` a run ends there at the latest");
        }
        r.notice(place, text);
    }
}
