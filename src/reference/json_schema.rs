//! The language as a JSON Schema (draft 2020-12), for editors.
//!
//! It is made of the same data as all other documentation, and never refuses what the loader takes
//! under `validation: Strict`. The other way round it is laxer: what depends on several places of
//! a file (names that exist, the order of steps, taints that fit) only the loader knows. A key that
//! is null counts as absent, as in the loader.

use serde_json::{Map, Value, json};

use super::{Absent, Bare, Field, Kind, Mapping, Rule, SCENARIO, Text};

/// What the schema calls itself. Nothing is to be found there.
pub const SCHEMA_ID: &str = "https://taintsim.dev/schemas/v1alpha1/scenario.json";

type Object = Map<String, Value>;

/// The schema of a Scenario document.
pub fn json_schema() -> Value {
    let mut schema = Object::new();
    schema.insert("$schema".into(), json!("https://json-schema.org/draft/2020-12/schema"));
    schema.insert("$id".into(), json!(SCHEMA_ID));
    schema.extend(of_mapping(&SCENARIO));
    let defs = mappings().into_iter().filter(|mapping| mapping.name != SCENARIO.name);
    let defs: Object = defs.map(|m| (m.name.into(), Value::Object(of_mapping(m)))).collect();
    schema.insert("$defs".into(), Value::Object(defs));
    Value::Object(schema)
}

/// Every mapping of the language, each once, in the order in which they come up.
pub fn mappings() -> Vec<&'static Mapping> {
    let mut found: Vec<&'static Mapping> = vec![&SCENARIO];
    let mut next = 0;
    while let Some(mapping) = found.get(next) {
        next += 1;
        for inner in mapping.fields().filter_map(Field::mapping) {
            if !found.iter().any(|known| known.name == inner.name) {
                found.push(inner);
            }
        }
    }
    found
}

fn of_mapping(mapping: &Mapping) -> Object {
    let mut schema = Object::new();
    schema.insert("title".into(), mapping.name.into());
    schema.insert("description".into(), mapping.about.into());
    schema.insert("type".into(), "object".into());
    let required: Vec<_> = mapping.fields().filter(|f| f.is_required).map(|f| f.key).collect();
    if !required.is_empty() {
        schema.insert("required".into(), json!(required));
    }
    let properties: Object =
        mapping.fields().map(|field| (field.key.into(), Value::Object(of_field(field)))).collect();
    schema.insert("properties".into(), Value::Object(properties));
    schema.insert("additionalProperties".into(), false.into());
    let rules: Vec<Value> = mapping.rules.iter().map(|rule| of_rule(rule, mapping)).collect();
    if !rules.is_empty() {
        schema.insert("allOf".into(), rules.into());
    }
    schema
}

fn of_field(field: &Field) -> Object {
    let mut schema = Object::new();
    schema.insert("description".into(), described(field).into());
    let kind = of_kind(&field.kind);
    schema.extend(if field.is_required { kind } else { or_null(kind) });
    if let Absent::Value(text) = field.default
        && let Some(value) = from_yaml(text)
    {
        schema.insert("default".into(), value);
    }
    let example = from_yaml(field.example);
    if let Some(value) = example.as_ref().and_then(|mapping| mapping.get(field.key)) {
        schema.insert("examples".into(), json!([value]));
    }
    schema
}

/// What an editor shows beside the key.
fn described(field: &Field) -> String {
    let mut text = field.about.to_owned();
    let forms = match &field.kind {
        Kind::Either(kinds) => kinds,
        kind => std::slice::from_ref(kind),
    };
    for form in forms {
        match form {
            Kind::Text(form) if !form.about.is_empty() => {
                text.push_str("\n\n");
                text.push_str(form.about);
            }
            Kind::Integer { unit: Some(unit), .. } => {
                text.push_str(&format!("\n\nIn {unit}, without a unit."));
            }
            _ => {}
        }
    }
    if let Absent::Words(words) = field.default {
        text.push_str(&format!("\n\nWhere it is absent: {words}."));
    }
    text
}

