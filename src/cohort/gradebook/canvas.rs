//! Canvas: the gradebook as it was exported, with the column of one assignment filled in.
//!
//! Canvas makes a new assignment of a column whose title it does not know, sets an assignment's points from a row
//! `Points Possible`, and takes the ID column for its own numbers. So nothing is written without the export as a
//! template: headers, ids and points are copied from it, and only the one column is ours.

use std::collections::BTreeMap;

use crate::cohort::Trouble;
use crate::cohort::collect::Layout;
use crate::cohort::gradebook::people::{Claims, Key, Match, People};
use crate::cohort::gradebook::points::Points;
use crate::cohort::gradebook::sheet::Sheet;
use crate::cohort::gradebook::template::{Record, Template, foreign};
use crate::cohort::gradebook::{Job, Sink, Told};
use crate::report::inert;

/// Columns that Canvas works out itself.
const ITS_OWN: [&str; 4] = ["Current ", "Final ", "Unposted ", "Override "];

/// Where what stands in a gradebook.
#[derive(Debug)]
struct Layed {
    /// The student's name: one column, or two.
    names: Vec<usize>,
    id: usize,
    sis: Option<usize>,
    login: Option<usize>,
    /// The last column about the student.
    section: usize,
    /// The column of the assignment.
    assignment: usize,
}

pub(super) fn export(job: &Job<'_>, sink: &mut dyn Sink, told: &mut Told) -> Result<(), Trouble> {
    let Some((path, bytes)) = job.order.template else {
        return Err(Trouble::unfit(
            job.run.folder(),
            "Canvas makes a new assignment of every column that it does not know: export its gradebook, and name that file with `--template`",
        ));
    };
    let template = Template::read(path, bytes)?;
    let points_row = template.rows.iter().position(|row| row.cells.first().is_some_and(|cell| cell.trim() == "Points Possible"));
    let layed = Layed::of(&template, points_row, job.order.column)?;
    check_points(job, &template, points_row, layed.assignment)?;
    let students: Vec<usize> =
        (0..template.rows.len()).filter(|&at| Some(at) != points_row && is_student(&template.rows[at], &layed)).collect();
    let mut people = People::default();
    for &at in &students {
        let row = &template.rows[at];
        let name = layed.names.iter().map(|&column| row.cell(column)).collect::<Vec<_>>().join(", ");
        let keys = [(Key::Platform, Some(layed.id)), (Key::Sid, layed.sis), (Key::Login, layed.login)];
        for (key, column) in keys {
            people.know(at, key, column.map_or("", |column| row.cell(column)));
        }
        people.know(at, Key::Name, &name);
    }
    let grades = grades(job, &people, told)?;
    let mark = job.order.locale.map_or('.', |locale| locale.mark());
    let mut cells: BTreeMap<usize, String> = BTreeMap::new();
    let mut claims = Claims::default();
    for (id, rows, total) in &grades {
        claims.claim(rows, id);
        for &row in rows {
            let stands = template.rows[row].cell(layed.assignment);
            let who = || shown(&template.rows[row], &layed);
            let is_empty = stands.is_empty() || stands == "-";
            match total {
                Some(_) if stands.eq_ignore_ascii_case("EX") => {
                    told.mention(&who(), format!("is excused in the template, and stays so; the grade of {id} is not written"))
                }
                Some(_) if stands.eq_ignore_ascii_case("N/A") => {
                    told.refuse(id, format!("{} does not have this assignment in Canvas", who()))
                }
                Some(points) => {
                    if !is_empty && Points::read(stands) != Some(*points) {
                        told.mention(&who(), format!("{stands} in the template becomes {}", points.with(mark)));
                    }
                    cells.insert(row, points.with(mark));
                }
                None if !is_empty => told.mention(&who(), format!("keeps {stands}, as the template has it: {id} has no final grade yet")),
                None => {}
            }
        }
    }
    for &at in &students {
        if !claims.has(at) && !shown(&template.rows[at], &layed).contains("Student, Test") {
            told.mention(&shown(&template.rows[at], &layed), "is in the template and has no submission");
        }
    }
    let columns: Vec<usize> = (0..=layed.section).chain([layed.assignment]).collect();
    let header: Vec<String> = columns.iter().map(|&column| template.header[column].clone()).collect();
    let rows = template.rows.iter().enumerate().filter(|(at, _)| Some(*at) == points_row || students.contains(at)).map(|(at, row)| {
        let cell = |&column: &usize| match cells.get(&at) {
            Some(points) if column == layed.assignment => points.clone(),
            _ => row.cells.get(column).map(|cell| foreign(cell)).unwrap_or_default(),
        };
        columns.iter().map(cell).collect()
    });
    sink.document(&template.cut(&header, rows))
}

