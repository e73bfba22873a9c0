//! `taintsim`: a deterministic discrete-event simulator of the Kubernetes taint manager.

pub mod apiserver;
pub mod cli;
pub mod clientgo;
pub mod cluster;
pub mod expectation;
pub mod kernel;
pub mod objects;
pub mod plan;
pub mod render;
pub mod scenario;
pub mod taint_manager;
pub mod timeline;
