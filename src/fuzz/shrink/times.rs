//! Round times, and steps that come one by one.

use super::Search;
use super::measure::{ranges, ranges_mut};
use super::values::{WAITS, instants_near, wait};
use crate::kernel::{Span, Time};
use crate::plan::{Action, Config, Plan, Step, When};

/// The time of each step as far as it is known; one that waits counts from the one above it.
pub(super) fn reckoned(plan: &Plan) -> Vec<Time> {
    let mut above = Time::ZERO;
    let time_of = |step: &Step| {
        above = match step.when {
            When::At(time) => time,
            When::AfterPrevious(span) | When::After { plus: span, .. } => {
                above.saturating_add(span)
            }
        };
        above
    };
    plan.steps.iter().map(time_of).collect()
}

/// The plan with another time of a fault.
pub(super) fn with_window(plan: &Plan, fault: usize, window: (Time, Time)) -> Plan {
    let mut plan = plan.clone();
    plan.faults[fault].between = Some(window);
    plan
}

/// Moves what happens from a time on: steps from `first` on, faults, and the end. `None` where
/// something would come before the start.
pub(super) fn shifted(plan: &Plan, first: usize, delta: i128) -> Option<Plan> {
    let from = *reckoned(plan).get(first)?;
    let moved = |time: Time| {
        let time = i128::from(time.0) + delta;
        u64::try_from(time).ok().filter(|time| *time < u64::MAX).map(Time)
    };
    let mut plan = plan.clone();
    for step in &mut plan.steps[first..] {
        if let When::At(time) = &mut step.when {
            *time = moved(*time)?;
        }
    }
    for fault in &mut plan.faults {
        if let Some((begin, end)) = &mut fault.between {
            for time in [begin, end] {
                if *time >= from {
                    *time = moved(*time)?;
                }
            }
        }
    }
    if let Some(until) = &mut plan.config.until {
        *until = moved(*until)?;
    }
    Some(plan)
}

/// Spans after the step before one, to be tried for it.
const GAPS: [u64; 11] = [
    10_000_000_000,
    0,
    1_000_000_000,
    5_000_000_000,
    20_000_000_000,
    30_000_000_000,
    60_000_000_000,
    100_000_000,
    10_000_000,
    1_000_000,
    1,
];

/// Times of steps.
pub(super) fn instants(search: &mut Search<'_>) {
    one_by_one(search);
    stretch(search);
    // Only times change, so that each step stays where it is.
    for index in 0..search.plan.steps.len() {
        let When::At(time) = search.plan.steps[index].when else { continue };
        let before = reckoned(&search.plan);
        let above = index.checked_sub(1).map_or(Time::ZERO, |above| before[above]);
        let mut times = instants_near(time);
        times.extend(GAPS.iter().map(|gap| above.saturating_add(Span(*gap))));
        times.retain(|new| *new >= above && *new != time);
        let mut plans = Vec::new();
        for new in times {
            let delta = i128::from(new.0) - i128::from(time.0);
            plans.extend(shifted(&search.plan, index, delta));
            let mut alone = search.plan.clone();
            alone.steps[index].when = When::At(new);
            plans.push(alone);
        }
        search.offer_best_value(plans);
    }
}

/// All steps at 10s, 20s, 30s, …: with those of one instant together, or not.
fn one_by_one(search: &mut Search<'_>) {
    for together in [false, true] {
        let mut plan = search.plan.clone();
        let (mut count, mut above) = (0, None);
        for step in &mut plan.steps {
            if let When::At(time) = &mut step.when {
                let same = together && above == Some(*time);
                count += u64::from(!same);
                above = Some(*time);
                *time = Time(Span::from_secs(10 * count).0);
            }
        }
        search.offer(plan);
    }
}

