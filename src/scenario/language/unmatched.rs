//! Tolerations that miss a taint of the scenario by the spelling of its value: right for the API,
//! and never a match.

use super::taints::place_of;
use super::tolerations;
use crate::objects::{Effect, Operator, Taint, Toleration};
use crate::scenario::diagnostic::{Diagnostics, nearest};
use crate::scenario::resolve::{Resolver, Unread};
use crate::scenario::tree::{Node, Value};

/// Notes them, where all taints are known. Comes last.
pub(super) fn notice(document: &Node, r: &mut Resolver) {
    let is_whole = r.unread_nodes == Unread::default() && !r.is_overridden;
    if is_whole && r.diagnostics.is_empty() {
        walk(document, r);
    }
}

fn walk(node: &Node, r: &mut Resolver) {
    match &node.value {
        Value::Mapping(entries) => {
            for (key, inner) in entries {
                match &inner.value {
                    Value::Sequence(items) if *key.text == *"tolerations" => {
                        items.iter().for_each(|item| check(item, r));
                    }
                    _ => walk(inner, r),
                }
            }
        }
        Value::Sequence(items) => items.iter().for_each(|item| walk(item, r)),
        _ => {}
    }
}

fn check(item: &Node, r: &mut Resolver) {
    // What is wrong with it has been told.
    let read = tolerations::toleration(item, &r.rules, &mut Diagnostics::default());
    let Some(toleration) = read else { return };
    let Some(near) = meant(&toleration, r.lists.all_taints()) else { return };
    let text = format!(
        "the toleration {toleration} matches no NoExecute taint of this scenario, at any time; did you mean \
         the value `{near}`?"
    );
    r.notice(place_of(item, "value"), text);
}

/// The value of a taint that the toleration was meant for.
fn meant<'t>(toleration: &Toleration, taints: impl Iterator<Item = &'t Taint>) -> Option<&'t str> {
    let compares = matches!(toleration.operator, Operator::Unset | Operator::Equal);
    let is_for = toleration.effect.as_ref().is_none_or(|effect| *effect == Effect::NoExecute);
    if !compares || !is_for || toleration.value.is_empty() {
        return None;
    }
    let of_key = taints.filter(|taint| taint.key == toleration.key);
    let values: Vec<&str> = of_key
        .filter(|taint| taint.effect == Effect::NoExecute)
        .map(|taint| &*taint.value)
        .collect();
    if values.contains(&&*toleration.value) {
        return None;
    }
    // What differs in its number alone is another one, on purpose.
    let letters = |text: &str| text.replace(|c: char| c.is_ascii_digit(), "");
    let near = nearest(&toleration.value, values)?;
    (letters(near) != letters(&toleration.value)).then_some(near)
}
