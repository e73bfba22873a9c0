//! What a person would write: how far times, waits, seconds and names are from it, and what to try
//! in their place.

use crate::kernel::{Span, Time};
use crate::objects::{Effect, Operator, Toleration};
use crate::plan::{Action, Plan};

const MILLI: u64 = 1_000_000;
const SECOND: u64 = 1_000 * MILLI;

/// Grids of times, the best one first, with what it costs to be on none before it.
const GRIDS: [(u64, u64); 8] = [
    (10 * SECOND, 0),
    (5 * SECOND, 3),
    (SECOND, 6),
    (100 * MILLI, 1_000),
    (10 * MILLI, 1_200),
    (MILLI, 1_400),
    (1_000, 2_000),
    (1, 3_000),
];

/// Of a step's time: few tens of seconds are the best.
pub(super) fn instant(time: Time) -> u64 {
    if time == Time::ZERO {
        // What is there at the start needs no step; a step at 0s looks as if it were that.
        return 30;
    }
    let grid = GRIDS.iter().find(|(grid, _)| time.0.is_multiple_of(*grid));
    let minutes = time.0.is_multiple_of(60 * SECOND) || time.0 < 60 * SECOND;
    let size = (time.0 / (10 * SECOND)).min(800);
    // Centuries are still larger than days.
    let beyond = u64::from((time.0 / (10 * SECOND)).max(1).ilog10());
    // The first ten seconds are left to what is there at the start.
    let early = if time.0 < 10 * SECOND { 6 } else { 0 };
    grid.map_or(0, |(_, cost)| *cost) + size + beyond + early + u64::from(!minutes) + 1
}

/// Seconds to try in the place of any later time.
const EARLY: [u64; 17] =
    [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 120, 150, 180, 240, 300, 600, 3_600];

/// Times to try in the place of one: good earlier ones, and the points next to it of all grids.
pub(super) fn instants_near(time: Time) -> Vec<Time> {
    let grids = [300 * SECOND, 60 * SECOND, 30 * SECOND];
    let early = EARLY.into_iter().map(|seconds| Time(seconds * SECOND));
    let mut near: Vec<Time> = early.filter(|early| *early < time).collect();
    for grid in grids.into_iter().chain(GRIDS.iter().map(|(grid, _)| *grid)) {
        let below = time.0 / grid * grid;
        for point in [below, below.saturating_add(grid)] {
            if point != time.0 && !near.contains(&Time(point)) {
                near.push(Time(point));
            }
        }
    }
    near
}

/// Of a span: none is the best, then powers of ten.
pub(super) fn wait(span: Span) -> u64 {
    match span.0 {
        0 => 0,
        nanos => {
            let zeros = (0..20).take_while(|n| nanos.is_multiple_of(10u64.pow(*n))).count() as u32;
            let mantissa = nanos / 10u64.pow(zeros.saturating_sub(1));
            let digits = u64::from(mantissa.ilog10());
            let leading = match (mantissa, nanos) {
                (1, _) => 0,
                // A minute is as good as ten seconds.
                (_, 60_000_000_000 | 300_000_000_000) => 0,
                (5 | 3, _) => 1,
                (2, _) => 2,
                _ => 3,
            };
            let unit = match nanos {
                _ if nanos.is_multiple_of(SECOND) => 0,
                _ if nanos.is_multiple_of(MILLI) => 2,
                _ if nanos.is_multiple_of(1_000) => 40,
                _ => 80,
            };
            let long = if nanos > 60 * SECOND { 3 } else { 0 };
            1 + leading + unit + long + 20 * digits
        }
    }
}

/// Waits to try, the best ones first.
pub(super) const WAITS: [Span; 13] = [
    Span(0),
    Span(10 * SECOND),
    Span(SECOND),
    Span(60 * SECOND),
    Span(300 * SECOND),
    Span(5 * SECOND),
    Span(30 * SECOND),
    Span(100 * MILLI),
    Span(10 * MILLI),
    Span(MILLI),
    Span(50 * MILLI),
    Span(5 * MILLI),
    Span(20 * MILLI),
];

