//! What a campaign searches: which runs there are, and by what they are judged.

use crate::fuzz::examine::RuleSet;
use crate::fuzz::generate::{Limits, generate, vary};
use crate::plan::Plan;
use crate::profile::Profile;
use crate::render::printable;

/// What a campaign searches. A run is its number and this.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The seed of all runs.
    pub seed: u64,
    /// The version of Kubernetes; `None`: each run draws one.
    pub version: Option<Profile>,
    /// What judges.
    pub rules: RuleSet,
    /// The scenario that is varied; `None`: all is made up.
    pub base: Option<Base>,
}

/// A scenario that is varied.
#[derive(Clone, Debug)]
pub struct Base {
    /// What it makes.
    pub plan: Plan,
    /// The file as it was named.
    pub file: String,
    /// A digest of what is run, so that nobody goes on with another one.
    pub digest: String,
}

impl Settings {
    /// The plan of a run.
    pub fn plan(&self, run: u64) -> Plan {
        let own = self.base.as_ref().map(|base| base.plan.config.profile);
        let limits = Limits { profile: self.version.or(own), ..Limits::default() };
        match &self.base {
            Some(base) => vary(&base.plan, self.seed, run, &limits),
            None => generate(self.seed, run, &limits),
        }
    }

    /// The words of the command that searches, without what says how long.
    pub fn command(&self) -> String {
        let mut words = vec!["taintsim".to_owned(), "fuzz".to_owned()];
        if let Some(base) = &self.base {
            words.push(base.file.clone());
        }
        if let Some(version) = self.version {
            words.extend(["--kubernetes-version".to_owned(), version.to_string()]);
        }
        words.extend(["--seed".to_owned(), self.seed.to_string()]);
        if self.rules != RuleSet::usual() {
            words.extend(["--rules".to_owned(), self.rules.to_string()]);
        }
        // It stands in files and on terminals, and a file can be called anything.
        printable(&shell_words::join(words))
    }

    /// The command that runs one run again.
    pub fn command_of(&self, run: u64) -> String {
        format!("{} --run {run}", self.command())
    }

    /// Whether both search the same.
    pub fn is_same(&self, other: &Settings) -> bool {
        let digest = |settings: &Settings| settings.base.as_ref().map(|base| base.digest.clone());
        self.seed == other.seed
            && self.version == other.version
            && self.rules == other.rules
            && digest(self) == digest(other)
    }
}
