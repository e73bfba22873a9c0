//! Steps as other tools write them: stages of KWOK, and the `duration` of chaos experiments.

use crate::kernel::time::Span;
use crate::plan::When;
use crate::scenario::fields::Fields;
use crate::scenario::resolve::Resolver;
use crate::scenario::tree::{Node, Value};

/// Notes a stage of KWOK in the place of a step; gives whether it is one.
pub(super) fn is_stage(fields: &Fields<'_>, r: &mut Resolver) -> bool {
    let Some(key) = fields.keys().find(|key| matches!(&*key.text, "resourceRef" | "next")) else {
        return false;
    };
    let message = format!("`{}` belongs to a Stage of KWOK, and this is a step", key.text);
    let help = "taintsim has the taint manager itself; write what else happens, such as `{at: 10s, \
                kubectl: \"taint nodes node-0 maintenance=now:NoExecute\"}`";
    r.diagnostics.error_help(key.place, message, help);
    true
}

/// Notes a `duration`, with the step that ends what this one begins.
pub(super) fn duration(fields: &mut Fields<'_>, when: Option<&When>, r: &mut Resolver) {
    let found = fields.entries().iter().find(|(key, _)| *key.text == *"duration");
    let Some((key, value)) = found else { return };
    fields.pass_over(key);
    let taint = fields.entries().iter().find(|(key, _)| *key.text == *"taint");
    let help = match taint {
        None => "remove it: a step happens at one moment".to_owned(),
        Some((_, taint)) => {
            let span = text(value).and_then(|text| Span::parse(text).ok());
            let at = match (when, span) {
                (Some(When::At(at)), Some(span)) => at.saturating_add(span).to_string(),
                (_, Some(span)) => format!("+{span}"),
                (_, None) => "+2m".to_owned(),
            };
            let node = node_of(taint).unwrap_or("node-0");
            let keys = keys_of(taint).unwrap_or_else(|| "KEY".to_owned());
            format!(
                "remove it: a taint stays until a step removes it; below, write `- {{at: {at}, \
                 taint: {{node: {node}, remove: [{keys}]}}}}`"
            )
        }
    };
    r.diagnostics.error_help(key.place, "unknown key `duration` in a step", help);
}

fn text(node: &Node) -> Option<&str> {
    match &node.value {
        Value::Plain(text) | Value::Quoted(text) => Some(text),
        _ => None,
    }
}

fn entry<'t>(node: &'t Node, wanted: &str) -> Option<&'t Node> {
    let Value::Mapping(entries) = &node.value else { return None };
    entries.iter().find(|(key, _)| *key.text == *wanted).map(|(_, node)| node)
}

/// The one node that the taint is for, also where a selector of Chaos Mesh has it.
fn node_of(taint: &Node) -> Option<&str> {
    let named = entry(taint, "node").or_else(|| entry(entry(taint, "selector")?, "nodes"))?;
    let name = match &named.value {
        Value::Sequence(items) => match items.as_slice() {
            [one] => text(one)?,
            _ => return None,
        },
        _ => text(named)?,
    };
    (!name.contains(['*', '{', ' '])).then_some(name)
}

/// The keys of the taints that are added.
fn keys_of(taint: &Node) -> Option<String> {
    let key = |item: &Node| {
        let written = text(item).or_else(|| entry(item, "key").and_then(text))?;
        Some(written.split(['=', ':']).next().unwrap_or(written).to_owned())
    };
    // The taint alone, in the place of a mapping.
    if text(taint).is_some_and(|text| text.contains(':')) {
        return key(taint);
    }
    let Value::Sequence(items) = &entry(taint, "add")?.value else { return None };
    let keys: Option<Vec<String>> = items.iter().map(key).collect();
    keys.filter(|keys| !keys.is_empty()).map(|keys| keys.join(", "))
}
