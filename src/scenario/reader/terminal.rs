//! Lines of the terminal in a dump: what kubectl says on stderr is in the same file where the two
//! were merged (`2>&1`), and prompts where the text was copied from a window. Some of these lines
//! are YAML by chance, as a key and its value.

use std::borrow::Cow;

use super::to_u32;
use crate::scenario::diagnostic::{Diagnostic, Diagnostics};
use crate::scenario::tree::Place;

/// What a line is that is no part of a dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Line {
    Error,
    Warning,
    Prompt,
    /// What Markdown puts around code.
    Fence,
    /// What a command says that has changed something.
    Done,
    /// Before the brace with which JSON begins.
    BeforeJson,
}

/// How the errors of kubectl begin, and of the client library in it.
const ERRORS: [&str; 6] = [
    "error: ",
    "Error: ",
    "Error from server",
    "Unable to connect to the server",
    "The connection to the server ",
    "couldn't get ",
];

/// How the other things begin that kubectl says on stderr.
const WARNINGS: [&str; 6] = [
    "Warning: ",
    "Flag --",
    "No resources found",
    "See 'kubectl",
    "Unable to use a TTY",
    "Use \"kubectl",
];

/// How lines end with which kubectl tells what it changed: `node/node-0 tainted`.
const DONE: [&str; 15] = [
    "annotated",
    "applied",
    "configured",
    "cordoned",
    "created",
    "deleted",
    "drained",
    "edited",
    "evicted",
    "labeled",
    "patched",
    "tainted",
    "unchanged",
    "uncordoned",
    "untainted",
];

/// How many lines may stand before the brace of JSON.
const BEFORE_JSON: usize = 20;

/// Tells the lines of `text` that are the terminal's, one of each sort, and gives the text with
/// blanks in their place: all other places stay.
pub(super) fn take_out<'t>(text: &'t str, source: u16, found: &mut Diagnostics) -> Cow<'t, str> {
    let json_from = json_after_noise(text);
    let mut lines: Vec<(Line, Place, usize)> = Vec::new();
    let mut start = 0;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let written = line.trim_end();
        let is_before = json_from.is_some_and(|from| start < from) && !written.is_empty();
        let kind = kind(written).or(is_before.then_some(Line::BeforeJson));
        if let Some(kind) = kind {
            let end = start + written.len();
            lines.push((kind, Place { source, start: to_u32(start), end: to_u32(end) }, number));
        }
        start += line.len();
    }
    if lines.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut rest = text.to_owned();
    for (_, place, _) in &lines {
        let range = place.start as usize..place.end as usize;
        rest.replace_range(range.clone(), &" ".repeat(range.len()));
    }
    let is_alone = rest.trim().is_empty();
    let format = if rest.trim_start().starts_with('{') { "json" } else { "yaml" };
    for kind in
        [Line::Error, Line::Warning, Line::Prompt, Line::Fence, Line::Done, Line::BeforeJson]
    {
        let mut same = lines.iter().filter(|(other, ..)| *other == kind);
        if let Some((_, place, _)) = same.next() {
            let others: Vec<usize> = same.map(|(.., number)| *number).collect();
            found.push(mistake(kind, *place, &others, is_alone, format));
        }
    }
    Cow::Owned(rest)
}

fn kind(line: &str) -> Option<Line> {
    let begins = |known: &[&str]| known.iter().any(|start| line.starts_with(start));
    if is_prompt(line) {
        return Some(Line::Prompt);
    }
    if line.starts_with("```") {
        return Some(Line::Fence);
    }
    // Most lines of a dump are indented.
    if line.starts_with([' ', '-', '#', '"', '{', '}', '[', ']']) || line.is_empty() {
        return None;
    }
    match logged(line) {
        Some(b'E' | b'F') => return Some(Line::Error),
        Some(_) => return Some(Line::Warning),
        None => {}
    }
    if begins(&ERRORS) {
        return Some(Line::Error);
    }
    if begins(&WARNINGS) {
        return Some(Line::Warning);
    }
    if is_done(line) {
        return Some(Line::Done);
    }
    None
}

