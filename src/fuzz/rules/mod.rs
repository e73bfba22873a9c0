//! The rules by which a run is judged, in families.
//!
//! - `controller/…`: what holds in every run of the modelled version. A breach is a mistake of the
//!   model.
//! - `docs/…`: what the documentation of Kubernetes promises. A breach is a finding about the
//!   version.
//! - `convergence`: once nothing fails and nothing changes any more, every pod's fate is the
//!   promised one, whenever it came.

pub mod controller;
mod convergence;
mod docs;

use std::borrow::Cow;

use crate::cluster::{End, EndReason};
use crate::fuzz::reference::{Model, Overdue, Slack, Story, Stretch};
use crate::kernel::Time;
use crate::objects::PodId;
use crate::plan::{Config, Plan};
use crate::timeline::{Context, Detail, Record, Sink};

/// A rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name, with its family.
    pub name: &'static str,
    /// What holds.
    pub sentence: &'static str,
    /// Who says so.
    pub source: &'static str,
    /// By how much it may be missed.
    pub slack: &'static str,
}

/// A rule that does not hold in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// The rule's name.
    pub rule: Cow<'static, str>,
    /// When it was broken.
    pub at: Time,
    /// The name of the pod that it is about.
    pub pod: Option<PodId>,
    /// What happened, and what should have, with times.
    pub text: String,
}

/// Which families judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Families {
    /// `controller/…`.
    pub controller: bool,
    /// `docs/…`.
    pub docs: bool,
    /// `convergence`.
    pub convergence: bool,
}

impl Families {
    /// All of them.
    pub const ALL: Families = Families { controller: true, docs: true, convergence: true };

    /// The detail that a run needs to be judged.
    pub fn detail(self, plan: &Plan) -> Detail {
        match self {
            Families { controller: true, .. } => Detail::Trace,
            // Which calls failed is told at this level.
            _ if !plan.faults.is_empty() => Detail::Controller,
            _ => Detail::Summary,
        }
    }
}

/// All rules, by family.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    controller::RULES.iter().chain(&docs::RULES).chain([&convergence::RULE])
}

/// Judges runs as they go, one after the other.
#[derive(Debug)]
pub struct Judge {
    families: Families,
    story: Story,
    controller: controller::Watcher,
    stretches: Vec<Stretch>,
    overdue: Vec<Overdue>,
}

impl Judge {
    /// A judge by these rules.
    pub fn new(families: Families) -> Judge {
        Judge {
            families,
            story: Story::default(),
            controller: controller::Watcher::default(),
            stretches: Vec::new(),
            overdue: Vec::new(),
        }
    }

    /// Before a run of this plan.
    pub fn reset(&mut self, plan: &Plan) {
        self.story.reset(plan);
        if self.families.controller {
            self.controller.reset(plan);
        }
    }

    /// The breaches of the run that has ended so, in the order of rules' families, then of pods.
    pub fn finish(&mut self, context: Context<'_>, end: End) -> Vec<Breach> {
        let mut breaches = Vec::new();
        if self.families.controller {
            self.controller.finish(&mut breaches);
        }
        if !(self.families.docs || self.families.convergence) {
            return breaches;
        }
        self.story.end();
        let model = Model {
            story: &self.story,
            context,
            slack: Slack::of(context.plan, news(&self.story)),
            horizon: horizon(&context.plan.config, end),
        };
        let mut converged = Vec::new();
        for index in 0..self.story.pods().len() {
            let scratch = (&mut self.stretches, &mut self.overdue);
            let Some(missed) = docs::examine(&model, index, scratch) else { continue };
            if self.families.convergence
                && let Some(breach) =
                    convergence::judge(&model, index, &missed, &mut self.stretches)
            {
                converged.push(breach);
            }
            if self.families.docs {
                breaches.push(missed.breach);
            }
        }
        breaches.append(&mut converged);
        breaches
    }
}

impl Sink for Judge {
    fn record(&mut self, context: Context<'_>, record: &Record) {
        self.story.record(context, record);
        if self.families.controller {
            self.controller.record(context, record);
        }
    }
}

/// Judges a run that has been kept; its detail must be that of [`Families::detail`].
pub fn judge(
    plan: &Plan,
    records: &[Record],
    context: Context<'_>,
    end: End,
    families: Families,
) -> Vec<Breach> {
    let mut judge = Judge::new(families);
    judge.reset(plan);
    for record in records {
        judge.record(context, record);
    }
    judge.finish(context, end)
}

/// How many pieces of news there can have been: each change of the store is one, and after each
/// time without news everything is.
fn news(story: &Story) -> u64 {
    story.changes * (1 + story.outages.len() as u64)
}

/// Where nothing is pending any more, nothing will ever happen: that can be judged as if time had
/// gone on.
fn horizon(config: &Config, end: End) -> Time {
    match end.reason {
        EndReason::Idle => config.until.unwrap_or_default().max(Config::UNBOUNDED_LIMIT),
        EndReason::Until => config.until.unwrap_or(end.at),
        EndReason::Limit => Config::UNBOUNDED_LIMIT,
    }
}
