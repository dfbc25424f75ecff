//! HTML in which nothing foreign can be anything but text.
//!
//! [`Html`] has no way to take markup in: names of elements and attributes are the program's own (`&'static str`), every
//! text and every value that is not is escaped on the way in, elements close by themselves, and links lead to places of
//! the same page. A page is one file: its style and its script are inside, and its Content-Security-Policy names both by
//! their digests and forbids everything else, so that a browser would obey nothing foreign even if it got through.
//!
//! What is written is well-formed XML as well, which is how the tests read it back.

mod answer;
mod feedback;

use std::fmt::Write;

use sha2::{Digest, Sha256};

use crate::report::inert;
use crate::report::look::Look;
use crate::report::quote::Quote;
use crate::report::shown::TIE;

pub(crate) use answer::{Marked, answer};
pub(crate) use feedback::{Paper, render};

/// What all pages look like.
const STYLE: &str = include_str!("html/page.css");

/// Markup that is safe and whole.
#[derive(Debug, Default)]
pub(crate) struct Html {
    text: String,
}

/// A place of the page that links lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Anchor {
    /// What kind of place; ours.
    pub(crate) kind: &'static str,
    /// Which of them.
    pub(crate) at: usize,
    /// Which place inside it.
    pub(crate) inner: Option<usize>,
}

impl Anchor {
    /// A place by its kind and number.
    pub(crate) fn new(kind: &'static str, at: usize) -> Anchor {
        Anchor { kind, at, inner: None }
    }

    /// A place inside another.
    pub(crate) fn inside(kind: &'static str, at: usize, inner: usize) -> Anchor {
        Anchor { kind, at, inner: Some(inner) }
    }
}

impl std::fmt::Display for Anchor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.kind, self.at)?;
        self.inner.map_or(Ok(()), |inner| write!(f, "-{inner}"))
    }
}

/// An attribute. Foreign words fit only into those that are read out or compared, and are escaped there.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Attr<'a> {
    /// Name and value are ours.
    Is(&'static str, &'static str),
    /// Classes that are ours.
    Classes(&'static str, &'static str),
    /// A number.
    Number(&'static str, f64),
    /// A share of the width or the height, from 0 to 1.
    Percent(&'static str, f64),
    /// The place's own name.
    Id(Anchor),
    /// A link to a place of the page.
    To(Anchor),
    /// A link to a file beside the page; the name is made safe by whoever makes such files.
    File(&'a str),
    /// The place that names this element.
    LabelledBy(Anchor),
    /// Foreign words that are shown when one points at the element.
    Title(&'a str),
    /// Foreign words that are read out in its place.
    Label(&'a str),
    /// Foreign words that the page's own script compares.
    Data(&'static str, &'a str),
}

impl Html {
    /// An element and what is inside it.
    pub(crate) fn element(&mut self, name: &'static str, attributes: &[Attr<'_>], inside: impl FnOnce(&mut Html)) {
        self.open(name, attributes, ">");
        inside(self);
        let _ = write!(self.text, "</{name}>");
    }

    /// An element that holds nothing.
    pub(crate) fn void(&mut self, name: &'static str, attributes: &[Attr<'_>]) {
        self.open(name, attributes, "/>");
    }

    /// An element that holds a sentence.
    pub(crate) fn line(&mut self, name: &'static str, attributes: &[Attr<'_>], sentence: &str) {
        self.element(name, attributes, |html| html.sentence(sentence));
    }

    /// An element of one class that holds a sentence.
    pub(crate) fn classed(&mut self, name: &'static str, class: &'static str, sentence: &str) {
        self.line(name, &[Attr::Is("class", class)], sentence);
    }

    /// One of our sentences; words that are [quoted](inert::quoted) in it become a quotation.
    pub(crate) fn sentence(&mut self, sentence: &str) {
        self.text.push_str(&inert::html(sentence));
    }

    /// Foreign words as they are, on one line.
    pub(crate) fn text(&mut self, text: &str) {
        self.text.push_str(&inert::html_text(text));
    }

    /// Foreign text whose lines and indents stay as they are.
    pub(crate) fn lines(&mut self, text: &str) {
        for (at, line) in text.split('\n').enumerate() {
            if at > 0 {
                self.text.push('\n');
            }
            self.text.push_str(&inert::html_text(&line.trim_end_matches('\r').replace('\t', "    ")));
        }
    }

    /// A new line of the file, where a browser sees no more than a blank.
    pub(crate) fn end_line(&mut self) {
        self.text.push('\n');
    }

    /// Markup that was made elsewhere.
    pub(crate) fn append(&mut self, other: Html) {
        self.text.push_str(&other.text);
    }

    /// What has been written so far takes so many bytes.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// A line of a student with the words in question marked.
    pub(crate) fn quote(&mut self, quote: &Quote, look: Look) {
        self.element("blockquote", &[], |html| {
            html.text(&quote.before);
            html.element("mark", &[Attr::Classes("m", look.class())], |html| html.text(&quote.marked));
            html.text(&quote.after);
        });
    }

    fn open(&mut self, name: &'static str, attributes: &[Attr<'_>], end: &str) {
        let _ = write!(self.text, "<{name}");
        for attribute in attributes {
            self.attribute(*attribute);
        }
        self.text.push_str(end);
    }

    fn attribute(&mut self, attribute: Attr<'_>) {
        let text = &mut self.text;
        // Writing to a string cannot fail.
        let _ = match attribute {
            Attr::Is(name, value) => write!(text, " {name}=\"{}\"", inert::html_text(value)),
            Attr::Classes(one, other) => write!(text, " class=\"{one} {other}\""),
            Attr::Number(name, number) => write!(text, " {name}=\"{}\"", short(number)),
            Attr::Percent(name, share) => write!(text, " {name}=\"{}%\"", short(share * 100.0)),
            Attr::Id(anchor) => write!(text, " id=\"{anchor}\""),
            Attr::To(anchor) => write!(text, " href=\"#{anchor}\""),
            Attr::File(name) => write!(text, " href=\"feedback/{}\"", inert::html_text(&name.replace('%', "%25"))),
            Attr::LabelledBy(anchor) => write!(text, " aria-labelledby=\"{anchor}\""),
            Attr::Title(words) => write!(text, " title=\"{}\"", inert::html_text(words)),
            Attr::Label(words) => write!(text, " aria-label=\"{}\"", inert::html_text(words)),
            Attr::Data(name, words) => write!(text, " data-{name}=\"{}\"", inert::html_text(words)),
        };
    }
}

