//! The control plane's settings of a run.

use super::dice::Dice;
use super::swarm::Swarm;
use super::weights::Trait;
use crate::kernel::{Span, SpanRange};
use crate::plan::{Config, Latency, PodTermination, Validation};
use crate::profile::{GATES, NEWEST, Profile};

/// Draws the settings; the version, where none is given.
pub(super) fn draw(profile: Option<Profile>, swarm: &Swarm, dice: &mut Dice) -> Config {
    let profile = profile.unwrap_or_else(|| version(dice));
    let mut config = of(profile);
    if swarm.has(Trait::Gates) {
        gates(&mut config, dice);
    }
    vary(&mut config, swarm, dice);
    config
}

/// The newest version often, each of the others now and then.
pub(super) fn version(dice: &mut Dice) -> Profile {
    let all = Profile::all();
    let index = dice.index(all.len() + all.len() / 2);
    Profile::all().nth(index).unwrap_or(NEWEST)
}

/// The defaults of a version.
pub(super) fn of(profile: Profile) -> Config {
    let mut config = Config { profile, switches: profile.switches(), ..Config::default() };
    if !config.switches.sharded_workers {
        config.taint_manager.workers = 1;
    }
    config
}

fn gates(config: &mut Config, dice: &mut Dice) {
    for gate in &GATES {
        if dice.chance(500) {
            let on = dice.chance(600);
            // A version that refuses it keeps its own setting.
            let _ = gate.set(on, config.profile, &mut config.switches);
        }
    }
}

/// Draws what has nothing to do with the version.
pub(super) fn vary(config: &mut Config, swarm: &Swarm, dice: &mut Dice) {
    config.taint_manager.random_interleaving = swarm.has(Trait::RandomInterleaving);
    let ranges = swarm.has(Trait::Ranges);
    if swarm.has(Trait::HandlerCost) {
        config.taint_manager.handler_cost = span(&COSTS, ranges, dice);
    }
    if swarm.has(Trait::Latency) {
        latency(&mut config.api_server.latency, ranges, dice);
    }
    if swarm.has(Trait::ReplyLatency) {
        latency(&mut config.api_server.reply_latency, ranges, dice);
    }
    if swarm.has(Trait::WatchLatency) {
        let watches = &mut config.api_server.watch_latency;
        // One of them alone, more often than both.
        let which = dice.below(3);
        if which != 0 {
            watches.pods = span(&LAGS, ranges, dice);
        }
        if which != 1 {
            watches.nodes = span(&LAGS, ranges, dice);
        }
    }
    if swarm.has(Trait::Termination) {
        config.termination = dice.pick(&[
            PodTermination::Graceful,
            PodTermination::Graceful,
            PodTermination::Never,
            PodTermination::Immediate,
        ]);
        let stops = [2_000, 0, 1, 5, 1_000, 30_000];
        config.stop_after = Span::from_millis(dice.pick(&stops));
    }
    if swarm.has(Trait::Tuned) {
        tune(config, dice);
    }
    if swarm.has(Trait::Ignore) {
        config.api_server.validation = Validation::Ignore;
    }
}

fn tune(config: &mut Config, dice: &mut Dice) {
    let settings = &mut config.taint_manager;
    if config.switches.sharded_workers {
        settings.workers = dice.pick(&[8, 1, 2]);
    }
    settings.node_channel_capacity = dice.pick(&[10, 1, 2]);
    settings.pod_channel_capacity = dice.pick(&[1, 1, 2]);
    settings.delete_retries = dice.pick(&[5, 1, 2]);
    settings.retry_interval = Span::from_millis(dice.pick(&[10, 0, 1, 1_000]));
}

/// Draws the spans of some verbs.
pub(super) fn latency(latency: &mut Latency, ranges: bool, dice: &mut Dice) {
    let verbs = [&mut latency.delete, &mut latency.get, &mut latency.patch, &mut latency.list];
    let always = dice.index(verbs.len());
    for (verb, index) in verbs.into_iter().zip(0..) {
        if index == always || dice.chance(400) {
            *verb = span(&LATENCIES, ranges, dice);
        }
    }
}

/// Milliseconds of calls.
const LATENCIES: [u64; 7] = [5, 1, 2, 10, 20, 100, 1_000];
/// Milliseconds of watches.
const LAGS: [u64; 7] = [10, 1, 5, 50, 100, 1_000, 5_000];
/// Milliseconds of handlers.
const COSTS: [u64; 4] = [1, 10, 100, 1_000];

/// One of these, or a range with one of these at one end.
pub(super) fn span(millis: &[u64], ranges: bool, dice: &mut Dice) -> SpanRange {
    let high = Span::from_millis(dice.pick(millis));
    match ranges && dice.chance(600) {
        true => SpanRange { low: Span(dice.pick(&[0, high.0 / 2, high.0 - 1])), high },
        false => high.into(),
    }
}
