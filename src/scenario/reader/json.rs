//! JSON texts, also several in a row, through the `jiter` crate.

use jiter::{Jiter, JiterError, JiterErrorType, JsonErrorType, Peek};

use super::{Keep, MappingBuilder, Pass, to_u32};
use crate::scenario::diagnostic::{Diagnostic, Diagnostics};
use crate::scenario::source::floor;
use crate::scenario::tree::{Key, Node, Place, Value};

struct Reader<'p, 't, 'd> {
    pass: &'p mut Pass<'t>,
    text: &'t str,
    depth_max: usize,
    jiter: Jiter<'t>,
    diagnostics: &'d mut Diagnostics,
}

/// Reads documents up to the end or to the first syntax error.
pub(super) fn read(
    pass: &mut Pass<'_>,
    diagnostics: &mut Diagnostics,
    documents: &mut Vec<Node>,
) -> Result<(), Diagnostic> {
    let text = pass.text;
    let (jiter, depth_max) = (Jiter::new(text.as_bytes()), pass.limits().depth());
    let mut reader = Reader { pass, text, depth_max, jiter, diagnostics };
    while !text[reader.jiter.current_index()..].trim_ascii_start().is_empty() {
        let peek = reader.jiter.peek().map_err(|e| reader.error(&e))?;
        reader.pass.begin_document();
        let keep = reader.pass.keep;
        documents.push(reader.value(peek, 0, keep)?);
    }
    Ok(())
}

