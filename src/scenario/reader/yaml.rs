//! YAML 1.2 streams through the events of the `saphyr-parser` crate.
//!
//! Aliases are expanded, within limits; merge keys (`<<`) are YAML 1.1 and are refused.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span, StrInput, Tag};

use super::flow;
use super::offsets::Offsets;
use super::repair::Copy;
use super::schema::{is_null, not_a_string};
use super::syntax::{self, Fault, Told};
use super::{Keep, Kept, MappingBuilder, Pass, SAID, columns, foreign, to_u32};
use crate::scenario::diagnostic::{Diagnostic, Diagnostics};
use crate::scenario::limits::{Limits, counted};
use crate::scenario::source::Sources;
use crate::scenario::tree::{Key, Node, Place, Value};

/// A collection in brackets is held as tokens until it closes, which take as much as so many
/// values.
const VALUES_PER_TOKENS: u64 = 4;
/// Bytes of a text that count as one more value where an alias repeats it: a long text multiplies
/// as well as a long list.
const TEXT_COUNTS: usize = 64;

/// What an anchor stands for.
struct Anchor {
    node: Node,
    values: usize,
    depth: usize,
}

/// A collection that is being read, and how much of it is kept.
enum Open {
    Sequence { place: Place, anchor: usize, keep: &'static Keep, items: Vec<Node> },
    Mapping { anchor: usize, keep: &'static Keep, mapping: MappingBuilder, key: Option<Key> },
}

struct Reader<'p, 's, 't, 'd> {
    pass: &'p mut Pass<'s>,
    text: &'t str,
    copy: &'t Copy<'t>,
    offsets: Offsets,
    open: Vec<Open>,
    anchors: BTreeMap<usize, Anchor>,
    alias_values: usize,
    documents: Vec<Node>,
    diagnostics: &'d mut Diagnostics,
}

/// Why the reading ends.
enum Stop {
    /// The parser stopped at this byte, with these words.
    Syntax(usize, String),
    /// What was found beside the syntax.
    Told(Diagnostic),
}

impl From<Diagnostic> for Stop {
    fn from(told: Diagnostic) -> Stop {
        Stop::Told(told)
    }
}

/// Reads all documents. A syntax error whose cure is known is told and mended in a working copy,
/// if that is wanted; the first one whose cure is not known ends the reading.
pub(super) fn read(
    pass: &mut Pass<'_>,
    mends: bool,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Node>, Diagnostic> {
    let tokens_max = pass.limits().values / VALUES_PER_TOKENS;
    if let Some(at) = flow::too_long(pass.text, usize::try_from(tokens_max).unwrap_or(usize::MAX)) {
        let at = to_u32(at);
        let place = Place { source: pass.source, start: at, end: at + 1 };
        let most = counted(tokens_max, "value");
        let message = format!("a list in brackets of more than {most}");
        let raise = pass.limits().raise(Limits::VALUES_FLAG);
        let help = format!("write it with one `- ` a line, or in JSON; or {raise}");
        return Err(Diagnostic::new(place, message).help(help));
    }
    let mut copy = Copy::new(pass.text);
    let mut told_lines = Vec::new();
    let mut told_places = Vec::new();
    // The edits are for the text as it is: the last first, and the others keep their places.
    for told in foreign::find(pass.text).into_iter().rev() {
        let error = as_diagnostic(pass, &copy, &told);
        if !mends || !copy.mend(told.edits) {
            return Err(error);
        }
        told_lines.push(pass.sources.line(error.place).unwrap_or(1));
        diagnostics.push(error);
    }
    loop {
        let mut found = Diagnostics::default();
        let (error, edits) = match read_copy(pass, &copy, &mut found) {
            Ok(documents) => {
                let stray = Some(()).filter(|()| mends).and_then(|()| columns::stray(&copy.text));
                let told = stray.map(|told| (as_diagnostic(pass, &copy, &told), told.edits));
                let Some((error, edits)) = told else {
                    diagnostics.append(found);
                    return Ok(documents);
                };
                if told_places.contains(&error.place.start) || !copy.mend(edits) {
                    diagnostics.append(found);
                    return Ok(documents);
                }
                told_places.push(error.place.start);
                told_lines.push(pass.sources.line(error.place).unwrap_or(1));
                diagnostics.push(error);
                pass.restart();
                continue;
            }
            Err(Stop::Told(error)) => (error, Vec::new()),
            Err(Stop::Syntax(at, info)) => {
                let told = syntax::explain(&Fault { text: &copy.text, at, info: &info });
                (as_diagnostic(pass, &copy, &told), told.edits)
            }
        };
        let line = pass.sources.line(error.place).unwrap_or(1);
        let is_near = told_lines.iter().any(|told: &u32| told.abs_diff(line) < 2);
        let is_mended = copy.is_mended();
        let is_new = !told_places.contains(&error.place.start);
        if mends && is_new && copy.mend(edits) {
            told_places.push(error.place.start);
            told_lines.push(line);
            diagnostics.push(error);
            pass.restart();
            continue;
        }
        diagnostics.append(found);
        // Beside what was mended it may come of the mending.
        return if is_mended && is_near { Ok(Vec::new()) } else { Err(error) };
    }
}

/// What is told of the working copy, with its place in the original.
fn as_diagnostic(pass: &Pass<'_>, copy: &Copy<'_>, told: &Told) -> Diagnostic {
    let place = Place {
        source: pass.source,
        start: copy.original(to_u32(told.range.start)),
        end: copy.original(to_u32(told.range.end)),
    };
    Diagnostic { help: told.help.clone(), ..Diagnostic::new(place, told.message.clone()) }
}

/// All documents and the number of mistakes beside the syntax; `None` where it cannot be read.
pub(super) fn try_read(text: &str) -> Option<(Vec<Node>, usize)> {
    let mut sources = Sources::default();
    let source = sources.add("", text.to_owned());
    let whole = BTreeSet::new();
    let mut pass = Pass::new(&sources, source, text, Kept::ALL, &whole);
    let (copy, mut found) = (Copy::new(pass.text), Diagnostics::default());
    let documents = read_copy(&mut pass, &copy, &mut found).ok()?;
    Some((documents, found.len()))
}

fn read_copy(
    pass: &mut Pass<'_>,
    copy: &Copy<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Node>, Stop> {
    let text = &*copy.text;
    let mut reader = Reader {
        pass,
        text,
        copy,
        offsets: Offsets::new(text),
        open: Vec::new(),
        anchors: BTreeMap::new(),
        alias_values: 0,
        documents: Vec::new(),
        diagnostics,
    };
    let mut parser = Parser::new(StrInput::new(text));
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| reader.stop(&error))?;
        if matches!(event, Event::StreamEnd) {
            break;
        }
        reader.event(event, span)?;
    }
    Ok(reader.documents)
}

impl Reader<'_, '_, '_, '_> {
    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), Diagnostic> {
        let place = self.place(span);
        match event {
            Event::DocumentStart(_) => self.pass.begin_document(),
            Event::DocumentEnd => self.anchors.clear(),
            Event::Scalar(text, style, anchor, tag) => {
                self.check_tag(place, tag.as_deref(), true)?;
                let value = match anchor == 0 && self.expected().is_nothing() {
                    true => skipped_scalar(&text, style),
                    false => scalar(text, style, tag.as_deref()),
                };
                self.finished(Node { place, value }, anchor)?;
            }
            Event::SequenceStart(anchor, tag) => {
                self.check_tag(place, tag.as_deref(), false)?;
                let keep = self.kept_with(anchor);
                self.open(place, Open::Sequence { place, anchor, keep, items: Vec::new() })?;
            }
            Event::MappingStart(anchor, tag) => {
                self.check_tag(place, tag.as_deref(), false)?;
                let (keep, mapping) = (self.kept_with(anchor), MappingBuilder::new(place));
                self.open(place, Open::Mapping { anchor, keep, mapping, key: None })?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(place)?,
            Event::Alias(id) => self.alias(place, id)?,
            Event::Nothing | Event::StreamStart | Event::StreamEnd => {}
        }
        Ok(())
    }

    /// How much is kept of the value that comes next.
    fn expected(&self) -> &'static Keep {
        match self.open.last() {
            None => self.pass.keep,
            Some(Open::Sequence { keep, .. }) => keep,
            Some(Open::Mapping { key: None, .. }) => &Keep::All,
            Some(Open::Mapping { key: Some(key), keep, .. }) => keep.of(&key.text),
        }
    }

    /// The same where it may have an anchor: its aliases may stand where all is kept.
    fn kept_with(&self, anchor: usize) -> &'static Keep {
        if anchor > 0 { &Keep::All } else { self.expected() }
    }

