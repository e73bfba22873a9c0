//! Right names in place of wrong ones, for the help of mistakes.

use super::diagnostic::Diagnostic;
use super::tree::Place;
use crate::objects::validation;

/// The mistake of a name that the API does not take. `written` is the text that makes it, with its
/// ranges.
pub(super) fn wrong_name(
    what: &str,
    name: &str,
    written: &str,
    problem: &str,
    place: Place,
) -> Diagnostic {
    let mistake = Diagnostic::new(place, format!("the name of a {what} {problem}"));
    mistake.help(name_help(what, name, written))
}

/// What would be right in place of a wrong name.
pub(super) fn name_help(what: &str, name: &str, written: &str) -> String {
    if name != written {
        return format!("it comes from the range in `{written}`");
    }
    if name.contains(['{', '}']) {
        return format!("a {what} has no range here; write an entry for each");
    }
    if name.contains('[') && name.contains("..") {
        return "a range has braces, such as `node-{0..2}`".to_owned();
    }
    match right_name(name) {
        Some(right) => format!("write `{right}`"),
        None => format!("write a name, such as `{}`", example(what)),
    }
}

fn example(what: &str) -> &'static str {
    match what {
        "node" => "node-0",
        "namespace" => "shop",
        _ => "web-0",
    }
}

/// The nearest name of letters, digits and `-`.
fn right_name(name: &str) -> Option<String> {
    let lower = name.to_lowercase();
    let letters = lower.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' });
    let right: String = letters.take(63).collect();
    let right = right.trim_matches('-');
    // Where most of the name is lost, what is left means nothing.
    let is_like = right.len() * 2 >= name.chars().count().min(63);
    let is_right = is_like && !right.is_empty() && validation::namespace(right).is_empty();
    is_right.then(|| right.to_owned())
}

/// What would be right in place of a wrong value of a label or taint.
pub(super) fn value_help(value: &str) -> Option<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let right: String = value.chars().map(|c| if is_part(c) { c } else { '-' }).take(63).collect();
    let right = right.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    (!right.is_empty()).then(|| format!("write `{right}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_the_api_takes() {
        for (name, expected) in [
            ("Node_0", "write `node-0`"),
            ("pool/node 0", "write `pool-node-0`"),
            ("web-", "write `web`"),
            ("*", "write a name, such as `node-0`"),
            ("東京-0", "write a name, such as `node-0`"),
            ("", "write a name, such as `node-0`"),
            ("node-[0..2]", "a range has braces, such as `node-{0..2}`"),
        ] {
            assert_eq!(name_help("node", name, name), expected, "{name}");
        }
        assert_eq!(name_help("node", "a-", "a-{0,}"), "it comes from the range in `a-{0,}`");
        assert_eq!(value_help("a b/"), Some("write `a-b`".into()));
        assert_eq!(value_help("--"), None);
    }
}
