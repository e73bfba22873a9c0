//! A process for each pod's name: the lives that it has, what happens to the object, its timers,
//! the runs of its deletion with their calls, and its items in the work queue.
//!
//! A name can have several timers and deletions at once: an orphaned timer beside a new one, two
//! deletion runs that are both in their retries. Each takes the first track of its sort that is
//! free.

use std::collections::BTreeMap;

use super::controller::ControllerTracks;
use super::lanes::{Lane, Lanes};
use super::trace::{ProcessId, TrackId};
use super::{Place, order};
use crate::kernel::time::Time;
use crate::objects::PodId;
use crate::timeline::{CallPhase, Item, Kind, Outcome};

/// The tracks of all pods.
#[derive(Debug, Default)]
pub(super) struct PodTracks {
    pods: BTreeMap<PodId, Pod>,
}

#[derive(Debug)]
struct Pod {
    process: ProcessId,
    life: TrackId,
    /// Slices that are open on `life`: the pod, where it is, that it is terminating.
    depth: u8,
    /// Points by their sort, in the order of [`POINTS`].
    points: [Option<TrackId>; POINTS.len()],
    timers: Vec<Timer>,
    timer_lanes: Lanes,
    /// The newest piece of work; older ones that are still open cannot be cancelled.
    newest: u32,
    deletions: Vec<Deletion>,
    deletion_lanes: Lanes,
}

/// A piece of work that waits.
#[derive(Debug)]
struct Timer {
    seq: u32,
    lane: Lane,
    fire_at: Time,
}

/// A deletion that runs.
#[derive(Debug)]
struct Deletion {
    seq: u32,
    lane: Lane,
    /// Its call that is under way.
    call: Option<u32>,
}

const OBJECT: usize = 0;
const ITEMS: usize = 1;
const CONTROLLER: usize = 2;
const API_SERVER: usize = 3;
const POINTS: [(&str, u64); 4] = [
    ("object", 1),
    ("items in the work queue", 2),
    ("taint manager", 3),
    ("calls at the API server", 200),
];

impl PodTracks {
    /// The object came, changed, or went.
    pub(super) fn object(&mut self, place: &mut Place<'_>) {
        let Some((id, pod)) = self.pod(place) else { return };
        let names = place.view.context.names();
        let whereabouts = match place.record.node {
            Some(node) => format!("on {}", names.node(node)),
            None => "Pending".to_owned(),
        };
        match place.record.kind {
            Kind::PodCreated { uid, .. } => {
                pod.close(place, 0);
                pod.open(place, &format!("{} (uid {})", names.pod(id), uid.0));
                pod.open(place, &whereabouts);
                let life = place.view.history.incarnation(uid);
                if life.is_some_and(|life| life.terminating_at().is_some()) {
                    pod.open(place, "Terminating");
                }
            }
            Kind::PodBound { .. } if pod.depth > 0 => {
                pod.close(place, 1);
                pod.open(place, &whereabouts);
            }
            Kind::PodTerminating { .. } if pod.depth == 2 => pod.open(place, "Terminating"),
            Kind::PodRemoved { .. } => pod.close(place, 0),
            _ => {}
        }
        let track = pod.points(place, OBJECT);
        place.point(track);
    }

    /// What the taint manager decides and does about a pod, its calls apart.
    pub(super) fn eviction(&mut self, place: &mut Place<'_>) {
        let Some((_, pod)) = self.pod(place) else { return };
        match &place.record.kind {
            Kind::EvictionScheduled { fire_at, .. } => pod.scheduled(place, *fire_at),
            Kind::EvictionStarted => pod.started(place),
            Kind::EvictionCancelled { .. } => {
                let track = pod.points(place, CONTROLLER);
                place.point(track);
                let newest = pod.newest;
                pod.end_timers(place, b"{\"state\":\"cancelled\"}", |timer| timer.seq == newest);
            }
            Kind::EvictionFailed => {
                let track = pod.points(place, CONTROLLER);
                place.point(track);
                let run = place.event.cause;
                pod.end_deletions(place, b"{\"result\":\"gave up\"}", |d| Some(d.seq) == run);
            }
            _ => {
                let track = pod.points(place, CONTROLLER);
                place.point(track);
            }
        }
    }

    /// A call of a deletion reached the store.
    pub(super) fn at_api_server(&mut self, place: &mut Place<'_>) {
        let Some((_, pod)) = self.pod(place) else { return };
        let track = pod.points(place, API_SERVER);
        place.point(track);
    }

    /// A call of a deletion is sent, or answered.
    pub(super) fn call(&mut self, place: &mut Place<'_>) {
        let Some((_, pod)) = self.pod(place) else { return };
        let Kind::ApiCall { verb, resource, phase } = place.record.kind else { return };
        let cause = place.event.cause;
        let (seq, args) = (place.event.seq, place.event.args);
        match phase {
            CallPhase::Sent => {
                let run = pod.deletions.iter_mut().find(|run| Some(run.seq) == cause);
                let Some(run) = run else { return };
                if let Some(unanswered) = run.call.replace(seq) {
                    place.end(run.lane.track, unanswered, b"");
                }
                place.begin(run.lane.track, &format!("{verb} {resource}"));
            }
            CallPhase::Answered(outcome) => {
                let is_of = |run: &&mut Deletion| cause.is_some() && run.call == cause;
                let run = pod.deletions.iter_mut().find(is_of);
                let Some(run) = run else { return };
                let (track, number) = (run.lane.track, run.seq);
                if let Some(call) = run.call.take() {
                    let mut answer = b"{\"answer\":".to_vec();
                    answer.extend_from_slice(args);
                    answer.push(b'}');
                    place.end(track, call, &answer);
                }
                place.stand(track);
                if verb == "delete" && outcome == Outcome::Ok {
                    pod.end_deletions(place, b"{\"result\":\"deleted\"}", |d| d.seq == number);
                }
            }
        }
    }

