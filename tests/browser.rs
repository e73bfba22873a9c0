//! Pages of `-o html` in a headless Chromium: what a reader sees and can do there. The checks are
//! in tests/browser/checks.mjs.
//!
//! Chromium, Node.js and the packages of tests/browser/package-lock.json are not needed to build
//! taintsim. Where one of them is missing, the tests say so and check nothing, unless
//! `TAINTSIM_BROWSER=required` asks for them, as .ci/run does.

#![allow(clippy::expect_used, clippy::print_stderr, reason = "a test may stop, and may say why")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock};

use serde_json::json;
use taintsim::cluster::World;
use taintsim::kernel::Time;
use taintsim::objects::{Effect, Taint};
use taintsim::plan::{NodeSpec, Plan, PodSpec, Step, StepAction};
use taintsim::render::{Ending, Html, Render, Selection, View};
use taintsim::timeline::history::History;
use taintsim::timeline::{Context, Detail, Record, Sink};

/// The repository, and the folder of what the browser runs.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn chromium() -> Option<PathBuf> {
    let known = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
    known.iter().map(PathBuf::from).find(|path| path.exists())
}

/// What is missing for the tests to run.
fn missing() -> Option<&'static str> {
    let has_node = Command::new("node").arg("--version").output().is_ok_and(|o| o.status.success());
    match (chromium(), has_node, root().join("tests/browser/node_modules/axe-core").is_dir()) {
        (None, ..) => Some("there is no chromium"),
        (_, false, _) => Some("there is no node"),
        (.., false) => Some("its packages are not installed: npm ci --prefix tests/browser"),
        _ => None,
    }
}

/// Writes what the program prints into a file.
fn written(arguments: &[&str], file: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_taintsim"))
        .current_dir(root())
        .args(arguments)
        .output()
        .expect("the program runs");
    // A comparison that finds a difference exits with 1.
    let code = output.status.code();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(matches!(code, Some(0 | 1)), "{arguments:?}: {said}");
    fs::write(file, &output.stdout).expect("the folder is there");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The scenarios whose every moment is looked at.
const LOOKED_AT: [(&str, &str); 6] = [
    ("maintenance", "tests/cli/scenarios/maintenance.yaml"),
    ("channel", "scenarios/facts/18-a-node-channel-has-ten-places.yaml"),
    ("stalled", "scenarios/facts/18-one-full-channel-stalls-all-workers.yaml"),
    ("retaint", "scenarios/facts/05-retaint-behind-a-busy-worker.yaml"),
    ("restart", "scenarios/basics/controller-restart-restarts-the-window.yaml"),
    ("namesake", "scenarios/facts/10-the-namesake-on-a-healthy-node.yaml"),
];

/// All pages, written once; the path of their description.
fn description() -> &'static Path {
    static DONE: OnceLock<PathBuf> = OnceLock::new();
    DONE.get_or_init(|| {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pages");
        fs::create_dir_all(&folder).expect("cargo's folder for tests");
        let page = |name: &str| folder.join(format!("{name}.html"));
        let scenario = |name: &str, text: &str| {
            let path = folder.join(format!("{name}.yaml"));
            fs::write(&path, text).expect("the folder is there");
            path.to_string_lossy().into_owned()
        };
        let replay =
            |name: &str, file: &str| drop(written(&["replay", file, "-o", "html"], &page(name)));
        let mut files = serde_json::Map::new();
        for (name, file) in LOOKED_AT {
            replay(name, file);
            files.insert(name.into(), json!([root().join(file)]));
        }
        let stop = "scenarios/versions/graceful-stop.yaml";
        let older = ["--kubernetes-version", "1.34"];
        written(&[&["replay", stop, "-o", "html"], &older[..]].concat(), &page("stop"));
        files.insert("stop".into(), json!([root().join(stop), older[0], older[1]]));
        replay("every-key", "docs/examples/every-key.yaml");
        replay("hostile", "tests/browser/hostile.yaml");
        fs::write(page("hostile-library"), hostile()).expect("the folder is there");
        replay("many", &scenario("many", MANY));
        replay("different", &scenario("different", &different()));
        let years = scenario("years", YEARS);
        replay("years", &years);
        files.insert("years".into(), json!([years]));
        let compared = ["diff", stop, "--versions", "1.34,1.35", "-o"];
        let diff = |versions, format| [&compared[..3], &[versions, "-o", format]].concat();
        written(&diff("1.34,1.35", "html"), &page("diff"));
        let printed = written(&diff("1.34,1.35", "json"), &folder.join("diff.json"));
        written(&diff("1.35,1.36", "html"), &page("same"));
        let described = json!({
            "folder": folder,
            "binary": env!("CARGO_BIN_EXE_taintsim"),
            "scenarios": files,
            "diff": printed,
        });
        let path = folder.join("pages.json");
        fs::write(&path, described.to_string()).expect("the folder is there");
        path
    })
}

const MANY: &str = "
apiVersion: taintsim.dev/v1alpha1
kind: Scenario
metadata: {name: many}
spec:
  nodes: [{name: 'node-{00..29}'}]
  pods:
    - {name: 'web-{0000..1499}', nodeName: node-00, tolerations: ['zone:NoExecute op=Exists for 300s']}
    - {name: 'db-{0000..0999}', nodeName: node-01, tolerations: ['zone:NoExecute op=Exists for 60s']}
    - {name: 'cache-{0000..0499}', nodeName: node-02}
  steps:
    - {at: 10s, kubectl: 'taint nodes node-00 node-01 node-02 zone=down:NoExecute'}
    - {at: 2m, kubectl: 'taint nodes node-00 zone-'}
