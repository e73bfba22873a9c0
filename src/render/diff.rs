//! What differs between runs, side by side: as a table, and as one JSON document.

use anstyle::Style;
use indexmap::{IndexMap, IndexSet};

use super::layout::{Columns, Row};
use super::summary::{NAMED_AT_MOST, ordinal};
use super::table::counted;
use super::text::{printable, push_json_string};
use crate::diff::{self, Because, Field, Outcome, Subject, Value};
use crate::profile::{Change, Profile, Switch, Switches};

/// One of the runs.
#[derive(Debug)]
pub struct Variant {
    /// What sets it apart: a version, `PATH=VALUE`, or a file.
    pub name: String,
    /// The scenario's name.
    pub scenario: String,
    /// The seed of its random choices.
    pub seed: u64,
    /// The version.
    pub profile: Profile,
    /// How its taint manager behaves.
    pub switches: Switches,
}

/// Runs that were compared.
#[derive(Debug)]
pub struct Comparison<'a> {
    /// What was run.
    pub variants: &'a [Variant],
    /// What became of it.
    pub outcomes: &'a [Outcome],
    /// All that differs.
    pub rows: &'a [diff::Row],
    /// For each row and each run but the first, why the value is not that of the run before it;
    /// `None` where it is the same, or where versions are not what is compared.
    pub because: &'a [Vec<Option<Because>>],
}

