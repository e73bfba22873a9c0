//! The program as a user meets it: arguments, streams, files and exit codes.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod diff;
mod failures;
mod fuzz;
mod golden;
mod html;
mod interleavings;
mod junit;
mod limits;
mod pages;
mod paths;
mod pictures;
mod profiles;
mod replay;
mod rules;
mod scenarios;
mod state;
mod support;
mod watch;
mod words;
