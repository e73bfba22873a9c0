//! `taintsim replay`: runs a scenario and prints its timeline.

use std::collections::BTreeMap;
use std::io;

use super::args::{Color, ReplayArgs};
use super::check::{self, Verdict};
use super::load;
use super::output::{Format, OutputArg, Target, print, real_path, refuse_input, stdout_columns};
use super::pace::Pace;
use super::run::{self, Finished, notice_faults, notice_limit};
use super::show;
use super::sink::Output;
use super::status::{Problem, Status};
use crate::plan::Plan;
use crate::render::{COLUMNS_DEFAULT, Watch, WatchSteps, printable};
use crate::scenario::name_of;
use crate::timeline::Detail;

/// Runs the command.
pub(super) fn run(arguments: &ReplayArgs, color: Color) -> Result<Status, Problem> {
    refuse_at(arguments)?;
    let answers = answers(arguments);
    let only_answers = arguments.output.is_empty() && answers;
    let wanted = match arguments.output.as_slice() {
        [] if only_answers || arguments.watch => Vec::new(),
        [] => vec![OutputArg { format: Format::Table, file: None }],
        given => given.to_vec(),
    };
    refuse_mixed(arguments, &wanted)?;
    let loaded = load::load(&arguments.scenario)?;
    let mut files = wanted.iter().filter_map(|arg| arg.file.as_ref());
    files.try_for_each(|file| refuse_input(file, &loaded.files))?;
    let events_max = arguments.run_limits.events();
    print_timelines(arguments, &wanted, &loaded.plan, color)?;
    if arguments.metrics {
        print(show::metrics(&loaded.plan, arguments.at, events_max)?)?;
    }
    if !arguments.show.is_empty() {
        let shown = show::text(&loaded.plan, arguments.at, &arguments.show, events_max)?;
        print(shown)?;
    }
    if arguments.digest {
        print_digests(&loaded.plan, events_max)?;
    }
    match arguments.check {
        true => print_check(&loaded.plan, events_max),
        false => Ok(Status::Done),
    }
}

/// Runs the plan once for each level of detail that an output wants.
fn print_timelines(
    arguments: &ReplayArgs,
    wanted: &[OutputArg],
    plan: &Plan,
    color: Color,
) -> Result<(), Problem> {
    let asked = arguments.detail.into();
    // All of them, before anything runs: a file that cannot be written spoils no other output.
    let mut by_detail: BTreeMap<Detail, Vec<Output<'_>>> = BTreeMap::new();
    for (output, format) in open(wanted, color, arguments.width)? {
        by_detail.entry(format.detail(asked)).or_default().push(output);
    }
    if arguments.watch {
        let pace = Pace::start(arguments.speed);
        let rows = Output::live(Box::new(Watch::default()), Target::Stdout(io::stdout()), pace);
        let steps = Box::new(WatchSteps::default());
        let steps = Output::live(steps, Target::Stderr(io::stderr()), pace);
        by_detail.entry(Detail::Summary).or_default().extend([rows, steps]);
    }
    let events_max = arguments.run_limits.events();
    let selection = load::selection(&arguments.filter, plan)?;
    let mut unread = false;
    for (index, (detail, outputs)) in by_detail.into_iter().enumerate() {
        let ending = |done: &Finished<'_>| (done.end, done.faults_unmet.clone());
        match run::run(plan, detail, outputs, selection.clone(), events_max, ending) {
            // Every run ends the same way.
            Ok((end, faults_unmet)) if index == 0 => {
                notice_limit(end);
                notice_faults(&faults_unmet);
            }
            Ok(_) => {}
            Err(Problem::ClosedPipe) => unread = true,
            Err(problem) => return Err(problem),
        }
    }
    // Nobody reads the timeline any more; the exit status may still have an answer to give.
    match unread && !arguments.check {
        true => Err(Problem::ClosedPipe),
        false => Ok(()),
    }
}

/// Whether something is asked for beside, or in the place of, the timeline.
fn answers(arguments: &ReplayArgs) -> bool {
    let looks = arguments.metrics || !arguments.show.is_empty();
    arguments.digest || arguments.check || looks
}

