//! A campaign as a text, from which it goes on.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Write as _;

use serde_json::{Map, Value, json};

use super::{Base, Campaign, Hits, RUNS_MAX, Settings, Tally};
use crate::fuzz::cause::{Cause, Class, Ingredient};
use crate::fuzz::examine::{RuleSet, rule_of};
use crate::fuzz::finding::{Finding, Origin, Signature};
use crate::marks::Mark;
use crate::profile::Switch;
use crate::scenario::language::profile;
use crate::timeline::digest::Hasher;

/// Of the form of the text: another one is not read.
const FORM: u64 = 1;
/// Another version of taintsim makes up other runs, and judges them otherwise.
const TAINTSIM: &str = env!("CARGO_PKG_VERSION");
/// The last key: SHA-256 of the text without it.
const DIGEST: &str = "digest";

/// A campaign, and how far it is to go.
#[derive(Clone, Debug)]
pub struct State {
    /// The campaign so far.
    pub campaign: Campaign,
    /// It is to have so many runs, all shards together; `None`: as many as there is time for.
    pub runs: Option<u64>,
    /// Which shard it is, from 0, and of how many.
    pub shard: (u64, u64),
}

/// Why a text is no state: a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateError(String);

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl State {
    /// The state as a text, the same for the same runs.
    pub fn write(&self) -> String {
        let Campaign { settings, tally, findings } = &self.campaign;
        let classes = tally.classes.iter().map(|(class, hits)| {
            let cause = match &class.cause {
                Cause::Switch(switch) => json!({ "switch": switch.name() }),
                Cause::Needs(needs) => {
                    json!({ "needs": needs.iter().map(|n| n.name()).collect::<Vec<_>>() })
                }
            };
            let finding = findings.get(class).map(write_finding);
            json!({
                "rule": class.rule,
                "cause": cause,
                "runs": hits.runs,
                "first": hits.first,
                "finding": finding,
            })
        });
        let marks = tally.marks.iter().map(|(mark, (hits, times))| {
            json!({ "mark": mark.name(), "runs": hits.runs, "first": hits.first, "times": times })
        });
        let ranges = tally.ranges.iter().map(|range| json!([range.start, range.end]));
        let base = settings.base.as_ref();
        let mut state = json!({
            "form": FORM,
            "taintsim": TAINTSIM,
            "seed": settings.seed,
            "kubernetesVersion": settings.version.map(|version| version.name()),
            "rules": settings.rules.names().collect::<Vec<_>>(),
            "file": base.map(|base| json!({ "name": base.file, "digest": base.digest })),
            "runs": self.runs,
            "shard": [self.shard.0, self.shard.1],
            "ranges": ranges.collect::<Vec<_>>(),
            "breaching": tally.breaching,
            "events": tally.events,
            "classes": classes.collect::<Vec<_>>(),
            "marks": marks.collect::<Vec<_>>(),
        });
        state[DIGEST] = digest(&state).into();
        format!("{state:#}\n")
    }

    /// Reads a state again. `base` loads the scenario that is varied, by its file's name.
    ///
    /// # Errors
    /// What is wrong with the text, or with the scenario.
    pub fn read(
        text: &str,
        base: impl FnOnce(&str) -> Result<Base, String>,
    ) -> Result<State, StateError> {
        let value: Value = serde_json::from_str(text).map_err(|error| {
            StateError(format!("line {}, column {}: {error}", error.line(), error.column()))
        })?;
        let root = Reader { value: &value, path: String::new() };
        root.of("form")?
            .check(|form| form.as_u64() == Some(FORM), "the form of this version, 1")?;
        let is_of = root.of("taintsim")?;
        if is_of.text()? != TAINTSIM {
            let text = format!("it was begun by another version, and this is {TAINTSIM}");
            return Err(is_of.wrong(&text));
        }
        let file = root.of("file")?;
        let base = match file.value {
            Value::Null => None,
            _ => {
                let base = base(file.of("name")?.text()?).map_err(StateError)?;
                let digest = file.of("digest")?.text()?;
                if base.digest != digest {
                    let text = format!("{} has changed since the campaign began", base.file);
                    return Err(StateError(text));
                }
                Some(base)
            }
        };
        let version = root.of("kubernetesVersion")?;
        let version = match version.value {
            Value::Null => None,
            _ => Some(profile(version.text()?).map_err(|text| version.wrong(&text))?),
        };
        let rules = root.of("rules")?;
        let names: Vec<&str> =
            rules.list()?.iter().map(Reader::text).collect::<Result<_, StateError>>()?;
        let rules = RuleSet::parse(names).map_err(|text| rules.wrong(&text))?;
        let seed = root.of("seed")?.number()?;
        let settings = Settings { seed, version, rules, base };
        let mut campaign = Campaign::new(settings);
        read_tally(&root, &mut campaign.tally)?;
        campaign.findings = read_classes(&root.of("classes")?, &mut campaign.tally)?;
        let runs = root.of("runs")?;
        let runs = if runs.value.is_null() { None } else { Some(runs.number()?) };
        if runs.is_some_and(|runs| runs > RUNS_MAX) {
            return Err(root.of("runs")?.wrong("more runs than there are"));
        }
        let shard = root.of("shard")?;
        let numbers: Vec<u64> =
            shard.list()?.iter().map(Reader::number).collect::<Result<_, StateError>>()?;
        let shard = match numbers[..] {
            [index, count] if index < count => (index, count),
            _ => return Err(shard.wrong("not a shard and how many there are")),
        };
        let told = root.of(DIGEST)?;
        let mut rest = value.clone();
        if let Some(rest) = rest.as_object_mut() {
            rest.remove(DIGEST);
        }
        if told.text()? != digest(&rest) {
            return Err(told.wrong("not that of the rest, which has been changed or damaged"));
        }
        Ok(State { campaign, runs, shard })
    }
}

