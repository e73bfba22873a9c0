//! Events of the Trace Event Format, one a line: slices that nest, and arrows between them.
//!
//! A slice is a `B` and an `E`. Times are decimal text made of integers: exact to the nanosecond,
//! and where an importer rounds them down, their order stays, so that slices still nest. A point is
//! a slice without length; its `E` is held back until the next event of its track, so that arrows
//! can leave it for as long as it is its track's newest. An arrow from an older slice leaves from a
//! point of its own, at the time and on the track of that slice. Importers sort by time and keep
//! the order of the file where times are equal, so such a point stays in one piece.
//!
//! What is kept: twelve bytes for each record, and about sixty for each track.

use crate::kernel::time::Time;
use crate::render::fields::{push_number, push_text};
use crate::render::text::push_integer;

/// A thread of the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TrackId(u32);

/// A process of the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProcessId(u32);

/// A slice to begin.
#[derive(Clone, Copy)]
pub(super) struct Slice<'a> {
    /// When.
    pub(super) at: Time,
    /// What it is called.
    pub(super) name: &'a str,
    /// A JSON object.
    pub(super) args: &'a [u8],
    /// The number of the record that it is; 0 for none.
    pub(super) seq: u32,
}

/// A record on its way into the trace.
#[derive(Clone, Copy)]
pub(super) struct Event<'a> {
    /// When.
    pub(super) at: Time,
    /// Its number.
    pub(super) seq: u32,
    /// The number of its cause.
    pub(super) cause: Option<u32>,
    /// The name of its kind.
    pub(super) kind: &'static str,
    /// The record as a JSON object.
    pub(super) args: &'a [u8],
}

impl Event<'_> {
    /// The slice that stands for it.
    fn slice<'a>(&'a self, name: &'a str) -> Slice<'a> {
        Slice { at: self.at, name, args: self.args, seq: self.seq }
    }
}

#[derive(Debug)]
struct Open {
    at: Time,
    seq: u32,
}

#[derive(Debug)]
struct Track {
    process: u32,
    id: u32,
    /// The newest point, whose end is held back; it is inside all that is open.
    point: Option<Open>,
    /// Slices that have begun, the innermost last.
    open: Vec<Open>,
}

/// The part of a trace that its next events have to know.
#[derive(Debug, Default)]
pub(super) struct Trace {
    tracks: Vec<Track>,
    /// Numbers of processes and threads; no two are equal, so that no thread passes for the first
    /// one of its process.
    ids: u32,
    /// Where each record has its slice, by its number less 1.
    places: Vec<u32>,
    times: Vec<Time>,
    any: bool,
}

/// A record without a slice.
const NOWHERE: u32 = u32::MAX;

impl Trace {
    /// A new process; `order` is its place among the others.
    pub(super) fn process(&mut self, out: &mut Vec<u8>, name: &str, order: u64) -> ProcessId {
        self.ids += 1;
        let process = self.ids;
        self.metadata(out, "process", (process, None), name, order);
        ProcessId(process)
    }

    /// A new thread of a process.
    pub(super) fn track(
        &mut self,
        out: &mut Vec<u8>,
        ProcessId(process): ProcessId,
        name: &str,
        order: u64,
    ) -> TrackId {
        self.ids += 1;
        let id = self.ids;
        self.metadata(out, "thread", (process, Some(id)), name, order);
        self.tracks.push(Track { process, id, point: None, open: Vec::new() });
        TrackId(self.tracks.len() as u32 - 1)
    }

    fn metadata(
        &mut self,
        out: &mut Vec<u8>,
        what: &str,
        (process, thread): (u32, Option<u32>),
        name: &str,
        order: u64,
    ) {
        for is_name in [true, false] {
            self.start(out, "M", process, thread);
            let key = if is_name { "name" } else { "sort_index" };
            push_text(out, "name", &format!("{what}_{key}"));
            out.extend_from_slice(b",\"args\":{\"");
            out.extend_from_slice(key.as_bytes());
            out.extend_from_slice(b"\":");
            match is_name {
                true => crate::render::push_json_string(out, named(name)),
                false => push_integer(out, order),
            }
            out.extend_from_slice(b"}}");
        }
    }

    /// Begins a slice, inside those that are open on its track.
    pub(super) fn begin(&mut self, out: &mut Vec<u8>, track: TrackId, slice: Slice<'_>) {
        self.begin_any(out, track, slice, false);
    }

    /// A slice without length.
    fn point(&mut self, out: &mut Vec<u8>, track: TrackId, slice: Slice<'_>) {
        self.begin_any(out, track, slice, true);
    }

