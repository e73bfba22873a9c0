//! The texts that were read, and where the user finds a place in them.
//!
//! A file is read once: where it is named again, its text is there already.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use super::diagnostic::Diagnostic;
use super::encoding::NotText;
use super::input::{Input, Unreadable, is_stdin, name_of};
use super::limits::Limits;
use super::tree::Place;

/// One text.
#[derive(Clone, Debug)]
struct Source {
    name: Arc<str>,
    text: Arc<String>,
    /// The first byte of each line; found when the first place is asked for.
    line_starts: OnceLock<Vec<u32>>,
}

impl Source {
    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let ends = || self.text.bytes().zip(1..).filter(|(byte, _)| *byte == b'\n');
            // Counted first: there may be millions, and no room is wasted so.
            let mut starts = Vec::with_capacity(1 + ends().count());
            starts.push(0);
            starts.extend(ends().map(|(_, next)| next));
            starts
        })
    }
}

/// All texts of one load. A [`Place`] points into one of them.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    list: Vec<Source>,
    /// What was read, as it is on disk, with its source and size.
    read: Vec<(PathBuf, u16, u64)>,
    /// Bytes of all inputs so far.
    bytes_read: u64,
    /// Values that were kept of them. Reading adds to it while it borrows the texts.
    values_kept: Arc<AtomicU64>,
    /// What the reader should know of how a text was stored.
    notices: Vec<Diagnostic>,
    /// In a box: a failed load hands its sources back, and should be small.
    limits: Box<Limits>,
}

impl Sources {
    /// No texts yet, and how much may be read.
    pub fn within(limits: Limits) -> Sources {
        Sources { limits: Box::new(limits), ..Sources::default() }
    }

    /// What holds for these texts and what is read from them.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// How many more values may be kept.
    pub(super) fn values_left(&self) -> u64 {
        self.limits.values.saturating_sub(self.values_kept.load(Ordering::Relaxed))
    }

    /// So many more were kept.
    pub(super) fn keep_values(&self, count: u64) {
        self.values_kept.fetch_add(count, Ordering::Relaxed);
    }

    /// What the reader should know of how texts were stored.
    pub fn notices(&self) -> &[Diagnostic] {
        &self.notices
    }

    /// Adds a text under the name that the user knows it by; gives its index.
    pub fn add(&mut self, name: &str, text: String) -> u16 {
        self.add_shared(name.into(), text.into())
    }

    fn add_shared(&mut self, name: Arc<str>, text: Arc<String>) -> u16 {
        // 65,535 files in one run are beyond any use; further ones would share the last index.
        let index = u16::try_from(self.list.len()).unwrap_or(u16::MAX);
        self.list.push(Source { name, text, line_starts: OnceLock::new() });
        index
    }

