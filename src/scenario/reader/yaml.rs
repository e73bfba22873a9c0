//! YAML 1.2 streams through the events of the `saphyr-parser` crate.
//!
//! Aliases are expanded, within limits; merge keys (`<<`) are YAML 1.1 and are refused.

use std::borrow::Cow;
use std::collections::BTreeMap;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span, StrInput, Tag};

use super::schema::{is_null, not_a_string};
use super::{DEPTH_LIMIT, MappingBuilder, SAID, duplicate_key, syntax, to_u32};
use crate::scenario::diagnostic::{Diagnostic, Diagnostics};
use crate::scenario::tree::{Key, Node, Place, Value};

/// How many values aliases may make in one source.
const ALIAS_LIMIT: usize = 500_000;

/// What an anchor stands for.
struct Anchor {
    node: Node,
    nodes: usize,
    depth: usize,
}

/// A collection that is being read.
enum Open {
    Sequence { place: Place, anchor: usize, items: Vec<Node> },
    Mapping { anchor: usize, mapping: MappingBuilder, key: Option<Key> },
}

struct Reader<'t, 'd> {
    text: &'t str,
    source: u16,
    offsets: Offsets,
    open: Vec<Open>,
    anchors: BTreeMap<usize, Anchor>,
    alias_nodes: usize,
    documents: Vec<Node>,
    diagnostics: &'d mut Diagnostics,
}

/// Reads all documents; stops at the first syntax error.
pub(super) fn read(
    text: &str,
    source: u16,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Node>, Diagnostic> {
    let mut reader = Reader {
        text,
        source,
        offsets: Offsets::new(text),
        open: Vec::new(),
        anchors: BTreeMap::new(),
        alias_nodes: 0,
        documents: Vec::new(),
        diagnostics,
    };
    let mut parser = Parser::new(StrInput::new(text));
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| reader.syntax_error(&error))?;
        if matches!(event, Event::StreamEnd) {
            break;
        }
        reader.event(event, span)?;
    }
    Ok(reader.documents)
}

impl Reader<'_, '_> {
    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), Diagnostic> {
        let place = self.place(span);
        match event {
            Event::DocumentEnd => self.anchors.clear(),
            Event::Scalar(text, style, anchor, tag) => {
                self.check_tag(place, tag.as_deref());
                let value = scalar(text, style, tag.as_deref());
                self.finished(Node { place, value }, anchor)?;
            }
            Event::SequenceStart(anchor, tag) => {
                self.check_tag(place, tag.as_deref());
                self.open(place, Open::Sequence { place, anchor, items: Vec::new() })?;
            }
            Event::MappingStart(anchor, tag) => {
                self.check_tag(place, tag.as_deref());
                let mapping = MappingBuilder::new(place);
                self.open(place, Open::Mapping { anchor, mapping, key: None })?;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let end = self.trimmed_end(place);
                match self.open.pop() {
                    Some(Open::Sequence { place, anchor, items }) => {
                        let place = Place { end: end.max(place.start), ..place };
                        self.finished(Node { place, value: Value::Sequence(items) }, anchor)?;
                    }
                    Some(Open::Mapping { anchor, mapping, .. }) => {
                        self.finished(mapping.finish(end), anchor)?;
                    }
                    None => {}
                }
            }
            Event::Alias(id) => self.alias(place, id)?,
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) => {}
        }
        Ok(())
    }

    fn open(&mut self, place: Place, open: Open) -> Result<(), Diagnostic> {
        if self.open.len() >= DEPTH_LIMIT {
            return Err(too_deep(place));
        }
        self.open.push(open);
        Ok(())
    }

    /// A complete value: an item, a key, a value of a mapping or a document.
    fn finished(&mut self, node: Node, anchor: usize) -> Result<(), Diagnostic> {
        if anchor > 0 {
            let (nodes, depth) = measure(&node);
            self.anchors.insert(anchor, Anchor { node: node.clone(), nodes, depth });
        }
        match self.open.last_mut() {
            None => {
                if !matches!(node.value, Value::Null) {
                    self.documents.push(node);
                }
            }
            Some(Open::Sequence { items, .. }) => items.push(node),
            Some(Open::Mapping { key: key @ None, .. }) => {
                *key = Some(as_key(node, self.diagnostics));
            }
            Some(Open::Mapping { mapping, key, .. }) => {
                let Some(key) = key.take() else { return Ok(()) };
                if let Err((key, first)) = mapping.push(key, node) {
                    self.diagnostics.push(duplicate_key(self.text, &key, first));
                }
            }
        }
        Ok(())
    }

    fn alias(&mut self, place: Place, id: usize) -> Result<(), Diagnostic> {
        let Some(anchor) = self.anchors.get(&id) else {
            return Err(Diagnostic::new(place, "this alias refers to a value that contains it"));
        };
        self.alias_nodes += anchor.nodes;
        if self.alias_nodes > ALIAS_LIMIT {
            let message = format!("aliases make more than {ALIAS_LIMIT} values");
            return Err(Diagnostic::new(place, message));
        }
        if self.open.len() + anchor.depth > DEPTH_LIMIT {
            return Err(too_deep(place));
        }
        let node = anchor.node.clone();
        self.finished(node, 0)
    }

    fn check_tag(&mut self, place: Place, tag: Option<&Tag>) {
        let Some(tag) = tag else { return };
        let known = ["str", "int", "float", "bool", "null", "seq", "map"];
        let string = tag.handle.is_empty() && tag.suffix == "!";
        let core = tag.is_yaml_core_schema() && known.contains(&&*tag.suffix);
        if !string && !core {
            let text = self.text.get(place.start as usize..place.end as usize).unwrap_or("");
            let written = text.split([' ', '\n']).next().unwrap_or("");
            self.diagnostics.error_help(
                place,
                format!("the YAML tag `{written}` means nothing here"),
                format!("remove the tag; a value that begins with `!` is quoted: \"{written}\""),
            );
        }
    }

    fn place(&self, span: Span) -> Place {
        Place {
            source: self.source,
            start: self.offsets.byte(self.text, span.start.index()),
            end: self.offsets.byte(self.text, span.end.index()),
        }
    }

    /// Where a collection ends: block collections end at the next token, far below.
    fn trimmed_end(&self, place: Place) -> u32 {
        let text = &self.text[..place.end as usize];
        to_u32(text.trim_end().len())
    }

    fn syntax_error(&self, error: &ScanError) -> Diagnostic {
        let at = self.offsets.byte(self.text, error.marker().index());
        if error.info().contains("recursion limit") {
            return too_deep(Place { source: self.source, start: at, end: at });
        }
        syntax::explain(self.text, self.source, at as usize, error.info())
    }
}

