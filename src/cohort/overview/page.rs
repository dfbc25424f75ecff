//! The class as one page for a browser, without anything from elsewhere.
//!
//! A page is for reading in two minutes and for looking things up after that: first what it comes to, then item by item,
//! then student by student. It works without its script; with it, the table sorts, filters, and opens each answer in
//! place. What would make it unusable is left out, and the page says so: the answers of more than [`ANSWERS`] students, and
//! texts beyond [`TEXTS`] bytes in all.

mod charts;
mod students;

use super::words::{self, answers, correlation, percent, share};
use super::{Care, ItemView, MistakeView, Overview, RootView, SumView, View, WaitingView, gather, markdown};
use crate::cohort::Trouble;
use crate::cohort::read::Run;
use crate::report::html::{Anchor, Attr, Document, Html};
use crate::report::look::Look;
use crate::report::shown;

/// Answers of more students than this are not in the page.
pub(super) const ANSWERS: usize = 1500;
/// Bytes of students' texts in the page, in all.
pub(super) const TEXTS: usize = 12_000_000;
/// Bytes of one text in the page.
pub(super) const TEXT: usize = 30_000;

/// Mistakes shown as a card; the rest are lines of a table.
const CARDS: usize = 12;

const STYLE: &str = include_str!("page/class.css");
const SCRIPT: &str = include_str!("page/class.js");

/// Lays the class out. With `links`, each student leads to a file in the folder `feedback` beside the page.
pub(super) fn render(overview: &Overview, run: &Run, links: bool) -> Result<String, Trouble> {
    let students = students::Students::new(overview, run, links)?;
    let mut body = Html::default();
    body.element("a", &[Attr::Is("class", "skip"), Attr::To(STUDENTS)], |html| html.sentence("To the students"));
    charts::patterns(&mut body);
    body.element("main", &[], |html| {
        head(html, overview);
        for (at, view) in overview.drills.iter().enumerate() {
            if overview.drills.len() > 1 {
                html.line(
                    "h2",
                    &[Attr::Is("class", "drill"), Attr::Id(Anchor::new("drill", at))],
                    &format!("{}: {}", view.title, answers(view.answers)),
                );
            }
            draw(html, view, at);
        }
        let remarks = students.remarks();
        students.draw(html);
        foot(html, overview, remarks);
    });
    Ok(Document { title: format!("{}: the class", overview.title), style: STYLE, script: Some(SCRIPT), body }.finish())
}

const STUDENTS: Anchor = Anchor { kind: "students", at: 0, inner: None };

fn head(html: &mut Html, overview: &Overview) {
    html.element("header", &[], |html| {
        html.line("h1", &[], &overview.title);
        html.element("p", &[Attr::Is("class", "note")], |html| html.text(&overview.input));
        if let [view] = &overview.drills[..] {
            tiles(html, overview, view);
        }
        // The first sentence says what the tiles say, where there are tiles.
        let said = overview.lead.iter().skip(usize::from(overview.drills.len() == 1));
        html.element("ul", &[Attr::Is("class", "lead")], |html| said.for_each(|sentence| html.line("li", &[], sentence)));
        html.element("nav", &[Attr::Label("Parts of this page")], |html| {
            let links: Vec<(&'static str, usize, &str)> = match &overview.drills[..] {
                [view] => sections(view).into_iter().map(|(kind, title)| (kind, 0, title)).collect(),
                views => views.iter().enumerate().map(|(at, view)| ("drill", at, view.title.as_str())).collect(),
            };
            for (kind, at, title) in links {
                html.line("a", &[Attr::To(Anchor::new(kind, at))], title);
                html.end_line();
            }
            html.line("a", &[Attr::To(STUDENTS)], "Students");
        });
    });
    if !overview.cares.is_empty() {
        html.element("section", &[Attr::Is("class", "cares")], |html| {
            html.line("h2", &[], "To look after first");
            overview.cares.iter().for_each(|care| draw_care(html, care));
        });
    }
}

