//! A broken watch: the events that it misses, and the list by which its informer catches up.
//!
//! client-go's reflector lists again and replaces the informer's cache: what is in the list and in
//! the cache is an update for the event handlers, even where it is another object of the same
//! name; what is in the cache only is a deletion, of the object as it was last known
//! (`DeletedFinalStateUnknown`).

use std::collections::BTreeSet;

use super::choices::Drawn;
use super::event::{Event, schedule};
use super::state::State;
use super::world::World;
use crate::apiserver::{NodeEvent, PodEvent};
use crate::kernel::{Span, Time};
use crate::marks::Mark;
use crate::objects::{NodeId, PodId};
use crate::plan::Resource;
use crate::timeline::{CallPhase, Cause, Kind, Outcome, WatchKind};

/// What is known of a watch that is broken.
#[derive(Debug)]
pub struct Broken {
    /// Names this break: events of others are void.
    number: u32,
    cause: Cause,
    /// The call for the list is on its way, or through.
    is_sent: bool,
    /// The list, while it is on its way.
    list: Option<List>,
}

/// What the store has, and its version then: what is not in the list any more went before that.
#[derive(Debug)]
enum List {
    Pods(Vec<(PodEvent, u64)>, u64),
    Nodes(Vec<(NodeEvent, u64)>, u64),
}

/// The watches that are broken.
#[derive(Debug, Default)]
pub struct BrokenWatches {
    pods: Option<Broken>,
    nodes: Option<Broken>,
    /// Breaks so far.
    count: u32,
}

impl BrokenWatches {
    /// Whether any is.
    pub fn is_any(&self) -> bool {
        self.pods.is_some() || self.nodes.is_some()
    }

    /// Their part of [`super::state`].
    pub fn state(&self, state: &mut State<'_>) {
        for broken in [&self.pods, &self.nodes] {
            state.put(broken.as_ref().map(|broken| (broken.is_sent, broken.list.is_some())));
            match broken.as_ref().and_then(|broken| broken.list.as_ref()) {
                None => {}
                Some(List::Pods(pods, _)) => {
                    state.put(pods.len());
                    pods.iter().for_each(|(event, _)| state.pod(event));
                }
                Some(List::Nodes(nodes, _)) => {
                    state.put(nodes.len());
                    nodes.iter().for_each(|(event, _)| state.node(event));
                }
            }
        }
    }

    /// Whether the resource's watch is broken, by the break of this number.
    pub fn is_of(&self, resource: Resource, number: u32) -> bool {
        let broken = match resource {
            Resource::Pods => &self.pods,
            Resource::Nodes => &self.nodes,
        };
        broken.as_ref().is_some_and(|broken| broken.number == number)
    }

    /// The process is gone, with its informers.
    pub fn forget(&mut self) {
        (self.pods, self.nodes) = (None, None);
    }

    fn slot(&mut self, resource: Resource) -> &mut Option<Broken> {
        match resource {
            Resource::Pods => &mut self.pods,
            Resource::Nodes => &mut self.nodes,
        }
    }
}

