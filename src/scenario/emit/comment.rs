//! Comments: wrapped, and nothing in them ends them.

use std::fmt::Write as _;

use crate::scenario::diagnostic::escape;

/// Longest line of a comment.
const LINE_CHARACTERS_MAX: usize = 96;

/// Appends a comment, wrapped, its further lines indented by two.
pub(crate) fn comment(out: &mut String, indent: usize, text: &str) {
    let mut width = usize::MAX;
    let mut is_first = true;
    let text = escape(text);
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        if width.saturating_add(1 + word.chars().count()) > LINE_CHARACTERS_MAX {
            let more = if is_first { "" } else { "  " };
            let _ = write!(out, "{}{:indent$}# {more}", if is_first { "" } else { "\n" }, "");
            width = indent + 2 + more.len();
            is_first = false;
        } else {
            out.push(' ');
            width += 1;
        }
        out.push_str(word);
        width += word.chars().count();
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_wrapped_and_escaped() {
        let mut out = String::new();
        comment(&mut out, 0, "a\nb: c\u{1b}[31m");
        assert_eq!(out, "# a\\u{a}b: c\\u{1b}[31m\n");
        let mut out = String::new();
        comment(&mut out, 2, &"word ".repeat(40));
        assert!(out.lines().all(|line| line.starts_with("  # ") && line.len() <= 98), "{out}");
        assert_eq!(out.matches("word").count(), 40);
        assert_eq!(out.lines().count(), 3);
    }
}
