//! Tracks of one sort, for what can be several times at once: what begins takes the first that is
//! free.

use std::collections::BTreeSet;

use super::Place;
use super::trace::{ProcessId, TrackId};

/// The tracks of one sort.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    tracks: Vec<TrackId>,
    free: BTreeSet<usize>,
}

/// One of them, while something is on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lane {
    pub(super) track: TrackId,
    index: usize,
}

impl Lanes {
    /// The first that is free. A new one is called `name`, and from the second on has its number.
    pub(super) fn take(
        &mut self,
        place: &mut Place<'_>,
        (process, name, order): (ProcessId, &str, u64),
    ) -> Lane {
        let index = self.free.pop_first().unwrap_or(self.tracks.len());
        if index == self.tracks.len() {
            let name = match index {
                0 => name.to_owned(),
                _ => format!("{name} {}", index + 1),
            };
            self.tracks.push(place.track(process, &name, order + index as u64));
        }
        Lane { track: self.tracks[index], index }
    }

    /// Nothing is on it any more.
    pub(super) fn give_back(&mut self, lane: Lane) {
        self.free.insert(lane.index);
    }
}