/// SHA-256 of a state's text without its digest.
fn digest(state: &Value) -> String {
    let mut hasher = Hasher::new();
    // Writing to a hasher does not fail.
    let _ = write!(hasher, "{state:#}");
    hasher.finish()
}

fn write_finding(finding: &Finding) -> Value {
    let origin = match &finding.signature.origin {
        Origin::Switch(switch) => json!({ "switch": switch.name() }),
        Origin::Kinds(kinds) => json!({ "kinds": kinds }),
    };
    json!({
        "run": finding.run,
        "origin": origin,
        "breach": finding.breach,
        "stepsBefore": finding.steps_before,
        "stepsAfter": finding.steps_after,
        "text": finding.text,
    })
}

fn read_tally(root: &Reader<'_>, tally: &mut Tally) -> Result<(), StateError> {
    tally.breaching = root.of("breaching")?.number()?;
    tally.events = root.of("events")?.number()?;
    let mut end = 0;
    for range in root.of("ranges")?.list()? {
        let numbers: Vec<u64> =
            range.list()?.iter().map(Reader::number).collect::<Result<_, StateError>>()?;
        match numbers[..] {
            [from, to] if end <= from && from < to && to <= RUNS_MAX => {
                tally.add_range(from..to);
                end = to;
            }
            _ => return Err(range.wrong("not a range of runs behind the one before it")),
        }
    }
    for entry in root.of("marks")?.list()? {
        let name = entry.of("mark")?;
        let mark = Mark::named(name.text()?).ok_or_else(|| name.wrong("no mark is called so"))?;
        tally.add_mark(mark, (read_hits(&entry)?, entry.of("times")?.number()?));
    }
    Ok(())
}

fn read_hits(entry: &Reader<'_>) -> Result<Hits, StateError> {
    Ok(Hits { runs: entry.of("runs")?.number()?, first: entry.of("first")?.number()? })
}

