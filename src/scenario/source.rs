//! The texts that were read, and where the user finds a place in them. This is the one file of the
//! library that reads files and standard input.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::diagnostic::Diagnostic;
use super::tree::Place;

/// One text.
#[derive(Clone, Debug)]
struct Source {
    name: Arc<str>,
    text: String,
    /// The first byte of each line; found when the first place is asked for.
    line_starts: OnceLock<Vec<u32>>,
}

impl Source {
    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let ends = self.text.bytes().zip(1..).filter(|(byte, _)| *byte == b'\n');
            std::iter::once(0).chain(ends.map(|(_, next)| next)).collect()
        })
    }
}

/// All texts of one load. A [`Place`] points into one of them.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    list: Vec<Source>,
    /// What was read, as it is on disk.
    paths: Vec<PathBuf>,
}

impl Sources {
    /// Adds a text under the name that the user knows it by; gives its index.
    pub fn add(&mut self, name: &str, text: String) -> u16 {
        // 65,535 files in one run are beyond any use; further ones would share the last index.
        let index = u16::try_from(self.list.len()).unwrap_or(u16::MAX);
        self.list.push(Source { name: name.into(), text, line_starts: OnceLock::new() });
        index
    }

    /// The files that were read, `-` for standard input.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.paths.clone()
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
        self.text(place.source).get(place.start as usize..place.end as usize).unwrap_or("")
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
        let (name, bytes) = if path.as_os_str() == "-" {
            (String::from("<stdin>"), read_stdin())
        } else {
            (name_of(path), read_file(path))
        };
        let bytes = bytes.map_err(|message| {
            let place = place.unwrap_or_else(|| self.empty(&name));
            Diagnostic::new(place, format!("cannot read {name}: {message}"))
        })?;
        self.paths.push(path.to_owned());
        self.add_bytes(&name, bytes)
    }

    /// Adds what a file holds.
    ///
    /// # Errors
    /// Why it is not text; see [`decode`].
    pub fn add_bytes(&mut self, name: &str, bytes: Vec<u8>) -> Result<u16, Diagnostic> {
        match decode(bytes) {
            Ok(text) => Ok(self.add(name, text)),
            Err(NotText { message, help }) => {
                let diagnostic = Diagnostic::new(self.empty(name), message);
                Err(match help {
                    Some(help) => diagnostic.help(help),
                    None => diagnostic,
                })
            }
        }
    }

    /// A place in a text that could not be read: names the file only.
    fn empty(&mut self, name: &str) -> Place {
        let source = self.add(name, String::new());
        Place { source, start: 0, end: 0 }
    }
}

/// Why bytes are not text.
struct NotText {
    message: String,
    help: Option<&'static str>,
}

/// Bytes as text without a byte order mark.
fn decode(bytes: Vec<u8>) -> Result<String, NotText> {
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let help = "gunzip it first: gunzip -c FILE.gz | taintsim replay -";
        return Err(NotText { message: "this is gzip data".into(), help: Some(help) });
    }
    let utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    // Without a mark, every second byte of the first letters is zero.
    let unmarked = bytes.len() >= 4 && (bytes[..4].iter().filter(|b| **b == 0).count() == 2);
    if utf16 || unmarked {
        let help = "re-save it as UTF-8; in PowerShell: kubectl … | Out-File -Encoding utf8 FILE";
        return Err(NotText { message: "this is UTF-16 text".into(), help: Some(help) });
    }
    if u32::try_from(bytes.len()).is_err() {
        return Err(NotText { message: "larger than 4 GiB".into(), help: None });
    }
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let byte = error.as_bytes()[offset];
        NotText {
            message: format!("not valid UTF-8: byte 0x{byte:02x} at offset {offset}"),
            help: Some("re-save it as UTF-8"),
        }
    })?;
    if let Some(offset) = text.find('\0') {
        return Err(NotText { message: format!("a NUL byte at offset {offset}"), help: None });
    }
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}

fn read_stdin() -> Result<Vec<u8>, String> {
    read_all(std::io::stdin().lock())
}

/// A path as messages name it; bytes that are no text are written as `\xff`.
pub fn name_of(path: &Path) -> String {
    let mut name = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        name.push_str(chunk.valid());
        name.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    name
}

fn read_file(path: &Path) -> Result<Vec<u8>, String> {
    if std::fs::metadata(path).is_ok_and(|metadata| metadata.is_dir()) {
        return Err("it is a directory, not a file".into());
    }
    let file = std::fs::File::open(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".into(),
        std::io::ErrorKind::PermissionDenied => "permission denied".into(),
        _ => error.to_string(),
    })?;
    read_all(file)
}

/// Reads to the end, or so much that it is too much: some files (`/dev/zero`) have no end.
fn read_all(from: impl std::io::Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    from.take(u64::from(u32::MAX) + 1).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
    Ok(bytes)
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
    fn refuses_what_is_not_text() {
        let cases: [(&[u8], &str); 6] = [
            (&[0x1f, 0x8b, 8, 0], "this is gzip data"),
            (&[0xff, 0xfe, b'a', 0], "this is UTF-16 text"),
            (&[0xfe, 0xff, 0, b'a'], "this is UTF-16 text"),
            (&[0, b'a', 0, b'p'], "this is UTF-16 text"),
            (b"ab\xfcc", "not valid UTF-8: byte 0xfc at offset 2"),
            (b"abc\0d", "a NUL byte at offset 3"),
        ];
        for (bytes, message) in cases {
            let error = Sources::default().add_bytes("f", bytes.to_vec()).expect_err(message);
            assert_eq!(error.message, message);
        }
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
}
