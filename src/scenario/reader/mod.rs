//! Text to located trees: YAML 1.2 streams and JSON, also several JSON documents one after the
//! other.
//!
//! Promises: no stack overflow and no explosion, whatever the text is; every key of a mapping is a
//! string and stands there once; places are byte offsets. Plain scalars stay text. What nobody
//! reads of a dump is checked and not built: see [`Keep`].
//!
//! Rough cost: YAML 10 to 20 MB/s, JSON 40 to 100 MB/s; a dump's text and what is kept of it take
//! about three times its size.

mod brackets;
mod colonless;
mod columns;
mod flow;
mod foreign;
mod json;
mod keep;
mod offsets;
mod open;
mod repair;
mod schema;
mod syntax;
mod terminal;
mod yaml;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use indexmap::IndexSet;

pub use keep::{Keep, Kept};
pub(super) use schema::not_a_string;

use super::diagnostic::{Diagnostic, Diagnostics};
use super::limits::{Limits, counted};
use super::source::Sources;
use super::tree::{Key, Node, Place, Value};

/// What a key is called about which all is said.
pub(super) const SAID: &str = "<<";

/// What may be missing where there is nothing.
const EMPTY_HELP: &str = "a scenario begins with `apiVersion: taintsim.dev/v1alpha1`; a dump is the \
                          output of `kubectl get nodes,pods -A -o yaml`, which prints nothing where \
                          it fails";

/// Reads all documents of a source. Mistakes go to `diagnostics`; what could be read is given
/// back, and empty documents are left out.
pub fn read(sources: &Sources, source: u16, diagnostics: &mut Diagnostics) -> Vec<Node> {
    read_text(sources, source, sources.text(source), Kept::ALL, diagnostics)
}

/// As [`read`], of a file: lines of the terminal in it are told as what they are, and only what is
/// to be kept is built.
pub fn read_kept(
    sources: &Sources,
    source: u16,
    kept: Kept,
    diagnostics: &mut Diagnostics,
) -> Vec<Node> {
    let text = terminal::take_out(sources.text(source), source, diagnostics);
    // Where nothing is beside them, that is told, too.
    if matches!(text, Cow::Owned(_)) && text.trim().is_empty() {
        return Vec::new();
    }
    read_text(sources, source, &text, kept, diagnostics)
}

fn read_text(
    sources: &Sources,
    source: u16,
    text: &str,
    kept: Kept,
    diagnostics: &mut Diagnostics,
) -> Vec<Node> {
    let mut whole = BTreeSet::new();
    loop {
        let mut found = Diagnostics::default();
        let mut pass = Pass::new(sources, source, text, kept, &whole);
        let documents = pass.read(&mut found);
        let again = pass.again;
        if again.is_empty() {
            if documents.is_empty() && found.is_empty() {
                let place = Place { source, start: 0, end: 0 };
                found.error_help(place, "the input is empty", EMPTY_HELP);
            }
            sources.keep_values(pass.values);
            diagnostics.append(found);
            return documents;
        }
        whole.extend(again);
    }
}

/// How many texts of keys are shared, and how long they may be.
const KEYS_SHARED: usize = 4_096;
const KEY_SHARED_LENGTH: usize = 64;

/// One reading of a source, and what is kept of the document that is being read.
struct Pass<'a> {
    sources: &'a Sources,
    source: u16,
    text: &'a str,
    kept: Kept,
    /// Numbers of the documents of which all is needed.
    whole: &'a BTreeSet<usize>,
    /// The number of the document.
    number: usize,
    /// What is kept of it.
    keep: &'static Keep,
    /// Something of it was not built.
    has_skipped: bool,
    /// Numbers of the documents of which more is needed than was built.
    again: BTreeSet<usize>,
    /// How many values this reading kept.
    values: u64,
    /// Texts of keys.
    keys: IndexSet<Arc<str>>,
}

