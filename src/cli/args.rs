//! The arguments, as clap reads them.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};

use super::completion::CompletionArgs;
use super::diff::DiffArgs;
use super::explain::ExplainArgs;
use super::fuzz::FuzzArgs;
use super::import::ImportArgs;
use super::limits::{LoadLimitArgs, RunLimitArgs};
use super::man::ManArgs;
use super::output::OutputArg;
use super::pace::Speed;
use super::profiles::ProfilesArgs;
use super::show::Part;
use super::test::TestArgs;
use super::validate::ValidateArgs;
use super::why::WhyArgs;
use crate::kernel::time::{DurationError, Span, Time};
use crate::timeline::Detail;

/// A deterministic simulator of the Kubernetes taint manager (taint-eviction-controller).
///
/// A scenario goes in (nodes, pods, taints over time), a reproducible eviction timeline comes out:
/// which pod goes when, and why.
#[derive(Debug, Parser)]
#[command(name = "taintsim", version, arg_required_else_help = true, max_term_width = 100)]
#[command(after_help = HELP)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
    /// When to use colour; `auto` is on a terminal, and honours NO_COLOR
    #[arg(long, global = true, display_order = 900, value_name = "WHEN", default_value = "auto")]
    pub(super) color: Color,
    /// Say on stderr what is loaded and how the run goes
    #[arg(short, long, global = true, display_order = 901)]
    pub(super) verbose: bool,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Run a scenario, or a dump of a cluster, and print its timeline
    #[command(after_help = REPLAY_HELP)]
    Replay(Box<ReplayArgs>),
    /// Say why a pod was evicted, or was not, and what would have changed it
    #[command(after_help = WHY_HELP)]
    Why(Box<WhyArgs>),
    /// Run a scenario in several ways, such as for two versions, and show what differs
    #[command(after_help = DIFF_HELP)]
    Diff(Box<DiffArgs>),
    /// Search for scenarios that break a rule, and shrink what is found
    #[command(after_help = FUZZ_HELP)]
    Fuzz(Box<FuzzArgs>),
    /// Run scenarios and judge what they expect
    #[command(after_help = TEST_HELP)]
    Test(TestArgs),
    /// Check scenarios and dumps without running them
    #[command(after_help = VALIDATE_HELP)]
    Validate(ValidateArgs),
    /// Make a scenario of a dump of a cluster, to read and to edit
    #[command(after_help = IMPORT_HELP)]
    Import(ImportArgs),
    /// Explain a key of the scenario language, with an example
    #[command(after_help = EXPLAIN_HELP)]
    Explain(ExplainArgs),
    /// Print the JSON Schema of scenarios, for editors
    #[command(after_help = SCHEMA_HELP)]
    Schema,
    /// Print how the Kubernetes versions differ, or what changed from one to another
    #[command(after_help = PROFILES_HELP)]
    Profiles(ProfilesArgs),
    /// Print a script that completes commands, options and files in a shell
    #[command(after_help = COMPLETION_HELP)]
    Completion(CompletionArgs),
    /// Print a manual page, or write all of them
    #[command(after_help = MAN_HELP)]
    Man(ManArgs),
    /// Print the version and the Kubernetes versions that can be simulated
    #[command(after_help = VERSION_HELP)]
    Version,
}

// The manual pages take the paragraphs of these texts apart: one begins with `Exit status: ` and
// has its statuses between semicolons, one with `Example`; see man.rs.

const HELP: &str = "\
Exit status: 0 done; 1 the answer is no (an expectation failed, diff or --check found a \
difference); 2 bad input or usage; 3 a bug in taintsim; 130 interrupted.

Examples, the timeline of a scenario, and all scenarios below a directory:
  taintsim replay maintenance.yaml
  taintsim test scenarios/";

const REPLAY_HELP: &str = "\
Exit status: 0 it ran; 1 --check found a difference; 2 bad input or usage; 3 a bug in taintsim; \
130 interrupted.

Example, what a taint would do to a cluster:
  kubectl get nodes,pods -A -o yaml |
    taintsim replay - --step '0s taint nodes worker-3 maintenance=now:NoExecute'";

const WHY_HELP: &str = "\
The story of the pod goes from the step that began it to its fate. What would have changed it is
not derived, but tried: each line is what a run with that change gives, with the same seed. So are
the lines about other versions, each with a single switch set as that version has it.

Exit status: 0 done; 2 bad input or usage; 3 a bug in taintsim; 130 interrupted.

Examples, a verdict on every pod, one pod, and what was known two minutes in:
  taintsim why maintenance.yaml
  taintsim why maintenance.yaml shop/web-0
  taintsim why maintenance.yaml shop/web-0 --at 2m";

const DIFF_HELP: &str = "\
What is compared: the fate and the times of each pod, in whole milliseconds, rounded down; its
DELETE attempts and Events; steps that were rejected or not applied. What the fate says already,
such as a removal at once, has no row of its own.

