//! What makes two breaches one finding.

use std::borrow::Cow;
use std::fmt;

use crate::fuzz::cause::Ingredient;
use crate::objects::{Effect, Lists};
use crate::plan::{Action, NodeSpec, Plan, TaintChange, Validation, Verb};
use crate::profile::Switch;

/// The rule, and what its breach comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Signature {
    /// The rule's name.
    pub rule: Cow<'static, str>,
    /// What it comes from.
    pub origin: Origin,
}

/// What a breach comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// This switch of the behaviour profile: with another setting the breach is not there.
    Switch(Switch),
    /// No switch: the kinds of what is left in the smallest scenario, in their order.
    Kinds(Vec<&'static str>),
}

/// Seconds from which on a wait in nanoseconds does not fit into 64 bits.
const HUGE: u64 = 9_223_372_037;

/// Kinds that are no ingredients.
const KINDS: [&str; 13] = [
    "taint",
    "swap-taints",
    "create-tainted-node",
    "cordon",
    "label-pod",
    "label-node",
    "failed-get",
    "failed-list",
    "failed-create",
    "failed-patch",
    "failed-delete",
    "huge-seconds",
    "ignored-validation",
];

impl Origin {
    /// The kind of this name.
    pub fn kind(name: &str) -> Option<&'static str> {
        let ingredients = Ingredient::all().map(Ingredient::name);
        KINDS.into_iter().chain(ingredients).find(|kind| *kind == name)
    }

    /// The kinds of things in a plan that has nothing that could be left out.
    pub fn of(plan: &Plan) -> Origin {
        let mut kinds: Vec<&'static str> = Vec::new();
        let tainted = |node: &NodeSpec| has_no_execute(plan, node.taints);
        kinds.extend(plan.nodes.iter().filter(|node| tainted(node)).map(|_| "taint"));
        for action in plan.steps.iter().flat_map(|step| &step.actions) {
            kinds.extend(of_action(plan, &action.action));
        }
        for fault in &plan.faults {
            kinds.push(match fault.verb {
                Verb::Get => "failed-get",
                Verb::List => "failed-list",
                Verb::Create => "failed-create",
                Verb::Patch => "failed-patch",
                Verb::Delete => "failed-delete",
            });
        }
        let beside_steps = [
            Ingredient::Latency,
            Ingredient::HandlerCost,
            Ingredient::Interleaving,
            Ingredient::Termination,
            Ingredient::SecondTaint,
            Ingredient::OverlappingTolerations,
        ];
        let beside_steps = beside_steps.into_iter().filter(|of| of.left_out(plan).is_some());
        kinds.extend(beside_steps.map(Ingredient::name));
        if plan.config.api_server.validation == Validation::Ignore {
            kinds.push("ignored-validation");
        }
        if has_huge_seconds(plan) {
            kinds.push("huge-seconds");
        }
        kinds.sort_unstable();
        kinds.dedup();
        Origin::Kinds(kinds)
    }

    /// Whether this says less than the other, and nothing else: what needs less is in what needs
    /// more.
    pub fn is_within(&self, other: &Origin) -> bool {
        match (self, other) {
            (Origin::Kinds(kinds), Origin::Kinds(others)) => {
                kinds.len() < others.len() && kinds.iter().all(|kind| others.contains(kind))
            }
            _ => false,
        }
    }
}

fn has_no_execute(plan: &Plan, taints: crate::objects::TaintsId) -> bool {
    plan.lists.taints(taints).iter().any(|taint| taint.effect == Effect::NoExecute)
}

fn of_action(plan: &Plan, action: &Action) -> Option<&'static str> {
    if let Some(ingredient) = Ingredient::of(action) {
        let is_tainted =
            |specs: &[NodeSpec]| specs.iter().any(|spec| has_no_execute(plan, spec.taints));
        return Some(match action {
            Action::CreateNodes(specs) if is_tainted(specs) => "create-tainted-node",
            Action::ApplyNode(apply) if apply.taints.is_some() => "swap-taints",
            Action::ApplyPod(apply) if apply.tolerations.is_some() => {
                Ingredient::SetTolerations.name()
            }
            _ => ingredient.name(),
        });
    }
    Some(match action {
        Action::Taint { change: TaintChange { remove, add, replace, .. }, .. } => {
            match (replace, *add == Lists::NO_TAINTS, remove.is_empty()) {
                (Some(_), ..) | (None, false, false) => "swap-taints",
                (None, false, true) => "taint",
                (None, true, _) => "untaint",
            }
        }
        Action::SetUnschedulable { .. } => "cordon",
        Action::LabelPods { .. } => "label-pod",
        Action::LabelNodes { .. } => "label-node",
        _ => return None,
    })
}

fn has_huge_seconds(plan: &Plan) -> bool {
    let mut all = plan.lists.all_tolerations();
    all.any(|t| t.toleration_seconds.is_some_and(|seconds| seconds.unsigned_abs() >= HUGE))
}

impl Signature {
    /// The name of the finding's file, without its end.
    pub fn stem(&self) -> String {
        let rule = self.rule.replace(['/', '.'], "-");
        match &self.origin {
            Origin::Switch(switch) => format!("{rule}-by-{}", kebab(switch.name())),
            Origin::Kinds(kinds) if kinds.is_empty() => format!("{rule}-from-the-start"),
            Origin::Kinds(kinds) => format!("{rule}-with-{}", kinds.join("-")),
        }
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.origin {
            Origin::Switch(switch) => write!(f, "{} by {}", self.rule, switch.name()),
            Origin::Kinds(kinds) if kinds.is_empty() => write!(f, "{} from the start", self.rule),
            Origin::Kinds(kinds) => write!(f, "{} with {}", self.rule, kinds.join(", ")),
        }
    }
}

fn kebab(camel: &str) -> String {
    let mut text = String::new();
    for letter in camel.chars() {
        if letter.is_ascii_uppercase() {
            text.push('-');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_depend_on_the_signature_alone() {
        let signature = |origin| Signature { rule: "docs/same-name".into(), origin };
        for (origin, stem, text) in [
            (
                Origin::Switch(Switch::MarkerAfterSuccess),
                "docs-same-name-by-marker-after-success",
                "docs/same-name by markerAfterSuccess",
            ),
            (
                Origin::Kinds(vec!["restart", "second-taint", "taint"]),
                "docs-same-name-with-restart-second-taint-taint",
                "docs/same-name with restart, second-taint, taint",
            ),
            (
                Origin::Kinds(Vec::new()),
                "docs-same-name-from-the-start",
                "docs/same-name from the start",
            ),
        ] {
            let signature = signature(origin);
            assert_eq!((signature.stem(), signature.to_string()), (stem.into(), text.into()));
        }
        let other = Signature { rule: "diff/1.32".into(), origin: Origin::Kinds(Vec::new()) };
        assert_eq!(other.stem(), "diff-1-32-from-the-start");
    }
}
