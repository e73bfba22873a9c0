//! Reads files and standard input: each once, and no further than a limit. This is the one file of
//! the library that does.
//!
//! Takes regular files, pipes (`<(command)`) and character devices. A file that somebody writes
//! while it is read is refused, as far as its size and time tell.

use std::fs::{File, FileType, Metadata};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::encoding::{self, NotText};
use super::limits::{self, Limits};
use super::load::Failure;
use super::source::Sources;

/// What a file, or standard input, holds: read once, however often it is loaded.
#[derive(Clone, Debug)]
pub struct Input {
    /// `-` for standard input; `None` for what was never in a file.
    pub(super) path: Option<PathBuf>,
    pub(super) name: Arc<str>,
    pub(super) content: Result<Text, NotText>,
    /// How many bytes it was.
    pub(super) size: u64,
}

/// A text that was decoded.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) text: Arc<String>,
    pub(super) was_utf16: bool,
}

/// Why there are no bytes.
#[derive(Clone, Debug)]
pub(super) struct Unreadable {
    pub(super) message: String,
    pub(super) help: Option<String>,
}

impl Unreadable {
    fn new(message: impl Into<String>) -> Unreadable {
        Unreadable { message: message.into(), help: None }
    }

    /// Standard input was read before.
    pub(super) fn once() -> Unreadable {
        let help = "name it once; for more, write it to a file first";
        Unreadable { help: Some(help.into()), ..Unreadable::new("stdin can be read only once") }
    }
}

impl Input {
    /// Reads a file, or standard input for `-`. What is read and is no text is told by its load.
    ///
    /// # Errors
    /// What keeps it from being read.
    pub fn read(path: &Path, limits: &Limits) -> Result<Input, Failure> {
        Input::read_within(path, limits.input_bytes, limits).map_err(|unreadable| {
            let mut sources = Sources::default();
            let diagnostic = sources.unreadable(&name_of(path), None, unreadable);
            Failure::of_one(sources, diagnostic)
        })
    }

    /// As [`Input::read`], where `left` bytes of the limit are left.
    pub(super) fn read_within(
        path: &Path,
        left: u64,
        limits: &Limits,
    ) -> Result<Input, Unreadable> {
        let (read, size) = match is_stdin(path) {
            true => read_to(std::io::stdin().lock(), 0, left, None)?,
            false => read_file(path, left)?,
        };
        if size > left {
            let most = limits::size(limits.input_bytes);
            let message = match left == limits.input_bytes {
                true => format!("it is larger than {most}"),
                false => format!("all that is read together is larger than {most}"),
            };
            let help = Some(limits.raise(Limits::INPUT_SIZE_FLAG));
            return Err(Unreadable { message, help });
        }
        let mut input = Input::new(&name_of(path), read, size);
        input.path = Some(path.to_owned());
        Ok(input)
    }

    /// An input that is at hand already.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Input {
        let size = bytes.len() as u64;
        Input::new(name, encoding::decode(bytes, Some(name)), size)
    }

    fn new(name: &str, read: Result<(String, bool), NotText>, size: u64) -> Input {
        let content = read.map(|(text, was_utf16)| Text { text: text.into(), was_utf16 });
        Input { path: None, name: name.into(), content, size }
    }

    /// As messages name it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its bytes: of a text in UTF-8, else as they were, as far as they were read.
    pub fn bytes(&self) -> &[u8] {
        match &self.content {
            Ok(text) => text.text.as_bytes(),
            Err(not_text) => &not_text.bytes,
        }
    }
}

/// Whether a path means standard input, which can be read only once.
pub fn is_stdin(path: &Path) -> bool {
    ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].iter().any(|name| path == Path::new(name))
}

/// A path as messages name it; bytes that are no text are written as `\xff`.
pub fn name_of(path: &Path) -> String {
    if path.as_os_str() == "-" {
        return "<stdin>".into();
    }
    let mut name = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        name.push_str(chunk.valid());
        name.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    name
}

/// Bytes after which it is clear whether this is text at all.
const START: u64 = 64 << 10;

/// A text, or why it is none, and how many bytes it was.
type Outcome = (Result<(String, bool), NotText>, u64);

fn read_file(path: &Path, limit: u64) -> Result<Outcome, Unreadable> {
    let cannot = |error: std::io::Error| {
        Unreadable::new(match error.kind() {
            ErrorKind::NotFound => match path.read_link() {
                Ok(target) => {
                    format!("it is a link to {}, and that is not there", name_of(&target))
                }
                Err(_) => "no such file".into(),
            },
            ErrorKind::PermissionDenied => "permission denied".into(),
            _ => error.to_string(),
        })
    };
    // Before it is opened, which some of these do not survive.
    if let Some(what) = not_to_be_read(std::fs::metadata(path).map_err(cannot)?.file_type()) {
        return Err(Unreadable::new(format!("it is {what}, not a file")));
    }
    let file = File::open(path).map_err(cannot)?;
    read_open(&file, &file, &path.to_string_lossy(), limit)
}

