//! What surprises people, with the thread in which they were surprised.
//!
//! A remark is made only where the run shows the behaviour. Threads are of kubernetes/kubernetes
//! unless another repository is named.

use super::evidence::Evidence;
use crate::kernel::time::Time;
use crate::objects::taint::no_execute;
use crate::plan::ApiError;
use crate::timeline::fate::{Fate, Reason, seconds_of};
use crate::timeline::history::{Arming, ArmingState, Incarnation};
use crate::timeline::{CancelReason, Kind, Outcome, Record, Standing};

/// A behaviour that surprises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Its name, which does not change.
    pub name: &'static str,
    /// In words.
    pub text: &'static str,
    /// Upstream threads about it.
    pub threads: &'static [&'static str],
}

const fn remark(
    name: &'static str,
    text: &'static str,
    threads: &'static [&'static str],
) -> Remark {
    Remark { name, text, threads }
}

/// All of them, in the order in which they are told.
pub const REMARKS: [Remark; 18] = [
    remark(
        "armed-timer-never-moves",
        "An armed timer never moves: neither shorter nor longer seconds, nor a stricter taint, nor \
         the end of the stricter one change it. Only no NoExecute taint, an untolerated one, or \
         (since 1.19) no limit for all of them ends it.",
        &["#102993", "#108982", "#85980"],
    ),
    remark(
        "first-match-counts",
        "For each taint the first toleration that matches counts, in the pod's order: not the \
         longest, and not the most exact one.",
        &[],
    ),
    remark(
        "zero-is-now",
        "tolerationSeconds of zero or less means at once, not for ever.",
        &["#106876"],
    ),
    remark(
        "seconds-overflow",
        "tolerationSeconds count as 64-bit nanoseconds: 9223372036 is the last value that does \
         not overflow.",
        &[],
    ),
    remark(
        "default-tolerations",
        "300 seconds for this taint are what the admission plugin DefaultTolerationSeconds gives \
         each pod that says nothing else.",
        &["#72024"],
    ),
    remark(
        "restart-restarts-the-window",
        "Timers live in the controller's memory, and a taint's timeAdded is not read: each restart \
         or change of leader begins every window anew.",
        &["#108268"],
    ),
    remark(
        "window-starts-with-the-news",
        "The window begins when the taint manager sees taint and pod together, not at the taint's \
         timeAdded.",
        &["#108268"],
    ),
    remark(
        "stale-node",
        "The taint manager decides by its caches: its node still had a taint that was gone from \
         the API server by then. It does not look again before it deletes.",
        &["#119862", "#140198"],
    ),
    remark(
        "timer-belongs-to-the-name",
        "Timers are kept by namespace and name, and the DELETE carries no uid: a pod of the same \
         name can inherit its predecessor's timer.",
        &["#141568"],
    ),
    remark(
        "node-deletion-leaves-timers",
        "Deleting a node does not cancel the timers of its pods.",
        &[],
    ),
    remark(
        "deleted-again",
        "The taint manager does not look at deletionTimestamp or phase: a pod that is going \
         already is marked and deleted again.",
        &[],
    ),
    remark(
        "finished-pods",
        "Finished pods are evicted like others: nobody looks at the phase.",
        &["#96363"],
    ),
    remark(
        "stale-marker",
        "Up to 1.32 a deletion that succeeded can leave a marker under the pod's name for good; a \
         new pod of that name that tolerates the taint for a time then gets no timer.",
        &["#107543", "#125332", "#110401"],
    ),
    remark(
        "forgotten",
        "A deletion is tried five times within milliseconds, and then not again by itself: it \
         takes a change of the node's NoExecute taints or of the pod's tolerations, or a new \
         controller process.",
        &["#140639", "#141568"],
    ),
    remark(
        "not-found-is-a-failure",
        "A pod that is gone already counts as a failed attempt, not as done.",
        &[],
    ),
    remark(
        "running-deletion-goes-on",
        "What cancels a timer does not stop a deletion that has begun, although an Event \
         \"Cancelling deletion\" may say so.",
        &[],
    ),
    remark(
        "immediate-cancel",
        "Up to 1.29 a deletion \"at once\" was a timer of nanoseconds, so that an Event \
         \"Cancelling deletion\" can follow it.",
        &["#123026"],
    ),
    remark(
        "waits-for-the-kubelet",
        "Eviction is a graceful delete: the object stays until the kubelet confirms. On a lost node \
         it stays until that comes back, its Node object goes, or somebody deletes the pod by \
         force.",
        &["#55934", "#72226"],
    ),
];

/// What the run shows of them in this life.
pub fn remarks(evidence: &Evidence<'_>, life: &Incarnation) -> Vec<Remark> {
    let look = Look::new(evidence, life);
    REMARKS.into_iter().filter(|remark| look.shows(remark.name)).collect()
}

