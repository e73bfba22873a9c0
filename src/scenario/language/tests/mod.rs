mod behaviour;
mod limits;
mod refused;
mod repeat;

use crate::expectation::{Check, Moment, PodCheck};
use crate::kernel::time::{Span, Time};
use crate::plan::{
    Action, ApiError, Caller, FaultTarget, PodTermination, Probability, Resource, Trigger,
    Validation, Verb, When,
};
use crate::scenario::{Limits, LoadOptions, Loaded, load_text};

const HEAD: &str = "apiVersion: taintsim.dev/v1alpha1\nkind: Scenario\nspec:\n";

/// A small cluster that most tests need: two nodes, two pods.
const CLUSTER: &str = "  nodes: [{name: \"node-{0..1}\"}]\n  pods:\n  \
    - {name: \"web-{0..1}\", namespace: shop, nodeName: \"node-{0..1}\"}\n";

fn load(text: &str, options: &LoadOptions) -> Loaded {
    load_text("maint.yaml", text, None, options).unwrap_or_else(|failure| panic!("{failure}"))
}

fn spec(text: &str) -> Loaded {
    load(&format!("{HEAD}{text}"), &LoadOptions::default())
}

fn with_cluster(text: &str) -> Loaded {
    spec(&format!("{CLUSTER}{text}"))
}

/// What is wrong with a spec, one line per mistake: `line:column: message | help`.
fn mistakes(text: &str) -> Vec<String> {
    let text = format!("{HEAD}{text}");
    let Err(failure) = load_text("maint.yaml", text.clone(), None, &LoadOptions::default()) else {
        panic!("no mistake in\n{text}");
    };
    let line = |d: &crate::scenario::diagnostic::Diagnostic| {
        let (line, column) = failure.sources.line_column(d.place).unwrap_or((0, 0));
        let help = d.help.as_ref().map(|help| format!(" | {help}")).unwrap_or_default();
        format!("{line}:{column}: {}{help}", d.message)
    };
    failure.diagnostics.iter().map(line).collect()
}

/// The one mistake of a spec.
fn mistake(text: &str) -> String {
    let mut all = mistakes(text);
    assert_eq!(all.len(), 1, "{text}\n{all:#?}");
    all.remove(0)
}

fn check_mistake(text: &str, expected: &str) {
    let mistake = mistake(text);
    assert!(mistake.contains(expected), "{text}\n{mistake}\ndoes not say {expected}");
}

/// The texts of all actions.
fn texts(loaded: &Loaded) -> Vec<&str> {
    loaded.plan.steps.iter().flat_map(|step| &step.actions).map(|action| &*action.text).collect()
}

#[test]
fn the_sample_of_the_language_loads() {
    let loaded = load(
        r#"
apiVersion: taintsim.dev/v1alpha1
kind: Scenario
metadata:
  name: maintenance-window
  description: What a reader should learn from this file.
spec:
  kubernetesVersion: "1.36"
  seed: 7
  until: 15m
  nodes:
    - name: node-{0..2}
      labels: {topology.kubernetes.io/zone: zone-a}
      taints:
        - dedicated=infra:NoExecute
  pods:
    - name: web-{0..5}
      namespace: shop
      nodeName: node-{0..2}
      labels: {app: web}
      tolerations:
        - {key: maintenance, operator: Exists, effect: NoExecute, tolerationSeconds: 300}
        - "dedicated=infra:NoExecute for 60s"
  steps:
    - at: 10s
      kubectl: taint nodes node-0 maintenance=now:NoExecute
    - at: 70s
      kubectl: taint nodes node-0 maintenance-
  faults: []
  expect: []
"#,
        &LoadOptions::default(),
    );
    let plan = &loaded.plan;
    assert!(loaded.is_scenario);
    assert_eq!(plan.name, "maintenance-window");
    assert_eq!(plan.config.seed, 7);
    assert_eq!(plan.config.until, Some(Time(900_000_000_000)));
    assert_eq!((plan.nodes.len(), plan.pods.len(), plan.steps.len()), (3, 6, 2));
    let pod = &plan.pods[4];
    assert_eq!(plan.names.pod(pod.pod), "shop/web-4");
    assert_eq!(pod.node.map(|id| plan.names.node(id)), Some("node-1"));
    let tolerations = plan.lists.tolerations(pod.tolerations);
    let shown: Vec<String> = tolerations.iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        [
            "maintenance:NoExecute op=Exists for 300s",
            "dedicated=infra:NoExecute for 60s",
            "node.kubernetes.io/not-ready:NoExecute op=Exists for 300s",
            "node.kubernetes.io/unreachable:NoExecute op=Exists for 300s",
        ]
    );
    assert_eq!(plan.lists.taints(plan.nodes[2].taints)[0].to_string(), "dedicated=infra:NoExecute");
    assert_eq!(plan.lists.labels(pod.labels).get("app"), Some("web"));
    assert!(plan.steps[0].actions[0].kubectl);
    assert_eq!(loaded.description.as_deref(), Some("What a reader should learn from this file."));
}

