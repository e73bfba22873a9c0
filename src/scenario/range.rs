//! Ranges in names: `{0..5}`, `{00..15}`, `{a..c}`, `{x,y}`. Both ends are included; several
//! ranges in one name multiply, the last one changing fastest, as in a shell.

use super::limits::Limits;

/// A name with its ranges taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    parts: Vec<Part>,
    count: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(Box<str>),
    /// First and last number, and the width to fill with zeros.
    Numbers(u64, u64, usize),
    Letters(u8, u8),
    Words(Vec<Box<str>>),
}

impl Pattern {
    /// Takes a name apart that may make as many names as `limits` say.
    ///
    /// # Errors
    /// What is wrong with a range, in words.
    pub fn parse(text: &str, limits: &Limits) -> Result<Pattern, String> {
        let mut parts = Vec::new();
        let mut count = 1u64;
        let mut rest = text;
        while let Some(open) = rest.find(['{', '}']) {
            if open > 0 {
                parts.push(Part::Text(rest[..open].into()));
            }
            if rest.as_bytes()[open] == b'}' {
                return Err(format!("`}}` without `{{` in `{text}`"));
            }
            let inside = &rest[open + 1..];
            let Some(close) = inside.find('}') else {
                return Err(format!("`{{` without `}}` in `{text}`"));
            };
            let part = parse_range(&inside[..close])?;
            count = count.saturating_mul(part.count());
            parts.push(part);
            rest = &inside[close + 1..];
        }
        if !rest.is_empty() || parts.is_empty() {
            parts.push(Part::Text(rest.into()));
        }
        let most = limits.objects;
        if count > most {
            let raise = limits.raise(Limits::OBJECTS_FLAG);
            // As many and more are counted as this.
            let count = match count {
                u64::MAX => "more names than can be counted".to_owned(),
                _ => format!("{count} names"),
            };
            return Err(format!("`{text}` makes {count}; the limit is {most}: {raise}"));
        }
        Ok(Pattern { parts, count })
    }

    /// How many names it makes; at least one.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Writes the name of number `index` (from 0) after what `out` holds.
    pub fn write(&self, index: u64, out: &mut String) {
        use std::fmt::Write as _;
        debug_assert!(index < self.count, "name {index} of {}", self.count);
        let mut below = self.count;
        for part in &self.parts {
            below /= part.count();
            let position = index / below % part.count();
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Numbers(first, last, width) => {
                    let number = if first <= last { first + position } else { first - position };
                    let _ = write!(out, "{number:0width$}");
                }
                Part::Letters(first, last) => {
                    // At most 25 apart.
                    let position = (position % 26) as u8;
                    let letter = if first <= last { first + position } else { first - position };
                    out.push(char::from(letter));
                }
                Part::Words(words) => {
                    if let Some(word) = usize::try_from(position).ok().and_then(|i| words.get(i)) {
                        out.push_str(word);
                    }
                }
            }
        }
    }

    /// Calls `each` with every name, in order.
    pub fn for_each(&self, mut each: impl FnMut(&str)) {
        let mut name = String::new();
        for index in 0..self.count {
            name.clear();
            self.write(index, &mut name);
            each(&name);
        }
    }
}

impl Part {
    fn count(&self) -> u64 {
        match self {
            Part::Text(_) => 1,
            Part::Numbers(first, last, _) => first.abs_diff(*last).saturating_add(1),
            Part::Letters(first, last) => u64::from(first.abs_diff(*last)) + 1,
            Part::Words(words) => words.len() as u64,
        }
    }
}

/// A range in another notation, as it is written here.
fn right_range(inside: &str) -> Option<String> {
    let plain = inside.replace(' ', "").replace("...", "..");
    let (first, last) = plain.split_once("..").or_else(|| plain.split_once('-'))?;
    let is_end = |end: &str| {
        let is_number = !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_digit());
        is_number || end.len() == 1 && end.as_bytes()[0].is_ascii_alphabetic()
    };
    let right = format!("{first}..{last}").to_lowercase();
    (is_end(first) && is_end(last) && right != inside && first.len() + last.len() < 20)
        .then_some(right)
        .filter(|_| first.as_bytes()[0].is_ascii_digit() == last.as_bytes()[0].is_ascii_digit())
}

