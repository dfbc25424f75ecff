//! The students: a table to sort and to search, and behind each row what was found and the text it was found in.

use std::collections::BTreeMap;

use super::{ANSWERS, STUDENTS, TEXT, TEXTS};
use crate::cohort::Trouble;
use crate::cohort::overview::words::{self, percent};
use crate::cohort::overview::{Overview, Student, View};
use crate::cohort::read::{Criterion, Quantity, Reading, ReviewItem, Row, Run};
use crate::report::html::{Anchor, Attr, Html, Marked, answer, legend};
use crate::report::inert::{self, quoted};
use crate::report::look::Look;
use crate::report::shown::{self, TIE};
use crate::text::Span;

/// Everything about the students, written down but not yet placed.
pub(super) struct Students<'a> {
    overview: &'a Overview,
    /// What is behind each row; nothing where the class is too large.
    answers: Option<Html>,
    /// Feedback files beside the page, by student.
    files: Vec<Option<String>>,
    /// Texts that the page has no room for, or only for their beginning.
    without_room: usize,
}

impl<'a> Students<'a> {
    pub(super) fn new(overview: &'a Overview, run: &Run, links: bool) -> Result<Students<'a>, Trouble> {
        let file = |student: &Student| {
            let path = run.feedback(&student.submitted.id)?;
            path.file_name().map(|name| name.to_string_lossy().into_owned())
        };
        let files = overview.students.iter().map(|student| if links { file(student) } else { None }).collect();
        let mut students = Students { overview, answers: None, files, without_room: 0 };
        if overview.students.len() <= ANSWERS {
            let mut html = Html::default();
            let views: BTreeMap<&str, Known<'_>> = overview.drills.iter().map(|view| (view.id.as_str(), Known::of(view))).collect();
            let mut left = TEXTS;
            for (at, row) in run.grades()?.enumerate() {
                let (row, Some(student)) = (row?, overview.students.get(at)) else { continue };
                let known = student.drill.as_deref().and_then(|drill| views.get(drill));
                students.fold(&mut html, at, student, &row, known, &mut left);
            }
            students.answers = Some(html);
        }
        Ok(students)
    }

    /// What is to be said about what is not there.
    pub(super) fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.answers.is_none() {
            remarks.push(format!(
                "With more than {ANSWERS} students the answers are not in this page, so that a browser can show it: {} writes a page a student.",
                quoted("grade … --feedback html")
            ));
        }
        if self.without_room > 0 {
            remarks.push(format!(
                "{} shown only in part or not at all, so that a browser can show this page.",
                shown::sentence(&shown::count(self.without_room, "answer is", "answers are"))
            ));
        }
        if let Some((count, why)) = self.overview.texts.lost().filter(|_| self.overview.texts.trouble.is_none()) {
            remarks.push(format!("The text of {} is not shown; of the first, because it {why}.", shown::count(count, "answer", "answers")));
        }
        remarks
    }

    pub(super) fn draw(self, html: &mut Html) {
        html.element("section", &[Attr::Id(STUDENTS), Attr::Is("class", "students")], |html| {
            html.line("h2", &[], "Students");
            self.controls(html);
            self.table(html);
            html.element("button", &[Attr::Is("id", "further"), Attr::Is("type", "button"), Attr::Is("hidden", "")], |_| {});
        });
        if let Some(answers) = self.answers {
            html.element("section", &[Attr::Is("id", "answers")], |html| {
                html.line("h2", &[], "Answers");
                html.append(answers);
            });
        }
    }

