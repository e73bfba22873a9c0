//! `docs/language.md` and the example with every key, against the program and each other.

use std::collections::{BTreeMap, BTreeSet};

use serde_yaml::Value;
use taintsim::scenario::{LoadOptions, load_text};

use crate::walk::{self, Path, at};
use crate::{page, quoted, rows, stdout};

/// The example that uses every key.
pub const EXAMPLE: &str = "docs/examples/every-key.yaml";
/// Each stands in place of another, wherever objects are named.
const TARGETS: [&str; 4] = ["node", "pod", "selector", "namespace"];
/// A gate that the example's version does not have any more: no version has all of them.
const GONE: &str = "TaintBasedEvictions";

type Keys = BTreeSet<String>;

#[test]
fn the_example_passes() {
    stdout(&["validate", EXAMPLE]);
    stdout(&["test", "docs"]);
}

/// A key that the example does not show, wherever its mapping stands, would be one that nobody
/// documents. That the loader knows these keys and no others, tests/reference says.
#[test]
fn the_example_has_every_key_of_the_language() {
    let mut there: BTreeMap<&str, Keys> = BTreeMap::new();
    for (path, name) in mappings(&example()) {
        let mut document = example();
        let Value::Mapping(mapping) = at(&mut document, &path) else { panic!("{path:?}") };
        let keys = mapping.keys().map(|key| key.as_str().unwrap().to_owned());
        there.entry(name).or_default().extend(keys);
    }
    for mapping in taintsim::reference::mappings()
        .iter()
        .filter(|m| !["Action", "RepeatedStep"].contains(&m.name))
    {
        let shown = there.get(mapping.name).unwrap_or_else(|| panic!("no {}", mapping.name));
        let keys = mapping.fields().map(|field| field.key);
        let missing: Vec<_> =
            keys.filter(|k| !shown.contains(*k) && !TARGETS.contains(k) && *k != GONE).collect();
        assert!(missing.is_empty(), "{EXAMPLE} has no {missing:?} in {}", mapping.name);
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
            assert!(
                used.contains(key) || key == GONE,
                "`{key}` of docs/language.md is not in {EXAMPLE}"
            );
        }
    }
}

fn example() -> Value {
    serde_yaml::from_str(&page(EXAMPLE)).unwrap()
}

/// Where the mappings of a document are that have keys of the language, with their names.
fn mappings(document: &Value) -> Vec<(Path, &'static str)> {
    let all = walk::values(document).into_iter();
    let named = all.filter_map(|path| {
        // The example shows each action once: in a step.
        let name = match walk::mapping(&path)?.name {
            "Action" | "RepeatedStep" => "Step",
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
