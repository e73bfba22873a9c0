//! Bytes to text. Takes UTF-8, with or without a byte order mark, and UTF-16, which Windows
//! PowerShell writes for `kubectl … > file`; refuses all else by its name, with what to do.

/// Why bytes are not text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NotText {
    pub(super) message: String,
    pub(super) help: Option<String>,
    /// As far as they were read.
    pub(super) bytes: Vec<u8>,
}

impl NotText {
    fn new(message: impl Into<String>) -> NotText {
        NotText { message: message.into(), help: None, bytes: Vec::new() }
    }

    fn help(self, help: impl Into<String>) -> NotText {
        NotText { help: Some(help.into()), ..self }
    }

    fn of(self, bytes: Vec<u8>) -> NotText {
        NotText { bytes, ..self }
    }
}

/// How text is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Utf8,
    /// Little-endian, or big-endian.
    Utf16 {
        little: bool,
    },
    /// UTF-32.
    FourBytes,
}

/// Packed data, by its first bytes, with the command that unpacks it to stdout.
const PACKED: [(&[u8], &str, &str); 7] = [
    (&[0x1f, 0x8b], "gzip data", "gunzip -c"),
    (&[0x28, 0xb5, 0x2f, 0xfd], "zstd data", "zstd -dc"),
    (&[0xfd, b'7', b'z', b'X', b'Z', 0], "xz data", "xz -dc"),
    (b"BZh", "bzip2 data", "bzip2 -dc"),
    (&[0x04, 0x22, 0x4d, 0x18], "lz4 data", "lz4 -dc"),
    (b"PK\x03\x04", "a zip archive", "unzip -p"),
    (b"PK\x05\x06", "an empty zip archive", "unzip -p"),
];

/// What is wrong with the first bytes of an input whatever follows: some inputs have no end.
/// `name` is the user's name of the file, `None` for standard input.
pub(super) fn check_start(bytes: &[u8], name: Option<&str>) -> Result<(), NotText> {
    if let Some((_, what, command)) = PACKED.iter().find(|(magic, ..)| bytes.starts_with(magic)) {
        let help = match name {
            Some(name) => {
                format!("unpack it first: {command} {} | taintsim replay -", quoted(name))
            }
            None => format!("unpack it first: … | {command} | taintsim replay -"),
        };
        return Err(NotText::new(format!("this is {what}")).help(help));
    }
    if bytes.get(257..262) == Some(b"ustar") {
        let command = match name {
            Some(name) => format!("tar -xf {}", quoted(name)),
            None => "tar -x".to_owned(),
        };
        let help = format!("unpack it first with {command}, and name the files in it");
        return Err(NotText::new("this is a tar archive").help(help));
    }
    match encoding(bytes) {
        Encoding::FourBytes => {
            Err(NotText::new("this is UTF-32 text").help(convert("UTF-32", name)))
        }
        Encoding::Utf8 => match bytes.iter().position(|byte| *byte == 0) {
            Some(offset) => Err(nul(bytes, offset)),
            None => Ok(()),
        },
        Encoding::Utf16 { .. } => Ok(()),
    }
}

/// The text, without a byte order mark, and whether it was UTF-16.
pub(super) fn decode(mut bytes: Vec<u8>, name: Option<&str>) -> Result<(String, bool), NotText> {
    if let Err(error) = check_start(&bytes, name) {
        return Err(error.of(bytes));
    }
    if let Encoding::Utf16 { little } = encoding(&bytes) {
        return match utf16(&bytes, little) {
            Ok(text) => Ok((text, true)),
            Err(error) => Err(error.of(bytes)),
        };
    }
    if bytes.starts_with(UTF8_MARK) {
        bytes.drain(..UTF8_MARK.len());
    }
    String::from_utf8(bytes).map(|text| (text, false)).map_err(|error| {
        let end = error.utf8_error().valid_up_to();
        let bytes = error.into_bytes();
        let (byte, place) = (bytes[end], position(&String::from_utf8_lossy(&bytes[..end])));
        let message = format!("not valid UTF-8: byte 0x{byte:02x} at offset {end}, {place}");
        let help = format!("where it is Latin-1, {}", convert("WINDOWS-1252", name));
        NotText::new(message).help(help).of(bytes)
    })
}

/// Where a text ends.
fn position(text: &str) -> String {
    let line = 1 + text.matches('\n').count();
    let column = 1 + text.rsplit('\n').next().map_or(0, |rest| rest.chars().count());
    format!("line {line}, column {column}")
}

const UTF8_MARK: &[u8] = "\u{feff}".as_bytes();

fn encoding(bytes: &[u8]) -> Encoding {
    let zeros: Vec<bool> = bytes.iter().take(4).map(|byte| *byte == 0).collect();
    match (bytes, zeros.as_slice()) {
        ([0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..], _) => Encoding::FourBytes,
        ([0xff, 0xfe, ..], _) => Encoding::Utf16 { little: true },
        ([0xfe, 0xff, ..], _) => Encoding::Utf16 { little: false },
        // Without a mark: which bytes of the first letters are zero.
        (_, [false, true, false, true]) => Encoding::Utf16 { little: true },
        (_, [true, false, true, false]) => Encoding::Utf16 { little: false },
        (_, [false, true, true, true] | [true, true, true, false]) => Encoding::FourBytes,
        _ => Encoding::Utf8,
    }
}

