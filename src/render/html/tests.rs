use super::*;
use crate::render::Selection;
use crate::timeline::Sink;
use crate::timeline::fixture::{Story, maintenance};
use crate::timeline::history::History;

fn page_of(story: &Story) -> String {
    let (mut history, mut selection) = (History::new(), Selection::all());
    let context = story.context();
    let mut html = Html::default();
    let mut out = Vec::new();
    for record in &story.records {
        history.record(context, record);
        if selection.admits(record) {
            let view = View { context, history: &history, selection: &selection };
            html.record(view, record, &mut out);
        }
    }
    let ending = Ending { end: story.end(), steps_not_applied: &[] };
    html.end(View { context, history: &history, selection: &selection }, ending, &mut out);
    String::from_utf8(out).unwrap()
}

fn data_of(page: &str) -> &str {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    rest.split_once("</script>").unwrap().0
}

#[test]
fn the_block_of_data_has_lanes_marks_and_moves() {
    let page = page_of(&maintenance());
    insta::assert_snapshot!(data_of(&page));
}

#[test]
fn the_same_run_gives_the_same_page() {
    assert!(page_of(&maintenance()) == page_of(&maintenance()), "two pages of one run differ");
}

#[test]
fn a_page_loads_nothing() {
    let page = page_of(&maintenance());
    let (head, _) = page.split_once("<script type=").unwrap();
    for loads in ["src=", "@import", "<link", "url(http", "javascript:"] {
        assert!(!head.contains(loads), "{loads}");
    }
    // The one address is the name of SVG.
    let addresses: Vec<&str> = page.split("http").skip(1).collect();
    assert!(
        addresses.iter().all(|rest| {
            rest.starts_with("://www.w3.org/2000/svg") || rest.starts_with("-equiv")
        })
    );
}

/// Pods that all are different: each is created at its own time.
fn different(pods: u64) -> Story {
    let mut story = Story::new("different");
    let node = story.node("node-0", &[]);
    for pod in 0..pods {
        story.at(&format!("{}ms", pod + 1));
        story.pod(&format!("shop/web-{pod}"), Some(node), &[("zone", Some(300))]);
    }
    story
}

#[test]
fn a_page_of_too_many_different_pods_stays_small_and_names_them_all() {
    let pods = 20_300;
    let page = page_of(&different(pods));
    assert!(page.len() < 6_000_000, "{} bytes", page.len());
    let data: serde_json::Value = serde_json::from_str(data_of(&page)).unwrap();
    let group = &data["runs"][0]["groups"][0];
    let (rows, rest) = (group["rows"].as_array().unwrap(), group["rest"].as_array().unwrap());
    assert_eq!((rows.len(), rest.len()), (20_000, 300));
    assert_eq!(rest[299][0], format!("shop/web-{}", pods - 1));
}
