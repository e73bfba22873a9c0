//! The forms of text of the language.

use crate::reference::{Bare, Kind, Text};

/// A string as the Kubernetes API takes it.
pub(super) static STRING: Text =
    Text { name: "string", about: "", pattern: "", examples: &[], bare: Bare::Nothing };

/// A Go duration.
pub(super) static DURATION: Text = Text {
    name: "duration",
    about: "A Go duration, or a time since the start of the run: numbers with the units ns, us, \
            ms, s, m, h. A number without unit is an error, but for 0.",
    pattern: r"^(0|\+?(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$",
    examples: &["90s", "1m30s", "10.5ms", "0s"],
    bare: Bare::Zero,
};

/// A duration, or one that is drawn from a range.
pub(super) static DURATION_RANGE: Text = Text {
    name: "duration range",
    about: "A duration, or a range of durations with both ends included, of which one is drawn \
            each time, by the seed: each nanosecond is equally likely.",
    pattern: r"^(0|\+?(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)(\.\.(0|\+?(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+))?$",
    examples: &["5ms", "1ms..5ms", "0s..1.5s"],
    bare: Bare::Zero,
};

/// A chance.
pub(super) static PROBABILITY: Text = Text {
    name: "probability",
    about: "A decimal from 0 to 1, with at most 18 digits behind the point.",
    pattern: r"^([0-9]+(\.[0-9]{1,18})?|\.[0-9]{1,18})$",
    examples: &["0.1", "0.25", "1"],
    bare: Bare::Anything,
};

/// `at` of a repeated step.
pub(super) static OFFSET: Text = Text {
    name: "offset",
    about: "`+5s`: so long after the step above in the list; of the first one, after the beginning \
            of the turn.",
    pattern: r"^\+(0|\+?(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$",
    examples: &["+5s", "+1m30s"],
    bare: Bare::Nothing,
};

/// `at` of a step.
pub(super) static STEP_TIME: Text = Text {
    name: "time",
    about: "A time since the start of the run, or `+5s`: so long after the step above was applied.",
    pattern: r"^\+?(0|\+?(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$",
    examples: &["10s", "1m30s", "+5s"],
    bare: Bare::Zero,
};

/// `kubernetesVersion`.
pub(super) static VERSION: Text = Text {
    name: "version",
    about: "A Kubernetes version from 1.6 to 1.36, in quotes: without them 1.30 would be the number \
            1.3.",
    pattern: r"^v?1\.([6-9]|[12][0-9]|3[0-6])(\.(0|[1-9][0-9]*))?([-+]|$)",
    examples: &["1.36", "v1.29.2", "v1.33.0-eks-1"],
    bare: Bare::Nothing,
};

/// The name of a rule of the fuzzer.
pub(super) static RULE: Text = Text {
    name: "rule",
    about: "The name of a rule by which runs are judged. `controller/…`: what holds in every run of \
            the simulated version. `docs/…`: what the documentation of Kubernetes promises. \
            `convergence`: at rest every pod is where it was promised to be. `diff/VERSION`: that \
            version does the same. `determinism`: a second run is the same.",
    pattern: r"^((controller|docs)/[-a-z]+|convergence|determinism|diff/v?1\.[0-9]+.*)$",
    examples: &["docs/shortest-wait-late", "convergence", "diff/1.32"],
    bare: Bare::Nothing,
};

/// A name that may have ranges.
pub(super) static NAMES: Text = Text {
    name: "name",
    about: "A name, which may have ranges with both ends included: `node-{0..2}`, `web-{00..15}`, \
            `rack-{a..c}`, `{db,cache}-0`. In flow style YAML wants it in quotes.",
    pattern: "^[^/ ]+$",
    examples: &["web-0", "web-{0..5}"],
    bare: Bare::Nothing,
};

/// What stands for objects: a name, a range or all.
pub(super) static TARGET: Text = Text {
    name: "target",
    about: "Which objects: a name, a name with ranges, or `\"*\"` for all. A pod is \
            `namespace/name`; a name alone is in the namespace `default`.",
    pattern: "^[^ ]+$",
    examples: &["node-0", "shop/web-{0..5}", "*"],
    bare: Bare::Nothing,
};

