//! What is open at some byte of a YAML text: brackets, braces and quotes. A reading by lines, for
//! messages only: where the text is wrong the parser does not tell.

/// What is open, line by line.
#[derive(Default)]
pub(super) struct Open {
    /// Where the brackets and braces stand that are open, the innermost last.
    pub brackets: Vec<usize>,
    /// The quote that is open.
    quote: Option<(u8, usize)>,
    /// The last quotes that were closed: the first of the two, and one past the second.
    pub quoted: Option<(usize, usize)>,
    /// Lines that are further to the right than this column belong to a block scalar.
    block: Option<usize>,
}

impl Open {
    /// What is open at `at`.
    pub(super) fn before(text: &str, at: usize) -> Open {
        let mut open = Open::default();
        let mut start = 0;
        for line in text[..at].split_inclusive('\n') {
            open.line(line, start);
            start += line.len();
        }
        open
    }

    /// Whether the line, which comes next, begins within a text.
    pub(super) fn is_text(&self, line: &str) -> bool {
        let in_block = self.block.is_some_and(|column| is_deeper(line, column));
        self.quote.is_some() || in_block
    }

    /// Reads the line that begins at `start`.
    pub(super) fn line(&mut self, line: &str, start: usize) {
        if line.starts_with("---") || line.starts_with("...") {
            *self = Open::default();
        }
        if self.quote.is_none() && self.is_text(line) {
            return;
        }
        self.block = None;
        let bytes = line.as_bytes();
        let mut i = 0;
        if let Some((quote, from)) = self.quote {
            let Some(end) = closing(bytes, 0, quote) else { return };
            self.closed(from, start + end);
            i = end;
        }
        // Whether a value or key can begin here, and the column of what the line begins with.
        let mut begins = i == 0;
        let mut column = line.len() - line.trim_start_matches(' ').len();
        while let Some(byte) = bytes.get(i) {
            let next = bytes.get(i + 1).copied().unwrap_or(b'\n');
            let blank_next = next.is_ascii_whitespace();
            let in_flow = !self.brackets.is_empty();
            match byte {
                b'#' if i == 0 || bytes[i - 1].is_ascii_whitespace() => return,
                b'"' | b'\'' if begins => {
                    self.quote = Some((*byte, start + i));
                    let Some(end) = closing(bytes, i + 1, *byte) else { return };
                    self.closed(start + i, start + end);
                    (i, begins) = (end, false);
                    continue;
                }
                b'{' | b'[' if begins || in_flow => {
                    self.brackets.push(start + i);
                    begins = true;
                }
                b'}' | b']' if in_flow => {
                    self.brackets.pop();
                    begins = false;
                }
                b',' if in_flow => begins = true,
                b':' if blank_next => begins = true,
                b'-' if begins && !in_flow && blank_next => {
                    let rest = line[i + 1..].trim_start_matches(' ');
                    let is_block = rest.starts_with(['|', '>']);
                    column = if is_block { i } else { line.len() - rest.len() };
                }
                b'|' | b'>' if begins && !in_flow => {
                    self.block = Some(column);
                    return;
                }
                b'!' | b'&' if begins => {
                    let word = line[i..].find(char::is_whitespace).unwrap_or(line.len() - i);
                    i += word;
                    continue;
                }
                byte if byte.is_ascii_whitespace() => {}
                _ => begins = false,
            }
            i += 1;
        }
    }

    fn closed(&mut self, from: usize, end: usize) {
        self.quote = None;
        self.quoted = Some((from, end));
    }
}

fn is_deeper(line: &str, column: usize) -> bool {
    line.trim().is_empty() || line.len() - line.trim_start_matches(' ').len() > column
}

/// One past the quote that closes, at or after `from`.
fn closing(bytes: &[u8], from: usize, quote: u8) -> Option<usize> {
    let mut i = from;
    while let Some(byte) = bytes.get(i) {
        let is_pair = quote == b'\'' && bytes.get(i + 1) == Some(&quote);
        match *byte {
            b'\\' if quote == b'"' => i += 2,
            byte if byte == quote && is_pair => i += 2,
            byte if byte == quote => return Some(i + 1),
            _ => i += 1,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_are_open_where_they_count() {
        for (text, expected) in [
            ("a: [b, {c: d", vec![3, 7]),
            ("a: [b, {c: d}", vec![3]),
            ("a: b[{", vec![]),
            ("- [\n  # {\n  x", vec![2]),
            ("a: \"[{\" # [", vec![]),
            ("a: 'it''s [' ", vec![]),
            ("a: \"\\\"[\n  [\"\nb: [", vec![16]),
            ("- a: |\n    [ {\n  b: [", vec![20]),
            ("- |\n  [\n- [", vec![10]),
            ("a: [\n---\nb: {", vec![12]),
            ("a: &x [", vec![6]),
        ] {
            assert_eq!(Open::before(text, text.len()).brackets, expected, "{text}");
        }
    }

    #[test]
    fn the_last_quotes_are_known() {
        let open = Open::before("a: \"b\n  c: \"d", 12);
        assert_eq!(open.quoted, Some((3, 12)));
        assert!(Open::before("a: 'b\n", 6).is_text("c"));
        assert!(Open::before("a: >\n", 5).is_text(" c"));
        assert!(!Open::before("a: >\n", 5).is_text("c"));
    }
}
