//! `taintsim man`: the manual pages, made of the same texts as `--help`.
//!
//! A page has no date, so that the same version gives the same bytes. What stands behind the
//! options of a help text becomes sections of its own: exit status, examples, and notes.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory, ValueHint};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use super::args::Cli;
use super::output::{Target, printable_path};
use super::status::{Problem, Status};

#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// The command whose page is printed; without it, that of taintsim
    #[arg(value_name = "COMMAND", conflicts_with = "dir")]
    command: Vec<String>,
    /// Write the pages of taintsim and of all commands into this directory
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    dir: Option<PathBuf>,
}

/// Runs the command.
pub(super) fn run(arguments: &ManArgs) -> Result<Status, Problem> {
    let mut root = Cli::command().disable_help_subcommand(true);
    root.build();
    match &arguments.dir {
        Some(folder) => {
            if folder.exists() && !folder.is_dir() {
                let text = format!(
                    "{} is a file; --dir wants a directory, as in --dir man",
                    printable_path(folder)
                );
                return Err(Problem::Usage(text));
            }
            let cannot = |error| {
                let folder = printable_path(folder);
                Problem::Usage(format!("cannot make the directory {folder}: {error}"))
            };
            fs::create_dir_all(folder).map_err(cannot)?;
            write_pages(&root, None, folder)?;
        }
        None => {
            let (command, above) = find(&root, &arguments.command)?;
            io::stdout().write_all(&page(command, above)?)?;
        }
    }
    Ok(Status::Done)
}

/// The command of these words, with the one that it belongs to.
fn find<'c>(
    root: &'c clap::Command,
    words: &[String],
) -> Result<(&'c clap::Command, Option<&'c clap::Command>), Problem> {
    let (mut command, mut above) = (root, None);
    for word in words {
        if !command.has_subcommands() {
            let name = name(command).replace('-', " ");
            let own = name.trim_start_matches("taintsim ");
            let text = format!("a page is that of one command; write `taintsim man {own}`");
            return Err(Problem::Usage(text));
        }
        if word == "help" {
            let text = "`help` has no page; write `taintsim man` for that of taintsim, or \
                        `taintsim man COMMAND`";
            return Err(Problem::Usage(text.into()));
        }
        let Some(sub) = command.find_subcommand(word) else {
            let shown = command.get_subcommands().filter(|sub| !sub.is_hide_set());
            let known: Vec<&str> = shown.map(clap::Command::get_name).collect();
            return Err(Problem::Usage(format!(
                "{} has no command `{word}`; there are {}",
                name(command).replace('-', " "),
                known.join(", ")
            )));
        };
        (command, above) = (sub, Some(command));
    }
    Ok((command, above))
}

fn write_pages(
    command: &clap::Command,
    above: Option<&clap::Command>,
    folder: &Path,
) -> Result<(), Problem> {
    let mut target = Target::create(&folder.join(format!("{}.1", name(command))))?;
    let written = target.write_all(&page(command, above)?);
    written.map_err(|error| target.problem(error))?;
    target.finish()?;
    let mut shown = command.get_subcommands().filter(|sub| !sub.is_hide_set());
    shown.try_for_each(|sub| write_pages(sub, Some(command), folder))
}

/// `taintsim-replay`.
fn name(command: &clap::Command) -> &str {
    command.get_display_name().unwrap_or(command.get_name())
}

fn page(command: &clap::Command, above: Option<&clap::Command>) -> io::Result<Vec<u8>> {
    let man = Man::new(command.clone())
        .title(name(command).to_uppercase())
        .source(concat!("taintsim ", env!("CARGO_PKG_VERSION")))
        .manual("taintsim");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    let mut roff = Roff::new();
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    for paragraph in after.split("\n\n") {
        push_paragraph(&mut roff, paragraph);
    }
    roff.control("SH", ["ENVIRONMENT"]);
    roff.control("TP", []);
    roff.text([bold("NO_COLOR")]);
    roff.text([roman("Set to anything, it turns colour off where --color is auto.")]);
    let below = command.get_subcommands().filter(|sub| !sub.is_hide_set());
    let others: Vec<String> = above.into_iter().chain(below).map(|c| name(c).to_owned()).collect();
    if !others.is_empty() {
        roff.control("SH", ["SEE ALSO"]);
        roff.text([roman(others.join("(1), ") + "(1)")]);
    }
    roff.to_writer(&mut page)?;
    Ok(page)
}

/// A paragraph of a help text as a section.
fn push_paragraph(roff: &mut Roff, paragraph: &str) {
    if let Some(statuses) = paragraph.strip_prefix("Exit status: ") {
        roff.control("SH", ["EXIT STATUS"]);
        for status in statuses.trim_end_matches('.').split("; ") {
            let (number, meaning) = status.split_once(' ').unwrap_or((status, ""));
            roff.control("TP", []);
            roff.text([bold(number)]);
            roff.text([roman(meaning)]);
        }
        return;
    }
    let (head, lines) = paragraph.split_once('\n').unwrap_or((paragraph, ""));
    if !head.starts_with("Example") {
        roff.control("SH", ["NOTES"]);
        roff.text([roman(paragraph)]);
        return;
    }
    roff.control("SH", ["EXAMPLES"]);
    if let Some((_, what)) = head.trim_end_matches(':').split_once(", ") {
        let mut what = what.to_owned();
        if let Some(first) = what.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        roff.text([roman(what + ":")]);
    }
    roff.control("PP", []);
    roff.control("nf", []);
    for line in lines.lines() {
        roff.text([roman(line)]);
    }
    roff.control("fi", []);
}
