//! Which rules judge: families, single rules, other versions to compare with.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use super::{DETERMINISM, RUNS_TO_ITS_END, diff_rule};
use crate::fuzz::rules::{self, Families, Rule};
use crate::profile::Profile;
use crate::scenario::language::profile;

/// The rules that judge runs, as `--rules` names them.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RuleSet {
    /// Names of rules but `diff/…`.
    names: BTreeSet<&'static str>,
    /// Versions to compare with.
    versions: BTreeSet<Profile>,
}

impl RuleSet {
    /// What a list of words names: `controller`, `docs`, a rule's name, `diff/1.32`, `all` …
    ///
    /// # Errors
    /// A sentence about the first word that names nothing.
    pub fn parse<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<RuleSet, String> {
        let mut set = RuleSet::default();
        for word in words {
            set.add(word)?;
        }
        Ok(set)
    }

    /// One rule alone, by its name.
    ///
    /// # Errors
    /// A sentence where no rule has this name.
    pub fn one(name: &str) -> Result<RuleSet, String> {
        let set = RuleSet::parse([name])?;
        match set.len() == 1 && rule_of(name).is_some() {
            true => Ok(set),
            false => Err(format!("`{name}` names several rules; write one of them")),
        }
    }

    /// What judges where nothing else is asked for: the inside, the documentation, convergence.
    pub fn usual() -> RuleSet {
        let usual = static_rules().filter(|rule| rule.name != DETERMINISM.name);
        RuleSet { names: usual.map(|rule| rule.name).collect(), versions: BTreeSet::new() }
    }

    fn add(&mut self, word: &str) -> Result<(), String> {
        if let Some(version) = word.strip_prefix("diff/") {
            self.versions.insert(profile(version)?);
            return Ok(());
        }
        let is_meant = |rule: &&Rule| {
            let family = rule.name.split_once('/').map(|(family, _)| family);
            word == "all" || rule.name == word || family == Some(word)
        };
        let names: Vec<_> = static_rules().filter(is_meant).map(|rule| rule.name).collect();
        if word == "diff" || word == "all" {
            self.versions.extend(Profile::all().filter(|version| version.is_recorded()));
        } else if names.is_empty() {
            return Err(unknown(word));
        }
        self.names.extend(names);
        Ok(())
    }

    /// Whether no rule is in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn len(&self) -> usize {
        self.names.len() + self.versions.len()
    }

    /// The names of its rules, in their order.
    pub fn names(&self) -> impl Iterator<Item = Cow<'static, str>> + '_ {
        let own = static_rules().filter(|rule| self.has(rule.name)).map(|rule| rule.name.into());
        let diff = self.versions.iter().map(|version| diff_rule(*version).into());
        own.chain(diff)
    }

    /// Adds the rules of another set.
    pub fn extend(&mut self, other: &RuleSet) {
        self.names.extend(&other.names);
        self.versions.extend(&other.versions);
    }

    /// Whether the rule of this name judges.
    pub fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// The versions to compare with.
    pub(super) fn versions(&self) -> impl Iterator<Item = Profile> + '_ {
        self.versions.iter().copied()
    }

    /// The families that have a rule in it, but for what [`super::Examiner`] judges itself.
    pub(super) fn families(&self) -> Families {
        let any = |family: &str| {
            let of_family = |name: &&&str| name.starts_with(family);
            self.names.iter().filter(of_family).any(|name| *name != RUNS_TO_ITS_END.name)
        };
        Families {
            controller: any("controller/"),
            docs: any("docs/"),
            convergence: any("convergence"),
        }
    }
}

/// What `--rules` names several rules by, without `all`.
const FAMILIES: [&str; 3] = ["controller", "docs", "diff"];

/// As a person would write it: families that are whole by their names.
impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |word: &str| RuleSet::parse([word]).unwrap_or_default();
        let is_whole = |set: &RuleSet| {
            set.names.is_subset(&self.names) && set.versions.is_subset(&self.versions)
        };
        let mut told = RuleSet::default();
        let mut words: Vec<Cow<'static, str>> = Vec::new();
        for word in ["all"].into_iter().chain(FAMILIES) {
            let family = of(word);
            let is_new = !told.names.is_superset(&family.names)
                || !told.versions.is_superset(&family.versions);
            if is_whole(&family) && is_new {
                told.extend(&family);
                words.push(word.into());
            }
        }
        let is_told = |name: &str| match name.strip_prefix("diff/") {
            Some(version) => told.versions.iter().any(|told| told.name() == version),
            None => told.has(name),
        };
        words.extend(self.names().filter(|name| !is_told(name)));
        f.write_str(&words.join(","))
    }
}

/// Every rule but `diff/…`, of which there is one for each version.
pub fn static_rules() -> impl Iterator<Item = &'static Rule> {
    rules::all().chain([&RUNS_TO_ITS_END, &DETERMINISM])
}

/// The rule of this name.
pub fn rule_of(name: &str) -> Option<Cow<'static, Rule>> {
    if let Some(version) = name.strip_prefix("diff/") {
        let version = profile(version).ok()?;
        return Some(Cow::Owned(super::diff_to(version)));
    }
    static_rules().find(|rule| rule.name == name).map(Cow::Borrowed)
}

fn unknown(word: &str) -> String {
    let names = static_rules().map(|rule| rule.name);
    let families = ["controller", "docs", "convergence", "diff", "all"];
    let near = names.chain(families).min_by_key(|name| strsim::damerau_levenshtein(name, word));
    let near = near.filter(|near| strsim::damerau_levenshtein(near, word) <= 1 + near.len() / 3);
    let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    format!(
        "no rule is called `{word}`: write a family (controller, docs, convergence, diff), a rule's \
         name, diff/VERSION, determinism, or all{hint}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_name_rules() {
        let set = |text: &str| RuleSet::parse(text.split(','));
        assert_eq!(set("controller,docs,convergence"), Ok(RuleSet::usual()));
        assert_eq!(RuleSet::one("docs/untaint-saves").unwrap().to_string(), "docs/untaint-saves");
        assert_eq!(RuleSet::one("diff/1.32").unwrap().to_string(), "diff/1.32");
        let all = set("all").unwrap();
        assert!(all.names().any(|name| name == "determinism"));
        assert!(all.names().any(|name| name == "diff/1.19"));
        assert_eq!(RuleSet::parse(all.to_string().split(',')), Ok(all.clone()), "written and read");
        for short in [
            "all",
            "all,diff/1.32",
            "controller,docs",
            "docs,convergence",
            "diff,determinism",
            "controller/one-timer,docs/untaint-saves,diff/1.18,diff/1.19",
        ] {
            assert_eq!(set(short).unwrap().to_string(), short);
        }
        assert_eq!(set("docs,docs"), set("docs"));
        assert_eq!(set("all,all,diff,docs,docs/untaint-saves"), Ok(all));
    }

    #[test]
    fn wrong_words_are_told() {
        for (word, part) in [
            ("doc", "did you mean `docs`?"),
            ("docs/untaint-save", "did you mean `docs/untaint-saves`?"),
            ("", "no rule is called ``"),
            ("diff/2.0", "2.0"),
            ("contr", "no rule is called `contr`"),
        ] {
            let error = RuleSet::parse([word]).unwrap_err();
            assert!(error.contains(part), "{word}: {error}");
        }
        assert!(RuleSet::one("docs").unwrap_err().contains("several"));
        assert!(RuleSet::one("diff").is_err());
    }
}
