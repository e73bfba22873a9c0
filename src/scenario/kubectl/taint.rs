//! `kubectl taint nodes NAME... key=value:Effect key:Effect- key-`.
//!
//! k8s v1.36 kubectl pkg/cmd/taint `parseTaint`, `parseTaints`, `Validate`.

use super::Refusal;
use super::arguments::Arguments;
use super::targets::{Resource, chosen_nodes};
use crate::objects::validation::{label_key, label_value};
use crate::objects::{Effect, Taint};
use crate::plan::{Action, TaintChange, TaintPattern};
use crate::scenario::diagnostic::nearest;
use crate::scenario::resolve::Resolver;
use crate::scenario::tree::Place;

/// What a taint argument may look like; for hints.
const FORMS: &str = "right is key=value:Effect or key:Effect to add, key- or key:Effect- to remove";

pub(super) fn parse(
    arguments: &Arguments,
    place: Place,
    resolver: &mut Resolver,
) -> Result<Vec<Action>, Refusal> {
    let words = arguments.positional();
    let is_change = |word: &String| word.contains(['=', ':']) || word.ends_with('-');
    let first_change = words.iter().position(is_change).unwrap_or(words.len());
    let (objects, changes) = words.split_at(first_change);
    if let Some(word) = changes.iter().find(|word| !is_change(word)) {
        return Err(Refusal::new(format!(
            "all resources must be specified before taint changes: {word}"
        ))
        .help(FORMS));
    }
    let Some((resource, names)) = objects.split_first() else {
        return Err(Refusal::new("one or more resources must be specified as <resource> <name>")
            .help("write `taint nodes NODE key=value:Effect`"));
    };
    if Resource::parse(resource).ok() != Some(Resource::Nodes) {
        return Err(Refusal::new(format!(
            "invalid resource type {resource}, only nodes have taints"
        ))
        .help("write `taint nodes NODE key=value:Effect`"));
    }
    if changes.is_empty() {
        return Err(Refusal::new("at least one taint update is required").help(FORMS));
    }
    let (add, remove) = read_changes(changes)?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let Some(nodes) = chosen_nodes(arguments, &names, place, resolver)? else {
        return Err(Refusal::new(
            "at least one resource name must be specified since 'all' parameter is not set",
        )
        .help(format!("write `taint nodes NODE {}`, `-l SELECTOR` or `--all`", changes[0])));
    };
    let change = TaintChange {
        remove,
        add: resolver.lists.intern_taints(&add),
        replace: None,
        overwrite: arguments.switch("overwrite")?,
    };
    Ok(vec![Action::Taint { nodes, change }])
}

fn read_changes(changes: &[String]) -> Result<(Vec<Taint>, Vec<TaintPattern>), Refusal> {
    let (mut add, mut remove) = (Vec::<Taint>::new(), Vec::<TaintPattern>::new());
    for spec in changes {
        if let Some(spec) = spec.strip_suffix('-') {
            let (key, _, effect) = read_taint(spec)?;
            remove.push(TaintPattern { key: key.into(), effect });
            continue;
        }
        let (key, value, effect) = read_taint(spec)?;
        let Some(effect) = effect else { return Err(no_effect(spec)) };
        let taint = Taint::new(key, value, effect);
        if add.iter().any(|other| other.same_key_and_effect(&taint)) {
            return Err(Refusal::new(format!(
                "duplicated taints with the same key and effect: {taint}"
            ))
            .help("leave one of them: the value of a taint is what its key and effect have"));
        }
        add.push(taint);
    }
    let both = |taint: &&Taint| {
        remove.iter().any(|pattern| {
            pattern.key == taint.key && pattern.effect.as_ref().is_none_or(|e| *e == taint.effect)
        })
    };
    match add.iter().find(both) {
        None => Ok((add, remove)),
        Some(taint) => Err(Refusal::new(format!(
            "can not both modify and remove the following taint(s) in the same command: {taint}"
        ))
        .help("leave one of them out, or write two commands as a `burst`")),
    }
}

/// Key, value and effect; the effect may be left out, and then there is no value either.
fn read_taint(spec: &str) -> Result<(&str, &str, Option<Effect>), Refusal> {
    let invalid =
        |why: &str| Refusal::new(format!("invalid taint spec: {spec}: {why}")).help(FORMS);
    let (key, value, effect) = match spec.split(':').collect::<Vec<_>>().as_slice() {
        [key] if key.contains('=') => return Err(no_effect(spec)),
        [key] => (*key, "", None),
        [pair, effect] => {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            (key, value, Some(known_effect(effect)?))
        }
        _ => return Err(invalid("there is more than one `:`")),
    };
    if let Some(problem) = label_key(key).first() {
        return Err(invalid(&format!("key: {problem}")));
    }
    if let Some(problem) = label_value(value).first() {
        return Err(invalid(&format!("value: {problem}")));
    }
    Ok((key, value, effect))
}

fn no_effect(spec: &str) -> Refusal {
    let help = format!("write {spec}:NoExecute; effects are {}", Effect::KNOWN.join(", "));
    Refusal::new(format!("invalid taint spec: {spec}: there is no effect")).help(help)
}

fn known_effect(text: &str) -> Result<Effect, Refusal> {
    if Effect::KNOWN.contains(&text) {
        return Ok(Effect::parse(text));
    }
    let refusal = Refusal::new(format!("invalid taint effect: {text}, unsupported taint effect"));
    Err(match nearest(text, Effect::KNOWN) {
        Some(near) => refusal.help(format!("did you mean {near}?")),
        None => refusal.help(format!("one of {}", Effect::KNOWN.join(", "))),
    })
}