impl Comparison<'_> {
    /// As a table, which ends with a line that sums it up.
    pub fn table(&self) -> Vec<u8> {
        let mut out = self.headline().into_bytes();
        out.extend_from_slice(b"\n\n");
        let explained = self.because.iter().flatten().any(Option::is_some);
        let mut headers = vec!["OBJECT", "WHAT"];
        headers.extend(self.variants.iter().map(|variant| variant.name.as_str()));
        headers.extend(explained.then_some("BECAUSE OF"));
        let mut columns = Columns::new(&headers, false, 0);
        for (lines, labels) in self.blocks(explained) {
            let mut label =
                labels.iter().take(NAMED_AT_MOST).cloned().collect::<Vec<_>>().join(", ");
            if labels.len() > NAMED_AT_MOST {
                label.push_str(&format!(" and {} more", labels.len() - NAMED_AT_MOST));
            }
            for line in lines {
                let mut cells = vec![std::mem::take(&mut label)];
                cells.extend(line);
                columns.push(Row { cells, style: Style::new() }, &mut out);
            }
        }
        columns.finish(&mut out);
        if !self.rows.is_empty() {
            out.push(b'\n');
        }
        self.push_switches(&mut out);
        out.extend_from_slice(self.summary().as_bytes());
        out.push(b'\n');
        out
    }

    /// `maintenance: 1.18 and 1.19`.
    pub(super) fn headline(&self) -> String {
        let scenarios: IndexSet<&str> =
            self.variants.iter().map(|variant| variant.scenario.as_str()).collect();
        let scenarios: Vec<&str> = scenarios.into_iter().collect();
        printable(&format!("{}: {}", scenarios.join(", "), self.names()))
    }

    fn names(&self) -> String {
        let names: Vec<&str> = self.variants.iter().map(|v| v.name.as_str()).collect();
        listed(&names)
    }

    /// The rows of each object without its label, with the labels of all objects that have them.
    pub(super) fn blocks(&self, explained: bool) -> IndexMap<Vec<Vec<String>>, Vec<String>> {
        let mut objects: IndexMap<String, Vec<Vec<String>>> = IndexMap::new();
        for (row, because) in self.rows.iter().zip(self.because) {
            let mut cells = vec![row.field.words().to_owned()];
            let shown = |value: &Option<Value>| {
                value.as_ref().map_or_else(|| String::from("-"), ToString::to_string)
            };
            cells.extend(row.values.iter().map(shown));
            if explained {
                cells.push(self.because_words(because));
            }
            objects.entry(self.label(&row.subject)).or_default().push(cells);
        }
        let mut blocks: IndexMap<Vec<Vec<String>>, Vec<String>> = IndexMap::new();
        for (label, lines) in objects {
            blocks.entry(lines).or_default().push(label);
        }
        blocks
    }

    fn label(&self, subject: &Subject) -> String {
        match subject {
            Subject::Pod(name, instance) => match diff::instances(self.outcomes, name) {
                1 => name.clone(),
                _ => format!("{name} ({})", ordinal(*instance)),
            },
            Subject::Name(name) => match diff::instances(self.outcomes, name) {
                1 => name.clone(),
                _ => format!("{name} (all)"),
            },
            Subject::Step(number) => format!("step {number}"),
            Subject::Events => "all Events".to_owned(),
        }
    }

    fn because_words(&self, because: &[Option<Because>]) -> String {
        let several = self.variants.len() > 2;
        let known = because.iter().zip(&self.variants[1..]).filter_map(|(because, variant)| {
            let words = match because.as_ref()? {
                Because::Alone(switches) => names_of(switches).join(" or "),
                Because::Together(switches) => {
                    format!("no single switch: {} together", listed(&names_of(switches)))
                }
                Because::NotTheSwitches => "no switch".to_owned(),
            };
            Some(if several { format!("{}: {words}", variant.name) } else { words })
        });
        known.collect::<Vec<_>>().join("; ")
    }

    /// The switches that are named, with what changed them between the versions.
    pub(super) fn switches(&self) -> Vec<(Switch, Vec<&'static Change>)> {
        let named = |switch: &Switch| {
            let mut because = self.because.iter().flatten().flatten();
            because.any(|because| because.switches().contains(switch))
        };
        let oldest = self.variants.iter().map(|variant| variant.profile).min();
        let newest = self.variants.iter().map(|variant| variant.profile).max();
        let changes = |switch: Switch| match (oldest, newest) {
            (Some(oldest), Some(newest)) => oldest.changes_between(newest, switch),
            _ => Vec::new(),
        };
        let switches = Switch::ALL.into_iter().filter(named);
        switches.map(|switch| (switch, changes(switch))).collect()
    }

    fn push_switches(&self, out: &mut Vec<u8>) {
        let switches = self.switches();
        if switches.is_empty() {
            return;
        }
        let mut headers = vec!["SWITCH"];
        headers.extend(self.variants.iter().map(|variant| variant.name.as_str()));
        headers.extend(["SINCE", "SOURCE"]);
        let mut columns = Columns::new(&headers, false, 0);
        let mut unsure = false;
        for (switch, changes) in switches {
            let mut cells = vec![switch.name().to_owned()];
            let settings = self.variants.iter().map(|v| v.switches.get(switch).to_string());
            cells.extend(settings);
            cells.push(changes.iter().map(|change| since(change)).collect::<Vec<_>>().join(", "));
            cells.push(sources(&changes));
            unsure |= changes.iter().any(|change| !change.sure);
            columns.push(Row { cells, style: Style::new() }, out);
        }
        columns.finish(out);
        if unsure {
            out.extend_from_slice(super::profiles::UNSURE.as_bytes());
            out.push(b'\n');
        }
        out.push(b'\n');
    }

    /// `1 of 3 pods differs; step 4 differs`.
    pub(super) fn summary(&self) -> String {
        let pods = diff::names(self.outcomes).len();
        let (differing, steps) = self.counts();
        let mut parts = Vec::new();
        if differing > 0 {
            let verb = if differing == 1 { "differs" } else { "differ" };
            parts.push(format!("{differing} of {} {verb}", counted(pods, "pod")));
        }
        if steps > 0 {
            let verb = if steps == 1 { "differs" } else { "differ" };
            parts.push(format!("{} {verb}", counted(steps, "step")));
        }
        if self.rows.iter().any(|row| row.subject == Subject::Events) {
            if parts.is_empty() {
                parts.push(match pods {
                    1 => "the pod does not differ".to_owned(),
                    _ => format!("none of {} differs", counted(pods, "pod")),
                });
            }
            parts.push("all Events differ".to_owned());
        }
        match parts.is_empty() {
            true => format!(
                "Nothing differs: {} with the same fates, times and Events, and the same \
                 rejected steps.",
                counted(pods, "pod")
            ),
            false => format!("{}.", parts.join("; ")),
        }
    }

    /// The pods about which there is a row.
    pub fn pods(&self) -> IndexSet<&str> {
        let named = self.rows.iter().filter_map(|row| match &row.subject {
            Subject::Pod(name, _) | Subject::Name(name) => Some(name.as_str()),
            Subject::Step(_) | Subject::Events => None,
        });
        named.collect()
    }

    /// Names of pods, and steps, about which there is a row.
    fn counts(&self) -> (usize, usize) {
        let step = |row: &diff::Row| match row.subject {
            Subject::Step(number) => Some(number),
            _ => None,
        };
        let steps: IndexSet<u32> = self.rows.iter().filter_map(step).collect();
        (self.pods().len(), steps.len())
    }

    /// As JSON. Keys are always there and in this order.
    pub fn json(&self) -> Vec<u8> {
        let mut out = b"{\n\"kind\":\"Diff\",\n\"format\":1,\n\"version\":".to_vec();
        push_json_string(&mut out, env!("CARGO_PKG_VERSION"));
        out.extend_from_slice(format!(",\n\"same\":{}", self.rows.is_empty()).as_bytes());
        push_list(&mut out, "variants", self.variants, |out, variant| {
            push_field(out, "{\"name\":", &variant.name);
            push_field(out, ",\"scenario\":", &variant.scenario);
            out.extend_from_slice(format!(",\"seed\":{}", variant.seed).as_bytes());
            push_field(out, ",\"profile\":", variant.profile.name());
            out.push(b'}');
        });
        let rows: Vec<_> = self.rows.iter().zip(self.because).collect();
        push_list(&mut out, "differences", &rows, |out, (row, because)| {
            self.push_row(out, row, because);
        });
        push_list(&mut out, "switches", &self.switches(), |out, (switch, changes)| {
            push_field(out, "{\"switch\":", switch.name());
            let settings: Vec<String> =
                self.variants.iter().map(|v| v.switches.get(*switch).to_string()).collect();
            push_strings(out, ",\"settings\":", &settings);
            out.extend_from_slice(b",\"changes\":[");
            for (index, change) in changes.iter().enumerate() {
                out.extend_from_slice(if index > 0 { b"," } else { b"" });
                super::profiles::push_change(out, change);
            }
            out.extend_from_slice(b"]}");
        });
        let (pods, steps) = self.counts();
        let all = diff::names(self.outcomes).len();
        let summary = format!(
            ",\n\"summary\":{{\"pods\":{all},\"podsDiffering\":{pods},\"stepsDiffering\":{steps}}}\n}}\n"
        );
        out.extend_from_slice(summary.as_bytes());
        out
    }

    fn push_row(&self, out: &mut Vec<u8>, row: &diff::Row, because: &[Option<Because>]) {
        let (pod, instance, step) = match &row.subject {
            Subject::Pod(name, instance) => (Some(name), Some(*instance), None),
            Subject::Name(name) => (Some(name), None, None),
            Subject::Step(number) => (None, None, Some(*number)),
            Subject::Events => (None, None, None),
        };
        let number = |number: Option<String>| number.unwrap_or_else(|| "null".to_owned());
        match pod {
            Some(name) => push_field(out, "{\"pod\":", name),
            None => out.extend_from_slice(b"{\"pod\":null"),
        }
        let instance = number(instance.map(|n| n.to_string()));
        let step = number(step.map(|n| n.to_string()));
        out.extend_from_slice(format!(",\"instance\":{instance},\"step\":{step}").as_bytes());
        push_field(out, ",\"field\":", row.field.name());
        out.extend_from_slice(b",\"values\":[");
        for (index, value) in row.values.iter().enumerate() {
            out.extend_from_slice(if index > 0 { b"," } else { b"" });
            push_value(out, row.field, value.as_ref());
        }
        out.extend_from_slice(b"],\"because\":[");
        let known = because.iter().enumerate().filter_map(|(i, b)| b.as_ref().map(|b| (i, b)));
        for (index, (before, because)) in known.enumerate() {
            out.extend_from_slice(if index > 0 { b"," } else { b"" });
            push_field(out, "{\"from\":", &self.variants[before].name);
            push_field(out, ",\"to\":", &self.variants[before + 1].name);
            let kind = match because {
                Because::Alone(_) => "Alone",
                Because::Together(_) => "Together",
                Because::NotTheSwitches => "NotTheSwitches",
            };
            push_field(out, ",\"kind\":", kind);
            push_strings(out, ",\"switches\":", &names_of(because.switches()));
            out.push(b'}');
        }
        out.extend_from_slice(b"]}");
    }
}

