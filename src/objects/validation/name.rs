//! The rules for names: label keys and values, and the DNS forms of RFC 1123.
//!
//! Each function answers with the broken rules; none means that the name is right. A length is in
//! bytes, as in Go.

const LABEL_BYTES_MAX: usize = 63;
const SUBDOMAIN_BYTES_MAX: usize = 253;

/// What is wrong with the key of a label, taint or toleration: a name of up to 63 characters,
/// after an optional DNS subdomain and a slash.
pub fn label_key(key: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let name = match key.split_once('/') {
        None => key,
        Some((prefix, name)) => {
            if prefix.is_empty() {
                problems.push(format!("{key:?}: the part before the slash must be non-empty"));
            } else {
                problems.extend(subdomain(prefix).into_iter().map(|p| format!("prefix part {p}")));
            }
            name
        }
    };
    if name.contains('/') {
        problems
            .push(format!("{key:?} has more than one slash; right is NAME or example.com/NAME"));
    } else if name.is_empty() {
        problems.push(format!("{key:?}: name part must be non-empty"));
    } else {
        problems.extend(label_characters(name).into_iter().map(|p| format!("name part {p}")));
    }
    problems
}

/// What is wrong with the value of a label, taint or `Equal` toleration: empty, or up to 63
/// letters, digits, `-`, `_` and `.` with a letter or digit at both ends.
pub fn label_value(value: &str) -> Vec<String> {
    if value.is_empty() { Vec::new() } else { label_characters(value) }
}

/// What is wrong with the name of a node: a DNS subdomain.
pub fn node_name(name: &str) -> Vec<String> {
    subdomain(name)
}

/// What is wrong with the name of a pod: a DNS subdomain.
pub fn pod_name(name: &str) -> Vec<String> {
    subdomain(name)
}

/// What is wrong with the name of a namespace: a DNS label.
pub fn namespace(name: &str) -> Vec<String> {
    let mut problems = too_long(name, LABEL_BYTES_MAX);
    if !is_dns_label(name) {
        problems.push(format!(
            "{name:?} must consist of lower case letters, digits and '-', and start and end with \
             a letter or digit (RFC 1123 label)"
        ));
    }
    problems
}

fn subdomain(name: &str) -> Vec<String> {
    let mut problems = too_long(name, SUBDOMAIN_BYTES_MAX);
    if !name.split('.').all(is_dns_label) {
        problems.push(format!(
            "{name:?} must consist of lower case letters, digits, '-' and '.', and each part \
             between dots must start and end with a letter or digit (RFC 1123 subdomain)"
        ));
    }
    problems
}

fn label_characters(name: &str) -> Vec<String> {
    let mut problems = too_long(name, LABEL_BYTES_MAX);
    let bytes = name.as_bytes();
    let inner = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let ends = [bytes.first(), bytes.last()];
    let right = bytes.iter().all(inner)
        && ends.iter().all(|end| end.is_some_and(u8::is_ascii_alphanumeric));
    if !right {
        problems.push(format!(
            "{name:?} must consist of letters, digits, '-', '_' and '.', and start and end with a \
             letter or digit"
        ));
    }
    problems
}

fn is_dns_label(label: &str) -> bool {
    let bytes = label.as_bytes();
    let alphanumeric = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    bytes.iter().all(|byte| alphanumeric(byte) || *byte == b'-')
        && bytes.first().is_some_and(alphanumeric)
        && bytes.last().is_some_and(alphanumeric)
}

fn too_long(name: &str, bytes_max: usize) -> Vec<String> {
    if name.len() <= bytes_max {
        return Vec::new();
    }
    vec![format!("must be no more than {bytes_max} characters, but has {}", name.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rule: fn(&str) -> Vec<String>, name: &str, part_of_message: &str) {
        let problems = rule(name).join("; ");
        if part_of_message.is_empty() {
            assert_eq!(problems, "", "{name:?} should be right");
        } else {
            assert!(problems.contains(part_of_message), "{name:?}: {problems:?}");
        }
    }

    #[test]
    fn keys_are_a_name_with_an_optional_dns_prefix() {
        let long = "a".repeat(64);
        let long_prefix = format!("{}/x", "a.".repeat(126) + "aa");
        for (key, message) in [
            ("a", ""),
            ("Dedicated_1.x-y", ""),
            ("node.kubernetes.io/not-ready", ""),
            ("0", ""),
            (&long[1..], ""),
            (&long, "name part must be no more than 63 characters, but has 64"),
            (&long_prefix, "prefix part must be no more than 253 characters, but has 254"),
            ("", "name part must be non-empty"),
            ("/x", "before the slash must be non-empty"),
            ("example.com/", "name part must be non-empty"),
            ("a/b/c", "more than one slash"),
            ("-a", "name part \"-a\" must consist"),
            ("a.", "must consist"),
            ("a b", "must consist"),
            ("Example.com/x", "prefix part \"Example.com\" must consist of lower case"),
            ("ex..com/x", "prefix part"),
            ("schlüssel", "must consist"),
        ] {
            check(label_key, key, message);
        }
    }

    #[test]
    fn values_may_be_empty() {
        for (value, message) in [
            ("", ""),
            ("1", ""),
            ("MyValue_2.x", ""),
            ("a/b", "must consist"),
            ("-5", "must consist"),
            ("_", "must consist"),
            (&"v".repeat(63), ""),
            (&"v".repeat(64), "no more than 63"),
        ] {
            check(label_value, value, message);
        }
    }

    #[test]
    fn object_names_are_dns_names() {
        for (name, message) in [
            ("node-0", ""),
            ("ip-10-1-1-1.ec2.internal", ""),
            ("10.0.0.1", ""),
            ("", "RFC 1123 subdomain"),
            ("Node", "RFC 1123 subdomain"),
            (" n1 ", "RFC 1123 subdomain"),
            ("n_1", "RFC 1123 subdomain"),
            ("a.-b", "RFC 1123 subdomain"),
            ("а", "RFC 1123 subdomain"), // Cyrillic.
        ] {
            check(node_name, name, message);
            check(pod_name, name, message);
        }
        check(namespace, "kube-system", "");
        check(namespace, "a.b", "RFC 1123 label");
        check(namespace, "", "RFC 1123 label");
        check(namespace, &"n".repeat(64), "no more than 63");
    }
}
