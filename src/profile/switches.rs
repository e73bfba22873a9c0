//! The named switches by which the generations of the taint manager differ.

use std::fmt;

use crate::objects::MatchRules;

/// What the deletion function does to the pod's status before it deletes the pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Nothing: one DELETE an attempt.
    None,
    /// GET, then a PATCH of the condition where it is not there yet; the PATCH carries the uid
    /// that the GET found.
    Patch,
    /// GET, then a forced server-side apply of the condition, each time and for whatever pod has
    /// the name by then.
    Apply,
}

impl Condition {
    /// The words of the scenario language.
    pub const WORDS: [(&'static str, Condition); 3] =
        [("None", Condition::None), ("Patch", Condition::Patch), ("Apply", Condition::Apply)];
}

/// `source.component` of the taint manager's Events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// That of the whole process.
    ControllerManager,
    /// That of the controller while it was part of node lifecycle.
    TaintController,
    /// The controller's name since it stands alone.
    TaintEvictionController,
}

impl Component {
    /// The words of the scenario language: the component itself.
    pub const WORDS: [(&'static str, Component); 3] = [
        ("controllermanager", Component::ControllerManager),
        ("taint-controller", Component::TaintController),
        ("taint-eviction-controller", Component::TaintEvictionController),
    ];

    /// The component's text.
    pub fn as_str(self) -> &'static str {
        word_of(&Self::WORDS, self)
    }
}

/// How one taint manager behaves. Each field is the switch of its name; [`Switch`] names them for
/// tables and for the scenario language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    /// See [`Switch::ShardedWorkers`].
    pub sharded_workers: bool,
    /// See [`Switch::DeduplicatedItems`].
    pub deduplicated_items: bool,
    /// See [`Switch::CurrentObjects`].
    pub current_objects: bool,
    /// See [`Switch::NodeNameCheck`].
    pub node_name_check: bool,
    /// See [`Switch::PodsFromIndex`].
    pub pods_from_index: bool,
    /// See [`Switch::UnsetFirstIsForever`].
    pub unset_first_is_forever: bool,
    /// See [`Switch::InfiniteTolerationCancels`].
    pub infinite_toleration_cancels: bool,
    /// See [`Switch::MarkerAfterSuccess`].
    pub marker_after_success: bool,
    /// See [`Switch::ImmediateOnTimer`].
    pub immediate_on_timer: bool,
    /// See [`Switch::CancelledFiredTimerRuns`].
    pub cancelled_fired_timer_runs: bool,
    /// See [`Switch::FinishRemovesReplacement`].
    pub finish_removes_replacement: bool,
    /// See [`Switch::GracefulStop`].
    pub graceful_stop: bool,
    /// See [`Switch::DisruptionCondition`].
    pub disruption_condition: Condition,
    /// See [`Switch::ComparisonOperators`].
    pub comparison_operators: bool,
    /// See [`Switch::EventComponent`].
    pub event_component: Component,
    /// See [`Switch::EventApiVersion`].
    pub event_api_version: bool,
}

/// Names a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Switch {
    /// Eight workers, each with its channels, by the hash of the node's name; else one.
    ShardedWorkers,
    /// The work queues hold names, each once; else every event is an item of its own.
    DeduplicatedItems,
    /// Handlers read the objects as they are now; else those that the event carried.
    CurrentObjects,
    /// A pod item whose node is not the pod's node any more is dropped.
    NodeNameCheck,
    /// A node's pods come from the informer's index; else from a LIST of the API, with retries.
    PodsFromIndex,
    /// A matched toleration without seconds in first place makes the whole minimum "for ever".
    UnsetFirstIsForever,
    /// Tolerating everything for ever cancels an armed timer.
    InfiniteTolerationCancels,
    /// A deletion that succeeded leaves a marker under the pod's name.
    MarkerAfterSuccess,
    /// A pod that does not tolerate a taint is deleted by a timer of a nanosecond.
    ImmediateOnTimer,
    /// A timer that fired, but was cancelled before its function began, deletes all the same.
    CancelledFiredTimerRuns,
    /// A deletion that ends removes whatever stands under the pod's name by then.
    FinishRemovesReplacement,
    /// A process that is told to stop waits for its running deletions.
    GracefulStop,
    /// The condition `DisruptionTarget`, and how it is written.
    DisruptionCondition,
    /// The toleration operators `Gt` and `Lt` match (and the API server lets them in).
    ComparisonOperators,
    /// `source.component` of Events.
    EventComponent,
    /// The object that an Event is about is named with its `apiVersion`.
    EventApiVersion,
}

