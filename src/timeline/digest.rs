//! Digests of a run: two runs with equal digests are the same run, or had the same outcome.
//!
//! The timeline's digest is SHA-256 of the `jsonl` output at `trace`. The outcome's digest is
//! SHA-256 of one line a pod, `uid fate ms`, sorted by uid, each with a newline:
//! `uid` has 36 characters; `fate` is `evicted`, `removed` (gone otherwise), `terminating`
//! (deleted otherwise and still there), `armed` or `survives`; `ms` is the time of that in whole
//! milliseconds, rounded down: of an armed pod when its timer fires, of a survivor `-`. It does
//! not change with the order of what happens inside a millisecond, nor with how it is recorded.

use std::io::{self, Write};

use sha2::{Digest, Sha256};

use super::fate::Fate;
use super::history::History;

/// SHA-256 of what is written to it.
#[derive(Default)]
pub struct Hasher(Sha256);

impl Hasher {
    /// A digest of nothing yet.
    pub fn new() -> Hasher {
        Hasher::default()
    }

    /// The digest in lower-case hexadecimal.
    pub fn finish(self) -> String {
        self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The digest of the outcomes; see the module's page.
pub fn outcomes(history: &History) -> String {
    let mut hasher = Hasher::new();
    let mut line = String::new();
    for incarnation in history.incarnations() {
        line.clear();
        push_outcome(&mut line, history, incarnation);
        hasher.0.update(line.as_bytes());
    }
    hasher.finish()
}

fn push_outcome(line: &mut String, history: &History, incarnation: &super::history::Incarnation) {
    use std::fmt::Write as _;
    let fate = Fate::of(history, incarnation);
    // Writing to a String does not fail.
    let _ = match fate.time() {
        Some(at) => writeln!(line, "{} {} {}", incarnation.uid, fate.as_str(), at.millis()),
        None => writeln!(line, "{} {} -", incarnation.uid, fate.as_str()),
    };
}
