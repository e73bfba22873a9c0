//! Where output goes: stdout, or a file that appears under its name only when it is whole.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use clap_lex::OsStrExt;
use tempfile::NamedTempFile;

use super::status::Problem;
use crate::render::{
    COLUMNS_DEFAULT, Expect, Gantt, Html, Json, Jsonl, Mermaid, Perfetto, Render, Svg, Table, Wide,
    printable,
};
use crate::scenario::input::is_stdin;
use crate::scenario::name_of;
use crate::timeline::Detail;

/// A format of `-o`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Table,
    Wide,
    Jsonl,
    Json,
    Expect,
    Html,
    Svg,
    Gantt,
    Mermaid,
    Perfetto,
}

impl Format {
    const ALL: [(&'static str, Format); 10] = [
        ("table", Format::Table),
        ("wide", Format::Wide),
        ("jsonl", Format::Jsonl),
        ("json", Format::Json),
        ("expect", Format::Expect),
        ("html", Format::Html),
        ("svg", Format::Svg),
        ("gantt", Format::Gantt),
        ("mermaid", Format::Mermaid),
        ("perfetto", Format::Perfetto),
    ];

    pub(super) fn renderer(self, styled: bool, columns: usize) -> Box<dyn Render> {
        match self {
            Format::Table => Box::new(Table::new(styled)),
            Format::Wide => Box::new(Wide::new(styled)),
            Format::Jsonl => Box::new(Jsonl::default()),
            Format::Json => Box::new(Json::default()),
            Format::Expect => Box::new(Expect),
            Format::Html => Box::new(Html::default()),
            Format::Svg => Box::new(Svg::default()),
            Format::Gantt => Box::new(Gantt::new(styled, columns)),
            Format::Mermaid => Box::new(Mermaid::default()),
            Format::Perfetto => Box::new(Perfetto::default()),
        }
    }

    /// The level of detail that it is made of: most show what was asked for.
    pub(super) fn detail(self, asked: Detail) -> Detail {
        match self {
            Format::Table | Format::Wide | Format::Jsonl | Format::Json | Format::Expect => asked,
            Format::Svg | Format::Gantt | Format::Mermaid => Detail::Summary,
            // The page replays the queues and the workers.
            Format::Html => Detail::Controller,
            Format::Perfetto => Detail::Trace,
        }
    }

    /// More text after it would spoil it.
    pub(super) fn is_for_machines(self) -> bool {
        !matches!(self, Format::Table | Format::Wide | Format::Gantt | Format::Expect)
    }
}

/// `FORMAT[=FILE]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OutputArg {
    pub(super) format: Format,
    pub(super) file: Option<PathBuf>,
}

impl OutputArg {
    /// As the user writes it; a file's name can be anything.
    pub(super) fn parse(text: &OsStr) -> Result<OutputArg, String> {
        let (format, file) = format_and_file(text, &Format::ALL)?;
        Ok(OutputArg { format, file })
    }
}

/// Reads `FORMAT[=FILE]` with one of these formats; no file is stdout.
pub(super) fn format_and_file<F: Copy>(
    text: &OsStr,
    formats: &[(&str, F)],
) -> Result<(F, Option<PathBuf>), String> {
    let (name, file) = match text.split_once("=") {
        Some((name, file)) => (name, Some(PathBuf::from(file))),
        None => (text, None),
    };
    let name = name.to_string_lossy();
    if file.as_ref().is_some_and(|file| file.as_os_str().is_empty()) {
        return Err(format!("`{name}=` names no file after the `=`"));
    }
    match formats.iter().find(|(known, _)| *known == name) {
        Some((_, format)) => Ok((*format, file.filter(|file| !is_stdout(file)))),
        None => {
            let known: Vec<&str> = formats.iter().map(|(known, _)| *known).collect();
            Err(format!("no format `{name}`; there are {}", known.join(", ")))
        }
    }
}

/// The columns of stdout: a terminal's own, or as many as most have room for.
pub(super) fn stdout_columns() -> usize {
    let size = terminal_size::terminal_size_of(io::stdout());
    size.map_or(COLUMNS_DEFAULT, |(width, _)| usize::from(width.0))
}

