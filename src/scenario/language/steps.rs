//! `spec.steps`: when something is done, and in what order.

use super::actions::{self, ACTIONS, UNSUPPORTED};
use super::after;
use super::foreign;
use super::order;
use crate::kernel::time::{Span, Time};
use crate::plan::{Step, StepAction, When};
use crate::scenario::fields::{Fields, items};
use crate::scenario::kubectl;
use crate::scenario::resolve::Resolver;
use crate::scenario::scalar::{boolean, duration_help, duration_problem, string, wrong_type};
use crate::scenario::shapes;
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

/// The actions of a step, and whether they are a burst; `None` where they are wrong.
pub(super) fn read_actions(
    fields: &mut Fields<'_>,
    what: &str,
    r: &mut Resolver,
) -> (Option<Vec<StepAction>>, bool) {
    let list = fields.take("burst");
    let is_burst = list.is_some();
    let actions = if let Some(list) = list {
        let other = fields.keys().find(|key| ACTIONS.contains(&&*key.text));
        let burst = burst(list, r);
        if let Some(key) = other {
            let message = format!("`{}` stands beside `burst`", key.text);
            let help = "a step has one action, or `burst` with a list of actions";
            r.diagnostics.error_help(key.place, message, help);
            every_action(fields, r);
        }
        burst.filter(|_| other.is_none())
    } else {
        one_action(fields, what, r)
    };
    fields.refuse_unsupported(&UNSUPPORTED, &mut r.diagnostics);
    (actions, is_burst)
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

/// The one action of a step or of an entry of a burst; `None` where there is none that is right.
fn one_action(fields: &mut Fields<'_>, what: &str, r: &mut Resolver) -> Option<Vec<StepAction>> {
    // In the order of the file.
    let action = |key: &Key| ACTIONS.into_iter().find(|action| **action == *key.text);
    let present: Vec<&'static str> = fields.keys().filter_map(action).collect();
    match present.as_slice() {
        [key] => {
            commands_beside(fields, what, r);
            let node = fields.take_even_null(key)?;
            actions::read(key, node, r)
        }
        [] => {
            match fields.take_hidden("repeat") {
                Some(node) => {
                    let message = format!("`repeat` in {what}");
                    let help = "move it into a step of its own: only steps of the scenario repeat";
                    r.diagnostics.error_help(node.place, message, help);
                }
                None => no_action(fields, what, r),
            }
            None
        }
        more => {
            let message = format!("{what} has one action, not {}", more.join(" and "));
            let help = "write a step for each, or `burst: [..]` to apply them back to back";
            r.diagnostics.error_help(fields.head(), message, help);
            commands_beside(fields, what, r);
            every_action(fields, r);
            None
        }
    }
}

/// Reads all actions of a mapping that has too many, for their own mistakes.
fn every_action(fields: &mut Fields<'_>, r: &mut Resolver) {
    for key in ACTIONS {
        if let Some(node) = fields.take_even_null(key) {
            actions::read(key, node, r);
        }
    }
}

/// Notes that there is no action, or that what has to be one is unknown.
fn no_action(fields: &mut Fields<'_>, what: &str, r: &mut Resolver) {
    if fields.keys().any(|key| UNSUPPORTED.contains(&&*key.text)) {
        return;
    }
    let beside = ["at", "after", "because", "mayBeRejected", "burst", "duration"];
    let is_action = |near: Option<&str>| near.is_none_or(|near| ACTIONS.contains(&near));
    let is_unknown = |key: &&Key| {
        !beside.contains(&&*key.text)
            && shapes::instead(what, &key.text).is_none()
            && is_action(fields.nearest(&key.text))
    };
    let unknown = fields.keys().find(is_unknown);
    let Some(key) = unknown else {
        let mut keys = ACTIONS.to_vec();
        if what == "a step" {
            keys.push("burst");
        }
        let help = format!("write `kubectl: cordon node-0`, or one of {}", keys.join(", "));
        fields.missing(&keys, format!("{what} needs an action"), &help);
        return;
    };
    unknown_action(key, fields, r);
}

/// Tells a key that is no action, and what to write for it. What stands there is read as the action
/// that it is meant for, for its own mistakes.
fn unknown_action(key: &Key, fields: &mut Fields<'_>, r: &mut Resolver) {
    let argument = fields.value(key);
    let mut meant = fields
        .nearest(&key.text)
        .and_then(|near| ACTIONS.into_iter().find(|action| *action == near));
    let help = match (command(&key.text, argument), meant) {
        (Some(help), _) => {
            meant = None;
            help
        }
        (None, Some(near)) => format!("did you mean `{near}`?"),
        (None, None) => match &*key.text {
            "evict" | "evictPod" => {
                meant = Some("deletePod");
                "the taint manager evicts; did you mean `deletePod`?".into()
            }
            "wait" | "sleep" => "the next step has its own time: write `at: +10s` there".into(),
            _ => format!("the actions are {}", ACTIONS.join(", ")),
        },
    };
    r.diagnostics.error_help(key.place, format!("unknown action `{}`", key.text), help);
    fields.pass_over(key);
    if let (Some(action), Some(argument)) = (meant, argument) {
        actions::read(action, argument, r);
    }
}

/// How the help for a verb of kubectl begins.
const OF_KUBECTL: &str = "it is a command of kubectl: ";

/// What is written in place of a command that stands as a key.
fn command(verb: &str, argument: Option<&Node>) -> Option<String> {
    let text = |node: &Node| match &node.value {
        Value::Plain(text) | Value::Quoted(text) => Some(text.to_string()),
        _ => None,
    };
    let of = |key: &str| match argument.map(|node| &node.value) {
        Some(Value::Mapping(entries)) => {
            entries.iter().find(|(own, _)| *own.text == *key).and_then(|(_, node)| text(node))
        }
        _ => None,
    };
    let node = argument.and_then(text).or_else(|| of("node")).or_else(|| of("name"));
    // A target of several nodes is no argument of kubectl.
    let is_name = |name: &String| !name.is_empty() && !name.contains([' ', '*', '{', '=']);
    let node = node.filter(is_name).unwrap_or_else(|| "NODE".into());
    Some(match verb {
        "cordon" | "uncordon" => {
            format!("{OF_KUBECTL}write `kubectl: {verb} {node}`")
        }
        "drain" => kubectl::DRAIN.to_owned(),
        "untaint" => {
            let taint = of("key").or_else(|| of("taint")).unwrap_or_else(|| "KEY".into());
            format!(
                "write `taint: {{node: {node}, remove: [{taint}]}}`, or `kubectl: taint nodes {node} \
                 {taint}-`"
            )
        }
        "label" | "delete" => format!("{OF_KUBECTL}write `kubectl: {verb} ..`"),
        _ => return None,
    })
}

/// Tells the commands that stand as keys beside an action.
fn commands_beside(fields: &mut Fields<'_>, what: &str, r: &mut Resolver) {
    let all: Vec<&Key> = fields.keys().collect();
    for key in all {
        let Some(help) = command(&key.text, fields.value(key)) else { continue };
        let help = help.strip_prefix(OF_KUBECTL).unwrap_or(&help);
        let own = if what == "a step" { "a step" } else { "an entry" };
        let help = format!("{what} has one action; {help}, in {own} of its own");
        r.diagnostics.error_help(key.place, format!("unknown action `{}`", key.text), help);
        fields.pass_over(key);
    }
}

fn burst(node: &Node, r: &mut Resolver) -> Option<Vec<StepAction>> {
    let entries = items(node, "`burst`", &mut r.diagnostics)?;
    if entries.is_empty() {
        let help = "write `burst: [{kubectl: cordon node-0}, {kubectl: cordon node-1}]`";
        r.diagnostics.error_help(node.place, "the burst is empty", help);
    }
    let mut all = Vec::new();
    let before = r.diagnostics.len();
    for entry in entries {
        let fields = Fields::new(entry, "an action of a burst", &mut r.diagnostics);
        let Some(mut fields) = fields else { continue };
        fields.know(&ACTIONS);
        all.extend(one_action(&mut fields, "an entry of a burst", r).unwrap_or_default());
        fields.refuse_unsupported(&UNSUPPORTED, &mut r.diagnostics);
        fields.finish(&mut r.diagnostics);
    }
    (r.diagnostics.len() == before && !all.is_empty()).then_some(all)
}

fn to_u32(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
