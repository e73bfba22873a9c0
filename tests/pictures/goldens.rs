//! What six runs look like.

use taintsim::plan::Plan;
use taintsim::render::{Gantt, Mermaid, Svg};

use crate::support::{plan, rendered, root};

#[test]
fn pictures() {
    for file in [
        "scenarios/basics/steps-can-follow-what-happens.yaml",
        "scenarios/basics/controller-restart-restarts-the-window.yaml",
        "scenarios/basics/failed-deletes-are-retried.yaml",
        "tests/pictures/scenarios/graceful-and-armed.yaml",
        "tests/pictures/scenarios/three-hundred-pods.yaml",
        "tests/pictures/scenarios/crowded.yaml",
    ] {
        let plan = plan(&root().join(file));
        let stem = file.rsplit('/').next().unwrap().trim_end_matches(".yaml");
        insta::assert_snapshot!(format!("{stem}-gantt"), rendered(Gantt::new(false, 100), &plan));
        insta::assert_snapshot!(format!("{stem}-mermaid"), rendered(Mermaid::default(), &plan));
        if stem != "crowded" {
            insta::assert_snapshot!(format!("{stem}-svg"), rendered(Svg::default(), &plan));
        }
    }
}

/// The README's scenario.
fn maintenance() -> Plan {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let (_, rest) = readme.split_once("```yaml\n").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("maintenance.yaml");
    std::fs::write(&file, rest.split_once("```").unwrap().0).unwrap();
    plan(&file)
}

/// `INSTA_UPDATE` has no say here: take over what the failure shows.
#[test]
fn the_pages_show_what_is_printed() {
    let page = std::fs::read_to_string(root().join("docs/pictures.md")).unwrap();
    let shown = rendered(Gantt::new(false, 100), &maintenance());
    assert!(page.contains(&format!("```text\n{shown}```")), "docs/pictures.md has not:\n{shown}");
    let picture = std::fs::read_to_string(root().join("docs/maintenance.svg")).unwrap();
    assert!(picture == rendered(Svg::default(), &maintenance()), "docs/maintenance.svg is old");
}
