//! The mappings of the language: the document and `spec`. One file for each part of `spec`, as in
//! the loader.

mod actions;
mod behaviour;
mod control_plane;
mod expect;
mod faults;
mod objects;
mod steps;
mod text;
mod topics;

pub(super) use topics::TOPICS;

use self::control_plane::TERMINATIONS;
use self::expect::EXPECTATION;
use self::faults::FAULT;
use self::objects::{NODE, POD};
use self::steps::STEP;
use self::text::{DURATION, FILE, STRING, VERSION};
use super::{API_VERSION, Field, Kind, Mapping, field};

/// The whole document.
pub static SCENARIO: Mapping = Mapping {
    name: "Scenario",
    about: "What a cluster has, what happens to it, and what is to hold in the end. A file has one \
            Scenario; every other document in it is a Kubernetes manifest, as if it were named \
            under `spec.manifests`.",
    groups: &[&[
        field(
            "apiVersion",
            Kind::Word(&[API_VERSION]),
            "The version of the scenario language.",
            "{apiVersion: taintsim.dev/v1alpha1, kind: Scenario, spec: {}}",
        )
        .required(),
        field(
            "kind",
            Kind::Word(&["Scenario"]),
            "What tells a Scenario from the Kubernetes manifests in the same file.",
            "{apiVersion: taintsim.dev/v1alpha1, kind: Scenario, spec: {}}",
        )
        .required(),
        field(
            "metadata",
            Kind::Mapping(&METADATA),
            "The name and the description of the scenario.",
            "apiVersion: taintsim.dev/v1alpha1\nkind: Scenario\nmetadata:\n  name: maintenance\n\
             spec: {}",
        ),
        field(
            "spec",
            Kind::Mapping(&SPEC),
            "What the cluster has at the start, what happens to it, and what is to hold.",
            "apiVersion: taintsim.dev/v1alpha1\nkind: Scenario\nspec:\n  \
             nodes: [{name: node-0}]\n  pods: [{name: web-0, nodeName: node-0}]\n  steps:\n    \
             - at: 10s\n      kubectl: taint nodes node-0 maintenance=now:NoExecute",
        )
        .required(),
    ]],
    rules: &[],
};

static METADATA: Mapping = Mapping {
    name: "Metadata",
    about: "The name and the description of the scenario.",
    groups: &[&[
        field(
            "name",
            Kind::Text(&STRING),
            "The name of the scenario, as outputs show it.",
            "name: maintenance",
        )
        .absent("the file's name without its ending"),
        field(
            "description",
            Kind::Text(&STRING),
            "What a reader should know about the scenario. Nothing reads it.",
            "description: What a restart does to armed evictions.",
        ),
    ]],
    rules: &[],
};

static SPEC: Mapping = Mapping {
    name: "Spec",
    about: "What the cluster has at the start, what happens to it, and what is to hold. All of it \
            may be left out.",
    groups: &[RUN, WHAT, behaviour::KEYS, control_plane::KEYS],
    rules: &[],
};

/// How the run goes.
const RUN: &[Field] = &[
    field(
        "kubernetesVersion",
        Kind::Text(&VERSION),
        "The Kubernetes version whose behaviour is simulated, from 1.6 to 1.36. A patch level and a \
         vendor's suffix change nothing. What differs are the keys of `switches`.",
        "kubernetesVersion: \"1.36\"",
    )
    .default("\"1.36\""),
    field(
        "seed",
        Kind::Integer { least: Some(0), greatest: None, unit: None },
        "The seed of every random choice: ranges of durations, the `probability` of faults, and \
         `interleaving: Random`. Where a scenario has none of these it changes nothing but the \
         header.",
        "seed: 7",
    )
    .default("0"),
    field(
        "until",
        Kind::Text(&DURATION),
        "When the run ends: all that is due at or before this time runs. Without it a run goes on \
         until nothing is pending, 24h at most, with a notice.",
        "until: 15m",
    )
    .absent("when nothing is pending, 24h at most"),
];

/// What there is and what happens.
const WHAT: &[Field] = &[
    field(
        "nodes",
        NODES,
        "The nodes that the cluster has at the start. An entry whose name has a range makes \
         several.",
        "nodes:\n  - name: node-{0..2}\n    labels: {pool: general}",
    ),
    field(
        "pods",
        PODS,
        "The pods that the cluster has at the start. An entry whose name has a range makes \
         several. They go through admission, unlike those of manifests.",
        "pods:\n  - name: web-{0..5}\n    namespace: shop\n    nodeName: node-{0..2}\n    \
         tolerations: [\"maintenance:NoExecute op=Exists for 300s\"]",
    ),
    field(
        "manifests",
        FILES,
        "Files with Nodes and Pods as `kubectl get nodes,pods -A -o yaml` (or json) prints them. \
         Paths are relative to the scenario's file. The objects are stored as they are, without \
         admission and validation.",
        "manifests: [cluster.yaml]",
    ),
    field(
        "steps",
        STEPS,
        "What happens, in the order of time.",
        "steps:\n  - at: 10s\n    kubectl: taint nodes node-0 maintenance=now:NoExecute\n  \
         - at: 2m\n    kubectl: taint nodes node-0 maintenance-",
    ),
    field(
        "faults",
        FAULTS,
        "Calls to the API server that fail. Of several entries that apply to a call, the first \
         in the list decides.",
        "faults:\n  - {verb: delete, resource: pods, error: InternalError, first: 2}",
    ),
    field(
        "expect",
        EXPECTATIONS,
        "What is to hold, judged by `taintsim test`. `taintsim replay -o expect` writes entries \
         that hold for a run.",
        "expect:\n  - {pod: shop/web-0, evictedAt: 5m10s}\n  - {pod: shop/web-1, survives: true}",
    ),
];

/// The words of `podTermination`, of `spec` and of a node.
const TERMINATION: Kind = Kind::Word(TERMINATIONS);

const NODES: Kind = Kind::List { of: &Kind::Mapping(&NODE), least: 0, greatest: None };
const PODS: Kind = Kind::List { of: &Kind::Mapping(&POD), least: 0, greatest: None };
const STEPS: Kind = Kind::List { of: &Kind::Mapping(&STEP), least: 0, greatest: None };
const FAULTS: Kind = Kind::List { of: &Kind::Mapping(&FAULT), least: 0, greatest: None };
const EXPECTATIONS: Kind =
    Kind::List { of: &Kind::Mapping(&EXPECTATION), least: 0, greatest: None };

const FILES: Kind = Kind::List { of: &Kind::Text(&FILE), least: 0, greatest: None };
