//! A dump that is read lean says the same as one that is read whole: the same objects, notices and
//! mistakes, at the same places.
//!
//! Over the dumps beside the command line's tests and, where the folder that `TAINTSIM_DUMPS`
//! names (or one next to the repository) is there, those of real clusters.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use taintsim::objects::Lists;
use taintsim::scenario::diagnostic::{Diagnostics, render_all};
use taintsim::scenario::manifest::{self, Objects};
use taintsim::scenario::reader::{self, Kept};
use taintsim::scenario::source::Sources;

const LEAN: Kept = Kept { keep: &manifest::KEPT, is_whole: |_, _| false };

/// All that is read of a text, and all that is said about it.
fn read(text: &[u8], kept: Kept) -> String {
    let mut sources = Sources::default();
    let Ok(source) = sources.add_bytes("dump", text.to_vec()) else { return String::new() };
    let mut diagnostics = Diagnostics::default();
    let documents = reader::read_kept(&sources, source, kept, &mut diagnostics);
    let (mut objects, mut lists) = (Objects::default(), Lists::default());
    manifest::collect(&documents, "default", &mut lists, &mut objects, &mut diagnostics);
    objects.finish();
    let mistakes = render_all(&diagnostics.into_sorted(), &sources);
    format!("{objects:#?}\n{lists:#?}\n{mistakes}")
}

fn check(folder: &Path) -> usize {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut checked = 0;
    for path in paths.iter().filter(|path| path.is_file()) {
        let text = fs::read(path).unwrap();
        let (whole, lean) = (read(&text, Kept::ALL), read(&text, LEAN));
        let differs = whole.lines().zip(lean.lines()).find(|(whole, lean)| whole != lean);
        assert!(whole == lean, "{}: {differs:?}", path.display());
        checked += 1;
    }
    checked
}

#[test]
fn lean_and_whole_are_the_same() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(check(&root.join("tests/cli/scenarios")) > 0);
    let dumps = std::env::var_os("TAINTSIM_DUMPS")
        .map_or_else(|| root.join("../shared/real-manifests"), PathBuf::from);
    for folder in [dumps.clone(), dumps.join("../hostile")] {
        if folder.is_dir() {
            assert!(check(&folder) > 0);
        } else {
            let text = format!("notice: {} is absent: checked nothing there\n", folder.display());
            std::io::stderr().write_all(text.as_bytes()).unwrap();
        }
    }
}
