//! The JSON Schema against its own rules, against all scenarios that there are, and against what
//! the loader says about broken ones.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use jsonschema::Validator;
use serde::Deserialize;
use serde_yaml::Value;
use taintsim::reference::json_schema;
use taintsim::scenario::{self, LoadOptions};

use crate::{example, load, root, walk, yaml};

fn validator() -> Validator {
    jsonschema::draft202012::new(&json_schema()).unwrap()
}

/// What the schema says about a document; empty: nothing.
fn refusals(validator: &Validator, document: &Value) -> Vec<String> {
    let json = serde_json::to_value(document).unwrap();
    let errors = validator.iter_errors(&json);
    errors.map(|error| format!("{}: {error}", error.instance_path())).collect()
}

/// The files below a folder that end so, in order.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The Scenario documents of a text, as far as another parser can read it.
fn scenarios(text: &str) -> Vec<Value> {
    let documents = serde_yaml::Deserializer::from_str(text).map(Value::deserialize);
    let documents = documents.take_while(Result::is_ok).filter_map(Result::ok);
    let is_scenario = |document: &Value| {
        document.get("kind").and_then(Value::as_str) == Some("Scenario")
            && serde_json::to_value(document).is_ok()
    };
    documents.filter(is_scenario).collect()
}

#[test]
fn it_is_a_schema() {
    let schema = json_schema();
    if let Err(error) = jsonschema::meta::validate(&schema) {
        panic!("{}: {error}", error.instance_path());
    }
    let printed = || {
        let mut command = Command::cargo_bin("taintsim").unwrap();
        let run = command.arg("schema").assert().success();
        String::from_utf8(run.get_output().stdout.clone()).unwrap()
    };
    let first = printed();
    assert_eq!(first, printed());
    assert_eq!(serde_json::from_str::<serde_json::Value>(&first).unwrap(), schema);
    assert!(first.starts_with("{\n  \"$schema\": \""), "{first}");
}

#[test]
fn each_key_is_explained_and_shown() {
    let schema = json_schema();
    let defs = schema["$defs"].as_object().unwrap().values();
    let mut count = 0;
    for mapping in defs.chain([&schema]) {
        assert!(mapping["description"].is_string() && mapping["additionalProperties"] == false);
        for (key, property) in mapping["properties"].as_object().unwrap() {
            let is_shown = property["examples"][0] != serde_json::Value::Null;
            assert!(property["description"].is_string() && is_shown, "{key}: {property}");
            count += 1;
        }
    }
    assert!(count > 100, "only {count} keys");
}

#[test]
fn it_takes_every_scenario() {
    let validator = validator();
    let mut count = 0;
    for folder in ["scenarios", "docs/examples"] {
        for path in files(&root().join(folder), "yaml") {
            for document in scenarios(&fs::read_to_string(&path).unwrap()) {
                let said = refusals(&validator, &document);
                assert!(said.is_empty(), "{}: {}", path.display(), said.join("\n"));
                count += 1;
            }
        }
    }
    assert!(count > 40, "only {count} scenarios");
}

/// It may be laxer than the loader, never stricter.
#[test]
fn what_it_refuses_the_loader_refuses() {
    let validator = validator();
    let (mut refused, mut stricter) = (0, Vec::new());
    for path in files(&root().join("tests/diagnostics/cases"), "yaml") {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        for document in scenarios(&text) {
            let said = refusals(&validator, &document);
            if said.is_empty() {
                continue;
            }
            refused += 1;
            let is_strict = document["spec"]["apiServer"]["validation"] != "Ignore";
            let options = LoadOptions::default();
            if is_strict && scenario::load_text("a.yaml", &*text, Some(&path), &options).is_ok() {
                stricter.push(format!("{}: {}", path.display(), said.join("\n")));
            }
        }
    }
    assert!(stricter.is_empty(), "{}", stricter.join("\n\n"));
    assert!(refused > 300, "only {refused} cases are refused");
}

