//! `repeat`: steps that come again and again.

use super::action_of::read_actions;
use super::actions::ACTIONS;
use super::order;
use super::steps::{At, StepReader, read_at};
use crate::kernel::{Span, Time};
use crate::plan::{Step, StepAction, When};
use crate::scenario::fields::{Fields, items};
use crate::scenario::resolve::Resolver;
use crate::scenario::scalar::{integer, span};
use crate::scenario::tree::{Node, Value};

/// Steps that one `repeat` makes at most.
const STEPS_MAX: i64 = 10_000;

/// One step of a turn.
struct Inner {
    /// After the inner step above; of the first, after the turn's beginning.
    offset: Span,
    actions: Vec<StepAction>,
    burst: bool,
    may_be_rejected: bool,
    because: Option<Box<str>>,
}

/// What `repeat` says.
struct Repeat {
    every: Span,
    times: u64,
    inner: Vec<Inner>,
}

impl StepReader {
    /// Reads an entry of `steps` that has `repeat`. All steps that it makes have its number.
    /// The step below may be one that follows it by a span: after its last turn.
    pub(super) fn repeat(&mut self, node: &Node, followed: bool, r: &mut Resolver) {
        let before = r.diagnostics.len();
        let Some(mut fields) = Fields::new(node, "a step", &mut r.diagnostics) else { return };
        let when = self.when(&mut fields, r);
        let list = fields.take_even_null("repeat");
        let list = match list {
            Some(Node { value: Value::Null, place, .. }) => {
                let help =
                    "write `repeat: {every: 1m, times: 5, steps: [{kubectl: cordon node-0}]}`";
                r.diagnostics.error_help(*place, "`repeat` has no argument", help);
                None
            }
            list => list,
        };
        let common = super::steps::beside(&mut fields, r);
        let beside = fields.keys().filter(|key| ACTIONS.contains(&&*key.text));
        for key in beside.chain(fields.keys().filter(|key| *key.text == *"burst")) {
            fields.take_hidden(&key.text);
            let message = format!("`{}` stands beside `repeat`", key.text);
            let help = "a step has one action, or `repeat`: move this into a step of its own, or \
                        into the `steps` of `repeat`";
            r.diagnostics.error_help(key.place, message, help);
        }
        fields.finish(&mut r.diagnostics);
        let repeat = list.and_then(|node| read(node, r));
        let (Some(when), Some(mut repeat)) = (when, repeat) else { return };
        if r.diagnostics.len() > before {
            return;
        }
        for inner in &mut repeat.inner {
            inner.may_be_rejected |= common.may_be_rejected;
            if inner.because.is_none() {
                inner.because.clone_from(&common.because);
            }
        }
        let turns = repeat.every.0.saturating_mul(repeat.times.saturating_sub(1));
        if let When::At(start) = when
            && start.saturating_add(Span(turns)) == Time::MAX
        {
            let message =
                "the last turn comes at the end of virtual time, 584 years after its start";
            r.diagnostics.error_help(node.place, message, "write fewer turns, or a shorter time");
            return;
        }
        match when {
            When::At(start) if !followed => self.at_times(start, &repeat),
            when => self.in_a_chain(when, &repeat),
        }
    }

    /// Every turn has its time; other steps may come between.
    fn at_times(&mut self, start: Time, repeat: &Repeat) {
        for turn in 0..repeat.times {
            let mut time = start.saturating_add(Span(repeat.every.0.saturating_mul(turn)));
            for inner in &repeat.inner {
                time = time.saturating_add(inner.offset);
                let step = inner.step(self.number(), When::At(time));
                self.timed.push((time, step));
            }
        }
    }

    /// The first turn follows, or waits for, something; the others follow it.
    fn in_a_chain(&mut self, first: When, repeat: &Repeat) {
        let within: u64 = repeat.inner.iter().skip(1).map(|inner| inner.offset.0).sum();
        let between = Span(repeat.every.0.saturating_sub(within));
        let mut first = Some(first);
        for _ in 0..repeat.times {
            for (index, inner) in repeat.inner.iter().enumerate() {
                let when = match (first.take(), index) {
                    (Some(When::AfterPrevious(span)), _) => {
                        When::AfterPrevious(Span(span.0.saturating_add(inner.offset.0)))
                    }
                    (Some(When::After { trigger, occurrence, plus }), _) => {
                        let plus = Span(plus.0.saturating_add(inner.offset.0));
                        When::After { trigger, occurrence, plus }
                    }
                    (Some(When::At(time)), _) => When::At(time.saturating_add(inner.offset)),
                    (None, 0) => When::AfterPrevious(between),
                    (None, _) => When::AfterPrevious(inner.offset),
                };
                let step = inner.step(self.number(), when);
                self.steps.push(step);
            }
        }
        let before_last = repeat.every.0.saturating_mul(repeat.times.saturating_sub(1));
        let last: u64 = repeat.inner.iter().map(|inner| inner.offset.0).sum();
        self.chain_lasts(Span(before_last.saturating_add(last)));
    }