    fn open(&mut self, place: Place, open: Open) -> Result<(), Diagnostic> {
        if self.open.len() >= self.pass.limits().depth() {
            return Err(self.pass.too_deep(place));
        }
        self.open.push(open);
        Ok(())
    }

    fn close(&mut self, place: Place) -> Result<(), Diagnostic> {
        let end = self.trimmed_end(place);
        match self.open.pop() {
            Some(Open::Sequence { place, anchor, mut items, .. }) => {
                items.shrink_to_fit();
                let place = Place { end: end.max(place.start), ..place };
                self.finished(Node { place, value: Value::Sequence(items) }, anchor)
            }
            Some(Open::Mapping { anchor, mapping, .. }) => {
                self.finished(mapping.finish(end), anchor)
            }
            None => Ok(()),
        }
    }

    /// A complete value: an item, a key, a value of a mapping or a document.
    fn finished(&mut self, mut node: Node, anchor: usize) -> Result<(), Diagnostic> {
        if anchor > 0 {
            let (values, depth) = measure(&node);
            // A copy is kept for the aliases.
            self.pass.count(values as u64, node.place)?;
            self.anchors.insert(anchor, Anchor { node: node.clone(), values, depth });
        }
        let keep = self.expected();
        if keep.is_nothing() {
            node.value = self.pass.skip(node.value);
        } else if !matches!(self.open.last(), Some(Open::Mapping { key: None, .. })) {
            self.pass.count(1, node.place)?;
        }
        let is_top = self.open.len() == 1;
        match self.open.last_mut() {
            None => {
                if !matches!(node.value, Value::Null) {
                    self.documents.push(node);
                }
            }
            Some(Open::Sequence { items, keep, .. }) => {
                // Of what is not kept, one item tells that there are some.
                if !keep.is_nothing() || items.is_empty() {
                    items.push(node);
                }
            }
            Some(Open::Mapping { key: key @ None, .. }) => {
                *key = Some(as_key(node, self.pass, self.diagnostics));
            }
            Some(Open::Mapping { mapping, key, keep, .. }) => {
                let Some(key) = key.take() else { return Ok(()) };
                let (key, node) = with_blank(self.pass, key, node, self.diagnostics);
                if is_top {
                    *keep = self.pass.see(&key.text, &node);
                }
                if let Err((key, first)) = mapping.push(key, node) {
                    self.diagnostics.push(self.pass.duplicate_key(&key, first));
                }
            }
        }
        Ok(())
    }

