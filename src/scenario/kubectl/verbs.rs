//! Commands of kubectl that do not work here, and what does in their place.

use super::{Refusal, VERBS, WORKS};
use crate::scenario::diagnostic::nearest;

/// What kubectl knows and taintsim does not; everything else is a slip of the pen.
const UNSUPPORTED: [&str; 35] = [
    "annotate",
    "api-resources",
    "api-versions",
    "attach",
    "auth",
    "autoscale",
    "certificate",
    "cluster-info",
    "completion",
    "config",
    "cp",
    "create",
    "debug",
    "describe",
    "diff",
    "drain",
    "edit",
    "events",
    "exec",
    "explain",
    "expose",
    "get",
    "kustomize",
    "logs",
    "patch",
    "port-forward",
    "proxy",
    "replace",
    "rollout",
    "run",
    "scale",
    "set",
    "top",
    "version",
    "wait",
];

/// What to do in place of a drain.
pub(in crate::scenario) const DRAIN: &str = "a drain goes past the taint manager: it cordons and evicts each pod. Write a \
                         step `kubectl: cordon NODE`, and one `kubectl: delete pod ..`";

/// The refusal of a verb, with the line that is meant where the words say it.
pub(super) fn unknown(verb: &str, words: &[String]) -> Refusal {
    let rest: Vec<&str> =
        words.iter().map(String::as_str).skip_while(|word| *word != verb).skip(1).collect();
    if verb == "drain" {
        let help = format!("{DRAIN}; {WORKS}");
        return Refusal::new("kubectl drain is not supported by taintsim").help(help);
    }
    let refusal = match UNSUPPORTED.contains(&verb) {
        true => Refusal::new(format!("kubectl {verb} is not supported by taintsim")),
        false => Refusal::new(format!("unknown command \"{verb}\" for \"kubectl\"")),
    };
    if let Some(help) = meant(verb, &rest) {
        return refusal.help(help);
    }
    match nearest(verb, VERBS).filter(|_| !UNSUPPORTED.contains(&verb)) {
        Some(near) => refusal.help(format!("did you mean `{near}`?")),
        None => refusal.help(WORKS),
    }
}

/// What does here what the command would do in a cluster.
fn meant(verb: &str, rest: &[&str]) -> Option<String> {
    let mut plain = rest.iter().filter(|word| !word.starts_with('-'));
    let first = plain.next().copied().unwrap_or("");
    let (kind, name) = match first.split_once('/') {
        Some((kind, name)) => (kind, name),
        None => (first, plain.next().copied().unwrap_or("")),
    };
    let is_node = matches!(kind, "node" | "nodes" | "no");
    let is_pod = matches!(kind, "pod" | "pods" | "po");
    Some(match verb {
        "untaint" => {
            let removed: Vec<String> = plain.map(|taint| removal(taint)).collect();
            if !is_node || name.is_empty() || removed.is_empty() {
                return Some("write `kubectl taint nodes NODE KEY-`".into());
            }
            format!("write `kubectl taint nodes {name} {}`", removed.join(" "))
        }
        "patch" | "edit" if is_node && !name.is_empty() => {
            let text: String = rest.concat().split_whitespace().collect();
            match text.contains("unschedulable\":true") || text.contains("unschedulable:true") {
                true => format!("write `kubectl cordon {name}`"),
                false if text.contains("unschedulable") => {
                    format!("write `kubectl uncordon {name}`")
                }
                false => format!(
                    "write `kubectl taint nodes {name} ..`, `kubectl label nodes {name} ..` or \
                     `kubectl cordon {name}`"
                ),
            }
        }
        "evict" => {
            // `evict web-0` and `evict pod web-0` are the same.
            let pod = if is_pod || name.is_empty() { name } else { first };
            let pod = if pod.is_empty() && !is_pod { first } else { pod };
            let pod = if pod.is_empty() { "POD" } else { pod };
            format!("write `kubectl delete pod {pod}`, or taint its node: the taint manager evicts")
        }
        "create" | "run" => "write the action `createPod: {name: .., nodeName: ..}` or \
                             `createNode: {name: ..}` in place of `kubectl`, or `kubectl apply -f \
                             FILE`"
            .into(),
        "replace" => "write `kubectl apply -f FILE`".into(),
        "scale" | "rollout" => "there are no workloads, only pods: write `kubectl delete pod POD` \
                                or the action `createPod` for each"
            .into(),
        "annotate" | "set" if is_node || is_pod => {
            "nothing reads that here: remove the step; `kubectl label` sets labels".into()
        }
        "get" | "describe" | "events" | "logs" | "top" => {
            "it changes nothing: remove the step; `expect` asks what is there".into()
        }
        "wait" => "remove the step: the next one has its own time, such as `at: +10s`".into(),
        _ => return None,
    })
}

/// `key=value:Effect`, `key:Effect-` or `key` as `kubectl taint` removes it.
fn removal(taint: &str) -> String {
    let taint = taint.trim_end_matches('-');
    let (key, effect) = match taint.split_once(':') {
        Some((key, effect)) => (key, format!(":{effect}")),
        None => (taint, String::new()),
    };
    format!("{}{effect}-", key.split('=').next().unwrap_or(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_meant_is_made_of_the_words_of_the_line() {
        for (line, expected) in [
            ("untaint nodes n k", "write `kubectl taint nodes n k-`"),
            ("untaint node/n k=v:NoExecute", "write `kubectl taint nodes n k:NoExecute-`"),
            ("untaint n", "write `kubectl taint nodes NODE KEY-`"),
            ("patch node n -p {\"spec\":{\"unschedulable\":true}}", "write `kubectl cordon n`"),
            ("patch node n -p {\"spec\":{\"unschedulable\":false}}", "write `kubectl uncordon n`"),
            ("replace -f pod.yaml", "write `kubectl apply -f FILE`"),
        ] {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(unknown(&words[0], &words).help.as_deref(), Some(expected), "{line}");
        }
        for (line, pod) in
            [("evict web-0", "web-0"), ("evict pod web-0", "web-0"), ("evict", "POD")]
        {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let help = unknown(&words[0], &words).help.unwrap_or_default();
            assert!(help.starts_with(&format!("write `kubectl delete pod {pod}`")), "{help}");
        }
    }
}
