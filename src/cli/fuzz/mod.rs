//! `fuzz`: a campaign from its arguments to its report.

mod args;
mod interleavings;
mod report;
mod store;

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher as _, RandomState};
use std::io::{IsTerminal, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

pub(super) use args::FuzzArgs;
use args::{FailOn, FuzzCommand, LengthArgs, MergeArgs, ResumeArgs, SearchArgs, Seed, Shard};
use store::Store;

use super::interrupt;
use super::load;
use super::output::print;
use super::status::{self, Problem, Status};
use crate::fuzz::campaign::{Base, Campaign, Settings, State};
use crate::fuzz::examine::RuleSet;
use crate::fuzz::finding::{Finding, Signature};
use crate::render::printable;
use crate::scenario::language::profile;
use crate::scenario::{Limits, LoadOptions, emit, name_of};
use crate::timeline::digest::Hasher;

/// Where a campaign goes unless it is told otherwise.
const FOLDER: &str = "taintsim-fuzz";
/// Runs of a campaign that is not told how many.
const RUNS: u64 = 10_000;
/// So many blocks go to each thread at once.
const BLOCKS_OF_A_JOB: usize = 16;
/// The state is saved about so often.
const SAVE_EVERY: Duration = Duration::from_secs(2);

pub(super) fn run(arguments: &FuzzArgs) -> Result<Status, Problem> {
    match &arguments.command {
        None => search(&arguments.search),
        Some(FuzzCommand::Resume(arguments)) => resume(arguments),
        Some(FuzzCommand::Merge(arguments)) => merge(arguments),
        Some(FuzzCommand::Interleavings(arguments)) => interleavings::run(arguments),
    }
}

fn search(arguments: &SearchArgs) -> Result<Status, Problem> {
    let settings = settings(arguments)?;
    let campaign = Campaign::new(settings);
    if let Some(run) = arguments.run {
        return one_run(arguments, campaign, run);
    }
    let folder = arguments.out.clone().unwrap_or_else(|| PathBuf::from(FOLDER));
    let runs = match (arguments.length.runs, arguments.length.time) {
        (None, Some(_)) => None,
        (runs, _) => Some(runs.unwrap_or(RUNS)),
    };
    let Shard(index, count) = arguments.shard.unwrap_or(Shard(0, 1));
    let state = State { campaign, runs, shard: (index, count) };
    // From here on there is something to end well.
    interrupt::watch();
    let store = Store::create(&folder, arguments.overwrite, &state)?;
    go(state, store, &arguments.length, arguments.verdict.fail_on)
}

/// Searches one run alone; what it finds goes to stdout where no folder is named.
fn one_run(arguments: &SearchArgs, mut campaign: Campaign, run: u64) -> Result<Status, Problem> {
    in_pool(arguments.length.jobs, || campaign.advance(std::slice::from_ref(&(run..run + 1))))?;
    let verdict = verdict(&campaign, arguments.verdict.fail_on);
    if let Some(folder) = &arguments.out {
        // Nobody waits for others.
        let state = State { campaign, runs: Some(0), shard: (0, 1) };
        Store::create(folder, arguments.overwrite, &state)?.finish(&state)?;
        print(report::text(&state.campaign))?;
        return Ok(verdict);
    }
    // Also those that a campaign counts with others: each of its files has such a command.
    let mut files: BTreeMap<&Signature, &Finding> = BTreeMap::new();
    for finding in campaign.findings.values() {
        files.entry(&finding.signature).or_insert(finding);
    }
    let texts: Vec<&str> = files.values().map(|finding| finding.text.as_str()).collect();
    print(texts.join("---\n"))?;
    if texts.is_empty() {
        status::notice(&format!("run {run} breaks no rule"));
    }
    Ok(verdict)
}

fn settings(arguments: &SearchArgs) -> Result<Settings, Problem> {
    let rules = arguments.rules.iter().map(String::as_str);
    let rules = RuleSet::parse(rules).map_err(|text| Problem::Usage(format!("--rules: {text}")))?;
    let version = match &arguments.kubernetes_version {
        Some(text) => {
            let wrong = |error| Problem::Usage(format!("--kubernetes-version {text}: {error}"));
            Some(profile(text).map_err(wrong)?)
        }
        None => None,
    };
    let limits = arguments.limits.limits();
    let base = match &arguments.file {
        Some(file) => Some(base(file, &limits)?),
        None => None,
    };
    let seed = match arguments.seed {
        Seed::Of(seed) => seed,
        Seed::Random => random_seed(),
    };
    Ok(Settings { seed, version, rules, base })
}

/// A seed that a person can type.
fn random_seed() -> u64 {
    // The only thing here that differs from one call of the program to the next, on purpose.
    RandomState::new().build_hasher().finish() % 1_000_000_000
}

/// Loads the scenario that is varied.
fn base(file: &Path, limits: &Limits) -> Result<Base, Problem> {
    let options = LoadOptions { limits: *limits, ..LoadOptions::default() };
    let loaded = load::load_input(&load::read(file, limits)?, &options)?;
    for notice in &loaded.notices {
        status::notice(&notice.one_line());
    }
    let mut digest = Hasher::new();
    let text = emit::scenario(&loaded.plan, &[], &|_| Vec::new(), None);
    digest.write_all(text.as_bytes())?;
    let file = file.to_string_lossy().into_owned();
    Ok(Base { plan: loaded.plan, file, digest: digest.finish() })
}

fn resume(arguments: &ResumeArgs) -> Result<Status, Problem> {
    let (store, text) = Store::open(&arguments.folder)?;
    let mut state = read(&text, &arguments.folder, &arguments.limits.limits())?;
    if arguments.length.time.is_some() {
        state.runs = None;
    } else if let Some(runs) = arguments.length.runs.or(state.runs) {
        let past = state.campaign.tally.ranges.last().map_or(0, |range| range.end);
        if arguments.length.runs.is_some_and(|runs| runs < past) {
            return Err(Problem::Usage(format!(
                "--runs counts all runs of the campaign, those that have run as well, and run {} \
                 has run; write {past} or more",
                past - 1
            )));
        }
        state.runs = Some(runs);
    } else {
        return Err(Problem::Usage(
            "the campaign was begun for a time; say with --runs or --for how long it goes on"
                .into(),
        ));
    }
    go(state, store, &arguments.length, arguments.verdict.fail_on)
}

fn read(text: &str, folder: &Path, limits: &Limits) -> Result<State, Problem> {
    let mut problem = None;
    let load = |file: &str| {
        base(Path::new(file), limits).map_err(|wrong| {
            problem = Some(wrong);
            String::new()
        })
    };
    let read = State::read(text, load);
    match (read, problem) {
        (_, Some(problem)) => Err(problem),
        (Ok(state), None) => Ok(state),
        (Err(error), None) => Err(Problem::Usage(format!(
            "{}: {error}; `taintsim fuzz --overwrite` begins anew",
            printable(&name_of(&Store::state_of(folder)))
        ))),
    }
}

fn merge(arguments: &MergeArgs) -> Result<Status, Problem> {
    let limits = arguments.limits.limits();
    let mut whole: Option<State> = None;
    for folder in &arguments.folders {
        let (_, text) = Store::open(folder)?;
        let part = read(&text, folder, &limits)?;
        let name = || printable(&name_of(folder));
        let Some(whole) = &mut whole else {
            whole = Some(part);
            continue;
        };
        if !whole.campaign.settings.is_same(&part.campaign.settings) {
            return Err(Problem::Usage(format!(
                "{} is of another campaign: `{}`, and not `{}`",
                name(),
                part.campaign.settings.command(),
                whole.campaign.settings.command()
            )));
        }
        if let Some(run) = whole.campaign.tally.common(&part.campaign.tally) {
            return Err(Problem::Usage(format!(
                "{} has run {run}, which is there already",
                name()
            )));
        }
        whole.campaign.merge(&part.campaign);
        whole.runs = whole.runs.max(part.runs);
    }
    let Some(mut state) = whole else { return Err(Problem::Usage("no DIR given".into())) };
    state.shard = (0, 1);
    let mut store = Store::create(&arguments.out, arguments.overwrite, &state)?;
    store.finish(&state)?;
    print(report::text(&state.campaign))?;
    print(next_steps(&state, &store))?;
    Ok(verdict(&state.campaign, arguments.verdict.fail_on))
}

/// Runs until all is done, or time is up, or somebody interrupts.
fn go(
    mut state: State,
    mut store: Store,
    length: &LengthArgs,
    fail_on: FailOn,
) -> Result<Status, Problem> {
    interrupt::watch();
    let deadline = length.time.map(|time| Instant::now() + time);
    let jobs = length.jobs.unwrap_or_else(cores);
    let mut progress = Progress::new(state.runs, state.campaign.tally.runs());
    let mut saved = Instant::now();
    let mut blocks = state.campaign.blocks(state.runs, state.shard).peekable();
    let pool = pool(jobs)?;
    while blocks.peek().is_some() && !interrupt::has_come() {
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            break;
        }
        // Enough that nobody waits long for the last one, and few enough that what is new is told
        // within about a second.
        let wave: Vec<Range<u64>> = blocks.by_ref().take(jobs * BLOCKS_OF_A_JOB).collect();
        let is_over = || interrupt::has_come() || deadline.is_some_and(|end| Instant::now() >= end);
        let advance = || state.campaign.advance_until(&wave, &is_over);
        let new = pool.install(advance);
        if !new.is_empty() || saved.elapsed() >= SAVE_EVERY {
            // Before it is told: who reads of a file finds it.
            store.save(&state)?;
            saved = Instant::now();
        }
        progress.hide(|| tell(&new, &store))?;
        progress.show(&state.campaign);
    }
    progress.end();
    store.finish(&state)?;
    let campaign = &state.campaign;
    if !campaign.findings.is_empty() {
        print("\n")?;
    }
    print(report::text(campaign))?;
    print(next_steps(&state, &store))?;
    if interrupt::has_come() {
        return Ok(Status::Interrupted);
    }
    Ok(verdict(campaign, fail_on))
}

