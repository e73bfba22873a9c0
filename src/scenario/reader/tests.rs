use super::*;
use crate::scenario::diagnostic::render_all;

fn parse(text: &str) -> (Vec<Node>, Sources, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let source = sources.add("f.yaml", text.to_string());
    let mut diagnostics = Diagnostics::default();
    let documents = read(&sources, source, &mut diagnostics);
    (documents, sources, diagnostics.into_sorted())
}

/// The tree in a short notation: `'quoted'`, `plain`, `~`.
fn show(node: &Node) -> String {
    match &node.value {
        Value::Null => "~".into(),
        Value::Plain(text) => text.to_string(),
        Value::Quoted(text) => format!("'{text}'"),
        Value::Sequence(items) => {
            format!("[{}]", items.iter().map(show).collect::<Vec<_>>().join(" "))
        }
        Value::Mapping(entries) => {
            let entries: Vec<_> =
                entries.iter().map(|(k, v)| format!("{}:{}", k.text, show(v))).collect();
            format!("{{{}}}", entries.join(" "))
        }
        Value::Skipped => "…".into(),
    }
}

fn check(text: &str, expected: &str) {
    let (documents, sources, diagnostics) = parse(text);
    assert!(diagnostics.is_empty(), "{text:?}: {}", render_all(&diagnostics, &sources));
    let shown: Vec<_> = documents.iter().map(show).collect();
    assert_eq!(shown.join(" --- "), expected, "{text:?}");
}

fn refuse(text: &str, expected: &str) {
    let (_, sources, diagnostics) = parse(text);
    let shown = render_all(&diagnostics, &sources);
    let text: String = text.chars().take(200).collect();
    assert!(shown.contains(expected), "{text:?}:\n{shown}\ndoes not say {expected:?}");
}

#[test]
fn reads_yaml() {
    check("a: 1\nb: [x, 'y', null, ~]\nc:\n", "{a:1 b:[x 'y' ~ ~] c:~}");
    check("a: 1\n---\nb: 2\n...\n---\n# nothing\n", "{a:1} --- {b:2}");
    check("a: 1\r\nb:\r\n  - x\r\n", "{a:1 b:[x]}");
    check("a: |\n  two\n  lines\n", "{a:'two\nlines\n'}");
    check("a: &t [x, y]\nb: *t\n", "{a:[x y] b:[x y]}");
    check("a: !!str 5\n", "{a:'5'}");
    check("%YAML 1.2\n--- !!map\na: 1\n", "{a:1}");
    check("spec: dedicated=infra:NoExecute for 60s\n", "{spec:dedicated=infra:NoExecute for 60s}");
    check("[maintenance:NoExecute, x-]", "[maintenance:NoExecute x-]");
}

