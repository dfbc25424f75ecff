//! Who is in the class: a CSV from the registrar or a platform, joined with the submissions by ids and addresses.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use csv::{ByteRecord, ReaderBuilder};
use serde::{Deserialize, Serialize};

use crate::cohort::collect::{Class, Submission, table};
use crate::cohort::{Trouble, name};

/// One student of the roster.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Person {
    /// As it stands there.
    pub name: String,
    /// The number that the university or the platform gave.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sid: Option<String>,
    /// The name by which the student logs in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub login: Option<String>,
    /// An address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// Of one who handed nothing in: what a submission would go by, as those of the others do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The number by which a platform knows the student.
    #[serde(skip)]
    number: Option<String>,
    /// Everything by which a submission may name the student.
    #[serde(skip)]
    keys: Vec<String>,
}

/// The students of a class.
#[derive(Clone, Debug, Default)]
pub struct Roster {
    /// In the order of the file.
    pub people: Vec<Person>,
}

/// What a roster and a class have to do with each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Matches {
    /// Students in the roster.
    pub people: usize,
    /// Ids of submissions that are nobody's in the roster.
    pub unmatched: Vec<String>,
    /// Students without a submission.
    pub absent: Vec<Person>,
    /// Students with more than one submission, and the ids of those.
    pub twice: Vec<Twice>,
}

/// A student whom several submissions name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Twice {
    /// As in the roster.
    pub name: String,
    /// The ids of the submissions.
    pub submissions: Vec<String>,
}

const NAME: &[&str] = &["student", "name", "full name", "student name", "display name"];
const FIRST: &[&str] = &["first name", "firstname", "given name", "vorname"];
const LAST: &[&str] = &["last name", "lastname", "surname", "family name", "nachname"];
const SID: &[&str] =
    &["sid", "student id", "student number", "sis user id", "matriculation number", "matrikelnummer", "id number", "university id"];
const LOGIN: &[&str] =
    &["login", "username", "user name", "sis login id", "login id", "netid", "github username", "github", "roster identifier", "user"];
const EMAIL: &[&str] = &["email", "email address", "e mail", "e mail address", "mail"];
const OTHER: &[&str] = &["id", "user id", "canvas id", "identifier", "integration id", "orgdefinedid"];

/// So many kinds of names a student has beside the one that people use.
const KINDS: usize = 4;

impl Person {
    /// Each of those, where it is known.
    fn ids(&self) -> [Option<&String>; KINDS] {
        [&self.login, &self.sid, &self.email, &self.number].map(Option::as_ref)
    }
}

impl Roster {
    /// Reads a roster. The columns are found by their headers.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or no column names the students.
    pub fn open(path: &Path) -> Result<Roster, Trouble> {
        let told = |error: csv::Error| Trouble::unfit(path, format!("is not a table: {error}"));
        let delimiter = table::delimiter(path).map_err(|error| Trouble::io(path, error))?;
        let mut reader = ReaderBuilder::new().delimiter(delimiter).flexible(true).from_path(path).map_err(told)?;
        let headers: Vec<String> = table::cells(reader.byte_headers().map_err(told)?).iter().map(|header| table::plain(header)).collect();
        let all =
            |names: &[&str]| -> Vec<usize> { names.iter().filter_map(|name| headers.iter().position(|header| header == name)).collect() };
        let columns = [all(NAME), all(FIRST), all(LAST), all(SID), all(LOGIN), all(EMAIL), all(OTHER)];
        if columns[3..].iter().all(Vec::is_empty) {
            return Err(Trouble::unfit(
                path,
                "has no column by which students are known: expected a header such as `id`, `sid`, `login` or `email`",
            ));
        }
        let mut people = Vec::new();
        let mut record = ByteRecord::new();
        while reader.read_byte_record(&mut record).map_err(told)? {
            let row = table::cells(&record);
            // Canvas writes the points of each assignment in a row of their own.
            if row.first().is_some_and(|cell| cell == "Points Possible") {
                continue;
            }
            people.extend(person(&row, &columns));
        }
        Ok(Roster { people })
    }

    /// Gives every submission the name of its student, and says whom nothing matches, in both directions.
    pub fn join(&self, class: &mut Class) -> Matches {
        let (keys, names) = (self.index(|person| person.keys.clone()), self.index(|person| spellings(&person.name)));
        let mut submissions: Vec<Vec<String>> = vec![Vec::new(); self.people.len()];
        let mut unmatched = Vec::new();
        let mut going_by = [0_usize; KINDS];
        for submission in &mut class.submissions {
            let found = found(submission, &keys, &names);
            for &at in &found {
                for (count, id) in going_by.iter_mut().zip(self.people[at].ids()) {
                    *count += usize::from(id.is_some_and(|id| name::folded(id) == name::folded(&submission.id)));
                }
            }
            let members = submission.arrival.members.len();
            if found.is_empty() {
                unmatched.push(submission.id.clone());
            } else if found.len() < members {
                unmatched.push(format!("{} ({} of its {members} members)", submission.id, members - found.len()));
            }
            for &at in &found {
                submissions[at].push(submission.id.clone());
            }
            self.name(submission, &found);
        }
        // The first of the kinds by which most submissions go.
        let kind = (0..KINDS).rev().max_by_key(|&kind| going_by[kind]).unwrap_or(0);
        let missed = |person: &Person| {
            let ids = person.ids();
            let id = ids[kind].or(ids.into_iter().flatten().next()).cloned();
            Person { id, ..person.clone() }
        };
        let absent = self.people.iter().zip(&submissions).filter(|(_, ids)| ids.is_empty()).map(|(person, _)| missed(person)).collect();
        let twice = self.people.iter().zip(submissions).filter(|(_, ids)| ids.len() > 1);
        let twice = twice.map(|(person, submissions)| Twice { name: person.name.clone(), submissions }).collect();
        Matches { people: self.people.len(), unmatched, absent, twice }
    }

