//! `spec.steps`: when something is done, and in what order.

use super::action_of::read_actions;
use super::actions::{self, ACTIONS};
use super::after;
use super::foreign;
use super::order;
use crate::kernel::time::{Span, Time};
use crate::plan::{Step, When};
use crate::scenario::fields::{Fields, items};
use crate::scenario::resolve::Resolver;
use crate::scenario::scalar::{boolean, duration_help, duration_problem, string, wrong_type};
use crate::scenario::tree::{Key, Node, Place, Value};

/// Reads steps one after the other; keeps what the order of times needs.
#[derive(Debug, Default)]
pub(super) struct StepReader {
    /// The steps so far.
    pub steps: Vec<Step>,
    /// No later step of the file may come before this: the last time that is known.
    floor: Time,
    /// The step above waits for something to happen, or follows one that does.
    waits: bool,
    /// The step above follows another one by a span.
    follows: bool,
    /// Steps seen, wrong ones included: numbers are those of the file.
    seen: u32,
    /// Where the last step of the command line stands.
    last_extra: Option<usize>,
    /// What `repeat` makes, each with its time; to be put among the others.
    pub(super) timed: Vec<(Time, Step)>,
}

/// What may stand beside a step's action.
pub(super) struct Beside {
    pub(super) may_be_rejected: bool,
    pub(super) because: Option<Box<str>>,
}

/// Reads `mayBeRejected` and `because`.
pub(super) fn beside(fields: &mut Fields<'_>, r: &mut Resolver) -> Beside {
    let may_be_rejected = fields
        .take("mayBeRejected")
        .and_then(|n| boolean(n, "mayBeRejected", &mut r.diagnostics))
        .unwrap_or(false);
    let because = fields.take("because").and_then(|n| string(n, "because", &mut r.diagnostics));
    Beside { may_be_rejected, because: because.map(Box::from) }
}

impl StepReader {
    /// Reads `spec.steps`.
    pub(super) fn read(&mut self, node: &Node, r: &mut Resolver) {
        let steps = items(node, "`steps`", &mut r.diagnostics).unwrap_or(&[]);
        let mut torn = false;
        for (index, item) in steps.iter().enumerate() {
            self.seen += 1;
            if std::mem::take(&mut torn) {
                continue;
            }
            torn = steps.get(index + 1).is_some_and(|next| is_torn(item, next));
            if torn {
                let message = "this step has a time and no action, the one below it an action and no \
                               time";
                let help = "one step has both: remove the `-` in front of the second one";
                r.diagnostics.error_help(item.place, message, help);
                self.step(&joined(item, &steps[index + 1]), r);
                continue;
            }
            if has_key(item, "repeat") {
                let followed = steps.get(index + 1).is_some_and(is_relative);
                self.repeat(item, followed, r);
            } else if let Some(step) = self.step(item, r) {
                self.steps.push(step);
            }
        }
        self.place_repeated();
    }

    /// The number of the step that is being read.
    pub(super) fn number(&self) -> u32 {
        self.seen
    }

    /// The step above goes on for so long.
    pub(super) fn chain_lasts(&mut self, span: Span) {
        if !self.waits {
            self.floor = self.floor.saturating_add(span);
        }
        self.follows = true;
    }

    /// How many steps there are, wrong ones included.
    pub(super) fn count(&self) -> u32 {
        self.seen
    }

