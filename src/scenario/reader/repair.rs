//! The working copy of a text whose mistakes are known: each is told and mended here, so that
//! what is wrong below it is told in the same reading. Places stay those of the original text.

use std::borrow::Cow;

/// How many mistakes are mended.
const MOST: usize = 50;
/// How many bytes are read again in all.
const BYTES: usize = 8 << 20;

/// Text that takes the place of some bytes.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    pub at: usize,
    pub remove: usize,
    pub insert: String,
}

impl Edit {
    pub(super) fn insert(at: usize, insert: &str) -> Edit {
        Edit { at, remove: 0, insert: insert.to_owned() }
    }
}

/// A text and the edits that led to it.
pub(super) struct Copy<'t> {
    pub text: Cow<'t, str>,
    edits: Vec<Edit>,
    mended: usize,
}

impl<'t> Copy<'t> {
    pub(super) fn new(text: &'t str) -> Copy<'t> {
        Copy { text: Cow::Borrowed(text), edits: Vec::new(), mended: 0 }
    }

    /// Something was mended.
    pub(super) fn is_mended(&self) -> bool {
        self.mended > 0
    }

    /// Mends one mistake; false where that was done often enough.
    pub(super) fn mend(&mut self, mut edits: Vec<Edit>) -> bool {
        let most = MOST.min(BYTES / self.text.len().max(1));
        if edits.is_empty() || self.mended >= most {
            return false;
        }
        self.mended += 1;
        // From the back, so that the others keep their places.
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.at));
        for edit in edits {
            let range = edit.at..edit.at + edit.remove;
            self.text.to_mut().replace_range(range, &edit.insert);
            self.edits.push(edit);
        }
        true
    }

    /// The byte of the original text.
    pub(super) fn original(&self, byte: u32) -> u32 {
        let mut byte = byte as usize;
        for edit in self.edits.iter().rev() {
            if byte >= edit.at + edit.insert.len() {
                byte = byte - edit.insert.len() + edit.remove;
            } else if byte > edit.at {
                byte = edit.at;
            }
        }
        super::to_u32(byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::reader::to_u32;

    #[test]
    fn places_are_those_of_the_original() {
        let mut copy = Copy::new("a: x{}\n\tb");
        assert!(copy.mend(vec![Edit::insert(3, "\""), Edit::insert(6, "\"")]));
        assert_eq!(copy.text, "a: \"x{}\"\n\tb");
        assert!(copy.mend(vec![Edit { at: 9, remove: 1, insert: "    ".into() }]));
        assert_eq!(copy.text, "a: \"x{}\"\n    b");
        let places: Vec<u32> = [3, 4, 8, 9, 11, 13].map(|at| copy.original(at)).to_vec();
        assert_eq!(places, [3, 3, 6, 7, 7, 8]);
        assert!(!copy.mend(Vec::new()));
    }

    /// However many mistakes were mended, and in whatever order.
    #[test]
    fn places_stay_right_after_several_repairs() {
        let mut copy = Copy::new("ab\u{a0}cd{e}f\tg");
        for (at, remove, insert) in [(8, 0, "\""), (5, 0, "\""), (2, 2, " "), (11, 1, "  ")] {
            assert!(copy.mend(vec![Edit { at, remove, insert: insert.into() }]));
        }
        let letters = |text: &str| -> Vec<(usize, char)> {
            text.char_indices().filter(|(_, c)| c.is_ascii_alphabetic()).collect()
        };
        let now = letters(&copy.text);
        assert_eq!(now.len(), 7);
        let places = now.iter().map(|(at, c)| (copy.original(to_u32(*at)) as usize, *c));
        assert_eq!(places.collect::<Vec<_>>(), letters("ab\u{a0}cd{e}f\tg"), "{}", copy.text);
        assert!(copy.original(to_u32(copy.text.len())) as usize == "ab\u{a0}cd{e}f\tg".len());
    }

    /// A mended text has nothing left to be mended.
    #[test]
    fn repairs_are_idempotent() {
        for text in ["a\nb:\u{a0}c\n", "b:\n\u{a0} c: d\n", "- \u{a0}a: b\n-\u{2003}c: d\n"] {
            let mut copy = Copy::new(text);
            let found = super::super::foreign::find(text);
            assert!(!found.is_empty(), "{text}");
            for told in found.into_iter().rev() {
                assert!(copy.mend(told.edits));
            }
            assert!(super::super::foreign::find(&copy.text).is_empty(), "{}", copy.text);
        }
    }

    #[test]
    fn not_everything_is_mended() {
        let mut copy = Copy::new("a");
        let mended = (0..MOST + 9).filter(|_| copy.mend(vec![Edit::insert(0, "x")])).count();
        assert_eq!((mended, copy.text.len()), (MOST, MOST + 1));
    }
}
