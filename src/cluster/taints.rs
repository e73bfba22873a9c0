//! Changes of a node's taints and of labels, with the refusals that depend on the state.

use crate::objects::{Labels, Lists, Taint};
use crate::plan::{LabelChange, TaintChange, TaintPattern};

/// The node's taints after `change`, or why kubectl or the scenario's rules refuse it.
///
/// A kubectl line puts new taints before those that were there (kubectl `reorganizeTaints`), and
/// without `--overwrite` refuses one whose key and effect are there already; a scenario's own
/// `add` keeps places.
pub(super) fn changed_taints(
    node: &str,
    old: &[Taint],
    change: &TaintChange,
    kubectl: bool,
    lists: &Lists,
) -> Result<Vec<Taint>, String> {
    if let Some(replace) = change.replace {
        return Ok(lists.taints(replace).to_vec());
    }
    let add = lists.taints(change.add);
    if kubectl && !change.overwrite {
        refuse_overwriting(node, old, add)?;
    }
    let mut new = if kubectl { kubectl_add(old, add) } else { add_in_place(old, add) };
    for pattern in &change.remove {
        let before = new.len();
        new.retain(|taint| !matches(pattern, taint));
        if new.len() == before {
            return Err(format!("error: taint \"{}\" not found", describe(pattern)));
        }
    }
    Ok(new)
}

fn refuse_overwriting(node: &str, old: &[Taint], add: &[Taint]) -> Result<(), String> {
    let existing: Vec<&str> = add
        .iter()
        .filter(|taint| old.iter().any(|other| other.same_key_and_effect(taint)))
        .map(|taint| &*taint.key)
        .collect();
    if existing.is_empty() {
        return Ok(());
    }
    let keys = existing.join(",");
    Err(format!(
        "error: node {node} already has {keys} taint(s) with same effect(s) and --overwrite is \
         false"
    ))
}

fn kubectl_add(old: &[Taint], add: &[Taint]) -> Vec<Taint> {
    let kept = old.iter().filter(|taint| !add.iter().any(|new| new.same_key_and_effect(taint)));
    add.iter().chain(kept).cloned().collect()
}

fn add_in_place(old: &[Taint], add: &[Taint]) -> Vec<Taint> {
    let mut new = old.to_vec();
    for taint in add {
        match new.iter_mut().find(|other| other.same_key_and_effect(taint)) {
            Some(place) => *place = taint.clone(),
            None => new.push(taint.clone()),
        }
    }
    new
}

fn matches(pattern: &TaintPattern, taint: &Taint) -> bool {
    pattern.key == taint.key && pattern.effect.as_ref().is_none_or(|e| *e == taint.effect)
}

fn describe(pattern: &TaintPattern) -> String {
    match &pattern.effect {
        Some(effect) => format!("{}:{}", pattern.key, effect.as_str()),
        None => pattern.key.to_string(),
    }
}

/// The labels after `change`, or why kubectl refuses it.
pub(super) fn changed_labels(
    old: &Labels,
    change: &LabelChange,
    kubectl: bool,
) -> Result<Labels, String> {
    let mut new = old.clone();
    for (key, value) in &change.set {
        if let Some(present) = old.get(key)
            && kubectl
            && !change.overwrite
            && present != &**value
        {
            return Err(format!(
                "error: '{key}' already has a value ({present}), and --overwrite is false"
            ));
        }
        new.set(key, value);
    }
    for key in &change.remove {
        // kubectl says that the label was not there, and goes on.
        new.remove(key);
    }
    Ok(new)
}
