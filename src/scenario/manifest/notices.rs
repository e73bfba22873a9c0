//! What the user should know of manifests though nothing is wrong: a line for each kind of notice.
//!
//! A dump repeats itself: what is odd about one node is odd about eighty. The first case of a kind
//! is told whole, the others are counted, and the first few of them are named.

use std::fmt::Display;

use indexmap::IndexMap;

use super::NAMED;
use crate::scenario::diagnostic::Diagnostic;
use crate::scenario::tree::Place;

/// One line for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Where the first case is.
    pub place: Place,
    /// The first case, and how many more there are.
    pub message: String,
    /// The same without a word from the input, for an output that must not name anything.
    pub general: String,
}

impl From<Notice> for Diagnostic {
    fn from(notice: Notice) -> Diagnostic {
        Diagnostic::new(notice.place, notice.message)
    }
}

/// The notices of one load, by kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Notices {
    kinds: IndexMap<Box<str>, Told>,
}

#[derive(Clone, Debug)]
struct Told {
    place: Place,
    first: String,
    first_subject: Box<str>,
    /// How many after the first.
    more: usize,
    /// The first few other objects.
    subjects: Vec<Box<str>>,
}

impl Notices {
    /// Adds a case. `kind` says what it is about without a word from the input; `subject` is the
    /// object, or empty.
    pub(super) fn add(&mut self, kind: &str, place: Place, subject: &str, message: impl Display) {
        let Some(told) = self.kinds.get_mut(kind) else {
            let told = Told {
                place,
                first: message.to_string(),
                first_subject: subject.into(),
                more: 0,
                subjects: Vec::new(),
            };
            self.kinds.insert(kind.into(), told);
            return;
        };
        told.more += 1;
        let new = *told.first_subject != *subject && told.subjects.iter().all(|s| **s != *subject);
        if new && told.subjects.len() < NAMED {
            told.subjects.push(subject.into());
        }
    }

    /// The lines, in the order in which the kinds came up.
    pub(super) fn take(&mut self) -> Vec<Notice> {
        let kinds = std::mem::take(&mut self.kinds);
        kinds.into_iter().map(|(kind, told)| told.line(&kind)).collect()
    }
}

impl Told {
    fn line(self, kind: &str) -> Notice {
        let general = format!("{kind} ({})", self.more + 1);
        let message = match (self.more, self.subjects.as_slice()) {
            (0, _) => self.first,
            (more, []) => format!("{} (and {more} more like it)", self.first),
            (more, subjects) => {
                let dots = if more > subjects.len() { ", …" } else { "" };
                format!("{} (and {more} more like it: {}{dots})", self.first, subjects.join(", "))
            }
        };
        Notice { place: self.place, message, general }
    }
}

/// The first few of `names`, and how many more there are.
pub fn named<'n>(names: impl Iterator<Item = &'n str> + Clone) -> String {
    let first: Vec<&str> = names.clone().take(NAMED).collect();
    match names.count().saturating_sub(NAMED) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_kind_is_one_line() {
        let place = Place::default();
        for (subjects, expected) in [
            (vec!["a"], "odd a"),
            (vec!["a", "a"], "odd a (and 1 more like it)"),
            (vec!["a", "b", "b"], "odd a (and 2 more like it: b, …)"),
            (vec!["a", "b", "c"], "odd a (and 2 more like it: b, c)"),
            (
                vec!["a", "b", "c", "d", "e", "f", "g", "h"],
                "odd a (and 7 more like it: b, c, d, e, f, …)",
            ),
        ] {
            let mut notices = Notices::default();
            for subject in &subjects {
                notices.add("odd things", place, subject, format_args!("odd {subject}"));
            }
            notices.add("other things", place, "a", "other");
            let lines = notices.take();
            assert_eq!(lines.len(), 2);
            assert_eq!(lines[0].message, expected);
            assert_eq!(lines[0].general, format!("odd things ({})", subjects.len()));
            assert_eq!(lines[1].message, "other");
        }
    }
}
