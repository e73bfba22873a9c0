//! Targets: the `node`, `pod`, `selector` and `namespace` keys, wherever something names objects.

use super::selector_of;
use crate::objects::Selector;
use crate::plan::{NodeTarget, PodTarget};
use crate::scenario::diagnostic::Diagnostic;
use crate::scenario::fields::Fields;
use crate::scenario::resolve::Resolver;
use crate::scenario::scalar::{string, text, wrong_type};
use crate::scenario::selector;
use crate::scenario::tree::{Key, Node, Place, Value};

/// A target and the words for it.
pub(super) struct Named<T> {
    /// The target.
    pub target: T,
    /// How a line of text writes it.
    pub text: String,
}

/// The `node` or the `selector` of a mapping; `None` where neither is there, or it is wrong.
pub(super) fn take_nodes(fields: &mut Fields<'_>, r: &mut Resolver) -> Option<Named<NodeTarget>> {
    let (names, selector) = (fields.take("node"), fields.take("selector"));
    match (names, selector) {
        (Some(node), None) => {
            let Names { names, is_whole } = name_list(node, "node", r)?;
            let target = r.node_target(&names).filter(|_| is_whole)?;
            Some(Named { target, text: join(&names) })
        }
        (None, Some(node)) => {
            let (selector, text) = read_selector(node, &Of::Nodes, r)?;
            let target = r.node_selector(selector, node.place);
            Some(Named { target, text: format!("-l {text}") })
        }
        (Some(_), Some(node)) => both(node, "node", r),
        (None, None) => None,
    }
}

/// The same where one of the keys has to be there.
pub(super) fn require_nodes(
    fields: &mut Fields<'_>,
    what: &str,
    r: &mut Resolver,
) -> Option<Named<NodeTarget>> {
    let before = r.diagnostics.len();
    let target = take_nodes(fields, r);
    if target.is_none() && r.diagnostics.len() == before {
        let message = format!("{what} needs `node` or `selector`");
        fields.missing(&["node", "selector"], message, "write `node: node-0`");
    }
    target
}

/// The `pod`, or the `selector` with or without `namespace`, of a mapping; `None` where none is
/// there, or it is wrong. Without one, all are counted.
pub(super) fn take_pods(fields: &mut Fields<'_>, r: &mut Resolver) -> Option<Named<PodTarget>> {
    read_pods(fields, &Of::PodsOrAll, r)
}

fn read_pods(fields: &mut Fields<'_>, of: &Of, r: &mut Resolver) -> Option<Named<PodTarget>> {
    let (names, selector) = (fields.take("pod"), fields.take("selector"));
    let namespace = fields.take("namespace");
    match (names, selector) {
        (Some(node), None) => {
            if let Some(namespace) = namespace {
                let help = "the namespace of a pod is part of its name: `pod: shop/web-0`";
                let message = "`namespace` goes with `selector`, not with `pod`";
                r.diagnostics.error_help(namespace.place, message, help);
                // Whether the names are right depends on where the namespace goes.
                return None;
            }
            let Names { names, is_whole } = name_list(node, "pod", r)?;
            let target = r.pod_target("default", &names).filter(|_| is_whole)?;
            Some(Named { target, text: join(&names) })
        }
        (None, Some(node)) => {
            let namespace = namespace.map(|n| string(n, "namespace", &mut r.diagnostics));
            let selector = read_selector(node, of, r);
            let namespace = match namespace {
                Some(read) => Some(read?),
                None => None,
            };
            let (selector, selector_text) = selector?;
            let target = r.pod_selector(namespace, selector, node.place);
            let text = match namespace {
                Some(namespace) => format!("-n {namespace} -l {selector_text}"),
                None => format!("-l {selector_text}"),
            };
            Some(Named { target, text })
        }
        (Some(_), Some(node)) => both(node, "pod", r),
        (None, None) => {
            if namespace.is_some() {
                let help = "write `selector: app=web`, or `pod: shop/web-0` without `namespace`";
                let message = "`namespace` needs a `selector` beside it";
                fields.missing(&["selector", "pod"], message, help);
            }
            None
        }
    }
}

