//! Writes a recording's scenario in the scenario language, and loads it.

use serde_json::{Map, Value, json};
use taintsim::plan::Plan;
use taintsim::scenario::{self, LoadOptions};

use crate::case::{Case, Event, Fault, Pod, Scenario};

/// The scenario as a JSON text (JSON is YAML).
pub fn text(case: &Case, version: &str) -> String {
    let scenario = &case.scenario;
    let mut spec = json!({
        "kubernetesVersion": version,
        "until": format!("{}ms", scenario.until_ms),
        "nodes": scenario.nodes.iter().map(|node| node_entry(&node.name, &node.taints))
            .collect::<Vec<_>>(),
        "pods": scenario.pods.iter().map(pod).collect::<Vec<_>>(),
        "steps": steps(scenario),
        "faults": scenario.faults.iter().map(fault).collect::<Vec<_>>(),
        "admission": {"defaultTolerationSeconds": {"enabled": false}},
        "apiServer": {"validation": "Ignore"},
    });
    if let Some(ms) = scenario.delete_reply_ms {
        spec["apiServer"]["replyLatency"] = json!({"delete": format!("{ms}ms")});
    }
    if let Some(ms) = scenario.grace_ms {
        spec["podTermination"] = "Graceful".into();
        spec["stopAfter"] = format!("{ms}ms").into();
    }
    let document = json!({
        "apiVersion": "taintsim.dev/v1alpha1",
        "kind": "Scenario",
        "metadata": {"name": case.name, "description": case.description},
        "spec": spec,
    });
    format!("{document:#}")
}

/// The plan of a scenario's text; else what the loader has against it.
pub fn load(name: &str, text: &str) -> Result<Plan, String> {
    let loaded = scenario::load_text(&format!("{name}.json"), text, None, &LoadOptions::default())
        .map_err(|failure| format!("not loaded: {}\n{text}", failure.render()))?;
    assert!(loaded.is_scenario, "{name} was taken for a dump");
    Ok(loaded.plan)
}

fn node_entry(name: &str, taints: &Value) -> Value {
    let mut node = json!({"name": name});
    put_list(&mut node, "taints", taints);
    node
}

fn pod(pod: &Pod) -> Value {
    pod_entry(&pod.namespace, &pod.name, &pod.node_name, &pod.tolerations)
}

fn pod_entry(namespace: &str, name: &str, node: &str, tolerations: &Value) -> Value {
    let mut entry = json!({"namespace": namespace, "name": name});
    if !node.is_empty() {
        entry["nodeName"] = node.into();
    }
    put_list(&mut entry, "tolerations", tolerations);
    entry
}

/// Go leaves an empty list out, or writes null.
fn put_list(object: &mut Value, key: &str, list: &Value) {
    if list.as_array().is_some_and(|list| !list.is_empty()) {
        object[key] = list.clone();
    }
}

fn fault(fault: &Fault) -> Value {
    let error = match fault.error.as_deref() {
        None | Some("internal") => "InternalError",
        Some("conflict") => "Conflict",
        Some("timeout") => "ServerTimeout",
        Some("notFound") => "NotFound",
        Some(other) => panic!("the recordings have no error {other}"),
    };
    json!({
        "verb": fault.verb,
        "resource": "pods",
        "pod": fault.pod,
        "error": error,
        "first": fault.fail_first,
    })
}

/// One step an operation; in a burst, one a millisecond.
fn steps(scenario: &Scenario) -> Vec<Value> {
    let mut steps = Vec::new();
    for of_one_ms in scenario.events.chunk_by(|one, next| one.at_ms == next.at_ms) {
        let actions = of_one_ms.iter().enumerate().map(|(index, event)| action(event, index));
        let at_ms = of_one_ms[0].at_ms;
        if scenario.burst {
            let burst: Vec<Value> = actions.collect();
            steps.push(json!({"at": time(at_ms, 0), "burst": burst, "mayBeRejected": true}));
            continue;
        }
        for (index, mut step) in (0u64..).zip(actions) {
            step["at"] = time(at_ms, index * scenario.gap_us.unwrap_or(0)).into();
            step["mayBeRejected"] = true.into();
            steps.push(step);
        }
    }
    steps
}

fn time(ms: u64, us: u64) -> String {
    if us == 0 { format!("{ms}ms") } else { format!("{ms}ms{us}us") }
}

/// The action of an operation. `touch` makes a label's value, so that the update changes the pod.
fn action(event: &Event, touch: usize) -> Value {
    let pod = || event.pod.as_deref().expect("the operation names a pod");
    let node = || event.node.as_deref().expect("the operation names a node");
    let list = |list: &Option<Value>| match list {
        Some(Value::Array(list)) => Value::Array(list.clone()),
        _ => json!([]),
    };
    let argument = match event.op.as_str() {
        "setTaints" => {
            return json!({"taint": {"node": node(), "replace": list(&event.taints)}});
        }
        "createPod" => {
            let (namespace, name) = pod().split_once('/').expect("namespace/name");
            let tolerations = list(&event.tolerations);
            pod_entry(namespace, name, event.node.as_deref().unwrap_or(""), &tolerations)
        }
        "createNode" => node_entry(node(), &list(&event.taints)),
        "deletePod" => json!({"pod": pod()}),
        "deleteNode" => json!({"node": node()}),
        "bindPod" => json!({"pod": pod(), "node": node()}),
        "setTolerations" => {
            json!({"pod": pod(), "tolerations": list(&event.tolerations), "force": true})
        }
        "touchPod" => {
            let value = format!("{}-{touch}", event.at_ms);
            json!({"pod": pod(), "labels": {"touched": value}})
        }
        "restartController" => json!({}),
        other => panic!("the recordings have no operation {other}"),
    };
    let mut step = Map::new();
    step.insert(event.op.clone(), argument);
    Value::Object(step)
}
