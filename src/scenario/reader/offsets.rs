//! Where the characters of a text are, in bytes.

use std::cell::Cell;

use super::to_u32;

/// Byte offsets of characters: the parser counts characters.
pub(super) struct Offsets {
    /// The byte of every 64th character; empty for ASCII, where both are the same.
    marks: Vec<u32>,
    /// A character that was asked for and its byte: the next one is mostly a little further.
    last: Cell<(usize, usize)>,
}

impl Offsets {
    const STRIDE: usize = 64;

    pub(super) fn new(text: &str) -> Offsets {
        let marks = if text.is_ascii() {
            Vec::new()
        } else {
            text.char_indices().step_by(Self::STRIDE).map(|(i, _)| to_u32(i)).collect()
        };
        Offsets { marks, last: Cell::new((0, 0)) }
    }

    pub(super) fn byte(&self, text: &str, character: usize) -> u32 {
        if self.marks.is_empty() {
            return to_u32(character.min(text.len()));
        }
        let (last, byte) = self.last.get();
        let from = match character.checked_sub(last) {
            Some(further) if further < Self::STRIDE => (last, byte),
            _ => match self.marks.get(character / Self::STRIDE) {
                Some(mark) => (character - character % Self::STRIDE, *mark as usize),
                None => return to_u32(text.len()),
            },
        };
        let rest = &text[from.1..];
        let within = rest.char_indices().nth(character - from.0);
        let byte = from.1 + within.map_or(rest.len(), |(i, _)| i);
        if within.is_some() {
            self.last.set((character, byte));
        }
        to_u32(byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_have_their_bytes_in_any_order() {
        let text = "aü😀-".repeat(100);
        let bytes: Vec<usize> = text.char_indices().map(|(i, _)| i).chain([text.len()]).collect();
        let offsets = Offsets::new(&text);
        for step in [1, 7, 63, 64, 65, 201] {
            for i in 0..1_000 {
                let character = (i * step) % 401;
                let byte = offsets.byte(&text, character);
                assert_eq!(byte as usize, bytes[character], "{step} {character}");
            }
        }
        assert_eq!(offsets.byte(&text, 9_999) as usize, text.len());
    }
}
