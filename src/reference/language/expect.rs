//! `spec.expect`.

use super::objects::{namespace, pod, pod_selector};
use super::text::{DURATION, RULE, STRING, TIMES, VERSION};
use crate::reference::{Field, Kind, Mapping, Rule, field};

/// An entry of `expect`, and of `anyOf`.
pub(super) static EXPECTATION: Mapping = Mapping {
    name: "Expectation",
    about: "Something that is to hold, judged by `taintsim test`. An entry has exactly one check, \
            and beside it the pods that the check is about. Times compare in whole milliseconds, \
            rounded down.",
    groups: &[&CHECKS, BESIDE],
    rules: &[
        Rule::ExactlyOne(&[
            "evictedAt",
            "evictedBetween",
            "armedAt",
            "cancelledAt",
            "removedAt",
            "is",
            "survives",
            "deleteAttempts",
            "event",
            "evictions",
            "stepRejected",
            "rule",
            "anyOf",
        ]),
        Rule::Needs(ABOUT_PODS, &["pod", "selector"]),
        Rule::AtMostOne(&["pod", "selector"]),
        Rule::Needs(&["namespace"], &["selector"]),
        Rule::Needs(&["pod", "selector"], MAY_NAME_PODS),
        Rule::Needs(&["is"], &["at"]),
        Rule::Needs(&["at"], &["is"]),
        Rule::Needs(&["event"], &["count"]),
        Rule::Needs(&["count"], &["event"]),
        Rule::Needs(&["rule"], &["breached"]),
        Rule::Needs(&["breached"], &["rule"]),
        Rule::Needs(&["instance"], ABOUT_PODS),
        Rule::Needs(&["by"], MOMENTS),
    ],
};

/// The checks that `by` goes with.
const MOMENTS: &[&str] = &["evictedAt", "evictedBetween", "armedAt", "cancelledAt", "removedAt"];

/// The checks that need pods.
const ABOUT_PODS: &[&str] = &[
    "evictedAt",
    "evictedBetween",
    "armedAt",
    "cancelledAt",
    "removedAt",
    "is",
    "survives",
    "deleteAttempts",
];

/// The checks that may name pods.
const MAY_NAME_PODS: &[&str] = &[
    "evictedAt",
    "evictedBetween",
    "armedAt",
    "cancelledAt",
    "removedAt",
    "is",
    "survives",
    "deleteAttempts",
    "evictions",
    "rule",
];

/// What is to hold.
static CHECKS: [Field; 13] = [
    field(
        "evictedAt",
        TIMES,
        "When the API server accepted the taint manager's DELETE. A list of times is one for each \
         pod of the name to which it happened, in order: a re-created pod is another one.",
        "{pod: shop/web-0, evictedAt: 5m10s, by: maintenance}",
    ),
    field(
        "evictedBetween",
        FROM_TO,
        "From when to when the pod was evicted, both included.",
        "{pod: shop/web-0, evictedBetween: [5m, 5m20s]}",
    ),
    field(
        "armedAt",
        TIMES,
        "When the taint manager scheduled the eviction (`EvictionScheduled`). It does so also for \
         an eviction that starts at once. A list as for `evictedAt`; where it happened several \
         times to one pod, one of these is to be this time.",
        "{pod: shop/web-0, armedAt: 10s}",
    ),
    field(
        "cancelledAt",
        TIMES,
        "When a timer of the pod was cancelled (`EvictionCancelled`). A list as for `evictedAt`.",
        "{pod: shop/web-0, cancelledAt: 2m}",
    ),
    field(
        "removedAt",
        TIMES,
        "When the pod's object was gone, whoever deleted it. A list as for `evictedAt`.",
        "{pod: shop/web-0, removedAt: 5m12s}",
    ),
    field(
        "is",
        Kind::Word(&["Running", "Armed", "Terminating", "Absent"]),
        "The state of the pod at the time `at`, after all that was due then. `Armed`: a timer is \
         pending.",
        "{pod: shop/web-0, at: 2m, is: Armed}",
    ),
    field(
        "survives",
        Kind::Boolean,
        "Whether the pod exists at the end, is not terminating, and has no timer armed. Of several \
         pods of the name, the last one counts.",
        "{pod: shop/web-0, survives: true}",
    ),
    field(
        "deleteAttempts",
        COUNT,
        "How many DELETEs the taint manager sent for the pod, whatever became of them. Without \
         `instance` those of all pods of the name.",
        "{pod: shop/web-0, deleteAttempts: 2}",
    ),
    field(
        "event",
        Kind::Mapping(&EVENT),
        "Events of the taint manager, whose number is `count`.",
        "{event: {reason: TaintManagerEviction, pod: shop/web-0}, count: 1}",
    ),
    field(
        "evictions",
        COUNT,
        "How many evictions there are, of all pods, or of `pod` or `selector`.",
        "{evictions: 5, selector: app=web}",
    ),
    field(
        "stepRejected",
        Kind::Integer { least: Some(1), greatest: Some(u32::MAX), unit: None },
        "The number of a step, counted from 1, that was rejected for one object at least.",
        "{stepRejected: 1}",
    ),
    field(
        "rule",
        Kind::Text(&RULE),
        "A rule that the run breaks, or keeps: `breached` says which. A scenario so pins what its \
         version does against a promise. With `pod` or `selector` it is broken for each of these \
         pods, or for none of them; without them for some pod, or for none.",
        "{rule: docs/shortest-wait-late, breached: true, pod: shop/web-0}",
    ),
    field(
        "anyOf",
        Kind::List { of: &ENTRY, least: 1, greatest: None },
        "Entries of which one holds.",
        "anyOf:\n  - {pod: shop/web-0, survives: true}\n  - {pod: shop/web-1, survives: true}",
    ),
];

