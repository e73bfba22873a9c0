//! `docs/fuzzing.md`: its example and its list of what upstream knows are the program's, and the
//! files beside it can be read by who is to run them. `TAINTSIM_PAGES=write` writes the page's parts.

use std::fmt::Write;
use std::process::Command as Process;

use assert_cmd::Command;
use serde::Deserialize;
use serde_yaml::Value;
use taintsim::fuzz::examine::RuleSet;
use taintsim::fuzz::finding::KNOWN;

use crate::{page, quoted, root, rows, section};

const PAGE: &str = "docs/fuzzing.md";
const JOB: &str = "docs/fuzzing/indexed-job.yaml";
const ARRAY: &str = "docs/fuzzing/array.sh";

/// The words of the command on the first line of a block, without the program's name.
fn command(block: &str) -> Vec<String> {
    let line = block.lines().next().unwrap().strip_prefix("taintsim ").unwrap();
    line.split(' ').map(str::to_owned).collect()
}

/// The text between the fences of the block that begins so, behind a heading.
fn block(page: &str, heading: &str, language: &str) -> std::ops::Range<usize> {
    let start = page.find(&format!("\n{heading}\n")).expect(heading);
    let fence = format!("\n```{language}\n");
    let start = start + page[start..].find(&fence).expect(language) + fence.len();
    let end = start + page[start..].find("```").expect("the block ends");
    start..end
}

#[test]
fn the_page_shows_what_the_program_does() {
    let there = page(PAGE);
    let mut wanted = there.clone();
    let folder = tempfile::tempdir().unwrap();
    let words = command(&there[block(&there, "### An example", "sh")]);
    let mut run = Command::cargo_bin("taintsim").unwrap();
    let output = run.current_dir(&folder).args(words).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let printed = String::from_utf8(output.stdout).unwrap();
    let (_, named) = there.split_once("`findings/docs").unwrap();
    let named = &format!("docs{named}");
    let (name, _) = named.split_once('`').unwrap();
    let file = folder.path().join("taintsim-fuzz/findings").join(name);
    let file = std::fs::read_to_string(&file).unwrap_or_else(|_| panic!("no {name}:\n{printed}"));

    // From the end to the beginning, so that places stay.
    wanted.replace_range(block(&wanted, "### An example", "yaml"), &file);
    wanted.replace_range(block(&wanted, "### An example", "text"), &printed);
    let start = wanted.find("\n| upstream | what |\n").unwrap() + 1;
    let end = start + wanted[start..].find("\n\n").unwrap() + 1;
    wanted.replace_range(start..end, &known());
    if std::env::var("TAINTSIM_PAGES").is_ok_and(|value| value == "write") {
        std::fs::write(root().join(PAGE), &wanted).unwrap();
        return;
    }
    assert_eq!(
        there, wanted,
        "TAINTSIM_PAGES=write cargo test --test docs writes the page's parts"
    );
}

/// What upstream knows, as a table.
fn known() -> String {
    let mut table = String::from("| upstream | what |\n|---|---|\n");
    let mut told = Vec::new();
    for known in &KNOWN {
        let row = format!("| {} | {} |", known.threads, known.what);
        assert_eq!(row.matches('|').count(), 3, "{row}");
        if !told.contains(&row) {
            writeln!(table, "{row}").unwrap();
            told.push(row);
        }
    }
    table
}

#[test]
fn the_rules_that_the_page_names_are_there() {
    let page = page(PAGE);
    let table = rows(section(&page, "## A run"));
    let words = table.iter().flat_map(|row| quoted(row[0])).filter(|word| *word != "all");
    let words: Vec<&str> = words.collect();
    assert!(words.len() > 4, "{words:?}");
    let mut all = RuleSet::default();
    for word in words {
        all.extend(&RuleSet::parse([word]).unwrap());
    }
    assert_eq!(Ok(all), RuleSet::parse(["all"]));
}

