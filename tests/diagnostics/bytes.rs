//! Mistakes that no file of text can hold.

use taintsim::scenario::{LoadOptions, load_text};

use crate::cases::{Case, topics};

fn told(bytes: &[u8]) -> String {
    let failure = load_text("dump.yaml", bytes, None, &LoadOptions::default()).unwrap_err();
    failure.render()
}

#[test]
fn what_is_not_text_is_told_with_the_way_out() {
    let utf16: Vec<u8> = "kind: List".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = [&[0xff, 0xfe], utf16.as_slice()].concat();
    for (bytes, message, help) in [
        (&[0x1f, 0x8b, 8, 0, 0][..], "this is gzip data", "gunzip"),
        (&utf16, "this is UTF-16 text", "UTF-8"),
        (&marked, "this is UTF-16 text", "UTF-8"),
        (b"kind: L\xefst", "not valid UTF-8: byte 0xef at offset 7", "UTF-8"),
        (b"kind: \0List", "a NUL byte at offset 6", ""),
    ] {
        let told = told(bytes);
        let expected = format!("dump.yaml: error: {message}");
        assert!(told.starts_with(&expected), "{told}");
        assert!(help.is_empty() || told.contains("help: "), "{told}");
        assert!(told.contains(help), "{told}");
    }
}

/// A byte order mark is no character of the first line.
#[test]
fn columns_do_not_count_a_byte_order_mark() {
    let told = told(b"\xef\xbb\xbfapiVersion: v2\nkind: Scenario\nspec: {}\n");
    assert!(told.starts_with("dump.yaml:1:13: error: "), "{told}");
}

/// Half-written files, and slips of the hand in all of the table: told or taken, and no panic.
#[test]
fn mangled_files_are_told() {
    let slips = ["", "é", "\"", "{", "]", ": ", "*", "\t", "\n", "&", "\\", "東"];
    // Some cases of ranges make millions of names.
    for topic in topics().into_iter().filter(|topic| topic != "ranges") {
        for (number, case) in Case::all_of(&topic).iter().enumerate() {
            // The first line may hold arguments.
            let has_head = case.text().starts_with('#');
            let head = case.text().find('\n').filter(|_| has_head).map_or(0, |end| end + 1);
            let starts: Vec<usize> = case.text().char_indices().map(|(at, _)| at).collect();
            for step in 1..=8 {
                let at = starts.get(starts.len() * step / 9).copied().unwrap_or(0).max(head);
                let slip = slips[(number + step) % slips.len()];
                let (before, after) = case.text().split_at(at);
                assert!(!case.with_text(format!("{before}{slip}{after}")).told().is_empty());
                assert!(!case.with_text(format!("{before}{slip}")).told().is_empty());
            }
        }
    }
}

/// All that is wrong is counted, and so much of it is shown as can be read.
#[test]
fn many_mistakes_are_counted() {
    let mut text =
        String::from("apiVersion: taintsim.dev/v1alpha1\nkind: Scenario\nspec:\n  nodes:\n");
    for number in 0..1_000 {
        text.push_str(&format!("    - {{name: node-{number}, taint: []}}\n"));
    }
    let told = told(text.as_bytes());
    assert_eq!(told.matches("error: ").count(), 200, "{told}");
    assert!(told.ends_with("\n800 more errors are not shown\n"), "{told}");
}
