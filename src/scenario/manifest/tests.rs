//! Documents in, objects, notices and mistakes out.

use super::*;
use crate::plan::Plan;
use crate::scenario::reader;
use crate::scenario::resolve::Resolver;
use crate::scenario::source::Sources;

struct Outcome {
    objects: Objects,
    lists: Lists,
    mistakes: Vec<Diagnostic>,
}

fn read(text: &str) -> Outcome {
    let mut sources = Sources::default();
    let mut diagnostics = Diagnostics::default();
    let source = sources.add("dump.yaml", text.to_owned());
    let documents = reader::read(&sources, source, &mut diagnostics);
    let mut outcome =
        Outcome { objects: Objects::default(), lists: Lists::default(), mistakes: Vec::new() };
    collect(&documents, "default", &mut outcome.lists, &mut outcome.objects, &mut diagnostics);
    outcome.objects.finish();
    outcome.mistakes = diagnostics.into_sorted();
    outcome
}

impl Outcome {
    /// `nodes | pods`, each with its taints or tolerations.
    fn summary(&self) -> String {
        let nodes = self.objects.nodes.iter().map(|(name, node)| {
            let taints = node.taints.map_or(&[][..], |id| self.lists.taints(id));
            let taints: Vec<String> = taints.iter().map(ToString::to_string).collect();
            format!("{name}[{}]", taints.join(","))
        });
        let pods = self.objects.pods.iter().map(|(name, pod)| {
            let list = pod.tolerations.map_or(&[][..], |id| self.lists.tolerations(id));
            let list: Vec<String> = list.iter().map(ToString::to_string).collect();
            let node = pod.node_name.as_deref().unwrap_or("-");
            let terminating = if pod.terminating { "!" } else { "" };
            format!("{name}{terminating}@{node}[{}]", list.join(","))
        });
        let all: Vec<String> = nodes.chain(["|".to_owned()]).chain(pods).collect();
        all.join(" ")
    }

    fn mistakes(&self) -> String {
        let one = |d: &Diagnostic| format!("{} ({})", d.message, d.help.as_deref().unwrap_or(""));
        self.mistakes.iter().map(one).collect::<Vec<_>>().join("\n")
    }

    fn notices(&self) -> String {
        self.objects.notices.iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("\n")
    }
}

/// The whole document must be read without mistakes to this.
fn check(text: &str, summary: &str) -> Outcome {
    let outcome = read(text);
    assert_eq!(outcome.mistakes(), "", "{text}");
    assert_eq!(outcome.summary(), summary, "{text}");
    outcome
}

fn refused(text: &str, messages: &[&str]) {
    let mistakes = read(text).mistakes();
    for message in messages {
        assert!(mistakes.contains(message), "{text}\n=> {mistakes:?}\nwithout {message:?}");
    }
}

fn pod(tolerations: &str) -> String {
    format!(
        "{{kind: Pod, apiVersion: v1, metadata: {{name: p}}, \
         spec: {{nodeName: n, tolerations: [{tolerations}]}}}}"
    )
}

