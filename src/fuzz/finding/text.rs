//! The file of a finding: what was found and how to see it again, the scenario with what each step is
//! there for, and what it is expected to do.

use super::{Finding, Origin};
use crate::cluster::World;
use crate::fuzz::examine::{DETERMINISM, Examiner, RuleSet, in_version, rule_of};
use crate::fuzz::shrink;
use crate::objects::PodId;
use crate::plan::Plan;
use crate::profile::{CHANGES, Profile, Setting};
use crate::render::{Ending, Expect, Render, Selection, View};
use crate::scenario::emit;
use crate::scenario::limits::counted;
use crate::timeline::Detail;
use crate::timeline::fate::Fate;
use crate::timeline::history::History;

/// Columns of a comment in the header.
const WIDTH: usize = 96;

/// The whole file.
pub fn of(finding: &Finding, plan: &Plan, remedy: Option<Setting>, found_by: &str) -> String {
    let ran = Ran::new(plan);
    let mut expect = ran.expect.replace("expect: []", "expect:");
    expect.push_str(&format!("  - {{rule: {}, breached: true}}\n", finding.signature.rule));
    let comments = |index: usize| {
        let comment = without(finding, plan, &ran, index);
        wrapped(&comment.unwrap_or_default(), WIDTH - 4)
    };
    emit::scenario(plan, &header(finding, plan, remedy, found_by), &comments, Some(&expect))
}

fn header(finding: &Finding, plan: &Plan, remedy: Option<Setting>, found_by: &str) -> Vec<String> {
    let rule = &finding.signature.rule;
    let version = plan.config.profile;
    let mut paragraphs = vec![
        format!("{rule}: {}", finding.sentence),
        format!("Not so here, in Kubernetes {version}: {}.", finding.breach),
    ];
    paragraphs.push(match &finding.signature.origin {
        Origin::Switch(switch) => {
            let setting = plan.config.switches.get(*switch);
            let changes = CHANGES.iter().filter(|change| change.switch == *switch);
            let changed: Vec<String> = changes
                .map(|change| {
                    format!("since 1.{} it is {} ({})", change.since, change.to, change.source)
                })
                .collect();
            let with = remedy.map_or_else(String::new, |other| {
                format!(": with {other} in its place that does not happen")
            });
            format!(
                "It comes from the switch {} = {setting}{with}; {}.",
                switch.name(),
                changed.join(", ")
            )
        }
        Origin::Kinds(_) => "No single switch of the behaviour profile takes it away.".to_owned(),
    });
    paragraphs.extend(versions(plan, rule));
    paragraphs.push(match finding.known() {
        Some(known) => format!("Known upstream: {}. {}", known.threads, known.what),
        None if finding.is_new() => "NEW: no upstream thread is known for it.".to_owned(),
        None if finding.upstream() == "-" => {
            "Versions differ; nothing upstream is about it.".to_owned()
        }
        None => format!("Upstream: {}.", finding.upstream()),
    });
    if let Some(rule) = rule_of(rule) {
        paragraphs.push(format!("Source of the rule: {}.", rule.source));
    }
    let steps = counted(finding.steps_before as u64, "step");
    paragraphs.push(format!("Found in a run of {steps}, by"));
    let mut lines: Vec<String> = Vec::new();
    for paragraph in paragraphs {
        lines.extend(wrapped(&paragraph, WIDTH));
    }
    // In one line, so that it can be copied.
    lines.push(format!("    {found_by}"));
    lines
}

