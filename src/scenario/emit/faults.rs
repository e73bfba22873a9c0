//! `spec.faults`.

use super::tree::{Entries, Yaml};
use super::words::{node_target, pod_target, probability, span};
use crate::kernel::Span;
use crate::plan::{Caller, Fault, FaultTarget, Plan};
use crate::scenario::language::VERBS;

/// The list.
pub(super) fn list(plan: &Plan) -> Yaml {
    Yaml::List(plan.faults.iter().map(|fault| Yaml::Map(one(plan, fault))).collect())
}

fn one(plan: &Plan, fault: &Fault) -> Entries {
    let mut entries = Entries::default();
    let verb = VERBS.iter().find(|(_, known)| *known == fault.verb).map_or("", |(word, _)| *word);
    entries.text("verb", verb);
    entries.text("resource", fault.resource.as_str());
    match &fault.target {
        FaultTarget::All => {}
        FaultTarget::Pods(pods) => pod_target(plan, pods, &mut entries),
        FaultTarget::Nodes(nodes) => node_target(plan, nodes, &mut entries),
    }
    entries.text("error", fault.error.as_str());
    if let Some(message) = &fault.message {
        entries.text("message", message);
    }
    if fault.applied {
        entries.plain("applied", true);
    }
    if let Some(first) = fault.first {
        entries.plain("first", first);
    }
    if let Some((from, to)) = fault.between {
        let times = [from, to].map(|time| Yaml::Plain(span(Span(time.0))));
        entries.put("between", Yaml::List(times.into()));
    }
    if let Some(chance) = fault.probability {
        entries.plain("probability", probability(chance));
    }
    if fault.caller == Caller::Any {
        entries.text("caller", "Any");
    }
    entries
}
