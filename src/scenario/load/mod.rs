//! The way in: from a file, or a text, and the command line's options to a plan.

mod objects;

pub use objects::{LoadedObjects, ObjectsLoader};

use std::fmt;
use std::path::{Path, PathBuf};

use super::Loaded;
use super::diagnostic::{Diagnostic, Diagnostics, nearest, render_all};
use super::language::{self, Additions};
use super::paths;
use super::reader;
use super::resolve::Resolver;
use super::source::Sources;
use super::tree::{Node, Place, Value};
use crate::kernel::time::Time;

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
}

/// Why there is no plan.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The texts that the places are in.
    pub sources: Sources,
    /// The mistakes, in the order of the files.
    pub diagnostics: Vec<Diagnostic>,
    /// How many more there were than are kept.
    pub more: usize,
}

impl Failure {
    fn new(sources: Sources, diagnostics: Diagnostics) -> Failure {
        let count = diagnostics.len();
        let diagnostics = diagnostics.into_sorted();
        Failure { sources, more: count - diagnostics.len(), diagnostics }
    }

    /// All mistakes as text for a terminal.
    pub fn render(&self) -> String {
        let mut text = render_all(&self.diagnostics, &self.sources);
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
    let mut resolver = Resolver::default();
    let stdin = path.as_os_str() == "-";
    let stem = if stdin {
        "stdin".into()
    } else {
        resolver.base = Some(path.to_owned());
        path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
    };
    match resolver.sources.read(path, None) {
        Ok(source) => load_source(resolver, source, stem, options),
        Err(diagnostic) => {
            resolver.diagnostics.push(diagnostic);
            Err(Failure::new(resolver.sources, resolver.diagnostics))
        }
    }
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
    let mut resolver = Resolver::default();
    resolver.base = base.map(Path::to_owned);
    let stem = Path::new(name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    match resolver.sources.add_bytes(name, text.into()) {
        Ok(source) => load_source(resolver, source, stem.unwrap_or_default(), options),
        Err(diagnostic) => {
            resolver.diagnostics.push(diagnostic);
            Err(Failure::new(resolver.sources, resolver.diagnostics))
        }
    }
}

fn load_source(
    mut r: Resolver,
    source: u16,
    stem: String,
    options: &LoadOptions,
) -> Result<Loaded, Failure> {
    let mut documents = reader::read(&r.sources, source, &mut r.diagnostics);
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
    let notices = r.notices.iter().map(|(place, text)| notice(*place, text, sources)).collect();
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
    for path in &options.manifests {
        match r.sources.read(path, None) {
            Ok(source) => further.extend(reader::read(&r.sources, source, &mut r.diagnostics)),
            Err(diagnostic) => r.diagnostics.push(diagnostic),
        }
    }
    refuse_second_scenario(&mut further, scenario, r);
    further
}

fn asked_profile(text: &str, r: &mut Resolver) -> Option<&'static str> {
    match language::profile(text) {
        Ok(profile) => Some(profile),
        Err(message) => {
            let place = add_whole(&mut r.sources, "--kubernetes-version", text);
            r.diagnostics.error(place, message);
            None
        }
    }
}

/// Adds an option's text as a source of its own; gives the place of all of it.
fn add_whole(sources: &mut Sources, name: &str, text: &str) -> Place {
    let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
    Place { source: sources.add(name, text.to_owned()), start: 0, end }
}

fn notice(place: Place, text: &str, sources: &Sources) -> String {
    let name = sources.name(place.source);
    let line = sources.line(place).unwrap_or(1);
    super::diagnostic::escape(&format!("{name}:{line}: {text}"))
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

/// Whether a document is, or is meant to be, a Scenario.
fn is_scenario(node: &Node) -> bool {
    let Value::Mapping(entries) = &node.value else { return false };
    let value = |key: &str| entries.iter().find(|(k, _)| *k.text == *key).map(|(_, node)| node);
    let text = |key: &str| match value(key).map(|node| &node.value) {
        Some(Value::Plain(text) | Value::Quoted(text)) => Some(&**text),
        _ => None,
    };
    let group = text("apiVersion").is_some_and(|version| version.starts_with("taintsim.dev"));
    let kind = text("kind").is_some_and(|kind| nearest(kind, ["Scenario"]).is_some());
    if group || kind {
        return true;
    }
    // Only a Scenario has these; a Node or Pod without a kind has none of them.
    let spec_keys = ["steps", "expect", "nodes", "pods", "faults"];
    let unnamed = value("kind").is_none() && value("apiVersion").is_none();
    unnamed
        && value("spec").is_some_and(|spec| match &spec.value {
            Value::Mapping(entries) => {
                entries.iter().any(|(key, _)| spec_keys.contains(&&*key.text))
            }
            _ => false,
        })
}

#[cfg(test)]
mod tests;