fn read_classes(
    list: &Reader<'_>,
    tally: &mut Tally,
) -> Result<BTreeMap<Class, Finding>, StateError> {
    let mut findings = BTreeMap::new();
    for entry in list.list()? {
        let rule = entry.of("rule")?;
        let name = rule.text()?;
        let sentence = rule_of(name).ok_or_else(|| rule.wrong("no rule is called so"))?.sentence;
        let cause = entry.of("cause")?;
        let cause = match cause.of("switch") {
            Ok(switch) => Cause::Switch(read_switch(&switch)?),
            Err(_) => {
                let needs = cause.of("needs")?.list()?.into_iter().map(|name| {
                    Ingredient::named(name.text()?).ok_or_else(|| name.wrong("no such thing"))
                });
                Cause::Needs(needs.collect::<Result<_, StateError>>()?)
            }
        };
        let class = Class { rule: name.to_owned().into(), cause };
        tally.add_class(class.clone(), read_hits(&entry)?);
        let finding = entry.of("finding")?;
        if finding.value.is_null() {
            continue;
        }
        let origin = finding.of("origin")?;
        let origin = match origin.of("switch") {
            Ok(switch) => Origin::Switch(read_switch(&switch)?),
            Err(_) => {
                let kinds = origin.of("kinds")?.list()?.into_iter().map(|kind| {
                    Origin::kind(kind.text()?).ok_or_else(|| kind.wrong("no such kind"))
                });
                Origin::Kinds(kinds.collect::<Result<_, StateError>>()?)
            }
        };
        let finding = Finding {
            run: finding.of("run")?.number()?,
            signature: Signature { rule: class.rule.clone(), origin },
            sentence,
            breach: finding.of("breach")?.text()?.to_owned(),
            steps_before: finding.of("stepsBefore")?.number()? as usize,
            steps_after: finding.of("stepsAfter")?.number()? as usize,
            text: finding.of("text")?.text()?.to_owned(),
        };
        findings.insert(class, finding);
    }
    Ok(findings)
}

fn read_switch(switch: &Reader<'_>) -> Result<Switch, StateError> {
    Switch::named(switch.text()?).ok_or_else(|| switch.wrong("no switch is called so"))
}

/// A value, and where it stands.
struct Reader<'v> {
    value: &'v Value,
    path: String,
}

impl<'v> Reader<'v> {
    fn wrong(&self, what: &str) -> StateError {
        let path = if self.path.is_empty() { "the state" } else { &self.path };
        StateError(format!("{path}: {what}"))
    }

    fn check(&self, holds: impl Fn(&Value) -> bool, wanted: &str) -> Result<(), StateError> {
        if holds(self.value) { Ok(()) } else { Err(self.wrong(&format!("not {wanted}"))) }
    }

    fn of(&self, key: &str) -> Result<Reader<'v>, StateError> {
        let map: Option<&'v Map<String, Value>> = self.value.as_object();
        let value = map.and_then(|map| map.get(key));
        let dot = if self.path.is_empty() { "" } else { "." };
        let path = format!("{}{dot}{key}", self.path);
        match value {
            Some(value) => Ok(Reader { value, path }),
            None => Err(StateError(format!("{path} is missing"))),
        }
    }

    fn list(&self) -> Result<Vec<Reader<'v>>, StateError> {
        let list = self.value.as_array().ok_or_else(|| self.wrong("not a list"))?;
        let entry = |(index, value)| Reader { value, path: format!("{}[{index}]", self.path) };
        Ok(list.iter().enumerate().map(entry).collect())
    }

    fn text(&self) -> Result<&'v str, StateError> {
        self.value.as_str().ok_or_else(|| self.wrong("not a text"))
    }

    fn number(&self) -> Result<u64, StateError> {
        self.value.as_u64().ok_or_else(|| self.wrong("not a whole number from 0 on"))
    }
}
