//! The table of behaviour profiles, and what changed from one to another.

use anstyle::Style;

use super::diff::{push_field, push_list, since, sources};
use super::layout::{Columns, Row};
use super::text::push_json_string;
use crate::profile::{Change, GATES, Gate, Profile, Stage, Switch};

/// What a question mark after a version means.
pub(super) const UNSURE: &str = "? the release is not certain; the source says what is open";

/// What is new from one version to the other.
struct Difference {
    /// The minor version of its first change, by which they are ordered.
    minor: u32,
    what: String,
    here: String,
    there: String,
    since: String,
    source: String,
}

/// All profiles, as a table: first what is new in each, then the defaults and the gates.
pub fn profiles() -> Vec<u8> {
    let mut out = Vec::new();
    let mut columns = Columns::new(&["VERSION", "KNOWN", "WHAT IS NEW", "SOURCE"], false, 0);
    let mut quiet: Vec<Profile> = Vec::new();
    for profile in Profile::all() {
        let news: Vec<&Change> = profile.changes().collect();
        let is_first = Profile::all().next() == Some(profile);
        let goes_on = quiet.last().is_some_and(|last| last.is_recorded() == profile.is_recorded());
        if !news.is_empty() || !goes_on {
            push_quiet(&mut columns, &mut quiet, &mut out);
        }
        if news.is_empty() && !is_first {
            quiet.push(profile);
            continue;
        }
        if is_first {
            let text = "the first version that has a taint manager";
            push(&mut columns, [profile.name(), known(profile), text, ""], &mut out);
        }
        let mut version = profile.name();
        let mut how = known(profile);
        for change in news {
            let mark = if change.sure { "" } else { "? " };
            let what = format!("{mark}{}", news_of(change));
            push(&mut columns, [version, how, &what, change.source], &mut out);
            (version, how) = ("", "");
        }
    }
    push_quiet(&mut columns, &mut quiet, &mut out);
    columns.finish(&mut out);
    out.extend_from_slice(format!("{UNSURE}\n\n").as_bytes());

    let mut columns = Columns::new(&["DEFAULT", "VALUE", "SINCE", "SOURCE"], false, 0);
    let mut before = None;
    for profile in Profile::all() {
        let period = profile.node_monitor_grace_period();
        if before == Some(period) {
            continue;
        }
        let source = if before.is_some() { Profile::GRACE_PERIOD_SOURCE } else { "" };
        let cells = [GRACE_PERIOD, &period.to_string(), profile.name(), source];
        push(&mut columns, cells, &mut out);
        before = Some(period);
    }
    columns.finish(&mut out);
    out.push(b'\n');

    let mut columns = Columns::new(&["GATE", "STAGES", "WHAT IT DOES", "SOURCE"], false, 0);
    for gate in &GATES {
        push(&mut columns, [gate.name, &stages(gate), gate.does, gate.source], &mut out);
    }
    columns.finish(&mut out);
    out
}

const GRACE_PERIOD: &str = "nodeMonitorGracePeriod";

/// Versions of one kind in which nothing is new: `1.20 to 1.25`.
fn push_quiet(columns: &mut Columns, quiet: &mut Vec<Profile>, out: &mut Vec<u8>) {
    if let (Some(first), Some(last)) = (quiet.first(), quiet.last()) {
        let versions = match first == last {
            true => first.to_string(),
            false => format!("{first} to {last}"),
        };
        push(columns, [&versions, known(*first), "-", ""], out);
        quiet.clear();
    }
}

fn push<const N: usize>(columns: &mut Columns, cells: [&str; N], out: &mut Vec<u8>) {
    let cells = cells.map(str::to_owned).into();
    columns.push(Row { cells, style: Style::new() }, out);
}

fn known(profile: Profile) -> &'static str {
    if profile.is_recorded() { "recorded" } else { "derived" }
}

/// `shardedWorkers: false -> true`.
fn news_of(change: &Change) -> String {
    let name = change.switch.name();
    match before(change) {
        Some(before) if before != change.to.to_string() => {
            format!("{name}: {before} -> {}", change.to)
        }
        // What comes with a gate that is off is new, and changes nothing.
        _ => format!("{name}: {}, unless its gate is on", change.to),
    }
}