#[test]
fn the_control_plane_is_read() {
    let loaded = spec(
        "  taintManager: {enabled: false, workers: 2, deleteRetries: 3, retryInterval: 1s, \
         nodeChannelCapacity: 4, podChannelCapacity: 5, interleaving: Fifo}\n  \
         admission: {defaultTolerationSeconds: {notReady: 30, unreachable: 0}}\n  \
         apiServer: {latency: {get: 1ms, delete: 2ms}, replyLatency: {delete: 3ms}, \
         watchLatency: {pods: 4ms}, validation: Ignore}\n  \
         podTermination: Graceful\n  stopAfter: 5s\n  pods: [{name: a}]\n  \
         nodes: [{name: n, podTermination: Never, taints: [\"bad key:What\"]}]\n",
    );
    let config = &loaded.plan.config;
    assert!(!config.taint_manager.enabled);
    assert_eq!(config.taint_manager.workers, 2);
    assert_eq!(config.taint_manager.delete_retries, 3);
    assert_eq!(config.taint_manager.retry_interval, Span::from_secs(1));
    assert_eq!(config.api_server.latency.delete, Span::from_millis(2).into());
    assert_eq!(config.api_server.reply_latency.delete, Span::from_millis(3).into());
    assert_eq!(config.api_server.watch_latency.pods, Span::from_millis(4).into());
    assert_eq!(config.api_server.validation, Validation::Ignore);
    assert_eq!(config.termination, PodTermination::Graceful);
    assert_eq!(loaded.plan.nodes[0].termination, Some(PodTermination::Never));
    let list = loaded.plan.lists.tolerations(loaded.plan.pods[0].tolerations);
    assert_eq!(list[0].toleration_seconds, Some(30));
    assert_eq!(list[1].toleration_seconds, Some(0));
}

