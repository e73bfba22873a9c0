//! `taintsim validate`: checks files without running them.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::diagnostics;
use super::limits::LoadLimitArgs;
use super::load;
use super::output::{print, printable_path};
use super::status::{self, Problem, Status};
use super::walk::{self, Found};
use crate::render::counted;
use crate::scenario::diagnostic::Located;
use crate::scenario::{Failure, Limits, LoadOptions, Loaded};

#[derive(Debug, Args)]
pub(super) struct ValidateArgs {
    /// Scenarios or dumps, and directories that are searched for *.yaml, *.yml and *.json; `-` is
    /// stdin
    #[arg(value_name = "PATH", required = true, value_hint = ValueHint::AnyPath)]
    files: Vec<PathBuf>,
    /// text; or json: one document with all that is wrong, for editors and CI
    #[arg(short, long, value_name = "FORMAT", default_value = "text", hide_possible_values = true)]
    output: OutputFormat,
    #[command(flatten)]
    limits: LoadLimitArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum OutputFormat {
    Text,
    Json,
}

/// What is known of a file.
pub(super) enum Verdict {
    /// It can run.
    Right {
        contents: Contents,
        notices: Vec<Located>,
    },
    Wrong(Box<Failure>),
    /// Somebody else's: not named, and neither a scenario nor a dump.
    Skipped,
}

/// What is in a file that can run.
pub(super) struct Contents {
    pub(super) is_scenario: bool,
    pub(super) nodes: usize,
    pub(super) pods: usize,
    pub(super) steps: usize,
    pub(super) expectations: usize,
}

/// Runs the command.
pub(super) fn run(arguments: &ValidateArgs) -> Result<Status, Problem> {
    let limits = arguments.limits.limits();
    load::refuse_second_stdin(arguments.files.iter())?;
    let mut status = Status::Done;
    let mut checked = Vec::new();
    for file in files(&arguments.files)? {
        let name = printable_path(&file.path);
        let verdict = verdict(&file, limits)?;
        if matches!(verdict, Verdict::Wrong(_)) {
            status = Status::BadInput;
        }
        match arguments.output {
            OutputFormat::Text => tell(&name, verdict)?,
            OutputFormat::Json => checked.push(diagnostics::file(&name, &verdict)),
        }
    }
    if let OutputFormat::Json = arguments.output {
        print(diagnostics::document(&checked, status == Status::Done))?;
    }
    Ok(status)
}

fn files(paths: &[PathBuf]) -> Result<Vec<Found>, Problem> {
    let mut all = Vec::new();
    for path in paths {
        let found = walk::files(std::slice::from_ref(path))?;
        if found.is_empty() {
            status::notice(&format!(
                "{}: no *.yaml, *.yml or *.json below it",
                printable_path(path)
            ));
        }
        all.extend(found);
    }
    if all.is_empty() {
        return Err(Problem::Usage("nothing was checked: there is no file".into()));
    }
    Ok(all)
}

/// As `test` does: what was not named, cannot be loaded and names no Scenario is somebody else's.
fn verdict(file: &Found, limits: Limits) -> Result<Verdict, Problem> {
    let input = match load::read(&file.path, &limits) {
        Err(Problem::Input(failure)) => return Ok(Verdict::Wrong(failure)),
        read => read?,
    };
    match load::load_input(&input, &LoadOptions { limits, ..LoadOptions::default() }) {
        Ok(loaded) => {
            Ok(Verdict::Right { contents: Contents::of(&loaded), notices: loaded.notices })
        }
        Err(Problem::Input(_)) if !file.is_named && !walk::mentions_scenario(input.bytes()) => {
            Ok(Verdict::Skipped)
        }
        Err(Problem::Input(failure)) => Ok(Verdict::Wrong(failure)),
        Err(problem) => Err(problem),
    }
}

fn tell(file: &str, verdict: Verdict) -> Result<(), Problem> {
    let what = match verdict {
        Verdict::Right { contents, notices } => {
            notices.iter().for_each(|notice| status::notice(&notice.one_line()));
            format!("ok ({})", contents.line())
        }
        Verdict::Wrong(failure) => {
            Problem::Input(failure).report();
            return Ok(());
        }
        Verdict::Skipped => "skipped (neither a scenario nor a dump)".to_owned(),
    };
    print(format!("{file}: {what}\n"))
}

impl Contents {
    fn of(loaded: &Loaded) -> Contents {
        Contents {
            is_scenario: loaded.is_scenario,
            nodes: loaded.plan.nodes.len(),
            pods: loaded.plan.pods.len(),
            steps: loaded.plan.steps.len(),
            expectations: loaded.expectations.len(),
        }
    }

    /// `scenario, 3 nodes, 6 pods, 2 steps, 4 expectations`.
    fn line(&self) -> String {
        let objects = format!("{}, {}", counted(self.nodes, "node"), counted(self.pods, "pod"));
        match self.is_scenario {
            true => format!(
                "scenario, {objects}, {}, {}",
                counted(self.steps, "step"),
                counted(self.expectations, "expectation")
            ),
            false => format!("dump, {objects}"),
        }
    }
}
