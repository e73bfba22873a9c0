//! What people mistype, and folders that a campaign cannot use.

use super::{SEARCH, bytes, empty, refused, search, word};
use crate::support::ran;

#[test]
fn mistakes_are_told_as_reviewed() {
    let folder = empty();
    let out = folder.path().join("out");
    let mut page = String::new();
    for arguments in [
        &["--rules", "doc"][..],
        &["--rules", "docs/no-such"],
        &["--rules", "diff/1.99"],
        &["--rules", ""],
        &["--rules", "docs,,convergence"],
        &["--shard", "0/3"],
        &["--shard", "4/3"],
        &["--shard", "x"],
        &["--shard", "1"],
        &["--shard", "1/0"],
        &["--shard", "1/99999999999"],
        &["--seed", "-1"],
        &["--seed", "18446744073709551616"],
        &["--seed", "often"],
        &["--runs", "0"],
        &["--runs", "99999999999999"],
        &["--runs", "1e6"],
        &["--for", "0s"],
        &["--for", "10"],
        &["--for", "soon"],
        &["--runs", "5", "--for", "1s"],
        &["--run", "18446744073709551615"],
        &["--run", "1", "--runs", "5"],
        &["--run", "1", "--shard", "1/2"],
        &["--jobs", "0"],
        &["--jobs", "100000"],
        &["--kubernetes-version", "1.99"],
        &["--kubernetes-version", "newest"],
        &["--fail-on", "SOME"],
        &["no-such-file.yaml"],
        &["resume", "no-such-folder"],
        &["merge", "no-such-folder"],
        &["merge"],
        &["--runs", "5", "resume"],
    ] {
        let (status, told, err) = ran(&[&["fuzz"], arguments].concat());
        assert_eq!((status, told.as_str()), (2, ""), "{arguments:?}: {err}");
        page.push_str(&format!("$ taintsim fuzz {}\n{err}\n", arguments.join(" ")));
    }
    insta::assert_snapshot!("fuzz-mistakes", page);
    assert!(!out.exists());
}

/// Nothing is lost that somebody may want.
#[test]
fn a_folder_that_is_in_use_is_left_alone() {
    let folder = empty();
    let (out, other) = (folder.path().join("out"), folder.path().join("other"));
    search(250, &out, &[]);
    let before = bytes(&out);
    let words = |folder| [&SEARCH[..], &["--runs", "250", "--out", folder]].concat();
    let told = refused(&words(word(&out)));
    let name = word(&out);
    let expected = format!(
        "error: {name} holds a campaign: go on with it by `taintsim fuzz resume {name}`, name \
         another folder with --out, or begin anew with --overwrite\n"
    );
    assert_eq!((told, bytes(&out)), (expected, before));

    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("thesis.tex"), "all of it").unwrap();
    for more in [&[][..], &["--overwrite"]] {
        let told = refused(&[&words(word(&other)), more].concat());
        assert!(told.contains("has files in it that are not of a campaign"), "{told}");
        assert_eq!(bytes(&other).len(), 1);
    }
    // A scenario in the folder would be taken away with the rest.
    let mut files = super::findings(&out);
    let finding = files.remove(0);
    let varied = ["fuzz", word(&finding), "--overwrite", "--runs", "1", "--out", word(&out)];
    let told = refused(&varied);
    assert!(told.contains("is in the campaign's own folder"), "{told}");
    assert!(finding.exists());
}

#[test]
fn a_folder_that_cannot_be_made_or_written_is_told() {
    let folder = empty();
    let file = folder.path().join("file");
    std::fs::write(&file, "a file").unwrap();
    for out in [file.join("out"), file.clone()] {
        let told = refused(&[&SEARCH[..], &["--runs", "1", "--out", word(&out)]].concat());
        assert!(told.starts_with("error: cannot make ") && told.contains(word(&out)), "{told}");
    }
    let told = refused(&["fuzz", "resume", word(&file)]);
    assert!(told.contains("file"), "{told}");
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_only_be_read_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let folder = empty();
    let out = folder.path().join("out");
    search(250, &out, &[]);
    let set = |mode| {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(&out, permissions).unwrap();
    };
    set(0o555);
    if std::fs::write(out.join("probe"), "").is_ok() {
        set(0o755);
        eprintln!("this user may write everywhere; folders that may only be read were not tried");
        return;
    }
    let told = refused(&["fuzz", "resume", word(&out), "--runs", "500"]);
    assert!(told.starts_with("error: cannot write "), "{told}");
    let told = refused(&[&SEARCH[..], &["--runs", "1", "--out", word(&out.join("x"))]].concat());
    assert!(told.starts_with("error: cannot make "), "{told}");
    set(0o755);
}