/// The switch's setting in the version before the change.
fn before(change: &Change) -> Option<String> {
    let older = Profile::all().rfind(|profile| profile.minor() < change.since)?;
    Some(older.switches().get(change.switch).to_string())
}

/// `alpha 1.6, beta 1.13, GA 1.18, removed 1.20`.
fn stages(gate: &Gate) -> String {
    let mut texts: Vec<String> = gate
        .stages
        .iter()
        .map(|(since, stage)| format!("{} 1.{since}", stage_word(*stage)))
        .collect();
    texts.extend(gate.gone.map(|since| format!("removed 1.{since}")));
    texts.join(", ")
}

fn stage_word(stage: Stage) -> &'static str {
    match stage {
        Stage::Alpha => "alpha",
        Stage::Beta => "beta",
        Stage::Ga => "GA",
    }
}

/// A gate in a version, and with which version it became so.
fn stage_in(gate: &Gate, profile: Profile) -> String {
    match (gate.stage(profile), gate.gone) {
        (Ok((_, Stage::Alpha)), _) => "alpha (off)".to_owned(),
        (Ok((_, Stage::Beta)), _) => "beta (on)".to_owned(),
        (Ok((_, Stage::Ga)), _) => "GA (locked on)".to_owned(),
        (Err(_), Some(gone)) if gone <= profile.minor() => "removed".to_owned(),
        (Err(_), _) => "-".to_owned(),
    }
}

fn differences(here: Profile, there: Profile) -> Vec<Difference> {
    let mut found = Vec::new();
    for (switch, before, after) in here.switches().differences(there.switches()) {
        let changes = here.changes_between(there, switch);
        let mut texts: Vec<String> = changes.iter().map(|change| since(change)).collect();
        texts.dedup();
        found.push(Difference {
            minor: changes.first().map_or(0, |change| change.since),
            what: switch.name().to_owned(),
            here: before.to_string(),
            there: after.to_string(),
            since: texts.join(", "),
            source: sources(&changes),
        });
    }
    let (older, newer) = (here.min(there), here.max(there));
    let between = |minor: u32| older.minor() < minor && minor <= newer.minor();
    let grace = |profile: Profile| profile.node_monitor_grace_period().to_string();
    if grace(here) != grace(there) {
        let changed = Profile::all().find(|profile| grace(*profile) == grace(newer));
        found.push(Difference {
            minor: changed.map_or(0, Profile::minor),
            what: GRACE_PERIOD.to_owned(),
            here: grace(here),
            there: grace(there),
            since: changed.map(|profile| profile.to_string()).unwrap_or_default(),
            source: Profile::GRACE_PERIOD_SOURCE.to_owned(),
        });
    }
    for gate in &GATES {
        let moves = gate.stages.iter().map(|(since, _)| *since).chain(gate.gone);
        let moves: Vec<u32> = moves.filter(|since| between(*since)).collect();
        if let Some(first) = moves.first() {
            let moves: Vec<String> = moves.iter().map(|since| format!("1.{since}")).collect();
            found.push(Difference {
                minor: *first,
                what: format!("gate {}", gate.name),
                here: stage_in(gate, here),
                there: stage_in(gate, there),
                since: moves.join(", "),
                source: gate.source.to_owned(),
            });
        }
    }
    found.sort_by_key(|one| one.minor);
    found
}

/// What changed from one version to the other, as a table.
pub fn profile_changes(here: Profile, there: Profile) -> Vec<u8> {
    let found = differences(here, there);
    let mut out = Vec::new();
    if found.is_empty() {
        let text = match here == there {
            true => format!("Kubernetes {here} is one behaviour profile.\n"),
            false => format!("Nothing changed from Kubernetes {here} to {there}.\n"),
        };
        return text.into_bytes();
    }
    let headers = ["WHAT", here.name(), there.name(), "SINCE", "SOURCE"];
    let mut columns = Columns::new(&headers, false, 0);
    for one in &found {
        push(&mut columns, [&one.what, &one.here, &one.there, &one.since, &one.source], &mut out);
    }
    columns.finish(&mut out);
    if found.iter().any(|one| one.since.contains('?')) {
        out.extend_from_slice(format!("{UNSURE}\n").as_bytes());
    }
    out
}