    fn name(&self, submission: &mut Submission, found: &[usize]) {
        let people: Vec<&Person> = found.iter().map(|&at| &self.people[at]).collect();
        let Some(first) = people.first() else { return };
        let arrival = &mut submission.arrival;
        // Of a group that the roster knows in part, the platform's names are the whole.
        let is_whole = people.len() >= arrival.members.len();
        let name = Some(people.iter().map(|person| person.name.as_str()).collect::<Vec<_>>().join(", "));
        if is_whole {
            arrival.name = name;
        }
        if is_whole && people.len() > 1 {
            arrival.members = people.iter().map(|person| person.name.clone()).collect();
        }
        for (to, from) in [(&mut arrival.sid, &first.sid), (&mut arrival.login, &first.login), (&mut arrival.email, &first.email)] {
            if from.is_some() {
                to.clone_from(from);
            }
        }
    }

    /// Whom a key means; a key of two people means neither.
    fn index(&self, keys: impl Fn(&Person) -> Vec<String>) -> BTreeMap<String, Option<usize>> {
        let mut index: BTreeMap<String, Option<usize>> = BTreeMap::new();
        for (at, person) in self.people.iter().enumerate() {
            for key in keys(person).into_iter().collect::<BTreeSet<_>>() {
                index.entry(key).and_modify(|known| *known = None).or_insert(Some(at));
            }
        }
        index
    }
}

/// The people of the roster whose submission it is: by ids and addresses, by the end of a repository's name, and only
/// then by the name that the platform gives.
fn found(submission: &Submission, keys: &BTreeMap<String, Option<usize>>, names: &BTreeMap<String, Option<usize>>) -> Vec<usize> {
    let by = |index: &BTreeMap<String, Option<usize>>, key: &str| index.get(key).copied().flatten();
    let mut people: Vec<usize> = Vec::new();
    for known in std::iter::once(&submission.id).chain(&submission.known_as) {
        if let Some(at) = by(keys, &name::folded(known.trim()))
            && !people.contains(&at)
        {
            people.push(at);
        }
    }
    if people.is_empty() {
        // `drill-3-ada-l` is the repository of `ada-l`: the longest end that is a login.
        let id = name::folded(&submission.id);
        people.extend(id.match_indices(['-', '_']).find_map(|(at, _)| by(keys, &id[at + 1..])));
    }
    if people.is_empty() {
        people.extend(submission.known_as.iter().find_map(|known| by(names, &squashed(known))));
    }
    // A number may be one person's on the platform and another's at the university: without a group, the first is meant.
    if submission.arrival.members.len() < 2 {
        people.truncate(1);
    }
    people
}

fn person(row: &[String], columns: &[Vec<usize>; 7]) -> Option<Person> {
    let [name, first, last, sid, login, email, other] = columns;
    let cell = |at: &usize| row.get(*at).filter(|cell| !cell.is_empty()).cloned();
    let one = |columns: &[usize]| columns.iter().find_map(cell);
    let keys: Vec<String> = [sid, login, email, other]
        .into_iter()
        .flatten()
        .filter_map(cell)
        .map(|key| name::folded(&key))
        // Moodle's worksheet says `Participant 1201`.
        .map(|key| key.strip_prefix("participant ").map(str::to_owned).unwrap_or(key))
        .collect();
    let both = [one(first), one(last)].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let name = one(name).or_else(|| (!both.is_empty()).then_some(both)).or_else(|| keys.first().cloned())?;
    (!keys.is_empty()).then(|| {
        let number = one(other);
        Person { name, sid: one(sid), login: one(login), email: one(email), id: None, number, keys }
    })
}

/// A name without anything but letters and digits, as Canvas writes it into file names.
fn squashed(name: &str) -> String {
    name::folded(name).chars().filter(|c| c.is_alphanumeric()).collect()
}

/// A name as it stands, and with the family name first.
fn spellings(name: &str) -> Vec<String> {
    let turned = match (name.split_once(','), name.rsplit_once(' ')) {
        (Some((last, first)), _) => format!("{first}{last}"),
        (None, Some((first, last))) => format!("{last}{first}"),
        (None, None) => name.to_owned(),
    };
    vec![squashed(name), squashed(&turned)]
}
