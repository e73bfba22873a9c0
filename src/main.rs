//! The command line; all of it is in [`taintsim::cli`].

fn main() {}
