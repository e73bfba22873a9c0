//! Scalars of the language: strings, integers, booleans, durations, words of a list.
//!
//! Nothing is guessed. A value of the wrong type is a mistake whose help shows the right form:
//! numbers have no unit by chance, a string is no number, and no word is a YAML 1.1 boolean.

use super::diagnostic::{Diagnostic, Diagnostics, nearest};
use super::fields::describe;
use super::reader::{SAID, not_a_string};
use super::tree::{Node, Value};
use crate::kernel::time::{NANOS_PER_SECOND, Span, SpanRange, Time};

mod duration;

pub use duration::{duration_help, duration_problem};

/// A string. Plain numbers and booleans are none, as for the API server.
pub fn string<'t>(node: &'t Node, what: &str, diagnostics: &mut Diagnostics) -> Option<&'t str> {
    match &node.value {
        Value::Quoted(text) => Some(text),
        Value::Plain(text) if not_a_string(text) => {
            diagnostics.error_help(
                node.place,
                format!("{what} is a string, not the bare {} `{text}`", bare_type(text)),
                format!("write \"{text}\""),
            );
            None
        }
        Value::Plain(text) => Some(text),
        other => {
            wrong_type(node, what, "a string", other, diagnostics);
            None
        }
    }
}

/// Text as it stands, whether quoted or not: for values with an own syntax.
pub fn text<'t>(node: &'t Node, what: &str, diagnostics: &mut Diagnostics) -> Option<&'t str> {
    match &node.value {
        Value::Quoted(text) | Value::Plain(text) => Some(text),
        other => {
            wrong_type(node, what, "a string", other, diagnostics);
            None
        }
    }
}

/// A whole number between `least` and `greatest`, in plain decimal digits.
pub fn integer(
    node: &Node,
    what: &str,
    least: i64,
    greatest: i64,
    diagnostics: &mut Diagnostics,
) -> Option<i64> {
    let text = match &node.value {
        Value::Plain(text) => text,
        Value::Quoted(text) => {
            let help = match parse_integer(text) {
                Some(_) => format!("write {text} without quotes"),
                None => integer_help(text),
            };
            let message = format!("{what} is an integer, not the string \"{text}\"");
            diagnostics.error_help(node.place, message, help);
            return None;
        }
        other => {
            wrong_type(node, what, "an integer", other, diagnostics);
            return None;
        }
    };
    let Some(number) = parse_integer(text) else {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let decimal = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        if decimal && !digits.starts_with('0') {
            let message = format!("{what} is a number of 64 bits, and {text} is out of range");
            let help = format!("write a number that is {}", range_words(least, greatest));
            diagnostics.error_help(node.place, message, help);
        } else {
            let message = format!("{what} is an integer, not `{text}`");
            diagnostics.error_help(node.place, message, integer_help(text));
        }
        return None;
    };
    if number < least || number > greatest {
        let message = format!("{what} is {}, not {text}", range_words(least, greatest));
        let help = match number < least {
            true => format!("write {least} or more"),
            false => format!("write {greatest} or less"),
        };
        diagnostics.error_help(node.place, message, help);
        return None;
    }
    Some(number)
}

fn range_words(least: i64, greatest: i64) -> String {
    match (least, greatest) {
        (_, i64::MAX) if least > i64::MIN => format!("at least {least}"),
        _ => format!("between {least} and {greatest}"),
    }
}

/// What would be right in place of a text that is no integer.
fn integer_help(text: &str) -> String {
    if let Ok(span) = Span::parse(text)
        && span.0 > 0
        && span.0.is_multiple_of(NANOS_PER_SECOND)
    {
        let seconds = span.0 / NANOS_PER_SECOND;
        return format!("write {seconds}: whole seconds, without a unit");
    }
    if let Some(number) = NUMBER_WORDS.iter().position(|word| text.eq_ignore_ascii_case(word)) {
        return format!("write {number}");
    }
    let plain = text.replace('_', "");
    let digits = plain.trim_start_matches(['+', '0']);
    let right = match (plain.strip_prefix("0x"), plain.strip_prefix("0o")) {
        (Some(hexadecimal), _) => u64::from_str_radix(hexadecimal, 16).ok(),
        (_, Some(octal)) => u64::from_str_radix(octal, 8).ok(),
        _ => digits.split('.').next().and_then(|whole| whole.parse().ok()),
    };
    match right {
        Some(number) => format!("write decimal digits only, such as {number}"),
        None => "write a whole number, such as 7".into(),
    }
}