fn of_kind(kind: &Kind) -> Object {
    let schema = match kind {
        Kind::Text(text) => return of_text(text),
        Kind::Integer { least, greatest, .. } => {
            let mut schema = object(json!({"type": "integer"}));
            schema.extend(least.map(|least| ("minimum".into(), least.into())));
            schema.extend(greatest.map(|greatest| ("maximum".into(), greatest.into())));
            return schema;
        }
        Kind::Boolean => json!({"type": "boolean"}),
        Kind::Word(words) => json!({"enum": words}),
        Kind::WordOrEmpty(words) => {
            let words: Vec<&str> = words.iter().copied().chain([""]).collect();
            json!({"enum": words})
        }
        Kind::List { of, least, greatest } => {
            let mut schema = object(json!({"type": "array", "items": of_kind(of)}));
            if *least > 0 {
                schema.insert("minItems".into(), (*least).into());
            }
            schema.extend(greatest.map(|greatest| ("maxItems".into(), greatest.into())));
            return schema;
        }
        Kind::Mapping(mapping) => json!({"$ref": format!("#/$defs/{}", mapping.name)}),
        Kind::MappingOrNothing(mapping) => {
            let inner = json!({"$ref": format!("#/$defs/{}", mapping.name)});
            json!({"anyOf": [inner, {"type": "null"}]})
        }
        Kind::Labels => json!({"type": "object", "additionalProperties": {"type": "string"}}),
        Kind::Manifest => json!({"type": ["object", "array"]}),
        Kind::Either(kinds) => json!({"anyOf": forms(kinds)}),
    };
    object(schema)
}

/// The forms of a value, those that are several forms themselves taken apart.
fn forms(kinds: &[Kind]) -> Vec<Value> {
    let each = kinds.iter().flat_map(|kind| {
        let mut schema = of_kind(kind);
        match schema.remove("anyOf") {
            Some(Value::Array(inner)) => inner,
            _ => vec![Value::Object(schema)],
        }
    });
    each.collect()
}

fn of_text(text: &Text) -> Object {
    let mut string = object(match text.bare {
        Bare::Anything => json!({"type": ["string", "number", "boolean"]}),
        Bare::Nothing | Bare::Zero => json!({"type": "string"}),
    });
    if !text.pattern.is_empty() {
        string.insert("pattern".into(), text.pattern.into());
    }
    match text.bare {
        Bare::Zero => object(json!({"anyOf": [string, {"const": 0}]})),
        Bare::Nothing | Bare::Anything => string,
    }
}

/// The same, and null.
fn or_null(mut schema: Object) -> Object {
    let nothing = json!({"type": "null"});
    if let Some(Value::Array(words)) = schema.get_mut("enum") {
        words.push(Value::Null);
    } else if let Some(Value::Array(forms)) = schema.get_mut("anyOf") {
        if !forms.contains(&nothing) {
            forms.push(nothing);
        }
    } else {
        match schema.get_mut("type") {
            Some(Value::Array(types)) => types.push("null".into()),
            Some(one) => *one = json!([one, "null"]),
            None => return object(json!({"anyOf": [schema, nothing]})),
        }
    }
    schema
}

fn of_rule(rule: &Rule, mapping: &Mapping) -> Value {
    let any = |keys: &[&str]| match keys {
        [key] => is_there(key, mapping),
        keys => json!({"anyOf": each(keys, mapping)}),
    };
    match rule {
        Rule::ExactlyOne(keys) => json!({"oneOf": each(keys, mapping)}),
        Rule::AtLeastOne(keys) => any(keys),
        Rule::AtMostOne(keys) => {
            let mut forms = each(keys, mapping);
            forms.push(json!({"not": any(keys)}));
            json!({"oneOf": forms})
        }
        Rule::Needs(keys, others) => json!({"if": any(keys), "then": any(others)}),
    }
}

fn each(keys: &[&str], mapping: &Mapping) -> Vec<Value> {
    keys.iter().map(|key| is_there(key, mapping)).collect()
}

/// The key is there, and not null where that is the same as absent.
fn is_there(key: &str, mapping: &Mapping) -> Value {
    match mapping.field(key).map(|field| &field.kind) {
        Some(Kind::MappingOrNothing(_)) => json!({"required": [key]}),
        _ => json!({"required": [key], "properties": {key: {"not": {"type": "null"}}}}),
    }
}

/// A value of the data. The tests see to it that each one is YAML.
fn from_yaml(text: &str) -> Option<Value> {
    serde_yaml::from_str(text).ok()
}

fn object(value: Value) -> Object {
    match value {
        Value::Object(object) => object,
        _ => Object::new(),
    }
}
