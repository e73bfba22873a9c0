//! The forms of text that have a page of their own.

use super::text::{
    DURATION, DURATION_RANGE, FILE, KUBECTL_LINE, NAMES, RULE, SELECTOR, STEP_TIME, TAINT_TEXT,
    TARGET, TOLERATION_TEXT, VERSION,
};
use crate::reference::Text;

/// Each with the word for its page.
pub(in crate::reference) static TOPICS: [(&str, &Text); 12] = [
    ("durations", &DURATION),
    ("ranges", &DURATION_RANGE),
    ("times", &STEP_TIME),
    ("names", &NAMES),
    ("targets", &TARGET),
    ("selectors", &SELECTOR),
    ("taints", &TAINT_TEXT),
    ("tolerations", &TOLERATION_TEXT),
    ("kubectl", &KUBECTL_LINE),
    ("files", &FILE),
    ("versions", &VERSION),
    ("rules", &RULE),
];