/// `1.11`, or `1.11?` where the release is not certain.
pub(super) fn since(change: &Change) -> String {
    format!("1.{}{}", change.since, if change.sure { "" } else { "?" })
}

/// Where the changes are known from.
pub(super) fn sources(changes: &[&Change]) -> String {
    changes.iter().map(|change| change.source).collect::<Vec<_>>().join("; ")
}

fn names_of(switches: &[Switch]) -> Vec<&'static str> {
    switches.iter().map(|switch| switch.name()).collect()
}

/// `a, b and c`.
fn listed(words: &[&str]) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => words.join(", "),
    }
}

fn push_value(out: &mut Vec<u8>, field: Field, value: Option<&Value>) {
    match value {
        None => out.extend_from_slice(b"null"),
        Some(Value::Fate(word, at)) => {
            push_field(out, "{\"fate\":", word);
            let at = at.map_or_else(|| "null".to_owned(), |ms| ms.to_string());
            out.extend_from_slice(format!(",\"atMs\":{at}}}").as_bytes());
        }
        // A pod is created and removed once, and armed as often as it is.
        Some(Value::Times(times)) if matches!(field, Field::Created | Field::Removed) => {
            out.extend_from_slice(times[0].to_string().as_bytes());
        }
        Some(Value::Times(times)) => {
            let times: Vec<String> = times.iter().map(ToString::to_string).collect();
            out.extend_from_slice(format!("[{}]", times.join(",")).as_bytes());
        }
        Some(Value::Number(number)) => out.extend_from_slice(number.to_string().as_bytes()),
        Some(Value::Text(text)) => push_json_string(out, text),
    }
}

/// Appends `prefix`, which has the key, and the text.
pub(super) fn push_field(out: &mut Vec<u8>, prefix: &str, text: &str) {
    out.extend_from_slice(prefix.as_bytes());
    push_json_string(out, text);
}

fn push_strings(out: &mut Vec<u8>, prefix: &str, texts: &[impl AsRef<str>]) {
    out.extend_from_slice(prefix.as_bytes());
    for (index, text) in texts.iter().enumerate() {
        out.push(if index > 0 { b',' } else { b'[' });
        push_json_string(out, text.as_ref());
    }
    out.extend_from_slice(if texts.is_empty() { b"[]" } else { b"]" });
}

/// Appends `,"key":[…]` with an item a line.
pub(super) fn push_list<T>(
    out: &mut Vec<u8>,
    key: &str,
    items: &[T],
    mut push: impl FnMut(&mut Vec<u8>, &T),
) {
    out.extend_from_slice(format!(",\n\"{key}\":[").as_bytes());
    for (index, item) in items.iter().enumerate() {
        out.extend_from_slice(if index > 0 { b",\n " } else { b"\n " });
        push(out, item);
    }
    out.push(b']');
}
