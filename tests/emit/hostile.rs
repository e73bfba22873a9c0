//! Texts that a file of YAML could take for something else.

use proptest::prelude::*;
use taintsim::kernel::Time;
use taintsim::objects::{Effect, Lists, Names, Operator, Taint, Toleration};
use taintsim::plan::{
    Action, ApiError, Fault, LabelChange, NodeSpec, Plan, PodSpec, PodTarget, Step, StepAction,
    Validation, Verb, When,
};

use super::{checked, read, written};

fn note(text: &str, because: &str) -> Step {
    Step {
        number: 1,
        when: When::At(Time(1_000_000_000)),
        actions: vec![StepAction {
            action: Action::Note(text.into()),
            text: text.into(),
            kubectl: false,
        }],
        burst: false,
        may_be_rejected: false,
        because: Some(because.into()),
    }
}

/// A plan in which texts stand wherever one can that the API does not restrict.
fn plan(texts: &[&str; 3]) -> Plan {
    let [text, other, third] = *texts;
    let mut plan = Plan { name: text.into(), ..Plan::default() };
    plan.config.api_server.validation = Validation::Ignore;
    let (names, lists) = (&mut plan.names, &mut plan.lists);
    let node = names.intern_node("node-0");
    let pod = names.intern_pod("default/web-0");
    let unmatched = Effect::Other(third.into());
    let mut added = Taint::new(other, text, Effect::NoExecute);
    added.time_added = (!third.is_empty()).then(|| third.into());
    let taints =
        [Taint::new(text, other, Effect::NoExecute), Taint::new(text, third, unmatched), added];
    let toleration = |key: &str, operator: &str, value: &str| Toleration {
        key: key.into(),
        operator: Operator::parse(operator),
        value: value.into(),
        effect: None,
        toleration_seconds: Some(60),
    };
    let list = [
        toleration(text, "", other),
        toleration(text, "Exists", other),
        toleration("", third, text),
        toleration(other, "Equal", third),
    ];
    let labels = lists.intern_labels(&[(text, other), (other, third)].into_iter().collect());
    let (taints, tolerations) = (lists.intern_taints(&taints), lists.intern_tolerations(&list));
    plan.nodes.push(NodeSpec { taints, labels, ..NodeSpec::new(node) });
    plan.pods.push(PodSpec { tolerations, labels, ..PodSpec::new(pod, Some(node)) });
    let set = vec![(Box::from(text), Box::from(other))];
    let change = LabelChange { set, remove: Vec::new(), overwrite: true };
    let touch = Action::LabelPods { pods: PodTarget::Names(vec![pod]), change };
    let mut touched = note(other, third);
    touched.actions.push(StepAction { action: touch, text: "".into(), kubectl: false });
    touched.burst = true;
    plan.steps = vec![note(text, other), touched];
    let message = Some(third.into());
    plan.faults = vec![Fault { message, ..Fault::new(Verb::Delete, ApiError::Forbidden) }];
    plan
}

const TEXTS: [&str; 30] = [
    "",
    " ",
    "a",
    "true",
    "no",
    "~",
    "null",
    "1",
    "1.5",
    "0x1f",
    "1e3",
    "2026-01-01",
    "- a",
    "a: b",
    "a #b",
    "# a",
    "{a}",
    "[a",
    "*a",
    "&a",
    "!a",
    "%a",
    "@a",
    "a\nb: c",
    "a\r\n---\nkind: Scenario",
    "\u{1b}[31m",
    "\u{202e}a",
    "\u{feff}a\u{2028}",
    "é\u{1f600}",
    "\"'\\",
];

#[test]
fn hostile_texts_stay_texts() {
    for (index, text) in TEXTS.into_iter().enumerate() {
        let other = TEXTS[(index + 7) % TEXTS.len()];
        let third = TEXTS[(index * 3 + 1) % TEXTS.len()];
        let plan = plan(&[text, other, third]);
        let (written, again) = checked(&plan, text);
        assert!(again.is_scenario, "{written}");
        assert_eq!(again.plan.nodes.len(), 1, "{written}");
    }
}

proptest! {
    #[test]
    fn any_texts_stay_texts(text in any::<String>(), other in "\\PC{0,80}", third in "[ -~]{0,12}") {
        let plan = plan(&[&text, &other, &third]);
        checked(&plan, &text);
    }
}

/// Names that the API would refuse, in files whose rules are off: only a line says some actions.
#[test]
fn odd_names_are_named() {
    let text = "\
apiVersion: taintsim.dev/v1alpha1
kind: Scenario
spec:
  apiServer: {validation: Ignore}
  nodes: [{name: Node_0}, {name: node}, {name: \"ü;$x\"}, {name: \"tr`ue\"}]
  pods: [{name: Web_0, nodeName: Node_0}, {name: \"-x=y\", namespace: \"a:b\", nodeName: \"ü;$x\"}]
  steps:
    - {at: 1s, kubectl: \"taint nodes Node_0 node a=b:NoExecute\"}
    - {at: 2s, kubectl: \"cordon node/node Node_0\"}
    - {at: 3s, taint: {node: \"ü;$x\", add: [a=b:NoExecute]}}
    - {at: 4s, deletePod: {pod: \"a:b/-x=y\"}}
    - {at: 4s, deletePod: {pod: Web_0, gracePeriodSeconds: 0}}
    - {at: 5s, createPod: {name: \"{Web_0,b,ü}\", nodeName: \"tr`ue\"}}
    - {at: 6s, deleteNode: {node: [\"tr`ue\", \"ü;$x\"]}}
";
    let loaded = read(text, None);
    let (text, _) = checked(&loaded.plan, "odd names");
    insta::assert_snapshot!(text);
}

#[test]
fn names_are_only_those_of_the_plan() {
    // A name that no file could have brought in is no reason to panic.
    let mut names = Names::default();
    let node = names.intern_node("a{0..5}\n*");
    let plan = Plan { names, nodes: vec![NodeSpec::new(node)], ..Plan::default() };
    let text = written(&plan);
    assert!(text.lines().all(|line| !line.starts_with('*')), "{text}");
    assert_eq!(plan.lists.taints(Lists::NO_TAINTS), []);
}
