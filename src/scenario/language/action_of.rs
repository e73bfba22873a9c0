//! The action of a step, or its burst: which of the keys it is, and what to write where none is
//! right.

use super::actions::{self, ACTIONS, UNSUPPORTED};
use crate::plan::StepAction;
use crate::scenario::fields::{Fields, items};
use crate::scenario::kubectl;
use crate::scenario::resolve::Resolver;
use crate::scenario::shapes;
use crate::scenario::tree::{Key, Node, Value};

/// The actions of a step, and whether they are a burst; `None` where they are wrong.
pub(super) fn read_actions(
    fields: &mut Fields<'_>,
    what: &str,
    r: &mut Resolver,
) -> (Option<Vec<StepAction>>, bool) {
    let list = fields.take("burst");
    let is_burst = list.is_some();
    let actions = if let Some(list) = list {
        let other = fields.keys().find(|key| ACTIONS.contains(&&*key.text));
        let burst = burst(list, r);
        if let Some(key) = other {
            let message = format!("`{}` stands beside `burst`", key.text);
            let help = "a step has one action, or `burst` with a list of actions";
            r.diagnostics.error_help(key.place, message, help);
            every_action(fields, r);
        }
        burst.filter(|_| other.is_none())
    } else {
        one_action(fields, what, r)
    };
    fields.refuse_unsupported(&UNSUPPORTED, &mut r.diagnostics);
    (actions, is_burst)
}

/// The one action of a step or of an entry of a burst; `None` where there is none that is right.
fn one_action(fields: &mut Fields<'_>, what: &str, r: &mut Resolver) -> Option<Vec<StepAction>> {
    // In the order of the file.
    let action = |key: &Key| ACTIONS.into_iter().find(|action| **action == *key.text);
    let present: Vec<&'static str> = fields.keys().filter_map(action).collect();
    match present.as_slice() {
        [key] => {
            commands_beside(fields, what, r);
            let node = fields.take_even_null(key)?;
            actions::read(key, node, r)
        }
        [] => {
            match fields.take_hidden("repeat") {
                Some(node) => {
                    let message = format!("`repeat` in {what}");
                    let help = "move it into a step of its own: only steps of the scenario repeat";
                    r.diagnostics.error_help(node.place, message, help);
                }
                None => no_action(fields, what, r),
            }
            None
        }
        more => {
            let message = format!("{what} has one action, not {}", more.join(" and "));
            let help = "write a step for each, or `burst: [..]` to apply them back to back";
            r.diagnostics.error_help(fields.head(), message, help);
            commands_beside(fields, what, r);
            every_action(fields, r);
            None
        }
    }
}

/// Reads all actions of a mapping that has too many, for their own mistakes.
fn every_action(fields: &mut Fields<'_>, r: &mut Resolver) {
    for key in ACTIONS {
        if let Some(node) = fields.take_even_null(key) {
            actions::read(key, node, r);
        }
    }
}

/// Notes that there is no action, or that what has to be one is unknown.
fn no_action(fields: &mut Fields<'_>, what: &str, r: &mut Resolver) {
    if fields.keys().any(|key| UNSUPPORTED.contains(&&*key.text)) {
        return;
    }
    let beside = ["at", "after", "because", "mayBeRejected", "burst", "duration"];
    let is_action = |near: Option<&str>| near.is_none_or(|near| ACTIONS.contains(&near));
    let is_unknown = |key: &&Key| {
        !beside.contains(&&*key.text)
            && shapes::instead(what, &key.text).is_none()
            && is_action(fields.nearest(&key.text))
    };
    let unknown = fields.keys().find(is_unknown);
    let Some(key) = unknown else {
        let mut keys = ACTIONS.to_vec();
        if what == "a step" {
            keys.push("burst");
        }
        let help = format!("write `kubectl: cordon node-0`, or one of {}", keys.join(", "));
        fields.missing(&keys, format!("{what} needs an action"), &help);
        return;
    };
    unknown_action(key, fields, r);
}

