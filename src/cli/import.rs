//! `taintsim import`: makes a scenario of a dump.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::limits::LoadLimitArgs;
use super::output::{Target, is_stdout, printable_path, real_path, refuse_input};
use super::status::{self, Problem, Status};
use crate::import::{Import, ImportOptions};
use crate::render::printable;
use crate::scenario::ObjectsLoader;
use crate::scenario::input::is_stdin;

#[derive(Debug, Args)]
pub(super) struct ImportArgs {
    /// Output of `kubectl get nodes,pods -A -o yaml` (or json); several files are one cluster, of
    /// objects of one name the last counts; `-` is stdin
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Write the scenario to this file, which appears when it is whole; `-` is stdout [default: -]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace names, values and keys that may be private, the same throughout: node-1, key-1
    #[arg(long)]
    redact: bool,
    #[command(flatten)]
    limits: LoadLimitArgs,
}

/// Runs the command.
pub(super) fn run(arguments: &ImportArgs) -> Result<Status, Problem> {
    let output = arguments.output.as_ref().filter(|path| !is_stdout(path));
    if let Some(output) = output {
        if output.is_dir() {
            return Err(Problem::Usage(format!(
                "{} is a directory; write the name of a file, as in -o scenario.yaml",
                printable_path(output)
            )));
        }
        let read: Vec<PathBuf> = arguments.files.iter().map(PathBuf::from).collect();
        refuse_input(output, &read)?;
    }
    let mut loader = ObjectsLoader::new(arguments.limits.limits());
    let files = once_each(&arguments.files);
    for file in &files {
        tracing::debug!("loading {}", printable(file));
        loader.file(Path::new(file));
    }
    let loaded = loader.finish().map_err(Problem::input)?;
    let named = |file: &String| if file == "-" { "standard input".into() } else { file.clone() };
    let options = ImportOptions {
        name: files.first().map(|file| stem(file)).unwrap_or_default(),
        files: files.iter().copied().map(named).collect(),
        redact: arguments.redact,
    };
    let import = Import::new(loaded, options);
    for notice in import.notices() {
        status::notice(&notice);
    }
    let target = match output {
        Some(path) => Target::create(path)?,
        None => Target::Stdout(io::stdout()),
    };
    let mut out = BufWriter::with_capacity(1 << 16, Writer(target));
    if let Err(error) = import.write(&mut out).and_then(|()| out.flush()) {
        return Err(out.get_ref().0.problem(error));
    }
    match out.into_inner() {
        Ok(Writer(target)) => target.finish()?,
        Err(error) => return Err(Problem::from(error.into_error())),
    }
    Ok(Status::Done)
}

/// The files without those that were named before, which would count as others of their objects.
fn once_each(files: &[String]) -> Vec<&String> {
    let mut kept: Vec<(PathBuf, &String)> = Vec::new();
    for file in files {
        let real = real_path(Path::new(file));
        match kept.iter().any(|(known, _)| *known == real) && !is_stdin(Path::new(file)) {
            true => status::notice(&format!(
                "{} is named twice; it is read once",
                printable_path(Path::new(file))
            )),
            false => kept.push((real, file)),
        }
    }
    kept.into_iter().map(|(_, file)| file).collect()
}

/// The name of the scenario: that of the first file.
fn stem(file: &str) -> String {
    if file == "-" {
        return "stdin".into();
    }
    Path::new(file).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

/// A target as a writer.
struct Writer(Target<'static>);

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
