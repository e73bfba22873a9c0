//! `taintsim fuzz interleavings`: all outcomes of a small scenario.

use serde_json::Value;

use crate::support::{ran, stdout};

const COMMAND: [&str; 3] = ["fuzz", "interleavings", "../races/race.yaml"];

#[test]
fn the_answer_is_as_reviewed() {
    let mut page = String::new();
    for more in [&[][..], &["--kubernetes-version", "1.18"], &["-o", "json"]] {
        let arguments = [&COMMAND, more].concat();
        let shown = arguments.join(" ");
        page.push_str(&format!("$ taintsim {shown}\n{}\n", stdout(&arguments)));
    }
    insta::assert_snapshot!("interleavings", page);
}

/// What is told of a file's settings is so: a replay with them ends as it is said.
#[test]
fn the_settings_that_are_told_give_the_outcome() {
    let document: Value =
        serde_json::from_str(&stdout(&[&COMMAND[..], &["-o", "json"]].concat())).unwrap();
    let outcomes = document["outcomes"].as_array().unwrap();
    assert!(outcomes.len() > 2 && outcomes[0]["fifo"] == true, "{document}");
    for outcome in outcomes {
        let web =
            outcome["pods"].as_array().unwrap().iter().find(|pod| pod["pod"] == "default/web");
        let web = web.unwrap();
        let (order, seed) = match outcome["seed"].as_u64() {
            Some(seed) => ("Random", seed.to_string()),
            None => ("Fifo", "0".to_owned()),
        };
        let set = format!("spec.taintManager.interleaving={order}");
        let replay =
            ["replay", "../races/race.yaml", "--set", &set, "--seed", &seed, "-o", "jsonl"];
        let timeline = stdout(&[&replay[..], &["--detail", "controller"]].concat());
        let records = timeline.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let events = records.filter(|record| record["kind"] == "EventRecorded");
        let events: Vec<Value> = events.map(|record| record["message"].clone()).collect();
        let told = web["events"].as_array().unwrap().iter();
        let told: Vec<Value> = told.map(|event| event["message"].clone()).collect();
        assert_eq!(events, told, "{order}, seed {seed}");
        assert!(timeline.contains("DeleteRequested") == (web["lives"][0]["fate"] == "evicted"));
    }
}

/// Whether the file says Fifo or Random, and with which seed, makes no difference.
#[test]
fn what_the_file_says_of_order_makes_no_difference() {
    let plain = stdout(&COMMAND);
    for value in ["Random", "Fifo"] {
        let set = format!("spec.taintManager.interleaving={value}");
        assert_eq!(ran(&[&COMMAND[..], &["--set", &set, "--seed", "9"]].concat()).1, plain);
    }
}

#[test]
fn a_search_that_is_stopped_says_so() {
    let (code, text, notice) = ran(&[&COMMAND[..], &["--runs-max", "2"]].concat());
    assert_eq!(code, 0, "{notice}");
    assert!(text.contains("NOT COMPLETE") && notice.contains("not complete"), "{text}{notice}");
    let (_, text, _) = ran(&[&COMMAND[..], &["--runs-max", "2", "-o", "json"]].concat());
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["complete"], false);
    assert_eq!(document["runs"], 2);
}

#[test]
fn what_is_drawn_besides_is_told() {
    let set = "spec.apiServer.latency.delete=1ms..2ms";
    let (code, _, notice) = ran(&[&COMMAND[..], &["--set", set]].concat());
    assert_eq!(code, 0, "{notice}");
    assert!(notice.contains("are as seed 0 draws them"), "{notice}");
}

#[test]
fn the_documentation_shows_what_is_printed() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/interleavings.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, scenario) = page.split_once("```yaml\n").unwrap();
    let (scenario, page) = scenario.split_once("```\n").unwrap();
    let race = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/races/race.yaml");
    assert!(std::fs::read_to_string(race).unwrap().ends_with(scenario), "{scenario}");
    let block = page.split("```\n").nth(1).unwrap();
    let (first, rest) = block.split_once('\n').unwrap();
    assert_eq!(first, "$ taintsim fuzz interleavings race.yaml");
    let shown = rest.strip_suffix("…\n").unwrap();
    let printed = stdout(&COMMAND);
    assert!(printed.starts_with(shown) && shown.len() > 300, "{printed}");
}
