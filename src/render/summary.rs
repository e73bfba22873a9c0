//! The end of a table: how many pods have which fate, and why.

use anstyle::Style;
use indexmap::IndexMap;

use super::layout::{Columns, Row};
use super::table::counted;
use super::text::printable;
use super::{Ending, View};
use crate::cluster::EndReason;
use crate::kernel::time::Time;
use crate::objects::Uid;
use crate::timeline::fate::{Fate, Reason};
use crate::timeline::history::{Arming, ArmingState, Origin};
use crate::timeline::unapplied::Unapplied;

/// Pods of one fate and reason that are named before the rest is counted.
pub(super) const NAMED_AT_MOST: usize = 4;
/// Rows, and entries of each list, that are printed before the rest is counted.
const LISTED_AT_MOST: usize = 25;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Group {
    fate: &'static str,
    /// When an armed pod's timer fires; of an eviction, whether the pod is still there.
    pending: Option<Time>,
    lingers: bool,
    reason: Reason,
}

#[derive(Debug, Default)]
struct Members {
    count: usize,
    first: Vec<Uid>,
}

/// What a reader sees of a group: groups that read the same are one row.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Line {
    fate: &'static str,
    pending: Option<Time>,
    why: String,
}

/// What a table ends with.
#[derive(Debug)]
pub(super) struct Summary {
    rows: IndexMap<Line, Members>,
    notes: Vec<String>,
}

impl Summary {
    /// Groups the pods that are shown.
    pub(super) fn of(view: View<'_>, ending: Ending<'_>) -> Summary {
        let mut groups: IndexMap<Group, Members> = IndexMap::new();
        for life in view.history.incarnations() {
            if !view.selection.has_pod(life.pod) {
                continue;
            }
            let fate = Fate::of(view.history, life);
            let group = Group {
                fate: fate.as_str(),
                pending: match fate {
                    Fate::Armed(at) => Some(at),
                    _ => None,
                },
                lingers: matches!(fate, Fate::Evicted(_)) && life.removed_at().is_none(),
                reason: Reason::of(view.context, view.history, life),
            };
            let members = groups.entry(group).or_default();
            members.count += 1;
            if members.first.len() < NAMED_AT_MOST {
                members.first.push(life.uid);
            }
        }
        let order =
            |fate| ["evicted", "removed", "terminating", "armed"].iter().position(|f| *f == fate);
        let mut rows = rows(view, groups);
        rows.sort_by_cached_key(|line, members| {
            (order(line.fate).unwrap_or(usize::MAX), line.pending, usize::MAX - members.count)
        });
        Summary { rows, notes: notes(view, ending) }
    }

    /// Its rows: fate, why, how many pods, and which.
    pub(super) fn lines<'a>(
        &'a self,
        view: View<'a>,
    ) -> impl Iterator<Item = (&'static str, &'a str, usize, String)> {
        let shown = move |(line, members): (&'a Line, &'a Members)| {
            (line.fate, line.why.as_str(), members.count, which(view, members))
        };
        self.rows.iter().map(shown)
    }

    /// The sentences below the rows.
    pub(super) fn notes(&self) -> &[String] {
        &self.notes
    }

    pub(super) fn write(&self, view: View<'_>, styled: bool, out: &mut Vec<u8>) {
        let mut columns = Columns::new(&["FATE", "PODS", "WHY", "WHICH"], styled, 0);
        for (line, members) in self.rows.iter().take(LISTED_AT_MOST) {
            let cells = vec![
                line.fate.to_owned(),
                members.count.to_string(),
                line.why.clone(),
                which(view, members),
            ];
            columns.push(Row { cells, style: Style::new().bold() }, out);
        }
        columns.finish(out);
        if let Some(more) = beyond(self.rows.len()) {
            let pods: usize = self.rows.values().skip(LISTED_AT_MOST).map(|m| m.count).sum();
            let line = format!("... and {} in {more} more groups\n", counted(pods, "pod"));
            out.extend_from_slice(line.as_bytes());
        }
        if !self.notes.is_empty() && !self.rows.is_empty() {
            out.push(b'\n');
        }
        for note in &self.notes {
            out.extend_from_slice(printable(note).as_bytes());
            out.push(b'\n');
        }
    }
}

/// One row for all groups that read the same: two decisions may differ only in the place of a
/// toleration in the pod's list.
fn rows(view: View<'_>, groups: IndexMap<Group, Members>) -> IndexMap<Line, Members> {
    let mut rows: IndexMap<Line, Members> = IndexMap::new();
    for (group, mut members) in groups {
        let line = Line { fate: group.fate, pending: group.pending, why: why(view, &group) };
        let row = rows.entry(line).or_default();
        row.count += members.count;
        row.first.append(&mut members.first);
        row.first.sort_unstable();
        row.first.truncate(NAMED_AT_MOST);
    }
    rows
}

