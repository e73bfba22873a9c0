//! The simulation kernel: virtual time, the event queue and named random streams. It knows no
//! Kubernetes noun.

mod ladder;
pub mod queue;
pub mod streams;
pub mod time;

pub use queue::{EventQueue, Handle};
pub use streams::Stream;
pub use time::{Span, SpanRange, Time};
