//! A plan as the text of a scenario: the way back from what runs to a file that a person would
//! write.
//!
//! Promises: what the loader made of files comes out as a file of which the loader makes a plan
//! with the same run, record by record, but for the numbers and the words of steps. Written again,
//! it gives the same text. Nothing in a name, a value or a note is more than a text to a reader of
//! the file.
//!
//! What it does not keep: `repeat` is written out; ranges and lists of names are put together
//! anew; a step that several manifests or kinds share is one only where one line or list can say
//! it, and a `burst` else; `metadata.description`, and gates that change nothing. Where turns of a
//! `repeat` stand between steps that follow others, all get times of their own: they then come
//! before a step of their instant that waits for something, and under `Random` that may change what
//! is drawn for a `burst` among them.
//!
//! A plan that was not loaded has to be one that could have been, or the text will not load, or say
//! less: what steps and faults name is there at some time, targets are not empty, times are not
//! the end of time, a namespace stands alone only where a kubectl line can say it, an object at the
//! start that only a manifest can say has nothing that only an entry can (a node's
//! `podTermination`), and a list with what no entry can say belongs to such an object.

mod actions;
mod admission;
pub(crate) mod comment;
mod faults;
pub(crate) mod items;
mod kubectl;
mod names;
mod objects;
mod order;
pub(crate) mod sayable;
mod settings;
mod steps;
mod tree;
mod words;
pub(crate) mod yaml;

use self::objects::Starting;
use self::tree::Entries;
use super::diagnostic::escape;
use super::language::API_VERSION;
use crate::plan::Plan;

/// The text of a scenario that runs as the plan does.
///
/// `header` stands above it, and `step_comments` gives what stands above the step of an index into
/// `plan.steps`: lines of comments, each without its `#`. `expect` is a block as `-o expect` writes
/// it, which begins with `expect:`.
pub fn scenario(
    plan: &Plan,
    header: &[String],
    step_comments: &dyn Fn(usize) -> Vec<String>,
    expect: Option<&str>,
) -> String {
    let mut starting = Starting::new(plan);
    let rules = admission::choose(plan, starting.pods);
    starting.admit(&rules);

    let mut out = String::new();
    push_comments(&mut out, 0, header);
    let mut head = Entries::default();
    head.text("apiVersion", API_VERSION);
    head.text("kind", "Scenario");
    head.push(&mut out, 0);
    if !plan.name.is_empty() {
        out.push_str("metadata:\n");
        let mut metadata = Entries::default();
        metadata.text("name", &plan.name);
        metadata.push(&mut out, 2);
    }
    out.push_str("spec:\n");
    let mut spec = Entries::default();
    settings::push(&plan.config, &rules, &mut spec);
    starting.push(&rules, &mut spec);
    if !plan.faults.is_empty() {
        spec.put("faults", faults::list(plan));
    }
    spec.push(&mut out, 2);
    if !plan.steps.is_empty() {
        out.push_str("  steps:\n");
    }
    for (index, when) in order::written(&plan.steps) {
        push_comments(&mut out, 4, &step_comments(index));
        steps::step(plan, &rules, &plan.steps[index], &when).push_as_item(&mut out, 4);
    }
    for line in expect.into_iter().flat_map(str::lines) {
        out.push_str(if line.is_empty() { "" } else { "  " });
        out.push_str(line);
        out.push('\n');
    }
    starting.push_manifests(&mut out);
    out
}

/// The number that each step of the plan has in the text of [`scenario`]; for what `expect` says
/// about steps.
pub fn step_numbers(plan: &Plan) -> Vec<u32> {
    let mut numbers = vec![0; plan.steps.len()];
    for ((index, _), number) in order::written(&plan.steps).iter().zip(1..) {
        numbers[*index] = number;
    }
    numbers
}

/// Comments as they are given, a line each.
fn push_comments(out: &mut String, indent: usize, lines: &[String]) {
    for line in lines {
        let text = escape(line);
        let blank = if text.is_empty() { "" } else { " " };
        out.extend([&" ".repeat(indent), "#", blank, text.trim_end(), "\n"]);
    }
}
