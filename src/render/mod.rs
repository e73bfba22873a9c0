//! See the module list in the crate's page.
