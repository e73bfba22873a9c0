//! `taintsim test --junit`: the report, and how it is written.

use crate::support::{ran, taintsim};

/// The report of these paths, and the exit code.
fn report(paths: &[&str]) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.xml");
    let arguments = [&["test", "--junit", path.to_str().unwrap()], paths].concat();
    let (code, out, err) = ran(&arguments);
    let plain = ran(&[&["test"], paths].concat());
    assert_eq!((code, out, err), plain, "the report changes nothing else");
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 1, "nothing temporary is left");
    (code, std::fs::read_to_string(path).unwrap())
}

#[test]
fn a_report_has_each_expectation_and_each_failure() {
    let (code, xml) = report(&["."]);
    assert_eq!(code, 1);
    insta::assert_snapshot!("junit", xml);
    assert_eq!(report(&["."]).1, xml);
}

/// Tags nest, counts are those of what is inside, and nothing tells a time.
#[test]
fn the_report_has_the_shape_that_viewers_read() {
    let (code, xml) = report(&["maintenance.yaml", "wrong.yaml", "unchecked.yaml", "compose.yml"]);
    assert_eq!(code, 2);
    let text = xml.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").unwrap();
    let mut open: Vec<&str> = Vec::new();
    for tag in text.split('<').skip(1) {
        let (tag, after) = tag.split_once('>').unwrap();
        assert!(!after.contains(['"', '>']), "{after}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
            continue;
        }
        let name = tag.split([' ', '/']).next().unwrap();
        let parent = match name {
            "testsuites" => None,
            "testsuite" => Some("testsuites"),
            "testcase" => Some("testsuite"),
            "failure" | "error" | "skipped" => Some("testcase"),
            other => panic!("{other} is not of JUnit"),
        };
        assert_eq!(open.last().copied(), parent, "{tag}");
        if name == "testcase" {
            assert!(tag.contains(" name=\"") && tag.contains(" classname=\""), "{tag}");
        }
        assert!(
            !tag.contains(" time=") && !tag.contains(" timestamp=") && !tag.contains("uuid"),
            "{tag}"
        );
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    let count = |tag: &str| text.matches(&format!("<{tag} ")).count();
    let totals = format!(
        "<testsuites name=\"taintsim\" tests=\"{}\" skipped=\"{}\" failures=\"{}\" errors=\"{}\">",
        count("testcase"),
        count("skipped"),
        count("failure"),
        count("error")
    );
    assert!(text.starts_with(&totals), "{totals}\n{text}");
    assert_eq!((count("testsuite"), count("error")), (4, 1));
}

#[test]
fn a_report_needs_a_place_of_its_own() {
    let cases = [
        ("-", "--junit wants a file"),
        ("maintenance.yaml", "maintenance.yaml is read for this run; an output would overwrite it"),
        ("no/such/report.xml", "there is no directory no/such"),
        (".", ". is a directory"),
    ];
    for (path, told) in cases {
        let (code, out, err) = ran(&["test", "maintenance.yaml", "--junit", path]);
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        assert!(err.contains(told), "{path}: {err}");
    }
}

#[test]
fn text_of_a_scenario_cannot_break_out_of_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let scenario = folder.path().join("s.yaml");
    let text = "apiVersion: taintsim.dev/v1alpha1\nkind: Scenario\nspec:\n  \
                pods: [{name: p}]\n  \
                expect: [{pod: p, survives: false, because: \"]]></failure>\\e[2J\\u0001&\\uFFFE\"}]\n";
    std::fs::write(&scenario, text).unwrap();
    let (code, xml) = report(&[scenario.to_str().unwrap()]);
    assert_eq!(code, 1, "{xml}");
    let escaped = r"]]&gt;&lt;/failure&gt;\u{1b}[2J\u{1}&amp;\u{fffe}";
    assert_eq!(xml.matches(escaped).count(), 2, "{xml}");
}

/// The status is the answer, whether or not somebody reads the output.
#[test]
fn a_closed_pipe_does_not_change_the_answer() {
    let answers = [
        (&["test", "maintenance.yaml"][..], 0),
        (&["test", "wrong.yaml", "maintenance.yaml"], 1),
        (&["test", "compose.yml"], 2),
        (&["replay", "maintenance.yaml", "--check"], 0),
        (&["replay", "maintenance.yaml", "-o", "jsonl"], 0),
        (&["validate", "maintenance.yaml", "compose.yml"], 2),
    ];
    for (arguments, code) in answers {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = std::process::Command::new(taintsim(&[]).get_program());
        command.current_dir(crate::support::folder()).args(arguments).stdout(writer);
        let output = command.stderr(std::process::Stdio::piped()).output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
        assert!(!String::from_utf8_lossy(&output.stderr).contains("ipe"), "{output:?}");
    }
}

