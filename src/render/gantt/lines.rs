//! The lines of the run, the nodes, their taints, and the pods.

use super::cells::{Cells, Paint, fit, fit_middle, width};
use super::{Drawing, place};
use crate::kernel::time::Time;
use crate::render::chart::{MarkKind, NodeLane, PodLane, Stretch, TaintBand, WindowEnd};
use crate::render::lanes::{absences, fate, run_marks, steps};

/// The letter of a mark, what it means, and which one is seen where several are in one column:
/// the later in this list.
pub(super) const LETTERS: [(MarkKind, char, &str, Paint); 13] = [
    (MarkKind::PodBound, 'B', "bound to a node", Paint::Plain),
    (MarkKind::PodCreated, 'C', "created", Paint::Plain),
    (MarkKind::NodeCreated, 'C', "created", Paint::Plain),
    (MarkKind::TolerationsChanged, 'T', "tolerations changed", Paint::Plain),
    (MarkKind::WatchRelisted, 'L', "listed again", Paint::Plain),
    (MarkKind::WatchBroken, 'W', "watch broken", Paint::Plain),
    (MarkKind::Note, 'N', "note", Paint::Plain),
    (MarkKind::Removed, 'R', "object gone", Paint::Plain),
    (MarkKind::NodeDeleted, 'R', "object gone", Paint::Plain),
    (MarkKind::DeleteFailed, 'f', "DELETE failed", Paint::Evicted),
    (MarkKind::DeletedAgain, 'D', "deleted again", Paint::Evicted),
    (MarkKind::GaveUp, 'G', "eviction given up", Paint::Evicted),
    (MarkKind::Evicted, 'E', "evicted", Paint::Evicted),
];