    fn alias(&mut self, place: Place, id: usize) -> Result<(), Diagnostic> {
        let Some(anchor) = self.anchors.get(&id) else {
            return Err(self.unknown_alias(place, id));
        };
        self.alias_values = self.alias_values.saturating_add(anchor.values);
        let limits = self.pass.limits();
        if self.alias_values > limits.alias_values {
            let most = counted(limits.alias_values as u64, "value");
            let message = format!("aliases make more than {most}");
            let raise = limits.raise(Limits::ALIAS_VALUES_FLAG);
            return Err(Diagnostic::new(place, message).help(raise));
        }
        if self.open.len() + anchor.depth > self.pass.limits().depth() {
            return Err(self.pass.too_deep(place));
        }
        let node = match self.expected().is_nothing() {
            true => Node { place, value: self.pass.skip(Value::Skipped) },
            false => {
                self.pass.count(anchor.values as u64, place)?;
                anchor.node.clone()
            }
        };
        self.finished(node, 0)
    }

    /// The error for an alias whose anchor the parser knows and this document does not.
    fn unknown_alias(&self, place: Place, id: usize) -> Diagnostic {
        let is_open = self.open.iter().any(|open| match open {
            Open::Sequence { anchor, .. } | Open::Mapping { anchor, .. } => *anchor == id,
        });
        if is_open {
            return Diagnostic::new(place, "this alias refers to a value that contains it");
        }
        Diagnostic::new(place, "the anchor of this alias is in another document")
            .help("an anchor holds up to the next `---`: write the value out")
    }

