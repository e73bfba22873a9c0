//! `taintsim test`: runs every scenario below the paths and judges what it expects.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::args::{Color, TestArgs};
use super::load;
use super::run::{Finished, run};
use super::status::{Problem, Status, say};
use super::walk::{self, Found};
use crate::expectation::Expectation;
use crate::expectation::judge::{Evidence, judge, judge_steps, needed_detail};
use crate::plan::Plan;
use crate::render::{Selection, counted, printable};
use crate::scenario::{Input, Limits, LoadOptions, Loaded};

/// What became of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Passed,
    Failed,
    Unchecked,
    Skipped,
    /// It could not be loaded: failed, and bad input.
    Broken,
}

#[derive(Debug, Default)]
struct Tally {
    passed: usize,
    failed: usize,
    unchecked: usize,
    skipped: usize,
    broken: usize,
}

impl Tally {
    fn add(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Passed => self.passed += 1,
            Verdict::Failed => self.failed += 1,
            Verdict::Unchecked => self.unchecked += 1,
            Verdict::Skipped => self.skipped += 1,
            Verdict::Broken => {
                self.failed += 1;
                self.broken += 1;
            }
        }
    }

    fn line(&self) -> String {
        let mut line = format!("{} passed, {} failed", self.passed, self.failed);
        if self.broken > 0 {
            line.push_str(&format!(" ({} could not be loaded)", self.broken));
        }
        format!("{line}, {} unchecked, {} skipped\n", self.unchecked, self.skipped)
    }

    fn has_no_scenario(&self) -> bool {
        self.passed + self.failed + self.unchecked == 0
    }

    fn status(&self) -> Status {
        match (self.broken, self.failed) {
            (0, 0) => Status::Done,
            (0, _) => Status::No,
            _ => Status::BadInput,
        }
    }
}

/// Runs the command.
pub(super) fn run_all(arguments: &TestArgs, color: Color) -> Result<Status, Problem> {
    let styled = color.is_on(&io::stdout());
    let limits = Limits { events: arguments.run_limits.events(), ..arguments.load_limits.limits() };
    let mut tally = Tally::default();
    for found in walk::files(&arguments.paths)? {
        let (verdict, text) = test_file(&found, limits)?;
        tally.add(verdict);
        if verdict != Verdict::Skipped {
            let head = format!(
                "{}  {}",
                painted(verdict, styled),
                printable(&found.path.to_string_lossy())
            );
            writeln!(io::stdout(), "{head}{text}")?;
        }
    }
    io::stdout().write_all(tally.line().as_bytes())?;
    if tally.has_no_scenario() {
        let paths: Vec<_> = arguments.paths.iter().map(|path| path.to_string_lossy()).collect();
        return Err(Problem::Usage(format!(
            "nothing was tested: there is no scenario in {}; one is a YAML or JSON file with \
             `apiVersion: taintsim.dev/v1alpha1` and `kind: Scenario`",
            paths.join(", ")
        )));
    }
    Ok(tally.status())
}

fn painted(verdict: Verdict, styled: bool) -> String {
    let (word, color) = match verdict {
        Verdict::Passed => ("PASS", AnsiColor::Green),
        Verdict::Failed | Verdict::Broken => ("FAIL", AnsiColor::Red),
        Verdict::Unchecked => ("UNCHECKED", AnsiColor::Yellow),
        Verdict::Skipped => ("SKIPPED", AnsiColor::Yellow),
    };
    let style = match styled {
        true => Style::new().fg_color(Some(color.into())),
        false => Style::new(),
    };
    format!("{style}{word}{style:#}")
}

/// The verdict on a file, and what is printed after its name.
fn test_file(found: &Found, limits: Limits) -> Result<(Verdict, String), Problem> {
    let input = match load::read(&found.path, &limits) {
        Err(Problem::Input(text)) => return Ok(broken(&text)),
        read => read?,
    };
    let loaded = match load::load_input(&input, &LoadOptions { limits, ..LoadOptions::default() }) {
        Ok(loaded) if loaded.is_scenario => loaded,
        Ok(_) => return Ok((Verdict::Skipped, String::new())),
        Err(Problem::Input(_)) if !found.is_named && !walk::mentions_scenario(input.bytes()) => {
            return Ok((Verdict::Skipped, String::new()));
        }
        Err(Problem::Input(text)) => return Ok(broken(&text)),
        Err(problem) => return Err(problem),
    };
    for notice in &loaded.notices {
        say(&format!("notice: {}\n", printable(notice)));
    }
    let failures = match failures(&input, &loaded, limits) {
        // An expectation's own version can be one that the scenario is wrong for.
        Err(Problem::Input(text)) => return Ok(broken(&text)),
        judged => judged?,
    };
    let checked = counted(loaded.expectations.len(), "expectation");
    Ok(match (failures.is_empty(), loaded.expectations.is_empty()) {
        (true, true) => (Verdict::Unchecked, " (no `expect`)".into()),
        (true, false) => (Verdict::Passed, format!(" ({checked})")),
        (false, _) => {
            let lines = failures.iter().map(|failure| format!("\n  {}", indented(failure)));
            (Verdict::Failed, lines.collect())
        }
    })
}

fn broken(diagnostics: &str) -> (Verdict, String) {
    (Verdict::Broken, format!("\n{}", diagnostics.trim_end()))
}

/// A failure's text with its own lines kept, and nothing else that a terminal would act on.
fn indented(failure: &str) -> String {
    failure.split('\n').map(printable).collect::<Vec<_>>().join("\n  ")
}

/// Runs the scenario's own version, and each that an expectation names.
fn failures(input: &Input, loaded: &Loaded, limits: Limits) -> Result<Vec<String>, Problem> {
    let own: Vec<&Expectation> =
        loaded.expectations.iter().filter(|e| e.kubernetes_version.is_none()).collect();
    let mut failures = run_and_judge(&loaded.plan, &own, limits.events, |finished| {
        judge_steps(&loaded.expectations, evidence(finished))
            .iter()
            .map(ToString::to_string)
            .collect()
    })?;
    let mut versions: Vec<&str> =
        loaded.expectations.iter().filter_map(|e| e.kubernetes_version.as_deref()).collect();
    versions.sort_unstable();
    versions.dedup();
    for version in versions {
        let kubernetes_version = Some(version.to_owned());
        let options = LoadOptions { kubernetes_version, limits, ..LoadOptions::default() };
        let other = load::load_input(input, &options)?;
        let theirs: Vec<&Expectation> = other
            .expectations
            .iter()
            .filter(|e| e.kubernetes_version.as_deref() == Some(version))
            .collect();
        let found = run_and_judge(&other.plan, &theirs, limits.events, |_| Vec::new())?;
        failures
            .extend(found.into_iter().map(|failure| format!("{failure} (Kubernetes {version})")));
    }
    Ok(failures)
}

fn run_and_judge(
    plan: &Plan,
    expectations: &[&Expectation],
    events_max: u64,
    others: impl FnOnce(&Finished<'_>) -> Vec<String>,
) -> Result<Vec<String>, Problem> {
    let detail = needed_detail(expectations.iter().copied());
    run(plan, detail, Vec::new(), Selection::all(), events_max, |finished| {
        let judged = judge(expectations.iter().copied(), evidence(finished));
        judged.iter().map(ToString::to_string).chain(others(finished)).collect()
    })
}

fn evidence<'a>(finished: &'a Finished<'_>) -> Evidence<'a> {
    Evidence {
        context: finished.context,
        history: &finished.history,
        steps_not_applied: &finished.steps_not_applied,
        end: finished.end,
    }
}
