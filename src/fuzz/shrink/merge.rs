//! Two that can be one: nodes, pods, keys of taints, and changes of taints.

use super::Search;
use super::rename::{Renames, joined};
use super::values::keys;
use crate::plan::{Action, Plan, StepAction, TaintChange};

/// Tries each two.
pub(super) fn objects(search: &mut Search<'_>) {
    pairs(search, names_of_nodes, |old, new| Renames {
        nodes: vec![(old, new)],
        ..Renames::default()
    });
    pairs(search, names_of_pods, |old, new| Renames {
        pods: vec![(old, new)],
        ..Renames::default()
    });
    pairs(
        search,
        |plan| keys(plan).into_iter().map(String::from).collect(),
        |old, new| Renames { keys: vec![(old, new)], ..Renames::default() },
    );
    changes(search);
}

fn names_of_nodes(plan: &Plan) -> Vec<String> {
    plan.names.nodes().map(|(_, name)| name.to_owned()).collect()
}

fn names_of_pods(plan: &Plan) -> Vec<String> {
    plan.names.pods().map(|(_, name)| name.to_owned()).collect()
}

/// So many are few enough to try each two of them.
const FEW: usize = 5;

fn pairs(
    search: &mut Search<'_>,
    all: impl Fn(&Plan) -> Vec<String>,
    renames: impl Fn(String, String) -> Renames,
) {
    let mut late = all(&search.plan).len().min(FEW);
    while late > 1 {
        late -= 1;
        for early in 0..late {
            let names = all(&search.plan);
            let (Some(old), Some(new)) = (names.get(late), names.get(early)) else { break };
            let (old, new) = (old.clone(), new.clone());
            let candidate = joined(&search.plan, renames(old.clone(), new.clone()));
            if search.offer(candidate) {
                break;
            }
            // Of two at the start the other one stays.
            let candidate = joined(&search.plan, renames(new, old));
            if search.offer(candidate) {
                break;
            }
        }
    }
}

/// Two changes of one node's taints are one, at the time of either.
fn changes(search: &mut Search<'_>) {
    let places = |plan: &Plan| -> Vec<(usize, usize)> {
        let steps = plan.steps.iter().enumerate();
        let all =
            steps.flat_map(|(step, it)| (0..it.actions.len()).map(move |action| (step, action)));
        all.filter(|(step, action)| change_of(&plan.steps[*step].actions[*action]).is_some())
            .collect()
    };
    let mut late = places(&search.plan).len();
    while late > 1 {
        late -= 1;
        for early in (0..late).rev() {
            let all = places(&search.plan);
            let (Some(first), Some(second)) = (all.get(early), all.get(late)) else { break };
            let (first, second) = (*first, *second);
            if search.offer_with(|plan| join(plan, first, second, first))
                || search.offer_with(|plan| join(plan, first, second, second))
            {
                break;
            }
        }
    }
}

fn change_of(action: &StepAction) -> Option<&TaintChange> {
    match &action.action {
        Action::Taint { change, .. } if change.replace.is_none() => Some(change),
        _ => None,
    }
}

type Place = (usize, usize);

/// Puts what both do into one of them; the other one is left without anything to do.
fn join(plan: &mut Plan, first: Place, second: Place, into: Place) {
    let action =
        |plan: &Plan, (step, action): Place| plan.steps[step].actions[action].action.clone();
    let (Action::Taint { nodes, change }, Action::Taint { nodes: others, change: more }) =
        (action(plan, first), action(plan, second))
    else {
        return;
    };
    if nodes != others {
        return;
    }
    let mut add = plan.lists.taints(change.add).to_vec();
    for taint in plan.lists.taints(more.add) {
        if !add.iter().any(|other| other.same_key_and_effect(taint)) {
            add.push(taint.clone());
        }
    }
    let mut remove = change.remove;
    for pattern in more.remove {
        if !remove.contains(&pattern) {
            remove.push(pattern);
        }
    }
    let add = plan.lists.intern_taints(&add);
    let change = TaintChange { remove, add, replace: None, overwrite: true };
    for place in [first, second] {
        let nodes = nodes.clone();
        let change = if place == into { change.clone() } else { nothing() };
        let kubectl = false;
        let text = plan.steps[place.0].actions[place.1].text.clone();
        let action = Action::Taint { nodes, change };
        plan.steps[place.0].actions[place.1] = StepAction { action, text, kubectl };
    }
}

fn nothing() -> TaintChange {
    let add = crate::objects::Lists::NO_TAINTS;
    TaintChange { remove: Vec::new(), add, replace: None, overwrite: true }
}
