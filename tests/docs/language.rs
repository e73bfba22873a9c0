//! `docs/language.md` and the example with every key, against the program and each other.

use std::collections::{BTreeMap, BTreeSet};

use serde_yaml::Value;
use taintsim::scenario::{LoadOptions, load_text};

use crate::{page, quoted, root, rows, stdout};

/// The example that uses every key.
pub const EXAMPLE: &str = "docs/examples/every-key.yaml";
/// A key that is near to no other, so that the program lists those that it knows.
const NO_KEY: &str = "qqqqqqqqqqqqqqqqqqqq";
/// Each stands in place of another, wherever objects are named.
const TARGETS: [&str; 4] = ["node", "pod", "selector", "namespace"];

type Keys = BTreeSet<String>;

#[test]
fn the_example_passes() {
    stdout(&["validate", EXAMPLE]);
    stdout(&["test", "docs"]);
}

/// A mapping of the example that knows more keys than the example shows, wherever the same kind of
/// mapping stands, would be a key that nobody documents.
#[test]
fn the_example_has_every_key_that_the_program_knows() {
    let mut asked = 0;
    let mut there: BTreeMap<String, Keys> = BTreeMap::new();
    let mut known: BTreeMap<String, Keys> = BTreeMap::new();
    for path in mappings(&example()) {
        let mut document = example();
        let Value::Mapping(mapping) = at(&mut document, &path) else { panic!("{path:?}") };
        let keys = mapping.keys().map(|key| key.as_str().unwrap().to_owned());
        there.entry(kind(&path)).or_default().extend(keys);
        mapping.insert(NO_KEY.into(), Value::Null);
        let listed = known_keys(&serde_yaml::to_string(&document).unwrap());
        asked += usize::from(!listed.is_empty());
        known.entry(kind(&path)).or_default().extend(listed);
    }
    // Labels and manifests may have any key; all others answer.
    assert!(asked > 60, "only {asked} mappings told which keys they know");
    for (kind, known) in known {
        let is_shown =
            |key: &&String| there[&kind].contains(*key) || TARGETS.contains(&key.as_str());
        let missing: Vec<_> = known.iter().filter(|key| !is_shown(key)).collect();
        assert!(missing.is_empty(), "{EXAMPLE} has no {missing:?} in {kind}");
    }
}

#[test]
fn the_page_has_the_keys_of_the_example_and_no_others() {
    let page = page("docs/language.md");
    let mut used = Keys::new();
    for path in mappings(&example()) {
        let kind = kind(&path);
        if kind.ends_with("labels") || kind.contains("apply") {
            continue;
        }
        if let Value::Mapping(mapping) = at(&mut example(), &path) {
            used.extend(mapping.keys().map(|key| key.as_str().unwrap().to_owned()));
        }
    }
    let quoted_words: Keys =
        quoted(&page).flat_map(|text| text.split(['.', ':'])).map(str::to_owned).collect();
    let missing: Vec<_> = used.difference(&quoted_words).collect();
    assert!(missing.is_empty(), "docs/language.md does not have {missing:?}");

    let (before, after) = page.split_once("### kubectl lines").unwrap();
    let after = &after[after.find("\n## ").unwrap()..];
    for row in rows(before).iter().chain(&rows(after)) {
        for key in quoted(row[0]).flat_map(|text| text.split('.')) {
            assert!(used.contains(key), "`{key}` of docs/language.md is not in {EXAMPLE}");
        }
    }
}

fn example() -> Value {
    serde_yaml::from_str(&page(EXAMPLE)).unwrap()
}

/// The keys that the program lists for the mapping with [`NO_KEY`].
fn known_keys(text: &str) -> Keys {
    let base = root().join(EXAMPLE);
    let loaded = load_text("example.yaml", text, Some(&base), &LoadOptions::default());
    // Where any key may stand, as in labels, there is no mistake.
    let Err(failure) = loaded else { return Keys::new() };
    let shown = failure.render();
    let of_key = shown.split("\n\n").find(|part| part.contains(NO_KEY)).expect(&shown);
    let list = of_key.split_once("known keys: ").map_or("", |(_, list)| list.trim());
    list.split(", ").filter(|key| !key.is_empty()).map(str::to_owned).collect()
}

/// A way into a document: keys and indexes.
type Path = Vec<Result<String, usize>>;

/// Where the mappings of a document are.
fn mappings(document: &Value) -> Vec<Path> {
    fn walk(value: &Value, path: &Path, found: &mut Vec<Path>) {
        let next = |step| path.iter().cloned().chain([step]).collect();
        match value {
            Value::Mapping(mapping) => {
                found.push(path.clone());
                for (key, value) in mapping {
                    walk(value, &next(Ok(key.as_str().unwrap().to_owned())), found);
                }
            }
            Value::Sequence(items) => {
                for (index, item) in items.iter().enumerate() {
                    walk(item, &next(Err(index)), found);
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    walk(document, &Path::new(), &mut found);
    found
}

fn at<'v>(document: &'v mut Value, path: &Path) -> &'v mut Value {
    path.iter().fold(document, |value, step| match step {
        Ok(key) => &mut value[key.as_str()],
        Err(index) => &mut value[*index],
    })
}

/// The kind of mapping that a path leads to: all steps are one kind, and so on. What a target, a
/// taint or a pod is does not depend on where it stands.
fn kind(path: &Path) -> String {
    let keys: Vec<&str> = path.iter().filter_map(|step| step.as_deref().ok()).collect();
    match keys.as_slice() {
        [.., "taints" | "add" | "replace"] => "a taint".into(),
        [.., "tolerations"] => "a toleration".into(),
        [.., "pods" | "createPod"] => "a pod".into(),
        [.., "nodes" | "createNode"] => "a node".into(),
        [.., "steps" | "burst"] => "a step".into(),
        [.., "expect" | "anyOf"] => "an expectation".into(),
        keys => keys.join("."),
    }
}

/// Writing down a default that the page names changes nothing.
#[test]
fn the_defaults_of_the_control_plane_are_those_of_the_page() {
    let page = page("docs/language.md");
    let mut asked = 0;
    for row in rows(crate::section(&page, "## The control plane")) {
        let &[key, default, about, ..] = row.as_slice() else { panic!("{row:?}") };
        let path = key.trim_matches('`');
        let default = default.trim_matches('`');
        let paths: Vec<String> = match default.strip_suffix(" each") {
            Some(_) => quoted(about).map(|inner| format!("{path}.{inner}")).collect(),
            None => vec![path.to_owned()],
        };
        for path in &paths {
            let value = default.trim_end_matches(" each");
            assert_eq!(plan_with(Some((path, value))), plan_with(None), "{path}: {value}");
            asked += 1;
        }
    }
    assert!(asked > 15, "{asked} defaults");
}

/// The plan of a small scenario with one more key under `spec`.
fn plan_with(setting: Option<(&str, &str)>) -> String {
    let mut text = String::from(
        "{apiVersion: taintsim.dev/v1alpha1, kind: Scenario, spec: {\
         nodes: [{name: n}], pods: [{name: p, nodeName: n}]",
    );
    if let Some((path, value)) = setting {
        let keys: Vec<&str> = path.split('.').collect();
        let braces = "}".repeat(keys.len() - 1);
        text.push_str(&format!(", {}: {value}{braces}", keys.join(": {")));
    }
    text.push_str("}}");
    let loaded = load_text("small.yaml", text, None, &LoadOptions::default());
    format!("{:#?}", loaded.expect("the default is accepted").plan)
}
