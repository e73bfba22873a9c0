//! `taintsim test`: runs every scenario below the paths and judges what it expects.

use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use clap::{Args, ValueHint};

use super::args::Color;
use super::junit::{Case, Outcome, Report};
use super::limits::{LoadLimitArgs, RunLimitArgs};
use super::load;
use super::output::{Target, print, printable_path, refuse_input};
use super::run::{Finished, notice_faults, run};
use super::seeds::{Failures, Seeds};
use super::status::{self, Problem, Status, Stopped};
use super::walk::{self, Found};
use crate::expectation::judge::{Evidence, Rules, judge, judge_steps, needed_detail};
use crate::expectation::{Check, Expectation};
use crate::plan::{Plan, PodTarget};
use crate::profile::Profile;
use crate::render::{Selection, counted, printable};
use crate::scenario::{Failure, Input, Limits, LoadOptions, Loaded, name_of};

#[derive(Debug, Args)]
pub(super) struct TestArgs {
    /// Scenarios, and directories that are searched for *.yaml, *.yml and *.json
    #[arg(value_name = "PATH", required = true, value_hint = ValueHint::AnyPath)]
    paths: Vec<PathBuf>,
    /// Also write a JUnit report, which CI shows, to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    junit: Option<PathBuf>,
    /// Judge under every seed of a range, such as 0..99, in the place of the scenario's own
    #[arg(long, value_name = "A..B")]
    seeds: Option<Seeds>,
    #[command(flatten)]
    load_limits: LoadLimitArgs,
    #[command(flatten)]
    run_limits: RunLimitArgs,
}

/// What became of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Passed,
    Failed,
    Unchecked,
    Skipped,
    /// It could not be loaded: failed, and bad input.
    Broken,
    /// Its run took more than it may: failed, and bad input.
    Stopped,
}

#[derive(Debug, Default)]
struct Tally {
    passed: usize,
    failed: usize,
    unchecked: usize,
    skipped: usize,
    broken: usize,
    stopped: usize,
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
            Verdict::Stopped => {
                self.failed += 1;
                self.stopped += 1;
            }
        }
    }

    fn line(&self) -> String {
        let mut line = format!("{} passed, {} failed", self.passed, self.failed);
        let why = [(self.broken, "could not be loaded"), (self.stopped, "stopped at a limit")];
        let why = why.iter().filter(|(count, _)| *count > 0);
        let why: Vec<String> = why.map(|(count, what)| format!("{count} {what}")).collect();
        if !why.is_empty() {
            line.push_str(&format!(" ({})", why.join(", ")));
        }
        format!("{line}, {} unchecked, {} skipped\n", self.unchecked, self.skipped)
    }

    fn has_no_scenario(&self) -> bool {
        self.passed + self.failed + self.unchecked == 0
    }

    fn status(&self) -> Status {
        match (self.broken + self.stopped, self.failed) {
            (0, 0) => Status::Done,
            (0, _) => Status::No,
            _ => Status::BadInput,
        }
    }
}

/// What is to be told of one file.
struct Told {
    verdict: Verdict,
    /// What is printed after its name.
    text: String,
    cases: Vec<Case>,
}

impl Told {
    fn skipped() -> Told {
        Told { verdict: Verdict::Skipped, text: String::new(), cases: Vec::new() }
    }

    fn broken(failure: &Failure, styled: bool) -> Told {
        let plain = failure.render().trim_end().to_owned();
        Told {
            verdict: Verdict::Broken,
            text: format!("\n{}", failure.painted(styled).trim_end()),
            cases: vec![Case::new("load", None, Outcome::Broken(plain))],
        }
    }

    fn stopped(stopped: Stopped) -> Told {
        let text = stopped.text("`until` in its spec");
        Told {
            verdict: Verdict::Stopped,
            text: in_list(&text),
            cases: vec![Case::new("run", None, Outcome::Broken(text))],
        }
    }
}

/// Runs the command.
pub(super) fn run_all(arguments: &TestArgs, color: Color) -> Result<Status, Problem> {
    let styled = color.is_on(&io::stdout());
    let limits = Limits { events: arguments.run_limits.events(), ..arguments.load_limits.limits() };
    let files = walk::files(&arguments.paths)?;
    let mut junit = match &arguments.junit {
        Some(path) => Some(create_junit(path, &files)?),
        None => None,
    };
    let mut tally = Tally::default();
    let mut report = Report::default();
    for found in files {
        let told = test_file(&found, limits, styled, arguments)?;
        tally.add(told.verdict);
        if told.verdict != Verdict::Skipped {
            let name = printable_path(&found.path);
            print(format!("{}  {name}{}\n", painted(told.verdict, styled), told.text))?;
            report.add(&name, told.cases);
        }
    }
    print(tally.line())?;
    if let Some(mut target) = junit.take() {
        let written = target.write_all(&report.xml()?);
        written.map_err(|error| target.problem(error))?;
        target.finish()?;
    }
    if tally.has_no_scenario() {
        let paths: Vec<_> = arguments.paths.iter().map(|path| name_of(path)).collect();
        return Err(Problem::Usage(format!(
            "nothing was tested: there is no scenario in {}; one is a YAML or JSON file with \
             `apiVersion: taintsim.dev/v1alpha1` and `kind: Scenario`",
            paths.join(", ")
        )));
    }
    Ok(tally.status())
}

