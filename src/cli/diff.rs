//! `taintsim diff`: runs a scenario in several ways, and shows what differs.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, ValueHint};

use super::args::ScenarioArgs;
use super::limits::RunLimitArgs;
use super::load;
use super::output::{Target, format_and_file, print, refuse_input};
use super::run::{self, Finished};
use super::sink::Output;
use super::status::{self, Problem, Status};
use super::vary;
use crate::cluster::EndReason;
use crate::diff::{Because, Blame, Outcome, Row, differences};
use crate::plan::Plan;
use crate::profile::Profile;
use crate::render::{Comparison, Selection, Variant, html};
use crate::scenario::diagnostic::Located;
use crate::scenario::input::is_stdin;
use crate::scenario::{LoadOptions, Loaded, language, name_of};
use crate::timeline::Detail;

#[derive(Debug, Args)]
pub(super) struct DiffArgs {
    #[command(flatten)]
    scenario: ScenarioArgs,
    /// Compare with this scenario; pods are the same where their names are
    #[arg(value_name = "FILE2", value_hint = ValueHint::FilePath)]
    other: Option<PathBuf>,
    /// Compare these Kubernetes versions, such as 1.18,1.19, and say which switch is responsible
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_parser = language::profile)]
    #[arg(conflicts_with = "kubernetes_version")]
    versions: Vec<Profile>,
    /// Compare these values of the scenario; PATH as in --set, and a comma between values
    #[arg(long, value_name = "PATH=V1,V2")]
    vary: Option<String>,
    /// table; json: one document with fixed keys; or html: a page to look at; to stdout or a FILE
    #[arg(short, long, value_name = "FORMAT[=FILE]", default_value = "table")]
    #[arg(value_parser = OsStringValueParser::new().try_map(|text| DiffOutput::parse(&text)))]
    output: DiffOutput,
    #[command(flatten)]
    run_limits: RunLimitArgs,
}

/// A format of `-o`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DiffFormat {
    Table,
    Json,
    Html,
}

/// `FORMAT[=FILE]`.
#[derive(Clone, Debug)]
struct DiffOutput {
    format: DiffFormat,
    file: Option<PathBuf>,
}

impl DiffOutput {
    fn parse(text: &OsStr) -> Result<DiffOutput, String> {
        let known =
            [("table", DiffFormat::Table), ("json", DiffFormat::Json), ("html", DiffFormat::Html)];
        let (format, file) = format_and_file(text, &known)?;
        Ok(DiffOutput { format, file })
    }

    /// Writes what the command says; a file is written whole or not at all.
    fn write(&self, target: Option<Target<'_>>, text: &[u8]) -> Result<(), Problem> {
        let Some(mut target) = target else { return print(text) };
        match target.write_all(text) {
            Ok(()) => target.finish(),
            Err(error) => Err(target.problem(error)),
        }
    }
}

/// One of the runs, before it is loaded.
struct Case<'a> {
    name: String,
    file: &'a Path,
    options: LoadOptions,
    /// Its name is an override.
    is_varied: bool,
}

/// Runs the command.
pub(super) fn run(arguments: &DiffArgs) -> Result<Status, Problem> {
    let cases = cases(arguments)?;
    let loaded = load_all(&cases)?;
    // Before anything runs: a file that cannot be written costs no time.
    let target = match &arguments.output.file {
        Some(file) => {
            loaded.iter().try_for_each(|loaded| refuse_input(file, &loaded.files))?;
            Some(Target::create(file)?)
        }
        None => None,
    };
    let events_max = arguments.run_limits.events();
    let mut notices = Vec::new();
    let mut outcomes = Vec::new();
    for loaded in &loaded {
        let (outcome, told) = outcome_of(&loaded.plan, events_max)?;
        outcomes.push(outcome);
        notices.push(told);
    }
    tell(&cases, &notices);
    let rows = differences(&outcomes);
    let because = match arguments.versions.is_empty() {
        true => rows.iter().map(|_| Vec::new()).collect(),
        false => because(&loaded, &rows, events_max)?,
    };
    let variants: Vec<Variant> = cases.iter().zip(&loaded).map(variant).collect();
    let comparison =
        Comparison { variants: &variants, outcomes: &outcomes, rows: &rows, because: &because };
    let text = match arguments.output.format {
        DiffFormat::Table => comparison.table(),
        DiffFormat::Json => comparison.json(),
        DiffFormat::Html => page(&comparison, &loaded, events_max)?,
    };
    arguments.output.write(target, &text)?;
    Ok(if rows.is_empty() { Status::Done } else { Status::No })
}