impl<'a> Pass<'a> {
    fn new(
        sources: &'a Sources,
        source: u16,
        text: &'a str,
        kept: Kept,
        whole: &'a BTreeSet<usize>,
    ) -> Pass<'a> {
        let again = BTreeSet::new();
        let (keep, keys) = (kept.keep, IndexSet::new());
        Pass {
            sources,
            source,
            text,
            kept,
            whole,
            number: 0,
            keep,
            has_skipped: false,
            again,
            values: 0,
            keys,
        }
    }

    fn read(&mut self, diagnostics: &mut Diagnostics) -> Vec<Node> {
        if self.text.trim_start().starts_with(['{', '[']) {
            return read_braces(self, diagnostics);
        }
        yaml::read(self, true, diagnostics).unwrap_or_else(|error| {
            diagnostics.push(error);
            Vec::new()
        })
    }

    fn limits(&self) -> &'a Limits {
        self.sources.limits()
    }

    /// Back to the first document, for another reader.
    fn restart(&mut self) {
        self.number = 0;
        self.values = 0;
        self.again.clear();
    }

    /// The next document begins.
    fn begin_document(&mut self) {
        let is_whole = self.whole.contains(&self.number);
        self.keep = if is_whole { &Keep::All } else { self.kept.keep };
        self.number += 1;
        self.has_skipped = false;
    }

    /// Looks at an entry at the top of a document; gives what is kept from here on.
    fn see(&mut self, key: &str, node: &Node) -> &'static Keep {
        if !matches!(self.keep, Keep::All) && (self.kept.is_whole)(key, node) {
            self.keep = &Keep::All;
            if self.has_skipped {
                self.again.insert(self.number - 1);
            }
        }
        self.keep
    }

    /// Counts values that are kept.
    fn count(&mut self, values: u64, place: Place) -> Result<(), Diagnostic> {
        self.values = self.values.saturating_add(values);
        if self.values <= self.sources.values_left() {
            return Ok(());
        }
        let most = counted(self.limits().values, "value");
        Err(Diagnostic::new(place, format!("all that is read together has more than {most}"))
            .help(self.limits().raise(Limits::VALUES_FLAG)))
    }

    /// What stands for a value that is not kept.
    fn skip(&mut self, value: Value) -> Value {
        let is_empty = match &value {
            Value::Null => true,
            Value::Sequence(items) => items.is_empty(),
            Value::Mapping(entries) => entries.is_empty(),
            Value::Plain(_) | Value::Quoted(_) | Value::Skipped => false,
        };
        if is_empty {
            return value;
        }
        self.has_skipped = true;
        Value::Skipped
    }

    /// The text of a key, shared with those that are the same.
    fn key_text(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.keys.get(text) {
            return known.clone();
        }
        let new: Arc<str> = text.into();
        // Names of fields are few and short; names of other things are not kept for others.
        if self.keys.len() < KEYS_SHARED && text.len() < KEY_SHARED_LENGTH {
            self.keys.insert(new.clone());
        }
        new
    }

    fn too_deep(&self, place: Place) -> Diagnostic {
        let depth = counted(self.limits().depth() as u64, "level");
        Diagnostic::new(place, format!("nested more than {depth} deep"))
            .help(self.limits().raise(Limits::DEPTH_FLAG))
    }

    /// The error for a key that stands twice in a mapping.
    fn duplicate_key(&self, key: &Key, first: Place) -> Diagnostic {
        let first_line = self.sources.line(first).unwrap_or(1);
        Diagnostic::new(
            key.place,
            format!("the key `{}` is already set in line {first_line}", key.text),
        )
        .help("a key may stand only once in a mapping; remove one of the two")
    }
}

/// A text that begins with a brace is JSON, or YAML in flow style, or a YAML stream whose first
/// document is JSON. Where it is none of these, the error is that of what it looks like.
fn read_braces(pass: &mut Pass<'_>, diagnostics: &mut Diagnostics) -> Vec<Node> {
    let mut found = Diagnostics::default();
    let mut documents = Vec::new();
    let Err(error) = json::read(pass, &mut found, &mut documents) else {
        diagnostics.append(found);
        return documents;
    };
    let second = pass.text.trim_start()[1..].trim_start().chars().next();
    let looks_like_json =
        second.is_none_or(|c| matches!(c, '"' | '{' | '}' | '[' | ']' | '/' | '0'..='9'));
    pass.restart();
    if looks_like_json && documents.is_empty() {
        diagnostics.push(error);
        return documents;
    }
    match yaml::read(pass, !looks_like_json, diagnostics) {
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
    index: BTreeMap<Arc<str>, Place>,
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
        self.entries.shrink_to_fit();
        Node { place: self.place, value: Value::Mapping(self.entries) }
    }
}

fn to_u32(index: usize) -> u32 {
    // Sources are shorter than 4 GiB.
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
