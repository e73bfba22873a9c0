//! `taintsim profiles`: what each version has, and what changed between two.

use serde_json::Value;
use taintsim::profile::{CHANGES, Profile};

use crate::support::{ran, stdout};

fn json(arguments: &[&str]) -> Value {
    let all = [&["profiles", "-o", "json"], arguments].concat();
    serde_json::from_str(&stdout(&all)).unwrap()
}

#[test]
fn profiles_are_as_reviewed() {
    let mut page = String::new();
    for arguments in [
        &[][..],
        &["1.25", "v1.29.4-eks-1"],
        &["1.36", "1.30"],
        &["1.8", "1.10"],
        &["1.19", "v1.19.3"],
        &["1.18", "1.20", "-o", "json"],
    ] {
        let all = [&["profiles"], arguments].concat();
        page.push_str(&format!("$ taintsim {}\n{}\n", all.join(" "), stdout(&all)));
    }
    insta::assert_snapshot!("profiles", page);
}

/// The document has every version and every change of the table.
#[test]
fn json_has_all_versions_and_changes() {
    let all = json(&[]);
    let profiles = all["profiles"].as_array().unwrap();
    assert_eq!(profiles.len(), Profile::all().len());
    let mut changes = 0;
    for (written, profile) in profiles.iter().zip(Profile::all()) {
        assert_eq!(written["version"], profile.name());
        assert_eq!(written["recorded"], profile.is_recorded());
        let new = written["new"].as_array().unwrap();
        changes += new.len();
        for change in new {
            let name = change["switch"].as_str().unwrap();
            assert_eq!(written["switches"][name], change["to"], "{change}");
        }
    }
    assert_eq!(changes, CHANGES.len());
}

/// What changed there and back is the same, and all steps together are the whole way.
#[test]
fn changes_read_in_both_directions() {
    let versions: Vec<&str> = Profile::all().map(Profile::name).collect();
    for pair in versions.windows(2) {
        let (there, back) = (json(pair), json(&[pair[1], pair[0]]));
        let (there, back) =
            (there["changes"].as_array().unwrap(), back["changes"].as_array().unwrap());
        assert_eq!(there.len(), back.len(), "{pair:?}");
        for (one, other) in there.iter().zip(back) {
            assert_eq!((&one["what"], &one["since"]), (&other["what"], &other["since"]));
            assert_eq!((&one["from"], &one["to"]), (&other["to"], &other["from"]));
            assert_eq!(one["since"], pair[1], "{one}");
        }
    }
}

#[test]
fn versions_that_are_none_are_refused() {
    for (arguments, part) in [
        (&["1.5", "1.36"][..], "there is no behaviour profile for Kubernetes 1.5"),
        (&["1.36", "latest"], "`latest` is no Kubernetes version; this program knows 1.6 to 1.36"),
        (&["1.36"], "2 values required"),
        (&["1.6", "1.7", "1.8"], "2 values required"),
    ] {
        let (code, out, err) = ran(&[&["profiles"], arguments].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(err.contains(part), "{err}");
    }
}
