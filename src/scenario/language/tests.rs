use crate::expectation::{Check, Moment, PodCheck};
use crate::kernel::time::{Span, Time};
use crate::plan::{Action, PodTermination, Trigger, Validation, Verb, When};
use crate::scenario::{LoadOptions, Loaded, load_text};

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
    assert_eq!(config.api_server.latency.delete, Span::from_millis(2));
    assert_eq!(config.api_server.reply_latency.delete, Span::from_millis(3));
    assert_eq!(config.api_server.watch_latency.pods, Span::from_millis(4));
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
    assert_eq!(loaded.plan.lists.tolerations(*tolerations).len(), 3, "admission");
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
        ("{evicted: shop/web-9}", "did you mean `shop/web-0`?"),
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
    for (fault, expected) in [
        ("{verb: delete, resource: pods, error: TooManyRequests}", "TooManyRequests is not supp"),
        ("{verb: delete, resource: pods, error: Oops}", "error is one of InternalError, Conflict"),
        ("{verb: Delete, resource: pods, error: Conflict}", "write delete"),
        ("{verb: delete, resource: pod, error: Conflict}", "write pods, as in RBAC"),
        ("{verb: get, resource: nodes, error: Conflict}", "the taint manager calls pods only"),
        ("{resource: pods, error: Conflict}", "a fault needs the key `verb`"),
        (
            "{verb: get, resource: pods, error: Conflict, caller: Any}",
            "caller Any is not supported",
        ),
        ("{verb: get, resource: pods, error: Conflict, probability: 0.1}", "not supported"),
        ("{verb: get, resource: pods, error: Conflict, first: 0}", "first is at least 1"),
        ("{verb: get, resource: pods, error: Conflict, pod: shop/web-7}", "did you mean"),
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
  - {pod: shop/web-1, cancelledAt: 5s, instance: 2}
  - {pod: shop/web-1, at: 5s, is: Armed}
  - {selector: app=web, survives: true}
  - {pod: shop/web-1, deleteAttempts: 5}
  - {event: {reason: TaintManagerEviction, message: Marking, pod: shop/web-0}, count: 1}
  - {evictions: 3}
  - {stepRejected: 1}
  - anyOf:
    - {pod: shop/web-1, removedAt: 5s}
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
            "shop/web-1 cancelledAt 5s instance 2",
            "shop/web-1 at 5s is Armed",
            "* survives true",
            "shop/web-1 deleteAttempts 5",
            "event TaintManagerEviction \"Marking\" on shop/web-0 count 1",
            "evictions 3",
            "stepRejected 1",
            "anyOf [shop/web-1 removedAt 5s, shop/web-1 survives false]",
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
    assert_eq!(loaded.expectations[2].kubernetes_version.as_deref(), Some("1.36"));
}

#[test]
fn expectations_are_refused() {
    for (expectation, expected) in [
        ("{pod: shop/web-0}", "an expectation says nothing"),
        ("{pod: shop/web-0, evictedAt: 1s, survives: true}", "one check, not evictedAt and surv"),
        ("{pod: shop/web-0, evictAt: 1s}", "an expectation says nothing"),
        ("{pod: shop/wbe-0, survives: true}", "did you mean `shop/web-0`?"),
        ("{pod: web-0, survives: true}", "no pod `default/web-0` in this scenario"),
        ("{pod: shop/web-0, evictedAt: 10}", "write `10s` for seconds"),
        ("{pod: shop/web-0, evictedAt: []}", "the list of times under `evictedAt` is empty"),
        ("{pod: shop/web-0, evictedAt: ~}", "`evictedAt` is null"),
        ("{pod: shop/web-0, evictedAt: [1s, 2s], instance: 1}", "there is one time"),
        ("{pod: shop/web-0, removedAt: 1s, by: x}", "unknown key `by`"),
        ("{pod: shop/web-0, evictedBetween: [2s, 1s]}", "ends at 1s, before it begins at 2s"),
        ("{pod: shop/web-0, evictedBetween: 2s}", "is a list, not"),
        ("{pod: shop/web-0, is: Armed}", "needs the key `at`"),
        ("{pod: shop/web-0, at: 1s, is: armed}", "write Armed"),
        ("{pod: shop/web-0, survives: yes}", "write true"),
        ("{evictedAt: 1s}", "needs `pod` or `selector`"),
        ("{stepRejected: 2}", "there is no step 2: the scenario has 0"),
        ("{rule: docs/healthy-node, breached: true}", "`rule` is not supported"),
        ("{anyOf: []}", "nothing can hold"),
        ("{event: {reason: x}}", "needs the key `count`"),
        ("{evictions: 1, kubernetesVersion: \"1.29\"}", "no behaviour profile for Kubernetes 1.29"),
    ] {
        let text = format!("{CLUSTER}  expect: [{expectation}]\n");
        let all = mistakes(&text);
        assert!(all.iter().any(|m| m.contains(expected)), "{expectation}\n{all:#?}\n{expected}");
        let most = if expectation.contains("rule") { 2 } else { 1 };
        assert!(all.len() <= most, "{expectation}\n{all:#?}");
    }
}

