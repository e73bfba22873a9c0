//! A key of the language in words, as `kubectl explain` shows a field of a resource.

use std::fmt::Write as _;

use super::{API_VERSION, Absent, Field, Found, Kind, Mapping, Rule, SCENARIO, Text, topics};

/// Columns of a line, whatever the terminal has, so that the text is the same everywhere.
const WIDTH: usize = 80;

/// What stands at a path, which is empty for the whole document. With `recursive`, all keys below
/// it as a tree in place of a list with a sentence each.
pub fn explain(path: &str, found: Found, recursive: bool) -> String {
    let mut out = format!("KIND:     {}\nVERSION:  {API_VERSION}\n", SCENARIO.name);
    match found {
        Found::Scenario => section(&mut out, "DESCRIPTION", SCENARIO.about),
        Found::Field(field) => of_field(&mut out, path, field),
    }
    let Some(mapping) = found.mapping() else { return out };
    for (index, rule) in mapping.rules.iter().enumerate() {
        if index == 0 {
            out.push_str("\nRULES:\n");
        }
        wrapped(&mut out, &in_words(rule), 2);
    }
    out.push_str("\nFIELDS:\n");
    match recursive {
        true => tree(&mut out, mapping, 2, &mut vec![mapping.name]),
        false => list(&mut out, mapping),
    }
    if !recursive {
        let below = if path.is_empty() { "spec".to_owned() } else { format!("{path}.FIELD") };
        let _ = writeln!(out, "\nEach with an example: taintsim explain {below}");
        if path.is_empty() {
            let words: Vec<&str> = topics().collect();
            section(&mut out, "TOPICS", &words.join(", "));
            let _ = writeln!(out, "\nHow such values are written: taintsim explain TOPIC");
        }
    }
    out
}

fn of_field(out: &mut String, path: &str, field: &Field) {
    let required = if field.is_required { " -required-" } else { "" };
    let _ = writeln!(out, "FIELD:    {path} <{}>{required}", field.kind.name());
    let about = field.mapping().map_or("", |mapping| mapping.about);
    match about.starts_with(field.about) {
        true => section(out, "DESCRIPTION", about),
        false => {
            section(out, "DESCRIPTION", field.about);
            if !about.is_empty() {
                out.push('\n');
                wrapped(out, about, 2);
            }
        }
    }
    match field.default {
        Absent::None => {}
        Absent::Value(value) => section(out, "DEFAULT", value),
        Absent::Words(words) => section(out, "DEFAULT", words),
    }
    let mut forms = Vec::new();
    collect_forms(&field.kind, &mut forms);
    for (index, form) in forms.iter().enumerate() {
        if index == 0 {
            out.push_str("\nFORM:\n");
        }
        wrapped(out, form, 2);
    }
    out.push_str("\nEXAMPLE:\n");
    for line in field.example.lines() {
        let _ = writeln!(out, "  {line}");
    }
}

/// What a value may be, where its type does not say all.
fn collect_forms(kind: &Kind, forms: &mut Vec<String>) {
    let form = match kind {
        Kind::Text(text) => of_text(text),
        Kind::Integer { least, greatest, unit } => {
            let mut parts = Vec::new();
            parts.extend(least.map(|least| format!("at least {least}")));
            parts.extend(greatest.map(|greatest| format!("at most {greatest}")));
            parts.extend(unit.map(|unit| format!("in {unit}, without a unit")));
            match parts.is_empty() {
                true => return,
                false => format!("An integer: {}.", parts.join(", ")),
            }
        }
        Kind::Word(words) | Kind::WordOrEmpty(words) => format!("One of {}.", words.join(", ")),
        Kind::List { of, .. } => return collect_forms(of, forms),
        Kind::Either(kinds) => return kinds.iter().for_each(|kind| collect_forms(kind, forms)),
        Kind::Boolean
        | Kind::Mapping(_)
        | Kind::MappingOrNothing(_)
        | Kind::Labels
        | Kind::Manifest => return,
    };
    if !form.is_empty() && !forms.contains(&form) {
        forms.push(form);
    }
}

fn of_text(text: &Text) -> String {
    let examples: Vec<String> = text.examples.iter().map(|text| format!("`{text}`")).collect();
    match (text.about, examples.is_empty()) {
        ("", _) => String::new(),
        (about, true) => about.to_owned(),
        (about, false) => format!("{about} Examples: {}.", examples.join(", ")),
    }
}

fn in_words(rule: &Rule) -> String {
    let any = |keys: &[&str]| keys.join(", ");
    match rule {
        Rule::ExactlyOne(keys) => format!("Exactly one of: {}.", any(keys)),
        Rule::AtLeastOne(keys) => format!("At least one of: {}.", any(keys)),
        Rule::AtMostOne(keys) => format!("At most one of: {}.", any(keys)),
        Rule::Needs(keys, others) => match others {
            [other] => format!("{} needs {other}.", keys.join(" or ")),
            others => format!("{} needs one of: {}.", keys.join(" or "), any(others)),
        },
    }
}

fn list(out: &mut String, mapping: &Mapping) {
    for (index, field) in mapping.fields().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let required = if field.is_required { " -required-" } else { "" };
        let _ = writeln!(out, "  {} <{}>{required}", field.key, field.kind.name());
        wrapped(out, field.summary(), 4);
    }
}

fn tree(
    out: &mut String,
    mapping: &'static Mapping,
    indent: usize,
    around: &mut Vec<&'static str>,
) {
    for field in mapping.fields() {
        let required = if field.is_required { " -required-" } else { "" };
        let _ = writeln!(out, "{:indent$}{} <{}>{required}", "", field.key, field.kind.name());
        if let Some(inner) = field.mapping().filter(|inner| !around.contains(&inner.name)) {
            around.push(inner.name);
            tree(out, inner, indent + 2, around);
            around.pop();
        }
    }
}

pub(super) fn section(out: &mut String, title: &str, text: &str) {
    let _ = writeln!(out, "\n{title}:");
    wrapped(out, text, 2);
}

/// Appends the words of a text, as many in a line as fit.
pub fn wrapped(out: &mut String, text: &str, indent: usize) {
    let mut column = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            out.push('\n');
            column = 0;
        }
        if column == 0 {
            let _ = write!(out, "{:indent$}", "");
            column = indent;
        } else {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::{find, paths};

    #[test]
    fn every_key_is_explained_within_the_width() {
        let all = paths().into_iter().map(|(path, _)| path).chain([String::new()]);
        for path in all {
            let (path, found) = find(&path).unwrap_or_else(|error| panic!("{error}"));
            for recursive in [false, true] {
                let text = explain(&path, found, recursive);
                assert!(text.ends_with('\n') && !text.contains("\n\n\n"), "{text}");
                let is_narrow = |line: &str| line.chars().count() <= WIDTH + 8;
                let wide = text.lines().find(|line| !is_narrow(line));
                // Types and examples are not broken.
                let wide = wide.filter(|line| !line.contains('<') && !line.contains(": "));
                assert_eq!(wide, None, "{path}");
            }
        }
    }
}
