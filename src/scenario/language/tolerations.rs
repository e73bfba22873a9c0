//! Tolerations of the language, as in core/v1 or as `kubectl describe pod` prints them, with the
//! API's rules.

use super::taints::{effect_help, place_of, report};
use crate::objects::{Effect, Operator, Toleration, validation};
use crate::plan::Validation;
use crate::scenario::diagnostic::{Diagnostics, nearest};
use crate::scenario::fields::{Fields, items};
use crate::scenario::rules::Rules;
use crate::scenario::scalar::{integer, string, text, wrong_type};
use crate::scenario::suggest::value_help;
use crate::scenario::tree::{Node, Place, Value};

/// A list of tolerations as its author wrote it, before admission.
pub(super) fn read(node: &Node, rules: &Rules, diagnostics: &mut Diagnostics) -> Vec<Toleration> {
    let list = items(node, "`tolerations`", diagnostics).unwrap_or(&[]);
    list.iter().filter_map(|item| toleration(item, rules, diagnostics)).collect()
}

/// A mapping as in core/v1, or as `kubectl describe pod` prints it.
pub(super) fn toleration(
    node: &Node,
    rules: &Rules,
    diagnostics: &mut Diagnostics,
) -> Option<Toleration> {
    let before = diagnostics.len();
    let toleration = if let Value::Mapping(_) = node.value {
        toleration_mapping(node, diagnostics)?
    } else {
        if !matches!(node.value, Value::Plain(_) | Value::Quoted(_)) {
            let expected = "a mapping or a text such as `key:NoExecute op=Exists`";
            wrong_type(node, "a toleration", expected, &node.value, diagnostics);
            return None;
        }
        let text = string(node, "a toleration", diagnostics)?;
        match parse(text) {
            Ok(toleration) => toleration,
            Err(message) => {
                let help = "write it as `kubectl describe pod` does: \
                            `key=value:NoExecute for 60s` or `key:NoExecute op=Exists`";
                diagnostics.error_help(node.place, format!("`{text}`: {message}"), help);
                return None;
            }
        }
    };
    let is_whole = diagnostics.len() == before;
    if rules.validation == Validation::Strict {
        for problem in validation::toleration(&toleration, rules.comparison_operators) {
            // Where a field is misspelt, nothing is said about its absence.
            let is_own = match problem.field {
                "operator" => !matches!(toleration.operator, Operator::Unset | Operator::Equal),
                "effect" => toleration.effect.is_some(),
                _ => true,
            };
            if !is_whole && !is_own {
                continue;
            }
            let help = problem_help(problem.field, &toleration);
            let place = place_of(node, problem.field);
            report(place, "toleration", vec![problem], help, diagnostics);
        }
    }
    is_whole.then_some(toleration)
}

/// What would be right in place of a field that the API refuses.
fn problem_help(field: &str, toleration: &Toleration) -> Option<String> {
    match (field, &toleration.operator) {
        ("effect", _) => match toleration.effect.as_ref().map(effect_help) {
            Some(Some(help)) => Some(help),
            _ if toleration.toleration_seconds.is_some() => {
                Some("write the effect NoExecute, or leave the seconds out".into())
            }
            _ => None,
        },
        ("operator", Operator::Other(text)) => {
            let near = nearest(text, ["Exists", "Equal"]);
            Some(format!("write {}", near.unwrap_or("Exists or Equal")))
        }
        ("operator", Operator::Gt | Operator::Lt) => {
            let gate = "featureGates: {TaintTolerationComparisonOperators: true}";
            Some(format!("write Exists or Equal, or set the gate under `spec`: `{gate}`"))
        }
        ("operator", _) => Some("write the operator Exists, or give the `key`".into()),
        ("value", Operator::Exists) => {
            Some("leave the value out, or write the operator Equal".into())
        }
        ("value", Operator::Gt | Operator::Lt) => {
            Some("write a whole number, such as \"5\"".into())
        }
        ("value", _) => value_help(&toleration.value),
        ("key", _) if !toleration.key.contains('/') => value_help(&toleration.key),
        _ => None,
    }
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
pub(crate) fn parse(text: &str) -> Result<Toleration, String> {
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

/// Checks tolerations that were read elsewhere.
pub(super) fn check(
    list: &[Toleration],
    place: Place,
    rules: &Rules,
    diagnostics: &mut Diagnostics,
) {
    if rules.validation == Validation::Ignore {
        return;
    }
    for toleration in list {
        for problem in validation::toleration(toleration, rules.comparison_operators) {
            let help = problem_help(problem.field, toleration);
            report(place, "toleration", vec![problem], help, diagnostics);
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
            let toleration = parse(text).expect(text);
            assert_eq!(toleration.to_string(), text);
        }
        for text in ["", " ", "a b", "key for", "key for 60", "key for 5m", "key for 1s x"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
