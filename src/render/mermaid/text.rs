//! Names as Mermaid takes them, and virtual time as its dates.

use crate::kernel::time::{NANOS_PER_MILLI, Time};
use crate::render::text::printable;

/// What Mermaid reads as more than a text where a line begins with it, in any case.
const KEYWORDS: [&str; 18] = [
    "acc",
    "axisformat",
    "call",
    "click",
    "dateformat",
    "end",
    "excludes",
    "gantt",
    "href",
    "includes",
    "inclusiveend",
    "section",
    "style",
    "tickinterval",
    "title",
    "today",
    "topaxis",
    "week",
];

/// The text as a task's or a section's: everything that Mermaid, Markdown or HTML reads as more
/// than a character is an entity, and no more than `length_max` characters.
pub(super) fn escaped(text: &str, length_max: usize) -> String {
    let shown = printable(text);
    let cut = shown.chars().count() > length_max;
    let mut out = String::new();
    let lower = shown.to_ascii_lowercase();
    let is_keyword = KEYWORDS.iter().any(|keyword| lower.starts_with(keyword));
    // What begins like a date is read as one.
    let is_date = shown.chars().take(4).all(|c| c.is_ascii_digit()) && shown.get(4..5) == Some("-");
    for (index, c) in shown.chars().take(length_max - usize::from(cut)).enumerate() {
        let is_plain = match c {
            ' ' | '.' | '/' | ',' | '(' | ')' | '=' | '-' => index > 0,
            c if c.is_ascii_digit() => index > 0 || !is_date,
            c => c.is_alphanumeric() || c == '\u{2026}',
        };
        match is_plain && !(index == 0 && is_keyword) {
            true => out.push(c),
            false => out.push_str(&format!("#{};", u32::from(c))),
        }
    }
    if cut {
        out.push('\u{2026}');
    }
    out
}

/// The name, or its beginning and its end where it is longer than `length_max`: pods of one
/// deployment differ in their ends.
pub(super) fn shortened(name: &str, length_max: usize) -> String {
    let chars: Vec<char> = printable(name).chars().collect();
    if chars.len() <= length_max {
        return chars.into_iter().collect();
    }
    let head = &chars[..(length_max - 1) * 2 / 5];
    let tail = &chars[chars.len() - (length_max - 1) * 3 / 5..];
    head.iter().chain(&['\u{2026}']).chain(tail).collect()
}

/// A time as a date. Mermaid reads and writes dates in the reader's zone: a date without a zone
/// comes out as it went in, where the zone's clocks are not changed in between, which nobody does
/// in the first weeks of 2001.
pub(super) fn date(time: Time) -> String {
    let millis = time.0 / NANOS_PER_MILLI;
    let (days, rest) = (millis / 86_400_000, millis % 86_400_000);
    let (year, month, day) = civil(days);
    let (hour, minute) = (rest / 3_600_000, rest / 60_000 % 60);
    let (second, milli) = (rest / 1_000 % 60, rest % 1_000);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{milli:03}")
}

/// The date so many days after 2001-01-01.
fn civil(days: u64) -> (u64, u64, u64) {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let (mut year, mut left) = (2001 + days / 146_097 * 400, days % 146_097);
    loop {
        let length = 365 + u64::from(is_leap(year));
        if left < length {
            break;
        }
        (year, left) = (year + 1, left - length);
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if left < length {
            break;
        }
        (month, left) = (month + 1, left - length);
    }
    (year, month, left + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::fixture::time_of;

    #[test]
    fn nothing_acts_in_mermaid() {
        let cases = [
            ("shop/web-0", "shop/web-0"),
            ("k=v:NoExecute", "k=v#58;NoExecute"),
            ("section x", "#115;ection x"),
            ("End", "#69;nd"),
            ("2001-01-01", "#50;001-01-01"),
            ("300 pods", "300 pods"),
            ("a%%b;c#d", "a#37;#37;b#59;c#35;d"),
            ("<b>\"&\"\n", "#60;b#62;#34;#38;#34;#92;n"),
            ("%%{init", "#37;#37;#123;init"),
            ("gr\u{f6}\u{df}e", "gr\u{f6}\u{df}e"),
        ];
        for (text, expected) in cases {
            assert_eq!(escaped(text, 60), expected);
        }
        assert_eq!(escaped("abcdef", 4), "abc\u{2026}");
    }

    #[test]
    fn names_keep_their_ends() {
        assert_eq!(shortened("shop/web-7f9c5b6d8-x1", 21), "shop/web-7f9c5b6d8-x1");
        assert_eq!(shortened("shop/web-7f9c5b6d8-x1", 16), "shop/w\u{2026}c5b6d8-x1");
    }

    #[test]
    fn times_are_dates_of_2001() {
        let cases = [
            ("0s", "2001-01-01 00:00:00.000"),
            ("1h2m3.004s", "2001-01-01 01:02:03.004"),
            ("1416h", "2001-03-01 00:00:00.000"),
            ("8760h", "2002-01-01 00:00:00.000"),
            ("27696h", "2004-02-29 00:00:00.000"),
            ("3506328h", "2401-01-01 00:00:00.000"),
        ];
        for (time, expected) in cases {
            assert_eq!(date(time_of(time)), expected, "{time}");
        }
    }
}