    /// An item about a pod came into its queue.
    pub(super) fn enqueued(
        &mut self,
        place: &mut Place<'_>,
        controller: &mut ControllerTracks,
        item: Item,
    ) {
        let Some((_, pod)) = self.pod(place) else { return };
        let track = pod.points(place, ITEMS);
        place.point(track);
        controller.enqueued(item, place);
    }

    /// Timers are lost. Deletions end with their process, unless it waits for them (1.35): then
    /// those that start at once still begin.
    pub(super) fn controller_stopped(&mut self, place: &mut Place<'_>) {
        let (now, waits) = (place.event.at, place.view.context.plan.config.switches.graceful_stop);
        for pod in self.pods.values_mut() {
            let is_lost = |timer: &Timer| !waits || timer.fire_at > now;
            pod.end_timers(place, b"{\"state\":\"lost\"}", is_lost);
            pod.end_deletions(place, b"{\"result\":\"ended with its process\"}", |_| !waits);
        }
    }

    /// Nothing of the process before is left.
    pub(super) fn controller_started(&mut self, place: &mut Place<'_>) {
        for pod in self.pods.values_mut() {
            pod.end_timers(place, b"{\"state\":\"lost\"}", |_| true);
        }
    }

    fn pod(&mut self, place: &mut Place<'_>) -> Option<(PodId, &mut Pod)> {
        let id = place.record.pod?;
        let pod = self.pods.entry(id).or_insert_with(|| {
            let names = place.view.context.names();
            let order = order::NODES + (names.node_count() + id.index()) as u64;
            let name = format!("pod {}", names.pod(id));
            let process = place.trace.process(place.out, &name, order);
            Pod {
                process,
                life: place.track(process, "life", 0),
                depth: 0,
                points: Default::default(),
                timers: Vec::new(),
                timer_lanes: Lanes::default(),
                newest: 0,
                deletions: Vec::new(),
                deletion_lanes: Lanes::default(),
            }
        });
        Some((id, pod))
    }
}

impl Pod {
    fn open(&mut self, place: &mut Place<'_>, name: &str) {
        place.begin_state(self.life, name);
        self.depth += 1;
    }

    /// Ends the slices of its life but the outer `depth`.
    fn close(&mut self, place: &mut Place<'_>, depth: u8) {
        while self.depth > depth {
            place.end_state(self.life);
            self.depth -= 1;
        }
    }

    fn points(&mut self, place: &mut Place<'_>, sort: usize) -> TrackId {
        let (name, order) = POINTS[sort];
        *self.points[sort].get_or_insert_with(|| place.track(self.process, name, order))
    }

    fn scheduled(&mut self, place: &mut Place<'_>, fire_at: Time) {
        let lane = self.timer_lanes.take(place, (self.process, "timer", 10));
        let name = match fire_at > place.event.at {
            true => format!("armed: fires at {fire_at}"),
            false => "due at once".to_owned(),
        };
        place.begin(lane.track, &name);
        self.newest = place.event.seq;
        self.timers.push(Timer { seq: place.event.seq, lane, fire_at });
    }

    fn started(&mut self, place: &mut Place<'_>) {
        let lane = self.deletion_lanes.take(place, (self.process, "deletion", 100));
        let cause = place.event.cause;
        let timer = self.timers.iter().position(|timer| Some(timer.seq) == cause);
        match timer.map(|index| self.timers.remove(index)) {
            Some(timer) => {
                let ending = (timer.lane.track, &b"{\"state\":\"fired\"}"[..]);
                let Place { trace, out, event, .. } = place;
                trace.hand_over(out, ending, lane.track, event, "deletion");
                self.timer_lanes.give_back(timer.lane);
            }
            // Cancelled, or its process stopped, between its timer and its function.
            None => place.begin(lane.track, "deletion"),
        }
        self.deletions.push(Deletion { seq: place.event.seq, lane, call: None });
    }

    fn end_timers(&mut self, place: &mut Place<'_>, args: &[u8], which: impl Fn(&Timer) -> bool) {
        self.timers.retain(|timer| {
            let ends = which(timer);
            if ends {
                place.end(timer.lane.track, timer.seq, args);
                self.timer_lanes.give_back(timer.lane);
            }
            !ends
        });
    }

    fn end_deletions(
        &mut self,
        place: &mut Place<'_>,
        args: &[u8],
        which: impl Fn(&Deletion) -> bool,
    ) {
        self.deletions.retain(|run| {
            let ends = which(run);
            if ends {
                place.end(run.lane.track, run.seq, args);
                self.deletion_lanes.give_back(run.lane);
            }
            !ends
        });
    }
}