/// The sections of a drill that have anything to say.
fn sections(view: &View) -> Vec<(&'static str, &'static str)> {
    let all = [
        ("points", "Points", view.scores.count() > 0),
        ("items", "Items", !view.parts.is_empty()),
        ("mistakes", "Mistakes", !view.mistakes.is_empty()),
        ("terms", "Terms of sums", view.sums.iter().any(|sum| all_of(sum) > 0)),
        ("carried", "Carried forward", !view.roots.is_empty()),
        ("waiting", "Waiting for a person", !view.backlog.is_empty()),
        ("agreement", "Agreement", !view.agreement.is_empty()),
    ];
    all.into_iter().filter(|(.., is_there)| *is_there).map(|(kind, title, _)| (kind, title)).collect()
}

fn tiles(html: &mut Html, overview: &Overview, view: &View) {
    let points = |points: Option<f64>| points.map_or_else(|| "–".to_owned(), |points| shown::points((points * 10.0).round() / 10.0));
    let middle = format!("{}–{}", points(view.scores.quantile(0.25)), points(view.scores.quantile(0.75)));
    let ungraded = overview.students.iter().filter(|student| student.error.is_some()).count();
    html.element("dl", &[Attr::Is("class", "tiles")], |html| {
        let mut tile = |name: &str, value: &str, of: &str| {
            html.element("div", &[], |html| {
                html.line("dt", &[], name);
                html.element("dd", &[], |html| {
                    html.line("b", &[], value);
                    html.sentence(&format!(" {of}"));
                });
            });
        };
        tile("Answers", &view.answers.to_string(), &if ungraded > 0 { format!("and {ungraded} not graded") } else { String::new() });
        tile("Median", &points(view.scores.quantile(0.5)), &format!("of {}", shown::points(view.scores.possible)));
        tile("Middle half", &middle, "points");
        tile("Wait for a person", &view.waiting.to_string(), &format!("answers, {}", shown::points_in_words(view.scores.pending)));
    });
}

fn draw_care(html: &mut Html, care: &Care) {
    let draw = |html: &mut Html| {
        html.element("ul", &[], |html| care.lines.iter().for_each(|line| html.line("li", &[], line)));
    };
    let title = format!("{} ({})", care.title, care.lines.len());
    if care.lines.len() > 4 {
        folded(html, &title, draw);
    } else {
        html.line("h3", &[], &title);
        draw(html);
    }
}

fn draw(html: &mut Html, view: &View, at: usize) {
    for (kind, title) in sections(view) {
        html.element("section", &[Attr::Id(Anchor::new(kind, at))], |html| {
            html.line("h2", &[], title);
            match kind {
                "points" => points(html, view, at),
                "items" => items(html, view, at),
                "mistakes" => mistakes(html, view),
                "terms" => view.sums.iter().filter(|sum| all_of(sum) > 0).enumerate().for_each(|(row, sum)| terms(html, sum, at, row)),
                "carried" => carried(html, view),
                "waiting" => waiting(html, view),
                _ => agreement(html, view),
            }
        });
    }
}

fn points(html: &mut Html, view: &View, at: usize) {
    charts::histogram(html, &view.scores, at);
    folded(html, "The same as a table", |html| {
        table(html, &["Points", "Answers", "Of which wait for a person"], |html| {
            for bin in view.scores.bins() {
                html.element("tr", &[], |html| {
                    html.line("th", &[Attr::Is("scope", "row")], &format!("{}–{}", shown::points(bin.low), shown::points(bin.high)));
                    number(html, &(bin.decided + bin.waiting).to_string());
                    number(html, &bin.waiting.to_string());
                });
            }
        });
    });
}

