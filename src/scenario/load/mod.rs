//! The way in: from a file, or a text, and the command line's options to a plan.

mod objects;

pub use objects::{LoadedObjects, ObjectsLoader};

use std::fmt;
use std::path::{Path, PathBuf};

use super::Loaded;
use super::diagnostic::{Diagnostic, Diagnostics, Located, Severity, nearest};
use super::input::{Input, is_stdin};
use super::language::{self, Additions};
use super::limits::Limits;
use super::manifest;
use super::paths;
use super::reader::{self, Kept};
use super::resolve::Resolver;
use super::source::Sources;
use super::tree::{Node, Place, Value};
use crate::kernel::time::Time;
use crate::profile::Profile;

/// What is asked for beside the file.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// `PATH=VALUE`, applied in order to the scenario as written.
    pub overrides: Vec<String>,
    /// `AT KUBECTL-LINE`, put among the steps in the order of their times.
    pub extra_steps: Vec<String>,
    /// In place of `spec.seed`.
    pub seed: Option<u64>,
    /// In place of `spec.kubernetesVersion`, in any of its spellings.
    pub kubernetes_version: Option<String>,
    /// In place of `spec.until`.
    pub until: Option<Time>,
    /// Further files of manifests; paths as the user gave them.
    pub manifests: Vec<PathBuf>,
    /// How much it may take.
    pub limits: Limits,
}

/// Why there is no plan.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The texts that the places are in. In a box: results should be small.
    pub sources: Box<Sources>,
    /// The mistakes, in the order of the files.
    pub diagnostics: Vec<Diagnostic>,
    /// How many more there were than are kept.
    pub more: usize,
}

impl Failure {
    fn new(sources: Sources, diagnostics: Diagnostics) -> Failure {
        let count = diagnostics.len();
        let diagnostics = diagnostics.into_sorted();
        let sources = Box::new(sources);
        Failure { sources, more: count - diagnostics.len(), diagnostics }
    }

    pub(super) fn of_one(sources: Sources, diagnostic: Diagnostic) -> Failure {
        Failure { sources: Box::new(sources), diagnostics: vec![diagnostic], more: 0 }
    }

    /// The mistakes, each by itself.
    pub fn located(&self) -> impl Iterator<Item = Located> {
        self.diagnostics.iter().map(|d| Located::new(d, Severity::Error, &self.sources))
    }

    /// All mistakes as text.
    pub fn render(&self) -> String {
        self.painted(false)
    }

    /// The text of [`Failure::render`], in colour if `styled`.
    pub fn painted(&self, styled: bool) -> String {
        let texts: Vec<String> = self.located().map(|mistake| mistake.render(styled)).collect();
        let mut text = texts.join("\n");
        if self.more > 0 {
            text.push_str(&format!("\n{} more errors are not shown\n", self.more));
        }
        text
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render())
    }
}

impl std::error::Error for Failure {}

/// Loads a scenario or a plain dump from a file, or from standard input for `-`.
///
/// # Errors
/// Everything that is wrong with it.
pub fn load(path: &Path, options: &LoadOptions) -> Result<Loaded, Failure> {
    load_input(&Input::read(path, &options.limits)?, options)
}

/// Loads what was read before.
///
/// # Errors
/// Everything that is wrong with it.
pub fn load_input(input: &Input, options: &LoadOptions) -> Result<Loaded, Failure> {
    let base = input.path.as_deref().filter(|path| !is_stdin(path));
    load_from(input, base, options)
}

/// Loads a scenario from a text that is called `name`. Paths in it are relative to the folder of
/// `base`, or to the working directory without one.
///
/// # Errors
/// Everything that is wrong with it.
pub fn load_text(
    name: &str,
    text: impl Into<Vec<u8>>,
    base: Option<&Path>,
    options: &LoadOptions,
) -> Result<Loaded, Failure> {
    load_from(&Input::from_bytes(name, text.into()), base, options)
}

