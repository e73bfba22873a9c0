//! What the program says of itself: help, completion scripts, manual pages.

use std::process::{Command, Stdio};

use crate::support::{ran, stdout};

const COMMANDS: [&str; 16] = [
    "import",
    "replay",
    "diff",
    "fuzz",
    "fuzz resume",
    "fuzz merge",
    "fuzz interleavings",
    "test",
    "validate",
    "explain",
    "schema",
    "profiles",
    "why",
    "completion",
    "man",
    "version",
];

/// The words of a command and further ones.
fn words<'w>(command: &'w str, more: &[&'w str]) -> Vec<&'w str> {
    command.split_whitespace().chain(more.iter().copied()).collect()
}

/// The commands that `--help` lists, each with those below it: `fuzz`, `fuzz resume`.
fn commands() -> Vec<String> {
    let below = |above: &str| commands_of(&stdout(&words(above, &["--help"])));
    let with_those_below = |name: String| {
        let inner: Vec<String> = below(&name).iter().map(|sub| format!("{name} {sub}")).collect();
        std::iter::once(name).chain(inner)
    };
    below("").into_iter().flat_map(with_those_below).collect()
}

/// The names that a help text lists as commands.
fn commands_of(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let lines = lines.take_while(|line| line.starts_with("  "));
    let names = lines.filter(|line| !line.starts_with("   ")).filter_map(|line| {
        let name = line.split_whitespace().next()?;
        (name != "help").then(|| name.to_owned())
    });
    names.collect()
}

/// The options that a command's help lists.
fn options(command: &str) -> Vec<String> {
    let help = stdout(&words(command, &["--help"]));
    let words = help.lines().filter(|line| line.trim_start().starts_with('-'));
    let words = words.flat_map(|line| line.split([' ', ',', '=']));
    words.filter(|word| word.starts_with("--")).map(str::to_owned).collect()
}

#[test]
fn each_help_is_as_reviewed() {
    insta::assert_snapshot!("help", stdout(&["--help"]));
    for command in COMMANDS {
        let name = format!("help-{}", command.replace(' ', "-"));
        insta::assert_snapshot!(name, stdout(&words(command, &["--help"])));
    }
}

#[test]
fn each_command_has_its_exit_statuses_and_an_example() {
    for command in commands() {
        let help = stdout(&words(&command, &["--help"]));
        assert!(help.contains("\nExit status: 0 "), "{help}");
        assert!(help.contains("\nExample"), "{help}");
        assert_eq!(help, stdout(&[&["help"], &words(&command, &[])[..]].concat()));
    }
}

#[test]
fn completion_scripts_know_commands_and_options() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&["completion", shell]);
        assert_eq!(script, stdout(&["completion", shell]));
        for command in commands() {
            for word in words(&command, &[]) {
                assert!(script.contains(word), "{shell}: {command}");
            }
            for option in options(&command) {
                // Fish has them without their dashes.
                let name = option.trim_start_matches('-');
                assert!(script.contains(name), "{shell}: {command} {option}");
            }
        }
    }
    let (code, _, err) = ran(&["completion", "tcsh"]);
    assert!(code == 2 && err.contains("bash, elvish, fish, powershell, zsh"), "{err}");
    assert!(stdout(&["completion", "zsh"]).contains("_files"), "files complete to files");
}

#[test]
fn bash_takes_its_script() {
    let script = stdout(&["completion", "bash"]);
    let Ok(mut bash) = Command::new("bash").arg("-n").stdin(Stdio::piped()).spawn() else {
        eprintln!("there is no bash; its script was not checked");
        return;
    };
    std::io::Write::write_all(&mut bash.stdin.take().unwrap(), script.as_bytes()).unwrap();
    assert!(bash.wait().unwrap().success());
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("share/man1");
    assert_eq!(stdout(&["man", "--dir", dir.to_str().unwrap()]), "");
    let page = |name: &str| std::fs::read_to_string(dir.join(name)).unwrap();
    assert_eq!(page("taintsim.1"), stdout(&["man"]));
    let commands = commands();
    assert_eq!(std::fs::read_dir(&dir).unwrap().count(), commands.len() + 1);
    for command in &commands {
        let name = command.replace(' ', "-");
        let text = page(&format!("taintsim-{name}.1"));
        assert_eq!(text, stdout(&[&["man"], &words(command, &[])[..]].concat()));
        // The third word, the date, is empty.
        let head = format!(".TH TAINTSIM-{} 1  \"taintsim ", name.to_uppercase());
        assert!(text.contains(&head), "{text}");
        for section in ["NAME", "SYNOPSIS", "OPTIONS", "EXIT STATUS", "EXAMPLES", "ENVIRONMENT"] {
            let heading = [format!("\n.SH {section}\n"), format!("\n.SH \"{section}\"\n")];
            assert!(heading.iter().any(|h| text.contains(h)), "{section}: {text}");
        }
        for option in options(command) {
            let escaped = option.replace('-', "\\-");
            assert!(text.contains(&escaped), "{command} {option}: {text}");
        }
    }
    let (code, _, err) = ran(&["man", "drain"]);
    assert!(code == 2 && err.contains("taintsim has no command `drain`; there are "), "{err}");
}

#[test]
fn explain_shows_keys_as_reviewed() {
    let mut page = String::new();
    for arguments in [
        &[][..],
        &["spec"],
        &["spec.pods[0].tolerations[*].tolerationSeconds"],
        &["spec.steps.after"],
        &["evictedBetween"],
        &["durations"],
        &["tolerations"],
        &["--recursive", "spec.steps.taint"],
    ] {
        let all = [&["explain"], arguments].concat();
        page.push_str(&format!("$ taintsim {}\n{}\n", all.join(" "), stdout(&all)));
    }
    insta::assert_snapshot!("explain", page);
    for (field, expected) in [
        (
            "pods",
            "error: `pods` is a key in several places; write one of spec.pods, \
             spec.apiServer.watchLatency.pods\n",
        ),
        ("spec.pod", "error: there is no key `pod` in `spec`; did you mean `spec.pods`?\n"),
        ("labels", "error: `labels` is a key in several places; write one of"),
    ] {
        let (status, _, told) = ran(&["explain", field]);
        assert_eq!(status, 2, "{field}");
        assert!(told.starts_with(expected), "{told}");
    }
}
