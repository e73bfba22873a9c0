//! The controller's process: whether it runs, its informers, what waits in its queues, its
//! dispatchers, and each shard with its channels and its worker.

use std::collections::BTreeMap;

use super::lanes::{Lane, Lanes};
use super::trace::{ProcessId, TrackId};
use super::{Place, order};
use crate::plan::Resource;
use crate::render::fields::item_text;
use crate::timeline::{CallPhase, Item, Kind, QueueName};

/// Its tracks.
#[derive(Debug, Default)]
pub(super) struct ControllerTracks {
    process: Option<ProcessId>,
    tracks: BTreeMap<Part, TrackId>,
    /// The slice that is open on a part: the number of its record.
    open: BTreeMap<Part, u32>,
    /// Items of the node queue and of the pod queue that no dispatcher has taken.
    waiting: [u64; 2],
    /// Places of each channel.
    channels: BTreeMap<Channel, Lanes>,
    /// Items in channels, by the number of the record that put them there.
    in_channels: BTreeMap<u32, (Lane, Channel)>,
    /// Calls of handlers, by number.
    calls: BTreeMap<u32, TrackId>,
}

/// A shard's channel of nodes (false) or pods.
type Channel = (u32, bool);

/// What has one track; the order is that of the tracks. `bool` is whether it is about pods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Process,
    Informer(bool),
    List(bool),
    Broken(bool),
    Dispatcher(bool),
    Choices,
    Worker(u32),
}

impl Part {
    fn name(self) -> String {
        let about = |pods: bool| if pods { "pods" } else { "nodes" };
        match self {
            Part::Process => "process".to_owned(),
            Part::Informer(pods) => format!("informer of {}", about(pods)),
            Part::List(pods) => format!("list {}", about(pods)),
            Part::Broken(pods) => format!("watch of {}", about(pods)),
            Part::Dispatcher(pods) => format!("dispatcher of {}", queue_name(pods).as_str()),
            Part::Choices => "choices".to_owned(),
            Part::Worker(shard) => format!("shard {shard}: worker"),
        }
    }

    fn order(self) -> u64 {
        match self {
            Part::Process => 0,
            Part::Informer(pods) => 1 + u64::from(pods),
            Part::List(pods) => 3 + u64::from(pods),
            Part::Broken(pods) => 5 + u64::from(pods),
            Part::Dispatcher(pods) => 7 + u64::from(pods),
            Part::Choices => 9,
            Part::Worker(shard) => shard_order(shard),
        }
    }
}

/// A shard's tracks: the worker, the channel of nodes, that of pods.
fn shard_order(shard: u32) -> u64 {
    /// More than a channel has places.
    const ROOM: u64 = 1 << 22;
    10 + u64::from(shard) * ROOM
}

fn queue_name(pods: bool) -> QueueName {
    if pods { QueueName::Pod } else { QueueName::Node }
}

fn is_pods(queue: QueueName) -> bool {
    queue == QueueName::Pod
}

impl ControllerTracks {
    fn process(&mut self, place: &mut Place<'_>) -> ProcessId {
        *self.process.get_or_insert_with(|| {
            place.trace.process(place.out, "taint manager", order::CONTROLLER)
        })
    }

    fn part(&mut self, place: &mut Place<'_>, part: Part) -> TrackId {
        let process = self.process(place);
        *self.tracks.entry(part).or_insert_with(|| place.track(process, &part.name(), part.order()))
    }

    fn begin(&mut self, place: &mut Place<'_>, part: Part, name: &str) {
        self.end(place, part, b"");
        let track = self.part(place, part);
        place.begin(track, name);
        self.open.insert(part, place.event.seq);
    }

    fn end(&mut self, place: &mut Place<'_>, part: Part, args: &[u8]) {
        if let Some(seq) = self.open.remove(&part) {
            let track = self.part(place, part);
            place.end(track, seq, args);
        }
    }

    /// All that the process does ends with it.
    pub(super) fn stopped(&mut self, place: &mut Place<'_>) {
        const ENDED: &[u8] = b"{\"end\":\"with the process\"}";
        let parts: Vec<Part> = self.open.keys().copied().collect();
        parts.into_iter().for_each(|part| self.end(place, part, ENDED));
        for (seq, (lane, channel)) in std::mem::take(&mut self.in_channels) {
            place.end(lane.track, seq, ENDED);
            self.channels.entry(channel).or_default().give_back(lane);
        }
        self.calls.clear();
        self.begin(place, Part::Process, "stopped");
        for pods in [false, true] {
            self.set_waiting(place, pods, 0);
        }
    }

    /// A new process works.
    pub(super) fn started(&mut self, place: &mut Place<'_>) {
        let track = self.part(place, Part::Process);
        self.end(place, Part::Process, b"");
        place.point(track);
    }

    /// An informer's watch is broken, until it has listed again.
    pub(super) fn watch_broken(&mut self, resource: Resource, place: &mut Place<'_>) {
        self.begin(place, Part::Broken(resource == Resource::Pods), "broken");
    }

    /// It has.
    pub(super) fn watch_relisted(&mut self, resource: Resource, place: &mut Place<'_>) {
        self.end(place, Part::Broken(resource == Resource::Pods), b"");
        self.watch_event(resource, place);
    }

