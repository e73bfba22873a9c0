//! Each taint of a pod's node against each of the pod's tolerations.

use super::mismatch::mismatch;
use crate::objects::{Effect, TaintsId, Toleration, TolerationsId};
use crate::timeline::Context;

/// A taint with what each toleration is to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridRow {
    /// The taint as kubectl writes it, with the step that put it there.
    pub taint: String,
    /// The taint manager looks at it.
    pub no_execute: bool,
    /// The pod's tolerations, in order; empty where it has none.
    pub cells: Vec<GridCell>,
}

/// A toleration with what it is to a taint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridCell {
    /// The toleration as `kubectl describe pod` prints it.
    pub toleration: String,
    /// It matches.
    pub matches: bool,
    /// Of those that match, it is the first: the one that counts.
    pub counts: bool,
    /// For how long, or why not.
    pub words: String,
}

/// The grid of these lists; `origin` says where a taint comes from.
pub fn grid(
    context: Context<'_>,
    taints: TaintsId,
    tolerations: TolerationsId,
    origin: impl Fn(&crate::objects::Taint) -> String,
) -> Vec<GridRow> {
    let operators = context.plan.config.switches.comparison_operators;
    let list = context.lists.tolerations(tolerations);
    let row = |taint: &crate::objects::Taint| {
        let first = list.iter().position(|toleration| toleration.tolerates(taint, operators));
        let cell = |(index, toleration): (usize, &Toleration)| {
            let matches = toleration.tolerates(taint, operators);
            let counts = first == Some(index);
            let words = match (matches, toleration.toleration_seconds) {
                (true, seconds) if counts => match seconds {
                    Some(seconds) => format!("for {seconds}s"),
                    None => "without limit".to_owned(),
                },
                (true, _) => "the first match counts".to_owned(),
                (false, _) => match mismatch(toleration, taint, operators) {
                    Some(but) => format!("it has {but}"),
                    None => "another key".to_owned(),
                },
            };
            GridCell { toleration: toleration.to_string(), matches, counts, words }
        };
        GridRow {
            taint: format!("{taint}{}", origin(taint)),
            no_execute: taint.effect == Effect::NoExecute,
            cells: list.iter().enumerate().map(cell).collect(),
        }
    };
    context.lists.taints(taints).iter().map(row).collect()
}