For --versions, each difference has the switch that is responsible. It is found by running the
scenario for the version on the left with that one switch of the version on the right; where no
switch does it alone, as few as do it together. `switches` and `featureGates` of the scenario hold
in every run.

Exit status: 0 nothing differs; 1 something does; 2 bad input or usage; 3 a bug in taintsim; \
130 interrupted.

Examples, two versions, two settings, two files:
  taintsim diff scenario.yaml --versions 1.18,1.19
  taintsim diff scenario.yaml --vary 'spec.pods[0].tolerations[0].tolerationSeconds=60,300'
  taintsim diff before.yaml after.yaml";

const PROFILES_HELP: &str = "\
A profile is recorded where the real controller of that version was run; else it is derived from
the recordings around it and from the sources that are named.

Exit status: 0 done; 2 bad usage.

Examples, all versions, and what an upgrade changes:
  taintsim profiles
  taintsim profiles 1.28 1.33";

const FUZZ_HELP: &str = "\
Each run makes up a cluster and what happens to it, from the seed and its number, and is judged by
independent rules (docs/rules.md): what holds inside the taint manager, and what the documentation
of Kubernetes promises. Runs that break the same rule for the same cause are one finding, which is
shrunk to an ordinary scenario in DIR/findings, with what each of its steps is there for. What no
upstream thread is known for is NEW. DIR also has all that `fuzz resume` goes on from, whatever
stopped the campaign; docs/fuzzing.md says more.

Exit status: 0 no finding that --fail-on names; 1 there is one; 2 bad input or usage; 3 a rule about
taintsim itself is broken (controller/…, determinism), or another bug in it; 130 interrupted.

Examples, what 1.18 does against its documentation, a run of it again, a scenario in other weather:
  taintsim fuzz --kubernetes-version 1.18 --runs 20000
  taintsim fuzz --kubernetes-version 1.18 --run 514
  taintsim fuzz maintenance.yaml --for 1m";

const TEST_HELP: &str = "\
The report of --junit has a testsuite for each scenario, and in it a testcase for each \
expectation and one for the steps. It is written when expectations fail, too.

Exit status: 0 all that is expected holds; 1 something does not; 2 bad input or usage; \
3 a bug in taintsim; 130 interrupted.

Examples, on a terminal and in CI:
  taintsim test scenarios/
  taintsim test scenarios/ --junit report.xml";

const VALIDATE_HELP: &str = "\
Exit status: 0 all files are right; 2 one is not, or bad usage; 3 a bug in taintsim.

Example:
  taintsim validate scenarios/";

const IMPORT_HELP: &str = "\
What a scenario cannot say exactly stays a manifest in the same file, so a replay of it gives what
a replay of the dump gives. What is not modelled is listed in its header.

Exit status: 0 done; 2 bad input or usage.

Example:
  kubectl get nodes,pods -A -o yaml | taintsim import - -o incident.yaml";

const EXPLAIN_HELP: &str = "\
Exit status: 0 done; 2 there is no such key, or it is in several places, which are listed.

Examples:
  taintsim explain spec.steps
  taintsim explain tolerationSeconds
  taintsim explain --recursive";

const SCHEMA_HELP: &str = "\
An editor that has it completes keys, shows what they mean, and marks mistakes; for those with
yaml-language-server, the first line of a scenario says where it is:
`# yaml-language-server: $schema=taintsim.schema.json`. Which names there are it does not know:
`taintsim validate` does.

Exit status: 0 done; 2 bad usage.

Example:
  taintsim schema > taintsim.schema.json";

const COMPLETION_HELP: &str = "\
Exit status: 0 done; 2 bad usage.

Examples, for the shells' usual places:
  taintsim completion bash > ~/.local/share/bash-completion/completions/taintsim
  taintsim completion zsh > \"${fpath[1]}/_taintsim\"
  taintsim completion fish > ~/.config/fish/completions/taintsim.fish
  taintsim completion elvish >> ~/.config/elvish/rc.elv
  taintsim completion powershell >> $PROFILE";

const MAN_HELP: &str = "\
Exit status: 0 done; 2 bad usage, or a file that cannot be written.

Examples, to read a page, and to install all:
  taintsim man replay | man -l -
  taintsim man --dir ~/.local/share/man/man1";

const VERSION_HELP: &str = "\
Exit status: 0 done.

Example:
  taintsim version";

