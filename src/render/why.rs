//! What `taintsim why` says: as text for a terminal, and as JSON.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::layout::{Columns, Row};
use super::text::is_active;
use super::{View, printable};
use crate::kernel::time::Time;
use crate::plan::Plan;
use crate::timeline::fate::{Fate, Reason};
use crate::timeline::history::Incarnation;
use crate::why::{Answer, GridRow, LifeAnswer, OtherVersion, Remark, WhatIf};

/// Columns of a line of text.
const WIDTH: usize = 100;

/// The number of the JSON form; it grows when a reader has to change.
const FORMAT: u32 = 1;

/// An answer as text.
pub fn why(answer: &Answer) -> String {
    let mut out = String::new();
    if answer.lives.is_empty() {
        let when = answer.at.map(|at| format!(" up to {at}")).unwrap_or_default();
        paragraph(&mut out, &format!("{}: no pod of this name comes to be{when}.", answer.pod), "");
    }
    for (life, number) in answer.lives.iter().zip(1..) {
        if number > 1 {
            out.push('\n');
        }
        push_life(&mut out, answer, life, number);
    }
    if answer.exhausted {
        out.push('\n');
        let text = "Not all changes were tried: the run is too long for that many.";
        paragraph(&mut out, text, "");
    }
    out
}

fn push_life(out: &mut String, answer: &Answer, life: &LifeAnswer, number: usize) {
    let of = match answer.lives.len() {
        1 => String::new(),
        count => format!(" ({number} of {count} pods of this name)"),
    };
    let when = answer.at.map(|at| format!("at {at}: ")).unwrap_or_default();
    paragraph(out, &format!("{}{of}: {when}{}", answer.pod, life.verdict), "");
    if let Some(later) = life.later.filter(|later| *later != life.fate) {
        paragraph(out, &format!("At the end of the run: {}.", fate_words(later)), "");
    }
    push_story(out, life);
    push_grid(out, &life.grid);
    let title = match answer.at {
        None => "What would have changed it, each tried in a run:",
        Some(_) => "What can still change it, tried in a run:",
    };
    push_list(out, title, &life.what_ifs, what_if);
    push_list(out, "In other versions, each switch tried alone:", &life.other_versions, version);
    push_list(out, "Worth knowing:", &life.remarks, remark);
}

fn push_story(out: &mut String, life: &LifeAnswer) {
    if life.story.is_empty() {
        return;
    }
    out.push('\n');
    let times: Vec<String> = life.story.iter().map(|moment| moment.at.to_string()).collect();
    let width = times.iter().map(String::len).max().unwrap_or(0).max(4) + 2;
    let mut before = "";
    for (moment, time) in life.story.iter().zip(&times) {
        let shown = if time == before { "" } else { time.as_str() };
        before = time;
        hanging(out, &moment.text, &format!("{shown:<width$}"), width);
    }
}

fn push_grid(out: &mut String, grid: &[GridRow]) {
    if grid.is_empty() {
        return;
    }
    out.push('\n');
    let mut columns = Columns::new(&["TAINT", "TOLERATION", "MATCHES", ""], false, 0);
    let mut table = Vec::new();
    let mut push = |cells: [String; 4]| {
        let row = Row { cells: cells.into(), style: anstyle::Style::new() };
        columns.push(row, &mut table);
    };
    for row in grid {
        let taint = row.taint.clone();
        if !row.no_execute {
            let words = "evicts nobody: the taint manager looks at NoExecute only".to_owned();
            push([taint, "-".into(), "-".into(), words]);
            continue;
        }
        if row.cells.is_empty() {
            push([taint, "none".into(), "no".into(), String::new()]);
            continue;
        }
        for (cell, index) in row.cells.iter().zip(0..) {
            let taint = if index == 0 { taint.clone() } else { String::new() };
            let matches = if cell.matches { "yes" } else { "no" };
            let toleration = format!("[{index}] {}", cell.toleration);
            push([taint, toleration, matches.into(), cell.words.clone()]);
        }
    }
    columns.finish(&mut table);
    out.push_str(&String::from_utf8_lossy(&table));
}

fn push_list<T>(out: &mut String, title: &str, entries: &[T], words: fn(&T) -> String) {
    if entries.is_empty() {
        return;
    }
    out.push('\n');
    out.push_str(title);
    out.push('\n');
    for entry in entries {
        hanging(out, &words(entry), "- ", 2);
    }
}

