//! Runs scenarios, and plans that no scenario can say, in front of a renderer.

use std::path::{Path, PathBuf};

use taintsim::cluster::World;
use taintsim::kernel::time::{Span, Time};
use taintsim::objects::{Effect, Taint};
use taintsim::plan::{Action, NodeSpec, Plan, PodSpec, Step, StepAction, When};
use taintsim::render::{Ending, Render, Selection, View};
use taintsim::scenario::{self, LoadOptions};
use taintsim::timeline::history::History;
use taintsim::timeline::{Context, Detail, Record, Sink};

/// The folder of the repository.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every scenario of the repository, and those beside these tests.
pub fn scenarios() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let folders = ["basics", "facts", "incidents", "versions"]
        .map(|name| root().join("scenarios").join(name));
    let own = root().join("tests/pictures/scenarios");
    for folder in folders.iter().chain([&own]) {
        let entries = std::fs::read_dir(folder).unwrap();
        files.extend(
            entries
                .map(|entry| entry.unwrap().path())
                .filter(|path| path.extension().is_some_and(|extension| extension == "yaml")),
        );
    }
    files.sort();
    assert!(files.len() > 100, "only {} scenarios found", files.len());
    files
}

/// The plan of a scenario.
pub fn plan(file: &Path) -> Plan {
    let loaded = scenario::load(file, &LoadOptions::default());
    loaded.unwrap_or_else(|failure| panic!("{}", failure.render())).plan
}

struct Run<R> {
    render: R,
    history: History,
    selection: Selection,
    out: Vec<u8>,
}

impl<R: Render> Sink for Run<R> {
    fn record(&mut self, context: Context<'_>, record: &Record) {
        self.history.record(context, record);
        if self.selection.admits(record) {
            let view = View { context, history: &self.history, selection: &self.selection };
            self.render.record(view, record, &mut self.out);
        }
    }
}

/// What the renderer makes of the plan's run.
pub fn rendered(render: impl Render, plan: &Plan) -> String {
    let mut world = World::new(plan, Detail::Summary);
    let mut run =
        Run { render, history: History::new(), selection: Selection::all(), out: Vec::new() };
    let view = View { context: world.context(), history: &run.history, selection: &run.selection };
    run.render.begin(view, &mut run.out);
    let end = world.run(&mut run);
    let steps_not_applied: Vec<u32> = world.steps_not_applied().collect();
    let Run { mut render, history, selection, mut out } = run;
    let view = View { context: world.context(), history: &history, selection: &selection };
    render.end(view, Ending { end, steps_not_applied: &steps_not_applied }, &mut out);
    String::from_utf8(out).unwrap()
}

/// Texts that act somewhere if they are let to.
const HOSTILE: [&str; 16] = [
    "\u{1b}[2J\u{1b}]0;x\u{7}",
    "</text><script>alert(1)</script>",
    "\"><!-- ]]> --><?x?>",
    "&amp;&#0;&lt;",
    "\u{0}\u{fffe}\u{ffff}\u{85}\r\n",
    "section x\nclick y href \"javascript:alert(1)\"",
    "end",
    "gantt",
    "%%{init: {\"securityLevel\": \"loose\"}}%%",
    "a:b;c#d%%e",
    "x :crit, 2001-01-01, 1d",
    "2001-01-01",
    "\u{202e}\u{2066}gnitirw",
    "\u{6f22}\u{5b57}\u{1f600}e\u{301}\u{200b}",
    "#59;#35;&colon;",
    "",
];

/// A run with names that the loader refuses: each of [`HOSTILE`] is a node, a pod, a taint and a
/// step.
pub fn hostile() -> Plan {
    let mut plan = Plan { name: HOSTILE.concat(), ..Plan::default() };
    for (text, number) in HOSTILE.iter().zip(1..) {
        // Each name once: two that are equal would be one.
        let node = plan.names.intern_node(&format!("{text}{number}"));
        let taint = Taint::new(text, text, Effect::parse("NoExecute"));
        let taints = plan.lists.intern_taints(&[taint]);
        plan.nodes.push(NodeSpec { ..NodeSpec::new(node) });
        let pod = plan.names.intern_pod(&format!("{text}/{text}{number}"));
        plan.pods.push(PodSpec::new(pod, Some(node)));
        let action = Action::Note((*text).into());
        let action = StepAction { action, text: (*text).into(), kubectl: false };
        plan.steps.push(Step {
            number,
            when: When::At(Time(Span::from_secs(u64::from(number)).0)),
            actions: vec![action],
            burst: false,
            may_be_rejected: false,
            because: None,
        });
        // Half of the nodes have it from the start.
        if number % 2 == 0 {
            plan.nodes.last_mut().unwrap().taints = taints;
        }
    }
    plan
}
