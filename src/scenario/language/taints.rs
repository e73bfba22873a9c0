//! Taints and labels of the language, in their short and their long forms, with the
//! API's rules and with DefaultTolerationSeconds.

use crate::objects::validation::{self, Problem};
use crate::objects::{Effect, Labels, Taint};
use crate::plan::{TaintPattern, Validation};
use crate::scenario::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::scenario::fields::{Fields, describe, items};
use crate::scenario::reader::SAID;
use crate::scenario::rules::Rules;
use crate::scenario::scalar::{string, text, wrong_type};
use crate::scenario::suggest::value_help;
use crate::scenario::tree::{Node, Place, Value};

/// A list of taints.
pub(super) fn read(
    node: &Node,
    what: &str,
    rules: &Rules,
    diagnostics: &mut Diagnostics,
) -> Vec<Taint> {
    if what == "`replace`" && is_nothing(node) {
        let message = format!("`replace` is a list, not {}", describe(&node.value));
        diagnostics.error_help(node.place, message, "`replace: []` clears the list");
        return Vec::new();
    }
    let mut list = Vec::new();
    let mut places = Vec::new();
    for item in items(node, what, diagnostics).unwrap_or(&[]) {
        if let Some(taint) = taint(item, rules, diagnostics) {
            list.push(taint);
            places.push(item.place);
        }
    }
    if rules.validation == Validation::Strict {
        for (index, problem) in validation::taint_list(&list) {
            diagnostics.error_help(places[index], problem.message, "remove one of the two");
        }
    }
    list
}

/// Whether the author of a list meant that it has nothing.
fn is_nothing(node: &Node) -> bool {
    match &node.value {
        Value::Plain(text) | Value::Quoted(text) => {
            let words = ["", "none", "all", "null", "empty", "clear", "nothing", "*"];
            words.contains(&&*text.to_lowercase())
        }
        Value::Mapping(entries) => entries.is_empty(),
        _ => false,
    }
}

/// Checks taints that were read elsewhere.
pub(super) fn check(list: &[Taint], place: Place, rules: &Rules, diagnostics: &mut Diagnostics) {
    if rules.validation == Validation::Ignore {
        return;
    }
    for taint in list {
        report(place, "taint", validation::taint(taint), effect_help(&taint.effect), diagnostics);
    }
    for (_, problem) in validation::taint_list(list) {
        diagnostics.error_help(place, problem.message, "remove one of the two");
    }
}

/// `key=value:Effect`, `key:Effect`, or a mapping as in core/v1.
fn taint(node: &Node, rules: &Rules, diagnostics: &mut Diagnostics) -> Option<Taint> {
    let before = diagnostics.len();
    let taint = if let Value::Mapping(_) = node.value {
        if let Some(text) = split_by_yaml(node) {
            let message = format!("`{text}` is a mapping for YAML: there is a blank after the `:`");
            let help = format!("write \"{}\"", text.replace(": ", ":"));
            diagnostics.error_help(node.place, message, help);
            return None;
        }
        let mut fields = Fields::new(node, "a taint", diagnostics)?;
        let key = fields.require("key").and_then(|n| string(n, "key", diagnostics));
        let value = fields.take("value").and_then(|n| string(n, "value", diagnostics));
        let effect = fields.require("effect");
        let effect = effect.and_then(|n| text(n, "effect", diagnostics));
        let added = fields.take("timeAdded").and_then(|n| time_added(n, rules, diagnostics));
        fields.finish(diagnostics);
        // What is right stands in for what is wrong already, so that only the rest is checked.
        let effect = effect.map_or(Effect::NoExecute, Effect::parse);
        let mut taint = Taint::new(key.unwrap_or("key"), value.unwrap_or(""), effect);
        taint.time_added = added.map(Box::from);
        taint
    } else {
        let (Value::Plain(text) | Value::Quoted(text)) = &node.value else {
            let expected = "`key=value:Effect` or a mapping";
            wrong_type(node, "a taint", expected, &node.value, diagnostics);
            return None;
        };
        let Some((key, value, effect)) = split(text) else {
            let message = format!("`{text}` is no taint: the effect is missing");
            diagnostics.error_help(node.place, message, with_effect(text));
            return None;
        };
        Taint::new(key, value, Effect::parse(effect))
    };
    let is_whole = diagnostics.len() == before;
    if rules.validation == Validation::Strict {
        for problem in validation::taint(&taint) {
            let help = match problem.field {
                "effect" => in_order(&taint).or_else(|| effect_help(&taint.effect)),
                "value" => value_help(&taint.value),
                "key" if taint.key.is_empty() => Some("write `maintenance=now:NoExecute`".into()),
                "key" if !taint.key.contains('/') => value_help(&taint.key),
                _ => None,
            };
            let place = place_of(node, problem.field);
            report(place, "taint", vec![problem], help, diagnostics);
        }
    }
    is_whole.then_some(taint)
}