#[test]
fn reads_json() {
    check(r#"{"a": 1, "b": ["x", null, true, -0, 1.5e3]}"#, "{a:1 b:['x' ~ true -0 1.5e3]}");
    check("{\"a\":1}{\"b\":2}\n[3]\n", "{a:1} --- {b:2} --- [3]");
    check("{\"a\":1}\n---\n{\"b\":2}\n", "{a:1} --- {b:2}");
    check("  {\"a\\u00fc\": \"\\n\"}", "{aü:'\n'}");
    check("{a: b}", "{a:b}");
    check("{\"a\": 1}\n---\nb: 2", "{a:1} --- {b:2}");
}

#[test]
fn places_are_bytes() {
    for text in
        ["ä: x\nkey:  value\n", "{\"ä\": \"x\",\n \"key\" : \"value\" }", "{ä: x, key: value}"]
    {
        let (documents, sources, _) = parse(text);
        let Value::Mapping(entries) = &documents[0].value else { panic!("{text}") };
        let (key, node) = &entries[1];
        assert_eq!(sources.slice(key.place).trim_matches('"'), "key", "{text}");
        assert_eq!(sources.slice(node.place).trim_matches('"'), "value", "{text}");
    }
}

#[test]
fn places_of_collections_end_with_their_text() {
    let (documents, sources, _) = parse("a:\n  - x\n  - {y: 1}\n\nb: 1\n");
    let Value::Mapping(entries) = &documents[0].value else { panic!() };
    assert_eq!(sources.slice(entries[0].1.place), "- x\n  - {y: 1}");
    let Value::Sequence(items) = &entries[0].1.value else { panic!() };
    assert_eq!(sources.slice(items[1].place), "{y: 1}");
}

#[test]
fn refuses_with_a_place() {
    refuse("", "f.yaml: error: the input is empty");
    refuse("# only a comment\n", "the input is empty");
    refuse("a: 1\nb: 2\na: 3\n", "f.yaml:3:1: error: the key `a` is already set in line 1");
    refuse("{\"a\": 1,\n\"a\": 2}", "f.yaml:2:1: error: the key `a` is already set in line 1");
    refuse("a: &x [*x]\n", "refers to a value that contains it");
    refuse("a: &x 1\n---\nb: *x\n", "f.yaml:3:4: error: the anchor of this alias is in another");
    refuse("a: *y\n", "f.yaml:1:");
    refuse("1: x\n", "f.yaml:1:1: error: the key `1` is not a string");
    refuse("true: x\n", "the key `true` is not a string");
    refuse("? [a, b]\n: x\n", "cannot be a key");
    refuse("a: &x {b: 1}\nc:\n  <<: *x\n", "merge keys");
    refuse("a: !custom b\n", "the YAML tag `!custom` means nothing here");
    refuse("{\"a\": 1, ", "unexpected end of input: the JSON is cut off");
    refuse("{\"a\": [1,]}\u{1}", "f.yaml:1:");
    refuse("{\n  // comment\n  \"a\": 1,\n}", "f.yaml:2:");
    refuse("pod: *\n", "is written \"*\"");
    refuse("pod: *all\n", "an alias needs its anchor above it");
    refuse("a: b: c\n", "quote the value: a: \"b: c\"");
    refuse("a: \"b\": c\n", "a `:` where no key can stand");
    refuse("a:\n  b: 1\n c: 2\n", "f.yaml:3:");
    refuse("a:\n\t- b\n", "");
    refuse(
        "$ kubectl get nodes\napiVersion: v1\nkind: List\n",
        "f.yaml:1:1: error: this line is not YAML",
    );
    refuse("{name: node-{0..2}}\n", "the range in `node-{0..2}` is not quoted");
    refuse("nodes:\n  - {name: node-{0..2}, labels: {a: b}}\n", "write it as \"node-{0..2}\"");
    refuse("x: [web-{a,b}-x]\n", "the range in `web-{a,b}-x` is not quoted");
}

#[test]
fn tells_lines_that_stand_a_little_beside_others() {
    let head = "kind: Scenario\nspec:\n  steps:\n    - at: 10s\n";
    for (rest, expected) in [
        ("\t  kubectl: x\n", "f.yaml:5:1: error: a line is indented with a tab"),
        ("      \tkubectl: x\n", "f.yaml:5:7: error: a line is indented with a tab"),
        ("     kubectl: x\n", "f.yaml:5:6: error: this key stands in a wrong column: 6\n"),
        ("       kubectl: x\n", "f.yaml:5:8: error: this key stands in a wrong column: 8\n"),
        ("     kubectl: x\n", "help: move it to column 7\n"),
        (
            "      note: x\n   - at: 2s\n",
            "f.yaml:6:4: error: this item stands in a wrong column: 4",
        ),
        ("      note: x\n     - at: 2s\n", "move it to column 5"),
        ("      note: a: b\n", "a second `: ` in the line"),
    ] {
        refuse(&format!("{head}{rest}"), expected);
    }
}

/// Each line of a scenario, a little to the left or right: the column that is named is right.
#[test]
fn names_a_column_only_where_it_is_right() {
    let text = "kind: Scenario\napiVersion: taintsim.dev/v1alpha1\nspec:\n  nodes:\n    - name: n\n      \
                labels: {a: b}\n      taints:\n        - key: a\n          value: b\n          effect: \
                NoExecute\n  pods:\n    - {name: p, nodeName: n}\n  steps:\n    - at: 10s\n      \
                kubectl: cordon n\n    - at: 20s\n      note: x\n      kubectl: uncordon n\n";
    let lines: Vec<&str> = text.lines().collect();
    let mut told = 0;
    for (number, line) in lines.iter().enumerate() {
        for by in [-2_isize, -1, 1, 2] {
            let indent = line.len() - line.trim_start().len();
            let Some(column) = indent.checked_add_signed(by) else { continue };
            let shifted = format!("{}{}", " ".repeat(column), line.trim_start());
            let mut wrong = lines.clone();
            wrong[number] = &shifted;
            let (_, _, mistakes) = parse(&(wrong.join("\n") + "\n"));
            let help = mistakes.first().and_then(|mistake| mistake.help.as_deref());
            let Some(to) = help.and_then(|help| help.strip_prefix("move it to column ")) else {
                continue;
            };
            told += 1;
            let right = (indent + 1).to_string();
            let to = to.split([';', ',']).next().unwrap_or(to);
            assert!(to == right, "line {number} by {by}: {to}, {mistakes:?}");
        }
    }
    assert!(told >= 30, "{told}");
}

/// A mistake in a long line is found in a time that grows with the line.
#[test]
fn long_lines_of_braces_are_read_once() {
    let text = format!("x: ['{}}}' b]\n", "{".repeat(400_000));
    refuse(&text, "f.yaml:1:400009: error: this is not YAML: text after a closing quote");
}

#[test]
fn big_mappings_find_duplicates_too() {
    let mut text: String = (0..100).map(|i| format!("k{i}: x\n")).collect();
    text.push_str("k50: y\n");
    refuse(&text, "the key `k50` is already set in line 51");
}

#[test]
fn survives_hostile_nesting_and_aliases() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("{a: ", "}")] {
        let text = open.repeat(50_000) + "1" + &close.repeat(50_000);
        refuse(&text, "nested more than 128 levels");
    }
    let block: String = (0..500).map(|i| " ".repeat(i) + "-\n").collect();
    refuse(&block, "nested more than 128 levels");
    let mut bomb = String::from("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
    for i in 1..12 {
        let alias = format!("*a{}", i - 1);
        bomb.push_str(&format!("a{i}: &a{i} [{}]\n", [alias.as_str(); 10].join(",")));
    }
    refuse(&bomb, "aliases make more than");
    let long = format!("a: &a {}\nb: [{}]\n", "x".repeat(100_000), ["*a"; 1_000].join(","));
    refuse(&long, "aliases make more than");
    let mut chain = String::from("a0: &a0 [x]\n");
    for i in 1..300 {
        chain.push_str(&format!("a{i}: &a{i} [*a{}]\n", i - 1));
    }
    refuse(&chain, "nested more than 128 levels");
}

