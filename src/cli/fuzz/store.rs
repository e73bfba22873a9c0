//! The folder of a campaign. The state is the truth: all else is made of it, and a file appears only
//! when it is whole. So it can be killed at any moment.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::report;
use crate::cli::status::Problem;
use crate::fuzz::campaign::{Campaign, State};
use crate::marks::Mark;
use crate::render::printable;
use crate::scenario::{emit, name_of};

const STATE: &str = "state.json";
const FINDINGS: &str = "findings";
const CORPUS: &str = "corpus";
const COVERAGE: &str = "coverage.json";
const REPORT: &str = "report.txt";
/// What is being written has this behind its name.
const UNFINISHED: &str = ".unfinished";

/// A campaign's folder.
#[derive(Debug)]
pub(super) struct Store {
    folder: PathBuf,
    /// What each file was last written with.
    written: BTreeMap<PathBuf, String>,
}

impl Store {
    /// A folder for a new campaign.
    pub(super) fn create(folder: &Path, overwrite: bool) -> Result<Store, Problem> {
        let state = folder.join(STATE);
        if state.exists() && !overwrite {
            let name = printable(&name_of(folder));
            return Err(Problem::Usage(format!(
                "{name} holds a campaign: go on with it by `taintsim fuzz resume {name}`, name \
                 another folder with --out, or begin anew with --overwrite"
            )));
        }
        let is_ours = state.exists() || is_empty(folder);
        if !is_ours {
            let name = printable(&name_of(folder));
            return Err(Problem::Usage(format!(
                "{name} has files in it that are not of a campaign; name another folder with --out"
            )));
        }
        let store = Store { folder: folder.to_owned(), written: BTreeMap::new() };
        for part in [FINDINGS, CORPUS] {
            let part = folder.join(part);
            fs::create_dir_all(&part).map_err(|error| cannot("make", &part, &error))?;
        }
        if overwrite {
            // First the state: without the others it would still be true.
            for path in [state, folder.join(COVERAGE), folder.join(REPORT)] {
                remove(&path)?;
            }
            store.remove_others(&[])?;
        }
        Ok(store)
    }

    /// The folder of a campaign, and the text of its state.
    pub(super) fn open(folder: &Path) -> Result<(Store, String), Problem> {
        let path = folder.join(STATE);
        let text = fs::read_to_string(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Problem::Usage(format!(
                "{} holds no campaign: it has no {STATE}",
                printable(&name_of(folder))
            )),
            _ => cannot("read", &path, &error),
        })?;
        Ok((Store { folder: folder.to_owned(), written: BTreeMap::new() }, text))
    }

    /// The folder as it was named.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The state, and the findings as they are now.
    pub(super) fn save(&mut self, state: &State) -> Result<(), Problem> {
        for row in state.campaign.rows() {
            let path = self.finding(&row.finding.signature.stem());
            self.write(path, &row.finding.text)?;
        }
        self.write(self.folder.join(STATE), &state.write())
    }

    /// Everything, and nothing else.
    pub(super) fn finish(&mut self, state: &State) -> Result<(), Problem> {
        for part in [FINDINGS, CORPUS] {
            let part = self.folder.join(part);
            fs::create_dir_all(&part).map_err(|error| cannot("make", &part, &error))?;
        }
        let campaign = &state.campaign;
        let mut kept: Vec<PathBuf> =
            campaign.rows().iter().map(|row| self.finding(&row.finding.signature.stem())).collect();
        for (mark, (hits, _)) in &campaign.tally.marks {
            let path = self.folder.join(CORPUS).join(format!("{}.yaml", mark.name()));
            let plan = campaign.settings.plan(hits.first);
            let header = [
                format!("{}: {}", mark.name(), mark.sentence()),
                format!(
                    "The first run that gets there: `{}`",
                    campaign.settings.command_of(hits.first)
                ),
            ];
            let text = emit::scenario(&plan, &header, &|_| Vec::new(), None);
            self.write(path.clone(), &text)?;
            kept.push(path);
        }
        self.write(self.folder.join(COVERAGE), &coverage(campaign))?;
        self.write(self.folder.join(REPORT), &report::text(campaign))?;
        self.save(state)?;
        self.remove_others(&kept)
    }

    /// Where a finding's file is.
    pub(super) fn finding(&self, stem: &str) -> PathBuf {
        self.folder.join(FINDINGS).join(format!("{stem}.yaml"))
    }

    fn write(&mut self, path: PathBuf, text: &str) -> Result<(), Problem> {
        if self.written.get(&path).is_some_and(|written| written == text) {
            return Ok(());
        }
        let mut unfinished = path.clone().into_os_string();
        unfinished.push(UNFINISHED);
        let unfinished = PathBuf::from(unfinished);
        let done = fs::write(&unfinished, text).and_then(|()| fs::rename(&unfinished, &path));
        done.map_err(|error| cannot("write", &path, &error))?;
        self.written.insert(path, text.to_owned());
        Ok(())
    }

    /// Removes scenarios of findings that are none any more, and what was being written when the
    /// program was killed.
    fn remove_others(&self, kept: &[PathBuf]) -> Result<(), Problem> {
        for part in [PathBuf::new(), FINDINGS.into(), CORPUS.into()] {
            let part_path = self.folder.join(&part);
            let entries =
                fs::read_dir(&part_path).map_err(|error| cannot("read", &part_path, &error))?;
            for entry in entries {
                let path = entry.map_err(|error| cannot("read", &part_path, &error))?.path();
                let is_unfinished = path.to_string_lossy().ends_with(UNFINISHED);
                let is_scenario = path.extension().is_some_and(|end| end == "yaml");
                let is_of_part = part != Path::new("") && is_scenario;
                if is_unfinished || is_of_part && !kept.contains(&path) {
                    remove(&path)?;
                }
            }
        }
        Ok(())
    }
}

fn is_empty(folder: &Path) -> bool {
    match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(_) => true,
    }
}

fn remove(path: &Path) -> Result<(), Problem> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(cannot("remove", path, &error))
        }
        _ => Ok(()),
    }
}

fn cannot(what: &str, path: &Path, error: &io::Error) -> Problem {
    Problem::Usage(format!("cannot {what} {}: {error}", printable(&name_of(path))))
}

/// Every mark, hit or not.
fn coverage(campaign: &Campaign) -> String {
    let marks = Mark::ALL.into_iter().map(|mark| {
        let hit = campaign.tally.marks.get(&mark);
        json!({
            "mark": mark.name(),
            "what": mark.sentence(),
            "runs": hit.map_or(0, |(hits, _)| hits.runs),
            "times": hit.map_or(0, |(_, times)| *times),
            "firstRun": hit.map(|(hits, _)| hits.first),
        })
    });
    format!("{:#}\n", json!({ "marks": marks.collect::<Vec<_>>() }))
}
