//! Taints, tolerations and labels of the language, in their short and their long forms, with the
//! API's rules and with DefaultTolerationSeconds.

use crate::objects::validation::{self, Problem};
use crate::objects::{Effect, Labels, Operator, Taint, Toleration};
use crate::plan::{TaintPattern, Validation};
use crate::scenario::diagnostic::{Diagnostics, nearest};
use crate::scenario::fields::{Fields, items};
use crate::scenario::rules::Rules;
use crate::scenario::scalar::{integer, string, text};
use crate::scenario::tree::{Node, Place, Value};

/// A list of taints.
pub(super) fn taints(node: &Node, rules: &Rules, diagnostics: &mut Diagnostics) -> Vec<Taint> {
    let mut list = Vec::new();
    let mut places = Vec::new();
    for item in items(node, "a list of taints", diagnostics).unwrap_or(&[]) {
        if let Some(taint) = taint(item, rules, diagnostics) {
            list.push(taint);
            places.push(item.place);
        }
    }
    if rules.validation == Validation::Strict {
        for (index, problem) in validation::taint_list(&list) {
            diagnostics.error(places[index], problem.message);
        }
    }
    list
}

/// Checks taints that were read elsewhere.
pub(super) fn check_taints(
    list: &[Taint],
    place: Place,
    rules: &Rules,
    diagnostics: &mut Diagnostics,
) {
    if rules.validation == Validation::Ignore {
        return;
    }
    for taint in list {
        report(place, "taint", validation::taint(taint), effect_help(&taint.effect), diagnostics);
    }
    for (_, problem) in validation::taint_list(list) {
        diagnostics.error(place, problem.message);
    }
}

/// Checks tolerations that were read elsewhere.
pub(super) fn check_tolerations(
    list: &[Toleration],
    place: Place,
    rules: &Rules,
    diagnostics: &mut Diagnostics,
) {
    if rules.validation == Validation::Ignore {
        return;
    }
    for toleration in list {
        let problems = validation::toleration(toleration, rules.comparison_operators);
        report(place, "toleration", problems, None, diagnostics);
    }
}

/// `key=value:Effect`, `key:Effect`, or a mapping as in core/v1.
fn taint(node: &Node, rules: &Rules, diagnostics: &mut Diagnostics) -> Option<Taint> {
    let before = diagnostics.len();
    let taint = if let Value::Mapping(_) = node.value {
        let mut fields = Fields::new(node, "a taint", diagnostics)?;
        let key = fields.require("key", diagnostics).and_then(|n| string(n, "key", diagnostics));
        let value = fields.take("value").and_then(|n| string(n, "value", diagnostics));
        let effect = fields.require("effect", diagnostics);
        let effect = effect.and_then(|n| text(n, "effect", diagnostics));
        let added = fields.take("timeAdded").and_then(|n| text(n, "timeAdded", diagnostics));
        fields.finish(diagnostics);
        let mut taint = Taint::new(key?, value.unwrap_or(""), Effect::parse(effect?));
        taint.time_added = added.map(Box::from);
        taint
    } else {
        let text = text(node, "a taint", diagnostics)?;
        let Some((key, value, effect)) = split_taint(text) else {
            diagnostics.error_help(
                node.place,
                format!("`{text}` is no taint: the effect is missing"),
                format!("write `{text}:NoExecute` (or NoSchedule, PreferNoSchedule)"),
            );
            return None;
        };
        Taint::new(key, value, Effect::parse(effect))
    };
    if diagnostics.len() > before {
        return None;
    }
    if rules.validation == Validation::Strict {
        report(
            node.place,
            "taint",
            validation::taint(&taint),
            effect_help(&taint.effect),
            diagnostics,
        );
    }
    Some(taint)
}

/// Key, value and effect of the short form.
fn split_taint(text: &str) -> Option<(&str, &str, &str)> {
    let (rest, effect) = text.rsplit_once(':')?;
    let (key, value) = rest.split_once('=').unwrap_or((rest, ""));
    Some((key, value, effect))
}

