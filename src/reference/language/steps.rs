//! `spec.steps`: when something happens, and `burst`.

use super::actions::ACTIONS;
use super::text::{DURATION, OFFSET, ONE_NAME, STEP_TIME, STRING};
use crate::reference::{Field, Kind, Mapping, Rule, field};

/// An entry of `steps`.
pub(super) static STEP: Mapping = Mapping {
    name: "Step",
    about: "A time and an action. A step comes after everything that was due at its time, and the \
            next one only when nothing is left to do at that time. It acts on the API server's \
            store directly, without latency, and with the faults of `caller: Any` only. What is refused because of the state (not \
            found, exists already) is a `StepRejected` on the timeline.",
    groups: &[
        &[
            field(
                "at",
                Kind::Text(&STEP_TIME),
                "When the step is applied: a time since the start of the run, or `+5s`, so long \
                 after the step above was applied. Steps stand in the order of their times.",
                "at: 10s\nkubectl: taint nodes node-0 maintenance=now:NoExecute",
            ),
            field(
                "after",
                Kind::Mapping(&AFTER),
                "Applies the step when something has happened, in the place of `at`. If that never \
                 comes, the table says so at its end, and `taintsim test` fails.",
                "after: {evicted: shop/web-0, plus: 30s}\nnote: web-0 is gone for half a minute",
            ),
        ],
        ACTIONS,
        &[
            BURST,
            field(
                "repeat",
                Kind::Mapping(&REPEAT),
                "Steps that come again and again, in the place of an action. All of them have the \
                 number of this step.",
                "at: 10s\nrepeat:\n  every: 1m\n  times: 5\n  steps:\n    \
                 - kubectl: taint nodes node-0 flap:NoExecute\n    \
                 - {at: +30s, kubectl: taint nodes node-0 flap-}",
            ),
            MAY_BE_REJECTED,
            BECAUSE,
        ],
    ],
    rules: &[Rule::ExactlyOne(&["at", "after"]), Rule::ExactlyOne(WHAT_A_STEP_DOES)],
};

const BURST_LIST: Kind = Kind::List { of: &Kind::Mapping(&BURST_ENTRY), least: 1, greatest: None };

const BURST: Field = field(
    "burst",
    BURST_LIST,
    "Several actions, in the place of the one: they are applied back to back, before the controller \
     sees any of them.",
    "at: 10s\nburst:\n  - {deletePod: {pod: db-0, gracePeriodSeconds: 0}}\n  \
     - {createPod: {name: db-0, nodeName: node-1}}",
);

const MAY_BE_REJECTED: Field = field(
    "mayBeRejected",
    Kind::Boolean,
    "Whether a rejection of the step is no failure for `taintsim test`.",
    "at: 10s\nmayBeRejected: true\nkubectl: delete pod db-0",
)
.default("false");

const BECAUSE: Field = field(
    "because",
    Kind::Text(&STRING),
    "Why the step is there. Printed when the step makes a test fail.",
    "at: 10s\nkubectl: cordon node-0\nbecause: nothing new is to come to this node",
);

/// The actions first, then what stands in their place.
const WHAT_A_STEP_DOES: &[&str] = &[
    "kubectl",
    "taint",
    "createPod",
    "createNode",
    "deletePod",
    "deleteNode",
    "bindPod",
    "setTolerations",
    "touchPod",
    "apply",
    "restartController",
    "breakWatch",
    "note",
    "burst",
    "repeat",
];

static REPEAT: Mapping = Mapping {
    name: "Repeat",
    about: "Steps that come again and again. Where a step below follows by a span (`at: +5s`), or \
            this one follows another or has `after`, the turns are a chain that other steps do not \
            come between; else every turn has its time, and other steps take their place among \
            them.",
    groups: &[&[
        field(
            "every",
            Kind::Text(&DURATION),
            "From the beginning of one turn to that of the next.",
            "every: 1m\ntimes: 3\nsteps: [{note: again}]",
        )
        .required(),
        field(
            "times",
            Kind::Integer { least: Some(1), greatest: Some(10_000), unit: None },
            "How many turns there are. All of their steps together are 10000 at most.",
            "every: 1m\ntimes: 3\nsteps: [{note: again}]",
        )
        .required(),
        field(
            "steps",
            Kind::List { of: &Kind::Mapping(&REPEATED_STEP), least: 1, greatest: None },
            "The steps of a turn, in the order of time. The last one comes before the next turn \
             begins.",
            "every: 1m\ntimes: 3\nsteps:\n  - kubectl: taint nodes node-0 flap:NoExecute\n  \
             - {at: +30s, kubectl: taint nodes node-0 flap-}",
        )
        .required(),
    ]],
    rules: &[],
};

static REPEATED_STEP: Mapping = Mapping {
    name: "RepeatedStep",
    about: "A step of a turn: an action, as in a step.",
    groups: &[
        &[field(
            "at",
            Kind::Text(&OFFSET),
            "How long after the step above in this list; of the first one, after the beginning of \
             the turn.",
            "at: +30s\nkubectl: taint nodes node-0 flap-",
        )
        .absent("+0s")],
        ACTIONS,
        &[BURST, MAY_BE_REJECTED, BECAUSE],
    ],
    rules: &[Rule::ExactlyOne(WHAT_A_STEP_DOES.split_at(ACTIONS.len() + 1).0)],
};

static BURST_ENTRY: Mapping = Mapping {
    name: "Action",
    about: "An action of a burst: exactly one key, as in a step.",
    groups: &[ACTIONS],
    rules: &[Rule::ExactlyOne(WHAT_A_STEP_DOES.split_at(ACTIONS.len()).0)],
};

static AFTER: Mapping = Mapping {
    name: "After",
    about: "What a step waits for. Each of these names exactly one pod or node.",
    groups: &[
        &[
            happens(
                "armed",
                "The eviction of this pod is scheduled, with a timer or to start at once.",
                "armed: shop/web-0",
            ),
            happens("cancelled", "A timer of this pod is cancelled.", "cancelled: shop/web-0"),
            happens(
                "evicted",
                "The API server accepts a DELETE of the taint manager for this pod.",
                "evicted: shop/web-0\nplus: 30s",
            ),
            happens(
                "removed",
                "The object of this pod is gone, whoever deleted it.",
                "removed: shop/web-0",
            ),
            happens(
                "bound",
                "This pod gets a node; a creation with a node counts.",
                "bound: shop/web-0",
            ),
            happens(
                "tainted",
                "This node gets a NoExecute taint whose key and effect it did not have; a creation with one counts. Other effects do not.",
                "tainted: node-0",
            ),
            happens(
                "untainted",
                "This node's last NoExecute taint goes. Other effects do not count.",
                "untainted: node-0",
            ),
        ],
        &[
            field(
                "occurrence",
                Kind::Integer { least: Some(1), greatest: Some(u32::MAX), unit: None },
                "Which time it happens.",
                "tainted: node-0\noccurrence: 2",
            )
            .default("1"),
            field(
                "plus",
                Kind::Text(&DURATION),
                "How long after it the step is applied.",
                "evicted: shop/web-0\nplus: 30s",
            )
            .default("0s"),
        ],
    ],
    rules: &[Rule::ExactlyOne(&[
        "armed",
        "cancelled",
        "evicted",
        "removed",
        "bound",
        "tainted",
        "untainted",
    ])],
};

const fn happens(key: &'static str, about: &'static str, example: &'static str) -> Field {
    field(key, Kind::Text(&ONE_NAME), about, example)
}
