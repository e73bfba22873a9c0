//! Which files below a directory are looked at.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::cli::status::Problem;

/// Files are taken as they are; directories are walked in the order of their names for YAML and
/// JSON. Hidden directories and links to directories are left alone.
pub(super) fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Problem> {
    let mut found = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => walk(path, &mut found)?,
            // A file that is not there is told by the loader, as any that cannot be read.
            false => found.push(path.clone()),
        }
    }
    Ok(found)
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Problem> {
    let cannot = |error: std::io::Error| {
        Problem::Usage(format!("cannot read the directory {}: {error}", folder.display()))
    };
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(cannot)? {
        let entry = entry.map_err(cannot)?;
        entries.push((entry.path(), entry.file_type().map_err(cannot)?));
    }
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    for (path, kind) in entries {
        let is_hidden = path.file_name().is_some_and(|n| n.to_string_lossy().starts_with('.'));
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        if kind.is_dir() && !is_hidden {
            walk(&path, found)?;
        } else if !kind.is_dir() && path.is_file() && ["yaml", "yml", "json"].contains(&extension) {
            found.push(path);
        }
    }
    Ok(())
}

/// Whether a file that cannot be loaded is meant as a scenario: it names our API group, or it
/// cannot be read at all.
pub(super) fn mentions_scenario(path: &Path) -> bool {
    let mut bytes = Vec::new();
    match fs::File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)) {
        Ok(_) => String::from_utf8_lossy(&bytes).contains("taintsim.dev/"),
        Err(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_are_walked_in_order_and_files_taken_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for dir in ["b", ".git"] {
            fs::create_dir(path(dir)).unwrap();
        }
        for file in ["c.yml", "a.yaml", "b/z.json", "b/y.yaml", "notes.md", ".git/x.yaml"] {
            fs::write(path(file), "").unwrap();
        }
        let found = files(&[folder.path().to_owned(), path("notes.md")]).unwrap();
        let expected = ["a.yaml", "b/y.yaml", "b/z.json", "c.yml", "notes.md"].map(path);
        assert_eq!(found, expected);
    }

    #[test]
    fn what_cannot_be_loaded_is_a_scenario_if_it_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.yaml");
        fs::write(&path, "apiVersion: taintsim.dev/v1alpha1\nkind: [").unwrap();
        assert!(mentions_scenario(&path));
        fs::write(&path, "services: [").unwrap();
        assert!(!mentions_scenario(&path));
        assert!(mentions_scenario(&folder.path().join("absent.yaml")));
    }
}