impl Drawing<'_> {
    /// The numbers of the steps, and what happens to the controller and to watches.
    pub(super) fn run_lines(&mut self) {
        let lines = steps(self.chart);
        if !lines.is_empty() {
            let mut cells = Cells::new(self.plot);
            // First column, first number, last number, rejected.
            let mut flags: Vec<(usize, &str, &str)> = Vec::new();
            for line in &lines {
                let at = self.column(line.at);
                match flags.last_mut() {
                    Some((from, first, last)) if at <= *from + width(&span(first, last)) => {
                        *last = line.number;
                    }
                    _ => flags.push((at, line.number, line.number)),
                }
            }
            for (at, first, last) in flags {
                let text = span(first, last);
                if !place(&mut cells, at, &text) {
                    cells.put(at, '!', Paint::Plain);
                }
            }
            self.line("steps", cells, ("", Paint::Plain));
        }
        let marks = run_marks(self.chart);
        let down = absences(self.chart, MarkKind::ControllerStopped, MarkKind::ControllerStarted);
        if marks.is_empty() && down.is_empty() {
            return;
        }
        let mut cells = Cells::new(self.plot);
        for stretch in &down {
            let (from, to) = self.columns_of(stretch);
            cells.fill(from, to.max(from + 1), '_', Paint::Plain);
            self.used.insert("down");
        }
        self.cut(&mut cells);
        let marks: Vec<(Time, MarkKind)> = marks.iter().map(|(at, kind, _)| (*at, *kind)).collect();
        self.letters(&mut cells, &marks);
        self.line("controller", cells, ("", Paint::Plain));
    }

    /// The columns of a stretch; the second is the first that is not its own.
    fn columns_of(&self, stretch: &Stretch) -> (usize, usize) {
        // What is there at the end reaches the end's own column.
        let open = usize::from(stretch.to.is_none());
        let end = stretch.to.unwrap_or(self.chart.end);
        (self.column(stretch.from), self.column(end) + open)
    }

    /// Two strokes in each bar where a wait is cut.
    fn cut(&self, cells: &mut Cells) {
        for at in &self.cuts {
            for at in [*at, at + 1] {
                if !cells.is_free(at) {
                    cells.put(at, '/', Paint::Plain);
                }
            }
        }
    }

    /// The letters of marks, the most important ones last.
    fn letters(&mut self, cells: &mut Cells, marks: &[(Time, MarkKind)]) {
        for (kind, letter, _, paint) in LETTERS {
            for (at, _) in marks.iter().filter(|(_, known)| *known == kind) {
                cells.put(self.column(*at), letter, paint);
            }
        }
        // The legend has those that can still be seen.
        for (kind, letter, words, _) in LETTERS {
            let mut marks = marks.iter().filter(|(_, known)| *known == kind);
            if marks.any(|(at, _)| cells.is(self.column(*at), letter)) {
                self.used.insert(words);
            }
        }
    }

    /// A node: when it exists, and a line for each of its taints.
    pub(super) fn node_lines(&mut self, name: &str, node: &NodeLane) {
        let mut cells = Cells::new(self.plot);
        for life in &node.lives {
            let (from, to) = self.columns_of(life);
            cells.fill(from, to.max(from + 1), '-', Paint::Dim);
            self.used.insert("life");
        }
        self.cut(&mut cells);
        let mut marks = Vec::new();
        for life in &node.lives {
            if life.from > Time::ZERO {
                marks.push((life.from, MarkKind::NodeCreated));
            }
            marks.extend(life.to.map(|to| (to, MarkKind::NodeDeleted)));
        }
        self.letters(&mut cells, &marks);
        self.line(name, cells, ("", Paint::Plain));
        // The same taint again is on the same line.
        let mut taints: Vec<Vec<&TaintBand>> = Vec::new();
        for band in &node.taints {
            match taints.iter_mut().find(|bands| bands[0].taint == band.taint) {
                Some(bands) => bands.push(band),
                None => taints.push(vec![band]),
            }
        }
        for bands in &taints {
            self.taint_line(bands);
        }
    }

    /// A taint, with its text where there is most room for it.
    fn taint_line(&mut self, bands: &[&TaintBand]) {
        let mut cells = Cells::new(self.plot);
        let Some(band) = bands.first() else { return };
        let c = if band.no_execute { '#' } else { '%' };
        self.used.insert(if band.no_execute { "noexecute" } else { "other" });
        for band in bands {
            let (from, to) = self.columns_of(&band.stretch);
            cells.fill(from, to.max(from + 1), c, Paint::Taint);
        }
        self.cut(&mut cells);
        let text = self.chart.text(band.taint);
        let free = widest(&cells, self.plot, |cells, at| cells.is_free(at));
        let inside = widest(&cells, self.plot, |cells, at| cells.is(at, c));
        let wanted = width(&fit(text, usize::MAX));
        let room = |(from, to): (usize, usize)| (to - from).saturating_sub(4);
        if room(inside) >= wanted || room(inside) >= room(free) {
            let text = format!(" {} ", fit_middle(text, room(inside)));
            if room(inside) >= 8 {
                cells.write(inside.0 + 1, &text, Paint::Plain);
            }
        } else if free.1 - free.0 > 8 {
            let text = fit_middle(text, free.1 - free.0 - 2);
            // Next to its band: behind it, or else before it.
            let at = if free.0 > 0 { free.0 + 1 } else { free.1 - 1 - width(&text) };
            cells.write(at, &text, Paint::Plain);
        }
        self.line("  taint", cells, ("", Paint::Plain));
    }

    /// A pod, or many with the same story.
    pub(super) fn pod_line(&mut self, name: &str, pod: &PodLane, marks: &[(Time, MarkKind, &str)]) {
        let mut cells = Cells::new(self.plot);
        self.life(&mut cells, pod);
        for window in &pod.windows {
            let (from, to) = self.columns_of(&Stretch {
                from: window.from,
                to: Some(window.end.unwrap_or(window.fire_at)),
            });
            if to > from {
                cells.fill(from, to, '=', Paint::Window);
                self.used.insert("window");
            }
        }
        for deletion in &pod.deletions {
            let (from, to) = self.columns_of(deletion);
            if to > from {
                cells.fill(from, to, '*', Paint::Evicted);
                self.used.insert("deletion");
            }
        }
        self.cut(&mut cells);
        self.window_ends(&mut cells, pod);
        let evicted = marks
            .iter()
            .any(|(at, kind, _)| *kind == MarkKind::Evicted && Some(*at) == pod.life.to);
        let shown = marks.iter().filter(|(_, kind, _)| *kind != MarkKind::Removed || !evicted);
        let shown: Vec<(Time, MarkKind)> = shown.map(|(at, kind, _)| (*at, *kind)).collect();
        self.letters(&mut cells, &shown);
        let paint = match pod.fate {
            "evicted" => Paint::Evicted,
            "survives" => Paint::Saved,
            "armed" => Paint::Window,
            _ => Paint::Plain,
        };
        self.line(&format!("  {name}"), cells, (&fate(pod), paint));
    }

    /// The line of a pod's life: without a node, with one, terminating.
    fn life(&mut self, cells: &mut Cells, pod: &PodLane) {
        let end = pod.life.to.unwrap_or(self.chart.end);
        let bound = pod.nodes.first().map_or(end, |(at, _)| (*at).min(end));
        let terminating = pod.terminating_at.unwrap_or(end).clamp(bound, end);
        for (c, id, from, to) in [
            ('-', "life", bound, terminating),
            ('.', "waits", pod.life.from, bound),
            ('~', "ending", terminating, end),
        ] {
            if to > from || (c == '-' && pod.life.to.is_none() && to == end && bound < end) {
                // What is alive at the end reaches the last column.
                let open = usize::from(to == end && pod.life.to.is_none());
                cells.fill(self.column(from), self.column(to) + open, c, Paint::Dim);
                self.used.insert(id);
            }
        }
    }

    /// Where windows begin, and how they end.
    fn window_ends(&mut self, cells: &mut Cells, pod: &PodLane) {
        for window in &pod.windows {
            let end = window.end.unwrap_or(window.fire_at);
            let (from, to) = (self.column(window.from), self.column(end));
            if to <= from {
                continue;
            }
            cells.put(from, '[', Paint::Window);
            let (at, c, id, paint) = match window.how {
                // Before its column, in which the deletion begins.
                WindowEnd::Fired if to - 1 > from => (to - 1, '>', "fired", Paint::Window),
                WindowEnd::Fired => continue,
                WindowEnd::Cancelled => (to, 'x', "cancelled", Paint::Saved),
                WindowEnd::Lost => (to, '!', "lost", Paint::Plain),
                WindowEnd::Open => (to, ')', "open", Paint::Window),
            };
            cells.put(at, c, paint);
            self.used.insert(id);
        }
    }
}

/// The longest run of columns for which `is` holds, as its first and the one behind its last.
fn widest(cells: &Cells, plot: usize, is: impl Fn(&Cells, usize) -> bool) -> (usize, usize) {
    let (mut best, mut from) = ((0, 0), 0);
    for at in 0..plot {
        if !is(cells, at) {
            from = at + 1;
        } else if at + 1 - from > best.1 - best.0 {
            best = (from, at + 1);
        }
    }
    best
}

/// `2`, or `2-4`.
fn span(first: &str, last: &str) -> String {
    if first == last { first.to_owned() } else { format!("{first}-{last}") }
}