/// Reads `from`, which is what `file` holds.
fn read_open(from: impl Read, file: &File, name: &str, limit: u64) -> Result<Outcome, Unreadable> {
    let before = file.metadata().map_err(|error| Unreadable::new(error.to_string()))?;
    let expected = if before.is_file() { before.len() } else { 0 };
    let read = read_to(from, expected, limit, Some(name))?;
    let after = file.metadata().map_err(|error| Unreadable::new(error.to_string()))?;
    if before.is_file() && read.1 <= limit && has_changed(&before, &after, &read) {
        return Err(Unreadable {
            message: "the file changed while it was read".into(),
            help: Some("wait until the command that writes it is done, and try again".into()),
        });
    }
    Ok(read)
}

fn has_changed(before: &Metadata, after: &Metadata, read: &Outcome) -> bool {
    let is_whole = read.0.is_ok();
    let times = (before.modified().ok(), after.modified().ok());
    before.len() != after.len()
        || times.0 != times.1
        // Files that a kernel makes up have no size.
        || is_whole && before.len() > 0 && before.len() != read.1
}

/// What a path leads to, where that cannot be read as a file is.
fn not_to_be_read(kind: FileType) -> Option<&'static str> {
    if kind.is_dir() {
        return Some("a directory");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        if kind.is_socket() {
            return Some("a socket");
        }
        if kind.is_block_device() {
            return Some("a block device");
        }
    }
    None
}

/// Reads to the end, or one byte more than `limit`; gives the text and how many bytes it was.
fn read_to(
    mut from: impl Read,
    expected: u64,
    limit: u64,
    name: Option<&str>,
) -> Result<Outcome, Unreadable> {
    let cannot = |error: std::io::Error| Unreadable::new(error.to_string());
    let most = limit.saturating_add(1);
    let mut bytes = Vec::new();
    from.by_ref().take(most.min(START)).read_to_end(&mut bytes).map_err(cannot)?;
    if let Err(mut not_text) = encoding::check_start(&bytes, name) {
        let size = bytes.len() as u64;
        not_text.bytes = bytes;
        return Ok((Err(not_text), size.min(limit)));
    }
    if expected > limit {
        return Ok((Ok((String::new(), false)), expected));
    }
    let rest = expected.saturating_sub(bytes.len() as u64);
    // One more, so that the end is seen without growing.
    bytes.reserve_exact(usize::try_from(rest).unwrap_or(0) + 1);
    from.take(most - bytes.len() as u64).read_to_end(&mut bytes).map_err(cannot)?;
    let size = bytes.len() as u64;
    if size > limit {
        return Ok((Ok((String::new(), false)), size));
    }
    Ok((encoding::decode(bytes, name), size))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    /// Writes to the file while it is read.
    struct Meddler<'f> {
        file: &'f File,
        meddle: Option<fn(&Path)>,
        path: &'f Path,
    }

    impl Read for Meddler<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let read = self.file.read(buffer);
            if let Some(meddle) = self.meddle.take() {
                meddle(self.path);
            }
            read
        }
    }

    #[test]
    fn a_file_that_changes_while_it_is_read_is_refused() {
        let append = |path: &Path| {
            let mut file = File::options().append(true).open(path).unwrap();
            file.write_all(b"more").unwrap();
        };
        let truncate =
            |path: &Path| File::options().write(true).open(path).unwrap().set_len(3).unwrap();
        let nothing: fn(&Path) = |_| {};
        for (meddle, is_right) in [(nothing, true), (append, false), (truncate, false)] {
            let meddle = Some(meddle);
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("dump.yaml");
            std::fs::write(&path, "a: b\n".repeat(100_000)).unwrap();
            let file = File::open(&path).unwrap();
            let read = read_open(Meddler { file: &file, meddle, path: &path }, &file, "f", 1 << 20);
            match read {
                Ok(_) => assert!(is_right),
                Err(error) => {
                    assert!(!is_right && error.message.contains("changed while"), "{error:?}");
                }
            }
        }
    }

    #[test]
    fn no_more_is_read_than_the_limit() {
        struct Endless(u64);
        impl Read for Endless {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                buffer.fill(b'a');
                self.0 += buffer.len() as u64;
                Ok(buffer.len())
            }
        }
        let mut endless = Endless(0);
        let (_, size) = read_to(&mut endless, 0, 1_000_000, None).unwrap();
        assert!(size > 1_000_000 && endless.0 < 2_000_000, "{size} {}", endless.0);
        let (read, _) = read_to(std::io::repeat(0), 0, u64::MAX, None).unwrap();
        assert!(read.unwrap_err().message.contains("a NUL byte at offset 0"));
        for (limit, size) in [(3, 4), (4, 4), (100, 4)] {
            assert_eq!(read_to(&b"abcd"[..], 0, limit, None).unwrap().1, size);
        }
    }
}
