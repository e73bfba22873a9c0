//! Coverage marks: each is hit by generated runs, and by a small scenario that shows what it
//! means; plain scenarios hit none.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it does not expect")]

use std::fmt::Write as _;
use std::path::Path;

use taintsim::cluster::World;
use taintsim::fuzz::generate::{Limits, generate};
use taintsim::marks::{Mark, Marks};
use taintsim::plan::Plan;
use taintsim::profile::Profile;
use taintsim::scenario::{self, LoadOptions, Loaded, load_text};
use taintsim::timeline::Detail;

/// So many runs of the generator are enough for every mark.
const RUNS: u64 = 20_000;

fn marks_of(plan: &Plan, detail: Detail) -> Marks {
    let mut world = World::new(plan, detail);
    world.run(&mut ());
    *world.marks()
}

fn load(file: &str, version: Option<&str>) -> Loaded {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(file);
    let kubernetes_version = version.map(str::to_owned);
    let options = LoadOptions { kubernetes_version, ..LoadOptions::default() };
    scenario::load(&path, &options).unwrap_or_else(|failure| panic!("{}", failure.render()))
}

/// A mark that no run reaches is one that a search cannot judge: the generator has to be able to
/// get everywhere.
#[test]
fn generated_runs_hit_every_mark() {
    let mut sum = Marks::default();
    let mut runs = vec![0u64; Mark::ALL.len()];
    for run in 0..RUNS {
        let marks = marks_of(&generate(1, run, &Limits::default()), Detail::Summary);
        for (mark, count) in marks.iter() {
            runs[mark as usize] += u64::from(count > 0);
        }
        sum.add(&marks);
    }
    let mut page = String::new();
    for (mark, count) in sum.iter() {
        let _ = writeln!(page, "{:30} {count:8} in {:6} runs", mark.name(), runs[mark as usize]);
    }
    assert_eq!(sum.hit_of_all(), Mark::ALL.len(), "{RUNS} runs:\n{page}");
    // Nor is any of them what every run does.
    assert!(runs.iter().all(|with| *with < RUNS * 2 / 3), "{RUNS} runs:\n{page}");
}

/// One taint, one pod: nothing rare happens, in any version.
#[test]
fn plain_scenarios_hit_no_mark() {
    for file in [
        "basics/toleration-seconds-delay-the-eviction.yaml",
        "basics/toleration-without-seconds-stays.yaml",
        "basics/noschedule-does-not-evict.yaml",
    ] {
        for profile in Profile::all() {
            let version = profile.to_string();
            let marks = marks_of(&load(file, Some(&version)).plan, Detail::Trace);
            let hit: Vec<&str> =
                marks.iter().filter(|(_, n)| *n > 0).map(|(mark, _)| mark.name()).collect();
            assert!(hit.is_empty(), "{file} in {version}: {hit:?}");
        }
    }
}

