//! Exit codes, and what is said before one.

use std::any::Any;
use std::ffi::OsString;
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use anstyle::{AnsiColor, Style};

use super::args::Color;
use crate::kernel::Time;
use crate::render::printable;
use crate::scenario::limits::counted;
use crate::scenario::{Failure, Limits};

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Status {
    /// 0.
    Done,
    /// 1: the answer is no.
    No,
    /// 2: bad input or usage.
    BadInput,
    /// 3: our bug.
    Bug,
    /// 130: somebody stopped it.
    Interrupted,
}

impl Status {
    fn code(self) -> u8 {
        match self {
            Status::Done => 0,
            Status::No => 1,
            Status::BadInput => 2,
            Status::Bug => 3,
            Status::Interrupted => 130,
        }
    }
}

/// A run that was stopped at the limit of its events.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped {
    pub(super) events_max: u64,
    /// When it was, in the time of the run.
    pub(super) at: Time,
}

impl Stopped {
    /// What to tell; `until` is what ends a run earlier.
    pub(super) fn text(self, until: &str) -> String {
        let events = counted(self.events_max, "event");
        format!(
            "the run was stopped after {events}, at {} of its time: end it earlier with {until}, \
             or raise the limit with {} N",
            self.at,
            Limits::EVENTS_FLAG
        )
    }
}

/// Why a command cannot go on.
#[derive(Debug)]
pub(super) enum Problem {
    /// Wrong usage, or a file that cannot be written: a sentence.
    Usage(String),
    /// A run that took more than it may.
    Stopped(Stopped),
    /// Bad input.
    Input(Box<Failure>),
    /// Nobody reads our output any more: no error.
    ClosedPipe,
}

impl Problem {
    /// What is wrong with a file.
    pub(super) fn input(failure: Failure) -> Problem {
        Problem::Input(Box::new(failure))
    }

    /// Tells the user; gives the exit code.
    pub(super) fn report(self) -> Status {
        match self {
            Problem::Usage(text) => say_error(&text),
            Problem::Stopped(stopped) => say_error(&stopped.text("--until")),
            Problem::Input(failure) => say(&failure.painted(STYLED.load(Ordering::Relaxed))),
            Problem::ClosedPipe => return Status::Done,
        }
        Status::BadInput
    }
}

/// For writing to stdout.
impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Problem {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Problem::ClosedPipe,
            _ => Problem::Usage(format!("cannot write the output: {error}")),
        }
    }
}

/// Whether stderr is painted.
static STYLED: AtomicBool = AtomicBool::new(false);

/// Decides once for the process, as its arguments ask for it, whether stderr is painted.
pub(super) fn paint_stderr(color: Color) {
    STYLED.store(color.is_on(&io::stderr()), Ordering::Relaxed);
}

/// A label, in bold and colour if stderr is painted.
fn painted(label: &str, color: AnsiColor) -> String {
    let style = match STYLED.load(Ordering::Relaxed) {
        true => Style::new().bold().fg_color(Some(color.into())),
        false => Style::new(),
    };
    format!("{style}{label}{style:#}")
}

fn say_error(text: &str) {
    say(&format!("{} {}\n", painted("error:", AnsiColor::Red), printable(text)));
}

/// Tells what the user should know though nothing is wrong.
pub(super) fn notice(text: &str) {
    say(&format!("{} {}\n", painted("notice:", AnsiColor::Yellow), printable(text)));
}

/// Writes to stderr; one that is closed is nobody's concern.
pub(super) fn say(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Runs the command; a panic in it is a bug of ours, and is told in one line with what reruns it.
pub(super) fn guard(arguments: &[OsString], command: impl FnOnce() -> Status) -> ExitCode {
    let place: Arc<Mutex<String>> = Arc::default();
    let seen = Arc::clone(&place);
    panic::set_hook(Box::new(move |info| {
        if let (Ok(mut place), Some(location)) = (seen.lock(), info.location()) {
            *place = format!(" at {}:{}", location.file(), location.line());
        }
    }));
    let status =
        caught(arguments, command, || place.lock().map(|place| place.clone()).unwrap_or_default());
    ExitCode::from(status.code())
}

/// `place` is where a panic was, once there was one.
fn caught(
    arguments: &[OsString],
    command: impl FnOnce() -> Status,
    place: impl FnOnce() -> String,
) -> Status {
    panic::catch_unwind(AssertUnwindSafe(command)).unwrap_or_else(|payload| {
        say(&format!(
            "taintsim {}: this is a bug in taintsim: {}{}. It happens again with: {}\n",
            env!("CARGO_PKG_VERSION"),
            printable(message(payload.as_ref())),
            place(),
            printable(&command_line(arguments))
        ));
        Status::Bug
    })
}

fn message(payload: &(dyn Any + Send)) -> &str {
    match (payload.downcast_ref::<String>(), payload.downcast_ref::<&str>()) {
        (Some(text), _) => text,
        (None, Some(text)) => text,
        (None, None) => "a panic without a message",
    }
}

fn command_line(arguments: &[OsString]) -> String {
    let words = arguments.iter().skip(1).map(|word| word.to_string_lossy().into_owned());
    format!("taintsim {}", shell_words::join(words.collect::<Vec<_>>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repro_line_can_be_pasted() {
        let arguments =
            ["/usr/bin/taintsim", "replay", "-", "--step", "0s taint nodes a b:NoExecute"];
        let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        let expected = "taintsim replay - --step '0s taint nodes a b:NoExecute'";
        assert_eq!(command_line(&arguments), expected);
    }

    #[test]
    fn a_panic_is_our_bug() {
        let status = caught(&[], || panic!("the clock runs backwards"), String::new);
        assert_eq!((status, status.code()), (Status::Bug, 3));
        assert_eq!(caught(&[], || Status::No, String::new).code(), 1);
    }

    #[test]
    fn a_closed_pipe_is_no_error() {
        let closed = Problem::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(closed.report(), Status::Done);
        let full = Problem::from(io::Error::from(io::ErrorKind::StorageFull));
        assert_eq!(full.report(), Status::BadInput);
    }
}