/// Also when such trees are cloned, measured and dropped, and on the small stacks of threads.
#[test]
fn the_deepest_documents_that_may_be_read_are() {
    let limits = Limits { depth: 9_999, ..Limits::default() };
    let max = Limits::DEPTH_MAX;
    let nested =
        |open: &str, close: &str, depth: usize| open.repeat(depth) + "1" + &close.repeat(depth);
    let block = |depth: usize| (0..depth).map(|i| " ".repeat(i) + "-\n").collect::<String>();
    let anchored = |depth: usize| format!("- &a {}\n- *a\n", nested("[", "]", depth - 1));
    for (shallow, deep) in [
        (nested("[", "]", max), nested("[", "]", max + 1)),
        (nested("{\"a\":", "}", max), nested("{\"a\":", "}", max + 1)),
        (nested("{a: ", "}", max), nested("{a: ", "}", max + 1)),
        (block(max), block(max + 1)),
        (anchored(max), anchored(max + 1)),
    ] {
        let read = |text: &str| {
            let mut sources = Sources::within(limits);
            let source = sources.add("f", text.to_owned());
            let mut diagnostics = Diagnostics::default();
            let documents = read(&sources, source, &mut diagnostics);
            (documents.clone(), render_all(&diagnostics.into_sorted(), &sources))
        };
        let (documents, mistakes) = read(&shallow);
        assert_eq!((documents.len(), mistakes.as_str()), (1, ""));
        let (_, mistakes) = read(&deep);
        assert!(mistakes.contains("nested more than 255 levels deep"), "{mistakes}");
        assert!(mistakes.contains("--max-depth is at its highest"), "{mistakes}");
    }
}

static ITEM: Keep =
    Keep::Keys(&[("name", &Keep::All), ("kind", &Keep::All), ("items", &ITEM), ("spec", &SPEC)]);
static SPEC: Keep = Keep::Keys(&[("on", &Keep::All)]);

fn kept(text: &str) -> (String, String) {
    let mut sources = Sources::default();
    let source = sources.add("f", text.to_owned());
    let mut diagnostics = Diagnostics::default();
    let is_whole = |key: &str, node: &Node| key == "kind" && show(node).contains("Whole");
    let documents = read_kept(&sources, source, Kept { keep: &ITEM, is_whole }, &mut diagnostics);
    let shown: Vec<String> = documents.iter().map(show).collect();
    (shown.join(" --- "), render_all(&diagnostics.into_sorted(), &sources))
}

