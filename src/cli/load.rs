//! From arguments to a plan.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::args::{FilterArgs, ScenarioArgs};
use super::output::printable_path;
use super::status::{Problem, say};
use crate::objects::PodId;
use crate::plan::Plan;
use crate::render::{Selection, printable};
use crate::scenario::{self, LoadOptions, Loaded, selector};

/// Loads what the arguments name; notices go to stderr.
pub(super) fn load(arguments: &ScenarioArgs) -> Result<Loaded, Problem> {
    let (file, manifests) = files(arguments)?;
    let options = LoadOptions {
        overrides: arguments.set.clone(),
        extra_steps: arguments.step.clone(),
        seed: arguments.seed,
        kubernetes_version: arguments.kubernetes_version.clone(),
        until: arguments.until,
        manifests: manifests.to_vec(),
    };
    let loaded = load_file(file, &options)?;
    for notice in &loaded.notices {
        say(&format!("notice: {}\n", printable(notice)));
    }
    Ok(loaded)
}

/// Loads one file; notices are the caller's.
pub(super) fn load_file(file: &Path, options: &LoadOptions) -> Result<Loaded, Problem> {
    tracing::debug!("loading {}", printable_path(file));
    let loaded = scenario::load(file, options).map_err(Problem::input)?;
    tracing::debug!(
        "loaded {}: {} nodes, {} pods, {} steps, {} expectations",
        printable_path(file),
        loaded.plan.nodes.len(),
        loaded.plan.pods.len(),
        loaded.plan.steps.len(),
        loaded.expectations.len()
    );
    Ok(loaded)
}

/// What one file, or stdin, holds: read once, however often it is loaded.
pub(super) struct Input {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Input {
    pub(super) fn read(path: &Path) -> Result<Input, Problem> {
        let opened: io::Result<Box<dyn Read>> = match is_stdin(path) {
            true => Ok(Box::new(io::stdin().lock())),
            false => File::open(path).map(|file| Box::new(file) as Box<dyn Read>),
        };
        let mut bytes = Vec::new();
        // Some files (`/dev/zero`) have no end; the loader says that it is too much.
        let limit = u64::from(u32::MAX) + 1;
        match opened.and_then(|from| from.take(limit).read_to_end(&mut bytes)) {
            Ok(_) => Ok(Input { path: path.to_owned(), bytes }),
            // What cannot be read is told in the loader's words.
            Err(error) => Err(match scenario::load(path, &LoadOptions::default()) {
                Err(failure) => Problem::input(failure),
                Ok(_) => Problem::Usage(format!("cannot read {}: {error}", printable_path(path))),
            }),
        }
    }

    /// As messages name it.
    pub(super) fn name(&self) -> String {
        match is_stdin(&self.path) {
            true => "<stdin>".into(),
            false => printable_path(&self.path),
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Notices are the caller's.
    pub(super) fn load(&self, options: &LoadOptions) -> Result<Loaded, Problem> {
        let base = Some(self.path.as_path()).filter(|path| !is_stdin(path));
        let loaded = scenario::load_text(&self.name(), self.bytes.clone(), base, options);
        loaded.map_err(Problem::input)
    }
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The scenario and the manifests beside it.
fn files(arguments: &ScenarioArgs) -> Result<(&Path, &[PathBuf]), Problem> {
    let (file, manifests) = match (&arguments.file, arguments.manifests.as_slice()) {
        (Some(file), manifests) => (file, manifests),
        (None, [file, manifests @ ..]) => (file, manifests),
        (None, []) => return Err(Problem::Usage("no FILE given".into())),
    };
    let from_stdin = manifests.iter().chain([file]).filter(|path| is_stdin(path)).count();
    if from_stdin > 1 {
        return Err(Problem::Usage("stdin (`-`) can be read only once".into()));
    }
    Ok((file, manifests))
}

/// What `-n`, `-l` and `--pod` show.
pub(super) fn selection(arguments: &FilterArgs, plan: &Plan) -> Result<Selection, Problem> {
    let namespace = arguments.namespace.as_deref();
    let selector = match &arguments.selector {
        Some(text) => {
            let wrong = |error| Problem::Usage(format!("-l {text}: {error}"));
            Some(selector::parse(text).map_err(wrong)?)
        }
        None => None,
    };
    let pod = match &arguments.pod {
        Some(name) => Some(find_pod(plan, name, namespace)?),
        None => None,
    };
    let selection = Selection::new(plan, namespace, selector.as_ref(), pod);
    if plan.names.pod_count() > 0 && plan.names.pods().all(|(id, _)| !selection.has_pod(id)) {
        say("notice: no pod matches what is to be shown (-n, -l, --pod)\n");
    }
    Ok(selection)
}

fn find_pod(plan: &Plan, name: &str, namespace: Option<&str>) -> Result<PodId, Problem> {
    let full = match name.contains('/') {
        true => name.to_owned(),
        false => format!("{}/{name}", namespace.unwrap_or("default")),
    };
    plan.names.find_pod(&full).ok_or_else(|| {
        let nearest = plan
            .names
            .pods()
            .map(|(_, known)| (strsim::damerau_levenshtein(known, &full), known))
            .min()
            .map(|(_, known)| format!("; did you mean {known}?"));
        Problem::Usage(format!("there is no pod {full}{}", nearest.unwrap_or_default()))
    })
}
