//! `kubectl label pods|nodes NAME... key=value key-`.
//!
//! k8s v1.36 kubectl pkg/cmd/label `parseLabels`, `validate`.

use super::Refusal;
use super::arguments::Arguments;
use super::targets::{Resource, chosen_nodes, chosen_pods, resource_and_names};
use crate::objects::validation::{label_key, label_value};
use crate::plan::{Action, LabelChange};
use crate::scenario::resolve::Resolver;
use crate::scenario::suggest::value_help;
use crate::scenario::tree::Place;

/// What a label argument may look like; for hints.
const FORMS: &str = "right is key=value to set and key- to remove";

pub(super) fn parse(
    arguments: &Arguments,
    place: Place,
    resolver: &mut Resolver,
) -> Result<Vec<Action>, Refusal> {
    let words = arguments.positional();
    let is_change = |word: &String| word.contains('=') || word.ends_with('-');
    let first_change = words.iter().position(is_change).unwrap_or(words.len());
    let (objects, changes) = words.split_at(first_change);
    if let Some(word) = changes.iter().find(|word| !is_change(word)) {
        let message = format!("all resources must be specified before label changes: {word}");
        return Err(Refusal::new(message).help(FORMS));
    }
    if objects.is_empty() {
        return Err(Refusal::new(
            "one or more resources must be specified as <resource> <name> or <resource>/<name>",
        )
        .help("write `label pods NAME key=value`"));
    }
    if changes.is_empty() {
        return Err(Refusal::new("at least one label update is required").help(FORMS));
    }
    let change = read_changes(changes, arguments.switch("overwrite")?)?;
    let mut actions = Vec::new();
    for (resource, names) in resource_and_names(objects)? {
        let change = change.clone();
        resolver.labels_change(resource == Resource::Pods, &change);
        let action = match resource {
            Resource::Pods => chosen_pods(arguments, &names, place, resolver)?
                .map(|pods| Action::LabelPods { pods, change }),
            Resource::Nodes => chosen_nodes(arguments, &names, place, resolver)?
                .map(|nodes| Action::LabelNodes { nodes, change }),
        };
        actions.push(action.ok_or_else(|| {
            Refusal::new("resource(s) were provided, but no name was specified")
                .help("give names, `-l SELECTOR` or `--all`")
        })?);
    }
    Ok(actions)
}

fn read_changes(changes: &[String], overwrite: bool) -> Result<LabelChange, Refusal> {
    let (mut set, mut remove) = (Vec::<(Box<str>, Box<str>)>::new(), Vec::<Box<str>>::new());
    for spec in changes {
        let Some((key, value)) = spec.split_once('=') else {
            let key = spec.strip_suffix('-').unwrap_or(spec);
            check_key(key)?;
            remove.push(key.into());
            continue;
        };
        check_key(key)?;
        if let Some(problem) = label_value(value).first() {
            let refusal = Refusal::new(format!("invalid label value: \"{spec}\": {problem}"));
            return Err(refusal.or_help(|| value_help(value).unwrap_or_else(|| FORMS.into())));
        }
        // The last of several values counts.
        set.retain(|(other, _)| **other != *key);
        set.push((key.into(), value.into()));
    }
    if let Some((key, _)) = set.iter().find(|(key, _)| remove.contains(key)) {
        return Err(Refusal::new(format!(
            "can not both modify and remove a label in the same command: {key}"
        ))
        .help(format!("write `{key}=value` alone to change it, `{key}-` alone to remove it")));
    }
    Ok(LabelChange { set, remove, overwrite })
}

fn check_key(key: &str) -> Result<(), Refusal> {
    match label_key(key).first() {
        None => Ok(()),
        Some(problem) => Err(Refusal::new(format!("invalid label key: {problem}")).help(FORMS)),
    }
}
