//! Ctrl-C and the other signals that end the program.

use std::sync::atomic::{AtomicBool, Ordering};

use super::output;

/// Somebody ends by himself what he is at.
static IS_WATCHED: AtomicBool = AtomicBool::new(false);
static HAS_COME: AtomicBool = AtomicBool::new(false);

/// From now on a signal removes files that are not whole, and ends the program.
pub(super) fn install() {
    let installed = ctrlc::set_handler(|| {
        let is_first = !HAS_COME.swap(true, Ordering::SeqCst);
        if is_first && IS_WATCHED.load(Ordering::SeqCst) {
            return;
        }
        output::remove_unfinished();
        std::process::exit(130);
    });
    if let Err(error) = installed {
        tracing::debug!("Ctrl-C ends the program at once: {error}");
    }
}

/// From now on the first signal is only told by [`has_come`]; the second one ends the program.
pub(super) fn watch() {
    IS_WATCHED.store(true, Ordering::SeqCst);
}

/// Whether there was a signal.
pub(super) fn has_come() -> bool {
    HAS_COME.load(Ordering::SeqCst)
}
