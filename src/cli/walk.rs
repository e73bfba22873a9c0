//! Which files below a directory are looked at.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::output::printable_path;
use crate::cli::status::Problem;

/// A file to look at.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) path: PathBuf,
    /// The user named it; it was not found in a directory.
    pub(super) is_named: bool,
}

/// Files are taken as they are; directories are walked in the order of their names for YAML and
/// JSON. Hidden directories and links to directories are left alone.
pub(super) fn files(paths: &[PathBuf]) -> Result<Vec<Found>, Problem> {
    let mut found = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => walk(path, &mut found)?,
            // A file that is not there is told by the loader, as any that cannot be read.
            false => found.push(Found { path: path.clone(), is_named: true }),
        }
    }
    Ok(found)
}

fn walk(folder: &Path, found: &mut Vec<Found>) -> Result<(), Problem> {
    let cannot = |error: std::io::Error| {
        Problem::Usage(format!("cannot read the directory {}: {error}", printable_path(folder)))
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
        } else if !kind.is_dir()
            && ["yaml", "yml", "json"].iter().any(|known| extension.eq_ignore_ascii_case(known))
        {
            // A link to nowhere is a mistake, and told as if it were named; but editors lock
            // files with hidden ones.
            let is_dangling = kind.is_symlink() && !path.exists() && !is_hidden;
            if path.is_file() || is_dangling {
                found.push(Found { path, is_named: is_dangling });
            }
        }
    }
    Ok(())
}

/// Whether what cannot be loaded is meant as a scenario: it names our API group, or what is nearly
/// that, or a kind that is nearly Scenario.
pub(super) fn mentions_scenario(bytes: &[u8]) -> bool {
    // Without the zeros, UTF-16 reads as the ASCII that it mostly is.
    let bytes: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != 0).collect();
    let text = String::from_utf8_lossy(&bytes);
    let is_group = |version: &str| {
        let (group, _) = version.split_once('/').unwrap_or((version, ""));
        group.starts_with("taintsim") || is_nearly(group, "taintsim.dev", 3)
    };
    text.contains("taintsim.dev/")
        || values(&text, "apiversion").any(|value| is_group(&value))
        || values(&text, "kind").any(|value| is_nearly(&value, "scenario", 2))
}

fn is_nearly(text: &str, known: &str, off_by: usize) -> bool {
    text.len() <= known.len() + off_by && strsim::damerau_levenshtein(text, known) <= off_by
}

/// The values of a key, in YAML or JSON that may be broken; all in lower case.
fn values(text: &str, key: &str) -> impl Iterator<Item = String> {
    let is_space = |c: char| c.is_whitespace() || c == '"' || c == '\'';
    text.split(['\n', '\r', ',', '{', '}']).filter_map(move |piece| {
        let (name, value) = piece.split_once(':')?;
        let is_key = name.trim_matches(is_space).eq_ignore_ascii_case(key);
        is_key.then(|| value.trim_matches(is_space).to_ascii_lowercase())
    })
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
        #[cfg(unix)]
        for link in ["lost.yaml", ".#a.yaml", "lost.md"] {
            std::os::unix::fs::symlink("nowhere", path(link)).unwrap();
        }
        for file in ["d.YAML", "c.yml", "a.yaml", "b/z.json", "b/y.yaml", "notes.md", ".git/x.yaml"]
        {
            fs::write(path(file), "").unwrap();
        }
        let found = files(&[folder.path().to_owned(), path("notes.md")]).unwrap();
        let named = ["notes.md", "lost.yaml"];
        let is_named = |file: &Found| named.iter().any(|name| file.path.ends_with(name));
        assert!(found.iter().all(|file| file.is_named == is_named(file)));
        let found: Vec<PathBuf> = found.into_iter().map(|file| file.path).collect();
        let mut expected = vec!["a.yaml", "b/y.yaml", "b/z.json", "c.yml", "d.YAML"];
        expected.extend(cfg!(unix).then_some("lost.yaml"));
        expected.push("notes.md");
        assert_eq!(found, expected.into_iter().map(path).collect::<Vec<_>>());
    }

    #[test]
    fn what_cannot_be_loaded_is_a_scenario_if_it_says_so() {
        for text in [
            "apiVersion: taintsim.dev/v1alpha1\nkind: [",
            "apiVersion: taintsim.io/v1alpha1",
            "apiVersion: tainstim.dev/v1alpha1",
            "kind: Scenario\nspec: {nodes: [}",
            "kind: 'scenarios'",
            "{\"spec\": {}, \"kind\" : \"Scenaro\"}",
            "k\0i\0n\0d\0:\0 \0S\0c\0e\0n\0a\0r\0i\0o\0",
        ] {
            assert!(mentions_scenario(text.as_bytes()), "{text:?}");
        }
        for text in
            ["services: [", "apiVersion: apps/v1\nkind: Secret", "a: kind Scenario", "Scenario", ""]
        {
            assert!(!mentions_scenario(text.as_bytes()), "{text:?}");
        }
    }
}