/// Whether a line begins as shells ask for a command, with or without one behind it.
fn is_prompt(line: &str) -> bool {
    // The blank that some themes put first, and `(venv) `.
    let line = line.strip_prefix(' ').unwrap_or(line);
    let line = match line.strip_prefix('(').and_then(|rest| rest.split_once(") ")) {
        Some((_, rest)) => rest,
        None => line,
    };
    let first = line.split_whitespace().next().unwrap_or("");
    if matches!(first, "❯" | "➜" | "λ" | "$" | "%") && !line.starts_with(' ') {
        return true;
    }
    if line.starts_with([' ', '-', '#', '"', '{', '}', ']', '\'']) {
        return false;
    }
    // What stands before the sign, which a blank or nothing follows.
    let before = |sign: &str| {
        let end = line.find(&format!("{sign} ")).map(|at| &line[..at]);
        let before = end.or_else(|| line.strip_suffix(sign))?;
        (!before.contains(": ")).then_some(before)
    };
    if before("❯").is_some_and(|before| before.ends_with(' ')) {
        return true;
    }
    if let Some(before) = before(">") {
        let is_drive = before.get(1..3) == Some(":\\");
        if is_drive
            || before.starts_with("PS ")
            || line[before.len() + 1..].starts_with(" kubectl ")
        {
            return true;
        }
    }
    ["$", "#", "%"].iter().any(|sign| {
        let Some(before) = before(sign) else { return false };
        let is_bracketed = before.starts_with('[') && before.ends_with(']');
        let is_version = before.contains('-') && before.ends_with(|c: char| c.is_ascii_digit());
        let is_shell = ["sh-", "bash-"].iter().any(|shell| before.starts_with(shell)) && is_version;
        let user =
            if line.starts_with('[') { "" } else { first.split_once('@').map_or("", |u| u.0) };
        let is_user =
            !user.is_empty() && user.chars().all(|c| c.is_alphanumeric() || "._-".contains(c));
        let is_path = before.starts_with(['~', '/']) && !before.trim_end().contains(' ');
        let is_command = line[before.len() + 1..].starts_with(" kubectl ");
        is_bracketed && before.contains('@') || is_shell || is_user || is_path || is_command
    })
}

/// `node/node-0 tainted`, `pod "web-0" deleted from shop namespace`.
fn is_done(line: &str) -> bool {
    let mut words = line.split(' ');
    let (first, second) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    let is_kind = |kind: &str| {
        !kind.is_empty()
            && kind.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '.')
    };
    match first.split_once('/') {
        Some((kind, name)) => {
            let is_name = !name.is_empty() && !name.ends_with(':');
            is_kind(kind) && is_name && (DONE.contains(&second) || second == "already")
        }
        None => {
            let is_quoted = second.len() > 2 && second.starts_with('"') && second.ends_with('"');
            is_kind(first) && is_quoted && words.any(|word| DONE.contains(&word))
        }
    }
}

/// The level of a line of klog: `W1130 08:00:00.000000 …`.
fn logged(line: &str) -> Option<u8> {
    let bytes = line.as_bytes();
    let level = *bytes.first().filter(|level| b"IWEF".contains(level))?;
    let digits = |range: std::ops::Range<usize>| {
        bytes.get(range).is_some_and(|part| part.iter().all(u8::is_ascii_digit))
    };
    let is_time = digits(1..5) && digits(6..8) && digits(9..11);
    (is_time && bytes[5] == b' ' && bytes[8] == b':').then_some(level)
}

/// Where JSON begins as kubectl writes it, after lines that are something else.
fn json_after_noise(text: &str) -> Option<usize> {
    if text.trim_start().starts_with(['{', '[']) {
        return None;
    }
    let mut start = 0;
    let mut lines = text.split_inclusive('\n').take(BEFORE_JSON).peekable();
    while let Some(line) = lines.next() {
        // A YAML stream may hold JSON.
        if line.starts_with(['-', '%', '#', ' ']) {
            return None;
        }
        let next = lines.peek().map_or("", |next| next.trim_start());
        if line.trim_end() == "{" && next.starts_with("\"apiVersion\"") {
            return Some(start);
        }
        start += line.len();
    }
    None
}

