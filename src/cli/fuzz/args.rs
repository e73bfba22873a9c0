//! The arguments of `fuzz`.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

use super::interleavings::InterleavingsArgs;
use crate::cli::limits::LoadLimitArgs;
use crate::fuzz::campaign::RUNS_MAX;
use crate::kernel::time::Span;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(disable_help_subcommand = true)]
pub(in crate::cli) struct FuzzArgs {
    #[command(subcommand)]
    pub(super) command: Option<FuzzCommand>,
    #[command(flatten)]
    pub(super) search: SearchArgs,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum FuzzCommand {
    /// Go on with a campaign that was stopped, or run more of it
    #[command(after_help = RESUME_HELP)]
    Resume(ResumeArgs),
    /// Put the shards of a campaign together, as if one process had run all of it
    #[command(after_help = MERGE_HELP)]
    Merge(MergeArgs),
    /// List all that can become of a small scenario, whatever is left open by Go
    #[command(after_help = INTERLEAVINGS_HELP)]
    Interleavings(Box<InterleavingsArgs>),
}

#[derive(Debug, Args)]
pub(super) struct SearchArgs {
    /// A scenario to vary: each run changes a few of its times, steps, values, faults and settings;
    /// without FILE, each run is made up from nothing
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) file: Option<PathBuf>,
    /// Behave as this Kubernetes version, such as 1.36 [default: FILE's own, or one drawn by each run]
    #[arg(long, value_name = "V")]
    pub(super) kubernetes_version: Option<String>,
    /// What the runs are drawn from: the same seed, the same runs. `random` takes one that the report
    /// names
    #[arg(long, value_name = "N|random", default_value = "1", allow_negative_numbers = true)]
    pub(super) seed: Seed,
    #[command(flatten)]
    pub(super) length: LengthArgs,
    /// Only the run of this number, as a finding's header has it; prints the findings of that run
    #[arg(long, value_name = "N", conflicts_with_all = ["runs", "time", "shard"])]
    #[arg(value_parser = run, allow_negative_numbers = true)]
    pub(super) run: Option<u64>,
    /// What judges: `controller`, `docs`, `convergence`, `diff` (with the recorded versions),
    /// `diff/VERSION`, `determinism`, one rule by its name, or `all`; more rules take more time
    #[arg(
        long,
        value_name = "RULE,…",
        value_delimiter = ',',
        default_value = "controller,docs,convergence"
    )]
    pub(super) rules: Vec<String>,
    /// Only the I-th of N parts of the campaign, each into a folder of its own, for `fuzz merge`
    #[arg(long, value_name = "I/N")]
    pub(super) shard: Option<Shard>,
    /// The campaign's folder [default: taintsim-fuzz; with --run, stdout]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(super) out: Option<PathBuf>,
    /// Begin anew where the folder holds a campaign already; what is in it is lost
    #[arg(long)]
    pub(super) overwrite: bool,
    #[command(flatten)]
    pub(super) verdict: VerdictArgs,
    #[command(flatten)]
    pub(super) limits: LoadLimitArgs,
}

#[derive(Debug, Args)]
pub(super) struct LengthArgs {
    /// So many runs in all, those of other shards and those that have run as well [default: 10000, or
    /// what the campaign was begun for]
    #[arg(long, value_name = "N", value_parser = runs, allow_negative_numbers = true)]
    pub(super) runs: Option<u64>,
    /// As many runs as there is time for, such as 30s or 8h; how many differs from time to time
    #[arg(long = "for", id = "time", value_name = "D", conflicts_with = "runs", value_parser = duration)]
    pub(super) time: Option<Duration>,
    /// So many threads; what is found does not depend on it [default: one for each core]
    #[arg(long, value_name = "N", value_parser = jobs, allow_negative_numbers = true)]
    pub(super) jobs: Option<usize>,
}

#[derive(Debug, Args)]
pub(super) struct VerdictArgs {
    /// Which findings make the exit status 1; a mistake of taintsim itself is always 3
    #[arg(long, value_name = "WHICH", default_value = "ANY", ignore_case = true)]
    pub(super) fail_on: FailOn,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ResumeArgs {
    /// The folder of a campaign
    #[arg(value_name = "DIR", default_value = super::FOLDER, value_hint = ValueHint::DirPath)]
    pub(super) folder: PathBuf,
    #[command(flatten)]
    pub(super) length: LengthArgs,
    #[command(flatten)]
    pub(super) verdict: VerdictArgs,
    #[command(flatten)]
    pub(super) limits: LoadLimitArgs,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct MergeArgs {
    /// The folders of the shards, in any order; they are only read
    #[arg(value_name = "DIR", required = true, value_hint = ValueHint::DirPath)]
    pub(super) folders: Vec<PathBuf>,
    /// The folder of the whole campaign
    #[arg(long, value_name = "DIR", default_value = super::FOLDER, value_hint = ValueHint::DirPath)]
    pub(super) out: PathBuf,
    /// Put it in the place of a campaign that is there; what is in it is lost
    #[arg(long)]
    pub(super) overwrite: bool,
    #[command(flatten)]
    pub(super) verdict: VerdictArgs,
    #[command(flatten)]
    pub(super) limits: LoadLimitArgs,
}

/// Findings that count as a no.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    /// Those that no upstream thread is known for.
    #[value(name = "NEW")]
    New,
    /// All.
    #[value(name = "ANY")]
    Any,
    /// None.
    #[value(name = "NONE")]
    None,
}

/// The seed of a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seed {
    /// This one.
    Of(u64),
    /// One that nobody has tried; it is told.
    Random,
}

