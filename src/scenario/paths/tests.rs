use super::*;

/// The document after the change as `path=value` of its scalars, or the mistake.
fn run(change: &str) -> String {
    let text = "a: {b.c: 1}\npods:\n- {name: web-0, s: [1, 2]}\n- {name: web-1, s: [3]}\n";
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
    out
}

fn show(node: &Node, out: &mut String) {
    match &node.value {
        Value::Null => out.push('~'),
        Value::Plain(text) => out.push_str(text),
        Value::Quoted(text) => out.push_str(&format!("'{text}'")),
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
    let cases = [
        (
            "pods[*].t=1",
            "the path `pods[*].t` matches nothing in the file | the nearest is pods[*].s",
        ),
        (
            "pods[name=web-2].s=1",
            "the path `pods[name=web-2].s` matches nothing in the file | the nearest is pods[name=web-0].s",
        ),
        (
            "pods[7].s=1",
            "the path `pods[7].s` matches nothing in the file | the nearest is pods[0].s",
        ),
        ("a.b.c=2", r"the path `a.b.c` matches nothing in the file | the nearest is a.b\.c"),
        ("a", "there is no `=` | write PATH=VALUE, such as spec.seed=7"),
        ("=1", "the path is empty | "),
        ("a..b=1", "a key is missing in the path `a..b` | "),
        ("a.=1", "the path `a.` ends with a dot | "),
        ("a[x]=1", "`[x]` in the path `a[x]` is not [2] (from 0), [*] or [name=web-0] | "),
        ("a=[1]", "`[1]` is no YAML scalar; a string may need quotes | "),
        ("a=b: c", "`b: c` is no YAML scalar; a string may need quotes | "),
        ("a=", "the value is missing; write null to delete, \"\" for an empty string | "),
    ];
    for (change, expected) in cases {
        assert_eq!(run(change), expected, "{change}");
    }
}
