//! `kubectl apply -f FILE`.

use super::Refusal;
use super::arguments::Arguments;
use crate::scenario::tree::Place;

/// A file that a line applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ApplyFile<'a> {
    /// As the line names it, relative to the scenario.
    pub file: &'a str,
    /// `-n`: where objects without a namespace go; another namespace than this is a mistake.
    pub namespace: Option<&'a str>,
    /// Where the line stands.
    pub place: Place,
}

/// The files, each with the namespace that the line gives.
pub(super) fn files(arguments: &Arguments) -> Result<Vec<(String, Option<String>)>, Refusal> {
    if let Some(extra) = arguments.positional().first() {
        return Err(Refusal::new(format!("Unexpected args: [{extra}]"))
            .help("files stand behind `-f`: apply -f FILE"));
    }
    let namespace = arguments.namespace()?.map(str::to_owned);
    let named: Vec<&str> = arguments.values("filename").flat_map(|v| v.split(',')).collect();
    if named.is_empty() {
        return Err(Refusal::new("must specify --filename").help("write `apply -f FILE`"));
    }
    if named.iter().any(|file| file.is_empty() || *file == "-") {
        return Err(Refusal::new("standard input cannot be applied; name a file"));
    }
    if let Some(url) = named.iter().find(|file| file.contains("://")) {
        return Err(Refusal::new(format!("`{url}` cannot be read; name a file on this machine")));
    }
    Ok(named.into_iter().map(|file| (file.to_owned(), namespace.clone())).collect())
}
