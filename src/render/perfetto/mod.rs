//! `-o perfetto`: a trace in the JSON Trace Event Format, for ui.perfetto.dev and chrome://tracing.
//! docs/tracing.md has the tracks and what the arrows mean.
//!
//! Each record that is shown is a slice, with the record as its arguments, and an arrow comes to it
//! from its cause. Slices that no record is are what lasts: lives, taints, waits. It is written as
//! the run goes on; what is kept are the tracks, what is open on them, and where each record
//! stands, so that arrows find it.

mod controller;
mod lanes;
mod nodes;
mod pods;
mod trace;

use self::controller::ControllerTracks;
use self::nodes::NodeTracks;
use self::pods::PodTracks;
use self::trace::{Event, ProcessId, Trace, TrackId};
use super::describe::{step_phrase, why};
use super::fields::{RecordWriter, push_text};
use super::jsonl::push_header;
use super::totals::push_summary;
use super::{Ending, Render, View};
use crate::plan::Resource;
use crate::timeline::{Kind, Record};

/// The renderer.
#[derive(Debug, Default)]
pub struct Perfetto {
    trace: Trace,
    writer: RecordWriter,
    /// Reused for the arguments of each record.
    args: Vec<u8>,
    steps: Option<TrackId>,
    controller: ControllerTracks,
    nodes: NodeTracks,
    pods: PodTracks,
}

/// A record, and where its events go.
struct Place<'a> {
    view: View<'a>,
    record: &'a Record,
    event: Event<'a>,
    trace: &'a mut Trace,
    out: &'a mut Vec<u8>,
}

impl Place<'_> {
    /// A record as a point of a track, called after its kind.
    fn point(&mut self, track: TrackId) {
        self.trace.record(self.out, track, &self.event, self.event.kind);
    }

    fn begin(&mut self, track: TrackId, name: &str) {
        self.trace.begin_record(self.out, track, &self.event, name);
    }

    /// Ends the slice of the record `seq`.
    fn end(&mut self, track: TrackId, seq: u32, args: &[u8]) {
        self.trace.end_with(self.out, track, seq, self.event.at, args);
    }

    /// Begins a slice that is no record.
    fn begin_state(&mut self, track: TrackId, name: &str) {
        let slice = trace::Slice { at: self.event.at, name, args: b"{}", seq: 0 };
        self.trace.begin(self.out, track, slice);
    }

    fn end_state(&mut self, track: TrackId) {
        self.trace.end(self.out, track, self.event.at, b"");
    }

    /// Where arrows from a record without a slice begin.
    fn stand(&mut self, track: TrackId) {
        self.trace.set_place(self.event.seq, track, self.event.at);
    }

    fn track(&mut self, process: ProcessId, name: &str, order: u64) -> TrackId {
        self.trace.track(self.out, process, name, order)
    }
}

impl Render for Perfetto {
    fn begin(&mut self, _: View<'_>, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"traceEvents\":[");
    }

    fn record(&mut self, view: View<'_>, record: &Record, out: &mut Vec<u8>) {
        let (seq, cause) = view.selection.numbers(record);
        let Perfetto { trace, writer, args, steps, controller, nodes, pods } = self;
        args.clear();
        writer.push(args, view, record);
        let words = why(view, record);
        if !words.is_empty() {
            args.pop();
            push_text(args, "why", &words);
            args.push(b'}');
        }
        let event = Event { at: record.at, seq, cause, kind: record.kind.name(), args };
        let mut place = Place { view, record, event, trace, out };
        let place = &mut place;
        match &record.kind {
            Kind::StepApplied { step, action } | Kind::StepRejected { step, action, .. } => {
                let track = steps_track(steps, place);
                let mut name = step_phrase(view, *step, *action);
                if let Kind::StepRejected { .. } = record.kind {
                    name.push_str(": rejected");
                }
                place.trace.record(place.out, track, &place.event, &name);
            }
            Kind::Note { .. } => {
                let track = steps_track(steps, place);
                place.trace.record(place.out, track, &place.event, &words);
            }
            Kind::NodeCreated { .. }
            | Kind::NodeTaintsChanged { .. }
            | Kind::NodeDeleted { .. } => nodes.object(place),
            Kind::PodCreated { .. }
            | Kind::PodBound { .. }
            | Kind::PodTolerationsChanged { .. }
            | Kind::PodTerminating { .. }
            | Kind::PodRemoved { .. } => pods.object(place),
            Kind::EvictionScheduled { .. }
            | Kind::EvictionCancelled { .. }
            | Kind::EvictionStarted
            | Kind::EvictionFailed
            | Kind::WorkSkipped { .. }
            | Kind::EventRecorded { .. } => pods.eviction(place),
            Kind::PodFetched { .. } | Kind::StatusPatched { .. } | Kind::DeleteRequested { .. } => {
                pods.at_api_server(place);
            }
            Kind::ApiCall { .. } if record.pod.is_some() => pods.call(place),
            Kind::ApiCall { .. } | Kind::PodsListed { .. } => controller.call(place),
            Kind::ControllerStopped => {
                controller.stopped(place);
                pods.controller_stopped(place);
            }
            Kind::ControllerStarted => {
                controller.started(place);
                pods.controller_started(place);
            }
            Kind::WatchBroken { resource } => controller.watch_broken(*resource, place),
            Kind::WatchRelisted { resource } => controller.watch_relisted(*resource, place),
            Kind::WatchEvent { .. } => {
                let about_pod = record.pod.is_some();
                let resource = if about_pod { Resource::Pods } else { Resource::Nodes };
                controller.watch_event(resource, place);
            }
            Kind::Enqueued(item) | Kind::Deduplicated(item) => match record.pod {
                Some(_) => pods.enqueued(place, controller, *item),
                None => nodes.enqueued(place, controller, *item),
            },
            Kind::Dispatched(item) => controller.dispatched(*item, place),
            Kind::DispatchBlocked(item) => controller.blocked(*item, place),
            Kind::HandlerStarted(item) => controller.handler_started(*item, place),
            Kind::HandlerFinished(item) => controller.handler_finished(*item, place),
            Kind::ChoiceMade { .. } => controller.choice(place),
        }
    }

    fn end(&mut self, view: View<'_>, ending: Ending<'_>, out: &mut Vec<u8>) {
        self.trace.end_all(out, ending.end.at);
        out.extend_from_slice(b"\n],\n\"otherData\":{\"kind\":\"Timeline\"");
        push_header(out, view.context.plan);
        out.extend_from_slice(b",\"summary\":{\"kind\":\"Summary\"");
        push_summary(out, view, ending);
        out.extend_from_slice(b"}}}\n");
    }
}

fn steps_track(steps: &mut Option<TrackId>, place: &mut Place<'_>) -> TrackId {
    *steps.get_or_insert_with(|| {
        let process = place.trace.process(place.out, "scenario", order::SCENARIO);
        place.trace.track(place.out, process, "steps", 0)
    })
}

/// Where processes stand, from the top.
mod order {
    pub(super) const SCENARIO: u64 = 1;
    pub(super) const CONTROLLER: u64 = 2;
    /// The first node; pods come after all nodes.
    pub(super) const NODES: u64 = 10;
}
