use super::*;
use crate::timeline::Sink;
use crate::timeline::fixture::{Story, maintenance};

fn rendered(mut render: impl Render, story: &Story, selection: &mut Selection) -> String {
    let mut history = History::new();
    let mut out = Vec::new();
    let context = story.context();
    render.begin(View { context, history: &history, selection }, &mut out);
    for record in &story.records {
        history.record(context, record);
        if selection.admits(record) {
            render.record(View { context, history: &history, selection }, record, &mut out);
        }
    }
    let ending = Ending { end: story.end(), steps_not_applied: &[] };
    render.end(View { context, history: &history, selection }, ending, &mut out);
    String::from_utf8(out).unwrap()
}

fn whole(render: impl Render) -> String {
    rendered(render, &maintenance(), &mut Selection::all())
}

#[test]
fn table_tells_the_story() {
    insta::assert_snapshot!(whole(Table::new(false)));
}

#[test]
fn wide_shows_every_record() {
    insta::assert_snapshot!(whole(Wide::new(false)));
}

#[test]
fn jsonl_has_the_promised_form() {
    insta::assert_snapshot!(whole(Jsonl::default()));
}

#[test]
fn expect_can_be_pasted() {
    let text = whole(Expect);
    insta::assert_snapshot!(text);
    let value: serde_yaml::Value = serde_yaml::from_str(&text).unwrap();
    assert_eq!(value["expect"].as_sequence().unwrap().len(), 6);
}

#[test]
fn json_is_one_document_with_the_lines_of_jsonl() {
    let document: serde_json::Value = serde_json::from_str(&whole(Json::default())).unwrap();
    let lines: Vec<serde_json::Value> =
        whole(Jsonl::default()).lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(document["records"].as_array().unwrap(), &lines[1..lines.len() - 1]);
    assert_eq!(&document["summary"], lines.last().unwrap());
    for (key, value) in lines[0].as_object().unwrap() {
        assert_eq!(&document[key], value, "{key}");
    }
}

#[test]
fn only_whole_numbers_and_no_unknown_pod_counts() {
    let text = whole(Jsonl::default());
    let summary: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    let sum = |keys: &[&str]| keys.iter().map(|key| summary[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!(summary["pods"], 4);
    assert_eq!(
        sum(&["evicted", "removedOtherwise", "terminatingOtherwise", "armed", "surviving"]),
        4
    );
}

#[test]
fn a_selection_hides_what_is_not_of_it() {
    let story = maintenance();
    let pod = story.plan.names.find_pod("shop/web-2");
    let select = || Selection::new(&story.plan, None, None, pod);
    let shown = rendered(Jsonl::default(), &story, &mut select());
    let all = whole(Jsonl::default());
    assert!(shown.lines().count() < all.lines().count());
    assert!(!shown.contains("web-0") && !shown.contains("node-0"), "{shown}");
    let table = rendered(Table::new(false), &story, &mut select());
    assert!(table.contains("shop/web-2") && !table.contains("web-1"), "{table}");
}

#[test]
fn nothing_from_a_file_acts_on_the_terminal() {
    let mut story = Story::new("evil\u{1b}[2J\nname");
    let node = story.node("node\u{1b}[31m", &["k\u{9b}=v\u{202e}:NoExecute"]);
    story.pod("default/p\u{7}", Some(node), &[("k\u{1b}]0;x", Some(1))]);
    story.taint("1s", node, &["k\u{1b}:NoExecute"]);
    for text in [
        rendered(Table::new(false), &story, &mut Selection::all()),
        rendered(Wide::new(false), &story, &mut Selection::all()),
        rendered(Jsonl::default(), &story, &mut Selection::all()),
        rendered(Expect, &story, &mut Selection::all()),
    ] {
        let bad = text.chars().find(|c| (c.is_control() && *c != '\n') || *c == '\u{202e}');
        assert_eq!(bad, None, "{text:?}");
    }
}