/// Fractions of seconds become seconds where all that is counted in them becomes longer: the steps
/// and, or not, the latencies between which they fall.
fn stretch(search: &mut Search<'_>) {
    let whole = Span::from_secs(1).0;
    let is_whole = |step: &Step| match step.when {
        When::At(time) => time.0.is_multiple_of(whole),
        _ => true,
    };
    if search.plan.steps.iter().all(is_whole) {
        return;
    }
    let first = search.plan.steps.iter().find_map(|step| match step.when {
        When::At(time) => Some(time),
        _ => None,
    });
    let mut plans = Vec::new();
    for anchor in [Some(Time::ZERO), first].into_iter().flatten() {
        for by in [2, 5, 10, 100, 1_000, 1_000_000, 1_000_000_000, 10_000_000_000] {
            for with_latencies in [true, false] {
                plans.extend(scaled(&search.plan, anchor, by, with_latencies));
            }
        }
    }
    search.offer_best_value(plans);
}

/// The plan with longer times from a time on. `None` where they would be hours.
fn scaled(plan: &Plan, anchor: Time, by: u64, with_latencies: bool) -> Option<Plan> {
    let longer = |nanos: u64| nanos.checked_mul(by).filter(|long| *long <= LONGEST.0);
    let later = |time: Time| match time.0.checked_sub(anchor.0) {
        Some(after) => Some(anchor.saturating_add(Span(longer(after)?))),
        None => Some(time),
    };
    let mut plan = plan.clone();
    for step in &mut plan.steps {
        if let When::At(time) = &mut step.when {
            *time = later(*time)?;
        }
    }
    for fault in &mut plan.faults {
        if let Some((from, to)) = &mut fault.between {
            (*from, *to) = (later(*from)?, later(*to)?);
        }
    }
    if with_latencies {
        for range in ranges_mut(&mut plan.config) {
            if range.high.0.saturating_mul(by) > LONGEST_LATENCY.0 {
                return None;
            }
            (range.low, range.high) = (Span(longer(range.low.0)?), Span(longer(range.high.0)?));
        }
    }
    if let Some(until) = &mut plan.config.until {
        *until = until.saturating_add(LONGEST);
    }
    Some(plan)
}

/// No time of a few steps needs to be later.
const LONGEST: Span = Span::from_secs(3_600);

/// And no latency of one that shows something.
const LONGEST_LATENCY: Span = Span::from_secs(60);

/// Spans: of latencies, of steps that follow others, of times without a controller or a watch.
pub(super) fn spans(search: &mut Search<'_>) {
    for place in 0..places(&mut search.plan.clone()).len() {
        let mut copy = search.plan.clone();
        let Some(own) = places(&mut copy).get(place).map(|span| **span) else { break };
        for new in WAITS.into_iter().filter(|new| wait(*new) < wait(own)) {
            let kept = search.offer_with(|plan| {
                if let Some(span) = places(plan).into_iter().nth(place) {
                    *span = new;
                }
            });
            if kept {
                break;
            }
        }
    }
    for index in 0..ranges(&search.plan.config).len() {
        let own = ranges(&search.plan.config)[index];
        for low in WAITS.into_iter().filter(|low| own.low != own.high && wait(*low) < wait(own.low))
        {
            if low <= own.high
                && search.offer_with(|plan| ranges_mut(&mut plan.config)[index].low = low)
            {
                break;
            }
        }
        let own = ranges(&search.plan.config)[index];
        for new in WAITS.into_iter().filter(|new| wait(*new) < wait(own.high)) {
            let change = |plan: &mut Plan| {
                let range = &mut ranges_mut(&mut plan.config)[index];
                range.low = if own.low == own.high { new } else { own.low.min(new) };
                range.high = new;
            };
            if search.offer_with(change) {
                break;
            }
        }
    }
}

/// The spans that stand in a file, but for ranges.
fn places(plan: &mut Plan) -> Vec<&mut Span> {
    let usual = Config::default();
    let mut all = Vec::new();
    if plan.config.stop_after != usual.stop_after {
        all.push(&mut plan.config.stop_after);
    }
    if plan.config.taint_manager.retry_interval != usual.taint_manager.retry_interval {
        all.push(&mut plan.config.taint_manager.retry_interval);
    }
    for step in &mut plan.steps {
        if let When::AfterPrevious(span) | When::After { plus: span, .. } = &mut step.when {
            all.push(span);
        }
        for action in &mut step.actions {
            if let Action::BreakWatch { down_for, .. } | Action::RestartController { down_for } =
                &mut action.action
            {
                all.push(down_for);
            }
        }
    }
    all
}
