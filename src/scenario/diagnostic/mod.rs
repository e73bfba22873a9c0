//! What is wrong with an input, where, and what would be right.
//!
//! While a file is read, a mistake is a [`Diagnostic`] with a place in the sources. [`Located`] is
//! what a user gets: the same with lines, columns and the text of the line. [`render`] shows it.

mod located;
mod text;

pub use located::{Extent, Located, Severity};
pub use text::{escape, render, render_all};

use super::tree::Place;

/// One mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Where.
    pub place: Place,
    /// What is wrong, naming the offending text.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A mistake without a hint.
    pub fn new(place: Place, message: impl Into<String>) -> Diagnostic {
        Diagnostic { place, message: message.into(), help: None }
    }

    /// Adds what would be right.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }
}

/// Collects mistakes, so that a reader sees all of them at once. After [`Diagnostics::KEPT`] it
/// only counts: a file that is wrong in a million places is wrong in one way.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    dropped: usize,
}

impl Diagnostics {
    /// How many mistakes are kept.
    pub const KEPT: usize = 200;

    /// Adds a mistake.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.is_full() {
            self.dropped += 1;
        } else {
            self.list.push(diagnostic);
        }
    }

    /// Adds a mistake without a hint.
    pub fn error(&mut self, place: Place, message: impl Into<String>) {
        self.push(Diagnostic::new(place, message));
    }

    /// Adds a mistake with what would be right.
    pub fn error_help(
        &mut self,
        place: Place,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.push(Diagnostic::new(place, message).help(help));
    }

    /// Adds several.
    pub fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        for diagnostic in diagnostics {
            self.push(diagnostic);
        }
    }

    /// Adds all of another collection, the dropped ones included.
    pub fn append(&mut self, other: Diagnostics) {
        self.dropped += other.dropped;
        self.extend(other.list);
    }

    /// Whether a mistake has this help.
    pub fn have_help(&self, help: &str) -> bool {
        self.list.iter().any(|mistake| mistake.help.as_deref() == Some(help))
    }

    /// Whether what comes is only counted.
    pub fn is_full(&self) -> bool {
        self.list.len() >= Self::KEPT
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many there are, the dropped ones included.
    pub fn len(&self) -> usize {
        self.list.len() + self.dropped
    }

    /// The kept mistakes in the order of the sources and of the places in them.
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        // Stable: several mistakes at one place stay in the order in which they were found.
        self.list.sort_by_key(|d| (d.place.source, d.place.start));
        self.list
    }
}

/// The nearest of `known` to a misspelt `word`, if one is near enough to be meant.
pub fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    all_nearest(word, known).first().copied()
}

/// `did you mean `a` or `b`?`, of what is equally near; `None` where nothing is, or too much to
/// name.
pub fn did_you_mean<T: AsRef<str>>(near: &[T]) -> Option<String> {
    const NAMED_AT_MOST: usize = 3;
    let names: Vec<String> = near.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    (1..=NAMED_AT_MOST)
        .contains(&names.len())
        .then(|| format!("did you mean {}?", names.join(" or ")))
}

/// Those of `known` that are equally near to a misspelt `word`, and near enough to be meant.
pub fn all_nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Vec<&'k str> {
    let lower = word.to_lowercase();
    let known: Vec<&str> = known.into_iter().collect();
    let mut best: (usize, Vec<&str>) = (usize::MAX, Vec::new());
    for &candidate in &known {
        // A different case is the nearest of all mistakes.
        let distance = if candidate.to_lowercase() == lower {
            0
        } else {
            strsim::damerau_levenshtein(word, candidate)
        };
        if distance < best.0 {
            best = (distance, vec![candidate]);
        } else if distance == best.0 && !best.1.contains(&candidate) {
            best.1.push(candidate);
        }
    }
    let (distance, mut near) = best;
    near.retain(|candidate| {
        let longest = word.chars().count().max(candidate.chars().count());
        distance <= (longest / 3).max(1)
    });
    if !near.is_empty() {
        return near;
    }
    // A part of a word, such as `seconds` for `tolerationSeconds`, if it is part of one only.
    let mut holding = known.into_iter().filter(|candidate| has_part(candidate, &lower));
    let first = holding.next().filter(|_| holding.next().is_none());
    first.into_iter().collect()
}

/// Whether whole words of `candidate`, which begin with capitals, make up `part`.
fn has_part(candidate: &str, part: &str) -> bool {
    let is_edge = |at: usize| {
        let next = candidate[at..].chars().next();
        at == 0 || next.is_none_or(char::is_uppercase)
    };
    let lower = candidate.to_ascii_lowercase();
    let mut found = lower.match_indices(part);
    part.len() > 2 && found.any(|(at, part)| is_edge(at) && is_edge(at + part.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(start: u32, end: u32) -> Place {
        Place { source: 0, start, end }
    }

    #[test]
    fn nearest_word() {
        let known = ["tolerations", "nodeName", "labels"];
        let cases = [
            ("toleration", Some("tolerations")),
            ("nodename", Some("nodeName")),
            ("lables", Some("labels")),
            ("affinity", None),
            ("", None),
            ("name", Some("nodeName")),
            ("Name", Some("nodeName")),
            ("ode", None),
        ];
        for (word, expected) in cases {
            assert_eq!(nearest(word, known), expected, "{word}");
        }
    }

    #[test]
    fn equally_near_words_are_all_named() {
        let near = all_nearest("web-3", ["web-0", "web-1", "db-0"]);
        assert_eq!(near, ["web-0", "web-1"]);
        assert_eq!(did_you_mean(&near).as_deref(), Some("did you mean `web-0` or `web-1`?"));
        assert_eq!(did_you_mean(&["a", "b", "c", "d"]), None);
        assert_eq!(did_you_mean::<&str>(&[]), None);
    }

    #[test]
    fn keeps_a_bounded_number() {
        let mut diagnostics = Diagnostics::default();
        for _ in 0..Diagnostics::KEPT + 5 {
            diagnostics.error(place(0, 1), "again");
        }
        assert_eq!(diagnostics.len(), Diagnostics::KEPT + 5);
        assert_eq!(diagnostics.into_sorted().len(), Diagnostics::KEPT);
    }
}