/// A list of `key` or `key:Effect`.
pub(super) fn taint_patterns(
    node: &Node,
    rules: &Rules,
    diagnostics: &mut Diagnostics,
) -> Vec<TaintPattern> {
    let mut list = Vec::new();
    for item in items(node, "`remove`", diagnostics).unwrap_or(&[]) {
        let Some(text) = text(item, "a taint to remove", diagnostics) else { continue };
        let (key, effect) = match text.rsplit_once(':') {
            Some((key, effect)) => (key, Some(Effect::parse(effect))),
            None => (text, None),
        };
        if key.contains('=') || text.ends_with('-') {
            diagnostics.error_help(
                item.place,
                format!("`{text}` names no taint to remove"),
                "write the key, or key:Effect, without value and without `-`",
            );
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

/// A list of tolerations as its author wrote it, before admission.
pub(super) fn tolerations(
    node: &Node,
    rules: &Rules,
    diagnostics: &mut Diagnostics,
) -> Vec<Toleration> {
    let list = items(node, "a list of tolerations", diagnostics).unwrap_or(&[]);
    list.iter().filter_map(|item| toleration(item, rules, diagnostics)).collect()
}

/// A mapping as in core/v1, or as `kubectl describe pod` prints it.
fn toleration(node: &Node, rules: &Rules, diagnostics: &mut Diagnostics) -> Option<Toleration> {
    let before = diagnostics.len();
    let toleration = if let Value::Mapping(_) = node.value {
        toleration_mapping(node, diagnostics)?
    } else {
        let text = text(node, "a toleration", diagnostics)?;
        match parse_toleration(text) {
            Ok(toleration) => toleration,
            Err(message) => {
                let help = "write it as `kubectl describe pod` does: \
                            `key=value:NoExecute for 60s` or `key:NoExecute op=Exists`";
                diagnostics.error_help(node.place, format!("`{text}`: {message}"), help);
                return None;
            }
        }
    };
    if diagnostics.len() > before {
        return None;
    }
    if rules.validation == Validation::Strict {
        let problems = validation::toleration(&toleration, rules.comparison_operators);
        let operator = match &toleration.operator {
            Operator::Other(text) => {
                nearest(text, ["Exists", "Equal"]).map(|near| format!("write {near}"))
            }
            _ => None,
        };
        let help = toleration.effect.as_ref().and_then(effect_help).or(operator);
        report(node.place, "toleration", problems, help, diagnostics);
    }
    Some(toleration)
}

fn toleration_mapping(node: &Node, diagnostics: &mut Diagnostics) -> Option<Toleration> {
    let mut fields = Fields::new(node, "a toleration", diagnostics)?;
    let key = fields.take("key").and_then(|n| string(n, "key", diagnostics));
    let operator = fields.take("operator").and_then(|n| text(n, "operator", diagnostics));
    let value = fields.take("value").and_then(|n| string(n, "value", diagnostics));
    let effect = fields.take("effect").and_then(|n| text(n, "effect", diagnostics));
    let seconds = fields
        .take("tolerationSeconds")
        .and_then(|n| integer(n, "tolerationSeconds", i64::MIN, i64::MAX, diagnostics));
    fields.finish(diagnostics);
    Some(Toleration {
        key: key.unwrap_or("").into(),
        operator: Operator::parse(operator.unwrap_or("")),
        value: value.unwrap_or("").into(),
        // Empty means every effect, as absent does.
        effect: effect.filter(|e| !e.is_empty()).map(Effect::parse),
        toleration_seconds: seconds,
    })
}

/// The form of `kubectl describe pod`: `key=value:Effect op=Exists for 60s`, each part optional.
pub(in crate::scenario) fn parse_toleration(text: &str) -> Result<Toleration, String> {
    let mut words = text.split_ascii_whitespace().peekable();
    let mut result = Toleration {
        key: Box::default(),
        operator: Operator::Unset,
        value: Box::default(),
        effect: None,
        toleration_seconds: None,
    };
    if let Some(word) = words.next_if(|word| !word.starts_with("op=") && *word != "for") {
        let (rest, effect) = match word.rsplit_once(':') {
            Some((rest, effect)) => (rest, Some(effect)),
            None => (word, None),
        };
        let (key, value) = rest.split_once('=').unwrap_or((rest, ""));
        result.key = key.into();
        result.value = value.into();
        result.effect = effect.map(Effect::parse);
    }
    if let Some(word) = words.next_if(|word| word.starts_with("op=")) {
        result.operator = Operator::parse(&word["op=".len()..]);
    }
    if words.next_if(|word| *word == "for").is_some() {
        let word = words.next().unwrap_or("");
        let seconds = word.strip_suffix('s').and_then(|digits| digits.parse().ok());
        let Some(seconds) = seconds else {
            return Err(format!(
                "after `for` there are whole seconds, such as `60s`, not `{word}`"
            ));
        };
        result.toleration_seconds = Some(seconds);
    }
    match words.next() {
        Some(word) => Err(format!("`{word}` is out of place in a toleration")),
        None if text.trim().is_empty() => Err("an empty text is no toleration".into()),
        None => Ok(result),
    }
}

/// A mapping of labels.
pub(super) fn labels(node: &Node, rules: &Rules, diagnostics: &mut Diagnostics) -> Labels {
    let mut labels = Labels::default();
    if !matches!(node.value, Value::Mapping(_) | Value::Null) {
        Fields::new(node, "a set of labels", diagnostics);
    }
    let Value::Mapping(entries) = &node.value else { return labels };
    for (key, node) in entries {
        let Some(value) = string(node, "a label's value", diagnostics) else { continue };
        if rules.validation == Validation::Strict {
            for message in validation::label_key(&key.text) {
                diagnostics.error(key.place, format!("label key: {message}"));
            }
            for message in validation::label_value(value) {
                diagnostics.error(node.place, format!("label value: {message}"));
            }
        }
        labels.set(&key.text, value);
    }
    labels
}

fn effect_help(effect: &Effect) -> Option<String> {
    match effect {
        Effect::Other(text) => nearest(text, Effect::KNOWN).map(|near| format!("write {near}")),
        _ => None,
    }
}

fn report(
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
    fn the_text_of_kubectl_describe_is_read_back() {
        for text in [
            "dedicated=infra:NoExecute for 60s",
            "node.kubernetes.io/not-ready:NoExecute op=Exists for 300s",
            "op=Exists",
            ":NoExecute op=Exists",
            "key op=Exists",
            "key",
            "key=value",
            "key=5:NoSchedule op=Gt",
            "key:NoExecute op=Exists for -5s",
        ] {
            let toleration = parse_toleration(text).expect(text);
            assert_eq!(toleration.to_string(), text);
        }
        for text in ["", " ", "a b", "key for", "key for 60", "key for 5m", "key for 1s x"] {
            assert!(parse_toleration(text).is_err(), "{text}");
        }
    }
}
