//! Work queues, dispatchers, channels and workers.

use std::collections::BTreeMap;

use super::{CAPACITY, DISPATCHER, KEY_TWICE, QUEUE, QUIET, Report, SHARD, WORKER};
use crate::objects::{NodeId, PodId};
use crate::plan::Plan;
use crate::timeline::{Context, Item, Kind, QueueName, Record};

/// An item: a node, or a pod with the node that the item carries.
type Key = (Option<PodId>, Option<NodeId>);

#[derive(Clone, Copy, Debug, Default)]
struct Places {
    /// So many wait in the queue.
    waiting: u32,
    /// So many are between the queue and the end of their handler.
    taken: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Shard {
    nodes: u32,
    pods: u32,
    handles: Option<(QueueName, Key)>,
}

/// Follows items from their queue to the end of their handler.
#[derive(Debug, Default)]
pub struct Queues {
    unique: bool,
    node_capacity: u32,
    pod_capacity: u32,
    items: BTreeMap<Key, Places>,
    shards: Vec<Shard>,
    blocked_node: Option<Key>,
    blocked_pod: Option<Key>,
    down: bool,
}

impl Queues {
    pub fn reset(&mut self, plan: &Plan) {
        let config = &plan.config.taint_manager;
        self.unique = plan.config.switches.deduplicated_items;
        self.node_capacity = config.node_channel_capacity;
        self.pod_capacity = config.pod_channel_capacity;
        self.shards.clear();
        self.shards.resize(config.workers as usize, Shard::default());
        self.forget();
        self.down = !config.enabled;
    }

    fn forget(&mut self) {
        self.items.clear();
        self.shards.fill(Shard::default());
        self.blocked_node = None;
        self.blocked_pod = None;
    }

    pub fn record(&mut self, context: Context<'_>, record: &Record, report: &mut Report) {
        match record.kind {
            Kind::ControllerStopped => {
                self.forget();
                self.down = true;
            }
            Kind::ControllerStarted => self.down = false,
            _ => {}
        }
        let Some(&item) = record.kind.item() else { return };
        let key = (record.pod, record.node);
        let waits = matches!(record.kind, Kind::Enqueued(_) | Kind::Deduplicated(_));
        if self.down && !waits {
            report.say(&QUIET, record.at, || {
                format!("{} of {} with no process", record.kind.name(), words(context, key))
            });
        }
        if item.shard as usize >= self.shards.len() {
            report.say(&SHARD, record.at, || format!("there is no shard {}", item.shard));
            return;
        }
        match record.kind {
            Kind::Enqueued(_) | Kind::Deduplicated(_) => {
                self.added(context, record, (key, item), report);
            }
            Kind::DispatchBlocked(_) => self.blocked(context, record, (key, item), report),
            Kind::Dispatched(_) => self.dispatched(context, record, (key, item), report),
            Kind::HandlerStarted(_) => self.handled(context, record, (key, item), report),
            Kind::HandlerFinished(_) => self.finished(context, record, (key, item), report),
            _ => {}
        }
    }

    fn added(
        &mut self,
        context: Context<'_>,
        record: &Record,
        (key, item): (Key, Item),
        report: &mut Report,
    ) {
        let node = key.1.map_or("", |node| context.names().node(node));
        let expected = fnv1a(node) % self.shards.len() as u32;
        if item.shard != expected {
            report.say(&SHARD, record.at, || {
                format!("{} goes to {}, not {expected}", words(context, key), item.shard)
            });
        }
        let dropped = matches!(record.kind, Kind::Deduplicated(_));
        let places = self.items.entry(key).or_default();
        let wrong = match dropped {
            true => !self.unique || places.waiting == 0,
            false => self.unique && places.waiting > 0,
        };
        if wrong {
            let waiting = places.waiting;
            report.say(&QUEUE, record.at, || {
                let kind = record.kind.name();
                format!("{kind} of {} while {waiting} of it wait", words(context, key))
            });
        }
        places.waiting += u32::from(!dropped);
    }

    /// A dispatcher took the item from its queue.
    fn taken(&mut self, context: Context<'_>, record: &Record, key: Key, report: &mut Report) {
        let places = self.items.entry(key).or_default();
        if places.waiting == 0 {
            report.say(&QUEUE, record.at, || {
                format!("{} leaves its queue, but was not there", words(context, key))
            });
        }
        places.waiting = places.waiting.saturating_sub(1);
        places.taken += 1;
        if self.unique && places.taken > 1 {
            report.say(&KEY_TWICE, record.at, || {
                format!("{} is dispatched, and has not been done", words(context, key))
            });
        }
    }