    fn check_tag(
        &self,
        place: Place,
        tag: Option<&Tag>,
        is_scalar: bool,
    ) -> Result<(), Diagnostic> {
        let Some(tag) = tag else { return Ok(()) };
        let known = ["str", "int", "float", "bool", "null", "seq", "map"];
        let string = tag.handle.is_empty() && tag.suffix == "!";
        let core = tag.is_yaml_core_schema() && known.contains(&&*tag.suffix);
        if !string && !core {
            let text = self.pass.text.get(place.start as usize..place.end as usize).unwrap_or("");
            let (written, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
            let rest = rest.trim();
            let help = match (tag.suffix.as_str(), is_scalar) {
                ("binary", _) => "write the text itself: base64 is not read here".to_owned(),
                (_, false) => "remove the tag".to_owned(),
                (_, true) if rest.is_empty() => format!("write \"{written}\", in quotes"),
                (_, true) => format!("write `{rest}`, without the tag"),
            };
            let message = format!("the YAML tag `{written}` means nothing here");
            return Err(Diagnostic::new(place, message).help(help));
        }
        Ok(())
    }

    fn place(&self, span: Span) -> Place {
        Place {
            source: self.pass.source,
            start: self.copy.original(self.offsets.byte(self.text, span.start.index())),
            end: self.copy.original(self.offsets.byte(self.text, span.end.index())),
        }
    }

    /// Where a collection ends: block collections end at the next token, far below.
    fn trimmed_end(&self, place: Place) -> u32 {
        let text = &self.pass.text[..place.end as usize];
        to_u32(text.trim_end().len())
    }

    fn stop(&self, error: &ScanError) -> Stop {
        let at = self.offsets.byte(self.text, error.marker().index());
        if error.info().contains("recursion limit") {
            let at = self.copy.original(at);
            let place = Place { source: self.pass.source, start: at, end: at };
            return Stop::Told(self.pass.too_deep(place));
        }
        Stop::Syntax(at as usize, error.info().to_owned())
    }
}

/// As [`scalar`], of what is not kept.
fn skipped_scalar(text: &str, style: ScalarStyle) -> Value {
    match style {
        ScalarStyle::Plain if is_null(text) => Value::Null,
        _ => Value::Skipped,
    }
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
fn as_key(node: Node, pass: &mut Pass<'_>, diagnostics: &mut Diagnostics) -> Key {
    let place = node.place;
    match node.value {
        Value::Quoted(text) => Key { place, text: pass.key_text(&text) },
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
            Key { place, text: pass.key_text(&text) }
        }
        Value::Null => {
            diagnostics.error_help(place, "a key is missing, or it is null", "write \"null\"");
            Key { place, text: "null".into() }
        }
        Value::Sequence(_) | Value::Mapping(_) | Value::Skipped => {
            diagnostics.error_help(
                place,
                "a list or mapping cannot be a key",
                "keys are strings; a range or a template in braces has to be quoted",
            );
            Key { place, text: SAID.into() }
        }
    }
}

/// A key with its value in one word, as flow style takes it: `{at:10s}`. It is told, and taken
/// apart.
fn with_blank(
    pass: &mut Pass<'_>,
    key: Key,
    node: Node,
    diagnostics: &mut Diagnostics,
) -> (Key, Node) {
    let range = key.place.start as usize..key.place.end as usize;
    // Not in quotes, and with nothing in the place of its value.
    let word = pass.text.get(range).filter(|word| **word == *key.text);
    let parts = word.and_then(|word| word.split_once(':'));
    let is_known = |(name, value): &(&str, &str)| syntax::KEYS.contains(name) && !value.is_empty();
    let Some((name, value)) = parts.filter(is_known).filter(|_| matches!(node.value, Value::Null))
    else {
        return (key, node);
    };
    let told = syntax::no_blank_in(key.place.start as usize, name, value);
    diagnostics.push(Diagnostic { help: told.help, ..Diagnostic::new(key.place, told.message) });
    let middle = key.place.start + to_u32(name.len());
    let place = Place { start: middle + 1, ..key.place };
    let key = Key { place: Place { end: middle, ..key.place }, text: pass.key_text(name) };
    (key, Node { place, value: scalar(value.into(), ScalarStyle::Plain, None) })
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
        Value::Plain(text) | Value::Quoted(text) => return (1 + text.len() / TEXT_COUNTS, 0),
        _ => return (1, 0),
    }
    (nodes, depth + 1)
}
