//! Files as people have them, damaged: whatever comes out, the loader takes it or says why not.
//!
//! The seeds are the scenarios of this repository and, where they are at hand, dumps of real
//! clusters and hostile files (see `tests/real_manifests.rs`). For a long search run it with
//! `PROPTEST_CASES=1000000`, under `ulimit -v` where memory is in question.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at what it does not expect"
)]

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use proptest::prelude::*;
use proptest::sample::Index;
use taintsim::cluster::World;
use taintsim::import::{Import, ImportOptions};
use taintsim::kernel::Time;
use taintsim::scenario::{Failure, Limits, LoadOptions, ObjectsLoader, load_text};
use taintsim::timeline::{Detail, Record};

/// Seeds are cut to this size in bytes, which is more than most have.
const SEED_MAX: usize = 150_000;
/// A run of what loads is looked at for so many events.
const EVENTS_MAX: usize = 20_000;

/// Texts that mean something to a reader of YAML, JSON, Kubernetes or kubectl.
const TOKENS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ": ",
    "- ",
    "\n",
    "\n  ",
    "\t",
    "\"",
    "'",
    "#",
    "&a ",
    "*a",
    "!x ",
    "|",
    ">",
    "---\n",
    "...\n",
    "<<: ",
    "? ",
    "%",
    "@",
    "`",
    "~",
    "null",
    "true",
    "yes",
    "0",
    "-1",
    "1.5",
    "1e99",
    "9223372036854775807",
    "9223372036854775808",
    "18446744074",
    "0x1f",
    "1.30",
    "300",
    "\"300\"",
    "10s",
    "1h",
    "-5s",
    "{0..2}",
    "{0..4294967295}",
    "{a..z}{a..z}{a..z}{a..z}",
    "{5..0}",
    "{,}",
    "*",
    "kind: List\n",
    "kind: Pod\n",
    "kind: Node\n",
    "kind: Scenario\n",
    "items:\n",
    "\"items\":",
    "\"kind\":\"Pod\",",
    "apiVersion: v1\n",
    "metadata: {name: a}\n",
    "NoExecute",
    "NoExecut",
    "Exists",
    "Gt",
    "key:NoExecute-",
    "default/",
    "/",
    "..",
    "=",
    ",",
    "\u{feff}",
    "\u{202e}",
    "\u{1b}[31m",
    "\u{0}",
    "\u{7}",
    "é",
    "漢字",
    "e\u{301}",
    "\r",
    "\r\n",
    "kubectl: taint nodes --all a=b:NoExecute\n",
    "spec:\n",
    "steps:\n",
    "expect:\n",
    "pods:\n",
    "at: 5s\n",
    "after: {evicted: a}\n",
    "burst: [",
    "selector: a=b\n",
    "deletionTimestamp: x\n",
];

/// One damage. Positions are relative, so that a case shrinks with its text.
#[derive(Clone, Debug)]
enum Damage {
    Cut { at: Index },
    Remove { at: Index, length: usize },
    Repeat { at: Index, length: usize, times: usize },
    Insert { at: Index, token: usize },
    Replace { at: Index, length: usize, token: usize },
    Byte { at: Index, byte: u8 },
    Move { from: Index, length: usize, to: Index },
    Graft { seed: Index, from: Index, length: usize, at: Index },
    Indent { line: Index, by: i8 },
    Wide,
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<Index>;
    let length = || prop_oneof![4 => 1..12usize, 2 => 1..200usize, 1 => 1..4000usize];
    let token = || 0..TOKENS.len();
    prop_oneof![
        1 => at().prop_map(|at| Damage::Cut { at }),
        4 => (at(), length()).prop_map(|(at, length)| Damage::Remove { at, length }),
        2 => (at(), length(), prop_oneof![4 => 1..4usize, 1 => 1..400usize])
            .prop_map(|(at, length, times)| Damage::Repeat { at, length, times }),
        6 => (at(), token()).prop_map(|(at, token)| Damage::Insert { at, token }),
        4 => (at(), length(), token())
            .prop_map(|(at, length, token)| Damage::Replace { at, length, token }),
        3 => (at(), any::<u8>()).prop_map(|(at, byte)| Damage::Byte { at, byte }),
        2 => (at(), length(), at()).prop_map(|(from, length, to)| Damage::Move { from, length, to }),
        2 => (at(), at(), length(), at())
            .prop_map(|(seed, from, length, at)| Damage::Graft { seed, from, length, at }),
        3 => (at(), -3..4i8).prop_map(|(line, by)| Damage::Indent { line, by }),
        1 => Just(Damage::Wide),
    ]
}