    /// An informer hears of an object.
    pub(super) fn watch_event(&mut self, resource: Resource, place: &mut Place<'_>) {
        let track = self.part(place, Part::Informer(resource == Resource::Pods));
        place.point(track);
    }

    /// Something was drawn.
    pub(super) fn choice(&mut self, place: &mut Place<'_>) {
        let track = self.part(place, Part::Choices);
        place.point(track);
    }

    /// A list: of an informer, or of a handler that needs a node's pods.
    pub(super) fn call(&mut self, place: &mut Place<'_>) {
        let cause = place.event.cause;
        let Kind::ApiCall { resource, phase, .. } = place.record.kind else {
            // The list at the store, inside its call.
            let of_call = cause.and_then(|cause| self.calls.get(&cause)).copied();
            let track = match of_call {
                Some(track) => track,
                None => self.part(place, Part::List(true)),
            };
            return place.point(track);
        };
        let part = Part::List(resource == Resource::Pods.as_str());
        match (phase, place.record.node) {
            (CallPhase::Sent, None) => self.begin(place, part, "list"),
            (CallPhase::Answered(_), None) => {
                self.end(place, part, b"");
                let track = self.part(place, part);
                place.stand(track);
            }
            (CallPhase::Sent, Some(_)) => {
                let handler = self.open.iter().find(|(_, seq)| Some(**seq) == cause);
                let part = handler.map_or(part, |(part, _)| *part);
                let track = self.part(place, part);
                place.begin(track, "list pods");
                self.calls.insert(place.event.seq, track);
            }
            (CallPhase::Answered(_), Some(_)) => {
                let call = cause.and_then(|call| Some((call, self.calls.remove(&call)?)));
                if let Some((call, track)) = call {
                    place.end(track, call, b"");
                    place.stand(track);
                }
            }
        }
    }

    /// An item came into its queue; one more waits, unless it was there already.
    pub(super) fn enqueued(&mut self, item: Item, place: &mut Place<'_>) {
        if let Kind::Enqueued(_) = place.record.kind {
            let pods = is_pods(item.queue);
            self.set_waiting(place, pods, self.waiting[usize::from(pods)] + 1);
        }
    }

    fn taken(&mut self, place: &mut Place<'_>, pods: bool) {
        self.set_waiting(place, pods, self.waiting[usize::from(pods)].saturating_sub(1));
    }

    fn set_waiting(&mut self, place: &mut Place<'_>, pods: bool, count: u64) {
        if std::mem::replace(&mut self.waiting[usize::from(pods)], count) != count {
            let process = self.process(place);
            let name = queue_name(pods).as_str();
            place.trace.counter(place.out, process, place.event.at, name, count);
        }
    }

    /// A dispatcher has taken an item that its channel has no room for.
    pub(super) fn blocked(&mut self, item: Item, place: &mut Place<'_>) {
        let pods = is_pods(item.queue);
        self.taken(place, pods);
        let item_name = item_text(place.view.context, place.record, &item);
        let name = format!("blocked on shard {} with {item_name}", item.shard);
        self.begin(place, Part::Dispatcher(pods), &name);
    }

    /// An item waits in a channel.
    pub(super) fn dispatched(&mut self, item: Item, place: &mut Place<'_>) {
        let Item { queue, shard } = item;
        let pods = is_pods(queue);
        let part = Part::Dispatcher(pods);
        match self.open.contains_key(&part) {
            true => self.end(place, part, b""),
            false => self.taken(place, pods),
        }
        let process = self.process(place);
        let (word, first) = if pods { ("pod", 1 << 21) } else { ("node", 1) };
        let name = format!("shard {shard}: {word} channel");
        let lanes = self.channels.entry((shard, pods)).or_default();
        let lane = lanes.take(place, (process, &name, shard_order(shard) + first));
        place.begin(lane.track, &item_text(place.view.context, place.record, &item));
        self.in_channels.insert(place.event.seq, (lane, (shard, pods)));
    }

    /// A worker takes an item out of its channel.
    pub(super) fn handler_started(&mut self, item: Item, place: &mut Place<'_>) {
        let part = Part::Worker(item.shard);
        self.end(place, part, b"");
        let track = self.part(place, part);
        let name = format!("handle {}", item_text(place.view.context, place.record, &item));
        let cause = place.event.cause;
        match cause.and_then(|cause| self.in_channels.remove(&cause)) {
            Some((lane, channel)) => {
                let Place { trace, out, event, .. } = place;
                trace.hand_over(out, (lane.track, b""), track, event, &name);
                self.channels.entry(channel).or_default().give_back(lane);
            }
            None => place.begin(track, &name),
        }
        self.open.insert(part, place.event.seq);
    }

    /// It is done with it.
    pub(super) fn handler_finished(&mut self, item: Item, place: &mut Place<'_>) {
        let part = Part::Worker(item.shard);
        let args = place.event.args;
        let mut finished = b"{\"finished\":".to_vec();
        finished.extend_from_slice(args);
        finished.push(b'}');
        self.end(place, part, &finished);
        let track = self.part(place, part);
        place.stand(track);
    }
}
