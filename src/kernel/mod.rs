//! The simulation kernel: virtual time, the event queue and named random streams. It knows no
//! Kubernetes noun.

pub mod time;
