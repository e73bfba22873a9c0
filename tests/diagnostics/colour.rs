//! Colour, where it is asked for.

use assert_cmd::Command;

fn stderr(arguments: &[&str]) -> String {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("taintsim"));
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/diagnostics/cases"));
    String::from_utf8(command.args(arguments).output().unwrap().stderr).unwrap()
}

#[test]
fn diagnostics_are_painted_where_it_is_asked_for() {
    let painted = [
        ("document/kind-lower-case.yaml", "\u{1b}[1m\u{1b}[31merror:\u{1b}[0m"),
        ("document/kind-lower-case.yaml", "\u{1b}[1m\u{1b}[36mhelp:\u{1b}[0m"),
        ("notices/repeated.yaml", "\u{1b}[1m\u{1b}[33mnotice:\u{1b}[0m"),
    ];
    for (file, expected) in painted {
        for command in ["validate", "replay"] {
            let shown = stderr(&["--color", "always", command, file]);
            assert!(shown.contains(expected), "{command} {file}: {shown:?}");
            assert!(!stderr(&[command, file]).contains('\u{1b}'), "{command} {file}");
        }
    }
    let usage = stderr(&["--color", "always", "replay", "-", "-f", "-"]);
    assert!(usage.starts_with("\u{1b}[1m\u{1b}[31merror:\u{1b}[0m stdin"), "{usage:?}");
}