/// Numbers as words, each at the place of its value.
const NUMBER_WORDS: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
];

/// A whole number of up to 64 bits, without a sign.
pub fn unsigned(node: &Node, what: &str, diagnostics: &mut Diagnostics) -> Option<u64> {
    if let Value::Plain(text) = &node.value
        && text.bytes().all(|b| b.is_ascii_digit())
        && (text.len() == 1 || !text.starts_with('0'))
        && let Ok(number) = text.parse()
    {
        return Some(number);
    }
    if let Value::Plain(text) = &node.value
        && text.bytes().all(|b| b.is_ascii_digit())
        && !text.starts_with('0')
    {
        let message = format!("{what} is between 0 and {}, not {text}", u64::MAX);
        diagnostics.error_help(node.place, message, format!("write {} at most", u64::MAX));
        return None;
    }
    integer(node, what, 0, i64::MAX, diagnostics)?;
    None
}

/// Decimal digits with an optional minus sign and no leading zeros.
fn parse_integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let leading_zero = digits.len() > 1 && digits.starts_with('0');
    if !plain || leading_zero { None } else { text.parse().ok() }
}

/// `true` or `false`.
pub fn boolean(node: &Node, what: &str, diagnostics: &mut Diagnostics) -> Option<bool> {
    let (text, quoted) = match &node.value {
        Value::Plain(text) => (&**text, false),
        Value::Quoted(text) => (&**text, true),
        other => {
            wrong_type(node, what, "true or false", other, diagnostics);
            return None;
        }
    };
    match (text, quoted) {
        ("true", false) => return Some(true),
        ("false", false) => return Some(false),
        _ => {}
    }
    let message = format!("{what} is true or false, not {}", describe(&node.value));
    let help = match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "y" => "write true",
        "false" | "no" | "off" | "n" => "write false",
        _ => "write true or false",
    };
    diagnostics.error_help(node.place, message, help);
    None
}

/// A Go duration.
pub fn span(node: &Node, what: &str, diagnostics: &mut Diagnostics) -> Option<Span> {
    go_duration(node, what, "a duration", diagnostics)
}

fn go_duration(node: &Node, what: &str, kind: &str, diagnostics: &mut Diagnostics) -> Option<Span> {
    let (Value::Quoted(text) | Value::Plain(text)) = &node.value else {
        wrong_type(node, what, &format!("{kind} such as `10s`"), &node.value, diagnostics);
        return None;
    };
    match Span::parse(text) {
        Ok(span) => Some(span),
        Err(error) => {
            let message = format!("{what} is {kind}, and {}", duration_problem(text, error));
            diagnostics.error_help(node.place, message, duration_help(text, error));
            None
        }
    }
}