/// `a=b: NoExecute` as it was meant, where YAML makes a mapping of it.
fn split_by_yaml(node: &Node) -> Option<String> {
    let Value::Mapping(entries) = &node.value else { return None };
    let [(key, Node { value: Value::Plain(effect), .. })] = entries.as_slice() else { return None };
    let is_effect = nearest(effect, Effect::KNOWN).is_some();
    (is_effect && &*key.text != "effect").then(|| format!("{}: {effect}", key.text))
}

/// What would be right in place of a taint without an effect.
fn with_effect(text: &str) -> String {
    let (key, value) = text.split_once('=').unwrap_or((text, ""));
    if Effect::KNOWN.contains(&value) {
        return format!("write `{key}:{value}`");
    }
    let text = if text.is_empty() { "maintenance=now" } else { text };
    format!("write `{text}:NoExecute` (or NoSchedule, PreferNoSchedule)")
}

/// A taint whose parts stand in another order, as it was meant.
fn in_order(taint: &Taint) -> Option<String> {
    let written = taint.effect.as_str();
    if Effect::KNOWN.contains(&&*taint.key) {
        return Some(format!("write `{written}:{}`", taint.key));
    }
    let (value, effect) = written.split_once('=')?;
    let is_effect = Effect::KNOWN.contains(&effect) && taint.value.is_empty();
    is_effect.then(|| format!("write `{}={value}:{effect}`", taint.key))
}

/// The place of a field, where a mapping has it; else that of the whole.
pub(super) fn place_of(node: &Node, field: &str) -> Place {
    let Value::Mapping(entries) = &node.value else { return node.place };
    let found = entries.iter().find(|(key, _)| *key.text == *field);
    found.map_or(node.place, |(_, node)| node.place)
}

/// The text of `timeAdded`. Nothing reads the time, but the API takes RFC 3339 only.
fn time_added<'t>(node: &'t Node, rules: &Rules, diagnostics: &mut Diagnostics) -> Option<&'t str> {
    let text = text(node, "timeAdded", diagnostics)?;
    if rules.validation == Validation::Strict && !is_rfc3339(text) {
        let message = format!("timeAdded is a time as in RFC 3339, not `{text}`");
        diagnostics.error_help(node.place, message, "write it as 2026-03-01T14:02:00Z");
        return None;
    }
    Some(text)
}

/// Whether a text has the form `2026-03-01T14:02:00Z`, with a fraction or an offset if it likes.
pub(crate) fn is_rfc3339(text: &str) -> bool {
    let form = "dddd-dd-ddTdd:dd:dd";
    let Some((head, tail)) = text.split_at_checked(form.len()) else { return false };
    let fits = |text: &str, form: &str| {
        text.len() == form.len()
            && text.bytes().zip(form.bytes()).all(|(byte, wanted)| match wanted {
                b'd' => byte.is_ascii_digit(),
                other => byte == other,
            })
    };
    let zone = match tail.strip_prefix('.') {
        Some(fraction) => {
            let zone = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
            if zone.len() == fraction.len() {
                return false;
            }
            zone
        }
        None => tail,
    };
    fits(head, form) && (zone == "Z" || fits(zone, "+dd:dd") || fits(zone, "-dd:dd"))
}

/// Key, value and effect of the short form.
pub(in crate::scenario) fn split(text: &str) -> Option<(&str, &str, &str)> {
    let (rest, effect) = text.rsplit_once(':')?;
    let (key, value) = rest.split_once('=').unwrap_or((rest, ""));
    Some((key, value, effect))
}