struct Look<'a, 'p> {
    evidence: &'a Evidence<'p>,
    life: &'a Incarnation,
    /// Records about the name from this life's creation to that of the next.
    records: Vec<&'a Record>,
    /// The timers that were armed in it.
    armings: Vec<&'a Arming>,
    /// The one that evicted it, or will.
    decisive: Option<&'a Arming>,
    fate: Fate,
}

impl<'a, 'p> Look<'a, 'p> {
    fn new(evidence: &'a Evidence<'p>, life: &'a Incarnation) -> Look<'a, 'p> {
        let history = &evidence.history;
        let mut here = false;
        let mut records = Vec::new();
        for record in evidence.records.iter().filter(|record| record.pod == Some(life.pod)) {
            if let Kind::PodCreated { uid, .. } = record.kind {
                here = uid == life.uid;
            }
            if here {
                records.push(record);
            }
        }
        let armings = history.armings_of(life.pod).into_iter();
        let armings = armings.filter(|arming| arming.uid() == life.uid).collect();
        let fate = Fate::of(history, life);
        let decisive = match fate {
            Fate::Evicted(_) => history.evicted_by(life),
            Fate::Armed(_) => history.pending(life.pod),
            _ => None,
        };
        Look { evidence, life, records, armings, decisive, fate }
    }

    fn any(&self, is_it: impl Fn(&Kind) -> bool) -> bool {
        self.records.iter().any(|record| is_it(&record.kind))
    }

    fn shows(&self, name: &str) -> bool {
        let context = self.evidence.context();
        let history = &self.evidence.history;
        let decision = self.decisive.map(|arming| history.decision(arming));
        let seconds = decision.and_then(|decision| seconds_of(context, decision));
        match name {
            "armed-timer-never-moves" => self.moves_not(),
            "first-match-counts" => self.has_later_match(),
            "zero-is-now" => seconds.is_some_and(|seconds| seconds <= 0),
            "seconds-overflow" => {
                let list = context.lists.tolerations(self.life.tolerations);
                let mut seconds =
                    list.iter().filter_map(|toleration| toleration.toleration_seconds);
                let matched = decision.is_some() || matches!(self.fate, Fate::Survives);
                matched && seconds.any(|seconds| seconds > 9_223_372_036)
            }
            "default-tolerations" => decision.is_some_and(|decision| {
                let taints = context.lists.taints(decision.taints);
                let key = taints.get(decision.taint as usize).map_or("", |taint| &taint.key);
                let by_node =
                    ["not-ready", "unreachable"].map(|n| format!("node.kubernetes.io/{n}"));
                seconds == Some(300) && by_node.iter().any(|known| known == key)
            }),
            "restart-restarts-the-window" => self.armings.iter().any(|arming| {
                let record = self.record_of(arming);
                let trigger = record.and_then(|record| self.evidence.trigger(record));
                trigger.is_some_and(|trigger| trigger.kind == Kind::ControllerStopped)
            }),
            "window-starts-with-the-news" => self
                .decisive
                .is_some_and(|arming| arming.fire_at > arming.at && self.is_late(arming)),
            "stale-node" => self.decisive.is_some_and(|arming| self.is_stale(arming)),
            "timer-belongs-to-the-name" => {
                matches!(Reason::of(context, history, self.life), Reason::EarlierPod(_))
            }
            "node-deletion-leaves-timers" => self.decisive.is_some_and(|arming| {
                let gone = self.evidence.records.iter().any(|record| {
                    matches!(record.kind, Kind::NodeDeleted { .. })
                        && record.node == self.life.node
                        && record.at >= arming.at
                        && record.at < arming.fire_at
                });
                gone && arming.fire_at > arming.at
            }),
            "deleted-again" => {
                let mut oks = self.records.iter().filter(|record| {
                    matches!(record.kind, Kind::DeleteRequested { outcome: Outcome::Ok, .. })
                });
                let first = oks.next();
                let going = self.life.terminating_at();
                oks.next().is_some()
                    || first.zip(going).is_some_and(|(first, going)| going < first.at)
            }
            "finished-pods" => {
                let spec = context.plan.pods.get(self.life.uid.index().wrapping_sub(1));
                let finished = spec.is_some_and(|spec| spec.pod == self.life.pod && spec.finished);
                finished && matches!(self.fate, Fate::Evicted(_))
            }
            "stale-marker" => self
                .any(|kind| matches!(kind, Kind::WorkSkipped { standing: Standing::Marker, .. })),
            "forgotten" => self.any(|kind| *kind == Kind::EvictionFailed),
            "not-found-is-a-failure" => self.any(|kind| {
                let gone = Outcome::Failed(ApiError::NotFound);
                matches!(kind, Kind::PodFetched { outcome, .. } if *outcome == gone)
            }),
            "running-deletion-goes-on" => {
                self.cancelled_too_late().is_some_and(|immediate| !immediate)
            }
            "immediate-cancel" => self.cancelled_too_late() == Some(true),
            "waits-for-the-kubelet" => {
                let confirmed = self.records.iter().find_map(|record| match record.kind {
                    Kind::PodRemoved { uid } if uid == self.life.uid => {
                        let by = self.evidence.causes(record).next();
                        Some(!by.is_some_and(|by| matches!(by.kind, Kind::StepApplied { .. })))
                    }
                    _ => None,
                });
                self.life.evicted_at().is_some() && confirmed != Some(true)
            }
            _ => false,
        }
    }

