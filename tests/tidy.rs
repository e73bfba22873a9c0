//! The source keeps the rules on which determinism and readability rest.

#![allow(clippy::expect_used, reason = "the repository's own files are there")]

use std::path::{Path, PathBuf};

/// Where something must not stand.
#[derive(Clone, Copy)]
enum Scope {
    /// Anywhere.
    All,
    /// Outside the command line, which has the progress bar's clock.
    NotCli,
    /// Where a run is computed.
    Model,
}

impl Scope {
    fn has(self, file: &str) -> bool {
        match self {
            Scope::All => true,
            Scope::NotCli => !file.starts_with("cli/"),
            Scope::Model => !file.starts_with("cli/") && !file.starts_with("render/"),
        }
    }
}

/// Text that must not stand there, with what to use in its place.
const BANNED: [(&str, Scope, &str); 9] = [
    ("Instant::now", Scope::NotCli, "virtual time"),
    ("SystemTime", Scope::NotCli, "virtual time"),
    ("std::thread", Scope::NotCli, "nothing: one world, one thread"),
    ("HashMap", Scope::All, "IndexMap or BTreeMap: their order is fixed"),
    ("HashSet", Scope::All, "IndexSet or BTreeSet: their order is fixed"),
    ("f64", Scope::Model, "integers: no float decides"),
    ("f32", Scope::Model, "integers: no float decides"),
    ("env::var", Scope::All, "an option: the environment has no say"),
    ("dbg!", Scope::All, "tracing"),
];

/// Longest file, tests beside the code not counted.
const LINES_MAX: usize = 520;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// Every source file with its path below src/, in order.
fn sources() -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut folders = vec![root().join("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("src is part of the repository") {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("a source file is UTF-8");
                let name = path.strip_prefix(root().join("src")).expect("found below src");
                files.push((name.to_string_lossy().into_owned(), text));
            }
        }
    }
    files.sort();
    assert!(files.len() > 50, "only {} source files found", files.len());
    files
}

/// The part before the tests.
fn code(text: &str) -> &str {
    text.split("#[cfg(test)]").next().unwrap_or(text)
}

#[test]
fn nothing_banned_is_used() {
    let mut found = Vec::new();
    for (name, text) in sources() {
        for (banned, scope, instead) in BANNED {
            let concerned = scope.has(&name);
            for (line, number) in code(&text).lines().zip(1..) {
                let comment = line.trim_start().starts_with("//");
                if concerned && !comment && line.contains(banned) {
                    found.push(format!("src/{name}:{number}: {banned}; use {instead}"));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_file_says_what_it_is_and_can_be_taken_in() {
    let mut found = Vec::new();
    for (name, text) in sources() {
        let is_test = name.contains("/tests");
        if !text.starts_with("//!") && !is_test {
            found.push(format!("src/{name}: no //! header"));
        }
        let lines = code(&text).lines().count();
        if lines > LINES_MAX {
            found.push(format!("src/{name}: {lines} lines; split it"));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_kernel_knows_no_kubernetes_noun() {
    let nouns = ["pod", "node", "taint", "tolerat", "evict", "kube"];
    for (name, text) in sources().iter().filter(|(name, _)| name.starts_with("kernel/")) {
        for (line, number) in text.lines().zip(1..) {
            let lower = line.to_lowercase();
            let noun = nouns.iter().find(|noun| lower.contains(*noun));
            // The domain of the random streams carries the program's name, and the page says this.
            let exempt = lower.contains("taintsim") || lower.contains("noun");
            if let Some(noun) = noun.filter(|_| !exempt) {
                panic!("src/{name}:{number} says {noun}: {line}");
            }
        }
    }
}

/// Each room that the map in ARCHITECTURE.md names exists, and each that exists is named.
#[test]
fn the_map_shows_every_room() {
    let map = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the map");
    let lib = std::fs::read_to_string(root().join("src/lib.rs")).expect("the crate's page");
    let rooms = lib.lines().filter_map(|line| line.strip_prefix("pub mod "));
    let mut count = 0;
    for room in rooms.map(|room| room.trim_end_matches(';')) {
        assert!(map.contains(&format!("| `{room}` |")), "ARCHITECTURE.md does not show {room}");
        count += 1;
    }
    assert!(count >= 12, "{count} rooms");
}