fn items(html: &mut Html, view: &View, at: usize) {
    let found: std::collections::BTreeSet<Look> =
        view.parts.iter().flat_map(|part| &part.items).flat_map(|item| item.counts.iter().map(|(look, _)| *look)).collect();
    charts::legend(html, found.into_iter());
    html.element("table", &[Attr::Is("class", "items")], |html| {
        html.element("thead", &[], |html| {
            html.element("tr", &[], |html| {
                for (class, title) in [("what", "Item"), ("bars", "Answers by verdict"), ("n", "Earned"), ("n", "With the rest")] {
                    html.line("th", &[Attr::Is("scope", "col"), Attr::Is("class", class)], title);
                }
            });
        });
        let mut row = 0;
        for part in &view.parts {
            html.element("tbody", &[], |html| {
                html.element("tr", &[Attr::Is("class", "part")], |html| {
                    html.line("th", &[Attr::Is("scope", "rowgroup"), Attr::Is("colspan", "4")], &part.title);
                });
                for item in &part.items {
                    draw_item(html, item, Anchor::inside("bar", at, row));
                    row += 1;
                }
            });
        }
    });
    html.classed("p", "note", markdown::HOW_TO_READ);
    folded(html, "The same as a table of numbers", |html| {
        let mut heads = vec!["Item"];
        heads.extend(Look::ALL.iter().map(|look| look.word()));
        heads.extend(["worth", "earned", "with the rest"]);
        table(html, &heads, |html| {
            for item in view.parts.iter().flat_map(|part| &part.items) {
                html.element("tr", &[], |html| {
                    html.element("th", &[Attr::Is("scope", "row")], |html| html.text(&item.id));
                    for look in Look::ALL {
                        let count = item.counts.iter().find(|(of, _)| *of == look).map_or(0, |(_, count)| *count);
                        number(html, &count.to_string());
                    }
                    number(html, &shown::points(item.possible));
                    number(html, &item.difficulty.map_or_else(|| "–".to_owned(), percent));
                    number(html, &item.discrimination.map_or_else(|| "–".to_owned(), correlation));
                });
            }
        });
    });
}

fn draw_item(html: &mut Html, item: &ItemView, anchor: Anchor) {
    html.element("tr", &[], |html| {
        what(html, &item.id, &item.name);
        html.element("td", &[Attr::Is("class", "bars")], |html| charts::bar(html, item, anchor));
        html.element("td", &[Attr::Is("class", "n"), Attr::Is("data-name", "Earned")], |html| {
            html.sentence(&item.difficulty.map_or_else(|| "–".to_owned(), percent));
        });
        let r = item.discrimination;
        // A negative correlation is the one figure of the page that asks for a second look at the item itself.
        let class = if r.is_some_and(|r| r < -0.05) { "n odd" } else { "n" };
        html.element("td", &[Attr::Is("class", class), Attr::Is("data-name", "With the rest")], |html| {
            html.sentence(&r.map_or_else(|| "–".to_owned(), correlation));
            if class == "n odd" {
                html.classed("span", "flag", " ⚑");
                html.classed("span", "vh", " negative: look at the item");
            }
        });
    });
}

fn mistakes(html: &mut Html, view: &View) {
    let (cards, rest) = view.mistakes.split_at(view.mistakes.len().min(CARDS));
    html.element("ol", &[Attr::Is("class", "cards")], |html| cards.iter().for_each(|mistake| card(html, mistake, view.answers)));
    if !rest.is_empty() {
        folded(html, &format!("{} more", rest.len()), |html| more_mistakes(html, rest, view.answers));
    }
    if !view.unexplained.is_empty() {
        html.line("h3", &[], "Wrong values that several share and no known mistake explains");
        html.classed("p", "note", "Worth a look: what many arrive at has a reason, and may deserve a line in the drill.");
        let (cards, rest) = view.unexplained.split_at(view.unexplained.len().min(CARDS / 2));
        html.element("ol", &[Attr::Is("class", "cards")], |html| cards.iter().for_each(|value| card(html, value, view.answers)));
        if !rest.is_empty() {
            folded(html, &format!("{} more", rest.len()), |html| more_mistakes(html, rest, view.answers));
        }
    }
    if !view.forms.is_empty() {
        html.line("h3", &[], "Form");
        html.element("ul", &[Attr::Is("class", "shares")], |html| {
            for (phrase, count) in &view.forms {
                html.element("li", &[], |html| {
                    html.line("b", &[], &percent(share(*count, view.answers)));
                    html.sentence(&format!(" {phrase}"));
                });
            }
        });
    }
}

fn card(html: &mut Html, mistake: &MistakeView, all: usize) {
    html.element("li", &[], |html| {
        html.element("p", &[Attr::Is("class", "share")], |html| {
            html.line("b", &[], &percent(share(mistake.answers, all)));
            charts::share(html, share(mistake.answers, all));
            html.classed("span", "note", &answers(mistake.answers));
        });
        html.element("p", &[Attr::Is("class", "about")], |html| {
            html.element("code", &[], |html| html.text(&mistake.ask));
            html.sentence(&format!(" {}", if mistake.name == mistake.ask { "" } else { &mistake.name }));
        });
        match &mistake.says {
            Some(says) => html.classed("p", "says", says),
            None => html.element("p", &[Attr::Is("class", "says")], |html| html.element("q", &[], |html| html.text(&mistake.code))),
        }
        if let Some(quote) = &mistake.example {
            html.element("figure", &[], |html| {
                html.quote(quote, if mistake.says.is_some() { Look::Slip } else { Look::Wrong });
            });
        }
    });
}

