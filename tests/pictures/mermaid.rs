//! `-o mermaid`: Mermaid itself takes every diagram.

use std::path::Path;
use std::process::Command;

use taintsim::render::Mermaid;

use crate::support::{hostile, plan, rendered, root, scenarios};

/// GitHub takes no more.
const CHARACTERS_MAX: usize = 50_000;

fn diagrams() -> Vec<(String, String)> {
    let mut plans: Vec<_> = scenarios().iter().map(|file| plan(file)).collect();
    plans.push(hostile());
    let diagrams = plans.iter().zip(0..).map(|(plan, number)| {
        let stem: String = plan.name.chars().filter(char::is_ascii_alphanumeric).collect();
        let file = format!("{number}-{}.mmd", &stem[..stem.len().min(40)]);
        (file, rendered(Mermaid::default(), plan))
    });
    diagrams.collect()
}

#[test]
fn every_line_is_one_of_ours() {
    let mut cut = 0;
    for (file, text) in diagrams() {
        assert!(text.len() < CHARACTERS_MAX, "{file}: {} bytes", text.len());
        let mut lines = text.lines();
        assert!(lines.next().unwrap().starts_with("%%{init: {\"gantt\": "), "{text}");
        for line in lines {
            let is_task = line.split(" :").count() == 2 && line.matches(':').count() <= 7;
            let known = ["%% ", "gantt", "title ", "dateFormat ", "axisFormat ", "section "]
                .into_iter()
                .chain(["tickInterval ", "todayMarker off"])
                .any(|word| line.trim_start().starts_with(word));
            assert!(known || is_task, "{file}: {line}");
            assert!(!line.contains(['<', '>', '"', '\u{1b}']), "{file}: {line}");
        }
        assert_eq!(text.matches("%%{").count(), 1, "{file}");
        cut += usize::from(text.contains("more tasks are left out"));
    }
    assert!(cut > 0, "no scenario is too big");
}

#[test]
fn mermaid_takes_every_diagram() {
    let folder = root().join("tests/mermaid");
    if !folder.join("node_modules/mermaid").is_dir() || !has_node() {
        let required = std::env::var("TAINTSIM_BROWSER").is_ok_and(|value| value == "required");
        assert!(!required, "node and tests/mermaid/node_modules are to be here");
        eprintln!(
            "no diagram was given to Mermaid: node, or tests/mermaid/node_modules, is not here; \
             `npm ci` in tests/mermaid gets them"
        );
        return;
    }
    let files = tempfile::tempdir().unwrap();
    let mut paths = Vec::new();
    for (name, text) in diagrams() {
        let path = files.path().join(name);
        std::fs::write(&path, text).unwrap();
        paths.push(path);
    }
    let run = |paths: &[&Path]| {
        let mut command = Command::new("node");
        command.current_dir(&folder).arg("check.mjs").args(paths).output().unwrap()
    };
    let all: Vec<&Path> = paths.iter().map(AsRef::as_ref).collect();
    let output = run(&all);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // And it would say so if one were none.
    let broken = files.path().join("broken.mmd");
    std::fs::write(&broken, "gantt\n    section a\n    b :crit, never\n").unwrap();
    assert!(!run(&[&broken]).status.success());
}

fn has_node() -> bool {
    Command::new("node").arg("--version").output().is_ok_and(|output| output.status.success())
}
