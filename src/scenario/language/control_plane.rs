//! The keys of `spec` that set up the control plane: taint manager, admission, API server,
//! termination of pods.

use super::SECTIONS;
use super::behaviour::Gates;
use crate::kernel::SpanRange;
use crate::plan::{Config, Latency, PodTermination, Validation};
use crate::scenario::diagnostic::Diagnostics;
use crate::scenario::fields::Fields;
use crate::scenario::rules::Rules;
use crate::scenario::scalar::{boolean, integer, span, span_range, word};
use crate::scenario::tree::Node;

/// The words of `podTermination`.
pub(in crate::scenario) const TERMINATIONS: [(&str, PodTermination); 3] = [
    ("Immediate", PodTermination::Immediate),
    ("Graceful", PodTermination::Graceful),
    ("Never", PodTermination::Never),
];

/// Reads the control plane's keys of `spec`.
pub(super) fn read(
    spec: &mut Fields<'_>,
    config: &mut Config,
    gates: &Gates,
    rules: &mut Rules,
    diagnostics: &mut Diagnostics,
) {
    if let Some(node) = spec.take_or_meant("taintManager", &SECTIONS) {
        taint_manager(node, config, gates, diagnostics);
    }
    if let Some(node) = spec.take_or_meant("admission", &SECTIONS) {
        admission(node, rules, diagnostics);
    }
    if let Some(node) = spec.take_or_meant("apiServer", &SECTIONS) {
        api_server(node, config, diagnostics);
        rules.validation = config.api_server.validation;
    }
    if let Some(node) = spec.take("podTermination") {
        let termination = word(node, "podTermination", &TERMINATIONS, diagnostics);
        config.termination = termination.unwrap_or_default();
    }
    if let Some(value) = spec.take("stopAfter").and_then(|n| span(n, "stopAfter", diagnostics)) {
        config.stop_after = value;
    }
}

fn taint_manager(node: &Node, config: &mut Config, gates: &Gates, diagnostics: &mut Diagnostics) {
    let Some(mut fields) = Fields::new(node, "taintManager", diagnostics) else { return };
    let settings = &mut config.taint_manager;
    if let Some(node) = fields.take("enabled") {
        settings.enabled = boolean(node, "enabled", diagnostics).unwrap_or(true);
        let refused = config.profile.cannot_be_disabled(gates.separate_controller);
        if let Some(why) = refused.filter(|_| !settings.enabled) {
            let message = format!("the taint manager of Kubernetes {} is on", config.profile);
            let help = format!("write enabled: true, or leave it out; {why}");
            diagnostics.error_help(node.place, message, help);
        }
    }
    for (key, setting) in [
        ("workers", &mut settings.workers),
        ("nodeChannelCapacity", &mut settings.node_channel_capacity),
        ("podChannelCapacity", &mut settings.pod_channel_capacity),
        ("deleteRetries", &mut settings.delete_retries),
    ] {
        let Some(node) = fields.take(key) else { continue };
        let number = integer(node, key, 1, 1_000_000, diagnostics);
        if let Some(number) = number.and_then(|n| u32::try_from(n).ok()) {
            *setting = number;
        }
    }
    let interval = fields.take("retryInterval");
    if let Some(value) = interval.and_then(|n| span(n, "retryInterval", diagnostics)) {
        settings.retry_interval = value;
    }
    if let Some(node) = fields.take("interleaving") {
        let words = [("Fifo", false), ("Random", true)];
        let random = word(node, "interleaving", &words, diagnostics);
        settings.random_interleaving = random.unwrap_or(false);
    }
    let cost = fields.take("handlerCost");
    if let Some(value) = cost.and_then(|n| span_range(n, "handlerCost", diagnostics)) {
        settings.handler_cost = value;
    }
    fields.finish(diagnostics);
}

fn admission(node: &Node, rules: &mut Rules, diagnostics: &mut Diagnostics) {
    let Some(mut fields) = Fields::new(node, "admission", diagnostics) else { return };
    if let Some(node) =
        fields.take_or_meant("defaultTolerationSeconds", &["defaultTolerationSeconds"])
    {
        let inner = Fields::new(node, "defaultTolerationSeconds", diagnostics);
        if let Some(mut fields) = inner {
            if let Some(node) = fields.take("enabled") {
                let enabled = boolean(node, "enabled", diagnostics);
                rules.default_toleration_seconds = enabled.unwrap_or(true);
            }
            for (key, seconds) in [
                ("notReady", &mut rules.not_ready_seconds),
                ("unreachable", &mut rules.unreachable_seconds),
            ] {
                let Some(node) = fields.take(key) else { continue };
                if let Some(number) = integer(node, key, i64::MIN, i64::MAX, diagnostics) {
                    *seconds = number;
                }
            }
            fields.finish(diagnostics);
        }
    }
    fields.finish(diagnostics);
}

fn api_server(node: &Node, config: &mut Config, diagnostics: &mut Diagnostics) {
    let Some(mut fields) = Fields::new(node, "apiServer", diagnostics) else { return };
    let settings = &mut config.api_server;
    if let Some(node) = fields.take("latency") {
        latencies(node, "latency", verbs(&mut settings.latency), diagnostics);
    }
    if let Some(node) = fields.take("replyLatency") {
        latencies(node, "replyLatency", verbs(&mut settings.reply_latency), diagnostics);
    }
    if let Some(node) = fields.take("watchLatency") {
        let watch = &mut settings.watch_latency;
        let keys = [("pods", &mut watch.pods), ("nodes", &mut watch.nodes)];
        latencies(node, "watchLatency", keys, diagnostics);
    }
    if let Some(node) = fields.take("validation") {
        let words = [("Strict", Validation::Strict), ("Ignore", Validation::Ignore)];
        settings.validation = word(node, "validation", &words, diagnostics).unwrap_or_default();
    }
    fields.finish(diagnostics);
}

fn verbs(latency: &mut Latency) -> [(&'static str, &mut SpanRange); 4] {
    [
        ("get", &mut latency.get),
        ("list", &mut latency.list),
        ("patch", &mut latency.patch),
        ("delete", &mut latency.delete),
    ]
}

/// Reads a mapping of latencies.
fn latencies<const N: usize>(
    node: &Node,
    what: &'static str,
    keys: [(&'static str, &mut SpanRange); N],
    diagnostics: &mut Diagnostics,
) {
    let Some(mut fields) = Fields::new(node, what, diagnostics) else { return };
    for (key, setting) in keys {
        let Some(node) = fields.take(key) else { continue };
        if let Some(value) = span_range(node, key, diagnostics) {
            *setting = value;
        }
    }
    fields.finish(diagnostics);
}
