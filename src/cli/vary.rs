//! `--vary PATH=V1,V2`: one override of `--set` for each value.

/// The overrides that it means. Commas inside brackets, braces or a quoted value part nothing.
pub(super) fn overrides(text: &str) -> Result<Vec<String>, String> {
    let Some(equals) = end_of_path(text) else {
        return Err(format!("`{text}` has no value; write PATH=V1,V2, such as spec.seed=1,2"));
    };
    let (path, values) = (&text[..equals], split(&text[equals + 1..]));
    if let [value] = values.as_slice() {
        let other = if value.is_empty() { "V1,V2" } else { &format!("{value},ANOTHER") };
        return Err(format!("there is nothing to compare with; write {path}={other}"));
    }
    let repeated = values.iter().enumerate().find(|(i, value)| values[..*i].contains(value));
    if let Some((_, value)) = repeated {
        return Err(format!("`{path}` has the value `{value}` twice"));
    }
    Ok(values.iter().map(|value| format!("{path}={value}")).collect())
}

/// What the loader says of an override that leaves a value as it is. One of those to compare may
/// be the file's own, so that nobody wants to hear it.
pub(super) fn is_own_value(change: &str, notice: &str) -> bool {
    let path = end_of_path(change).map_or(change, |equals| &change[..equals]);
    notice == format!("`{path}` has this value already: nothing is changed")
}

/// Where the `=` is that ends the path: the first one outside of brackets, as in `--set`.
fn end_of_path(text: &str) -> Option<usize> {
    let mut depth = 0u32;
    let mut is_escaped = false;
    for (index, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            '=' if depth == 0 => return Some(index),
            _ => {}
        }
    }
    None
}

fn split(values: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut depth, mut quote) = (0, 0u32, None);
    for (index, c) in values.char_indices() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            (_, Some(_)) => {}
            // A quote inside of a word is a letter, as in YAML.
            ('\'' | '"', None) if values[start..index].trim().is_empty() => quote = Some(c),
            ('[' | '{', None) => depth += 1,
            (']' | '}', None) => depth = depth.saturating_sub(1),
            (',', None) if depth == 0 => {
                parts.push(&values[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(&values[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_split_at_commas_outside_of_brackets_and_quotes() {
        for (text, expected) in [
            ("spec.seed=1,2,3", &["spec.seed=1", "spec.seed=2", "spec.seed=3"][..]),
            (
                "spec.pods[name=a=b].x=1,null",
                &["spec.pods[name=a=b].x=1", "spec.pods[name=a=b].x=null"],
            ),
            ("x={a,b}-0,[c,d]", &["x={a,b}-0", "x=[c,d]"]),
            ("x='a,b',don't,\"c,\"", &["x='a,b'", "x=don't", "x=\"c,\""]),
            ("a\\=b=,1", &["a\\=b=", "a\\=b=1"]),
        ] {
            assert_eq!(overrides(text).expect(text), expected);
        }
    }

    #[test]
    fn what_gives_no_two_runs_is_refused() {
        for (text, expected) in [
            ("spec.seed", "`spec.seed` has no value; write PATH=V1,V2, such as spec.seed=1,2"),
            ("spec.seed=1", "there is nothing to compare with; write spec.seed=1,ANOTHER"),
            ("spec.seed=", "there is nothing to compare with; write spec.seed=V1,V2"),
            ("spec.seed=1,2,1", "`spec.seed` has the value `1` twice"),
        ] {
            assert_eq!(overrides(text).expect_err(text), expected);
        }
    }
}