/// Which scenario, and what is different from how it is written.
#[derive(Clone, Debug, Args)]
pub(super) struct ScenarioArgs {
    /// A scenario, or the output of `kubectl get nodes,pods -A -o yaml` (or json); `-` is stdin
    #[arg(value_name = "FILE", required_unless_present = "manifests")]
    #[arg(value_hint = ValueHint::FilePath)]
    pub(super) file: Option<PathBuf>,
    /// The same as FILE; with FILE, or repeated, further files are manifests
    #[arg(short = 'f', long = "filename", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) manifests: Vec<PathBuf>,
    /// Seed of every random choice, in place of the scenario's
    #[arg(long, value_name = "N", value_parser = seed)]
    pub(super) seed: Option<u64>,
    /// Behave as this Kubernetes version, such as 1.36
    #[arg(long, value_name = "VERSION")]
    pub(super) kubernetes_version: Option<String>,
    /// Change a value of the scenario, such as spec.pods[0].tolerations[0].tolerationSeconds=60
    #[arg(long, value_name = "PATH=VALUE")]
    pub(super) set: Vec<String>,
    /// Run all that is due at or before this time, such as 15m
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(super) until: Option<Time>,
    /// Add a step in its order of time, such as '10s taint nodes node-0 k=v:NoExecute'
    #[arg(long, value_name = "AT LINE")]
    pub(super) step: Vec<String>,
    #[command(flatten)]
    pub(super) limits: LoadLimitArgs,
}

#[derive(Debug, Args)]
pub(super) struct ReplayArgs {
    #[command(flatten)]
    pub(super) scenario: ScenarioArgs,
    /// How much of the controller's inside all outputs show; it never changes what happens
    #[arg(long, value_name = "LEVEL", default_value = "summary")]
    pub(super) detail: DetailArg,
    /// table, wide, html, gantt, svg, mermaid, perfetto, jsonl, json or expect, to stdout or a FILE;
    /// may be repeated [default: table]
    #[arg(short, long, value_name = "FORMAT[=FILE]")]
    #[arg(value_parser = OsStringValueParser::new().try_map(|text| OutputArg::parse(&text)))]
    pub(super) output: Vec<OutputArg>,
    /// Columns of gantt, from 40 to 1000 [default: the terminal's, or 100]
    #[arg(long, value_name = "COLUMNS", value_parser = clap::value_parser!(u16).range(40..=1000))]
    pub(super) width: Option<u16>,
    #[command(flatten)]
    pub(super) filter: FilterArgs,
    /// Print SHA-256 of the timeline (jsonl at trace) and of the pods' outcomes
    #[arg(long)]
    pub(super) digest: bool,
    /// Print pods as they change, as `kubectl get pods -w -o wide` does, in the place of the table
    #[arg(long, conflicts_with_all = ["digest", "check", "show", "metrics"])]
    pub(super) watch: bool,
    /// With --watch: so fast on the wall clock, such as 60x [default: without any waiting]
    #[arg(long, value_name = "SPEED", requires = "watch", allow_hyphen_values = true)]
    #[arg(value_parser = Speed::parse)]
    pub(super) speed: Option<Speed>,
    /// Run twice, compare the timelines (jsonl at trace), show the first difference
    #[arg(long)]
    pub(super) check: bool,
    /// Show the inside of the taint manager at --at, in the place of the timeline; several with ,
    #[arg(long, value_name = "PARTS", value_enum, value_delimiter = ',')]
    pub(super) show: Vec<Part>,
    /// Print the controller's metrics at --at, in Prometheus' text format
    #[arg(long)]
    pub(super) metrics: bool,
    /// When to look, for --show and --metrics; what is due then has run [default: the end]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(super) at: Option<Time>,
    #[command(flatten)]
    pub(super) run_limits: RunLimitArgs,
}

/// What is shown. The run is the same; `seq` and `cause` number what is shown.
#[derive(Debug, Args)]
pub(super) struct FilterArgs {
    /// Show only pods of this namespace; seq and cause number what is shown, totals are the run's
    #[arg(short, long, value_name = "NAMESPACE")]
    pub(super) namespace: Option<String>,
    /// Show only pods with these labels, as in kubectl -l; labels it has at any time count
    #[arg(short = 'l', long, value_name = "SELECTOR")]
    pub(super) selector: Option<String>,
    /// Show only this pod: namespace/name, or name in -n's namespace or `default`
    #[arg(long, value_name = "POD")]
    pub(super) pod: Option<String>,
}

fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("write a whole number from 0 to {}", u64::MAX))
}

pub(super) fn time(text: &str) -> Result<Time, String> {
    match Span::parse(text) {
        Ok(span) => Ok(Time(span.0)),
        Err(DurationError::MissingUnit) => Err(format!("a number without a unit; write {text}s")),
        Err(error) => Err(format!("{error}; write it as 15m or 1h2m3.5s")),
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum DetailArg {
    /// Steps, objects, evictions
    Summary,
    /// Also queues, handlers, events and calls
    Controller,
    /// Also calls on their way and watch events
    Trace,
}

impl From<DetailArg> for Detail {
    fn from(level: DetailArg) -> Detail {
        match level {
            DetailArg::Summary => Detail::Summary,
            DetailArg::Controller => Detail::Controller,
            DetailArg::Trace => Detail::Trace,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    /// Whether to paint what goes to this stream.
    pub(super) fn is_on(self, stream: &(impl IsTerminal + anstream::stream::RawStream)) -> bool {
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                anstream::AutoStream::choice(stream) != anstream::ColorChoice::Never
                    && IsTerminal::is_terminal(stream)
            }
        }
    }
}
