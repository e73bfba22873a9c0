//! `spec.steps`: when something is done, and in what order.

use super::actions::{self, ACTIONS, UNSUPPORTED};
use super::after;
use crate::kernel::time::{Span, Time};
use crate::plan::{Step, StepAction, When};
use crate::scenario::fields::{Fields, items};
use crate::scenario::resolve::Resolver;
use crate::scenario::scalar::{boolean, duration_help, string, text};
use crate::scenario::tree::{Node, Place};

/// Reads steps one after the other; keeps what the order of times needs.
#[derive(Debug, Default)]
pub(super) struct StepReader {
    /// The steps so far.
    pub steps: Vec<Step>,
    /// No later step may come before this.
    floor: Time,
    /// Steps seen, wrong ones included: numbers are those of the file.
    seen: u32,
}

impl StepReader {
    /// Reads `spec.steps`.
    pub(super) fn read(&mut self, node: &Node, r: &mut Resolver) {
        for item in items(node, "`steps`", &mut r.diagnostics).unwrap_or(&[]) {
            self.seen += 1;
            if let Some(step) = self.step(item, r) {
                self.steps.push(step);
            }
        }
    }

    /// How many steps there are, wrong ones included.
    pub(super) fn count(&self) -> u32 {
        self.seen
    }

    /// The time that no further absolute time may be before.
    pub(super) fn floor(&self) -> Time {
        self.floor
    }

    /// Adds a step of the form `AT KUBECTL-LINE`.
    pub(super) fn extra(&mut self, line: &str, place: Place, r: &mut Resolver) {
        self.seen += 1;
        let Some((at, command)) = line.trim_start().split_once(char::is_whitespace) else {
            let help = "write a time and a command, such as \
                        '10s taint nodes node-0 maintenance=now:NoExecute'";
            r.diagnostics.error_help(place, format!("`{line}` is no step"), help);
            return;
        };
        let start = place.start + to_u32(line.len() - line.trim_start().len());
        let at_place = Place { start, end: start + to_u32(at.len()), ..place };
        let when = self.at(at, at_place, r);
        let command_place = Place { start: at_place.end + 1, ..place };
        let actions = actions::kubectl(command, command_place, r);
        if let (Some(when), Some(actions)) = (when, actions) {
            let number = self.seen;
            self.steps.push(Step { number, when, actions, may_be_rejected: false, because: None });
        }
    }

    fn step(&mut self, node: &Node, r: &mut Resolver) -> Option<Step> {
        let number = self.seen;
        let mut fields = Fields::new(node, "a step", &mut r.diagnostics)?;
        let when = self.when(&mut fields, r);
        let may_be_rejected = fields
            .take("mayBeRejected")
            .and_then(|n| boolean(n, "mayBeRejected", &mut r.diagnostics))
            .unwrap_or(false);
        let because = fields.take("because").and_then(|n| string(n, "because", &mut r.diagnostics));
        let actions = if let Some(list) = fields.take("burst") {
            let other = fields.keys().find(|key| ACTIONS.contains(&&*key.text));
            if let Some(key) = other {
                let message = format!("`{}` stands beside `burst`", key.text);
                let help = "a step has one action, or `burst` with a list of actions";
                r.diagnostics.error_help(key.place, message, help);
                fields.ignore_rest();
                return None;
            }
            burst(list, r)
        } else {
            one_action(&mut fields, "a step", r)
        };
        let actions = match actions {
            Ok(actions) => {
                fields.refuse_unsupported(&UNSUPPORTED, &mut r.diagnostics);
                fields.finish(&mut r.diagnostics);
                actions
            }
            Err(NoAction) => {
                fields.refuse_unsupported(&UNSUPPORTED, &mut r.diagnostics);
                fields.ignore_rest();
                return None;
            }
        };
        Some(Step {
            number,
            when: when?,
            actions: actions?,
            may_be_rejected,
            because: because.map(Box::from),
        })
    }

    fn when(&mut self, fields: &mut Fields<'_>, r: &mut Resolver) -> Option<When> {
        let (at, after) = (fields.take("at"), fields.take("after"));
        match (at, after) {
            (Some(node), None) => {
                let text = text(node, "at", &mut r.diagnostics)?;
                self.at(text, node.place, r)
            }
            (None, Some(node)) => after::read(node, r),
            (Some(_), Some(node)) => {
                let message = "a step has `at` or `after`, not both";
                r.diagnostics.error_help(node.place, message, "remove one of the two");
                None
            }
            (None, None) => {
                let help = "write `at: 10s`, `at: +5s` or `after: {evicted: shop/web-0}`";
                r.diagnostics.error_help(fields.head(), "a step needs `at` or `after`", help);
                None
            }
        }
    }

