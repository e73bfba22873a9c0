//! Expectations of rules: that a run breaks one, or keeps it.

use super::super::effects::Known;
use super::super::targets;
use crate::expectation::Check;
use crate::fuzz::examine::{RuleSet, static_rules};
use crate::profile::Profile;
use crate::scenario::diagnostic::{all_nearest, did_you_mean, nearest};
use crate::scenario::fields::Fields;
use crate::scenario::language::profile;
use crate::scenario::resolve::Resolver;
use crate::scenario::scalar::{boolean, string};
use crate::scenario::tree::{Key, Node, Value};

/// A right value.
pub(super) const EXAMPLE: &str = "rule: docs/untolerated-goes";

/// Reads `rule` with `breached`.
pub(super) fn read(
    fields: &mut Fields<'_>,
    known: &Known<'_>,
    r: &mut Resolver,
) -> Option<(Check, String)> {
    // The version whose run is judged, where the file tells.
    let own = version_of(fields).or(known.profile);
    let rule = fields.take("rule").and_then(|node| name(node, own, r));
    let breached = fields.require("breached");
    let breached = breached.and_then(|node| boolean(node, "breached", &mut r.diagnostics));
    let place = fields.key_place("pod").or(fields.key_place("selector"));
    let before = r.diagnostics.len();
    let pods = targets::take_pods(fields, r);
    if r.diagnostics.len() > before && pods.is_none() {
        return None;
    }
    let (rule, breached) = (rule?, breached?);
    if let Some(place) = place.filter(|_| !is_about_pods(&rule)) {
        let message = format!("`{rule}` is about the whole run, and not about a pod");
        r.diagnostics.error_help(place, message, "leave the pod out");
        return None;
    }
    let of = pods.as_ref().map(|pods| format!(" for {}", pods.text)).unwrap_or_default();
    let text = format!("rule {rule} breached {breached}{of}");
    let pods = pods.map(|named| named.target);
    Some((Check::Rule { rule: rule.into(), breached, pods }, text))
}

/// What the entry's `kubernetesVersion` says, which is read after the check.
fn version_of(fields: &Fields<'_>) -> Option<Profile> {
    let is_version = |(key, _): &&(Key, Node)| &*key.text == "kubernetesVersion";
    match &fields.entries().iter().find(is_version)?.1.value {
        Value::Plain(text) | Value::Quoted(text) => profile(text).ok(),
        _ => None,
    }
}

/// The name of a rule, as its breaches have it.
pub(super) fn name(node: &Node, own: Option<Profile>, r: &mut Resolver) -> Option<String> {
    let text = string(node, "rule", &mut r.diagnostics)?;
    if let Some(version) = text.strip_prefix("diff/") {
        return diff(node, version, own, r);
    }
    if let Some(rule) = static_rules().find(|rule| rule.name == text) {
        return Some(rule.name.to_owned());
    }
    let (message, help) = match RuleSet::parse([text]) {
        Ok(_) if text == "diff" => ("`diff` wants a version".to_owned(), DIFF_HELP.to_owned()),
        Ok(several) => {
            let first = several.names().next().unwrap_or_default();
            let help = format!("write one of them, such as `{first}` ({ALL})");
            (format!("`{text}` stands for several rules"), help)
        }
        Err(_) => (format!("there is no rule `{text}`"), meant(text)),
    };
    r.diagnostics.error_help(node.place, message, help);
    None
}

const ALL: &str = "`taintsim explain rules` has all";
const DIFF_HELP: &str = "write the version to compare with, such as `diff/1.32`";

fn diff(node: &Node, version: &str, own: Option<Profile>, r: &mut Resolver) -> Option<String> {
    match profile(version) {
        Ok(version) if own == Some(version) => {
            let message = format!("`diff/{version}` compares Kubernetes {version} with itself");
            let help = "write another version, or another `kubernetesVersion` beside it";
            r.diagnostics.error_help(node.place, message, help);
            None
        }
        Ok(version) => Some(format!("diff/{version}")),
        Err(message) => {
            r.diagnostics.error_help(node.place, message, DIFF_HELP);
            None
        }
    }
}

/// What to write in place of a name that no rule has.
fn meant(text: &str) -> String {
    let names = || static_rules().map(|rule| rule.name);
    let tail = |name: &'static str| name.split_once('/').map(|(_, tail)| tail);
    // The family is left out, or another one.
    let own = text.rsplit('/').next().unwrap_or(text);
    let of_tail = nearest(own, names().filter_map(tail));
    let of_tail: Vec<&str> = of_tail
        .into_iter()
        .flat_map(|near| names().filter(|name| tail(name) == Some(near)))
        .collect();
    let near = match of_tail.is_empty() {
        true => all_nearest(text, names()),
        false => of_tail,
    };
    did_you_mean(&near).unwrap_or_else(|| format!("write one such as `{EXAMPLE}` ({ALL})"))
}

/// Whether breaches of the rule name a pod.
fn is_about_pods(rule: &str) -> bool {
    ["docs/", "convergence", "diff/"].iter().any(|family| rule.starts_with(family))
}