    /// Shown by the script, which they are nothing without.
    fn controls(&self, html: &mut Html) {
        html.element("div", &[Attr::Is("class", "controls"), Attr::Is("hidden", "")], |html| {
            html.element("label", &[], |html| {
                html.sentence("Search ");
                html.void("input", &[Attr::Is("type", "search"), Attr::Is("id", "search"), Attr::Is("autocomplete", "off")]);
            });
            html.element("label", &[], |html| {
                html.sentence("Show ");
                html.element("select", &[Attr::Is("id", "filter")], |html| {
                    html.line("option", &[Attr::Is("value", "")], "everybody");
                    for (flag, word) in FLAGS {
                        let count = self.overview.students.iter().filter(|student| has(student, flag)).count();
                        if count > 0 {
                            html.line("option", &[Attr::Is("value", flag)], &format!("{word} ({count})"));
                        }
                    }
                });
            });
            html.element("output", &[Attr::Is("id", "shown"), Attr::Is("aria-live", "polite")], |_| {});
        });
        if self.answers.is_some() {
            legend(html, Look::ALL.into_iter().filter(|look| *look != Look::Missing));
        }
    }

    fn table(&self, html: &mut Html) {
        let has_drills = self.overview.drills.len() > 1;
        html.element("table", &[Attr::Is("id", "class")], |html| {
            html.element("thead", &[], |html| {
                html.element("tr", &[], |html| {
                    let mut head = |title: &str, sort: &'static str| {
                        html.line("th", &[Attr::Is("scope", "col"), Attr::Is("data-sort", sort)], title);
                    };
                    head("Student", "text");
                    if has_drills {
                        head("Drill", "text");
                    }
                    head("Points", "number");
                    head("Wait", "number");
                    head("Right", "number");
                    head("Carried", "number");
                    head("Not right", "number");
                    head("Missing", "number");
                    html.line("th", &[Attr::Is("scope", "col")], "Item by item");
                    html.line("th", &[Attr::Is("scope", "col")], "Remarks");
                });
            });
            html.element("tbody", &[], |html| {
                for (at, student) in self.overview.students.iter().enumerate() {
                    self.row(html, at, student, has_drills);
                    html.end_line();
                }
            });
        });
    }

    fn row(&self, html: &mut Html, at: usize, student: &Student, has_drills: bool) {
        let flags: Vec<&str> = FLAGS.iter().map(|(flag, _)| *flag).filter(|flag| has(student, flag)).collect();
        html.element("tr", &[Attr::Data("f", &flags.join(" "))], |html| {
            html.element("th", &[Attr::Is("scope", "row")], |html| self.who(html, at, student));
            if has_drills {
                html.element("td", &[], |html| html.text(student.drill.as_deref().unwrap_or_default()));
            }
            let mut number = |value: Option<String>| html.classed("td", "n", value.as_deref().unwrap_or_default());
            number(student.score.map(|score| shown::points(score.awarded)));
            number(student.score.map(|score| score.pending).filter(|pending| *pending > 0.0).map(shown::points));
            let is_graded = student.error.is_none();
            for count in [student.right, student.carried, student.off, student.missing] {
                number(is_graded.then(|| count.to_string()));
            }
            html.element("td", &[Attr::Is("class", "signs")], |html| html.text(&student.signs));
            html.line("td", &[Attr::Is("class", "remarks")], &remarks(student));
        });
    }

    /// The student's name, which leads to what is behind the row.
    fn who(&self, html: &mut Html, at: usize, student: &Student) {
        let id = &student.submitted.id;
        let name = student.submitted.arrival.name.as_deref().filter(|name| *name != id);
        match (&self.answers, &self.files[at]) {
            (Some(_), _) => html.element("a", &[Attr::To(Anchor::new("s", at))], |html| html.text(name.unwrap_or(id))),
            (None, Some(file)) => html.element("a", &[Attr::File(file)], |html| html.text(name.unwrap_or(id))),
            (None, None) => html.text(name.unwrap_or(id)),
        }
        if name.is_some() {
            html.sentence(" ");
            html.element("span", &[Attr::Is("class", "note")], |html| html.text(id));
        }
    }

    /// What is behind a row, folded until somebody wants it.
    fn fold(&mut self, html: &mut Html, at: usize, student: &Student, row: &Row, known: Option<&Known<'_>>, left: &mut usize) {
        html.element("details", &[], |html| {
            html.element("summary", &[], |html| html.text(&student.submitted.id));
            html.element("article", &[Attr::Id(Anchor::new("s", at)), Attr::Is("tabindex", "-1")], |html| {
                about(html, student, self.files[at].as_deref());
                if let Some(error) = &student.error {
                    html.element("p", &[], |html| html.text(error));
                    return;
                }
                let text = self.overview.texts.of(&student.submitted);
                let room = TEXT.min(*left);
                let reach = text.as_ref().map_or(0, |text| text.source.text().len().min(room));
                let mut marks = Vec::new();
                html.element("div", &[], |html| marks = known.map_or_else(Vec::new, |known| known.findings(html, at, row, reach)));
                html.element("div", &[], |html| match text {
                    Err(why) => html.element("p", &[Attr::Is("class", "note")], |html| {
                        html.sentence("The answer is not shown: it ");
                        html.text(&why);
                        html.sentence(".");
                    }),
                    Ok(text) => {
                        *left -= reach;
                        if room == 0 {
                            self.without_room += 1;
                            html.classed("p", "note", "The answer is not shown: the page has no room left for it.");
                        } else if !answer(html, &text, &marks, room) {
                            self.without_room += 1;
                            html.classed("p", "note", "The answer goes on; the page has no room for the rest.");
                        }
                    }
                });
            });
        });
        html.end_line();
    }
}