/// A list of `key` or `key:Effect`.
pub(super) fn patterns(
    node: &Node,
    rules: &Rules,
    diagnostics: &mut Diagnostics,
) -> Vec<TaintPattern> {
    let mut list = Vec::new();
    for item in items(node, "`remove`", diagnostics).unwrap_or(&[]) {
        if let Value::Mapping(_) = &item.value {
            let message = "a taint to remove is a text, not a mapping";
            let help = "write the key, or key:Effect: `remove: [maintenance]`";
            diagnostics.error_help(item.place, message, help);
            continue;
        }
        let Some(text) = text(item, "a taint to remove", diagnostics) else { continue };
        let (key, effect) = match text.rsplit_once(':') {
            Some((key, effect)) => (key, Some(Effect::parse(effect))),
            None => (text, None),
        };
        if key.contains('=') || text.ends_with('-') {
            let key = key.split('=').next().unwrap_or(key).trim_end_matches('-');
            let effect = effect.as_ref().map(|effect| effect.as_str().trim_end_matches('-'));
            let right = match effect.and_then(|effect| nearest(effect, Effect::KNOWN)) {
                Some(effect) => format!("{key}:{effect}"),
                None => key.to_owned(),
            };
            let message = format!("`{text}` names no taint to remove");
            let help = match key {
                "" => "write the key, or key:Effect, without value and without `-`".into(),
                _ => format!("write `{right}`: the key, or key:Effect, without value and `-`"),
            };
            diagnostics.error_help(item.place, message, help);
            continue;
        }
        if rules.validation == Validation::Strict {
            let mut problems: Vec<Problem> = validation::label_key(key)
                .into_iter()
                .map(|message| Problem { field: "key", message })
                .collect();
            if let Some(Effect::Other(_)) = &effect {
                let probe = Taint::new("k", "", effect.clone().unwrap_or(Effect::NoExecute));
                problems.extend(validation::taint(&probe));
            }
            let help = effect.as_ref().and_then(effect_help);
            report(item.place, "taint", problems, help, diagnostics);
        }
        list.push(TaintPattern { key: key.into(), effect });
    }
    list
}

/// A mapping of labels.
pub(super) fn labels(node: &Node, rules: &Rules, diagnostics: &mut Diagnostics) -> Labels {
    let mut labels = Vec::new();
    if !matches!(node.value, Value::Mapping(_) | Value::Null) {
        Fields::new(node, "a set of labels", diagnostics);
    }
    let Value::Mapping(entries) = &node.value else { return Labels::default() };
    for (key, node) in entries.iter().filter(|(key, _)| *key.text != *SAID) {
        if let (Value::Null, Some((name, value))) = (&node.value, key.text.split_once(':'))
            && !value.is_empty()
        {
            let message = format!("no blank after the `:` in `{}`", key.text);
            diagnostics.error_help(key.place, message, format!("write `{name}: {value}`"));
            continue;
        }
        let Some(value) = string(node, "a label's value", diagnostics) else { continue };
        // YAML has these as strings, and kubectl as booleans: the API would refuse them.
        let words = ["yes", "no", "on", "off"];
        if matches!(node.value, Value::Plain(_))
            && words.iter().any(|word| value.eq_ignore_ascii_case(word))
        {
            let message =
                format!("a label's value is a string, and kubectl reads `{value}` as a boolean");
            diagnostics.error_help(node.place, message, format!("write \"{value}\""));
            continue;
        }
        if rules.validation == Validation::Strict {
            for message in validation::label_key(&key.text) {
                let mut mistake = Diagnostic::new(key.place, format!("label key: {message}"));
                mistake.help = value_help(&key.text).filter(|_| !key.text.contains('/'));
                diagnostics.push(mistake);
            }
            for message in validation::label_value(value) {
                let mut mistake = Diagnostic::new(node.place, format!("label value: {message}"));
                mistake.help = value_help(value);
                diagnostics.push(mistake);
            }
        }
        labels.push((Box::from(&*key.text), Box::from(value)));
    }
    Labels::of(labels)
}

pub(super) fn effect_help(effect: &Effect) -> Option<String> {
    match effect {
        Effect::Other(text) => nearest(text, Effect::KNOWN).map(|near| format!("write {near}")),
        _ => None,
    }
}

pub(super) fn report(
    place: Place,
    what: &str,
    problems: Vec<Problem>,
    help: Option<String>,
    diagnostics: &mut Diagnostics,
) {
    for problem in problems {
        let message = format!("{what} {}: {}", problem.field, problem.message);
        match &help {
            Some(help) => diagnostics.error_help(place, message, help.clone()),
            None => diagnostics.error(place, message),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_rfc_3339() {
        for text in ["2026-03-01T14:02:00Z", "2026-03-01T14:02:00.5+01:00"] {
            assert!(is_rfc3339(text), "{text}");
        }
        for text in ["", "now", "2026-03-01", "2026-03-01T14:02:00", "2026-03-01T14:02:00.Z", "ü"]
        {
            assert!(!is_rfc3339(text), "{text}");
        }
    }
}
