//! Collections in brackets that are too long for the YAML parser.
//!
//! It holds the tokens of a collection in brackets until that closes, about 400 bytes for each
//! value, before any limit on values can see them. So the commas are counted before: in one run,
//! which ends at a line that begins as one outside of brackets does. Commas in texts count as well;
//! a line has not millions of them.

/// Where the comma stands that is one too many in its run; `None` where there is none.
pub(super) fn too_long(text: &str, most: usize) -> Option<usize> {
    // Most texts have not so many commas at all, and this is the fastest way to know.
    if text.len() <= most || text.bytes().filter(|byte| *byte == b',').count() <= most {
        return None;
    }
    let (mut run, mut start) = (0, 0);
    for line in text.split_inclusive('\n') {
        if begins_outside(line) {
            run = 0;
        }
        for (index, _) in line.bytes().enumerate().filter(|(_, byte)| *byte == b',') {
            run += 1;
            if run > most {
                return Some(start + index);
            }
        }
        start += line.len();
    }
    None
}

/// `key: …`, `- …` or `---`.
fn begins_outside(line: &str) -> bool {
    let text = line.trim_start();
    let key_end = text.find(|c: char| !(c.is_ascii_alphanumeric() || "-_./\"'".contains(c)));
    let is_key = key_end.is_some_and(|end| end > 0 && text[end..].starts_with(':'));
    is_key || text.starts_with("- ") || text.starts_with("---")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_are_counted_in_runs() {
        let list = |n: usize| format!("a: [{}1]\n", "1,".repeat(n));
        assert_eq!(too_long(&list(5), 5), None);
        assert_eq!(too_long(&list(6), 5), Some(4 + 11));
        assert_eq!(too_long(&list(4).repeat(10), 5), None, "many short ones");
        assert_eq!(too_long(&"a: [1,\n1,\n1,\n1]\n".repeat(3), 2), Some(11), "over lines");
    }
}
