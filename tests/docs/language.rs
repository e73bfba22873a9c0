//! `docs/language.md` and the example with every key, against the program and each other.

use std::collections::{BTreeMap, BTreeSet};

use serde_yaml::Value;
use taintsim::scenario::{LoadOptions, load_text};

use crate::walk::{self, Path, at};
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
    let mut there: BTreeMap<&str, Keys> = BTreeMap::new();
    let mut known: BTreeMap<&str, Keys> = BTreeMap::new();
    for (path, name) in mappings(&example()) {
        let mut document = example();
        let Value::Mapping(mapping) = at(&mut document, &path) else { panic!("{path:?}") };
        let keys = mapping.keys().map(|key| key.as_str().unwrap().to_owned());
        there.entry(name).or_default().extend(keys);
        mapping.insert(NO_KEY.into(), Value::Null);
        let listed = known_keys(&serde_yaml::to_string(&document).unwrap());
        asked += usize::from(!listed.is_empty());
        known.entry(name).or_default().extend(listed);
    }
    // Labels and manifests may have any key; all others answer.
    assert!(asked > 60, "only {asked} mappings told which keys they know");
    for (kind, known) in known {
        let is_shown =
            |key: &&String| there[kind].contains(*key) || TARGETS.contains(&key.as_str());
        let missing: Vec<_> = known.iter().filter(|key| !is_shown(key)).collect();
        assert!(missing.is_empty(), "{EXAMPLE} has no {missing:?} in {kind}");
    }
}

#[test]
fn the_page_has_the_keys_of_the_example_and_no_others() {
    let page = page("docs/language.md");
    let mut used = Keys::new();
    for (path, _) in mappings(&example()) {
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
    let list = of_key.split_once("known keys: ").map_or("", |(_, list)| list);
    let list = list.split(" (see").next().unwrap_or("").trim();
    list.split(", ").filter(|key| !key.is_empty()).map(str::to_owned).collect()
}

/// Where the mappings of a document are that have keys of the language, with their names.
fn mappings(document: &Value) -> Vec<(Path, &'static str)> {
    let all = walk::values(document).into_iter();
    let named = all.filter_map(|path| {
        // The example shows each action once: in a step.
        let name = match walk::mapping(&path)?.name {
            "Action" => "Step",
            name => name,
        };
        matches!(at(&mut document.clone(), &path), Value::Mapping(_)).then_some((path, name))
    });
    named.collect()
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
