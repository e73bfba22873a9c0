//! Every message of the loader is somewhere in the table: a new refusal comes with its case.

use std::fs;
use std::path::{Path, PathBuf};

/// Texts that are no messages, or that a file of the table cannot bring about.
const EXCEPTIONS: [(&str, &str); 64] = [
    ("all that is read together has more", "a limit; see tests/cli/limits.rs"),
    ("a list in brackets of more than", "a limit; see tests/cli/limits.rs"),
    ("write it with one `- ` a line, or in JSON", "a limit; see tests/cli/limits.rs"),
    ("could not find expected", "what the parser says, to be told in other words"),
    ("(and {more} more like it", "a dump of many objects; see tests/import"),
    ("something that is not modelled", "what was not kept has no message of its own"),
    ("this file is the scenario of the run", "it takes a second file; beside the loader"),
    ("leave it out there: `-f` adds", "it takes a second file; beside the loader"),
    ("label values without quotes, read", "a dump of many objects; see tests/import"),
    ("keys in another spelling than", "a dump of many objects; see tests/import"),
    ("taints twice on one node", "a dump of many objects; see tests/import"),
    ("tolerationSeconds that overflow", "a dump of many objects; see tests/import"),
    ("{what} whose {field} the API would refuse", "a dump of many objects; see tests/import"),
    ("nothing at `{path}` is modelled", "a dump of many objects; see tests/import"),
    ("remove this `--set`", "a dump of many objects; see tests/import"),
    ("spec.tolerations: Forbidden", "the store says it while the scenario runs"),
    ("the names of this line cannot be used", "it stands beside what the resolver says"),
    ("create pod {}", "a step on the timeline"),
    ("break watch on {}", "a step on the timeline"),
    ("create node {}", "a step on the timeline"),
    ("set tolerations of pod", "a step on the timeline"),
    ("touch pod {}", "a step on the timeline"),
    ("restart controller (down", "a step on the timeline"),
    ("apply node {}", "a step on the timeline"),
    ("apply pod {}", "a step on the timeline"),
    ("more errors are not shown", "see bytes.rs"),
    ("run each file by itself: `-f` adds", "it takes a second file; beside the loader"),
    ("name the file with the Scenario first", "it takes a second file; beside the loader"),
    ("a Scenario among manifests", "it takes a second file; beside the loader"),
    ("(no message)", "part of a message"),
    ("more than 2^32 uids", "an assertion"),
    (": metadata.finalizers", "the place of a message"),
    ("Taint manager: deleting due to", "a value of Kubernetes that is looked for"),
    ("is not there", "a path that is there is not told"),
    ("`[` without `]` in the path", "without the bracket there is no `=` either"),
    ("mapping values are not allowed", "words of the parser that are looked for"),
    ("simple key expect", "words of the parser that are looked for"),
    ("did not find expected", "words of the parser that are looked for"),
    ("indentation in flow construct", "words of the parser that are looked for"),
    ("indentation in quoted scalar", "words of the parser that are looked for"),
    ("quoted scalar, found unexpected end", "words of the parser that are looked for"),
    ("while parsing a quoted scalar", "words of the parser that are looked for"),
    ("misplaced bracket", "words of the parser that are looked for"),
    ("expected node content", "words of the parser that are looked for"),
    ("block sequence entries", "words of the parser that are looked for"),
    ("byte order mark", "words of the parser that are looked for"),
    ("valid YAML whitespace", "words of the parser that are looked for"),
    ("invalid indentation", "words of the parser that are looked for"),
    ("only valid inside a block", "words of the parser that are looked for"),
    ("illegal placement of", "words of the parser that are looked for"),
    ("may not precede", "words of the parser that are looked for"),
    ("trailing content", "words of the parser that are looked for"),
    ("',' or ']'", "words of the parser that are looked for"),
    ("the targets name more than", "it takes seconds; beside the loader"),
    ("use a selector or \"*\"", "it takes seconds; beside the loader"),
    ("{defaultTolerationSeconds: {enabled: $}}", "a sample, with a word in it"),
    ("{latency: {delete: $}}", "a sample, with a word in it"),
    ("recursion limit", "words of the parser that are looked for"),
    ("The connection to the server", "words of kubectl that are looked for"),
    ("couldn't get ", "words of kubectl that are looked for"),
    ("No resources found", "words of kubectl that are looked for"),
    ("See 'kubectl", "words of kubectl that are looked for"),
    ("Unable to use a TTY", "words of kubectl that are looked for"),
    ("Use \"kubectl", "words of kubectl that are looked for"),
];