const COUNT: Kind = Kind::Integer { least: Some(0), greatest: None, unit: None };

/// What stands beside a check.
const BESIDE: &[Field] = &[
    pod("{pod: \"shop/web-{0..2}\", survives: true}"),
    pod_selector("{selector: app=web, survives: true}"),
    namespace("{selector: app=web, namespace: shop, survives: true}"),
    field(
        "instance",
        Kind::Integer { least: Some(1), greatest: Some(u32::MAX), unit: None },
        "Which of the pods of that name, counted by creation. 2: the second one.",
        "{pod: shop/web-0, instance: 2, survives: true}",
    )
    .absent("all pods of that name"),
    field(
        "by",
        Kind::Text(&STRING),
        "The key of the taint that did it. For `cancelledAt` it is the taint that the timer was \
         armed for, for `removedAt` the one whose eviction removed the pod.",
        "{pod: shop/web-0, evictedAt: 5m10s, by: maintenance}",
    )
    .absent("any taint"),
    field(
        "at",
        Kind::Text(&DURATION),
        "The time at which `is` is asked.",
        "{pod: shop/web-0, at: 2m, is: Running}",
    ),
    field(
        "count",
        COUNT,
        "How many Events there are that `event` describes.",
        "{event: {reason: TaintManagerEviction}, count: 3}",
    ),
    field(
        "breached",
        Kind::Boolean,
        "Whether `rule` is broken: true, or kept: false.",
        "{rule: docs/untolerated-goes, breached: false}",
    ),
    field(
        "kubernetesVersion",
        Kind::Text(&VERSION),
        "Judges the entry in a run of this version.",
        "{pod: shop/web-0, survives: true, kubernetesVersion: \"1.36\"}",
    )
    .absent("the scenario's"),
    field(
        "because",
        Kind::Text(&STRING),
        "Why it is to hold. Printed when the entry fails.",
        "{pod: shop/web-0, survives: true, because: it tolerates the taint without limit}",
    ),
];

static EVENT: Mapping = Mapping {
    name: "EventSelection",
    about: "Which Events count. Without a key: all of them.",
    groups: &[&[
        field(
            "reason",
            Kind::Text(&STRING),
            "The reason of the Events. The taint manager has `TaintManagerEviction` only.",
            "{reason: TaintManagerEviction}",
        ),
        field(
            "message",
            Kind::Text(&STRING),
            "A part of the message of the Events.",
            "{message: Cancelling}",
        ),
        field(
            "component",
            Kind::Word(&["controllermanager", "taint-controller", "taint-eviction-controller"]),
            "`source.component` of the Events. It depends on the version.",
            "{component: taint-eviction-controller}",
        ),
        field(
            "apiVersion",
            Kind::Word(&["v1"]),
            "The `apiVersion` of the object that the Events are about. Since 1.27 they have one.",
            "{apiVersion: v1}",
        ),
        pod("{reason: TaintManagerEviction, pod: shop/web-0}").absent("all pods"),
        pod_selector("{selector: app=web}").absent("all pods"),
        namespace("{selector: app=web, namespace: shop}"),
    ]],
    rules: &[Rule::AtMostOne(&["pod", "selector"]), Rule::Needs(&["namespace"], &["selector"])],
};

/// A static, and not a part of the list's type: an entry may hold entries.
static ENTRY: Kind = Kind::Mapping(&EXPECTATION);

const FROM_TO: Kind = Kind::List { of: &Kind::Text(&DURATION), least: 2, greatest: Some(2) };
