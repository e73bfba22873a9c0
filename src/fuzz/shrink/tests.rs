#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use super::*;
