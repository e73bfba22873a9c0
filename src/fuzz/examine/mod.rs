//! Runs a plan and judges it by a set of rules: those of a run, and those that take more runs than
//! one.

mod ruleset;

pub use self::ruleset::{RuleSet, rule_of, static_rules};

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::sync::LazyLock;

use super::rules::{Breach, Judge, Rule};
use crate::cluster::{End, EndReason, Schedule, World};
use crate::kernel::Time;
use crate::objects::PodId;
use crate::plan::{Config, Plan};
use crate::profile::{Profile, Switch};
use crate::timeline::fate::Fate;
use crate::timeline::history::History;
use crate::timeline::{Detail, Record, Sink};

/// No assertion of the model fails, and no run goes on without end.
pub const RUNS_TO_ITS_END: Rule = Rule {
    name: "controller/runs-to-its-end",
    sentence: "A run comes to its end: no assertion of the model fails, and no loop feeds itself.",
    source: "docs/timeline.md",
    slack: "none",
};

/// Two runs of one plan are the same.
pub const DETERMINISM: Rule = Rule {
    name: "determinism",
    sentence: "Two runs of one scenario give the same trace, record by record.",
    source: "README.md",
    slack: "none",
};

/// The rule that compares with a version.
pub fn diff_to(version: Profile) -> Rule {
    Rule {
        name: "diff",
        sentence: "What becomes of each pod, and when, is the same in the two versions.",
        source: if version.is_recorded() { "recorded behaviour" } else { "derived behaviour" },
        slack: "less than a millisecond",
    }
}

/// The name of the rule that compares with a version.
fn diff_rule(version: Profile) -> String {
    format!("diff/{version}")
}

/// No run that is examined takes more events, unless its loops feed themselves.
pub const EVENTS_MAX: u64 = 1_000_000;

static NOTHING: LazyLock<Plan> = LazyLock::new(Plan::default);

/// Examines one plan after the other, with the same memory.
pub struct Examiner {
    rules: RuleSet,
    judge: Judge,
    /// Between two runs.
    world: Option<World<'static>>,
    events_max: u64,
}

impl Examiner {
    /// By these rules.
    pub fn new(rules: &RuleSet) -> Examiner {
        Examiner {
            rules: rules.clone(),
            judge: Judge::new(rules.families()),
            world: None,
            events_max: EVENTS_MAX,
        }
    }

    /// No run may take more events than this; [`EVENTS_MAX`] where nothing else is said.
    pub fn limit_events(&mut self, events_max: u64) {
        self.events_max = events_max;
    }

    /// The breaches of the rules in the plan's run: first those of one run in the order of their
    /// families, then what further runs show.
    pub fn examine(&mut self, plan: &Plan) -> Vec<Breach> {
        self.examine_with(plan, |_| ())
    }

