//! Searching for what breaks: an independent model of what the documentation promises, and rules
//! by which runs are judged.
//!
//! Rules look at the plan and at the records of a run, and never into the taint manager.

pub mod reference;
pub mod rules;
