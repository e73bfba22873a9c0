//! The command: files, standard input, what it refuses.

use assert_cmd::Command;

const DUMP: &str = "kind: List
items:
- {kind: Node, metadata: {name: worker-1, labels: {team: 1}}, status: {nodeInfo: {kubeletVersion: v1.36.2}}}
- {kind: Node, metadata: {name: worker-2, labels: {team: 2}}, status: {nodeInfo: {kubeletVersion: v1.29.1}}}
- {kind: Node, metadata: {name: worker-3}, spec: {unschedulable: true}, status: {nodeInfo: {kubeletVersion: v1.36.0}}}
- kind: Pod
  metadata: {name: web-0, namespace: shop, finalizers: [a/b], annotations: {token: hunter2}}
  spec: {nodeName: worker-9, containers: [{name: c, env: [{name: PASSWORD, value: hunter3}]}]}
- {kind: Deployment, apiVersion: apps/v1, metadata: {name: web}}
- {kind: Secret, apiVersion: v1, metadata: {name: s}, data: {password: hunter4}}
";

fn ran(arguments: &[&str], stdin: &str) -> (i32, String, String) {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("taintsim"));
    let output = command.arg("import").args(arguments).write_stdin(stdin).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_dump_becomes_a_scenario() {
    let (code, scenario, notices) = ran(&["-"], DUMP);
    assert_eq!(code, 0, "{notices}");
    insta::assert_snapshot!("scenario", scenario);
    insta::assert_snapshot!("notices", notices);
    assert!(!format!("{scenario}{notices}").contains("hunter"));
    let (_, redacted, notices) = ran(&["-", "--redact"], DUMP);
    insta::assert_snapshot!("redacted", redacted);
    insta::assert_snapshot!("redacted-notices", notices);
}

#[test]
fn an_output_file_is_whole_or_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    std::fs::write(path("dump.yaml"), DUMP).unwrap();
    let (code, stdout, _) = ran(&[&path("dump.yaml"), "-o", &path("s.yaml")], "");
    assert_eq!((code, &*stdout), (0, ""));
    let written = std::fs::read_to_string(path("s.yaml")).unwrap();
    assert!(written.contains("\n  name: dump\n"), "{written}");
    // The second file's node counts, and both are one cluster.
    let more = "{kind: Node, metadata: {name: worker-1}, spec: {unschedulable: true}}";
    std::fs::write(path("more.yaml"), more).unwrap();
    let (_, both, notices) = ran(&[&path("dump.yaml"), &path("more.yaml")], "");
    let head = both.replace("\n#  ", "");
    assert!(head.contains("more.yaml: 4 nodes, 1 pod."), "{both}");
    assert!(notices.contains("node worker-1 (2 times)"), "{notices}");

    let (code, _, error) = ran(&[&path("s.yaml"), "--output", &path("t.yaml")], "");
    assert_eq!(code, 2);
    assert!(error.contains("it is a scenario already"), "{error}");
    assert!(!std::path::Path::new(&path("t.yaml")).exists());
    let (code, _, error) = ran(&[&path("dump.yaml"), "-o", &path("dump.yaml")], "");
    assert!(code == 2 && error.contains("an output would overwrite it"), "{error}");
}

/// As PowerShell writes it.
#[test]
fn utf_16_is_taken_with_a_notice() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dump.yaml");
    let units = "\u{feff}kind: Node\nmetadata: {name: worker-1}\n".encode_utf16();
    let bytes: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
    std::fs::write(&path, bytes).unwrap();
    for redact in [&[][..], &["--redact"]] {
        let (code, scenario, notices) = ran(&[&[path.to_str().unwrap()], redact].concat(), "");
        assert_eq!(code, 0, "{notices}");
        assert!(scenario.contains("- name: ") && notices.contains("UTF-16"), "{notices}");
    }
}

#[test]
fn what_is_no_dump_is_refused() {
    for (arguments, stdin, word) in [
        (&["-"][..], "", "the input is empty"),
        (&["-"], "error: the server said no\n", "an error of kubectl, and there is no object"),
        (
            &["-"],
            "kind: Service\n---\nkind: Service\n",
            "there is no Node and no Pod, only 2 Service",
        ),
        (&["-"], "kind: Node\nmetadata: {name: a\n", "error: "),
        (&["-", "-"], "", "stdin can be read only once"),
        (&["/nowhere/dump.yaml"], "", "no such file"),
    ] {
        let (code, stdout, stderr) = ran(arguments, stdin);
        assert_eq!((code, &*stdout), (2, ""), "{stdin}");
        assert!(stderr.contains(word), "{stderr}");
    }
}
