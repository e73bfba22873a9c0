//! `taintsim why`: why a pod was evicted, or was not, and what would have changed it.

use clap::{Args, ValueEnum};

use super::args::{FilterArgs, ScenarioArgs, time};
use super::limits::RunLimitArgs;
use super::load;
use super::output::print;
use super::run::{self, Finished, notice_faults, notice_limit};
use super::status::{Problem, Status, Stopped};
use crate::kernel::time::Time;
use crate::plan::{Config, Plan};
use crate::render::{self, Selection, View};
use crate::scenario::input::is_stdin;
use crate::timeline::Detail;
use crate::why;

#[derive(Debug, Args)]
pub(super) struct WhyArgs {
    #[command(flatten)]
    scenario: ScenarioArgs,
    /// namespace/name, or name in -n's namespace or `default`; without it a verdict on every pod
    #[arg(value_name = "POD")]
    pod: Option<String>,
    /// Answer as of this time: what is due then has happened, and nothing after it is known
    #[arg(long, value_name = "TIME", value_parser = time)]
    at: Option<Time>,
    /// The namespace of POD; without POD: verdicts on the pods of this namespace
    #[arg(short, long, value_name = "NAMESPACE")]
    namespace: Option<String>,
    /// Verdicts on pods with these labels, as in kubectl -l; labels it has at any time count
    #[arg(short = 'l', long, value_name = "SELECTOR", conflicts_with = "pod")]
    selector: Option<String>,
    /// text; or json: one document with fixed keys
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = WhyFormat::Text)]
    output: WhyFormat,
    #[command(flatten)]
    run_limits: RunLimitArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum WhyFormat {
    Text,
    Json,
}

/// Runs the command.
pub(super) fn run(arguments: &WhyArgs) -> Result<Status, Problem> {
    let (scenario, pod) = file_and_pod(arguments);
    let loaded = load::load(&scenario)?;
    let plan = &loaded.plan;
    refuse_late(plan, arguments.at)?;
    let text = match &pod {
        Some(name) => about_pod(arguments, plan, name)?,
        None => about_all(arguments, plan)?,
    };
    print(text)?;
    Ok(Status::Done)
}

/// After `-f FILE` the first word is the POD, unless it is a file.
fn file_and_pod(arguments: &WhyArgs) -> (ScenarioArgs, Option<String>) {
    let (mut scenario, mut pod) = (arguments.scenario.clone(), arguments.pod.clone());
    if let (None, Some(word), [_, ..]) = (&pod, &scenario.file, scenario.manifests.as_slice())
        && !is_stdin(word)
        && !word.exists()
    {
        pod = Some(word.to_string_lossy().into_owned());
        scenario.file = None;
    }
    (scenario, pod)
}

fn refuse_late(plan: &Plan, at: Option<Time>) -> Result<(), Problem> {
    let until = plan.config.until.unwrap_or(Config::UNBOUNDED_LIMIT);
    match at.filter(|at| *at > until) {
        Some(at) => {
            let text = format!("the run ends at {until}, before --at {at}; --until {at} runs on");
            Err(Problem::Usage(text))
        }
        None => Ok(()),
    }
}

fn about_pod(arguments: &WhyArgs, plan: &Plan, name: &str) -> Result<String, Problem> {
    let events_max = arguments.run_limits.events();
    let pod = load::find_pod(plan, name, arguments.namespace.as_deref())?;
    let answer = why::answer(plan, pod, arguments.at, events_max)
        .map_err(|long| Problem::Stopped(Stopped { events_max, at: long.at }))?;
    Ok(match arguments.output {
        WhyFormat::Text => render::why(&answer),
        WhyFormat::Json => render::why_json(plan, &answer),
    })
}

/// A verdict on each pod.
fn about_all(arguments: &WhyArgs, plan: &Plan) -> Result<String, Problem> {
    let filter = FilterArgs {
        namespace: arguments.namespace.clone(),
        selector: arguments.selector.clone(),
        pod: None,
    };
    let mut part = plan.clone();
    part.config.until = arguments.at.or(plan.config.until);
    let selection = load::selection(&filter, plan)?;
    let look = |done: &Finished<'_>| {
        if arguments.at.is_none() {
            notice_limit(done.end);
            notice_faults(&done.faults_unmet);
        }
        let view = View { context: done.context, history: &done.history, selection: &selection };
        match arguments.output {
            WhyFormat::Text => String::from_utf8_lossy(&render::verdicts(view)).into_owned(),
            WhyFormat::Json => render::verdicts_json(view),
        }
    };
    let events_max = arguments.run_limits.events();
    run::run(&part, Detail::Summary, Vec::new(), Selection::all(), events_max, look)
}
