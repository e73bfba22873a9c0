//! Judges expectations against what a run recorded.
