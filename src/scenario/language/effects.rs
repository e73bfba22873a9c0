//! What expectations say of taints, against the taints that the scenario ever has.

use crate::expectation::{Check, Expectation, Moment, PodCheck, PodState};
use crate::objects::{Effect, Taint};
use crate::plan::{Action, Step};
use crate::profile::Profile;
use crate::scenario::diagnostic::nearest;
use crate::scenario::resolve::Resolver;
use crate::scenario::scalar::string;
use crate::scenario::tree::{Node, Value};

/// What is known of a scenario when its expectations are read.
pub(super) struct Known<'a> {
    /// How many steps it has, wrong ones too.
    pub step_count: u32,
    /// Those that are right.
    pub steps: &'a [Step],
    /// All taints that it ever has are in the resolver's lists: nothing was wrong with nodes,
    /// manifests and steps, and the command line changes nothing.
    pub has_all_taints: bool,
    /// The version that the file itself asks for; `None` where the command line asks for another.
    pub profile: Option<Profile>,
}

/// The key of a taint. A whole taint, and a key that no taint has, are mistakes: nothing would
/// match.
pub(super) fn taint_key<'t>(
    node: &'t Node,
    known: &Known<'_>,
    r: &mut Resolver,
) -> Option<&'t str> {
    let text = string(node, "by", &mut r.diagnostics)?;
    if let Some(end) = text.find(['=', ':']) {
        let message = format!("`by` is the key of a taint, not `{text}`");
        r.diagnostics.error_help(node.place, message, format!("write `by: {}`", &text[..end]));
        return None;
    }
    let mut keys: Vec<&str> = evicting(r).map(|taint| &*taint.key).collect();
    if !known.has_all_taints || keys.is_empty() || keys.contains(&text) {
        return Some(text);
    }
    keys.sort_unstable();
    keys.dedup();
    let of_value = evicting(r).find(|taint| *taint.value == *text);
    let help = match (of_value, nearest(text, keys.iter().copied()), keys.as_slice()) {
        (Some(taint), ..) => format!("{taint} has it as its value; write `by: {}`", taint.key),
        (None, Some(near), _) => format!("write `by: {near}`"),
        (None, None, [only]) => format!("write `by: {only}`, the only key"),
        (None, None, some) => {
            format!("the keys are {}", some[..some.len().min(KEYS_NAMED)].join(", "))
        }
    };
    let message = format!("no NoExecute taint with the key `{text}` in this scenario, at any time");
    r.diagnostics.error_help(node.place, message, help);
    None
}

/// How many keys a hint names at most.
const KEYS_NAMED: usize = 8;

fn evicting(r: &Resolver) -> impl Iterator<Item = &Taint> {
    r.lists.all_taints().filter(|taint| taint.effect == Effect::NoExecute)
}

/// Notes where an eviction is expected, and all taints of the scenario have effects that evict
/// nobody. One mistake is enough: what mends it mends all.
pub(super) fn check(node: &Node, all: &[Expectation], known: &Known<'_>, r: &mut Resolver) {
    if !known.has_all_taints || evicting(r).next().is_some() {
        return;
    }
    let Some(taint) = r.lists.all_taints().next() else { return };
    let Some(expectation) = all.iter().find(|expectation| expects_eviction(&expectation.check))
    else {
        return;
    };
    let Value::Sequence(items) = &node.value else { return };
    let heads = items.iter().filter_map(|item| match &item.value {
        Value::Mapping(entries) => entries.first().map(|(key, _)| key.place),
        _ => None,
    });
    let mut heads = heads.filter(|place| r.sources.line(*place) == Some(expectation.line));
    let place = heads.next().unwrap_or(node.place);
    let adds = known.steps.iter().find(|step| {
        step.actions.iter().any(|action| {
            matches!(&action.action, Action::Taint { change, .. }
            if r.lists.taints(change.add).contains(taint))
        })
    });
    let evicts = Taint { effect: Effect::NoExecute, ..taint.clone() };
    let help = match adds {
        Some(step) => {
            format!("step {} adds {taint}; write {evicts} there", step.number)
        }
        None => format!("there is {taint}; write {evicts} in its place"),
    };
    let message = "this expects an eviction, and no taint in this scenario has the effect \
                   NoExecute, at any time: others evict nobody";
    r.diagnostics.error_help(place, message, help);
}

fn expects_eviction(check: &Check) -> bool {
    match check {
        Check::Pod { what, .. } => match what {
            PodCheck::At { moment, .. } => *moment != Moment::Removed,
            PodCheck::EvictedBetween { .. } => true,
            PodCheck::StateAt { is, .. } => *is == PodState::Armed,
            PodCheck::DeleteAttempts(count) => *count > 0,
            PodCheck::Survives(_) => false,
        },
        Check::Evictions { count, .. } | Check::Event { count, .. } => *count > 0,
        // A rule can be broken without one; of several, one may hold for another reason.
        Check::StepRejected(_) | Check::Rule { .. } | Check::AnyOf(_) => false,
    }
}
