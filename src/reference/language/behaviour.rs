//! `spec.featureGates` and `spec.switches`: how the taint manager of the version behaves.

use crate::reference::{Field, Kind, Mapping, field};

/// The keys of `spec`.
pub(super) const KEYS: &[Field] = &[
    field(
        "featureGates",
        Kind::Mapping(&FEATURE_GATES),
        "Kubernetes' feature gates, as in `--feature-gates`. A gate that the version does not have, \
         or has locked, is refused.",
        "featureGates: {TaintTolerationComparisonOperators: true}",
    ),
    field(
        "switches",
        Kind::Mapping(&SWITCHES),
        "The differences between versions one by one, against the version: what if this one fix \
         were not there? `taintsim replay` and `test` do as they say; no Kubernetes does.",
        "switches: {markerAfterSuccess: true}",
    ),
];

static FEATURE_GATES: Mapping = Mapping {
    name: "FeatureGates",
    about: "Kubernetes' feature gates that touch the taint manager. An alpha gate is off by \
            default, a beta one on; one that is generally available is locked to true.",
    groups: &[&[
        switch(
            "TaintBasedEvictions",
            "Whether node lifecycle taints dead nodes with NoExecute: 1.6 to 1.19, locked in 1.18. \
             The taint manager does not look at it, so it changes nothing here.",
            "TaintBasedEvictions: true",
        ),
        switch(
            "PodDisruptionConditions",
            "Whether a pod gets the condition DisruptionTarget before it is deleted: since 1.25 \
             (alpha), 1.26 (beta), locked in 1.31.",
            "PodDisruptionConditions: true",
        ),
        switch(
            "SeparateTaintEvictionController",
            "Whether the taint manager is a controller of its own, which `taintManager.enabled` \
             can leave out: since 1.29 (beta), locked in 1.34.",
            "SeparateTaintEvictionController: true",
        ),
        switch(
            "TaintTolerationComparisonOperators",
            "Whether tolerations may have the operators Gt and Lt: since 1.35 (alpha).",
            "TaintTolerationComparisonOperators: true",
        ),
    ]],
    rules: &[],
};

static SWITCHES: Mapping = Mapping {
    name: "Switches",
    about: "How the taint manager behaves. The version and the gates set them all; a key here sets \
            one against them.",
    groups: &[
        &[
            switch(
                "shardedWorkers",
                "Whether there are eight workers, each with its channels, by the hash of the \
                 node's name; else there is one. From 1.11 on.",
                "shardedWorkers: false",
            ),
            switch(
                "deduplicatedItems",
                "Whether the work queues hold names, each once; else every event is an item of its \
                 own. From 1.13 on.",
                "deduplicatedItems: false",
            ),
            switch(
                "currentObjects",
                "Whether handlers read the objects as they are now; else those that the event \
                 carried. From 1.13 on.",
                "currentObjects: false",
            ),
            switch(
                "nodeNameCheck",
                "Whether a pod item is dropped whose node is not the pod's node any more. From \
                 1.13 on.",
                "nodeNameCheck: false",
            ),
            switch(
                "podsFromIndex",
                "Whether a node's pods come from the informer's index; else from a LIST of the \
                 API, with retries. From 1.16 on.",
                "podsFromIndex: false",
            ),
        ],
        &[
            switch(
                "unsetFirstIsForever",
                "Whether a matched toleration without seconds in the first place makes the whole \
                 minimum \"for ever\". 1.6 only.",
                "unsetFirstIsForever: true",
            ),
            switch(
                "infiniteTolerationCancels",
                "Whether tolerating everything for ever cancels an armed timer. From 1.19 on.",
                "infiniteTolerationCancels: false",
            ),
            switch(
                "comparisonOperators",
                "Whether the operators Gt and Lt of tolerations match, and the API server lets \
                 them in. The gate TaintTolerationComparisonOperators sets it.",
                "comparisonOperators: true",
            ),
        ],
        &[
            switch(
                "immediateOnTimer",
                "Whether a pod that does not tolerate a taint is deleted by a timer of a \
                 nanosecond. Up to 1.29.",
                "immediateOnTimer: true",
            ),
            switch(
                "markerAfterSuccess",
                "Whether a deletion that succeeded leaves a marker under the pod's name. Up to \
                 1.32.",
                "markerAfterSuccess: true",
            ),
            switch(
                "cancelledFiredTimerRuns",
                "Whether a timer deletes that fired, but was cancelled before its function began. \
                 Up to 1.35.",
                "cancelledFiredTimerRuns: true",
            ),
            switch(
                "finishRemovesReplacement",
                "Whether a deletion that ends removes whatever stands under the pod's name by \
                 then. Up to 1.35.",
                "finishRemovesReplacement: true",
            ),
            of_version(
                "disruptionCondition",
                Kind::Word(&["None", "Patch", "Apply"]),
                "The condition DisruptionTarget, and how it is written: not at all, by a PATCH \
                 with the uid that the GET found, or by a forced apply for whatever pod has the \
                 name by then. `Apply` in 1.26 to 1.28, `Patch` from 1.29 on.",
                "disruptionCondition: Apply",
            ),
            switch(
                "gracefulStop",
                "Whether a process that is told to stop waits for its running deletions. From 1.35 \
                 on.",
                "gracefulStop: false",
            ),
        ],
        &[
            of_version(
                "eventComponent",
                Kind::Word(&["controllermanager", "taint-controller", "taint-eviction-controller"]),
                "`source.component` of Events. The second from 1.11, the third from 1.29 on.",
                "eventComponent: taint-controller",
            ),
            switch(
                "eventApiVersion",
                "Whether the object that an Event is about is named with its apiVersion. From 1.27 \
                 on.",
                "eventApiVersion: false",
            ),
        ],
    ],
    rules: &[],
};

const fn switch(key: &'static str, about: &'static str, example: &'static str) -> Field {
    of_version(key, Kind::Boolean, about, example)
}

const fn of_version(
    key: &'static str,
    kind: Kind,
    about: &'static str,
    example: &'static str,
) -> Field {
    field(key, kind, about, example).absent("that of the version")
}
