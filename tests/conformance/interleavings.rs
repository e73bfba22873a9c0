//! Every recorded outcome of a race is among those that the search over all schedules finds.

use std::fmt::Write as _;

use taintsim::cluster::Schedule;
use taintsim::fuzz::interleavings::{Deed, Grain, Options, Outcome, explore, follow, outcome_of};
use taintsim::plan::Plan;

use crate::outcome::{self, Line, LineKind};
use crate::{GENERATIONS, case, compare, plan};

/// Runs of one search at most; the largest of them needs fewer.
const RUNS_MAX: u64 = 50_000;

/// What the controller did, in the form of the recordings.
fn lines(plan: &Plan, outcome: &Outcome) -> Vec<Line> {
    let mut lines = Vec::new();
    for (pod, name) in plan.names.pods() {
        for (ms, deed) in &outcome.pods[pod.index()].deeds {
            let event = |text: &str| (LineKind::Event, format!("{text} Pod {name}"), None);
            let call = |kind, detail: &str, uid| (kind, detail.to_owned(), uid);
            let (kind, detail, uid) = match *deed {
                Deed::Marking => event("Marking for deletion"),
                Deed::Cancelling => event("Cancelling deletion of"),
                Deed::Get(detail, uid) => call(LineKind::GetPod, detail, uid),
                Deed::Patch(detail, uid) => call(LineKind::PatchStatus, detail, uid),
                Deed::Delete(detail, uid) => call(LineKind::DeletePod, detail, uid),
            };
            let (ms, object) = (*ms, name.to_owned());
            lines.push(Line { ms, object, kind, detail, uid: uid.map(|uid| uid.0) });
        }
    }
    for refusal in &outcome.refused {
        let pod = refusal.pod.map(|pod| plan.names.pod(pod).to_owned());
        let node = refusal.node.map(|node| plan.names.node(node).to_owned());
        lines.push(Line {
            ms: refusal.at_ms,
            object: pod.or(node).unwrap_or_default(),
            kind: LineKind::StepRejected,
            detail: outcome::refusal(plan, refusal.step, refusal.action, &refusal.error),
            uid: None,
        });
    }
    lines
}

/// The searches end, so that what they find is all there is; and the recordings have nothing else.
#[test]
fn all_recorded_outcomes_are_found() {
    let mut report = String::new();
    let mut cases = 0;
    for case in case::hand_made().iter().chain(&case::random()) {
        for generation in GENERATIONS {
            let recorded = case.outcomes(generation);
            if recorded.len() < 2 {
                continue;
            }
            cases += 1;
            let plan = plan(case, generation);
            let options = Options { runs_max: RUNS_MAX, grain: Grain::Calls, ..Options::default() };
            let found = explore(&plan, options);
            let restarts = case.scenario.restarts_ms();
            let told: Vec<Vec<Line>> =
                found.outcomes.iter().map(|found| lines(&plan, &found.outcome)).collect();
            let is_found =
                |one: &&Vec<Line>| told.iter().any(|got| compare::equal(one, got, &restarts));
            let missing: Vec<_> = recorded.iter().filter(|one| !is_found(one)).collect();
            eprintln!(
                "{} of {generation}: {} of {} recorded outcomes among {} found; {}, {} runs, \
                 {} choices",
                case.name,
                recorded.len() - missing.len(),
                recorded.len(),
                found.outcomes.len(),
                if found.complete { "complete" } else { "not complete" },
                found.runs,
                found.choices,
            );
            if !found.complete {
                writeln!(report, "{} of {generation}: the search did not end", case.name).unwrap();
            }
            for one in missing {
                writeln!(report, "{} of {generation} is not found:", case.name).unwrap();
                one.iter().for_each(|line| writeln!(report, "  {line}").unwrap());
            }
        }
    }
    assert!(cases >= 17, "{cases} cases with several outcomes");
    assert!(report.is_empty(), "{report}");
}

/// A script that says nothing gives what `Fifo` gives, and each script gives what it is listed
/// for, with a reason to read at each choice.
#[test]
fn scripts_give_what_they_are_listed_for() {
    let options = Options { runs_max: 50, drawn: 10, seeds: 0, grain: Grain::Calls, merge: true };
    for case in case::hand_made() {
        for generation in GENERATIONS {
            let plan = plan(&case, generation);
            let (first, _) = outcome_of(&plan, Grain::Calls, Schedule::Script(Vec::new()));
            let restarts = case.scenario.restarts_ms();
            let got = lines(&plan, &first);
            let recorded = case.outcomes(generation);
            assert!(
                recorded.iter().any(|one| compare::equal(one, &got, &restarts)),
                "{} of {generation}: {}",
                case.name,
                compare::diff(&recorded[0], &got, &restarts)
            );
            for found in explore(&plan, options).outcomes {
                let Some(script) = found.script else {
                    assert!(found.seed.is_some(), "{}: neither script nor seed", case.name);
                    continue;
                };
                let (again, points) =
                    outcome_of(&plan, Grain::Calls, Schedule::Script(script.clone()));
                assert_eq!(again, found.outcome, "{} of {generation}", case.name);
                let told = follow(&plan, &script);
                assert_eq!(told.len(), points.len(), "{}: words change the run", case.name);
                for (point, told) in points.iter().zip(&told) {
                    assert_eq!((point.at, point.index), (told.at, told.index));
                    assert_eq!(told.alternatives.len(), told.among as usize);
                    assert!(point.index < point.among && point.among > 1);
                }
            }
        }
    }
}