/// Writes an answer's text to stdout. Where nobody reads it any more nothing is wrong, and the
/// command goes on: its exit status is part of the answer.
pub(super) fn print(text: impl AsRef<[u8]>) -> Result<(), Problem> {
    match io::stdout().write_all(text.as_ref()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

/// Whether the path of an output means stdout.
pub(super) fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// A path as it can be shown on a terminal.
pub(super) fn printable_path(path: &Path) -> String {
    printable(&name_of(path))
}

/// Where one output goes.
pub(super) enum Target<'w> {
    Stdout(io::Stdout),
    /// What stands beside the answer; it matters to nobody whether somebody reads it.
    Stderr(io::Stderr),
    /// A device or a pipe: written as it is.
    Special {
        file: File,
        /// As the user wrote the path.
        given: PathBuf,
    },
    /// Renamed to its path when it is whole.
    Unfinished {
        file: NamedTempFile,
        real: PathBuf,
        /// As the user wrote the path.
        given: PathBuf,
    },
    /// Somebody of ours: a digest, a comparison.
    Writer(&'w mut dyn Write),
}

impl Target<'_> {
    /// The target of `-o FORMAT=FILE`.
    pub(super) fn create(path: &Path) -> Result<Target<'static>, Problem> {
        let cannot = |error: io::Error| cannot_write(path, &error);
        // A link is kept: what it points to is replaced.
        let real = real_path(path);
        let mut permissions = None;
        match real.metadata() {
            Ok(data) if data.is_dir() => {
                return Err(Problem::Usage(format!("{} is a directory", name_of(path))));
            }
            Ok(data) if !data.is_file() => {
                let file = File::options().write(true).open(&real).map_err(cannot)?;
                return Ok(Target::Special { file, given: path.to_owned() });
            }
            Ok(data) => permissions = Some(data.permissions()),
            Err(_) => {}
        }
        let folder = match real.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        if !folder.is_dir() {
            let folder = name_of(path.parent().unwrap_or(folder));
            let path = name_of(path);
            return Err(Problem::Usage(format!(
                "cannot write {path}: there is no directory {folder}"
            )));
        }
        let file = temporary(folder).map_err(cannot)?;
        remember(file.path());
        if let Some(permissions) = permissions {
            // Before anything is in it: who could not read the old file cannot read this one.
            file.as_file().set_permissions(permissions).map_err(cannot)?;
        }
        Ok(Target::Unfinished { file, real, given: path.to_owned() })
    }

    pub(super) fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Target::Stdout(stdout) => stdout.write_all(bytes),
            Target::Stderr(stderr) => stderr.write_all(bytes),
            Target::Special { file, .. } => file.write_all(bytes),
            Target::Unfinished { file, .. } => file.as_file_mut().write_all(bytes),
            Target::Writer(writer) => writer.write_all(bytes),
        }
    }

    /// Makes the output whole: flushed, and under its name.
    pub(super) fn finish(self) -> Result<(), Problem> {
        match self {
            Target::Stdout(mut stdout) => Ok(stdout.flush()?),
            Target::Stderr(_) => Ok(()),
            Target::Special { mut file, .. } => Ok(file.flush()?),
            Target::Writer(writer) => Ok(writer.flush()?),
            Target::Unfinished { file, real, given } => {
                let temporary = file.path().to_owned();
                file.persist(&real).map_err(|error| cannot_write(&given, &error.error))?;
                forget(&temporary);
                Ok(())
            }
        }
    }

    /// What to tell of a failed write.
    pub(super) fn problem(&self, error: io::Error) -> Problem {
        match self {
            Target::Special { .. } if error.kind() == io::ErrorKind::BrokenPipe => {
                Problem::ClosedPipe
            }
            Target::Unfinished { given, .. } | Target::Special { given, .. } => {
                cannot_write(given, &error)
            }
            _ => Problem::from(error),
        }
    }
}

