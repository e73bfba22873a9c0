//! What every scenario of the repository breaks, in some versions: a golden file to be read.

use std::fmt::Write;

use crate::{DOCS, broken, load, scenarios};

#[test]
fn the_scenarios_break_what_they_show() {
    let mut table = String::new();
    let mut clean = Vec::new();
    for file in scenarios() {
        let name = file.display().to_string();
        let mut lines: Vec<(String, String)> = Vec::new();
        for version in [None, Some("1.6"), Some("1.18"), Some("1.32"), Some("1.33"), Some("1.36")] {
            let Some(plan) = load(&file, version) else { continue };
            let rules: Vec<_> = broken(&plan, DOCS).into_iter().collect();
            let rules = rules.join(", ");
            let version = version.unwrap_or("own");
            match lines.iter_mut().find(|(_, known)| *known == rules) {
                Some((versions, _)) => write!(versions, " {version}").unwrap(),
                None => lines.push((version.to_owned(), rules)),
            }
        }
        if lines.iter().all(|(_, rules)| rules.is_empty()) {
            clean.push(name);
            continue;
        }
        writeln!(table, "{name}").unwrap();
        for (versions, rules) in lines {
            let rules = if rules.is_empty() { "-" } else { &rules };
            writeln!(table, "  {versions}: {rules}").unwrap();
        }
    }
    let table = format!("{table}\nNothing, in any version:\n  {}\n", clean.join("\n  "));
    insta::assert_snapshot!("table", table);
}

/// What is said about a breach has the times by which one can follow it.
#[test]
fn a_breach_says_what_happened_and_what_should_have() {
    let mut text = String::new();
    for file in scenarios() {
        let Some(plan) = load(&file, None) else { continue };
        for breach in crate::breaches(&plan, DOCS) {
            let file = file.file_stem().unwrap().to_string_lossy().into_owned();
            writeln!(text, "{file}\n  {}: {}", breach.rule, breach.text).unwrap();
        }
    }
    insta::assert_snapshot!("sentences", text);
}