/// A page, to be finished with its head.
#[derive(Debug)]
pub(crate) struct Document {
    /// What the browser calls it.
    pub(crate) title: String,
    /// Our own style beside that of all pages.
    pub(crate) style: &'static str,
    /// Our own script, which the page must be able to do without.
    pub(crate) script: Option<&'static str>,
    /// What is in it.
    pub(crate) body: Html,
}

impl Document {
    /// The file.
    pub(crate) fn finish(self) -> String {
        let style = format!("{STYLE}{}", self.style);
        let script = self.script.map_or_else(|| "'none'".to_owned(), |script| format!("'sha256-{}'", digest(script)));
        let policy =
            format!("default-src 'none'; style-src 'sha256-{}'; script-src {script}; base-uri 'none'; form-action 'none'", digest(&style));
        // Whatever the layouts tie together with a space that no line breaks at stays so: browsers know it.
        let mut page = String::with_capacity(self.body.len() + style.len() + 4000);
        page.push_str("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
        page.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
        let _ = writeln!(page, "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\"/>");
        page.push_str("<meta name=\"color-scheme\" content=\"light dark\"/>\n<meta name=\"robots\" content=\"noindex\"/>\n");
        page.push_str("<meta name=\"referrer\" content=\"no-referrer\"/>\n");
        let _ = writeln!(page, "<title>{}</title>", inert::html_text(&inert::terminal(&self.title.replace(TIE, " "))));
        let _ = writeln!(page, "<style>{style}</style>\n</head>\n<body>");
        page.push_str(&self.body.text);
        if let Some(script) = self.script {
            let _ = write!(page, "\n<script>{script}</script>");
        }
        page.push_str("\n</body>\n</html>\n");
        page
    }
}

/// What the signs and lines mean: for those that occur.
pub(crate) fn legend(html: &mut Html, looks: impl Iterator<Item = Look>) {
    html.element("ul", &[Attr::Is("class", "legend"), Attr::Label("What the signs mean")], |html| {
        for look in looks {
            html.element("li", &[], |html| {
                html.element("mark", &[Attr::Classes("m", look.class())], |html| html.text("12"));
                html.sentence(&format!(" {}", look.word()));
            });
        }
    });
}

/// A number as short as it can be without anybody seeing the difference.
fn short(number: f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// SHA-256 in base 64, as a Content-Security-Policy names what it lets through.
fn digest(content: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digest = Sha256::digest(content.as_bytes());
    let mut text = String::new();
    for three in digest.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let is_there = at <= three.len();
            text.push(if is_there { char::from(DIGITS[(bits >> (18 - 6 * at) & 63) as usize]) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_foreign_leaves_its_place() {
        let hostile = "\"><script>alert(1)</script>\u{202e}\u{e000}x\u{e001}'&";
        let mut html = Html::default();
        html.element("p", &[Attr::Title(hostile), Attr::Data("x", hostile), Attr::Label(hostile)], |html| {
            html.text(hostile);
            html.sentence(&inert::quoted(hostile).to_string());
            html.lines(&format!("{hostile}\n\t{hostile}"));
        });
        assert_eq!(html.text.matches('<').count(), 4, "p and q open and close: {}", html.text);
        assert!(!html.text.contains("script>") && !html.text.contains('\u{202e}'), "{}", html.text);
    }

    #[test]
    fn a_digest_is_what_browsers_work_out() {
        assert_eq!(digest("alert('Hello, world.');"), "qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=");
    }

    #[test]
    fn numbers_in_pictures_are_short() {
        assert_eq!([0.0, 12.5, 33.333_333, -0.001, 100.0].map(short), ["0", "12.5", "33.33", "0", "100"]);
    }
}
