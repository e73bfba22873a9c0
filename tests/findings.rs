//! The findings that are kept in `scenarios/findings`: what upstream has had, found again by a search
//! that was told nothing, and written as the search writes it.
//!
//! After a change of the generator or of the shrinker a run may show something else: then search
//! again (docs/fuzzing.md) and copy what it finds.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at what it does not expect"
)]

use std::path::{Path, PathBuf};

use taintsim::fuzz::campaign::{Campaign, Settings};
use taintsim::fuzz::examine::RuleSet;
use taintsim::fuzz::finding::Finding;
use taintsim::profile::Profile;
use taintsim::scenario::language::profile;

/// What Kubernetes has had, by the threads or the words of its finding, with a version that has it
/// and the first one that has not.
const HISTORY: [(&str, &str, Option<&str>); 12] = [
    ("#90794", "1.18", Some("1.19")),
    ("#107543, #125332", "1.32", Some("1.33")),
    ("sources (132c00c1)", "1.33", Some("1.36")),
    ("#102993, #108982", "1.36", None),
    ("sources (stricter second taint)", "1.36", None),
    ("#108268", "1.36", None),
    ("#119862", "1.36", None),
    ("#140639", "1.36", None),
    ("sources (timers go by name)", "1.36", None),
    ("sources (deleted node)", "1.36", None),
    ("sources (64 bits of nanoseconds)", "1.36", None),
    ("sources (first match wins)", "1.36", None),
];

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/findings");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

/// The command in the header of a file: version, seed and run.
fn command(text: &str) -> (Profile, u64, u64) {
    let line = text.lines().find_map(|line| line.strip_prefix("#     taintsim fuzz ")).unwrap();
    let words: Vec<&str> = line.split(' ').collect();
    let after = |option: &str| {
        let place = words.iter().position(|word| *word == option).unwrap();
        words[place + 1]
    };
    let number = |option| after(option).parse().unwrap();
    (profile(after("--kubernetes-version")).unwrap(), number("--seed"), number("--run"))
}

/// What one run comes to.
fn found(version: Profile, seed: u64, run: u64) -> Vec<Finding> {
    let rules = RuleSet::usual();
    let mut campaign = Campaign::new(Settings { seed, version: Some(version), rules, base: None });
    let alone = run..run + 1;
    campaign.advance(std::slice::from_ref(&alone));
    campaign.findings.into_values().collect()
}

#[test]
fn each_is_what_its_command_finds() {
    for file in files() {
        let text = std::fs::read_to_string(&file).unwrap();
        let (version, seed, run) = command(&text);
        let stem = file.file_stem().unwrap().to_str().unwrap();
        let found = found(version, seed, run);
        let same = found.iter().filter(|finding| finding.signature.stem() == stem);
        assert!(same.clone().any(|one| one.text == text), "{stem}: run {run} finds {found:#?}");
    }
}

#[test]
fn what_upstream_has_had_is_there_and_gone_where_it_is_mended() {
    let kept: Vec<(Profile, String)> = files()
        .iter()
        .map(|file| std::fs::read_to_string(file).unwrap())
        .map(|text| (command(&text).0, text))
        .collect();
    for (threads, version, mended) in HISTORY {
        let is_it =
            |text: &str| text.replace("\n# ", " ").contains(&format!("upstream: {threads}."));
        let mut of_it =
            kept.iter().filter(|(of, text)| of.name() == version && is_it(text)).peekable();
        assert!(of_it.peek().is_some(), "no finding of {threads} in {version}");
        for (_, text) in of_it {
            let Some(mended) = mended else { continue };
            let words = text.replace("\n# ", " ");
            let (_, told) = words.split_once("This scenario in other versions: ").unwrap();
            let is_kept = ["keep", "keeps"].into_iter().any(|word| {
                told.contains(&format!("{mended} to 1.36 {word} it"))
                    || mended == "1.36" && told.contains(&format!("1.36 {word} it"))
            });
            assert!(is_kept, "{threads} in {mended}: {told}");
        }
    }
}

#[test]
fn they_are_small() {
    let steps = |text: &str| {
        text.lines()
            .filter(|line| line.starts_with("    - at:") || line.starts_with("    - after:"))
            .count()
    };
    let mut counts: Vec<usize> =
        files().iter().map(|file| steps(&std::fs::read_to_string(file).unwrap())).collect();
    counts.sort_unstable();
    assert!(counts[counts.len() / 2] <= 4, "{counts:?}");
}