#[test]
fn what_nobody_reads_is_not_kept_but_is_known_to_be_there() {
    for (text, expected) in [
        ("{\"name\": \"a\", \"x\": [1, {\"y\": 2}], \"z\": null}", "{name:'a' x:… z:~}"),
        ("name: a\nx: [1, {y: 2}]\nz: ~\nw: |\n  text\n", "{name:a x:… z:~ w:…}"),
        ("spec: {on: {a: 1}, off: {a: 1}}\n", "{spec:{on:{a:1} off:…}}"),
        ("{\"spec\": {\"on\": [{\"a\": 1}], \"off\": true}}", "{spec:{on:[{a:1}] off:…}}"),
        (
            "items:\n- {name: a, b: 1}\n- items: [{name: b, c: 2}]\n",
            "{items:[{name:a b:…} {items:[{name:b c:…}]}]}",
        ),
        ("[{\"name\": 1, \"b\": 2}, [{\"b\": {}}], 5]", "[{name:1 b:…} [{b:{}}] 5]"),
        ("x: []\ny: {}\nz: [[]]\nw: \"\"\n", "{x:[] y:{} z:… w:…}"),
        ("{\"x\": [], \"y\": {}, \"z\": [null], \"w\": \"\"}", "{x:[] y:{} z:… w:…}"),
        // Wrong types stay for those who tell them.
        ("{\"spec\": \"x\", \"items\": {\"name\": 1}}", "{spec:'x' items:{name:1}}"),
        // What an alias stands for is kept, wherever it is first.
        ("x: &x {y: 1}\nname: *x\nz: *x\n", "{x:… name:{y:1} z:…}"),
    ] {
        assert_eq!(kept(text), (expected.to_owned(), String::new()), "{text}");
    }
}

#[test]
fn a_document_of_which_all_is_needed_is_whole_wherever_it_says_so() {
    for (text, expected) in [
        ("kind: Whole\nx: {y: 1}\n", "{kind:Whole x:{y:1}}"),
        ("x: {y: 1}\nkind: Whole\n", "{x:{y:1} kind:Whole}"),
        ("{\"x\": {\"y\": 1}, \"kind\": \"Whole\"}", "{x:{y:1} kind:'Whole'}"),
        ("x: 1\n---\nx: 2\nkind: Whole\n---\nx: 3\n", "{x:…} --- {x:2 kind:Whole} --- {x:…}"),
        (
            "{\"x\":1}{\"x\":2,\"kind\":\"Whole\"}{\"x\":3}",
            "{x:…} --- {x:2 kind:'Whole'} --- {x:…}",
        ),
        ("{\"x\":1}\n---\nx: 2\nkind: Whole\n", "{x:…} --- {x:2 kind:Whole}"),
        // It counts only at the top.
        ("items: [{kind: Whole, x: 1}]\n", "{items:[{kind:Whole x:…}]}"),
    ] {
        assert_eq!(kept(text), (expected.to_owned(), String::new()), "{text}");
    }
}

#[test]
fn mistakes_are_found_in_what_is_not_kept_too() {
    for (text, expected) in [
        ("x:\n  y: 1\n  y: 2\n", "f:3:3: error: the key `y` is already set in line 2"),
        ("{\"x\": [{\"y\": 1,\n\"y\": 2}]}", "f:2:1: error: the key `y` is already set in line 1"),
        ("x: [1, 2\nname: a\n", "f:"),
        ("{\"x\": [1,]}", "f:1:"),
        ("x: {1: a}\n", "f:1:5: error: the key `1` is not a string"),
        ("x: !y z\n", "the YAML tag `!y` means nothing here"),
        ("x: &x [*x]\n", "refers to a value that contains it"),
        // Read twice, told once.
        ("x: {y: 1, y: 2}\nkind: Whole\n", "f:1:11: error: the key `y`"),
    ] {
        let (_, mistakes) = kept(text);
        assert!(mistakes.contains(expected), "{text}: {mistakes}");
        assert_eq!(mistakes.matches("error:").count(), 1, "{text}: {mistakes}");
    }
}

#[test]
fn plain_scalars_of_the_core_schema() {
    for text in
        ["1", "-1", "+1", "1.", ".5", "1e3", "1.5E-3", "0x1f", "0o7", "True", ".inf", "-.Inf"]
    {
        assert!(not_a_string(text), "{text}");
    }
    for text in ["", "a", "1a", "1.2.3", "yes", "0x", "e3", ".", "-", "1e", "10s", "v1.36", "0b1"] {
        assert!(!not_a_string(text), "{text}");
    }
}
