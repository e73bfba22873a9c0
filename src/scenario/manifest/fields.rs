//! Reads fields of objects out of a located tree, as strictly as Go's decoders and no stricter.
//!
//! A null is an absent field. A string must be one: `value: 1` without quotes is a number to
//! Kubernetes, and so is an error here. Unknown fields are passed over.

use std::fmt::Display;

use super::Objects;
use crate::objects::{Labels, Lists};
use crate::scenario::diagnostic::{Diagnostic, Diagnostics};
use crate::scenario::tree::{Key, Node, Place, Value};

/// What reading an object needs at hand.
pub(super) struct Reader<'a> {
    pub(super) default_namespace: &'a str,
    pub(super) lists: &'a mut Lists,
    pub(super) objects: &'a mut Objects,
    pub(super) diagnostics: &'a mut Diagnostics,
}

/// The value of a key that is there and not null.
pub(in crate::scenario) fn mapping_get<'n>(node: &'n Node, key: &str) -> Option<&'n Node> {
    let Value::Mapping(entries) = &node.value else { return None };
    let value = entries.iter().find(|(k, _)| *k.text == *key).map(|(_, value)| value)?;
    (!matches!(value.value, Value::Null)).then_some(value)
}

/// The text of a scalar, whatever type it has.
pub(in crate::scenario) fn text(node: &Node) -> Option<&str> {
    match &node.value {
        Value::Plain(text) | Value::Quoted(text) => Some(text),
        Value::Null | Value::Sequence(_) | Value::Mapping(_) | Value::Skipped => None,
    }
}

impl Reader<'_> {
    /// A field of an object that is itself a mapping; `None` where absent, null or wrong.
    pub(super) fn part<'n>(&mut self, object: &'n Node, key: &str, path: &str) -> Option<&'n Node> {
        let part = mapping_get(object, key)?;
        match &part.value {
            Value::Mapping(_) => Some(part),
            _ => {
                self.diagnostics.error(part.place, format!("{path} must be a mapping"));
                None
            }
        }
    }

    /// The items of a list field.
    pub(super) fn sequence<'n>(&mut self, node: &'n Node, path: impl Display) -> &'n [Node] {
        match &node.value {
            Value::Sequence(items) => items,
            _ => {
                self.diagnostics.error(node.place, format!("{path} must be a list"));
                &[]
            }
        }
    }

    /// A string field; empty where it is absent, null or wrong.
    pub(super) fn string<'n>(
        &mut self,
        object: &'n Node,
        key: &str,
        path: impl Display,
    ) -> &'n str {
        mapping_get(object, key).map_or("", |node| self.string_value(node, path))
    }

    fn string_value<'n>(&mut self, node: &'n Node, path: impl Display) -> &'n str {
        match &node.value {
            Value::Null => "",
            Value::Quoted(text) => text,
            Value::Plain(text) if !is_other_type(text) => text,
            Value::Plain(text) => {
                self.diagnostics.push(
                    Diagnostic::new(
                        node.place,
                        format!("{path} must be a string, but {text} is a number or boolean"),
                    )
                    .help(format!("write \"{text}\" in quotes")),
                );
                ""
            }
            Value::Sequence(_) | Value::Mapping(_) | Value::Skipped => {
                self.diagnostics.error(node.place, format!("{path} must be a string"));
                ""
            }
        }
    }

    /// A boolean field; false where absent, null or wrong.
    pub(super) fn boolean(&mut self, object: &Node, key: &str, path: impl Display) -> bool {
        let Some(node) = mapping_get(object, key) else { return false };
        match &node.value {
            Value::Plain(text) if **text == *"true" => true,
            Value::Plain(text) if **text == *"false" => false,
            _ => {
                self.diagnostics.error(node.place, format!("{path} must be true or false"));
                false
            }
        }
    }

    /// A 64-bit integer field in plain decimal; `None` where absent, null or wrong.
    pub(super) fn integer(&mut self, object: &Node, key: &str, path: impl Display) -> Option<i64> {
        let node = mapping_get(object, key)?;
        let Value::Plain(written) = &node.value else {
            let quoted = text(node).filter(|text| is_decimal(text));
            let mut diagnostic = Diagnostic::new(
                node.place,
                match text(node) {
                    Some(text) => format!("{path} must be an integer, not the string {text:?}"),
                    None => format!("{path} must be an integer"),
                },
            );
            if let Some(text) = quoted {
                diagnostic = diagnostic.help(format!("write {text} without quotes"));
            }
            self.diagnostics.push(diagnostic);
            return None;
        };
        if !is_decimal(written) {
            self.diagnostics.push(
                Diagnostic::new(node.place, format!("{path} must be an integer, not {written}"))
                    .help("write plain decimal digits, such as 300"),
            );
            return None;
        }
        let number = written.parse().ok();
        if number.is_none() {
            let message = format!("{path} is {written}, which does not fit into 64 bits");
            self.diagnostics.error(node.place, message);
        }
        number
    }

    /// `metadata.labels`.
    pub(super) fn labels(&mut self, metadata: Option<&Node>, subject: &str) -> Labels {
        let mut labels = Vec::new();
        let path = format!("{subject}: metadata.labels");
        let part = metadata.and_then(|metadata| self.part(metadata, "labels", &path));
        if let Some(Node { value: Value::Mapping(entries), .. }) = part {
            for (key, value) in entries {
                let path = format_args!("{path}[{}]", key.text);
                let value = match &value.value {
                    // Redactors and templates lose the quotes; the text is what was meant.
                    Value::Plain(text) if is_other_type(text) => {
                        let kind = "label values without quotes, read as strings";
                        let message =
                            format_args!("{path}: {text} has no quotes; read as a string");
                        self.notice(kind, value.place, subject, message);
                        text
                    }
                    _ => self.string_value(value, path),
                };
                labels.push((Box::from(&*key.text), Box::from(value)));
            }
        }
        Labels::of(labels)
    }

    /// Says which keys of `object` are a known one in another spelling: Kubernetes passes over
    /// them in silence, and a node would lose its taints.
    pub(super) fn notice_misspelt_keys(&mut self, object: &Node, known: &[&str], path: &str) {
        let subject = path.split(": ").next().unwrap_or_default();
        let Value::Mapping(entries) = &object.value else { return };
        for (Key { text, place }, _) in entries {
            if known.contains(&&**text) {
                continue;
            }
            if let Some(right) = known.iter().find(|known| folded(known) == folded(text)) {
                self.notice(
                    &format!("keys in another spelling than `{right}`, passed over"),
                    *place,
                    subject,
                    format_args!(
                        "{path}: the unknown key `{text}` is passed over; right is `{right}`"
                    ),
                );
            }
        }
    }

    /// Something that the user should know though nothing is wrong.
    pub(super) fn notice(
        &mut self,
        kind: &str,
        place: Place,
        subject: &str,
        message: impl Display,
    ) {
        self.objects.notice(kind, place, subject, message);
    }
}