#[test]
fn steps_are_refused() {
    for (step, expected) in [
        ("{at: 10, note: x}", "write `10s` for seconds"),
        ("{note: x}", "a step needs `at` or `after`"),
        ("{at: 1s, after: {evicted: shop/web-0}, note: x}", "`at` or `after`, not both"),
        ("{at: 1s}", "a step needs an action"),
        ("{at: 1s, tant: {node: node-0}}", "unknown action `tant` | did you mean `taint`?"),
        ("{at: 1s, note: x, kubectl: cordon node-0}", "one action, not note and kubectl"),
        ("{at: 1s, note: x, burst: []}", "`note` stands beside `burst`"),
        ("{at: 1s, burst: []}", "the burst is empty"),
        ("{at: 1s, burst: [{at: 2s, note: x}]}", "unknown key `at` in an action of a burst"),
        ("{at: 1s, repeat: {every: 2s}}", "`repeat` is not supported by this version"),
        ("{at: 1s, crashNode: node-0}", "`crashNode` is not supported by this version"),
        ("{at: 1s, note: ~}", "`note` has no argument"),
        ("{at: 1s, taint: {node: node-0}}", "it needs `add`, `remove` or `replace`"),
        ("{at: 1s, taint: {add: [\"a:NoExecute\"]}}", "taint needs `node` or `selector`"),
        ("{at: 1s, taint: {node: node-7, add: [\"a:NoExecute\"]}}", "did you mean `node-0`?"),
        ("{at: 1s, taint: {node: node-0, add: [\"a\"]}}", "write `a:NoExecute`"),
        ("{at: 1s, taint: {node: node-0, add: [\"a:NoExecut\"]}}", "write NoExecute"),
        ("{at: 1s, taint: {node: node-0, remove: [\"a=b\"]}}", "names no taint to remove"),
        ("{at: 1s, taint: {node: node-0, remove: [\"a-\"]}}", "names no taint to remove"),
        ("{at: 1s, taint: {node: node-0, replace: ~}}", "`replace: []` clears the list"),
        ("{at: 1s, taint: {node: node-0, replace: [], remove: [a]}}", "stands beside"),
        ("{at: 1s, taint: {selector: \"a==,\", remove: [a]}}", ""),
        ("{at: 1s, taint: {selector: zone=z, remove: [a]}}", "matches no node that the scenario"),
        ("{at: 1s, deletePod: {pod: web-0}}", "did you mean `shop/web-0`?"),
        ("{at: 1s, deletePod: {pod: shop/web-0, namespace: shop}}", "goes with `selector`"),
        ("{at: 1s, deletePod: {pod: shop/web-0, gracePeriodSeconds: 5s}}", "is an integer"),
        ("{at: 1s, deletePod: {pod: shop/web-0, selector: a}}", "remove one of the two"),
        ("{at: 1s, bindPod: {pod: shop/web-0}}", "bindPod needs the key `node`"),
        ("{at: 1s, bindPod: {pod: shop/web-0, node: node-9}}", "did you mean `node-0`?"),
        ("{at: 1s, createPod: {name: x, nodeName: node-9}}", "no node `node-9`"),
        ("{at: 1s, setTolerations: {pod: shop/web-0}}", "needs the key `tolerations`"),
        ("{at: 1s, apply: {kind: Pod, metadata: {name: x}, spec: {nodeName: nod-0}}}", "no node"),
        ("{at: 1s, kubectl: get pods}", "taint"),
        ("{at: 1s, kubectl: taint nodes node-9 a-}", "did you mean `node-0`?"),
        ("{at: 1s, restartController: {for: 15}}", "write `15s` for seconds"),
    ] {
        check_mistake(&format!("{CLUSTER}  steps: [{step}]\n"), expected);
    }
    check_mistake(
        &format!(
            "{CLUSTER}  steps: [{{at: 10s, note: x}}, {{at: +5s, note: x}}, {{at: 12s, note: x}}]\n"
        ),
        "12s is before the step above, which is at 15s",
    );
}