fn utf16(bytes: &[u8], little: bool) -> Result<String, NotText> {
    if bytes.len() % 2 == 1 {
        return Err(NotText::new("this is UTF-16 text, and its last character is cut off"));
    }
    let units = bytes.chunks_exact(2).map(|pair| match little {
        true => u16::from_le_bytes([pair[0], pair[1]]),
        false => u16::from_be_bytes([pair[0], pair[1]]),
    });
    let mut text = String::with_capacity(bytes.len() / 2);
    let mut offset = 0;
    for decoded in char::decode_utf16(units) {
        let c = decoded.map_err(|error| {
            let unit = error.unpaired_surrogate();
            let place = position(&text);
            NotText::new(format!(
                "this is UTF-16 text with half a character: 0x{unit:04x} at offset {offset}, {place}"
            ))
        })?;
        if c == '\0' {
            let place = position(&text);
            return Err(NotText::new(format!("a NUL character at offset {offset}, {place}")));
        }
        if offset > 0 || c != '\u{feff}' {
            text.push(c);
        }
        offset += 2 * c.len_utf16();
    }
    Ok(text)
}

fn nul(bytes: &[u8], offset: usize) -> NotText {
    let place = position(&String::from_utf8_lossy(&bytes[..offset]));
    NotText::new(format!("a NUL byte at offset {offset}, {place}"))
        .help("this is no text, or the file is damaged: take the dump again")
}

fn convert(from: &str, name: Option<&str>) -> String {
    match name {
        Some(name) => {
            format!("convert it: iconv -f {from} -t UTF-8 {} | taintsim replay -", quoted(name))
        }
        None => format!("convert it: … | iconv -f {from} -t UTF-8 | taintsim replay -"),
    }
}

/// A file's name as a shell takes it.
fn quoted(name: &str) -> String {
    shell_words::quote(name).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16_of(text: &str, little: bool, mark: bool) -> Vec<u8> {
        let mark = if mark { "\u{feff}" } else { "" };
        let bytes = |unit: u16| if little { unit.to_le_bytes() } else { unit.to_be_bytes() };
        format!("{mark}{text}").encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn takes_utf_8_and_utf_16() {
        let text = "kind: List # ü 😀\n";
        assert_eq!(decode(text.into(), None), Ok((text.to_owned(), false)));
        let marked = format!("\u{feff}{text}");
        assert_eq!(decode(marked.into(), None), Ok((text.to_owned(), false)));
        for (little, mark) in [(true, true), (true, false), (false, true), (false, false)] {
            let bytes = utf16_of(text, little, mark);
            assert_eq!(decode(bytes, None), Ok((text.to_owned(), true)), "{little} {mark}");
        }
        assert_eq!(decode(Vec::new(), None), Ok((String::new(), false)));
    }

    #[test]
    fn refuses_all_else_by_its_name() {
        let mut tar = vec![b'x'; 512];
        tar[257..262].copy_from_slice(b"ustar");
        let mut odd = utf16_of("a: b", true, true);
        odd.pop();
        let half = [utf16_of("a\nb", true, true), vec![0x3d, 0xd8, b'c', 0]].concat();
        let cases: [(&[u8], &str, &str); 15] = [
            (&[0x1f, 0x8b, 8, 0], "this is gzip data", "gunzip -c 'my dump' | taintsim"),
            (&[0x28, 0xb5, 0x2f, 0xfd, 0], "this is zstd data", "zstd -dc 'my dump' |"),
            (b"\xfd7zXZ\0", "this is xz data", "xz -dc 'my dump' |"),
            (b"BZh91AY", "this is bzip2 data", "bzip2 -dc 'my dump' |"),
            (b"PK\x03\x04", "this is a zip archive", "unzip -p 'my dump' |"),
            (&tar, "this is a tar archive", "tar -xf 'my dump'"),
            (&[0xff, 0xfe, 0, 0, b'a', 0, 0, 0], "this is UTF-32 text", "iconv -f UTF-32"),
            (b"\0\0\0a\0\0\0b", "this is UTF-32 text", "-t UTF-8 'my dump' |"),
            (&odd, "its last character is cut off", ""),
            (&half, "half a character: 0xd83d at offset 8, line 2, column 2", ""),
            (b"ab\xfcc", "not valid UTF-8: byte 0xfc at offset 2, line 1, column 3", "Latin-1"),
            (b"a\n\xc3\xbc\xfc", "byte 0xfc at offset 4, line 2, column 2", "WINDOWS-1252"),
            (b"abc\n\0d", "a NUL byte at offset 4, line 2, column 1", "damaged"),
            (b"\0\0\0\0", "a NUL byte at offset 0, line 1, column 1", ""),
            (b"\xff\xfea\0\0\0", "a NUL character at offset 4, line 1, column 2", ""),
        ];
        for (bytes, message, help) in cases {
            let error = decode(bytes.to_vec(), Some("my dump")).expect_err(message);
            assert!(error.message.contains(message), "{error:?} lacks {message}");
            let given = error.help.unwrap_or_default();
            assert!(given.contains(help), "{given} lacks {help}");
        }
    }
}
