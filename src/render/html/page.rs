//! The page around the data: escapes, the policy with its hashes, what is read without a script.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::render::View;
use crate::render::summary::Summary;
use crate::render::text::printable;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
/// The parts of the script; they share one scope.
const SCRIPT: [&str; 9] = [
    include_str!("script/words.js"),
    include_str!("script/model.js"),
    include_str!("script/scale.js"),
    include_str!("script/state.js"),
    include_str!("script/signs.js"),
    include_str!("script/lanes.js"),
    include_str!("script/panel.js"),
    include_str!("script/table.js"),
    include_str!("script/main.js"),
];

/// Fates that are listed before the rest is counted.
const FATES_MAX: usize = 25;

/// Appends a whole page; `head` is HTML, `data` JSON.
pub(super) fn push_page(out: &mut Vec<u8>, title: &str, head: &str, data: &[u8]) {
    let script = format!("(() => {{\n\"use strict\";\n{}}})();\n", SCRIPT.concat());
    let policy = format!(
        "default-src 'none'; style-src '{}'; script-src '{}'; base-uri 'none'; \
         form-action 'none'; require-trusted-types-for 'script'",
        source_hash(STYLE),
        source_hash(&script)
    );
    let mut rest = PAGE;
    // What is put in is not looked at again, so that no text of the run can name a place.
    while let Some((before, place, after)) = next_place(rest) {
        out.extend_from_slice(before.as_bytes());
        match place {
            "policy" => push_html(out, &policy),
            "title" => push_html(out, title),
            "style" => out.extend_from_slice(STYLE.as_bytes()),
            "head" => out.extend_from_slice(head.as_bytes()),
            "version" => push_html(out, env!("CARGO_PKG_VERSION")),
            "data" => push_json_block(out, data),
            "script" => out.extend_from_slice(script.as_bytes()),
            other => debug_assert!(false, "page.html has a place {other}"),
        }
        rest = after;
    }
    out.extend_from_slice(rest.as_bytes());
}

/// Splits at the next `{{place}}`.
fn next_place(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("{{")?;
    let (place, after) = rest.split_once("}}")?;
    Some((before, place, after))
}

/// Appends a text so that it stands for itself in an element or an attribute in double quotes.
pub(super) fn push_html(out: &mut Vec<u8>, text: &str) {
    for c in printable(text).chars() {
        match c {
            '&' => out.extend_from_slice(b"&amp;"),
            '<' => out.extend_from_slice(b"&lt;"),
            '>' => out.extend_from_slice(b"&gt;"),
            '"' => out.extend_from_slice(b"&quot;"),
            '\'' => out.extend_from_slice(b"&#39;"),
            c => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

/// As [`push_html`] does it.
pub(super) fn html(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    push_html(&mut out, text);
    // Every byte comes from a string.
    String::from_utf8_lossy(&out).into_owned()
}

/// Appends JSON so that nothing in it can end the element that it stands in. In JSON these
/// characters occur in strings only, where their escapes mean the same.
fn push_json_block(out: &mut Vec<u8>, data: &[u8]) {
    for byte in data {
        match byte {
            b'<' => out.extend_from_slice(b"\\u003c"),
            b'>' => out.extend_from_slice(b"\\u003e"),
            b'&' => out.extend_from_slice(b"\\u0026"),
            byte => out.push(*byte),
        }
    }
}

/// The heading, with what there is to know of the run.
pub(super) fn push_heading(out: &mut String, name: &str, facts: &[String]) {
    let _ = writeln!(out, "<h1>{}</h1>\n<ul class=\"facts\">", html(name));
    for fact in facts {
        let _ = writeln!(out, "<li>{}</li>", html(fact));
    }
    out.push_str("</ul>\n");
}

/// The table of fates, and the sentences that a timeline ends with.
pub(super) fn push_fates(out: &mut String, view: View<'_>, summary: &Summary) {
    let mut lines = summary.lines(view).peekable();
    if lines.peek().is_some() {
        out.push_str(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" \
             aria-label=\"Fates of the pods\">\n<table class=\"fates\">\n<thead><tr><th scope=\"col\">Fate</th>\
             <th scope=\"col\" class=\"count\">Pods</th><th scope=\"col\">Why</th>\
             <th scope=\"col\">Which</th></tr></thead>\n<tbody>\n",
        );
        for (fate, why, count, which) in lines.by_ref().take(FATES_MAX) {
            let _ = writeln!(
                out,
                "<tr><th scope=\"row\"><span class=\"fate {fate}\">{fate}</span></th>\
                 <td class=\"count\">{count}</td><td>{}</td><td class=\"which\">{}</td></tr>",
                html(why),
                html(&which)
            );
        }
        out.push_str("</tbody>\n</table>\n</div>\n");
        let more = lines.count();
        if more > 0 {
            let _ = writeln!(out, "<p class=\"note\">… and {more} more groups of pods.</p>");
        }
    }
    push_notes(out, summary.notes());
}

/// Sentences below a table.
pub(super) fn push_notes(out: &mut String, notes: &[String]) {
    for note in notes {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", html(note));
    }
}

/// A source expression of a policy: the hash of what is between the tags.
fn source_hash(text: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(text.as_bytes())))
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            match digit <= chunk.len() {
                true => text.push(char::from(DIGITS[(bits >> (18 - 6 * digit) & 63) as usize])),
                false => text.push('='),
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_an_element_or_an_attribute() {
        let cases = [
            ("shop/web-0", "shop/web-0"),
            ("größe→", "größe→"),
            ("</title><script>", "&lt;/title&gt;&lt;script&gt;"),
            ("\" onload='x' &amp;", "&quot; onload=&#39;x&#39; &amp;amp;"),
            ("a\u{202e}b\u{2028}", "a\\u{202e}b\\u{2028}"),
        ];
        for (text, expected) in cases {
            assert_eq!(html(text), expected);
        }
        let mut block = Vec::new();
        let data = br#"{"a":"</script><!--&"}"#;
        push_json_block(&mut block, data);
        assert_eq!(block, br#"{"a":"\u003c/script\u003e\u003c!--\u0026"}"#);
        let value = |json: &[u8]| serde_json::from_slice::<serde_json::Value>(json).unwrap();
        assert_eq!(value(&block), value(data));
    }

    #[test]
    fn base64_is_that_of_the_rfc() {
        let cases =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")];
        for (text, expected) in cases {
            assert_eq!(base64(text.as_bytes()), expected);
        }
    }

    /// A place that nothing fills, or a text that could be taken for one, would show in the page.
    #[test]
    fn every_place_is_filled_once_and_the_text_of_a_run_is_none() {
        let mut out = Vec::new();
        push_page(&mut out, "{{script}}", "<p>{{data}}</p>", b"{\"x\":\"{{style}}\"}");
        let page = String::from_utf8(out).unwrap();
        for kept in ["<title>{{script}}", "<p>{{data}}</p>", "{\"x\":\"{{style}}\"}"] {
            assert_eq!(page.matches(kept).count(), 1, "{kept}");
        }
        assert_eq!(page.matches("{{").count(), 3);
    }
}