/// Every file of a campaign has its row, and every row a file.
#[test]
fn the_folder_has_what_the_page_says() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["fuzz", "--runs", "250", "--fail-on", "NONE", "--out", "out"];
    let mut command = Command::cargo_bin("taintsim").unwrap();
    command.current_dir(&folder).args(words).assert().success();
    let page = page(PAGE);
    let rows = rows(section(&page, "## The folder"));
    let mut named: Vec<&str> = rows.iter().flat_map(|row| quoted(row[0])).collect();
    let mut there: Vec<String> = std::fs::read_dir(folder.path().join("out"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| match entry.path().is_dir() {
            true => format!("{}/*.yaml", entry.file_name().to_string_lossy()),
            false => entry.file_name().to_string_lossy().into_owned(),
        })
        .collect();
    named.sort_unstable();
    there.sort_unstable();
    assert_eq!(named, there);
}

/// Nobody here has run them, and each says so where nobody overlooks it.
#[test]
fn what_was_not_run_says_so() {
    for (file, system) in [(JOB, "Kubernetes"), (ARRAY, "Slurm")] {
        let text = page(file);
        let words =
            format!("# Written from the documentation of {system}; this project has not run it.");
        assert!(text.lines().take(2).any(|line| line == words), "{file}");
        assert!(page(PAGE).contains(file.strip_prefix("docs/").unwrap()), "{file}");
    }
}

#[test]
fn the_job_is_one_that_kubernetes_could_take() {
    let text = page(JOB);
    let documents: Vec<Value> = serde_yaml::Deserializer::from_str(&text)
        .map(|document| Value::deserialize(document).unwrap())
        .collect();
    let kinds: Vec<&str> = documents.iter().map(|one| one["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["PersistentVolumeClaim", "Job", "Job"]);
    let claim = &documents[0]["metadata"]["name"];
    for job in &documents[1..] {
        let pod = &job["spec"]["template"]["spec"];
        let container = &pod["containers"][0];
        assert_eq!(&pod["volumes"][0]["persistentVolumeClaim"]["claimName"], claim);
        assert_eq!(pod["volumes"][0]["name"], container["volumeMounts"][0]["name"]);
        assert_bash_reads(container["args"][0].as_str().unwrap());
        assert_commands_are_known(container["args"][0].as_str().unwrap());
    }
    let shards = documents[1]["spec"]["completions"].as_u64().unwrap();
    assert!(text.contains(&format!("--shard \"$shard/{shards}\"")), "as many shards as indexes");
}

#[test]
fn the_array_job_is_a_script() {
    let text = page(ARRAY);
    assert_bash_reads(&text);
    assert_commands_are_known(&text);
    let array = text.lines().find_map(|line| line.strip_prefix("#SBATCH --array=1-")).unwrap();
    assert!(text.contains(&format!("\nshards={array}\n")), "as many shards as tasks");
    // Slurm reads no directive behind the first command.
    let command = text.lines().position(|line| !line.starts_with('#')).unwrap();
    let last = text.lines().collect::<Vec<_>>();
    assert!(!last[command..].iter().any(|line| line.starts_with("#SBATCH")));
}

fn assert_bash_reads(script: &str) {
    match Process::new("bash").args(["-n", "-c", script]).output() {
        Ok(output) => assert!(output.status.success(), "{output:?}\n{script}"),
        Err(_) => eprintln!("there is no bash; a script was not read"),
    }
}

/// Options that the help does not have would fail far away.
fn assert_commands_are_known(script: &str) {
    let joined = script.replace("\\\n", " ");
    let mut found = 0;
    for line in joined.lines().filter(|line| !line.trim_start().starts_with('#')) {
        let Some((_, rest)) = line.split_once("taintsim fuzz") else { continue };
        found += 1;
        let sub = rest.split_whitespace().next().filter(|word| ["resume", "merge"].contains(word));
        let words: Vec<&str> = ["fuzz"].into_iter().chain(sub).chain(["--help"]).collect();
        let help = crate::stdout(&words);
        let words = rest.split([' ', '\'']).filter(|word| word.starts_with("--"));
        for option in words {
            assert!(help.contains(&format!("{option} ")) || help.contains(&format!("{option}\n")));
        }
    }
    assert!(found > 0, "{script}");
}
