//! `docs/timeline.md` against the records of scenarios.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::{page, quoted, rows, scenarios, section, stdout};

type Fields = BTreeSet<String>;

/// The fields of each kind of record that the scenarios have at this level.
fn seen(detail: &str) -> BTreeMap<String, Fields> {
    let mut kinds: BTreeMap<String, Fields> = BTreeMap::new();
    for path in scenarios() {
        let path = path.to_str().unwrap();
        for line in stdout(&["replay", path, "--detail", detail, "-o", "jsonl"]).lines() {
            let Value::Object(record) = serde_json::from_str(line).unwrap() else {
                panic!("no object: {line}");
            };
            let kind = record["kind"].as_str().unwrap().to_owned();
            kinds.entry(kind).or_default().extend(record.keys().cloned());
        }
    }
    kinds
}

fn words<'t>(texts: impl Iterator<Item = &'t str>) -> Fields {
    texts.map(str::to_owned).collect()
}

/// The first words in backticks of a section's rows.
fn first_column(page: &str, heading: &str) -> Fields {
    words(rows(section(page, heading)).iter().flat_map(|row| quoted(row[0])))
}

/// The kinds of the page, each with its level and its own fields.
fn documented(page: &str) -> BTreeMap<String, (String, Fields)> {
    let mut kinds = BTreeMap::new();
    for row in rows(section(page, "## Kinds")) {
        let &[names, level, _, ref own @ ..] = row.as_slice() else { panic!("{row:?}") };
        for kind in quoted(names) {
            let own = words(own.iter().flat_map(|cell| quoted(cell)));
            kinds.insert(kind.to_owned(), (level.to_owned(), own));
        }
    }
    kinds
}

#[test]
fn every_record_is_in_the_tables_and_nothing_else_is() {
    let page = page("docs/timeline.md");
    let common = first_column(&page, "## What every record has");
    let mut seen = seen("trace");
    seen.remove("Timeline");
    seen.remove("Summary");
    let own: BTreeMap<String, Fields> = seen
        .into_iter()
        .map(|(kind, fields)| (kind, fields.difference(&common).cloned().collect()))
        .collect();
    let told: BTreeMap<String, Fields> =
        documented(&page).into_iter().map(|(kind, (_, fields))| (kind, fields)).collect();
    assert_eq!(told, own);

    let used: Fields = own.into_values().flatten().collect();
    assert_eq!(first_column(&page, "## Fields"), used);
}

#[test]
fn every_kind_has_its_level() {
    let documented = documented(&page("docs/timeline.md"));
    let mut levels = vec!["summary"];
    for next in ["controller", "trace"] {
        let told: Fields = documented
            .iter()
            .filter(|(_, (level, _))| levels.contains(&level.as_str()))
            .map(|(kind, _)| kind.clone())
            .collect();
        let mut kinds: Fields = seen(levels.last().unwrap()).into_keys().collect();
        kinds.remove("Timeline");
        kinds.remove("Summary");
        assert_eq!(told, kinds, "{levels:?}");
        levels.push(next);
    }
}

#[test]
fn the_first_line_and_the_summary_have_the_documented_keys() {
    let page = page("docs/timeline.md");
    let seen = seen("summary");
    assert_eq!(first_column(&page, "## Shape"), seen["Timeline"]);
    assert_eq!(first_column(&page, "## The Summary"), seen["Summary"]);

    let one = stdout(&["replay", crate::language::EXAMPLE, "-o", "json"]);
    let Value::Object(document) = serde_json::from_str(&one).unwrap() else { panic!("{one}") };
    let mut keys: Fields = document.keys().cloned().collect();
    assert!(keys.remove("records") && keys.remove("summary"), "{keys:?}");
    assert_eq!(keys, seen["Timeline"]);
}

/// The words of a table are those of the page, or kinds.
#[test]
fn the_words_of_the_table_are_explained() {
    let page = page("docs/timeline.md");
    let mut told = first_column(&page, "## The words of the table");
    told.extend(documented(&page).into_keys());
    for path in scenarios() {
        let table = stdout(&["replay", path.to_str().unwrap()]);
        let mut lines = table.lines().skip_while(|line| !line.starts_with("TIME"));
        let Some(column) = lines.next().and_then(|header| header.find("WHAT")) else { continue };
        for line in lines.take_while(|line| !line.is_empty()) {
            let word = line[column..].split(' ').next().unwrap();
            assert!(told.contains(word), "`{word}` is not explained: {line}");
        }
    }
}
