//! Runs the program on the scenarios beside these tests.

use std::path::PathBuf;

use assert_cmd::Command;

/// The program, in the folder of the scenarios.
pub fn taintsim(arguments: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("taintsim"));
    command.current_dir(folder()).args(arguments);
    command
}

/// Where the scenarios are.
pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cli/scenarios")
}

/// What it prints on stdout, with exit code 0.
pub fn stdout(arguments: &[&str]) -> String {
    let output = taintsim(arguments).assert().success().get_output().clone();
    String::from_utf8(output.stdout).unwrap()
}

/// Its exit code, stdout and stderr.
pub fn ran(arguments: &[&str]) -> (i32, String, String) {
    let output = taintsim(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}
