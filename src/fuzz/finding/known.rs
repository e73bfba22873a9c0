//! What upstream knows: findings by their signature, with the threads about them.

use super::signature::{Origin, Signature};
use crate::profile::{CHANGES, Switch};

/// Something that has been reported, or that the sources say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The threads, such as `#90794`; `sources` where there is none.
    pub threads: &'static str,
    /// What it is, in a sentence.
    pub what: &'static str,
    /// Rules that it breaks: what their names begin with.
    rules: &'static [&'static str],
    /// What it comes from.
    from: From,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum From {
    Switch(Switch),
    /// All of these kinds are there.
    Kinds(&'static [&'static str]),
}

const PROMISES: &[&str] = &["docs/", "convergence"];
const LATE: &[&str] = &[
    "docs/shortest-wait-late",
    "docs/zero-is-now",
    "docs/change-counts",
    "docs/untolerated-goes",
    "docs/same-name",
    "convergence",
];

/// All of them; the first that fits is it.
pub const KNOWN: [Known; 20] = [
    Known {
        threads: "#90794",
        what: "A timer is kept though only an infinite toleration is left (fixed in 1.19 by #93722).",
        rules: PROMISES,
        from: From::Switch(Switch::InfiniteTolerationCancels),
    },
    Known {
        threads: "#107543, #125332",
        what: "A stale marker of a deleted pod keeps a pod of the same name from being evicted \
               (fixed in 1.33 by #129577).",
        rules: PROMISES,
        from: From::Switch(Switch::MarkerAfterSuccess),
    },
    Known {
        threads: "sources (132c00c1)",
        what: "The end of a deletion removes the entry of a newer timer, which then can be neither \
               cancelled nor replaced.",
        rules: PROMISES,
        from: From::Switch(Switch::FinishRemovesReplacement),
    },
    Known {
        threads: "#42962",
        what: "With the first matched toleration unset, the least of the others did not count.",
        rules: PROMISES,
        from: From::Switch(Switch::UnsetFirstIsForever),
    },
    Known {
        threads: "none: the API refuses it",
        what: "What validation: Ignore lets through cannot happen in a cluster.",
        rules: PROMISES,
        from: From::Kinds(&["ignored-validation"]),
    },
    Known {
        threads: "sources (first match wins)",
        what: "Of several tolerations that match a taint only the first counts, so that a wildcard \
               with fewer seconds behind it does nothing.",
        rules: LATE,
        from: From::Kinds(&["overlapping-tolerations"]),
    },
    Known {
        threads: "#140639",
        what: "A deletion that is refused five times in a row is forgotten.",
        rules: PROMISES,
        from: From::Kinds(&["failed-delete"]),
    },
    Known {
        threads: "#108268",
        what: "A restart of the controller begins every window anew.",
        rules: PROMISES,
        from: From::Kinds(&["restart"]),
    },
    Known {
        threads: "sources (64 bits of nanoseconds)",
        what: "tolerationSeconds of 9223372037 and more wrap around.",
        rules: PROMISES,
        from: From::Kinds(&["huge-seconds"]),
    },
    Known {
        threads: "#102993, #108982",
        what: "tolerationSeconds that change after the timer was armed are ignored.",
        rules: PROMISES,
        from: From::Kinds(&["set-tolerations"]),
    },
    Known {
        threads: "sources (deleted node)",
        what: "The deletion of a node leaves the timers of its pods armed.",
        rules: PROMISES,
        from: From::Kinds(&["delete-node"]),
    },
    Known {
        threads: "#119862",
        what: "A pod's event overtakes its node's: the pod is judged by taints that are gone.",
        rules: PROMISES,
        from: From::Kinds(&["latency", "untaint"]),
    },
    Known {
        threads: "sources (timers go by name)",
        what: "The timer of a deleted pod kills a pod of the same name, on a healthy node as well.",
        rules: PROMISES,
        from: From::Kinds(&["create-pod", "delete-pod"]),
    },
    Known {
        threads: "sources (stricter second taint)",
        what: "A second, stricter taint does not shorten a wait that has begun.",
        rules: LATE,
        from: From::Kinds(&["second-taint"]),
    },
    Known {
        threads: "sources (stricter second taint)",
        what: "A second, stricter taint does not shorten a wait that has begun.",
        rules: LATE,
        from: From::Kinds(&["swap-taints"]),
    },
    Known {
        threads: "sources (laxer remaining taint)",
        what: "A wait is not prolonged where the stricter of two taints goes.",
        rules: &["docs/shortest-wait-early", "docs/untaint-saves", "convergence"],
        from: From::Kinds(&["untaint"]),
    },
    Known {
        threads: "sources (laxer remaining taint)",
        what: "A wait is not prolonged where the stricter of two taints goes.",
        rules: &["docs/shortest-wait-early", "docs/untaint-saves", "docs/covered-stays"],
        from: From::Kinds(&["swap-taints"]),
    },
    Known {
        threads: "#102993, #108982",
        what: "A timer that is armed never moves, whatever changes about the taint that it is for.",
        rules: &["docs/shortest-wait-early", "docs/covered-stays", "docs/change-counts"],
        from: From::Kinds(&["second-taint"]),
    },
    Known {
        threads: "#119862",
        what: "What the controller has of pods and nodes lags behind what they are, and it looks at \
               neither again before it deletes.",
        rules: PROMISES,
        from: From::Kinds(&["latency"]),
    },
    Known {
        threads: "sources (timers go by name)",
        what: "A pod that is replaced by one of its name before it is looked at leaves its timer to \
               that one (since #65350).",
        rules: PROMISES,
        from: From::Switch(Switch::CurrentObjects),
    },
];

/// Where the change of a switch is known from: `#123026`, or that the sources have it.
pub fn thread_of(switch: Switch) -> &'static str {
    let change = CHANGES.iter().find(|change| change.switch == switch);
    let words =
        change.into_iter().flat_map(|change| change.source.split([' ', ',', ';', '(', ')']));
    let mut threads = words.filter(|word| word.starts_with('#'));
    threads.next().unwrap_or("sources")
}

/// What upstream knows of a finding.
pub fn known(signature: &Signature) -> Option<&'static Known> {
    KNOWN.iter().find(|known| {
        let is_rule = known.rules.iter().any(|rule| signature.rule.starts_with(rule));
        let is_from = match (&known.from, &signature.origin) {
            (From::Switch(switch), Origin::Switch(of)) => switch == of,
            (From::Kinds(wanted), Origin::Kinds(kinds)) => {
                wanted.iter().all(|kind| kinds.contains(kind))
            }
            _ => false,
        };
        is_rule && is_from
    })
}
