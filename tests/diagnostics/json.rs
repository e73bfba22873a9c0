//! `validate -o json`: the same as the text, for programs.

use assert_cmd::Command;
use serde_json::Value;

fn validate(arguments: &[&str], stdin: &str) -> (i32, String) {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("taintsim"));
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/diagnostics/cases"));
    let output = command.arg("validate").args(arguments).write_stdin(stdin).output().unwrap();
    assert!(output.stderr.is_empty(), "{:?}", String::from_utf8(output.stderr));
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn wrong_and_right_files() {
    let right = "apiVersion: taintsim.dev/v1alpha1\nkind: Scenario\nspec: {nodes: [{name: n}]}\n---\n\
                 apiVersion: v1\nkind: Service\nmetadata: {name: s}\n";
    let files = ["document/many-mistakes.yaml", "yaml/wide-characters.yaml", "-", "missing.yaml"];
    let (code, text) = validate(&[&["-o", "json"][..], &files].concat(), right);
    assert_eq!(code, 2);
    insta::with_settings!({omit_expression => true, prepend_module_to_snapshot => false}, {
        insta::assert_snapshot!("validate-json", text);
    });
    let (code, text) = validate(&["-o", "json", "-"], right);
    assert_eq!(code, 0, "{text}");
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["ok"], Value::Bool(true));
}

/// The keys of the document are those of the page, and in its order.
#[test]
fn the_page_has_every_key() {
    let page = include_str!("../../docs/diagnostics.md");
    let (_, tables) = page.split_once("## As JSON").unwrap();
    let rows = tables.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.flat_map(|row| row.split('|').nth(1).unwrap().split('`').skip(1).step_by(2));
    let documented: Vec<&str> = cells.collect();
    let (_, text) = validate(&["-o", "json", "document/kind-lower-case.yaml"], "");
    let written: Vec<&str> = text
        .split('"')
        .collect::<Vec<_>>()
        .windows(2)
        .filter(|pair| pair[1].starts_with(':'))
        .map(|pair| pair[0])
        .collect();
    assert_eq!(written, documented);
}

/// Every place can be cut out of the file with the offsets, and its line with the columns.
#[test]
fn offsets_and_columns_agree() {
    let (_, text) = validate(&["-o", "json", "."], "");
    let document: Value = serde_json::from_str(&text).unwrap();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/diagnostics/cases/");
    let mut compared = 0;
    for file in document["files"].as_array().unwrap() {
        let name = file["file"].as_str().unwrap();
        for diagnostic in file["diagnostics"].as_array().unwrap() {
            // Others are those of a manifest that the file names.
            if diagnostic["file"] != file["file"] || diagnostic["line"].is_null() {
                continue;
            }
            let whole = std::fs::read_to_string(format!("{root}{name}")).unwrap();
            let number = |key: &str| {
                let number = diagnostic[key].as_u64();
                usize::try_from(number.unwrap_or_else(|| panic!("{key} of {diagnostic}"))).unwrap()
            };
            let marked = &whole[number("startOffset")..number("endOffset")];
            let line = whole.lines().nth(number("line") - 1).unwrap_or("");
            let rest: String = line.chars().skip(number("column") - 1).collect();
            let first = marked.lines().next().unwrap_or("").trim_end();
            assert!(rest.starts_with(first), "{name}: {diagnostic}");
            let shown = diagnostic["text"].as_str().unwrap();
            let from: String = line.chars().skip(number("textColumn") - 1).collect();
            assert!(from.starts_with(shown), "{name}: {diagnostic}");
            compared += 1;
        }
    }
    assert!(compared > 600, "{compared}");
}
