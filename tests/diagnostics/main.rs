//! The table of mistakes: what people write wrong, and what they are told.
//!
//! `cases` has a folder for each part of the language, and in it a small file for each mistake.
//! What is said about the files of a folder is one snapshot, which is read as a page: does one
//! reading of each message tell what to type?

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod bytes;
mod cases;
mod colour;
mod json;
mod sources;

use cases::{Case, topics};

/// How many mistakes the table has at least.
const CASES_MIN: usize = 700;

#[test]
fn every_mistake_is_told_as_it_should_be() {
    let mut count = 0;
    for topic in topics() {
        let mut page = String::new();
        for case in Case::all_of(&topic) {
            count += 1;
            let told = case.told();
            acts_on_no_terminal(&case.heading(), &told);
            page.push_str(&format!("{}\n{told}\n", case.heading()));
        }
        insta::with_settings!({omit_expression => true, prepend_module_to_snapshot => false}, {
            insta::assert_snapshot!(topic, page.trim_end());
        });
    }
    assert!(count >= CASES_MIN, "{count} cases");
}

/// Whatever is in a file: nothing that is told acts on a terminal, and no line is without end.
fn acts_on_no_terminal(heading: &str, told: &str) {
    let is_plain = |c: char| c == '\n' || !c.is_control();
    assert!(told.chars().all(is_plain), "{heading}: {told:?}");
    let longest = told.lines().map(|line| line.chars().count()).max();
    assert!(longest.is_none_or(|longest| longest < 450), "{heading}: {told}");
}
