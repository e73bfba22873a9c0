//! `-o perfetto` against the rules of its format, and against the timeline: every scenario, in
//! versions that differ, under random interleavings, filtered, and with names that no loader lets
//! in.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it does not expect")]

mod rules;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rules::{Shown, check};
use taintsim::cluster::World;
use taintsim::kernel::time::{Span, SpanRange, Time};
use taintsim::objects::{Effect, Operator, PodId, Taint, Toleration};
use taintsim::plan::{
    Action, NodeSpec, NodeTarget, Plan, PodSpec, PodTarget, Step, StepAction, TaintChange, When,
};
use taintsim::render::{Ending, Perfetto, Render, Selection, View};
use taintsim::scenario::{self, LoadOptions};
use taintsim::timeline::history::{ArmingState, History};
use taintsim::timeline::{CallPhase, Context, Detail, Kind, Record, Sink};

/// A run in front of the renderer.
struct Run {
    history: History,
    selection: Selection,
    render: Perfetto,
    out: Vec<u8>,
    records: Vec<Record>,
}

impl Sink for Run {
    fn record(&mut self, context: Context<'_>, record: &Record) {
        self.history.record(context, record);
        if self.selection.admits(record) {
            let view = View { context, history: &self.history, selection: &self.selection };
            self.render.record(view, record, &mut self.out);
            self.records.push(record.clone());
        }
    }
}

fn run(plan: &Plan, selection: Selection) -> Run {
    let mut world = World::new(plan, Detail::Trace);
    let mut run = Run {
        history: History::new(),
        selection,
        render: Perfetto::default(),
        out: Vec::new(),
        records: Vec::new(),
    };
    let context = world.context();
    let view = View { context, history: &run.history, selection: &run.selection };
    run.render.begin(view, &mut run.out);
    let end = world.run(&mut run);
    let steps_not_applied: Vec<u32> = world.steps_not_applied().collect();
    let ending = Ending { end, steps_not_applied: &steps_not_applied };
    let view = View { context: world.context(), history: &run.history, selection: &run.selection };
    run.render.end(view, ending, &mut run.out);
    run
}

/// Runs a plan, checks the rules, and that the trace shows all that the timeline has.
fn shown(plan: &Plan) -> Shown {
    let run = run(plan, Selection::all());
    let shown = check(&run.out);
    let mut expected: BTreeMap<&str, usize> = BTreeMap::new();
    let mut arrows = 0;
    for record in &run.records {
        // These end the slice of another record.
        let ends = Kind::HandlerFinished;
        let is_end = matches!(record.kind, Kind::ApiCall { phase: CallPhase::Answered(_), .. })
            || record.kind.item().is_some_and(|item| record.kind == ends(*item));
        if !is_end {
            *expected.entry(record.kind.name()).or_default() += 1;
            arrows += usize::from(record.cause.is_some());
        }
    }
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    for slice in &shown.slices {
        if let Some(kind) = slice.args["kind"].as_str() {
            *found.entry(kind).or_default() += 1;
        }
    }
    assert_eq!(found, expected, "slices by the kinds of their records");
    assert_eq!(shown.arrows.len(), arrows, "arrows to records that have a cause");
    check_timers(&run, &shown);
    shown
}

/// What became of each timer is what the history says.
fn check_timers(run: &Run, shown: &Shown) {
    let scheduled = run.records.iter().filter(|r| matches!(r.kind, Kind::EvictionScheduled { .. }));
    for (record, arming) in scheduled.zip(run.history.armings()) {
        let is_it = |slice: &&rules::Slice| {
            slice.args["seq"] == record.seq && slice.args["kind"] == "EvictionScheduled"
        };
        let slice = shown.slices.iter().find(is_it).unwrap();
        let end = slice.end_args["state"].as_str().or(slice.end_args["end"].as_str()).unwrap();
        let expected: &[&str] = match arming.state {
            ArmingState::Armed => &["with the run"],
            ArmingState::Cancelled => &["cancelled"],
            ArmingState::Lost => &["lost"],
            // A timer that was cancelled after it fired has a deletion all the same (up to 1.35).
            ArmingState::Started | ArmingState::Failed => &["fired", "cancelled", "lost"],
        };
        assert!(expected.contains(&end), "{end}, and not {expected:?}: {}", slice.args);
        if let Some(ended) = arming.ended_at().filter(|_| end != "with the run") {
            assert_eq!(slice.end, ended.0, "{}", slice.args);
        }
    }
}

fn scenarios() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    let mut folders: Vec<PathBuf> = ["scenarios", "docs/examples", "tests/cli/scenarios"]
        .map(|folder| root.join(folder))
        .into();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "yaml" || e == "json") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn load(file: &Path, version: Option<&str>) -> Option<Plan> {
    let kubernetes_version = version.map(str::to_owned);
    let options = LoadOptions { kubernetes_version, ..LoadOptions::default() };
    Some(scenario::load(file, &options).ok()?.plan)
}

