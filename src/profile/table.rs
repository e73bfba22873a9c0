//! The one table of what changed when. No other place of the program compares versions.

use super::switches::{Component, Condition, Setting, Switch, Switches};

/// A switch's setting from some version on.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// Which switch.
    pub switch: Switch,
    /// The minor version of Kubernetes 1.x with which it came.
    pub since: u32,
    /// What it is from then on.
    pub to: Setting,
    /// Whether the release is known; else it is the likeliest, and `source` says what is open.
    pub sure: bool,
    /// Where it is known from.
    pub source: &'static str,
}

const fn change(switch: Switch, since: u32, to: Setting, source: &'static str) -> Change {
    Change { switch, since, to, sure: true, source }
}

const fn likely(switch: Switch, since: u32, to: Setting, source: &'static str) -> Change {
    Change { switch, since, to, sure: false, source }
}

const ON: Setting = Setting::Bool(true);
const OFF: Setting = Setting::Bool(false);

/// The first release with a taint manager: 1.6.
pub(super) const FIRST: Switches = Switches {
    sharded_workers: false,
    deduplicated_items: false,
    current_objects: false,
    node_name_check: false,
    pods_from_index: false,
    unset_first_is_forever: true,
    infinite_toleration_cancels: false,
    marker_after_success: true,
    immediate_on_timer: true,
    cancelled_fired_timer_runs: true,
    finish_removes_replacement: true,
    graceful_stop: false,
    disruption_condition: Condition::None,
    comparison_operators: false,
    event_component: Component::ControllerManager,
    event_api_version: false,
};

/// What changed after it, in the order of releases. Gates that decide a switch are in
/// [`super::gates`]; the table holds what their defaults give.
pub const CHANGES: [Change; 18] = [
    likely(
        Switch::UnsetFirstIsForever,
        7,
        OFF,
        "#42962, merged for 1.6.x or 1.7: a patch release of 1.6 may have it",
    ),
    likely(
        Switch::EventComponent,
        11,
        Setting::Component(Component::TaintController),
        "read in sources of 1.11; it came after 1.8",
    ),
    likely(Switch::ShardedWorkers, 11, ON, "#64431, written in May 2018: 1.11 or 1.12"),
    change(Switch::DeduplicatedItems, 13, ON, "#65350"),
    change(Switch::CurrentObjects, 13, ON, "#65350"),
    change(Switch::NodeNameCheck, 13, ON, "read in sources of 1.13 to 1.15"),
    change(
        Switch::PodsFromIndex,
        16,
        ON,
        "#79370; late patch releases of 1.14 (#83666) and 1.15 (#83684) have it, too",
    ),
    change(
        Switch::InfiniteTolerationCancels,
        19,
        ON,
        "#93722 for #90794; patch releases of 1.16 to 1.18 have it, too (#93814)",
    ),
    change(
        Switch::DisruptionCondition,
        26,
        Setting::Condition(Condition::Apply),
        "#113304; patch releases of 1.26 to 1.28 go back to Patch (#121103)",
    ),
    likely(Switch::EventApiVersion, 27, ON, "#114083, late in 2022: 1.26 or 1.27"),
    change(
        Switch::EventComponent,
        29,
        Setting::Component(Component::TaintEvictionController),
        "#119208 (KEP-3902)",
    ),
    change(Switch::DisruptionCondition, 29, Setting::Condition(Condition::Patch), "#121103"),
    change(Switch::ImmediateOnTimer, 30, OFF, "#123026"),
    change(Switch::MarkerAfterSuccess, 33, OFF, "#129577 for #107543 and #125332"),
    change(Switch::GracefulStop, 35, ON, "read in sources of 1.35"),
    likely(Switch::CancelledFiredTimerRuns, 36, OFF, "recorded of 1.36; it came after 1.33"),
    likely(
        Switch::FinishRemovesReplacement,
        36,
        OFF,
        "TestRunningWorkerCompletionDoesNotRemoveReplacement in the newest sources; the release \
         is not known for certain",
    ),
    // What a scenario can still change is listed last, so that the table names every switch.
    change(
        Switch::ComparisonOperators,
        35,
        OFF,
        "#134665 (KEP-5471), behind TaintTolerationComparisonOperators, which is off",
    ),
];
