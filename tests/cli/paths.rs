//! Directories, links, `-`, and names that stand twice.

use std::fs;
use std::path::Path;

use crate::support::{ran, stdout};

const DUMP: &str = "{kind: List, items: [{kind: Node, metadata: {name: n}}]}\n";

fn write(folder: &Path, name: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, DUMP).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_directory_without_files_is_no_success() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().to_str().unwrap();
    for command in ["validate", "test"] {
        let (code, out, err) = ran(&[command, empty]);
        assert_eq!(code, 2, "{out}{err}");
        assert!(err.contains("nothing was"), "{err}");
    }
    let file = write(folder.path(), "UP.YAML");
    let (code, out, err) = ran(&["validate", empty]);
    assert_eq!((code, out), (0, format!("{file}: ok (dump, 1 node, 0 pods)\n")), "{err}");
}

#[cfg(unix)]
#[test]
fn a_link_to_nowhere_is_told() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("gone.yaml", folder.path().join("lost.yaml")).unwrap();
    write(folder.path(), "dump.yaml");
    for command in ["validate", "test"] {
        let (code, out, err) = ran(&[command, folder.path().to_str().unwrap()]);
        let told = format!("{out}{err}");
        assert_eq!(code, 2, "{told}");
        assert!(told.contains("it is a link to gone.yaml, and that is not there"), "{told}");
    }
}

#[test]
fn a_minus_is_stdout_wherever_a_file_is_written() {
    let scenario = "maintenance.yaml";
    let records = stdout(&["replay", scenario, "-o", "jsonl"]);
    assert!(records.lines().count() > 3, "{records}");
    assert_eq!(stdout(&["replay", scenario, "-o", "jsonl=-"]), records);
    let (code, _, err) = ran(&["replay", scenario, "-o", "jsonl=-", "-o", "table"]);
    assert!(code == 2 && err.contains("only one -o can go to stdout"), "{err}");

    let folder = tempfile::tempdir().unwrap();
    let dump = write(folder.path(), "dump.yaml");
    let (_, imported, _) = ran(&["import", &dump]);
    assert!(imported.contains("kind: Scenario"), "{imported}");
    assert_eq!(ran(&["import", &dump, "-o", "-"]).1, imported);
    assert!(!crate::support::folder().join("-").exists());
}

#[test]
fn a_file_that_is_imported_twice_is_read_once() {
    let folder = tempfile::tempdir().unwrap();
    let dump = write(folder.path(), "dump.yaml");
    let once = ran(&["import", &dump]);
    let (code, out, err) = ran(&["import", &dump, &dump]);
    assert_eq!((code, out), (once.0, once.1));
    assert_eq!(
        err.replacen(&format!("notice: {dump} is named twice; it is read once\n"), "", 1),
        once.2
    );
    assert_ne!(err, once.2);
}

#[test]
fn what_is_no_dump_is_refused_by_all() {
    let folder = tempfile::tempdir().unwrap();
    let service = folder.path().join("service.yaml");
    fs::write(&service, "{apiVersion: v1, kind: Service, metadata: {name: a}}\n").unwrap();
    for command in ["validate", "replay", "import"] {
        let (code, _, err) = ran(&[command, service.to_str().unwrap()]);
        assert_eq!(code, 2, "{err}");
        assert!(err.contains("there is no Node and no Pod, only 1 Service"), "{err}");
    }
}

#[test]
fn a_page_is_that_of_one_command() {
    for (words, expected) in [
        (["man", "replay", "test"], "write `taintsim man replay`"),
        (["man", "help", "replay"], "`help` has no page; write `taintsim man`"),
        (["man", "repla", "test"], "taintsim has no command `repla`"),
    ] {
        let (code, _, err) = ran(&words);
        assert!(code == 2 && err.contains(expected), "{err}");
    }
}
