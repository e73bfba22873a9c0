//! States that are not as they were written: each is refused, with its file and what is wrong.

use std::path::Path;

use serde_json::{Value, json};

use super::{bytes, empty, refused, search, word};

/// What is told of a campaign with this state.
fn told(folder: &Path, state: &[u8]) -> String {
    let path = folder.join("state.json");
    std::fs::write(&path, state).unwrap();
    let told = refused(&["fuzz", "resume", word(folder), "--fail-on", "NONE"]);
    let place = format!("error: {}: ", word(&path));
    let is_placed = told.starts_with(&place) || told.starts_with("error: cannot read ");
    assert!(is_placed && told.contains(word(&path)), "{told}");
    told.replace(word(folder), "out")
}

/// A small campaign, and its state.
fn campaign(folder: &Path) -> Vec<u8> {
    search(60, folder, &[]);
    std::fs::read(folder.join("state.json")).unwrap()
}

#[test]
fn a_state_that_was_cut_off_is_refused() {
    let folder = empty();
    let out = folder.path().join("out");
    let state = campaign(&out);
    // The last character is a newline, without which all is there.
    let lengths = (0..12).chain((12..state.len() - 2).step_by(state.len() / 40));
    for length in lengths.chain([state.len() - 3, state.len() - 2]) {
        let told = told(&out, &state[..length]);
        assert!(told.contains("line ") && told.contains(", column "), "{length}: {told}");
    }
}

#[test]
fn a_state_with_other_bytes_is_refused() {
    let folder = empty();
    let out = folder.path().join("out");
    let state = campaign(&out);
    let mut kinds = std::collections::BTreeSet::new();
    for (place, turn) in (3..state.len() - 2).step_by(state.len() / 120).zip(0..) {
        // White space between the values says nothing.
        if state[place].is_ascii_whitespace() {
            continue;
        }
        let mut damaged = state.clone();
        damaged[place] = match turn % 4 {
            0 => b'7',
            1 => b'"',
            2 => 0xff,
            _ => damaged[place] ^ 1,
        };
        if damaged == state {
            continue;
        }
        let told = told(&out, &damaged);
        kinds.insert(told.contains("digest: not that of the rest"));
    }
    assert_eq!(kinds.len(), 2, "some are found by the form, and some by the digest only");
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let folder = empty();
    let out = folder.path().join("out");
    let state: Value = serde_json::from_slice(&campaign(&out)).unwrap();
    let mut page = String::new();
    let huge = json!(u64::MAX);
    for (pointer, value) in [
        ("", json!([])),
        ("/form", json!(2)),
        ("/taintsim", json!("9.9.9")),
        ("/seed", json!(-1)),
        ("/kubernetesVersion", json!("1.99")),
        ("/rules", json!(["docs/no-such"])),
        ("/rules/0", json!(5)),
        ("/file", json!("mine.yaml")),
        ("/file", json!({"digest": ""})),
        ("/runs", json!("many")),
        ("/runs", huge.clone()),
        ("/shard", json!([1, 1])),
        ("/shard", json!([0, 0])),
        ("/shard", json!([])),
        ("/ranges", json!({})),
        ("/ranges/0", json!([5, 5])),
        ("/ranges/0", json!([9, 5])),
        ("/ranges/0", json!([0, u64::MAX])),
        ("/ranges", json!([[0, 5], [4, 9]])),
        ("/breaching", json!(1.5)),
        ("/events", huge.clone()),
        ("/marks/0/mark", json!("no-such-mark")),
        ("/marks/1/times", huge.clone()),
        ("/classes/0/rule", json!("docs/no-such")),
        ("/classes/0/cause", json!({})),
        ("/classes/0/cause", json!({"switch": "noSuchSwitch"})),
        ("/classes/0/cause", json!({"needs": ["no-such-thing"]})),
        ("/classes/0/runs", huge),
        ("/classes/0/finding/origin", json!({"kinds": ["no-such-kind"]})),
        ("/classes/0/finding/text", json!(null)),
        ("/classes/0/finding/text", json!("another text")),
        ("/digest", json!(null)),
        ("/digest", json!("0")),
    ] {
        let mut damaged = state.clone();
        *damaged.pointer_mut(pointer).unwrap() = value.clone();
        let told = told(&out, format!("{damaged:#}\n").as_bytes());
        page.push_str(&format!("{pointer} = {value}\n  {told}"));
    }
    for key in state.as_object().unwrap().keys() {
        let mut damaged = state.clone();
        damaged.as_object_mut().unwrap().shift_remove(key);
        let told = told(&out, format!("{damaged:#}\n").as_bytes());
        assert!(told.contains(&format!(": {key} is missing")), "{told}");
    }
    page.push_str(&format!("not UTF-8\n  {}", told(&out, b"{\"form\": \"\xff\"}")));
    insta::assert_snapshot!("fuzz-damage", page);
}

/// The same text in other words, and what a person may do: no damage.
#[test]
fn white_space_is_no_damage() {
    let folder = empty();
    let out = folder.path().join("out");
    let state: Value = serde_json::from_slice(&campaign(&out)).unwrap();
    let before = bytes(&out);
    std::fs::write(out.join("state.json"), state.to_string()).unwrap();
    super::succeeds(&["fuzz", "resume", word(&out), "--fail-on", "NONE"]);
    assert_eq!(before, bytes(&out));
}

/// A state is no merge's business to repair either.
#[test]
fn a_damaged_shard_is_named() {
    let folder = empty();
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    search(500, &one, &["--shard", "1/2"]);
    search(500, &two, &["--shard", "2/2"]);
    std::fs::write(two.join("state.json"), "{}").unwrap();
    let merged = folder.path().join("merged");
    let told = refused(&["fuzz", "merge", word(&one), word(&two), "--out", word(&merged)]);
    assert!(told.contains("two/state.json: form is missing"), "{told}");
    assert!(!merged.exists());
}
