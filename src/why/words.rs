//! Pieces of the sentences of a story.

use super::evidence::Evidence;
use super::mismatch::why_not_tolerated;
use crate::kernel::time::{Span, Time};
use crate::objects::matching::Minimum;
use crate::objects::taint::no_execute;
use crate::objects::{Deadline, Verdict, match_lists};
use crate::objects::{Effect, Taint, TaintDiff, TaintsId, Toleration, TolerationsId};
use crate::plan::{Action, ApiError, Verb};
use crate::timeline::{Context, Kind, Record};

/// More taints than this are counted.
const TAINTS_AT_MOST: usize = 5;

/// `a`, `a and b`, `a, b and c`.
pub(super) fn joined(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// `Step 2 (taint nodes node-0 b-)`.
pub(super) fn quoted_step(context: Context<'_>, step: u32, action: u32) -> String {
    let Some(step) = context.plan.steps.get(step as usize) else { return "A step".into() };
    let action = step.actions.get(action as usize);
    let text = action.map_or("", |action| match &action.action {
        Action::Note(_) => "note",
        _ => &action.text,
    });
    format!("Step {} ({text})", step.number)
}

/// `Step 2 (taint nodes node-0 b-): `.
pub(super) fn step_words(context: Context<'_>, step: u32, action: u32) -> String {
    format!("{}: ", quoted_step(context, step, action))
}

/// The taint of this index.
pub(super) fn taint_words(context: Context<'_>, taints: TaintsId, index: u32) -> String {
    let taint = context.lists.taints(taints).get(index as usize);
    taint.map_or_else(String::new, |taint| format!("taint {taint}"))
}

/// How a pod's tolerations stand to a node's NoExecute taints, in a sentence or two. It is what the
/// taint manager's matching gives, the first match for each taint.
pub(super) fn matches(
    context: Context<'_>,
    taints: TaintsId,
    tolerations: TolerationsId,
) -> String {
    let rules = context.plan.config.switches.match_rules();
    let operators = rules.comparison_operators;
    let (taints, tolerations) =
        (context.lists.taints(taints), context.lists.tolerations(tolerations));
    match match_lists(taints, tolerations, rules) {
        Verdict::NotTolerated { taint } => {
            let Some(taint) = taints.get(taint as usize) else { return String::new() };
            let why = why_not_tolerated(tolerations, taint, operators);
            format!("Taint {taint} is not tolerated: {why}.")
        }
        Verdict::Tolerated { deadline, minimum } => {
            let mut words: Vec<String> = no_execute(taints)
                .take(TAINTS_AT_MOST)
                .filter_map(|taint| tolerated(taint, tolerations, operators))
                .collect();
            let more = no_execute(taints).count().saturating_sub(TAINTS_AT_MOST);
            if more > 0 {
                words.push(format!("{more} more are tolerated"));
            }
            let list = joined(&words);
            let odd = odd_seconds(deadline, minimum);
            format!("{}.{odd}", capitalized(&list))
        }
    }
}

/// `taint b=x:NoExecute is tolerated for 60s by tolerations[0] (b:NoExecute op=Exists for 60s)`.
fn tolerated(taint: &Taint, tolerations: &[Toleration], operators: bool) -> Option<String> {
    let index = tolerations.iter().position(|t| t.tolerates(taint, operators))?;
    let toleration = &tolerations[index];
    let long = match toleration.toleration_seconds {
        Some(seconds) => format!("for {seconds}s"),
        None => "without limit".to_owned(),
    };
    Some(format!("taint {taint} is tolerated {long} by tolerations[{index}] ({toleration})"))
}

/// Where the wait is not the number of seconds that is written.
fn odd_seconds(deadline: Deadline, minimum: Option<Minimum>) -> String {
    let Some(minimum) = minimum else { return String::new() };
    let written = u64::try_from(minimum.seconds).ok();
    let written = written.and_then(|seconds| Some(Span(seconds.checked_mul(1_000_000_000)?)));
    let seconds = minimum.seconds;
    match deadline {
        Deadline::After(wait) if seconds > 0 && written != Some(wait) => {
            format!(" As 64-bit nanoseconds {seconds}s overflow: the controller waits for {wait}.")
        }
        Deadline::Never if written.is_none_or(|span| span.0 > i64::MAX as u64) && seconds > 0 => {
            format!(
                " As 64-bit nanoseconds {seconds}s overflow to a negative number, which the \
                 controller takes for no limit."
            )
        }
        Deadline::Never => {
            " The first of them has no limit, and in this version that hides the others.".to_owned()
        }
        Deadline::After(_) => String::new(),
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}

/// What the taint manager does when it hears at once.
pub(super) fn looks() -> String {
    "The taint manager looks at the pod".to_owned()
}

/// `500ms later (the watch event took 500ms) the taint manager looks at the pod`.
pub(super) fn lag(evidence: &Evidence<'_>, trigger: &Record, record: &Record) -> String {
    let late = record.at.since(trigger.at);
    if late == Span(0) || matches!(trigger.kind, Kind::ControllerStopped) {
        return looks();
    }
    let mut parts: Vec<String> = Vec::new();
    let mut part = |from: Time, to: Time, what: &str| {
        let span = to.since(from);
        if span > Span(0) {
            parts.push(format!("{what} {span}"));
        }
    };
    let between: Vec<&Record> =
        evidence.causes(record).take_while(|cause| cause.seq != trigger.seq).collect();
    let mut last = trigger.at;
    for cause in between.iter().rev() {
        match cause.kind {
            Kind::Enqueued(_) => part(last, cause.at, "the watch event took"),
            Kind::Dispatched(_) => part(last, cause.at, "its item waited in the work queue for"),
            Kind::HandlerStarted(_) => {
                part(last, cause.at, "its item waited in the worker's channel for");
            }
            _ => continue,
        }
        last = cause.at;
    }
    part(last, record.at, "the list of the node's pods took");
    match parts.is_empty() {
        true => format!("{late} later the taint manager looks at the pod"),
        false => format!("{late} later ({}) the taint manager looks at the pod", joined(&parts)),
    }
}

/// `Attempt 1 of 5 fails: DELETE, Forbidden: a webhook says no (maint.yaml:12).`
pub(super) fn call_failed(
    context: Context<'_>,
    verb: Verb,
    (error, fault): (ApiError, Option<u32>),
    attempt: u32,
    attempts: Option<u32>,
) -> String {
    let verb = match verb {
        Verb::Get => "GET",
        Verb::List => "LIST",
        Verb::Create => "POST",
        Verb::Patch => "PATCH",
        Verb::Delete => "DELETE",
    };
    let message = context.fault_message(fault).map(|message| format!(": {message}"));
    let fault = fault.and_then(|index| context.plan.faults.get(index as usize));
    let place = fault.map(|fault| format!(" (the fault in {})", fault.place));
    let of = attempts.map(|attempts| format!(" of {attempts}")).unwrap_or_default();
    format!(
        "Attempt {attempt}{of} fails: {verb} gets {}{}{}.",
        error.as_str(),
        message.unwrap_or_default(),
        place.unwrap_or_default()
    )
}

/// A change of a node's taints, in a sentence.
pub(super) struct NodeChange<'a> {
    diff: TaintDiff<'a>,
    no_execute_differs: bool,
}

impl<'a> NodeChange<'a> {
    pub(super) fn between(before: &'a [Taint], after: &'a [Taint]) -> NodeChange<'a> {
        let no_execute_differs = !no_execute(before).eq(no_execute(after));
        NodeChange { diff: TaintDiff::between(before, after), no_execute_differs }
    }

    /// Whether the taint manager looks at it: NoExecute taints differ, be it in order or time.
    pub(super) fn is_looked_at(&self) -> bool {
        let of_others = |taint: &&Taint| taint.effect != Effect::NoExecute;
        let only_others = !self.diff.is_empty()
            && self.diff.came.iter().all(&of_others)
            && self.diff.gone.iter().all(&of_others)
            && self.diff.changed.iter().all(|(t, _)| of_others(t));
        self.no_execute_differs && !only_others
    }

    /// `node-0 gets the taint a:NoExecute and loses b:NoExecute.`
    pub(super) fn sentence(&self, node: &str) -> String {
        let list = |taints: &[&Taint]| {
            let words: Vec<String> = taints.iter().map(ToString::to_string).collect();
            let noun = if words.len() == 1 { "taint" } else { "taints" };
            format!("the {noun} {}", joined(&words))
        };
        let mut parts = Vec::new();
        if !self.diff.came.is_empty() {
            parts.push(format!("gets {}", list(&self.diff.came)));
        }
        for (old, new) in &self.diff.changed {
            parts.push(format!("has {new} in place of {old}"));
        }
        if !self.diff.gone.is_empty() {
            parts.push(format!("loses {}", list(&self.diff.gone)));
        }
        match parts.is_empty() {
            true => format!("{node} has its taints in another order, or with another time."),
            false => format!("{node} {}.", joined(&parts)),
        }
    }
}