    /// A record as a point, with the arrow from its cause.
    pub(super) fn record(
        &mut self,
        out: &mut Vec<u8>,
        track: TrackId,
        event: &Event<'_>,
        name: &str,
    ) {
        let arrow = self.leave(out, event);
        self.point(out, track, event.slice(name));
        self.arrive(out, track, event, arrow);
    }

    /// A record as the beginning of a slice, with the arrow from its cause.
    pub(super) fn begin_record(
        &mut self,
        out: &mut Vec<u8>,
        track: TrackId,
        event: &Event<'_>,
        name: &str,
    ) {
        let arrow = self.leave(out, event);
        self.begin(out, track, event.slice(name));
        self.arrive(out, track, event, arrow);
    }

    /// The same, for a record that ends the slice of its cause, on another track.
    pub(super) fn hand_over(
        &mut self,
        out: &mut Vec<u8>,
        (from, ending): (TrackId, &[u8]),
        to: TrackId,
        event: &Event<'_>,
        name: &str,
    ) {
        let arrow = self.leave(out, event);
        self.end_with(out, from, event.cause.unwrap_or(0), event.at, ending);
        self.begin(out, to, event.slice(name));
        self.arrive(out, to, event, arrow);
    }

    fn begin_any(&mut self, out: &mut Vec<u8>, track: TrackId, slice: Slice<'_>, is_point: bool) {
        self.end_point(out, track);
        self.event(out, "B", track, slice.at);
        push_text(out, "name", named(slice.name));
        out.extend_from_slice(b",\"args\":");
        out.extend_from_slice(slice.args);
        out.push(b'}');
        let open = Open { seq: slice.seq, at: slice.at };
        let Track { point, open: slices, .. } = &mut self.tracks[track.0 as usize];
        match is_point {
            true => *point = Some(open),
            false => slices.push(open),
        }
        if slice.seq > 0 {
            self.set_place(slice.seq, track, slice.at);
        }
    }

    /// Ends the innermost slice of a track; `args` are added to those that it began with.
    pub(super) fn end(&mut self, out: &mut Vec<u8>, track: TrackId, at: Time, args: &[u8]) {
        self.end_point(out, track);
        if let Some(open) = self.tracks[track.0 as usize].open.pop() {
            assert!(open.at <= at, "a slice of {} ends at {at}", open.at);
            self.event(out, "E", track, at);
            if !args.is_empty() {
                out.extend_from_slice(b",\"args\":");
                out.extend_from_slice(args);
            }
            out.push(b'}');
        }
    }

    /// Ends the slice of a record, with all that is inside it.
    pub(super) fn end_with(
        &mut self,
        out: &mut Vec<u8>,
        track: TrackId,
        seq: u32,
        at: Time,
        args: &[u8],
    ) {
        self.end_point(out, track);
        let open = &self.tracks[track.0 as usize].open;
        let Some(index) = open.iter().position(|open| open.seq == seq) else { return };
        for _ in index + 1..open.len() {
            self.end(out, track, at, b"");
        }
        self.end(out, track, at, args);
    }

    fn end_point(&mut self, out: &mut Vec<u8>, track: TrackId) {
        if let Some(point) = self.tracks[track.0 as usize].point.take() {
            self.event(out, "E", track, point.at);
            out.push(b'}');
        }
    }

    /// Ends all that is open.
    pub(super) fn end_all(&mut self, out: &mut Vec<u8>, at: Time) {
        for index in 0..self.tracks.len() as u32 {
            self.end_point(out, TrackId(index));
            while !self.tracks[index as usize].open.is_empty() {
                self.end(out, TrackId(index), at, b"{\"end\":\"with the run\"}");
            }
        }
    }

    /// A counter's value.
    pub(super) fn counter(
        &mut self,
        out: &mut Vec<u8>,
        ProcessId(process): ProcessId,
        at: Time,
        name: &str,
        value: u64,
    ) {
        self.start(out, "C", process, None);
        push_time(out, at);
        push_text(out, "name", name);
        out.extend_from_slice(b",\"args\":{\"waiting\":");
        push_integer(out, value);
        out.extend_from_slice(b"}}");
    }

    /// Tells where arrows from a record begin that has no slice of its own.
    pub(super) fn set_place(&mut self, seq: u32, track: TrackId, at: Time) {
        self.places.resize(self.places.len().max(seq as usize), NOWHERE);
        self.times.resize(self.places.len(), Time::ZERO);
        self.places[seq as usize - 1] = track.0;
        self.times[seq as usize - 1] = at;
    }

