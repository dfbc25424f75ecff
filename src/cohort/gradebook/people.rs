//! Whose row of a template is whose. A wrong grade is worse than none: whatever is not plain is told, not guessed.

use std::collections::BTreeMap;

use crate::cohort::name;
use crate::cohort::read::Submitted;

/// By what a student is known, the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    /// The platform's own number.
    Platform,
    /// The university's number.
    Sid,
    /// The name by which the student logs in.
    Login,
    /// An address.
    Email,
    /// What the student is called: only where nothing else is known.
    Name,
}

/// The rows of a template by their keys.
#[derive(Debug, Default)]
pub(super) struct People {
    rows: BTreeMap<(Key, String), Vec<usize>>,
}

/// What a submission has to do with a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Match {
    /// These rows: several for a group.
    Rows(Vec<usize>),
    /// No row.
    Nobody,
    /// Several rows, of which one at most can be right: why.
    Unclear(String),
}

impl People {
    /// Takes in a row by one of its keys; empty keys are none.
    pub(super) fn know(&mut self, row: usize, key: Key, text: &str) {
        for text in spellings(key, text) {
            let rows = self.rows.entry((key, text)).or_default();
            if rows.last() != Some(&row) {
                rows.push(row);
            }
        }
    }

    /// The rows of a submission. `own` is what its id is to this platform; an id that is not the platform's own number
    /// is never taken for one.
    pub(super) fn find(&self, submission: &Submitted, own: Option<&str>) -> Match {
        let arrival = &submission.arrival;
        let id = own.is_none().then_some(submission.id.as_str());
        // An address may be the name by which a student logs in, and an id may be any of the three.
        let known: [(Key, [Option<&str>; 3]); 4] = [
            (Key::Platform, [own, None, None]),
            (Key::Sid, [arrival.sid.as_deref(), id, None]),
            (Key::Login, [arrival.login.as_deref(), id, arrival.email.as_deref()]),
            (Key::Email, [arrival.email.as_deref(), id, None]),
        ];
        let mut found: Vec<usize> = Vec::new();
        for (key, texts) in known {
            for text in texts.into_iter().flatten() {
                match self.by(key, text) {
                    [] => {}
                    [row] => {
                        if !found.contains(row) {
                            found.push(*row);
                        }
                    }
                    _ => return Match::Unclear(format!("`{text}` stands in several rows of the template")),
                }
            }
        }
        let is_group = arrival.members.len() > 1;
        if found.len() > 1 && !is_group {
            return Match::Unclear("its id, number, login and address lead to different rows of the template".to_owned());
        }
        if is_group {
            return self.group(submission, found);
        }
        if let (true, Some(name)) = (found.is_empty(), &arrival.name) {
            return match self.by(Key::Name, name) {
                [] => Match::Nobody,
                [row] => Match::Rows(vec![*row]),
                _ => Match::Unclear(format!("several students of the template are called `{name}`")),
            };
        }
        if found.is_empty() { Match::Nobody } else { Match::Rows(found) }
    }

    /// Everybody of a group, by name; who was found by a number is one of them.
    fn group(&self, submission: &Submitted, mut found: Vec<usize>) -> Match {
        let mut lacking = Vec::new();
        for member in &submission.arrival.members {
            match self.by(Key::Name, member) {
                [row] => found.push(*row),
                _ => lacking.push(member.as_str()),
            }
        }
        found.sort_unstable();
        found.dedup();
        // The one who is known by a number may be called otherwise in the template.
        if found.len() >= submission.arrival.members.len() && lacking.len() <= 1 {
            return Match::Rows(found);
        }
        match (found.as_slice(), lacking.as_slice()) {
            ([], _) => Match::Nobody,
            (_, []) => Match::Rows(found),
            (_, lacking) => Match::Unclear(format!("of its group, the template does not plainly show {}", lacking.join(", "))),
        }
    }

    fn by(&self, key: Key, text: &str) -> &[usize] {
        let text = spellings(key, text).into_iter().next().unwrap_or_default();
        self.rows.get(&(key, text)).map_or(&[], Vec::as_slice)
    }

    /// Whether a row is known by this name, however it is turned.
    pub(super) fn is_called(&self, row: usize, name: &str) -> bool {
        self.by(Key::Name, name).contains(&row)
    }
}