#[test]
fn actions_have_words() {
    let loaded = with_cluster(
        r#"  steps:
  - {at: 0s, taint: {node: "node-{0..1}", add: ["m=now:NoExecute"], remove: [old, "x:NoSchedule"]}}
  - {at: 0s, taint: {node: "*", replace: []}}
  - {at: +1s, taint: {node: [node-0], replace: ["a:NoExecute", "b=c:NoSchedule"]}}
  - {at: 2s, createPod: {name: web-2, namespace: shop, nodeName: node-0}}
  - {at: 2s, createNode: {name: node-2}}
  - {at: 2s, deletePod: {pod: shop/web-0, gracePeriodSeconds: 0}}
  - {at: 2s, deletePod: {selector: "app!=x", namespace: shop}}
  - {at: 2s, deleteNode: {node: node-0}}
  - {at: 2s, bindPod: {pod: shop/web-2, node: node-2}}
  - {at: 2s, setTolerations: {pod: shop/web-1, tolerations: ["m:NoExecute op=Exists"], force: true}}
  - {at: 2s, touchPod: {pod: shop/web-1, labels: {a: b}}}
  - {at: 2s, apply: {apiVersion: v1, kind: Pod, metadata: {name: job}, spec: {nodeName: node-1}}}
  - {at: 2s, restartController: {for: 15s}}
  - at: 2s
    restartController:
  - {at: 2s, note: look here, because: of this, mayBeRejected: true}
  - at: 3s
    burst:
    - {deletePod: {pod: job}}
    - kubectl: cordon node-1
"#,
    );
    assert_eq!(
        texts(&loaded),
        [
            "taint node-{0..1} -old -x:NoSchedule +m=now:NoExecute",
            "taint * =[]",
            "taint node-0 =[a:NoExecute,b=c:NoSchedule]",
            "create pod shop/web-2",
            "create node node-2",
            "delete pod shop/web-0 (grace 0s)",
            "delete pod -n shop -l app!=x",
            "delete node node-0",
            "bind pod shop/web-2 to node-2",
            "set tolerations of pod shop/web-1 to [m:NoExecute op=Exists] (force)",
            "touch pod shop/web-1 a=b",
            "apply pod default/job",
            "restart controller (down for 15s)",
            "restart controller (down for 0s)",
            "look here",
            "delete pod job",
            "cordon node-1",
        ]
    );
    let steps = &loaded.plan.steps;
    assert_eq!(steps[2].when, When::AfterPrevious(Span::from_secs(1)));
    assert_eq!(steps[14].number, 15);
    assert!(steps[14].may_be_rejected);
    assert_eq!(steps[15].actions.len(), 2);
    let Action::ApplyPod(apply) = &steps[11].actions[0].action else { panic!() };
    assert_eq!(apply.tolerations, None, "the manifest has no tolerations key");
    assert_eq!(loaded.plan.lists.tolerations(apply.create.tolerations).len(), 2, "admission");
    let Action::SetTolerations { tolerations, .. } = &steps[9].actions[0].action else { panic!() };
    assert_eq!(loaded.plan.lists.tolerations(*tolerations).len(), 1, "forced past admission");
}

#[test]
fn after_waits_for_something() {
    let loaded = with_cluster(
        "  steps:\n  - {after: {evicted: shop/web-0, plus: 30s, occurrence: 2}, note: x}\n  \
         - {after: {tainted: node-1}, note: x}\n",
    );
    let When::After { trigger: Trigger::Evicted(pod), occurrence: 2, plus } =
        loaded.plan.steps[0].when
    else {
        panic!("{:?}", loaded.plan.steps[0].when)
    };
    assert_eq!(loaded.plan.names.pod(pod), "shop/web-0");
    assert_eq!(plus, Span::from_secs(30));
    assert!(matches!(loaded.plan.steps[1].when, When::After { trigger: Trigger::Tainted(_), .. }));
    for (after, expected) in [
        ("{}", "`after` needs something to wait for"),
        ("{plus: 1s}", "`after` needs something to wait for"),
        ("{evicted: shop/web-0, armed: shop/web-0}", "waits for one thing, not armed and evicted"),
        ("{evicted: \"shop/web-{0..1}\"}", "waits for one pod"),
        ("{ready: node-0}", "`ready` is not supported by this version"),
        ("{evictd: shop/web-0}", "did you mean `evicted`?"),
        ("{evicted: shop/web-0, occurrence: 0}", "occurrence is between 1 and"),
        ("{evicted: shop/web-9}", "the pods are shop/web-0, shop/web-1"),
    ] {
        check_mistake(&format!("{CLUSTER}  steps: [{{after: {after}, note: x}}]\n"), expected);
    }
}

