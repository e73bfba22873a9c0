//! Keys that nobody knows where they stand, and that another mapping nearby does: they are in a
//! wrong column, though the text can be read. `kubectl` in the column of `steps` is an example.

use std::ops::Range;

use super::{FAR, Move, RUN, SCENARIO, advice, beginnings, edits, indent, is_scenario};
use super::{misfits_in, misfits_of, moved, place, surest};
use crate::reference::{Kind, Mapping};
use crate::scenario::reader::syntax::Told;
use crate::scenario::reader::yaml;
use crate::scenario::tree::{Node, Value};

/// Longer texts are not searched: each move is tried on the whole of it.
const LENGTH: usize = 64 << 10;
/// How many keys are looked at, and how many lines above one have the columns for it.
const KEYS: usize = 12;
const ABOVE: usize = 40;

/// A key that its mapping does not know.
struct Stray {
    key: String,
    at: usize,
    mapping: &'static Mapping,
}

/// The first key that fits better in another column.
pub(in crate::scenario::reader) fn stray(text: &str) -> Option<Told> {
    if text.len() > LENGTH || !text.contains("kind: Scenario") {
        return None;
    }
    let (documents, mistakes) = yaml::try_read(text)?;
    let mut strays = Vec::new();
    for document in documents.iter().filter(|node| is_scenario(node)) {
        collect(&Kind::Mapping(&SCENARIO), document, &mut strays);
    }
    let now = mistakes + misfits_in(&documents, &(0..0));
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    strays.into_iter().take(KEYS).find_map(|stray| better(text, &lines, &stray, now))
}

/// The keys that the mappings of the language do not know.
fn collect(kind: &Kind, node: &Node, strays: &mut Vec<Stray>) {
    match &node.value {
        Value::Sequence(items) => {
            if let Some(of) = item_kind(kind) {
                items.iter().for_each(|item| collect(of, item, strays));
            }
        }
        Value::Mapping(entries) if !kind.is_list() => {
            let Some(mapping) = kind.mapping() else { return };
            for (key, value) in entries {
                match mapping.field(&key.text) {
                    Some(field) => collect(&field.kind, value, strays),
                    None => strays.push(Stray {
                        key: key.text.to_string(),
                        at: key.place.start as usize,
                        mapping,
                    }),
                }
            }
        }
        _ => {}
    }
}

fn item_kind(kind: &Kind) -> Option<&'static Kind> {
    match kind {
        Kind::List { of, .. } => Some(of),
        Kind::Either(kinds) => kinds.iter().find_map(item_kind),
        _ => None,
    }
}

/// The move after which the key is known, and which makes more of the text fit than any other.
fn better(text: &str, lines: &[&str], stray: &Stray, now: usize) -> Option<Told> {
    let line = text[..stray.at].matches('\n').count();
    let (first, below) = lines.get(line..).and_then(<[&str]>::split_first)?;
    let columns = beginnings(first);
    let from = *columns.first()?;
    // The key begins its line, or the item that the line begins.
    let start = text[..stray.at].rfind('\n').map_or(0, |i| i + 1);
    if !columns.contains(&(stray.at - start)) {
        return None;
    }
    let mut targets: Vec<usize> =
        lines[line.saturating_sub(ABOVE)..line].iter().flat_map(|line| beginnings(line)).collect();
    targets.sort_unstable();
    targets.dedup();
    let mut moves = Vec::new();
    for to in targets.into_iter().filter(|to| *to != from && to.abs_diff(from) <= 2 * FAR) {
        for more in lengths(below, from) {
            let text = moved(lines, line..=line + more, from, to);
            let Some(misfits) = text.and_then(|(text, at)| misfits_of(&text, at)) else { continue };
            let by = to.abs_diff(from);
            moves.push(Move { misfits, above: 0, by, line, more, from, to });
        }
    }
    let best = surest(moves, true).filter(|best| best.misfits < now)?;
    let (range, is_item) = place(lines, &best);
    let home = home_after(lines, &best, &stray.key)?;
    let (key, home, here) = (&stray.key, words(home), words(stray.mapping));
    let message = match is_item {
        true => {
            format!("this item stands in a wrong column: `{key}` is a key of {home}, not of {here}")
        }
        false => format!("`{key}` stands in a wrong column: it is a key of {home}, not of {here}"),
    };
    Some(Told::new(range, message, advice(&best)).mended(edits(lines, &best)))
}

/// The mapping in which the key is after the move.
pub(super) fn home_after(lines: &[&str], best: &Move, key: &str) -> Option<&'static Mapping> {
    let (text, at) = moved(lines, best.line..=best.line + best.more, best.from, best.to)?;
    let (documents, _) = yaml::try_read(&text)?;
    documents.iter().find_map(|node| home(&Kind::Mapping(&SCENARIO), node, key, &at))
}

/// How many lines move with the first: what is below it, and then what stands beside it.
fn lengths(below: &[&str], from: usize) -> Vec<usize> {
    let mut found = Vec::new();
    let mut more = 0;
    while found.len() < RUN {
        let deeper = below[more..]
            .iter()
            .take_while(|line| indent(line) > from || line.trim().is_empty() && !line.is_empty());
        more += deeper.count();
        found.push(
            more - below[..more].iter().rev().take_while(|line| line.trim().is_empty()).count(),
        );
        let beside = below.get(more).filter(|line| indent(line) == from);
        if beside.is_none_or(|line| line[from..].starts_with('-')) {
            break;
        }
        more += 1;
    }
    found
}

/// The mapping that has a key of this name in these bytes.
fn home(kind: &Kind, node: &Node, wanted: &str, at: &Range<usize>) -> Option<&'static Mapping> {
    match &node.value {
        Value::Sequence(items) => {
            let of = item_kind(kind)?;
            items.iter().find_map(|item| home(of, item, wanted, at))
        }
        Value::Mapping(entries) => {
            let mapping = kind.mapping()?;
            entries.iter().find_map(|(key, value)| {
                if *key.text == *wanted && at.contains(&(key.place.start as usize)) {
                    return Some(mapping);
                }
                home(&mapping.field(&key.text)?.kind, value, wanted, at)
            })
        }
        _ => None,
    }
}

/// What a mapping is called in a sentence: `a toleration`.
pub(super) fn words(mapping: &Mapping) -> String {
    if mapping.name == "Spec" {
        return "`spec`".to_owned();
    }
    let mut name = String::new();
    for c in mapping.name.chars() {
        if c.is_ascii_uppercase() && !name.is_empty() {
            name.push(' ');
        }
        name.push(c.to_ascii_lowercase());
    }
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {name}")
}
