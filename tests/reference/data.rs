//! The data against the loader.

use std::collections::{BTreeMap, BTreeSet};

use serde_yaml::{Mapping as Yaml, Value};
use taintsim::reference::{Absent, Field, Mapping, SCENARIO, mappings};

use crate::{example, load, walk, yaml};

/// A key that is near to no other, so that the program lists those that it knows.
const NO_KEY: &str = "qqqqqqqqqqqqqqqqqqqq";
/// What examples talk about where they do not say it themselves.
const NODES: &str = "[{name: 'node-{0..2}', labels: {pool: general}}]";
const PODS: &str = "[{name: 'web-{0..5}', namespace: shop, nodeName: node-0, labels: {app: web}},
                     {name: batch-0, labels: {app: batch}}, {name: db-0, nodeName: node-0}]";
const STEPS: &str = "[{at: 10s, note: begins}]";

type Keys = BTreeSet<String>;

#[test]
fn the_keys_are_those_that_the_loader_knows() {
    let mut known: BTreeMap<&str, Keys> = BTreeMap::new();
    for path in walk::values(&example()) {
        let mut document = example();
        let Value::Mapping(there) = walk::at(&mut document, &path) else { continue };
        let Some(mapping) = walk::mapping(&path) else { continue };
        there.insert(NO_KEY.into(), Value::Null);
        let shown = load(&document).unwrap_err().render();
        let of_key = shown.split("\n\n").find(|part| part.contains(NO_KEY)).expect(&shown);
        let (_, list) = of_key.split_once("known keys: ").expect(of_key);
        let list = list.split(" (see").next().unwrap_or(list);
        known.entry(mapping.name).or_default().extend(list.trim().split(", ").map(str::to_owned));
    }
    for mapping in mappings() {
        let keys: Keys = mapping.fields().map(|field| field.key.to_owned()).collect();
        assert_eq!(Some(&keys), known.get(mapping.name), "{}", mapping.name);
    }
}

#[test]
fn mappings_differ_in_name_and_keys_within_one_differ() {
    let mut names = BTreeMap::new();
    for mapping in mappings() {
        assert!(names.insert(mapping.name, mapping).is_none(), "two mappings {}", mapping.name);
        let keys: Keys = mapping.fields().map(|field| field.key.to_owned()).collect();
        assert_eq!(keys.len(), mapping.fields().count(), "{}", mapping.name);
    }
    // A second mapping of a name would not be among them.
    for mapping in names.values() {
        for inner in mapping.fields().filter_map(Field::mapping) {
            assert!(std::ptr::eq(names[inner.name], inner), "two mappings {}", inner.name);
        }
    }
}

/// The document in which `own` stands as this mapping, in the context of the examples above it.
fn in_context(mapping: &'static Mapping, own: Yaml) -> Value {
    if mapping.name == SCENARIO.name {
        let mut document = Value::Mapping(own);
        let Value::Mapping(spec) = &mut document["spec"] else { panic!("{document:?}") };
        for (key, base) in [("nodes", NODES), ("pods", PODS), ("steps", STEPS)] {
            spec.entry(key.into()).or_insert_with(|| yaml(base));
        }
        return document;
    }
    let above = mappings().into_iter().flat_map(|above| above.fields().map(move |f| (above, f)));
    let (above, field) = above
        .into_iter()
        .find(|(_, field)| field.mapping().is_some_and(|inner| inner.name == mapping.name))
        .unwrap();
    let value = if field.kind.is_list() {
        Value::Sequence(vec![Value::Mapping(own)])
    } else {
        Value::Mapping(own)
    };
    let mut around = example_of(field);
    around.insert(field.key.into(), value);
    in_context(above, around)
}

fn example_of(field: &Field) -> Yaml {
    match yaml(field.example) {
        Value::Mapping(mapping) if mapping.contains_key(field.key) => mapping,
        other => panic!("the example of {} is {other:?}", field.key),
    }
}

/// The example of a key in this mapping: what steps do is shown as steps; in a burst or a turn it has
/// no time of its own.
fn example_in(mapping: &Mapping, field: &Field) -> Yaml {
    let mut own = example_of(field);
    if ["Action", "RepeatedStep"].contains(&mapping.name) && field.key != "at" {
        own.remove("at");
    }
    own
}

#[test]
fn each_example_loads() {
    let mut wrong = Vec::new();
    for mapping in mappings() {
        for field in mapping.fields() {
            let own = example_in(mapping, field);
            let mut document = in_context(mapping, own);
            // Its last version: the newest one does not have it any more.
            if field.key == "TaintBasedEvictions" {
                document["spec"]["featureGates"]
                    .as_mapping_mut()
                    .unwrap()
                    .retain(|k, _| k == field.key);
                document["spec"]["kubernetesVersion"] = "1.19".into();
            }
            if let Err(failure) = load(&document) {
                wrong.push(format!("{}.{}:\n{}", mapping.name, field.key, failure.render()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_default_that_is_written_out_changes_nothing() {
    let mut asked = 0;
    for mapping in mappings() {
        for field in mapping.fields() {
            let Absent::Value(text) = field.default else { continue };
            // The plan keeps what the API would keep: no operator at all.
            if (mapping.name, field.key) == ("Toleration", "operator") {
                continue;
            }
            let mut own = example_in(mapping, field);
            own.remove(field.key);
            let without = load(&in_context(mapping, own.clone()));
            own.insert(field.key.into(), yaml(text));
            let with = load(&in_context(mapping, own));
            let name = format!("{}.{}: {text}", mapping.name, field.key);
            let [without, with] = [without, with].map(|loaded| match loaded {
                Ok(loaded) => format!("{:#?}", loaded.plan),
                Err(failure) => panic!("{name}\n{}", failure.render()),
            });
            assert_eq!(without, with, "{name}");
            asked += 1;
        }
    }
    assert!(asked > 25, "only {asked} defaults");
}

/// A key whose example says the default would not show what the key does.
#[test]
fn what_is_required_has_no_default() {
    for mapping in mappings() {
        for field in mapping.fields().filter(|field| field.is_required) {
            assert_eq!(field.default, Absent::None, "{}.{}", mapping.name, field.key);
        }
    }
}