#[test]
fn faults_are_read() {
    let loaded = with_cluster(
        "  faults:\n  - {verb: delete, resource: pods, pod: shop/web-0, error: Conflict, \
         message: busy, first: 2}\n  - {verb: patch, resource: pods, error: InternalError, \
         caller: TaintManager}\n",
    );
    let fault = &loaded.plan.faults[0];
    assert_eq!((fault.verb, fault.first), (Verb::Delete, Some(2)));
    assert_eq!(fault.message.as_deref(), Some("busy"));
    let loaded = with_cluster(
        "  faults:\n  - {verb: create, resource: nodes, error: Timeout, applied: true, caller: Any, \
         node: node-1, probability: 0.25, between: [10s, 1m]}\n  - {verb: list, resource: pods, \
         error: TooManyRequests, node: node-0}\n",
    );
    let [steps, lists] = loaded.plan.faults.as_slice() else { panic!("{:?}", loaded.plan.faults) };
    assert_eq!((steps.resource, steps.caller, steps.applied), (Resource::Nodes, Caller::Any, true));
    assert_eq!(steps.probability, Some(Probability { parts: 25, of: 100 }));
    assert_eq!(steps.between, Some((Time(10_000_000_000), Time(60_000_000_000))));
    for fault in [steps, lists] {
        assert!(matches!(fault.target, FaultTarget::Nodes(_)), "{fault:?}");
    }
    assert_eq!((lists.error, lists.caller), (ApiError::TooManyRequests, Caller::TaintManager));
    for (fault, expected) in [
        (
            "{verb: delete, resource: pods, error: Oops}",
            "`error` is one of InternalError, Conflict",
        ),
        ("{verb: Delete, resource: pods, error: Conflict}", "write delete"),
        ("{verb: delete, resource: pod, error: Conflict}", "write pods, as in RBAC"),
        ("{verb: get, resource: nodes, error: Conflict}", "| write `resource: pods`"),
        ("{resource: pods, error: Conflict}", "a fault needs the key `verb`"),
        ("{verb: create, resource: pods, error: Conflict}", "| write `caller: Any`"),
        ("{verb: get, resource: pods, error: Conflict, applied: true}", "`error: Timeout`"),
        ("{verb: get, resource: pods, error: Conflict, probability: 5%}", "| write 0.05"),
        ("{verb: get, resource: pods, error: Conflict, between: [2s, 1s]}", "| write [1s, 2s]"),
        ("{verb: get, resource: pods, error: Conflict, between: [2s, 2s]}", "later than 2s"),
        ("{verb: get, resource: pods, error: Conflict, node: node-0}", "| write `pod: shop/web-0`"),
        ("{verb: list, resource: pods, error: Conflict, pod: a}", "| write `node: node-0` in the"),
        ("{verb: get, resource: pods, error: Conflict, first: 0}", "first is at least 1"),
        ("{verb: get, resource: pods, error: Conflict, pod: shop/web-7}", "the pods are"),
    ] {
        check_mistake(&format!("{CLUSTER}  faults: [{fault}]\n"), expected);
    }
}

#[test]
fn expectations_are_read() {
    let loaded = with_cluster(
        r#"  steps: [{at: 1s, note: x}]
  expect:
  - {pod: shop/web-0, evictedAt: 310s, by: maintenance, because: it has 300 s}
  - {pod: shop/web-1, armedAt: [10s, 20s]}
  - {pod: "shop/web-{0..1}", evictedBetween: [1m, 2m], kubernetesVersion: v1.36.2}
  - {pod: shop/web-1, cancelledAt: 5s, by: maintenance, instance: 2}
  - {pod: shop/web-1, at: 5s, is: Armed}
  - {selector: app=web, survives: true}
  - {pod: shop/web-1, deleteAttempts: 5}
  - {event: {reason: TaintManagerEviction, message: Marking, pod: shop/web-0}, count: 1}
  - {evictions: 3}
  - {stepRejected: 1}
  - anyOf:
    - {pod: shop/web-1, removedAt: 5s, by: a}
    - {pod: shop/web-1, survives: false}
  pods2: ~
"#
        .replace("  pods2: ~\n", "")
        .replace("selector: app=web", "pod: \"*\"")
        .as_str(),
    );
    let texts: Vec<&str> = loaded.expectations.iter().map(|e| &*e.text).collect();
    assert_eq!(
        texts,
        [
            "shop/web-0 evictedAt 310s by maintenance",
            "shop/web-1 armedAt [10s, 20s]",
            "shop/web-{0..1} evictedBetween [1m0s, 2m0s]",
            "shop/web-1 cancelledAt 5s by maintenance instance 2",
            "shop/web-1 at 5s is Armed",
            "* survives true",
            "shop/web-1 deleteAttempts 5",
            "event TaintManagerEviction \"Marking\" on shop/web-0 count 1",
            "evictions 3",
            "stepRejected 1",
            "anyOf [shop/web-1 removedAt 5s by a, shop/web-1 survives false]",
        ]
    );
    let first = &loaded.expectations[0];
    assert_eq!((&*first.file, first.line), ("maint.yaml", 9));
    assert_eq!(first.because.as_deref(), Some("it has 300 s"));
    let Check::Pod { what: PodCheck::At { moment: Moment::Evicted, times, by }, .. } = &first.check
    else {
        panic!("{first:?}")
    };
    assert_eq!(
        (times.as_slice(), by.as_deref()),
        (&[Time(310_000_000_000)][..], Some("maintenance"))
    );
    assert_eq!(loaded.expectations[2].kubernetes_version, Some(crate::profile::NEWEST));
}

