//! `taintsim fuzz interleavings`: all that can become of a scenario, whatever Go does.

use clap::{Args, ValueEnum};

use crate::cli::args::ScenarioArgs;
use crate::cli::limits::RunLimitArgs;
use crate::cli::load;
use crate::cli::output::print;
use crate::cli::run::{self, Finished, notice_faults, notice_limit};
use crate::cli::status::{self, Problem, Status};
use crate::cluster::draws_besides;
use crate::fuzz::interleavings::{Grain, Options, explore, follow};
use crate::render;
use crate::render::Selection;
use crate::timeline::Detail;

#[derive(Debug, Args)]
pub(super) struct InterleavingsArgs {
    #[command(flatten)]
    scenario: ScenarioArgs,
    /// Stop the search after so many runs; what it has found by then is not complete
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    runs_max: u64,
    /// text; or json: one document with fixed keys
    #[arg(short, long, value_name = "FORMAT", default_value = "text", hide_possible_values = true)]
    output: Format,
    #[command(flatten)]
    run_limits: RunLimitArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// Of the runs of a search that was stopped, so many more with drawn schedules.
const DRAWN: u64 = 10;

/// Runs the command.
pub(super) fn run(arguments: &InterleavingsArgs) -> Result<Status, Problem> {
    let loaded = load::load(&arguments.scenario)?;
    let plan = &loaded.plan;
    // Once as it is: it ends, and what is odd about it is told once.
    let look = |done: &Finished<'_>| {
        notice_limit(done.end);
        notice_faults(&done.faults_unmet);
    };
    let events_max = arguments.run_limits.events();
    run::run(plan, Detail::Summary, Vec::new(), Selection::all(), events_max, look)?;
    let (runs_max, drawn) = (arguments.runs_max, arguments.runs_max.div_ceil(DRAWN));
    let options = Options { runs_max, drawn, grain: Grain::Fates, ..Options::default() };
    let found = explore(plan, options);
    if !found.complete {
        let runs = found.runs;
        status::notice(&format!(
            "not complete: the search was stopped after {runs} runs, and what is listed need not \
             be all; raise the limit with --runs-max, or make the scenario smaller"
        ));
    }
    if !plan.steps.is_empty() && plan.steps.iter().all(|step| !step.burst) {
        status::notice(
            "a step that is no burst comes after all that is due at its time: to let it race, make \
             it a burst",
        );
    }
    if draws_besides(plan) {
        let seed = plan.config.seed;
        status::notice(&format!(
            "durations that are ranges and faults with a probability are as seed {seed} draws \
             them; --seed N tries others"
        ));
    }
    let ways: Vec<_> = {
        let scripts = found.outcomes.iter().map(|one| one.script.as_deref());
        scripts.map(|script| script.map_or_else(Vec::new, |s| follow(plan, s))).collect()
    };
    print(match arguments.output {
        Format::Text => render::interleavings(plan, &found, &ways),
        Format::Json => render::interleavings_json(plan, &found, &ways),
    })?;
    Ok(Status::Done)
}