fn load_from(input: &Input, base: Option<&Path>, options: &LoadOptions) -> Result<Loaded, Failure> {
    let mut resolver = Resolver::default();
    resolver.base = base.map(Path::to_owned);
    resolver.sources = Sources::within(options.limits);
    let name = if input.name() == "<stdin>" { "stdin" } else { input.name() };
    let stem = Path::new(name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    match resolver.sources.add_input(input) {
        Ok(source) => load_source(resolver, source, stem.unwrap_or_default(), options),
        Err(diagnostic) => Err(Failure::of_one(resolver.sources, diagnostic)),
    }
}

fn load_source(
    mut r: Resolver,
    source: u16,
    stem: String,
    options: &LoadOptions,
) -> Result<Loaded, Failure> {
    let mut documents = reader::read_kept(&r.sources, source, KEPT, &mut r.diagnostics);
    if documents.is_empty() {
        return Err(Failure::new(r.sources, r.diagnostics));
    }
    let mut scenario = take_scenario(&mut documents, &mut r);
    r.is_dump = scenario.is_none();
    for text in &options.overrides {
        let targets = match &mut scenario {
            Some(node) => std::slice::from_mut(node),
            None => documents.as_mut_slice(),
        };
        paths::apply(text, targets, &mut r);
    }
    r.is_overridden = !options.overrides.is_empty();
    let further = further_manifests(options, scenario.as_ref(), &mut r);
    let profile = options.kubernetes_version.as_ref().and_then(|text| asked_profile(text, &mut r));
    let steps: Vec<(String, Place)> = options
        .extra_steps
        .iter()
        .map(|text| (text.clone(), add_whole(&mut r.sources, "--step", text)))
        .collect();
    let additions = Additions {
        documents: &documents,
        further: &further,
        steps: &steps,
        profile,
        seed: options.seed,
        until: options.until,
    };
    let read = language::read(scenario.as_ref(), &additions, &mut r);
    r.finish();
    if !r.diagnostics.is_empty() {
        return Err(Failure::new(r.sources, r.diagnostics));
    }
    let mut plan = read.plan;
    if plan.name.is_empty() {
        plan.name = stem;
    }
    plan.names = r.names;
    plan.lists = r.lists;
    let sources = &r.sources;
    let notices = sources.notices().iter().chain(&r.notices);
    let notices = notices.map(|d| Located::new(d, Severity::Notice, sources)).collect();
    Ok(Loaded {
        plan,
        expectations: read.expectations,
        description: read.description,
        is_scenario: scenario.is_some(),
        files: sources.paths(),
        notices,
    })
}

/// The documents of the files that the command line adds.
fn further_manifests(
    options: &LoadOptions,
    scenario: Option<&Node>,
    r: &mut Resolver,
) -> Vec<Node> {
    let mut further = Vec::new();
    let before = r.diagnostics.len();
    for path in &options.manifests {
        match r.sources.read(path, None) {
            Ok(source) => {
                let documents = reader::read_kept(&r.sources, source, KEPT, &mut r.diagnostics);
                further.extend(documents);
            }
            Err(diagnostic) => r.diagnostics.push(diagnostic),
        }
    }
    r.note_unread_since(before);
    refuse_second_scenario(&mut further, scenario, r);
    further
}

fn asked_profile(text: &str, r: &mut Resolver) -> Option<Profile> {
    match language::profile(text) {
        Ok(profile) => Some(profile),
        Err(message) => {
            let place = add_whole(&mut r.sources, "--kubernetes-version", text);
            r.diagnostics.error_help(place, message, language::VERSION_HELP);
            None
        }
    }
}

/// Adds an option's text as a source of its own; gives the place of all of it.
fn add_whole(sources: &mut Sources, name: &str, text: &str) -> Place {
    let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
    Place { source: sources.add(name, text.to_owned()), start: 0, end }
}

/// Takes the Scenario document out of a stream.
fn take_scenario(documents: &mut Vec<Node>, r: &mut Resolver) -> Option<Node> {
    let index = documents.iter().position(is_scenario)?;
    let scenario = documents.remove(index);
    refuse_second_scenario(documents, Some(&scenario), r);
    Some(scenario)
}

/// There is one Scenario in a run; others are taken out with a mistake noted.
fn refuse_second_scenario(documents: &mut Vec<Node>, scenario: Option<&Node>, r: &mut Resolver) {
    documents.retain(|node| {
        if !is_scenario(node) {
            return true;
        }
        let (message, help) = match scenario {
            Some(first) if first.place == node.place => {
                let help = "leave it out there: `-f` adds manifests to it";
                ("this file is the scenario of the run, and is named once more".to_owned(), help)
            }
            Some(first) => {
                let name = r.sources.name(first.place.source);
                let line = r.sources.line(first.place).unwrap_or(1);
                let help = match first.place.source == node.place.source {
                    true => "a run has one Scenario; use two files, and run each by itself",
                    false => "a run has one Scenario; run each file by itself: `-f` adds manifests",
                };
                (format!("a second Scenario; the first one begins in {name}, line {line}"), help)
            }
            None => {
                let help = "name the file with the Scenario first, and the manifests with `-f`";
                ("a Scenario among manifests".to_owned(), help)
            }
        };
        let place = Place { end: node.place.start + 1, ..node.place };
        r.diagnostics.error_help(place, message, help);
        false
    });
}

/// What is kept of an input: all of a Scenario, and of manifests what is read of them.
pub(super) const KEPT: Kept = Kept { keep: &manifest::KEPT, is_whole: is_of_scenario };

/// Whether only a Scenario, or what is meant to be one, has this entry at its top. Takes too many
/// for one rather than too few.
fn is_of_scenario(key: &str, node: &Node) -> bool {
    let is = |test: fn(&str) -> bool| match &node.value {
        Value::Plain(text) | Value::Quoted(text) => test(text),
        _ => false,
    };
    match key {
        "apiVersion" => is(is_our_group),
        "kind" => is(is_our_kind),
        "spec" => has_our_spec(node),
        _ => false,
    }
}

fn is_our_group(version: &str) -> bool {
    version.starts_with("taintsim.dev")
}

fn is_our_kind(kind: &str) -> bool {
    nearest(kind, ["Scenario"]).is_some()
}

/// Only a Scenario has these; a Node or Pod has none of them.
fn has_our_spec(spec: &Node) -> bool {
    let ours = ["steps", "expect", "nodes", "pods", "faults"];
    match &spec.value {
        Value::Mapping(entries) => entries.iter().any(|(key, _)| ours.contains(&&*key.text)),
        _ => false,
    }
}

/// Takes Scenarios out of the documents of a manifest that is named at `place`.
pub(super) fn refuse_scenarios(documents: &mut Vec<Node>, place: Place, r: &mut Resolver) {
    let before = documents.len();
    documents.retain(|node| !is_scenario(node));
    if documents.len() < before {
        let help = "name files of Nodes and Pods; each Scenario is run by itself";
        r.diagnostics.error_help(place, "this file has a Scenario, and is no manifest", help);
    }
}

/// Whether a document is, or is meant to be, a Scenario.
fn is_scenario(node: &Node) -> bool {
    let Value::Mapping(entries) = &node.value else { return false };
    let value = |key: &str| entries.iter().find(|(k, _)| *k.text == *key).map(|(_, node)| node);
    let text = |key: &str| match value(key).map(|node| &node.value) {
        Some(Value::Plain(text) | Value::Quoted(text)) => Some(&**text),
        _ => None,
    };
    if text("apiVersion").is_some_and(is_our_group) || text("kind").is_some_and(is_our_kind) {
        return true;
    }
    let unnamed = value("kind").is_none() && value("apiVersion").is_none();
    unnamed && value("spec").is_some_and(has_our_spec)
}

#[cfg(test)]
mod tests;