impl Layed {
    fn of(template: &Template<'_>, points_row: Option<usize>, column: Option<&str>) -> Result<Layed, Trouble> {
        let header: Vec<&str> = template.header.iter().map(|header| header.trim()).collect();
        let is = |at: usize, name: &str| header.get(at).is_some_and(|header| *header == name);
        let told =
            |what: &str| template.unfit(format!("is no gradebook that Canvas takes back: {what}; its header is {}", template.headers()));
        let (names, id) = if is(0, "LastName") && is(1, "FirstName") && is(2, "ID") { (vec![0, 1], 2) } else { (vec![0], 1) };
        if names.len() == 1
            && !(header.first().is_some_and(|cell| cell.contains("Student")) && header.get(1).is_some_and(|cell| cell.contains("ID")))
        {
            return Err(told("the first column is to be `Student`, the second `ID`"));
        }
        if names.len() == 1 && !is(1, "ID") {
            return Err(told("Canvas takes the second column for its own numbers, whatever it is called; it is to be `ID`"));
        }
        if header.len() < 4 {
            return Err(told("it has fewer than four columns"));
        }
        let section = header.iter().position(|header| *header == "Section").ok_or_else(|| told("the column `Section` is missing"))?;
        let between = header.get(id + 1..section).unwrap_or_default();
        let allowed: [&[&str]; 6] = [
            &[],
            &["SIS Login ID"],
            &["SIS User ID", "SIS Login ID"],
            &["SIS User ID", "SIS Login ID", "Integration ID"],
            &["SIS User ID", "SIS Login ID", "Root Account"],
            &["SIS User ID", "SIS Login ID", "Integration ID", "Root Account"],
        ];
        if section <= id || !allowed.contains(&between) {
            return Err(told("between `ID` and `Section` stands something that Canvas does not look for there"));
        }
        let find = |name: &str| between.iter().position(|header| *header == name).map(|at| id + 1 + at);
        let assignment = assignment(template, section, points_row, column)?;
        Ok(Layed { names, id, sis: find("SIS User ID"), login: find("SIS Login ID"), section, assignment })
    }
}

/// The column of the assignment: `Title (5512)`, named by its title, its number or both, or the only one.
fn assignment(template: &Template<'_>, section: usize, points_row: Option<usize>, column: Option<&str>) -> Result<usize, Trouble> {
    let is_locked = |at: usize| points_row.is_some_and(|row| template.rows[row].cell(at).contains("(read only)"));
    let taken = |at: usize| -> Option<(&str, &str)> {
        let header = template.header[at].trim();
        let (title, number) = header.strip_suffix(')')?.rsplit_once(" (")?;
        let is_its_own = ITS_OWN.iter().any(|own| header.starts_with(own));
        (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) && !is_its_own).then_some((title, number))
    };
    let all: Vec<usize> = (section + 1..template.header.len()).filter(|&at| taken(at).is_some()).collect();
    let listed = || {
        let names: Vec<String> = all.iter().map(|&at| format!("`{}`", template.header[at].trim())).collect();
        if names.is_empty() { "none has the form `Title (number)`".to_owned() } else { format!("there are {}", names.join(", ")) }
    };
    let found: Vec<usize> = match column.map(str::trim) {
        None => all.clone(),
        Some(name) => {
            let is_named = |at: &&usize| {
                taken(**at).is_some_and(|(title, number)| {
                    name == template.header[**at].trim() || name == number || name.eq_ignore_ascii_case(title)
                })
            };
            all.iter().filter(is_named).copied().collect()
        }
    };
    match (found.as_slice(), column) {
        ([at], _) if is_locked(*at) => {
            Err(template.unfit(format!("the column `{}` is read only, and Canvas does not take it back", template.header[*at].trim())))
        }
        ([at], _) => Ok(*at),
        ([], Some(name)) => {
            Err(template.unfit(format!("has no column of an assignment `{name}`, and Canvas would make a new one of it; {}", listed())))
        }
        ([], None) => Err(template.unfit(format!("has no column of an assignment: {}", listed()))),
        (_, Some(name)) => Err(template.unfit(format!("several columns are called `{name}`; name one by its number: {}", listed()))),
        (_, None) => Err(template.unfit(format!("say with `--column` which assignment it is: {}", listed()))),
    }
}