fn what_if(what_if: &WhatIf) -> String {
    let WhatIf { change, fate, in_vain, step, .. } = what_if;
    match in_vain {
        true => format!("{change}: in vain, {}.", fate_words(*fate)),
        false => {
            let step =
                step.as_deref().map(|step| format!(" (--step {})", shell_words::quote(step)));
            format!("{change}: {}{}.", fate_words(*fate), step.unwrap_or_default())
        }
    }
}

fn version(version: &OtherVersion) -> String {
    let OtherVersion { versions, switch, setting, source, fate } = version;
    let fate = fate_words(*fate);
    format!("{versions}: {fate} (switch {}: {setting}; {source}).", switch.name())
}

fn remark(remark: &Remark) -> String {
    match remark.threads {
        [] => remark.text.to_owned(),
        threads => format!("{} ({})", remark.text, threads.join(", ")),
    }
}

/// `it is evicted at 5m10s`.
fn fate_words(fate: Fate) -> String {
    match fate {
        Fate::Evicted(at) => format!("it is evicted at {at}"),
        Fate::Removed(at) => format!("it is removed at {at}, not by the taint manager"),
        Fate::Terminating(at) => format!("it is terminating since {at}, not by the taint manager"),
        Fate::Armed(Time::MAX) => "its timer is armed and never fires".to_owned(),
        Fate::Armed(at) => format!("its timer is armed at the end, for {at}"),
        Fate::Survives => "it survives".to_owned(),
    }
}

fn paragraph(out: &mut String, text: &str, prefix: &str) {
    hanging(out, text, prefix, prefix.len());
}

/// Text in lines that begin `indent` columns in, the first with `first` in that space.
fn hanging(out: &mut String, text: &str, first: &str, indent: usize) {
    let blank = " ".repeat(indent);
    let options = textwrap::Options::new(WIDTH)
        .initial_indent(first)
        .subsequent_indent(&blank)
        .break_words(false)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    for line in textwrap::wrap(&printable(text), options) {
        // Writing to a String does not fail.
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

/// A verdict on each pod that is shown, in the order of their creation.
pub fn verdicts(view: View<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    let mut columns = Columns::new(&["POD", "FATE", "TIME", "WHY"], false, 0);
    for life in shown(view) {
        let fate = Fate::of(view.history, life);
        let at = fate.time().filter(|at| *at < Time::MAX).map(|at| at.to_string());
        let cells = vec![
            name(view, life),
            fate.as_str().to_owned(),
            at.unwrap_or_else(|| "-".to_owned()),
            reason(view, life),
        ];
        columns.push(Row { cells, style: anstyle::Style::new() }, &mut out);
    }
    columns.finish(&mut out);
    if out.is_empty() {
        out.extend_from_slice(b"There are no pods.\n");
    }
    out
}

/// The same as JSON.
pub fn verdicts_json(view: View<'_>) -> String {
    let pods: Vec<Value> = shown(view)
        .map(|life| {
            let mut pod = Map::new();
            let (instance, instances) = view.history.instance(life);
            pod.insert("pod".into(), json!(view.context.names().pod(life.pod)));
            pod.insert("instance".into(), json!(instance));
            pod.insert("instances".into(), json!(instances));
            pod.insert("uid".into(), json!(life.uid.to_string()));
            push_fate(&mut pod, Fate::of(view.history, life));
            pod.insert("verdict".into(), json!(reason(view, life)));
            Value::Object(pod)
        })
        .collect();
    document(view.context.plan, None, pods, false)
}

fn shown<'a>(view: View<'a>) -> impl Iterator<Item = &'a Incarnation> {
    view.history.incarnations().iter().filter(move |life| view.selection.has_pod(life.pod))
}

/// `shop/web-0`, or `shop/web-0 (2 of 3)`.
fn name(view: View<'_>, life: &Incarnation) -> String {
    let name = view.context.names().pod(life.pod);
    match view.history.instance(life) {
        (_, 1) => name.to_owned(),
        (instance, instances) => format!("{name} ({instance} of {instances})"),
    }
}

fn reason(view: View<'_>, life: &Incarnation) -> String {
    let reason = Reason::of(view.context, view.history, life);
    reason.phrase(view.context, view.history).to_string()
}

