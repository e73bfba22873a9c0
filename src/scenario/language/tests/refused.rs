//! Everything that a scenario can get wrong, and what is said about it.

use super::{CLUSTER, check_mistake, mistakes};

#[test]
fn expectations_are_refused() {
    for (expectation, expected) in [
        ("{pod: shop/web-0}", "an expectation says nothing"),
        ("{pod: shop/web-0, evictedAt: 1s, survives: true}", "one check, not evictedAt and surv"),
        (
            "{pod: shop/web-0, evictAt: 1s}",
            "unknown key `evictAt` in an expectation | did you mean",
        ),
        ("{pod: shop/web-0, survive: true}", "| did you mean `survives`?"),
        (
            "{pods: shop/web-0, survives: true}",
            "unknown key `pods` in an expectation | did you mean",
        ),
        ("{selctor: a, survives: true}", "did you mean `selector`?"),
        ("{namespace: shop, survives: true}", "`namespace` needs a `selector` beside it"),
        ("{event: 5, count: 1}", "| write {reason: TaintManagerEviction}"),
        ("{event: {message: x}, cont: 1}", "did you mean `count`?"),
        ("{pod: shop/web-0, is: Armed, att: 1s}", "did you mean `at`?"),
        ("{pod: {name: web-0}, survives: true}", "write the namespace and the name: `pod: shop/we"),
        ("{pod: shop/wbe-0, survives: true}", "did you mean `shop/web-0`?"),
        ("{pod: web-0, survives: true}", "no pod `default/web-0` in this scenario"),
        ("{pod: shop/web-0, evictedAt: 10}", "write `10s` for seconds"),
        ("{pod: shop/web-0, evictedAt: []}", "the list of times under `evictedAt` is empty"),
        ("{pod: shop/web-0, evictedAt: ~}", "`evictedAt` is null"),
        ("{pod: shop/web-0, evictedAt: [1s, 2s], instance: 1}", "there is one time"),
        ("{pod: shop/web-0, survives: true, by: x}", "unknown key `by`"),
        ("{pod: shop/web-0, evictedBetween: [2s, 1s]}", "ends at 1s, before it begins at 2s"),
        ("{pod: shop/web-0, evictedBetween: 2s}", "is a list of two times, not"),
        ("{pod: shop/web-0, is: Armed}", "needs the key `at`"),
        ("{pod: shop/web-0, at: 1s, is: armed}", "write Armed"),
        ("{pod: shop/web-0, survives: yes}", "write true"),
        ("{evictedAt: 1s}", "needs `pod` or `selector`"),
        ("{stepRejected: 2}", "there is no step 2: the scenario has 0"),
        ("{rule: docs/healty-node, breached: true}", "did you mean `docs/healthy-node`?"),
        ("{rule: docs/healthy-node}", "an expectation needs the key `breached`"),
        ("{rule: docs, breached: true}", "`docs` stands for several rules"),
        ("{rule: diff/1.36, breached: true}", "compares Kubernetes 1.36 with itself"),
        ("{anyOf: []}", "nothing can hold"),
        ("{event: {message: x}}", "needs the key `count`"),
        ("{evictions: 1, kubernetesVersion: \"1.5\"}", "no behaviour profile for Kubernetes 1.5"),
    ] {
        let text = format!("{CLUSTER}  expect: [{expectation}]\n");
        let all = mistakes(&text);
        assert!(all.iter().any(|m| m.contains(expected)), "{expectation}\n{all:#?}\n{expected}");
        assert_eq!(all.len(), 1, "{expectation}\n{all:#?}");
    }
}