/// By which the table can be filtered.
const FLAGS: [(&str, &str); 8] = [
    ("wait", "waits for a person"),
    ("total", "only totals"),
    ("carried", "carried forward"),
    ("late", "late"),
    ("again", "handed in again"),
    ("joined", "several files"),
    ("nothing", "nothing found"),
    ("error", "not graded"),
];

fn has(student: &Student, flag: &str) -> bool {
    let arrival = &student.submitted.arrival;
    match flag {
        "wait" => student.open > 0,
        "total" => student.totals_only,
        "carried" => student.carried > 0,
        "late" => arrival.late,
        "again" => !arrival.replaced.is_empty(),
        "joined" => !arrival.joined.is_empty(),
        "nothing" => student.nothing_found,
        _ => student.error.is_some(),
    }
}

/// What is to be known of a row beside its numbers. What the numbers say already is not said again.
fn remarks(student: &Student) -> String {
    if let Some(error) = &student.error {
        return format!("not graded: {}", quoted(error));
    }
    let said = FLAGS.iter().filter(|(flag, _)| !matches!(*flag, "wait" | "carried" | "error") && has(student, flag));
    said.map(|(_, word)| *word).collect::<Vec<_>>().join(", ")
}

/// Whose answer it is and what it comes to.
fn about(html: &mut Html, student: &Student, file: Option<&str>) {
    let submitted = &student.submitted;
    html.element("p", &[Attr::Is("class", "about")], |html| {
        html.element("b", &[], |html| html.text(submitted.arrival.name.as_deref().unwrap_or(&submitted.id)));
        html.sentence(" ");
        html.element("code", &[], |html| html.text(&submitted.file));
        if let Some(score) = student.score {
            let of = if score.possible > 0.0 { score.awarded / score.possible } else { 0.0 };
            let waits = if score.pending > 0.0 { format!(", {} wait for a person", shown::points(score.pending)) } else { String::new() };
            html.sentence(&format!(
                " {}{TIE}of{TIE}{} ({}){waits}",
                shown::points(score.awarded),
                shown::points_in_words(score.possible),
                percent(of)
            ));
        }
        if let Some(submitted) = &submitted.arrival.submitted {
            html.sentence(&format!(", handed in {}", quoted(submitted)));
        }
        if !submitted.arrival.members.is_empty() {
            html.sentence(&format!(", by {}", quoted(&submitted.arrival.members.join(", "))));
        }
        if let Some(file) = file {
            html.sentence(" ");
            html.line("a", &[Attr::File(file)], "feedback");
        }
    });
}

/// What a drill's items and mistakes are called.
struct Known<'a> {
    names: BTreeMap<&'a str, &'a str>,
    says: BTreeMap<(&'a str, &'a str), &'a str>,
}

