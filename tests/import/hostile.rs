//! Malformed and hostile files: taken, or refused with a word; never a panic.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use taintsim::import::{Import, ImportOptions};
use taintsim::scenario::{Limits, ObjectsLoader, load_text};

/// Files that are refused; all others are taken. Where a reader learns to take one, both will do.
const REFUSED: [&str; 31] = [
    "h01", "h02", "h04", "h05", "h08", "h10", "h11", "h19", "h20", "h22", "h29", "h31", "h32",
    "h34", "h35", "h37", "h38", "h47", "h49", "h51", "h58", "h64", "h65", "h66", "h68", "h69",
    "h70", "h73", "h78", "h79", "h45",
];
/// UTF-16 and lone carriage returns may be taken or refused.
const EITHER: [&str; 3] = ["h40", "h41", "h45"];

#[test]
fn hostile_files_are_imported_or_refused() {
    let Some(files) = files() else { return };
    let mut report = String::new();
    for path in files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let number = &name[..3];
        let mut loader = ObjectsLoader::new(Limits::default());
        loader.file(&path);
        let loaded = loader.finish();
        let refused = loaded.is_err();
        if !EITHER.contains(&number) && refused != REFUSED.contains(&number) {
            report.push_str(&format!("{name}: refused is {refused}\n"));
        }
        match loaded {
            Err(failure) => assert!(failure.render().contains("error: "), "{name}"),
            Ok(loaded) => {
                for redact in [false, true] {
                    let mut loader = ObjectsLoader::new(Limits::default());
                    loader.file(&path);
                    let loaded = loader.finish().unwrap();
                    let options = ImportOptions { redact, ..ImportOptions::default() };
                    let mut text = Vec::new();
                    Import::new(loaded, options).write(&mut text).unwrap();
                    if let Err(failure) = load_text("x.yaml", text, None, &Default::default()) {
                        report.push_str(&format!("{name}, imported: {failure}\n"));
                    }
                }
                drop(loaded);
            }
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

fn files() -> Option<Vec<PathBuf>> {
    let named = std::env::var_os("TAINTSIM_HOSTILE").map(PathBuf::from);
    let must_exist = named.is_some();
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/hostile");
    let folder = named.unwrap_or_else(beside);
    let Ok(entries) = std::fs::read_dir(&folder) else {
        assert!(!must_exist, "TAINTSIM_HOSTILE: there is no folder {}", folder.display());
        // The test harness keeps what `eprintln!` prints to itself where a test passes.
        let notice = format!("SKIPPED: no hostile files at {}\n", folder.display());
        io::stderr().write_all(notice.as_bytes()).unwrap();
        return None;
    };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| !path.ends_with("README.md"));
    files.sort();
    Some(files)
}
