//! `docs/rules.md`: its tables are those of the code. `TAINTSIM_PAGES=write` writes them.

use std::fmt::Write;

use taintsim::fuzz::examine::{diff_to, static_rules};
use taintsim::fuzz::rules::Rule;
use taintsim::profile::NEWEST;

use crate::{page, quoted, root, rows};

const PAGE: &str = "docs/rules.md";

/// The families, each with its heading.
const FAMILIES: [(&str, &[&str]); 3] = [
    ("## controller", &["controller/"]),
    ("## docs", &["docs/"]),
    ("## convergence, diff, determinism", &["convergence", "diff/", "determinism"]),
];

#[test]
fn the_tables_are_those_of_the_code() {
    let there = page(PAGE);
    let mut wanted = there.clone();
    for (heading, family) in FAMILIES {
        let start = wanted.find(&format!("\n{heading}\n")).expect(heading);
        let start = start + wanted[start..].find("\n|").expect(heading) + 1;
        let end = wanted[start..].find("\n\n").map_or(wanted.len(), |end| start + end + 1);
        wanted.replace_range(start..end, &table(family));
    }
    if std::env::var("TAINTSIM_PAGES").is_ok_and(|value| value == "write") {
        std::fs::write(root().join(PAGE), &wanted).unwrap();
        return;
    }
    assert_eq!(there, wanted, "TAINTSIM_PAGES=write cargo test --test docs writes the tables");
}

/// The rules whose names begin so, in the order of the code.
fn table(family: &[&str]) -> String {
    let diff = Rule { name: "diff/VERSION", source: "the profile of VERSION", ..diff_to(NEWEST) };
    let mut table = String::from("| rule | what holds | source | slack |\n|---|---|---|---|\n");
    for rule in static_rules().copied().chain([diff]) {
        if family.iter().any(|prefix| rule.name.starts_with(prefix)) {
            let Rule { name, sentence, source, slack } = rule;
            assert!(![sentence, source, slack].iter().any(|text| text.contains('|')), "{name}");
            writeln!(table, "| `{name}` | {sentence} | {source} | {slack} |").unwrap();
        }
    }
    table
}

/// No family is forgotten, and no rule stands in two tables.
#[test]
fn every_rule_has_one_row() {
    let page = page(PAGE);
    let mut named: Vec<&str> = rows(&page).iter().flat_map(|row| quoted(row[0])).collect();
    let mut all: Vec<&str> = static_rules().map(|rule| rule.name).chain(["diff/VERSION"]).collect();
    named.sort_unstable();
    all.sort_unstable();
    assert_eq!(named, all);
}