fn more_mistakes(html: &mut Html, mistakes: &[MistakeView], all: usize) {
    table(html, &["Share", "Answers", "Item", "What"], |html| {
        for mistake in mistakes {
            html.element("tr", &[], |html| {
                number(html, &percent(share(mistake.answers, all)));
                number(html, &mistake.answers.to_string());
                html.element("td", &[], |html| html.element("code", &[], |html| html.text(&mistake.ask)));
                match &mistake.says {
                    Some(says) => html.line("td", &[], says),
                    None => html.element("td", &[], |html| html.text(&mistake.code)),
                }
            });
        }
    });
}

/// The answers in which a sum was looked at.
fn all_of(sum: &SumView) -> usize {
    sum.both + sum.one + sum.total_only + sum.none
}

fn terms(html: &mut Html, sum: &SumView, at: usize, row: usize) {
    html.line("h3", &[], &shown::sentence(&sum.name));
    html.classed("p", "note", &format!("Terms: {}.", shown::list(&sum.terms, "and")));
    let counts = [(Look::Right, sum.both), (Look::Partly, sum.one), (Look::Wrong, sum.total_only), (Look::Missing, sum.none)];
    let words = ["show all terms", "show some", "give only the total", "give neither"];
    charts::terms(html, &counts, &words, Anchor::inside("sum", at, row));
    html.element("ul", &[Attr::Is("class", "shares")], |html| {
        for ((look, count), word) in counts.iter().zip(words) {
            html.element("li", &[], |html| {
                charts::swatch(html, *look);
                html.line("b", &[], &count.to_string());
                html.sentence(&format!(" {word}"));
            });
        }
    });
    if !sum.who.is_empty() {
        html.line("p", &[], &format!("Only the total: {}.", gather::listed(&sum.who)));
    }
}

fn carried(html: &mut Html, view: &View) {
    html.classed(
        "p",
        "note",
        "An error is paid for once, where it is made; what follows from it keeps its points. Here is where errors begin, and how far they reach.",
    );
    let most = view.roots.iter().map(|root| root.answers).max().unwrap_or(1);
    let draw = |html: &mut Html, roots: &[RootView]| {
        html.element("ol", &[Attr::Is("class", "roots")], |html| roots.iter().for_each(|root| draw_root(html, root, most)));
    };
    let (first, rest) = view.roots.split_at(view.roots.len().min(6));
    draw(html, first);
    if !rest.is_empty() {
        folded(html, &format!("{} more", rest.len()), |html| draw(html, rest));
    }
}

fn draw_root(html: &mut Html, root: &RootView, most: usize) {
    html.element("li", &[], |html| {
        html.element("p", &[Attr::Is("class", "share")], |html| {
            html.line("b", &[], &root.answers.to_string());
            charts::share(html, share(root.answers, most));
            html.classed("span", "note", &format!("{} kept", shown::points_in_words(root.kept)));
        });
        html.element("p", &[], |html| {
            html.element("code", &[], |html| html.text(&root.ask));
            html.sentence(&format!(" {}", if root.name == root.ask { "" } else { &root.name }));
        });
        html.element("ol", &[Attr::Is("class", "chain")], |html| {
            for (id, name, count) in &root.reaches {
                html.element("li", &[Attr::Title(name)], |html| {
                    html.sentence("→ ");
                    html.element("code", &[], |html| html.text(id));
                    html.sentence(&format!(" {count}"));
                });
            }
        });
        if let Some((what, count)) = root.mistakes.first() {
            let of = if root.mistakes.len() > 1 { format!(" ({count} of {})", root.answers) } else { String::new() };
            html.classed("p", "note", &format!("{what}{of}"));
        }
    });
}

fn waiting(html: &mut Html, view: &View) {
    html.element("table", &[Attr::Is("class", "items")], |html| {
        html.element("thead", &[], |html| {
            html.element("tr", &[], |html| {
                for (class, title) in [("what", "Item"), ("n", "Answers"), ("n", "Points"), ("why", "Why")] {
                    html.line("th", &[Attr::Is("scope", "col"), Attr::Is("class", class)], title);
                }
            });
        });
        html.element("tbody", &[], |html| view.backlog.iter().for_each(|waiting| draw_waiting(html, waiting)));
    });
}

