//! The world: wires store, watches, informers and taint manager to the kernel, and runs a plan.

mod calls;
mod changes;
pub mod choices;
pub(crate) mod event;
mod invariants;
mod listing;
mod pick;
mod process;
mod relist;
mod schedule;
pub(crate) mod state;
mod steps;
mod taints;
pub(crate) mod triggers;
mod view;
mod world;

pub use event::Event;
pub use pick::draws_besides;
pub use process::Controller;
pub use schedule::{ChoicePoint, Schedule};
pub use view::{NodeView, PodView, TimerView};
pub use world::{End, EndReason, World};