    /// The files that were read, `-` for standard input.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.read.iter().map(|(path, ..)| path.clone()).collect()
    }

    /// The name of a text, as the user gave it.
    pub fn name(&self, source: u16) -> &str {
        self.list.get(usize::from(source)).map_or("?", |s| &s.name)
    }

    /// The same as a shared string.
    pub fn shared_name(&self, source: u16) -> Arc<str> {
        self.list.get(usize::from(source)).map_or_else(|| "?".into(), |s| s.name.clone())
    }

    /// A text.
    pub fn text(&self, source: u16) -> &str {
        self.list.get(usize::from(source)).map_or("", |s| &s.text)
    }

    /// The text of a place.
    pub fn slice(&self, place: Place) -> &str {
        let text = self.text(place.source);
        // A reader that counts bytes may name a place inside a character.
        let start = floor(text, place.start as usize);
        &text[start..floor(text, place.end as usize).max(start)]
    }

    /// The line of a place, from 1; `None` where there is no text. Unlike the column it costs the
    /// same however long the line is.
    pub fn line(&self, place: Place) -> Option<u32> {
        let source = self.list.get(usize::from(place.source))?;
        if source.text.is_empty() {
            return None;
        }
        let start = floor(&source.text, place.start as usize);
        Some(to_u32(source.line_starts().partition_point(|first| *first as usize <= start)))
    }

    /// Line and column (in characters) of a place, both from 1; `None` where there is no text.
    pub fn line_column(&self, place: Place) -> Option<(u32, u32)> {
        let line = self.line(place)?;
        let (text, at) = self.line_text(place);
        let column = 1 + text[..at].chars().count();
        Some((line, to_u32(column)))
    }

    /// The first byte of a place, at the beginning of a character and within the text.
    pub(super) fn start(&self, place: Place) -> u32 {
        to_u32(floor(self.text(place.source), place.start as usize))
    }

    /// The line of a place without its end, and the byte in it where the place begins.
    pub(super) fn line_text(&self, place: Place) -> (&str, usize) {
        let text = self.text(place.source);
        let start = floor(text, place.start as usize);
        let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
        (&text[line_start..line_end], start - line_start)
    }

    /// Reads a file, or standard input for `-`, and adds its text.
    ///
    /// # Errors
    /// What keeps it from being read as text; the diagnostic's place is at `place`, where the file
    /// was named, or in the file itself where there is no such place.
    pub fn read(
        &mut self,
        path: impl AsRef<Path>,
        place: Option<Place>,
    ) -> Result<u16, Diagnostic> {
        let path = path.as_ref();
        let same = |known: &Path| known == path || is_stdin(known) && is_stdin(path);
        let known =
            self.read.iter().find(|(known, ..)| same(known)).map(|(_, s, size)| (*s, *size));
        let left = self.limits.input_bytes.saturating_sub(self.bytes_read);
        if let Some((source, size)) = known
            && size <= left
            && !is_stdin(path)
        {
            self.bytes_read += size;
            return Ok(source);
        }
        let read = match is_stdin(path) && known.is_some() {
            true => Err(Unreadable::once()),
            false => Input::read_within(path, left, &self.limits),
        };
        match read {
            Ok(input) => self.add_input(&input),
            Err(unreadable) => Err(self.unreadable(&name_of(path), place, unreadable)),
        }
    }

    /// Adds what was read.
    ///
    /// # Errors
    /// Why it is not text.
    pub fn add_input(&mut self, input: &Input) -> Result<u16, Diagnostic> {
        self.bytes_read = self.bytes_read.saturating_add(input.size);
        let text = match &input.content {
            Ok(text) => text,
            Err(NotText { message, help, .. }) => {
                let diagnostic = Diagnostic::new(self.empty(&input.name), message.clone());
                return Err(Diagnostic { help: help.clone(), ..diagnostic });
            }
        };
        let source = self.add_shared(input.name.clone(), text.text.clone());
        if let Some(path) = &input.path {
            self.read.push((path.clone(), source, input.size));
        }
        if text.was_utf16 {
            let place = Place { source, start: 0, end: 0 };
            let text = "this is UTF-16 text, as Windows PowerShell writes it; it is read as such";
            self.notices.push(Diagnostic::new(place, text));
        }
        Ok(source)
    }

    /// Adds what a file holds.
    ///
    /// # Errors
    /// Why it is not text.
    pub fn add_bytes(&mut self, name: &str, bytes: Vec<u8>) -> Result<u16, Diagnostic> {
        self.add_input(&Input::from_bytes(name, bytes))
    }

    /// What to say of an input that cannot be read.
    pub(super) fn unreadable(
        &mut self,
        name: &str,
        place: Option<Place>,
        why: Unreadable,
    ) -> Diagnostic {
        let place = place.unwrap_or_else(|| self.empty(name));
        let message = format!("cannot read {name}: {}", why.message);
        Diagnostic { help: why.help, ..Diagnostic::new(place, message) }
    }

    /// A place in a text that could not be read: names the file only.
    fn empty(&mut self, name: &str) -> Place {
        let source = self.add(name, String::new());
        Place { source, start: 0, end: 0 }
    }
}

/// `path` as seen from the folder of `base`, a file.
pub fn relative_to(base: Option<&Path>, path: &str) -> PathBuf {
    match base.and_then(Path::parent) {
        Some(folder) if Path::new(path).is_relative() => folder.join(path),
        _ => PathBuf::from(path),
    }
}

/// The last boundary of a character at or before `index`.
pub(super) fn floor(text: &str, index: usize) -> usize {
    let mut index = index.min(text.len());
    while !text.is_char_boundary(index) {
        index -= 1;
    }
    index
}

fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_characters() {
        let mut sources = Sources::default();
        let source = sources.add("a.yaml", "a: ü\r\nbcd: ä x\n".into());
        let at = |start| sources.line_column(Place { source, start, end: start });
        assert_eq!(at(0), Some((1, 1)));
        assert_eq!(at(3), Some((1, 4)));
        assert_eq!(at(7), Some((2, 1)));
        assert_eq!(at(15), Some((2, 8)));
        assert_eq!(at(16), Some((2, 9)), "the end of a line");
        assert_eq!(at(17), Some((3, 1)), "the end of the text");
        assert_eq!(at(99), Some((3, 1)), "beyond it");
        let empty = sources.add("b.yaml", String::new());
        assert_eq!(sources.line(Place { source: empty, start: 0, end: 0 }), None);
    }

    #[test]
    fn strips_a_byte_order_mark() {
        let mut sources = Sources::default();
        let source = sources.add_bytes("f", b"\xef\xbb\xbfa: b".to_vec()).expect("text");
        assert_eq!(sources.text(source), "a: b");
    }

    #[test]
    fn says_why_a_path_cannot_be_read() {
        let mut sources = Sources::default();
        let folder = tempfile::tempdir().expect("a folder");
        let missing = folder.path().join("missing.yaml");
        let cases = [(folder.path(), "it is a directory"), (missing.as_path(), "no such file")];
        for (path, message) in cases {
            let error = sources.read(path, None).expect_err(message);
            assert!(error.message.contains(message), "{}", error.message);
        }
    }

    #[test]
    fn a_file_is_read_once_and_counts_each_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.yaml");
        std::fs::write(&path, "a: b\n").expect("written");
        let mut sources = Sources::within(Limits { input_bytes: 12, ..Limits::default() });
        let first = sources.read(&path, None).expect("text");
        assert_eq!(sources.read(&path, None).expect("text"), first);
        assert_eq!(sources.paths(), std::slice::from_ref(&path));
        let error = sources.read(&path, None).expect_err("15 bytes");
        assert!(error.message.contains("all that is read together is larger than 12 bytes"));
        assert!(error.help.is_some_and(|help| help.contains("--max-input-size SIZE")));
    }
}