impl Damage {
    fn apply(&self, bytes: &mut Vec<u8>) {
        // A text of any length has a place at its end.
        let place = |index: &Index, bytes: &[u8]| index.index(bytes.len() + 1);
        let piece = |at: usize, length: usize, bytes: &[u8]| at..(at + length).min(bytes.len());
        match self {
            Damage::Cut { at } => bytes.truncate(place(at, bytes)),
            Damage::Remove { at, length } => {
                let range = piece(place(at, bytes), *length, bytes);
                bytes.drain(range);
            }
            Damage::Repeat { at, length, times } => {
                let range = piece(place(at, bytes), *length, bytes);
                let again = bytes[range.clone()].repeat((*times).min(1 + 40_000 / length));
                bytes.splice(range.end..range.end, again);
            }
            Damage::Insert { at, token } => {
                let at = place(at, bytes);
                bytes.splice(at..at, TOKENS[*token].bytes());
            }
            Damage::Replace { at, length, token } => {
                let range = piece(place(at, bytes), *length, bytes);
                bytes.splice(range, TOKENS[*token].bytes());
            }
            Damage::Byte { at, byte } => {
                let at = place(at, bytes);
                bytes.splice(piece(at, 1, bytes), [*byte]);
            }
            Damage::Move { from, length, to } => {
                let range = piece(place(from, bytes), *length, bytes);
                let moved: Vec<u8> = bytes.drain(range).collect();
                let to = place(to, bytes);
                bytes.splice(to..to, moved);
            }
            Damage::Graft { seed, from, length, at } => {
                let (_, other) = &seeds()[seed.index(seeds().len())];
                let part = other[piece(place(from, other), *length, other)].to_vec();
                let at = place(at, bytes);
                bytes.splice(at..at, part);
            }
            Damage::Indent { line, by } => {
                let at = place(line, bytes);
                let start = bytes[..at].iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
                if *by >= 0 {
                    bytes.splice(start..start, vec![b' '; usize::from(by.unsigned_abs())]);
                } else {
                    let blanks = bytes[start..].iter().take_while(|b| **b == b' ').count();
                    bytes.drain(start..start + blanks.min(usize::from(by.unsigned_abs())));
                }
            }
            Damage::Wide => {
                let text = String::from_utf8_lossy(bytes).into_owned();
                *bytes = [0xff, 0xfe].into_iter().collect();
                bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
            }
        }
    }
}

/// Names and bytes of the files to damage.
fn seeds() -> &'static [(String, Vec<u8>)] {
    static SEEDS: OnceLock<Vec<(String, Vec<u8>)>> = OnceLock::new();
    SEEDS.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let shared = |variable, folder| {
            std::env::var_os(variable)
                .map_or_else(|| root.join("../shared").join(folder), PathBuf::from)
        };
        let mut found = Vec::new();
        for folder in [
            root.join("scenarios"),
            root.join("docs/examples"),
            root.join("tests/diagnostics/cases"),
            shared("TAINTSIM_DUMPS", "real-manifests"),
            shared("TAINTSIM_HOSTILE", "hostile"),
        ] {
            files(&folder, &mut found);
        }
        assert!(found.len() > 40, "only {} seeds", found.len());
        found
    })
}

