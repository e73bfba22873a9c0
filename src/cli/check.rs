//! `--check` and `--digest`: is a run the same each time?

use std::io::{self, BufRead, BufReader, Seek, Write};

use super::output::Target;
use super::run::run;
use super::sink::Output;
use super::status::Problem;
use crate::plan::Plan;
use crate::render::{Jsonl, Selection};
use crate::timeline::Detail;
use crate::timeline::digest::{self, Hasher};

/// What `--check` found.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Both runs gave these many lines.
    Same(u64),
    /// The first line that differs, from 1, as each run has it; empty where a run had ended.
    Differs { line: u64, first: String, second: String },
}

/// Runs the plan twice and compares the `jsonl` at `trace`. The first run goes to an unnamed
/// temporary file, so that a timeline of any length can be compared.
pub(super) fn check(plan: &Plan, events_max: u64) -> Result<Verdict, Problem> {
    let mut file = tempfile::tempfile()?;
    trace_into(plan, events_max, &mut file)?;
    file.rewind()?;
    let mut comparison = Comparison::new(BufReader::new(file));
    trace_into(plan, events_max, &mut comparison)?;
    Ok(comparison.verdict()?)
}

/// The timeline's digest and the outcomes' digest.
pub(super) fn digests(plan: &Plan, events_max: u64) -> Result<(String, String), Problem> {
    let mut hasher = Hasher::new();
    let outcomes = trace_into(plan, events_max, &mut hasher)?;
    Ok((hasher.finish(), outcomes))
}

/// Writes the `jsonl` at `trace`; gives the outcomes' digest.
fn trace_into(plan: &Plan, events_max: u64, writer: &mut dyn Write) -> Result<String, Problem> {
    let output = Output::new(Box::new(Jsonl::default()), Target::Writer(writer));
    run(plan, Detail::Trace, vec![output], Selection::all(), events_max, |finished| {
        digest::outcomes(&finished.history)
    })
}

/// Compares what is written to it with what it reads, line by line.
struct Comparison<R> {
    first: R,
    lines: u64,
    /// A line of the second run that is not whole yet.
    partial: Vec<u8>,
    difference: Option<(Vec<u8>, Vec<u8>)>,
}

impl<R: BufRead> Comparison<R> {
    fn new(first: R) -> Comparison<R> {
        Comparison { first, lines: 0, partial: Vec::new(), difference: None }
    }

    fn compare(&mut self, second: &[u8]) -> io::Result<()> {
        let mut first = Vec::new();
        self.first.read_until(b'\n', &mut first)?;
        self.lines += 1;
        if first != second {
            self.difference = Some((first, second.to_vec()));
        }
        Ok(())
    }

    fn verdict(mut self) -> io::Result<Verdict> {
        let partial = std::mem::take(&mut self.partial);
        if self.difference.is_none() && !partial.is_empty() {
            self.compare(&partial)?;
        }
        if self.difference.is_none() && !self.first.fill_buf()?.is_empty() {
            self.compare(b"")?;
        }
        let text = |line: Vec<u8>| String::from_utf8_lossy(&line).trim_end().to_owned();
        Ok(match self.difference {
            None => Verdict::Same(self.lines),
            Some((first, second)) => {
                Verdict::Differs { line: self.lines, first: text(first), second: text(second) }
            }
        })
    }
}

impl<R: BufRead> Write for Comparison<R> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            if self.difference.is_some() {
                break;
            }
            self.partial.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                let line = std::mem::take(&mut self.partial);
                self.compare(&line)?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(first: &str, second: &str) -> Verdict {
        let mut comparison = Comparison::new(first.as_bytes());
        // In pieces that end anywhere, as a renderer's chunks do.
        for piece in second.as_bytes().chunks(3) {
            comparison.write_all(piece).unwrap();
        }
        comparison.verdict().unwrap()
    }

    fn differs(line: u64, first: &str, second: &str) -> Verdict {
        Verdict::Differs { line, first: first.into(), second: second.into() }
    }

    #[test]
    fn the_first_difference_is_found() {
        assert_eq!(compare("one\ntwo\n", "one\ntwo\n"), Verdict::Same(2));
        assert_eq!(compare("one\ntwo\nx\n", "one\n2\ny\n"), differs(2, "two", "2"));
        assert_eq!(compare("one\n", "one\ntwo\nthree\n"), differs(2, "", "two"));
        assert_eq!(compare("one\ntwo\n", "one\n"), differs(2, "two", ""));
        assert_eq!(compare("one\ntwo", "one\ntw"), differs(2, "two", "tw"));
        assert_eq!(compare("", ""), Verdict::Same(0));
    }
}