/// What shows a mark.
#[derive(Clone, Copy)]
enum Shown {
    /// A file under `scenarios`, in its own version.
    File(&'static str),
    /// One in another version.
    In(&'static str, &'static str),
    /// The spec of a scenario; under `Random`, with one of some seeds.
    Spec(&'static str),
}

use Shown::{File, In, Spec};

const SHOWN: [(Mark, Shown); Mark::ALL.len()] = [
    (Mark::ItemDeduplicated, File("basics/retaint-in-one-burst-keeps-the-timer.yaml")),
    (Mark::ItemParked, File("facts/05-retaint-behind-a-busy-worker.yaml")),
    (Mark::NodeChannelFull, File("facts/18-a-node-channel-has-ten-places.yaml")),
    (Mark::PodChannelFull, File("facts/18-one-full-channel-stalls-all-workers.yaml")),
    (Mark::SelectTakesPod, Spec(RACE)),
    (Mark::WorkersOverlap, File("versions/sharded-workers.yaml")),
    (Mark::StalePodItemDropped, File("versions/node-name-check.yaml")),
    (Mark::PodBeforeNode, Spec(RACE)),
    (Mark::PodUnderStaleTaints, File("facts/19-a-node-item-that-waits-overtakes-nothing.yaml")),
    (Mark::PodOnUnknownNode, File("facts/12-timers-outlive-their-node.yaml")),
    (Mark::NodeGoneTimersStay, File("basics/deleted-node-leaves-timers-armed.yaml")),
    (Mark::ListRetried, File("versions/list-fails.yaml")),
    (Mark::ListGivenUp, File("facts/a-node-is-listed-again-and-again.yaml")),
    (Mark::ShorterTolerationIgnored, File("basics/first-matching-toleration-decides.yaml")),
    (Mark::ZeroSeconds, File("basics/zero-and-negative-seconds-evict-at-once.yaml")),
    (Mark::NegativeSeconds, File("basics/zero-and-negative-seconds-evict-at-once.yaml")),
    (Mark::SecondsOverflowForever, File("basics/huge-seconds-overflow.yaml")),
    (Mark::SecondsOverflowShort, File("basics/huge-seconds-overflow.yaml")),
    (Mark::SkippedForTimer, File("basics/armed-timer-never-moves.yaml")),
    (Mark::EarlierDeadlineIgnored, File("basics/stricter-second-taint-does-not-shorten.yaml")),
    (Mark::SkippedForDeletion, File("facts/the-sleep-after-the-last-failure-counts.yaml")),
    (Mark::SkippedForMarker, In("versions/marker-after-success.yaml", "1.32")),
    (Mark::CancelledUntainted, File("basics/untaint-cancels-the-eviction.yaml")),
    (Mark::CancelledPodGone, File("basics/deleting-an-armed-pod-emits-a-cancel-event.yaml")),
    (Mark::CancelledToleratedForever, File("basics/infinite-toleration-saves-an-armed-pod.yaml")),
    (Mark::CancelledNotTolerated, File("basics/every-taint-has-to-be-tolerated.yaml")),
    (
        Mark::KeptThoughToleratedForever,
        In("incidents/infinite-toleration-left-behind-90794.yaml", "1.18"),
    ),
    (Mark::CancelAfterFire, File("facts/09-cancel-event-after-the-mark.yaml")),
    (Mark::CancelledTimerStopped, File("versions/cancelled-fired-timer-runs.yaml")),
    (Mark::CancelledTimerRuns, In("versions/cancelled-fired-timer-runs.yaml", "1.32")),
    (Mark::MarkerCancelled, File("facts/14-what-removes-a-stale-marker.yaml")),
    (Mark::TimersFireTogether, File("basics/ranges-and-selectors.yaml")),
    (Mark::ReplacementKept, File("versions/finish-removes-replacement.yaml")),
    (Mark::ReplacementOrphaned, In("versions/finish-removes-replacement.yaml", "1.35")),
    (Mark::OrphanTimerFired, In("versions/finish-removes-replacement.yaml", "1.35")),
    (Mark::AttemptRepeated, File("basics/failed-deletes-are-retried.yaml")),
    (Mark::EvictionGivenUp, File("basics/five-failed-deletes-are-forgotten.yaml")),
    (Mark::ToldToWait, Spec(BUSY)),
    (Mark::ToldToWaitTooOften, Spec(BUSY)),
    (Mark::AnswerLost, File("versions/lost-answers.yaml")),
    (Mark::PodNotFound, File("facts/17-not-found-is-a-failure.yaml")),
    (Mark::GoneBetweenCalls, Spec(GONE)),
    (Mark::PatchUidConflict, File("versions/disruption-condition.yaml")),
    (Mark::ApplyHitsNamesake, In("versions/disruption-condition.yaml", "1.28")),
    (Mark::DeleteHitsNamesake, In("versions/disruption-condition.yaml", "1.28")),
    (Mark::ConditionPresent, File("basics/failed-deletes-are-retried.yaml")),
    (Mark::EvictedWithoutTaint, File("incidents/pod-event-overtakes-the-node-event-119862.yaml")),
    (Mark::TerminatingDeletedAgain, File("basics/terminating-pods-are-deleted-again.yaml")),
    (Mark::RecreatedUnderTimer, File("basics/stale-timer-deletes-a-pod-on-a-healthy-node.yaml")),
    (Mark::RecreatedUnderDeletion, File("versions/disruption-condition.yaml")),
    (Mark::RecreatedUnderMarker, File("facts/14-what-removes-a-stale-marker.yaml")),
    (Mark::WatchLosesEvents, Spec(LOST)),
    (Mark::RelistMissedDelete, Spec(MISSED)),
    (Mark::RelistReplacedPod, Spec(REPLACED)),
    (Mark::RelistNothingNew, Spec(QUIET)),
    (Mark::ReplacedPodDropped, Spec(REPLACED)),
    (Mark::StopLosesTimers, File("basics/controller-restart-restarts-the-window.yaml")),
    (Mark::StopWaitsForDeletion, File("versions/graceful-stop.yaml")),
    (Mark::StopAbandonsDeletion, In("versions/graceful-stop.yaml", "1.34")),
    (Mark::AbandonedCallActs, Spec(ABANDONED)),
    (Mark::StepRejected, File("basics/live-pod-cannot-lose-a-toleration.yaml")),
    (Mark::AfterStep, File("basics/steps-can-follow-what-happens.yaml")),
];

/// A taint and a new pod, of which the pod may be heard of first.
const RACE: &str = "
  taintManager: {interleaving: Random}
  nodes: [{name: n1}]
  steps:
    - {at: 1s, burst: [{kubectl: 'taint nodes n1 k:NoExecute'}, {createPod: {name: p, nodeName: n1}}]}
";
/// Eleven times 429: the first attempt ends with the last of them.
const BUSY: &str = "
  nodes: [{name: n1}]
  pods: [{name: p, nodeName: n1}]
  faults: [{verb: delete, resource: pods, error: TooManyRequests, first: 11}]
  steps: [{at: 1s, kubectl: 'taint nodes n1 k:NoExecute'}]
";
/// The pod goes while its DELETE is under way.
const GONE: &str = "
  nodes: [{name: n1}]
  pods: [{name: p, nodeName: n1}]
  apiServer: {latency: {delete: 1s}}
  steps:
    - {at: 1s, kubectl: 'taint nodes n1 k:NoExecute'}
    - {at: 1.5s, deletePod: {pod: p}}
";
const LOST: &str = "
  nodes: [{name: n1}]
  pods: [{name: p, nodeName: n1}]
  apiServer: {watchLatency: {pods: 1s}}
  steps:
    - {at: 5s, deletePod: {pod: p}}
    - {at: 5.5s, breakWatch: {resource: pods, for: 10s}}
";
const MISSED: &str = "
  nodes: [{name: n1}]
  pods: [{name: p, nodeName: n1}]
  steps:
    - {at: 5s, breakWatch: {resource: pods, for: 10s}}
    - {at: 6s, deletePod: {pod: p}}
";
/// The new pod is on the same node with the same tolerations.
const REPLACED: &str = "
  nodes: [{name: n1}]
  pods: [{name: p, nodeName: n1}]
  steps:
    - {at: 5s, breakWatch: {resource: pods, for: 10s}}
    - {at: 6s, burst: [{deletePod: {pod: p}}, {createPod: {name: p, nodeName: n1}}]}
";
const QUIET: &str = "
  nodes: [{name: n1}]
  steps: [{at: 5s, breakWatch: {resource: nodes, for: 10s}}]
";
/// The DELETE is under way when its process ends.
const ABANDONED: &str = "
  kubernetesVersion: '1.34'
  nodes: [{name: n1}]
  pods: [{name: p, nodeName: n1}]
  apiServer: {latency: {delete: 1s}}
  steps:
    - {at: 1s, kubectl: 'taint nodes n1 k:NoExecute'}
    - {at: 1.5s, restartController: {}}
";

#[test]
fn a_scenario_shows_each_mark() {
    for ((mark, shown), index) in SHOWN.into_iter().zip(0..) {
        assert_eq!(mark as usize, index, "{} is out of order", mark.name());
        let (place, hit) = match shown {
            File(file) => (file, is_hit(mark, &load(file, None).plan)),
            In(file, version) => (file, is_hit(mark, &load(file, Some(version)).plan)),
            Spec(spec) => (spec, is_hit(mark, &inline(spec))),
        };
        assert!(hit, "{} is not hit by {place}", mark.name());
    }
}

fn inline(spec: &str) -> Plan {
    let text = format!("apiVersion: taintsim.dev/v1alpha1\nkind: Scenario\nspec:\n{spec}");
    match load_text("inline.yaml", text, None, &LoadOptions::default()) {
        Ok(loaded) => loaded.plan,
        Err(failure) => panic!("{}", failure.render()),
    }
}

/// Whether a run hits the mark, and equally often at each level of detail.
fn is_hit(mark: Mark, plan: &Plan) -> bool {
    let mut plan = plan.clone();
    let seeds = if plan.is_random() { 1..=50 } else { 1..=1 };
    seeds.into_iter().any(|seed| {
        plan.config.seed = seed;
        let marks = marks_of(&plan, Detail::Summary);
        assert_eq!(marks, marks_of(&plan, Detail::Trace), "{}", plan.name);
        marks.count(mark) > 0
    })
}

/// A world that is used again starts from nothing.
#[test]
fn a_reset_world_counts_anew() {
    let (busy, plain) = (inline(BUSY), inline(QUIET));
    let mut world = World::new(&busy, Detail::Summary);
    world.run(&mut ());
    assert_eq!(world.marks().count(Mark::ToldToWait), 10);
    world.reset(&plain, Detail::Summary);
    assert_eq!(world.marks().hit_of_all(), 0);
    world.run(&mut ());
    assert_eq!(*world.marks(), marks_of(&plain, Detail::Summary));
}
