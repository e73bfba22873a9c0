use super::*;
use crate::objects::Requirement;

fn resolver() -> Resolver {
    let mut resolver = Resolver::default();
    resolver.sources.add("f", "text".into());
    let zone = resolver.lists.intern_labels(&[("zone", "a")].into_iter().collect());
    resolver.create_node("node-0", zone);
    resolver.create_pod("shop/web-0", Lists::NO_LABELS);
    resolver
}

fn mistakes(mut resolver: Resolver) -> Vec<String> {
    resolver.finish();
    let list = resolver.diagnostics.into_sorted();
    list.into_iter().map(|d| format!("{} | {}", d.message, d.help.unwrap_or_default())).collect()
}

const HERE: Place = Place { source: 0, start: 0, end: 1 };

#[test]
fn names_have_to_be_created_at_some_time() {
    let mut r = resolver();
    assert!(r.node_target(&[("node-{0..1}", HERE)]).is_some());
    r.create_node("node-1", Lists::NO_LABELS);
    assert_eq!(mistakes(r), Vec::<String>::new());

    let mut r = resolver();
    r.node_target(&[("nod-0", HERE)]);
    let at = |start| Place { start, ..HERE };
    r.pod_target("default", &[("web-0", at(1))]);
    r.pod_target("default", &[("shop/wbe-0", at(2))]);
    r.pod_target("default", &[("shop/other", at(3))]);
    r.pod_target("default", &[("other-{0..5}", at(4))]);
    r.pod_target("shop", &[("web-7", at(5))]);
    r.pod_target("shop", &[("web-7", at(6))]);
    assert_eq!(
        mistakes(r),
        [
            "no node `nod-0` in this scenario, at any time | did you mean `node-0`?",
            "no pod `default/web-0` in this scenario, at any time | did you mean `shop/web-0`?",
            "no pod `shop/wbe-0` in this scenario, at any time | did you mean `shop/web-0`?",
            "no pod `shop/other` in this scenario, at any time | the only pod is shop/web-0",
            "no pod `default/other-0` in this scenario, at any time; nor are other names of this \
             range | the only pod is shop/web-0",
            "no pod `shop/web-7` in this scenario, at any time | the only pod is shop/web-0",
            "no pod `shop/web-7` in this scenario, at any time | the only pod is shop/web-0",
        ]
    );
}

#[test]
fn selectors_have_to_match_something() {
    let zone = |value: &str| Selector(vec![Requirement::In("zone".into(), vec![value.into()])]);
    let mut r = resolver();
    r.node_selector(zone("a"), HERE);
    r.pod_selector(Some("shop"), Selector::default(), HERE);
    assert_eq!(mistakes(r), Vec::<String>::new());

    let mut r = resolver();
    r.node_selector(zone("b"), HERE);
    r.pod_selector(Some("other"), Selector::default(), HERE);
    assert_eq!(mistakes(r).len(), 2);

    let sets = |value: &str| LabelChange {
        set: vec![("zone".into(), value.into())],
        remove: Vec::new(),
        overwrite: true,
    };
    // A step brings the label: the right one, a wrong one, and to pods only.
    for (of_pods, value, expected) in [
        (false, "b", None),
        (false, "c", Some("the values of zone are a, c")),
        (true, "b", Some("did you mean `zone=a`?")),
    ] {
        let mut r = resolver();
        r.node_selector(zone("b"), HERE);
        r.labels_change(of_pods, &sets(value));
        match expected {
            None => assert_eq!(mistakes(r), Vec::<String>::new()),
            Some(expected) => {
                let told = mistakes(r).join("\n");
                assert!(told.ends_with(expected), "{told}");
            }
        }
    }

    // Only a step that takes the label away, or changes it, makes these match.
    let not_a = Requirement::NotIn("zone".into(), vec!["a".into()]);
    for requirement in [not_a, Requirement::DoesNotExist("zone".into())] {
        let asked = || Selector(vec![requirement.clone()]);
        let mut r = resolver();
        r.node_selector(asked(), HERE);
        assert_eq!(mistakes(r).len(), 1);
        let mut r = resolver();
        r.node_selector(asked(), HERE);
        let remove = vec!["zone".into()];
        r.labels_change(false, &LabelChange { set: Vec::new(), remove, overwrite: false });
        assert_eq!(mistakes(r), Vec::<String>::new());
    }

    // A name that comes back without its labels had them before.
    let mut r = resolver();
    r.create_node("node-0", Lists::NO_LABELS);
    r.node_selector(zone("a"), HERE);
    assert_eq!(mistakes(r), Vec::<String>::new());
}

#[test]
fn stars_and_bad_names() {
    let mut r = resolver();
    assert_eq!(r.node_target(&[("*", HERE)]), Some(NodeTarget::Matching(Selector::default())));
    assert_eq!(r.pod_target("default", &[("*", HERE)]), Some(PodTarget::all()));
    assert_eq!(r.pod_target("default", &[("shop/*", HERE)]), None);
    assert_eq!(r.pod_target("default", &[("a/b/c", HERE)]), None);
    assert_eq!(r.node_target(&[("n{0..x}", HERE)]), None);
    assert_eq!(mistakes(r).len(), 3);
}

#[test]
fn an_unknown_name_is_told_what_there_is() {
    let mistake = |nodes: usize, is_dump: bool| {
        let mut r = Resolver { is_dump, ..Resolver::default() };
        for index in 0..nodes {
            r.create_node(&format!("n-{index}"), Lists::NO_LABELS);
        }
        r.node_target(&[("worker", HERE)]);
        mistakes(r).remove(0)
    };
    for (nodes, is_dump, expected) in [
        (2, true, "no node `worker` in this dump | the nodes are n-0, n-1"),
        (1, false, "no node `worker` in this scenario, at any time | the only node is n-0"),
        (9, false, "| there are 9 nodes, such as n-0, n-1, n-2, n-3, n-4, n-5, n-6, n-7"),
        (0, false, "| there are no nodes; a Scenario has them under `spec.nodes`"),
        (0, true, "| the dump has no nodes; take it with `kubectl get nodes,pods -A -o yaml`"),
    ] {
        let found = mistake(nodes, is_dump);
        assert!(found.contains(expected), "{nodes} {is_dump}: {found}");
    }
}
