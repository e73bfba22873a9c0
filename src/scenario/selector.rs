//! Label selectors as `kubectl -l` writes them: `app=web,tier!=db,zone in (a,b),!canary`.
//!
//! k8s v1.36 apimachinery pkg/labels `Parse`. Left out: the numeric comparisons `>` and `<`. An
//! empty selector is refused, since it would silently stand for everything.

use crate::objects::validation;
use crate::objects::{Requirement, Selector};

/// What a selector may look like; for hints.
pub const FORMS: &str =
    "right is `a=b`, `a!=b`, `a in (b,c)`, `a notin (b)`, `a` or `!a`, joined by commas";

/// Reads a selector.
///
/// # Errors
/// What is wrong with it, in one sentence that names the offending part.
pub fn parse(text: &str) -> Result<Selector, String> {
    let mut parser = Parser { tokens: tokens(text)?, next: 0 };
    if parser.peek().is_none() {
        return Err(format!("the selector is empty; {FORMS}"));
    }
    let mut requirements = vec![parser.requirement()?];
    while let Some(token) = parser.take() {
        if token != Token::Comma {
            return Err(format!("found {token} where a comma or the end should be; {FORMS}"));
        }
        requirements.push(parser.requirement()?);
    }
    Ok(Selector(requirements))
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(Box<str>),
    Comma,
    Not,
    Equals,
    NotEquals,
    Open,
    Close,
}

impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = match self {
            Token::Word(word) => word,
            Token::Comma => ",",
            Token::Not => "!",
            Token::Equals => "=",
            Token::NotEquals => "!=",
            Token::Open => "(",
            Token::Close => ")",
        };
        write!(f, "`{text}`")
    }
}

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, length) = match first {
            ',' => (Token::Comma, 1),
            '(' => (Token::Open, 1),
            ')' => (Token::Close, 1),
            '=' => (Token::Equals, if rest.starts_with("==") { 2 } else { 1 }),
            '!' if rest.starts_with("!=") => (Token::NotEquals, 2),
            '!' => (Token::Not, 1),
            '<' | '>' => {
                return Err(format!("`{first}` is not supported by this version; {FORMS}"));
            }
            _ => {
                let is_end = |c: char| c.is_whitespace() || ",()=!<>".contains(c);
                let length = rest.find(is_end).unwrap_or(rest.len());
                (Token::Word(rest[..length].into()), length)
            }
        };
        tokens.push(token);
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

struct Parser {
    tokens: Vec<Token>,
    next: usize,
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next)
    }

    fn take(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.next).cloned();
        self.next += 1;
        token
    }

    fn requirement(&mut self) -> Result<Requirement, String> {
        let negated = self.peek() == Some(&Token::Not);
        if negated {
            self.next += 1;
        }
        let key = self.key()?;
        if negated {
            return Ok(Requirement::DoesNotExist(key));
        }
        match self.peek() {
            None | Some(Token::Comma) => Ok(Requirement::Exists(key)),
            Some(Token::Equals) => {
                self.next += 1;
                Ok(Requirement::In(key, vec![self.value()?]))
            }
            Some(Token::NotEquals) => {
                self.next += 1;
                Ok(Requirement::NotIn(key, vec![self.value()?]))
            }
            Some(Token::Word(word)) if **word == *"in" => {
                self.next += 1;
                Ok(Requirement::In(key, self.values("in")?))
            }
            Some(Token::Word(word)) if **word == *"notin" => {
                self.next += 1;
                Ok(Requirement::NotIn(key, self.values("notin")?))
            }
            Some(other) => Err(format!("found {other} after the key `{key}`; {FORMS}")),
        }
    }

    fn key(&mut self) -> Result<Box<str>, String> {
        let key = match self.take() {
            Some(Token::Word(key)) => key,
            Some(other) => {
                return Err(format!("found {other} where a label key should be; {FORMS}"));
            }
            None => return Err(format!("the selector ends where a label key should be; {FORMS}")),
        };
        match validation::label_key(&key).into_iter().next() {
            None => Ok(key),
            Some(problem) => Err(format!("`{key}` is no label key: {problem}")),
        }
    }

    /// One value; nothing at all is the empty value, as in `a=`.
    fn value(&mut self) -> Result<Box<str>, String> {
        let Some(Token::Word(value)) = self.peek() else { return Ok("".into()) };
        let value = value.clone();
        self.next += 1;
        match validation::label_value(&value).into_iter().next() {
            None => Ok(value),
            Some(problem) => Err(format!("`{value}` is no label value: {problem}")),
        }
    }

    fn values(&mut self, operator: &str) -> Result<Vec<Box<str>>, String> {
        let expected = || format!("`{operator}` wants values in parentheses, such as `(a,b)`");
        if self.take() != Some(Token::Open) {
            return Err(expected());
        }
        if self.peek() == Some(&Token::Close) {
            return Err(format!("`{operator} ()` has no values; {}", expected()));
        }
        let mut values = vec![self.value()?];
        loop {
            match self.take() {
                Some(Token::Comma) => values.push(self.value()?),
                Some(Token::Close) => return Ok(values),
                _ => return Err(expected()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requirement(operator: &str, key: &str, values: &[&str]) -> Requirement {
        let values = values.iter().map(|v| (*v).into()).collect();
        match operator {
            "in" => Requirement::In(key.into(), values),
            "notin" => Requirement::NotIn(key.into(), values),
            "exists" => Requirement::Exists(key.into()),
            _ => Requirement::DoesNotExist(key.into()),
        }
    }

    #[test]
    fn every_form_of_kubectl_is_read() {
        let in_ = |key, values| requirement("in", key, values);
        let not_in = |key, values| requirement("notin", key, values);
        for (text, want) in [
            ("a=b", vec![in_("a", &["b"])]),
            ("a==b", vec![in_("a", &["b"])]),
            (" a = b ", vec![in_("a", &["b"])]),
            ("a=", vec![in_("a", &[""])]),
            ("a=,b", vec![in_("a", &[""]), requirement("exists", "b", &[])]),
            ("a!=b", vec![not_in("a", &["b"])]),
            ("a in (b, c)", vec![in_("a", &["b", "c"])]),
            ("a in (b,)", vec![in_("a", &["b", ""])]),
            ("a notin(b)", vec![not_in("a", &["b"])]),
            ("a", vec![requirement("exists", "a", &[])]),
            ("!a", vec![requirement("absent", "a", &[])]),
            ("! a", vec![requirement("absent", "a", &[])]),
            (
                "app.kubernetes.io/name=web,tier in (a,b),!canary",
                vec![
                    in_("app.kubernetes.io/name", &["web"]),
                    in_("tier", &["a", "b"]),
                    requirement("absent", "canary", &[]),
                ],
            ),
        ] {
            assert_eq!(parse(text), Ok(Selector(want)), "{text}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (text, message) in [
            ("", "empty"),
            ("  ", "empty"),
            ("a=b,", "ends where a label key"),
            (",a", "found `,` where a label key"),
            ("a b", "found `b` after the key `a`"),
            ("a=b c", "found `c` where a comma"),
            ("a in b", "`in` wants values in parentheses"),
            ("a in (b", "`in` wants values in parentheses"),
            ("a notin ()", "`notin ()` has no values"),
            ("a > 5", "`>` is not supported"),
            ("a/b/c=d", "`a/b/c` is no label key"),
            ("a=b/c", "`b/c` is no label value"),
            ("a=b=c", "found `=` where a comma"),
            ("!a=b", "found `=` where a comma"),
            ("(a)", "found `(` where a label key"),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