#[test]
fn every_scenario_keeps_the_rules() {
    let mut plans = 0;
    for file in scenarios() {
        for version in [None, Some("1.6"), Some("1.15"), Some("1.29"), Some("1.35")] {
            // Switches of one version may not be for another.
            let Some(plan) = load(&file, version) else { continue };
            shown(&plan);
            plans += 1;
        }
    }
    assert!(plans > 400, "{plans} plans");
}

/// Two runs draw the same; the order of goroutines and all spans are drawn.
#[test]
fn random_interleavings_keep_the_rules() {
    for file in scenarios() {
        for seed in 0..4 {
            let Some(mut plan) = load(&file, None) else { continue };
            plan.config.seed = seed;
            plan.config.taint_manager.random_interleaving = true;
            let range = SpanRange { low: Span(0), high: Span(1_234_567) };
            plan.config.taint_manager.handler_cost = range;
            plan.config.api_server.watch_latency.pods = range;
            plan.config.api_server.watch_latency.nodes = range;
            plan.config.api_server.latency.delete = range;
            plan.config.api_server.reply_latency.delete = range;
            shown(&plan);
            if seed == 0 {
                let [first, second] = [(); 2].map(|()| run(&plan, Selection::all()).out);
                assert!(first == second, "{}: two runs differ", file.display());
            }
        }
    }
}

/// Numbers are those of what is shown, and the causes of what is shown are shown.
#[test]
fn a_part_of_a_run_keeps_the_rules() {
    for file in scenarios() {
        let Some(plan) = load(&file, None) else { continue };
        for pod in plan.names.pods().map(|(pod, _)| pod).take(3) {
            let selection = Selection::new(&plan, None, None, Some(pod));
            let shown = check(&run(&plan, selection).out);
            let others = shown.processes.iter().filter(|name| name.starts_with("pod ")).count();
            assert!(others <= 1, "{:?}", shown.processes);
        }
    }
}

/// One node with a NoExecute taint from 10s on, and pods; names are as they come.
fn plan_of(node: &str, taint: Taint, pods: &[&str], seconds: Option<i64>) -> (Plan, Vec<PodId>) {
    let mut plan = Plan { name: node.into(), ..Plan::default() };
    let node = plan.names.intern_node(node);
    plan.nodes.push(NodeSpec::new(node));
    let tolerations = [Toleration {
        key: taint.key.clone(),
        operator: Operator::Exists,
        value: "".into(),
        effect: Some(Effect::NoExecute),
        toleration_seconds: seconds,
    }];
    let tolerations = plan.lists.intern_tolerations(&tolerations);
    let mut ids = Vec::new();
    for name in pods {
        let pod = plan.names.intern_pod(name);
        plan.pods.push(PodSpec { tolerations, ..PodSpec::new(pod, Some(node)) });
        ids.push(pod);
    }
    let text = format!("taint {taint}");
    let add = plan.lists.intern_taints(&[taint]);
    let change = TaintChange { remove: Vec::new(), add, replace: None, overwrite: false };
    let nodes = NodeTarget::Names(vec![node]);
    step(&mut plan, 10, vec![(Action::Taint { nodes, change }, text)]);
    (plan, ids)
}

fn step(plan: &mut Plan, seconds: u64, actions: Vec<(Action, String)>) {
    let action =
        |(action, text): (Action, String)| StepAction { action, text: text.into(), kubectl: false };
    plan.steps.push(Step {
        number: plan.steps.len() as u32 + 1,
        when: When::At(Time(seconds * 1_000_000_000)),
        burst: actions.len() > 1,
        actions: actions.into_iter().map(action).collect(),
        may_be_rejected: false,
        because: None,
    });
}

#[test]
fn hostile_names_stay_text() {
    let evil = "\"},{\"ph\":\"E\"}\n</script>\u{1b}[2J\u{202e}\\u0000\u{9b}";
    let taint = Taint::new(evil, evil, Effect::NoExecute);
    let named = format!("{evil}/{evil}");
    let (mut plan, _) = plan_of(evil, taint, &[&named, "/", "a/b"], Some(7));
    step(&mut plan, 11, vec![(Action::Note(evil.into()), evil.into())]);
    let run = run(&plan, Selection::all());
    let text = std::str::from_utf8(&run.out).unwrap();
    assert!(text.lines().all(|line| !line.chars().any(char::is_control)), "a control in the file");
    assert!(!text.contains('\u{202e}'));
    let shown = shown(&plan);
    assert!(shown.processes.contains(&format!("pod {named}")), "{:?}", shown.processes);
    assert!(shown.threads.contains(&format!("taint {evil}:NoExecute")), "{:?}", shown.threads);
    assert!(shown.slices.iter().any(|slice| slice.name == evil), "the note");
}

