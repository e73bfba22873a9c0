//! Why a pod was evicted, or was not: from records to sentences.
//!
//! An [`Answer`] has the story of each pod of a name from the step that began it to its fate, each
//! taint against each toleration where it stays, what would have changed the fate, what other
//! versions would have made of it, and which known surprises the run shows. What would have
//! changed it is not derived but tried: [`WhatIf`] and [`OtherVersion`] have the fate of a run of
//! the changed plan.

mod because;
mod edit;
mod evidence;
mod grid;
pub(crate) mod mismatch;
mod remarks;
mod story;
mod trial;
mod versions;
mod what_if;
mod window;
mod words;

pub use because::Because;
pub use edit::{Edit, SpecPlace};
pub use evidence::TooLong;
pub use grid::{GridCell, GridRow};
pub use remarks::{REMARKS, Remark};
pub use story::Moment;
pub use trial::{Identity, fate, is_same};
pub use versions::OtherVersion;
pub use what_if::WhatIf;

use evidence::Evidence;
use trial::Trials;
use what_if::{Asker, identity};

use crate::kernel::time::Time;
use crate::objects::taint::no_execute;
use crate::objects::{PodId, Taint, Uid};
use crate::plan::Plan;
use crate::timeline::fate::Fate;
use crate::timeline::history::{Incarnation, Origin};

/// Events that the tried changes of one answer may have together.
pub const TRIAL_EVENTS_MAX: u64 = 30_000_000;

/// What there is to say about the pods of a name.
#[derive(Debug)]
pub struct Answer {
    /// `namespace/name`.
    pub pod: String,
    /// Until when the run was looked at; `None`: all of it.
    pub at: Option<Time>,
    /// Its pods, oldest first; empty where none came to be.
    pub lives: Vec<LifeAnswer>,
    /// Not all changes were tried: the run is too long.
    pub exhausted: bool,
}

/// What there is to say about one pod.
#[derive(Debug)]
pub struct LifeAnswer {
    /// Its uid.
    pub uid: Uid,
    /// Which of the plan's pods it is.
    pub identity: Identity,
    /// What became of it.
    pub fate: Fate,
    /// The fate with its reason, in a sentence.
    pub verdict: String,
    /// What happened to it.
    pub story: Vec<Moment>,
    /// Taints against tolerations, of a pod that is still there.
    pub grid: Vec<GridRow>,
    /// What would have changed its fate.
    pub what_ifs: Vec<WhatIf>,
    /// What other versions would have made of it.
    pub other_versions: Vec<OtherVersion>,
    /// Known surprises that it shows.
    pub remarks: Vec<Remark>,
    /// Of an answer up to some time: the fate at the end of the run.
    pub later: Option<Fate>,
}

/// Answers for the pods of one name, of the whole run or up to `at`.
///
/// # Errors
/// Where the run has more than `events_max` events.
pub fn answer(
    plan: &Plan,
    pod: PodId,
    at: Option<Time>,
    events_max: u64,
) -> Result<Answer, TooLong> {
    let whole = Evidence::gather(plan, pod, None, events_max)?;
    let mut trials = Trials::new(plan, TRIAL_EVENTS_MAX);
    let mut lives = Vec::new();
    match at {
        None => {
            for life in whole.history.incarnations_of(pod) {
                let mut answer = about_life(&whole, life);
                answer.what_ifs = Asker::new(&whole, &mut trials, life).what_ifs();
                let (switches, id) = (plan.config.switches, identity(&whole, life));
                answer.other_versions =
                    versions::other_versions(&mut trials, switches, id, answer.fate);
                lives.push(answer);
            }
        }
        Some(at) => {
            let part = Evidence::gather(plan, pod, Some(at), events_max)?;
            for life in part.history.incarnations_of(pod) {
                let mut answer = about_life(&part, life);
                if let Some(whole_life) = whole.history.incarnation(life.uid) {
                    answer.later = Some(Fate::of(&whole.history, whole_life));
                    let what_ifs = Asker::new(&whole, &mut trials, whole_life).what_ifs();
                    answer.what_ifs =
                        what_ifs.into_iter().filter_map(|what_if| what_if.from(at)).collect();
                }
                lives.push(answer);
            }
        }
    }
    let exhausted = trials.is_exhausted();
    Ok(Answer { pod: plan.names.pod(pod).to_owned(), at, lives, exhausted })
}

/// What the evidence tells of one life, without trials.
fn about_life(evidence: &Evidence<'_>, life: &Incarnation) -> LifeAnswer {
    let (context, history) = (evidence.context(), &evidence.history);
    let is_there = life.removed_at().is_none() && life.evicted_at().is_none();
    let taints = life.node.and_then(|node| Some((node, history.taints_of(node)?)));
    let grid = match taints.filter(|_| is_there) {
        Some((node, taints)) => {
            let origin = |taint: &Taint| match history.origin_of_taint(context, node, taint) {
                Origin::Step(index) => {
                    let step = context.plan.steps.get(index as usize);
                    step.map_or_else(String::new, |step| format!(" (step {})", step.number))
                }
                Origin::Start | Origin::Unknown => String::new(),
            };
            grid::grid(context, taints, life.tolerations, origin)
        }
        None => Vec::new(),
    };
    LifeAnswer {
        uid: life.uid,
        identity: identity(evidence, life),
        fate: Fate::of(history, life),
        verdict: verdict(evidence, life),
        story: story::story(evidence, life),
        grid,
        what_ifs: Vec::new(),
        other_versions: Vec::new(),
        remarks: remarks::remarks(evidence, life),
        later: None,
    }
}

/// The fate with its reason; and where the taint that decided was gone by then, since when.
fn verdict(evidence: &Evidence<'_>, life: &Incarnation) -> String {
    let (context, history) = (evidence.context(), &evidence.history);
    let sentence = Because { context, history }.sentence(life);
    let gone = || {
        let (arming, at) = (history.evicted_by(life)?, life.evicted_at()?);
        let decision = history.decision(arming);
        let taint = context.lists.taints(decision.taints).get(decision.taint as usize)?;
        let waited = arming.fire_at > arming.at && decision.toleration.is_some();
        let node = life.node.filter(|_| waited && arming.uid() == life.uid)?;
        let since = evidence.gone_since(node, taint, at)?;
        Some(match evidence.taints_by(node, at).map(|id| context.lists.taints(id)) {
            None => "The node was gone by then; but its deletion cancels no timer.".to_owned(),
            Some(left) if no_execute(left).next().is_some() => format!(
                "The node had lost that taint by then, at {since}; but an armed timer never moves."
            ),
            Some(_) => format!(
                "The node had lost that taint by then, at {since}; but the taint manager had not \
                 heard of it."
            ),
        })
    };
    match gone() {
        Some(but) => format!("{sentence} {but}"),
        None => sentence,
    }
}
