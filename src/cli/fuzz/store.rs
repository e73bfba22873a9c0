//! The folder of a campaign. The state is the truth: all else is made of it, and a file appears only
//! when it is whole. So it can be killed at any moment.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::json;

use super::report;
use crate::cli::output::real_path;
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
    /// A folder for a new campaign. From the start it has a state, so that it can be gone on with
    /// whatever happens next.
    pub(super) fn create(folder: &Path, overwrite: bool, begun: &State) -> Result<Store, Problem> {
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
        let base = begun.campaign.settings.base.as_ref();
        if let Some(base) =
            base.filter(|base| real_path(Path::new(&base.file)).starts_with(real_path(folder)))
        {
            return Err(Problem::Usage(format!(
                "{} is in the campaign's own folder {}, which only has what the campaign makes; \
                 name another folder with --out",
                printable(&base.file),
                printable(&name_of(folder))
            )));
        }
        let mut store = Store { folder: folder.to_owned(), written: BTreeMap::new() };
        fs::create_dir_all(folder).map_err(|error| cannot("make", folder, &error))?;
        // First the state: without the others it is still true.
        store.write(state, &begun.write())?;
        store.make_folders()?;
        remove(&folder.join(COVERAGE))?;
        remove(&folder.join(REPORT))?;
        store.remove_others(&[])?;
        Ok(store)
    }

    fn make_folders(&self) -> Result<(), Problem> {
        [FINDINGS, CORPUS].iter().try_for_each(|part| {
            let part = self.folder.join(part);
            fs::create_dir_all(&part).map_err(|error| cannot("make", &part, &error))
        })
    }

    /// The folder of a campaign, and the text of its state. Nothing is written yet.
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

    /// Where the state of a folder is.
    pub(super) fn state_of(folder: &Path) -> PathBuf {
        folder.join(STATE)
    }

    /// The folder as it was named.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The state, and the findings as they are now.
    pub(super) fn save(&mut self, state: &State) -> Result<(), Problem> {
        self.make_folders()?;
        for row in state.campaign.rows() {
            let path = self.finding(&row.finding.signature.stem());
            self.write(path, &row.finding.text)?;
        }
        self.write(self.folder.join(STATE), &state.write())
    }

    /// Everything, and nothing else.
    pub(super) fn finish(&mut self, state: &State) -> Result<(), Problem> {
        self.make_folders()?;
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
        // Never through a link that somebody has put there.
        let done = match fs::remove_file(&unfinished) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => File::create_new(&unfinished).and_then(|mut file| file.write_all(text.as_bytes())),
        };
        let done = done.and_then(|()| fs::rename(&unfinished, &path));
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
                if is_unfinished || is_of_part && !kept.contains(&path) && is_ours(&path) {
                    remove(&path)?;
                }
            }
        }
        Ok(())
    }
}

/// Whether a campaign has written a scenario.
fn is_ours(path: &Path) -> bool {
    fs::read_to_string(path)
        .is_ok_and(|text| text.starts_with("# ") && text.contains("taintsim fuzz "))
}

/// Whether nothing is in it, or nothing but what is left of a state that was being written when the
/// program was killed.
fn is_empty(folder: &Path) -> bool {
    let unfinished = format!("{STATE}{UNFINISHED}");
    let is_left = |entry: io::Result<fs::DirEntry>| {
        entry.is_ok_and(|entry| entry.file_name() == unfinished.as_str())
    };
    // What cannot be read cannot be written either, and that is told then.
    fs::read_dir(folder).map_or(true, |mut entries| entries.all(is_left))
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