    fn blocked(
        &mut self,
        context: Context<'_>,
        record: &Record,
        (key, item): (Key, Item),
        report: &mut Report,
    ) {
        self.taken(context, record, key, report);
        let shard = self.shards[item.shard as usize];
        let (slot, full) = match item.queue {
            QueueName::Node => (&mut self.blocked_node, shard.nodes == self.node_capacity),
            // The worker may hold one that has left the channel.
            QueueName::Pod => (
                &mut self.blocked_pod,
                shard.pods == self.pod_capacity || shard.pods == self.pod_capacity + 1,
            ),
        };
        if !full {
            report.say(&CAPACITY, record.at, || {
                format!("{} waits for a channel that has room", words(context, key))
            });
        }
        if slot.replace(key).is_some() {
            report.say(&DISPATCHER, record.at, || {
                format!("{} is taken by a dispatcher that waits", words(context, key))
            });
        }
    }

    fn dispatched(
        &mut self,
        context: Context<'_>,
        record: &Record,
        (key, item): (Key, Item),
        report: &mut Report,
    ) {
        let slot = match item.queue {
            QueueName::Node => &mut self.blocked_node,
            QueueName::Pod => &mut self.blocked_pod,
        };
        let was_blocked = slot.take();
        match was_blocked {
            None => self.taken(context, record, key, report),
            Some(waits) if waits == key => {}
            Some(waits) => report.say(&DISPATCHER, record.at, || {
                format!("{} overtakes {}", words(context, key), words(context, waits))
            }),
        }
        // Where a receive made room, the received item is recorded after the one that got its
        // place; a pod that was received may be held while nodes are handled.
        let shard = &mut self.shards[item.shard as usize];
        let room = u32::from(was_blocked.is_some());
        let over = match item.queue {
            QueueName::Node => {
                shard.nodes += 1;
                shard.nodes > self.node_capacity + room
            }
            QueueName::Pod => {
                shard.pods += 1;
                shard.pods > self.pod_capacity + 1
            }
        };
        if over {
            let shard = *shard;
            report.say(&CAPACITY, record.at, || {
                format!("{} is one too many in its channel: {shard:?}", words(context, key))
            });
        }
    }

    fn handled(
        &mut self,
        context: Context<'_>,
        record: &Record,
        (key, item): (Key, Item),
        report: &mut Report,
    ) {
        let shard = &mut self.shards[item.shard as usize];
        let (count, capacity) = match item.queue {
            QueueName::Node => (&mut shard.nodes, self.node_capacity),
            QueueName::Pod => (&mut shard.pods, self.pod_capacity),
        };
        let was_there = *count > 0;
        *count = count.saturating_sub(1);
        let over = *count > capacity;
        let nodes_first = item.queue == QueueName::Pod && shard.nodes > 0;
        if !was_there || nodes_first || shard.handles.is_some() {
            let shard = *shard;
            report.say(&WORKER, record.at, || {
                format!("{} is handled by a worker with {shard:?}", words(context, key))
            });
        }
        if over {
            let shard = *shard;
            report
                .say(&CAPACITY, record.at, || format!("a channel is over its capacity: {shard:?}"));
        }
        shard.handles = Some((item.queue, key));
    }

    fn finished(
        &mut self,
        context: Context<'_>,
        record: &Record,
        (key, item): (Key, Item),
        report: &mut Report,
    ) {
        let shard = &mut self.shards[item.shard as usize];
        let handled = shard.handles.take();
        if handled != Some((item.queue, key)) {
            report.say(&WORKER, record.at, || {
                format!("{} is done, but the worker had {handled:?}", words(context, key))
            });
        }
        if let Some(places) = self.items.get_mut(&key) {
            places.taken = places.taken.saturating_sub(1);
        }
    }
}

fn words(context: Context<'_>, (pod, node): Key) -> String {
    let names = context.names();
    let node = node.map_or("", |node| names.node(node));
    match pod {
        Some(pod) => format!("{}@{node}", names.pod(pod)),
        None => node.to_owned(),
    }
}

/// The 32-bit hash by which items find their shard.
fn fnv1a(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::fnv1a;

    #[test]
    fn names_hash_as_go_hashes_them() {
        for (name, hash) in [("", 0x811c_9dc5), ("node1", 0x0f4e_2874), ("node-0", 0x53c4_31f0)] {
            assert_eq!(fnv1a(name), hash, "{name}");
        }
    }
}
