//! The comments of a scenario from a dump: where it is from, how to run it, what it has not, and
//! steps to begin with.

use std::fmt::Write as _;

use crate::scenario::emit::comment::comment;

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