#[test]
fn steps_are_refused() {
    for (step, expected) in [
        ("{at: 10, note: x}", "write `10s` for seconds"),
        ("{note: x}", "a step needs `at` or `after`"),
        ("{at: 1s, after: {evicted: shop/web-0}, note: x}", "`at` or `after`, not both"),
        (
            "{at: 1s}",
            "a step needs an action | write `kubectl: cordon node-0`, or one of kubectl, taint, createPod",
        ),
        ("{att: 1s, note: x}", "unknown key `att` in a step | did you mean `at`?"),
        ("{aftr: {evicted: shop/web-0}, note: x}", "unknown key `aftr` in a step | did you mean"),
        ("{at: 1s, nte: x}", "unknown action `nte` | did you mean `note`?"),
        ("{at: 1s, evaporate: x}", "unknown action `evaporate` | the actions are kubectl, taint,"),
        (
            "{at: 1s, note: x, colour: red}",
            "known keys: at, after, repeat, kubectl, taint, createPod, ",
        ),
        ("{at: 1s, brust: [{note: x}]}", "did you mean `burst`?"),
        ("{at: 1s, burst: [{nte: x}]}", "unknown action `nte` | did you mean `note`?"),
        ("{at: 1s, taint: {nodes: node-0, add: [\"a:NoExecute\"]}}", "did you mean `node`?"),
        ("{at: 1s, taint: {node: node-0, ad: [\"a:NoExecute\"]}}", "did you mean `add`?"),
        ("{at: 1s, deletePod: {pods: shop/web-0}}", "| did you mean `pod`?"),
        ("{at: 1s, deletePod: {pod: {selector: a}}}", "put `selector` in the place of `pod`"),
        ("{at: 1s, deletePod: shop/web-0}", "| write {pod: shop/web-0}"),
        ("{at: 1s, deleteNode: {node: {name: node-0}}}", "write the name: `node: node-0`"),
        ("{at: 1s, deleteNode: {noode: node-0}}", "| did you mean `node`?"),
        ("{at: 1s, bindPod: {pod: shop/web-0, nod: node-0}}", "| did you mean `node`?"),
        ("{at: 1s, setTolerations: {pod: shop/web-0, toleration: []}}", "you mean `tolerations`?"),
        ("{at: 1s, touchPod: {pod: shop/web-0, label: {a: b}}}", "| did you mean `labels`?"),
        ("{at: 1s, touchPod: {pod: shop/web-0, labels: a=b}}", "| write {a: b}"),
        ("{at: 1s, createNode: node-7}", "| write {name: node-7}"),
        ("{at: 1s, restartController: 15s}", "| write {for: 15s}"),
        ("{after: shop/web-0, note: x}", "| write {evicted: shop/web-0}"),
        (
            "{after: {evict: shop/web-0}, note: x}",
            "unknown key `evict` in after | did you mean `evi",
        ),
        (
            "{at: 1s, tant: {node: node-0, remove: [x]}}",
            "unknown action `tant` | did you mean `taint`?",
        ),
        ("{at: 1s, note: x, kubectl: cordon node-0}", "one action, not note and kubectl"),
        ("{at: 1s, note: x, burst: [{note: y}]}", "`note` stands beside `burst`"),
        ("{at: 1s, burst: []}", "the burst is empty"),
        ("{at: 1s, burst: [{at: 2s, note: x}]}", "unknown key `at` in an action of a burst"),
        (
            "{at: 1s, crashNode: node-0}",
            "`crashNode` is not supported by this version | remove it; ",
        ),
        ("{at: 1s, note: ~}", "`note` has no argument"),
        ("{at: 1s, taint: {node: node-0}}", "it needs `add`, `remove` or `replace`"),
        ("{at: 1s, taint: {add: [\"a:NoExecute\"]}}", "taint needs `node` or `selector`"),
        ("{at: 1s, taint: {node: node-7, add: [\"a:NoExecute\"]}}", "the nodes are node-0, node-1"),
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
        ("{at: 1s, bindPod: {pod: shop/web-0, node: node-9}}", "the nodes are node-0, node-1"),
        ("{at: 1s, createPod: {name: x, nodeName: node-9}}", "no node `node-9`"),
        ("{at: 1s, setTolerations: {pod: shop/web-0}}", "needs the key `tolerations`"),
        ("{at: 1s, apply: {kind: Pod, metadata: {name: x}, spec: {nodeName: nod-0}}}", "no node"),
        ("{at: 1s, kubectl: get pods}", "`expect` asks what is there"),
        ("{at: 1s, kubectl: taint nodes node-9 a-}", "the nodes are node-0, node-1"),
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
        ("  pods: [{name: a/b}]\n", "write `name: b` and `namespace: a`"),
        ("  pods: [{name: A}]\n", "the name of a pod \"A\" must"),
        ("  pods: [{name: a, namespace: a.b}]\n", "the name of a namespace \"a.b\" must"),
        (
            "  pods: [{name: 7}]\n",
            "a pod's name is a string, not the bare number `7` | write \"7\"",
        ),
        ("  pods: [{}]\n", "a pod needs the key `name` | write `name: web-0`"),
        ("  pods: [{nam: a}]\n", "unknown key `nam` in a pod | did you mean `name`?"),
        ("  nodes: [node-0]\n", "a node is a mapping, not `node-0` | write {name: node-0}"),
        ("  nodes: [{name: a, taints: [{kye: k, effect: NoExecute}]}]\n", "did you mean `key`?"),
        ("  nodes: [{name: a, taints: [{key: k, efect: NoExecute}]}]\n", "did you mean `effect`?"),
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
            "write 60: whole seconds, without a unit",
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
            "  kubernetesVersion: \"1.37\"\n",
            "no behaviour profile for Kubernetes 1.37; this program knows 1.6 to 1.36",
        ),
        ("  seed: -1\n", "seed is at least 0"),
        ("  seed: 0x1\n", "seed is an integer"),
        ("  until: 15\n", "write `15s` for seconds"),
        ("  untl: 15s\n", "unknown key `untl` in `spec` | did you mean `until`?"),
        ("  nodeLifecycle: {}\n", "`nodeLifecycle` is not supported by this version"),
        ("  lesson: {}\n", "`lesson` is not supported by this version"),
        ("  taintManager: {workers: 0}\n", "workers is between 1 and"),
        ("  taintManager: {interleaving: random}\n", "write Random"),
        ("  taintManager: {handlerCost: 5ms..1ms}\n", "ends before it begins | write `1ms..5ms`"),
        ("  taintManager: {handlerCost: 1ms-5ms}\n", "| write `1ms..5ms`"),
        ("  taintManager: {handlerCost: 1ms..}\n", "one of its ends is empty"),
        ("  taintManager: {enabled: True}\n", "write true"),
        ("  apiServer: {latency: {delete: 1..5ms}}\n", "| write both ends, each with its unit"),
        ("  stopAfter: 1s..2s\n", "no range works here"),
        (
            "  apiServer: {latency: 5ms}\n",
            "latency is a mapping, not `5ms` | write {get: 5ms, list: 5ms, patch: 5ms, delete: 5ms}",
        ),
        (
            "  admission: {defaultTolerationSeconds: false}\n",
            "defaultTolerationSeconds is a mapping, not `false` | write {enabled: false}",
        ),
        ("  taintManager: false\n", "| write {enabled: false}"),
        ("  faults: [{vreb: get, resource: pods, error: Conflict}]\n", "did you mean `verb`?"),
        ("  faults: [{verb: get, resource: pods, eror: Conflict}]\n", "did you mean `error`?"),
        ("  faults: [{verb: get, error: Conflict}]\n", "`resource` | write `resource: pods`"),
        ("  apiServer: {validation: strict}\n", "write Strict"),
        ("  podTermination: Slow\n", "`podTermination` is one of Immediate, Graceful, Never"),
        ("  manifests: [missing.yaml]\n", "4:15: cannot read missing.yaml: no such file"),
    ] {
        check_mistake(text, expected);
    }
}

