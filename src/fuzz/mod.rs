//! Fuzzing: searches taint and toleration sequences from a seed for what breaks.
//!
//! The unit of it all is a [`crate::plan::Plan`]: [`generate`] makes one.

pub mod generate;
