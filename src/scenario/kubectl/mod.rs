//! One kubectl command line as steps of a scenario: `taint`, `delete`, `cordon`, `uncordon`,
//! `label` and `apply -f`.
//!
//! Lines are split as a shell does and read as kubectl reads them, flags anywhere. What kubectl
//! refuses without asking the API server is a mistake of the scenario, in kubectl's words where
//! those are known; what depends on the state is left to the run. An option that would do nothing
//! here is refused, not passed over.

mod apply;
mod arguments;
mod delete;
mod label;
mod taint;
mod targets;
mod verbs;

#[cfg(test)]
mod tests;

pub use apply::ApplyFile;
pub(super) use verbs::DRAIN;

use self::arguments::Arguments;
use self::targets::node_names;
use super::diagnostic::Diagnostic;
use super::resolve::Resolver;
use super::tree::Place;
use crate::plan::{Action, StepAction};

/// The verbs that work.
const VERBS: [&str; 6] = ["taint", "delete", "cordon", "uncordon", "label", "apply"];
/// What works, for hints.
const WORKS: &str = "these work: taint nodes, delete pod, delete node, cordon, uncordon, \
                     label pods|nodes, apply -f FILE";

/// Turns what `apply -f` names into actions: reads the file, and admits and checks its objects as
/// an `apply` step does.
pub type Apply<'a> =
    &'a mut dyn FnMut(ApplyFile<'_>, &mut Resolver) -> Result<Vec<Action>, Vec<Diagnostic>>;

/// Reads one command line, which stands at `place`.
///
/// # Errors
/// What is wrong with the line whatever the state of the cluster is.
pub fn parse(
    line: &str,
    place: Place,
    resolver: &mut Resolver,
    apply: Apply<'_>,
) -> Result<Vec<StepAction>, Vec<Diagnostic>> {
    let line = line.trim();
    let actions = match words(line).and_then(|words| command(&words, place, resolver)) {
        Ok(Command::Actions(actions)) => actions,
        Ok(Command::Apply(files)) => {
            let mut actions = Vec::new();
            for (file, namespace) in &files {
                let namespace = namespace.as_deref();
                actions.extend(apply(ApplyFile { file, namespace, place }, resolver)?);
            }
            actions
        }
        Err(refusal) => return Err(vec![refusal.at(place)]),
    };
    let text = shown(line);
    let step = |action| StepAction { action, text: text.as_str().into(), kubectl: true };
    Ok(actions.into_iter().map(step).collect())
}

/// Why a line is refused; the line's place is added at the end.
#[derive(Debug)]
struct Refusal {
    message: String,
    help: Option<String>,
}

impl Refusal {
    fn new(message: impl Into<String>) -> Refusal {
        Refusal { message: message.into(), help: None }
    }

    fn help(mut self, help: impl Into<String>) -> Refusal {
        self.help = Some(help.into());
        self
    }

    /// Adds a hint where there is none yet.
    fn or_help(mut self, help: impl FnOnce() -> String) -> Refusal {
        self.help.get_or_insert_with(help);
        self
    }

    fn at(self, place: Place) -> Diagnostic {
        Diagnostic { place, message: self.message, help: self.help }
    }
}

enum Command {
    Actions(Vec<Action>),
    /// Files, each with the namespace that `-n` gives.
    Apply(Vec<(String, Option<String>)>),
}

/// How the timeline writes the line: in one line, without the leading `kubectl`.
fn shown(line: &str) -> String {
    let pieces: Vec<&str> = line.split("\\\n").map(str::trim).collect();
    let line = pieces.join(" ");
    let rest = line.strip_prefix("kubectl").filter(|rest| rest.starts_with(char::is_whitespace));
    rest.unwrap_or(&line).trim().replace('\t', " ")
}

fn words(line: &str) -> Result<Vec<String>, Refusal> {
    let words = shell_words::split(line).map_err(|_| {
        Refusal::new("a quote in this line is not closed")
            .help("write the closing quote, or take the opening one out")
    })?;
    let shell = |word: &&String| {
        matches!(word.as_str(), "|" | "||" | "&" | "&&" | ";" | ">" | ">>" | "<")
            || word.ends_with(';')
            || word.contains(['$', '`'])
    };
    if let Some(word) = words.iter().find(shell) {
        let help = match word.contains(['$', '`']) {
            true => "write the value itself: there are no variables",
            false => "write one kubectl command a step; several go into a `burst`",
        };
        return Err(Refusal::new(format!("`{word}`: no shell runs this line")).help(help));
    }
    if line.replace("\\\n", " ").contains('\n') {
        return Err(Refusal::new("more than one line")
            .help("write one kubectl command a step; several go into a `burst`"));
    }
    Ok(words)
}

fn command(words: &[String], place: Place, resolver: &mut Resolver) -> Result<Command, Refusal> {
    let words = match words.first().map(String::as_str) {
        Some("kubectl") => &words[1..],
        _ => words,
    };
    // The verb first: the flags of one that does not work are not what is wrong.
    let verb = arguments::verb_of(words);
    if let Some(verb) = verb.filter(|verb| !VERBS.contains(verb)) {
        return Err(verbs::unknown(verb, words));
    }
    let flags_help = |refusal: Refusal| match verb {
        Some(verb) => refusal.or_help(|| arguments::flags_of(verb)),
        None => refusal,
    };
    let mut arguments = Arguments::split(words).map_err(flags_help)?;
    let verb = arguments.take_verb().ok_or_else(|| Refusal::new("no command").help(WORKS))?;
    if !VERBS.contains(&verb.as_str()) {
        return Err(verbs::unknown(&verb, words));
    }
    arguments.check_flags(&verb)?;
    let actions = match verb.as_str() {
        "taint" => taint::parse(&arguments, place, resolver)?,
        "delete" => delete::parse(&arguments, place, resolver)?,
        "label" => label::parse(&arguments, place, resolver)?,
        "apply" => return Ok(Command::Apply(apply::files(&arguments)?)),
        _ => cordon(&arguments, verb == "cordon", place, resolver)?,
    };
    Ok(Command::Actions(actions))
}

/// k8s v1.36 kubectl pkg/cmd/drain: names or a selector, and not both.
fn cordon(
    arguments: &Arguments,
    unschedulable: bool,
    place: Place,
    resolver: &mut Resolver,
) -> Result<Vec<Action>, Refusal> {
    let names = node_names(arguments.positional())?;
    let nodes = match arguments.selector()? {
        Some(_) if !names.is_empty() => {
            let message = "cannot specify both a node name and a --selector option";
            return Err(Refusal::new(message).help("leave one of the two out"));
        }
        Some(selector) => resolver.node_selector(selector, place),
        None if names.is_empty() => {
            let verb = if unschedulable { "cordon" } else { "uncordon" };
            return Err(Refusal::new(format!("{verb} needs the name of a node"))
                .help(format!("write `{verb} NODE` or `{verb} -l SELECTOR`")));
        }
        None => targets::nodes(&names, place, resolver)?,
    };
    Ok(vec![Action::SetUnschedulable { nodes, unschedulable }])
}