fn why(view: View<'_>, group: &Group) -> String {
    let phrase = group.reason.phrase(view.context, view.history);
    match group.pending {
        Some(at) => format!("fires at {at}: {phrase}"),
        None if group.lingers => format!("{phrase}; still terminating"),
        None => phrase.to_string(),
    }
}

fn which(view: View<'_>, members: &Members) -> String {
    let names: Vec<String> = members.first.iter().map(|uid| name(view, *uid)).collect();
    match members.count - names.len() {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

/// `default/web-0`, or `default/web-0 (2nd)` where several pods have had the name.
fn name(view: View<'_>, uid: Uid) -> String {
    let Some(life) = view.history.incarnation(uid) else { return uid.to_string() };
    let name = view.context.names().pod(life.pod);
    match view.history.instance(life) {
        (_, 1) => name.to_owned(),
        (instance, _) => format!("{name} ({})", ordinal(instance)),
    }
}

pub(super) fn ordinal(number: usize) -> String {
    let ending = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// What went otherwise than the scenario meant it, and what is left over.
fn notes(view: View<'_>, ending: Ending<'_>) -> Vec<String> {
    let mut notes: Vec<String> = input_notes(view).into_iter().map(Into::into).collect();
    let number =
        |step: u32| view.context.plan.steps.get(step as usize).map_or(step + 1, |step| step.number);
    let rejections = view.history.rejections();
    for rejection in rejections.iter().take(LISTED_AT_MOST) {
        notes.push(format!(
            "Step {} was rejected at {}: {}",
            number(rejection.step),
            rejection.at,
            rejection.error
        ));
    }
    if let Some(more) = beyond(rejections.len()) {
        notes.push(format!("... and {more} more rejections"));
    }
    let Ending { end, steps_not_applied } = ending;
    let unapplied = Unapplied::new(view.context.plan, steps_not_applied, end);
    for step in steps_not_applied.iter().take(LISTED_AT_MOST) {
        notes.push(format!("Step {step} was not applied: {}.", unapplied.why(*step)));
    }
    if let Some(more) = beyond(steps_not_applied.len()) {
        notes.push(format!("... and {more} more steps"));
    }
    let orphans = view.history.armings().iter().filter(|arming| {
        let is_alive = |pod| view.history.newest(pod).is_some_and(|life| life.is_running());
        arming.state == ArmingState::Armed
            && view.selection.has_pod(arming.pod)
            && !is_alive(arming.pod)
    });
    let orphans: Vec<_> = orphans.take(LISTED_AT_MOST).collect();
    for arming in orphans {
        notes.push(format!(
            "A timer for {} is pending, though no such pod runs: it fires at {}.",
            view.context.names().pod(arming.pod),
            arming.fire_at
        ));
    }
    notes.extend(end_note(view, ending));
    notes
}

/// What a reader may not expect of the input.
fn input_notes(view: View<'_>) -> Vec<&'static str> {
    let mut notes = Vec::new();
    if view.history.incarnations().is_empty() {
        notes.push(
            "There is no pod in this run, so there is none to evict. A dump needs both: kubectl \
             get nodes,pods -A -o yaml",
        );
    }
    let waits_from_start = |arming: &Arming| {
        arming.at == Time::ZERO
            && arming.fire_at > Time::ZERO
            && view.selection.has_pod(arming.pod)
            && view.history.decision(arming).origin == Origin::Start
    };
    if view.history.armings().iter().any(waits_from_start) {
        notes.push(
            "Taints that are on a node from the start count from 0s in full, as after a restart \
             of the controller: it does not read timeAdded.",
        );
    }
    notes
}

fn end_note(view: View<'_>, ending: Ending<'_>) -> Option<String> {
    match ending.end.reason {
        EndReason::Idle => None,
        EndReason::Until => {
            let pending = view.history.armings().iter().any(|a| a.state == ArmingState::Armed);
            let until = view.context.plan.config.until?;
            pending.then(|| format!("Stopped at {until} (`until`) with timers pending."))
        }
        EndReason::Limit => Some(format!(
            "Stopped at {} with something still pending; set `until` to run longer.",
            crate::plan::Config::UNBOUNDED_LIMIT
        )),
    }
}

fn beyond(count: usize) -> Option<usize> {
    count.checked_sub(LISTED_AT_MOST).filter(|more| *more > 0)
}
