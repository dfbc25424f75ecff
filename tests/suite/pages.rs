//! Pages for a browser, read back by a parser that is not ours: whole, safe, without anything from elsewhere.

use std::collections::BTreeSet;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// Every element that a page may hold.
const ELEMENTS: [&str; 62] = [
    "html",
    "head",
    "meta",
    "title",
    "style",
    "script",
    "body",
    "main",
    "header",
    "footer",
    "nav",
    "section",
    "article",
    "div",
    "p",
    "h1",
    "h2",
    "h3",
    "ul",
    "ol",
    "li",
    "dl",
    "dt",
    "dd",
    "span",
    "b",
    "strong",
    "a",
    "q",
    "code",
    "pre",
    "mark",
    "blockquote",
    "figure",
    "figcaption",
    "details",
    "summary",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "label",
    "input",
    "select",
    "option",
    "output",
    "svg",
    "defs",
    "pattern",
    "rect",
    "line",
    "text",
    "desc",
    "path",
    "g",
    "button",
    "small",
    "em",
    "time",
    "br",
];
/// Every attribute.
const ATTRIBUTES: [&str; 52] = [
    "lang",
    "charset",
    "name",
    "content",
    "http-equiv",
    "id",
    "class",
    "href",
    "title",
    "hidden",
    "type",
    "value",
    "scope",
    "colspan",
    "tabindex",
    "role",
    "aria-label",
    "aria-labelledby",
    "aria-hidden",
    "aria-live",
    "autocomplete",
    "focusable",
    "data-f",
    "data-sort",
    "data-name",
    "x",
    "y",
    "x1",
    "x2",
    "y1",
    "y2",
    "width",
    "height",
    "text-anchor",
    "patternUnits",
    "patternTransform",
    "d",
    "open",
    "for",
    "rel",
    "dir",
    "cx",
    "cy",
    "r",
    "points",
    "viewBox",
    "xmlns",
    "start",
    "datetime",
    "aria-expanded",
    "aria-sort",
    "media",
];

/// What a page holds, without its style and its script.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// All text, one piece a line.
    pub(crate) text: String,
    /// Elements by name.
    pub(crate) elements: Vec<String>,
}

/// Reads a page; what is not as it has to be is an error that says so.
pub(crate) fn read(page: &str) -> Result<Page, String> {
    let body = page.strip_prefix("<!DOCTYPE html>\n").ok_or("no document type")?;
    let body = own(body, "style")?;
    let body = if body.contains("<script>") { own(&body, "script")? } else { body };
    let mut reader = Reader::from_str(&body);
    reader.config_mut().check_end_names = true;
    let mut found = Page::default();
    let (mut ids, mut links) = (BTreeSet::new(), BTreeSet::new());
    let mut depth = 0_usize;
    loop {
        match reader.read_event().map_err(|error| format!("byte {}: {error}", reader.buffer_position()))? {
            Event::Start(start) => {
                depth += 1;
                element(&start, &mut found, &mut ids, &mut links)?;
            }
            Event::Empty(start) => element(&start, &mut found, &mut ids, &mut links)?,
            Event::End(_) => depth -= 1,
            Event::Text(text) => {
                found.text.push_str(&text);
            }
            Event::GeneralRef(name) => {
                let c = match &*name {
                    "amp" => '&',
                    "lt" => '<',
                    "gt" => '>',
                    "quot" => '"',
                    "#39" => '\'',
                    other => return Err(format!("the entity {other}")),
                };
                found.text.push(c);
            }
            Event::Eof => break,
            other => return Err(format!("{other:?} has no place in a page")),
        }
    }
    if depth != 0 {
        return Err(format!("{depth} elements are not closed"));
    }
    match links.difference(&ids).next() {
        Some(lost) => Err(format!("a link leads to `{lost}`, which is nowhere")),
        None => Ok(found),
    }
}

/// Takes out the one element of a page that holds another language, which cannot hold anything foreign.
fn own(page: &str, name: &str) -> Result<String, String> {
    let (before, rest) = page.split_once(&format!("<{name}>")).ok_or_else(|| format!("no {name}"))?;
    let (_, after) = rest.split_once(&format!("</{name}>")).ok_or_else(|| format!("no end of {name}"))?;
    if after.contains(&format!("<{name}")) {
        return Err(format!("a second {name}"));
    }
    Ok(format!("{before}{after}"))
}

fn element(start: &BytesStart<'_>, found: &mut Page, ids: &mut BTreeSet<String>, links: &mut BTreeSet<String>) -> Result<(), String> {
    let name = start.name().as_ref().to_owned();
    if !ELEMENTS.contains(&name.as_str()) {
        return Err(format!("the element {name}"));
    }
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        let key = attribute.key.as_ref().to_owned();
        let value = attribute.value.clone().into_owned();
        if !ATTRIBUTES.contains(&key.as_str()) {
            return Err(format!("the attribute {key} of {name}"));
        }
        match key.as_str() {
            "id" if !ids.insert(value.clone()) => return Err(format!("two places are called `{value}`")),
            "href" => match value.strip_prefix('#') {
                Some(id) => {
                    links.insert(id.to_owned());
                }
                None if value.starts_with("feedback/") && value.ends_with(".html") && !value.contains("..") => {}
                None => return Err(format!("a link to `{value}`")),
            },
            "aria-labelledby" => {
                links.insert(value);
            }
            _ => {}
        }
    }
    found.elements.push(name);
    Ok(())
}

#[test]
fn what_is_not_whole_or_not_safe_is_seen() {
    let page = |body: &str| format!("<!DOCTYPE html>\n<html><head><style>p {{ }}</style></head><body>{body}</body></html>");
    assert!(read(&page("<p id=\"a\">a &lt; b</p><a href=\"#a\">x</a>")).is_ok_and(|page| page.text.contains("a < b")));
    for bad in [
        "<p>",
        "<p></b>",
        "<iframe></iframe>",
        "<p onclick=\"x\"></p>",
        "<a href=\"javascript:x\">x</a>",
        "<a href=\"https://evil.example\">x</a>",
        "<a href=\"#b\">x</a>",
        "<p id=\"a\"></p><p id=\"a\"></p>",
        "<script>x</script><script>y</script>",
        "<!-- x -->",
        "&nbsp;",
    ] {
        assert!(read(&page(bad)).is_err(), "{bad}");
    }
}
