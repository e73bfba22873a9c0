//! The settings of `spec`, where they are not the defaults of the plan's version.

use super::tree::{Entries, Yaml};
use super::words::{span, span_range};
use crate::kernel::{Span, SpanRange};
use crate::plan::{Config, Latency, PodTermination, TaintManagerConfig, Validation};
use crate::profile::{GATES, Switches};
use crate::scenario::language::{TERMINATIONS, default_workers};
use crate::scenario::rules::Rules;

/// Everything above `nodes`.
pub(super) fn push(config: &Config, rules: &Rules, spec: &mut Entries) {
    spec.text("kubernetesVersion", config.profile.name());
    behaviour(config, spec);
    if config.seed != 0 {
        spec.plain("seed", config.seed);
    }
    if let Some(until) = config.until {
        spec.plain("until", span(Span(until.0)));
    }
    spec.filled("taintManager", taint_manager(config));
    spec.filled("admission", admission(rules));
    spec.filled("apiServer", api_server(config));
    if config.termination != PodTermination::default() {
        spec.text("podTermination", termination(config.termination));
    }
    if config.stop_after != Config::default().stop_after {
        spec.plain("stopAfter", span(config.stop_after));
    }
}

/// The word of a `podTermination`.
pub(super) fn termination(termination: PodTermination) -> &'static str {
    let known = TERMINATIONS.iter().find(|(_, known)| *known == termination);
    known.map_or("", |(word, _)| word)
}

/// Gates where one alone explains the setting of a switch, and else the switch.
fn behaviour(config: &Config, spec: &mut Entries) {
    let mut explained = config.profile.switches();
    let mut gates = Entries::default();
    for gate in &GATES {
        for on in [true, false] {
            let mut set = explained;
            let nearer = |set: &Switches| {
                set.differences(config.switches).count()
                    < explained.differences(config.switches).count()
            };
            if gate.set(on, config.profile, &mut set).is_ok() && nearer(&set) {
                gates.plain(gate.name, on);
                explained = set;
            }
        }
    }
    let mut switches = Entries::default();
    for (switch, setting, _) in config.switches.differences(explained) {
        // Booleans and words alike have nothing to quote.
        switches.plain(switch.name(), setting);
    }
    spec.filled("featureGates", gates);
    spec.filled("switches", switches);
}

fn taint_manager(config: &Config) -> Entries {
    let settings = &config.taint_manager;
    let usual = TaintManagerConfig { workers: default_workers(config), ..Default::default() };
    let mut entries = Entries::default();
    if settings.enabled != usual.enabled {
        entries.plain("enabled", settings.enabled);
    }
    for (key, own, usual) in [
        ("workers", settings.workers, usual.workers),
        ("nodeChannelCapacity", settings.node_channel_capacity, usual.node_channel_capacity),
        ("podChannelCapacity", settings.pod_channel_capacity, usual.pod_channel_capacity),
        ("deleteRetries", settings.delete_retries, usual.delete_retries),
    ] {
        if own != usual {
            entries.plain(key, own);
        }
    }
    if settings.retry_interval != usual.retry_interval {
        entries.plain("retryInterval", span(settings.retry_interval));
    }
    if settings.random_interleaving {
        entries.text("interleaving", "Random");
    }
    if !settings.handler_cost.is_zero() {
        entries.plain("handlerCost", span_range(settings.handler_cost));
    }
    entries
}

fn admission(rules: &Rules) -> Entries {
    let usual = Rules::default();
    let mut inner = Entries::default();
    if rules.default_toleration_seconds != usual.default_toleration_seconds {
        inner.plain("enabled", rules.default_toleration_seconds);
    }
    if rules.not_ready_seconds != usual.not_ready_seconds {
        inner.plain("notReady", rules.not_ready_seconds);
    }
    if rules.unreachable_seconds != usual.unreachable_seconds {
        inner.plain("unreachable", rules.unreachable_seconds);
    }
    let mut entries = Entries::default();
    entries.filled("defaultTolerationSeconds", inner);
    entries
}

fn api_server(config: &Config) -> Entries {
    let settings = &config.api_server;
    let watch = &settings.watch_latency;
    let mut entries = Entries::default();
    entries.filled("latency", latencies(&verbs(&settings.latency)));
    entries.filled("replyLatency", latencies(&verbs(&settings.reply_latency)));
    entries.filled("watchLatency", latencies(&[("pods", watch.pods), ("nodes", watch.nodes)]));
    if settings.validation == Validation::Ignore {
        entries.put("validation", Yaml::Text("Ignore".into()));
    }
    entries
}

fn verbs(latency: &Latency) -> [(&'static str, SpanRange); 4] {
    let Latency { get, list, patch, delete } = *latency;
    [("get", get), ("list", list), ("patch", patch), ("delete", delete)]
}

fn latencies(all: &[(&str, SpanRange)]) -> Entries {
    let mut entries = Entries::default();
    for (key, range) in all.iter().filter(|(_, range)| !range.is_zero()) {
        entries.plain(key, span_range(*range));
    }
    entries
}
