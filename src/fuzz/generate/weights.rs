//! What can be in play, how often, and with which weight: the tables of the generator.
//!
//! Each run first draws its rows from these tables, most of them off, so that two rare things meet
//! far more often than if each step drew from all.

use super::dice::Row;
use crate::plan::{ApiError, Verb};

/// A kind of step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepKind {
    Taint,
    Untaint,
    SwapTaint,
    ReplaceTaints,
    RefreshTaint,
    CreatePod,
    DeletePod,
    RecreatePod,
    BindPod,
    SetTolerations,
    ForceTolerations,
    TouchPod,
    ApplyPod,
    CreateNode,
    DeleteNode,
    RecreateNode,
    Cordon,
    LabelNode,
    ApplyNode,
    Restart,
    BreakWatch,
    Note,
}

/// The kinds of single steps.
pub(super) static STEPS: [Row<StepKind>; 22] = [
    // A node gets a taint: without one nothing ever happens.
    (StepKind::Taint, 950, 8),
    // A taint goes, mostly one that is there: the race with the deadline.
    (StepKind::Untaint, 600, 6),
    // One taint goes and another comes, in one update: the pod is never without one.
    (StepKind::SwapTaint, 300, 4),
    // The whole list is written anew: emptied, reordered, or other taints.
    (StepKind::ReplaceTaints, 200, 3),
    // A taint that is there gets another value or `timeAdded`.
    (StepKind::RefreshTaint, 150, 3),
    // A pod comes: late, on a node that has taints already, or unscheduled.
    (StepKind::CreatePod, 350, 4),
    // A user deletes a pod, also one whose timer is armed or whose deletion runs.
    (StepKind::DeletePod, 300, 3),
    // A pod goes and one of its name comes: at once, or moments later, here or elsewhere.
    (StepKind::RecreatePod, 350, 5),
    // The scheduler gives a pod its node.
    (StepKind::BindPod, 250, 4),
    // Tolerations change as the API lets them: other seconds, more tolerations.
    (StepKind::SetTolerations, 350, 5),
    // Tolerations change past the API: dropped, reordered, replaced.
    (StepKind::ForceTolerations, 150, 3),
    // An update of a pod that the taint manager has to drop.
    (StepKind::TouchPod, 100, 2),
    // `kubectl apply` of a pod.
    (StepKind::ApplyPod, 80, 2),
    // A node comes, also one that was there before.
    (StepKind::CreateNode, 120, 2),
    // A node goes, with its pods left behind.
    (StepKind::DeleteNode, 180, 3),
    // A node goes and comes back under its name, with or without its taints.
    (StepKind::RecreateNode, 180, 3),
    // An update of a node that the taint manager has to drop.
    (StepKind::Cordon, 80, 2),
    // Another one; a selector may look at the label.
    (StepKind::LabelNode, 80, 2),
    // `kubectl apply` of a node.
    (StepKind::ApplyNode, 80, 2),
    // The controller's process ends, and another one starts.
    (StepKind::Restart, 200, 3),
    // A watch breaks; the informer lists again.
    (StepKind::BreakWatch, 150, 3),
    // A text: the steps around it are two instants apart, or none.
    (StepKind::Note, 30, 1),
];

/// A pattern of several steps that people meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Block {
    Nothing,
    Flapping,
    ZoneOutage,
    NotReadyUnreachable,
    Successor,
    Webhook,
    Upgrade,
    LateBinding,
    EditedWait,
    LastMoment,
}

/// The patterns. A run without any in play has single steps only.
pub(super) static BLOCKS: [Row<Block>; 10] = [
    // Single steps only.
    (Block::Nothing, 0, 1),
    // A taint comes and goes several times, at a pace near the pod's seconds.
    (Block::Flapping, 130, 2),
    // All nodes get a taint, moments apart, and lose it.
    (Block::ZoneOutage, 130, 2),
    // Node lifecycle's swap: the new taint first, then the old one goes, and back.
    (Block::NotReadyUnreachable, 130, 2),
    // A StatefulSet's pod: its successor of the same name comes when it has gone.
    (Block::Successor, 180, 3),
    // A webhook denies deletions for a while, just when some are due.
    (Block::Webhook, 130, 2),
    // The controller is down while something changes.
    (Block::Upgrade, 110, 2),
    // A start-up taint goes, and moments later a pod is bound to the node.
    (Block::LateBinding, 110, 2),
    // A pod's seconds change while its timer is armed.
    (Block::EditedWait, 130, 2),
    // Something would save a pod, at the very instant of its deadline.
    (Block::LastMoment, 130, 2),
];

