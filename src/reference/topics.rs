//! Forms of values that many keys have in common, each as a page of `taintsim explain`.

use std::fmt::Write as _;

use super::explain::{section, wrapped};
use super::language::TOPICS;
use super::{Kind, Text, paths};

/// The words that [`topic`] knows.
pub fn topics() -> impl Iterator<Item = &'static str> {
    TOPICS.iter().map(|(word, _)| *word)
}

/// The page of a topic, also by its singular; `None` where there is none.
pub fn topic(word: &str) -> Option<String> {
    let word = word.trim().to_lowercase();
    let is_named = |plural: &str| plural == word || plural.strip_suffix('s') == Some(&*word);
    let (name, text) = TOPICS.iter().find(|(plural, _)| is_named(plural))?;
    let mut out = format!("TOPIC:    {name}\n");
    section(&mut out, "DESCRIPTION", text.about);
    out.push_str("\nEXAMPLES:\n");
    for example in text.examples {
        let _ = writeln!(out, "  {example}");
    }
    out.push_str("\nKEYS:\n");
    let used = paths().into_iter().filter(|(_, field)| has_form(&field.kind, text));
    // A burst has the keys of a step, and `anyOf` those of an expectation.
    let used = used.filter(|(path, _)| !path.contains(".burst.") && !path.contains(".anyOf."));
    for (path, _) in used {
        let _ = writeln!(out, "  {path}");
    }
    out.push('\n');
    wrapped(&mut out, "What a key means: taintsim explain KEY", 0);
    Some(out)
}

fn has_form(kind: &Kind, text: &Text) -> bool {
    match kind {
        Kind::Text(own) => own.name == text.name,
        Kind::List { of, .. } => has_form(of, text),
        Kind::Either(kinds) => kinds.iter().any(|kind| has_form(kind, text)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_topic_has_a_description_examples_and_keys() {
        for word in topics() {
            let page = topic(word).unwrap_or_else(|| panic!("no page of {word}"));
            for title in ["DESCRIPTION:\n  ", "EXAMPLES:\n  ", "KEYS:\n  "] {
                assert!(page.contains(title), "{word} lacks {title}:\n{page}");
            }
        }
        assert_eq!(topic("Duration"), topic("durations"));
        assert_eq!(topic("weather"), None);
    }
}
