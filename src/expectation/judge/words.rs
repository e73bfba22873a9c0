//! Counts and times in the sentences of a failed expectation.

use crate::kernel::time::Time;

/// `1 time`, `3 times`.
pub(super) fn times(count: usize) -> String {
    match count {
        1 => "1 time".into(),
        _ => format!("{count} times"),
    }
}

/// `2 evictions, not 3 (1 too few)`.
pub(super) fn count_words(found: u64, what: &str, expected: u64) -> String {
    let s = if found == 1 { "" } else { "s" };
    let off = found.abs_diff(expected);
    let side = if found < expected { "few" } else { "many" };
    format!("{found} {what}{s}, not {expected} ({off} too {side})")
}

/// `at 1s, 9s`.
pub(super) fn at_list(times: impl IntoIterator<Item = Time>) -> String {
    let times: Vec<String> = times.into_iter().map(|time| time.to_string()).collect();
    format!("at {}", times.join(", "))
}