/// A name that is no text works, and is shown with its bytes.
#[cfg(target_os = "linux")]
#[test]
fn file_names_need_not_be_text() {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    let folder = tempfile::tempdir().unwrap();
    let name = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
    let scenario = name(b"caf\xe9\x1b[2J.yaml");
    let shown = r"caf\xe9\u{1b}[2J.yaml";
    let source = crate::support::folder().join("maintenance.yaml");
    std::fs::copy(source, folder.path().join(&scenario)).unwrap();
    let run = |arguments: &[&OsString]| {
        let mut command = taintsim(&[]);
        let output = command.current_dir(folder.path()).args(arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    };
    let word = |text: &str| OsString::from(text);
    let (code, out, _) = run(&[&word("test"), &scenario]);
    assert_eq!(code, 0);
    assert!(out.starts_with(&format!("PASS  {shown} (3 expectations)\n")), "{out}");
    let (code, out, _) = run(&[&word("validate"), &scenario]);
    assert!(code == 0 && out.starts_with(&format!("{shown}: ok (")), "{out}");
    let output = name(b"jsonl=out\xff.jsonl");
    let (code, _, err) = run(&[&word("replay"), &word("-f"), &scenario, &word("-o"), &output]);
    assert!(code == 0, "{err}");
    assert!(folder.path().join(name(b"out\xff.jsonl")).is_file());
    let absent = name(b"no\xff.yaml");
    for command in ["replay", "test", "validate"] {
        let (code, out, err) = run(&[&word(command), &absent]);
        assert_eq!(code, 2);
        assert!((out + &err).contains(r"no\xff.yaml"), "{err}");
    }
}

const HEAD: &str = "apiVersion: taintsim.dev/v1alpha1\nkind: Scenario\n";

/// Also of a scenario that is broken elsewhere: what it reads is somebody's, all the same.
#[test]
fn a_report_takes_the_place_of_nothing_that_a_scenario_reads() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let manifest = "kind: Node\nmetadata: {name: n}\n";
    std::fs::write(path("nodes"), manifest).unwrap();
    for spec in [
        "spec: {manifests: [nodes]}\n",
        "spec: {steps: [{at: 1s, kubectl: apply -f nodes}]}\n",
        "spec: {manifests: [nodes], nodez: []}\n",
    ] {
        std::fs::write(path("s.yaml"), format!("{HEAD}{spec}")).unwrap();
        let (code, _, err) = ran(&["test", &path("s.yaml"), "--junit", &path("nodes")]);
        assert_eq!(code, 2, "{spec}: {err}");
        assert!(err.contains("nodes is read for this run; an output would overwrite it"), "{err}");
        assert_eq!(std::fs::read_to_string(path("nodes")).unwrap(), manifest, "{spec}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left");
    }
}

/// One run that is stopped at a limit is a failure of its file, and the others are tested.
#[test]
fn a_stopped_run_fails_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let many = "spec: {nodes: [{name: n}], pods: [{name: 'p-{1..50}', nodeName: n}]}\n";
    std::fs::write(path("a.yaml"), format!("{HEAD}{many}")).unwrap();
    std::fs::write(path("b.yaml"), format!("{HEAD}spec: {{expect: [{{evictions: 0}}]}}\n"))
        .unwrap();
    let (code, out, err) =
        ran(&["test", &path(""), "--max-events", "20", "--junit", &path("report.xml")]);
    assert_eq!((code, err.as_str()), (2, ""), "{out}");
    let out = out.replace(&path(""), "");
    let expected = "FAIL  a.yaml\n  the run was stopped after 20 events, at 0s of its time: end it \
                    earlier with `until` in its spec, or raise the limit with --max-events N\n\
                    PASS  b.yaml (1 expectation)\n\
                    1 passed, 1 failed (1 stopped at a limit), 0 unchecked, 0 skipped\n";
    assert_eq!(out, expected);
    let xml = std::fs::read_to_string(path("report.xml")).unwrap();
    assert!(xml.contains("<error ") && xml.contains("stopped after 20 events"), "{xml}");
}