/// A moment at which nothing is looked at, or a filter of what has none.
fn refuse_at(arguments: &ReplayArgs) -> Result<(), Problem> {
    let filter = &arguments.filter;
    let is_filtered =
        filter.namespace.is_some() || filter.selector.is_some() || filter.pod.is_some();
    if is_filtered && !arguments.show.is_empty() && arguments.output.is_empty() {
        let text = "-n, -l and --pod filter the timeline; --show has the whole controller";
        return Err(Problem::Usage(text.into()));
    }
    if arguments.at.is_none() || arguments.metrics || !arguments.show.is_empty() {
        return Ok(());
    }
    let text = "--at says when to look: add --show timers, shards or queues, or --metrics; \
                --until ends the run";
    Err(Problem::Usage(text.into()))
}

/// Outputs that would end up in one another.
fn refuse_mixed(arguments: &ReplayArgs, wanted: &[OutputArg]) -> Result<(), Problem> {
    let to_stdout: Vec<&OutputArg> = wanted.iter().filter(|arg| arg.file.is_none()).collect();
    if to_stdout.len() > 1 {
        return Err(Problem::Usage(
            "only one -o can go to stdout; give the others a file, as in -o jsonl=out.jsonl".into(),
        ));
    }
    if arguments.watch && !to_stdout.is_empty() {
        return Err(Problem::Usage(
            "--watch prints to stdout; give the -o a file, as in -o jsonl=out.jsonl".into(),
        ));
    }
    if arguments.width.is_some() && wanted.iter().all(|arg| arg.format != Format::Gantt) {
        return Err(Problem::Usage(
            "--width is the width of -o gantt, which is not asked for".into(),
        ));
    }
    let machine = to_stdout.iter().any(|arg| arg.format.is_for_machines());
    if machine && answers(arguments) {
        return Err(Problem::Usage(
            "--digest, --check, --show and --metrics print to stdout; give the -o a file, as in \
             -o jsonl=out.jsonl"
                .into(),
        ));
    }
    let files = wanted.iter().filter_map(|arg| arg.file.as_ref());
    let mut files: Vec<_> = files.map(|file| (real_path(file), file)).collect();
    files.sort();
    if let Some(pair) = files.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(Problem::Usage(format!("two outputs go to {}", name_of(pair[0].1))));
    }
    Ok(())
}

fn open(
    wanted: &[OutputArg],
    color: Color,
    width: Option<u16>,
) -> Result<Vec<(Output<'static>, Format)>, Problem> {
    let width = width.map(usize::from);
    let mut outputs = Vec::new();
    for OutputArg { format, file } in wanted {
        let output = match file {
            Some(path) => {
                let columns = width.unwrap_or(COLUMNS_DEFAULT);
                run::output(*format, Target::create(path)?, false, columns)
            }
            None => {
                let stdout = io::stdout();
                let styled = color.is_on(&stdout);
                let columns = width.unwrap_or_else(stdout_columns);
                run::output(*format, Target::Stdout(stdout), styled, columns)
            }
        };
        outputs.push((output, *format));
    }
    Ok(outputs)
}

fn print_digests(plan: &Plan, events_max: u64) -> Result<(), Problem> {
    let (timeline, outcomes) = check::digests(plan, events_max)?;
    print(format!("timeline  sha256:{timeline}\noutcomes  sha256:{outcomes}\n"))
}

fn print_check(plan: &Plan, events_max: u64) -> Result<Status, Problem> {
    match check::check(plan, events_max)? {
        Verdict::Same(lines) => {
            print(format!("The same twice: {lines} lines of jsonl at trace.\n"))?;
            Ok(Status::Done)
        }
        Verdict::Differs { line, first, second } => {
            let shown = |text: String| match text.is_empty() {
                true => "(ended)".to_owned(),
                false => printable(&text),
            };
            print(format!(
                "Two runs differ at line {line} of jsonl at trace:\n- {}\n+ {}\n",
                shown(first),
                shown(second)
            ))?;
            Ok(Status::No)
        }
    }
}
