//! Coverage marks: rare paths of the model by name, counted in every run.
//!
//! A mark says that something happened that most runs never see, and that a developer of the
//! controller would know by its name. Whoever searches (`fuzz`) learns from the counts what the
//! search has reached. Nothing in the model reads a mark: counting is one addition to an array.
//!
//! The table has each mark once: its name, which outputs and files may keep, and its sentence.

/// Names a rare path. [`Mark::sentence`] says what happened.
#[allow(missing_docs, reason = "the table has a sentence for each")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    ItemDeduplicated,
    ItemParked,
    NodeChannelFull,
    PodChannelFull,
    SelectTakesPod,
    WorkersOverlap,
    StalePodItemDropped,
    PodBeforeNode,
    PodUnderStaleTaints,
    PodOnUnknownNode,
    NodeGoneTimersStay,
    ListRetried,
    ListGivenUp,
    ShorterTolerationIgnored,
    ZeroSeconds,
    NegativeSeconds,
    SecondsOverflowForever,
    SecondsOverflowShort,
    SkippedForTimer,
    EarlierDeadlineIgnored,
    SkippedForDeletion,
    SkippedForMarker,
    CancelledUntainted,
    CancelledPodGone,
    CancelledToleratedForever,
    CancelledNotTolerated,
    KeptThoughToleratedForever,
    CancelAfterFire,
    CancelledTimerStopped,
    CancelledTimerRuns,
    MarkerCancelled,
    TimersFireTogether,
    ReplacementKept,
    ReplacementOrphaned,
    OrphanTimerFired,
    AttemptRepeated,
    EvictionGivenUp,
    ToldToWait,
    ToldToWaitTooOften,
    AnswerLost,
    PodNotFound,
    GoneBetweenCalls,
    PatchUidConflict,
    ApplyHitsNamesake,
    DeleteHitsNamesake,
    ConditionPresent,
    EvictedWithoutTaint,
    TerminatingDeletedAgain,
    RecreatedUnderTimer,
    RecreatedUnderDeletion,
    RecreatedUnderMarker,
    WatchLosesEvents,
    RelistMissedDelete,
    RelistReplacedPod,
    RelistNothingNew,
    ReplacedPodDropped,
    StopLosesTimers,
    StopWaitsForDeletion,
    StopAbandonsDeletion,
    AbandonedCallActs,
    StepRejected,
    AfterStep,
}

const COUNT: usize = 62;