/// An answer as JSON.
pub fn why_json(plan: &Plan, answer: &Answer) -> String {
    let instances = answer.lives.len();
    let lives = answer.lives.iter().zip(1..);
    let pods = lives
        .map(|(life, instance)| {
            let mut pod = Map::new();
            pod.insert("pod".into(), json!(answer.pod));
            pod.insert("instance".into(), json!(instance));
            pod.insert("instances".into(), json!(instances));
            pod.insert("uid".into(), json!(life.uid.to_string()));
            push_fate(&mut pod, life.fate);
            pod.insert("verdict".into(), json!(life.verdict));
            push_details(&mut pod, life);
            Value::Object(pod)
        })
        .collect();
    document(plan, answer.at, pods, answer.exhausted)
}

fn push_details(pod: &mut Map<String, Value>, life: &LifeAnswer) {
    if let Some(later) = life.later {
        pod.insert("later".into(), fate_json(later));
    }
    let story = life.story.iter().map(
        |moment| json!({"atNs": moment.at.0, "at": moment.at.to_string(), "text": moment.text}),
    );
    pod.insert("story".into(), story.collect());
    let grid = life.grid.iter().map(|row| {
        let cells = row.cells.iter().map(|cell| {
            json!({
                "toleration": cell.toleration,
                "matches": cell.matches,
                "counts": cell.counts,
                "words": cell.words,
            })
        });
        let cells: Vec<Value> = cells.collect();
        json!({"taint": row.taint, "noExecute": row.no_execute, "tolerations": cells})
    });
    pod.insert("taints".into(), grid.collect());
    let what_ifs = life.what_ifs.iter().map(|what_if| {
        let mut value = Map::new();
        value.insert("change".into(), json!(what_if.change));
        push_fate(&mut value, what_if.fate);
        value.insert("inVain".into(), json!(what_if.in_vain));
        if let Some((from, before)) = what_if.range {
            value.insert("fromNs".into(), json!(from.0));
            value.insert("beforeNs".into(), json!(before.0));
        }
        if let Some(step) = &what_if.step {
            value.insert("step".into(), json!(step));
        }
        Value::Object(value)
    });
    pod.insert("whatIf".into(), what_ifs.collect());
    let versions = life.other_versions.iter().map(|other| {
        let mut value = Map::new();
        value.insert("versions".into(), json!(other.versions));
        value.insert("switch".into(), json!(other.switch.name()));
        value.insert("setting".into(), json!(other.setting.to_string()));
        value.insert("source".into(), json!(other.source));
        push_fate(&mut value, other.fate);
        Value::Object(value)
    });
    pod.insert("otherVersions".into(), versions.collect());
    let remarks = life
        .remarks
        .iter()
        .map(|remark| json!({"name": remark.name, "text": remark.text, "threads": remark.threads}));
    pod.insert("remarks".into(), remarks.collect());
}

fn push_fate(value: &mut Map<String, Value>, fate: Fate) {
    value.insert("fate".into(), json!(fate.as_str()));
    if let Some(at) = fate.time() {
        value.insert("fateAtNs".into(), json!(at.0));
        value.insert("fateAt".into(), json!(at.to_string()));
    }
}

fn fate_json(fate: Fate) -> Value {
    let mut value = Map::new();
    push_fate(&mut value, fate);
    Value::Object(value)
}

fn document(plan: &Plan, at: Option<Time>, pods: Vec<Value>, exhausted: bool) -> String {
    let mut document = Map::new();
    document.insert("kind".into(), json!("Why"));
    document.insert("format".into(), json!(FORMAT));
    document.insert("version".into(), json!(env!("CARGO_PKG_VERSION")));
    document.insert("scenario".into(), json!(plan.name));
    document.insert("seed".into(), json!(plan.config.seed));
    document.insert("profile".into(), json!(plan.config.profile.name()));
    if let Some(at) = at {
        document.insert("atNs".into(), json!(at.0));
        document.insert("at".into(), json!(at.to_string()));
    }
    if exhausted {
        document.insert("notAllTried".into(), json!(true));
    }
    document.insert("pods".into(), Value::Array(pods));
    let mut text = escape_active(&Value::Object(document));
    text.push('\n');
    text
}

/// Pretty JSON in which nothing acts on a terminal.
fn escape_active(value: &Value) -> String {
    let text = format!("{value:#}");
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push('\n'),
            // Such characters stand in strings only, and all are of the basic plane.
            c if is_active(c) => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}
