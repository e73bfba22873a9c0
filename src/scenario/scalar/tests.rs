use super::*;
use crate::scenario::{diagnostic::render_all, reader, source::Sources};

/// Reads `text` as the value of a key, and shows the value or the mistake.
fn run<T: std::fmt::Debug>(
    text: &str,
    read: impl Fn(&Node, &mut Diagnostics) -> Option<T>,
) -> String {
    let mut sources = Sources::default();
    let source = sources.add("f", format!("x: {text}\n"));
    let mut diagnostics = Diagnostics::default();
    let documents = reader::read(&sources, source, &mut diagnostics);
    let Value::Mapping(entries) = &documents[0].value else { panic!("{text}") };
    let value = read(&entries[0].1, &mut diagnostics);
    assert_eq!(value.is_some(), diagnostics.is_empty(), "{text}");
    match value {
        Some(value) => format!("{value:?}"),
        None => {
            let shown = render_all(&diagnostics.into_sorted(), &sources);
            let help = shown.lines().find_map(|l| l.strip_prefix("help: ")).unwrap_or("");
            let first = shown.lines().next().and_then(|l| l.split_once("error: "));
            format!("{} | {help}", first.map_or("", |(_, message)| message))
        }
    }
}

#[test]
fn durations() {
    let cases = [
        ("10s", "Span(10000000000)"),
        ("0", "Span(0)"),
        ("\"1m\"", "Span(60000000000)"),
        ("10", "x is a duration, and `10` is a number without a unit | write `10s` for seconds"),
        (
            "10sec",
            "x is a duration, and `10sec` has an unknown unit; units are ns, us, ms, s, m, h | write `10s`",
        ),
        (
            "2d",
            "x is a duration, and `2d` has an unknown unit; units are ns, us, ms, s, m, h | there are no days; write `48h`",
        ),
        (
            "-1s",
            "x is a duration, and `-1s` is a negative duration | write it without the `-`: virtual time begins at 0s",
        ),
        ("[1s]", "x is a duration such as `10s`, not a list | write `1s`"),
    ];
    for (text, expected) in cases {
        assert_eq!(run(text, |n, d| span(n, "x", d)), expected, "{text}");
    }
}

#[test]
fn integers() {
    let no = |text: &str, right: &str| {
        format!("x is an integer, not `{text}` | write decimal digits only, such as {right}")
    };
    let cases = [
        ("300", "300".to_string()),
        ("-5", "-5".into()),
        ("-0", "0".into()),
        ("0", "0".into()),
        ("9223372036854775807", "9223372036854775807".into()),
        ("9223372036854775808", "x is a number of 64 bits, and 9223372036854775808 is out of range | write a number that \
             is between -9223372036854775808 and 9223372036854775807".into()),
        ("0454", no("0454", "454")),
        ("+300", no("+300", "300")),
        ("0x12C", no("0x12C", "300")),
        ("3_00", no("3_00", "300")),
        ("300.0", no("300.0", "300")),
        ("3e2", "x is an integer, not `3e2` | write a whole number, such as 7".into()),
        (
            "300s",
            "x is an integer, not `300s` | write 300: whole seconds, without a unit".into(),
        ),
        ("\"300\"", "x is an integer, not the string \"300\" | write 300 without quotes".into()),
        ("{}", "x is an integer, not a mapping | ".into()),
    ];
    for (text, expected) in cases {
        let shown = run(text, |n, d| integer(n, "x", i64::MIN, i64::MAX, d));
        assert_eq!(shown, expected, "{text}");
    }
    assert_eq!(
        run("0", |n, d| integer(n, "x", 1, 8, d)),
        "x is between 1 and 8, not 0 | write 1 or more"
    );
    assert_eq!(
        run("0", |n, d| integer(n, "x", 1, i64::MAX, d)),
        "x is at least 1, not 0 | write 1 or more"
    );
}

#[test]
fn strings_booleans_and_words() {
    let string_of = |text: &str| run(text, |n, d| string(n, "x", d).map(str::to_owned));
    assert_eq!(string_of("abc"), "\"abc\"");
    assert_eq!(string_of("yes"), "\"yes\"");
    assert_eq!(string_of("1.30"), "x is a string, not the bare number `1.30` | write \"1.30\"");
    assert_eq!(string_of("True"), "x is a string, not the bare boolean `True` | write \"True\"");
    assert_eq!(
        string_of("{0..2}"),
        "x is a string, and {0..2} without quotes is a mapping | write \"{0..2}\""
    );
    assert_eq!(
        string_of("{a,b}"),
        "x is a string, and {a,b} without quotes is a mapping | write \"{a,b}\""
    );
    let boolean_of = |text: &str| run(text, |n, d| boolean(n, "x", d));
    assert_eq!(boolean_of("true"), "true");
    assert_eq!(boolean_of("True"), "x is true or false, not `True` | write true");
    assert_eq!(boolean_of("no"), "x is true or false, not `no` | write false");
    assert_eq!(boolean_of("\"true\""), "x is true or false, not the string \"true\" | write true");
    let word_of = |text: &str| run(text, |n, d| word(n, "x", &[("Strict", 1), ("Ignore", 2)], d));
    assert_eq!(word_of("Ignore"), "2");
    assert_eq!(word_of("strict"), "`x` is one of Strict, Ignore, not `strict` | write Strict");
    assert_eq!(
        word_of("Never"),
        "`x` is one of Strict, Ignore, not `Never` | write Strict, or another of these"
    );
}