#[test]
fn documents_are_told_apart() {
    let failure = |text: &str| {
        let failure = load_text("f.yaml", text, None, &LoadOptions::default());
        failure.err().map(|f| f.render()).unwrap_or_else(|| panic!("no mistake in {text}"))
    };
    let minimal = format!("{HEAD}  nodes: [{{name: a}}]\n");
    let two = failure(&format!("{minimal}---\n{minimal}"));
    assert!(
        two.contains(
            "f.yaml:6:1: error: a second Scenario; the first one begins in f.yaml, line 1"
        ),
        "{two}"
    );
    for (from, to, expected) in [
        (
            "v1alpha1",
            "v1",
            "apiVersion of a Scenario is taintsim.dev/v1alpha1, not `taintsim.dev/v1`",
        ),
        ("kind: Scenario", "kind: scenario", "kind of a Scenario is Scenario, not `scenario`"),
        ("kind: Scenario\n", "", "a Scenario needs the key `kind`"),
        ("apiVersion: taintsim.dev/v1alpha1\nkind: Scenario\n", "", "needs the key `apiVersion`"),
        ("spec:", "spec2:", "did you mean `spec`?"),
    ] {
        let shown = failure(&minimal.replace(from, to));
        assert!(shown.contains(expected), "{shown}");
    }
    let dump = "kind: Pod\napiVersion: v1\nmetadata: {name: a}\nspec: {nodeName: n1}\n";
    let loaded = load(dump, &LoadOptions::default());
    assert!(!loaded.is_scenario);
    assert_eq!(loaded.plan.name, "maint");
    assert_eq!((loaded.plan.nodes.len(), loaded.plan.pods.len()), (1, 1));
    assert!(loaded.plan.lists.tolerations(loaded.plan.pods[0].tolerations).is_empty());
    assert_eq!(loaded.notices.len(), 1, "{:?}", loaded.notices);

    let stream = load(&format!("{minimal}---\n{dump}"), &LoadOptions::default());
    assert_eq!((stream.plan.nodes.len(), stream.plan.pods.len()), (2, 1));
}

#[test]
fn the_command_line_adds_to_a_scenario() {
    let text = format!("{HEAD}  seed: 1\n{CLUSTER}");
    let options = LoadOptions {
        overrides: vec!["spec.pods[*].namespace=prod".into()],
        extra_steps: vec!["10s taint nodes node-0 m=now:NoExecute".into()],
        seed: Some(9),
        kubernetes_version: Some("v1.36.1".into()),
        until: Some(Time(5_000_000_000)),
        manifests: Vec::new(),
        limits: Limits::default(),
    };
    let loaded = load(&text, &options);
    assert_eq!(loaded.plan.config.seed, 9);
    assert_eq!(loaded.plan.names.pod(loaded.plan.pods[0].pod), "prod/web-0");
    assert_eq!(texts(&loaded), ["taint nodes node-0 m=now:NoExecute"]);
    assert_eq!(loaded.notices.len(), 1, "step after until: {:?}", loaded.notices);

    for (options, expected) in [
        (
            LoadOptions { overrides: vec!["spec.sed=2".into()], ..options.clone() },
            "the nearest is spec.seed",
        ),
        (
            LoadOptions { overrides: vec!["spec.seed=x".into()], ..options.clone() },
            "--set:1:11: error: seed is an integer",
        ),
        (
            LoadOptions { extra_steps: vec!["10 cordon node-0".into()], ..options.clone() },
            "--step:1:1: error: `at` is a time",
        ),
        (
            LoadOptions { extra_steps: vec!["cordon".into()], ..options.clone() },
            "`cordon` is no step",
        ),
        (
            LoadOptions { kubernetes_version: Some("1.5".into()), ..options.clone() },
            "--kubernetes-version:1:1: error: there is no behaviour profile",
        ),
    ] {
        let failure = load_text("f.yaml", text.clone(), None, &options).expect_err(expected);
        assert!(failure.render().contains(expected), "{failure}");
    }
}

