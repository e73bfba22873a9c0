//! The documentation of the scenario language as data: every mapping and key that works in this
//! version, with its type, default, rules and an example.
//!
//! The loader in `scenario` is what decides, and does not read it; only where columns are wrong it
//! is asked which of them would make sense. Keys that this version refuses are not here.

mod explain;
mod json_schema;
mod language;
mod lookup;
mod topics;

pub use explain::{explain, wrapped};
pub use json_schema::{SCHEMA_ID, json_schema, mappings};
pub use language::SCENARIO;
pub use lookup::{Found, find, paths};
pub use topics::{topic, topics};

/// The value of `apiVersion`.
pub const API_VERSION: &str = "taintsim.dev/v1alpha1";

/// A mapping of the language.
#[derive(Debug)]
pub struct Mapping {
    /// Its name as a type, such as `Toleration`.
    pub name: &'static str,
    /// What it stands for.
    pub about: &'static str,
    /// Its keys, in groups that belong together.
    pub groups: &'static [&'static [Field]],
    /// What holds between its keys.
    pub rules: &'static [Rule],
}

/// A key of a mapping.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The key.
    pub key: &'static str,
    /// What its value is.
    pub kind: Kind,
    /// Whether it has to be there.
    pub is_required: bool,
    /// What holds where it is not there.
    pub default: Absent,
    /// What it means, in Kubernetes' terms. The first sentence says it in short.
    pub about: &'static str,
    /// The mapping with this key, as YAML.
    pub example: &'static str,
}

/// What holds where a key is absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent {
    /// Nothing to say: it is required, or there is none of it.
    None,
    /// The same as with this value, written as in YAML.
    Value(&'static str),
    /// Something that is no value.
    Words(&'static str),
}

/// What a value is.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A text of some form.
    Text(&'static Text),
    /// A whole number, with bounds where there are narrower ones than 64 bits.
    Integer {
        /// The least.
        least: Option<i64>,
        /// The greatest.
        greatest: Option<u32>,
        /// What it counts.
        unit: Option<&'static str>,
    },
    /// `true` or `false`.
    Boolean,
    /// One of some words.
    Word(&'static [&'static str]),
    /// One of some words or the empty string, which counts as absent.
    WordOrEmpty(&'static [&'static str]),
    /// A list of something.
    List {
        /// What its items are.
        of: &'static Kind,
        /// How many there are at least.
        least: usize,
        /// How many there are at most.
        greatest: Option<usize>,
    },
    /// A mapping of the language.
    Mapping(&'static Mapping),
    /// A mapping whose argument may be left out altogether: the key alone says something.
    MappingOrNothing(&'static Mapping),
    /// Labels: any keys, with strings as values.
    Labels,
    /// A manifest of a Node or a Pod, as Kubernetes has it.
    Manifest,
    /// One of several forms.
    Either(&'static [Kind]),
}

/// A form of text.
#[derive(Debug)]
pub struct Text {
    /// The name of the form, such as `duration`.
    pub name: &'static str,
    /// How it is written; empty for plain strings.
    pub about: &'static str,
    /// A regular expression (ECMA-262) that every text of this form fits; empty: anything.
    pub pattern: &'static str,
    /// Texts of this form.
    pub examples: &'static [&'static str],
    /// What may stand there without being a string in YAML's eyes.
    pub bare: Bare,
}

/// Which plain scalars of YAML that are no strings are taken as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bare {
    /// None: as for the API server, `true` and `1.36` are no strings.
    Nothing,
    /// The number 0.
    Zero,
    /// All: what counts are the characters.
    Anything,
}

/// What holds between the keys of a mapping. A key that is null counts as absent.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// One of them is there, and no other.
    ExactlyOne(&'static [&'static str]),
    /// One of them is there, or more.
    AtLeastOne(&'static [&'static str]),
    /// Not more than one of them is there.
    AtMostOne(&'static [&'static str]),
    /// Where one of the first is there, one of the second is there, too.
    Needs(&'static [&'static str], &'static [&'static str]),
}

impl Mapping {
    /// All keys, in their order.
    pub fn fields(&self) -> impl Iterator<Item = &'static Field> + use<> {
        self.groups.iter().flat_map(|group| group.iter())
    }

    /// The key of this name.
    pub fn field(&self, key: &str) -> Option<&'static Field> {
        self.fields().find(|field| field.key == key)
    }
}

impl Field {
    /// The mapping that its value is, or that the items of its value are.
    pub fn mapping(&self) -> Option<&'static Mapping> {
        self.kind.mapping()
    }

    /// The first sentence of what it means.
    pub fn summary(&self) -> &'static str {
        match self.about.find(". ") {
            Some(end) => &self.about[..=end],
            None => self.about,
        }
    }
}

impl Kind {
    /// The mapping that a value of this kind is, or that its items are.
    pub fn mapping(&self) -> Option<&'static Mapping> {
        match self {
            Kind::Mapping(mapping) | Kind::MappingOrNothing(mapping) => Some(mapping),
            Kind::List { of, .. } => of.mapping(),
            Kind::Either(kinds) => kinds.iter().find_map(Kind::mapping),
            _ => None,
        }
    }

    /// Whether a mapping stands in a list here.
    pub fn is_list(&self) -> bool {
        match self {
            Kind::List { .. } => true,
            Kind::Either(kinds) => kinds.iter().any(|kind| kind.is_list()),
            _ => false,
        }
    }

    /// The words of which the value is one.
    pub fn words(&self) -> &'static [&'static str] {
        match self {
            Kind::Word(words) | Kind::WordOrEmpty(words) => words,
            _ => &[],
        }
    }

    /// The type as `explain` writes it: `integer`, `[]Pod`, `duration or []duration`.
    pub fn name(&self) -> String {
        match self {
            Kind::Text(text) => text.name.into(),
            Kind::Integer { .. } => "integer".into(),
            Kind::Boolean => "boolean".into(),
            Kind::Word(_) | Kind::WordOrEmpty(_) => "string".into(),
            Kind::List { of: of @ Kind::Either(_), .. } => format!("[]({})", of.name()),
            Kind::List { of, .. } => format!("[]{}", of.name()),
            Kind::Mapping(mapping) | Kind::MappingOrNothing(mapping) => mapping.name.into(),
            Kind::Labels => "map[string]string".into(),
            Kind::Manifest => "Node or Pod manifest".into(),
            Kind::Either(kinds) => kinds.iter().map(Kind::name).collect::<Vec<_>>().join(" or "),
        }
    }
}

/// A key that may be absent; for the tables of [`language`].
const fn field(key: &'static str, kind: Kind, about: &'static str, example: &'static str) -> Field {
    Field { key, kind, is_required: false, default: Absent::None, about, example }
}

impl Field {
    /// The key has to be there.
    const fn required(mut self) -> Field {
        self.is_required = true;
        self
    }

    /// What holds where the key is absent, as a value.
    const fn default(mut self, value: &'static str) -> Field {
        self.default = Absent::Value(value);
        self
    }

    /// The same, where no value says it.
    const fn absent(mut self, words: &'static str) -> Field {
        self.default = Absent::Words(words);
        self
    }
}
