//! Durations that Go does not read: what is wrong, and what was meant.

use crate::kernel::time::{DurationError, Span};

/// What is wrong, as a part of a sentence that ends with it.
pub fn duration_problem(text: &str, error: DurationError) -> String {
    match error {
        DurationError::Empty => "it is empty".into(),
        DurationError::UnknownUnit if is_clock(text) => format!("`{text}` is a time of a clock"),
        DurationError::UnknownUnit => {
            format!("`{text}` has an unknown unit; units are ns, us, ms, s, m, h")
        }
        _ => format!("`{text}` is {error}"),
    }
}

/// What would be right in its place.
pub fn duration_help(text: &str, error: DurationError) -> String {
    let forms = || "write a number and a unit, such as `10s` or `1m30s`".to_owned();
    match error {
        DurationError::MissingUnit => format!("write `{text}s` for seconds"),
        DurationError::UnknownUnit => known_unit(text).unwrap_or_else(forms),
        DurationError::Negative => "write it without the `-`: virtual time begins at 0s".into(),
        DurationError::TooLarge => "write less, such as `8760h` for a year".into(),
        DurationError::TooFine => "write whole nanoseconds, such as `1ns`".into(),
        DurationError::Empty => forms(),
        DurationError::NotANumber => match iso_8601(text) {
            Some(right) => format!("write `{right}`"),
            None if text.contains("..") => format!("no range works here; {}", forms()),
            None => forms(),
        },
    }
}

/// The same in units that there are.
fn known_unit(text: &str) -> Option<String> {
    if is_clock(text) {
        let parts = text.split(':').map(|part| part.trim_start_matches('0'));
        let parts: Vec<&str> = parts.map(|part| if part.is_empty() { "0" } else { part }).collect();
        return Some(match parts.as_slice() {
            [a, b] => format!("write `{a}m{b}s` for minutes and seconds, `{a}h{b}m` for hours"),
            [a, b, c] => format!("write `{a}h{b}m{c}s`"),
            _ => return None,
        });
    }
    if text.contains('T') && text.ends_with('Z') {
        return Some("write how long after the start of the run it is, such as `10s`".into());
    }
    let point = text.replace(',', ".");
    if point != text && Span::parse(&point).is_ok() {
        return Some(format!("write `{point}`"));
    }
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = text.split_at(digits);
    let in_hours = |per_unit: u32| number.parse::<u32>().ok()?.checked_mul(per_unit);
    let right = match unit.trim().to_lowercase().as_str() {
        "sec" | "secs" | "second" | "seconds" | "s" => "s",
        "min" | "mins" | "minute" | "minutes" | "m" => "m",
        "hour" | "hours" | "hr" | "hrs" | "h" => "h",
        "msec" | "millis" | "milliseconds" | "ms" => "ms",
        "d" | "day" | "days" => {
            return Some(format!("there are no days; write `{}h`", in_hours(24)?));
        }
        "w" | "week" | "weeks" => {
            return Some(format!("there are no weeks; write `{}h`", in_hours(168)?));
        }
        _ => return None,
    };
    Some(format!("write `{number}{right}`"))
}

/// Two or three numbers with colons between them.
fn is_clock(text: &str) -> bool {
    let is_number = |part: &str| {
        (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    matches!(text.split(':').count(), 2 | 3) && text.split(':').all(is_number)
}

/// `PT5M30S` as Go writes it.
fn iso_8601(text: &str) -> Option<String> {
    let right = text.strip_prefix("PT")?.to_lowercase();
    Span::parse(&right).is_ok().then_some(right)
}