/// The marks in the order of the type: queues and workers, matching, timed workers, deletions,
/// names, watches, the process, steps.
const TABLE: [(Mark, &str, &str); COUNT] = [
    (
        Mark::ItemDeduplicated,
        "item-deduplicated",
        "An event was added to nothing: its key waits in the work queue already.",
    ),
    (
        Mark::ItemParked,
        "item-parked",
        "A key was added while it is being processed, and is queued again when that is done.",
    ),
    (
        Mark::NodeChannelFull,
        "node-channel-full",
        "The node dispatcher blocks on the full node channel of one worker.",
    ),
    (
        Mark::PodChannelFull,
        "pod-channel-full",
        "The pod dispatcher blocks on the full pod channel of one worker.",
    ),
    (
        Mark::SelectTakesPod,
        "select-takes-pod",
        "A worker's select takes a pod though a node is ready; it handles all nodes before it.",
    ),
    (
        Mark::WorkersOverlap,
        "workers-overlap",
        "A worker begins to wait or compute while another one is still at an item.",
    ),
    (
        Mark::StalePodItemDropped,
        "stale-pod-item-dropped",
        "A pod's item names another node than the pod has by now, and is dropped.",
    ),
    (
        Mark::PodBeforeNode,
        "pod-before-node",
        "A pod is handled before its node's new taints are, and nothing comes of it.",
    ),
    (
        Mark::PodUnderStaleTaints,
        "pod-under-stale-taints",
        "A pod is judged by taintedNodes though its node in the cache has no NoExecute taint.",
    ),
    (
        Mark::PodOnUnknownNode,
        "pod-on-unknown-node",
        "A pod is handled whose node is not in the informer's cache.",
    ),
    (
        Mark::NodeGoneTimersStay,
        "node-gone-timers-stay",
        "A node's deletion is handled, and timers of its pods stay armed.",
    ),
    (
        Mark::ListRetried,
        "list-retried",
        "A handler's LIST of a node's pods failed, and is made again.",
    ),
    (
        Mark::ListGivenUp,
        "list-given-up",
        "A handler's LIST failed to the last try, and the node's event is dropped.",
    ),
    (
        Mark::ShorterTolerationIgnored,
        "shorter-toleration-ignored",
        "The first matching toleration decides, though one behind it matches with less seconds.",
    ),
    (Mark::ZeroSeconds, "zero-seconds", "tolerationSeconds of zero decide: the pod goes at once."),
    (
        Mark::NegativeSeconds,
        "negative-seconds",
        "Negative tolerationSeconds decide: the pod goes at once.",
    ),
    (
        Mark::SecondsOverflowForever,
        "seconds-overflow-forever",
        "tolerationSeconds overflow 64 bits of nanoseconds to a negative wait: for ever.",
    ),
    (
        Mark::SecondsOverflowShort,
        "seconds-overflow-short",
        "tolerationSeconds overflow 64 bits of nanoseconds to a wait that is far too short.",
    ),
    (
        Mark::SkippedForTimer,
        "skipped-for-timer",
        "Work is not added: an armed timer stands under the pod's name.",
    ),
    (
        Mark::EarlierDeadlineIgnored,
        "earlier-deadline-ignored",
        "Work with an earlier deadline is not added: the armed timer fires later, and stays.",
    ),
    (
        Mark::SkippedForDeletion,
        "skipped-for-deletion",
        "Work is not added: a deletion runs under the pod's name.",
    ),
    (
        Mark::SkippedForMarker,
        "skipped-for-marker",
        "Work is not added: the marker of an earlier deletion stands under the pod's name.",
    ),
    (
        Mark::CancelledUntainted,
        "cancelled-untainted",
        "An armed timer is cancelled: the node's last NoExecute taint is gone.",
    ),
    (
        Mark::CancelledPodGone,
        "cancelled-pod-gone",
        "An armed timer is cancelled: the pod is not in the cache any more.",
    ),
    (
        Mark::CancelledToleratedForever,
        "cancelled-tolerated-forever",
        "An armed timer is cancelled: every matched toleration is without limit now.",
    ),
    (
        Mark::CancelledNotTolerated,
        "cancelled-not-tolerated",
        "An armed timer is cancelled for a deletion at once: some taint is not tolerated now.",
    ),
    (
        Mark::KeptThoughToleratedForever,
        "kept-though-tolerated-forever",
        "A timer stays armed though every matched toleration is without limit now.",
    ),
    (
        Mark::CancelAfterFire,
        "cancel-after-fire",
        "Work is cancelled, with an Event, after its timer fired.",
    ),
    (
        Mark::CancelledTimerStopped,
        "cancelled-timer-stopped",
        "A deletion does not begin: it was cancelled between its timer and its start.",
    ),
    (
        Mark::CancelledTimerRuns,
        "cancelled-timer-runs",
        "A deletion begins though it was cancelled between its timer and its start.",
    ),
    (
        Mark::MarkerCancelled,
        "marker-cancelled",
        "A pod that is there is cancelled, and the marker of a deletion goes from its name.",
    ),
    (
        Mark::TimersFireTogether,
        "timers-fire-together",
        "A timer fires at the very instant at which another one did.",
    ),
    (
        Mark::ReplacementKept,
        "replacement-kept",
        "A deletion ends, and leaves alone the newer work under the pod's name.",
    ),
    (
        Mark::ReplacementOrphaned,
        "replacement-orphaned",
        "A deletion ends, and takes the entry of newer work under the pod's name with it.",
    ),
    (
        Mark::OrphanTimerFired,
        "orphan-timer-fired",
        "A timer fires that has no entry any more, and that nothing could cancel.",
    ),
    (
        Mark::AttemptRepeated,
        "attempt-repeated",
        "A deletion makes another attempt, because a call failed.",
    ),
    (
        Mark::EvictionGivenUp,
        "eviction-given-up",
        "A deletion's last attempt failed: the eviction is forgotten.",
    ),
    (
        Mark::ToldToWait,
        "told-to-wait",
        "The client waits for a second and repeats a call, as the answer 429 asked.",
    ),
    (
        Mark::ToldToWaitTooOften,
        "told-to-wait-too-often",
        "The client has waited ten times, and hands the answer 429 to its caller.",
    ),
    (
        Mark::AnswerLost,
        "answer-lost",
        "The API server did what a deletion's call asked for, and the answer is an error.",
    ),
    (
        Mark::PodNotFound,
        "pod-not-found",
        "The first call of a deletion's attempt finds no such pod (404).",
    ),
    (
        Mark::GoneBetweenCalls,
        "gone-between-calls",
        "The pod that a GET found is gone at the PATCH or the DELETE (404).",
    ),
    (
        Mark::PatchUidConflict,
        "patch-uid-conflict",
        "The PATCH is refused: the name belongs to another pod than the GET found (409).",
    ),
    (
        Mark::ApplyHitsNamesake,
        "apply-hits-namesake",
        "The condition is applied to another pod of that name than the GET found.",
    ),
    (
        Mark::DeleteHitsNamesake,
        "delete-hits-namesake",
        "The DELETE is for another pod of that name than the GET found.",
    ),
    (
        Mark::ConditionPresent,
        "condition-present",
        "The GET finds a pod that has the condition DisruptionTarget already.",
    ),
    (
        Mark::EvictedWithoutTaint,
        "evicted-without-taint",
        "The DELETE reaches a pod whose node has no NoExecute taint, or that has no node.",
    ),
    (
        Mark::TerminatingDeletedAgain,
        "terminating-deleted-again",
        "A DELETE reaches a pod that is terminating already, and changes nothing.",
    ),
    (
        Mark::RecreatedUnderTimer,
        "recreated-under-timer",
        "A pod is created while a timer for its predecessor of the same name is armed.",
    ),
    (
        Mark::RecreatedUnderDeletion,
        "recreated-under-deletion",
        "A pod is created while the deletion of its predecessor of the same name runs.",
    ),
    (
        Mark::RecreatedUnderMarker,
        "recreated-under-marker",
        "A pod is created while the marker of its predecessor's deletion stands under its name.",
    ),
    (
        Mark::WatchLosesEvents,
        "watch-loses-events",
        "A watch breaks with events under way, which are lost.",
    ),
    (
        Mark::RelistMissedDelete,
        "relist-missed-delete",
        "A new list lacks an object of the cache: a deletion was missed (DeletedFinalStateUnknown).",
    ),
    (
        Mark::RelistReplacedPod,
        "relist-replaced-pod",
        "A new list has another pod under the name of one in the cache: it comes as an update.",
    ),
    (Mark::RelistNothingNew, "relist-nothing-new", "A new list has what the cache has."),
    (
        Mark::ReplacedPodDropped,
        "replaced-pod-dropped",
        "The event handler drops a pod that replaced another one: node and tolerations are equal.",
    ),
    (
        Mark::StopLosesTimers,
        "stop-loses-timers",
        "The controller stops with timers armed, which are lost.",
    ),
    (
        Mark::StopWaitsForDeletion,
        "stop-waits-for-deletion",
        "The controller is told to stop, and waits for a deletion that runs.",
    ),
    (
        Mark::StopAbandonsDeletion,
        "stop-abandons-deletion",
        "The controller stops in the middle of a deletion.",
    ),
    (
        Mark::AbandonedCallActs,
        "abandoned-call-acts",
        "A call reaches the API server after the process that sent it has ended.",
    ),
    (
        Mark::StepRejected,
        "step-rejected",
        "The API server, kubectl or a fault refused a step of the scenario.",
    ),
    (Mark::AfterStep, "after-step", "What a step of the scenario waited for has happened."),
];

