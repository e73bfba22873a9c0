//! The parts of client-go that the taint manager is built from: a de-duplicating work queue,
//! bounded channels, informers with their lister and index, and an event recorder.

mod channel;
mod events;
mod informer;
mod workqueue;

pub use channel::{Channel, Received, Sent};
pub use events::EventRecorder;
pub use informer::{NodeInformer, PodInformer};
pub use workqueue::{Added, WorkQueue};