    /// Work was skipped that would have fired at another time than the armed timer.
    fn moves_not(&self) -> bool {
        self.records.iter().any(|record| match record.kind {
            Kind::WorkSkipped { standing: Standing::Timer, fire_at, .. } => {
                let armed = self.armings_of_name().rfind(|arming| arming.at <= record.at);
                armed.is_some_and(|arming| arming.fire_at != fire_at)
            }
            _ => false,
        })
    }

    fn armings_of_name(&self) -> std::vec::IntoIter<&'a Arming> {
        self.evidence.history.armings_of(self.life.pod).into_iter()
    }

    /// A later toleration with other seconds would match the taint that decides, too.
    fn has_later_match(&self) -> bool {
        let context = self.evidence.context();
        let operators = context.plan.config.switches.comparison_operators;
        let tolerations = context.lists.tolerations(self.life.tolerations);
        let taints = match self.decisive {
            Some(arming) => {
                let decision = self.evidence.history.decision(arming);
                let taints = context.lists.taints(decision.taints);
                taints.get(decision.taint as usize).map(std::slice::from_ref)
            }
            None => {
                let taints = self.life.node.and_then(|node| self.evidence.history.taints_of(node));
                taints.map(|id| context.lists.taints(id))
            }
        };
        no_execute(taints.unwrap_or_default()).any(|taint| {
            let mut matching = tolerations.iter().filter(|t| t.tolerates(taint, operators));
            let first = matching.next().map(|toleration| toleration.toleration_seconds);
            first.is_some_and(|first| matching.any(|other| other.toleration_seconds != first))
        })
    }

    fn record_of(&self, arming: &Arming) -> Option<&'a Record> {
        self.records.iter().copied().find(|record| {
            record.at == arming.at
                && matches!(record.kind, Kind::EvictionScheduled { fire_at, .. }
                    if fire_at == arming.fire_at)
        })
    }

    /// The timer was armed after the news, or for a pod that came to a taint.
    fn is_late(&self, arming: &Arming) -> bool {
        let Some(record) = self.record_of(arming) else { return false };
        let Some(trigger) = self.evidence.trigger(record) else { return false };
        let came_later = matches!(trigger.kind, Kind::PodCreated { .. } | Kind::PodBound { .. });
        let restarted = trigger.kind == Kind::ControllerStopped;
        !restarted && (trigger.at < arming.at || (came_later && trigger.at > Time::ZERO))
    }

    /// The node had lost the deciding taint in the store when the taint manager decided.
    fn is_stale(&self, arming: &Arming) -> bool {
        let Some(record) = self.record_of(arming) else { return false };
        let (Some(node), context) = (record.node, self.evidence.context()) else { return false };
        let decision = self.evidence.history.decision(arming);
        let taint = context.lists.taints(decision.taints).get(decision.taint as usize);
        let in_store = self.evidence.taints_at(node, record.seq);
        let in_store = in_store.map_or(&[][..], |id| context.lists.taints(id));
        taint.is_some_and(|taint| !in_store.contains(taint))
    }

    /// A cancellation of work whose deletion had begun; whether that work was to start at once.
    fn cancelled_too_late(&self) -> Option<bool> {
        let cancels = self.evidence.history.cancels_of(self.life.pod).into_iter();
        let mut late = cancels.filter_map(|(cancel, _)| {
            let arming = self.evidence.history.cancelled(cancel)?;
            let is_own = arming.uid() == self.life.uid;
            // Untolerated work that meets its predecessor's timer is no surprise.
            let is_late =
                cancel.at >= arming.fire_at && cancel.reason != CancelReason::NotTolerated;
            let ran = matches!(arming.state, ArmingState::Started | ArmingState::Failed);
            let immediate = self.evidence.history.decision(arming).toleration.is_none();
            (is_own && is_late && (ran || immediate)).then_some(immediate)
        });
        late.next()
    }
}
