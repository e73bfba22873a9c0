//! Text to located trees: YAML 1.2 streams and JSON, also several JSON documents one after the
//! other.
//!
//! Promises: no stack overflow and no explosion, whatever the text is; every key of a mapping is a
//! string and stands there once; places are byte offsets. Plain scalars stay text.

mod columns;
mod json;
mod schema;
mod syntax;
mod yaml;

use std::collections::BTreeMap;

pub(super) use schema::not_a_string;

use super::diagnostic::{Diagnostic, Diagnostics};
use super::source::Sources;
use super::tree::{Key, Node, Place, Value};

/// What a key is called about which all is said.
pub(super) const SAID: &str = "<<";

/// How deep documents may nest.
pub const DEPTH_LIMIT: usize = 128;

/// Reads all documents of a source. Mistakes go to `diagnostics`; what could be read is given
/// back, and empty documents are left out.
pub fn read(sources: &Sources, source: u16, diagnostics: &mut Diagnostics) -> Vec<Node> {
    let text = sources.text(source);
    let before = diagnostics.len();
    let documents = if text.trim_start().starts_with(['{', '[']) {
        read_braces(text, source, diagnostics)
    } else {
        yaml::read(text, source, diagnostics).unwrap_or_else(|error| {
            diagnostics.push(error);
            Vec::new()
        })
    };
    if documents.is_empty() && diagnostics.len() == before {
        let place = Place { source, start: 0, end: 0 };
        let help = "a scenario begins with `apiVersion: taintsim.dev/v1alpha1`; a dump is the output of \
                    `kubectl get nodes,pods -A -o yaml`, which prints nothing where it fails";
        diagnostics.error_help(place, "the input is empty", help);
    }
    documents
}

/// A text that begins with a brace is JSON, or YAML in flow style, or a YAML stream whose first
/// document is JSON. Where it is none of these, the error is that of what it looks like.
fn read_braces(text: &str, source: u16, diagnostics: &mut Diagnostics) -> Vec<Node> {
    let mut found = Diagnostics::default();
    let mut documents = Vec::new();
    let Err(error) = json::read(text, source, &mut found, &mut documents) else {
        diagnostics.extend(found.into_sorted());
        return documents;
    };
    let second = text.trim_start()[1..].trim_start().chars().next();
    let looks_like_json =
        second.is_none_or(|c| matches!(c, '"' | '{' | '}' | '[' | ']' | '/' | '0'..='9'));
    if looks_like_json && documents.is_empty() {
        diagnostics.push(error);
        return documents;
    }
    match yaml::read(text, source, diagnostics) {
        Ok(documents) => documents,
        Err(yaml_error) => {
            diagnostics.push(if looks_like_json { error } else { yaml_error });
            Vec::new()
        }
    }
}

/// Collects the entries of one mapping and refuses a key that is there already.
struct MappingBuilder {
    place: Place,
    entries: Vec<(Key, Node)>,
    /// Made for big mappings only; small ones are searched.
    index: BTreeMap<Box<str>, Place>,
}

impl MappingBuilder {
    const SEARCHED: usize = 16;

    fn new(place: Place) -> MappingBuilder {
        MappingBuilder { place, entries: Vec::new(), index: BTreeMap::new() }
    }

    /// Adds an entry; the second place of a key is an error and the first entry stays.
    fn push(&mut self, key: Key, node: Node) -> Result<(), (Key, Place)> {
        if self.entries.len() < Self::SEARCHED {
            if let Some((first, _)) = self.entries.iter().find(|(k, _)| k.text == key.text) {
                return Err((key, first.place));
            }
        } else {
            if self.index.is_empty() {
                let all = self.entries.iter().map(|(k, _)| (k.text.clone(), k.place));
                self.index = all.collect();
            }
            if let Some(first) = self.index.get(&key.text) {
                return Err((key, *first));
            }
            self.index.insert(key.text.clone(), key.place);
        }
        self.entries.push((key, node));
        Ok(())
    }

    fn finish(mut self, end: u32) -> Node {
        self.place.end = end.max(self.place.start);
        Node { place: self.place, value: Value::Mapping(self.entries) }
    }
}

/// The error for a key that stands twice in a mapping.
fn duplicate_key(text: &str, key: &Key, first: Place) -> Diagnostic {
    let first_line = 1 + text[..first.start as usize].matches('\n').count();
    Diagnostic::new(
        key.place,
        format!("the key `{}` is already set in line {first_line}", key.text),
    )
    .help("a key may stand only once in a mapping; remove one of the two")
}

fn to_u32(index: usize) -> u32 {
    // Sources are shorter than 4 GiB.
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
