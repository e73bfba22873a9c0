//! Keys and list items that stand in a wrong column: what the parser makes of them is far from what
//! went wrong. A column is named only where a text with this line in that column can be read, and
//! no other column fits the language as well.

use std::cmp::Reverse;
use std::ops::{Range, RangeInclusive};

use super::repair::Edit;
use super::syntax::{Fault, Told};
use super::yaml;
use crate::reference::{Kind, Mapping, Rule, SCENARIO};
use crate::scenario::tree::{Key, Node, Place, Value};

mod stray;

pub(super) use stray::stray;

/// How far something is moved.
const FAR: usize = 4;
/// How many lines from the error on upwards are moved, and how many lines around have columns.
const LINES: usize = 16;
/// How many bytes are read in all: each move is tried on the whole text.
const BYTES: usize = 4 << 20;

/// What counts as no fit at all: a key that moved to where nobody knows it.
const STRANGE: usize = 1 << 20;

/// How many lines move with another that do not belong to it.
const RUN: usize = 4;

/// What the parser says where the columns are wrong.
const SAID: [&str; 5] = [
    "mapping values are not allowed",
    "did not find expected key",
    "did not find expected '-' indicator",
    "simple key expect",
    "block sequence entries are not allowed",
];

/// A line in another column, perhaps with those that belong to it.
struct Move {
    /// How much of the language it does not fit.
    misfits: usize,
    /// How many lines above the error.
    above: usize,
    /// How many columns.
    by: usize,
    /// The first line and how many more, from 0.
    line: usize,
    more: usize,
    from: usize,
    to: usize,
}

/// The line that is to be moved, where that is known for sure.
pub(super) fn wrong(fault: &Fault<'_>) -> Option<Told> {
    if !SAID.iter().any(|said| fault.info.contains(said)) {
        return None;
    }
    let mut left = BYTES / fault.text.len().max(1);
    if left == 0 {
        return None;
    }
    let lines: Vec<&str> = fault.text.split_inclusive('\n').collect();
    let last = fault.text[..fault.at].matches('\n').count();
    // A line alone, or with what belongs to it; only then with others.
    let is_language = fault.text.contains("kind: Scenario");
    let best = |moves: Vec<Move>| surest(moves, is_language);
    let mut found = best(moves(&lines, last, &mut left, |below| vec![0, below])?);
    if is_language && found.as_ref().is_none_or(|found| found.misfits > 0) {
        let run = best(moves(&lines, last, &mut left, |_| (1..=RUN).collect())?);
        found = run.filter(|run| run.misfits == 0).or(found);
    }
    // What is wrong beside the columns makes a line far from the error a guess.
    let found = found.filter(|found| found.misfits == 0 || found.above == 0)?;
    let told = told(&lines, &found);
    // Where the language vouches for it, what is below is read as it is meant.
    let edits = if is_language { edits(&lines, &found) } else { Vec::new() };
    Some(told.mended(edits))
}

/// What moves the lines.
fn edits(lines: &[&str], found: &Move) -> Vec<Edit> {
    let start: usize = lines[..found.line].iter().map(|line| line.len()).sum();
    let (add, remove) = (found.to.saturating_sub(found.from), found.from.saturating_sub(found.to));
    let edit = |at: &mut usize, line: &&str| {
        let edit = Edit { at: *at, remove, insert: " ".repeat(add) };
        *at += line.len();
        Some(edit)
    };
    lines[found.line..=found.line + found.more].iter().scan(start, edit).collect()
}

