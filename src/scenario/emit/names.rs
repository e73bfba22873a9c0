//! Names as ranges, where several of them count up.

use crate::scenario::limits::Limits;
use crate::scenario::range::Pattern;

/// So many names in a row make a range among other names.
const RANGE_AMONG_NAMES: usize = 3;
/// Most digits of a number that counts up.
const DIGITS_MAX: usize = 18;

/// A name taken apart at a number that counts up.
struct Counted<'n> {
    before: &'n str,
    first: &'n str,
    after: &'n str,
}

impl Counted<'_> {
    fn number(&self, more: usize) -> Option<String> {
        let first: u64 = self.first.parse().ok()?;
        let number = first.checked_add(u64::try_from(more).ok()?)?;
        let padded = self.first.len() > 1 && self.first.starts_with('0');
        let width = if padded { self.first.len() } else { 0 };
        let text = format!("{number:0width$}");
        // A range of numbers with leading zeros has one width.
        (!padded || text.len() == width).then_some(text)
    }

    fn is(&self, name: &str, more: usize) -> bool {
        let rest = name.strip_prefix(self.before).and_then(|rest| rest.strip_suffix(self.after));
        rest.is_some_and(|rest| self.number(more).is_some_and(|number| number == rest))
    }
}

/// The ways to take a name apart at one of its numbers, the last one first.
fn counted(name: &str) -> Vec<Counted<'_>> {
    let bytes = name.as_bytes();
    let mut found = Vec::new();
    let mut end = bytes.len();
    while let Some(last) = bytes[..end].iter().rposition(u8::is_ascii_digit) {
        let start = bytes[..last].iter().rposition(|b| !b.is_ascii_digit()).map_or(0, |at| at + 1);
        let (before, rest) = name.split_at(start);
        let (first, after) = rest.split_at(last + 1 - start);
        if first.len() <= DIGITS_MAX {
            found.push(Counted { before, first, after });
        }
        end = start;
    }
    found
}

/// How many names at the beginning count up from the first one, and the range of the first `most`
/// of them at most.
fn counting<'n>(names: &[&'n str]) -> Option<(usize, Counted<'n>)> {
    let (first, second) = (names.first()?, names.get(1)?);
    if first.contains(['{', '}']) {
        return None;
    }
    let at = counted(first).into_iter().find(|at| at.is(second, 1))?;
    let count = names.iter().enumerate().skip(2).take_while(|(more, name)| at.is(name, *more));
    Some((2 + count.count(), at))
}

/// How many names at the beginning one range can name; 1 where none can.
fn run(names: &[&str]) -> usize {
    counting(names).map_or(1, |(count, _)| count)
}

/// All names as names and ranges, each with how many it names.
pub(super) fn runs(names: &[&str]) -> Vec<(usize, String)> {
    let mut list = Vec::new();
    let mut rest = names;
    while let Some(first) = rest.first() {
        let count = run(rest);
        let text = range(&rest[..count]).unwrap_or_else(|| (*first).to_owned());
        list.push((count, text));
        rest = &rest[count..];
    }
    list
}

/// The one name, or the range of names that all count up.
pub(super) fn range(names: &[&str]) -> Option<String> {
    if let [name] = names {
        return Some((*name).to_owned());
    }
    let (count, at) = counting(names)?;
    let last = at.number(names.len() - 1).filter(|_| count == names.len())?;
    Some(format!("{}{{{}..{last}}}{}", at.before, at.first, at.after))
}

/// Names as they stand in a list: ranges where some count up.
pub(super) fn folded(names: &[&str]) -> Vec<String> {
    let mut list = Vec::new();
    let mut rest = names;
    for (count, range) in runs(names) {
        let (these, others) = rest.split_at(count);
        match count >= RANGE_AMONG_NAMES {
            true => list.push(range),
            false => list.extend(these.iter().map(|name| (*name).to_owned())),
        }
        rest = others;
    }
    list
}

/// One text for all names, in this order; `None` where no range makes them.
pub(super) fn one_text(names: &[&str]) -> Option<String> {
    if let Some(range) = range(names) {
        return Some(range);
    }
    let first = names.first()?;
    let is_ascii = names.iter().all(|name| name.is_ascii());
    let common = |count: fn(&str, &str) -> usize| {
        let shared = names.iter().map(|name| count(first, name)).min().unwrap_or(0);
        // A character of several bytes is not worth taking apart.
        if is_ascii { shared } else { 0 }
    };
    let is_part = |c: char| c.is_alphanumeric();
    // What is shared ends where a part of the name does.
    let before = first[..common(shared_start)].trim_end_matches(is_part);
    let shortest = names.iter().map(|name| name.len()).min().unwrap_or(0);
    let shared = common(shared_end).min(shortest - before.len());
    let after = first[first.len() - shared..].trim_start_matches(is_part);
    let words: Vec<&str> =
        names.iter().map(|name| &name[before.len()..name.len() - after.len()]).collect();
    let text = format!("{before}{{{}}}{after}", words.join(","));
    let mut made = Vec::new();
    Pattern::parse(&text, &Limits::default()).ok()?.for_each(|name| made.push(name.to_owned()));
    (made == names).then_some(text)
}

fn shared_start(one: &str, other: &str) -> usize {
    one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count()
}

fn shared_end(one: &str, other: &str) -> usize {
    one.bytes().rev().zip(other.bytes().rev()).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_count_up_are_ranges() {
        for (names, text) in [
            ("a", "a"),
            ("a b", "a b"),
            ("n-0 n-1", "n-0 n-1"),
            ("n-0 n-1 n-2", "n-{0..2}"),
            ("n-9 n-10 n-11 x", "n-{9..11} x"),
            ("n08 n09 n10", "n{08..10}"),
            ("n98 n99 n100", "n{98..100}"),
            ("n0 n2 n4", "n0 n2 n4"),
            ("shop/web-1 shop/web-2 shop/web-3", "shop/web-{1..3}"),
            ("a0-x a1-x a2-x", "a{0..2}-x"),
            ("a1b1 a1b2 a1b3", "a1b{1..3}"),
            ("a1b1 a2b1 a3b1", "a{1..3}b1"),
            ("18446744073709551615 0 1", "18446744073709551615 0 1"),
        ] {
            let names: Vec<&str> = names.split(' ').collect();
            assert_eq!(folded(&names).join(" "), text, "{names:?}");
        }
    }

    #[test]
    fn any_names_have_one_text() {
        for (names, text) in [
            ("a", "a"),
            ("n-0 n-1", "n-{0..1}"),
            ("db-0 cache-0", "{db,cache}-0"),
            ("n099 n100 n101", "n{099..101}"),
            ("n98 n99 n0100", "{n98,n99,n0100}"),
            ("web-a web-c web-b", "web-{a,c,b}"),
            ("a a", "{a,a}"),
            ("x-1 x-1", "x-{1,1}"),
            ("web web-1", "{web,web-1}"),
        ] {
            let names: Vec<&str> = names.split(' ').collect();
            assert_eq!(one_text(&names).as_deref(), Some(text));
        }
        assert_eq!(one_text(&["é1", "è"]).as_deref(), Some("{é1,è}"));
        assert_eq!(one_text(&["a,b", "c"]), None);
        assert_eq!(one_text(&["a..b", "c"]), None);
    }
}