fn mistake(kind: Line, place: Place, others: &[usize], is_alone: bool, format: &str) -> Diagnostic {
    let remove = if others.is_empty() { "remove it" } else { "remove them" };
    let take = format!("`kubectl get nodes,pods -A -o {format} 2>errors.txt >dump.{format}`");
    let (what, help) = match kind {
        Line::Error if is_alone => (
            "an error of kubectl, and there is no object beside it",
            format!("mend what it says, and take the dump again: {take}"),
        ),
        Line::Error => (
            "an error of kubectl and no part of the dump, which may lack what it could not get",
            format!(
                "mend what it says, and take the dump again: {take}; with no error in errors.txt \
                 it is whole"
            ),
        ),
        Line::Warning if is_alone => (
            "a message of kubectl, and there is no object beside it",
            format!("take the dump with {take}"),
        ),
        Line::Warning => (
            "a message of kubectl and no part of the dump",
            format!("{remove}: the dump does not lack anything by that; {take} keeps messages out"),
        ),
        Line::Prompt => {
            ("a prompt of the shell, and no part of what a command printed", remove.to_owned())
        }
        Line::Fence => ("a fence of Markdown, and no part of what stands in it", remove.to_owned()),
        Line::Done => (
            "what a command of kubectl says of a change, and no part of the dump",
            remove.to_owned(),
        ),
        Line::BeforeJson => {
            ("no part of the JSON below it", format!("{remove}, or take the dump with {take}"))
        }
    };
    let more = match others {
        [] => String::new(),
        [one] => format!("; so is line {one}"),
        [first, ..] => format!("; so are {} more, from line {first} on", others.len()),
    };
    Diagnostic::new(place, format!("this line is {what}{more}")).help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_terminal_are_known_and_no_others() {
        for (line, expected) in [
            ("Error from server (Forbidden): pods is forbidden", Line::Error),
            ("error: You must be logged in to the server (Unauthorized)", Line::Error),
            ("Unable to connect to the server: dial tcp: no such host", Line::Error),
            ("The connection to the server h:1 was refused - right port?", Line::Error),
            ("E1130 08:00:00.000000   12345 memcache.go:265] couldn't get", Line::Error),
            ("W1130 08:00:00.000000   12345 warnings.go:70] v1 is deprecated", Line::Warning),
            ("Warning: v1 ComponentStatus is deprecated in v1.19+", Line::Warning),
            ("No resources found in default namespace.", Line::Warning),
            ("$ kubectl get nodes,pods -A -o yaml", Line::Prompt),
            ("me@host:~$ kubectl get nodes -o yaml", Line::Prompt),
            ("PS C:\\> kubectl get nodes -o yaml", Line::Prompt),
            ("$", Line::Prompt),
            ("$ kubectl get nodes", Line::Prompt),
            ("user@host:~$", Line::Prompt),
            ("user@host:~/a b$ ls", Line::Prompt),
            ("root@m1:~#", Line::Prompt),
            ("root@m1:~# cat dump.yaml", Line::Prompt),
            ("[root@m1 ~]#", Line::Prompt),
            ("[root@m1 ~]# kubectl get pods", Line::Prompt),
            ("PS C:\\>", Line::Prompt),
            ("C:\\Users\\me> dir", Line::Prompt),
            ("C:\\Users\\me>", Line::Prompt),
            ("sh-4.4$", Line::Prompt),
            ("bash-5.1# ls", Line::Prompt),
            ("➜  ~", Line::Prompt),
            ("➜  ~ git:(main) ✗ kubectl get nodes", Line::Prompt),
            ("~ ❯", Line::Prompt),
            (" ~/k8s ❯ kubectl get nodes", Line::Prompt),
            ("❯ kubectl get nodes", Line::Prompt),
            ("me@mac k8s %", Line::Prompt),
            ("(venv) me@mac k8s % ls", Line::Prompt),
            ("(base) $", Line::Prompt),
            ("%", Line::Prompt),
            ("% ls", Line::Prompt),
            ("/ #", Line::Prompt),
            ("~ $", Line::Prompt),
            ("```", Line::Fence),
            ("```yaml", Line::Fence),
            ("node/node-0 tainted", Line::Done),
            ("node/node-0 already cordoned", Line::Done),
            ("pod \"web-0\" deleted", Line::Done),
            ("pod \"web-0\" deleted from shop namespace", Line::Done),
        ] {
            assert_eq!(kind(line), Some(expected), "{line}");
        }
        for line in [
            "apiVersion: v1",
            "kind: List",
            "errors: []",
            "error:",
            "# $ kubectl get nodes",
            "  error: a",
            "- error: a",
            "E11: a",
            "node/node-0: tainted",
            "pods \"a\": deleted",
            "description: $ kubectl get nodes",
            "# root@m1:~#",
            "%YAML 1.2",
            "name: me@host # a comment",
            "me@host: x # a comment",
            "kind: List # a comment",
            "spec: # a comment",
            "[a@b, c] # a comment",
            "    $ ls",
            "---",
            "",
        ] {
            assert_eq!(kind(line), None, "{line}");
        }
    }

    #[test]
    fn the_rest_keeps_its_places() {
        let mut found = Diagnostics::default();
        let text = "Warning: ü\na: 1\nWarning: b\nnoise\n";
        assert_eq!(
            take_out(text, 0, &mut found),
            "          \na: 1\n          \nnoise\n".replacen(' ', "  ", 1)
        );
        assert_eq!(found.len(), 1, "one of each sort");
        let json = "noise\n{\n  \"apiVersion\": \"v1\"\n}\nerror: a\n";
        let rest = take_out(json, 0, &mut found);
        assert_eq!(rest, "     \n{\n  \"apiVersion\": \"v1\"\n}\n        \n");
        assert_eq!(found.len(), 3);
        for whole in ["---\n{\n\"apiVersion\": \"v1\"}", "{\n\"a\": 1}", "a: 1\n{\n\"b\": 1}"] {
            assert!(matches!(take_out(whole, 0, &mut found), Cow::Borrowed(_)), "{whole}");
        }
    }
}
