use std::fmt::Write as _;

use super::*;
use crate::objects::Uid;
use crate::plan::ApiError;
use crate::render::{Ending, Selection, View};
use crate::timeline::fixture::{Story, maintenance, time_of};
use crate::timeline::history::History;
use crate::timeline::{Cause, Kind, Outcome, Sink};

fn chart_of(story: &Story) -> Chart {
    let mut history = History::new();
    let mut selection = Selection::all();
    let context = story.context();
    let mut collector = Collector::new();
    for record in &story.records {
        history.record(context, record);
        if selection.admits(record) {
            collector.take(View { context, history: &history, selection: &selection }, record);
        }
    }
    let ending = Ending { end: story.end(), steps_not_applied: &[] };
    collector.finish(View { context, history: &history, selection: &selection }, ending)
}

#[test]
fn a_chart_has_bands_windows_deletions_and_marks() {
    let story = maintenance();
    let chart = chart_of(&story);
    let mut text = String::new();
    let until = |time: Option<Time>| time.map_or("end".to_owned(), |time| time.to_string());
    for lane in &chart.nodes {
        let _ = writeln!(text, "{}", story.plan.names.node(lane.node));
        for band in &lane.taints {
            let (taint, Stretch { from, to }) = (chart.text(band.taint), band.stretch);
            let _ = writeln!(text, "  {taint} {from}..{} step {:?}", until(to), band.step);
        }
    }
    for lane in &chart.pods {
        let why = chart.text(lane.why);
        let _ = writeln!(
            text,
            "{} {}: {why}, {}..{}",
            story.plan.names.pod(lane.pod),
            lane.fate,
            lane.life.from,
            until(lane.life.to)
        );
        for window in &lane.windows {
            let by = window.toleration.map_or("nothing", |id| chart.text(id));
            let taint = chart.text(window.taint);
            let _ = writeln!(
                text,
                "  window {}..{} for {}, {:?}: {taint} by {by}",
                window.from,
                until(window.end),
                window.fire_at,
                window.how
            );
        }
        for run in &lane.deletions {
            let _ = writeln!(text, "  deletion {}..{}", run.from, until(run.to));
        }
    }
    for (mark, index) in chart.marks.iter().zip(0..) {
        let Mark { at, kind, lane, cause, .. } = mark;
        let text_of = chart.text(mark.text);
        let cause = cause.map(|cause| cause.to_string()).unwrap_or_default();
        let _ = writeln!(text, "{index} <{cause}> {at} {lane:?} {}: {text_of}", kind.word());
    }
    insta::assert_snapshot!(text);
    assert_eq!(chart.extent().to_string(), "1h0m10s");
}

/// A deletion whose first DELETE works while its answer is lost, and a controller that is told to
/// stop in the middle.
#[test]
fn a_deletion_lasts_until_its_answer_or_until_its_process_takes_it_along() {
    for (graceful, ends) in [(true, "10.02s"), (false, "10.01s")] {
        let mut story = Story::new("stop");
        story.plan.config.switches.graceful_stop = graceful;
        let node = story.node("node-0", &["b:NoExecute"]);
        let pod = story.pod("shop/web", Some(node), &[]);
        story.at("10s");
        let started = story.start(Cause::ROOT, pod);
        let lost = Outcome::Lost(ApiError::Timeout);
        let kind =
            Kind::DeleteRequested { attempt: 1, outcome: lost, fault: None, uid: Some(Uid(1)) };
        story.emit(started, Some(pod), None, kind);
        story.at("10.01s");
        story.emit(Cause::ROOT, None, None, Kind::ControllerStopped);
        story.at("10.02s");
        story.emit(started, Some(pod), None, Kind::EvictionFailed);
        let deletion = chart_of(&story).pods[0].deletions[0];
        assert_eq!(deletion.to, Some(time_of(ends)), "graceful: {graceful}");
    }
}

#[test]
fn pods_with_the_same_story_share_a_row_where_there_are_too_many() {
    let mut story = Story::new("many");
    for node in 0..3 {
        let name = format!("node-{node}");
        let id = story.node(&name, &[]);
        for pod in 0..4 {
            story.pod(&format!("shop/web-{node}-{pod}"), Some(id), &[]);
        }
    }
    let odd = story.plan.names.intern_node("node-1");
    story.taint("10s", odd, &["b=x:NoSchedule"]);
    let chart = chart_of(&story);

    let all = Rows::new(&chart, 15);
    assert!(!all.grouped);
    assert_eq!(all.nodes.iter().map(|(_, rows)| rows.len()).sum::<usize>(), 12);

    let few = Rows::new(&chart, 14);
    assert!(few.grouped);
    let shape: Vec<(usize, Vec<usize>)> = few
        .nodes
        .iter()
        .map(|(lanes, rows)| (lanes.len(), rows.iter().map(|row| row.pods.len()).collect()))
        .collect();
    // node-0 and node-2 look the same; node-1 has a taint.
    assert_eq!(shape, [(2, vec![8]), (1, vec![4])]);
}
