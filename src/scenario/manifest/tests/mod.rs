//! Documents in, objects, notices and mistakes out.

mod dumps;
mod refusals;

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
            let terminating = if pod.deletion_timestamp.is_some() { "!" } else { "" };
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
fn finalizers_are_told_once_with_a_count() {
    let pod = |name: usize, finalizers: &str| {
        format!("kind: Pod\nmetadata: {{name: p-{name}, finalizers: {finalizers}}}\n---\n")
    };
    let many: String = (0..7).map(|i| pod(i, "[a/b, c/d]")).collect();
    let told = "metadata.finalizers, and finalizers are not modelled: these pods go when their \
                deletion is confirmed:";
    for (text, expected) in [
        (pod(0, "[]"), String::new()),
        (pod(0, "null"), String::new()),
        (pod(0, "[a/b]") + &pod(1, "[]"), format!("1 pod has {told} default/p-0")),
        // The last of a name counts.
        (pod(0, "[a/b]") + &pod(0, "[]"), "some objects are there more than once".into()),
        (
            many,
            format!(
                "7 pods have {told} default/p-0, default/p-1, default/p-2, default/p-3, \
                 default/p-4 and 2 more"
            ),
        ),
    ] {
        let outcome = read(&text);
        assert_eq!(outcome.mistakes(), "", "{text}");
        let notices = outcome.notices();
        assert!(notices.starts_with(&expected), "{text}: {notices}");
        assert!(notices.lines().count() == usize::from(!expected.is_empty()), "{text}: {notices}");
    }
    refused(&pod(0, "a/b"), &["pod default/p-0: metadata.finalizers must be a list"]);
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
fn what_repeats_itself_is_one_notice() {
    let tolerations = vec!["{key: a, operator: Exists, value: b}"; 80].join(", ");
    let outcome = read(&pod(&tolerations));
    assert_eq!(outcome.objects.notices.len(), 1);
    assert!(outcome.notices().ends_with("(and 79 more like it)"), "{}", outcome.notices());
    let node = |i: usize| format!("{{kind: Node, metadata: {{name: n{i}, labels: {{x: {i}}}}}}}");
    let outcome = read(&(0..79).map(node).collect::<Vec<_>>().join("\n---\n"));
    assert_eq!(
        outcome.notices(),
        "node n0: metadata.labels[x]: 0 has no quotes; read as a string (and 78 more like it: \
         node n1, node n2, node n3, node n4, node n5, …)"
    );
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
    let notice = resolver.notices.iter().find(|notice| notice.message.contains("bare nodes"));
    assert!(
        notice.is_some_and(|notice| notice.message.ends_with("\"ghost\", \" n \"")),
        "{notice:?}"
    );
    assert!(resolver.diagnostics.is_empty());

    objects.clone().into_plan(&mut resolver, &mut plan);
    assert_eq!(resolver.diagnostics.len(), 4, "all of them are there already");
    let Resolver { names, lists, .. } = &mut resolver;
    let applied = objects.pods["default/p"].apply("default/p", names, lists);
    assert_eq!((applied.create.manifest_uid, applied.tolerations), (None, None));
}
