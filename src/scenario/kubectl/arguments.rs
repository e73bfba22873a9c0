//! Flags and other arguments of a line, told apart as kubectl's flag parser does.

use super::Refusal;
use crate::objects::{Selector, validation};
use crate::scenario::diagnostic::nearest;
use crate::scenario::selector;
use crate::scenario::suggest::name_help;

/// A flag that works.
struct Flag {
    name: &'static str,
    short: Option<char>,
    /// It wants a value; else it is a switch.
    wants_value: bool,
    verbs: &'static [&'static str],
}

const fn flag(
    name: &'static str,
    short: Option<char>,
    wants_value: bool,
    verbs: &'static [&'static str],
) -> Flag {
    Flag { name, short, wants_value, verbs }
}

const FLAGS: [Flag; 9] = [
    flag("namespace", Some('n'), true, &["delete", "label", "apply"]),
    flag("all-namespaces", Some('A'), false, &["delete", "label"]),
    flag("selector", Some('l'), true, &["taint", "delete", "cordon", "uncordon", "label"]),
    flag("all", None, false, &["taint", "delete", "label"]),
    flag("overwrite", None, false, &["taint", "label"]),
    flag("grace-period", None, true, &["delete"]),
    flag("force", None, false, &["delete"]),
    flag("now", None, false, &["delete"]),
    flag("filename", Some('f'), true, &["apply"]),
];

/// Flags of kubectl that do not work here, with the way out where there is one.
const REFUSED: [(&str, &str); 15] = [
    ("ignore-not-found", "give the step `mayBeRejected: true`"),
    ("wait", "a step never waits; the next one has its own time"),
    ("timeout", "a step never waits; the next one has its own time"),
    ("dry-run", "leave it out, or leave out the step"),
    ("cascade", ""),
    ("context", ""),
    ("field-selector", "use `-l` or names"),
    ("kubeconfig", ""),
    ("kustomize", "use `-f` with the built manifests"),
    ("output", "the timeline shows what a step does"),
    ("prune", ""),
    ("recursive", "name the files"),
    ("server-side", ""),
    ("v", ""),
    ("disable-eviction", ""),
];

/// The short forms of [`REFUSED`].
const REFUSED_SHORT: [(char, &str); 4] =
    [('o', "output"), ('k', "kustomize"), ('R', "recursive"), ('v', "v")];

/// A line taken apart.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    positional: Vec<String>,
    flags: Vec<(&'static str, String)>,
}