/// The report's file, asked for before anything runs, so that a wrong path costs no time.
fn create_junit(path: &Path, files: &[Found]) -> Result<Target<'static>, Problem> {
    if path.as_os_str() == "-" {
        let text = "--junit wants a file: stdout has the verdicts; write --junit report.xml";
        return Err(Problem::Usage(text.into()));
    }
    let tested: Vec<PathBuf> = files.iter().map(|found| found.path.clone()).collect();
    refuse_input(path, &tested)?;
    Target::create(path)
}

fn painted(verdict: Verdict, styled: bool) -> String {
    let (word, color) = match verdict {
        Verdict::Passed => ("PASS", AnsiColor::Green),
        Verdict::Failed | Verdict::Broken | Verdict::Stopped => ("FAIL", AnsiColor::Red),
        Verdict::Unchecked => ("UNCHECKED", AnsiColor::Yellow),
        Verdict::Skipped => ("SKIPPED", AnsiColor::Yellow),
    };
    let style = match styled {
        true => Style::new().fg_color(Some(color.into())),
        false => Style::new(),
    };
    format!("{style}{word}{style:#}")
}

/// The verdict on a file.
fn test_file(
    found: &Found,
    limits: Limits,
    styled: bool,
    arguments: &TestArgs,
) -> Result<Told, Problem> {
    let (seeds, junit) = (arguments.seeds, arguments.junit.as_deref());
    // The report is written last, so that it can be refused as late as this.
    let refuse_input = |read: &[PathBuf]| junit.map_or(Ok(()), |path| refuse_input(path, read));
    let broken = |failure: &Failure| {
        refuse_input(&failure.sources.paths())?;
        Ok(Told::broken(failure, styled))
    };
    let input = match load::read(&found.path, &limits) {
        Err(Problem::Input(failure)) => return broken(&failure),
        read => read?,
    };
    let loaded = match load::load_input(&input, &LoadOptions { limits, ..LoadOptions::default() }) {
        Ok(loaded) if loaded.is_scenario => loaded,
        Ok(_) => return Ok(Told::skipped()),
        Err(Problem::Input(_)) if !found.is_named && !walk::mentions_scenario(input.bytes()) => {
            return Ok(Told::skipped());
        }
        Err(Problem::Input(failure)) => return broken(&failure),
        Err(problem) => return Err(problem),
    };
    refuse_input(&loaded.files)?;
    for notice in &loaded.notices {
        status::notice(&notice.one_line());
    }
    let cases = match cases(&input, &loaded, limits, seeds) {
        // An expectation's own version can be one that the scenario is wrong for.
        Err(Problem::Input(failure)) => return broken(&failure),
        Err(Problem::Stopped(stopped)) => return Ok(Told::stopped(stopped)),
        judged => judged?,
    };
    let failures: String = cases.iter().filter_map(Case::failure).map(in_list).collect();
    let checked = counted(loaded.expectations.len(), "expectation");
    let (verdict, text) = match (failures.is_empty(), loaded.expectations.is_empty()) {
        (true, true) => (Verdict::Unchecked, " (no `expect`)".into()),
        (true, false) => (Verdict::Passed, format!(" ({checked})")),
        (false, _) => (Verdict::Failed, failures),
    };
    Ok(Told { verdict, text, cases })
}

/// Failures as the list below a file's name has them.
fn in_list(failure: &str) -> String {
    failure.split('\n').map(|line| format!("\n  {line}")).collect()
}

/// A failure's text with its own lines kept, and nothing else that a terminal would act on.
fn shown(failure: &impl ToString) -> String {
    failure.to_string().split('\n').map(printable).collect::<Vec<_>>().join("\n")
}