impl Reader<'_, '_, '_> {
    /// Reads the value that `peek` announces. The recursion is as deep as the document, which is
    /// at most [`Limits::DEPTH_MAX`](crate::scenario::limits::Limits::DEPTH_MAX).
    fn value(&mut self, peek: Peek, depth: usize, keep: &'static Keep) -> Result<Node, Diagnostic> {
        let start = self.jiter.current_index();
        if matches!(peek, Peek::Object | Peek::Array) && depth >= self.depth_max {
            return Err(self.pass.too_deep(self.place(start, start + 1)));
        }
        if !keep.is_nothing() {
            self.pass.count(1, self.place(start, start + 1))?;
        }
        let value = match peek {
            Peek::Object => return self.object(start, depth, keep),
            Peek::Array => self.array(depth, keep)?,
            _ => self.scalar(peek, keep)?,
        };
        Ok(Node { place: self.place(start, self.jiter.current_index()), value })
    }

    fn scalar(&mut self, peek: Peek, keep: &'static Keep) -> Result<Value, Diagnostic> {
        let is_kept = !keep.is_nothing();
        let read = match peek {
            Peek::Null => self.jiter.known_null().map(|()| Value::Null),
            Peek::String => self.jiter.known_str().map(|string| match is_kept {
                true => Value::Quoted(string.into()),
                false => Value::Skipped,
            }),
            Peek::True | Peek::False => self.jiter.known_bool(peek).map(|is| match (is_kept, is) {
                (true, true) => Value::Plain("true".into()),
                (true, false) => Value::Plain("false".into()),
                (false, _) => Value::Skipped,
            }),
            _ => self.jiter.known_number_bytes(peek).map(|bytes| match is_kept {
                true => Value::Plain(String::from_utf8_lossy(bytes).into()),
                false => Value::Skipped,
            }),
        };
        let value = read.map_err(|error| self.error(&error))?;
        Ok(if is_kept { value } else { self.pass.skip(value) })
    }

    fn array(&mut self, depth: usize, keep: &'static Keep) -> Result<Value, Diagnostic> {
        let mut items = Vec::new();
        let mut next = self.jiter.known_array().map_err(|e| self.error(&e))?;
        while let Some(peek) = next {
            let item = self.value(peek, depth + 1, keep)?;
            // Of what is not kept, one item tells that there are some.
            if !keep.is_nothing() || items.is_empty() {
                items.push(item);
            }
            next = self.jiter.array_step().map_err(|e| self.error(&e))?;
        }
        let value = Value::Sequence(items);
        Ok(if keep.is_nothing() { self.pass.skip(value) } else { value })
    }

    fn object(
        &mut self,
        start: usize,
        depth: usize,
        mut keep: &'static Keep,
    ) -> Result<Node, Diagnostic> {
        let mut mapping = MappingBuilder::new(self.place(start, start + 1));
        let mut before = start + 1;
        let pass = &mut *self.pass;
        let first = self.jiter.known_object().map(|key| key.map(|key| pass.key_text(key)));
        let mut next = first.map_err(|e| self.error(&e))?;
        while let Some(text) = next {
            let key = Key { place: self.key_place(before), text };
            let peek = self.jiter.peek().map_err(|e| self.error(&e))?;
            let node = self.value(peek, depth + 1, keep.of(&key.text))?;
            if depth == 0 {
                keep = self.pass.see(&key.text, &node);
            }
            if let Err((key, first)) = mapping.push(key, node) {
                self.diagnostics.push(self.pass.duplicate_key(&key, first));
            }
            before = self.jiter.current_index();
            let pass = &mut *self.pass;
            let key = self.jiter.next_key().map(|key| key.map(|key| pass.key_text(key)));
            next = key.map_err(|e| self.error(&e))?;
        }
        let node = mapping.finish(to_u32(self.jiter.current_index()));
        Ok(match keep.is_nothing() {
            true => Node { value: self.pass.skip(node.value), ..node },
            false => node,
        })
    }

    /// The place of the key that was read last: the first string at or after `before`. Between
    /// `before` and it there are only blanks and a comma.
    fn key_place(&self, before: usize) -> Place {
        let bytes = self.text.as_bytes();
        let read = self.jiter.current_index();
        let quote = |from: usize| bytes[from..read].iter().position(|b| *b == b'"');
        let start = quote(before).map_or(before, |i| before + i);
        let mut end = start + 1;
        while end < read && bytes[end] != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        self.place(start, (end + 1).min(read))
    }

    fn place(&self, start: usize, end: usize) -> Place {
        let end = end.min(self.text.len());
        Place { source: self.pass.source, start: to_u32(start), end: to_u32(end) }
    }

    /// A syntax error in the words of this program.
    fn error(&self, error: &JiterError) -> Diagnostic {
        // The parser counts bytes, and may stop inside of a character.
        let at = floor(self.text, error.index);
        let place = self.place(at, at + 1);
        let JiterErrorType::JsonError(kind) = &error.error_type else {
            return Diagnostic::new(place, "this is not JSON");
        };
        if let Some(half) = self.half_character(kind, at) {
            return half;
        }
        match kind {
            JsonErrorType::EofWhileParsingList
            | JsonErrorType::EofWhileParsingObject
            | JsonErrorType::EofWhileParsingString
            | JsonErrorType::EofWhileParsingValue
            | JsonErrorType::UnexpectedEndOfHexEscape => {
                let end = self.text.trim_end().len();
                let message = "unexpected end of input: the JSON is cut off";
                Diagnostic::new(self.place(end.saturating_sub(1), end), message)
                    .help("take the dump again, or close what is open with `}` or `]`")
            }
            JsonErrorType::TrailingComma => {
                Diagnostic::new(place, "a comma before the closing bracket")
                    .help("JSON has no trailing commas; remove it")
            }
            JsonErrorType::ControlCharacterWhileParsingString
                if self.text[at..].starts_with(['\n', '\r']) =>
            {
                Diagnostic::new(place, "a string that is not closed in its line").help(
                    "put the closing `\"` where the text ends; a file that ends here is cut off",
                )
            }
            JsonErrorType::ControlCharacterWhileParsingString => {
                Diagnostic::new(place, "a control character in a string")
                    .help("write it as an escape such as \\u001b")
            }
            other => Diagnostic::new(place, format!("this is not JSON: {other}"))
                .help(self.help(other, at)),
        }
    }

    /// Half of a character that JSON writes as two escapes; the parser takes it for a cut.
    fn half_character(&self, kind: &JsonErrorType, at: usize) -> Option<Diagnostic> {
        let is_escape = matches!(
            kind,
            JsonErrorType::UnexpectedEndOfHexEscape
                | JsonErrorType::LoneLeadingSurrogateInHexEscape
        );
        let start = self.text[..at].rfind("\\u").filter(|_| is_escape)?;
        let escape = self.text.get(start..start + 6)?;
        let half = u32::from_str_radix(&escape[2..], 16).ok()?;
        // What ends right behind it is cut off.
        let goes_on = !self.text[start + 6..].trim_end().is_empty();
        (goes_on && (0xd800..0xe000).contains(&half)).then(|| {
            let message = format!("`{escape}` is half of a character: it needs its other half");
            Diagnostic::new(self.place(start, start + 6), message)
                .help("write both halves, such as \\ud83d\\ude00, or remove it")
        })
    }

    /// What would be right where the parser stopped at the byte `at`.
    fn help(&self, kind: &JsonErrorType, at: usize) -> &'static str {
        let rest = &self.text[at..];
        let begins = |words: &[&str]| words.iter().any(|word| rest.starts_with(word));
        if begins(&["/", "#"]) {
            return "JSON has no comments: remove it, or write the file as YAML";
        }
        match kind {
            JsonErrorType::InvalidEscape => "write `\\\\` for one `\\`",
            JsonErrorType::InvalidNumber => "write the number without a leading zero or sign",
            JsonErrorType::ExpectedColon => "put a `:` between the key and its value",
            JsonErrorType::ExpectedObjectCommaOrEnd => {
                "put a `,` after the entry before this, or `}` where the object ends"
            }
            JsonErrorType::ExpectedListCommaOrEnd => {
                "put a `,` after the item before this, or `]` where the list ends"
            }
            _ if begins(&["True", "TRUE"]) => "write true",
            _ if begins(&["False", "FALSE"]) => "write false",
            _ if begins(&["None", "Null", "NULL", "nil"]) => "write null",
            _ if begins(&["NaN", "Infinity", "-Infinity"]) => "write a number: JSON has only those",
            _ if self.jiter.current_index() == at && self.is_between_documents(at) => {
                "remove what stands after the end of the document"
            }
            _ => "write a text in double quotes, a number, true, false, null, `{..}` or `[..]`",
        }
    }

    /// Whether all that was opened before is closed.
    fn is_between_documents(&self, at: usize) -> bool {
        at > 0 && self.text[..at].trim_end().ends_with(['}', ']'])
    }
}
