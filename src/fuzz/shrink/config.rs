//! The control plane's settings: the version's own, where they will do.

use super::Search;
use super::measure::{ranges, ranges_mut, usual};
use super::values::instants_near;
use crate::kernel::{Span, Time};
use crate::plan::{Config, Plan};

/// Many settings at once, while the plan is large: what is left of it is then easier to drop.
pub(super) fn all_at_once(search: &mut Search<'_>) {
    let changes: [fn(&mut Config, Config); 5] = [
        |own, usual| *own = Config { until: own.until, ..usual },
        // Each but one of what matters most often.
        |own, usual| {
            *own = Config { until: own.until, api_server: own.api_server.clone(), ..usual }
        },
        |own, usual| {
            *own = Config { until: own.until, taint_manager: own.taint_manager.clone(), ..usual };
        },
        |own, usual| {
            let (termination, stop_after) = (own.termination, own.stop_after);
            *own = Config { until: own.until, termination, stop_after, ..usual };
        },
        |own, _| own.taint_manager.random_interleaving = false,
    ];
    for change in changes {
        offer(search, change);
    }
}

/// Each setting alone.
pub(super) fn one_by_one(search: &mut Search<'_>) {
    let changes: [fn(&mut Config, Config); 14] = [
        |own, usual| {
            own.taint_manager.random_interleaving = usual.taint_manager.random_interleaving
        },
        |own, _| own.seed = 0,
        |own, usual| own.api_server.latency = usual.api_server.latency,
        |own, usual| own.api_server.reply_latency = usual.api_server.reply_latency,
        |own, usual| own.api_server.watch_latency = usual.api_server.watch_latency,
        |own, usual| own.api_server.validation = usual.api_server.validation,
        |own, usual| own.taint_manager.workers = usual.taint_manager.workers,
        |own, usual| {
            own.taint_manager.node_channel_capacity = usual.taint_manager.node_channel_capacity;
        },
        |own, usual| {
            own.taint_manager.pod_channel_capacity = usual.taint_manager.pod_channel_capacity;
        },
        |own, usual| own.taint_manager.delete_retries = usual.taint_manager.delete_retries,
        |own, usual| own.taint_manager.retry_interval = usual.taint_manager.retry_interval,
        |own, usual| own.taint_manager.enabled = usual.taint_manager.enabled,
        |own, usual| own.termination = usual.termination,
        |own, usual| own.stop_after = usual.stop_after,
    ];
    for change in changes {
        offer(search, change);
    }
    seed(search);
    switches(search);
    for index in 0..ranges(&search.plan.config).len() {
        let range = ranges(&search.plan.config)[index];
        for end in [Span::ZERO, range.low, range.high] {
            search.offer_with(|plan| *ranges_mut(&mut plan.config)[index] = end.into());
        }
    }
    end(search);
}

/// A seed of one digit, where none will not do.
fn seed(search: &mut Search<'_>) {
    for seed in 1..search.plan.config.seed.min(10) {
        if search.offer_with(|plan| plan.config.seed = seed) {
            return;
        }
    }
}

fn switches(search: &mut Search<'_>) {
    let own = search.plan.config.switches;
    let profile = search.plan.config.profile;
    for (switch, _, usual) in own.differences(profile.switches()) {
        search.offer_with(|plan| {
            plan.config.switches.set(switch, usual);
            let workers = super::measure::usual(&plan.config).taint_manager.workers;
            plan.config.taint_manager.workers = workers;
        });
    }
}

fn offer(search: &mut Search<'_>, change: fn(&mut Config, Config)) {
    search.offer_with(|plan| {
        let usual = usual(&plan.config);
        change(&mut plan.config, usual);
        // A switch may bring another number of workers with it.
        let Config { switches, taint_manager, .. } = &mut plan.config;
        if !switches.sharded_workers {
            taint_manager.workers = taint_manager.workers.min(1);
        }
    });
}

/// The end of the run: none is best, and else a round time.
pub(super) fn end(search: &mut Search<'_>) {
    let Some(until) = search.plan.config.until else { return };
    if search.offer_with(|plan| plan.config.until = None) {
        return;
    }
    let mut ends = instants_near(until);
    let last = super::times::reckoned(&search.plan).into_iter().max().unwrap_or(Time::ZERO);
    ends.extend(
        [10, 30, 60, 300, 600].map(|seconds| last.saturating_add(Span::from_secs(seconds))),
    );
    ends.extend(instants_near(last.saturating_add(Span::from_secs(30))));
    let plans: Vec<Plan> = ends.into_iter().map(|end| with_end(&search.plan, end)).collect();
    search.offer_best_value(plans);
}

fn with_end(plan: &Plan, end: Time) -> Plan {
    let mut plan = plan.clone();
    plan.config.until = Some(end);
    plan
}
