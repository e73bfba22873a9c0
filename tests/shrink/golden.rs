//! Some of the files, to be read.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use taintsim::scenario::emit;

use super::{finds, shrunk};

#[test]
fn shrunk_files_read_well() {
    let mut of_rules: BTreeMap<&str, u32> = BTreeMap::new();
    let mut page = String::new();
    for find in finds(2, 400) {
        let count = of_rules.entry(find.rule).or_default();
        *count += 1;
        if *count > 2 {
            continue;
        }
        let small = shrunk(&find).plan;
        let header = [
            format!("{}, run {} in {}", find.rule, find.run, find.version),
            format!("{} steps before", find.plan.steps.len()),
        ];
        let _ = writeln!(page, "{}", emit::scenario(&small, &header, &|_| Vec::new(), None));
    }
    insta::assert_snapshot!(page);
}