    /// `10s`, or `+5s` after the step above.
    fn at(&mut self, text: &str, place: Place, r: &mut Resolver) -> Option<When> {
        let relative = text.strip_prefix('+');
        let span = match Span::parse(relative.unwrap_or(text)) {
            Ok(span) => span,
            Err(error) => {
                let message = format!("`at` is a time, and `{text}` is {error}");
                let help = duration_help(text, error);
                let help =
                    help.unwrap_or_else(|| "write `10s`, or `+5s` after the step above".into());
                r.diagnostics.error_help(place, message, help);
                return None;
            }
        };
        if relative.is_some() {
            self.floor = self.floor.saturating_add(span);
            return Some(When::AfterPrevious(span));
        }
        let time = Time(span.0);
        if time < self.floor {
            let message = format!("{time} is before the step above, which is at {}", self.floor);
            let help = "steps stand in the order of their times";
            r.diagnostics.error_help(place, message, help);
            return None;
        }
        self.floor = time;
        Some(When::At(time))
    }
}

/// A step or an entry of a burst has no action that could be read.
struct NoAction;

/// The one action of a step or of an entry of a burst. The inner `None`: it is there and wrong.
fn one_action(
    fields: &mut Fields<'_>,
    what: &str,
    r: &mut Resolver,
) -> Result<Option<Vec<StepAction>>, NoAction> {
    let present: Vec<&str> =
        fields.keys().map(|key| &*key.text).filter(|key| ACTIONS.contains(key)).collect();
    match present.as_slice() {
        [one] => {
            let key = ACTIONS.iter().find(|key| *key == one).ok_or(NoAction)?;
            let node = fields.take_even_null(key).ok_or(NoAction)?;
            Ok(actions::read(key, node, r))
        }
        [] => {
            // A misspelt action is an unknown key, and that message has the nearest one.
            let rest = ["at", "after", "because", "mayBeRejected", "burst"];
            let unknown = fields.keys().find(|key| !rest.contains(&&*key.text));
            match unknown {
                Some(key) if UNSUPPORTED.contains(&&*key.text) => {}
                Some(key) => {
                    let message = format!("unknown action `{}`", key.text);
                    let known = || ACTIONS.into_iter().chain(["burst"]);
                    let help = match crate::scenario::diagnostic::nearest(&key.text, known()) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("one of {}", known().collect::<Vec<_>>().join(", ")),
                    };
                    r.diagnostics.error_help(key.place, message, help);
                }
                None => {
                    let help = format!("one of {}", ACTIONS.join(", "));
                    let message = format!("{what} needs an action");
                    r.diagnostics.error_help(fields.head(), message, help);
                }
            }
            Err(NoAction)
        }
        more => {
            let message = format!("{what} has one action, not {}", more.join(" and "));
            let help = "write a step for each, or `burst: [..]` to apply them back to back";
            r.diagnostics.error_help(fields.head(), message, help);
            Err(NoAction)
        }
    }
}

fn burst(node: &Node, r: &mut Resolver) -> Result<Option<Vec<StepAction>>, NoAction> {
    let entries = items(node, "`burst`", &mut r.diagnostics).ok_or(NoAction)?;
    if entries.is_empty() {
        r.diagnostics.error(node.place, "the burst is empty");
    }
    let mut all = Vec::new();
    let before = r.diagnostics.len();
    for entry in entries {
        let Some(mut fields) = Fields::new(entry, "an action of a burst", &mut r.diagnostics)
        else {
            continue;
        };
        match one_action(&mut fields, "an entry of a burst", r) {
            Ok(actions) => {
                fields.refuse_unsupported(&UNSUPPORTED, &mut r.diagnostics);
                fields.finish(&mut r.diagnostics);
                all.extend(actions.unwrap_or_default());
            }
            Err(NoAction) => {
                fields.refuse_unsupported(&UNSUPPORTED, &mut r.diagnostics);
                fields.ignore_rest();
            }
        }
    }
    Ok((r.diagnostics.len() == before && !all.is_empty()).then_some(all))
}

fn to_u32(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
