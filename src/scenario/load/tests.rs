use std::fs;

use super::*;

const SCENARIO: &str = r#"# A comment.
apiVersion: taintsim.dev/v1alpha1
kind: Scenario
metadata: {name: all, description: "what it shows"}
spec:
  kubernetesVersion: "1.36"
  seed: 7
  until: 15m
  taintManager: {workers: 8, retryInterval: 10ms}
  admission: {defaultTolerationSeconds: {enabled: true, notReady: 30}}
  apiServer: {latency: {get: 1ms}, validation: Strict}
  podTermination: Graceful
  nodes:
    - name: node-{0..2}
      labels: {zone: a}
      taints: [dedicated=infra:NoExecute, {key: a, effect: NoSchedule}]
  pods:
    - name: web-{0..5}
      namespace: shop
      nodeName: [node-0, "node-{1..2}"]
      labels: {app: web}
      tolerations:
        - {key: maintenance, operator: Exists, effect: NoExecute, tolerationSeconds: 300}
        - "dedicated=infra:NoExecute for 60s"
  steps:
    - at: 10s
      kubectl: taint nodes node-0 maintenance=now:NoExecute
    - {at: +5s, taint: {node: "*", add: [x:NoExecute], remove: [maintenance]}, because: y}
    - {after: {evicted: shop/web-0, plus: 1s}, createPod: {name: web-9, namespace: shop}}
    - at: 70s
      burst: [{deletePod: {selector: app=web, namespace: shop}}, {note: here}]
    - {at: 80s, setTolerations: {pod: shop/web-1, tolerations: [], force: true}}
    - {at: 90s, apply: {kind: Node, metadata: {name: node-9}}}
  faults: [{verb: delete, resource: pods, pod: shop/web-0, error: Conflict, first: 2}]
  expect:
    - {pod: shop/web-0, evictedAt: [10s, 20s], by: x}
    - {event: {reason: TaintManagerEviction}, count: 3}
    - anyOf: [{evictions: 3}, {stepRejected: 1}]
---
{"kind": "List", "items": [{"kind": "Pod", "metadata": {"name": "p"}, "spec": {"nodeName": "n"}}]}
"#;

/// The numbers of a small generator: the same on every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from((self.0 >> 33) % limit as u64).expect("below a usize")
    }
}

#[test]
fn no_text_makes_the_loader_panic() {
    load_text("all.yaml", SCENARIO, None, &LoadOptions::default()).expect("the sample is right");
    let bits = [
        "{",
        "}",
        "[",
        "]",
        ":",
        " ",
        "-",
        "\n",
        "\"",
        "'",
        "*",
        "&a",
        "*a",
        "~",
        "{0..9}",
        "0",
        "99999999999999999999",
        "é",
        "\t",
        "#",
        "=",
        ",",
        "..",
        "/",
        "|",
        "!",
        "null",
        "true",
    ];
    let mut numbers = Numbers(36);
    for round in 0..4_000 {
        let mut text: Vec<char> = SCENARIO.chars().collect();
        for _ in 0..=numbers.below(3) {
            let at = numbers.below(text.len());
            let cut = numbers.below(12).min(text.len() - at);
            let bit = bits[numbers.below(bits.len())];
            text.splice(at..at + cut, bit.chars());
        }
        let text: String = text.into_iter().collect();
        let options = LoadOptions {
            extra_steps: vec![text.chars().take(numbers.below(60)).collect()],
            overrides: vec![text.chars().skip(300).take(numbers.below(60)).collect()],
            ..LoadOptions::default()
        };
        for options in [&LoadOptions::default(), &options] {
            if let Err(failure) = load_text("all.yaml", text.clone(), None, options) {
                assert!(!failure.diagnostics.is_empty(), "round {round}: no word why\n{text}");
                assert!(failure.render().contains("error: "), "round {round}");
            }
        }
    }
}

#[test]
fn a_scenario_cut_off_anywhere_is_refused_or_whole() {
    for end in (0..SCENARIO.len()).filter(|end| SCENARIO.is_char_boundary(*end)) {
        let _ = load_text("all.yaml", &SCENARIO[..end], None, &LoadOptions::default());
    }
}

#[test]
fn paths_are_relative_to_the_scenario() {
    let folder = tempfile::tempdir().expect("a folder");
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).expect("a folder");
    let pod = "kind: Pod\nmetadata: {name: a}\nspec: {nodeName: n}\n";
    fs::write(inner.join("pods.yaml"), pod).expect("a file");
    let scenario = inner.join("maint.yaml");
    let text = "apiVersion: taintsim.dev/v1alpha1\nkind: Scenario\nspec:\n  nodes: [{name: n}]\n  \
                manifests: [pods.yaml]\n  steps: [{at: 1s, kubectl: apply -f pods.yaml}]\n";
    fs::write(&scenario, text).expect("a file");
    let loaded = load(&scenario, &LoadOptions::default()).unwrap_or_else(|f| panic!("{f}"));
    assert_eq!(loaded.plan.name, "maint");
    assert_eq!((loaded.plan.pods.len(), loaded.plan.steps.len()), (1, 1));

    let options = LoadOptions { manifests: vec![scenario.clone()], ..LoadOptions::default() };
    let failure = load(&scenario, &options).expect_err("a Scenario among the manifests");
    let expected = "this file is the scenario of the run, and is named once more";
    assert!(failure.render().contains(expected), "{failure}");
    let second = inner.join("second.yaml");
    fs::write(&second, text).expect("a file");
    let options = LoadOptions { manifests: vec![second], ..LoadOptions::default() };
    let failure = load(&scenario, &options).expect_err("a Scenario among the manifests");
    let name = scenario.display();
    let expected = format!("a second Scenario; the first one begins in {name}, line 1");
    assert!(failure.render().contains(&expected), "{failure}");
    assert!(failure.render().contains("run each file by itself: `-f` adds manifests"), "{failure}");
    let options = LoadOptions { manifests: vec![scenario.clone()], ..LoadOptions::default() };
    let failure = load(&inner.join("pods.yaml"), &options).expect_err("a dump and a Scenario");
    assert!(failure.render().contains("name the file with the Scenario first"), "{failure}");

    for (path, expected) in [(inner.as_path(), "it is a directory"), (&inner.join("x"), "no such")]
    {
        let failure = load(path, &LoadOptions::default()).expect_err(expected);
        assert!(failure.render().contains(expected), "{failure}");
    }
}
