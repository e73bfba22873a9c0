//! Runs a plan in front of outputs.

use std::cell::Cell;

use super::output::{Format, Target};
use super::progress::Progress;
use super::sink::{Output, Outputs};
use super::status::{self, Problem, Stopped};
use crate::cluster::{End, EndReason, World};
use crate::plan::{Caller, Config, Fault, Plan, Resource, Verb};
use crate::render::{Selection, printable};
use crate::timeline::history::History;
use crate::timeline::{Context, Detail, Record, Sink};

/// A run that is over, for those who look at it.
pub(super) struct Finished<'a> {
    pub(super) context: Context<'a>,
    pub(super) history: History,
    pub(super) steps_not_applied: Vec<u32>,
    pub(super) end: End,
    /// Faults that no call met, each as a notice has it.
    pub(super) faults_unmet: Vec<String>,
}

/// Runs `plan`, feeds `outputs`, and lets `look` see what became of it.
pub(super) fn run<T>(
    plan: &Plan,
    detail: Detail,
    outputs: Vec<Output<'_>>,
    selection: Selection,
    events_max: u64,
    look: impl FnOnce(&Finished<'_>) -> T,
) -> Result<T, Problem> {
    let mut world = World::new(plan, detail);
    let abandoned = Cell::new(false);
    let progress = match outputs.iter().any(Output::is_live) {
        true => Progress::none(),
        false => Progress::new(plan.config.until),
    };
    let mut sink = Outputs::new(outputs, selection, progress, &abandoned, plan);
    sink.begin(world.context());
    // `taintsim replay … | head` ends the run, not only the output.
    let limit = plan.config.until.unwrap_or(Config::UNBOUNDED_LIMIT);
    while !abandoned.get() {
        let left = events_max - world.events();
        let wanted = left.min(STRIDE);
        if world.run_some(limit, wanted, &mut sink) < wanted {
            break;
        }
        if left == wanted {
            let at = world.now();
            if world.run_some(limit, 1, &mut Nobody) == 0 {
                break;
            }
            sink.stop();
            return Err(Problem::Stopped(Stopped { events_max, at }));
        }
    }
    let end = match abandoned.get() {
        true => End { at: world.now(), reason: EndReason::Until },
        false => world.run(&mut sink),
    };
    let steps_not_applied: Vec<u32> = world.steps_not_applied().collect();
    let faults_unmet = world.faults_unmet().map(unmet).collect();
    let context = world.context();
    let history = sink.end(context, end, &steps_not_applied)?;
    tracing::debug!(
        "ran {}: {} records at {detail:?}, ended at {} ({:?})",
        printable(&plan.name),
        history.records(),
        end.at,
        end.reason
    );
    Ok(look(&Finished { context, history, steps_not_applied, end, faults_unmet }))
}

/// Events between two looks at what the run has come to.
const STRIDE: u64 = 1024;

/// Hears what is one too many.
struct Nobody;

impl Sink for Nobody {
    fn record(&mut self, _: Context<'_>, _: &Record) {}
}

/// `maint.yaml:12: this fault met no call: …`.
fn unmet(fault: &Fault) -> String {
    let verb = match fault.verb {
        Verb::Get => "GET",
        Verb::List => "LIST",
        Verb::Create => "POST",
        Verb::Patch => "PATCH",
        Verb::Delete => "DELETE",
    };
    let who = match fault.caller {
        Caller::TaintManager => "the taint manager",
        Caller::Any => "nobody",
    };
    let sent = match fault.caller {
        Caller::TaintManager => "sent no",
        Caller::Any => "sent a",
    };
    let what = match (fault.verb, fault.resource) {
        (Verb::List, _) => "pods it is for",
        (_, Resource::Pods) => "a pod it is for",
        (_, Resource::Nodes) => "a node it is for",
    };
    let place = &fault.place;
    format!("{place}: this fault met no call: {who} {sent} {verb} of {what}")
}

/// Says which faults made no difference: a run that they were to disturb went as if without them.
pub(super) fn notice_faults(faults_unmet: &[String]) {
    faults_unmet.iter().for_each(|text| status::notice(text));
}

/// A run without `until` was cut off.
pub(super) const LIMIT_NOTICE: &str =
    "stopped at 24h with something still pending; set --until to run longer";

/// Says that a run without `until` was cut off.
pub(super) fn notice_limit(end: End) {
    if end.reason == EndReason::Limit {
        status::notice(LIMIT_NOTICE);
    }
}

/// An output in one format to one target.
pub(super) fn output(
    format: Format,
    target: Target<'_>,
    styled: bool,
    columns: usize,
) -> Output<'_> {
    Output::new(format.renderer(styled, columns), target)
}