/// A line for each new signature.
fn tell(new: &[Finding], store: &Store) -> Result<(), Problem> {
    new.iter().try_for_each(|finding| {
        let signature = &finding.signature;
        print(format!(
            "run {}: {signature}: {} ({} steps, {}) {}\n",
            finding.run,
            finding.sentence,
            report::steps(finding),
            finding.upstream(),
            printable(&name_of(&store.finding(&signature.stem())))
        ))
    })
}

/// What to do next with what was found.
fn next_steps(state: &State, store: &Store) -> String {
    let campaign = &state.campaign;
    let mut text = String::new();
    let folder = word(store.folder());
    if campaign.blocks(state.runs, state.shard).next().is_some() {
        let time = if state.runs.is_none() { " --for 10m" } else { "" };
        text.push_str(&format!("go on:   taintsim fuzz resume {folder}{time}\n"));
    }
    let rows = campaign.rows();
    let new = rows.iter().find(|row| row.finding.is_new());
    if let Some(row) = new.or(rows.first()) {
        let file = word(&store.finding(&row.finding.signature.stem()));
        let pod = row.finding.pod().map(|pod| format!(" {}", shell_words::quote(pod)));
        let pod = pod.unwrap_or_default();
        let keep = "mkdir -p scenarios; cp";
        text.push_str(&format!("again:   {}\n", campaign.settings.command_of(row.finding.run)));
        text.push_str(&format!("explain: taintsim why {file}{}\n", printable(&pod)));
        text.push_str(&format!("keep:    {keep} {file} scenarios/; taintsim test scenarios\n"));
    }
    text
}