/// Nothing that happens at one instant piles up: slices without length are not nested.
#[test]
fn a_thousand_at_one_instant_are_not_too_deep() {
    let names: Vec<String> = (0..1_000).map(|n| format!("default/p-{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let taint = Taint::new("k", "", Effect::NoExecute);
    let (mut plan, _) = plan_of("n", taint, &names, Some(0));
    plan.config.taint_manager.handler_cost = SpanRange::from(Span(1));
    plan.config.api_server.latency.delete = SpanRange::from(Span(1));
    let shown = shown(&plan);
    let blocked = shown.slices.iter().filter(|slice| slice.name.starts_with("blocked on shard"));
    assert!(blocked.count() > 500, "the channel of pods has one place");
    let waiting = &shown.counters["noexec_taint_pod"];
    assert!(waiting.iter().max() > Some(&900) && waiting.last() == Some(&0), "{waiting:?}");
    // One nanosecond survives.
    let call = shown.slices.iter().find(|slice| slice.name == "delete pods").unwrap();
    assert_eq!(call.end - call.begin, 1);
}

/// A deletion that is in its retries while the node is untainted and tainted again.
const RETRIES: &str = "
apiVersion: taintsim.dev/v1alpha1
kind: Scenario
spec:
  kubernetesVersion: '1.33'
  nodes: [{name: n}]
  pods: [{name: p, nodeName: n, tolerations: ['k:NoExecute op=Exists for SECONDSs']}]
  faults: [{verb: delete, resource: pods, error: InternalError, first: 9}]
  steps:
    - {at: 0s, kubectl: 'taint nodes n k:NoExecute'}
    - {at: 60.005s, kubectl: 'taint nodes n k-'}
    - {at: 60.010s, kubectl: 'taint nodes n k:NoExecute'}
    - {at: 70s, kubectl: 'taint nodes n k-'}
    - {at: 71s, kubectl: 'taint nodes n k:NoExecute'}
";

/// Two deletions of one pod at once, and an orphaned timer beside a new one, have tracks of their
/// own.
#[test]
fn what_is_twice_at_once_has_two_tracks() {
    let plan_of = |text: &str| {
        let loaded = scenario::load_text("retries.yaml", text, None, &LoadOptions::default());
        loaded.unwrap_or_else(|failure| panic!("{}", failure.render())).plan
    };
    let orphan = shown(&plan_of(&RETRIES.replace("SECONDS", "60")));
    assert!(orphan.threads.contains("timer 2"), "{:?}", orphan.threads);
    let at_once = RETRIES.replace("SECONDS", "0").replace("60.0", "0.0");
    let twice = shown(&plan_of(&at_once));
    assert!(twice.threads.contains("deletion 2"), "{:?}", twice.threads);
}

/// Deleted and created again at one instant: a life of no length does not hide the next.
#[test]
fn two_lives_can_meet_at_one_instant() {
    let taint = Taint::new("k", "", Effect::NoExecute);
    let (mut plan, pods) = plan_of("n", taint, &["default/p"], Some(60));
    let delete = || Action::DeletePods {
        pods: PodTarget::Names(pods.clone()),
        grace_period_seconds: Some(0),
    };
    let create = Action::CreatePods(plan.pods.clone());
    let actions = [delete(), create.clone(), delete(), create];
    step(&mut plan, 20, actions.map(|action| (action, "replace".to_owned())).into());
    let shown = shown(&plan);
    let lives = shown.slices.iter().filter(|slice| slice.name.starts_with("default/p (uid "));
    let mut lives: Vec<_> = lives.map(|life| (life.begin, life.end)).collect();
    lives.sort_unstable();
    let seconds = |(begin, end): &(u64, u64)| (begin / 1_000_000_000, end / 1_000_000_000);
    let lives: Vec<_> = lives.iter().map(seconds).collect();
    assert_eq!(lives, [(0, 20), (20, 20), (20, 70)]);
}

/// What a small run looks like, event by event.
#[test]
fn a_small_trace() {
    let text = "
apiVersion: taintsim.dev/v1alpha1
kind: Scenario
metadata: {name: small}
spec:
  nodes: [{name: n}]
  pods: [{name: p, nodeName: n, tolerations: ['k:NoExecute op=Exists for 60s']}]
  steps: [{at: 10s, kubectl: 'taint nodes n k:NoExecute'}]
";
    let loaded = scenario::load_text("small.yaml", text, None, &LoadOptions::default()).unwrap();
    let run = run(&loaded.plan, Selection::all());
    insta::assert_snapshot!(String::from_utf8(run.out).unwrap());
}
