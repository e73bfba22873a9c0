//! `-o svg`: well-formed, within the page, and no text over another.

use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;
use taintsim::render::Svg;

use crate::support::{hostile, plan, rendered, scenarios};

/// A text with the box around it, in pixels.
#[derive(Debug)]
struct Text {
    text: String,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Text {
    fn touches(&self, other: &Text) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

/// What a reader of the file sees of it.
#[derive(Debug, Default)]
struct Seen {
    elements: Vec<String>,
    texts: Vec<Text>,
    /// The least and the greatest coordinates of shapes.
    right: f64,
    bottom: f64,
    size: (f64, f64),
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = element.attributes().map(|attribute| attribute.unwrap());
    let value = |attribute: quick_xml::events::attributes::Attribute<'_>| {
        attribute.normalized_value(XmlVersion::Implicit1_0).unwrap().into_owned()
    };
    found.filter(|attribute| attribute.key.as_ref() == name.as_bytes()).map(value).next()
}

fn number(element: &BytesStart<'_>, name: &str) -> f64 {
    attribute(element, name).map_or(0.0, |text| text.parse().unwrap())
}

/// How wide the text is in Helvetica and Arial, about; the program reckons with wider fonts.
fn width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * 0.5
}

fn read(svg: &str) -> Seen {
    let mut reader = Reader::from_str(svg);
    reader.config_mut().check_end_names = true;
    let mut seen = Seen::default();
    let mut open: Option<(Text, f64, bool)> = None;
    let mut in_definitions = false;
    loop {
        match reader.read_event().unwrap() {
            Event::Start(element) | Event::Empty(element) => {
                let name = String::from_utf8(element.name().as_ref().to_vec()).unwrap();
                in_definitions |= name == "defs";
                if name == "svg" {
                    seen.size = (number(&element, "width"), number(&element, "height"));
                }
                if name == "rect" && !in_definitions {
                    let [x, y, w, h] = ["x", "y", "width", "height"].map(|n| number(&element, n));
                    seen.right = seen.right.max(x + w);
                    seen.bottom = seen.bottom.max(y + h);
                }
                if name == "text" {
                    let size = number(&element, "font-size");
                    let (x, y) = (number(&element, "x"), number(&element, "y"));
                    let middle = attribute(&element, "text-anchor").is_some();
                    let text = String::new();
                    let (top, bottom) = (y - size * 0.75, y + size * 0.2);
                    open = Some((Text { text, left: x, right: x, top, bottom }, size, middle));
                }
                seen.elements.push(name);
            }
            Event::Text(text) => {
                if let Some((open, ..)) = &mut open {
                    open.text.push_str(&text.decode().unwrap());
                }
            }
            // `&lt;` and the like come on their own.
            Event::GeneralRef(_) => {
                if let Some((open, ..)) = &mut open {
                    open.text.push('&');
                }
            }
            Event::End(element) => {
                in_definitions &= element.name().as_ref() != b"defs";
                if element.name().as_ref() == b"text" {
                    let (mut text, size, middle) = open.take().unwrap();
                    let wide = width(&text.text, size);
                    let shift = if middle { wide / 2.0 } else { 0.0 };
                    (text.left, text.right) = (text.left - shift, text.right + wide - shift);
                    seen.texts.push(text);
                }
            }
            Event::Eof => return seen,
            Event::Comment(_)
            | Event::CData(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::DocType(_) => panic!("nothing of the kind is written"),
        }
    }
}

fn check(name: &str, svg: &str) {
    let seen = read(svg);
    assert!(seen.texts.len() > 3, "{name}: {seen:?}");
    let (width, height) = seen.size;
    assert!(seen.right <= width && seen.bottom <= height, "{name}: {seen:?}");
    for (index, text) in seen.texts.iter().enumerate() {
        let inside = text.left >= 0.0 && text.right <= width && text.bottom <= height;
        assert!(inside && text.top >= 0.0, "{name}: {text:?} leaves the page");
        for other in &seen.texts[index + 1..] {
            assert!(!text.touches(other), "{name}: {text:?} touches {other:?}");
        }
    }
    let known = [
        "svg", "title", "desc", "style", "defs", "pattern", "rect", "path", "circle", "g", "use",
        "line", "text",
    ];
    for element in &seen.elements {
        assert!(known.contains(&element.as_str()), "{name}: <{element}>");
    }
}

#[test]
fn every_picture_is_well_formed_and_legible() {
    for file in scenarios() {
        let plan = plan(&file);
        let svg = rendered(Svg::default(), &plan);
        check(&plan.name, &svg);
        assert_eq!(svg, rendered(Svg::default(), &plan), "the same run, the same bytes");
    }
}

#[test]
fn nothing_acts_in_a_browser() {
    let svg = rendered(Svg::default(), &hostile());
    check("hostile", &svg);
    assert!(!svg.contains("<script"), "{svg}");
    let is_xml = |c: char| matches!(c, '\n' | ' '..='\u{fffd}' | '\u{10000}'..) && !c.is_control();
    let bad = svg.chars().find(|c| *c != '\n' && !is_xml(*c));
    assert_eq!(bad, None, "{svg}");
}

#[test]
fn nothing_comes_from_elsewhere() {
    let svg = rendered(Svg::default(), &plan(&scenarios()[0]));
    let links: Vec<&str> = svg.match_indices("http").map(|(at, _)| &svg[at..at + 18]).collect();
    assert_eq!(links, ["http://www.w3.org/"; 2], "the names of XML alone");
    for (at, _) in svg.match_indices("href=\"") {
        assert!(svg[at..].starts_with("href=\"#ts-"), "{}", &svg[at..at + 30]);
    }
}