fn too_deep(place: Place) -> Diagnostic {
    Diagnostic::new(place, format!("nested more than {DEPTH_LIMIT} levels deep"))
}

fn scalar(text: Cow<'_, str>, style: ScalarStyle, tag: Option<&Tag>) -> Value {
    let string_tag = tag.is_some_and(|tag| tag.suffix == "str" || tag.suffix == "!");
    match style {
        ScalarStyle::Plain if string_tag => Value::Quoted(text.into()),
        ScalarStyle::Plain if is_null(&text) => Value::Null,
        ScalarStyle::Plain => Value::Plain(text.into()),
        _ => Value::Quoted(text.into()),
    }
}

/// A mapping's key. What is not a string is an error, and stands for a string from then on.
fn as_key(node: Node, diagnostics: &mut Diagnostics) -> Key {
    let place = node.place;
    match node.value {
        Value::Quoted(text) => Key { place, text },
        Value::Plain(text) => {
            if &*text == SAID {
                diagnostics.error_help(
                    place,
                    "merge keys (`<<`) are not part of YAML 1.2",
                    "write the keys out, or use an alias for a whole value",
                );
            } else if not_a_string(&text) {
                diagnostics.error_help(
                    place,
                    format!("the key `{text}` is not a string"),
                    format!("write \"{text}\""),
                );
            }
            Key { place, text }
        }
        Value::Null => {
            diagnostics.error_help(place, "a key is missing, or it is null", "write \"null\"");
            Key { place, text: "null".into() }
        }
        Value::Sequence(_) | Value::Mapping(_) => {
            diagnostics.error_help(
                place,
                "a list or mapping cannot be a key",
                "keys are strings; a range or a template in braces has to be quoted",
            );
            Key { place, text: SAID.into() }
        }
    }
}

/// Values in a tree, and its depth in levels of collections.
fn measure(node: &Node) -> (usize, usize) {
    let mut nodes = 1;
    let mut depth = 0;
    let mut child = |node: &Node| {
        let (n, d) = measure(node);
        nodes += n;
        depth = depth.max(d);
    };
    match &node.value {
        Value::Sequence(items) => items.iter().for_each(&mut child),
        Value::Mapping(entries) => entries.iter().for_each(|(_, node)| child(node)),
        _ => return (1, 0),
    }
    (nodes, depth + 1)
}

/// Byte offsets of characters: the parser counts characters.
struct Offsets {
    /// The byte of every 64th character; empty for ASCII, where both are the same.
    marks: Vec<u32>,
}

impl Offsets {
    const STRIDE: usize = 64;

    fn new(text: &str) -> Offsets {
        let marks = if text.is_ascii() {
            Vec::new()
        } else {
            text.char_indices().step_by(Self::STRIDE).map(|(i, _)| to_u32(i)).collect()
        };
        Offsets { marks }
    }

    fn byte(&self, text: &str, character: usize) -> u32 {
        if self.marks.is_empty() {
            return to_u32(character.min(text.len()));
        }
        let Some(mark) = self.marks.get(character / Self::STRIDE) else {
            return to_u32(text.len());
        };
        let rest = &text[*mark as usize..];
        let within = rest.char_indices().nth(character % Self::STRIDE);
        mark + to_u32(within.map_or(rest.len(), |(i, _)| i))
    }
}
