//! The order of steps, and how long a plan goes on.

use crate::kernel::{Span, SpanRange, Time};
use crate::plan::{Config, Plan, Step, When};

/// Numbers the steps, and gives them times in the order in which they stand, as the loader reads
/// them: one that would come before those above it comes at their time.
pub(super) fn in_order(steps: &mut [Step]) {
    let (mut floor, mut waits, mut follows) = (Time::ZERO, false, false);
    for (step, number) in steps.iter_mut().zip(1..) {
        step.number = number;
        match &step.when {
            When::AfterPrevious(span) => {
                if !waits {
                    floor = floor.saturating_add(*span);
                }
                follows = true;
            }
            When::After { .. } => (waits, follows) = (true, false),
            When::At(time) => {
                let time = (*time).max(floor);
                // A step that follows another by a span is applied after those that have a time
                // of their own. To come after it, this one has to follow it, too.
                if follows && !waits && time == floor {
                    step.when = When::AfterPrevious(Span::ZERO);
                } else {
                    step.when = When::At(time);
                    (floor, waits, follows) = (time, false, false);
                }
            }
        }
    }
}

/// The time of each step as far as it is known; one that waits counts from the time above it.
pub(super) fn reckoned(steps: &[Step]) -> impl Iterator<Item = Time> + '_ {
    let mut above = Time::ZERO;
    steps.iter().map(move |step| {
        above = match step.when {
            When::At(time) => time,
            When::AfterPrevious(span) | When::After { plus: span, .. } => {
                above.saturating_add(span)
            }
        };
        above
    })
}

/// Seconds beyond this are meant never to pass in a run.
const LONGEST_WAIT: i64 = 3_600;

/// When all is over as far as can be told: the steps, what they wait for, the waits of pods, the
/// faults, and what they hold up.
pub(super) fn over(plan: &Plan) -> Time {
    let Config { api_server, taint_manager, stop_after, .. } = &plan.config;
    let (calls, replies) = (&api_server.latency, &api_server.reply_latency);
    let call = |range: SpanRange| range.high.0;
    let each = [
        [calls.get, calls.patch, calls.delete, calls.list],
        [replies.get, replies.patch, replies.delete, replies.list],
    ];
    // All calls of a deletion's tries, a lag of both watches, and the handlers of a few objects.
    let tries = u64::from(taint_manager.delete_retries);
    let calls: u64 = each.iter().flatten().map(|range| call(*range)).sum();
    let watches = call(api_server.watch_latency.pods) + call(api_server.watch_latency.nodes);
    let handlers = 64 * call(taint_manager.handler_cost);
    let slack = tries * (calls + taint_manager.retry_interval.0) + watches + handlers;

    let steps = reckoned(&plan.steps).max().unwrap_or(Time::ZERO);
    let is_waiting = |step: &&Step| matches!(step.when, When::After { .. });
    let waits = plan.steps.iter().filter(is_waiting).count() as u64;
    let seconds = longest_wait(plan);
    let last = steps.max(faults_over(plan).unwrap_or(Time::ZERO));
    let span = (waits + 1) * (seconds + slack) + stop_after.0 + down_times(plan);
    // Pods that terminate gracefully, and what comes after the last of them.
    last.saturating_add(Span(span)).saturating_add(Span::from_secs(1))
}

/// When every fault is over; `None` where one may hit to the end of the run.
pub(super) fn faults_over(plan: &Plan) -> Option<Time> {
    let ends = plan.faults.iter().map(|fault| fault.between.map(|(_, end)| end));
    ends.collect::<Option<Vec<Time>>>().map(|ends| ends.into_iter().max().unwrap_or(Time::ZERO))
}

/// The longest wait of a pod in nanoseconds, of those that can pass in a run.
fn longest_wait(plan: &Plan) -> u64 {
    let lists = plan.lists.all_tolerations();
    let seconds = lists.filter_map(|toleration| toleration.toleration_seconds);
    let longest = seconds.filter(|seconds| (0..=LONGEST_WAIT).contains(seconds)).max();
    longest.map_or(0, |seconds| Span::from_secs(seconds.unsigned_abs()).0)
}

/// How long the controller and its watches are down in all.
fn down_times(plan: &Plan) -> u64 {
    use crate::plan::Action;
    let actions = plan.steps.iter().flat_map(|step| &step.actions);
    let down = actions.map(|action| match &action.action {
        Action::RestartController { down_for } => down_for.0 + Span::from_millis(100).0,
        Action::BreakWatch { down_for, .. } => down_for.0,
        _ => 0,
    });
    down.fold(0, u64::saturating_add)
}