/// All profiles as JSON, every version by itself. Keys are always there and in this order.
pub fn profiles_json() -> Vec<u8> {
    let mut out = header("Profiles");
    let all: Vec<Profile> = Profile::all().collect();
    push_list(&mut out, "profiles", &all, |out, profile| {
        push_field(out, "{\"version\":", profile.name());
        let period = profile.node_monitor_grace_period().millis() / 1_000;
        let text = format!(
            ",\"recorded\":{},\"nodeMonitorGracePeriodSeconds\":{period},\"switches\":",
            profile.is_recorded()
        );
        out.extend_from_slice(text.as_bytes());
        for (index, switch) in Switch::ALL.into_iter().enumerate() {
            out.push(if index > 0 { b',' } else { b'{' });
            push_json_string(out, switch.name());
            push_field(out, ":", &profile.switches().get(switch).to_string());
        }
        out.extend_from_slice(b"},\"new\":[");
        for (index, change) in profile.changes().enumerate() {
            out.extend_from_slice(if index > 0 { b"," } else { b"" });
            push_change(out, change);
        }
        out.extend_from_slice(b"]}");
    });
    push_list(&mut out, "gates", &GATES, |out, gate| {
        push_field(out, "{\"gate\":", gate.name);
        out.extend_from_slice(b",\"stages\":[");
        for (index, (since, stage)) in gate.stages.iter().enumerate() {
            out.extend_from_slice(if index > 0 { b"," } else { b"" });
            push_field(out, "{\"since\":", &format!("1.{since}"));
            push_field(out, ",\"stage\":", stage_word(*stage));
            out.push(b'}');
        }
        out.extend_from_slice(b"],\"removedIn\":");
        match gate.gone {
            Some(since) => push_json_string(out, &format!("1.{since}")),
            None => out.extend_from_slice(b"null"),
        }
        push_field(out, ",\"does\":", gate.does);
        push_field(out, ",\"source\":", gate.source);
        out.push(b'}');
    });
    out.extend_from_slice(b"\n}\n");
    out
}

/// What changed from one version to the other, as JSON.
pub fn profile_changes_json(here: Profile, there: Profile) -> Vec<u8> {
    let mut out = header("ProfileChanges");
    push_field(&mut out, ",\n\"from\":", here.name());
    push_field(&mut out, ",\n\"to\":", there.name());
    push_list(&mut out, "changes", &differences(here, there), |out, one| {
        push_field(out, "{\"what\":", &one.what);
        push_field(out, ",\"from\":", &one.here);
        push_field(out, ",\"to\":", &one.there);
        push_field(out, ",\"since\":", &one.since.replace('?', ""));
        let text = format!(",\"sure\":{}", !one.since.contains('?'));
        out.extend_from_slice(text.as_bytes());
        push_field(out, ",\"source\":", &one.source);
        out.push(b'}');
    });
    out.extend_from_slice(b"\n}\n");
    out
}

fn header(kind: &str) -> Vec<u8> {
    let version = env!("CARGO_PKG_VERSION");
    let text = format!("{{\n\"kind\":\"{kind}\",\n\"format\":1,\n\"version\":\"{version}\"");
    text.into_bytes()
}

/// A change of a switch as a JSON object.
pub(super) fn push_change(out: &mut Vec<u8>, change: &Change) {
    push_field(out, "{\"switch\":", change.switch.name());
    push_field(out, ",\"from\":", &before(change).unwrap_or_default());
    push_field(out, ",\"to\":", &change.to.to_string());
    push_field(out, ",\"since\":", &format!("1.{}", change.since));
    out.extend_from_slice(format!(",\"sure\":{}", change.sure).as_bytes());
    push_field(out, ",\"source\":", change.source);
    out.push(b'}');
}