impl<'a> Known<'a> {
    fn of(view: &'a View) -> Known<'a> {
        let items = view.parts.iter().flat_map(|part| &part.items);
        Known {
            names: items.map(|item| (item.id.as_str(), item.name.as_str())).collect(),
            says: view
                .mistakes
                .iter()
                .filter_map(|mistake| Some(((mistake.ask.as_str(), mistake.code.as_str()), mistake.says.as_deref()?)))
                .collect(),
        }
    }

    /// Writes what was found, what is not right in full and the right in a line, and gives the places in the text, of which
    /// so many bytes are shown.
    fn findings(&self, html: &mut Html, at: usize, row: &Row, reach: usize) -> Vec<Marked> {
        let mut marks = Vec::new();
        // What lies beyond the text that is shown is told by its line alone.
        let within = |end: usize| end <= reach;
        let mut right: Vec<(&str, usize)> = Vec::new();
        let mut missing: Vec<&str> = Vec::new();
        html.element("ul", &[Attr::Is("class", "findings")], |html| {
            for quantity in &row.quantities {
                let Some(name) = self.names.get(quantity.id.as_str()) else { continue };
                let look = Look::of_code(&quantity.verdict);
                if look == Look::Missing {
                    missing.push(&quantity.id);
                    continue;
                }
                let open = row.review.iter().find(|item| item.id == quantity.id);
                let place = marks.len();
                let read =
                    quantity.read.as_ref().or_else(|| open.and_then(|item| item.candidates.first()).map(|candidate| &candidate.reading));
                let read = read.filter(|read| within(read.end));
                if let Some(read) = read {
                    let plain = look == Look::Right && quantity.notes.is_empty();
                    marks.push(mark(read.start, read.end, look, false, &quantity.id, Anchor::inside("m", at, place), !plain));
                    if plain {
                        right.push((&quantity.id, place));
                        continue;
                    }
                }
                let to = read.is_some().then_some(place);
                let said = self.of_quantity(quantity, open);
                let id = Anchor::inside("f", at, place);
                // What has no place in the text needs none to come back to.
                let headline = headline(&quantity.id, name, quantity.read.as_ref(), quantity.points, quantity.possible);
                finding(html, look, to.map(|_| id), &headline, &said, to.map(|place| Anchor::inside("m", at, place)));
            }
            for criterion in &row.criteria {
                let Some(name) = self.names.get(criterion.id.as_str()) else { continue };
                let look = Look::of_code(&criterion.outcome);
                let place = marks.len();
                let evidence = criterion.evidence.first().filter(|evidence| within(evidence.end));
                if let Some(evidence) = evidence {
                    let title = &criterion.id;
                    marks.push(mark(evidence.start, evidence.end, look, true, title, Anchor::inside("m", at, place), look != Look::Right));
                    if look == Look::Right {
                        right.push((&criterion.id, place));
                        continue;
                    }
                }
                let to = evidence.is_some().then_some(place);
                let headline = headline(&criterion.id, name, None, criterion.points, criterion.possible);
                let said = of_criterion(criterion, row.review.iter().find(|item| item.id == criterion.id));
                finding(
                    html,
                    look,
                    to.map(|_| Anchor::inside("f", at, place)),
                    &headline,
                    &said,
                    to.map(|place| Anchor::inside("m", at, place)),
                );
            }
        });
        if !missing.is_empty() {
            html.element("p", &[Attr::Is("class", "right")], |html| {
                html.sentence(&format!(
                    "Not found: {}.",
                    shown::list(&missing.iter().map(|id| quoted(id).to_string()).collect::<Vec<_>>(), "and")
                ));
            });
        }
        if !right.is_empty() {
            html.element("p", &[Attr::Is("class", "right")], |html| {
                html.sentence("Right:");
                for (id, place) in right {
                    html.sentence(" ");
                    html.element("a", &[Attr::To(Anchor::inside("m", at, place))], |html| html.text(id));
                }
            });
        }
        marks
    }

    fn of_quantity(&self, quantity: &Quantity, open: Option<&ReviewItem>) -> String {
        let mut said = Vec::new();
        if let Some(mistake) = &quantity.mistake {
            let says = self.says.get(&(quantity.id.as_str(), mistake.as_str()));
            said.push(says.map_or_else(|| format!("{}.", quoted(mistake)), |says| (*says).to_owned()));
        }
        if !quantity.carried_from.is_empty() {
            let from: Vec<String> = quantity.carried_from.iter().map(|id| quoted(id).to_string()).collect();
            said.push(format!("It follows from {}.", shown::list(&from, "and")));
        }
        if let Some(open) = open {
            said.push(format!("{}.", shown::sentence(words::why(&open.why))));
            let values: Vec<String> =
                open.candidates.iter().map(|one| format!("{} (line{TIE}{})", quoted(&one.reading.text), one.reading.line)).collect();
            if !values.is_empty() {
                said.push(format!("{}.", shown::list(&values, "or")));
            }
        }
        let notes: Vec<&str> = quantity.notes.iter().filter_map(|note| words::note(note)).collect();
        if !notes.is_empty() {
            said.push(format!("{}.", shown::sentence(&notes.join("; "))));
        }
        said.extend(quantity.decided_by.as_deref().map(|by| decided(Some(by), quantity.comment.as_deref())));
        said.join(" ")
    }
}

/// Who decided, and what they write.
fn decided(by: Option<&str>, comment: Option<&str>) -> String {
    let by = by.map_or_else(|| "a person".to_owned(), |by| quoted(by).to_string());
    match comment {
        Some(comment) => format!("Decided by {by}, who writes: {}", quoted(comment)),
        None => format!("Decided by {by}."),
    }
}

fn of_criterion(criterion: &Criterion, open: Option<&ReviewItem>) -> String {
    let mut said = match (Look::of_code(&criterion.outcome), open) {
        (_, Some(open)) => format!("{}.", shown::sentence(words::why(&open.why))),
        (Look::Partly, _) => "Partly met.".to_owned(),
        (Look::Right, _) => "Met.".to_owned(),
        _ => "Not met.".to_owned(),
    };
    if criterion.decided_by == "person" && open.is_none() {
        said = format!("{said} {}", decided(criterion.by.as_deref(), criterion.comment.as_deref()));
    }
    said
}

/// `b.latency the latency term: 1.24 ms (line 7), 0 of 1`.
fn headline(id: &str, name: &str, read: Option<&Reading>, points: f64, possible: f64) -> String {
    let mut said = if id == name { quoted(id).to_string() } else { format!("{} {}", quoted(id), name.trim_end_matches('.')) };
    if let Some(read) = read {
        said = format!("{said}: {} (line{TIE}{})", quoted(&read.text), read.line);
    }
    if possible > 0.0 { format!("{said}, {}{TIE}of{TIE}{}", shown::points(points), shown::points(possible)) } else { said }
}

fn finding(html: &mut Html, look: Look, id: Option<Anchor>, headline: &str, said: &str, to: Option<Anchor>) {
    let mut attributes = vec![Attr::Is("class", look.class())];
    attributes.extend(id.map(Attr::Id));
    html.element("li", &attributes, |html| {
        html.element("span", &[Attr::Is("class", "sign"), Attr::Is("aria-hidden", "true")], |html| html.text(look.sign()));
        html.element("p", &[], |html| {
            html.classed("span", "vh", &format!("{}: ", look.word()));
            html.sentence(headline);
            if let Some(to) = to {
                html.sentence(" ");
                html.element("a", &[Attr::To(to), Attr::Is("class", "there"), Attr::Label("Show it in the answer")], |html| {
                    html.sentence("↘")
                });
            }
            if !said.is_empty() {
                html.sentence(" ");
                html.classed("span", "said", said);
            }
        });
    });
}

fn mark(start: usize, end: usize, look: Look, is_evidence: bool, id: &str, own: Anchor, has_finding: bool) -> Marked {
    let to = has_finding.then_some(Anchor { kind: "f", ..own });
    let title = inert::terminal(&format!("{id}: {}", look.word()));
    Marked { span: Span::new(start, end.max(start)), look, is_evidence, title, id: own, to }
}
