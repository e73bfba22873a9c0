//! Where a time stands in a picture: long waits are cut, moments that are close stand apart, and
//! all else is linear.
//!
//! Between two moments at which something happens is a *gap*. A gap that is more than thirty
//! times as long as all shorter ones together is cut, and so is every longer one: it has a fixed width,
//! and the picture writes how long it is. The others share what room is left, in proportion to
//! their length, but none gets less than the least width: a gap that would is *stretched*.
//! Whole numbers only, so that a picture is the same everywhere.

use std::collections::BTreeSet;

use super::{Chart, Stretch};
use crate::kernel::time::{NANOS_PER_SECOND, Span, Time};

/// How many times longer than all shorter gaps together a gap has to be to be cut.
const CUT_RATIO: u128 = 30;
/// Where all shorter gaps together are shorter than this, nothing is cut: a picture that shows
/// milliseconds to scale and seconds cut would hide the waits that it is about.
const CUT_LEAST: Span = Span(NANOS_PER_SECOND);

/// How much room there is, in units of the picture.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// From the first moment to the last.
    pub width: u64,
    /// Of a gap, as far as there is room for all.
    pub least: u64,
    /// Of a gap that is cut.
    pub cut: u64,
}

/// How a gap is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// In proportion to the other linear ones.
    Linear,
    /// Wider than in proportion.
    Stretched,
    /// Narrower than in proportion; its length has to be written.
    Cut,
}

/// The time between two moments at which something happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Its first moment.
    pub from: Time,
    /// Its last moment.
    pub to: Time,
    /// Where `from` stands.
    pub left: u64,
    /// Where `to` stands.
    pub right: u64,
    /// How it is drawn.
    pub pace: Pace,
}

impl Gap {
    /// How long it is.
    pub fn length(&self) -> Span {
        self.to.since(self.from)
    }
}

/// A scale from times to places.
#[derive(Debug)]
pub struct Scale {
    gaps: Vec<Gap>,
}

impl Scale {
    /// A scale over `moments`, which holds 0s as well.
    pub fn new(moments: &BTreeSet<Time>, room: Room) -> Scale {
        let mut times = moments.clone();
        times.insert(Time::ZERO);
        let times: Vec<Time> = times.into_iter().collect();
        let lengths: Vec<u64> = times.windows(2).map(|pair| pair[1].since(pair[0]).0).collect();
        let cut_from = cut_from(&lengths);
        let widths = widths(&lengths, cut_from, room);
        let mut gaps: Vec<Gap> = Vec::with_capacity(lengths.len());
        let mut left = 0;
        for (pair, (width, pace)) in times.windows(2).zip(widths) {
            let right = left + width;
            gaps.push(Gap { from: pair[0], to: pair[1], left, right, pace });
            left = right;
        }
        Scale { gaps }
    }

    /// The gaps, in order; none where everything happens at 0s.
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// Where `time` stands; what is later than the last moment stands there.
    pub fn place(&self, time: Time) -> u64 {
        let index = self.gaps.partition_point(|gap| gap.to < time);
        let Some(gap) = self.gaps.get(index) else {
            return self.gaps.last().map_or(0, |gap| gap.right);
        };
        let into = u128::from(time.since(gap.from).0) * u128::from(gap.right - gap.left);
        // Not more than the width of the gap.
        gap.left + (into / u128::from(gap.length().0)) as u64
    }
}

/// The length from which on a gap is cut.
fn cut_from(lengths: &[u64]) -> u64 {
    let mut sorted = lengths.to_vec();
    sorted.sort_unstable();
    let mut sum: u128 = 0;
    let mut cut_from = u64::MAX;
    for length in sorted {
        if sum >= u128::from(CUT_LEAST.0) && u128::from(length) > CUT_RATIO * sum {
            // The last one that is found cuts the fewest.
            cut_from = length;
        }
        sum += u128::from(length);
    }
    cut_from
}

/// The width and the pace of each gap.
fn widths(lengths: &[u64], cut_from: u64, room: Room) -> Vec<(u64, Pace)> {
    let count = lengths.len() as u64;
    if count == 0 {
        return Vec::new();
    }
    let cuts = lengths.iter().filter(|length| **length >= cut_from).count() as u64;
    // Half of the room is for what is in proportion.
    let cut = if cuts == 0 { 0 } else { room.cut.min(room.width / (2 * cuts)) };
    let least = room.least.min(room.width.saturating_sub(cuts * cut) / (2 * count));
    let mut left = u128::from(room.width.saturating_sub(cuts * cut));
    let mut sum: u128 = 0;
    for length in lengths.iter().filter(|length| **length < cut_from) {
        sum += u128::from(*length);
    }
    let mut ascending: Vec<usize> = (0..lengths.len()).collect();
    ascending.sort_by_key(|index| lengths[*index]);
    let mut shares = vec![(cut, Pace::Cut); lengths.len()];
    let mut stretching = true;
    for index in ascending {
        let length = lengths[index];
        if length >= cut_from {
            break;
        }
        let share = left * u128::from(length) / sum;
        // What is stretched takes from the longer ones, whose shares shrink together.
        stretching = stretching && share < u128::from(least);
        if stretching {
            shares[index] = (least, Pace::Stretched);
            left -= u128::from(least).min(left);
            sum -= u128::from(length);
        } else {
            shares[index] = (0, Pace::Linear);
        }
    }
    // Rounded by their sums, so that nothing of the room is lost.
    let mut before: u128 = 0;
    for (share, length) in shares.iter_mut().zip(lengths) {
        if share.1 == Pace::Linear {
            let after = before + u128::from(*length);
            let width = left * after / sum - left * before / sum;
            // Not more than the room.
            share.0 = width as u64;
            before = after;
        }
    }
    shares
}