impl std::str::FromStr for Seed {
    type Err = String;

    fn from_str(text: &str) -> Result<Seed, String> {
        match text.parse::<u64>() {
            _ if text == "random" => Ok(Seed::Random),
            Ok(seed) if !text.starts_with('+') => Ok(Seed::Of(seed)),
            _ => Err(format!("write a whole number from 0 to {}, or random", u64::MAX)),
        }
    }
}

/// A part of a campaign, from 0, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shard(pub(super) u64, pub(super) u64);

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/').and_then(|(index, count)| {
            Some((index.parse::<u64>().ok()?, count.parse::<u64>().ok()?))
        });
        match numbers {
            Some((index, count)) if (1..=count).contains(&index) && count <= SHARDS_MAX => {
                Ok(Shard(index - 1, count))
            }
            _ => Err(format!(
                "write a part and how many there are, such as 1/4 to 4/4, with at most {SHARDS_MAX}"
            )),
        }
    }
}

const SHARDS_MAX: u64 = 1_000_000;
const JOBS_MAX: u64 = 1024;

fn runs(text: &str) -> Result<u64, String> {
    whole(text, 1..=RUNS_MAX)
}

fn run(text: &str) -> Result<u64, String> {
    whole(text, 0..=RUNS_MAX - 1)
}

fn jobs(text: &str) -> Result<usize, String> {
    Ok(whole(text, 1..=JOBS_MAX)? as usize)
}

fn whole(text: &str, range: RangeInclusive<u64>) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("write a whole number from {} to {}", range.start(), range.end()))
}

fn duration(text: &str) -> Result<Duration, String> {
    match Span::parse(text) {
        Ok(span) if span > Span::ZERO => Ok(Duration::from_nanos(span.0)),
        Ok(_) => Err("in no time nothing runs; write it as 30s, 10m or 8h".into()),
        Err(error) => Err(format!("{error}; write it as 30s, 10m or 8h")),
    }
}

const RESUME_HELP: &str = "\
The campaign goes on with the seed, the rules and the version that it was begun with, whatever
stopped it. What has run is not run again, and DIR then has the same bytes as if nothing had stopped
it. Without --runs and --for it goes on to the number of runs that it was begun for.

Exit status: 0 no finding that --fail-on names; 1 there is one; 2 bad input or usage; 3 a rule about
taintsim itself is broken (controller/…, determinism), or another bug in it; 130 interrupted.

Examples, to what it was begun for, up to a million runs in all, and for an hour more:
  taintsim fuzz resume
  taintsim fuzz resume nightly --runs 1000000
  taintsim fuzz resume nightly --for 1h";

const MERGE_HELP: &str = "\
The folder of the whole has the same bytes as that of one campaign with all these runs. Shards of
another seed, other rules or another version are refused, and so are runs that two of them have.
Some of the shards can be put together as well, and the others later; or `taintsim fuzz resume` runs
what is missing.

Exit status: 0 no finding that --fail-on names; 1 there is one; 2 bad input or usage; 3 a rule about
taintsim itself is broken (controller/…, determinism), or another bug in it; 130 interrupted.

Example, two shards, on two machines or one, and the whole:
  taintsim fuzz --seed 7 --runs 100000 --shard 1/2 --out part-1
  taintsim fuzz --seed 7 --runs 100000 --shard 2/2 --out part-2
  taintsim fuzz merge part-1 part-2 --out whole";

const INTERLEAVINGS_HELP: &str = "\
All that `interleaving: Random` draws is tried: which goroutine goes on, which channel a select
takes, the order of a node's pods. Two outcomes are the same if every pod has the same fate at the
same time, in whole milliseconds, and the same Events. Durations that are ranges and faults with a
probability stay as the seed draws them. The file may say Fifo as well as Random.

Exit status: 0 done, also where the search was stopped before its end, which a notice says; 2 bad \
input or usage; 3 a bug in taintsim; 130 interrupted.

Example:
  taintsim fuzz interleavings race.yaml";
