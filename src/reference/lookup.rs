//! From what a user writes to a key of the language.

use super::{Field, Mapping, SCENARIO};
use crate::scenario::diagnostic::nearest;

/// What a path leads to.
#[derive(Clone, Copy, Debug)]
pub enum Found {
    /// The whole document.
    Scenario,
    /// A key.
    Field(&'static Field),
}

impl Found {
    /// The mapping that stands there, if one does.
    pub fn mapping(&self) -> Option<&'static Mapping> {
        match self {
            Found::Scenario => Some(&SCENARIO),
            Found::Field(field) => field.mapping(),
        }
    }
}

/// Every path of the language, `spec.steps.at`. A mapping within itself is not entered again.
pub fn paths() -> Vec<(String, &'static Field)> {
    let mut found = Vec::new();
    collect("", &SCENARIO, &mut vec![SCENARIO.name], &mut found);
    found
}

fn collect(
    above: &str,
    mapping: &'static Mapping,
    around: &mut Vec<&'static str>,
    found: &mut Vec<(String, &'static Field)>,
) {
    for field in mapping.fields() {
        let path = match above {
            "" => field.key.to_owned(),
            above => format!("{above}.{}", field.key),
        };
        found.push((path.clone(), field));
        if let Some(inner) = field.mapping().filter(|inner| !around.contains(&inner.name)) {
            around.push(inner.name);
            collect(&path, inner, around, found);
            around.pop();
        }
    }
}

/// Finds what a path means: from the top of the document, with or without marks of lists (`[]`,
/// `[0]`, `[*]`), or the end of exactly one path (`tolerationSeconds`). Gives the whole path, too.
///
/// # Errors
/// What is wrong with it, and what there is instead.
pub fn find(written: &str) -> Result<(String, Found), String> {
    let keys = keys(written);
    let keys: Vec<&str> = match keys.split_first() {
        Some((first, rest)) if first.eq_ignore_ascii_case(SCENARIO.name) => rest.to_vec(),
        _ => keys,
    };
    let Some(first) = keys.first() else { return Ok((String::new(), Found::Scenario)) };
    if SCENARIO.field(first).is_some() {
        return from_the_top(&keys);
    }
    let ending = keys.join(".");
    let is_end = |path: &str| path == ending || path.ends_with(&format!(".{ending}"));
    let all = paths();
    let mut ends = all.iter().filter(|(path, _)| is_end(path));
    match (ends.next(), ends.next()) {
        (Some((path, field)), None) => Ok((path.clone(), Found::Field(field))),
        (Some(_), Some(_)) => Err(several(&ending, &all, is_end)),
        (None, _) => Err(unknown(&keys, &all)),
    }
}

fn keys(written: &str) -> Vec<&str> {
    let without_list = |key: &'_ str| key.find('[').unwrap_or(key.len());
    let keys = written.trim().split('.').map(|key| key[..without_list(key)].trim());
    keys.filter(|key| !key.is_empty()).collect()
}

fn from_the_top(keys: &[&str]) -> Result<(String, Found), String> {
    let mut found = Found::Scenario;
    let mut path = String::new();
    for key in keys {
        let Some(mapping) = found.mapping() else {
            return Err(format!("`{path}` has no keys below it, so there is no `{key}` in it"));
        };
        let Some(field) = mapping.field(key) else {
            let known = mapping.fields().map(|field| field.key);
            let known: Vec<&str> = known.collect();
            let place = if path.is_empty() { "a Scenario".to_owned() } else { format!("`{path}`") };
            let help = match nearest(key, known.iter().copied()) {
                Some(near) => format!("did you mean `{}`?", joined(&path, near)),
                None => format!("its keys are {}", known.join(", ")),
            };
            return Err(format!("there is no key `{key}` in {place}; {help}"));
        };
        path = joined(&path, field.key);
        found = Found::Field(field);
    }
    Ok((path, found))
}

fn joined(path: &str, key: &str) -> String {
    match path {
        "" => key.to_owned(),
        path => format!("{path}.{key}"),
    }
}

/// How many paths a message names.
const NAMED: usize = 12;

fn several(
    ending: &str,
    all: &[(String, &'static Field)],
    is_end: impl Fn(&str) -> bool,
) -> String {
    let ends: Vec<&str> =
        all.iter().map(|(path, _)| path.as_str()).filter(|path| is_end(path)).collect();
    // In one line: what is told of wrong usage has its line breaks escaped.
    let named: Vec<&str> = ends.iter().take(NAMED).copied().collect();
    let more = match ends.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("`{ending}` is a key in several places; write one of {}{more}", named.join(", "))
}

fn unknown(keys: &[&str], all: &[(String, &'static Field)]) -> String {
    let last = keys.last().copied().unwrap_or_default();
    let near = nearest(last, all.iter().map(|(_, field)| field.key));
    let near = near.and_then(|near| all.iter().find(|(_, field)| field.key == near));
    let help = match near {
        Some((path, _)) => format!("did you mean `{path}`?"),
        None => "`taintsim explain --recursive` shows all keys".to_owned(),
    };
    format!("there is no key `{}` in the scenario language; {help}", keys.join("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_found_however_its_path_is_written() {
        for (written, expected) in [
            ("", ""),
            ("Scenario", ""),
            ("spec", "spec"),
            ("scenario.spec.steps.", "spec.steps"),
            ("spec.pods[].name", "spec.pods.name"),
            ("spec.pods[0].tolerations[*].key", "spec.pods.tolerations.key"),
            ("spec.steps.burst.taint.add", "spec.steps.burst.taint.add"),
            ("spec.expect.anyOf.anyOf.pod", "spec.expect.anyOf.anyOf.pod"),
            ("watchLatency.pods", "spec.apiServer.watchLatency.pods"),
            ("workers", "spec.taintManager.workers"),
        ] {
            assert_eq!(find(written).map(|(path, _)| path), Ok(expected.into()), "{written}");
        }
        for (written, expected) in [
            ("spec.pod", "did you mean `spec.pods`?"),
            ("spec.until.x", "`spec.until` has no keys below it"),
            ("spec.qqqqqqqqq", "its keys are kubernetesVersion, seed"),
            ("tolerations", "write one of spec.pods.tolerations, "),
            ("workerz", "did you mean `spec.taintManager.workers`?"),
            ("qqqqqqqqqqqqqqqqqqq", "`taintsim explain --recursive`"),
        ] {
            let error = find(written).expect_err(written);
            assert!(error.contains(expected), "{written}: {error}");
        }
    }

    #[test]
    fn every_path_leads_to_its_key() {
        let all = paths();
        assert!(all.len() > 150, "{}", all.len());
        for (path, field) in all {
            let (found, to) = find(&path).unwrap_or_else(|error| panic!("{error}"));
            let Found::Field(to) = to else { panic!("{path}") };
            assert_eq!((found, to.key), (path, field.key));
        }
    }
}
