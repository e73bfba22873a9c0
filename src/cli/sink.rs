//! Feeds one run to all of its outputs.

use std::cell::Cell;
use std::io;

use super::output::Target;
use super::pace::Pace;
use super::progress::Progress;
use super::status::Problem;
use crate::cluster::End;
use crate::kernel::time::Time;
use crate::plan::Plan;
use crate::render::{Ending, Render, Selection, View};
use crate::timeline::history::History;
use crate::timeline::{Context, Record, Sink};

/// Bytes that are gathered before they are written.
const CHUNK: usize = 64 * 1024;

/// A renderer with where its bytes go.
pub(super) struct Output<'w> {
    render: Box<dyn Render>,
    buffer: Vec<u8>,
    target: Target<'w>,
    /// The first failed write; nothing is rendered after it.
    failed: Option<io::Error>,
    /// Lines are written one by one, when it is time.
    pace: Option<Pace>,
}

impl<'w> Output<'w> {
    pub(super) fn new(render: Box<dyn Render>, target: Target<'w>) -> Output<'w> {
        Output { render, buffer: Vec::with_capacity(CHUNK * 2), target, failed: None, pace: None }
    }

    /// An output for people who watch the run go by.
    pub(super) fn live(render: Box<dyn Render>, target: Target<'w>, pace: Pace) -> Output<'w> {
        Output { pace: Some(pace), ..Output::new(render, target) }
    }

    /// Whether somebody watches it.
    pub(super) fn is_live(&self) -> bool {
        self.pace.is_some()
    }

    /// Writes what a record gave, when it is time.
    fn keep_pace(&mut self, at: Time) {
        if let Some(pace) = self.pace
            && !self.buffer.is_empty()
        {
            pace.wait_for(at);
            self.flush();
        }
    }

    /// Whether there is anybody who might still read it.
    fn is_read(&self) -> bool {
        self.failed.is_none() && !matches!(self.target, Target::Stderr(_))
    }

    fn render(&mut self, with: impl FnOnce(&mut dyn Render, &mut Vec<u8>)) {
        if self.failed.is_none() {
            with(self.render.as_mut(), &mut self.buffer);
            if self.buffer.len() >= CHUNK {
                self.flush();
            }
        }
    }

    fn flush(&mut self) {
        if self.failed.is_none() {
            self.failed = self.target.write_all(&self.buffer).err();
        }
        self.buffer.clear();
    }
}

/// The outputs of a run, with the history that they read.
pub(super) struct Outputs<'w, 'a> {
    outputs: Vec<Output<'w>>,
    selection: Selection,
    history: History,
    progress: Progress,
    /// Set when there is nobody left to write for.
    abandoned: &'a Cell<bool>,
}

impl<'w, 'a> Outputs<'w, 'a> {
    pub(super) fn new(
        outputs: Vec<Output<'w>>,
        selection: Selection,
        progress: Progress,
        abandoned: &'a Cell<bool>,
        plan: &Plan,
    ) -> Outputs<'w, 'a> {
        Outputs { outputs, selection, history: History::with_room_for(plan), progress, abandoned }
    }

    /// Before the run.
    pub(super) fn begin(&mut self, context: Context<'_>) {
        let view = View { context, history: &self.history, selection: &self.selection };
        for output in &mut self.outputs {
            output.render(|render, out| render.begin(view, out));
            output.keep_pace(Time::ZERO);
        }
    }

    /// Instead of [`Outputs::end`], where the run is not whole: what stdout has so far is shown,
    /// and files are left as they were.
    pub(super) fn stop(mut self) {
        self.progress.clear();
        for output in &mut self.outputs {
            if matches!(output.target, Target::Stdout(_)) {
                output.flush();
            }
        }
    }

    /// After the run. All that went wrong is told, a closed pipe last; whole files are kept.
    pub(super) fn end(
        mut self,
        context: Context<'_>,
        end: End,
        steps_not_applied: &[u32],
    ) -> Result<History, Problem> {
        self.progress.clear();
        let view = View { context, history: &self.history, selection: &self.selection };
        let ending = Ending { end, steps_not_applied };
        let mut wrong: Option<Problem> = None;
        for mut output in self.outputs {
            output.render(|render, out| render.end(view, ending, out));
            output.flush();
            let done = match output.failed {
                Some(_) if matches!(output.target, Target::Stderr(_)) => Ok(()),
                Some(error) => Err(output.target.problem(error)),
                None => output.target.finish(),
            };
            if let Err(problem) = done {
                wrong = Some(match (wrong, problem) {
                    (Some(known), Problem::ClosedPipe) => known,
                    (None | Some(Problem::ClosedPipe), problem) => problem,
                    (Some(known), problem) => {
                        known.report();
                        problem
                    }
                });
            }
        }
        match wrong {
            Some(problem) => Err(problem),
            None => Ok(self.history),
        }
    }
}

impl Sink for Outputs<'_, '_> {
    fn record(&mut self, context: Context<'_>, record: &Record) {
        self.history.record(context, record);
        self.progress.tick(record.at);
        if !self.selection.admits(record) || self.abandoned.get() {
            return;
        }
        let view = View { context, history: &self.history, selection: &self.selection };
        for output in &mut self.outputs {
            output.render(|render, out| render.record(view, record, out));
            output.keep_pace(record.at);
        }
        if !self.outputs.is_empty() && !self.outputs.iter().any(Output::is_read) {
            self.abandoned.set(true);
        }
    }
}
