//! Questions to a history.

use super::entry::{NameEntry, chained};
use super::{
    Arming, ArmingState, Cancel, Decision, History, Incarnation, Origin, Rejection, Trouble,
};
use crate::kernel::time::Time;
use crate::objects::{NodeId, PodId, Taint, TaintsId, Uid};
use crate::plan::PodTarget;
use crate::timeline::{Context, EventReason, Record};

impl History {
    /// Every incarnation of every pod, in the order of the uids.
    pub fn incarnations(&self) -> &[Incarnation] {
        &self.incarnations
    }

    /// The incarnation with this uid.
    pub fn incarnation(&self, uid: Uid) -> Option<&Incarnation> {
        self.incarnations.get(uid.index().checked_sub(1)?)
    }

    /// The incarnations of a name, oldest first.
    pub fn incarnations_of(&self, pod: PodId) -> Vec<&Incarnation> {
        chained(&self.incarnations, self.name(pod).last_incarnation, |i| i.prev)
    }

    /// The newest incarnation of a name.
    pub fn newest(&self, pod: PodId) -> Option<&Incarnation> {
        self.incarnations.get(self.name(pod).last_incarnation as usize)
    }

    /// Whether the incarnation falls under the target with labels that it had at any time of its
    /// life.
    pub fn ever_matches(&self, context: Context<'_>, life: &Incarnation, to: &PodTarget) -> bool {
        match to {
            PodTarget::Names(names) => names.contains(&life.pod),
            PodTarget::Matching { namespace, selector } => {
                let (own, _) = context.names().pod_parts(life.pod);
                namespace.as_deref().is_none_or(|namespace| namespace == own)
                    && self.labels.ever_match(context, life.uid, selector)
            }
        }
    }

    /// The timers of a name, oldest first.
    pub fn armings_of(&self, pod: PodId) -> Vec<&Arming> {
        chained(&self.armings, self.name(pod).last_arming, |a| a.prev)
    }

    /// The newest timer of a name.
    pub fn newest_arming(&self, pod: PodId) -> Option<&Arming> {
        self.armings.get(self.name(pod).last_arming as usize)
    }

    /// The pending timer of a name: the newest, where an orphaned one is pending too.
    pub fn pending(&self, pod: PodId) -> Option<&Arming> {
        let mut next = self.newest_arming(pod);
        while let Some(arming) = next {
            if arming.state == ArmingState::Armed {
                return next;
            }
            next = self.armings.get(arming.prev as usize);
        }
        None
    }

    /// All timers, in the order of their arming.
    pub fn armings(&self) -> &[Arming] {
        &self.armings
    }

    /// The cancellations of a name, oldest first, each with the incarnation whose timer it was.
    pub fn cancels_of(&self, pod: PodId) -> Vec<(&Cancel, Uid)> {
        chained(&self.cancels, self.name(pod).last_cancel, |c| c.prev)
            .into_iter()
            .map(|cancel| (cancel, self.cancelled(cancel).map_or(Uid(0), Arming::uid)))
            .collect()
    }

    /// The newest cancellation of a name.
    pub fn newest_cancel(&self, pod: PodId) -> Option<&Cancel> {
        self.cancels.get(self.name(pod).last_cancel as usize)
    }

    /// The timer that was cancelled.
    pub fn cancelled(&self, cancel: &Cancel) -> Option<&Arming> {
        self.armings.get(cancel.arming as usize)
    }

    /// How many cancellations there were.
    pub fn cancel_count(&self) -> u64 {
        self.cancels.len() as u64
    }

    /// The timer that led to the incarnation's eviction.
    pub fn evicted_by(&self, incarnation: &Incarnation) -> Option<&Arming> {
        self.armings.get(incarnation.evicted_by as usize)
    }

    /// Why a timer was armed.
    pub fn decision(&self, arming: &Arming) -> &Decision {
        &self.decisions[arming.decision as usize]
    }

    /// The decision of this number, as [`Arming::decision_number`] gives it.
    pub fn decision_at(&self, number: u32) -> &Decision {
        &self.decisions[number as usize]
    }