/// The page: each run once more, with the pods that differ.
fn page(
    comparison: &Comparison<'_>,
    loaded: &[Loaded],
    events_max: u64,
) -> Result<Vec<u8>, Problem> {
    let pods = comparison.pods();
    let mut runs = Vec::new();
    for (loaded, variant) in loaded.iter().zip(comparison.variants) {
        let mut data = Vec::new();
        let render = Box::new(html::RunWriter::new(&variant.name));
        let output = Output::new(render, Target::Writer(&mut data));
        let selection = Selection::named(&loaded.plan, &pods);
        run::run(&loaded.plan, Detail::Summary, vec![output], selection, events_max, |_| ())?;
        runs.push(data);
    }
    Ok(html::diff_page(comparison, &runs))
}

fn variant((case, loaded): (&Case<'_>, &Loaded)) -> Variant {
    let Plan { name, config, .. } = &loaded.plan;
    Variant {
        name: case.name.clone(),
        scenario: name.clone(),
        seed: config.seed,
        profile: config.profile,
        switches: config.switches,
    }
}

/// The runs that the arguments ask for.
fn cases(arguments: &DiffArgs) -> Result<Vec<Case<'_>>, Problem> {
    let (file, manifests) = load::files(&arguments.scenario)?;
    load::refuse_second_stdin(manifests.iter().chain(&arguments.other).chain([&file.to_owned()]))?;
    if manifests.iter().any(|manifest| is_stdin(manifest)) {
        return Err(Problem::Usage(
            "`-f -` would be read once for each run; write it to a file, and name that".into(),
        ));
    }
    let options = load::options(&arguments.scenario, manifests);
    let is_varied = arguments.vary.is_some();
    let case = |name, file, options| Case { name, file, options, is_varied };
    match (&arguments.other, arguments.versions.as_slice(), &arguments.vary) {
        (Some(other), [], None) => {
            Ok([file, other].map(|file| case(name_of(file), file, options.clone())).into())
        }
        (None, versions @ [_, _, ..], None) => {
            refuse_repeated(versions)?;
            let case = |version: &Profile| {
                let kubernetes_version = Some(version.to_string());
                case(
                    version.to_string(),
                    file,
                    LoadOptions { kubernetes_version, ..options.clone() },
                )
            };
            Ok(versions.iter().map(case).collect())
        }
        (None, [version], None) => Err(Problem::Usage(format!(
            "--versions {version} is only one; write two or more, as in --versions 1.18,1.19"
        ))),
        (None, [], Some(text)) => {
            let wrong = |error| Problem::Usage(format!("--vary: {error}"));
            let changes = vary::overrides(text).map_err(wrong)?;
            let case = |change: String| {
                let mut options = options.clone();
                options.overrides.push(change.clone());
                case(change, file, options)
            };
            Ok(changes.into_iter().map(case).collect())
        }
        (None, [], None) => Err(Problem::Usage(
            "what is to be compared? Give a second FILE, or --versions 1.18,1.19, or --vary \
             PATH=V1,V2"
                .into(),
        )),
        _ => Err(Problem::Usage(
            "a second FILE, --versions and --vary are three ways to compare; give one of them"
                .into(),
        )),
    }
}

