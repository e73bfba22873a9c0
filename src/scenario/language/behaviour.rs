//! `featureGates` and `switches`: how the taint manager of the chosen version behaves.

use crate::plan::Config;
use crate::profile::{Component, Condition, GATES, Setting, Switch};
use crate::scenario::diagnostic::Diagnostics;
use crate::scenario::fields::Fields;
use crate::scenario::rules::Rules;
use crate::scenario::scalar::{boolean, word};
use crate::scenario::tree::Node;

/// What the gates of the scenario say beyond the switches.
pub(super) struct Gates {
    /// `SeparateTaintEvictionController`.
    pub(super) separate_controller: bool,
}

/// Reads both keys of `spec`. `config` has the profile, whose switches are set here; `is_asked`: it
/// is asked for in place of the file's.
pub(super) fn read(
    spec: &mut Fields<'_>,
    is_asked: bool,
    config: &mut Config,
    rules: &mut Rules,
    diagnostics: &mut Diagnostics,
) -> Gates {
    of_profile(config);
    let mut gates = Gates { separate_controller: true };
    if let Some(node) = spec.take("featureGates") {
        read_gates(node, is_asked, config, &mut gates, diagnostics);
    }
    if let Some(node) = spec.take("switches") {
        read_switches(node, config, diagnostics);
    }
    rules.comparison_operators = config.switches.comparison_operators;
    config.taint_manager.workers = default_workers(config);
    gates
}

/// What the profile says, where no scenario says more.
pub(super) fn of_profile(config: &mut Config) {
    config.switches = config.profile.switches();
    config.taint_manager.workers = default_workers(config);
}

/// The default of `taintManager.workers`.
pub(in crate::scenario) fn default_workers(config: &Config) -> u32 {
    if config.switches.sharded_workers { Config::default().taint_manager.workers } else { 1 }
}

fn read_gates(
    node: &Node,
    is_asked: bool,
    config: &mut Config,
    gates: &mut Gates,
    diagnostics: &mut Diagnostics,
) {
    let Some(mut fields) = Fields::new(node, "`featureGates`", diagnostics) else { return };
    for gate in &GATES {
        let Some(node) = fields.take(gate.name) else { continue };
        let Some(on) = boolean(node, gate.name, diagnostics) else { continue };
        let profile = config.profile;
        if let Err(refused) = gate.set(on, profile, &mut config.switches) {
            let message = format!("Kubernetes {profile} cannot set {}: {refused}", gate.name);
            diagnostics.error_help(node.place, message, refused.way_out(gate.name, is_asked));
        } else if gate.name == "SeparateTaintEvictionController" {
            gates.separate_controller = on;
        }
    }
    fields.finish(diagnostics);
}

fn read_switches(node: &Node, config: &mut Config, diagnostics: &mut Diagnostics) {
    let Some(mut fields) = Fields::new(node, "`switches`", diagnostics) else { return };
    for switch in Switch::ALL {
        let Some(node) = fields.take(switch.name()) else { continue };
        let setting =
            match config.switches.get(switch) {
                Setting::Bool(_) => boolean(node, switch.name(), diagnostics).map(Setting::Bool),
                Setting::Condition(_) => word(node, switch.name(), &Condition::WORDS, diagnostics)
                    .map(Setting::Condition),
                Setting::Component(_) => word(node, switch.name(), &Component::WORDS, diagnostics)
                    .map(Setting::Component),
            };
        if let Some(setting) = setting {
            config.switches.set(switch, setting);
        }
    }
    fields.finish(diagnostics);
}
