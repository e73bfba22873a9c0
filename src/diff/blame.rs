//! Which switch makes a difference between two versions: the older plan is run again with the
//! other's switches, one at a time, then two, then as few as it takes.

use std::collections::BTreeMap;

use super::{Outcome, Row, Value};
use crate::plan::Plan;
use crate::profile::{Setting, Switch};

/// What a difference between two neighbouring runs comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Because {
    /// Each of these switches by itself makes the one value the other; mostly it is one.
    Alone(Vec<Switch>),
    /// No switch does it by itself; these together do, and none of them can be left out.
    Together(Vec<Switch>),
    /// All switches of the other run make it not, so it is something else.
    NotTheSwitches,
}

impl Because {
    /// The switches that it names.
    pub fn switches(&self) -> &[Switch] {
        match self {
            Because::Alone(switches) | Because::Together(switches) => switches,
            Because::NotTheSwitches => &[],
        }
    }
}

/// A search for what the differences between two runs come from.
pub struct Blame<'a, R> {
    plan: Plan,
    other: &'a Plan,
    /// The switches that differ, with their settings in the other plan.
    switches: Vec<(Switch, Setting)>,
    rows: &'a [Row],
    run: R,
    /// The values of the rows in the runs so far, by the set of flipped switches.
    seen: BTreeMap<u32, Vec<Option<Value>>>,
}

impl<'a, E, R: FnMut(&Plan) -> Result<Outcome, E>> Blame<'a, R> {
    /// A search from `plan` to `other`: plans of one scenario, for two versions. `run` runs one.
    pub fn new(plan: &Plan, other: &'a Plan, rows: &'a [Row], run: R) -> Blame<'a, R> {
        let differences = plan.config.switches.differences(other.config.switches);
        Blame {
            plan: plan.clone(),
            other,
            switches: differences.map(|(switch, _, there)| (switch, there)).collect(),
            rows,
            run,
            seen: BTreeMap::new(),
        }
    }

    /// What the row comes from, which is `wanted` in the other run.
    ///
    /// # Errors
    /// Those of `run`.
    pub fn find(&mut self, row: usize, wanted: Option<&Value>) -> Result<Because, E> {
        let count = self.switches.len();
        let mut alone = Vec::new();
        for (index, (switch, _)) in self.switches.clone().into_iter().enumerate() {
            if self.makes(1 << index, row, wanted)? {
                alone.push(switch);
            }
        }
        if !alone.is_empty() {
            return Ok(Because::Alone(alone));
        }
        for first in 0..count {
            for second in first + 1..count {
                let pair = 1 << first | 1 << second;
                if self.makes(pair, row, wanted)? {
                    return Ok(Because::Together(self.named(pair)));
                }
            }
        }
        let mut flipped = (1 << count) - 1;
        if !self.makes(flipped, row, wanted)? {
            return Ok(Because::NotTheSwitches);
        }
        for index in 0..count {
            let fewer = flipped & !(1 << index);
            if self.makes(fewer, row, wanted)? {
                flipped = fewer;
            }
        }
        Ok(Because::Together(self.named(flipped)))
    }

    fn named(&self, flipped: u32) -> Vec<Switch> {
        let is_flipped = |index: &usize| flipped & 1 << index != 0;
        (0..self.switches.len()).filter(is_flipped).map(|index| self.switches[index].0).collect()
    }

    /// Whether the row has the wanted value once these switches are flipped.
    fn makes(&mut self, flipped: u32, row: usize, wanted: Option<&Value>) -> Result<bool, E> {
        if !self.seen.contains_key(&flipped) {
            let config = &mut self.plan.config;
            let before = (config.switches, config.taint_manager.workers);
            for (index, (switch, setting)) in self.switches.iter().enumerate() {
                if flipped & 1 << index != 0 {
                    config.switches.set(*switch, *setting);
                    if *switch == Switch::ShardedWorkers {
                        config.taint_manager.workers = self.other.config.taint_manager.workers;
                    }
                }
            }
            let outcome = (self.run)(&self.plan);
            let config = &mut self.plan.config;
            (config.switches, config.taint_manager.workers) = before;
            let outcome = outcome?;
            let value = |row: &Row| outcome.get(&row.subject, row.field).cloned();
            self.seen.insert(flipped, self.rows.iter().map(value).collect());
        }
        Ok(self.seen[&flipped][row].as_ref() == wanted)
    }
}