fn refuse_repeated(versions: &[Profile]) -> Result<(), Problem> {
    let repeated =
        versions.iter().enumerate().find(|(i, version)| versions[..*i].contains(version));
    match repeated {
        Some((_, version)) => Err(Problem::Usage(format!(
            "--versions has {version} twice; all patch releases of a minor version have one profile"
        ))),
        None => Ok(()),
    }
}

/// Loads them. Each file is read once, so that one of them can be stdin.
fn load_all(cases: &[Case<'_>]) -> Result<Vec<Loaded>, Problem> {
    let mut all = Vec::new();
    let mut input = None;
    for (index, case) in cases.iter().enumerate() {
        let known = input.take().filter(|_| index > 0 && cases[index - 1].file == case.file);
        let read = match known {
            Some(read) => read,
            None => load::read(case.file, &case.options.limits)?,
        };
        let loaded = load::load_input(&read, &case.options);
        if loaded.is_err() && case.is_varied {
            // What is wrong will be told of an option that the user did not write.
            status::notice(&format!("--vary is one --set for each run; this is {}:", case.name));
        }
        all.push(loaded?);
        input = Some(read);
    }
    let notices: Vec<Vec<String>> =
        cases.iter().zip(&all).map(|(case, loaded)| notices(case, loaded)).collect();
    tell(cases, &notices);
    Ok(all)
}

fn notices(case: &Case<'_>, loaded: &Loaded) -> Vec<String> {
    let notices = loaded.notices.iter();
    let notices = notices
        .filter(|notice| !case.is_varied || !vary::is_own_value(&case.name, &notice.message));
    notices.map(Located::one_line).collect()
}

/// What the user should know of the runs: what is so in all of them once, the rest with the run.
fn tell(cases: &[Case<'_>], notices: &[Vec<String>]) {
    let in_all = |text: &String| notices.iter().all(|told| told.contains(text));
    let Some(first) = notices.first() else { return };
    first.iter().filter(|text| in_all(text)).for_each(|text| status::notice(text));
    for (case, told) in cases.iter().zip(notices) {
        for text in told.iter().filter(|text| !in_all(text)) {
            // A notice about a file begins with its name.
            match text.starts_with(&*case.name) {
                true => status::notice(text),
                false => status::notice(&format!("{}: {text}", case.name)),
            }
        }
    }
}

/// What became of the plan, with what a reader should know of it.
fn outcome_of(plan: &Plan, events_max: u64) -> Result<(Outcome, Vec<String>), Problem> {
    let look = |done: &Finished<'_>| {
        let mut notices = done.faults_unmet.clone();
        if done.end.reason == EndReason::Limit {
            notices.push(run::LIMIT_NOTICE.to_owned());
        }
        let outcome = Outcome::of(done.context, &done.history, &done.steps_not_applied, done.end);
        (outcome, notices)
    };
    run::run(plan, Detail::Controller, Vec::new(), Selection::all(), events_max, look)
}

/// For each row and each run but the first, which switches make its value another one.
fn because(
    loaded: &[Loaded],
    rows: &[Row],
    events_max: u64,
) -> Result<Vec<Vec<Option<Because>>>, Problem> {
    let mut all: Vec<Vec<Option<Because>>> = rows.iter().map(|_| Vec::new()).collect();
    for (index, pair) in loaded.windows(2).enumerate() {
        let again = |plan: &Plan| outcome_of(plan, events_max).map(|(outcome, _)| outcome);
        let mut blame = Blame::new(&pair[0].plan, &pair[1].plan, rows, again);
        for (number, row) in rows.iter().enumerate() {
            let (here, there) = (&row.values[index], &row.values[index + 1]);
            let differs = here != there;
            all[number].push(match differs {
                true => Some(blame.find(number, there.as_ref())?),
                false => None,
            });
        }
    }
    Ok(all)
}
