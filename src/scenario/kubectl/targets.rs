//! Resources and names of objects in a line.

use super::Refusal;
use super::arguments::Arguments;
use crate::objects::validation;
use crate::plan::{NodeTarget, PodTarget};
use crate::scenario::limits::Limits;
use crate::scenario::range::Pattern;
use crate::scenario::resolve::Resolver;
use crate::scenario::source::Sources;
use crate::scenario::suggest::name_help;
use crate::scenario::tree::Place;

/// What a line acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Resource {
    Nodes,
    Pods,
}

impl Resource {
    /// Reads a resource by its name, its plural or its short form.
    pub(super) fn parse(text: &str) -> Result<Resource, Refusal> {
        match text.to_ascii_lowercase().as_str() {
            "node" | "nodes" | "no" => Ok(Resource::Nodes),
            "pod" | "pods" | "po" => Ok(Resource::Pods),
            _ if text.contains(',') => {
                Err(Refusal::new(format!("`{text}` is more than one kind of object"))
                    .help("write one command for each kind; several go into a `burst`"))
            }
            _ => Err(Refusal::new(format!("`{text}` is neither pods nor nodes"))
                .help("only pods and nodes are simulated")),
        }
    }
}

/// Words that name objects of one resource: `RESOURCE NAME...` or `RESOURCE/NAME...`. Without
/// names, the resource comes alone.
pub(super) fn resource_and_names(words: &[String]) -> Result<Vec<(Resource, Vec<&str>)>, Refusal> {
    let Some(first) = words.first() else {
        return Err(Refusal::new("You must provide one or more resources")
            .help("write the kind and the names, such as `pod web-0` or `node/node-0`"));
    };
    if !first.contains('/') {
        let resource = Resource::parse(first)?;
        if let Some(name) = words[1..].iter().find(|name| name.contains('/')) {
            return Err(Refusal::new(format!(
                "`{name}`: there is no need to specify a resource type as a separate argument \
                 when passing arguments in resource/name form"
            ))
            .help(in_two_words(name)));
        }
        return Ok(vec![(resource, words[1..].iter().map(String::as_str).collect())]);
    }
    let mut groups: Vec<(Resource, Vec<&str>)> = Vec::new();
    for word in words {
        let parts: Vec<&str> = word.split('/').collect();
        let &[resource, name] = parts.as_slice() else {
            return Err(Refusal::new(format!(
                "arguments in resource/name form must have a single resource and name, but \
                 `{word}` is not of that form"
            ))
            .help(in_two_words(word)));
        };
        let resource = Resource::parse(resource)?;
        match groups.last_mut() {
            Some((last, names)) if *last == resource => names.push(name),
            _ => groups.push((resource, vec![name])),
        }
    }
    Ok(groups)
}

/// `pod/web-0`, or `shop/web-0` and `pod/shop/web-0`, which kubectl does not know, as it is written.
fn in_two_words(word: &str) -> String {
    let mut parts = word.rsplit('/');
    let (name, before) = (parts.next().unwrap_or(word), parts.next().unwrap_or(""));
    match Resource::parse(before) {
        Ok(_) => format!("write `{word}` alone, or `{before} {name}`"),
        Err(_) => format!("write the namespace as a flag: `pod {name} -n {before}`"),
    }
}

/// Names of nodes where no resource is named: `NAME` or `node/NAME`.
pub(super) fn node_names(words: &[String]) -> Result<Vec<&str>, Refusal> {
    if let [first, rest @ ..] = words
        && matches!(&**first, "node" | "nodes" | "no")
        && !rest.is_empty()
    {
        let message = format!("`{first}` is no node: all that follows are names of nodes");
        return Err(Refusal::new(message).help(format!("leave `{first}` out")));
    }
    let mut names = Vec::new();
    for word in words {
        match word.split_once('/') {
            None => names.push(word.as_str()),
            Some((resource, name)) if Resource::parse(resource)? == Resource::Nodes => {
                names.push(name);
            }
            Some(_) => {
                let refusal = Refusal::new(format!("`{word}` is no node"));
                return Err(refusal.help("write the name of a node: only nodes are cordoned"));
            }
        }
    }
    Ok(names)
}

/// The nodes of these names and ranges.
pub(super) fn nodes(
    names: &[&str],
    place: Place,
    resolver: &mut Resolver,
) -> Result<NodeTarget, Refusal> {
    let limits = resolver.sources.limits();
    check_names(names, "node", limits, |name| {
        let known = resolver.names.find_node(name).is_some();
        if known { None } else { validation::node_name(name).into_iter().next() }
    })?;
    let named: Vec<_> =
        names.iter().map(|name| (*name, word_place(name, place, &resolver.sources))).collect();
    resolver.node_target(&named).ok_or_else(too_many_names)
}

