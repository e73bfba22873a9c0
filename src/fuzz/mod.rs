//! Fuzzing: searches taint and toleration sequences from a seed for what breaks.
//!
//! The unit of it all is a [`crate::plan::Plan`]: [`generate`] makes one, and
//! [`crate::scenario::emit`] writes one as a scenario. [`rules`] judge its run, some of them by
//! [`reference`], an independent model of what the documentation promises. Rules look at the plan
//! and at the records of a run, and never into the taint manager. [`interleavings`] runs one plan
//! under every order that Go leaves open.

pub mod campaign;
pub mod cause;
pub mod examine;
pub mod finding;
pub mod generate;
pub mod interleavings;
pub mod reference;
pub mod rules;
pub mod shrink;