fn rust_files(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, all);
        } else if !path.ends_with("tests.rs")
            && !path.components().any(|c| c.as_os_str() == "tests")
        {
            all.push(path);
        }
    }
}

/// The string literals of a source without its comments and its tests.
fn literals(source: &str) -> Vec<String> {
    let source = source.split("#[cfg(test)]").next().unwrap_or("");
    let mut found = Vec::new();
    let mut chars = source.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '/' if chars.peek() == Some(&'/') => {
                chars.by_ref().find(|c| *c == '\n');
            }
            '\'' => {
                // A character; a lifetime has no closing quote where one would be.
                let ahead: Vec<char> = chars.clone().take(3).collect();
                match ahead.as_slice() {
                    ['\\', _, '\''] => drop(chars.by_ref().take(3).count()),
                    [_, '\'', ..] => drop(chars.by_ref().take(2).count()),
                    _ => {}
                }
            }
            '"' => {
                let mut text = String::new();
                while let Some(c) = chars.next() {
                    match (c, chars.peek()) {
                        ('"', _) => break,
                        ('\\', Some('\n')) => {
                            while chars.next_if(|c| c.is_whitespace()).is_some() {}
                        }
                        ('\\', _) => text.extend(chars.next()),
                        _ => text.push(c),
                    }
                }
                found.push(text);
            }
            _ => {}
        }
    }
    found
}

/// The longest part of a message that no argument is put into, where there is one worth a look.
fn fragment(literal: &str) -> Option<String> {
    let plain = literal.replace("{{", "\u{1}").replace("}}", "\u{2}");
    let pieces = plain.split(['{', '}']).step_by(2);
    let longest = pieces.max_by_key(|piece| piece.len())?;
    let longest = longest.replace('\u{1}', "{").replace('\u{2}', "}");
    let is_sentence = longest.trim().contains(' ') && longest.len() >= 10;
    is_sentence.then_some(longest)
}

#[test]
fn every_message_is_in_the_table() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = String::new();
    for entry in fs::read_dir(root.join("tests/diagnostics/snapshots")).unwrap() {
        pages.push_str(&fs::read_to_string(entry.unwrap().path()).unwrap());
    }
    let mut files = Vec::new();
    rust_files(&root.join("src/scenario"), &mut files);
    // It writes files, and reads none.
    files.retain(|file| !file.starts_with(root.join("src/scenario/emit")));
    files.push(root.join("src/objects/validation/mod.rs"));
    files.push(root.join("src/objects/validation/name.rs"));
    // What is said about bytes and sizes is tested beside them: no file of the table could hold it.
    let beside = ["encoding.rs", "input.rs", "limits.rs", "source.rs", "load/objects.rs"];
    files
        .retain(|file| !beside.iter().any(|name| file.ends_with(Path::new("scenario").join(name))));
    files.sort();
    let mut missing = Vec::new();
    for file in files {
        for literal in literals(&fs::read_to_string(&file).unwrap()) {
            let Some(fragment) = fragment(&literal) else { continue };
            let is_excepted = EXCEPTIONS.iter().any(|(part, _)| literal.contains(part));
            if !pages.contains(&fragment) && !is_excepted {
                missing.push(format!("{}: {literal}", file.strip_prefix(root).unwrap().display()));
            }
        }
    }
    assert!(missing.is_empty(), "no case has:\n{}", missing.join("\n"));
    for (part, reason) in EXCEPTIONS {
        assert!(!pages.contains(part), "{part} is in the table, and is excepted since {reason}");
    }
}