#[test]
fn objects_are_refused() {
    for (text, expected) in [
        ("  nodes: [{name: a}, {name: a}]\n", "4:29: there is a node `a` already"),
        ("  pods: [{name: \"a-{0..3}\"}, {name: a-2}]\n", "there is a pod `default/a-2` already"),
        (
            "  pods: [{name: a, nodename: b}]\n",
            "unknown key `nodename` in a pod | did you mean `nodeName`?",
        ),
        ("  pods: [{name: a, nodeName: n}]\n", "no node `n` in this scenario"),
        ("  pods: [{name: a/b}]\n", "the namespace has its own key"),
        ("  pods: [{name: A}]\n", "pod name `A`"),
        ("  pods: [{name: a, namespace: a.b}]\n", "namespace name `a.b`"),
        (
            "  pods: [{name: 7}]\n",
            "a pod's name is a string, not the bare number `7` | write \"7\"",
        ),
        ("  pods: [{}]\n", "a pod needs the key `name`"),
        ("  pods: [{name: {0..2}}]\n", "write \"{0..2}\""),
        ("  pods: [{name: \"a{0..9999999}\"}]\n", "the limit is 2000000"),
        ("  pods: {name: a}\n", "`pods` is a list, not a mapping"),
        (
            "  nodes: [{name: a, taints: [\"k:NoExecute\", \"k=v:NoExecute\"]}]\n",
            "unique by key and effect",
        ),
        ("  nodes: [{name: a, taints: [{key: k}]}]\n", "a taint needs the key `effect`"),
        ("  nodes: [{name: a, labels: {k: 1}}]\n", "a label's value is a string"),
        ("  nodes: [{name: a, labels: {-k: x}}]\n", "label key"),
        ("  nodes: [{name: a, podTermination: Gracefull}]\n", "write Graceful"),
        ("  pods: [{name: a, tolerations: [{key: k, operator: Exist}]}]\n", "write Exists"),
        (
            "  pods: [{name: a, tolerations: [{key: k, effect: NoSchedule, tolerationSeconds: 1}]}]\n",
            "must be NoExecute when tolerationSeconds",
        ),
        (
            "  pods: [{name: a, tolerations: [{key: k, effect: NoExecute, tolerationSeconds: 60s}]}]\n",
            "without a suffix",
        ),
        (
            "  pods: [{name: a, tolerations: [\"k:NoExecute for 60\"]}]\n",
            "after `for` there are whole seconds",
        ),
        ("  pods: [{name: a, tolerations: [{value: v}]}]\n", "must be Exists when key is empty"),
        (
            "  pods: [{name: a, tolerations: [{key: k, operator: Gt, value: \"5\"}]}]\n",
            "TaintTolerationComparisonOperators",
        ),
    ] {
        check_mistake(text, expected);
    }
}

#[test]
fn settings_are_refused() {
    for (text, expected) in [
        ("  kubernetesVersion: 1.36\n", "not the bare number `1.36` | write \"1.36\""),
        (
            "  kubernetesVersion: \"1.29\"\n",
            "no behaviour profile for Kubernetes 1.29; this program knows 1.36",
        ),
        ("  seed: -1\n", "seed is at least 0"),
        ("  seed: 0x1\n", "seed is an integer"),
        ("  until: 15\n", "write `15s` for seconds"),
        ("  untl: 15s\n", "unknown key `untl` in `spec` | did you mean `until`?"),
        ("  nodeLifecycle: {}\n", "`nodeLifecycle` is not supported by this version"),
        ("  featureGates: {}\n", "`featureGates` is not supported by this version"),
        ("  lesson: {}\n", "`lesson` is not supported by this version"),
        ("  taintManager: {workers: 0}\n", "workers is between 1 and"),
        ("  taintManager: {interleaving: Random}\n", "interleaving Random is not supported"),
        ("  taintManager: {handlerCost: 0s}\n", "`handlerCost` is not supported"),
        ("  taintManager: {enabled: True}\n", "write true"),
        ("  apiServer: {latency: {delete: 1ms..5ms}}\n", "a range of latencies is not supported"),
        ("  apiServer: {validation: strict}\n", "write Strict"),
        ("  podTermination: Slow\n", "podTermination is one of Immediate, Graceful, Never"),
        ("  manifests: [missing.yaml]\n", "4:15: cannot read missing.yaml: no such file"),
    ] {
        check_mistake(text, expected);
    }
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
        two.contains("f.yaml:6:1: error: a second Scenario; the first one begins in line 1"),
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
        ("spec:", "spec2:", "a Scenario needs the key `spec`"),
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
            LoadOptions { kubernetes_version: Some("1.20".into()), ..options.clone() },
            "--kubernetes-version:1:1: error: there is no behaviour profile",
        ),
    ] {
        let failure = load_text("f.yaml", text.clone(), None, &options).expect_err(expected);
        assert!(failure.render().contains(expected), "{failure}");
    }
}

#[test]
fn all_mistakes_are_shown_at_once() {
    let all = mistakes("  sed: 1\n  until: 5\n  nodes: [{nam: a}]\n  pods: [{name: a, x: 1}]\n");
    assert_eq!(all.len(), 5, "{all:#?}");
}

#[test]
fn a_million_pods_load_fast() {
    let text = "  nodes: [{name: \"n-{0..999}\"}]\n  pods:\n  \
                - {name: \"p-{0..999999}\", nodeName: \"n-{0..999}\", labels: {a: b}}\n";
    let begin = std::time::Instant::now();
    let loaded = spec(text);
    println!("a million pods: {:?}", begin.elapsed());
    assert_eq!(loaded.plan.pods.len(), 1_000_000);
    let begin = std::time::Instant::now();
    for _ in 0..100 {
        with_cluster("  steps: [{at: 1s, kubectl: taint nodes node-0 a=b:NoExecute}]\n");
    }
    println!("a small scenario: {:?}", begin.elapsed() / 100);
}