/// A path as a word of a command.
fn word(path: &Path) -> String {
    printable(&shell_words::quote(&name_of(path)))
}

fn verdict(campaign: &Campaign, fail_on: FailOn) -> Status {
    let counts = |finding: &Finding| match fail_on {
        FailOn::Any => true,
        FailOn::New => finding.is_new(),
        FailOn::None => false,
    };
    let is_ours = |finding: &Finding| {
        let rule = &finding.signature.rule;
        rule.starts_with("controller/") || rule == "determinism"
    };
    match () {
        () if campaign.findings.values().any(is_ours) => Status::Bug,
        () if campaign.findings.values().any(counts) => Status::No,
        () => Status::Done,
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

fn pool(jobs: usize) -> Result<rayon::ThreadPool, Problem> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
    pool.map_err(|error| Problem::Usage(format!("--jobs {jobs}: {error}")))
}

fn in_pool<T: Send>(jobs: Option<usize>, work: impl FnOnce() -> T + Send) -> Result<T, Problem> {
    Ok(pool(jobs.unwrap_or_else(cores))?.install(work))
}

/// How it goes, on a terminal.
struct Progress {
    bar: Option<ProgressBar>,
    started: Instant,
    before: u64,
}

impl Progress {
    fn new(runs: Option<u64>, before: u64) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let target = ProgressDrawTarget::stderr();
            let bar = ProgressBar::with_draw_target(runs, target);
            let template = if runs.is_some() { "{bar:20} {msg}" } else { "{spinner} {msg}" };
            match ProgressStyle::with_template(template) {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            }
        });
        Progress { bar, started: Instant::now(), before }
    }

    fn show(&mut self, campaign: &Campaign) {
        let Some(bar) = &self.bar else { return };
        let runs = campaign.tally.runs();
        let millis = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX).max(1);
        let rate = (runs - self.before).saturating_mul(1000) / millis;
        bar.set_position(runs);
        bar.set_message(format!(
            "{runs} runs, {rate}/s, {} findings, {} of {} marks",
            campaign.rows().len(),
            campaign.tally.marks.len(),
            crate::marks::Mark::ALL.len()
        ));
    }

    /// Does something while the bar is off the screen.
    fn hide<T>(&self, work: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(work),
            None => work(),
        }
    }

    fn end(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::cause::{Cause, Class};
    use crate::fuzz::finding::Origin;
    use crate::profile::Switch;

    /// A campaign that has found this rule broken, by a switch or by nothing that is known.
    fn found(rule: &'static str, switch: Option<Switch>) -> Campaign {
        let settings = Settings { seed: 1, version: None, rules: RuleSet::usual(), base: None };
        let mut campaign = Campaign::new(settings);
        let origin = switch.map_or_else(|| Origin::Kinds(vec!["cordon"]), Origin::Switch);
        let finding = Finding {
            run: 0,
            signature: Signature { rule: rule.into(), origin },
            sentence: "",
            breach: String::new(),
            steps_before: 1,
            steps_after: 1,
            text: String::new(),
        };
        let cause = Cause::Needs(Default::default());
        campaign.findings.insert(Class { rule: rule.into(), cause }, finding);
        campaign
    }

    #[test]
    fn the_exit_status_is_that_of_the_worst_finding() {
        let known = Some(Switch::InfiniteTolerationCancels);
        for (rule, switch, fail_on, status) in [
            ("docs/same-name", None, FailOn::Any, Status::No),
            ("docs/same-name", None, FailOn::New, Status::No),
            ("docs/same-name", None, FailOn::None, Status::Done),
            ("docs/same-name", known, FailOn::New, Status::Done),
            ("docs/same-name", known, FailOn::Any, Status::No),
            ("controller/one-timer", None, FailOn::None, Status::Bug),
            ("determinism", None, FailOn::None, Status::Bug),
        ] {
            assert_eq!(verdict(&found(rule, switch), fail_on), status, "{rule} {fail_on:?}");
        }
    }
}
