use super::*;

/// The document after the change as `path=value` of its scalars, or the mistake.
fn run(change: &str) -> String {
    run_on("a: {b.c: 1}\npods:\n- {name: web-0, s: [1, 2]}\n- {name: web-1, s: [3]}\n", change)
}

fn run_on(text: &str, change: &str) -> String {
    let mut r = Resolver::default();
    let source = r.sources.add("f", text.into());
    let mut documents = reader::read(&r.sources, source, &mut r.diagnostics);
    apply(change, &mut documents, &mut r);
    let mut mistakes = r.diagnostics.into_sorted();
    if let Some(mistake) = mistakes.pop() {
        return format!("{} | {}", mistake.message, mistake.help.unwrap_or_default());
    }
    let mut out = String::new();
    show(&documents[0], &mut out);
    for notice in r.notices {
        out.push_str(&format!("| {}", notice.message));
    }
    out
}

fn show(node: &Node, out: &mut String) {
    match &node.value {
        Value::Null => out.push('~'),
        Value::Plain(text) => out.push_str(text),
        Value::Quoted(text) => out.push_str(&format!("'{text}'")),
        Value::Skipped => out.push('…'),
        Value::Sequence(items) => {
            out.push('[');
            items.iter().for_each(|item| {
                show(item, out);
                out.push(' ');
            });
            out.push(']');
        }
        Value::Mapping(entries) => entries.iter().for_each(|(key, node)| {
            out.push_str(&format!("{}:", key.text));
            show(node, out);
            out.push(' ');
        }),
    }
}

#[test]
fn sets_and_deletes() {
    let cases = [
        (r"a.b\.c=2", "a:b.c:2  pods:[name:web-0 s:[1 2 ]  name:web-1 s:[3 ]  ] "),
        ("pods[*].s[*]=x", "a:b.c:1  pods:[name:web-0 s:[x x ]  name:web-1 s:[x ]  ] "),
        ("pods[1].s=\"y\"", "a:b.c:1  pods:[name:web-0 s:[1 2 ]  name:web-1 s:'y'  ] "),
        ("pods[name=web-0].s[1]=null", "a:b.c:1  pods:[name:web-0 s:[1 ]  name:web-1 s:[3 ]  ] "),
        ("pods[*].s=null", "a:b.c:1  pods:[name:web-0  name:web-1  ] "),
        ("pods[name=web-1]=null", "a:b.c:1  pods:[name:web-0 s:[1 2 ]  ] "),
        ("a=k=v:NoExecute", "a:k=v:NoExecute pods:[name:web-0 s:[1 2 ]  name:web-1 s:[3 ]  ] "),
    ];
    for (change, expected) in cases {
        assert_eq!(run(change), expected, "{change}");
    }
}

#[test]
fn refuses_with_the_nearest_path() {
    let path = "a path is spec.seed, spec.pods[0].nodeName or spec.pods[name=web-0].labels.app";
    let value = "write one value, such as 60, true or node-0; lists and mappings cannot be set";
    let cases = [
        (
            "pods[*].t=1",
            "the path `pods[*].t` matches nothing in the file: `pods[*]` has no key `t` | \
                 the nearest is pods[*].s"
                .into(),
        ),
        (
            "pods[name=web-2].s=1",
            "the path `pods[name=web-2].s` matches nothing in the file: `pods` has no item \
             `[name=web-2]` | the nearest is pods[name=web-0].s"
                .into(),
        ),
        (
            "pods[7].s=1",
            "the path `pods[7].s` matches nothing in the file: `pods` has no item `[7]` | \
             the nearest is pods[0].s"
                .into(),
        ),
        (
            "a.b.c=2",
            "the path `a.b.c` matches nothing in the file: `a` has no key `b` | \
             the nearest is a.b\\.c"
                .into(),
        ),
        ("a", "there is no `=` | write PATH=VALUE, such as spec.seed=7".into()),
        ("=1", "the path is empty | {path}".replace("{path}", path)),
        ("a..b=1", "a key is missing in the path `a..b` | {path}".replace("{path}", path)),
        ("a.=1", "the path `a.` ends with a dot | {path}".replace("{path}", path)),
        (
            "a[x]=1",
            "`[x]` in the path `a[x]` is not [2] (from 0), [*] or [name=web-0] | {path}"
                .replace("{path}", path),
        ),
        (
            "a=[1]",
            "`[1]` is no YAML scalar; a string may need quotes | {value}".replace("{value}", value),
        ),
        (
            "a=b: c",
            "`b: c` is no YAML scalar; a string may need quotes | {value}"
                .replace("{value}", value),
        ),
        (
            "a=",
            "the value is missing; write null to delete, \"\" for an empty string | {value}"
                .replace("{value}", value),
        ),
    ];
    for (change, expected) in cases {
        assert_eq!(run(change), expected, "{change}");
    }
}

#[test]
fn settings_with_an_option_of_their_own_name_it() {
    for (change, expected) in [
        (
            "spec.until=30s",
            "`spec` has no key `until` | write `--until 30s`, or add `until: 30s` to",
        ),
        ("spec.seed=7", "write `--seed 7`"),
        ("spec.kubernetesVersion=\"1.36\"", "write `--kubernetes-version \"1.36\"`"),
        ("spec.seed=null", "there is nothing to delete"),
        ("spec.taintManager.workers=2", "add `taintManager: {workers: 2}` to `spec`"),
        ("spec.stopAfter=2s", "(null deletes): add `stopAfter: 2s` to `spec`"),
        ("metadata.name=x", "the document has no key `metadata`"),
    ] {
        let found = run_on("spec: {nodes: [{name: a}]}\n", change);
        assert!(found.contains(expected), "{change}: {found}");
    }
}

#[test]
fn entries_in_short_form_are_not_passed_over() {
    let file = "pods:\n- {name: a, tolerations: [{key: k, tolerationSeconds: 1}, \
                \"x=1:NoExecute for 60s\"]}\n- {name: b}\nnodes: [{taints: [\"m:NoExecute\"]}]\n";
    let refused = "it is written as a string | write it as {key: x, value: \"1\", effect: \
                   NoExecute, tolerationSeconds: 60}";
    for (change, expected) in [
        ("pods[*].tolerations[*].tolerationSeconds=5", refused),
        ("pods[0].tolerations[1].tolerationSeconds=5", refused),
        ("pods[0].tolerations[key=x].tolerationSeconds=5", refused),
        ("pods[0].tolerations[value=1].tolerationSeconds=null", refused),
        ("nodes[*].taints[*].effect=NoSchedule", "write it as {key: m, effect: NoExecute}"),
        ("pods[0].tolerations[key=k].tolerationSeconds=5", "tolerationSeconds:5"),
        ("pods[0].tolerations[key=x]=null", "tolerations:[key:k tolerationSeconds:1  ]"),
        ("pods[*].tolerations[1]=y:NoExecute", "1 of 2 places; the others have no such key"),
        ("pods[*].tolerations=null", "| `pods[*].tolerations` changes 1 of 2 places"),
    ] {
        let found = run_on(file, change);
        assert!(found.contains(expected), "{change}: {found}\n{expected}");
    }
}
