//! A progress bar on stderr, for what takes over a second and only on a terminal.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::kernel::time::{NANOS_PER_SECOND, Time};

/// The clock is asked once in so many records.
const STRIDE: u32 = 4_096;
const PATIENCE: Duration = Duration::from_secs(1);

/// Watches a run go by.
pub(super) struct Progress {
    /// `None`: nobody looks.
    watch: Option<Watch>,
}

struct Watch {
    started: Instant,
    until: Option<Time>,
    records: u32,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// For a run up to `until`, where that is known.
    pub(super) fn new(until: Option<Time>) -> Progress {
        let is_watched = std::io::stderr().is_terminal();
        let watch = || Watch { started: Instant::now(), until, records: 0, bar: None };
        Progress { watch: is_watched.then(watch) }
    }

    /// For a run whose lines are watched themselves.
    pub(super) fn none() -> Progress {
        Progress { watch: None }
    }

    /// One record, at this virtual time.
    pub(super) fn tick(&mut self, at: Time) {
        if let Some(watch) = &mut self.watch {
            watch.records = watch.records.wrapping_add(1);
            if watch.records.is_multiple_of(STRIDE) {
                watch.draw(at);
            }
        }
    }

    /// Takes the bar off the screen.
    pub(super) fn clear(&mut self) {
        if let Some(Watch { bar: Some(bar), .. }) = &self.watch {
            bar.finish_and_clear();
        }
    }
}

impl Watch {
    fn draw(&mut self, at: Time) {
        if self.bar.is_none() && self.started.elapsed() >= PATIENCE {
            self.bar = Some(bar(self.until));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(at.0 / NANOS_PER_SECOND);
            bar.set_message(format!("{at}, {} records", self.records));
        }
    }
}

fn bar(until: Option<Time>) -> ProgressBar {
    let target = ProgressDrawTarget::stderr();
    let (bar, template) = match until {
        Some(until) => {
            let bar = ProgressBar::with_draw_target(Some(until.0 / NANOS_PER_SECOND), target);
            (bar, "{wide_bar} {msg}")
        }
        None => (ProgressBar::with_draw_target(None, target), "{spinner} {msg}"),
    };
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