fn files(folder: &Path, found: &mut Vec<(String, Vec<u8>)>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_none_or(|ending| ending != "md") {
            let mut bytes = std::fs::read(&path).unwrap();
            bytes.truncate(SEED_MAX);
            found.push((path.display().to_string(), bytes));
        }
    }
}

/// Loads what may be anything; what loads runs for a while.
fn check(bytes: &[u8], options: &LoadOptions) -> Result<(), TestCaseError> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples/input.yaml");
    match load_text("input.yaml", bytes, Some(&examples), options) {
        Ok(loaded) => {
            let mut world = World::new(&loaded.plan, Detail::Summary);
            let mut events = 0;
            let mut records: Vec<Record> = Vec::new();
            world.run_to_next(Time(u64::MAX), &mut records, |_| {
                events += 1;
                events > EVENTS_MAX
            });
            world.assert_invariants();
        }
        Err(failure) => told(&failure)?,
    }
    Ok(())
}

/// What may be anything becomes a scenario that loads, or is refused.
fn check_import(bytes: &[u8], redact: bool) -> Result<(), TestCaseError> {
    let mut loader = ObjectsLoader::new(Limits::default());
    loader.text("input.yaml", bytes);
    let loaded = match loader.finish() {
        Ok(loaded) => loaded,
        Err(failure) => return told(&failure),
    };
    let options = ImportOptions { name: "input".into(), files: vec!["input.yaml".into()], redact };
    let import = Import::new(loaded, options);
    let mut text = Vec::new();
    import.write(&mut text).unwrap();
    import.notices();
    let again = load_text("imported.yaml", text, None, &LoadOptions::default());
    prop_assert!(again.is_ok(), "{}", again.unwrap_err());
    Ok(())
}

/// A refusal has words and places, and nothing that a terminal would act on.
fn told(failure: &Failure) -> Result<(), TestCaseError> {
    prop_assert!(!failure.diagnostics.is_empty(), "refused without a word");
    let text = failure.render();
    prop_assert!(text.contains("error: "), "{text}");
    let control = text.chars().find(|c| c.is_control() && *c != '\n');
    prop_assert_eq!(control, None, "a control character for the terminal: {:?}", text);
    for diagnostic in &failure.diagnostics {
        let place = diagnostic.place;
        prop_assert!(place.start <= place.end, "{diagnostic:?}");
        let length = failure.sources.text(place.source).len();
        prop_assert!(place.end as usize <= length, "{diagnostic:?} in {length} bytes");
        prop_assert!(!diagnostic.message.is_empty());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_files_load_or_are_refused(
        seed in any::<Index>(),
        damages in prop::collection::vec(damage(), 1..6),
        redact in any::<bool>(),
    ) {
        let (_, bytes) = &seeds()[seed.index(seeds().len())];
        let mut bytes = bytes.clone();
        for damage in &damages {
            damage.apply(&mut bytes);
        }
        check(&bytes, &LoadOptions::default())?;
        check_import(&bytes, redact)?;
    }

    #[test]
    fn damaged_arguments_load_or_are_refused(
        line in prop::sample::select(vec![
            "10s taint nodes node-0 maintenance=now:NoExecute",
            "+5s delete pod -n shop web-0 --grace-period=5",
            "0s kubectl label pods -l app=web a=b --overwrite",
            "spec.pods[*].tolerations[name=a].tolerationSeconds=60",
            "metadata.labels.a\\.b/c=null",
            "items[0].spec.taints[0].effect=NoExecute",
        ]),
        damages in prop::collection::vec(damage(), 1..4),
    ) {
        let mut bytes = line.as_bytes().to_vec();
        for damage in &damages {
            damage.apply(&mut bytes);
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (_, example) = seeds().iter().find(|(name, _)| name.ends_with("every-key.yaml")).unwrap();
        let steps = LoadOptions { extra_steps: vec![text.clone()], ..LoadOptions::default() };
        check(example, &steps)?;
        let overrides = LoadOptions { overrides: vec![text], ..LoadOptions::default() };
        check(example, &overrides)?;
    }
}