/// The pods of these names and ranges in one namespace.
pub(super) fn pods(
    names: &[&str],
    namespace: &str,
    place: Place,
    resolver: &mut Resolver,
) -> Result<PodTarget, Refusal> {
    let limits = resolver.sources.limits();
    check_names(names, "pod", limits, |name| validation::pod_name(name).into_iter().next())?;
    let named: Vec<_> =
        names.iter().map(|name| (*name, word_place(name, place, &resolver.sources))).collect();
    resolver.in_commands.extend(named.iter().map(|(_, place)| (*place, named.len() == 1)));
    resolver.pod_target(namespace, &named).ok_or_else(too_many_names)
}

/// Where a word stands in the line at `place`; the whole line where it is not found as it is.
fn word_place(word: &str, place: Place, sources: &Sources) -> Place {
    let line = sources.slice(place);
    let ends = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || "/'\"".contains(c));
    let found = line.match_indices(word).find(|(start, _)| {
        let (before, from) = line.split_at(*start);
        ends(before.chars().next_back()) && ends(from[word.len()..].chars().next())
    });
    let to_u32 = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
    found.map_or(place, |(start, _)| {
        let start = place.start + to_u32(start);
        Place { start, end: start + to_u32(word.len()), ..place }
    })
}

/// What the resolver itself refuses is noted there already; this stands beside it.
fn too_many_names() -> Refusal {
    Refusal::new("the names of this line cannot be used")
}

fn check_names(
    names: &[&str],
    what: &str,
    limits: &Limits,
    problem: impl Fn(&str) -> Option<String>,
) -> Result<(), Refusal> {
    for text in names {
        if text.contains('*') {
            return Err(Refusal::new(format!("`{text}` is no name of a {what}"))
                .help("kubectl knows no wildcards; use `--all`, `-l` or a range"));
        }
        let pattern = Pattern::parse(text, limits).map_err(Refusal::new)?;
        let mut wrong = None;
        pattern.for_each(|name| {
            if wrong.is_none() {
                wrong = problem(name);
            }
        });
        if let Some(problem) = wrong {
            let refusal = Refusal::new(format!("the name of a {what} {problem}"));
            return Err(refusal.help(name_help(what, text, text)));
        }
    }
    Ok(())
}

/// The nodes that a line with names, `-l` or `--all` means; `None` if it has none of these.
pub(super) fn chosen_nodes(
    arguments: &Arguments,
    names: &[&str],
    place: Place,
    resolver: &mut Resolver,
) -> Result<Option<NodeTarget>, Refusal> {
    refuse_namespace_of_nodes(arguments)?;
    if let Some(selector) = chosen_selector(arguments, names)? {
        return Ok(Some(resolver.node_selector(selector, place)));
    }
    if names.is_empty() { Ok(None) } else { nodes(names, place, resolver).map(Some) }
}

/// The pods that a line with names, `-l` or `--all` means; `None` if it has none of these.
pub(super) fn chosen_pods(
    arguments: &Arguments,
    names: &[&str],
    place: Place,
    resolver: &mut Resolver,
) -> Result<Option<PodTarget>, Refusal> {
    let everywhere = arguments.switch("all-namespaces")?;
    let namespace = arguments.namespace()?.unwrap_or("default");
    if let Some(selector) = chosen_selector(arguments, names)? {
        let namespace = (!everywhere).then_some(namespace);
        return Ok(Some(resolver.pod_selector(namespace, selector, place)));
    }
    if names.is_empty() {
        return Ok(None);
    }
    if everywhere {
        let refusal = Refusal::new("a resource cannot be retrieved by name across all namespaces");
        return Err(refusal.help("write `-n NAMESPACE` in place of `-A`"));
    }
    pods(names, namespace, place, resolver).map(Some)
}

/// `-l`, or the empty selector for `--all`.
fn chosen_selector(
    arguments: &Arguments,
    names: &[&str],
) -> Result<Option<crate::objects::Selector>, Refusal> {
    let all = arguments.switch("all")?;
    let selector = arguments.selector()?;
    if all && selector.is_some() {
        let refusal = Refusal::new("cannot set --all and --selector at the same time");
        return Err(refusal.help("leave one of the two out"));
    }
    if (all || selector.is_some()) && !names.is_empty() {
        return Err(Refusal::new(
            "name cannot be provided when a selector is specified: names, `-l` and `--all` \
             exclude each other",
        )
        .help("leave the names, or the flag"));
    }
    Ok(if all { Some(crate::objects::Selector::default()) } else { selector })
}

fn refuse_namespace_of_nodes(arguments: &Arguments) -> Result<(), Refusal> {
    for flag in ["namespace", "all-namespaces"] {
        if arguments.value(flag).is_some() {
            return Err(Refusal::new(format!("`--{flag}` does nothing to nodes"))
                .help("nodes have no namespace; leave it out"));
        }
    }
    Ok(())
}