/// All moves after which the text can be read; `None` where they are too many to be tried.
/// `lengths` gives how many lines move with the first, below which so many are further in.
fn moves(
    lines: &[&str],
    last: usize,
    left: &mut usize,
    lengths: fn(usize) -> Vec<usize>,
) -> Option<Vec<Move>> {
    let around = last.saturating_sub(2 * LINES)..(last + LINES).min(lines.len());
    let mut columns: Vec<usize> =
        lines.get(around)?.iter().flat_map(|line| beginnings(line)).collect();
    columns.sort_unstable();
    columns.dedup();
    let mut moves = Vec::new();
    for line in (last.saturating_sub(LINES)..=last).rev() {
        let Some((first, below)) = lines.get(line..).and_then(<[&str]>::split_first) else {
            continue;
        };
        let Some(from) = beginnings(first).first().copied() else { continue };
        let mut lengths = lengths(below.iter().take_while(|line| indent(line) > from).count());
        lengths.dedup();
        lengths.retain(|more| *more <= below.len());
        let near = |to: &&usize| **to != from && to.abs_diff(from) <= FAR;
        for to in columns.iter().filter(near) {
            for more in &lengths {
                *left = left.checked_sub(1)?;
                let moved = moved(lines, line..=line + more, from, *to);
                let Some(misfits) = moved.and_then(|(text, at)| misfits_of(&text, at)) else {
                    continue;
                };
                let (above, by) = (last - line, to.abs_diff(from));
                moves.push(Move { misfits, above, by, line, more: *more, from, to: *to });
            }
        }
    }
    Some(moves)
}

/// The move that is better than all others. Of two columns for one line neither is sure; where the
/// language vouches for the result, either of two lines may be moved.
fn surest(mut moves: Vec<Move>, is_language: bool) -> Option<Move> {
    moves.sort_by_key(|m| (m.misfits, m.by, m.above, m.more, Reverse(m.to)));
    let best = moves.first().filter(|best| best.misfits < STRANGE)?;
    let is_tie = |next: &Move| {
        (best.misfits, best.by) == (next.misfits, next.by)
            && if best.line == next.line { best.to != next.to } else { !is_language }
    };
    let is_sure = !moves.iter().any(is_tie);
    moves.into_iter().next().filter(|_| is_sure)
}

fn told(lines: &[&str], best: &Move) -> Told {
    let (range, is_item) = place(lines, best);
    let what = if is_item { "item" } else { "key" };
    let message = format!("this {what} stands in a wrong column: {}", best.from + 1);
    let mut help = advice(best);
    // There may be several lists around; what is an item of which tells the first key.
    let first = lines[best.line][best.from..].trim_start_matches(['-', ' ']);
    let key = first.split_once(':').map(|(key, _)| key).filter(|_| is_item);
    if let Some(home) = key.and_then(|key| stray::home_after(lines, best, key)) {
        help.push_str(&format!("; there it is {}", stray::words(home)));
    }
    Told::new(range, message, help)
}

/// The dash or key that begins the lines, and whether it is a dash.
fn place(lines: &[&str], best: &Move) -> (Range<usize>, bool) {
    let start = lines[..best.line].iter().map(|line| line.len()).sum::<usize>() + best.from;
    let line = &lines[best.line][best.from..];
    let is_item = line.starts_with('-');
    let length = if is_item { 1 } else { line.find(':').unwrap_or(1) };
    (start..start + length, is_item)
}

/// What to move, and where to.
fn advice(best: &Move) -> String {
    match best.more {
        0 => format!("move it to column {}", best.to + 1),
        1 => format!("move it to column {}, and the line below it by as much", best.to + 1),
        more => {
            format!("move it to column {}, and the {more} lines below it by as much", best.to + 1)
        }
    }
}

