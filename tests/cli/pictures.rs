//! The options that only pictures have.

use crate::support::{ran, stdout};

#[test]
fn lanes_are_plain_and_as_wide_as_asked() {
    let default = stdout(&["replay", "maintenance.yaml", "-o", "gantt"]);
    assert_eq!(default, stdout(&["replay", "maintenance.yaml", "-o", "gantt", "--width", "100"]));
    assert!(default.is_ascii() && !default.contains('\u{1b}'), "{default}");
    let narrow = stdout(&["replay", "maintenance.yaml", "-o", "gantt", "--width", "40"]);
    assert!(narrow.lines().all(|line| line.len() <= 40), "{narrow}");
    let painted = ["--color", "always", "replay", "maintenance.yaml", "-o", "gantt"];
    assert!(stdout(&painted).contains("\u{1b}[33m["), "a window is not painted");
}

#[test]
fn a_width_needs_what_has_one() {
    for (arguments, said) in [
        (["-o", "gantt", "--width", "39"], "40..=1000"),
        (["-o", "svg", "--width", "80"], "--width is the width of -o gantt"),
    ] {
        let mut all = vec!["replay", "maintenance.yaml"];
        all.extend(arguments);
        let (status, _, stderr) = ran(&all);
        assert_eq!(status, 2);
        assert!(stderr.contains(said), "{stderr}");
    }
}

/// The level that is asked for is that of the other outputs.
#[test]
fn pictures_are_of_the_summary_whatever_is_asked_for() {
    for format in ["svg", "gantt", "mermaid"] {
        let plain = stdout(&["replay", "graceful.yaml", "-o", format]);
        let trace = ["replay", "graceful.yaml", "-o", format, "--detail", "trace"];
        assert_eq!(plain, stdout(&trace));
        let pod = ["replay", "graceful.yaml", "-o", format, "--pod", "now"];
        assert!(stdout(&pod).len() < plain.len(), "{format}");
    }
}

#[test]
fn what_a_program_reads_stands_alone() {
    for format in ["svg", "mermaid"] {
        let (status, _, stderr) = ran(&["replay", "maintenance.yaml", "-o", format, "--digest"]);
        assert_eq!(status, 2, "{stderr}");
    }
    let text = stdout(&["replay", "maintenance.yaml", "-o", "gantt", "--digest"]);
    assert!(text.contains("sha256:"), "{text}");
}