#[test]
fn all_mistakes_are_shown_at_once() {
    let all = mistakes("  sed: 1\n  until: 5\n  nodes: [{nam: a}]\n  pods: [{name: a, x: 1}]\n");
    assert_eq!(all.len(), 4, "{all:#?}");
}

/// A key that is like none is told first, and what the mapping needs after it.
#[test]
fn an_unknown_key_comes_before_what_is_missing() {
    for (text, unknown, missing) in [
        ("  pods: [{colour: red}]\n", "unknown key `colour` in a pod", "needs the key `name`"),
        ("  expect: [{colour: red}]\n", "unknown key `colour`", "an expectation says nothing"),
        (
            "  steps: [{at: 1s, taint: {colour: red, add: [\"a:NoExecute\"]}}]\n",
            "unknown key `colour` in taint | known keys: node, selector, add, remove, replace",
            "taint needs `node` or `selector` | write `node: node-0`",
        ),
        (
            "  steps: [{after: {colour: red}, note: x}]\n",
            "unknown key `colour` in after",
            "`after` needs something to wait for",
        ),
        ("  faults: [{colour: red}]\n", "unknown key `colour` in a fault", "needs the key `verb`"),
    ] {
        let all = mistakes(text);
        assert!(all[0].contains(unknown) && all[1].contains(missing), "{text}{all:#?}");
    }
}