    /// As [`Examiner::examine`]; `look` sees the world at the end of the run.
    pub fn examine_with(&mut self, plan: &Plan, look: impl FnOnce(&World<'_>)) -> Vec<Breach> {
        let mut breaches = self.judge_run(plan, Schedule::Plan, look);
        if breaches.iter().any(|breach| breach.rule == RUNS_TO_ITS_END.name) {
            return breaches;
        }
        if self.rules.has(DETERMINISM.name) {
            breaches.extend(self.differs_from_itself(plan));
        }
        self.differs_from_versions(plan, &mut breaches);
        breaches
    }

    /// The breaches in the one run of the plan in which `schedule` decides what Go leaves open.
    pub fn examine_schedule(&mut self, plan: &Plan, schedule: Schedule) -> Vec<Breach> {
        self.judge_run(plan, schedule, |_| ())
    }

    fn judge_run(
        &mut self,
        plan: &Plan,
        schedule: Schedule,
        look: impl FnOnce(&World<'_>),
    ) -> Vec<Breach> {
        let detail = self.rules.families().detail(plan);
        let mut judge = std::mem::replace(&mut self.judge, Judge::new(self.rules.families()));
        let judged = self.run(plan, (detail, schedule), |world, max| {
            judge.reset(plan);
            let end = run_to_end(world, plan, max, &mut judge);
            let found = end.map(|end| judge.finish(world.context(), end));
            look(world);
            found
        });
        self.judge = judge;
        let mut breaches = match judged {
            Ok(Some(breaches)) => breaches,
            Ok(None) => vec![self.endless()],
            Err(message) => {
                self.judge = Judge::new(self.rules.families());
                vec![breach(&RUNS_TO_ITS_END, message)]
            }
        };
        breaches.retain(|breach| self.rules.has(&breach.rule));
        breaches
    }

    fn endless(&self) -> Breach {
        breach(&RUNS_TO_ITS_END, format!("{} events were not enough", self.events_max))
    }

    /// Runs the plan in the world that is kept; an assertion that fails is an error with its text.
    fn run<T>(
        &mut self,
        plan: &Plan,
        (detail, schedule): (Detail, Schedule),
        go: impl FnOnce(&mut World<'_>, u64) -> T,
    ) -> Result<T, String> {
        let idle = self.world.take();
        let max = self.events_max;
        let ran = panic::catch_unwind(AssertUnwindSafe(|| {
            let mut world = match idle {
                Some(world) => world.recycle(plan, detail),
                None => World::new(plan, detail),
            };
            if schedule != Schedule::Plan {
                world.reset_with(plan, detail, schedule);
            }
            let result = go(&mut world, max);
            (world.recycle(&NOTHING, Detail::Summary), result)
        }));
        match ran {
            Ok((world, result)) => {
                self.world = Some(world);
                Ok(result)
            }
            Err(payload) => Err(message(payload.as_ref())),
        }
    }

    /// In the memory of the runs before, and in fresh memory.
    fn differs_from_itself(&mut self, plan: &Plan) -> Option<Breach> {
        let trace = |world: &mut World<'_>, max: u64| {
            let mut records: Vec<Record> = Vec::new();
            run_to_end(world, plan, max, &mut records);
            records
        };
        let again = self.run(plan, (Detail::Trace, Schedule::Plan), trace).ok()?;
        let fresh = trace(&mut World::new(plan, Detail::Trace), self.events_max);
        let differs = again.iter().zip(&fresh).find(|(again, fresh)| again != fresh);
        let text = match differs {
            Some((one, other)) => {
                format!("record {}: {:?} and {:?}", one.seq, one.kind, other.kind)
            }
            None if again.len() == fresh.len() => return None,
            None => format!("{} and {} records", again.len(), fresh.len()),
        };
        Some(breach(&DETERMINISM, text))
    }

    fn differs_from_versions(&mut self, plan: &Plan, breaches: &mut Vec<Breach>) {
        let own = plan.config.profile;
        let versions: Vec<Profile> = self.rules.versions().filter(|v| *v != own).collect();
        if versions.is_empty() {
            return;
        }
        let Ok(here) = self.fates(plan) else { return };
        let mut changed = plan.clone();
        for version in versions {
            set_version(&mut changed, plan, version);
            let Ok(there) = self.fates(&changed) else { continue };
            let fates = |fates: &[(PodId, Fate)], pod: PodId| {
                let of_pod = fates.iter().filter(|(of, _)| *of == pod);
                of_pod.map(|(_, fate)| word(*fate)).collect::<Vec<_>>()
            };
            for pod in (0..plan.names.pod_count() as u32).map(PodId) {
                let (one, other) = (fates(&here, pod), fates(&there, pod));
                if one != other {
                    let name = plan.names.pod(pod);
                    let text = format!(
                        "pod {name}: {} in {own}, {} in {version}",
                        listed(&one),
                        listed(&other)
                    );
                    let rule = diff_rule(version).into();
                    breaches.push(Breach { rule, at: Time::ZERO, pod: Some(pod), text });
                }
            }
        }
    }

    /// The fate of each pod, in the order of their creation.
    fn fates(&mut self, plan: &Plan) -> Result<Vec<(PodId, Fate)>, String> {
        self.run(plan, (Detail::Summary, Schedule::Plan), |world, max| {
            let mut history = History::with_room_for(plan);
            run_to_end(world, plan, max, &mut history);
            let lives = history.incarnations();
            lives.iter().map(|life| (life.pod, Fate::of(&history, life))).collect()
        })
    }
}

/// Runs to the plan's end, or `None` where it takes more than `max` events.
fn run_to_end(world: &mut World<'_>, plan: &Plan, max: u64, sink: &mut dyn Sink) -> Option<End> {
    let limit = plan.config.until.unwrap_or(Config::UNBOUNDED_LIMIT);
    if world.run_some(limit, max, sink) == max {
        return None;
    }
    let end = world.run(sink);
    debug_assert!(end.reason != EndReason::Until || plan.config.until.is_some());
    Some(end)
}

/// The plan in another version: what it sets apart from its own version stays.
pub fn in_version(plan: &Plan, version: Profile) -> Plan {
    let mut changed = plan.clone();
    set_version(&mut changed, plan, version);
    changed
}

fn set_version(changed: &mut Plan, plan: &Plan, version: Profile) {
    let (own, there) = (plan.config.profile.switches(), version.switches());
    let config = &mut changed.config;
    config.profile = version;
    for switch in Switch::ALL {
        let setting = plan.config.switches.get(switch);
        let is_set_apart = setting != own.get(switch);
        config.switches.set(switch, if is_set_apart { setting } else { there.get(switch) });
    }
    let workers = plan.config.taint_manager.workers;
    config.taint_manager.workers = match workers == plan.config.switches.usual_workers() {
        true => config.switches.usual_workers(),
        false => workers,
    };
}

/// A fate in the grain in which fates are compared.
fn word(fate: Fate) -> String {
    match fate.time() {
        Some(at) => {
            let milli = Time::ZERO.saturating_add(crate::kernel::Span::from_millis(at.millis()));
            format!("{} at {milli}", fate.as_str())
        }
        None => fate.as_str().to_owned(),
    }
}

fn listed(fates: &[String]) -> String {
    if fates.is_empty() { "never there".to_owned() } else { fates.join(", then ") }
}

fn breach(rule: &Rule, text: String) -> Breach {
    Breach { rule: rule.name.into(), at: Time::ZERO, pod: None, text }
}

fn message(payload: &(dyn Any + Send)) -> String {
    match (payload.downcast_ref::<String>(), payload.downcast_ref::<&str>()) {
        (Some(text), _) => text.clone(),
        (None, Some(text)) => (*text).to_owned(),
        (None, None) => "a panic without a message".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::generate::{Limits, generate};

    fn plans(count: u64) -> impl Iterator<Item = Plan> {
        (0..count).map(|run| generate(1, run, &Limits::default()))
    }

    #[test]
    fn memory_makes_no_difference() {
        let set = RuleSet::parse(["all"]).unwrap();
        let mut kept = Examiner::new(&set);
        for plan in plans(60) {
            assert_eq!(kept.examine(&plan), Examiner::new(&set).examine(&plan));
        }
    }

    #[test]
    fn only_rules_that_are_asked_for_judge() {
        let (all, one) = (RuleSet::usual(), RuleSet::one("docs/shortest-wait-late").unwrap());
        let (mut all, mut one) = (Examiner::new(&all), Examiner::new(&one));
        let mut seen = 0;
        for plan in plans(400) {
            let mut breaches = all.examine(&plan);
            breaches.retain(|breach| breach.rule == "docs/shortest-wait-late");
            seen += breaches.len();
            assert_eq!(one.examine(&plan), breaches);
        }
        assert!(seen > 0);
    }

    #[test]
    fn what_never_ends_is_told() {
        let plan = plans(1).next().unwrap();
        let mut examiner = Examiner::new(&RuleSet::usual());
        examiner.events_max = 3;
        let breaches = examiner.examine(&plan);
        assert_eq!(breaches.len(), 1);
        assert_eq!(breaches[0].rule, RUNS_TO_ITS_END.name);
    }

    #[test]
    fn versions_are_compared() {
        let set = RuleSet::parse(["diff"]).unwrap();
        let mut examiner = Examiner::new(&set);
        let breaches: Vec<Breach> = plans(300).flat_map(|plan| examiner.examine(&plan)).collect();
        let rules: std::collections::BTreeSet<_> =
            breaches.iter().map(|b| b.rule.clone()).collect();
        assert!(rules.len() > 3, "{rules:?}");
        let mut plan = plans(1).next().unwrap();
        plan.config.profile = crate::profile::NEWEST;
        assert!(examiner.examine(&plan).iter().all(|breach| breach.rule != "diff/1.36"));
    }
}