/// Tells a key that is no action, and what to write for it. What stands there is read as the action
/// that it is meant for, for its own mistakes.
fn unknown_action(key: &Key, fields: &mut Fields<'_>, r: &mut Resolver) {
    let argument = fields.value(key);
    let mut meant = fields
        .nearest(&key.text)
        .and_then(|near| ACTIONS.into_iter().find(|action| *action == near));
    let help = match (command(&key.text, argument), meant) {
        (Some(help), _) => {
            meant = None;
            help
        }
        (None, Some(near)) => format!("did you mean `{near}`?"),
        (None, None) => match &*key.text {
            "evict" | "evictPod" => {
                meant = Some("deletePod");
                "the taint manager evicts; did you mean `deletePod`?".into()
            }
            "wait" | "sleep" => "the next step has its own time: write `at: +10s` there".into(),
            _ => format!("the actions are {}", ACTIONS.join(", ")),
        },
    };
    r.diagnostics.error_help(key.place, format!("unknown action `{}`", key.text), help);
    fields.pass_over(key);
    if let (Some(action), Some(argument)) = (meant, argument) {
        actions::read(action, argument, r);
    }
}

/// How the help for a verb of kubectl begins.
const OF_KUBECTL: &str = "it is a command of kubectl: ";

/// What is written in place of a command that stands as a key.
fn command(verb: &str, argument: Option<&Node>) -> Option<String> {
    let text = |node: &Node| match &node.value {
        Value::Plain(text) | Value::Quoted(text) => Some(text.to_string()),
        _ => None,
    };
    let of = |key: &str| match argument.map(|node| &node.value) {
        Some(Value::Mapping(entries)) => {
            entries.iter().find(|(own, _)| *own.text == *key).and_then(|(_, node)| text(node))
        }
        _ => None,
    };
    let node = argument.and_then(text).or_else(|| of("node")).or_else(|| of("name"));
    // A target of several nodes is no argument of kubectl.
    let is_name = |name: &String| !name.is_empty() && !name.contains([' ', '*', '{', '=']);
    let node = node.filter(is_name).unwrap_or_else(|| "NODE".into());
    Some(match verb {
        "cordon" | "uncordon" => {
            format!("{OF_KUBECTL}write `kubectl: {verb} {node}`")
        }
        "drain" => kubectl::DRAIN.to_owned(),
        "untaint" => {
            let taint = of("key").or_else(|| of("taint")).unwrap_or_else(|| "KEY".into());
            format!(
                "write `taint: {{node: {node}, remove: [{taint}]}}`, or `kubectl: taint nodes {node} \
                 {taint}-`"
            )
        }
        "label" | "delete" => format!("{OF_KUBECTL}write `kubectl: {verb} ..`"),
        _ => return None,
    })
}

/// Tells the commands that stand as keys beside an action.
fn commands_beside(fields: &mut Fields<'_>, what: &str, r: &mut Resolver) {
    let all: Vec<&Key> = fields.keys().collect();
    for key in all {
        let Some(help) = command(&key.text, fields.value(key)) else { continue };
        let help = help.strip_prefix(OF_KUBECTL).unwrap_or(&help);
        let own = if what == "a step" { "a step" } else { "an entry" };
        let help = format!("{what} has one action; {help}, in {own} of its own");
        r.diagnostics.error_help(key.place, format!("unknown action `{}`", key.text), help);
        fields.pass_over(key);
    }
}

fn burst(node: &Node, r: &mut Resolver) -> Option<Vec<StepAction>> {
    let entries = items(node, "`burst`", &mut r.diagnostics)?;
    if entries.is_empty() {
        let help = "write `burst: [{kubectl: cordon node-0}, {kubectl: cordon node-1}]`";
        r.diagnostics.error_help(node.place, "the burst is empty", help);
    }
    let mut all = Vec::new();
    let before = r.diagnostics.len();
    for entry in entries {
        let fields = Fields::new(entry, "an action of a burst", &mut r.diagnostics);
        let Some(mut fields) = fields else { continue };
        fields.know(&ACTIONS);
        all.extend(one_action(&mut fields, "an entry of a burst", r).unwrap_or_default());
        fields.refuse_unsupported(&UNSUPPORTED, &mut r.diagnostics);
        fields.finish(&mut r.diagnostics);
    }
    (r.diagnostics.len() == before && !all.is_empty()).then_some(all)
}
