//! What of a document is built. A dump is mostly of parts that nobody reads: they are read for
//! mistakes (syntax, keys that are there twice), and all that is kept of them is that they are
//! there.

use crate::scenario::tree::Node;

/// How much of a value is kept. Null and what is empty is kept always, and so is in full what an
/// alias stands for where it is kept.
#[derive(Debug)]
pub enum Keep {
    /// All of it.
    All,
    /// That it is there, and not null or empty.
    Nothing,
    /// Of a mapping the values of these keys, each as far as it says; of others that they are
    /// there. Of a list the same of each item. Other values are kept.
    Keys(&'static [(&'static str, &'static Keep)]),
}

impl Keep {
    /// How much is kept of the value of `key` in a mapping that is kept so far.
    pub(super) fn of(&self, key: &str) -> &'static Keep {
        match self {
            Keep::All => &Keep::All,
            Keep::Nothing => &Keep::Nothing,
            Keep::Keys(keys) => {
                let found = keys.iter().find(|(known, _)| *known == key);
                found.map_or(&Keep::Nothing, |(_, keep)| keep)
            }
        }
    }

    pub(super) fn is_nothing(&self) -> bool {
        matches!(self, Keep::Nothing)
    }
}

/// What is kept of the documents of a source.
#[derive(Clone, Copy, Debug)]
pub struct Kept {
    /// Of most documents.
    pub keep: &'static Keep,
    /// Whether an entry at the top of a document, as far as it was kept, says that all of this
    /// document is needed. Where that comes late, the source is read once more.
    pub is_whole: fn(&str, &Node) -> bool,
}

impl Kept {
    /// All of all documents.
    pub const ALL: Kept = Kept { keep: &Keep::All, is_whole: |_, _| false };
}
