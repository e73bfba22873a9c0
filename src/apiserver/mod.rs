//! The simulated API server: a store of nodes and pods, watches on it, and faults.
//!
//! It does not know who watches or why somebody calls. Changes leave the store as [`Change`]s in
//! the order of their resource versions; whoever wires the world carries them to watches.

mod faults;
mod rules;
mod store;
mod watch;

pub use faults::{Call, Faults, Hit};
pub use rules::Refused;
pub use store::{Change, Deleted, NodeObject, PodObject, Store};
pub use watch::{NodeEvent, PodEvent, Watch};
