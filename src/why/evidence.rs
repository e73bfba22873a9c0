//! A run as one pod sees it: the records that can have to do with it.

use std::collections::BTreeMap;

use crate::cluster::World;
use crate::kernel::time::Time;
use crate::objects::{NodeId, PodId, Taint, TaintsId};
use crate::plan::{Config, Plan};
use crate::timeline::history::History;
use crate::timeline::{Context, Detail, Kind, Record, Sink};

/// A run would have had more events than it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong {
    /// How far it came.
    pub at: Time,
}

/// A run, or the part of it up to some time.
pub struct Evidence<'p> {
    world: World<'p>,
    /// What became of all pods.
    pub history: History,
    /// Records about the pod, and about no pod, in their order.
    pub records: Vec<Record>,
    /// The taints that each node has from a record on; `None` from its deletion on.
    nodes: BTreeMap<(NodeId, u32), Option<TaintsId>>,
}

impl<'p> Evidence<'p> {
    /// Runs the plan, up to `at` if that is given.
    ///
    /// # Errors
    /// Where the run has more than `events_max` events.
    pub fn gather(
        plan: &'p Plan,
        pod: PodId,
        at: Option<Time>,
        events_max: u64,
    ) -> Result<Evidence<'p>, TooLong> {
        let mut world = World::new(plan, Detail::Controller);
        let history = History::with_room_for(plan);
        let mut keep = Keep { history, records: Vec::new(), pod };
        let limit = at.or(plan.config.until).unwrap_or(Config::UNBOUNDED_LIMIT);
        let events = world.run_some(limit, events_max, &mut keep);
        if events == events_max {
            return Err(TooLong { at: world.now() });
        }
        let Keep { history, records, .. } = keep;
        let change = |record: &Record| {
            let taints = match record.kind {
                Kind::NodeCreated { taints } | Kind::NodeTaintsChanged { taints } => Some(taints),
                Kind::NodeDeleted { .. } => None,
                _ => return None,
            };
            Some(((record.node?, record.seq), taints))
        };
        let nodes = records.iter().filter_map(change).collect();
        Ok(Evidence { world, history, records, nodes })
    }

    /// Plan and lists.
    pub fn context(&self) -> Context<'_> {
        self.world.context()
    }

    /// When the last thing happened.
    pub fn end(&self) -> Time {
        self.world.now()
    }

    /// The record of this number.
    pub fn record(&self, seq: u32) -> Option<&Record> {
        let index = self.records.binary_search_by_key(&seq, |record| record.seq).ok()?;
        self.records.get(index)
    }

    /// What caused the record, what caused that, and so on.
    pub fn causes<'a>(&'a self, record: &'a Record) -> impl Iterator<Item = &'a Record> + 'a {
        let cause_of = |record: &&'a Record| self.record(record.cause?);
        std::iter::successors(cause_of(&record), move |record| cause_of(record))
    }

    /// What the taint manager reacted to: the nearest ancestor that is a change of the cluster, or
    /// of the controller.
    pub fn trigger<'a>(&'a self, record: &'a Record) -> Option<&'a Record> {
        self.causes(record).find(|record| is_change(&record.kind))
    }

    /// The records after this one.
    pub fn after(&self, seq: u32) -> &[Record] {
        &self.records[self.records.partition_point(|record| record.seq <= seq)..]
    }

    /// The records before this one.
    pub fn before(&self, seq: u32) -> &[Record] {
        &self.records[..self.records.partition_point(|record| record.seq < seq)]
    }

    /// The taints of a node once this record was made; `None` where there is no such node.
    pub fn taints_at(&self, node: NodeId, seq: u32) -> Option<TaintsId> {
        let (_, taints) = self.nodes.range((node, 0)..=(node, seq)).next_back()?;
        *taints
    }

    fn has(&self, list: Option<TaintsId>, taint: &Taint) -> bool {
        list.is_some_and(|id| self.context().lists.taints(id).contains(taint))
    }

    /// Number of the step that gave the node a taint which it has at a record.
    pub fn step_of_taint(&self, node: NodeId, taint: &Taint, seq: u32) -> Option<u32> {
        let before = self.nodes.range((node, 0)..=(node, seq)).rev();
        let ((_, change), _) = before.take_while(|(_, list)| self.has(**list, taint)).last()?;
        match self.causes(self.record(*change)?).next()?.kind {
            Kind::StepApplied { step, .. } => {
                self.context().plan.steps.get(step as usize).map(|step| step.number)
            }
            _ => None,
        }
    }

    /// The node's taints once all is done that is due up to `at`; `None` where there is no such
    /// node.
    pub fn taints_by(&self, node: NodeId, at: Time) -> Option<TaintsId> {
        let last = self.records.partition_point(|record| record.at <= at).checked_sub(1)?;
        self.taints_at(node, self.records.get(last)?.seq)
    }

    /// When the node lost a taint that it does not have at `at`.
    pub fn gone_since(&self, node: NodeId, taint: &Taint, at: Time) -> Option<Time> {
        let last = self.records.partition_point(|record| record.at <= at).checked_sub(1)?;
        let seq = self.records.get(last)?.seq;
        let before = self.nodes.range((node, 0)..=(node, seq)).rev();
        let ((_, change), _) = before.take_while(|(_, list)| !self.has(**list, taint)).last()?;
        Some(self.record(*change)?.at)
    }
}

/// Whether something is a change that the taint manager can react to.
fn is_change(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::NodeCreated { .. }
            | Kind::NodeTaintsChanged { .. }
            | Kind::NodeDeleted { .. }
            | Kind::PodCreated { .. }
            | Kind::PodBound { .. }
            | Kind::PodTolerationsChanged { .. }
            | Kind::PodTerminating { .. }
            | Kind::PodRemoved { .. }
            | Kind::ControllerStopped
            | Kind::WatchRelisted { .. }
    )
}

struct Keep {
    history: History,
    records: Vec<Record>,
    pod: PodId,
}

impl Sink for Keep {
    fn record(&mut self, context: Context<'_>, record: &Record) {
        self.history.record(context, record);
        if record.pod.is_none_or(|pod| pod == self.pod) {
            self.records.push(record.clone());
        }
    }
}