/// What stands between the braces.
fn parse_range(inside: &str) -> Result<Part, String> {
    let hint = right_range(inside)
        .map(|right| format!("write {{{right}}}"))
        .unwrap_or_else(|| "a range is {0..5}, {a..c} or {x,y}".into());
    if let Some((first, last)) = inside.split_once("..") {
        let is_letter = |text: &str| text.len() == 1 && text.as_bytes()[0].is_ascii_lowercase();
        if is_letter(first) && is_letter(last) {
            return Ok(Part::Letters(first.as_bytes()[0], last.as_bytes()[0]));
        }
        let number = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            if digits { text.parse::<u64>().ok() } else { None }
        };
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if let Some(huge) = [first, last].into_iter().find(|t| t.len() > 19 && is_number(t))
            && number(huge).is_none()
        {
            return Err(format!("the number {huge} is too large for a range"));
        }
        let (Some(from), Some(to)) = (number(first), number(last)) else {
            return Err(format!("`{{{inside}}}` is not a range; {hint}"));
        };
        // As in a shell: a leading zero asks for names of equal length.
        let padded = [first, last].iter().any(|t| t.len() > 1 && t.starts_with('0'));
        let width = if padded { first.len().max(last.len()) } else { 0 };
        return Ok(Part::Numbers(from, to, width));
    }
    if inside.contains(',') {
        return Ok(Part::Words(inside.split(',').map(Box::from).collect()));
    }
    if inside.starts_with('{') {
        return Err(format!("`{{{inside}}}}}` is a template, and no range: render it first"));
    }
    Err(format!("`{{{inside}}}` is not a range; {hint}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expands() {
        let cases = [
            ("web", "web"),
            ("", ""),
            ("node-{0..2}", "node-0 node-1 node-2"),
            ("n{08..10}", "n08 n09 n10"),
            ("n{2..0}", "n2 n1 n0"),
            ("{a..c}-x", "a-x b-x c-x"),
            ("{x,y}", "x y"),
            ("a{x,}", "ax a"),
            ("{0..1}{a..b}", "0a 0b 1a 1b"),
            ("z{a,b}-n{00..01}", "za-n00 za-n01 zb-n00 zb-n01"),
        ];
        for (text, expected) in cases {
            let pattern = Pattern::parse(text, &Limits::default()).expect(text);
            let mut names = Vec::new();
            pattern.for_each(|name| names.push(name.to_string()));
            assert_eq!(names.join(" "), expected, "{text}");
            assert_eq!(names.len() as u64, pattern.count());
        }
    }

    #[test]
    fn refuses() {
        let cases = [
            ("a{0..", "`{` without `}` in `a{0..`"),
            ("a}", "`}` without `{` in `a}`"),
            ("a{}", "`{}` is not a range"),
            ("a{5}", "`{5}` is not a range"),
            ("a{0..x}", "`{0..x}` is not a range"),
            ("{{ .Values.x }}", "`{{ .Values.x }}` is a template, and no range"),
            ("a{-1..3}", "`{-1..3}` is not a range"),
            (
                "p{1..2000001}",
                "makes 2000001 names; the limit is 2000000: raise it with --max-objects N",
            ),
            ("p{0..99999}{0..99999}{0..99999}{0..99999}", "makes more names than can be counted"),
            ("p{0..18446744073709551615}", "makes more names than can be counted; the limit is"),
            ("p{0..99999999999999999999}", "the number 99999999999999999999 is too large"),
        ];
        for (text, message) in cases {
            let error = Pattern::parse(text, &Limits::default()).expect_err(text);
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