/// Each value of the example with every key is replaced by values of all types.
#[test]
fn no_value_that_the_loader_takes_is_refused() {
    let validator = validator();
    let values = [
        "~",
        "true",
        "0",
        "-1",
        "7",
        "99999999999",
        "1.5",
        "x",
        "''",
        "' '",
        "'7'",
        "'true'",
        "7s",
        "+7s",
        "-7s",
        "1.5h",
        "NoExecute",
        "a=b:NoExecute",
        "a:NoExecute",
        "a-b",
        "Exists",
        "'op=Exists'",
        "1ms..5ms",
        "'0.5'",
        "'.5'",
        "v1",
        "'1.6'",
        "Timeout",
        "Random",
        "'for 5s'",
        "'web-{0..1}'",
        "'*'",
        "shop/web-0",
        "'[7s]'",
        "[]",
        "[7s]",
        "[7s, 8s]",
        "[~]",
        "[x]",
        "['*']",
        "[true]",
        "{}",
        "{a: b}",
        "{a: ~}",
        "[{}]",
    ];
    let mut stricter = Vec::new();
    let mut refused = 0;
    // Without a mapping at the root it is no scenario, but perhaps an empty dump.
    for path in walk::values(&example()).into_iter().filter(|path| !path.is_empty()) {
        for value in values {
            let mut document = example();
            *walk::at(&mut document, &path) = yaml(value);
            let said = refusals(&validator, &document);
            if !said.is_empty() {
                refused += 1;
                if load(&document).is_ok() {
                    stricter.push(format!("{path:?} = {value}: {}", said.join("\n")));
                }
            }
        }
    }
    assert!(stricter.is_empty(), "{}", stricter.join("\n\n"));
    assert!(refused > 5000, "only {refused} are refused");
}

#[test]
fn an_unknown_key_is_refused_everywhere() {
    let validator = validator();
    for path in walk::values(&example()).into_iter().filter(|path| walk::mapping(path).is_some()) {
        let mut document = example();
        if let Value::Mapping(mapping) = walk::at(&mut document, &path) {
            mapping.insert("nope".into(), "x".into());
            assert!(!refusals(&validator, &document).is_empty(), "{path:?}");
        }
    }
}