/// The forms under which a key is looked for.
fn spellings(key: Key, text: &str) -> Vec<String> {
    let text = text.trim();
    let squashed = |text: &str| name::folded(text).chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let forms = match key {
        Key::Platform | Key::Sid | Key::Login | Key::Email => vec![name::folded(text)],
        Key::Name => {
            let turned = match (text.split_once(','), text.rsplit_once(' ')) {
                (Some((last, first)), _) => format!("{first}{last}"),
                (None, Some((first, last))) => format!("{last}{first}"),
                (None, None) => text.to_owned(),
            };
            vec![squashed(text), squashed(&turned)]
        }
    };
    let mut forms: Vec<String> = forms.into_iter().filter(|form| !form.is_empty()).collect();
    forms.dedup();
    forms
}

/// Keeps the submission of each row; a row that two of them claim is nobody's.
#[derive(Debug, Default)]
pub(super) struct Claims {
    by: BTreeMap<usize, Vec<String>>,
}

impl Claims {
    pub(super) fn claim(&mut self, rows: &[usize], id: &str) {
        for &row in rows {
            self.by.entry(row).or_default().push(id.to_owned());
        }
    }

    /// The others that claim a row of these, beside `id`.
    pub(super) fn rivals(&self, rows: &[usize], id: &str) -> Vec<&str> {
        let mut rivals: Vec<&str> =
            rows.iter().flat_map(|row| self.by.get(row).into_iter().flatten()).map(String::as_str).filter(|other| *other != id).collect();
        rivals.sort_unstable();
        rivals.dedup();
        rivals
    }

    /// Whether any submission is a row's.
    pub(super) fn has(&self, row: usize) -> bool {
        self.by.contains_key(&row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Arrival;

    fn people() -> People {
        let mut people = People::default();
        for (row, [number, sid, login, name]) in [
            ["1201", "0042", "ada", "Lovelace, Ada"],
            ["1202", "0043", "bo", "Bo Example"],
            ["42", "1201", "cy", "Cy Example"],
            ["1203", "", "di", "Bo Example"],
        ]
        .into_iter()
        .enumerate()
        {
            for (key, text) in [(Key::Platform, number), (Key::Sid, sid), (Key::Login, login), (Key::Name, name)] {
                people.know(row, key, text);
            }
        }
        people
    }

    fn submitted(id: &str, arrival: Arrival) -> Submitted {
        Submitted { id: id.to_owned(), file: String::new(), sha256: None, arrival }
    }

    #[test]
    fn a_number_of_the_university_is_never_one_of_the_platform() {
        let people = people();
        let plain = |id: &str| people.find(&submitted(id, Arrival::default()), None);
        assert_eq!(plain("1201"), Match::Rows(vec![2]));
        assert_eq!(people.find(&submitted("1201", Arrival::default()), Some("1201")), Match::Rows(vec![0]));
        assert_eq!(plain("42"), Match::Nobody);
        assert_eq!(plain("0042"), Match::Rows(vec![0]));
        assert_eq!(plain("ADA"), Match::Rows(vec![0]));
    }

    #[test]
    fn what_is_not_plain_is_not_guessed() {
        let people = people();
        let named = |name: &str| Arrival { name: Some(name.to_owned()), ..Arrival::default() };
        assert_eq!(people.find(&submitted("x", named("Ada Lovelace")), None), Match::Rows(vec![0]));
        assert!(matches!(people.find(&submitted("x", named("Bo Example")), None), Match::Unclear(_)));
        let torn = Arrival { sid: Some("0042".to_owned()), login: Some("bo".to_owned()), ..Arrival::default() };
        assert!(matches!(people.find(&submitted("x", torn), None), Match::Unclear(_)));
        let group = Arrival { members: vec!["Ada Lovelace".to_owned(), "Cy Example".to_owned()], ..Arrival::default() };
        assert_eq!(people.find(&submitted("x", group.clone()), None), Match::Rows(vec![0, 2]));
        let strange = Arrival { members: vec!["Ada Lovelace".to_owned(), "Nobody".to_owned()], ..group };
        assert!(matches!(people.find(&submitted("x", strange), None), Match::Unclear(_)));
    }
}