#[test]
fn ranges_make_many_pods() {
    let text = "  nodes: [{name: \"n-{0..99}\"}]\n  pods:\n  \
                - {name: \"p-{0..99999}\", nodeName: \"n-{0..99}\", labels: {a: b}}\n  \
                steps: [{at: 1s, deletePod: {pod: \"p-{0..99999}\"}}]\n";
    let loaded = spec(text);
    assert_eq!(loaded.plan.pods.len(), 100_000);
    let last = &loaded.plan.pods[99_999];
    assert_eq!(loaded.plan.names.pod(last.pod), "default/p-99999");
    assert_eq!(last.node.map(|id| loaded.plan.names.node(id)), Some("n-99"));
}

/// Steps of the command line go where their time is, and keep their own numbers.
#[test]
fn steps_of_the_command_line_stand_in_the_order_of_times() {
    let file = "  steps:\n  - {at: 10s, note: a}\n  - {at: +5s, note: b}\n  \
                - {at: 30s, note: c}\n  - {at: +5s, note: d}\n  - {at: 35s, note: e}\n";
    let text = format!("{HEAD}{CLUSTER}{file}");
    for (steps, numbers) in [
        (vec!["1m cordon node-0"], [1, 2, 3, 4, 5, 6].as_slice()),
        (vec!["12s cordon node-0"], &[1, 2, 6, 3, 4, 5]),
        (vec!["5s cordon node-0"], &[6, 1, 2, 3, 4, 5]),
        (vec!["15s cordon node-0", "+1s uncordon node-0"], &[1, 2, 6, 7, 3, 4, 5]),
        (vec!["30s cordon node-0"], &[1, 2, 3, 4, 5, 6]),
        (vec!["20s cordon node-0", "12s uncordon node-0"], &[1, 2, 7, 6, 3, 4, 5]),
        (vec!["+1s cordon node-0", "0s uncordon node-0"], &[7, 1, 2, 3, 4, 5, 6]),
    ] {
        let extra_steps = steps.iter().map(|step| (*step).to_owned()).collect();
        let loaded = load(&text, &LoadOptions { extra_steps, ..LoadOptions::default() });
        let found: Vec<u32> = loaded.plan.steps.iter().map(|step| step.number).collect();
        assert_eq!(found, numbers, "{steps:?}");
    }
    let loaded = load(&text, &LoadOptions::default());
    let follows = When::AfterPrevious(Span::ZERO);
    assert_eq!(loaded.plan.steps[4].when, follows, "after the step that comes to the same time");
}

#[test]
fn names_of_the_command_line_are_shown_with_what_there_is() {
    let dump = "kind: Node\napiVersion: v1\nmetadata: {name: n1}\n";
    let extra_steps = vec!["0s taint nodes worker-3 m=now:NoExecute".to_owned()];
    let options = LoadOptions { extra_steps, ..LoadOptions::default() };
    let failure = load_text("dump.yaml", dump, None, &options).expect_err("no such node");
    assert_eq!(
        failure.render(),
        "--step:1:16: error: no node `worker-3` in this dump\n \
         1 | 0s taint nodes worker-3 m=now:NoExecute\n   |                ^^^^^^^^\n\
         help: the only node is n1\n"
    );
}