/// Runs the scenario's own version, and each that an expectation names: a case for each
/// expectation, before one for the steps.
fn cases(
    input: &Input,
    loaded: &Loaded,
    limits: Limits,
    seeds: Option<Seeds>,
) -> Result<Vec<Case>, Problem> {
    let own: Vec<&Expectation> =
        loaded.expectations.iter().filter(|e| e.kubernetes_version.is_none()).collect();
    if seeds.is_some() && !loaded.plan.is_random() {
        status::notice(&format!(
            "{}: nothing in it is drawn, so that every seed gives the same run; `interleaving: \
             Random`, a range of latencies or a `probability` makes seeds differ",
            printable(&loaded.plan.name)
        ));
    }
    // A fault that no call meets is told once, and not under each seed.
    let is_noticed = Cell::new(false);
    let about = About { file: input.name(), version: None, events_max: limits.events, seeds };
    let (judged, steps) = run_and_judge(&loaded.plan, &own, about, |finished| {
        if !is_noticed.replace(true) {
            notice_faults(&finished.faults_unmet);
        }
        let steps = judge_steps(&loaded.expectations, evidence(finished));
        let steps: Vec<String> = steps.iter().map(shown).collect();
        (!steps.is_empty()).then(|| steps.join("\n"))
    })?;
    let outcome = match (steps, loaded.expectations.is_empty()) {
        (Some(steps), _) => Outcome::Failed(steps),
        (None, true) => Outcome::Unchecked("no `expect`: nothing was judged".into()),
        (None, false) => Outcome::Holds,
    };
    let own = own.iter().zip(judged).map(|(expectation, failure)| {
        let text = printable(&expectation.text);
        Case::new(&text, Some(expectation.line), failure.map_or(Outcome::Holds, Outcome::Failed))
    });
    let mut cases: Vec<Case> = own.collect();
    let mut versions: Vec<Profile> =
        loaded.expectations.iter().filter_map(|e| e.kubernetes_version).collect();
    versions.sort_unstable();
    versions.dedup();
    for version in versions {
        let kubernetes_version = Some(version.to_string());
        let options = LoadOptions { kubernetes_version, limits, ..LoadOptions::default() };
        let other = load::load_input(input, &options)?;
        let theirs: Vec<&Expectation> =
            other.expectations.iter().filter(|e| e.kubernetes_version == Some(version)).collect();
        let about = About { version: Some(version), ..about };
        let (judged, _) = run_and_judge(&other.plan, &theirs, about, |_| None)?;
        for (expectation, failure) in theirs.iter().zip(judged) {
            let in_version = |text: &str| format!("{text} (Kubernetes {version})");
            let outcome = failure.map_or(Outcome::Holds, |f| Outcome::Failed(in_version(&f)));
            let name = in_version(&printable(&expectation.text));
            cases.push(Case::new(&name, Some(expectation.line), outcome));
        }
    }
    cases.push(Case::new("steps", None, outcome));
    Ok(cases)
}

/// Which runs are judged.
#[derive(Clone, Copy)]
struct About<'a> {
    /// The scenario's file, as the user named it.
    file: &'a str,
    /// The Kubernetes version, where it is not the scenario's own.
    version: Option<Profile>,
    events_max: u64,
    seeds: Option<Seeds>,
}

impl About<'_> {
    /// A failure with the command that says more about its pod.
    fn told(self, plan: &Plan, expectation: &Expectation, failure: &impl ToString) -> String {
        let text = shown(failure);
        let pods = match &expectation.check {
            Check::Pod { pods, .. } | Check::Rule { pods: Some(pods), .. } => pods,
            _ => return text,
        };
        let PodTarget::Names(pods) = pods else { return text };
        let [pod] = pods.as_slice() else { return text };
        let [file, pod] = [self.file, plan.names.pod(*pod)].map(shell_words::quote);
        let version = self.version.map(|version| format!(" --kubernetes-version {version}"));
        let seed = self.seeds.map(|_| format!(" --seed {}", plan.config.seed));
        let [version, seed] = [version, seed].map(Option::unwrap_or_default);
        format!("{text} taintsim why {}{version}{seed}", printable(&format!("{file} {pod}")))
    }
}

/// What each expectation failed by, and what `others` find wrong with the run.
fn run_and_judge(
    plan: &Plan,
    expectations: &[&Expectation],
    about: About<'_>,
    others: impl Fn(&Finished<'_>) -> Option<String>,
) -> Result<(Vec<Option<String>>, Option<String>), Problem> {
    let detail = needed_detail(expectations.iter().copied());
    let mut judged: Vec<Failures> = expectations.iter().map(|_| Failures::default()).collect();
    let mut other = Failures::default();
    let mut rules = Rules::of(expectations.iter().copied(), about.events_max);
    let mut judge_run = |plan: &Plan| {
        let seed = plan.config.seed;
        run(plan, detail, Vec::new(), Selection::all(), about.events_max, |finished| {
            let breaches = rules.breaches(plan);
            let evidence = Evidence { breaches: &breaches, ..evidence(finished) };
            let failures = judge(expectations.iter().copied(), evidence);
            for ((judged, failure), expectation) in
                judged.iter_mut().zip(&failures).zip(expectations)
            {
                let failure = failure.as_ref();
                judged.add(seed, failure.map(|f| about.told(plan, expectation, f)));
            }
            other.add(seed, others(finished));
        })
    };
    match about.seeds {
        None => judge_run(plan)?,
        Some(range) => {
            let mut plan = plan.clone();
            for seed in range.iter() {
                plan.config.seed = seed;
                judge_run(&plan)?;
            }
        }
    }
    let over_seeds = about.seeds.is_some();
    let judged = judged.into_iter().map(|failures| failures.told(over_seeds)).collect();
    Ok((judged, other.told(over_seeds)))
}

fn evidence<'a>(finished: &'a Finished<'_>) -> Evidence<'a> {
    Evidence {
        context: finished.context,
        history: &finished.history,
        steps_not_applied: &finished.steps_not_applied,
        end: finished.end,
        breaches: &[],
    }
}