/// What a switch is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// On or off.
    Bool(bool),
    /// Of [`Switch::DisruptionCondition`].
    Condition(Condition),
    /// Of [`Switch::EventComponent`].
    Component(Component),
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Setting::Bool(on) => write!(f, "{on}"),
            Setting::Condition(condition) => f.write_str(word_of(&Condition::WORDS, *condition)),
            Setting::Component(component) => f.write_str(component.as_str()),
        }
    }
}

/// Where a switch's setting stands.
enum Place<'a> {
    Bool(&'a mut bool),
    Condition(&'a mut Condition),
    Component(&'a mut Component),
}

impl Switch {
    /// All of them, in the order in which an item meets them.
    pub const ALL: [Switch; 16] = [
        Switch::ShardedWorkers,
        Switch::DeduplicatedItems,
        Switch::CurrentObjects,
        Switch::NodeNameCheck,
        Switch::PodsFromIndex,
        Switch::UnsetFirstIsForever,
        Switch::InfiniteTolerationCancels,
        Switch::ComparisonOperators,
        Switch::ImmediateOnTimer,
        Switch::MarkerAfterSuccess,
        Switch::CancelledFiredTimerRuns,
        Switch::FinishRemovesReplacement,
        Switch::DisruptionCondition,
        Switch::GracefulStop,
        Switch::EventComponent,
        Switch::EventApiVersion,
    ];

    /// Its key under `spec.switches`.
    pub fn name(self) -> &'static str {
        match self {
            Switch::ShardedWorkers => "shardedWorkers",
            Switch::DeduplicatedItems => "deduplicatedItems",
            Switch::CurrentObjects => "currentObjects",
            Switch::NodeNameCheck => "nodeNameCheck",
            Switch::PodsFromIndex => "podsFromIndex",
            Switch::UnsetFirstIsForever => "unsetFirstIsForever",
            Switch::InfiniteTolerationCancels => "infiniteTolerationCancels",
            Switch::MarkerAfterSuccess => "markerAfterSuccess",
            Switch::ImmediateOnTimer => "immediateOnTimer",
            Switch::CancelledFiredTimerRuns => "cancelledFiredTimerRuns",
            Switch::FinishRemovesReplacement => "finishRemovesReplacement",
            Switch::GracefulStop => "gracefulStop",
            Switch::DisruptionCondition => "disruptionCondition",
            Switch::ComparisonOperators => "comparisonOperators",
            Switch::EventComponent => "eventComponent",
            Switch::EventApiVersion => "eventApiVersion",
        }
    }

    /// The switch of this name.
    pub fn named(name: &str) -> Option<Switch> {
        Switch::ALL.into_iter().find(|switch| switch.name() == name)
    }

    /// Every setting that it can have.
    pub fn settings(self) -> Vec<Setting> {
        match self {
            Switch::DisruptionCondition => {
                Condition::WORDS.map(|(_, condition)| Setting::Condition(condition)).into()
            }
            Switch::EventComponent => {
                Component::WORDS.map(|(_, component)| Setting::Component(component)).into()
            }
            _ => vec![Setting::Bool(false), Setting::Bool(true)],
        }
    }
}

impl Switches {
    /// How many workers there are where nothing else is said: eight shards, or one for all nodes.
    pub fn usual_workers(&self) -> u32 {
        if self.sharded_workers { 8 } else { 1 }
    }

    /// How tolerations are matched.
    pub fn match_rules(&self) -> MatchRules {
        MatchRules {
            comparison_operators: self.comparison_operators,
            unset_first_is_forever: self.unset_first_is_forever,
        }
    }

    /// What a switch is set to.
    pub fn get(&self, switch: Switch) -> Setting {
        // `place` hands out places to write; a copy is enough to read.
        let mut copy = *self;
        match copy.place(switch) {
            Place::Bool(on) => Setting::Bool(*on),
            Place::Condition(condition) => Setting::Condition(*condition),
            Place::Component(component) => Setting::Component(*component),
        }
    }

    /// Sets a switch.
    ///
    /// # Panics
    /// If the setting is none of [`Switch::settings`].
    pub fn set(&mut self, switch: Switch, setting: Setting) {
        match (self.place(switch), setting) {
            (Place::Bool(place), Setting::Bool(on)) => *place = on,
            (Place::Condition(place), Setting::Condition(condition)) => *place = condition,
            (Place::Component(place), Setting::Component(component)) => *place = component,
            (_, setting) => panic!("{} cannot be {setting}", switch.name()),
        }
    }

    /// The switches that differ, with their settings here and there.
    pub fn differences(self, other: Switches) -> impl Iterator<Item = (Switch, Setting, Setting)> {
        Switch::ALL
            .into_iter()
            .map(move |switch| (switch, self.get(switch), other.get(switch)))
            .filter(|(_, here, there)| here != there)
    }

    fn place(&mut self, switch: Switch) -> Place<'_> {
        match switch {
            Switch::ShardedWorkers => Place::Bool(&mut self.sharded_workers),
            Switch::DeduplicatedItems => Place::Bool(&mut self.deduplicated_items),
            Switch::CurrentObjects => Place::Bool(&mut self.current_objects),
            Switch::NodeNameCheck => Place::Bool(&mut self.node_name_check),
            Switch::PodsFromIndex => Place::Bool(&mut self.pods_from_index),
            Switch::UnsetFirstIsForever => Place::Bool(&mut self.unset_first_is_forever),
            Switch::InfiniteTolerationCancels => Place::Bool(&mut self.infinite_toleration_cancels),
            Switch::MarkerAfterSuccess => Place::Bool(&mut self.marker_after_success),
            Switch::ImmediateOnTimer => Place::Bool(&mut self.immediate_on_timer),
            Switch::CancelledFiredTimerRuns => Place::Bool(&mut self.cancelled_fired_timer_runs),
            Switch::FinishRemovesReplacement => Place::Bool(&mut self.finish_removes_replacement),
            Switch::GracefulStop => Place::Bool(&mut self.graceful_stop),
            Switch::DisruptionCondition => Place::Condition(&mut self.disruption_condition),
            Switch::ComparisonOperators => Place::Bool(&mut self.comparison_operators),
            Switch::EventComponent => Place::Component(&mut self.event_component),
            Switch::EventApiVersion => Place::Bool(&mut self.event_api_version),
        }
    }
}

fn word_of<T: PartialEq>(words: &[(&'static str, T)], wanted: T) -> &'static str {
    let found = words.iter().find(|(_, value)| *value == wanted);
    // The tables of words list every value of their types: there is always one.
    found.map_or("", |(word, _)| *word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::NEWEST;

    #[test]
    fn every_switch_can_be_set_to_each_of_its_settings() {
        for switch in Switch::ALL {
            assert_eq!(Switch::named(switch.name()), Some(switch));
            let mut switches = NEWEST.switches();
            for setting in switch.settings() {
                switches.set(switch, setting);
                assert_eq!(switches.get(switch), setting, "{}", switch.name());
                let others = switches.differences(NEWEST.switches());
                assert!(others.into_iter().all(|(changed, ..)| changed == switch));
            }
        }
    }
}