#[test]
fn every_form_of_a_dump_is_read() {
    let node = r#"{"kind":"Node","apiVersion":"v1","metadata":{"name":"n"}}"#;
    let pod = r#"{"kind":"Pod","metadata":{"name":"p","namespace":"s"},"spec":{"nodeName":"n"}}"#;
    let bare_pod = r#"{"metadata":{"name":"q"},"spec":{"containers":[]}}"#;
    let bare_node = r#"{"metadata":{"name":"m"},"status":{"nodeInfo":{}}}"#;
    for (text, summary) in [
        (node.to_owned(), "n[] |"),
        (format!("{node}\n---\n{pod}"), "n[] | s/p@n[]"),
        (format!("{node}{pod}"), "n[] | s/p@n[]"),
        (format!("[{pod},{node}]"), "n[] | s/p@n[]"),
        (format!(r#"{{"kind":"List","items":[{node},null,{{}},{pod}]}}"#), "n[] | s/p@n[]"),
        (
            format!(r#"{{"kind":"List","items":[{{"kind":"List","items":[{node}]}},{pod}]}}"#),
            "n[] | s/p@n[]",
        ),
        (format!(r#"{{"kind":"List","items":[{bare_node},{bare_pod}]}}"#), "m[] | default/q@-[]"),
        (
            r#"{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"x"}}]}"#.into(),
            "| default/x@-[]",
        ),
        (r#"{"kind":"NodeList","items":[{"metadata":{"name":"x"}}]}"#.into(), "x[] |"),
        (format!("[{bare_node},{bare_pod}]"), "m[] | default/q@-[]"),
        ("kind: List\nitems:\n".into(), "|"),
        // Only the end of a file can be missing, so the first list is whole.
        (format!("items: [{node}]\n---\n{pod}"), "n[] | s/p@n[]"),
        ("kind: List\n".into(), "|"),
    ] {
        check(&text, summary);
    }
}

#[test]
fn fields_are_read_and_nulls_are_absent() {
    let outcome = check(
        "kind: Pod
metadata:
  name: web
  namespace: \"\"
  uid: 00000000-0000-4000-8000-000000000001
  deletionTimestamp: 2018-12-03T10:16:04Z
  labels: {app: web, empty: null}
spec:
  nodeName: n1
  terminationGracePeriodSeconds: 5
  tolerations:
  - {key: a, operator: Exists, effect: NoExecute, tolerationSeconds: 30}
  - {key: b, operator: null, value: v, effect: \"\", tolerationSeconds: null}
status:
  conditions:
  - type: DisruptionTarget
    status: \"True\"
    reason: DeletionByTaintManager
    message: 'Taint manager: deleting due to NoExecute taint'
---
kind: Node
metadata: {name: n1, labels: {zone: a}}
spec:
  unschedulable: true
  taints:
  - {key: dedicated, value: x, effect: NoExecute, timeAdded: 2024-01-01T00:00:00Z}
",
        "n1[dedicated=x:NoExecute] | default/web!@n1[a:NoExecute op=Exists for 30s,b=v]",
    );
    let pod = &outcome.objects.pods["default/web"];
    assert_eq!(pod.uid.as_deref(), Some("00000000-0000-4000-8000-000000000001"));
    assert_eq!(pod.labels.get("app"), Some("web"));
    assert_eq!(pod.labels.get("empty"), Some(""));
    assert_eq!(pod.grace_period_seconds, 5);
    assert!(pod.disruption_target);
    let node = &outcome.objects.nodes["n1"];
    assert!(node.unschedulable);
    let taints = outcome.lists.taints(node.taints.expect("taints"));
    assert_eq!(taints[0].time_added.as_deref(), Some("2024-01-01T00:00:00Z"));
}

#[test]
fn absent_parts_are_told_from_empty_ones() {
    let outcome = check(
        "{kind: Node, metadata: {name: a}, spec: null}\n---\n\
         {kind: Node, metadata: {name: b}, spec: {taints: null}}\n---\n\
         {kind: Pod, metadata: {name: p, deletionTimestamp: \"\"}, spec: null}\n---\n\
         {kind: Pod, metadata: {name: q, deletionTimestamp: null}, spec: {nodeName: null}}\n",
        "a[] b[] | default/p@-[] default/q@-[]",
    );
    assert_eq!(outcome.objects.nodes["a"].taints, None);
    assert_eq!(outcome.objects.nodes["b"].taints, Some(Lists::NO_TAINTS));
    assert_eq!(outcome.objects.pods["default/p"].tolerations, None);
    assert_eq!(outcome.objects.pods["default/p"].grace_period_seconds, 30);
}

#[test]
fn the_last_object_of_a_name_counts() {
    let pod = |node: &str, namespace: &str| {
        format!(
            "{{kind: Pod, metadata: {{name: p, namespace: {namespace}}}, \
                 spec: {{nodeName: {node}}}}}"
        )
    };
    let text = format!(
        "- {}\n- {}\n- {}\n- {}\n",
        pod("a", "default"),
        pod("b", "other"),
        pod("c", "default"),
        pod("d", "default")
    );
    let outcome = check(&text, "| other/p@b[] default/p@d[]");
    assert_eq!((outcome.objects.pods_read, outcome.objects.pods.len()), (4, 2));
    assert!(outcome.notices().contains("pod default/p (3 times)"), "{}", outcome.notices());
}

#[test]
fn other_kinds_are_counted() {
    let outcome = check(
        "kind: List
items:
- {kind: Service, apiVersion: v1, metadata: {name: s}}
- {kind: Service, apiVersion: v1, metadata: {name: t}}
- {kind: Secret, apiVersion: v1, metadata: {name: s}, data: {password: c2VjcmV0}}
- {kind: Node, apiVersion: example.com/v1, metadata: {name: n}}
- {kind: PodMetrics, apiVersion: metrics.k8s.io/v1beta1, metadata: {name: p}}
- {kind: node, apiVersion: v1, metadata: {name: n}}
- {kind: Pod, apiVersion: v1, metadata: {name: p}}
",
        "| default/p@-[]",
    );
    let notices = outcome.notices();
    assert!(
        notices.contains("skipped 2 Service, 1 Secret, 1 Node of example.com/v1, 1 PodMetrics"),
        "{notices}"
    );
    assert!(notices.contains("kind \"node\" is skipped: kinds are case-sensitive"), "{notices}");
    assert!(!notices.contains("c2VjcmV0"), "{notices}");
}

#[test]
fn what_is_no_object_is_refused() {
    for (text, message) in [
        ("error: You must be logged in to the server (Unauthorized)", "logged in to the server"),
        ("{foo: bar}", "neither `kind` nor `metadata`"),
        ("just words", "this is text"),
        ("apiVersion: v1\nitems: []\n", "this list looks cut off"),
        ("{kind: Pod, metadata: {name: p}}\n---\nitems: []\n", "this list looks cut off"),
        ("Name: n1\nRoles: <none>\n", "kubectl describe"),
        ("{metadata: {name: x}}", "no `kind`"),
        ("{kind: Status, message: pods is forbidden}", "pods is forbidden"),
        ("{kind: List, items: {}}", "`items` must be a list"),
        ("{kind: List, items: [7]}", "an item of a list must be an object"),
        ("{kind: Pod}", "this Pod has no metadata.name"),
        ("{kind: Node, metadata: {}}", "this Node has no metadata.name"),
        ("{kind: Node, metadata: {name: N1}}", "RFC 1123 subdomain"),
        ("{kind: Node, metadata: {name: 12}}", "write \"12\" in quotes"),
        ("{kind: Pod, metadata: {name: p, namespace: a.b}}", "RFC 1123 label"),
        ("{kind: Pod, metadata: {name: a/b}}", "RFC 1123 subdomain"),
        ("{kind: Pod, metadata: {name: p}, spec: []}", "pod default/p: spec must be a mapping"),
        (
            "{kind: Pod, metadata: {name: p, labels: {a: []}}}",
            "metadata.labels[a] must be a string",
        ),
        ("{kind: Node, metadata: {name: n}, spec: {unschedulable: yes}}", "must be true or false"),
        ("{kind: Node, metadata: {name: n}, spec: {taints: {}}}", "spec.taints must be a list"),
    ] {
        refused(text, &[message]);
    }
    let mut nested = "{kind: Pod, metadata: {name: p}}".to_owned();
    for _ in 0..10 {
        nested = format!("{{kind: List, items: [{nested}]}}");
    }
    refused(&nested, &["more than 8 deep"]);
}

#[test]
fn taints_and_tolerations_without_meaning_are_refused() {
    for (taint, message) in [
        ("{key: a}", "node n: spec.taints[0] has no effect"),
        ("{key: a, effect: \"\"}", "has no effect"),
        ("{effect: NoExecute}", "spec.taints[0] has no key"),
        ("{key: a, effect: NoExecut}", "did you mean NoExecute?"),
        ("null", "spec.taints[0] must be a mapping"),
        ("{key: a, value: 1, effect: NoExecute}", "spec.taints[0].value must be a string"),
    ] {
        let text = format!("{{kind: Node, metadata: {{name: n}}, spec: {{taints: [{taint}]}}}}");
        refused(&text, &[message]);
    }
    for (toleration, message) in [
        ("{key: a, operator: In}", "there is no operator \"In\""),
        ("{key: a, operator: exists}", "did you mean Exists?"),
        (
            "{key: a, operator: Exists, effect: NoExecut}",
            "tolerations[0].effect: there is no effect",
        ),
        ("null", "spec.tolerations[0] must be a mapping"),
    ] {
        refused(&pod(toleration), &[message]);
    }
}

#[test]
fn toleration_seconds_are_strict_integers() {
    let with = |seconds: &str| {
        pod(&format!(
            "{{key: a, operator: Exists, effect: NoExecute, tolerationSeconds: {seconds}}}"
        ))
    };
    for (seconds, printed) in [
        ("300", " for 300s"),
        ("0", " for 0s"),
        ("-0", " for 0s"),
        ("-5", " for -5s"),
        ("9223372036854775807", " for 9223372036854775807s"),
        ("null", ""),
        ("~", ""),
    ] {
        check(&with(seconds), &format!("| default/p@n[a:NoExecute op=Exists{printed}]"));
    }
    for (seconds, message) in [
        ("\"300\"", "write 300 without quotes"),
        ("300s", "must be an integer, not 300s"),
        ("300.0", "must be an integer, not 300.0"),
        ("3e2", "must be an integer, not 3e2"),
        ("+300", "must be an integer, not +300"),
        ("0454", "must be an integer, not 0454"),
        ("0o454", "must be an integer"),
        ("0x12C", "must be an integer"),
        ("3_00", "must be an integer"),
        (".inf", "must be an integer"),
        ("9223372036854775808", "does not fit into 64 bits"),
        ("[1]", "must be an integer"),
    ] {
        refused(&with(seconds), &["pod default/p: spec.tolerations[0].tolerationSeconds", message]);
    }
}

#[test]
fn what_the_api_would_refuse_is_kept_with_a_notice() {
    for (toleration, printed, notice) in [
        ("{key: a, operator: Exists, value: b}", "a=b op=Exists", "must be empty when operator"),
        ("{operator: Equal, value: b}", "=b", "must be Exists when key is empty"),
        ("{key: a, tolerationSeconds: 5}", "a for 5s", "must be NoExecute when tolerationSeconds"),
        ("{key: a, operator: Gt, value: \"5\"}", "a=5 op=Gt", "it tolerates nothing"),
        (
            "{key: a, effect: NoExecute, tolerationSeconds: 9223372037}",
            "a:NoExecute for 9223372037s",
            "wrap around",
        ),
        ("{key: a, toleration_seconds: 5}", "a", "right is `tolerationSeconds`"),
    ] {
        let outcome = check(&pod(toleration), &format!("| default/p@n[{printed}]"));
        assert!(outcome.notices().contains(notice), "{toleration}: {}", outcome.notices());
    }
    let taints = "[{key: a, effect: NoExecute}, {key: a, value: b, effect: NoExecute}]";
    let text =
        format!("{{kind: Node, metadata: {{name: n}}, spec: {{taints: {taints}, Taints: []}}}}");
    let outcome = check(&text, "n[a:NoExecute,a=b:NoExecute] |");
    assert!(outcome.notices().contains("unique by key and effect"), "{}", outcome.notices());
    assert!(outcome.notices().contains("right is `taints`"), "{}", outcome.notices());
}

#[test]
fn notices_are_limited() {
    let tolerations = vec!["{key: a, operator: Exists, value: b}"; 80].join(", ");
    let outcome = read(&pod(&tolerations));
    assert_eq!(outcome.objects.notices.len(), NOTICES_MAX + 1);
    assert!(outcome.notices().contains("30 more notices"), "{}", outcome.notices());
}

#[test]
fn objects_become_specs() {
    let outcome = check(
        "- {kind: Pod, metadata: {name: p, uid: u-1}, spec: {nodeName: ghost}}
- {kind: Pod, metadata: {name: q}, spec: {nodeName: ghost}}
- {kind: Pod, metadata: {name: r}, spec: {nodeName: \" n \"}}
- {kind: Node, metadata: {name: n}, spec: {taints: [{key: a, effect: NoExecute}]}}
",
        "n[a:NoExecute] | default/p@ghost[] default/q@ghost[] default/r@ n []",
    );
    let Outcome { objects, lists, .. } = outcome;
    let mut resolver = Resolver::default();
    resolver.lists = lists;
    let mut plan = Plan::default();
    objects.clone().into_plan(&mut resolver, &mut plan);
    let nodes: Vec<&str> = plan.nodes.iter().map(|n| resolver.names.node(n.node)).collect();
    assert_eq!(nodes, ["n", "ghost", " n "]);
    assert_eq!(resolver.lists.taints(plan.nodes[0].taints).len(), 1);
    let pods: Vec<&str> = plan.pods.iter().map(|p| resolver.names.pod(p.pod)).collect();
    assert_eq!(pods, ["default/p", "default/q", "default/r"]);
    assert_eq!(plan.pods[0].manifest_uid, Some(0));
    assert_eq!(plan.pods[0].node, resolver.names.find_node("ghost"));
    assert_eq!(plan.manifest_uids, [Box::from("u-1")]);
    let notice = resolver.notices.iter().find(|(_, text)| text.contains("bare nodes"));
    assert!(notice.is_some_and(|(_, text)| text.ends_with("\"ghost\", \" n \"")), "{notice:?}");
    assert!(resolver.diagnostics.is_empty());

    objects.clone().into_plan(&mut resolver, &mut plan);
    assert_eq!(resolver.diagnostics.len(), 4, "all of them are there already");
    let Resolver { names, lists, .. } = &mut resolver;
    let applied = objects.pods["default/p"].apply("default/p", names, lists);
    assert_eq!((applied.create.manifest_uid, applied.tolerations), (None, None));
}

/// What the README beside the collected dumps counts in each: nodes, pods, taints, tolerations.
const DUMPS: [(&str, [usize; 4]); 20] = [
    ("01-minikube-1.31-nodes+pods-multidoc.yaml", [1, 24, 0, 62]),
    ("02-minikube-1.35-nodes,pods-list.yaml", [1, 25, 0, 64]),
    ("03-kubelet-pods-endpoint-1.33.json", [0, 23, 0, 60]),
    ("04-kurl-1.23-kube-system-podlist.json", [0, 15, 0, 65]),
    ("05-kurl-1.23-nodes+pods-list.json", [3, 7, 0, 26]),
    ("06-kind-1.20-concatenated-lists.json", [3, 20, 1, 110]),
    ("07-kind-1.20-terminating-oneline.json", [3, 5, 1, 32]),
    ("08-mixed-digitalocean-nodelist.json", [7, 0, 0, 0]),
    ("09-unhealthy-podlists-json-in-yaml-stream.yaml", [0, 9, 0, 24]),
    ("10-cloud-nodes-aks-eks-gke-do-linode-vsphere.json", [6, 0, 3, 0]),
    ("11-pod-sidecar-crlf.json", [0, 1, 0, 2]),
    ("12-pod-states-2018-multidoc.yaml", [0, 11, 0, 22]),
    ("13-openshift-mustgather-multidoc.yaml", [2, 2, 1, 7]),
    ("14-openshift-insights-no-kind-list.json", [2, 10, 1, 29]),
    ("15-openshift-4.8-unreachable-node-noapiversion.yaml", [1, 0, 2, 0]),
    ("16-out-of-service-nodes+pods-oracle.yaml", [3, 2, 3, 4]),
    ("17-tke-1.18-unreachable-shutdown-multidoc.yaml", [1, 2, 3, 11]),
    ("18-issue-fragments-null-spec-terminating.yaml", [1, 2, 0, 0]),
    // The README counts the empty item as a pod, too.
    ("19-podlist-null-and-empty-items.json", [0, 1, 0, 0]),
    ("20-json-array-of-pod-revisions.json", [0, 9, 0, 18]),
];

#[test]
fn real_dumps_are_read_whole() {
    let Some(folder) = shared("real-manifests") else { return };
    for (file, [nodes, pods, taints, tolerations]) in DUMPS {
        let text = std::fs::read_to_string(folder.join(file)).expect(file);
        let outcome = read(&text);
        assert_eq!(outcome.mistakes(), "", "{file}");
        let read = [outcome.objects.nodes_read, outcome.objects.pods_read];
        assert_eq!(read, [nodes, pods], "{file}: nodes and pods");
        if outcome.objects.pods.len() < pods || outcome.objects.nodes.len() < nodes {
            assert!(outcome.notices().contains("more than once"), "{file}");
            continue; // What the revisions carry that do not count cannot be counted here.
        }
        let Outcome { objects, lists, .. } = &outcome;
        let taints_read: usize =
            objects.nodes.values().filter_map(|n| n.taints).map(|id| lists.taints(id).len()).sum();
        let ids = objects.pods.values().filter_map(|p| p.tolerations);
        let tolerations_read: usize = ids.map(|id| lists.tolerations(id).len()).sum();
        assert_eq!([taints_read, tolerations_read], [taints, tolerations], "{file}");
    }
}

#[test]
fn hostile_files_are_taken_or_refused_as_told() {
    let Some(folder) = shared("hostile") else { return };
    let refused =
        ["h02", "h05", "h08", "h10", "h11", "h20", "h22", "h29", "h58", "h66", "h68", "h70"];
    let taken = [
        "h00", "h06", "h07", "h12", "h14", "h15", "h16", "h18", "h23", "h24", "h25", "h27", "h28",
        "h42", "h44", "h50", "h53", "h54", "h56", "h57", "h58", "h60", "h62", "h72", "h75", "h76",
        "h81", "h83",
    ];
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    for path in files {
        let file = path.file_name().expect("a name").to_string_lossy().into_owned();
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let outcome = read(&text);
        let number = &file[..3];
        let mistakes = outcome.mistakes();
        if taken.contains(&number) {
            assert_eq!(mistakes, "", "{file}");
        }
        if refused.contains(&number) {
            assert_ne!(mistakes, "", "{file}");
        }
    }
}

/// A folder of collected inputs beside the project, which a checkout need not have.
fn shared(folder: &str) -> Option<std::path::PathBuf> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let found = ["../shared", "../../shared"]
        .iter()
        .map(|beside| root.join(beside).join(folder))
        .find(|path| path.is_dir());
    if found.is_none() {
        println!("skipped: there is no folder shared/{folder} beside the project");
    }
    found
}