/// How the time of a step comes from what is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TimeKind {
    Round,
    Same,
    Tick,
    Deadline,
    Retry,
    Lag,
    Fraction,
}

/// The ways to a step's time.
pub(super) static TIMES: [Row<TimeKind>; 7] = [
    // Whole seconds after the step before.
    (TimeKind::Round, 800, 4),
    // The instant of the step before.
    (TimeKind::Same, 350, 3),
    // A nanosecond, a microsecond, a millisecond after it.
    (TimeKind::Tick, 300, 3),
    // At, just before or just after an instant that the plan implies: a deadline, a start.
    (TimeKind::Deadline, 600, 7),
    // Inside a deletion's tries, 10 ms apart.
    (TimeKind::Retry, 300, 3),
    // After the plan's own latencies.
    (TimeKind::Lag, 250, 3),
    // Any number of milliseconds, up to two seconds.
    (TimeKind::Fraction, 150, 2),
];

/// Kinds of `tolerationSeconds`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seconds {
    Some,
    Forever,
    Zero,
    Negative,
    Huge,
}

/// The kinds of seconds.
pub(super) static SECONDS: [Row<Seconds>; 5] = [
    // One of few numbers, so that two pods or two taints share a deadline.
    (Seconds::Some, 950, 6),
    // Unset.
    (Seconds::Forever, 600, 3),
    // At once.
    (Seconds::Zero, 120, 2),
    // At once, too.
    (Seconds::Negative, 80, 1),
    // At and beyond the end of 64 bits of nanoseconds.
    (Seconds::Huge, 100, 2),
];

/// The numbers of [`Seconds::Some`].
pub(super) const FEW_SECONDS: [i64; 7] = [10, 1, 2, 5, 30, 60, 300];
/// Those of [`Seconds::Negative`].
pub(super) const NEGATIVE_SECONDS: [i64; 3] = [-1, -300, i64::MIN];
/// Those of [`Seconds::Huge`]: the last sane one, the first negative one, the first that wraps
/// around to a small number, and ones that stand for "for ever".
pub(super) const HUGE_SECONDS: [i64; 5] =
    [9_223_372_036, 9_223_372_037, 18_446_744_074, 10_000_000_000, i64::MAX];

/// Something that a run has or has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trait {
    Wildcards,
    Values,
    OtherEffects,
    Unscheduled,
    Bursts,
    AfterSteps,
    OverlappingBlocks,
    Selectors,
    SeveralTargets,
    Kubectl,
    AlreadyTainted,
    Refused,
    RandomInterleaving,
    HandlerCost,
    Latency,
    ReplyLatency,
    WatchLatency,
    Ranges,
    Termination,
    Tuned,
    Gates,
    Ignore,
    Faults,
    LastingFaults,
    DefaultTolerations,
    Many,
    Long,
}

/// How many [`Trait`]s there are.
pub(super) const TRAITS: usize = 27;