/// The text with these lines moved, and where the first of them is in it; `None` where one of them has no room.
fn moved(
    lines: &[&str],
    range: RangeInclusive<usize>,
    from: usize,
    to: usize,
) -> Option<(String, Range<usize>)> {
    let mut first = 0..0;
    let mut text = String::with_capacity(lines.iter().map(|line| line.len() + FAR).sum());
    for (number, line) in lines.iter().enumerate() {
        let start = text.len();
        match range.contains(&number) {
            true if to > from => text.extend([&" ".repeat(to - from), *line]),
            true => text.push_str(line.strip_prefix(&" ".repeat(from - to))?),
            false => text.push_str(line),
        }
        if number == *range.start() {
            first = start..text.len();
        }
    }
    Some((text, first))
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The columns of what a line begins with: in `- a: b` of an item and a key.
fn beginnings(line: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut column = indent(line);
    loop {
        let rest = line[column..].trim_end();
        if rest == "-" || rest.starts_with("- ") {
            found.push(column);
            column += 1 + indent(&rest[1..]);
            continue;
        }
        let is_key = |c: char| c.is_ascii_alphanumeric() || "._/-\"'".contains(c);
        let end = rest.find(|c| !is_key(c)).unwrap_or(rest.len());
        if end > 0 && (&rest[end..] == ":" || rest[end..].starts_with(": ")) {
            found.push(column);
        }
        return found;
    }
}

/// How many parts of a text the language does not know; `None` where it cannot be read.
fn misfits_of(text: &str, moved: Range<usize>) -> Option<usize> {
    let (documents, mistakes) = yaml::try_read(text)?;
    // It may have got into a text.
    if !documents.iter().any(|node| begins_in(node, &moved)) {
        return None;
    }
    Some(mistakes + misfits_in(&documents, &moved))
}

/// The same of documents that could be read.
fn misfits_in(documents: &[Node], moved: &Range<usize>) -> usize {
    let scenarios = documents.iter().filter(|node| is_scenario(node));
    scenarios.map(|node| in_mapping(&SCENARIO, node, moved)).sum()
}

/// Whether a document says that it is a Scenario.
fn is_scenario(node: &Node) -> bool {
    let Value::Mapping(entries) = &node.value else { return false };
    entries.iter().any(|(key, value)| {
        &*key.text == "kind" && matches!(&value.value, Value::Plain(kind) if &**kind == "Scenario")
    })
}

/// Whether a key or a value begins at a byte of the range.
fn begins_in(node: &Node, range: &Range<usize>) -> bool {
    let is_in = |place: Place| range.contains(&(place.start as usize));
    is_in(node.place)
        || match &node.value {
            Value::Sequence(items) => items.iter().any(|item| begins_in(item, range)),
            Value::Mapping(entries) => {
                entries.iter().any(|(key, node)| is_in(key.place) || begins_in(node, range))
            }
            _ => false,
        }
}

fn misfits(kind: &Kind, node: &Node, moved: &Range<usize>) -> usize {
    match (kind, &node.value) {
        (Kind::MappingOrNothing(_), Value::Null) | (Kind::Manifest, Value::Mapping(_)) => 0,
        (Kind::Mapping(mapping) | Kind::MappingOrNothing(mapping), _) => {
            in_mapping(mapping, node, moved)
        }
        (Kind::List { of, .. }, Value::Sequence(items)) => {
            items.iter().map(|item| misfits(of, item, moved)).sum()
        }
        (Kind::Either(kinds), value) => {
            // A mapping is meant for the form that is one, however little it fits.
            let is_mapping = matches!(value, Value::Mapping(_));
            let has_mapping = kinds.iter().any(|kind| matches!(kind, Kind::Mapping(_)));
            let is_meant =
                |kind: &&Kind| !is_mapping || !has_mapping || matches!(kind, Kind::Mapping(_));
            let forms = kinds.iter().filter(is_meant);
            forms.map(|kind| misfits(kind, node, moved)).min().unwrap_or(0)
        }
        (Kind::Labels, Value::Mapping(entries)) => {
            let is_text = |node: &Node| matches!(node.value, Value::Plain(_) | Value::Quoted(_));
            entries.iter().filter(|(_, value)| !is_text(value)).count()
        }
        (Kind::Labels | Kind::Manifest | Kind::List { .. }, _) => 1,
        (_, Value::Plain(_) | Value::Quoted(_)) => 0,
        _ => 1,
    }
}

fn in_mapping(mapping: &Mapping, node: &Node, moved: &Range<usize>) -> usize {
    let Value::Mapping(entries) = &node.value else { return 1 };
    let has = |key: &&str| entries.iter().any(|(known, _)| &*known.text == *key);
    let lacks = mapping.fields().filter(|field| field.is_required && !has(&field.key)).count();
    let broken = mapping.rules.iter().filter(|rule| {
        let count = |keys: &[&str]| keys.iter().filter(|key| has(key)).count();
        match rule {
            Rule::ExactlyOne(keys) => count(keys) != 1,
            Rule::AtLeastOne(keys) => count(keys) == 0,
            Rule::AtMostOne(keys) => count(keys) > 1,
            Rule::Needs(some, others) => count(some) > 0 && count(others) == 0,
        }
    });
    let of_entry = |(key, value): &(Key, Node)| match mapping.field(&key.text) {
        Some(field) => misfits(&field.kind, value, moved),
        None if moved.contains(&(key.place.start as usize)) => STRANGE,
        None => 1,
    };
    lacks + broken.count() + entries.iter().map(of_entry).sum::<usize>()
}
