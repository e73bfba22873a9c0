//! How much later than the instant itself somebody may act on what happened at it.

use crate::kernel::{Span, SpanRange};
use crate::plan::{ApiError, Fault, Latency, Plan, Resource, Verb};

/// What a run's settings allow. Versions have no say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slack {
    /// Until what happens in the store has been looked at: the watch, and the time that handlers
    /// keep their workers.
    pub news: Span,
    /// Until a deletion that has begun has reached the store, all of its attempts counted.
    pub deletion: Span,
    /// How long a refused deletion may wait before it is tried again.
    pub retry: Span,
}

/// The client repeats a call that was told to come back later so often, a second apart.
const CLIENT_WAITS: u64 = 10;
/// Up to 1.15 a handler asks again for the list of pods so often, 100 ms apart.
const LISTS: u64 = 6;

impl Slack {
    /// In a run with so many pieces of news.
    pub fn of(plan: &Plan, news: u64) -> Slack {
        let (manager, api) = (&plan.config.taint_manager, &plan.config.api_server);
        let fails = |verb| plan.faults.iter().any(|fault| fault.verb == verb);
        let told_to_wait =
            plan.faults.iter().any(|f| f.error == ApiError::TooManyRequests && hits_calls(f));
        let highs = |pick: fn(&Latency) -> SpanRange| {
            pick(&api.latency).high.0.saturating_add(pick(&api.reply_latency).high.0)
        };
        let calls =
            highs(|l| l.get).saturating_add(highs(|l| l.patch)).saturating_add(highs(|l| l.delete));
        let waits = Span::from_secs(CLIENT_WAITS).0;
        let attempt = match told_to_wait {
            true => calls.saturating_mul(CLIENT_WAITS + 1).saturating_add(waits * 3),
            false => calls,
        };
        let attempt = attempt.saturating_add(manager.retry_interval.0);
        let list = highs(|l| l.list);
        let list = match fails(Verb::List) {
            true => {
                let one = list.saturating_add(Span::from_millis(100).0);
                let one = if told_to_wait { one.saturating_add(waits) } else { one };
                one.saturating_mul(LISTS)
            }
            false => list,
        };
        let item = manager.handler_cost.high.0.saturating_add(list);
        let watch = api.watch_latency.pods.high.max(api.watch_latency.nodes.high);
        Slack {
            news: Span(watch.0.saturating_add(item.saturating_mul(news))),
            // A nanosecond is the least that a clock tells: some versions delete at once by a timer.
            deletion: Span(attempt.saturating_mul(u64::from(manager.delete_retries)).max(1)),
            retry: Span::from_secs(60),
        }
    }

    /// From what happens to the end of the deletion that it brings about.
    pub fn whole(self) -> Span {
        Span(self.news.0.saturating_add(self.deletion.0))
    }
}

/// Whether a fault can hit a call that the taint manager makes.
pub fn hits_calls(fault: &Fault) -> bool {
    fault.resource == Resource::Pods && fault.verb != Verb::Create
}
