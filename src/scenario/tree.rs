//! A YAML or JSON document with the place of everything in it.

use std::sync::Arc;

/// Which source file, and the bytes from `start` to `end` in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Index of the source.
    pub source: u16,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// A value and its place.
#[derive(Clone, Debug)]
pub struct Node {
    /// Where it stands.
    pub place: Place,
    /// What it is.
    pub value: Value,
}

/// What a document is made of.
#[derive(Clone, Debug)]
pub enum Value {
    /// `null`, `~`, or nothing.
    Null,
    /// A plain (unquoted) scalar other than null, as written: numbers and booleans stay text, and
    /// the reader of a field decides what it may be.
    Plain(Box<str>),
    /// A quoted or block scalar: always a string.
    Quoted(Box<str>),
    /// A sequence.
    Sequence(Vec<Node>),
    /// A mapping, in the order of the file; keys are unique strings.
    Mapping(Vec<(Key, Node)>),
    /// Something that was read, is neither null nor empty, and was not kept: nobody reads it.
    Skipped,
}

/// A mapping's key and its place.
#[derive(Clone, Debug)]
pub struct Key {
    /// Where it stands.
    pub place: Place,
    /// The key; the same keys stand in a document again and again, and share their text.
    pub text: Arc<str>,
}