";

/// Ends 285 years after its start: more nanoseconds than a double holds.
const YEARS: &str = "
apiVersion: taintsim.dev/v1alpha1
kind: Scenario
metadata: {name: years}
spec:
  until: 2600000h
  nodes: [{name: node-0}]
  pods: [{name: web-0, nodeName: node-0, tolerations: ['zone:NoExecute op=Exists for 9000000000s']}]
  steps: [{at: 10.000000001s, kubectl: 'taint nodes node-0 zone=down:NoExecute'}]
";

/// Five hundred pods with a wait of their own each, on two nodes.
fn different() -> String {
    let mut text = "apiVersion: taintsim.dev/v1alpha1\nkind: Scenario\nspec:\n  \
                    nodes: [{name: node-0}, {name: node-1}]\n  steps: [{at: 1s, kubectl: \
                    'taint nodes --all zone=down:NoExecute'}]\n  pods:\n"
        .to_owned();
    for pod in 0..500 {
        let tolerations = format!("['zone:NoExecute op=Exists for {}s']", 60 + pod);
        let node = pod % 2;
        let _ = writeln!(
            text,
            "    - {{name: web-{pod}, nodeName: node-{node}, tolerations: {tolerations}}}"
        );
    }
    text
}

/// A page of names that no API server takes, and the loader does not either.
fn hostile() -> Vec<u8> {
    let text =
        "\"'><img src=x onerror=injected=1></script><script>injected=1</script>\u{202e}\u{2028}";
    let mut plan = Plan { name: text.to_owned(), ..Plan::default() };
    let node = plan.names.intern_node(text);
    let taints = plan.lists.intern_taints(&[Taint::new(text, text, Effect::NoExecute)]);
    plan.nodes.push(NodeSpec { taints, ..NodeSpec::new(node) });
    for name in ["a", "b"] {
        let pod = plan.names.intern_pod(&format!("{text}/{name}{text}"));
        plan.pods.push(PodSpec::new(pod, Some(node)));
    }
    let note = StepAction {
        action: taintsim::plan::Action::Note(text.into()),
        text: text.into(),
        kubectl: false,
    };
    plan.steps.push(Step {
        number: 1,
        when: taintsim::plan::When::At(Time(1_000_000_000)),
        actions: vec![note],
        burst: false,
        may_be_rejected: false,
        because: None,
    });
    rendered(&plan)
}

/// The page of a plan.
fn rendered(plan: &Plan) -> Vec<u8> {
    let mut world = World::new(plan, Detail::Controller);
    let mut page = Page::default();
    let end = world.run(&mut page);
    let Page { history, mut html, selection } = page;
    let view = View { context: world.context(), history: &history, selection: &selection };
    let mut out = Vec::new();
    html.end(view, Ending { end, steps_not_applied: &[] }, &mut out);
    out
}

#[derive(Default)]
struct Page {
    history: History,
    html: Html,
    selection: Selection,
}

impl Sink for Page {
    fn record(&mut self, context: Context<'_>, record: &Record) {
        self.history.record(context, record);
        let view = View { context, history: &self.history, selection: &self.selection };
        self.html.record(view, record, &mut Vec::new());
    }
}

/// Runs a check of checks.mjs.
fn check(name: &str) {
    // One browser at a time: more of them would only wait for each other.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(missing) = missing() {
        let required = std::env::var("TAINTSIM_BROWSER").is_ok_and(|value| value == "required");
        assert!(!required, "tests/browser.rs cannot run: {missing}");
        eprintln!("tests/browser.rs checked nothing: {missing}");
        return;
    }
    let mut command = Command::new("node");
    command.current_dir(root().join("tests/browser"));
    command.args(["run.mjs", name]).arg(description());
    command.env("CHROMIUM", chromium().unwrap_or_default());
    let output = command.output().expect("node runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}

#[test]
fn the_scrubber_shows_what_show_prints() {
    check("state");
}

#[test]
fn the_keyboard_controls_the_page() {
    check("keys");
}

#[test]
fn both_scales_say_what_they_do() {
    check("scales");
}

#[test]
fn arrows_lead_from_the_cause_to_the_effect() {
    check("arrows");
}

#[test]
fn search_and_fates_choose_lanes() {
    check("search");
}

#[test]
fn light_and_dark_follow_the_reader() {
    check("theme");
}

#[test]
fn a_printed_page_has_everything() {
    check("print");
}

#[test]
fn hostile_texts_are_shown_and_do_nothing() {
    check("hostile");
}

#[test]
fn the_policy_lets_no_other_script_run() {
    check("policy");
}

#[test]
fn thousands_of_pods_share_rows() {
    check("many");
}

#[test]
fn what_is_not_drawn_is_counted_and_found() {
    check("different");
}

#[test]
fn axe_finds_nothing() {
    check("axe");
}

#[test]
fn a_phone_needs_no_sideways_scrolling() {
    check("narrow");
}

#[test]
fn a_comparison_shows_both_runs_on_one_axis() {
    check("comparison");
}

#[test]
fn a_run_of_centuries_keeps_its_nanoseconds() {
    check("years");
}