/// The same where one of the keys has to be there.
pub(super) fn require_pods(
    fields: &mut Fields<'_>,
    what: &str,
    r: &mut Resolver,
) -> Option<Named<PodTarget>> {
    let before = (r.diagnostics.len(), fields.is_missing_any());
    let target = read_pods(fields, &Of::Pods, r);
    if target.is_none() && (r.diagnostics.len(), fields.is_missing_any()) == before {
        let message = format!("{what} needs `pod` or `selector`");
        fields.missing(&["pod", "selector"], message, "write `pod: shop/web-0`");
    }
    target
}

fn both<T>(selector: &Node, what: &str, r: &mut Resolver) -> Option<T> {
    let message = format!("`selector` stands in the place of `{what}`; both are there");
    r.diagnostics.error_help(selector.place, message, "remove one of the two");
    None
}

/// What a selector is for.
enum Of {
    Nodes,
    Pods,
    /// Without a selector, all of them.
    PodsOrAll,
}

fn read_selector(node: &Node, of: &Of, r: &mut Resolver) -> Option<(Selector, String)> {
    if let Value::Mapping(entries) = &node.value {
        let message = "`selector` is a text as of kubectl -l, not a mapping";
        let help = match selector_of::in_words(entries, matches!(of, Of::Nodes)) {
            Some(words) => format!("write {words}"),
            None => format!("write `selector: app=web`; {}", selector::FORMS),
        };
        r.diagnostics.error_help(node.place, message, help);
        return None;
    }
    let text = text(node, "selector", &mut r.diagnostics)?;
    if text.trim().is_empty() {
        let help = match of {
            Of::Nodes => "write `node: \"*\"` in its place for all nodes",
            Of::Pods => "write `pod: \"*\"` in its place for all pods",
            Of::PodsOrAll => "leave `selector` out to count all pods",
        };
        r.diagnostics.error_help(node.place, "the selector is empty", help);
        // What else is wrong with all of them is told at once.
        return Some((Selector::default(), String::new()));
    }
    match selector::parse(text) {
        Ok(selector) => Some((selector, text.to_owned())),
        Err(message) => {
            let mut mistake = Diagnostic::new(node.place, message);
            let pair = text.split_once(':').map(|(key, value)| (key.trim(), value.trim()));
            if let Some((key, value)) = pair.filter(|_| !text.contains('=')) {
                mistake = mistake.help(format!("write `selector: {key}={value}`"));
            }
            r.diagnostics.push(mistake);
            None
        }
    }
}

/// The names of a target that are texts.
struct Names<'t> {
    /// Each with its place.
    names: Vec<(&'t str, Place)>,
    /// There are no others.
    is_whole: bool,
}

/// One name or a list of names.
fn name_list<'t>(node: &'t Node, what: &str, r: &mut Resolver) -> Option<Names<'t>> {
    match &node.value {
        Value::Sequence(items) => {
            if items.is_empty() {
                let message = format!("the list of names under `{what}` is empty");
                r.diagnostics.error_help(
                    node.place,
                    message,
                    "write a name, or leave the entry out",
                );
                return None;
            }
            let all = items.iter().map(|item| Some((one_name(item, what, r)?, item.place)));
            let names: Vec<_> = all.flatten().collect();
            let is_whole = names.len() == items.len();
            Some(Names { names, is_whole })
        }
        _ => Some(Names { names: vec![(one_name(node, what, r)?, node.place)], is_whole: true }),
    }
}

fn one_name<'t>(node: &'t Node, what: &str, r: &mut Resolver) -> Option<&'t str> {
    if let Value::Mapping(entries) = &node.value {
        refuse_mapping(node, entries, what, r);
        return None;
    }
    string(node, what, &mut r.diagnostics)
}

/// Notes a mapping in the place of a name.
fn refuse_mapping(node: &Node, entries: &[(Key, Node)], what: &str, r: &mut Resolver) {
    let has = |wanted: &str| entries.iter().any(|(key, _)| *key.text == *wanted);
    let help = match (has("selector"), has("name"), what) {
        (true, ..) => format!("put `selector` in the place of `{what}`, beside the other keys"),
        (_, true, "pod") => format!("write the namespace and the name: `{what}: shop/web-0`"),
        (_, true, _) => format!("write the name: `{what}: node-0`"),
        _ => {
            let expected = "a name, a range, a list of these or \"*\"";
            wrong_type(node, what, expected, &node.value, &mut r.diagnostics);
            return;
        }
    };
    let message = format!("`{what}` is a name and no mapping");
    r.diagnostics.error_help(node.place, message, help);
}

fn join(names: &[(&str, Place)]) -> String {
    let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
    names.join(",")
}