impl Mark {
    /// All of them, in order.
    pub const ALL: [Mark; COUNT] = {
        let mut all = [Mark::ItemDeduplicated; COUNT];
        let mut index = 0;
        while index < COUNT {
            all[index] = TABLE[index].0;
            index += 1;
        }
        all
    };

    /// Its name in outputs and files.
    pub fn name(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// What happened, in a sentence.
    pub fn sentence(self) -> &'static str {
        TABLE[self as usize].2
    }

    /// The mark of this name.
    pub fn named(name: &str) -> Option<Mark> {
        Mark::ALL.into_iter().find(|mark| mark.name() == name)
    }
}

/// How often each mark was hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marks {
    counts: [u64; COUNT],
}

impl Default for Marks {
    fn default() -> Marks {
        Marks { counts: [0; COUNT] }
    }
}

impl Marks {
    /// It happened.
    pub fn hit(&mut self, mark: Mark) {
        self.counts[mark as usize] += 1;
    }

    /// It happened, if `happened`.
    pub fn hit_if(&mut self, mark: Mark, happened: bool) {
        self.counts[mark as usize] += u64::from(happened);
    }

    /// It happened so often, as somebody else has counted.
    pub fn hit_times(&mut self, mark: Mark, times: u64) {
        self.counts[mark as usize] += times;
    }

    /// How often it happened.
    pub fn count(&self, mark: Mark) -> u64 {
        self.counts[mark as usize]
    }

    /// Adds what other runs have counted.
    pub fn add(&mut self, other: &Marks) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
    }

    /// Each mark with its count, in order; also those that were never hit.
    pub fn iter(&self) -> impl Iterator<Item = (Mark, u64)> + '_ {
        Mark::ALL.into_iter().zip(self.counts)
    }

    /// How many marks were hit at least once.
    pub fn hit_of_all(&self) -> usize {
        self.counts.iter().filter(|count| **count > 0).count()
    }
}

#[cfg(test)]
mod tests;