#[test]
fn it_refuses_mistakes() {
    let validator = validator();
    let said = |spec: &str| {
        let text = format!("{{apiVersion: taintsim.dev/v1alpha1, kind: Scenario, spec: {spec}}}");
        let document = yaml(&text);
        let said = refusals(&validator, &document);
        // What the table is about is wrong for the loader, too.
        assert_eq!(said.is_empty(), load(&document).is_ok(), "{spec}: {said:?}");
        said
    };
    let right = [
        "{}",
        "{nodes: ~, pods: [{name: a, nodeName: ~, labels: ~}]}",
        "{nodes: [{name: a}], steps: [{at: 0, after: ~, note: x}]}",
        "{steps: [{at: 5s, restartController: ~}]}",
        "{steps: [{at: 5s, restartController: {for: 0}}]}",
        "{steps: [{at: 5s, note: x, mayBeRejected: ~}]}",
        "{nodes: [{name: a}], steps: [{at: 5s, deleteNode: {node: a, selector: ~}}]}",
        "{kubernetesVersion: '1.6'}",
        "{apiServer: {latency: {get: 1ms..5ms, list: 0}}, taintManager: {handlerCost: 0s..1.5s}}",
        "{faults: [{verb: list, resource: pods, error: Timeout, probability: .5}]}",
        "{steps: [{at: 5s, repeat: {every: 1s, times: 2, steps: [{note: x}, {at: +1s, note: y}]}}]}",
    ];
    for spec in right {
        assert!(said(spec).is_empty(), "{spec}: {:?}", said(spec));
    }
    let wrong = [
        "{seed: '7'}",
        "{seed: -1}",
        "{until: 15}",
        "{until: 15 minutes}",
        "{kubernetesVersion: 1.36}",
        "{kubernetesVersion: '1.5'}",
        "{kubernetesVersion: '1.37'}",
        "{featureGates: {TaintBasedEvictions: 1}}",
        "{switches: {disruptionCondition: true}}",
        "{apiServer: {latency: {get: 1ms-5ms}}}",
        "{steps: [{at: 5s, breakWatch: ~}]}",
        "{steps: [{at: 5s, repeat: {every: 1s, times: 2}}]}",
        "{steps: [{at: 5s, repeat: {every: 1s, times: 2, steps: [{at: 1s, note: x}]}}]}",
        "{steps: [{at: 5s, note: x, repeat: {every: 1s, times: 2, steps: [{note: x}]}}]}",
        "{podTermination: Gracefully}",
        "{taintManager: {workers: 0}}",
        "{taintManager: {enabled: 'true'}}",
        "{apiServer: {latency: 5ms}}",
        "{nodes: {name: a}}",
        "{nodes: [{labels: {a: b}}]}",
        "{nodes: [a]}",
        "{nodes: [{name: a, labels: {a: true}}]}",
        "{nodes: [{name: a, taints: ['a:NoExec']}]}",
        "{nodes: [{name: a, taints: [{key: a, effect: NoExec}]}]}",
        "{nodes: [{name: a, taints: [{key: a}]}]}",
        "{nodes: [{name: a, taints: [{effect: NoExecute}]}]}",
        "{pods: [{name: a, tolerations: [{operator: Exist}]}]}",
        "{pods: [{name: a, tolerations: [{operator: Exists, tolerationSeconds: 5m}]}]}",
        "{pods: [{name: a, tolerations: ['a=b for 5']}]}",
        "{pods: [{name: a/b}]}",
        "{manifests: cluster.yaml}",
        "{steps: [{at: 5s}]}",
        "{steps: [{note: x}]}",
        "{steps: [{at: 5, note: x}]}",
        "{steps: [{at: 5s, note: x, kubectl: cordon a}]}",
        "{steps: [{at: 5s, note: x, restartController: ~}]}",
        "{steps: [{at: 5s, after: {evicted: a}, note: x}]}",
        "{steps: [{at: 5s, note: 7}]}",
        "{steps: [{at: 5s, burst: []}]}",
        "{steps: [{at: 5s, burst: [{note: x, kubectl: cordon a}]}]}",
        "{pods: [{name: a}], steps: [{after: {evicted: a, removed: a}, note: x}]}",
        "{nodes: [{name: a}], steps: [{at: 5s, taint: {node: a}}]}",
        "{nodes: [{name: a}], steps: [{at: 5s, taint: {add: ['a:NoExecute']}}]}",
        "{nodes: [{name: a}], steps: [{at: 5s, taint: {node: a, add: [], replace: []}}]}",
        "{nodes: [{name: a}], steps: [{at: 5s, deleteNode: {node: a, selector: a}}]}",
        "{pods: [{name: a}], steps: [{at: 5s, deletePod: {pod: a, namespace: default}}]}",
        "{pods: [{name: a}], steps: [{at: 5s, bindPod: {pod: a}}]}",
        "{faults: [{verb: watch, resource: pods, error: Timeout}]}",
        "{faults: [{verb: get, resource: pods, error: Timeout, probability: '10%'}]}",
        "{faults: [{verb: get, resource: pods, error: Timeout, between: [5s]}]}",
        "{faults: [{verb: get, error: Timeout}]}",
        "{expect: [{}]}",
        "{expect: [{evictedAt: 5s}]}",
        "{pods: [{name: a}], expect: [{pod: a}]}",
        "{pods: [{name: a}], expect: [{pod: a, is: Armed}]}",
        "{pods: [{name: a}], expect: [{pod: a, survives: true, at: 5s}]}",
        "{pods: [{name: a}], expect: [{pod: a, survives: true, evictedAt: 5s}]}",
        "{pods: [{name: a}], expect: [{pod: a, evictedBetween: [5s]}]}",
        "{pods: [{name: a}], expect: [{pod: a, survives: true, by: key}]}",
        "{expect: [{event: {}}]}",
        "{expect: [{count: 1}]}",
        "{expect: [{anyOf: []}]}",
    ];
    for spec in wrong {
        assert!(!said(spec).is_empty(), "{spec}");
    }
    for text in
        ["{kind: Scenario}", "[]", "{apiVersion: taintsim.dev/v1, kind: Scenario, spec: {}}"]
    {
        assert!(!refusals(&validator, &yaml(text)).is_empty(), "{text}");
    }
}