fn folded(key: &str) -> String {
    key.chars().filter(|c| *c != '_').map(|c| c.to_ascii_lowercase()).collect()
}

/// Decimal digits after an optional minus sign, without leading zeros.
fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let leading_zero = digits.len() > 1 && digits.starts_with('0');
    !digits.is_empty() && !leading_zero && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a plain scalar is a boolean or a number to the YAML that Kubernetes reads.
fn is_other_type(text: &str) -> bool {
    let words = ["true", "false", "yes", "no", "on", "off"];
    if words.iter().any(|word| text.eq_ignore_ascii_case(word)) {
        return true;
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let special = [".inf", ".nan"].iter().any(|word| unsigned.eq_ignore_ascii_case(word));
    special || is_number(unsigned)
}

fn is_number(unsigned: &str) -> bool {
    for (prefix, is_digit) in [
        ("0x", (|c| c.is_ascii_hexdigit() || c == '_') as fn(char) -> bool),
        ("0o", |c| matches!(c, '0'..='7' | '_')),
        ("0b", |c| matches!(c, '0' | '1' | '_')),
    ] {
        if let Some(digits) = unsigned.strip_prefix(prefix) {
            return !digits.is_empty() && digits.chars().all(is_digit);
        }
    }
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let exponent_right = exponent.is_none_or(|exponent| {
        let digits = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    });
    exponent_right
        && mantissa.matches('.').count() <= 1
        && mantissa.bytes().any(|byte| byte.is_ascii_digit())
        && mantissa.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'_'))
        && !mantissa.starts_with('_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_scalars_that_kubernetes_takes_for_numbers_are_known() {
        for text in [
            "1", "-1", "+300", "0454", "0x12C", "0o454", "0b1", "1_000", "3e2", "1.5", ".inf",
            "Yes",
        ] {
            assert!(is_other_type(text), "{text}");
        }
        for text in
            ["a", "infra", "1a", "10.0.0.1", "2018-12-03T10:16:04Z", "0xzz", "e3", "-", "_1"]
        {
            assert!(!is_other_type(text), "{text}");
        }
    }

    #[test]
    fn only_plain_decimals_are_integers() {
        for text in ["0", "-0", "-5", "300", "9223372036854775807"] {
            assert!(is_decimal(text), "{text}");
        }
        for text in ["", "-", "+1", "01", "300.0", "3e2", "1_0", "0x1", "5s", " 5"] {
            assert!(!is_decimal(text), "{text}");
        }
    }
}