fn draw_waiting(html: &mut Html, waiting: &WaitingView) {
    let why: Vec<String> = match &waiting.why[..] {
        [(only, _)] => vec![only.clone()],
        all => all.iter().map(|(why, count)| format!("{why} ({count})")).collect(),
    };
    html.element("tr", &[], |html| {
        what(html, &waiting.id, &waiting.name);
        for (name, value) in [("Answers", waiting.answers.to_string()), ("Points", shown::points(waiting.points))] {
            html.line("td", &[Attr::Is("class", "n"), Attr::Is("data-name", name)], &value);
        }
        html.classed("td", "why", &why.join(", "));
    });
}

/// An item by its id and its name, at the head of a row.
fn what(html: &mut Html, id: &str, name: &str) {
    html.element("th", &[Attr::Is("scope", "row"), Attr::Is("class", "what")], |html| {
        html.element("code", &[], |html| html.text(id));
        if name != id {
            html.sentence(" ");
            html.classed("span", "name", name);
        }
    });
}

/// How far people agree with each other, and with the rules.
fn agreement(html: &mut Html, view: &View) {
    html.element("table", &[Attr::Classes("items", "three")], |html| {
        html.element("thead", &[], |html| {
            html.element("tr", &[], |html| {
                let heads = ["Item", "Two people", "alike", "kappa", "Person and rules", "alike", "kappa"];
                for (at, title) in heads.into_iter().enumerate() {
                    html.line("th", &[Attr::Is("scope", "col"), Attr::Is("class", if at == 0 { "what" } else { "n" })], title);
                }
            });
        });
        html.element("tbody", &[], |html| {
            for item in &view.agreement {
                html.element("tr", &[], |html| {
                    what(html, &item.id, &item.name);
                    for (pairing, name) in [(&item.people, "Two people"), (&item.rules, "Person and rules")] {
                        let share = pairing.agreement.map_or_else(|| "–".to_owned(), percent);
                        let kappa = pairing.kappa.map_or_else(|| "–".to_owned(), correlation);
                        for (name, value) in [(name, pairing.both.to_string()), ("alike", share), ("kappa", kappa)] {
                            html.line("td", &[Attr::Is("class", "n"), Attr::Is("data-name", name)], &value);
                        }
                    }
                });
            }
        });
    });
    html.classed("p", "note", words::KAPPA);
    let disagreements: Vec<(&str, &String)> =
        view.agreement.iter().flat_map(|item| item.disagreements.iter().map(|said| (item.id.as_str(), said))).collect();
    if !disagreements.is_empty() {
        folded(html, &format!("Decided in two ways ({})", disagreements.len()), |html| {
            html.element("ul", &[], |html| {
                for (id, said) in disagreements {
                    html.element("li", &[], |html| {
                        html.element("code", &[], |html| html.text(id));
                        html.sentence(&format!(" {said}"));
                    });
                }
            });
        });
    }
}

fn foot(html: &mut Html, overview: &Overview, remarks: Vec<String>) {
    html.element("footer", &[], |html| {
        for remark in overview.remarks.iter().cloned().chain(remarks) {
            html.classed("p", "note", &remark);
        }
        html.classed(
            "p",
            "note",
            &format!("Made by {} from the run alone. Examples name nobody; the table does.", words::version(&overview.tool)),
        );
    });
}

/// Something that is opened only by whoever wants it.
fn folded(html: &mut Html, title: &str, inside: impl FnOnce(&mut Html)) {
    html.element("details", &[], |html| {
        html.line("summary", &[], title);
        inside(html);
    });
}

/// A plain table that scrolls sideways where it does not fit.
fn table(html: &mut Html, heads: &[&str], rows: impl FnOnce(&mut Html)) {
    html.element("div", &[Attr::Is("class", "scroll"), Attr::Is("tabindex", "0")], |html| {
        html.element("table", &[], |html| {
            html.element("thead", &[], |html| {
                html.element("tr", &[], |html| heads.iter().for_each(|head| html.line("th", &[Attr::Is("scope", "col")], head)));
            });
            html.element("tbody", &[], rows);
        });
    });
}

fn number(html: &mut Html, number: &str) {
    html.classed("td", "n", number);
}