/// In how many of 1,000 runs each is there. In the order of the type.
pub(super) static TRAIT_CHANCES: [(Trait, u64); TRAITS] = [
    // Tolerations without key, before or behind others.
    (Trait::Wildcards, 250),
    // Taints and tolerations with values, and the operator Equal.
    (Trait::Values, 250),
    // Taints and tolerations of NoSchedule and PreferNoSchedule, and tolerations of all effects.
    (Trait::OtherEffects, 200),
    // Pods without a node.
    (Trait::Unscheduled, 250),
    // Several actions with nothing delivered between them.
    (Trait::Bursts, 350),
    // Steps that wait for something to happen.
    (Trait::AfterSteps, 300),
    // The next step may come in the middle of a pattern.
    (Trait::OverlappingBlocks, 500),
    // Labels, and targets by selector.
    (Trait::Selectors, 100),
    // Steps on several objects.
    (Trait::SeveralTargets, 250),
    // Steps in kubectl's words, with kubectl's refusals.
    (Trait::Kubectl, 200),
    // Nodes that have taints at the start.
    (Trait::AlreadyTainted, 250),
    // Steps that make little sense: most are refused.
    (Trait::Refused, 100),
    // What Go leaves open is drawn.
    (Trait::RandomInterleaving, 300),
    // Handlers take time.
    (Trait::HandlerCost, 150),
    // Calls take time until the store acts.
    (Trait::Latency, 150),
    // Answers take time: the watch may be faster.
    (Trait::ReplyLatency, 200),
    // Watches lag, that on pods and that on nodes by different spans.
    (Trait::WatchLatency, 250),
    // Those spans are drawn from a range.
    (Trait::Ranges, 250),
    // Pods take time to go, or never go.
    (Trait::Termination, 300),
    // Fewer workers, smaller channels, other retries.
    (Trait::Tuned, 80),
    // Feature gates that the version lets be set.
    (Trait::Gates, 60),
    // The API takes what it would refuse.
    (Trait::Ignore, 40),
    // Calls fail.
    (Trait::Faults, 250),
    // Some of them fail to the end of the run.
    (Trait::LastingFaults, 60),
    // Pods have the two tolerations that admission adds.
    (Trait::DefaultTolerations, 80),
    // More nodes and pods than few.
    (Trait::Many, 60),
    // More steps than few.
    (Trait::Long, 80),
];

/// How many nodes there are, mostly.
pub(super) const NODES: [(u64, u64); 3] = [(1, 4), (2, 4), (3, 2)];
/// How many pods.
pub(super) const PODS: [(u64, u64); 4] = [(1, 4), (2, 4), (3, 2), (4, 1)];
/// How many steps and patterns.
pub(super) const PIECES: [(u64, u64); 7] = [(1, 1), (2, 3), (3, 4), (4, 4), (5, 3), (6, 2), (8, 1)];
/// How many tolerations a pod has.
pub(super) const TOLERATIONS: [(u64, u64); 5] = [(0, 2), (1, 6), (2, 5), (3, 2), (4, 1)];

/// Names of nodes. By the hash of the name: 0, 3, then two pairs of one shard each (4, and 5, where
/// items of unscheduled pods go), 1, 6.
pub(super) const NODE_NAMES: [&str; 8] =
    ["node-0", "node-1", "node-4", "node1", "node-7", "node2", "node-3", "node-2"];
/// Names of pods; two differ in their namespace only.
pub(super) const POD_NAMES: [&str; 10] = [
    "default/web-0",
    "default/web-1",
    "shop/web-0",
    "default/db-0",
    "default/db-1",
    "default/job-0",
    "default/job-1",
    "shop/web-1",
    "default/web-2",
    "default/web-3",
];
/// Keys of taints; a run has one to three of them.
pub(super) const KEYS: [&str; 5] = [
    "maintenance",
    "dedicated",
    "node.kubernetes.io/not-ready",
    "node.kubernetes.io/unreachable",
    "agent-not-ready",
];
/// Values of taints and tolerations.
pub(super) const VALUES: [&str; 3] = ["", "a", "b"];
/// Values of taints where operators compare numbers; the last two are none for the API.
pub(super) const TAINT_NUMBERS: [&str; 6] = ["5", "4", "6", "0", "05", "high"];
/// What they are compared with.
pub(super) const NUMBERS: [&str; 5] = ["5", "4", "6", "-1", "0"];

/// The verbs of calls that fail.
pub(super) const FAULT_VERBS: [(Verb, u64); 5] = [
    // The call that evicts.
    (Verb::Delete, 8),
    // The condition, and updates by steps.
    (Verb::Patch, 4),
    // Before the condition.
    (Verb::Get, 3),
    // A node's pods, up to 1.15.
    (Verb::List, 2),
    // Steps only: a new object does not come, a binding fails.
    (Verb::Create, 2),
];

/// With what they fail.
pub(super) const FAULT_ERRORS: [(ApiError, u64); 7] = [
    (ApiError::InternalError, 4),
    (ApiError::Conflict, 3),
    (ApiError::NotFound, 2),
    // client-go waits for a second and tries again.
    (ApiError::TooManyRequests, 2),
    (ApiError::ServerTimeout, 2),
    // The store may have acted.
    (ApiError::Timeout, 4),
    // A webhook's no.
    (ApiError::Forbidden, 4),
];
