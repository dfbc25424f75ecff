//! One student's report as a page of its own: what was found beside the text it was found in.

use super::{Anchor, Attr, Document, Html, Marked, answer, legend};
use crate::report::Graded;
use crate::report::look::Look;
use crate::report::page::{Entry, Mark, Page, Section};

/// Longer answers are cut: a browser still has to show them.
const LONGEST: usize = 200_000;

const STYLE: &str = include_str!("feedback.css");
const PRINT: &str = include_str!("print.css");

/// Where a page is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paper {
    /// On a screen, and on paper if need be.
    Screen,
    /// On paper: always light, with margins, nothing cut in two.
    Print,
}

/// Lays a page out.
pub(crate) fn render(page: &Page, graded: &Graded<'_>, paper: Paper) -> String {
    let marks = marks(page);
    let mut body = Html::default();
    body.element("main", &[], |html| {
        html.element("header", &[], |html| {
            html.line("h1", &[], &graded.drill.title);
            html.element("p", &[Attr::Is("class", "note")], |html| html.text(graded.submission.file));
            for sentence in &page.summary {
                html.line("p", &[], sentence);
            }
        });
        html.element("div", &[Attr::Is("class", "sides")], |html| {
            html.element("section", &[Attr::Is("class", "found"), Attr::Label("What was found")], |html| found(html, page));
            html.element("section", &[Attr::Is("class", "text"), Attr::Label("The answer")], |html| {
                html.classed("h2", "small", "The answer");
                let mut looks: Vec<Look> = marks.iter().map(|mark| mark.look).collect();
                looks.sort_unstable();
                looks.dedup();
                if !looks.is_empty() {
                    legend(html, looks.into_iter());
                }
                if !answer(html, graded.answer, &marks, LONGEST) {
                    html.classed("p", "note", &format!("The answer goes on; {LONGEST} bytes of it are shown."));
                }
            });
        });
        if !page.numbers.is_empty() {
            html.element("section", &[], |html| {
                html.line("h2", &[], "What each number is taken for");
                html.element("ul", &[], |html| page.numbers.iter().for_each(|number| html.line("li", &[], number)));
            });
        }
    });
    let style = match paper {
        Paper::Screen => STYLE,
        Paper::Print => PRINT,
    };
    Document { title: page.title.clone(), style, script: None, body }.finish()
}

fn found(html: &mut Html, page: &Page) {
    let mut at = 0;
    for section in &page.sections {
        heading(html, section);
        html.element("ul", &[Attr::Is("class", "findings")], |html| {
            for entry in &section.entries {
                finding(html, entry, at);
                at += 1;
            }
        });
    }
}

fn heading(html: &mut Html, section: &Section) {
    html.element(if section.is_item { "h3" } else { "h2" }, &[], |html| {
        html.sentence(&section.title);
        if let Some(points) = &section.points {
            html.sentence(" ");
            html.classed("span", "points", points);
        }
    });
}

fn finding(html: &mut Html, entry: &Entry, at: usize) {
    let class = entry.mark.look().map_or("v-hint", Look::class);
    html.element("li", &[Attr::Id(Anchor::new("f", at)), Attr::Is("class", class)], |html| {
        html.element("span", &[Attr::Is("class", "sign"), Attr::Is("aria-hidden", "true")], |html| {
            html.text(&entry.mark.sign().to_string())
        });
        html.element("div", &[], |html| {
            html.element("p", &[Attr::Is("class", "headline")], |html| {
                if let Some(look) = entry.mark.look() {
                    html.classed("span", "vh", &format!("{}: ", look.word()));
                }
                html.sentence(&entry.headline);
                if entry.span.is_some() {
                    html.sentence(" ");
                    html.element(
                        "a",
                        &[Attr::To(Anchor::new("m", at)), Attr::Is("class", "there"), Attr::Label("Show it in the answer")],
                        |html| {
                            html.sentence("↗");
                        },
                    );
                }
            });
            if let Some(quote) = &entry.quote {
                html.quote(quote, entry.mark.look().unwrap_or(Look::Person));
            }
            for said in &entry.said {
                html.line("p", &[], said);
            }
            if let Some(code) = &entry.code {
                html.element("p", &[], |html| html.element("code", &[], |html| html.text(code)));
            }
        });
    });
}

fn marks(page: &Page) -> Vec<Marked> {
    let mut marks = Vec::new();
    for (at, entry) in page.sections.iter().flat_map(|section| &section.entries).enumerate() {
        let (Some(span), Some(look)) = (entry.span, entry.mark.look()) else { continue };
        let title = format!("{}: {}", entry.headline.split(':').next().unwrap_or_default(), look.word());
        marks.push(Marked {
            span,
            look,
            is_evidence: entry.is_argument,
            title: crate::report::inert::terminal(&title),
            id: Anchor::new("m", at),
            to: Some(Anchor::new("f", at)),
        });
    }
    marks
}

impl Mark {
    /// How it is drawn; a hint is no verdict.
    fn look(self) -> Option<Look> {
        Some(match self {
            Mark::Right => Look::Right,
            Mark::Carried => Look::Carried,
            Mark::Partly => Look::Partly,
            Mark::Known => Look::Slip,
            Mark::Wrong => Look::Wrong,
            Mark::Missing => Look::Missing,
            Mark::Person => Look::Person,
            Mark::Hint => return None,
        })
    }
}
