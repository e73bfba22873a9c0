//! The rows of nodes and pods.

use super::page::{Anchor, Font, PX, Tenth, width};
use super::style::{rank, symbol};
use super::{BOLD, Drawing, LEFT, MARGIN, NORMAL, PodMark, RIGHT, SMALL, WIDTH};
use crate::kernel::time::Time;
use crate::render::chart::{MarkKind, NodeLane, PodLane, TaintBand, Window, WindowEnd};
use crate::render::lanes::fate;

/// Bands of taints at one time, on one node, before the rest is counted.
const TRACKS_MAX: usize = 4;
/// The height of such a band, with what is between it and the next.
const TRACK: Tenth = 16 * PX;
/// Symbols that are closer than this share one place.
const APART: Tenth = 11 * PX;

/// What a symbol's place keeps other things away.
const CLEAR: Tenth = 8 * PX;

/// A symbol on a row.
struct Placed<'a> {
    x: Tenth,
    /// When it is, what it is, and what there is to say about it.
    all: Vec<(Time, &'static str, &'a str)>,
}

impl Drawing<'_> {
    /// The name on the left; the fate, or something else, on the right.
    fn ends(&mut self, name: (Font, Tenth, &str), right: &str, height: Tenth) {
        let baseline = self.y + height / 2 + 4 * PX;
        let (font, indent, text) = name;
        let x = MARGIN + indent;
        self.front.open(text);
        self.front.name(font, (x, baseline), text, LEFT - x - 10 * PX);
        self.front.close();
        if right.is_empty() {
            return;
        }
        let x = RIGHT + 12 * PX;
        self.front.open(right);
        self.front.text(SMALL, Anchor::Start, (x, baseline), right, WIDTH - x - 4 * PX);
        self.front.close();
    }

    /// A node: when it exists, and its taints in tracks.
    pub(super) fn node_row(&mut self, name: &str, node: &NodeLane, height: Tenth) {
        let mut tracks: Vec<Tenth> = Vec::new();
        let mut placed: Vec<(usize, &TaintBand, Tenth, Tenth)> = Vec::new();
        let mut left_out = 0;
        // The taint manager looks at the first ones; of the others some may be left out.
        let (first, others): (Vec<&TaintBand>, Vec<&TaintBand>) =
            node.taints.iter().partition(|band| band.no_execute);
        for band in first.into_iter().chain(others) {
            let from = self.x(band.stretch.from);
            let to = self.x(band.stretch.to.unwrap_or(self.chart.end));
            // One that cannot be told from another is not drawn.
            if placed.last().is_some_and(|(_, _, a, b)| (*a, *b) == (from, to) && from == to) {
                continue;
            }
            let free = tracks.iter().position(|end| *end <= from);
            let track = match free {
                Some(track) => track,
                None if tracks.len() < TRACKS_MAX => {
                    tracks.push(0);
                    tracks.len() - 1
                }
                None => {
                    left_out += 1;
                    continue;
                }
            };
            tracks[track] = to;
            placed.push((track, band, from, to));
        }
        let tall = (tracks.len() as u64 * TRACK + 6 * PX).max(height);
        self.back.rect("stripe", (0, self.y), WIDTH, tall);
        let right = match left_out {
            0 => String::new(),
            1 => "and 1 more taint".to_owned(),
            count => format!("and {count} more taints"),
        };
        self.ends((BOLD, 0, name), &right, tall);
        let top = self.y + (tall - tracks.len() as u64 * TRACK) / 2;
        // Behind the first band, so that it is not seen between two.
        let middle = if tracks.is_empty() { self.y + tall / 2 } else { top + TRACK / 2 };
        self.bars.open(name);
        for life in &node.lives {
            let (from, to) = (self.x(life.from), self.x(life.to.unwrap_or(self.chart.end)));
            self.bars.line("life", (from, middle), (to, middle));
            self.used.insert("life");
            if life.from > Time::ZERO {
                self.front.symbol("created", (from, middle), &format!("{name}: created"));
                self.used.insert("created");
            }
            if life.to.is_some() {
                self.front.symbol("removed", (to, middle), &format!("{name}: deleted"));
                self.used.insert("removed");
            }
        }
        self.bars.close();
        for (track, band, from, to) in &placed {
            let y = top + *track as u64 * TRACK + PX;
            let of_track = placed.iter().filter(|(other, ..)| other == track);
            let next = of_track.clone().map(|(.., from, _)| *from).filter(|from| from >= to);
            let before = of_track.map(|(.., to)| *to).filter(|to| to <= from);
            let room = (before.max().unwrap_or(LEFT), next.min().unwrap_or(RIGHT));
            self.taint_band(band, y, (*from, *to), room);
        }
        self.y += tall;
    }

    /// A taint: its text in the band, or else behind it or before it, within `room`.
    fn taint_band(
        &mut self,
        band: &TaintBand,
        y: Tenth,
        (from, to): (Tenth, Tenth),
        room: (Tenth, Tenth),
    ) {
        let text = self.chart.text(band.taint);
        let class = if band.no_execute { "noexecute" } else { "other" };
        self.used.insert(class);
        let until = band.stretch.to.map_or("the end".to_owned(), |to| to.to_string());
        let by = band.step.map(|step| format!(", by step {step}")).unwrap_or_default();
        self.bars.open(&format!("{text}: from {} to {until}{by}", band.stretch.from));
        // A taint that is gone at once is still to be seen.
        let drawn = (to - from).max(2 * PX);
        self.bars.rect(class, (from, y), drawn, TRACK - 2 * PX);
        self.bars.close();
        let wanted = width(text, SMALL);
        let baseline = y + 11 * PX;
        let (inside_x, inside) = self.space(from + 3 * PX, to.saturating_sub(3 * PX), &[]);
        let outside_x = from + drawn + 4 * PX;
        let behind = room.1.saturating_sub(outside_x + 2 * PX);
        let before = from.saturating_sub(room.0 + 8 * PX);
        let (outside_x, outside) = match behind >= wanted.min(before) {
            true => (outside_x, behind),
            false => (from - 4 * PX - wanted.min(before), wanted.min(before)),
        };
        let font =
            Font { class: if band.no_execute { "light on" } else { "on" }, size: SMALL.size };
        if inside >= wanted || inside >= outside {
            if inside >= 40 * PX {
                if !band.no_execute {
                    let w = wanted.min(inside) + 2 * PX;
                    self.bars.rect("paper", (inside_x - PX, y + 2 * PX), w, TRACK - 6 * PX);
                }
                self.front.name(font, (inside_x, baseline), text, inside);
            }
        } else if outside >= 40 * PX {
            let font = Font { class: "on", size: SMALL.size };
            let w = wanted.min(outside);
            self.bars.rect("stripe", (outside_x - PX, y), w + 2 * PX, TRACK - 2 * PX);
            self.front.name(font, (outside_x, baseline), text, outside);
        }
    }

    /// The widest place between `from` and `to` without cuts and without `taken`: where, how wide.
    fn space(&self, from: Tenth, to: Tenth, taken: &[Tenth]) -> (Tenth, Tenth) {
        let mut walls: Vec<Tenth> = self.cuts.iter().chain(taken).copied().collect();
        walls.retain(|wall| *wall + CLEAR > from && *wall < to + CLEAR);
        walls.sort_unstable();
        let (mut best, mut left) = ((from, 0), from);
        for wall in walls {
            let wide = wall.saturating_sub(CLEAR).saturating_sub(left);
            if wide > best.1 {
                best = (left, wide);
            }
            left = left.max(wall + CLEAR);
        }
        let wide = to.saturating_sub(left);
        if wide > best.1 { (left, wide) } else { best }
    }

    /// A pod, or many with the same story.
    pub(super) fn pod_row(
        &mut self,
        name: &str,
        pod: &PodLane,
        marks: &[PodMark<'_>],
        height: Tenth,
    ) {
        let right = fate(pod);
        self.ends((NORMAL, 12 * PX, name), &right, height);
        let tolerations = pod.tolerations.last().map_or("", |(_, text)| self.chart.text(*text));
        let tolerations = if tolerations.is_empty() { "none" } else { tolerations };
        let why = self.chart.text(pod.why);
        self.bars.open(&format!("{name}: {right}: {why}. Tolerations: {tolerations}"));
        self.life(pod, height);
        self.bars.close();
        let symbols = self.symbols(pod, marks);
        let taken: Vec<Tenth> = symbols.iter().map(|placed| placed.x).collect();
        for window in &pod.windows {
            self.window(window, &taken, height);
        }
        let middle = self.y + height / 2;
        for deletion in &pod.deletions {
            let (from, to) = (self.x(deletion.from), self.x(deletion.to.unwrap_or(self.chart.end)));
            if to > from {
                self.used.insert("deletion");
                let until = deletion.to.map_or("the end".to_owned(), |to| to.to_string());
                self.bars.open(&format!("deletion from {} to {until}", deletion.from));
                self.bars.rect("deletion", (from, middle - 2 * PX), to - from, 4 * PX);
                self.bars.close();
            }
        }
        for placed in symbols {
            self.placed(name, &placed, middle);
        }
        self.y += height;
    }

    /// The line of a pod's life: without a node, with one, terminating.
    fn life(&mut self, pod: &PodLane, height: Tenth) {
        let y = self.y + height / 2;
        let end = pod.life.to.unwrap_or(self.chart.end);
        let bound = pod.nodes.first().map_or(end, |(at, _)| (*at).min(end));
        let terminating = pod.terminating_at.unwrap_or(end).clamp(bound, end);
        for (class, from, to) in [
            ("waits", pod.life.from, bound),
            ("life", bound, terminating),
            ("ending", terminating, end),
        ] {
            let (from, to) = (self.x(from), self.x(to));
            if to > from {
                self.bars.line(class, (from, y), (to, y));
                self.used.insert(class);
            }
        }
    }

    /// A toleration window with its length; work that starts at once has none.
    fn window(&mut self, window: &Window, taken: &[Tenth], height: Tenth) {
        let end = window.end.unwrap_or(window.fire_at);
        let (from, to) = (self.x(window.from), self.x(end));
        if to <= from {
            return;
        }
        self.used.insert("window");
        let (y, tall) = (self.y + 3 * PX, height - 6 * PX);
        let by = window.toleration.map_or("no toleration", |text| self.chart.text(text));
        let end_words = match window.how {
            WindowEnd::Fired => format!("fired at {end}"),
            WindowEnd::Cancelled => {
                format!("cancelled at {end}; was to fire at {}", window.fire_at)
            }
            WindowEnd::Lost => {
                format!("lost with the controller at {end}; was to fire at {}", window.fire_at)
            }
            WindowEnd::Open => format!("still armed; fires at {}", window.fire_at),
        };
        let taint = self.chart.text(window.taint);
        let title = format!("armed at {}, {end_words}: {taint}, {by}", window.from);
        self.bars.open(&title);
        self.bars.rect("window", (from, y), to - from, tall);
        if window.how == WindowEnd::Fired {
            self.used.insert("fired");
            self.bars.rect("deletion", (to - 15, y), 3 * PX, tall);
        }
        self.bars.close();
        let length = window.fire_at.since(window.from).to_string();
        let (x, room) = self.space(from + 5 * PX, to.saturating_sub(9 * PX), taken);
        let wanted = width(&length, SMALL);
        if window.fire_at < Time::MAX && wanted <= room {
            let x = x + (room - wanted) / 2;
            self.bars.rect("label", (x - 2 * PX, y + 15), wanted + 4 * PX, tall - 3 * PX);
            let font = Font { class: "on", size: SMALL.size };
            let baseline = self.y + height / 2 + 35;
            self.front.text(font, Anchor::Start, (x, baseline), &length, wanted);
        }
    }

    /// What has no length, those that are close to each other in one place.
    fn symbols<'m>(&self, pod: &PodLane, marks: &[PodMark<'m>]) -> Vec<Placed<'m>> {
        let evicted = marks
            .iter()
            .any(|(at, kind, _)| *kind == MarkKind::Evicted && Some(*at) == pod.life.to);
        let mut found: Vec<(Time, &'static str, &'m str)> = Vec::new();
        for (at, kind, text) in marks {
            // An eviction that removes the object says so.
            if let Some(id) = symbol(*kind).filter(|id| *id != "removed" || !evicted) {
                found.push((*at, id, text));
            } else if *kind == MarkKind::Cancelled {
                found.push((*at, "cancelled", text));
            }
        }
        for window in &pod.windows {
            match (window.how, window.end) {
                (WindowEnd::Lost, Some(end)) => found.push((end, "lost", "")),
                (WindowEnd::Open, _) => found.push((window.fire_at, "open", "")),
                _ => {}
            }
        }
        found.sort_by_key(|(at, ..)| *at);
        let mut places: Vec<Placed<'m>> = Vec::new();
        for mark in found {
            let x = self.x(mark.0);
            match places.last_mut().filter(|last| x < last.x + APART) {
                Some(last) => last.all.push(mark),
                None => places.push(Placed { x, all: vec![mark] }),
            }
        }
        places
    }

    fn placed(&mut self, name: &str, placed: &Placed<'_>, middle: Tenth) {
        let Some((_, id, _)) = placed.all.iter().min_by_key(|(_, id, _)| rank(id)) else { return };
        let words = placed.all.iter().map(|(at, id, text)| {
            let what = super::style::ORDER.get(rank(id)).map_or("", |(_, words)| words);
            match text.is_empty() {
                true => format!("{at} {what}"),
                false => format!("{at} {what}: {text}"),
            }
        });
        let words: Vec<String> = words.take(20).collect();
        self.front.symbol(id, (placed.x, middle), &format!("{name}: {}", words.join("; ")));
        self.used.insert(id);
        if placed.all.iter().any(|(_, other, _)| other != id) {
            self.front.symbol("several", (placed.x + 70, middle - 60), "");
            self.used.insert("several");
        }
    }
}