/// In which versions this scenario breaks the rule. Nothing is said of rules that compare runs.
fn versions(plan: &Plan, rule: &str) -> Option<String> {
    let compares = rule.starts_with("diff/") || rule == DETERMINISM.name;
    // What is set apart from a version need not exist in another one.
    if compares || plan.config.switches != plan.config.profile.switches() {
        return None;
    }
    let mut examiner = Examiner::new(&RuleSet::one(rule).ok()?);
    let mut breaks = |version| !examiner.examine(&in_version(plan, version)).is_empty();
    // Neighbours that do the same, oldest first.
    let mut groups: Vec<(Profile, Profile, bool)> = Vec::new();
    for version in Profile::all() {
        let is_broken = breaks(version);
        match groups.last_mut() {
            Some((_, last, same)) if *same == is_broken => *last = version,
            _ => groups.push((version, version, is_broken)),
        }
    }
    let words = groups.iter().map(|(first, last, is_broken)| {
        let versions = if first == last { first.to_string() } else { format!("{first} to {last}") };
        let ending = if first == last { "s" } else { "" };
        format!("{versions} {}{ending} it", if *is_broken { "break" } else { "keep" })
    });
    Some(format!("This scenario in other versions: {}.", words.collect::<Vec<_>>().join("; ")))
}

/// What became of each pod in a run, and the block of expectations that holds for it.
struct Ran {
    fates: Vec<(PodId, Fate)>,
    expect: String,
}

impl Ran {
    fn new(plan: &Plan) -> Ran {
        let mut world = World::new(plan, Detail::Summary);
        let mut history = History::with_room_for(plan);
        let end = world.run(&mut history);
        let not_applied: Vec<u32> = world.steps_not_applied().collect();
        let selection = Selection::default();
        let view = View { context: world.context(), history: &history, selection: &selection };
        let mut expect = Vec::new();
        Expect.end(view, Ending { end, steps_not_applied: &not_applied }, &mut expect);
        let lives = history.incarnations();
        let fates = lives.iter().map(|life| (life.pod, Fate::of(&history, life))).collect();
        Ran { fates, expect: String::from_utf8_lossy(&expect).into_owned() }
    }
}

/// What happens without a step.
fn without(finding: &Finding, plan: &Plan, ran: &Ran, index: usize) -> Option<String> {
    let other = shrink::without_step(plan, index)?;
    let rule = &finding.signature.rule;
    let rules = RuleSet::one(rule).ok()?;
    let broken = Examiner::new(&rules).examine(&other);
    if let Some(breach) = broken.first() {
        return Some(format!("Without it: {}.", breach.text));
    }
    let there = Ran::new(&other);
    let differs = |(pod, fate): &(PodId, Fate)| {
        let name = plan.names.pod(*pod);
        let pod = other.names.find_pod(name);
        let fates = there.fates.iter().filter(|(of, _)| Some(*of) == pod);
        let same = fates.clone().any(|(_, of)| of == fate);
        (!same).then(|| match fates.map(|(_, fate)| said(*fate)).collect::<Vec<_>>() {
            fates if fates.is_empty() => format!("there is no {name}"),
            fates => format!("{name} {}", fates.join(", then ")),
        })
    };
    let mut told: Vec<String> = ran.fates.iter().filter_map(differs).collect();
    told.dedup();
    let told = match told.is_empty() {
        true => "the fates are the same".to_owned(),
        false => told.join("; "),
    };
    // What a rule says that compares runs is no promise.
    let promised = match rule.starts_with("docs/") || rule == "convergence" {
        false => String::new(),
        true => match Examiner::new(&RuleSet::usual()).examine(&other).first() {
            Some(other) => format!(", and what is broken is {}", other.rule),
            None => ", as promised".to_owned(),
        },
    };
    Some(format!("Without it {told}{promised}."))
}

fn said(fate: Fate) -> String {
    match fate {
        Fate::Evicted(at) => format!("is evicted at {at}"),
        Fate::Removed(at) => format!("is deleted at {at}, not evicted"),
        Fate::Terminating(at) => format!("terminates since {at}"),
        Fate::Armed(at) => format!("still waits at the end, until {at}"),
        Fate::Survives => "stays".to_owned(),
    }
}

fn wrapped(text: &str, width: usize) -> Vec<String> {
    textwrap::wrap(text, width).into_iter().map(std::borrow::Cow::into_owned).collect()
}
