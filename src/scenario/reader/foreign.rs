//! What is no YAML before a parser looks at it: templates, colours of a terminal, blanks that only
//! look like blanks, line ends of old Macs. Some of it a parser would take, for something else.

use super::open::Open;
use super::repair::Edit;
use super::syntax::Told;

/// The first mistake of this kind in each line where there are any. Costs little for texts that
/// have none of the characters in question.
pub(super) fn find(text: &str) -> Vec<Told> {
    if let Some(told) = old_line_ends(text) {
        return vec![told];
    }
    let may_be = !text.is_ascii() || ["{{", "{%", "\u{1b}["].iter().any(|sign| text.contains(sign));
    let mut found = Vec::new();
    if !may_be {
        return found;
    }
    let mut open = Open::default();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if !open.is_text(line) {
            let begins = line.len() - line.trim_start_matches([' ', '\t']).len();
            if let Some(told) = colour(line, start + begins) {
                return vec![told];
            }
            if let Some(told) = template(line, start) {
                let below = text[start + line.len()..].split_inclusive('\n');
                let others = below.filter(|line| template(line, 0).is_some()).count();
                return vec![with_others(told, others)];
            }
            found.extend(odd_blank(line, start));
        }
        open.line(line, start);
        start += line.len();
    }
    found
}

fn old_line_ends(text: &str) -> Option<Told> {
    let first =
        text.find('\r').filter(|_| !text.contains('\n') && text.trim_end().contains('\r'))?;
    let message = "the lines of this file end as on old Macs (CR alone)";
    let help = "convert it: tr '\\r' '\\n' < FILE > NEW";
    Some(Told::new(0..first, message, help))
}

/// A line that begins with the code of a colour, at `at`.
fn colour(line: &str, at: usize) -> Option<Told> {
    let code = line.trim_start_matches([' ', '\t']).strip_prefix("\u{1b}[")?;
    let length = 2 + code.find(|c: char| c.is_ascii_alphabetic()).map_or(0, |end| end + 1);
    let message = "this text has the colour codes of a terminal in it";
    let help = "take the dump without colours, by kubectl itself: `command kubectl get nodes,pods -A \
                -o yaml`; or remove them: sed 's/\\x1b\\[[0-9;]*m//g' FILE > NEW";
    Some(Told::new(at..at + length, message, help))
}

/// A value, key or line that is an expression of Helm or Jinja.
fn template(line: &str, start: usize) -> Option<Told> {
    let mut rest = line.trim_start_matches(' ');
    let at = loop {
        if rest.starts_with("{{") && rest.contains("}}") || rest.starts_with("{%") {
            break line.len() - rest.len();
        }
        // Further in: behind a dash, or behind a key that has no quotes.
        let key = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"._/-".contains(c));
        rest = match rest.strip_prefix("- ") {
            Some(item) => item.trim_start_matches(' '),
            None => rest[key?..].strip_prefix(": ")?.trim_start_matches(' '),
        };
    };
    let end = line[at..].find("}}").or_else(|| line[at..].find("%}"));
    let end = start + end.map_or(line.trim_end().len(), |end| at + end + 2);
    let message = "this is a template, and not yet YAML";
    let help = match line[at..].starts_with("{{") {
        true => "render it first: helm template CHART > FILE; or write the value in its place",
        false => "render it first, or write in its place what it stands for",
    };
    Some(Told::new(start + at..end, message, help))
}

/// All templates of a file are told at once: what is to be done is the same for each.
fn with_others(told: Told, others: usize) -> Told {
    let message = match others {
        0 => return told,
        1 => format!("{}; so is 1 line below it", told.message),
        more => format!("{}; so are {more} lines below it", told.message),
    };
    Told { message, ..told }
}

fn is_odd_blank(c: char) -> bool {
    let is_plain = matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}');
    c.is_whitespace() && !is_plain || matches!(c, '\u{200b}' | '\u{2060}')
}

/// Blanks other than U+0020 in the indentation, behind a dash or behind the `:` of a key.
fn odd_blank(line: &str, start: usize) -> Option<Told> {
    if line.is_ascii() {
        return None;
    }
    let mut from = 0;
    // Where blanks may stand: what is before the key and its value, without both.
    let runs = loop {
        let rest = &line[from..];
        let blanks =
            rest.len() - rest.trim_start_matches(|c: char| c == ' ' || is_odd_blank(c)).len();
        if rest[..blanks].contains(is_odd_blank) {
            break from..from + blanks;
        }
        let rest = &rest[blanks..];
        let is_key = |c: char| c.is_ascii_alphanumeric() || "._/-".contains(c);
        let next = match rest.strip_prefix('-') {
            Some(item) if item.starts_with(|c: char| c == ' ' || is_odd_blank(c)) => 1,
            _ => {
                let key = rest.find(|c| !is_key(c)).filter(|end| *end > 0)?;
                let value = rest[key..].strip_prefix(':')?;
                value.starts_with(is_odd_blank).then_some(key + 1)?
            }
        };
        from += blanks + next;
    };
    // A line of nothing but blanks has no place that could be wrong.
    if line[runs.end..].trim().is_empty() || line[runs.end..].starts_with('#') {
        return None;
    }
    let odd = line[runs.clone()].char_indices().filter(|(_, c)| is_odd_blank(*c));
    let places: Vec<(usize, char)> = odd.map(|(i, c)| (start + runs.start + i, c)).collect();
    let (first, c) = *places.first()?;
    let name = match c {
        '\u{a0}' => "a non-breaking space",
        '\u{200b}' | '\u{2060}' => "an invisible character",
        _ => "a blank of another alphabet",
    };
    let message = format!("{name} (U+{:04X}) where YAML has blanks", u32::from(c));
    let plain = line.trim_end().chars().map(|c| if is_odd_blank(c) { ' ' } else { c });
    let help = format!("write plain blanks: `{}`", plain.collect::<String>().trim_start());
    let edits =
        places.iter().map(|(at, c)| Edit { at: *at, remove: c.len_utf8(), insert: " ".to_owned() });
    let edits = edits.collect();
    Some(Told { edits, ..Told::new(first..first + c.len_utf8(), message, help) })
}

/// The first line of a conflict that git left in the file.
pub(super) fn merge_conflict(text: &str) -> Option<Told> {
    let is_mark = |line: &str| line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ");
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if is_mark(line) {
            let range = start..start + line.trim_end().len();
            let help = "keep one of the two sides, and remove the lines with <<<, === and >>>";
            return Some(Told::new(range, "a merge conflict that nobody resolved", help));
        }
        start += line.len();
    }
    None
}

/// The first line, where a manifest or scenario begins only after it.
pub(super) fn first_line(text: &str) -> Option<Told> {
    let begins = |line: &str| line.starts_with("apiVersion:") || line.starts_with("kind:");
    // Those that were told are comments by now.
    let mut start = 0;
    while text[start..].starts_with('#') {
        start += text[start..].find('\n')? + 1;
    }
    let text = &text[start..];
    let first = text.lines().next()?;
    let foreign = !first.trim().is_empty()
        && !begins(first)
        && !first.starts_with(['#', '%', '-', '{', '['])
        && !first.trim_end().ends_with(':');
    if !foreign || !text.lines().skip(1).take(20).any(begins) {
        return None;
    }
    let help = "remove messages and prompts of the terminal around the output of kubectl";
    let told = Told::new(start..start + first.len(), "this line is not YAML", help);
    Some(Told { edits: vec![Edit::insert(start, "#")], ..told })
}
