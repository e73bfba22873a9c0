//! The comments of a scenario from a dump: where it is from, how to run it, what it has not, and
//! steps to begin with.

use std::fmt::Write as _;

use crate::scenario::diagnostic::escape;

/// Longest line of a comment.
const LINE_CHARACTERS_MAX: usize = 96;

/// Names for the example steps.
#[derive(Debug, Default)]
pub(super) struct Examples<'n> {
    /// A node, a worker if there is one.
    pub(super) node: Option<&'n str>,
    /// A taint's key that this node does not have.
    pub(super) key: &'static str,
    /// Namespace and name of a pod.
    pub(super) pod: Option<(&'n str, &'n str)>,
}

/// Appends a comment, wrapped, its further lines indented by two.
pub(super) fn comment(out: &mut String, indent: usize, text: &str) {
    let mut width = usize::MAX;
    let mut is_first = true;
    let text = escape(text);
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        if width.saturating_add(1 + word.chars().count()) > LINE_CHARACTERS_MAX {
            let more = if is_first { "" } else { "  " };
            let _ = write!(out, "{}{:indent$}# {more}", if is_first { "" } else { "\n" }, "");
            width = indent + 2 + more.len();
            is_first = false;
        } else {
            out.push(' ');
            width += 1;
        }
        out.push_str(word);
        width += word.chars().count();
    }
    out.push('\n');
}

/// Appends commented steps that are right as they stand.
pub(super) fn steps(out: &mut String, examples: &Examples<'_>) {
    comment(
        out,
        2,
        "Steps to begin with: take away the `#` of this block, change what you like, and drop the \
         rest.",
    );
    out.push_str("  # steps:\n");
    let mut step = |at: &str, action: &str| {
        let _ = writeln!(out, "  #   - at: {at}\n  #     {action}");
    };
    if let Some((namespace, name)) = examples.pod {
        let namespace = match namespace {
            "default" => String::new(),
            namespace => format!(" -n {namespace}"),
        };
        step("5s", &format!("kubectl: delete pod {name}{namespace}"));
    }
    if let Some(node) = examples.node {
        let key = examples.key;
        step("10s", &format!("kubectl: taint nodes {node} {key}=now:NoExecute"));
        step("2m", &format!("kubectl: taint nodes {node} {key}-"));
    }
    step("3m", "restartController: {for: 15s}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_wrapped_and_escaped() {
        let mut out = String::new();
        comment(&mut out, 0, "a\nb: c\u{1b}[31m");
        assert_eq!(out, "# a\\u{a}b: c\\u{1b}[31m\n");
        let mut out = String::new();
        comment(&mut out, 2, &"word ".repeat(40));
        assert!(out.lines().all(|line| line.starts_with("  # ") && line.len() <= 98), "{out}");
        assert_eq!(out.matches("word").count(), 40);
        assert_eq!(out.lines().count(), 3);
    }
}
