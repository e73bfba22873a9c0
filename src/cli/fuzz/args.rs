//! The arguments of `fuzz`.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::TypedValueParser;
use clap::{Args, Subcommand, ValueEnum, ValueHint};

use super::interleavings::InterleavingsArgs;
use crate::cli::limits::LoadLimitArgs;
use crate::kernel::time::Span;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(in crate::cli) struct FuzzArgs {
    #[command(subcommand)]
    pub(super) command: Option<FuzzCommand>,
    #[command(flatten)]
    pub(super) search: SearchArgs,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum FuzzCommand {
    /// Go on with a campaign that was stopped, or let it run longer
    #[command(after_help = RESUME_HELP)]
    Resume(ResumeArgs),
    /// Put the shards of a campaign together
    #[command(after_help = MERGE_HELP)]
    Merge(MergeArgs),
    /// List all that can become of a small scenario, whatever is left open by Go
    #[command(after_help = INTERLEAVINGS_HELP)]
    Interleavings(Box<InterleavingsArgs>),
}

#[derive(Debug, Args)]
pub(super) struct SearchArgs {
    /// A scenario whose variations are tried; without one, all is made up
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) file: Option<PathBuf>,
    /// The version that runs; without it and FILE each run draws one
    #[arg(long, value_name = "V")]
    pub(super) kubernetes_version: Option<String>,
    /// Of all runs: the same seed, the same runs
    #[arg(long, value_name = "N|random", default_value = "1")]
    pub(super) seed: Seed,
    #[command(flatten)]
    pub(super) length: LengthArgs,
    /// Only the run of this number, as the header of a finding has it
    #[arg(long, value_name = "N", conflicts_with_all = ["runs", "time", "shard"])]
    pub(super) run: Option<u64>,
    /// What judges: controller, docs, convergence, diff, determinism, all, one rule, diff/VERSION
    #[arg(
        long,
        value_name = "RULE,…",
        value_delimiter = ',',
        default_value = "controller,docs,convergence"
    )]
    pub(super) rules: Vec<String>,
    /// Only the I-th of N parts of the campaign, to be put together by `fuzz merge`
    #[arg(long, value_name = "I/N")]
    pub(super) shard: Option<Shard>,
    /// The campaign's folder [default: taintsim-fuzz; with --run none]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(super) out: Option<PathBuf>,
    /// Begin anew where the folder holds a campaign
    #[arg(long)]
    pub(super) overwrite: bool,
    #[command(flatten)]
    pub(super) verdict: VerdictArgs,
    #[command(flatten)]
    pub(super) limits: LoadLimitArgs,
}

#[derive(Debug, Args)]
pub(super) struct LengthArgs {
    /// So many runs, those of all shards together [default: 10000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=RUNS_MAX))]
    pub(super) runs: Option<u64>,
    /// As many runs as there is time for, such as 30s or 8h
    #[arg(long = "for", id = "time", value_name = "D", conflicts_with = "runs", value_parser = duration)]
    pub(super) time: Option<Duration>,
    /// Threads [default: one for each core]; the output does not depend on them
    #[arg(long, value_name = "N", value_parser = jobs())]
    pub(super) jobs: Option<usize>,
}

#[derive(Debug, Args)]
pub(super) struct VerdictArgs {
    /// Which findings make the exit status 1
    #[arg(long, value_name = "WHICH", default_value = "ANY", ignore_case = true)]
    pub(super) fail_on: FailOn,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ResumeArgs {
    /// The campaign's folder
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
    /// The folders of the shards
    #[arg(value_name = "DIR", required = true, value_hint = ValueHint::DirPath)]
    pub(super) folders: Vec<PathBuf>,
    /// Where the whole campaign goes
    #[arg(long, value_name = "DIR", default_value = super::FOLDER, value_hint = ValueHint::DirPath)]
    pub(super) out: PathBuf,
    /// Put it in the place of a campaign that is there
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
    /// Those that upstream does not know.
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
/// Run numbers are written and read as they are.
const RUNS_MAX: u64 = 1_000_000_000_000;
const JOBS_MAX: usize = 1024;

fn jobs() -> impl TypedValueParser<Value = usize> {
    clap::value_parser!(u64).range(1..=JOBS_MAX as u64).map(|jobs| jobs as usize)
}

fn duration(text: &str) -> Result<Duration, String> {
    match Span::parse(text) {
        Ok(span) if span > Span::ZERO => Ok(Duration::from_nanos(span.0)),
        Ok(_) => Err("the least is 1ns".into()),
        Err(error) => Err(error.to_string()),
    }
}

const RESUME_HELP: &str = "\
What has run is not run again: the result is that of a campaign that was never stopped. Without
--runs and --for it goes on to what it was begun for.

Exit status: as for `taintsim fuzz`.

Examples, to what it was begun for, and for an hour more:
  taintsim fuzz resume
  taintsim fuzz resume nightly --for 1h";

const MERGE_HELP: &str = "\
The result has the same bytes as that of one campaign with all these runs.

Exit status: as for `taintsim fuzz`.

Example, two shards that ran elsewhere:
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