/// The path that a file has, or will have, whatever links and dots lead to it.
pub(super) fn real_path(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    // As many links in a row as a kernel follows.
    for _ in 0..40 {
        if path.metadata().is_ok() {
            break;
        }
        let Ok(target) = path.read_link() else { break };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    match (folder.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}

/// Refuses an output that would take the place of one of the files `read`, `-` for stdin.
pub(super) fn refuse_input(output: &Path, read: &[PathBuf]) -> Result<(), Problem> {
    let real = real_path(output);
    let is_output = |input: &&PathBuf| match is_stdin(input) {
        true => is_open_as_stdin(&real),
        false => real_path(input) == real,
    };
    match read.iter().find(is_output) {
        Some(input) if real.is_file() => {
            let name = name_of(output);
            let how = if is_stdin(input) { " as stdin" } else { "" };
            let text = format!("{name} is read for this run{how}; an output would overwrite it");
            Err(Problem::Usage(text))
        }
        _ => Ok(()),
    }
}

/// Whether `… < path` is how this program was started.
#[cfg(unix)]
fn is_open_as_stdin(path: &Path) -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    let opened = io::stdin().as_fd().try_clone_to_owned().map(File::from);
    match (opened.and_then(|file| file.metadata()), path.metadata()) {
        (Ok(stdin), Ok(file)) => (stdin.dev(), stdin.ino()) == (file.dev(), file.ino()),
        _ => false,
    }
}

/// What stdin was opened from cannot be asked here.
#[cfg(not(unix))]
fn is_open_as_stdin(_: &Path) -> bool {
    false
}

/// The reason without the name of a temporary file, which the user does not know.
fn cannot_write(path: &Path, error: &io::Error) -> Problem {
    let path = name_of(path);
    match error.raw_os_error() {
        Some(_) => Problem::Usage(format!("cannot write {path}: {error}")),
        None => Problem::Usage(format!("cannot write {path}: {}", error.kind())),
    }
}

fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".taintsim-").suffix(".unfinished");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any new file: the umask takes off what it takes off.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Temporary files that are not whole yet.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn remember(path: &Path) {
    if let Ok(mut paths) = UNFINISHED.lock() {
        paths.push(path.to_owned());
    }
}

fn forget(path: &Path) {
    if let Ok(mut paths) = UNFINISHED.lock() {
        paths.retain(|known| known != path);
    }
}

/// Ctrl-C, SIGTERM and SIGHUP leave no half-written file behind, and exit with 130.
pub(super) fn remove_unfinished() {
    if let Ok(paths) = UNFINISHED.lock() {
        for path in paths.iter() {
            let _ = std::fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_read_as_written() {
        let parse = |text: &str| OutputArg::parse(OsStr::new(text));
        let file = |format, file: &str| OutputArg { format, file: Some(file.into()) };
        assert_eq!(parse("wide"), Ok(OutputArg { format: Format::Wide, file: None }));
        assert_eq!(parse("jsonl=-"), Ok(OutputArg { format: Format::Jsonl, file: None }));
        assert_eq!(parse("jsonl=./-"), Ok(file(Format::Jsonl, "./-")));
        assert_eq!(parse("jsonl=a=b.jsonl"), Ok(file(Format::Jsonl, "a=b.jsonl")));
        for bad in ["", "yaml", "json=", "JSON", "=x"] {
            let refused = parse(bad);
            assert!(refused.is_err(), "{bad}: {refused:?}");
        }
    }

    #[test]
    fn a_file_appears_only_when_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.jsonl");
        let listed = || std::fs::read_dir(folder.path()).unwrap().count();
        let mut dropped = Target::create(&path).unwrap();
        dropped.write_all(b"half").unwrap();
        assert!(!path.exists());
        drop(dropped);
        assert_eq!(listed(), 0);

        std::fs::write(&path, "old").unwrap();
        let mut target = Target::create(&path).unwrap();
        target.write_all(b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        target.finish().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(listed(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_modes_are_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        symlink("real.jsonl", path("link.jsonl")).unwrap();
        symlink("link.jsonl", path("second.jsonl")).unwrap();
        assert_eq!(real_path(&path("second.jsonl")), real_path(&path("./real.jsonl")));
        for content in ["dangling", "there"] {
            let mut target = Target::create(&path("second.jsonl")).unwrap();
            target.write_all(content.as_bytes()).unwrap();
            target.finish().unwrap();
            assert!(path("second.jsonl").is_symlink() && path("link.jsonl").is_symlink());
            assert_eq!(std::fs::read_to_string(path("real.jsonl")).unwrap(), content);
        }
        for mode in [0o600, 0o640, 0o664] {
            let permissions = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(path("real.jsonl"), permissions).unwrap();
            Target::create(&path("link.jsonl")).unwrap().finish().unwrap();
            let now = path("real.jsonl").metadata().unwrap().permissions().mode();
            assert_eq!(now & 0o777, mode, "{now:o}");
        }
    }

    #[test]
    fn an_error_names_the_path_that_the_user_gave() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("no/x.jsonl");
        let Err(Problem::Usage(text)) = Target::create(&missing) else { panic!("created") };
        let expected = format!(
            "cannot write {}: there is no directory {}",
            missing.display(),
            folder.path().join("no").display()
        );
        assert_eq!(text, expected);
        // As tempfile wraps what went wrong: with a path of its own.
        let wrapped = io::Error::new(io::ErrorKind::PermissionDenied, "denied at \"/.tmp\"");
        let Problem::Usage(text) = cannot_write(Path::new("x"), &wrapped) else { panic!("other") };
        assert_eq!(text, "cannot write x: permission denied");
    }
}