impl World<'_> {
    /// Whether the taint manager's process watches a resource.
    pub(super) fn is_watching(&mut self, resource: Resource) -> bool {
        let is_open = match resource {
            Resource::Pods => self.pod_watch.is_open(),
            Resource::Nodes => self.node_watch.is_open(),
        };
        // A watch begins when the list before it is there.
        is_open && self.has_first_lists() && self.broken.slot(resource).is_none()
    }

    /// The watch on a resource breaks: what is under way in it is lost, and so is what happens
    /// until its informer lists again, `down_for` later.
    pub(super) fn break_watch(&mut self, resource: Resource, down_for: Span, cause: Cause) {
        let cause = self.emit(cause, Kind::WatchBroken { resource });
        let is_idle = match resource {
            Resource::Pods => self.pod_watch.is_idle(),
            Resource::Nodes => self.node_watch.is_idle(),
        };
        self.marks.hit_if(Mark::WatchLosesEvents, !is_idle);
        match resource {
            Resource::Pods => self.pod_watch.close(),
            Resource::Nodes => self.node_watch.close(),
        }
        self.broken.count += 1;
        let number = self.broken.count;
        *self.broken.slot(resource) = Some(Broken { number, cause, is_sent: false, list: None });
        let time = self.queue.now().saturating_add(down_for);
        schedule(&mut self.queue, time, Event::Relist(resource, number));
    }

    /// The list of an informer whose watch is broken reaches the store, or the informer.
    pub(super) fn relist(&mut self, resource: Resource, number: u32) {
        // Void where the process was restarted meanwhile.
        let Some(broken) = self.broken.slot(resource).take_if(|b| b.number == number) else {
            return;
        };
        let Broken { cause, is_sent, list, .. } = broken;
        match list {
            None if !is_sent => self.send_list_again(resource, number, cause),
            None => self.list_again(resource, number, cause),
            Some(list) => self.replace(resource, list, cause),
        }
    }

    /// The informer asks for the list.
    fn send_list_again(&mut self, resource: Resource, number: u32, cause: Cause) {
        let (verb, name) = ("list", resource.as_str());
        self.emit(cause, Kind::ApiCall { verb, resource: name, phase: CallPhase::Sent });
        let latency = self.plan.config.api_server.latency.list;
        let latency = self.choices.duration(Drawn::Latency, latency);
        if latency == Span::ZERO {
            return self.list_again(resource, number, cause);
        }
        *self.broken.slot(resource) = Some(Broken { number, cause, is_sent: true, list: None });
        let arrival = self.queue.now().saturating_add(latency);
        schedule(&mut self.queue, arrival, Event::Relist(resource, number));
    }

    /// The store answers, and the new watch opens behind the list.
    fn list_again(&mut self, resource: Resource, number: u32, cause: Cause) {
        let reply = self.plan.config.api_server.reply_latency.list;
        let reply = self.choices.duration(Drawn::ReplyLatency, reply);
        let arrival = self.queue.now().saturating_add(reply);
        let version = self.store.resource_version();
        let list = match resource {
            Resource::Pods => {
                self.pod_watch.open(self.after_list(arrival));
                let pods = self.store.pods().into_iter();
                let of = |(p, o)| (PodEvent::of(p, &o), o.resource_version);
                List::Pods(pods.map(of).collect(), version)
            }
            Resource::Nodes => {
                self.node_watch.open(self.after_list(arrival));
                let nodes = self.store.nodes().into_iter();
                let of = |(n, o)| (NodeEvent::of(n, &o), o.resource_version);
                List::Nodes(nodes.map(of).collect(), version)
            }
        };
        if reply == Span::ZERO {
            return self.replace(resource, list, cause);
        }
        *self.broken.slot(resource) =
            Some(Broken { number, cause, is_sent: true, list: Some(list) });
        schedule(&mut self.queue, arrival, Event::Relist(resource, number));
    }

    /// When the first event of a watch may arrive behind a list that arrives at this time: at the
    /// same instant, where the order is first in, first out.
    pub(super) fn after_list(&self, arrival: Time) -> Time {
        let later = Span(u64::from(self.choices.is_random()));
        arrival.saturating_add(later)
    }

    /// The informer's cache becomes the list.
    fn replace(&mut self, resource: Resource, list: List, cause: Cause) {
        let phase = CallPhase::Answered(Outcome::Ok);
        self.emit(cause, Kind::ApiCall { verb: "list", resource: resource.as_str(), phase });
        let cause = self.emit(cause, Kind::WatchRelisted { resource });
        match list {
            List::Pods(list, version) => self.replace_pods(&list, version, cause),
            List::Nodes(list, version) => self.replace_nodes(&list, version, cause),
        }
    }

    fn replace_pods(&mut self, list: &[(PodEvent, u64)], list_version: u64, cause: Cause) {
        let listed: BTreeSet<PodId> = list.iter().map(|(event, _)| event.pod).collect();
        let gone = self.pod_informer.names().filter(|pod| !listed.contains(pod));
        let gone: Vec<PodId> = gone.collect();
        self.marks.hit_if(Mark::RelistMissedDelete, !gone.is_empty());
        let mut is_news = !gone.is_empty();
        for (event, version) in list {
            let known = self.pod_informer.get(event.pod).copied();
            let is_other = known.is_some_and(|known| known.uid != event.uid);
            self.marks.hit_if(Mark::RelistReplacedPod, is_other);
            is_news |= known != Some(*event);
            // An update that changes nothing is dropped by every event handler.
            match known {
                None => self.pod_heard_of(WatchKind::Added, *event, *version, cause),
                Some(known) if known == *event => {}
                Some(_) => self.pod_heard_of(WatchKind::Modified, *event, *version, cause),
            }
        }
        self.marks.hit_if(Mark::RelistNothingNew, !is_news);
        for pod in gone {
            if let Some(last_known) = self.pod_informer.get(pod).copied() {
                self.pod_heard_of(WatchKind::Deleted, last_known, list_version, cause);
            }
        }
    }

    fn replace_nodes(&mut self, list: &[(NodeEvent, u64)], list_version: u64, cause: Cause) {
        let listed: BTreeSet<NodeId> = list.iter().map(|(event, _)| event.node).collect();
        let gone = self.node_informer.names().filter(|node| !listed.contains(node));
        let gone: Vec<NodeId> = gone.collect();
        self.marks.hit_if(Mark::RelistMissedDelete, !gone.is_empty());
        let mut is_news = !gone.is_empty();
        for (event, version) in list {
            let known = self.node_informer.get(event.node);
            is_news |= known != Some(event.taints);
            match known {
                None => self.node_heard_of(WatchKind::Added, *event, *version, cause),
                Some(taints) if taints == event.taints => {}
                Some(_) => self.node_heard_of(WatchKind::Modified, *event, *version, cause),
            }
        }
        self.marks.hit_if(Mark::RelistNothingNew, !is_news);
        for node in gone {
            if let Some(taints) = self.node_informer.get(node) {
                let last_known = NodeEvent { node, taints };
                self.node_heard_of(WatchKind::Deleted, last_known, list_version, cause);
            }
        }
    }
}