    /// Puts the steps that have times of their own among the others.
    pub(super) fn place_repeated(&mut self) {
        for (time, mut step) in std::mem::take(&mut self.timed) {
            let (index, when) = order::place_of(&self.steps, time);
            step.when = when;
            self.steps.insert(index, step);
        }
    }
}

impl Inner {
    fn step(&self, number: u32, when: When) -> Step {
        Step {
            number,
            when,
            actions: self.actions.clone(),
            burst: self.burst,
            may_be_rejected: self.may_be_rejected,
            because: self.because.clone(),
        }
    }
}

fn read(node: &Node, r: &mut Resolver) -> Option<Repeat> {
    let mut fields = Fields::new(node, "repeat", &mut r.diagnostics)?;
    let every_node = fields.require("every");
    let every = every_node.and_then(|n| span(n, "every", &mut r.diagnostics));
    let times_node = fields.require("times");
    let times = times_node.and_then(|n| integer(n, "times", 1, STEPS_MAX, &mut r.diagnostics));
    let steps = fields.require("steps");
    fields.finish(&mut r.diagnostics);
    let inner = steps.and_then(|node| inner_steps(node, r));
    let (every, times, inner) = (every?, times?, inner?);
    if let Some(node) = every_node.filter(|_| every == Span::ZERO && times > 1) {
        let message = "turns that come every 0s come all at once";
        r.diagnostics.error_help(node.place, message, "write how long one turn takes, such as 20s");
        return None;
    }
    let whole = u64::try_from(times).ok().and_then(|times| every.0.checked_mul(times));
    if let Some(node) = every_node.filter(|_| whole.is_none()) {
        let message = format!("{times} turns of {every} last longer than virtual time, 584 years");
        r.diagnostics.error_help(node.place, message, "write a shorter time, or fewer turns");
        return None;
    }
    let most = STEPS_MAX / i64::try_from(inner.len()).unwrap_or(STEPS_MAX).max(1);
    if let Some(node) = times_node.filter(|_| times > most) {
        let message = format!("{times} times {} steps are more than {STEPS_MAX}", inner.len());
        r.diagnostics.error_help(node.place, message, format!("write {most} or less"));
        return None;
    }
    let last: u64 = inner.iter().map(|inner| inner.offset.0).sum();
    if let Some(node) = every_node.filter(|_| times > 1 && last > every.0) {
        let last = Span(last);
        let message = format!(
            "a turn's last step comes {last} after its beginning, and the next turn after {every}"
        );
        r.diagnostics.error_help(node.place, message, format!("write {last} or more"));
        return None;
    }
    Some(Repeat { every, times: u64::try_from(times).ok()?, inner })
}

fn inner_steps(node: &Node, r: &mut Resolver) -> Option<Vec<Inner>> {
    let list = items(node, "`steps`", &mut r.diagnostics)?;
    if list.is_empty() {
        let help = "write `steps: [{kubectl: taint nodes node-0 flap:NoExecute}, ..]`";
        r.diagnostics.error_help(node.place, "there is nothing to repeat", help);
        return None;
    }
    let read: Vec<Option<Inner>> = list.iter().map(|item| inner_step(item, r)).collect();
    read.into_iter().collect()
}

fn inner_step(node: &Node, r: &mut Resolver) -> Option<Inner> {
    let mut fields = Fields::new(node, "a repeated step", &mut r.diagnostics)?;
    fields.know(&["at"]);
    fields.know(&ACTIONS);
    let at = fields.take("at").map(|node| (node, read_at(node, r)));
    let offset = match at {
        None => Some(Span::ZERO),
        Some((_, Some(At::Relative(span)))) => Some(span),
        Some((node, Some(At::Absolute(_)))) => {
            let written = match &node.value {
                Value::Plain(text) | Value::Quoted(text) => &**text,
                _ => "5s",
            };
            let message = "a repeated step has no time of its own";
            let help = format!(
                "write `at: +{written}`: so long after the step above it in the turn, the first one \
                 after the turn's beginning"
            );
            r.diagnostics.error_help(node.place, message, help);
            None
        }
        Some((_, None)) => None,
    };
    let (actions, burst) = read_actions(&mut fields, "a repeated step", r);
    let beside = super::steps::beside(&mut fields, r);
    fields.finish(&mut r.diagnostics);
    Some(Inner {
        offset: offset?,
        actions: actions?,
        burst,
        may_be_rejected: beside.may_be_rejected,
        because: beside.because,
    })
}