    /// An arrow leaves the cause of a record; false where that has no place.
    fn leave(&mut self, out: &mut Vec<u8>, event: &Event<'_>) -> bool {
        let Event { at: now, seq, cause, kind, .. } = *event;
        let index = cause.and_then(|seq| seq.checked_sub(1)).map(|index| index as usize);
        let place = index.and_then(|i| Some((*self.places.get(i)?, *self.times.get(i)?)));
        let (Some(cause), Some((track, at))) = (cause, place) else { return false };
        if track == NOWHERE {
            return false;
        }
        let track = TrackId(track);
        let Track { point, open, .. } = &self.tracks[track.0 as usize];
        let innermost = point.as_ref().or(open.last()).filter(|open| open.seq == cause);
        match innermost {
            Some(open) => {
                let at = if point.is_some() { open.at } else { now };
                self.arrow(out, "s", track, at, seq);
            }
            None => {
                self.event(out, "B", track, at);
                push_text(out, "name", &format!("cause of {kind}"));
                out.extend_from_slice(b",\"args\":{\"seq\":");
                push_integer(out, cause);
                push_number(out, "effect", seq);
                out.extend_from_slice(b"}}");
                self.arrow(out, "s", track, at, seq);
                self.event(out, "E", track, at);
                out.push(b'}');
            }
        }
        true
    }

    /// The arrow's end, in the innermost slice of the track.
    fn arrive(&mut self, out: &mut Vec<u8>, track: TrackId, event: &Event<'_>, arrow: bool) {
        if arrow {
            self.arrow(out, "f", track, event.at, event.seq);
        }
    }

    fn arrow(&mut self, out: &mut Vec<u8>, phase: &str, track: TrackId, at: Time, id: u32) {
        self.event(out, phase, track, at);
        out.extend_from_slice(b",\"cat\":\"cause\",\"name\":\"cause\",\"id\":");
        push_integer(out, id);
        if phase == "f" {
            push_text(out, "bp", "e");
        }
        out.push(b'}');
    }

    fn event(&mut self, out: &mut Vec<u8>, phase: &str, track: TrackId, at: Time) {
        let Track { process, id, .. } = self.tracks[track.0 as usize];
        self.start(out, phase, process, Some(id));
        push_time(out, at);
    }

    fn start(&mut self, out: &mut Vec<u8>, phase: &str, process: u32, thread: Option<u32>) {
        out.extend_from_slice(if self.any { b",\n{\"ph\":\"" } else { b"\n{\"ph\":\"" });
        self.any = true;
        out.extend_from_slice(phase.as_bytes());
        out.push(b'"');
        push_number(out, "pid", process);
        if let Some(thread) = thread {
            push_number(out, "tid", thread);
        }
    }
}

/// No name may be empty.
fn named(name: &str) -> &str {
    if name.is_empty() { "(no name)" } else { name }
}

/// `,"ts":…`: microseconds, with as many decimals as the nanoseconds need.
fn push_time(out: &mut Vec<u8>, at: Time) {
    push_number(out, "ts", at.0 / 1_000);
    let rest = at.0 % 1_000;
    if rest > 0 {
        let digits = [rest / 100, rest / 10 % 10, rest % 10].map(|digit| b'0' + digit as u8);
        let used = 3 - digits.iter().rev().take_while(|digit| **digit == b'0').count();
        out.push(b'.');
        out.extend_from_slice(&digits[..used]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_keep_every_nanosecond() {
        let cases = [
            (0, "0"),
            (1, "0.001"),
            (1_000, "1"),
            (1_010, "1.01"),
            (1_100, "1.1"),
            (86_400_000_000_007, "86400000000.007"),
            (u64::MAX, "18446744073709551.615"),
        ];
        for (nanos, text) in cases {
            let mut out = Vec::new();
            push_time(&mut out, Time(nanos));
            assert_eq!(String::from_utf8(out).unwrap(), format!(",\"ts\":{text}"));
        }
    }

    #[test]
    fn an_arrow_from_a_slice_that_is_over_has_a_point_of_its_own() {
        let mut trace = Trace::default();
        let mut out = Vec::new();
        let process = trace.process(&mut out, "", 1);
        let track = trace.track(&mut out, process, "t", 1);
        for seq in [1, 2] {
            let slice = Slice { at: Time(5), name: "p", args: b"{}", seq };
            trace.point(&mut out, track, slice);
        }
        let before = out.len();
        for (seq, cause, leaves) in
            [(3, Some(2), true), (4, Some(1), true), (5, None, false), (6, Some(7), false)]
        {
            let event = Event { at: Time(9), seq, cause, kind: "Late", args: b"{}" };
            assert_eq!(trace.leave(&mut out, &event), leaves, "{cause:?}");
        }
        let text = String::from_utf8(out.split_off(before)).unwrap();
        let phases: Vec<&str> = text.lines().filter_map(|line| line.get(7..8)).collect();
        assert_eq!(phases, ["s", "B", "s", "E"], "{text}");
        assert!(text.contains("\"name\":\"cause of Late\",\"args\":{\"seq\":1,\"effect\":4}"));
    }
}