    /// Adds a step of the form `AT KUBECTL-LINE`: at its place in the order of times, with a number
    /// after those of the file.
    pub(super) fn extra(&mut self, line: &str, place: Place, r: &mut Resolver) {
        self.seen += 1;
        let Some((at, command)) = line.trim_start().split_once(char::is_whitespace) else {
            let help = "write a time and a command, such as \
                        '10s taint nodes node-0 maintenance=now:NoExecute'";
            r.diagnostics.error_help(place, format!("`{line}` is no step"), help);
            return;
        };
        if !at.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) {
            let message = format!("`{at}` stands where the time of the step has to be");
            let help = format!("write a time in front of the command: '10s {}'", line.trim());
            r.diagnostics.error_help(place, message, help);
            return;
        }
        let start = place.start + to_u32(line.len() - line.trim_start().len());
        let at_place = Place { start, end: start + to_u32(at.len()), ..place };
        let at = parse_at(at, at_place, r);
        let command_place = Place { start: at_place.end + 1, ..place };
        let actions = actions::kubectl(command, command_place, r);
        let (Some(at), Some(actions)) = (at, actions) else { return };
        if matches!(at, At::Absolute(Time::MAX) | At::Relative(Span(u64::MAX))) {
            self.beyond_the_end(at_place, r);
            return;
        }
        let (index, when) = match at {
            At::Relative(span) => {
                let index = self.last_extra.map_or(self.steps.len(), |index| index + 1);
                (index, When::AfterPrevious(span))
            }
            At::Absolute(time) => order::place_of(&self.steps, time),
        };
        let step = Step {
            number: self.seen,
            when,
            actions,
            burst: false,
            may_be_rejected: false,
            because: None,
        };
        self.steps.insert(index, step);
        self.last_extra = Some(index);
    }

    fn step(&mut self, node: &Node, r: &mut Resolver) -> Option<Step> {
        let number = self.seen;
        let mut fields = Fields::new(node, "a step", &mut r.diagnostics)?;
        if foreign::is_stage(&fields, r) {
            return None;
        }
        fields.know(&["at", "after", "repeat"]);
        fields.know(&ACTIONS);
        let when = self.when(&mut fields, r);
        let Beside { may_be_rejected, because } = beside(&mut fields, r);
        let (actions, burst) = read_actions(&mut fields, "a step", r);
        foreign::duration(&mut fields, when.as_ref(), r);
        fields.finish(&mut r.diagnostics);
        Some(Step { number, when: when?, actions: actions?, burst, may_be_rejected, because })
    }

    pub(super) fn when(&mut self, fields: &mut Fields<'_>, r: &mut Resolver) -> Option<When> {
        let (at, after) = (fields.take("at"), fields.take("after"));
        match (at, after) {
            (Some(node), None) => {
                let at = read_at(node, r)?;
                self.in_order(at, node.place, r)
            }
            (None, Some(node)) => {
                (self.waits, self.follows) = (true, false);
                after::read(node, r)
            }
            (Some(at), Some(node)) => {
                let message = "a step has `at` or `after`, not both";
                r.diagnostics.error_help(node.place, message, "remove one of the two");
                // What is wrong with either is told, too.
                read_at(at, r);
                after::read(node, r);
                None
            }
            (None, None) => {
                let help = "write `at: 10s`, `at: +5s` or `after: {evicted: shop/web-0}`";
                fields.missing(&["at", "after"], "a step needs `at` or `after`", help);
                None
            }
        }
    }

    /// A step at the end of time would never be applied.
    fn beyond_the_end(&self, place: Place, r: &mut Resolver) -> Option<When> {
        let message = "this step comes at the end of virtual time, 584 years after its start";
        r.diagnostics.error_help(place, message, "write an earlier time");
        None
    }

    /// When a step of the file is applied; it may not come before those above.
    fn in_order(&mut self, at: At, place: Place, r: &mut Resolver) -> Option<When> {
        match at {
            At::Absolute(Time::MAX) => self.beyond_the_end(place, r),
            At::Relative(span) if self.floor.saturating_add(span) == Time::MAX => {
                self.beyond_the_end(place, r)
            }
            At::Relative(span) => {
                // After a step that waits, it may come before what stands above that.
                if !self.waits {
                    self.floor = self.floor.saturating_add(span);
                }
                self.follows = true;
                Some(When::AfterPrevious(span))
            }
            At::Absolute(time) if time < self.floor => {
                let floor = self.floor;
                let message = format!("{time} is before the step above, which is at {floor}");
                let help = "steps stand in the order of their times: move it up, or write a later \
                            time";
                r.diagnostics.error_help(place, message, help);
                None
            }
            At::Absolute(time) => {
                // A step that follows another by a span is applied after those that have a time
                // of their own. To come after it, this one has to follow it, too.
                if self.follows && !self.waits && time == self.floor {
                    return Some(When::AfterPrevious(Span::ZERO));
                }
                (self.floor, self.waits, self.follows) = (time, false, false);
                Some(When::At(time))
            }
        }
    }
}

/// Whether a step follows the one above by a span.
fn is_relative(step: &Node) -> bool {
    let Value::Mapping(entries) = &step.value else { return false };
    entries.iter().any(|(key, value)| {
        let text = match &value.value {
            Value::Plain(text) | Value::Quoted(text) => text,
            _ => return false,
        };
        *key.text == *"at" && text.starts_with('+')
    })
}

fn has_key(node: &Node, wanted: &str) -> bool {
    matches!(&node.value, Value::Mapping(entries)
        if entries.iter().any(|(key, _)| *key.text == *wanted))
}

/// Whether a step stands in two items of the list: `- at: 10s` and `- kubectl: cordon node-0`.
fn is_torn(item: &Node, next: &Node) -> bool {
    let (Value::Mapping(first), Value::Mapping(second)) = (&item.value, &next.value) else {
        return false;
    };
    let has_time = |entries: &[(Key, Node)]| {
        entries.iter().any(|(key, _)| matches!(&*key.text, "at" | "after"))
    };
    let action = |(key, _): &(Key, Node)| ACTIONS.contains(&&*key.text) || &*key.text == "burst";
    first.len() == 1 && has_time(first) && second.iter().any(action) && !has_time(second)
}

/// Two items of the list as the one step that they were meant to be.
fn joined(item: &Node, next: &Node) -> Node {
    let entries = |node: &Node| match &node.value {
        Value::Mapping(entries) => entries.clone(),
        _ => Vec::new(),
    };
    let all = entries(item).into_iter().chain(entries(next)).collect();
    Node { value: Value::Mapping(all), ..item.clone() }
}

/// What `at` says.
pub(super) enum At {
    Absolute(Time),
    Relative(Span),
}

pub(super) fn read_at(node: &Node, r: &mut Resolver) -> Option<At> {
    let (Value::Plain(text) | Value::Quoted(text)) = &node.value else {
        let expected = "a time such as `10s` or `+5s`";
        wrong_type(node, "`at`", expected, &node.value, &mut r.diagnostics);
        return None;
    };
    parse_at(text, node.place, r)
}

/// `10s`, or `+5s` after the step above.
fn parse_at(text: &str, place: Place, r: &mut Resolver) -> Option<At> {
    let relative = text.strip_prefix('+');
    match Span::parse(relative.unwrap_or(text)) {
        Ok(span) if relative.is_some() => Some(At::Relative(span)),
        Ok(span) => Some(At::Absolute(Time(span.0))),
        Err(error) => {
            let message = format!("`at` is a time, and {}", duration_problem(text, error));
            let help = duration_help(text, error);
            r.diagnostics.error_help(place, message, help);
            None
        }
    }
}

fn to_u32(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