impl Arguments {
    /// Tells flags from other words; `--` ends the flags.
    pub(super) fn split(words: &[String]) -> Result<Arguments, Refusal> {
        let mut arguments = Arguments::default();
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            if word == "--" {
                arguments.positional.extend(rest.cloned());
                break;
            } else if let Some(long) = word.strip_prefix("--") {
                arguments.long(long, &mut rest)?;
            } else if word.len() > 1 && word.starts_with('-') {
                arguments.short(&word[1..], &mut rest)?;
            } else {
                arguments.positional.push(word.clone());
            }
        }
        Ok(arguments)
    }

    fn long<'w>(
        &mut self,
        text: &str,
        rest: &mut impl Iterator<Item = &'w String>,
    ) -> Result<(), Refusal> {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        let Some(flag) = FLAGS.iter().find(|flag| flag.name == name) else {
            return Err(unknown_flag(name));
        };
        let value = match value {
            Some(value) => value.to_owned(),
            None if flag.wants_value => rest
                .next()
                .cloned()
                .ok_or_else(|| Refusal::new(format!("flag needs an argument: --{name}")))?,
            None => "true".to_owned(),
        };
        self.flags.push((flag.name, value));
        Ok(())
    }

    /// One or more short flags in one word: `-A`, `-nshop`, `-n=shop`, `-Al app=web`.
    fn short<'w>(
        &mut self,
        text: &str,
        rest: &mut impl Iterator<Item = &'w String>,
    ) -> Result<(), Refusal> {
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            let Some(flag) = FLAGS.iter().find(|flag| flag.short == Some(letter)) else {
                return Err(match REFUSED_SHORT.iter().find(|(short, _)| *short == letter) {
                    Some((_, name)) => unknown_flag(name),
                    None => Refusal::new(format!("unknown shorthand flag: '{letter}' in -{text}")),
                });
            };
            let joined = letters.as_str();
            if !flag.wants_value {
                if let Some(value) = joined.strip_prefix('=') {
                    self.flags.push((flag.name, value.to_owned()));
                    return Ok(());
                }
                self.flags.push((flag.name, "true".to_owned()));
                continue;
            }
            let value = match joined.strip_prefix('=').unwrap_or(joined) {
                "" if joined.is_empty() => rest.next().cloned().ok_or_else(|| {
                    Refusal::new(format!("flag needs an argument: '{letter}' in -{text}"))
                })?,
                value => value.to_owned(),
            };
            self.flags.push((flag.name, value));
            return Ok(());
        }
        Ok(())
    }

    /// The first word that is no flag, with the rest kept.
    pub(super) fn take_verb(&mut self) -> Option<String> {
        (!self.positional.is_empty()).then(|| self.positional.remove(0))
    }

    /// Refuses flags that the verb does not have.
    pub(super) fn check_flags(&self, verb: &str) -> Result<(), Refusal> {
        for (name, _) in &self.flags {
            let works = FLAGS.iter().any(|flag| flag.name == *name && flag.verbs.contains(&verb));
            if !works {
                return Err(Refusal::new(format!("`--{name}` does not work with {verb}"))
                    .help(flags_of(verb)));
            }
        }
        Ok(())
    }

    /// The words that are no flags, without the verb.
    pub(super) fn positional(&self) -> &[String] {
        &self.positional
    }

    /// All values of a flag.
    pub(super) fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.flags.iter().filter(move |(flag, _)| *flag == name).map(|(_, value)| value.as_str())
    }

    /// The value of a flag; the last one counts.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.values(name).last()
    }

    /// Whether a switch is on.
    pub(super) fn switch(&self, name: &str) -> Result<bool, Refusal> {
        match self.value(name) {
            None => Ok(false),
            Some("true" | "True" | "TRUE" | "t" | "T" | "1") => Ok(true),
            Some("false" | "False" | "FALSE" | "f" | "F" | "0") => Ok(false),
            Some(other) => Err(Refusal::new(format!(
                "invalid argument \"{other}\" for \"--{name}\" flag: right is true or false"
            ))
            .help(format!("write `--{name}` alone"))),
        }
    }

    /// `-l`.
    pub(super) fn selector(&self) -> Result<Option<Selector>, Refusal> {
        let Some(text) = self.value("selector") else { return Ok(None) };
        match selector::parse(text) {
            Ok(selector) => Ok(Some(selector)),
            Err(message) => Err(Refusal::new(format!("`-l {text}`: {message}"))),
        }
    }

    /// `-n`.
    pub(super) fn namespace(&self) -> Result<Option<&str>, Refusal> {
        let Some(namespace) = self.value("namespace") else { return Ok(None) };
        match validation::namespace(namespace).into_iter().next() {
            None => Ok(Some(namespace)),
            Some(problem) => Err(Refusal::new(format!("the name of a namespace {problem}"))
                .help(name_help("namespace", namespace, namespace))),
        }
    }
}

fn unknown_flag(name: &str) -> Refusal {
    if let Some((_, way_out)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
        let refusal = Refusal::new(format!("`--{name}` is not supported by taintsim"));
        return if way_out.is_empty() { refusal } else { refusal.help(*way_out) };
    }
    let refusal = Refusal::new(format!("unknown flag: --{name}"));
    match nearest(name, FLAGS.iter().map(|flag| flag.name)) {
        Some(near) => refusal.help(format!("did you mean `--{near}`?")),
        None => refusal,
    }
}

/// The verb of a line, also where its flags cannot be read: the first word that is neither a flag
/// nor the value of one.
pub(super) fn verb_of(words: &[String]) -> Option<&str> {
    let mut rest = words.iter().map(String::as_str);
    while let Some(word) = rest.next() {
        let Some(flag) = word.strip_prefix('-').filter(|flag| !flag.is_empty()) else {
            return Some(word);
        };
        let long = flag.strip_prefix('-');
        let known = FLAGS.iter().find(|known| match long {
            Some(name) => known.name == name,
            None => flag.chars().eq(known.short),
        });
        match known {
            Some(known) if known.wants_value => drop(rest.next()),
            Some(_) => {}
            // `--name=value` and `-nvalue` are whole; of others it cannot be told.
            None if flag.contains('=') || long.is_none() => {}
            None => return None,
        }
    }
    None
}

/// The flags that a verb takes.
pub(super) fn flags_of(verb: &str) -> String {
    let with = FLAGS.iter().filter(|flag| flag.verbs.contains(&verb));
    let names: Vec<String> = with.map(|flag| format!("--{}", flag.name)).collect();
    format!("{verb} takes {}", names.join(", "))
}