/// A name that stands for one object.
pub(super) static ONE_NAME: Text = Text {
    name: "one name",
    about: "The name of one object, without ranges. A pod is `namespace/name`; a name alone is in \
            the namespace `default`.",
    pattern: "^[^{*]+$",
    examples: &["node-0", "shop/web-0"],
    bare: Bare::Nothing,
};

/// One or several nodes, where no `"*"` can stand.
pub(super) static NODE_NAMES: Text = Text {
    name: "node names",
    about: "The name of a node, which may have ranges.",
    pattern: r"^[^*]+$",
    examples: &["node-0", "node-{0..2}"],
    bare: Bare::Nothing,
};

/// A label selector.
pub(super) static SELECTOR: Text = Text {
    name: "selector",
    about: "A label selector as for `kubectl -l`. It cannot be empty.",
    pattern: r"\S",
    examples: &["app=web", "app=web,tier!=db,zone in (a,b),env notin (x),a,!b"],
    bare: Bare::Anything,
};

/// A taint as kubectl writes it.
pub(super) static TAINT_TEXT: Text = Text {
    name: "taint",
    about: "A taint as kubectl writes it: `key=value:Effect` or `key:Effect`.",
    pattern: r"^[-A-Za-z0-9._/]+(=[-A-Za-z0-9._]*)?:(NoExecute|NoSchedule|PreferNoSchedule)$",
    examples: &["maintenance=now:NoExecute", "dedicated:NoSchedule"],
    bare: Bare::Nothing,
};

/// Taints to remove.
pub(super) static TAINT_TO_REMOVE: Text = Text {
    name: "taint to remove",
    about: "Taints to remove: `key` for all of this key, or `key:Effect`. No value, and no `-`.",
    pattern: r"^[-A-Za-z0-9._/]+(:(NoExecute|NoSchedule|PreferNoSchedule))?$",
    examples: &["maintenance", "maintenance:NoExecute"],
    bare: Bare::Anything,
};

/// A toleration as `kubectl describe pod` prints it.
pub(super) static TOLERATION_TEXT: Text = Text {
    name: "toleration",
    about: "A toleration as `kubectl describe pod` prints it: `key=value:Effect`, `op=Exists` and \
            `for 60s`, in this order, each of which may be absent.",
    pattern: r"^\s*([^\s=:]*(=[^\s:]*)?(:[A-Za-z]*)?\s*)?(op=[A-Za-z]+\s*)?(for\s+[-+]?[0-9]+s)?\s*$",
    examples: &[
        "maintenance=now:NoExecute for 60s",
        "maintenance:NoExecute op=Exists",
        "op=Exists",
    ],
    bare: Bare::Anything,
};

/// `timeAdded`.
pub(super) static RFC_3339: Text = Text {
    name: "RFC 3339 time",
    about: "A time as in RFC 3339.",
    pattern: r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[-+][0-9]{2}:[0-9]{2})$",
    examples: &["2026-03-01T14:02:00Z"],
    bare: Bare::Nothing,
};

/// A file of manifests.
pub(super) static FILE: Text = Text {
    name: "file",
    about: "A file, its path relative to the scenario's.",
    pattern: "",
    examples: &["cluster.yaml"],
    bare: Bare::Nothing,
};

/// A kubectl line.
pub(super) static KUBECTL_LINE: Text = Text {
    name: "kubectl line",
    about: "One kubectl command, split as a shell does, with or without `kubectl` in front: \
            `taint nodes`, `cordon`, `uncordon`, `label`, `delete pod`, `delete node`, `apply -f`.",
    pattern: r"\S",
    examples: &["taint nodes node-0 maintenance=now:NoExecute", "delete pod web-0 -n shop"],
    bare: Bare::Nothing,
};

/// A time of an expectation, or a list of them.
pub(super) const TIMES: Kind = Kind::Either(&[
    Kind::Text(&DURATION),
    Kind::List { of: &Kind::Text(&DURATION), least: 1, greatest: None },
]);

/// Objects by name: one text, or a list of them.
pub(super) const TARGETS: Kind = Kind::Either(&[
    Kind::Text(&TARGET),
    Kind::List { of: &Kind::Text(&TARGET), least: 1, greatest: None },
]);
