//! What became of a run, in the grain in which runs are compared: times in whole milliseconds,
//! rounded down, as expectations have them.

use std::collections::BTreeMap;
use std::fmt;

use indexmap::IndexMap;

use super::Subject;
use crate::cluster::End;
use crate::kernel::time::{NANOS_PER_MILLI, Time};
use crate::timeline::fate::Fate;
use crate::timeline::history::{History, Incarnation};
use crate::timeline::unapplied::Unapplied;
use crate::timeline::{Context, EventReason};

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// How a pod ended, and when.
    Fate,
    /// When it came to be.
    Created,
    /// When timers were armed for it.
    Armed,
    /// When they were cancelled.
    Cancelled,
    /// When the object went.
    Removed,
    /// DELETEs of the taint manager.
    Attempts,
    /// Events `Marking for deletion`.
    Marking,
    /// Events `Cancelling deletion`.
    Cancelling,
    /// What kept a step from being applied.
    Refused,
    /// `source.component` of Events.
    Component,
    /// `involvedObject.apiVersion` of Events.
    ApiVersion,
}

impl Field {
    /// All of them, in the order of the output.
    pub const ALL: [Field; 11] = [
        Field::Fate,
        Field::Created,
        Field::Armed,
        Field::Cancelled,
        Field::Removed,
        Field::Attempts,
        Field::Marking,
        Field::Cancelling,
        Field::Refused,
        Field::Component,
        Field::ApiVersion,
    ];

    /// Its name in `-o json`.
    pub fn name(self) -> &'static str {
        match self {
            Field::Fate => "fate",
            Field::Created => "createdAtMs",
            Field::Armed => "armedAtMs",
            Field::Cancelled => "cancelledAtMs",
            Field::Removed => "removedAtMs",
            Field::Attempts => "deleteAttempts",
            Field::Marking => "markingEvents",
            Field::Cancelling => "cancellingEvents",
            Field::Refused => "refused",
            Field::Component => "source.component",
            Field::ApiVersion => "involvedObject.apiVersion",
        }
    }

    /// Its name in a table.
    pub fn words(self) -> &'static str {
        match self {
            Field::Created => "created at",
            Field::Armed => "armed at",
            Field::Cancelled => "cancelled at",
            Field::Removed => "removed at",
            Field::Attempts => "DELETE attempts",
            Field::Marking => "Events Marking",
            Field::Cancelling => "Events Cancelling",
            Field::Fate | Field::Refused | Field::Component | Field::ApiVersion => self.name(),
        }
    }
}

/// What a field has.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The word of a [`Fate`], and its time in milliseconds.
    Fate(&'static str, Option<u64>),
    /// Milliseconds, at least one.
    Times(Vec<u64>),
    /// A count, at least 1.
    Number(u64),
    /// A text.
    Text(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Fate(word, None) => f.write_str(word),
            Value::Fate(word @ "armed", Some(ms)) => write!(f, "{word}, fires at {}", time(*ms)),
            Value::Fate(word @ "terminating", Some(ms)) => write!(f, "{word} since {}", time(*ms)),
            Value::Fate(word, Some(ms)) => write!(f, "{word} at {}", time(*ms)),
            Value::Times(times) => {
                let times: Vec<String> = times.iter().map(|ms| time(*ms).to_string()).collect();
                f.write_str(&times.join(", "))
            }
            Value::Number(number) => write!(f, "{number}"),
            Value::Text(text) => f.write_str(text),
        }
    }
}

fn time(ms: u64) -> Time {
    Time(ms.saturating_mul(NANOS_PER_MILLI))
}

/// What is known of one thing; a field that does not apply is not there.
pub type Fields = Vec<(Field, Value)>;

/// What became of the pods of one name.
#[derive(Clone, Debug, Default)]
pub struct NameOutcome {
    /// Each pod that has had it, in the order of their creation.
    pub lives: Vec<Fields>,
    /// Its Events.
    pub events: Fields,
}

/// What became of a run.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// By `namespace/name`, in the order of creation.
    pub names: IndexMap<String, NameOutcome>,
    /// What kept steps from being applied, by their number.
    pub steps: BTreeMap<u32, Fields>,
    /// What all Events have in common; empty where there was none.
    pub events: Fields,
}

