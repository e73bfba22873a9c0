//! Reads the recordings: the scenario of each, and what the controller did.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use crate::outcome::{Line, LineKind};

/// One recording.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The file's stem, or a number.
    pub name: String,
    /// Its idea; empty for random ones.
    pub description: String,
    /// What was run.
    pub scenario: Scenario,
    outcomes: BTreeMap<String, Vec<Vec<RecordedLine>>>,
}

/// What was run.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Scenario {
    /// Nodes at the start.
    pub nodes: Vec<Node>,
    /// Pods at the start.
    pub pods: Vec<Pod>,
    /// Operations in the order of their times.
    pub events: Vec<Event>,
    /// Calls that fail.
    pub faults: Vec<Fault>,
    /// The end.
    pub until_ms: u64,
    /// Between a pod's deletion and its end.
    pub grace_ms: Option<u64>,
    /// Between the store's change and a DELETE's reply.
    pub delete_reply_ms: Option<u64>,
    /// Operations of one millisecond are applied before anything is delivered.
    #[serde(default)]
    pub burst: bool,
    /// Between operations of one millisecond.
    pub gap_us: Option<u64>,
}

/// A node. Taints are core/v1, passed on as they are.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// `spec.taints`.
    pub taints: Value,
}

/// A pod. Tolerations are core/v1, passed on as they are.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Pod {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// Empty for an unscheduled one.
    pub node_name: String,
    /// `spec.tolerations`.
    pub tolerations: Value,
}

/// An operation of the scenario.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Event {
    /// When.
    pub at_ms: u64,
    /// What.
    pub op: String,
    /// On which node, or (for a pod) the node it gets.
    pub node: Option<String>,
    /// On which pod, `namespace/name`.
    pub pod: Option<String>,
    /// The whole new list.
    pub taints: Option<Value>,
    /// The whole new list.
    pub tolerations: Option<Value>,
}

/// Calls that fail.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Fault {
    /// `get`, `patch` or `delete`.
    pub verb: String,
    /// `namespace/name`.
    pub pod: String,
    /// How many.
    pub fail_first: u64,
    /// Absent: `internal`.
    pub error: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct RecordedLine {
    // Older generations run some work a nanosecond late, hence the fraction.
    t_ms: f64,
    kind: String,
    pod: String,
    detail: String,
    uid: Option<String>,
}

impl Case {
    /// The recorded outcomes of a generation.
    pub fn outcomes(&self, generation: &str) -> Vec<Vec<Line>> {
        let lists = self.outcomes.get(generation).map(Vec::as_slice).unwrap_or_default();
        lists.iter().map(|list| list.iter().map(RecordedLine::line).collect()).collect()
    }
}

impl Scenario {
    /// When the controller is restarted.
    pub fn restarts_ms(&self) -> Vec<u64> {
        let restarts = self.events.iter().filter(|event| event.op == "restartController");
        restarts.map(|event| event.at_ms).collect()
    }
}

impl RecordedLine {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "milliseconds of an hour; rounding down is the rule"
    )]
    fn line(&self) -> Line {
        Line {
            ms: self.t_ms as u64,
            kind: match self.kind.as_str() {
                "event" => LineKind::Event,
                "getPod" => LineKind::GetPod,
                "patchStatus" => LineKind::PatchStatus,
                "deletePod" => LineKind::DeletePod,
                "stepRejected" => LineKind::StepRejected,
                other => panic!("recordings have no kind {other}"),
            },
            object: self.pod.clone(),
            detail: self.detail.clone(),
            uid: self.uid.as_ref().map(|uid| {
                uid.strip_prefix('u').and_then(|n| n.parse().ok()).expect("a uid is u and a number")
            }),
        }
    }
}

/// The hand-made cases, in the order of their file names.
pub fn hand_made() -> Vec<Case> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(data().join("cases"))
        .expect("data/cases is part of the repository")
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    files.sort();
    files.iter().map(|file| parse(&read(file), file)).collect()
}

/// The random cases.
pub fn random() -> Vec<Case> {
    let file = data().join("random.jsonl");
    read(&file).lines().map(|line| parse(line, &file)).collect()
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance/data")
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn parse(text: &str, file: &Path) -> Case {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}
