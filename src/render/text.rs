//! Text from files on its way to a reader: to a terminal, where control characters must not act,
//! and into JSON.

/// Characters that a terminal or an editor acts on instead of showing them: controls, and the
/// marks that change the direction of text.
pub(super) fn is_active(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text with everything that a terminal would act on written as an escape.
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    push_printable(&mut shown, text);
    shown
}

/// Appends `text` as [`printable`] gives it.
pub(super) fn push_printable(out: &mut String, text: &str) {
    if !text.chars().any(is_active) {
        out.push_str(text);
        return;
    }
    for c in text.chars() {
        match is_active(c) {
            true => out.extend(c.escape_default()),
            false => out.push(c),
        }
    }
}

/// Appends a JSON string. Everything that a terminal would act on is escaped as well.
pub fn push_json_string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    let is_special = |b: u8| !(0x20..0x7f).contains(&b) || b == b'"' || b == b'\\';
    // Every byte is looked at, so that the loop needs no branch.
    let any_special = text.bytes().fold(false, |any, b| any | is_special(b));
    if !any_special {
        out.extend_from_slice(text.as_bytes());
    } else {
        push_escaped(out, text);
    }
    out.push(b'"');
}

#[cold]
fn push_escaped(out: &mut Vec<u8>, text: &str) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    for c in text.chars() {
        match c {
            '"' => out.extend_from_slice(b"\\\""),
            '\\' => out.extend_from_slice(b"\\\\"),
            '\n' => out.extend_from_slice(b"\\n"),
            '\t' => out.extend_from_slice(b"\\t"),
            c if is_active(c) => {
                // Every active character is in the basic plane.
                let code = u32::from(c);
                out.extend_from_slice(b"\\u");
                for shift in [12, 8, 4, 0] {
                    out.push(HEX[(code >> shift & 0xf) as usize]);
                }
            }
            c => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

/// Appends an integer.
pub(super) fn push_integer(out: &mut Vec<u8>, number: impl itoa::Integer) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// How wide the text is on a terminal: its characters.
pub(super) fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_acts_on_the_terminal() {
        let cases = [
            ("shop/web-0", "shop/web-0"),
            ("größe→", "größe→"),
            ("\u{1b}[2J", "\\u{1b}[2J"),
            ("a\nb\rc\u{9b}31m", "a\\nb\\rc\\u{9b}31m"),
            ("\u{202e}cod", "\\u{202e}cod"),
        ];
        for (text, expected) in cases {
            assert_eq!(printable(text), expected);
        }
    }

    #[test]
    fn json_strings_read_back_as_they_were() {
        for text in
            ["", "plain", "a \"b\" \\ c", "\n\t\r\0\u{7f}\u{9b}\u{202e}", "größe→😀", "é\u{1f}"]
        {
            let mut out = Vec::new();
            push_json_string(&mut out, text);
            assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), text);
            let written = String::from_utf8(out).unwrap();
            assert!(!written.chars().any(is_active), "{written:?}");
        }
    }
}
