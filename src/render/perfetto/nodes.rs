//! A process for each node: its life, what happens to its object, its items in the work queue, and
//! a track for each taint key and effect.

use std::collections::BTreeMap;

use super::controller::ControllerTracks;
use super::trace::{ProcessId, TrackId};
use super::{Place, order};
use crate::objects::{NodeId, Taint};
use crate::timeline::{Item, Kind};

/// The tracks of all nodes.
#[derive(Debug, Default)]
pub(super) struct NodeTracks {
    nodes: BTreeMap<NodeId, Node>,
}

#[derive(Debug)]
struct Node {
    process: ProcessId,
    life: TrackId,
    object: TrackId,
    items: Option<TrackId>,
    is_alive: bool,
    /// By key and effect.
    taints: BTreeMap<(Box<str>, Box<str>), TaintTrack>,
}

#[derive(Debug)]
struct TaintTrack {
    track: TrackId,
    /// The taint as kubectl writes it, while the node has it.
    now: Option<String>,
}

impl NodeTracks {
    /// The node came, changed, or went.
    pub(super) fn object(&mut self, place: &mut Place<'_>) {
        let Some(id) = place.record.node else { return };
        let lists = place.view.context.lists;
        let node = self.node(place, id);
        match place.record.kind {
            Kind::NodeDeleted { .. } => {
                node.set_taints(place, &[]);
                if std::mem::take(&mut node.is_alive) {
                    place.end_state(node.life);
                }
                place.point(node.object);
            }
            Kind::NodeCreated { taints } | Kind::NodeTaintsChanged { taints } => {
                if !std::mem::replace(&mut node.is_alive, true) {
                    place.begin_state(node.life, place.view.context.names().node(id));
                }
                place.point(node.object);
                node.set_taints(place, lists.taints(taints));
            }
            _ => {}
        }
    }

    /// An item about a node came into its queue.
    pub(super) fn enqueued(
        &mut self,
        place: &mut Place<'_>,
        controller: &mut ControllerTracks,
        item: Item,
    ) {
        let Some(id) = place.record.node else { return };
        let node = self.node(place, id);
        let process = node.process;
        let track =
            *node.items.get_or_insert_with(|| place.track(process, "items in the work queue", 2));
        place.point(track);
        controller.enqueued(item, place);
    }

    fn node(&mut self, place: &mut Place<'_>, id: NodeId) -> &mut Node {
        self.nodes.entry(id).or_insert_with(|| {
            let name = format!("node {}", place.view.context.names().node(id));
            let order = order::NODES + id.index() as u64;
            let process = place.trace.process(place.out, &name, order);
            Node {
                process,
                life: place.track(process, "life", 0),
                object: place.track(process, "object", 1),
                items: None,
                is_alive: false,
                taints: BTreeMap::new(),
            }
        })
    }
}

impl Node {
    /// Ends and begins slices of taints, so that those of this list are open.
    fn set_taints(&mut self, place: &mut Place<'_>, taints: &[Taint]) {
        let key_of = |taint: &Taint| (taint.key.clone(), taint.effect.as_str().into());
        for ((key, effect), lane) in &mut self.taints {
            let now = taints.iter().find(|t| t.key == *key && t.effect.as_str() == &**effect);
            if lane.now.is_some() && lane.now != now.map(Taint::to_string) {
                lane.now = None;
                place.end_state(lane.track);
            }
        }
        for taint in taints {
            let count = self.taints.len() as u64;
            let process = self.process;
            let lane = self.taints.entry(key_of(taint)).or_insert_with(|| {
                let name = format!("taint {}:{}", taint.key, taint.effect.as_str());
                TaintTrack { track: place.track(process, &name, 10 + count), now: None }
            });
            if lane.now.is_none() {
                let text = taint.to_string();
                place.begin_state(lane.track, &text);
                lane.now = Some(text);
            }
        }
    }
}