/// Canvas knows what the assignment is worth; a grade on another scale would be a wrong one.
fn check_points(job: &Job<'_>, template: &Template<'_>, points_row: Option<usize>, assignment: usize) -> Result<(), Trouble> {
    let Some(row) = points_row else { return Ok(()) };
    let Some(worth) = Points::read(template.rows[row].cell(assignment)) else { return Ok(()) };
    for sheet in job.sheets()? {
        let sheet = sheet?;
        if let Some(marks) = sheet.marks()
            && marks.possible != worth
        {
            return Err(template.unfit(format!(
                "the assignment is worth {worth} points there, and {} here; `--points {worth}` counts in its points",
                marks.possible
            )));
        }
    }
    Ok(())
}

/// Rows with only separators are nobody's.
fn is_student(row: &Record, layed: &Layed) -> bool {
    (0..=layed.section).any(|column| !row.cell(column).is_empty())
}

/// A student of the template, for a message.
fn shown(row: &Record, layed: &Layed) -> String {
    let name = layed.names.iter().map(|&column| row.cell(column)).collect::<Vec<_>>().join(", ");
    let number =
        [layed.login, layed.sis, Some(layed.id)].into_iter().flatten().map(|column| row.cell(column)).find(|cell| !cell.is_empty());
    inert::terminal(&match number {
        Some(number) => format!("{name} ({number})"),
        None => name,
    })
}

/// A submission, its rows, and its grade, where it has one.
type Graded = (String, Vec<usize>, Option<Points>);

/// The submissions that have rows; the others are told.
fn grades(job: &Job<'_>, people: &People, told: &mut Told) -> Result<Vec<Graded>, Trouble> {
    let is_ours = job.run.manifest.layout == Layout::Canvas;
    let mut placed: Vec<(Sheet, Vec<usize>)> = Vec::new();
    let mut claims = Claims::default();
    for sheet in job.sheets()? {
        let sheet = sheet?;
        let own = is_ours.then_some(sheet.submission.id.as_str()).filter(|id| id.bytes().all(|byte| byte.is_ascii_digit()));
        match people.find(&sheet.submission, own) {
            Match::Rows(rows) => {
                claims.claim(&rows, &sheet.submission.id);
                placed.push((sheet, rows));
            }
            Match::Nobody => told.refuse(&who(&sheet), "is in the run and not in the template"),
            Match::Unclear(why) => told.refuse(&who(&sheet), why),
        }
    }
    let mut grades = Vec::new();
    for (sheet, rows) in placed {
        let id = sheet.submission.id.clone();
        let rivals = claims.rivals(&rows, &id);
        if !rivals.is_empty() {
            told.refuse(
                &who(&sheet),
                format!("is not the only submission of its student: {}; which one counts is not clear", rivals.join(", ")),
            );
            continue;
        }
        told.count(&sheet);
        grades.push((id, rows, sheet.marks().and_then(|marks| marks.total())));
    }
    Ok(grades)
}

/// A submission, for a message.
pub(super) fn who(sheet: &Sheet) -> String {
    match &sheet.submission.arrival.name {
        Some(name) if *name != sheet.submission.id => format!("{} ({name})", sheet.submission.id),
        _ => sheet.submission.id.clone(),
    }
}