    /// What went wrong in the deletion that the name's newest timer began.
    pub fn newest_trouble(&self, pod: PodId) -> Option<&Trouble> {
        self.troubles.get(&self.name(pod).last_arming)
    }

    /// What has gone wrong so far in the deletion that the record belongs to.
    pub fn trouble_of(&self, record: &Record) -> Option<&Trouble> {
        let link = self.links.get(record.seq.checked_sub(1)? as usize)?;
        self.troubles.get(&link.as_arming()?)
    }

    /// Which of its name's incarnations it is, counted from 1, and how many there are.
    pub fn instance(&self, incarnation: &Incarnation) -> (usize, usize) {
        let lives = self.incarnations_of(incarnation.pod);
        let index = lives.iter().position(|life| life.uid == incarnation.uid);
        (index.map_or(0, |index| index + 1), lives.len())
    }

    /// The node's taints now; `None` where it does not exist.
    pub fn taints_of(&self, node: NodeId) -> Option<TaintsId> {
        self.nodes.taints(node)
    }

    /// The node's taints before they last changed; `None` where it did not exist.
    pub fn taints_before(&self, node: NodeId) -> Option<TaintsId> {
        self.nodes.taints_before(node)
    }

    /// What gave the node this taint, at last.
    pub fn origin_of_taint(&self, context: Context<'_>, node: NodeId, taint: &Taint) -> Origin {
        self.nodes.origin_of(node, taint, context.lists)
    }

    /// Whether the node has the NoExecute taint at the end, or had it after this time.
    pub fn has_taint_after(
        &self,
        context: Context<'_>,
        node: NodeId,
        taint: &Taint,
        since: Time,
    ) -> bool {
        let lists = self.nodes.taints(node).into_iter().chain(self.nodes.past(node, since));
        lists.into_iter().any(|id| context.lists.taints(id).contains(taint))
    }

    /// The lists with a NoExecute taint that the incarnation's node had while it was there, and
    /// has no more.
    pub fn taints_past(&self, incarnation: &Incarnation) -> impl Iterator<Item = TaintsId> + '_ {
        let since = self.bound_at(incarnation);
        let since = since.unwrap_or(incarnation.created_at);
        let node = incarnation.node.into_iter();
        node.flat_map(move |node| self.nodes.past(node, since))
    }

    /// When the incarnation got its node, where it was created without one.
    pub fn bound_at(&self, incarnation: &Incarnation) -> Option<Time> {
        self.bound.get(&incarnation.uid.0).copied()
    }

    /// Rejected actions of steps.
    pub fn rejections(&self) -> &[Rejection] {
        &self.rejections
    }

    /// How many Events of this reason there were for a pod.
    pub fn events(&self, pod: PodId, reason: EventReason) -> u64 {
        let index = usize::from(reason == EventReason::Cancelling);
        self.events.get(pod.index()).map_or(0, |counts| counts[index])
    }

    /// How many timers were lost when the controller's process was stopped at this time.
    pub fn timers_lost_at(&self, at: Time) -> usize {
        let is_lost = |a: &&Arming| a.state == ArmingState::Lost && a.ended_at() == Some(at);
        self.armings.iter().filter(is_lost).count()
    }

    /// When the controller's process was last stopped.
    pub fn last_stop(&self) -> Option<Time> {
        self.stops.last().copied()
    }

    /// How many actions of steps were applied, one per action and object.
    pub fn steps_applied(&self) -> u64 {
        self.steps_applied
    }

    /// How many DELETEs the taint manager sent.
    pub fn delete_attempts(&self) -> u64 {
        self.delete_attempts
    }

    /// How many deletions gave up.
    pub fn failed_deletions(&self) -> u64 {
        self.failed_deletions
    }

    /// How many records were fed.
    pub fn records(&self) -> u64 {
        self.records
    }

    fn name(&self, pod: PodId) -> NameEntry {
        self.names.get(pod.index()).copied().unwrap_or_default()
    }
}

impl Arming {
    /// The number of its decision; see [`History::decision_at`].
    pub fn decision_number(&self) -> u32 {
        self.decision
    }
}
