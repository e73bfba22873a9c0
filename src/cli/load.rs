//! From arguments to a plan.

use std::path::{Path, PathBuf};

use super::args::{FilterArgs, ScenarioArgs};
use super::status::{self, Problem};
use crate::objects::PodId;
use crate::plan::Plan;
use crate::render::{Selection, printable};
use crate::scenario::input::is_stdin;
use crate::scenario::{self, Input, Limits, LoadOptions, Loaded, selector};

/// Loads what the arguments name; notices go to stderr.
pub(super) fn load(arguments: &ScenarioArgs) -> Result<Loaded, Problem> {
    let (file, manifests) = files(arguments)?;
    let options = options(arguments, manifests);
    let loaded = load_input(&read(Path::new(file), &options.limits)?, &options)?;
    for notice in &loaded.notices {
        status::notice(&notice.one_line());
    }
    Ok(loaded)
}

/// What the arguments ask for beside the file.
pub(super) fn options(arguments: &ScenarioArgs, manifests: &[PathBuf]) -> LoadOptions {
    LoadOptions {
        overrides: arguments.set.clone(),
        extra_steps: arguments.step.clone(),
        seed: arguments.seed,
        kubernetes_version: arguments.kubernetes_version.clone(),
        until: arguments.until,
        manifests: manifests.to_vec(),
        limits: arguments.limits.limits(),
    }
}

/// Reads a file, or stdin for `-`.
pub(super) fn read(path: &Path, limits: &Limits) -> Result<Input, Problem> {
    tracing::debug!("reading {}", printable(&scenario::name_of(path)));
    Input::read(path, limits).map_err(Problem::input)
}

/// Loads what was read; notices are the caller's.
pub(super) fn load_input(input: &Input, options: &LoadOptions) -> Result<Loaded, Problem> {
    let loaded = scenario::load_input(input, options).map_err(Problem::input)?;
    tracing::debug!(
        "loaded {}: {} nodes, {} pods, {} steps, {} expectations",
        printable(input.name()),
        loaded.plan.nodes.len(),
        loaded.plan.pods.len(),
        loaded.plan.steps.len(),
        loaded.expectations.len()
    );
    Ok(loaded)
}

/// stdin gives what it has to the first who reads it.
pub(super) fn refuse_second_stdin<'a>(
    names: impl Iterator<Item = &'a PathBuf>,
) -> Result<(), Problem> {
    match names.filter(|name| is_stdin(name)).count() {
        0 | 1 => Ok(()),
        _ => Err(Problem::Usage(
            "stdin (`-`) can be read only once; write it to a file, and name that twice".into(),
        )),
    }
}

/// The scenario and the manifests beside it.
pub(super) fn files(arguments: &ScenarioArgs) -> Result<(&Path, &[PathBuf]), Problem> {
    let (file, manifests) = match (&arguments.file, arguments.manifests.as_slice()) {
        (Some(file), manifests) => (file, manifests),
        (None, [file, manifests @ ..]) => (file, manifests),
        (None, []) => return Err(Problem::Usage("no FILE given".into())),
    };
    refuse_second_stdin(manifests.iter().chain([file]))?;
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
        status::notice("no pod matches what is to be shown (-n, -l, --pod)");
    }
    Ok(selection)
}

/// The pod that a user names, also as `pod/web-0`.
pub(super) fn find_pod(plan: &Plan, name: &str, namespace: Option<&str>) -> Result<PodId, Problem> {
    let bare = name.strip_prefix("pod/").or_else(|| name.strip_prefix("pods/"));
    if let (Some(bare), None) = (bare, plan.names.find_pod(name)) {
        return find_pod(plan, bare, namespace);
    }
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