/// `tolerationSeconds` to try, the best ones first: those of the documentation, and those at and
/// beyond the end of 64 bits of nanoseconds.
pub(super) const SECONDS: [Option<i64>; 18] = [
    None,
    Some(300),
    Some(60),
    Some(3_600),
    Some(30),
    Some(10),
    Some(5),
    Some(1),
    Some(0),
    Some(20),
    Some(40),
    Some(50),
    Some(90),
    Some(100),
    Some(120),
    Some(600),
    Some(-1),
    Some(9_223_372_037),
];

/// Of a number of seconds.
pub(super) fn seconds(seconds: Option<i64>) -> u64 {
    match SECONDS.iter().position(|one| *one == seconds) {
        Some(place) => place as u64,
        None => {
            let digits = seconds.unwrap_or(0).unsigned_abs().max(1).ilog10();
            20 + u64::from(digits) + 20 * u64::from(seconds.is_some_and(i64::is_negative))
        }
    }
}

/// Of a toleration, as `key:NoExecute op=Exists for 60s` is the best.
pub(super) fn toleration(toleration: &Toleration) -> u64 {
    let effect = match &toleration.effect {
        Some(Effect::NoExecute) => 0,
        None => 1,
        Some(_) => 3,
    };
    let operator = if toleration.operator == Operator::Exists { 0 } else { 2 };
    let key = if toleration.key.is_empty() { 2 } else { 0 };
    let value = if toleration.value.is_empty() { 0 } else { 2 };
    effect + operator + key + value + seconds(toleration.toleration_seconds)
}

/// Keys in the order in which they are given; further ones are numbered.
const KEYS: [&str; 4] = ["maintenance", "disk", "network", "power"];

pub(super) fn key(index: usize) -> String {
    KEYS.get(index).map_or_else(|| format!("key-{index}"), |key| (*key).to_owned())
}

pub(super) fn node(index: usize) -> String {
    format!("node-{index}")
}

pub(super) fn pod(index: usize) -> String {
    format!("default/web-{index}")
}

/// All keys of a plan's taints, and of tolerations and steps beside them, in the order in which a
/// rebuilt plan has them.
pub(super) fn keys(plan: &Plan) -> Vec<Box<str>> {
    let mut keys: Vec<Box<str>> = Vec::new();
    let mut add = |key: &str| {
        if !key.is_empty() && !keys.iter().any(|other| **other == *key) {
            keys.push(key.into());
        }
    };
    plan.lists.all_taints().for_each(|taint| add(&taint.key));
    let actions = plan.steps.iter().flat_map(|step| &step.actions);
    for action in actions {
        if let Action::Taint { change, .. } = &action.action {
            change.remove.iter().for_each(|pattern| add(&pattern.key));
        }
    }
    plan.lists.all_tolerations().for_each(|toleration| {
        if !is_of_admission(toleration) {
            add(&toleration.key);
        }
    });
    keys
}

/// What admission adds has its own keys, which no plan needs to name.
fn is_of_admission(toleration: &Toleration) -> bool {
    let keys = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];
    keys.contains(&&*toleration.key) && toleration.toleration_seconds == Some(300)
}

/// Of all names: those in their order are the best.
pub(super) fn names(plan: &Plan) -> u64 {
    let nodes = plan.names.nodes().enumerate();
    let nodes = nodes.map(|(index, (_, name))| if name == node(index) { 0 } else { 5 });
    let pods = plan.names.pods().enumerate();
    let pods = pods.map(|(index, (_, name))| if name == pod(index) { 0 } else { 5 });
    let keys = keys(plan).into_iter().enumerate();
    let keys = keys.map(|(index, name)| if *name == *key(index) { 0 } else { 5 });
    nodes.sum::<u64>() + pods.sum::<u64>() + keys.sum::<u64>()
}