/// The moments at which something begins, ends or happens in `chart`.
pub fn moments(chart: &Chart) -> BTreeSet<Time> {
    let mut times = BTreeSet::from([Time::ZERO, chart.end, chart.extent()]);
    let mut add = |stretch: &Stretch| {
        times.insert(stretch.from);
        times.extend(stretch.to);
    };
    for node in &chart.nodes {
        node.lives.iter().for_each(&mut add);
        node.taints.iter().for_each(|band| add(&band.stretch));
    }
    for pod in &chart.pods {
        add(&pod.life);
        pod.deletions.iter().for_each(&mut add);
        for window in &pod.windows {
            let fires = (window.end.is_none()).then_some(window.fire_at);
            add(&Stretch { from: window.from, to: window.end.or(fires) });
        }
    }
    times.extend(chart.marks.iter().map(|mark| mark.at));
    let extent = chart.extent();
    times.retain(|time| *time <= extent);
    times
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::fixture::time_of;

    fn scale(times: &[&str]) -> Scale {
        let moments = times.iter().map(|text| time_of(text)).collect();
        Scale::new(&moments, Room { width: 1000, least: 10, cut: 50 })
    }

    fn drawn(times: &[&str]) -> Vec<(u64, Pace)> {
        scale(times).gaps().iter().map(|gap| (gap.right - gap.left, gap.pace)).collect()
    }

    #[test]
    fn gaps_are_linear_stretched_or_cut() {
        use Pace::{Cut, Linear, Stretched};
        type Case<'a> = (&'a [&'a str], &'a [(u64, Pace)]);
        let cases: [Case<'_>; 7] = [
            (&["0s"], &[]),
            (&["10s"], &[(1000, Linear)]),
            (&["10s", "20s", "40s"], &[(250, Linear), (250, Linear), (500, Linear)]),
            // The wait of an hour, not the ten seconds before it.
            (&["10s", "1h"], &[(950, Linear), (50, Cut)]),
            (&["10s", "10.005s", "60s"], &[(165, Linear), (10, Stretched), (825, Linear)]),
            (
                &["10s", "10.001s", "10h", "20h"],
                &[(890, Linear), (10, Stretched), (50, Cut), (50, Cut)],
            ),
            // Milliseconds before seconds are stretched: nothing is cut.
            (&["1ms", "2ms", "10s"], &[(10, Stretched), (10, Stretched), (980, Linear)]),
        ];
        for (times, expected) in cases {
            assert_eq!(drawn(times), expected, "{times:?}");
        }
    }

    #[test]
    fn places_rise_from_the_first_moment_to_the_last() {
        let times = ["1ms", "5s", "5.000001s", "8s", "2h", "2h0m5s", "500h"];
        let scale = scale(&times);
        let mut last = 0;
        for step in 0..2_000_u64 {
            let place = scale.place(Time(step * time_of("1000s").0));
            assert!(place >= last && place <= 1000, "{place} after {last}");
            last = place;
        }
        let places: Vec<u64> = times.iter().map(|time| scale.place(time_of(time))).collect();
        assert!(places.is_sorted_by(|a, b| a < b), "{places:?}");
        assert_eq!(places.last(), Some(&1000));
        assert_eq!(scale.place(Time::MAX), 1000);
    }

    #[test]
    fn a_crowd_of_moments_keeps_to_the_room() {
        let moments: BTreeSet<Time> = (0..5_000).map(|n| Time(n * n * 1_000_003)).collect();
        let scale = Scale::new(&moments, Room { width: 700, least: 10, cut: 50 });
        assert!(scale.gaps().iter().all(|gap| gap.left <= gap.right));
        assert!(scale.place(Time::MAX) <= 700);
        let extreme = BTreeSet::from([Time(1), Time::MAX]);
        let scale = Scale::new(&extreme, Room { width: 700, least: 10, cut: 50 });
        assert_eq!(scale.place(Time::MAX), 700);
    }
}
