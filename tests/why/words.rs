//! What the golden files do not show: an answer as of some time, pods that never come, long runs,
//! names that act on a terminal.

use taintsim::kernel::Time;
use taintsim::plan::Plan;
use taintsim::render;
use taintsim::scenario::{LoadOptions, load_text};
use taintsim::timeline::fate::Fate;
use taintsim::why::answer;

use super::EVENTS_MAX;

fn plan(text: &str) -> Plan {
    let text = format!("apiVersion: taintsim.dev/v1alpha1\nkind: Scenario\nspec:\n{text}");
    let loaded = load_text("words.yaml", text, None, &LoadOptions::default());
    loaded.unwrap_or_else(|failure| panic!("{}", failure.render())).plan
}

const WINDOW: &str = "  nodes: [{name: node-0}]
  pods:
    - {name: web-0, nodeName: node-0, tolerations: ['b:NoExecute op=Exists for 60s']}
  steps:
    - {at: 10s, kubectl: 'taint nodes node-0 b=x:NoExecute'}
    - {at: 30s, createPod: {name: late, nodeName: node-0}}
    - {at: 80s, kubectl: 'taint nodes node-0 b-'}
";

fn text_at(plan: &Plan, name: &str, at: Option<u64>) -> String {
    let pod = plan.names.find_pod(name).unwrap();
    let at = at.map(|seconds| Time(seconds * 1_000_000_000));
    render::why(&answer(plan, pod, at, EVENTS_MAX).unwrap())
}

#[test]
fn an_answer_as_of_some_time_knows_nothing_of_what_comes() {
    let plan = plan(WINDOW);
    insta::assert_snapshot!("before the taint", text_at(&plan, "default/web-0", Some(5)));
    insta::assert_snapshot!("in the window", text_at(&plan, "default/web-0", Some(30)));
    insta::assert_snapshot!("after the eviction", text_at(&plan, "default/web-0", Some(75)));
    insta::assert_snapshot!("not there yet", text_at(&plan, "default/late", Some(20)));
}

#[test]
fn enough_seconds_would_have_saved_it() {
    let text = text_at(&plan(WINDOW), "default/web-0", None);
    assert!(text.contains("71 tolerationSeconds in place of 60 in tolerations[0]"), "{text}");
}

#[test]
fn json_has_what_the_text_has() {
    let plan = plan(WINDOW);
    let pod = plan.names.find_pod("default/web-0").unwrap();
    let answer = answer(&plan, pod, None, EVENTS_MAX).unwrap();
    let json: serde_json::Value = serde_json::from_str(&render::why_json(&plan, &answer)).unwrap();
    let life = &answer.lives[0];
    let shown = &json["pods"][0];
    assert_eq!(shown["verdict"], life.verdict.as_str());
    let story: Vec<&str> =
        shown["story"].as_array().unwrap().iter().map(|m| m["text"].as_str().unwrap()).collect();
    let told: Vec<&str> = life.story.iter().map(|moment| moment.text.as_str()).collect();
    assert_eq!(story, told);
    assert_eq!(shown["whatIf"].as_array().unwrap().len(), life.what_ifs.len());
    assert_eq!(shown["whatIf"][0]["beforeNs"], 70_000_000_000u64);
    assert_eq!(shown["fateAtNs"], 70_000_000_000u64);
}

#[test]
fn a_run_that_is_too_long_says_where_it_stopped() {
    let plan = plan(WINDOW);
    let pod = plan.names.find_pod("default/web-0").unwrap();
    assert!(answer(&plan, pod, None, 3).is_err());
}

#[test]
fn nothing_acts_on_the_terminal() {
    let text = "  apiServer: {validation: Ignore}
  nodes: [{name: node-0}]
  pods:
    - name: web-0
      nodeName: node-0
      tolerations: [{key: \"b\\e[2J\", operator: Exists, effect: NoExecute}]
  steps:
    - {at: 10s, taint: {node: node-0, add: [{key: \"b\\e[2J\", value: \"\\u202Ex\", effect: NoExecute}]}}
    - {at: 20s, note: \"\\e]0;title\\a\"}
";
    let plan = plan(text);
    let pod = plan.names.find_pod("default/web-0").unwrap();
    let answer = answer(&plan, pod, None, EVENTS_MAX).unwrap();
    assert_eq!(answer.lives[0].fate, Fate::Survives);
    for shown in [render::why(&answer), render::why_json(&plan, &answer)] {
        assert!(shown.contains("2J"), "{shown}");
        let acts = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
        assert!(!shown.chars().any(acts), "{shown:?}");
    }
}

/// The example of docs/why.md, a pod that is not there, and a time after the end.
#[test]
fn the_command_says_what_its_page_shows() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/why.md")).unwrap();
    let example = page.split("```console\n$ taintsim ").nth(1).unwrap();
    let (command, shown) = example.split_once('\n').unwrap();
    let shown = shown.split("```").next().unwrap();
    let run = |words: &str| {
        let mut command = assert_cmd::Command::cargo_bin("taintsim").unwrap();
        command.current_dir(root).args(words.split(' ')).assert()
    };
    run(command).success().stdout(shown.to_owned());
    let file = "scenarios/basics/untaint-cancels-the-eviction.yaml";
    let unknown = run(&format!("why {file} shop/web-9")).code(2);
    let said = String::from_utf8_lossy(&unknown.get_output().stderr).into_owned();
    assert!(said.contains("there is no pod shop/web-9; did you mean shop/web-0?"), "{said}");
    run(&format!("why {file} pod/web-0 -n shop")).success();
    run(&format!("why -f {file} shop/web-0 --at 1m")).success();
    let late = run(&format!("why {file} shop/web-0 --until 1m --at 2m")).code(2);
    let said = String::from_utf8_lossy(&late.get_output().stderr).into_owned();
    assert!(said.contains("--until 2m0s runs on"), "{said}");
}

#[test]
fn without_a_pod_each_has_its_verdict() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let run = |words: &[&str]| {
        let mut command = assert_cmd::Command::cargo_bin("taintsim").unwrap();
        let assert = command.current_dir(root).args(words).assert().success();
        String::from_utf8(assert.get_output().stdout.clone()).unwrap()
    };
    let file = "scenarios/incidents/evicted-and-scheduled-there-again-117520.yaml";
    insta::assert_snapshot!("verdicts", run(&["why", file]));
    let json: serde_json::Value =
        serde_json::from_str(&run(&["why", file, "-o", "json", "--at", "15s"])).unwrap();
    let fates: Vec<&str> =
        json["pods"].as_array().unwrap().iter().map(|p| p["fate"].as_str().unwrap()).collect();
    assert_eq!(fates, ["evicted", "armed"]);
}