impl Outcome {
    /// Of a run that is over. Events count only where it was recorded at `controller` or more.
    pub fn of(context: Context<'_>, history: &History, not_applied: &[u32], end: End) -> Outcome {
        let mut outcome = Outcome::default();
        for life in history.incarnations() {
            let name = context.names().pod(life.pod);
            if !outcome.names.contains_key(name) {
                let events = events_of(history, life);
                let fresh = NameOutcome { lives: Vec::new(), events };
                outcome.names.insert(name.to_owned(), fresh);
            }
            outcome.names[name].lives.push(life_of(history, life));
        }
        outcome.steps = steps(context, history, not_applied, end);
        if outcome.names.values().any(|name| !name.events.is_empty()) {
            let switches = &context.plan.config.switches;
            let component = Value::Text(switches.event_component.as_str().to_owned());
            outcome.events.push((Field::Component, component));
            if switches.event_api_version {
                outcome.events.push((Field::ApiVersion, Value::Text("v1".to_owned())));
            }
        }
        outcome
    }

    /// Whether there is such a thing in the run, of which a missing field says something.
    pub fn has(&self, subject: &Subject) -> bool {
        match subject {
            Subject::Pod(..) => self.get(subject, Field::Fate).is_some(),
            Subject::Name(name) => self.names.contains_key(name),
            Subject::Step(_) => true,
            Subject::Events => !self.events.is_empty(),
        }
    }

    /// One field of one thing.
    pub fn get(&self, subject: &Subject, field: Field) -> Option<&Value> {
        let fields = match subject {
            Subject::Pod(name, instance) => {
                self.names.get(name)?.lives.get(instance.checked_sub(1)?)?
            }
            Subject::Name(name) => &self.names.get(name)?.events,
            Subject::Step(number) => self.steps.get(number)?,
            Subject::Events => &self.events,
        };
        fields.iter().find(|(known, _)| *known == field).map(|(_, value)| value)
    }
}

fn life_of(history: &History, life: &Incarnation) -> Fields {
    let fate = Fate::of(history, life);
    let mut fields = vec![
        (Field::Fate, Value::Fate(fate.as_str(), fate.time().map(Time::millis))),
        (Field::Created, Value::Times(vec![life.created_at.millis()])),
    ];
    let armed = history.armings_of(life.pod).into_iter().filter(|a| a.uid() == life.uid);
    let cancelled = history.cancels_of(life.pod).into_iter().filter(|(_, uid)| *uid == life.uid);
    for (field, times) in [
        (Field::Armed, armed.map(|arming| arming.at.millis()).collect::<Vec<_>>()),
        (Field::Cancelled, cancelled.map(|(cancel, _)| cancel.at.millis()).collect()),
        (Field::Removed, life.removed_at().map(Time::millis).into_iter().collect()),
    ] {
        if !times.is_empty() {
            fields.push((field, Value::Times(times)));
        }
    }
    push_count(&mut fields, Field::Attempts, u64::from(life.delete_attempts));
    fields
}

fn events_of(history: &History, life: &Incarnation) -> Fields {
    let mut fields = Fields::new();
    push_count(&mut fields, Field::Marking, history.events(life.pod, EventReason::Marking));
    push_count(&mut fields, Field::Cancelling, history.events(life.pod, EventReason::Cancelling));
    fields
}

fn push_count(fields: &mut Fields, field: Field, count: u64) {
    if count > 0 {
        fields.push((field, Value::Number(count)));
    }
}

fn steps(
    context: Context<'_>,
    history: &History,
    not_applied: &[u32],
    end: End,
) -> BTreeMap<u32, Fields> {
    let mut texts: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for rejection in history.rejections() {
        let Some(step) = context.plan.steps.get(rejection.step as usize) else { continue };
        let text = format!("rejected at {}: {}", time(rejection.at.millis()), rejection.error);
        texts.entry(step.number).or_default().push(text);
    }
    let unapplied = Unapplied::new(context.plan, not_applied, end);
    for number in not_applied {
        let text = format!("not applied: {}", unapplied.why(*number));
        texts.entry(*number).or_default().push(text);
    }
    let joined = |texts: Vec<String>| vec![(Field::Refused, Value::Text(texts.join("; ")))];
    texts.into_iter().map(|(number, texts)| (number, joined(texts))).collect()
}
