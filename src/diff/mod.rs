//! Compares runs: what became of each pod in one and in the other, and which switch of the
//! behaviour profile makes the difference.
//!
//! Nothing here is guessed. A difference is one between two [`Outcome`]s, and a switch is named
//! only after a run in which it alone was flipped; see [`Blame`].

mod blame;
mod outcome;

pub use blame::{Because, Blame};
pub use outcome::{Field, Fields, NameOutcome, Outcome, Value};

use indexmap::IndexSet;

/// What a difference is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// The pod of this name (`namespace/name`) that was created as the n-th, counted from 1.
    Pod(String, usize),
    /// All pods that have had the name: Events name no incarnation.
    Name(String),
    /// The step of this number.
    Step(u32),
    /// Every Event of the run.
    Events,
}

/// One difference.
#[derive(Clone, Debug)]
pub struct Row {
    /// Of what.
    pub subject: Subject,
    /// In what.
    pub field: Field,
    /// In each of the runs; `None` where there is no such thing.
    pub values: Vec<Option<Value>>,
}

/// All that is not the same in the runs: the pods in the order of their creation, then the steps,
/// then what is about all Events.
pub fn differences(outcomes: &[Outcome]) -> Vec<Row> {
    let mut rows = Vec::new();
    for subject in subjects(outcomes) {
        let fields: IndexSet<Field> = Field::ALL
            .into_iter()
            .filter(|field| outcomes.iter().any(|run| run.get(&subject, *field).is_some()))
            .collect();
        let row = |field| Row {
            subject: subject.clone(),
            field,
            values: outcomes.iter().map(|run| run.get(&subject, field).cloned()).collect(),
        };
        let rows_of = fields.into_iter().map(row);
        rows.extend(rows_of.filter(|row| differs(row, outcomes) && !is_implied(row, outcomes)));
    }
    rows
}

/// Whether two of the runs have different values. Where a run has not got the pod at all, its
/// missing fate says so, and where it has no Event, nothing tells what they would look like.
fn differs(row: &Row, outcomes: &[Outcome]) -> bool {
    let runs = row.values.iter().zip(outcomes);
    let telling = runs.filter(|(_, run)| row.field == Field::Fate || run.has(&row.subject));
    let mut values = telling.map(|(value, _)| value);
    let first = values.next();
    values.any(|value| Some(value) != first)
}

/// Every name that a pod has had in any of the runs.
pub fn names(outcomes: &[Outcome]) -> IndexSet<&str> {
    outcomes.iter().flat_map(|run| run.names.keys()).map(String::as_str).collect()
}

/// How many pods have had the name, in the run that had the most.
pub fn instances(outcomes: &[Outcome], name: &str) -> usize {
    let lives = outcomes.iter().filter_map(|run| run.names.get(name)).map(|name| name.lives.len());
    lives.max().unwrap_or(0)
}

fn subjects(outcomes: &[Outcome]) -> Vec<Subject> {
    let mut subjects = Vec::new();
    for name in names(outcomes) {
        let lives = 1..=instances(outcomes, name);
        subjects.extend(lives.map(|instance| Subject::Pod(name.to_owned(), instance)));
        subjects.push(Subject::Name(name.to_owned()));
    }
    let mut steps: Vec<u32> = outcomes.iter().flat_map(|run| run.steps.keys()).copied().collect();
    steps.sort_unstable();
    steps.dedup();
    subjects.extend(steps.into_iter().map(Subject::Step));
    subjects.push(Subject::Events);
    subjects
}

/// What the row about the pod's fate says already: an object that goes with its eviction, by the
/// first DELETE.
fn is_implied(row: &Row, outcomes: &[Outcome]) -> bool {
    let mut runs = row.values.iter().zip(outcomes);
    let fate = |run: &Outcome| match run.get(&row.subject, Field::Fate) {
        Some(Value::Fate(word, at)) => (*word, *at),
        _ => ("", None),
    };
    match row.field {
        Field::Removed => runs.all(|(value, run)| match (value, fate(run)) {
            (Some(Value::Times(times)), (_, Some(at))) => times.as_slice() == [at],
            (None, ("evicted" | "removed", _)) => false,
            (value, _) => value.is_none(),
        }),
        Field::Attempts => runs.all(|(value, run)| match fate(run).0 {
            "evicted" => *value == Some(Value::Number(1)),
            _ => value.is_none(),
        }),
        _ => false,
    }
}
