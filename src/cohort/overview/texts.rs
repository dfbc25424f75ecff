//! The students' texts, found again: what lies elsewhere now, or is no longer the same, is said and not shown.

use std::cell::RefCell;
use std::path::Path;

use crate::answer::Answer;
use crate::cohort::collect::Class;
use crate::cohort::read::{Run, Submitted};
use crate::report::Arrival;
use crate::report::quote::Quote;
use crate::text::{self, Source, Span};

/// Larger texts are not read.
const LARGEST: usize = 10_000_000;
/// A shorter piece of a name is in too many words.
const SHORTEST_NAME: usize = 3;

/// Where the texts are.
#[derive(Debug)]
pub(super) struct Texts {
    class: Option<Class>,
    /// How many could not be shown, and why the first could not.
    lost: RefCell<(usize, Option<String>)>,
    /// Why there are none at all.
    pub(super) trouble: Option<String>,
}

impl Texts {
    /// Collects the class of a run again, from where it was or from where it is now.
    pub(super) fn open(run: &Run, input: Option<&Path>) -> Texts {
        match run.class(input) {
            Ok(class) => Texts { class: Some(class), lost: RefCell::default(), trouble: None },
            Err(trouble) => Texts { class: None, lost: RefCell::default(), trouble: Some(trouble.to_string()) },
        }
    }

    /// The text of a submission as it was graded, or why it cannot be shown: a phrase that follows "The answer".
    pub(super) fn of(&self, submitted: &Submitted) -> Result<Answer, String> {
        let found = self.find(submitted);
        if let Err(why) = &found {
            let mut lost = self.lost.borrow_mut();
            lost.0 += 1;
            lost.1.get_or_insert_with(|| why.clone());
        }
        found
    }

    /// How many texts could not be shown so far, and why the first could not.
    pub(super) fn lost(&self) -> Option<(usize, String)> {
        let lost = self.lost.borrow();
        lost.1.clone().map(|why| (lost.0, why))
    }

    fn find(&self, submitted: &Submitted) -> Result<Answer, String> {
        let class = self.class.as_ref().ok_or("is no longer where it was")?;
        let submission = class.submission(&submitted.id).ok_or("is no longer where it was")?;
        let text = class.text(submission)?;
        if submitted.sha256.as_deref() != Some(&text::sha256(&text.bytes)) {
            return Err("has changed since it was graded".to_owned());
        }
        Answer::read_bytes(text.name.as_str(), &text.bytes, text.kind, LARGEST).map_err(|error| error.to_string())
    }
}

/// The line of a text around a span, unless it names whoever wrote it.
pub(super) fn anonymous(source: &Source, span: Span, submitted: &Submitted) -> Option<Quote> {
    let quote = Quote::new(source, span);
    let line = format!("{}{}{}", quote.before, quote.marked, quote.after).to_lowercase();
    names(&submitted.id, &submitted.arrival).all(|name| !line.contains(&name)).then_some(quote)
}

/// Every word by which somebody may be known.
fn names<'a>(id: &'a str, arrival: &'a Arrival) -> impl Iterator<Item = String> + 'a {
    let of = [&arrival.name, &arrival.email, &arrival.login, &arrival.sid].into_iter().flatten();
    of.chain(&arrival.members)
        .map(String::as_str)
        .chain(std::iter::once(id))
        .flat_map(|name| name.split(|c: char| !c.is_alphanumeric()))
        .filter(|word| word.chars().count() >= SHORTEST_NAME)
        .map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_names_nobody() {
        let source = Source::new("a.md", "Ada Lovelace: S = 5.2 GB\nS = 5.2 GB, so ada.\nS = 5.2 GB\nsee s017: 5.2 GB\n");
        let arrival = Arrival { name: Some("Lovelace, Ada".into()), ..Arrival::default() };
        let submitted = Submitted { id: "s017".into(), file: "a.md".into(), sha256: None, arrival };
        let found: Vec<usize> = source
            .text()
            .match_indices("5.2 GB")
            .filter_map(|(at, _)| anonymous(&source, Span::new(at, at + 6), &submitted))
            .map(|quote| quote.line)
            .collect();
        assert_eq!(found, [3]);
    }
}