/// A Go duration, or a range of them such as `1ms..5ms`, of which one is drawn each time.
pub fn span_range(node: &Node, what: &str, diagnostics: &mut Diagnostics) -> Option<SpanRange> {
    let (Value::Quoted(text) | Value::Plain(text)) = &node.value else {
        let expected = "a duration such as `10ms`, or a range such as `1ms..5ms`";
        wrong_type(node, what, expected, &node.value, diagnostics);
        return None;
    };
    let written_otherwise = ["...", "…", "-"].into_iter().find_map(|sign| {
        let (low, high) = text.split_once(sign)?;
        let is_range = Span::parse(low).is_ok() && Span::parse(high).is_ok();
        is_range.then(|| format!("write `{low}..{high}`"))
    });
    if let Some(help) = written_otherwise {
        let message = format!("{what} is a duration or a range of them, and `{text}` is neither");
        diagnostics.error_help(node.place, message, help);
        return None;
    }
    let Some((low, high)) = text.split_once("..") else {
        return span(node, what, diagnostics).map(SpanRange::from);
    };
    let mut end = |text: &str| match Span::parse(text) {
        Ok(span) => Some(span),
        Err(error) => {
            let problem = match text.is_empty() {
                true => "one of its ends is empty".to_owned(),
                false => duration_problem(text, error),
            };
            let message = format!("{what} is a range of durations, and {problem}");
            let help = "write both ends, each with its unit, such as `1ms..5ms`";
            diagnostics.error_help(node.place, message, help);
            None
        }
    };
    let low = end(low)?;
    let high = end(high)?;
    if low > high {
        let message = format!("{what} is a range of durations, and `{text}` ends before it begins");
        diagnostics.error_help(node.place, message, format!("write `{high}..{low}`"));
        return None;
    }
    Some(SpanRange { low, high })
}

/// A time since the start of the run, written as a Go duration.
pub fn time(node: &Node, what: &str, diagnostics: &mut Diagnostics) -> Option<Time> {
    go_duration(node, what, "a time", diagnostics).map(|span| Time(span.0))
}

/// One of some words.
pub fn word<T: Copy>(
    node: &Node,
    what: &str,
    words: &[(&str, T)],
    diagnostics: &mut Diagnostics,
) -> Option<T> {
    let text = text(node, what, diagnostics)?;
    if let Some((_, value)) = words.iter().find(|(word, _)| *word == text) {
        return Some(*value);
    }
    let list: Vec<_> = words.iter().map(|(word, _)| *word).collect();
    let message = match list.as_slice() {
        [only] => format!("`{what}` is {only}, not `{text}`"),
        _ => format!("`{what}` is one of {}, not `{text}`", list.join(", ")),
    };
    let help = match nearest(text, list.iter().copied()) {
        Some(near) => format!("write {near}"),
        None if list.len() == 1 => format!("write {}", list[0]),
        None => format!("write {}, or another of these", list.first().unwrap_or(&"")),
    };
    diagnostics.error_help(node.place, message, help);
    None
}

fn bare_type(text: &str) -> &'static str {
    if text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false") {
        "boolean"
    } else {
        "number"
    }
}

/// Notes that a value is of the wrong type; a mapping may be a range without quotes.
pub fn wrong_type(
    node: &Node,
    what: &str,
    expected: &str,
    value: &Value,
    diagnostics: &mut Diagnostics,
) {
    if let Value::Mapping(entries) = value {
        if entries.iter().any(|(key, _)| *key.text == *SAID) {
            return;
        }
        let looks_like_range = !entries.is_empty()
            && entries.iter().all(|(_, v)| matches!(v.value, Value::Null))
            && (entries.len() > 1 || entries[0].0.text.contains(".."));
        if looks_like_range {
            let keys: Vec<_> = entries.iter().map(|(key, _)| &*key.text).collect();
            let range = keys.join(",");
            diagnostics.error_help(
                node.place,
                format!("{what} is {expected}, and {{{range}}} without quotes is a mapping"),
                format!("write \"{{{range}}}\""),
            );
            return;
        }
    }
    let mut mistake =
        Diagnostic::new(node.place, format!("{what} is {expected}, not {}", describe(value)));
    mistake.help = inner_text(value).map(|text| format!("write `{text}`"));
    diagnostics.push(mistake);
}

/// The only text in a list or mapping: what is meant where a text has to be.
fn inner_text(value: &Value) -> Option<&str> {
    let inner = match value {
        Value::Sequence(items) if items.len() == 1 => &items[0],
        Value::Mapping(entries) if entries.len() == 1 => &entries[0].1,
        _ => return None,
    };
    match &inner.value {
        Value::Plain(text) | Value::Quoted(text) if !text.is_empty() => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
