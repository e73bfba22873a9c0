//! The files of the table. The first line of a YAML file may hold a command line's part:
//! `# args: --set spec.seed=x`.

use std::fs;
use std::path::{Path, PathBuf};

use taintsim::scenario::{self, Failure, LoadOptions, Loaded};

/// A file with a mistake in it.
pub struct Case {
    path: PathBuf,
    text: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics/cases")
}

/// The folders of `cases`, in the order of their names.
pub fn topics() -> Vec<String> {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut topics: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
    topics.sort();
    topics
}

impl Case {
    /// The cases of one folder, in the order of their names.
    pub fn all_of(topic: &str) -> Vec<Case> {
        let entries = fs::read_dir(folder().join(topic)).unwrap();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        let is_case = |path: &PathBuf| {
            path.extension().is_some_and(|extension| extension == "yaml" || extension == "json")
        };
        paths.retain(is_case);
        paths.sort();
        let read = |path: PathBuf| Case { text: fs::read_to_string(&path).unwrap(), path };
        paths.into_iter().map(read).collect()
    }

    fn name(&self) -> String {
        self.path.file_name().unwrap().to_str().unwrap().to_owned()
    }

    /// The file's name and its arguments.
    pub fn heading(&self) -> String {
        let arguments = self.arguments().map(|text| format!("  {text}")).unwrap_or_default();
        format!("──── {}{arguments}", self.name())
    }

    fn arguments(&self) -> Option<&str> {
        self.text.lines().next()?.strip_prefix("# args: ")
    }

    fn options(&self) -> LoadOptions {
        let mut options = LoadOptions::default();
        let mut words = shell_words::split(self.arguments().unwrap_or("")).unwrap().into_iter();
        while let Some(option) = words.next() {
            let value = words.next().unwrap();
            match option.as_str() {
                "--set" => options.overrides.push(value),
                "--step" => options.extra_steps.push(value),
                "--kubernetes-version" => options.kubernetes_version = Some(value),
                other => panic!("{}: no option {other}", self.path.display()),
            }
        }
        options
    }

    /// Its text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The same case with another text.
    pub fn with_text(&self, text: String) -> Case {
        Case { path: self.path.clone(), text }
    }

    /// What the library makes of it.
    pub fn load(&self) -> Result<Loaded, Failure> {
        scenario::load_text(&self.name(), self.text.as_str(), Some(&self.path), &self.options())
    }

    /// What the user is told.
    pub fn told(&self) -> String {
        let told = match self.load() {
            Err(failure) => failure.render(),
            Ok(loaded) => {
                let notices = loaded.notices.iter();
                let lines = notices.map(|notice| format!("notice: {}\n", notice.one_line()));
                format!("accepted\n{}", lines.collect::<String>())
            }
        };
        let root = folder().display().to_string();
        told.replace(&root, "CASES")
    }
}
